// The form. What can be absent, repeated or chosen is stamped from a template when it is asked for.

const form = document.getElementById("invoke");
const parameters = document.getElementById("parameters");
const headers = document.getElementById("headers");
const { operation, namespace, request, types, service } = form.dataset;
const byId = (id) => document.getElementById(id);

/** An element with properties and content. */
function make(name, properties = {}, ...content) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...content);
  return element;
}

/** The fields that stand in a field, without those that stand in these. */
const fieldsOf = (field) => [...field.querySelectorAll("[data-kind]")].filter((inner) => inner.parentElement.closest("[data-kind]") === field);
/** Something of a field, and of no field in it. */
const partOf = (field, selector) => [...field.querySelectorAll(selector)].find((part) => part.closest("[data-kind]") === field);

let stamps = 0;

function stamp(template, place) {
  const copy = template.content.cloneNode(true);
  stamps += 1;
  for (const name of ["id", "for", "aria-describedby"]) {
    for (const node of copy.querySelectorAll(`[${name}]`)) node.setAttribute(name, `${node.getAttribute(name)}-${stamps}`);
  }
  const fields = [...copy.querySelectorAll("[data-kind]")];
  place.append(copy);
  fields.forEach(equip);
  openAll(place);
}

/** Fills the objects that are always there. */
function openAll(place) {
  for (const field of place.querySelectorAll("[data-of]")) {
    const inside = partOf(field, "[data-place]");
    if (!partOf(field, "[data-include]") && !inside.hasChildNodes()) stamp(byId(`fields-${field.dataset.of}`), inside);
  }
}

function fill(field, template) {
  const place = partOf(field, "[data-place]");
  place.replaceChildren();
  if (template) stamp(template, place);
}

function picked(field, name) {
  if (field.dataset.kind === "object") return byId(`fields-${name}`);
  return [...field.querySelectorAll("template")].find((template) => template.dataset.alternative === name);
}

function addItem(field) {
  const item = make("div", { className: "item" });
  const remove = make("button", { type: "button", className: "small", ariaLabel: `Remove this item of ${field.dataset.name}` }, "Remove");
  remove.addEventListener("click", () => {
    item.remove();
    partOf(field, "[data-add]").focus();
    changed();
  });
  partOf(field, "[data-items]").append(item);
  stamp(partOf(field, "template"), item);
  item.append(remove);
  return item;
}

// ---- What the script adds to a field: whether it is there, a picker of dates, files for bytes, what a value means, and complaints.

const RANGES = { byte: [-128, 127], unsignedByte: [0, 255], short: [-32768, 32767], unsignedShort: [0, 65535], int: [-2147483648, 2147483647], unsignedInt: [0, 4294967295] };
const WHOLE = /^(byte|short|int|long|unsignedByte|unsignedShort|unsignedInt|unsignedLong|integer|nonNegativeInteger|positiveInteger|nonPositiveInteger|negativeInteger)$/;
const NUMBERS = /^(unsigned(Byte|Short|Int|Long)|byte|short|int|long|float|double|decimal)$/;
const PICKERS = { date: "date", time: "time", dateTime: "datetime-local" };

function equip(field) {
  const { kind, type, absent } = field.dataset;
  if (absent === "either" && (kind === "object" || kind === "list")) field.append(stateOf(field));
  const input = ["value", "attribute", "text"].includes(kind) && partOf(field, "[data-value]");
  if (!input) return;
  if (input.matches("input, textarea") && absent) input.after(stateOf(field));
  if (WHOLE.test(type) || NUMBERS.test(type)) input.inputMode = WHOLE.test(type) && !/^-/.test(field.dataset.mininclusive ?? RANGES[type]?.[0] ?? "-") ? "numeric" : "decimal";
  if (input.type === "text" && PICKERS[type]) input.after(pickerOf(field, input));
  if (/^(base64|hex)Binary$/.test(type) && input.tagName === "INPUT") input.after(fileOf(field, input));
  if (input.matches("select") && input.querySelector("[title]")) {
    input.after(make("p", { className: "hint meaning" }));
    explain(input);
  }
}

/** The text of a value that is not typed: left out, nil, or sent though it is empty. */
function stateOf(field) {
  const { absent } = field.dataset;
  const options = { omit: ["omit"], nil: ["nil"], either: ["omit", "nil"] }[absent];
  const names = { omit: "left out", nil: "nil", sent: "sent" };
  const select = make("select", { className: "state", ariaLabel: "Left out, nil or sent" });
  select.dataset.state = "";
  for (const state of [...options, "sent"]) select.append(make("option", { value: state }, names[state]));
  return select;
}

function pickerOf(field, input) {
  const picker = make("input", { type: PICKERS[field.dataset.type], step: 1, tabIndex: -1, className: "picker" });
  picker.ariaHidden = "true";
  const button = make("button", { type: "button", className: "small" }, "Pick");
  button.addEventListener("click", () => {
    picker.value = input.value.replace(/(Z|[+-]\d\d:\d\d)$/, "");
    picker.showPicker();
  });
  picker.addEventListener("change", () => {
    const [, date = "", time = ""] = /^(\d[\d-]*)?T?(\d\d:[\d:.]*)?$/.exec(picker.value) ?? [];
    const seconds = /^\d\d:\d\d$/.test(time) ? `${time}:00` : time;
    enter(input, [date, seconds].filter(Boolean).join("T"));
  });
  return make("span", { className: "beside" }, button, picker);
}

function fileOf(field, input) {
  const file = make("input", { type: "file", hidden: true });
  const button = make("button", { type: "button", className: "small" }, "File …");
  button.addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    const bytes = new Uint8Array(await file.files[0].arrayBuffer());
    const isHex = field.dataset.type === "hexBinary";
    let text = "";
    for (const byte of bytes) text += isHex ? byte.toString(16).padStart(2, "0").toUpperCase() : String.fromCharCode(byte);
    enter(input, isHex ? text : btoa(text));
  });
  return make("span", { className: "beside" }, button, file);
}

/** Types a text into an input. */
function enter(input, text) {
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Says what the values mean that are picked. */
function explain(select) {
  const meaning = select.parentElement.querySelector(".meaning");
  if (meaning) meaning.textContent = [...select.selectedOptions].map((option) => option.title).filter(Boolean).join(" ");
}

/** What is typed is sent, and what is emptied is not, unless that is said. */
function followState(field, input) {
  const state = partOf(field, "[data-state]");
  if (!state || input !== partOf(field, "[data-value]")) return;
  if (input.value !== "") state.value = "sent";
  else if (state.value === "sent" && !state.dataset.chosen) state.selectedIndex = 0;
}

/** What is wrong with a value; nothing if it is right or not there. */
function complaintOf({ dataset: { type, ...limits } }, text) {
  if (text === "") return "";
  const number = Number(text);
  const [least, most] = RANGES[type] ?? [];
  const pattern = limits.pattern && patternOf(limits.pattern);
  const checks = [
    [WHOLE.test(type) && !/^\s*[+-]?\d+\s*$/.test(text), "This is no whole number."],
    [NUMBERS.test(type) && !/^(INF|-INF|NaN)$/.test(text) && (Number.isNaN(number) || !text.trim()), "This is no number."],
    [number < (limits.mininclusive ?? least) || number <= limits.minexclusive, `The least is ${limits.mininclusive ?? least ?? `above ${limits.minexclusive}`}.`],
    [number > (limits.maxinclusive ?? most) || number >= limits.maxexclusive, `The most is ${limits.maxinclusive ?? most ?? `below ${limits.maxexclusive}`}.`],
    [text.length < limits.minlength || text.length > limits.maxlength || (limits.length && text.length !== Number(limits.length)), "The number of characters is another one."],
    [pattern && !pattern.test(text), `This is not like ${limits.pattern}`],
    [type === "date" && !/^-?\d{4,}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?$/.test(text), "A date is like 2024-02-29."],
    [type === "time" && !/^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(text), "A time is like 12:34:56."],
    [type === "dateTime" && !/^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(text), "A time is like 2024-02-29T12:34:56Z."],
  ];
  return checks.find(([isWrong]) => isWrong)?.[1] ?? "";
}

/** A pattern of XML Schema, if it is one of scripts as well. */
function patternOf(text) {
  try {
    return new RegExp(`^(?:${text})$`, "u");
  } catch {
    return undefined;
  }
}

/** Says below a field what is wrong with its value. It is sent nevertheless: a server may be tried with wrong values. */
function complain(field, input) {
  const isFree = "texts" in field.dataset || input.tagName === "SELECT" || /Binary$/.test(field.dataset.type);
  const complaint = isFree ? "" : complaintOf(field, input.value);
  let note = partOf(field, ".complaint");
  if (complaint && !note) {
    note = make("p", { className: "hint complaint", id: `${input.id}-complaint` });
    field.append(note);
    input.setAttribute("aria-describedby", `${input.getAttribute("aria-describedby") ?? ""} ${note.id}`.trim());
  }
  if (note) note.textContent = complaint;
  if (complaint) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

function onClick({ target }) {
  if (!target.matches("[data-add]")) return;
  const item = addItem(target.closest("[data-kind]"));
  item.querySelector("input, select, textarea, button").focus();
  changed();
}

function onInput({ target }) {
  const field = target.closest("[data-kind]");
  if (field && target.matches("[data-value]")) {
    followState(field, target);
    complain(field, target);
    explain(target);
  }
  changed();
}

function onChange({ target }) {
  const field = target.closest("[data-kind]");
  if (target.matches("[data-include]")) fill(field, target.checked && byId(`fields-${field.dataset.of}`));
  if (target.matches("[data-pick]")) fill(field, picked(field, target.value));
  if (target.matches("[data-state]")) target.dataset.chosen = "yes";
  if (target.name === "binding") offerHeaders();
  changed();
}

/** How the binding that is picked is called: its envelope and headers, or its method. */
const binding = () => form.querySelector("[name=binding]:checked").dataset;

function offerHeaders() {
  if (headers) headers.hidden = !binding().envelope;
}
