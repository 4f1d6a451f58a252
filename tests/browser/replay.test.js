// The page that `svcgen replay` writes: as a file, in both themes, wide and narrow, with and without scripts.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { PHONE, WIDE, close, isAccessible, isSound, open, shot } from "./browser.js";
import { folder, run, stop } from "./programs.js";

const DEFINITION = `
service: Orders
namespace: http://example.com/orders
path: /Orders.asmx
operations:
  Login:
    parameters: { user: string?, password: { type: string?, secret: true } }
    result: boolean
  GetOrder:
    parameters: { id: int }
    result: Order
types:
  Order: { elements: { Id: int, Note: string?, Price: decimal } }
`;

const LONG = "Wxyz".repeat(300);
const order = (note, price = "12.50") => `<Order xmlns="http://example.com/orders"><Id>7</Id>${note}<Price>${price}</Price></Order>`;

const script = (text) => `&lt;script&gt;window.broken = "${text}"&lt;/script&gt;`;

/** Paths, what was answered then, and what is answered now: a body, a status with a body, or nothing. */
const EXCHANGES = [
  { path: "/Orders.asmx/GetOrder?id=1", then: order(""), now: order(""), result: "identical" },
  { path: "/Orders.asmx/GetOrder?id=2", then: order(""), now: order("").replaceAll('"', "'"), result: "same-document", kinds: ["quotes"] },
  { path: "/Orders.asmx/GetOrder?id=3", then: order(""), now: order("", "12.5"), result: "same-values", kinds: ["lexical-form"] },
  { path: "/Orders.asmx/GetOrder?id=4", then: order(`<Note>${script("then")}</Note>`), now: order(`<Note>${script("now")}</Note>`, "13"), result: "differs", kinds: ["value"] },
  { path: "/Orders.asmx/GetOrder?id=5", then: order("<Note>a</Note>"), now: order(""), result: "differs", kinds: ["missing-element"] },
  { path: "/Orders.asmx/GetOrder?id=6", then: order(`<Note>${LONG}</Note>`), now: order(`<Note>${LONG}${LONG}</Note>`), result: "differs", kinds: ["value"] },
  { path: "/Orders.asmx/GetOrder?id=7", then: order(""), now: "gone", status: 500, result: "differs", kinds: ["status"] },
  { path: "/Orders.asmx/GetOrder?id=8", then: order(""), result: "unanswered" },
  { path: "/Orders.asmx/Login?user=ada&password=[secret]", then: '<boolean xmlns="http://example.com/orders">true</boolean>', now: "", result: "unsent" },
  { path: `/Orders.asmx/${LONG}?x=<b>`, then: "a", now: "b", result: "differs" },
  { path: "/favicon.ico", then: "", result: "not-a-call" },
];

/** Whether an exchange has answers to compare. */
const isCompared = ({ result }) => !["unanswered", "unsent", "not-a-call"].includes(result);

let report;
let server;

before(async () => {
  const recorded = join(folder, "recorded");
  writeFileSync(join(folder, "orders.yaml"), DEFINITION);
  for (const [index, { path, then }] of EXCHANGES.entries()) {
    const exchange = join(recorded, String(index + 1).padStart(8, "0"));
    mkdirSync(exchange, { recursive: true });
    writeFileSync(join(exchange, "request.http"), `GET ${path.replace(/[<>]/g, encodeURIComponent)} HTTP/1.1\r\nHost: svc.corp.example\r\n\r\n`);
    writeFileSync(join(exchange, "response.http"), `HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\n\r\n${then}`);
  }
  server = createServer((request, response) => {
    const { now, status = 200 } = EXCHANGES.find(({ path }) => path === decodeURIComponent(request.url));
    if (now === undefined) request.destroy();
    else response.writeHead(status, { "Content-Type": "text/xml; charset=utf-8" }).end(now);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = join(folder, "replay.html");
  const url = `http://127.0.0.1:${server.address().port}`;
  const { code, output } = await run("svcgen", "replay", recorded, "--against", url, join(folder, "orders.yaml"), "--report", page);
  assert.equal(code, 4, output);
  report = pathToFileURL(page).href;
});

after(async () => {
  await close();
  server?.closeAllConnections();
  server?.close();
  stop();
});

const exchange = (page, index) => page.locator("#exchanges > details").filter({ hasText: String(index + 1).padStart(8, "0") });

for (const colorScheme of ["light", "dark"]) {
  for (const [width, viewport] of Object.entries({ wide: WIDE, phone: PHONE })) {
    test(`looks right in ${colorScheme}, ${width}`, async () => {
      const page = await open({ colorScheme, viewport });
      await page.goto(report);
      await isSound(page);
      await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
      await isSound(page);
      await isAccessible(page);
      await shot(page, `replay-${colorScheme}-${width}`);
    });
  }
}

test("what was received is shown as text, and never runs", async () => {
  const page = await open();
  await page.goto(report);
  const differs = exchange(page, 3);
  assert.match(await differs.textContent(), /<script>window.broken = "then"<\/script>[^]*<script>window.broken = "now"<\/script>/);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("script").count(), 1);
  assert.equal(await page.locator("img, svg, iframe, link, [onclick], a[href^=javascript]").count(), 0);
});

test("headings are in order, and tables have headers", async () => {
  const page = await open();
  await page.goto(report);
  const headings = await page.locator("h1, h2, h3, h4, h5, h6").evaluateAll((all) => all.map((one) => [Number(one.tagName[1]), one.textContent]));
  assert.deepEqual(headings, [[1, "Answers compared"], [2, "By operation"], [2, "What differs"], [2, "Exchanges"]]);
  const tables = page.locator("table");
  assert.equal(await tables.count(), 2 + EXCHANGES.filter((one) => isCompared(one) && one.result !== "identical").length);
  for (const table of await tables.all()) assert.ok(await table.locator("thead th[scope=col]").count() >= 4);
});

test("it is readable without scripts", async () => {
  const page = await open({ javaScriptEnabled: false });
  await page.goto(report);
  assert.match(await page.locator(".verdict").textContent(), /^Of 10 answers, 7 differ and 2 are missing\. Accepted: identical\./);
  assert.equal(await page.locator("#filters").isVisible(), false);
  for (const [index, { result, kinds = [] }] of EXCHANGES.entries()) {
    const one = exchange(page, index);
    assert.equal(await one.locator("summary .result").textContent(), result, `exchange ${index + 1}`);
    assert.equal(await one.getByText(/^answered in /).isVisible(), isCompared({ result }) && result !== "identical");
    for (const kind of kinds) assert.ok(await one.getByRole("cell", { name: kind, exact: true }).first().isVisible(), `${kind} of exchange ${index + 1}`);
  }
  const fine = exchange(page, 0);
  await fine.locator("summary").press("Enter");
  assert.ok(await fine.getByText(/^answered in /).isVisible());
});

test("exchanges are filtered by operation, outcome and kind", async () => {
  const page = await open();
  await page.goto(report);
  const shown = () => page.locator("#exchanges > details:visible").count();
  const choose = (label, option) => page.getByRole("combobox", { name: label, exact: true }).selectOption(option);
  assert.equal(await shown(), EXCHANGES.length);
  for (const result of new Set(EXCHANGES.map((one) => one.result))) {
    await choose("Outcome", result);
    assert.equal(await shown(), EXCHANGES.filter((one) => one.result === result).length, result);
  }
  await choose("Outcome", "all");
  await choose("Operation", "Login");
  assert.equal(await shown(), 1);
  await choose("Operation", "GetOrder");
  await choose("Kind", "missing-element");
  assert.equal(await shown(), 1);
  assert.equal(await page.getByRole("status").textContent(), `1 of ${EXCHANGES.length}`);
  await choose("Outcome", "unanswered");
  assert.equal(await shown(), 0);
  await isSound(page);
  await isAccessible(page);
});
