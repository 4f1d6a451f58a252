// Operations over JSON as pages call them: the form of the help page, `$.ajax` of a page of 2010, and the script proxy.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { close, isAccessible, isSound, open, shot } from "./browser.js";
import { shapes, stop } from "./programs.js";

const require = createRequire(join(process.env.FOLDER, "package.json"));
const files = {
  "jquery.js": require.resolve("jquery/dist/jquery.js"),
  "ajax.js": new URL("ajax.js", import.meta.url),
};

let service;

before(async () => {
  service = (await shapes()).replace("HelpPage", "Staff");
});

after(async () => {
  await close();
  stop();
});

const field = (page, name) => page.locator(`[data-name="${name}"]`);
const sent = (page) => page.locator("#sent").textContent();

async function invoke(page) {
  await page.getByLabel("JSON", { exact: true }).check();
  await page.getByRole("button", { name: "Invoke" }).click();
  await page.getByText(/ after \d+ ms/).waitFor();
  return page.locator("#received").textContent();
}

/** The body of a message that is shown. */
const bodyOf = (message) => message.slice(message.indexOf("\n\n") + 2);

/** A page on the server of the service, with these scripts. */
async function withScripts(...scripts) {
  const page = await open();
  const { origin } = new URL(service);
  for (const [name, file] of Object.entries(files)) {
    await page.route(`${origin}/${name}`, (route) => route.fulfill({ contentType: "text/javascript", body: readFileSync(file, "utf8") }));
  }
  const tags = scripts.map((script) => `<script src="${script}"></script>`).join("\n");
  const html = `<!DOCTYPE html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,">${tags}</head><body></body></html>`;
  await page.route(`${origin}/page.html`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto(`${origin}/page.html`);
  return page;
}

test("the form calls an operation with every kind of value", async () => {
  const page = await open();
  await page.goto(`${service}?op=Save`);
  const person = field(page, "person");
  await person.getByRole("combobox", { name: "Which one" }).first().selectOption("Manager");
  const values = { id: "3", Name: 'Ada "<é>\\', Born: "2024-02-29T12:34:56.789Z", Photo: "AAH/", Salary: "1.50", Any: "4 5", Level: "7" };
  for (const [name, text] of Object.entries(values)) await person.locator(`[data-name="${name}"]`).getByRole("textbox").fill(text);
  await person.locator('[data-name="Likes"]').getByRole("combobox").selectOption("Green");
  await person.locator('[data-name="May"]').getByRole("listbox").selectOption(["Read", "Write"]);
  await person.locator('[data-name="Tags"]').getByRole("button", { name: "Add an item" }).click();
  await person.locator('[data-name="Tags"]').getByRole("textbox").fill("x");
  const received = await invoke(page);
  assert.match(await sent(page), /^POST \/Staff.asmx\/Save HTTP\/1.1\nHost: .*\nContent-Type: application\/json; charset=utf-8\nContent-Length: \d+\n\n\{\n {2}"person": \{\n {4}"__type": "boss",\n/);
  assert.match(received, /^HTTP\/1.1 200 OK\n/);
  assert.match(received, /\nContent-Type: application\/json; charset=utf-8\n/);
  assert.match(received, /"Salary": 1.50,/);
  assert.match(received, /"Born": "\\\/Date\(1709210096789\)\\\/"/);
  assert.deepEqual(JSON.parse(bodyOf(received)), {
    d: [{ __type: "boss", Id: 3, IdSpecified: true, Name: 'Ada "<é>\\', Born: "/Date(1709210096789)/", Likes: 5, May: 3, Photo: [0, 1, 255], Salary: 1.5, Tags: ["x"], Numbers: [4, 5], Level: 7 }],
  });
  await isSound(page);
  await isAccessible(page);
  await shot(page, "json");
});

test("an operation by GET is called with its parameters in the query", async () => {
  const page = await open();
  await page.goto(`${service}?op=Find`);
  await field(page, "name").getByRole("textbox").fill("Ada & é");
  assert.match(await invoke(page), /"Name": "Ada \\u0026 é"/);
  assert.match(await sent(page), /^GET \/Staff.asmx\/Find\?name=%22Ada%20%26%20%C3%A9%22&born=null HTTP\/1.1\nHost: .*\nContent-Type: application\/json; charset=utf-8\n/);
  await isSound(page);
});

test("a failure is shown as it came, and XML as XML", async () => {
  const page = await open();
  await page.goto(`${service}?op=Fail`);
  await field(page, "why").getByRole("textbox").fill("no way");
  const received = await invoke(page);
  assert.match(received, /^HTTP\/1.1 500 Internal Server Error\n/);
  assert.match(received, /\nJsonerror: true\n/);
  assert.match(JSON.parse(bodyOf(received)).Message, /no way/);
  await page.goto(`${service}?op=AsXml`);
  await field(page, "text").getByRole("textbox").fill("a<b");
  assert.match(await invoke(page), /\nContent-Type: text\/xml; charset=utf-8\n.*\n\n<\?xml [^>]*>\n<Note [^>]*>\n {2}<Text>a&lt;b<\/Text>\n<\/Note>$/s);
});

test("secrets are hidden in JSON", async () => {
  const page = await open();
  await page.goto(`${service}?op=Unlock`);
  await page.getByLabel("key").fill("opensesame");
  assert.match(await invoke(page), /"d": "\[secret\]"/);
  assert.match(await sent(page), /"key": "\[secret\]"/);
  await page.getByLabel("Show secrets").check();
  assert.match(await sent(page), /"key": "opensesame"/);
  assert.match(await page.locator("#received").textContent(), /"d": "opensesame"/);
  assert.ok(!page.requested.some((url) => url.includes("opensesame")));
});

test("a page with jQuery calls operations and sees failures", async () => {
  const page = await withScripts("/jquery.js");
  const ajax = (operation, data) =>
    page.evaluate(
      ([url, data]) =>
        new Promise((resolve) => {
          $.ajax({
            type: "POST",
            url,
            data: JSON.stringify(data),
            contentType: "application/json; charset=utf-8",
            dataType: "json",
            success: (message) => resolve({ d: message.d }),
            error: (request, status) => resolve({ status: request.status, mark: request.getResponseHeader("jsonerror"), failure: $.parseJSON(request.responseText), is: status }),
          });
        }),
      [`${service}/${operation}`, data],
    );
  assert.equal(await page.evaluate(() => $.fn.jquery), "1.12.4");
  assert.deepEqual(await ajax("Echo", { text: "<é> 日" }), { d: "<é> 日" });
  assert.deepEqual(await ajax("echo", { text: null }), { d: null });
  assert.deepEqual(await ajax("Sum", { a: 2, b: "40" }), { d: 42 });
  const saved = await ajax("Save", { person: { name: "Ada", Likes: "darkgreen" }, more: [] });
  assert.equal(saved.d[0].__type, "Lab.Web.Person");
  assert.equal(saved.d[0].Likes, 5);
  const failed = await ajax("Fail", { why: "no way" });
  assert.deepEqual([failed.status, failed.mark, failed.is], [500, "true", "error"]);
  assert.match(failed.failure.Message, /no way/);
  assert.equal(failed.failure.StackTrace, "");
  const missing = await ajax("Sum", { a: 2 });
  assert.equal(missing.failure.Message, "Invalid web service call, missing value for parameter: 'b'.");
  assert.equal(missing.failure.ExceptionType, "System.InvalidOperationException");
  const found = await page.evaluate(
    (url) => new Promise((resolve) => $.ajax({ type: "GET", url, data: { name: '"Ada"', born: '"\\/Date(0)\\/"' }, contentType: "application/json", dataType: "json", cache: false, success: resolve })),
    `${service}/Find`,
  );
  assert.deepEqual([found.d.__type, found.d.Born], ["boss", "/Date(0)/"]);
});

for (const proxy of ["js", "jsdebug"]) {
  test(`a page with the script proxy at /${proxy} calls operations by functions`, async () => {
    const page = await withScripts("/ajax.js", `${service}/${proxy}`);
    const called = (run) => page.evaluate(`new Promise((resolve) => { const fail = (error) => resolve([error.get_message(), error.get_exceptionType(), error.get_stackTrace()]); (${run})(resolve, fail); })`);
    assert.equal(await page.evaluate(() => Lab.Web.Staff.get_path()), "/Staff.asmx");
    assert.equal(await called((resolve, fail) => Lab.Web.Staff.Echo("it's", resolve, fail)), "it's");
    assert.equal(await called((resolve, fail) => Lab.Web.Staff.Sum(1, 2, resolve, fail)), 3);
    assert.deepEqual(await called((resolve, fail) => new Lab.Web.Staff().Sum(1, 2, (sum, context, method) => resolve([sum, context, method]), fail, "mine")), [3, "mine", "Sum"]);
    const saved = await called((resolve, fail) => {
      const boss = new Lab.Web.Manager({ Name: "Ada", Born: new Date(86400000), Likes: Lab.Web.Colour.DarkGreen, Level: 2 });
      Lab.Web.Staff.Save(boss, [{ Name: "Bob" }, null], ([first, second, third]) => resolve([first.__type, first.Born.getTime(), first.Likes, first.Level, second.__type, third]), fail);
    });
    assert.deepEqual(saved, ["boss", 86400000, 5, 2, "Lab.Web.Person", null]);
    const born = await called((resolve, fail) => Lab.Web.Staff.Find("Ada", new Date(0), (found) => resolve([found.Name, found.Born instanceof Date]), fail));
    assert.deepEqual(born, ["Ada", true]);
    assert.equal(await called((resolve, fail) => Lab.Web.Staff.AsXml("x", (xml) => resolve(xml.documentElement.nodeName), fail)), "Note");
    const [message, type, trace] = await called((resolve, fail) => Lab.Web.Staff.Fail("no way", resolve, fail));
    assert.match(message, /no way/);
    assert.equal(typeof type, "string");
    assert.equal(trace, "");
    const refused = await called((resolve, fail) => Lab.Web.Staff.Sum("x", 1, resolve, fail));
    assert.equal(refused[0], "x is not a valid value for Int32.");
    page.complaints = page.complaints.filter((complaint) => !complaint.includes("500"));
    await isSound(page);
  });
}
