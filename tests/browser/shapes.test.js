// The form builds every shape of the definition language, and documentation stays text.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { PHONE, close, isAccessible, isSound, open, shot } from "./browser.js";
import { shapes, stop } from "./programs.js";

let service;

before(async () => {
  service = await shapes();
});

after(async () => {
  await close();
  stop();
});

const field = (page, name) => page.locator(`[data-name="${name}"]`);

async function invoke(page, binding) {
  await page.getByLabel(binding, { exact: true }).check();
  await page.getByRole("button", { name: "Invoke" }).click();
  await page.getByText(/ after \d+ ms/).waitFor();
  return page.locator("#received").textContent();
}

test("documentation never runs", async () => {
  const page = await open();
  const operations = ["", "?op=Echo", "?op=EchoAnimal", "?op=Flat", "?op=Hidden", "?op=Notify", "?op=Fail", "?op=Ping", "?op=<script>window.broken=1</script>"];
  for (const query of operations) {
    await page.goto(`${service}${query}`);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("img, svg, a[href^=javascript]").count(), 0);
    assert.equal(await page.locator("script").count(), 1 + (await page.locator("form").count()));
    page.complaints = page.complaints.filter((complaint) => !complaint.includes("404"));
    await isSound(page);
    await isAccessible(page);
  }
  await page.goto(service);
  assert.match(await page.locator(".lead").first().textContent(), /^<script>window.broken = "script"<\/script>/);
  assert.equal(await page.locator(".lead code").textContent(), "<b>code</b>");
});

test("what is in namespaces of its own comes back over SOAP, from a server that reads strictly", async () => {
  for (const binding of ["SOAP 1.1", "SOAP 1.2"]) {
    // Another tab: one keeps the values of its forms.
    const page = await open();
    await page.goto(`${service.replace("HelpPage", "Namespaces")}?op=Echo`);
    const fill = async (name, text) => field(page, name).getByRole("textbox").fill(text);
    await field(page, "Lines").getByRole("button", { name: "Add an item" }).click();
    await field(page, "Pet").getByRole("combobox").selectOption("{urn:example:common}Dog");
    const values = { lang: "pt", tag: "t", plain: "p", Name: "Ada", Zip: "z", Text: "l", Age: "7", Owner: "Bob", region: "r" };
    for (const [name, text] of Object.entries(values)) await fill(name, text);
    const received = await invoke(page, binding);
    for (const part of [
      /<order (?=.* xml:lang="pt")(?=.* plain="p")(?=.*:tag="t")/, /:?Name>Ada<|<Name>Ada</, /<Zip xmlns="">z</, /Text[^>]*>l</, /Age>7</, /Owner[^>]*>Bob</, /region[^>]*>r</,
    ]) assert.match(received, part);
    await isSound(page);
  }
});

test("what is encoded comes back over SOAP, with its headers, from a server that reads strictly", async () => {
  for (const binding of ["SOAP 1.1", "SOAP 1.2"]) {
    // Another tab: one keeps the values of its forms.
    const page = await open();
    await page.goto(`${service.replace("HelpPage", "Encoded")}?op=Echo`);
    const tree = field(page, "tree").first();
    for (const object of [field(page, "Ticket"), field(page, "Where"), tree, tree.locator('[data-name="Left"]').first()]) {
      const include = object.locator("[data-include]").first();
      if (await include.count()) await include.check();
      else await object.getByRole("combobox").first().selectOption("Place");
    }
    const fill = async (place, name, text) => place.locator(`[data-name="${name}"]`).getByRole("textbox").first().fill(text);
    for (const [name, text] of Object.entries({ level: "3", Key: "k", X: "1", Y: "2", at: "a<b" })) await fill(page, name, text);
    await fill(tree, "Name", "outer");
    await fill(tree.locator('[data-name="Left"]').first(), "Name", "inner");
    for (const [index, number] of ["3", "4"].entries()) {
      await field(page, "numbers").locator("[data-add]").click();
      await field(page, "numbers").getByRole("textbox").nth(index).fill(number);
    }
    const received = await invoke(page, binding);
    for (const part of [
      /<types:Ticket [^>]*soap:mustUnderstand="1"[^>]* types:level="3">/, /Key[^>]*>k</, /xsi:type="types:Place"/, />1</, />2</,
      /types:at="a&lt;b"/, />outer</, />inner</, /<sum xsi:type="xsd:int">7</,
    ]) assert.match(received, part);
    await isSound(page);
  }
});

test("every shape comes back over SOAP", async () => {
  const page = await open();
  await page.goto(`${service}?op=Echo`);
  const value = field(page, "value").first();
  const inside = (name) => value.locator(`[data-name="${name}"]`);
  await page.locator("#headers").getByLabel(/^Session/).fill("s-1");
  await field(page, "Caller").getByLabel("Send it").check();
  await field(page, "Caller").getByLabel(/^Name/).fill("Ada");
  await inside("id").getByRole("textbox").fill("7");
  await inside("kind").getByRole("combobox").selectOption("Green");
  await inside("Text").getByRole("textbox").fill(" a < b & \"c\" ");
  await inside("Count").getByRole("textbox").fill("-5");
  for (const index of [0, 1]) {
    await inside("Colours").getByRole("button", { name: "Add an item" }).click();
    if (index) await inside("Colours").getByRole("combobox").nth(1).selectOption("no");
  }
  const rows = inside("Rows").first();
  await rows.locator(":scope > [data-add]").click();
  await rows.locator(".item [data-add]").click();
  await rows.getByRole("textbox").fill("4");
  await value.locator('fieldset[data-name="Flat"] > [data-add]').click();
  await value.locator('fieldset[data-name="Flat"]').getByRole("textbox").fill("99");
  await inside("Label").getByLabel(/^lang/).fill("en");
  await inside("Label").getByLabel(/^text/).fill("label");
  const tree = inside("Tree").first();
  await tree.getByLabel("Send it").first().check();
  await tree.getByLabel(/^Name/).fill("root");
  await tree.locator('[data-name="Left"]').getByLabel("Send it").check();
  await tree.locator('[data-name="Left"]').getByLabel(/^Name/).fill("leaf");
  await inside("Contact").getByRole("combobox").selectOption("Phone");
  await inside("Contact").getByRole("textbox").fill("112");
  const extra = value.locator('fieldset[data-kind="list"][data-name="Extra"]');
  await extra.locator(":scope > [data-add]").click();
  await extra.getByRole("combobox").selectOption("Word");
  await extra.getByRole("textbox").fill("w");
  await inside("Xml").getByRole("textbox").fill("<x y='1'>z</x>");
  await inside("People").locator("[data-add]").click();
  await inside("People").getByLabel(/^Password/).fill("hidden-1");
  await field(page, "animal").getByRole("combobox").selectOption("Cat");
  await field(page, "animal").getByLabel(/^Lives/).fill("9");
  await field(page, "how").first().getByRole("combobox").selectOption("pin");
  await field(page, "how").first().getByLabel(/^pin/).fill("hidden-2");

  for (const binding of ["SOAP 1.1", "SOAP 1.2"]) {
    const answer = await invoke(page, binding);
    assert.match(answer, /^HTTP\/1.1 200 OK/, answer);
    const expected = [
      "<Session xmlns=\"urn:example:help-page?a='1'&amp;b=2\">[secret]</Session>",
      '<EchoResult id="7" kind="Green">',
      "<Text> a &lt; b &amp; \"c\" </Text>",
      '<Nil xsi:nil="true" />',
      "<Count>-5</Count>",
      '<Colour xsi:nil="true" />',
      "<Colour>no</Colour>",
      "<int>4</int>",
      "<Flat>99</Flat>",
      '<Label lang="en">label</Label>',
      "<Name>root</Name>",
      "<Name>leaf</Name>",
      '<Right xsi:nil="true" />',
      "<Phone>112</Phone>",
      "<Word>w</Word>",
      "<Password>[secret]</Password>",
    ];
    for (const part of expected) assert.ok(answer.includes(part), `${part} is not in ${answer}`);
    assert.doesNotMatch(answer, /<Note|<Email/);
    const sent = await page.locator("#sent").textContent();
    assert.match(sent, /<animal xmlns:q1="[^"]+" xsi:type="q1:Cat"|<animal .*xsi:type="q1:Cat"/);
    assert.match(sent, /<pin>\[secret\]<\/pin>/);
    assert.match(sent, /<Caller [^>]*soap:mustUnderstand="1"/);
    assert.doesNotMatch(sent + answer, /hidden-/);
  }
  await inside("Colours").getByRole("button", { name: "Remove this item of Colours" }).first().click();
  assert.doesNotMatch(await invoke(page, "SOAP 1.1"), /<Colour xsi:nil/);
  await isSound(page);
  await isAccessible(page);
  await shot(page, "every-shape");
});

test("rpc, and types that hold themselves", async () => {
  const page = await open();
  await page.goto(`${service}?op=EchoAnimal`);
  const animal = field(page, "animal").first();
  await animal.getByRole("combobox").selectOption("Dog");
  await animal.getByLabel(/^Name/).fill("Rex");
  await animal.locator('[data-name="Friend"]').getByRole("combobox").selectOption("Dog");
  await animal.locator('[data-name="Friend"]').getByLabel(/^Name/).fill("Max");
  const answer = await invoke(page, "SOAP 1.2");
  assert.match(answer, /xsi:type="(q1:)?Dog"[^]*Rex[^]*xsi:type="(q1:)?Dog"[^]*Max/);
});

test("forms carry lists, bytes and absent values", async () => {
  const page = await open();
  await page.goto(`${service}?op=Flat`);
  await page.getByLabel(/^text/).fill("é & +");
  for (const [index, number] of ["1", "2"].entries()) {
    await page.getByRole("button", { name: "Add an item" }).click();
    await field(page, "numbers").getByRole("textbox").nth(index).fill(number);
  }
  await page.getByLabel(/^colour/).selectOption("no");
  await page.getByLabel(/^yes/).selectOption("true");
  await page.getByLabel(/^bytes/).fill("AAH/");
  for (const binding of ["SOAP 1.1", "SOAP 1.2", "HTTP GET", "HTTP POST"]) {
    const answer = await invoke(page, binding);
    for (const text of ["é &amp; +", "[1, 2]", "No", "None", "true", "[0, 1, 255]"]) {
      assert.ok(answer.includes(`<string>${text}</string>`), `${text} over ${binding}: ${answer}`);
    }
  }
});

test("what is secret is hidden in answers too", async () => {
  const page = await open();
  await page.goto(`${service}?op=Hidden`);
  assert.equal(await page.getByLabel("HTTP GET", { exact: true }).count(), 0);
  await page.getByLabel(/^key/).fill("AQID");
  await page.getByLabel(/^word/).fill("hidden-word");
  for (const binding of ["SOAP 1.1", "SOAP 1.2", "HTTP POST"]) {
    assert.doesNotMatch(await invoke(page, binding), /hidden-word/);
    assert.doesNotMatch(await page.locator("#sent").textContent(), /hidden-word|AQID|key=1/);
    await page.getByLabel("Show secrets").check();
    assert.match(await page.locator("#received").textContent(), /\[1, 2, 3\] hidden-word/);
    await page.getByLabel("Show secrets").uncheck();
  }
});

test("faults, operations without an answer, and a server that is gone", async () => {
  const page = await open();
  await page.goto(`${service}?op=Fail`);
  assert.match(await invoke(page, "SOAP 1.1"), /^HTTP\/1.1 500 Internal Server Error[^]*no &lt;i&gt;way&lt;\/i&gt;[^]*<Name>Ada &lt;b&gt;<\/Name>/);
  await page.goto(`${service}?op=Notify`);
  assert.match(await invoke(page, "SOAP 1.2"), /^HTTP\/1.1 202 Accepted/);
  assert.match(await invoke(page, "HTTP GET"), /^HTTP\/1.1 200 OK/);
  await page.route("**/HelpPage.asmx", (route) => route.abort());
  await page.getByLabel("SOAP 1.1", { exact: true }).check();
  await page.getByRole("button", { name: "Invoke" }).click();
  await page.getByText(/^Not called: /).waitFor();
});

test("a form of every shape fits a phone", async () => {
  const page = await open({ viewport: PHONE, colorScheme: "dark" });
  await page.goto(`${service}?op=Echo`);
  await field(page, "Tree").first().getByLabel("Send it").first().check();
  await field(page, "Left").first().getByLabel("Send it").check();
  await page.locator('[data-name="Rows"] > [data-add]').first().click();
  await isSound(page);
  await isAccessible(page);
  await shot(page, "every-shape-dark-phone");
});
