// Messages as they are shown: with secrets hidden, in lines, in colours.

const secrets = form.dataset.secrets.split(" ").filter(Boolean);
const reveal = byId("reveal");
const indent = byId("indent");

/** Headers whose values are secrets, by what their names say. */
const isSecretHeader = (name) => /auth|cookie|key|pass|secret|session|sign|token/i.test(name);

const isJson = (body) => /^\s*[{[]/.test(body);

/** A body with its secrets hidden: elements, attributes, form fields and members of their names. */
function masked(body) {
  if (!secrets.length) return body;
  if (isJson(body)) return maskedJson(body);
  const names = secrets.map((name) => name.replace(/[.]/g, "\\.")).join("|");
  const element = new RegExp(`(<((?:[^\\s<>/:]+:)?(?:${names}))(?:\\s[^>]*)?(?<!/)>)[^]*?(?=</\\2\\s*>)`, "g");
  const attribute = new RegExp(`(\\s(?:${names})\\s*=\\s*)("[^"]*"|'[^']*')`, "g");
  const field = new RegExp(`((?:^|&)(?:${secrets.map((name) => encoded(name).replace(/[.]/g, "\\.")).join("|")})=)[^&]*`, "g");
  return /^\s*</.test(body) ? body.replace(element, "$1[secret]").replace(attribute, '$1"[secret]"') : body.replace(field, "$1[secret]");
}

/** The tokens of JSON, and the blanks between them. */
const tokensOf = (json) => json.match(/"(?:[^"\\]|\\[^])*"|[{}[\],:]|\s+|[^{}[\],:\s"]+|"/g) ?? [];
const opens = (token) => token === "{" || token === "[";
const closes = (token) => token === "}" || token === "]";

function maskedJson(json) {
  const tokens = tokensOf(json);
  const left = [];
  let name;
  for (let at = 0; at < tokens.length; at += 1) {
    left.push(tokens[at]);
    if (tokens[at].startsWith('"')) name = tokens[at].slice(1, -1);
    if (tokens[at] !== ":" || !secrets.includes(name)) continue;
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
