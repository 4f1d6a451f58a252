// What the Node callers share: calls come in as lines of JSON, answers go out as lines of JSON.
'use strict';

const readline = require('readline');

async function answerLines(makeCaller) {
  const [binding, authenticator, device] = process.argv.slice(2);
  const call = await makeCaller(binding, { Authenticator: authenticator, DeviceLoginService: device });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let answer;
    try {
      answer = await call(...JSON.parse(line));
    } catch (error) {
      answer = { error: String(error) };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
  process.exit(0);
}

// Absent arguments are left out; both stacks take base64 as text.
function writtenArguments(parameters) {
  const present = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) present[name] = typeof value === 'object' ? value.base64 : value;
  }
  return present;
}

module.exports = { answerLines, writtenArguments };
