// The call, and what starts the page.

const status = byId("status");
const as = byId("as");
let running;
let last;

function say(text, verdict = "") {
  status.textContent = text;
  status.className = `status ${verdict}`;
}

/** Shows the request that the form says now, as a message or as code. */
function preview() {
  const place = byId("sent");
  try {
    const made = requestOf();
    const request = as.value === "HTTP" && reveal.checked ? made : maskedRequest(made);
    const text = LANGUAGES[as.value](as.value === "HTTP" || !indent.checked ? request : inLines(request));
    if (as.value === "HTTP") paint(place, text);
    else place.textContent = text;
  } catch (error) {
    place.textContent = `There is no request: ${error.message}`;
  }
}

/** Something was typed or chosen. */
function changed() {
  preview();
  store(VALUES, allKept());
  keepHeaders();
}

/** Shows an exchange, and on a small screen goes to the answer. */
function show(exchange) {
  last = exchange;
  showAnswer(exchange);
  const answer = byId("answer");
  const side = answer.closest(".side");
  side.scrollTop = 0;
  const { top } = answer.getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.6) answer.scrollIntoView({ block: "start" });
}

async function invoke() {
  running?.abort();
  const { signal } = (running = new AbortController());
  last = undefined;
  byId("answer").hidden = true;
  say("Waiting for the answer …");
  try {
    const sent = requestOf();
    const { method, target, headers: named, body } = sent;
    const typed = typedSecrets();
    const hidesAnswer = "secretAnswer" in binding();
    const bindingName = form.querySelector("[name=binding]:checked").parentElement.textContent.trim();
    const start = performance.now();
    const answer = await fetch(target, { method, headers: named, body, signal, cache: "no-store", redirect: "manual" });
    const text = await answer.text();
    const time = performance.now() - start;
    const size = new TextEncoder().encode(text).length;
    const exchange = { sent, typed, status: answer.status, statusText: answer.statusText, headers: [...answer.headers], text, time, size, hidesAnswer, bindingName };
    preview();
    show(exchange);
    keepExchange(exchange);
    say(`${answer.status} ${answer.statusText} after ${Math.round(time)} ms`, answer.ok ? "good" : "bad");
  } catch (error) {
    if (!signal.aborted) say(`Not called: ${error.message}`, "bad");
  }
}

/** Takes the request of the form as the whole message, without its secrets hidden, as it is to be sent. */
function takeWhole() {
  const use = byId("use-whole");
  use.checked = false;
  try {
    byId("whole-text").value = laidOut(requestOf().body ?? "");
    use.checked = true;
  } catch (error) {
    say(`No message: ${error.message}`, "bad");
  }
  changed();
}

function clear() {
  store(VALUES, null);
  location.reload();
}

const showsSecrets = secrets.length > 0 || form.querySelector("[data-secret]");
reveal.closest("label").hidden = !showsSecrets;

for (const name of Object.keys(LANGUAGES)) as.append(make("option", {}, name));
as.value = stored("svcgen language") ?? "HTTP";
as.addEventListener("change", () => {
  store("svcgen language", as.value);
  preview();
});
for (const input of [indent, reveal]) {
  input.addEventListener("change", () => {
    preview();
    if (last) showAnswer(last);
  });
}
byId("add-header").addEventListener("click", () => addHeader().focus());
byId("take-whole").addEventListener("click", takeWhole);
byId("whole-file").addEventListener("change", async ({ target }) => {
  byId("whole-text").value = await target.files[0].text();
  byId("use-whole").checked = true;
  changed();
});
byId("clear").addEventListener("click", clear);
form.addEventListener("click", onClick);
form.addEventListener("input", onInput);
form.addEventListener("change", onChange);
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) invoke();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  invoke();
});

for (const field of form.querySelectorAll("[data-kind]")) equip(field);
openAll(form);
restoreAll(stored(VALUES));
restoreHeaders();
offerHeaders();
byId("no-script").hidden = true;
form.hidden = false;
byId("exchange").hidden = false;
preview();
listExchanges();

/** From the filter a reader goes on with the first value. */
function goOn() {
  if (location.hash === "#fill") form.querySelector("#headers:not([hidden]) [data-value], #parameters [data-value], button.main").focus();
}

addEventListener("hashchange", goOn);
goOn();
