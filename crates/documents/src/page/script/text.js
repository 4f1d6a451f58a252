// Messages as they are shown: with secrets hidden, in lines, in colours.

const secrets = form.dataset.secrets.split(" ").filter(Boolean);
/** Places that have the name of a secret and are none: the name around them, and their own. */
const shownPlaces = new Set(form.dataset.shown?.split(" "));
/** Whether the value of this name in something of that name is a secret. Where it is not known it is one. */
const isSecret = (around, name) => secrets.includes(name) && !shownPlaces.has(`${around}/${name}`);
const reveal = byId("reveal");
const indent = byId("indent");

/** Headers whose values are secrets, by what their names say. */
const isSecretHeader = (name) => /auth|cookie|key|pass|secret|session|sign|token/i.test(name);

const isJson = (body) => /^\s*[{[]/.test(body);

/** A body with its secrets hidden: elements, attributes, form fields and members. */
function masked(body) {
  if (!secrets.length) return body;
  if (isJson(body)) return maskedJson(body);
  if (/^\s*</.test(body)) return maskedXml(body);
  const nameOf = (written) => secrets.find((name) => encoded(name) === written);
  return body.replace(/(^|&)([^&=]*)=[^&]*/g, (field, start, name) => (isSecret("", nameOf(name)) ? `${start}${name}=[secret]` : field));
}

/** A comment, a section of characters, an instruction, or a tag: its slash, its name, and what follows. */
const XML_TOKENS = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<(\/?)([^\s<>/!?]+)((?:"[^"]*"|'[^']*'|[^<>"'])*)>/g;
const withoutPrefix = (name) => name.slice(name.indexOf(":") + 1);

/** XML need not be well-formed: what is in a secret ends with its own end tag, or never. */
function maskedXml(xml) {
  const around = [];
  let text = "";
  let from = 0;
  let depth;
  for (const { index, 0: token, 1: slash, 2: tag, 3: rest } of xml.matchAll(XML_TOKENS)) {
    const name = tag && withoutPrefix(tag);
    const isEnd = slash && name === around.at(-1);
    if (depth === undefined) text += xml.slice(from, index);
    from = index + token.length;
    if (isEnd && depth === around.length) {
      text += "[secret]";
      depth = undefined;
    }
    const isStart = tag && !slash && !rest.endsWith("/");
    if (depth === undefined) {
      text += tag && !slash ? `<${tag}${maskedAttributes(name, rest)}>` : token;
      if (isStart && isSecret(around.at(-1), name)) depth = around.length + 1;
    }
    if (isStart) around.push(name);
    if (isEnd) around.pop();
  }
  return text + (depth === undefined ? xml.slice(from) : "[secret]");
}

const maskedAttributes = (element, written) => written.replace(/(\s(?:(?!xmlns:)[^\s=:]+:)?([^\s=:]+)\s*=\s*)("[^"]*"|'[^']*')/g, (all, before, name) => (isSecret(element, name) ? `${before}"[secret]"` : all));

/** The tokens of JSON, and the blanks between them. */
const tokensOf = (json) => json.match(/"(?:[^"\\]|\\[^])*"|[{}[\],:]|\s+|[^{}[\],:\s"]+|"/g) ?? [];
const opens = (token) => token === "{" || token === "[";
const closes = (token) => token === "}" || token === "]";

function maskedJson(json) {
  const tokens = tokensOf(json);
  const left = [];
  // The names of the members around; what is in a list is in the member that the list is.
  const around = [];
  let name;
  let value;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    left.push(token);
    if (opens(token)) around.push(value ?? around.at(-1) ?? "");
    if (closes(token)) around.pop();
    if (token.trim()) value = undefined;
    if (token.startsWith('"')) name = token.slice(1, -1);
    if (token !== ":") continue;
    value = name;
    if (!isSecret(around.at(-1), name)) continue;
    left.push('"[secret]"');
    for (let depth = 0; at + 1 < tokens.length; at += 1) {
      const next = tokens[at + 1];
      if (depth === 0 && (next === "," || closes(next))) break;
      depth += Number(opens(next)) - Number(closes(next));
    }
  }
  return left.join("");
}

/** The same request without secrets: in its body and in headers that have some. */
function maskedRequest({ headers: sent, body, ...rest }) {
  const pairs = Object.entries(sent).map(([name, value]) => [name, isSecretHeader(name) ? "[secret]" : value]);
  return { ...rest, headers: Object.fromEntries(pairs), body: body === undefined ? undefined : masked(body) };
}

// ---- Lines.

/** Beyond so many characters a body is shown as it is. */
const LONG = 1_000_000;

function laidOut(body) {
  if (body.length > LONG) return body;
  if (isJson(body)) return jsonLines(body);
  const root = parsed(body)?.documentElement;
  if (!root) return body;
  const declaration = /^<\?xml[^>]*\?>/.exec(body)?.[0];
  return [...(declaration ? [declaration] : []), ...lines(root, "")].join("\n");
}

/** The document of a text that is XML. */
function parsed(text) {
  if (!/^\s*</.test(text)) return undefined;
  const xml = new DOMParser().parseFromString(text, "text/xml");
  return xml.querySelector("parsererror") ? undefined : xml;
}

function jsonLines(json) {
  const tokens = tokensOf(json).filter((token) => token.trim());
  let text = "";
  let depth = 0;
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    depth -= Number(closes(token));
    if (before === "," || opens(before) !== closes(token)) text += `\n${"  ".repeat(depth)}`;
    else if (before === ":") text += " ";
    text += token;
    depth += Number(opens(token));
  });
  return text;
}

const markup = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function lines(element, before) {
  const attributes = [...element.attributes].map(({ name, value }) => ` ${name}="${markup(value).replace(/"/g, "&quot;")}"`);
  const start = `${before}<${element.nodeName}${attributes.join("")}`;
  if (!element.hasChildNodes()) return [`${start} />`];
  const isData = [...element.childNodes].every((node) => node.nodeType === Node.ELEMENT_NODE || (node.nodeType === Node.TEXT_NODE && !node.data.trim()));
  if (isData && element.firstElementChild) return [`${start}>`, ...[...element.children].flatMap((child) => lines(child, `${before}  `)), `${before}</${element.nodeName}>`];
  const inside = element.firstElementChild ? element.innerHTML : markup(element.textContent);
  return [`${start}>${inside}</${element.nodeName}>`];
}

/** A request or an answer: its first line, its headers, its body. */
function httpText(start, pairs, body) {
  return [start, ...pairs.map((header) => header.join(": ")), "", indent.checked ? laidOut(body) : body].join("\n");
}

function requestText({ method, target, headers: sent, body }) {
  const length = body === undefined ? [] : [["Content-Length", new TextEncoder().encode(body).length]];
  return httpText(`${method} ${target} HTTP/1.1`, [["Host", location.host], ...Object.entries(sent), ...length], body ?? "");
}

// ---- Colours, with the elements that the samples of the page have.

const XML_PARTS = /(<[/?]?[\w:.-]+|\/?\??>)|([\w:.-]+)(?==")|("[^"<]*")(?=[\s/>?])/g;
const JSON_PARTS = /()()("(?:[^"\\]|\\[^])*")/g;

/** Shows a message in an element. */
function paint(place, text) {
  const [head, body] = /^[^<{[]/.test(text) ? [text.slice(0, Math.max(0, text.indexOf("\n\n"))), text.slice(Math.max(0, text.indexOf("\n\n")))] : ["", text];
  place.replaceChildren(head);
  if (body.length > LONG / 4) return place.append(body);
  const parts = isJson(body) ? JSON_PARTS : XML_PARTS;
  let from = 0;
  for (const found of isJson(body) || /^\s*</.test(body) ? body.matchAll(parts) : []) {
    const [all, tag, attribute] = found;
    place.append(body.slice(from, found.index), make(tag ? "b" : attribute ? "em" : "samp", {}, all));
    from = found.index + all.length;
  }
  place.append(body.slice(from));
}
