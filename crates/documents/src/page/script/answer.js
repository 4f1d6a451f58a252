// The answer: a fault as what it is, a result as a table or a tree, and the message beside it.

/** Beyond so many values the rest is in the message alone. */
const MOST_VALUES = 2_000;

// ---- Values of any notation: a name, and a text, members, or nothing.

function valueOfXml(element) {
  const isNil = element.getAttributeNS(XSI, "nil") === "true";
  const attributes = [...element.attributes].filter(({ namespaceURI }) => namespaceURI !== XMLNS && namespaceURI !== XSI);
  const members = attributes.map(({ localName, value }) => ({ name: `@${localName}`, members: [], text: value }));
  members.push(...[...element.children].map(valueOfXml));
  const hasText = !element.firstElementChild && element.textContent !== "";
  if (members.length && hasText) members.push({ name: "", members: [], text: element.textContent });
  const type = element.getAttributeNS(XSI, "type")?.replace(/^.*:/, "");
  return { name: element.localName, type: members.length ? type : undefined, isNil, members, text: members.length ? "" : element.textContent };
}

/** The value of JSON. Numbers stay as they are written. */
function valueOfJson(json, name) {
  const tokens = tokensOf(json).filter((token) => token.trim());
  let at = 0;
  const next = () => tokens[at++];
  const read = (name) => {
    const token = next();
    if (token === "null" || token === undefined) return { name, isNil: true, members: [] };
    if (!opens(token)) return { name, members: [], text: token.startsWith('"') ? JSON.parse(token) : token };
    const members = [];
    while (at < tokens.length && !closes(tokens[at])) {
      const member = token === "{" ? JSON.parse(next()) : "";
      if (token === "{") next();
      members.push(read(member));
      if (tokens[at] === ",") next();
    }
    next();
    return { name, members, text: "", isList: token === "[" };
  };
  return read(name);
}

// ---- Values as tables.

const isLeaf = ({ members }) => members.length === 0;
/** Whether values are items of a list: several of one name, or one that has its name from its type. */
const isListOf = (members) => members.length > 1 && members.every(({ name }) => name === members[0].name);

function leaf({ isNil, text }) {
  if (isNil) return make("span", { className: "badge" }, "nil");
  return text === "" ? make("span", { className: "muted" }, "empty") : make("span", { className: "value" }, text);
}

function shownValue(value, room, depth) {
  room.left -= 1;
  if (room.left < 0) return make("span", { className: "muted" }, "…");
  if (isLeaf(value)) return value.isList ? make("span", { className: "muted" }, "no items") : leaf(value);
  const { members } = value;
  const inside = isListOf(members) || value.isList ? shownList(members, room, depth) : shownObject(members, room, depth);
  if (depth < 2) return inside;
  const summary = make("summary", {}, value.type ?? (isListOf(members) || value.isList ? `${members.length} items` : members.map(({ name }) => name).join(", ")));
  return make("details", { open: members.length <= 4 && depth < 4 }, summary, inside);
}

function shownObject(members, room, depth) {
  const rows = members.map((member) => make("tr", {}, make("th", { scope: "row" }, member.name || "text"), make("td", {}, shownValue(member, room, depth + 1))));
  return make("table", { className: "tree" }, make("tbody", {}, ...rows));
}

function shownList(items, room, depth) {
  const names = [...new Set(items.flatMap(({ members }) => members.map(({ name }) => name)))];
  const isTable = names.length && items.every((item) => item.isNil || (item.members.length && new Set(item.members.map(({ name }) => name)).size === item.members.length));
  if (!isTable) return make("ol", { className: "tree" }, ...items.map((item) => make("li", {}, shownValue(item, room, depth + 1))));
  const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name || "text")));
  const rows = items.map(({ members }) => {
    const cells = names.map((name) => members.find((member) => member.name === name));
    return make("tr", {}, ...cells.map((cell) => make("td", {}, cell ? shownValue(cell, room, depth + 1) : "")));
  });
  return make("table", { className: "grid" }, make("thead", {}, head), make("tbody", {}, ...rows));
}

// ---- Faults.

const childrenOf = (element, name) => [...(element?.children ?? [])].filter(({ localName }) => localName === name);
const childText = (element, ...path) => path.reduce((at, name) => childrenOf(at, name)[0], element)?.textContent.trim();

/** Code, text and detail of a fault; nothing if the answer is none. */
function faultOf({ status, statusText, headers: received }, text, xml) {
  const fault = xml && [...xml.getElementsByTagNameNS("*", "Fault")].find(({ namespaceURI }) => /soap/.test(namespaceURI));
  if (fault) {
    const subcode = childText(fault, "Code", "Subcode", "Value");
    return {
      code: childText(fault, "faultcode") ?? [childText(fault, "Code", "Value"), subcode].filter(Boolean).join(" / "),
      text: childText(fault, "faultstring") ?? childText(fault, "Reason", "Text"),
      about: [["actor", childText(fault, "faultactor")], ["role", childText(fault, "Role")], ["node", childText(fault, "Node")]].filter(([, value]) => value),
      details: [...childrenOf(fault, "detail"), ...childrenOf(fault, "Detail")].flatMap((detail) => [...detail.children]).map(valueOfXml),
    };
  }
  if (status < 400) return undefined;
  if (received.some(([name]) => name.toLowerCase() === "jsonerror") && isJson(text)) {
    const { members } = valueOfJson(text, "");
    const member = (wanted) => members.find(({ name }) => name === wanted)?.text;
    return { code: member("ExceptionType") || `${status} ${statusText}`, text: member("Message"), about: [], details: [] };
  }
  return { code: `${status} ${statusText}`, text: xml ? "" : text, about: [], details: [] };
}

function shownFault({ code, text, about, details }) {
  const parts = details.map((detail) => {
    const id = `fault-${detail.name}`;
    const name = byId(id) ? make("a", { href: `#${id}` }, detail.name) : detail.name;
    return make("div", {}, make("h3", {}, "Detail: ", name), shownValue(detail, { left: MOST_VALUES }, 0));
  });
  const more = about.map(([name, value]) => make("p", { className: "hint" }, `${name}: ${value}`));
  return make("div", { className: "fault" }, make("p", {}, make("span", { className: "badge bad" }, code)), make("p", { className: "text" }, text ?? ""), ...more, ...parts);
}

// ---- The result.

/** The value that an answer holds. */
function resultOf(text, xml) {
  if (isJson(text)) {
    const value = valueOfJson(text, "");
    return value.members.find(({ name }) => name === "d") ?? value;
  }
  const root = xml?.documentElement;
  if (!root) return undefined;
  const body = root.localName === "Envelope" ? childrenOf(root, "Body")[0] : undefined;
  const value = valueOfXml(body ? (body.firstElementChild ?? body) : root);
  // The element of an answer holds the only result, whose name says nothing more.
  return body && value.members.length === 1 ? value.members[0] : value;
}

function shownResult(text, xml) {
  if (!text) return make("p", { className: "muted" }, "Nothing was answered but the status.");
  const value = resultOf(text, xml);
  return value ? shownValue(value, { left: MOST_VALUES }, 0) : leaf({ text });
}

const sizeOf = (bytes) => (bytes < 1024 ? `${bytes} bytes` : bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(1)} MiB`);

/** Shows an exchange: the answer first. */
function showAnswer(exchange) {
  const { status, statusText, headers: received, text, time, size, hidesAnswer } = exchange;
  const isHidden = hidesAnswer && status < 400 && !reveal.checked;
  const visible = isHidden ? "[secret]" : reveal.checked ? text : masked(text);
  const xml = visible.length > LONG ? undefined : parsed(visible);
  const fault = faultOf(exchange, visible, xml);
  const isGood = status < 400 && !fault;
  byId("verdict").replaceChildren(make("span", { className: `badge ${isGood ? "good" : "bad"}` }, `${status} ${statusText}`), ` ${Math.round(time)} ms, ${sizeOf(size)}`);
  byId("result").replaceChildren(fault ? shownFault(fault) : visible.length > LONG ? make("p", { className: "muted" }, "The message is too long for a table.") : shownResult(visible, xml));
  const names = received.map(([name, value]) => [name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()), value]);
  paint(byId("received"), httpText(`HTTP/1.1 ${status} ${statusText}`, names, visible));
  byId("answer").hidden = false;
}
