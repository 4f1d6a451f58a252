// A client in a page, compiled to WebAssembly, which calls the example with the browser's fetch.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";

import { close, open } from "../browser/browser.js";
import { example, stop } from "../browser/programs.js";

const MODULE = process.env.MODULE;
const TYPES = { js: "text/javascript", wasm: "application/wasm" };
let base;
let page;

before(async () => {
  base = await example();
});

beforeEach(async () => {
  page = await open();
  // The page has the origin of the service, so that the browser lets it call.
  await page.route(`${base}/page/*`, (route) => {
    const name = new URL(route.request().url()).pathname.split("/").at(-1);
    if (name === "index.html") return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Page</title>" });
    return route.fulfill({ contentType: TYPES[name.split(".").at(-1)], body: readFileSync(join(MODULE, name)) });
  });
  await page.goto(`${base}/page/index.html`);
  await page.evaluate(async () => {
    window.client = await import("./svcgen_wasm_page.js");
    await window.client.default();
  });
});

after(async () => {
  await close();
  stop();
});

const call = (name, ...parameters) => page.evaluate(([name, parameters]) => window.client[name](...parameters), [name, parameters]);

/** Answers the calls below a path like this instead of the service. */
const answer = (path, handler) => page.route(`${base}/${path}/**`, handler);

test("calls over every binding have their results, status and headers", async () => {
  for (const [binding, type] of [
    ["SOAP 1.1", "text/xml; charset=utf-8"],
    ["SOAP 1.2", "application/soap+xml; charset=utf-8"],
    ["HTTP GET", "text/xml; charset=utf-8"],
    ["HTTP POST", "text/xml; charset=utf-8"],
  ]) {
    assert.equal(await call("login", base, binding, "secret"), `true, 200, ${type}`, binding);
    assert.equal(await call("login", base, binding, "wrong"), `false, 200, ${type}`, binding);
  }
});

test("headers of calls are sent", async () => {
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await call("login", base, "SOAP 1.1", "secret");
  const headers = (await sent).headers();
  assert.equal(headers["x-page"], "1");
  assert.match(headers.soapaction, /^".*Login"$/);
});

test("errors say what would help", async () => {
  const told = await call("login", `${base}/elsewhere`, "SOAP 1.1", "secret");
  assert.match(told, /^Status: the server answered 404 Not Found.*\(hint: there is no service at .*\/elsewhere\/.*\), 404, /);
});

test("a call has a time of its own, or that of the transport", async () => {
  await answer("silent", () => {});
  for (const ofCall of [true, false]) {
    const told = await call("bounded_login", `${base}/silent`, 100, 1000, ofCall);
    assert.match(told, /^Timeout: the call took longer than 100ms /);
  }
});

test("a call that is dropped is aborted", async () => {
  await answer("dropped", () => {});
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/dropped/"));
  await call("dropped_login", `${base}/dropped`);
  assert.match((await failed).failure().errorText, /ERR_ABORTED/);
});

test("answers are limited, and not taken for compressed", async () => {
  const body = '<boolean xmlns="urn:x">true</boolean>'.repeat(100);
  await answer("long", (route) => route.fulfill({ contentType: "text/xml", headers: { "content-encoding": "gzip" }, body }));
  const told = await call("bounded_login", `${base}/long`, 10_000, 1_000, true);
  assert.match(told, /^Limit: the response is longer than 1000 bytes/);
  const read = await call("login", `${base}/long`, "HTTP GET", "secret");
  assert.match(read, /^(IllFormed|Element): /);
});

test("redirects are not followed, and broken connections told", async () => {
  await answer("moved", (route) => route.fulfill({ status: 302, headers: { location: `${base}/` } }));
  assert.match(await call("login", `${base}/moved`, "SOAP 1.1", "secret"), /^Transport: fetch: the server redirects.*, 0, -$/);
  await answer("broken", (route) => route.abort());
  assert.match(await call("login", `${base}/broken`, "SOAP 1.1", "secret"), /^Transport: fetch: Failed to fetch .*, 0, -$/);
});
