// The help page as a console: finding an operation, filling its form, reading its answer, taking the call elsewhere. Its services are mocks of three, eight and a hundred operations.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { PHONE, WIDE, close, isAccessible, isSound, open, shot } from "./browser.js";
import { hundred } from "./hundred.js";
import { folder, mock, run, shapes, stop } from "./programs.js";

const DESKTOP = { width: 1280, height: 900 };

let weather;
let shop;
let company;
let depot;
let staff;
let vault;

/** A file of the corpus of secrets. */
const planted = (name) => new URL(`../planted/${name}`, import.meta.url).pathname;

before(async () => {
  const bases = await Promise.all([mock("weather.yaml"), mock("shop.yaml"), mock(hundred()), mock("depot.yaml"), mock(planted("vault.yaml"))]);
  staff = (await shapes()).replace("HelpPage", "Staff");
  [weather, shop, company, depot, vault] = ["Weather", "Shop", "Company", "Depot", "Vault"].map((name, at) => `${bases[at]}/${name}.asmx`);
});

after(async () => {
  await close();
  stop();
});

const sent = (page) => page.locator("#sent").textContent();
const input = (page, name) => page.locator(`[data-name="${name}"] [data-value]`).first();
const state = (page, name) => page.locator(`[data-name="${name}"] [data-state]`).first();
const rail = (page) => page.locator(".rail li:visible").allTextContents();

async function at(url, settings = {}) {
  const page = await open({ viewport: DESKTOP, permissions: ["clipboard-read", "clipboard-write"], ...settings });
  await page.goto(url);
  return page;
}

async function invoke(page) {
  await page.getByRole("button", { name: "Invoke" }).click();
  await page.getByText(/ after \d+ ms/).waitFor();
}

/** Answers the calls of a page with this. */
async function answers(page, status, contentType, body, headers = {}) {
  await page.route((url) => !url.search.startsWith("?op"), (route) => (route.request().method() === "POST" ? route.fulfill({ status, headers: { "content-type": contentType, ...headers }, body }) : route.continue()));
}

const envelope = (body) => `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${body}</soap:Body></soap:Envelope>`;

// ---- Find your way.

test("the rail has all operations on every page, with the current one marked", async () => {
  const page = await at(shop);
  const names = ["Search", "Price", "Login", "PlaceOrder", "Pay", "Note", "Rate", "Cancel"];
  assert.deepEqual(await rail(page), names);
  assert.equal(await page.locator(".rail [aria-current]").count(), 0);
  await page.goto(`${shop}?op=Pay`);
  assert.deepEqual(await rail(page), names);
  assert.deepEqual(await page.locator(".rail [aria-current=page]").allTextContents(), ["Pay"]);
  await page.getByRole("link", { name: "Shop Web Service" }).click();
  assert.equal(await page.locator("h1").textContent(), "Shop");
});

test("a slash leads to the filter, which finds names by parts and by capitals", async () => {
  const page = await at(`${company}?op=GetOrder`);
  await page.keyboard.press("/");
  await page.keyboard.type("invoice");
  assert.equal((await rail(page)).length, 10);
  await page.keyboard.press("Escape");
  assert.equal((await rail(page)).length, 100);
  await page.keyboard.type("ct");
  assert.ok((await rail(page)).includes("CreateTicket"));
  await page.getByLabel("Filter operations").fill("zzz");
  await page.getByText("No operation is named so.").waitFor();
  await page.getByLabel("Filter operations").fill("lockt");
  await page.keyboard.press("Enter");
  await page.waitForURL(/op=LockTicket#fill$/);
  // On the page itself the filter leads to the form once more.
  await page.locator("h1").click();
  await page.keyboard.press("/");
  await page.keyboard.type("lockt");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.closest("[data-name=number]"));
  // A slash in a field is a slash.
  await input(page, "number").press("/");
  assert.equal(await input(page, "number").inputValue(), "/");
});

test("arrows lead along the rail", async () => {
  const page = await at(shop);
  await page.keyboard.press("/");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Price");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.evaluate(() => document.activeElement.id), "filter");
});

test("the rail is folded on a phone, and unfolds", async () => {
  const page = await at(`${shop}?op=Pay`, { viewport: PHONE });
  assert.equal(await page.locator(".rail li").first().isVisible(), false);
  await page.locator(".rail summary").click();
  await page.locator(".rail").getByRole("link", { name: "Rate" }).click();
  assert.equal(await page.locator("h1").textContent(), "Rate");
  await isSound(page);
});

test("rows say signature and bindings, in the order of the definition or by name", async () => {
  const page = await at(shop);
  const rows = page.locator(".list > li");
  const names = () => page.locator(".list > li > a").allTextContents();
  assert.equal((await names())[0], "Search");
  assert.equal(await rows.first().locator(".signature").textContent(), "(words: string, most: int) → Article[]");
  assert.deepEqual(await rows.nth(3).locator(".badge").allTextContents(), ["SOAP 1.1", "SOAP 1.2"]);
  await page.getByLabel("Order").selectOption("by name");
  assert.deepEqual((await names()).slice(0, 2), ["Cancel", "Login"]);
  assert.equal((await rail(page))[0], "Cancel");
  await page.goto(`${shop}?op=Pay`);
  assert.equal((await rail(page))[0], "Cancel");
  await page.goto(shop);
  await page.getByLabel("Order").selectOption("of the definition");
  assert.equal((await names())[0], "Search");
});

test("a call by keyboard alone takes at most twelve keystrokes beside the values", async () => {
  const page = await at(weather);
  let strokes = 0;
  const press = async (key) => {
    strokes += 1;
    await page.keyboard.press(key);
  };
  for (const key of ["/", "r", "e", "p", "Enter"]) await press(key);
  await page.waitForURL(/op=Report#fill$/);
  await page.locator("#exchange").waitFor();
  const focused = () => page.evaluate(() => document.activeElement.closest("[data-kind]")?.dataset.name);
  assert.equal(await focused(), "station");
  await page.keyboard.type("OSL");
  await press("Tab");
  assert.equal(await focused(), "unit");
  await page.keyboard.type("Kelvin");
  await press("Control+Enter");
  await page.getByRole("status").getByText(/^200 OK after/).waitFor();
  assert.match(await sent(page), /<station>OSL<\/station>\s*<unit>Kelvin<\/unit>/);
  assert.ok(strokes <= 12, `${strokes} keystrokes`);
});

test("headings link to themselves, for mouse, keyboard and touch", async () => {
  const page = await at(`${shop}?op=PlaceOrder`);
  const sign = (link) => link.evaluate((element) => getComputedStyle(element, "::after").opacity);
  const heading = page.getByRole("heading", { name: "Parameters", exact: true });
  const link = heading.getByRole("link", { name: "Parameters", exact: true });
  await heading.scrollIntoViewIfNeeded();
  const before = await heading.boundingBox();
  assert.equal(await sign(link), "0");
  await heading.hover();
  assert.equal(await sign(link), "1");
  assert.deepEqual(await heading.boundingBox(), before);
  await page.mouse.move(0, 0);
  await page.keyboard.press("Tab");
  await link.focus();
  assert.equal(await sign(link), "1");
  await page.keyboard.press("Enter");
  assert.equal(new URL(page.url()).hash, "#parameters-heading");
  await page.locator("#fault-SoldOut").getByRole("link", { name: "SoldOut" }).click();
  assert.equal(new URL(page.url()).hash, "#fault-SoldOut");
  await isSound(page);
  for (const colorScheme of ["light", "dark"]) {
    const phone = await at(shop, { viewport: PHONE, hasTouch: true, isMobile: true, colorScheme });
    assert.equal(await sign(phone.locator("#operations a")), "1");
    await isSound(phone);
    await isAccessible(phone);
  }
});

// ---- See request and answer together.

test("form and exchange stand beside each other from 1100 pixels on", async () => {
  const page = await at(`${weather}?op=Report`);
  const places = async () => Promise.all(["#invoke", "#exchange"].map((id) => page.locator(id).boundingBox()));
  let [form, exchange] = await places();
  assert.ok(exchange.x > form.x + form.width);
  await page.setViewportSize({ width: 1000, height: 900 });
  [form, exchange] = await places();
  assert.ok(exchange.y > form.y + form.height);
  await isSound(page);
});

test("the answer comes first, with status, time and size, and on a phone it is scrolled to", async () => {
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await at(`${weather}?op=Report`, { viewport });
    await input(page, "station").fill("OSL");
    await invoke(page);
    assert.match(await page.locator("#verdict").textContent(), /^200 OK \d+ ms, \d+(\.\d)? (bytes|KiB)$/);
    const [answer, request] = await Promise.all(["#answer", "#request-heading"].map((id) => page.locator(id).boundingBox()));
    assert.ok(answer.y < request.y);
    await page.waitForFunction(() => {
      const { top } = document.getElementById("answer").getBoundingClientRect();
      return top >= -1 && top < innerHeight * 0.6;
    });
    await isSound(page);
    await isAccessible(page);
  }
});

test("a result is a table of names and values, lists are tables of items", async () => {
  const page = await at(`${weather}?op=Report`);
  await invoke(page);
  const rows = page.locator("#result > table > tbody > tr");
  assert.deepEqual(await rows.locator("> th").allTextContents(), ["Station", "Taken", "Temperature", "Wind", "Remarks"]);
  await answers(page, 200, "text/xml", envelope('<R xmlns="urn:x"><ReportResult><Station><Key>OSL</Key><Name a="1"/></Station><Gone xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/></ReportResult></R>'));
  await invoke(page);
  assert.match(await page.locator("#result").textContent(), /KeyOSL/);
  assert.deepEqual(await page.locator("#result .badge").allTextContents(), ["nil"]);
  await isSound(page);
  const list = await at(`${shop}?op=Search`);
  await answers(list, 200, "text/xml", envelope('<R xmlns="urn:x"><SearchResult><Article><Key>a</Key><Price>1.50</Price></Article><Article><Key>b</Key><Price>2</Price></Article></SearchResult></R>'));
  await invoke(list);
  assert.deepEqual(await list.locator("#result thead th").allTextContents(), ["Key", "Price"]);
  assert.deepEqual(await list.locator("#result tbody td").allTextContents(), ["a", "1.50", "b", "2"]);
  await isSound(list);
  await isAccessible(list);
});

test("results over JSON keep numbers as they were written", async () => {
  const page = await at(`${shop}?op=Price`);
  await page.getByLabel("JSON", { exact: true }).check();
  await answers(page, 200, "application/json", '{"d":{"Total":1.50,"Big":12345678901234567890,"None":null,"Items":[{"a":1},{"a":2}]}}');
  await invoke(page);
  assert.match(await page.locator("#result").textContent(), /Total1\.50Big12345678901234567890Nonenil/);
  assert.deepEqual(await page.locator("#result .grid td").allTextContents(), ["1", "2"]);
});

test("a fault is shown by code, text and the fields of its detail, with a link to what is said of it", async () => {
  const page = await at(`${shop}?op=PlaceOrder`);
  const faults = {
    "SOAP 1.1": ["text/xml", envelope('<soap:Fault><faultcode>soap:Server</faultcode><faultstring>Two are left.</faultstring><faultactor>urn:a</faultactor><detail><SoldOut xmlns="urn:example:shop"><Article>lamp</Article><Left>2</Left></SoldOut></detail></soap:Fault>')],
    "SOAP 1.2": ["application/soap+xml", '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="en">Two are left.</s:Text></s:Reason><s:Detail><SoldOut xmlns="urn:example:shop"><Article>lamp</Article><Left>2</Left></SoldOut></s:Detail></s:Fault></s:Body></s:Envelope>'],
  };
  for (const [binding, [contentType, body]] of Object.entries(faults)) {
    await page.unrouteAll();
    await answers(page, 500, contentType, body);
    await page.getByLabel(binding, { exact: true }).check();
    await invoke(page);
    const fault = page.locator(".fault");
    assert.match(await fault.locator(".badge").first().textContent(), /^(soap:Server|s:Receiver)$/);
    assert.equal(await fault.locator(".text").textContent(), "Two are left.");
    assert.match(await fault.textContent(), /ArticlelampLeft2/);
    assert.equal(await fault.getByRole("link", { name: "SoldOut" }).getAttribute("href"), "#fault-SoldOut");
  }
  page.complaints = page.complaints.filter((complaint) => !complaint.includes("500"));
  await isSound(page);
  await isAccessible(page);
});

test("faults over JSON and over forms are shown as what they are", async () => {
  const page = await at(`${shop}?op=Price`);
  await page.getByLabel("JSON", { exact: true }).check();
  await answers(page, 500, "application/json", '{"Message":"No <b>.","StackTrace":"","ExceptionType":"System.Exception"}', { jsonerror: "true" });
  await invoke(page);
  assert.deepEqual(await page.locator(".fault").locator(".badge, .text").allTextContents(), ["System.Exception", "No <b>."]);
  await page.unrouteAll();
  await answers(page, 500, "text/plain", "Missing parameter: article.");
  await page.getByLabel("HTTP POST", { exact: true }).check();
  await invoke(page);
  assert.deepEqual(await page.locator(".fault").locator(".badge, .text").allTextContents(), ["500 Internal Server Error", "Missing parameter: article."]);
});

test("messages are in colours, from the server and in the exchange", async () => {
  const page = await at(`${weather}?op=Report`);
  const colours = (selector) => page.locator(selector).evaluate((pre) => [...new Set([...pre.children].map((part) => getComputedStyle(part).color))].length);
  assert.ok((await colours("#samples ~ details pre >> nth=0")) >= 3);
  await invoke(page);
  for (const id of ["#sent", "#received"]) {
    assert.ok((await colours(id)) >= 3);
    assert.equal(await page.locator(`${id} b`).first().textContent(), "<?xml");
  }
  const plain = await open({ javaScriptEnabled: false });
  await plain.goto(`${weather}?op=Report`);
  assert.ok((await plain.locator("pre b").count()) > 5);
});

test("no line is cut unless somebody wants them whole", async () => {
  const page = await at(`${weather}?op=Report`);
  const isCut = () => page.locator("#sent").evaluate((pre) => pre.scrollWidth > pre.clientWidth);
  assert.equal(await isCut(), false);
  await page.getByLabel("Wrap").uncheck();
  assert.equal(await isCut(), true);
  await page.getByLabel("Wrap").check();
  assert.equal(await isCut(), false);
});

test("a value is hidden where it is a secret, not where another one has its name", async () => {
  const page = await at(`${shop}?op=PlaceOrder`);
  await page.locator('[data-name="Card"]').getByLabel("Send it").check();
  await input(page, "Number").fill("hidden-1");
  assert.match(await sent(page), /<Number>\[secret\]<\/Number>/);
  const order = (inside) => envelope(`<PlaceOrderResponse xmlns="urn:example:shop">${inside}</PlaceOrderResponse>`);
  const received = page.locator("#received");
  const answered = async (body) => {
    await page.unrouteAll();
    await answers(page, 200, "text/xml", body);
    await invoke(page);
    return received.textContent();
  };
  assert.match(await answered(order("<PlaceOrderResult><Number>4711</Number><Total>1.50</Total></PlaceOrderResult>")), /<Number>4711</);
  assert.match(await page.locator("#result").textContent(), /Number4711/);
  // What is not described, or is no XML, hides it.
  for (const body of [
    order("<PlaceOrderResult><Other><Number>hidden-2</Number></Other></PlaceOrderResult>"),
    order('<p:Card xmlns:p="urn:p"><p:Number a=">">hidden-2<b>hidden-3</b></p:Number></p:Card>'),
    order('<PlaceOrderResult><Customer><Card Number="hidden-2"/></Customer></PlaceOrderResult>'),
    order('<PlaceOrderResult xmlns:p="urn:p" p:Session=\'hidden-2\'/>'),
    "<PlaceOrderResult><Card><Number>hidden-2</b>hidden-3</Card>",
    "<!-- <PlaceOrderResult> --><Number>hidden-2</Number>",
    "<PlaceOrderResult><Line/></Receipt><Card><Number><![CDATA[hidden-2</Number>]]>hidden-3</Number></Card>",
    '{"d":{"Card":{"Number":"hidden-2"},"List":[{"Number":["hidden-3"]}],"Number":4711}}',
  ]) {
    const text = await answered(body);
    assert.doesNotMatch(text, /hidden/, body);
    assert.match(text, /\[secret\]/, body);
    if (body.startsWith("{")) assert.match(text, /"Number": 4711/);
  }
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...sessionStorage })), /hidden/);
  assert.doesNotMatch(await page.locator("main").innerText(), /hidden-/);
  // Chromium's own page about XML that is not well-formed has inline styles.
  page.complaints = page.complaints.filter((complaint) => !complaint.includes("inline style"));
  await isSound(page);
});

// ---- Take it with you.

test("buttons copy addresses and messages", async () => {
  const page = await at(shop);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.locator("dd [data-copy]").first().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await clipboard(), shop);
  await page.goto(`${shop}?op=Search`);
  await page.locator("#sent + [data-copy]").click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await clipboard(), await sent(page));
});

test("the call is code in each language, for the binding and the values", async () => {
  const page = await at(`${weather}?op=Report`);
  await input(page, "station").fill("O'L");
  await input(page, "unit").selectOption("Kelvin");
  const code = async (language) => {
    await page.locator("#as").selectOption(language);
    return sent(page);
  };
  assert.deepEqual(await page.locator("#as option").allTextContents(), ["HTTP", "curl", "JavaScript"]);
  assert.match(await code("curl"), new RegExp(`^curl '${weather}' \\\\\\n {2}-H 'Content-Type: text/xml; charset=utf-8' \\\\\\n {2}-H 'SOAPAction: "urn:example:weather/Report"' \\\\\\n {2}--data-binary '<\\?xml [^]*<station>O'\\\\''L</station>[^]*'$`));
  assert.match(await code("JavaScript"), /^const answer = await fetch\("[^"]*", \{\n {2}method: "POST",\n[^]*<station>O'L<\/station>/);
  await page.getByLabel("SOAP 1.2", { exact: true }).check();
  assert.match(await code("curl"), /application\/soap\+xml/);
  await page.getByLabel("HTTP GET", { exact: true }).check();
  assert.equal(await code("curl"), `curl '${weather}/Report?station=O'\\''L&unit=Kelvin'`);
  assert.equal(await code("JavaScript"), `const answer = await fetch("${weather}/Report?station=O'L&unit=Kelvin", {\n  method: "GET",\n});\nconsole.log(await answer.text());`);
  await page.reload();
  assert.equal(await page.locator("#as").inputValue(), "JavaScript");
  await isSound(page);
});

test("code of nested values is code, and secrets in it are placeholders", async () => {
  const page = await at(`${shop}?op=Pay`);
  await input(page, "Session").fill("hidden-session");
  await input(page, "number").fill("7");
  await page.locator('[data-name="means"] [data-pick]').selectOption("card");
  await input(page, "Number").fill("hidden-card");
  await input(page, "Until").fill("2027-01");
  for (const language of await page.locator("#as option").allTextContents()) {
    await page.locator("#as").selectOption(language);
    const text = await sent(page);
    assert.doesNotMatch(text, /hidden/, language);
    assert.match(text, /\[secret\]/, language);
  }
});

// ---- Fill less.

test("values that are wrong are said to be, and are sent nevertheless", async () => {
  const page = await at(`${shop}?op=Rate`);
  const complaint = page.locator('[data-name="stars"] .complaint');
  assert.match(await page.locator('[data-name="stars"] .hint').textContent(), /^1 to 5\.$/);
  await input(page, "stars").fill("6");
  assert.equal(await complaint.textContent(), "The most is 5.");
  assert.equal(await input(page, "stars").getAttribute("aria-invalid"), "true");
  await input(page, "stars").fill("x");
  assert.equal(await complaint.textContent(), "This is no whole number.");
  await input(page, "stars").fill("3");
  assert.equal(await complaint.textContent(), "");
  assert.equal(await input(page, "stars").getAttribute("inputmode"), "numeric");
  await page.goto(`${weather}?op=Report`);
  await input(page, "station").fill("osl");
  assert.equal(await page.locator('[data-name="station"] .complaint').textContent(), "This is not like [A-Z]{3}");
  await isAccessible(page);
});

test("digits, lengths, bounds and counts are checked as servers do", async () => {
  const page = await at(`${depot}?op=Store`);
  const complaint = (name) => page.locator(`[data-name="${name}"] > .complaint`).first().textContent();
  const says = async (name, text, wanted) => {
    await input(page, name).fill(text);
    assert.equal(await complaint(name), wanted, `${name}: ${text}`);
  };
  assert.match(await page.locator('[data-name="Weight"] .hint').textContent(), /^At most 5 digits, at most 2 digits after the point\.$/);
  await says("Weight", "1.234", "At most 2 digits after the point, not 3.");
  await says("Weight", "0012.3400", "");
  await says("Weight", "123456", "At most 5 digits, not 6.");
  await says("Weight", "-12345", "");
  await says("Weight", "1e3", "This is no number.");
  assert.match(await page.locator('[data-name="Content"] .hint').textContent(), /^At most 4 bytes\.$/);
  await says("Content", "AAECAwQ=", "At most 4 bytes, not 5.");
  await says("Content", "AAECAw==", "");
  await says("Content", "AAE", "This is no base64.");
  await says("number", "9223372036854775808", "The most is 9223372036854775807.");
  await says("number", " 9223372036854775807 ", "");
  const marks = page.locator('[data-name="Marks"]');
  assert.equal(await marks.locator("> .hint").textContent(), "At most 2 items.");
  for (let items = 0; items < 3; items += 1) await marks.locator("[data-add]").click();
  assert.equal(await complaint("Marks"), "At most 2 items, not 3.");
  assert.match(await marks.getAttribute("aria-describedby"), /^complaint-/);
  await isAccessible(page);
  await marks.getByRole("button", { name: "Remove this item" }).first().click();
  assert.equal(await complaint("Marks"), "");
  // What is wrong is sent nevertheless.
  await input(page, "Weight").fill("1.234");
  assert.match(await sent(page), /<Weight>1\.234<\/Weight>/);
  await isSound(page);
});

test("dates are picked or typed", async () => {
  const page = await at(`${shop}?op=Price`);
  const day = page.locator('[data-name="day"]');
  await input(page, "day").fill("2024");
  assert.equal(await day.locator(".complaint").textContent(), "A date is like 2024-02-29.");
  await day.locator(".picker").evaluate((picker) => {
    picker.value = "2024-02-29";
    picker.dispatchEvent(new Event("change", { bubbles: true }));
  });
  assert.equal(await input(page, "day").inputValue(), "2024-02-29");
  assert.match(await sent(page), /<day>2024-02-29<\/day>/);
  await page.goto(`${shop}?op=Note`);
  await page.locator('[data-name="at"] .picker').evaluate((picker) => {
    picker.value = "2024-02-29T12:30";
    picker.dispatchEvent(new Event("change", { bubbles: true }));
  });
  assert.equal(await input(page, "at").inputValue(), "2024-02-29T12:30:00");
});

test("values of enumerations say what they mean", async () => {
  const page = await at(`${weather}?op=Report`);
  const meaning = page.locator('[data-name="unit"] .meaning');
  assert.equal(await meaning.textContent(), "Water freezes at 0.");
  await input(page, "unit").selectOption("Fahrenheit");
  assert.equal(await meaning.textContent(), "Water freezes at 32.");
});

test("bytes come from a file", async () => {
  const page = await at(`${shop}?op=Note`);
  await page.locator('[data-name="attachment"] input[type=file]').setInputFiles({ name: "a.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 1, 255]) });
  await page.waitForFunction(() => document.getElementById("sent").textContent.includes("<attachment>AAH/</attachment>"));
});

test("left out, nil and empty are three things", async () => {
  const page = await at(`${shop}?op=Note`);
  assert.doesNotMatch(await sent(page), /<subject/);
  await state(page, "subject").selectOption("nil");
  assert.match(await sent(page), /<subject xsi:nil="true" \/>/);
  await state(page, "subject").selectOption("sent");
  assert.match(await sent(page), /<subject \/>/);
  await input(page, "subject").fill("x");
  assert.match(await sent(page), /<subject>x<\/subject>/);
  await state(page, "subject").selectOption("left out");
  assert.doesNotMatch(await sent(page), /<subject/);
  await input(page, "text").fill("y");
  assert.equal(await state(page, "text").inputValue(), "sent");
  await input(page, "text").fill("");
  assert.equal(await state(page, "text").inputValue(), "omit");
});

test("lists and objects are added and removed", async () => {
  const page = await at(`${shop}?op=PlaceOrder`);
  const lines = page.locator('[data-name="Lines"]');
  await lines.getByRole("button", { name: "Add an item" }).click();
  await input(page, "Pieces").fill("2");
  await lines.getByRole("button", { name: "Add an item" }).click();
  assert.equal((await sent(page)).match(/<Line>/g).length, 2);
  await lines.getByRole("button", { name: "Remove this item" }).first().click();
  assert.doesNotMatch(await sent(page), /<Pieces>2/);
  const address = page.locator('[data-name="Address"]');
  assert.equal(await address.locator("[data-name=Street]").count(), 0);
  await address.getByLabel("Send it").check();
  await address.locator("[data-name=Street] [data-value]").fill("Road 1");
  assert.match(await sent(page), /<Street>Road 1<\/Street>/);
  await address.getByLabel("Send it").uncheck();
  assert.doesNotMatch(await sent(page), /<Street>/);
});

test("the tab keeps values and headers, and no secrets", async () => {
  const page = await at(`${shop}?op=PlaceOrder`);
  await input(page, "Session").fill("hidden-session");
  await input(page, "Trace").fill("t-1");
  await page.locator('[data-name="Lines"]').getByRole("button", { name: "Add an item" }).click();
  await input(page, "Pieces").fill("2");
  await page.locator('[data-name="Card"]').getByLabel("Send it").check();
  await input(page, "Number").fill("hidden-card");
  await page.getByLabel("SOAP 1.2", { exact: true }).check();
  await page.getByText("HTTP headers", { exact: true }).click();
  for (const [name, value] of [["Authorization", "Bearer hidden-token"], ["X-Tenant", "blue"]]) {
    await page.getByRole("button", { name: "Add a header" }).click();
    await page.getByLabel("Name of an HTTP header").last().fill(name);
    await page.getByLabel("Value of an HTTP header").last().fill(value);
  }
  assert.equal(await page.getByLabel("Value of an HTTP header").first().getAttribute("type"), "password");
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await invoke(page);
  assert.equal((await asked).headers().authorization, "Bearer hidden-token");
  assert.equal((await asked).headers()["x-tenant"], "blue");
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  assert.match(kept, /t-1/);
  assert.doesNotMatch(kept, /hidden/);
  assert.doesNotMatch(await sent(page), /hidden/);
  await page.reload();
  assert.equal(await input(page, "Trace").inputValue(), "t-1");
  assert.equal(await input(page, "Pieces").inputValue(), "2");
  assert.equal(await input(page, "Session").inputValue(), "");
  assert.equal(await input(page, "Number").inputValue(), "");
  assert.equal(await page.getByLabel("SOAP 1.2", { exact: true }).isChecked(), true);
  assert.deepEqual(await page.locator(".header input").evaluateAll((all) => all.map(({ value }) => value)), ["Authorization", "", "X-Tenant", "blue"]);
  const other = await at(`${shop}?op=PlaceOrder`);
  assert.equal(await input(other, "Trace").inputValue(), "");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.waitForFunction(() => !document.querySelector('[data-name="Trace"] [data-value]').value);
});

test("the tab keeps no token of an answer, and no fault that quotes a secret", async () => {
  for (const [said, isKept] of [['No hidden-"session"&amp;co.', false], ["No session.", true]]) {
    const page = await at(`${shop}?op=PlaceOrder`);
    await input(page, "Session").fill('hidden-"session"&co');
    const fault = `<soap:Fault><faultcode>soap:Client</faultcode><faultstring>${said}</faultstring></soap:Fault>`;
    await answers(page, 500, "text/xml", envelope(fault), { "x-auth-token": "hidden-token" });
    await invoke(page);
    assert.match(await page.locator("#received").textContent(), /hidden-token/);
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
    assert.doesNotMatch(kept, /hidden/);
    assert.match(kept, /x-auth-token/);
    assert.match(kept, /text\/xml/);
    assert.equal(/No session/.test(kept), isKept);
  }
});

test("the tab keeps no planted secret", async () => {
  // "help page: storage" of planted/sinks.json.
  const { secret, forms, quotations } = JSON.parse(readFileSync(planted("exchanges.json"), "utf8"));
  for (const [operation, name] of [["Open", "pin"], ["Peek", "pin"]]) {
    for (const quotation of quotations) {
      const page = await at(`${vault}?op=${operation}`);
      await input(page, name).fill(secret);
      const fault = `<soap:Fault><faultcode>soap:Server</faultcode><faultstring>not ${quotation}</faultstring></soap:Fault>`;
      await answers(page, 500, "text/xml", envelope(fault), { "x-token": secret });
      await invoke(page);
      const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
      assert.match(kept, new RegExp(operation));
      for (const form of forms) {
        assert.ok(!kept.includes(form), `${operation}: ${form} in ${kept}`);
      }
    }
  }
});

test("SOAP headers say what is required, and are there over SOAP alone", async () => {
  const page = await at(`${shop}?op=PlaceOrder`);
  assert.deepEqual(await page.locator("#headers .badge").allTextContents(), ["required"]);
  assert.match(await page.locator('#headers [data-name="Session"] .hint').textContent(), /What Login answered\./);
  assert.match(await sent(page), /<soap:Header>/);
});

test("a whole message is sent as it is, typed or from a file", async () => {
  const page = await at(`${weather}?op=Report`);
  await page.getByText("Whole message", { exact: true }).click();
  await input(page, "station").fill("OSL");
  await page.getByRole("button", { name: "Take the values above" }).click();
  const text = page.getByLabel("The whole message");
  assert.match(await text.inputValue(), /<station>OSL<\/station>/);
  await text.fill("<no message");
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await invoke(page);
  assert.equal((await asked).postData(), "<no message");
  assert.match(await page.locator(".fault").textContent(), /soap:Client/);
  await page.getByLabel("From a file").setInputFiles({ name: "a.xml", mimeType: "text/xml", buffer: Buffer.from("<from-a-file/>") });
  await page.waitForFunction(() => document.getElementById("sent").textContent.includes("<from-a-file"));
  await page.getByLabel("Send this message").uncheck();
  assert.match(await sent(page), /<station>OSL<\/station>/);
});

test("the last ten exchanges of the tab are shown and repeated", async () => {
  const page = await at(`${weather}?op=Forecast`);
  for (let days = 1; days <= 11; days += 1) {
    await input(page, "days").fill(String(days));
    await invoke(page);
  }
  await page.getByText("Last exchanges", { exact: true }).click();
  const entries = page.locator("#history li");
  assert.equal(await entries.count(), 10);
  assert.match(await entries.first().textContent(), /^200 Forecast, SOAP 1\.1, \d+ ms, /);
  await entries.nth(9).getByRole("button", { name: /^Repeat/ }).click();
  await page.getByText(/ after \d+ ms/).waitFor();
  assert.match(await sent(page), /<days>2<\/days>/);
  await page.goto(`${weather}?op=Stations`);
  await page.getByText("Last exchanges", { exact: true }).click();
  await page.locator("#history li").nth(1).getByRole("button", { name: "Show" }).click();
  assert.match(await page.locator("#received").textContent(), /<ForecastResult>/);
  await page.locator("#history li").nth(1).getByRole("button", { name: /^Repeat/ }).click();
  await page.waitForURL(/op=Forecast/);
  assert.equal(await input(page, "days").inputValue(), "11");
  await isSound(page);
  await isAccessible(page);
});

// ---- Read less.

test("types are folded under the operation, and a link unfolds one", async () => {
  const page = await at(`${weather}?op=Report`);
  const place = page.locator("#type-Station");
  assert.equal(await place.isVisible(), false);
  assert.deepEqual(await page.locator(".of-type summary h3").allTextContents(), ["Unit", "Report", "Station", "Place", "Wind", "Direction", "Gust"]);
  await page.goto(`${weather}?op=Report#type-Station`);
  assert.equal(await place.isVisible(), true);
  await place.getByRole("link", { name: "Place" }).click();
  assert.equal(await page.locator("#type-Place").isVisible(), true);
});

test("a column of meanings is there where there is one", async () => {
  const page = await at(`${weather}?op=Report`);
  const headings = (id) => page.locator(`#${id} thead th`).allTextContents();
  assert.deepEqual(await headings("type-Report"), ["Name", "Type", "Meaning"]);
  assert.deepEqual(await headings("type-Station"), ["Name", "Type"]);
});

test("headers, faults, limits and what bindings do not carry are told", async () => {
  const page = await at(`${shop}?op=PlaceOrder`);
  const reference = page.locator(".reference");
  assert.match(await reference.textContent(), /SOAP headers of requests[^]*Sessionstring required secret[^]*Trace[^]*Is written to the log[^]*SOAP headers of answers/);
  assert.match(await page.locator("#fault-SoldOut + dd").textContent(), /An article is not there in that number\.[^]*Article[^]*Left/);
  assert.match(await page.locator(".limits").textContent(), /HTTP GET[^]*off: parameters are objects[^]*JSONoff: the definition leaves it out/);
  await page.goto(`${shop}?op=Price`);
  assert.match(await page.locator(".limits").textContent(), /HTTP GET[^]*no difference between nil and left out; faults are a line of text/);
});

test("faults lead to operations, and operations to faults", async () => {
  const page = await at(shop);
  const fault = page.locator("#fault-NotAllowed + dd");
  assert.deepEqual(await fault.getByRole("link").allTextContents(), ["PlaceOrder", "Pay"]);
  await fault.getByRole("link", { name: "Pay" }).click();
  await page.waitForURL(/op=Pay#fault-NotAllowed$/);
  assert.equal(await page.locator(".facts").first().getByRole("link", { name: "NotAllowed" }).getAttribute("href"), "#fault-NotAllowed");
});

// ---- Operations people.

test("documents, bindings and those that are off are on the overview", async () => {
  const page = await at(weather);
  const links = page.getByRole("navigation", { name: "Documents" }).getByRole("link");
  const texts = await links.allTextContents();
  assert.deepEqual(texts.slice(0, 3), ["WSDL", "WSDL of ASMX", "Discovery"]);
  for (const link of await links.all()) {
    const answer = await page.request.get(new URL(await link.getAttribute("href"), page.url()).href);
    assert.equal(answer.status(), 200);
  }
  assert.match(await page.locator(".facts").textContent(), /OffJSON: no operation has it/);
});

test("version, health and limits are told, and what the health answers", async () => {
  const page = await at(staff);
  assert.match(await page.locator(".facts").textContent(), /Version2\.1\.0[^]*Health\/readyz[^]*Limitsbody 4 MiB, levels of elements 64/);
  const state = page.locator("#health + [role=status]");
  await state.getByText(/^answers 200 in \d+ ms$/).waitFor();
  assert.deepEqual(page.requested, [page.url(), new URL("/readyz", page.url()).href]);
  await isSound(page);
  await isAccessible(page);
  const answered = { "503: not ready: database": (route) => route.fulfill({ status: 503, body: "not ready: database\nmore" }), "no answer": (route) => route.abort() };
  for (const [text, answer] of Object.entries(answered)) {
    await page.unrouteAll();
    await page.route("**/readyz", answer);
    await page.reload();
    await state.getByText(text, { exact: true }).waitFor();
    await isAccessible(page);
  }
  await page.unrouteAll();
  await page.getByRole("link", { name: "/readyz" }).click();
  await page.waitForURL(/\/readyz$/);
  const plain = await open({ javaScriptEnabled: false });
  await plain.goto(staff);
  assert.equal(await plain.locator("#health + [role=status]").textContent(), "");
});

test("a page without a form asks for the health as well, and for nothing else", async () => {
  // Who comes through a proxy gets no form.
  const page = await open({ extraHTTPHeaders: { "X-Forwarded-For": "192.0.2.1" } });
  const answer = await page.goto(staff);
  assert.match(answer.headers()["content-security-policy"], /; connect-src 'self';/);
  await page.locator("#health + [role=status]").getByText(/^answers 200 in \d+ ms$/).waitFor();
  await isSound(page);
});

test("colours and a logo are those of the server, within the policy of the page", async () => {
  for (const [colorScheme, colour] of [["light", "rgb(138, 21, 56)"], ["dark", "rgb(255, 157, 181)"]]) {
    const page = await at(staff, { colorScheme });
    assert.equal(await page.locator(".list a").first().evaluate((link) => getComputedStyle(link).color), colour);
    assert.equal(await page.locator(".brand img").evaluate((image) => image.naturalWidth), 28);
    await isSound(page);
    await isAccessible(page);
  }
});

test("OpenAPI has summaries and examples, and tells what is over SOAP alone", async () => {
  const page = await at(shop);
  const document = await (await page.request.get(`${shop}?openapi`)).json();
  const { summary, parameters } = document.paths["/Shop.asmx/Search"].get;
  assert.equal(summary, "Finds articles");
  assert.deepEqual(parameters.map(({ example }) => example), ["text", 1]);
  assert.deepEqual(document["x-soap-only"], ["PlaceOrder", "Pay", "Note", "Cancel"]);
  assert.match(document.info.description, /over SOAP alone/);
});

test("the reference in a file has the same design, and finds operations", async () => {
  const file = join(folder, "shop.html");
  const definition = new URL("definitions/shop.yaml", import.meta.url).pathname;
  const { code, output } = await run("svcgen", "docs", definition, "--format", "html", "--out", file);
  assert.equal(code, 0, output);
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await at(`file://${file}`, { viewport });
    if (viewport === DESKTOP) {
      await page.keyboard.press("/");
      await page.keyboard.type("place");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => location.hash === "#operation-PlaceOrder");
      const [text, samples] = await Promise.all([".reference", ".side"].map((part) => page.locator(part).first().boundingBox()));
      assert.ok(samples.x > text.x + text.width);
    }
    await page.getByRole("link", { name: "SoldOut" }).first().click();
    assert.match(page.url(), /#fault-SoldOut$/);
    await isSound(page);
    await isAccessible(page);
    await shot(page, `reference-${viewport.width}`);
  }
});

// ---- Size and looks.

test("pages of a hundred operations are at most 150 KB", async () => {
  const page = await open({ viewport: DESKTOP });
  for (const query of ["", "?op=CreateOrder", "?op=Nope"]) {
    const size = (await (await page.goto(`${company}${query}`)).body()).length;
    assert.ok(size <= 150_000, `${query}: ${size}`);
  }
});

test("a page waits for nothing", async () => {
  const page = await at(`${company}?op=CreateOrder`);
  assert.equal(await page.locator("link[rel=stylesheet], script[src], img").count(), 0);
  assert.deepEqual([...new Set(page.requested)], [page.url()]);
});

for (const colorScheme of ["light", "dark"]) {
  for (const [width, viewport] of Object.entries({ desktop: DESKTOP, narrow: WIDE, phone: PHONE })) {
    test(`looks right in ${colorScheme}, ${width}`, async () => {
      for (const [name, url] of Object.entries({ weather: `${weather}?op=Report`, shop: `${shop}?op=PlaceOrder`, company: `${company}?op=FindOrder` })) {
        const page = await open({ colorScheme, viewport });
        const [overview] = url.split("?");
        await page.goto(overview);
        await isSound(page);
        await isAccessible(page);
        await shot(page, `${name}-overview-${colorScheme}-${width}`);
        await page.goto(url);
        await invoke(page);
        page.complaints = page.complaints.filter((complaint) => !complaint.includes("500"));
        for (const fold of await page.locator(".of-type summary").all()) await fold.click();
        await isSound(page);
        await isAccessible(page);
        await shot(page, `${name}-operation-${colorScheme}-${width}`);
      }
    });
  }
}
