"use strict";
(() => {
  const form = document.getElementById("invoke");
  const parameters = document.getElementById("parameters");
  const headers = document.getElementById("headers");
  const exchange = document.getElementById("exchange");
  const status = document.getElementById("status");
  const indent = document.getElementById("indent");
  const reveal = document.getElementById("reveal");
  const { operation, namespace, request, types } = form.dataset;
  const secrets = form.dataset.secrets.split(" ").filter(Boolean);

  const XMLNS = "http://www.w3.org/2000/xmlns/";
  const XML = "http://www.w3.org/XML/1998/namespace";
  const XSI = "http://www.w3.org/2001/XMLSchema-instance";

  // ---- The inputs: what can be absent, repeated or chosen is stamped from a template when it is asked for.

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
    place.append(copy);
    openAll(place);
  }

  /** Fills the objects that are always there. */
  function openAll(place) {
    for (const field of place.querySelectorAll("[data-of]")) {
      const inside = partOf(field, "[data-place]");
      if (!partOf(field, "[data-include]") && !inside.hasChildNodes()) stamp(document.getElementById(`fields-${field.dataset.of}`), inside);
    }
  }

  function fill(field, template) {
    const place = partOf(field, "[data-place]");
    place.replaceChildren();
    if (template) stamp(template, place);
  }

  function picked(field, name) {
    if (field.dataset.kind === "object") return document.getElementById(`fields-${name}`);
    return [...field.querySelectorAll("template")].find((template) => template.dataset.alternative === name);
  }

  function addItem(field) {
    const item = document.createElement("div");
    const remove = document.createElement("button");
    item.className = "item";
    remove.type = "button";
    remove.className = "small";
    remove.textContent = "Remove";
    remove.setAttribute("aria-label", `Remove this item of ${field.dataset.name}`);
    remove.addEventListener("click", () => {
      item.remove();
      partOf(field, "[data-add]").focus();
    });
    partOf(field, "[data-items]").append(item);
    stamp(partOf(field, "template"), item);
    item.append(remove);
    item.querySelector("input, select, textarea, button").focus();
  }

  function onClick({ target }) {
    if (target.matches("[data-add]")) addItem(target.closest("[data-kind]"));
  }

  function onChange({ target }) {
    const field = target.closest("[data-kind]");
    if (target.matches("[data-include]")) fill(field, target.checked && document.getElementById(`fields-${field.dataset.of}`));
    if (target.matches("[data-pick]")) fill(field, picked(field, target.value));
    if (target.name === "binding") offerHeaders();
    if (last && (target === indent || target === reveal)) show(last);
  }

  /** How the binding that is picked is called: its envelope and headers, or its method. */
  const binding = () => form.querySelector("[name=binding]:checked").dataset;

  function offerHeaders() {
    if (headers) headers.hidden = !binding().envelope;
  }

  // ---- The values, as XML.

  const valueOf = (field) => textIn(partOf(field, "[data-value]"), (option) => option.value, " ");
  /** The text of an input, or the names of the options that are picked. */
  const textIn = (input, name, between) => (input.selectedOptions ? [...input.selectedOptions].map(name).join(between) : input.value);
  const add = (parent, { dataset }) => parent.appendChild(parent.ownerDocument.createElementNS(dataset.namespace || null, dataset.name));

  /** Puts the value of a field, which may be XML, into an element. */
  function put(element, field, value) {
    const isXml = ["any", "dataSet", "dataTable"].includes(field.dataset.type);
    element.append(...(isXml ? fragment(value, element.ownerDocument) : [value]));
  }

  function addAbsent(parent, field) {
    if (field.dataset.absent === "nil") add(parent, field).setAttributeNS(XSI, "xsi:nil", "true");
  }

  const write = {
    value(parent, field) {
      const value = valueOf(field);
      if (value === "" && field.dataset.absent) return addAbsent(parent, field);
      put(add(parent, field), field, value);
    },
    attribute(parent, field) {
      const value = valueOf(field);
      if (value === "" && field.dataset.absent) return;
      const { name, namespace: own } = field.dataset;
      const space = types || own;
      if (space) parent.setAttributeNS(space, `${space === XML ? "xml" : "p"}:${name}`, value);
      else parent.setAttribute(name, value);
    },
    text(parent, field) {
      put(parent, field, valueOf(field));
    },
    object(parent, field) {
      const { absent, declared } = field.dataset;
      const type = partOf(field, "[data-pick]")?.value;
      const isLeftOut = declared ? !type : partOf(field, "[data-include]")?.checked === false;
      if (absent && isLeftOut) return addAbsent(parent, field);
      const element = add(parent, field);
      if (type && type !== declared) {
        const [, own, local] = /^(?:\{(.*)\})?(.*)$/s.exec(type);
        element.setAttributeNS(XMLNS, "xmlns:q1", types ?? own ?? namespace);
        element.setAttributeNS(XSI, "xsi:type", `q1:${local}`);
      }
      writeAll(element, field);
    },
    list(parent, field) {
      const isEmpty = fieldsOf(field).length === 0;
      if (isEmpty && field.dataset.absent) return addAbsent(parent, field);
      const element = "wrapped" in field.dataset ? add(parent, field) : parent;
      // An encoded array says that it is one.
      if (types) element.setAttributeNS("http://www.w3.org/2003/05/soap-encoding", "enc:arraySize", "*");
      writeAll(element, field);
    },
    choice: (parent, field) => writeAll(parent, field),
  };

  function writeAll(parent, field) {
    for (const inner of fieldsOf(field)) write[inner.dataset.kind](parent, inner);
  }

  function fragment(text, owner) {
    const parsed = new DOMParser().parseFromString(`<x>${text}</x>`, "text/xml");
    if (parsed.querySelector("parsererror")) throw new Error(`this is no XML: ${text}`);
    return [...parsed.documentElement.childNodes].map((node) => owner.importNode(node, true));
  }

  function writeHeaders(envelope, soap) {
    const header = envelope.ownerDocument.createElementNS(soap, "soap:Header");
    for (const field of headers ? fieldsOf(headers) : []) {
      write[field.dataset.kind](header, field);
      if ("mustUnderstand" in field.dataset) header.lastElementChild?.setAttributeNS(soap, "soap:mustUnderstand", "1");
    }
    if (header.hasChildNodes()) envelope.append(header);
  }

  function message(soap) {
    const xml = document.implementation.createDocument(soap, "soap:Envelope");
    const root = xml.documentElement;
    root.setAttributeNS(XMLNS, "xmlns:xsi", XSI);
    root.setAttributeNS(XMLNS, "xmlns:xsd", "http://www.w3.org/2001/XMLSchema");
    writeHeaders(root, soap);
    const body = root.appendChild(xml.createElementNS(soap, "soap:Body"));
    // The parameters of a bare message stand in the Body themselves.
    writeAll(request ? body.appendChild(xml.createElementNS(form.dataset.requestNamespace ?? namespace, request)) : body, parameters);
    return `<?xml version="1.0" encoding="utf-8"?>${new XMLSerializer().serializeToString(xml)}`;
  }

  // ---- The values, as fields of a form.

  const encoded = (text) => encodeURIComponent(text).replace(/%20/g, "+");

  function formFields() {
    const pairs = fieldsOf(parameters).flatMap((field) => {
      const values = field.dataset.kind === "list" ? fieldsOf(field) : [field];
      return values.flatMap(textsOf).map((text) => `${encoded(netOf(field))}=${encoded(text)}`);
    });
    return pairs.join("&");
  }

  /** Bytes are one number each, as Microsoft's callers send them. */
  function textsOf(field) {
    const value = valueOf(field).trim();
    const { name, type } = field.dataset;
    if (type === "base64Binary") return [...decoded(name, value)].map((byte) => String(byte.charCodeAt(0)));
    if (type !== "hexBinary") return [textIn(partOf(field, "[data-value]"), (option) => option.dataset.net ?? option.value, ", ")];
    if (!/^([0-9a-f]{2})*$/i.test(value)) throw new Error(`${name} is no text of hexadecimal digits`);
    return (value.match(/../g) ?? []).map((byte) => String(parseInt(byte, 16)));
  }

  function decoded(name, base64) {
    try {
      return atob(base64);
    } catch {
      throw new Error(`${name} is no base64`);
    }
  }

  // ---- The values, as JSON. Dates and names of enumerations are texts, which .NET reads as well.

  const NUMBERS = /^(unsigned(Byte|Short|Int|Long)|byte|short|int|long|float|double|decimal)$/;

  /** The JSON of a field; nothing if the value is absent. */
  function jsonOf(field) {
    const { kind, name, type, absent, declared } = field.dataset;
    if (kind === "list") {
      const items = fieldsOf(field).map((item) => jsonOf(item) ?? "null");
      return items.length || !absent ? `[${items}]` : undefined;
    }
    if (kind === "object") {
      const picked = partOf(field, "[data-pick]")?.value;
      const isLeftOut = declared ? !picked : partOf(field, "[data-include]")?.checked === false;
      if (isLeftOut) return absent ? undefined : "{}";
      return `{${[...typeMember(picked, declared), ...members(field)]}}`;
    }
    const text = textIn(partOf(field, "[data-value]"), (option) => option.dataset.net ?? option.value, ", ");
    if (text === "" && absent) return undefined;
    if (["base64Binary", "hexBinary"].includes(type)) return `[${textsOf(field)}]`;
    if (type === "anyType") return checkedJson(name, text);
    const one = (value) => ((type === "boolean" && /^(true|false)$/.test(value)) || (NUMBERS.test(type) && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)) ? value : JSON.stringify(value));
    return "texts" in field.dataset ? `[${text.split(/\s+/).filter(Boolean).map(one)}]` : one(text);
  }

  /** The members of the fields in a field, without absent ones. */
  const members = (field) => fieldsOf(field).flatMap((inner) => (jsonOf(inner) === undefined ? [] : [`${JSON.stringify(netOf(inner))}:${jsonOf(inner)}`]));

  const netOf = ({ dataset }) => dataset.net ?? dataset.name;

  /** What says the type of an object that is not the declared one. */
  function typeMember(type, declared) {
    if (!type || type === declared) return [];
    const { scriptType } = document.getElementById(`fields-${type}`).dataset;
    if (!scriptType) throw new Error(`callers over JSON do not know the type ${type}`);
    return [`"__type":${JSON.stringify(scriptType)}`];
  }

  function checkedJson(name, text) {
    try {
      JSON.parse(text);
      return text;
    } catch {
      throw new Error(`${name} is no JSON`);
    }
  }

  /** Every parameter is there, in a body and in a query. */
  function jsonCall(method, target, contentType) {
    const given = fieldsOf(parameters).map((field) => [netOf(field), jsonOf(field) ?? "null"]);
    const headers = { "Content-Type": contentType };
    if (method === "POST") return { method, target, headers, body: `{${given.map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}` };
    const query = given.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
    return { method, target: query ? `${target}?${query}` : target, headers };
  }

  // ---- The call.

  function call() {
    const path = location.pathname;
    const { envelope, contentType, soapAction, method } = binding();
    if (envelope) {
      const headers = { "Content-Type": contentType, ...(soapAction !== undefined && { SOAPAction: `"${soapAction}"` }) };
      return { method: "POST", target: path, headers, body: message(envelope) };
    }
    const target = `${path}/${encodeURIComponent(operation)}`;
    if (contentType) return jsonCall(method, target, contentType);
    const data = formFields();
    if (method === "GET") return { method, target: data ? `${target}?${data}` : target, headers: {} };
    return { method, target, headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: data };
  }

  let running;
  let last;

  async function invoke() {
    running?.abort();
    const { signal } = (running = new AbortController());
    last = undefined;
    exchange.hidden = true;
    say("Waiting for the answer …");
    try {
      const { method, target, headers, body } = call();
      const hidesAnswer = "secretAnswer" in binding();
      const start = performance.now();
      const answer = await fetch(target, { method, headers, body, signal, cache: "no-store", redirect: "manual" });
      const text = await answer.text();
      last = { sent: { method, target, headers, body }, answer, text, hidesAnswer };
      show(last);
      say(`${answer.status} ${answer.statusText} after ${Math.round(performance.now() - start)} ms`, answer.ok ? "good" : "bad");
    } catch (error) {
      if (!signal.aborted) say(`Not called: ${error.message}`, "bad");
    }
  }

  function say(text, verdict = "") {
    status.textContent = text;
    status.className = `status ${verdict}`;
  }

  // ---- What is shown.

  function show({ sent: { method, target, headers, body }, answer, text, hidesAnswer }) {
    const length = body === undefined ? [] : [["Content-Length", new TextEncoder().encode(body).length]];
    const sent = [["Host", location.host], ...Object.entries(headers), ...length];
    const received = [...answer.headers].map(([name, value]) => [name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()), value]);
    document.getElementById("sent").textContent = shown(`${method} ${target} HTTP/1.1`, sent, masked(body ?? ""));
    document.getElementById("received").textContent = shown(`HTTP/1.1 ${answer.status} ${answer.statusText}`, received, hidesAnswer && answer.ok && !reveal?.checked ? "[secret]" : masked(text));
    exchange.hidden = false;
  }

  const shown = (start, headers, body) => [start, ...headers.map((header) => header.join(": ")), "", laidOut(body)].join("\n");

  const isJson = (body) => /^\s*[{[]/.test(body);

  /** A body with its secrets hidden: elements, attributes, form fields and members of their names. */
  function masked(body) {
    if (!secrets.length || reveal.checked) return body;
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
    const shown = [];
    let name;
    for (let at = 0; at < tokens.length; at += 1) {
      shown.push(tokens[at]);
      if (tokens[at].startsWith('"')) name = tokens[at].slice(1, -1);
      if (tokens[at] !== ":" || !secrets.includes(name)) continue;
      shown.push('"[secret]"');
      for (let depth = 0; at + 1 < tokens.length; at += 1) {
        const next = tokens[at + 1];
        if (depth === 0 && (next === "," || closes(next))) break;
        depth += Number(opens(next)) - Number(closes(next));
      }
    }
    return shown.join("");
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

  /** Beyond so many characters a body is shown as it is. */
  const LONG = 1_000_000;

  function laidOut(body) {
    if (!indent.checked || body.length > LONG) return body;
    if (isJson(body)) return jsonLines(body);
    if (!/^\s*</.test(body)) return body;
    const parsed = new DOMParser().parseFromString(body, "text/xml");
    if (parsed.querySelector("parsererror")) return body;
    const declaration = /^<\?xml[^>]*\?>/.exec(body)?.[0];
    return [...(declaration ? [declaration] : []), ...lines(parsed.documentElement, "")].join("\n");
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

  form.addEventListener("click", onClick);
  form.addEventListener("change", onChange);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    invoke();
  });
  openAll(form);
  offerHeaders();
  document.getElementById("no-script").hidden = true;
  form.hidden = false;
})();
