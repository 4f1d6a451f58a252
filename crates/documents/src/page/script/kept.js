// What the tab keeps: the values of each form, HTTP headers, the last exchanges. Secrets are never kept.

const VALUES = `svcgen values ${location.pathname} ${operation}`;
const HEADERS = `svcgen headers ${location.origin}`;
const HISTORY = `svcgen history ${location.pathname}`;
const MOST_EXCHANGES = 10;
/** An exchange is kept up to so many characters. */
const MOST_KEPT = 20_000;

function stored(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
}

function store(key, value) {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The tab keeps nothing, or has no more room.
  }
}

// ---- Values.

/** The values of a field and of those in it. */
function keptOf(field) {
  if ("secret" in field.dataset) return null;
  const input = partOf(field, "[data-value]");
  return {
    value: input?.selectedOptions ? [...input.selectedOptions].map(({ index }) => index) : input?.value,
    state: partOf(field, "[data-state]")?.value,
    pick: pickOf(field),
    include: partOf(field, "[data-include]")?.checked,
    fields: fieldsOf(field).map(keptOf),
  };
}

function restore(field, kept) {
  if (!kept || "secret" in field.dataset) return;
  const { value, state, pick, include, fields } = kept;
  const pickInput = partOf(field, "[data-pick]");
  if (pickInput && pick) {
    pickInput.value = pick;
    fill(field, picked(field, pick));
  }
  const includeInput = partOf(field, "[data-include]");
  if (includeInput && include) {
    includeInput.checked = true;
    fill(field, byId(`fields-${field.dataset.of}`));
  }
  if (field.dataset.kind === "list") fields.forEach(() => addItem(field));
  const input = partOf(field, "[data-value]");
  if (input?.selectedOptions) [...input.options].forEach((option, at) => (option.selected = value?.includes(at)));
  else if (input) input.value = value ?? "";
  const stateInput = partOf(field, "[data-state]");
  if (stateInput && state) stateInput.value = state;
  if (input) explain(input);
  fieldsOf(field).forEach((inner, at) => restore(inner, fields[at]));
}

const allKept = () => ({ binding: form.querySelector("[name=binding]:checked").value, parameters: fieldsOf(parameters).map(keptOf), headers: headers ? fieldsOf(headers).map(keptOf) : [] });

function restoreAll(kept) {
  if (!kept) return;
  const radio = [...form.querySelectorAll("[name=binding]")].find(({ value }) => value === kept.binding);
  if (radio) radio.checked = true;
  fieldsOf(parameters).forEach((field, at) => restore(field, kept.parameters[at]));
  if (headers) fieldsOf(headers).forEach((field, at) => restore(field, kept.headers[at]));
  offerHeaders();
}

// ---- HTTP headers, which all forms of the server share.

function addHeader(name = "", value = "") {
  const inputs = ["Name", "Value"].map((label) => make("input", { type: "text", ariaLabel: `${label} of an HTTP header`, placeholder: label, autocomplete: "off", spellcheck: false }));
  [inputs[0].value, inputs[1].value] = [name, value];
  const hide = () => (inputs[1].type = isSecretHeader(inputs[0].value) ? "password" : "text");
  inputs[0].addEventListener("input", hide);
  hide();
  const remove = make("button", { type: "button", className: "small" }, "Remove");
  const row = make("div", { className: "header" }, ...inputs, remove);
  remove.addEventListener("click", () => {
    row.remove();
    byId("add-header").focus();
    changed();
  });
  document.querySelector("[data-headers]").append(row);
  return inputs[0];
}

const keepHeaders = () => store(HEADERS, addedHeaders().map(([name, value]) => [name, isSecretHeader(name) ? "" : value]));

function restoreHeaders() {
  const kept = stored(HEADERS) ?? [];
  for (const [name, value] of kept) addHeader(name, value);
  byId("http-headers").open = kept.length > 0;
}

// ---- The last exchanges.

const exchangesKept = () => stored(HISTORY) ?? [];

/** Headers of answers that tell of the message and its way alone: any other may be a token. */
const KEPT_HEADERS = new Set(["cache-control", "content-encoding", "content-language", "content-length", "content-type", "date", "server", "vary", "x-aspnet-version", "x-content-type-options", "x-powered-by"]);

/** The secrets that the form sends: the answer may quote them wherever it likes. */
function typedSecrets() {
  const inputs = [...form.querySelectorAll("[data-secret] [data-value]")].map(({ value }) => value);
  const inHeaders = addedHeaders().map(([name, value]) => (isSecretHeader(name) ? value : ""));
  return [...inputs, ...inHeaders].filter(Boolean);
}

/** In which forms a text may quote a value: as it is, escaped as in XML or JSON, percent-encoded, or in base64. */
function formsOf(value) {
  const json = JSON.stringify(value).slice(1, -1);
  const netJson = json.replace(/[<>&']/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(value))).replace(/=+$/, "");
  return [value, markup(value), json, netJson, encodeURIComponent(value), base64];
}

/** Whether a text quotes one of them. */
const quotes = (text, typed) => typed.some((value) => formsOf(value).some((form) => text.includes(form)));

/** An exchange without its secrets. What a failure quotes of a whole message is not known. */
function keepExchange({ sent, typed, text, hidesAnswer, statusText, headers, ...exchange }) {
  const whole = byId("use-whole").checked;
  const left = hidesAnswer || quotes(text, typed) || (whole && exchange.status >= 400) ? "[secret]" : masked(text);
  const named = headers.map(([name, value]) => [name, KEPT_HEADERS.has(name) ? value : "[secret]"]);
  const entry = { ...exchange, statusText: "", headers: named, operation, at: new Date().toLocaleTimeString(), sent: { ...maskedRequest(sent), body: whole ? "[whole message]" : masked(sent.body ?? "").slice(0, MOST_KEPT) }, text: left.slice(0, MOST_KEPT), values: whole ? null : allKept() };
  store(HISTORY, [entry, ...exchangesKept()].slice(0, MOST_EXCHANGES));
  listExchanges();
}

function listExchanges() {
  const kept = exchangesKept();
  const place = byId("history");
  place.hidden = kept.length === 0;
  const rows = kept.map((entry) => {
    const { status, time, at, operation: of, bindingName } = entry;
    const see = make("button", { type: "button", className: "small" }, "Show");
    see.addEventListener("click", () => show(entry));
    const again = make("button", { type: "button", className: "small", hidden: !entry.values, ariaLabel: `Repeat ${of} of ${at}` }, "Repeat");
    again.addEventListener("click", () => repeat(entry));
    const what = make("span", {}, make("span", { className: `badge ${status < 400 ? "good" : "bad"}` }, String(status)), ` ${of}, ${bindingName}, ${Math.round(time)} ms, ${at}`);
    return make("li", {}, what, make("span", { className: "row" }, see, again));
  });
  place.querySelector("ol").replaceChildren(...rows);
}

/** Fills the form with the values of an exchange and calls once more; of another operation, on whose page secrets may be missing, it fills the form alone. */
function repeat({ operation: of, values }) {
  if (of !== operation) {
    store(`svcgen values ${location.pathname} ${of}`, values);
    location.assign(`?op=${encodeURIComponent(of)}#fill`);
    return;
  }
  const passwords = new Map([...form.querySelectorAll("[data-secret] [data-value]")].map((input) => [input.id, input.value]));
  const places = [...form.querySelectorAll("[data-items], [data-place]")];
  for (const place of places) if (!place.parentElement.closest("[data-items], [data-place]")) place.replaceChildren();
  openAll(form);
  restoreAll(values);
  for (const [id, text] of passwords) if (byId(id)) byId(id).value = text;
  changed();
  invoke();
}
