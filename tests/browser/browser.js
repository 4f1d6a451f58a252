// The browser, and pages that note everything that goes wrong in them.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";
import { afterEach } from "node:test";

const require = createRequire(join(process.env.FOLDER, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const WIDE = { width: 1100, height: 800 };
export const PHONE = { width: 360, height: 740 };

let browser;

// Pages that stayed open would go on working.
afterEach(() => Promise.all((browser?.contexts() ?? []).map((context) => context.close())));

/** A page of a browser of its own, until the test ends. */
export async function open(settings = {}) {
  browser ??= await chromium.launch({ executablePath: process.env.BROWSER_PATH, args: ["--no-sandbox"] });
  const context = await browser.newContext({ viewport: WIDE, ...settings });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("dialog", (dialog) => page.complaints.push(dialog.message()) && dialog.dismiss());
  page.requested = [];
  page.on("request", (request) => page.requested.push(request.url()));
  return page;
}

export const close = () => browser?.close();

/** Nothing was complained about, nothing came from elsewhere, nothing is wider than the window. */
export async function isSound(page) {
  assert.deepEqual(page.complaints, []);
  const { origin, protocol } = new URL(page.url());
  const own = protocol === "file:" ? page.url().split("#")[0] : origin;
  assert.deepEqual(page.requested.filter((url) => !url.startsWith(own) && !url.startsWith("data:")), []);
  const [width, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(width <= inner, `${page.url()} is ${width} wide in a window of ${inner}`);
}

/** The rules of WCAG 2.2 AA that can be checked by a program, contrast among them. */
export async function isAccessible(page) {
  // The page's own policy allows no script but its own.
  const world = await page.context().newCDPSession(page);
  await world.send("Page.enable");
  const { frameTree } = await world.send("Page.getFrameTree");
  const { executionContextId } = await world.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await world.send("Runtime.evaluate", { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true });
    assert.equal(exceptionDetails, undefined);
    return result.value;
  };
  await evaluate(`${axe}; undefined`);
  const violations = await evaluate("axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`))");
  assert.deepEqual(violations, []);
}

/** Keeps a picture in the folder of `SCREENSHOTS`, if there is one: pages are long, and drawing them takes long. */
export const shot = (page, name) => process.env.SCREENSHOTS && page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), fullPage: true });
