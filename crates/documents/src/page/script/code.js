// The request as code. Secrets are placeholders: "[secret]".

const shellText = (text) => `'${text.replace(/'/g, "'\\''")}'`;

function curl({ method, target, headers: sent, body }) {
  const lines = [`curl ${shellText(location.origin + target)}`];
  if (method !== (body === undefined ? "GET" : "POST")) lines.push(`-X ${method}`);
  for (const [name, value] of Object.entries(sent)) lines.push(`-H ${shellText(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`--data-binary ${shellText(body)}`);
  return lines.join(" \\\n  ");
}

function javascript({ method, target, headers: sent, body }) {
  const parts = [`  method: "${method}",`];
  if (Object.keys(sent).length) parts.push(`  headers: ${JSON.stringify(sent, null, 2).replace(/\n/g, "\n  ")},`);
  if (body !== undefined) parts.push(`  body: \`${body.replace(/[\\`]|\$\{/g, "\\$&")}\`,`);
  return `const answer = await fetch(${JSON.stringify(location.origin + target)}, {\n${parts.join("\n")}\n});\nconsole.log(await answer.text());`;
}

const inLines = (call) => ({ ...call, body: call.body === undefined ? undefined : laidOut(call.body) });

/** What a request is shown as, by its name. */
const LANGUAGES = { HTTP: requestText, curl, JavaScript: javascript };
