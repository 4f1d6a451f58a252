// The help page of the example: read, invoked over each binding, by mouse and by keyboard, in both themes, wide and narrow.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { PHONE, WIDE, close, isAccessible, isSound, open, shot } from "./browser.js";
import { example, stop } from "./programs.js";

let authenticator;
let devices;

before(async () => {
  const base = await example();
  authenticator = `${base}/SvcDotNet/Authenticator.asmx`;
  devices = `${base}/SvcDotNet/Mobile/Services/DeviceLoginService.asmx`;
});

after(async () => {
  await close();
  stop();
});

const sent = (page) => page.locator("#sent").textContent();
const received = (page) => page.locator("#received").textContent();

async function invoke(page, binding) {
  await page.getByLabel(binding, { exact: true }).check();
  await page.getByRole("button", { name: "Invoke" }).click();
  await page.getByText(/ after \d+ ms/).waitFor();
}

test("the overview lists operations in the order of the definition and leads to them and to the WSDL", async () => {
  const page = await open();
  const answer = await page.goto(devices);
  assert.equal(answer.status(), 200);
  assert.equal(answer.headers()["content-type"], "text/html; charset=utf-8");
  assert.equal(await page.title(), "DeviceLoginService Web Service");
  const operations = await page.locator(".list > li > a").allTextContents();
  assert.deepEqual(operations, ["Login", "LoginWithEncryptedPassword", "EmailPassword", "TestConnection", "Logout", "NoOp"]);
  await isSound(page);
  await page.locator(".of-type summary").getByText("DeviceLoginResponse", { exact: true }).click();
  await page.getByRole("link", { name: "LoginErrorCode" }).first().click();
  assert.match(page.url(), /#type-LoginErrorCode$/);
  assert.equal(await page.locator("#type-LoginErrorCode").isVisible(), true);
  await page.locator(".list").getByRole("link", { name: "EmailPassword" }).click();
  assert.equal(await page.locator("h1").textContent(), "EmailPassword");
  await isSound(page);
  const wsdl = await page.request.get(new URL(await page.getByRole("link", { name: "WSDL", exact: true }).getAttribute("href"), page.url()).href);
  assert.match(await wsdl.text(), /<wsdl:definitions /);
});

test("answers carry a policy, and forbid frames and sniffing", async () => {
  const page = await open();
  for (const url of [authenticator, `${authenticator}?op=Login`, `${authenticator}?op=Nope`]) {
    const headers = (await page.goto(url)).headers();
    assert.match(headers["content-security-policy"], /^default-src 'none'; style-src 'sha256-[^']+'/);
    assert.match(headers["content-security-policy"], /frame-ancestors 'none'/);
    assert.doesNotMatch(headers["content-security-policy"], /unsafe/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "no-referrer");
  }
});

test("an operation is found in any letter case, and an unknown one says so", async () => {
  const page = await open();
  assert.equal((await page.goto(`${authenticator}?OP=clientauthwithresult`)).status(), 200);
  assert.equal(await page.locator("h1").textContent(), "ClientAuthWithResult");
  const answer = await page.goto(`${authenticator}?op=%3Cb%3ENope`);
  assert.equal(answer.status(), 404);
  assert.match(await page.locator(".lead").textContent(), /has no operation <b>Nope/);
  assert.equal(await page.locator(".list a").count(), 2);
});

test("a secret is typed unseen, shown on demand and never part of a URL", async () => {
  const page = await open();
  await page.goto(`${authenticator}?op=Login`);
  assert.deepEqual(await page.locator(".segments label").allTextContents(), [" SOAP 1.1", " SOAP 1.2", " HTTP POST"]);
  assert.match(await page.locator("#invoke").textContent(), /HTTP GET is left out here/);
  const password = page.getByLabel("password");
  assert.equal(await password.getAttribute("type"), "password");
  assert.equal(await password.getAttribute("autocomplete"), "off");
  await page.getByLabel("username").fill("alice");
  await password.fill("secret & <more>");
  for (const binding of ["SOAP 1.1", "SOAP 1.2", "HTTP POST"]) {
    await invoke(page, binding);
    assert.match(await sent(page), /\[secret\]/);
    assert.doesNotMatch(await sent(page), /more/);
    await page.getByLabel("Show secrets").check();
    assert.match(await sent(page), /secret( &amp; &lt;more&gt;|\+%26\+%3Cmore%3E)/);
    await page.getByLabel("Show secrets").uncheck();
    assert.match(await received(page), />false</);
  }
  assert.ok(!page.requested.some((url) => url.includes("secret") || url.includes("alice")));
  await isSound(page);
});

test("the operation is invoked over each binding", async () => {
  const page = await open();
  await page.goto(`${authenticator}?op=ClientAuthWithResult`);
  await page.getByLabel("username").fill("alice");
  await page.getByLabel("password").fill("secret");
  await page.getByLabel("processName").fill("browser");
  const starts = { "SOAP 1.1": "POST /SvcDotNet/Authenticator.asmx HTTP/1.1\n", "SOAP 1.2": "POST /SvcDotNet/Authenticator.asmx HTTP/1.1\n", "HTTP POST": "POST /SvcDotNet/Authenticator.asmx/ClientAuthWithResult HTTP/1.1\n" };
  for (const [binding, start] of Object.entries(starts)) {
    await invoke(page, binding);
    assert.ok((await sent(page)).startsWith(start));
    assert.match(await received(page), /^HTTP\/1.1 200 OK\n/);
    assert.match(await received(page), /\nContent-Type: (text\/xml|application\/soap\+xml); charset=utf-8\n/);
    assert.match(await received(page), /\n +<ErrorCode>None<\/ErrorCode>\n/);
  }
  assert.match(await sent(page), /\nContent-Type: application\/x-www-form-urlencoded\nContent-Length: \d+\n\nusername=alice&password=\[secret\]&macAddress=&processName=browser$/);
  await page.getByLabel("Indent").uncheck();
  assert.match(await received(page), /<LoginResult xmlns:xsd=/);
  await isSound(page);
});

test("HTTP GET is there where nothing is secret", async () => {
  const page = await open();
  await page.goto(`${devices}?op=EmailPassword`);
  await page.getByLabel("username").fill("Ada é&=");
  await invoke(page, "HTTP GET");
  assert.match(await sent(page), /^GET \/SvcDotNet\/Mobile\/Services\/DeviceLoginService.asmx\/EmailPassword\?username=Ada\+%C3%A9%26%3D HTTP\/1.1\nHost: /);
  assert.match(await received(page), />InvalidUser</);
  await page.goto(`${devices}?op=NoOp`);
  await invoke(page, "HTTP POST");
  assert.match(await received(page), /^HTTP\/1.1 200 OK\n/);
  await isSound(page);
});

test("bytes, and a value that is refused", async () => {
  const page = await open();
  await page.goto(`${devices}?op=LoginWithEncryptedPassword`);
  await page.getByLabel("username").fill("alice");
  await page.getByRole("textbox", { name: "encryptedPassword" }).fill("AAEC");
  await invoke(page, "HTTP POST");
  assert.match(await received(page), /<LoginErrorCode>BadPassword/);
  await page.getByLabel("Show secrets").check();
  assert.match(await sent(page), /encryptedPassword=0&encryptedPassword=1&encryptedPassword=2&/);
  await page.getByRole("textbox", { name: "encryptedPassword" }).fill("no base64!");
  await page.getByRole("button", { name: "Invoke" }).click();
  await page.getByText("Not called: encryptedPassword is no base64").waitFor();
  assert.equal(page.complaints.length, 0);
  await page.getByLabel("SOAP 1.1", { exact: true }).check();
  await page.getByRole("button", { name: "Invoke" }).click();
  await page.getByText(/^400 Bad Request after/).waitFor();
  assert.match(await received(page), /<faultcode>soap:Client/);
});

test("the keyboard alone is enough", async () => {
  const page = await open();
  await page.goto(authenticator);
  const focused = () => page.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.id);
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Skip to the content");
  for (let presses = 0; (await focused()) !== "Login"; presses += 1) {
    assert.ok(presses < 20);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await page.waitForURL(/op=Login$/);
  const field = () => page.evaluate(() => document.activeElement.labels?.[0]?.textContent ?? "");
  const tabTo = async (label) => {
    for (let presses = 0; !(await field()).includes(label); presses += 1) {
      assert.ok(presses < 30, `no way to ${label}`);
      await page.keyboard.press("Tab");
    }
  };
  await tabTo("SOAP 1.1");
  await page.keyboard.press("ArrowRight");
  assert.match(await field(), /SOAP 1.2/);
  await tabTo("username");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, "solid");
  await page.keyboard.type("alice");
  await tabTo("password");
  await page.keyboard.type("secret");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText(/^200 OK after/).waitFor();
  assert.match(await received(page), />true</);
});

for (const colorScheme of ["light", "dark"]) {
  for (const [width, viewport] of Object.entries({ wide: WIDE, phone: PHONE })) {
    test(`looks right in ${colorScheme}, ${width}`, async () => {
      const page = await open({ colorScheme, viewport });
      const name = (what) => `${what}-${colorScheme}-${width}`;
      await page.goto(devices);
      await isSound(page);
      await isAccessible(page);
      await shot(page, name("overview"));
      await page.goto(`${devices}?op=Login`);
      await page.getByLabel("username").fill("alice");
      await page.getByLabel("password").fill("secret");
      await page.getByLabel("devicePin").fill("browser");
      await invoke(page, "SOAP 1.1");
      for (const binding of ["SOAP 1.2", "HTTP GET", "HTTP POST"]) await page.locator("summary").getByText(binding, { exact: true }).click();
      await isSound(page);
      await isAccessible(page);
      await shot(page, name("operation"));
      await page.goto(`${devices}?op=Nope`);
      await isAccessible(page);
    });
  }
}

test("it reads without scripts", async () => {
  const page = await open({ javaScriptEnabled: false });
  await page.goto(`${authenticator}?op=Login`);
  assert.equal(await page.locator("#invoke").isVisible(), false);
  assert.equal(await page.getByText("Calls from this page need a script.").isVisible(), true);
  await page.locator("summary").getByText("HTTP GET", { exact: true }).click();
  assert.equal(await page.getByText("Authenticator.asmx/Login?username=").isVisible(), true);
});

test("who comes from elsewhere gets no form", async () => {
  for (const header of ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"]) {
    const page = await open({ extraHTTPHeaders: { [header]: "for=192.0.2.1" } });
    const answer = await page.goto(`${authenticator}?op=Login`);
    assert.equal(answer.status(), 200);
    assert.equal(await page.locator("form").count(), 0);
    // The script of every page calls nothing.
    assert.equal(await page.locator("script").count(), 1);
    assert.match(answer.headers()["content-security-policy"], /script-src 'sha256-[^' ]+';/);
    assert.doesNotMatch(answer.headers()["content-security-policy"], /connect-src/);
    await isSound(page);
  }
});
