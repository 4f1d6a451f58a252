// The form. What can be absent, repeated or chosen is stamped from a template when it is asked for.

const form = document.getElementById("invoke");
const parameters = document.getElementById("parameters");
const headers = document.getElementById("headers");
const { operation, namespace, request, types } = form.dataset;
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
let complaints = 0;

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
    complainOfCount(field);
    changed();
  });
  partOf(field, "[data-items]").append(item);
  stamp(partOf(field, "template"), item);
  item.append(remove);
  return item;
}

// ---- What the script adds to a field: whether it is there, a picker of dates, files for bytes, what a value means, and complaints.

const RANGES = {
  byte: ["-128", "127"],
  unsignedByte: ["0", "255"],
  short: ["-32768", "32767"],
  unsignedShort: ["0", "65535"],
  int: ["-2147483648", "2147483647"],
  unsignedInt: ["0", "4294967295"],
  long: ["-9223372036854775808", "9223372036854775807"],
  unsignedLong: ["0", "18446744073709551615"],
  nonNegativeInteger: ["0"],
  positiveInteger: ["1"],
  nonPositiveInteger: [undefined, "0"],
  negativeInteger: [undefined, "-1"],
};
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

/** What its type makes of white space in a text before it is a value. */
function trimmed({ type, whitespace }, text) {
  const rule = whitespace ?? { string: "preserve", normalizedString: "replace" }[type] ?? "collapse";
  if (rule === "preserve") return text;
  return rule === "replace" ? text.replace(/[\t\r\n]/g, " ") : text.trim().replace(/\s+/g, " ");
}

/** The digits of a decimal number before and after its point, without zeros that say nothing. */
function decimalOf(text) {
  const [, sign, whole, fraction = ""] = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  return whole === undefined || !/\d/.test(text) ? undefined : { sign, whole, fraction };
}

/** Below zero if one value is below the other, above zero if it is above; no number if that is not known. */
function order(type, one, other) {
  const day = { date: "", dateTime: "", time: "1970-01-01T" }[type];
  if (day !== undefined) {
    const [hasZone, needsZone] = [one, other].map((text) => /(Z|[+-]\d\d:\d\d)$/.test(text));
    return hasZone === needsZone ? Date.parse(day + one) - Date.parse(day + other) : NaN;
  }
  const decimals = [one, other].map(decimalOf);
  if (!decimals.every(Boolean)) return [one, other].map((text) => Number(text.replace("INF", "Infinity"))).reduce((left, right) => left - right);
  const places = Math.max(...decimals.map(({ fraction }) => fraction.length));
  const [left, right] = decimals.map(({ sign, whole, fraction }) => BigInt(`${sign}0${whole}${fraction.padEnd(places, "0")}`));
  return left < right ? -1 : Number(left > right);
}

const several = (count, what) => `${count} ${what}${Number(count) === 1 ? "" : "s"}`;

/** What is counted of a value, and how many there are. */
function lengthOf(type, text) {
  if (type === "base64Binary") return ["byte", Math.floor((text.replace(/[\s=]/g, "").length * 3) / 4)];
  if (type === "hexBinary") return ["byte", Math.floor(text.replace(/\s/g, "").length / 2)];
  return ["character", [...text].length];
}

/** What is wrong with a value; nothing if it is right or not there. */
function complaintOf({ dataset: { type, ...limits } }, typed) {
  if (typed === "") return "";
  const text = trimmed({ type, ...limits }, typed);
  const { mininclusive = RANGES[type]?.[0], maxinclusive = RANGES[type]?.[1], minexclusive, maxexclusive, minlength, maxlength, length, totaldigits, fractiondigits } = limits;
  const [counted, count] = lengthOf(type, text);
  const decimal = decimalOf(text);
  const places = decimal?.fraction.length;
  const digits = decimal?.whole.length + places;
  const patterns = Object.keys(limits).filter((name) => /^pattern\d/.test(name)).map((name) => limits[name]);
  const missed = patterns.find((pattern) => patternOf(pattern)?.test(text) === false);
  const checks = [
    [WHOLE.test(type) && !/^[+-]?\d+$/.test(text), "This is no whole number."],
    [type === "decimal" && !decimalOf(text), "This is no number."],
    [/^(float|double)$/.test(type) && !/^(-?INF|NaN|[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)$/.test(text), "This is no number."],
    [type === "base64Binary" && !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.replace(/\s/g, "")), "This is no base64."],
    [type === "hexBinary" && !/^(?:[0-9A-Fa-f]{2})*$/.test(text), "Bytes are two hexadecimal digits each."],
    [type === "date" && !/^-?\d{4,}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?$/.test(text), "A date is like 2024-02-29."],
    [type === "time" && !/^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(text), "A time is like 12:34:56."],
    [type === "dateTime" && !/^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(text), "A time is like 2024-02-29T12:34:56Z."],
    [minexclusive && order(type, text, minexclusive) <= 0, `The least is above ${minexclusive}.`],
    [maxexclusive && order(type, text, maxexclusive) >= 0, `The most is below ${maxexclusive}.`],
    [mininclusive && order(type, text, mininclusive) < 0, `The least is ${mininclusive}.`],
    [maxinclusive && order(type, text, maxinclusive) > 0, `The most is ${maxinclusive}.`],
    [length && count !== Number(length), `${several(length, counted)}, not ${count}.`],
    [minlength && count < minlength, `At least ${several(minlength, counted)}, not ${count}.`],
    [maxlength && count > maxlength, `At most ${several(maxlength, counted)}, not ${count}.`],
    [decimal && digits > totaldigits, `At most ${several(totaldigits, "digit")}, not ${digits}.`],
    [decimal && places > fractiondigits, `At most ${several(fractiondigits, "digit")} after the point, not ${places}.`],
    [missed !== undefined, `This is not like ${missed}`],
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

/** Says below a field what is wrong with its value, or with the number of its items. It is sent nevertheless: a server may be tried with wrong values. */
function complain(field, input) {
  const texts = "texts" in field.dataset ? input.value.split(/\s+/) : [input.value];
  const complaint = input.tagName === "SELECT" ? "" : (texts.map((text) => complaintOf(field, text)).find(Boolean) ?? "");
  sayBelow(field, input, complaint);
  if (complaint) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

/** Says it of a list, after items were added or removed. */
function complainOfCount(list) {
  const { least, most } = list.dataset;
  const count = fieldsOf(list).length;
  const complaint = count < least ? `At least ${several(least, "item")}, not ${count}.` : count > most ? `At most ${several(most, "item")}, not ${count}.` : "";
  if (list.dataset.least !== undefined) sayBelow(list, list, complaint);
}

function sayBelow(field, described, complaint) {
  let note = partOf(field, ".complaint");
  if (complaint && !note) {
    note = make("p", { className: "hint complaint", id: `complaint-${++complaints}` });
    field.append(note);
    described.setAttribute("aria-describedby", `${described.getAttribute("aria-describedby") ?? ""} ${note.id}`.trim());
  }
  if (note) note.textContent = complaint;
}

function onClick({ target }) {
  if (!target.matches("[data-add]")) return;
  const list = target.closest("[data-kind]");
  const item = addItem(list);
  complainOfCount(list);
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
