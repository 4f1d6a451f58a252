// The index page of the example: what it lists and where its links lead, in both themes, wide and narrow.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { PHONE, WIDE, close, isAccessible, isSound, open, shot } from "./browser.js";
import { example, stop } from "./programs.js";

let base;

before(async () => {
  base = await example();
});

after(async () => {
  await close();
  stop();
});

test("the index leads to the page and the WSDL of each service", async () => {
  const page = await open();
  const answer = await page.goto(`${base}/`);
  assert.equal(answer.status(), 200);
  assert.equal(await page.title(), "Web Services");
  assert.deepEqual(await page.locator(".list > li > a").allTextContents(), ["Authenticator", "DeviceLoginService"]);
  await isSound(page);
  for (const link of await page.getByRole("link", { name: /^WSDL of / }).all()) {
    const wsdl = await page.request.get(new URL(await link.getAttribute("href"), page.url()).href);
    assert.match(await wsdl.text(), /<wsdl:definitions /);
  }
  await page.getByRole("link", { name: "Authenticator", exact: true }).click();
  assert.equal(await page.locator("h1").textContent(), "Authenticator");
});

for (const colorScheme of ["light", "dark"]) {
  for (const [width, viewport] of Object.entries({ wide: WIDE, phone: PHONE })) {
    test(`looks right in ${colorScheme}, ${width}`, async () => {
      const page = await open({ colorScheme, viewport });
      await page.goto(`${base}/`);
      await isSound(page);
      await isAccessible(page);
      await shot(page, `index-${colorScheme}-${width}`);
    });
  }
}

test("it is readable without scripts", async () => {
  const page = await open({ javaScriptEnabled: false });
  await page.goto(`${base}/`);
  assert.equal(await page.locator(".list > li").count(), 2);
});
