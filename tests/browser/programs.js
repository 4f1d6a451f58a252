// The servers whose pages are looked at, each on a port of its own, and commands that write pages.

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";

/** What tests write; `stop` removes it. */
export const folder = mkdtempSync(join(tmpdir(), "svcgen-browser-"));
const running = [];

/** Starts a program and resolves to the first URL that it prints. */
function start(name, ...parameters) {
  const program = spawn(join(process.env.PROGRAMS, name), parameters, { stdio: ["ignore", "pipe", "inherit"] });
  running.push(program);
  return new Promise((resolve, reject) => {
    let output = "";
    program.stdout.on("data", (data) => {
      output += data;
      const url = /http:\/\/\S+(?=\s)/.exec(output);
      if (url) resolve(url[0]);
    });
    program.on("exit", (code) => reject(new Error(`${name} ended with ${code}: ${output}`)));
  });
}

/** Runs a program to its end, and resolves to its exit code and what it printed. */
export const run = (name, ...parameters) => new Promise((resolve) => {
  execFile(join(process.env.PROGRAMS, name), parameters, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }));
});

/** The base of the example's URLs. */
export const example = async () => new URL(await start("generated-example", "--address", "127.0.0.1:0", "--database", join(folder, "accounts.sqlite"))).origin;

/** The URL of the service of every shape. */
export const shapes = () => start("help_page");

/** The base of the URLs of a mock of a definition, one of `definitions/` or a path. */
export const mock = async (definition) => new URL(await start("svcgen", "mock", isAbsolute(definition) ? definition : new URL(`definitions/${definition}`, import.meta.url).pathname, "--address", "127.0.0.1:0")).origin;

export function stop() {
  for (const program of running) {
    program.removeAllListeners("exit");
    program.kill();
  }
  rmSync(folder, { recursive: true, force: true });
}
