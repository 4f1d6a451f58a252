// The values of the form as messages: XML, fields of a form, JSON.

const XMLNS = "http://www.w3.org/2000/xmlns/";
const XML = "http://www.w3.org/XML/1998/namespace";
const XSI = "http://www.w3.org/2001/XMLSchema-instance";

const valueOf = (field) => textIn(partOf(field, "[data-value]"), (option) => option.value, " ");
/** The text of an input, or the names of the options that are picked. */
const textIn = (input, name, between) => (input.selectedOptions ? [...input.selectedOptions].map(name).join(between) : input.value);
const netValueOf = (field) => textIn(partOf(field, "[data-value]"), (option) => option.dataset.net ?? option.value, ", ");
const netOf = ({ dataset }) => dataset.net ?? dataset.name;

/** The type of an object that is picked; nothing if it is the only one. */
const pickOf = (field) => partOf(field, "[data-pick]")?.value;

/** How a value is not there, "omit" or "nil"; nothing if it is there. */
function absenceOf(field) {
  const { kind, absent, declared } = field.dataset;
  const usual = absent === "nil" ? "nil" : "omit";
  const state = partOf(field, "[data-state]")?.value;
  if (!absent) return undefined;
  if (kind === "object") {
    const isThere = declared ? pickOf(field) : partOf(field, "[data-include]")?.checked !== false;
    return isThere ? undefined : (state ?? usual);
  }
  if (kind === "choice") return pickOf(field) ? undefined : usual;
  if (kind === "list") return fieldsOf(field).length && state !== "nil" ? undefined : state === "sent" ? undefined : (state ?? usual);
  if (state) return state === "sent" ? undefined : state;
  if (valueOf(field) !== "") return undefined;
  const option = partOf(field, "[data-value]").selectedOptions?.[0];
  return option && "nil" in option.dataset ? "nil" : usual;
}

// ---- XML.

const add = (parent, { dataset }) => parent.appendChild(parent.ownerDocument.createElementNS(dataset.namespace || null, dataset.name));

/** Puts the value of a field, which may be XML, into an element. */
function put(element, field, value) {
  const isXml = ["any", "dataSet", "dataTable"].includes(field.dataset.type);
  element.append(...(isXml ? fragment(value, element.ownerDocument) : [value]));
}

function addAbsent(parent, field, absence) {
  if (absence === "nil") add(parent, field).setAttributeNS(XSI, "xsi:nil", "true");
}

const write = {
  value(parent, field) {
    const absence = absenceOf(field);
    if (absence) return addAbsent(parent, field, absence);
    put(add(parent, field), field, valueOf(field));
  },
  attribute(parent, field) {
    if (absenceOf(field)) return;
    const { name, namespace: own } = field.dataset;
    const space = types || own;
    if (space) parent.setAttributeNS(space, `${space === XML ? "xml" : "p"}:${name}`, valueOf(field));
    else parent.setAttribute(name, valueOf(field));
  },
  text(parent, field) {
    put(parent, field, valueOf(field));
  },
  object(parent, field) {
    const { declared } = field.dataset;
    const absence = absenceOf(field);
    if (absence) return addAbsent(parent, field, absence);
    const element = add(parent, field);
    const type = pickOf(field);
    if (type && type !== declared) {
      const [, own, local] = /^(?:\{(.*)\})?(.*)$/s.exec(type);
      element.setAttributeNS(XMLNS, "xmlns:q1", types ?? own ?? namespace);
      element.setAttributeNS(XSI, "xsi:type", `q1:${local}`);
    }
    writeAll(element, field);
  },
  list(parent, field) {
    const absence = absenceOf(field);
    if (absence) return addAbsent(parent, field, absence);
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

// ---- Fields of a form. What is left out is an empty text there, as servers want every field.

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
  if (type !== "hexBinary") return [netValueOf(field)];
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

// ---- JSON. Dates and names of enumerations are texts, which .NET reads as well.

/** The JSON of a field; nothing if the value is absent. */
function jsonOf(field) {
  const { kind, name, type, absent, declared } = field.dataset;
  const absence = absenceOf(field);
  if (absence) return absence === "nil" && absent === "either" ? "null" : undefined;
  if (kind === "list") return `[${fieldsOf(field).map((item) => jsonOf(item) ?? "null")}]`;
  if (kind === "object") {
    const isLeftOut = declared ? !pickOf(field) : partOf(field, "[data-include]")?.checked === false;
    return isLeftOut ? "{}" : `{${[...typeMember(pickOf(field), declared), ...members(field)]}}`;
  }
  const text = netValueOf(field);
  if (["base64Binary", "hexBinary"].includes(type)) return `[${textsOf(field)}]`;
  if (type === "anyType" || type.endsWith("{}")) return checkedJson(name, text);
  const one = (value) => ((type === "boolean" && /^(true|false)$/.test(value)) || (NUMBERS.test(type) && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)) ? value : JSON.stringify(value));
  return "texts" in field.dataset ? `[${text.split(/\s+/).filter(Boolean).map(one)}]` : one(text);
}

/** The members of the fields in a field, without absent ones. */
const members = (field) => fieldsOf(field).flatMap((inner) => (jsonOf(inner) === undefined ? [] : [`${JSON.stringify(netOf(inner))}:${jsonOf(inner)}`]));

/** What says the type of an object that is not the declared one. */
function typeMember(type, declared) {
  if (!type || type === declared) return [];
  const { scriptType } = byId(`fields-${type}`).dataset;
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
  const sent = { "Content-Type": contentType };
  if (method === "POST") return { method, target, headers: sent, body: `{${given.map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}` };
  const query = given.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  return { method, target: query ? `${target}?${query}` : target, headers: sent };
}

// ---- The request.

/** HTTP headers that the reader adds, by name. */
function addedHeaders() {
  const rows = [...document.querySelectorAll("[data-headers] > *")];
  const pairs = rows.map((row) => [...row.querySelectorAll("input")].map((input) => input.value.trim()));
  return pairs.filter(([name]) => name);
}

/** The request that the form says: method, target, headers, body. */
function requestOf() {
  const path = location.pathname;
  const { envelope, contentType, soapAction, method } = binding();
  const whole = byId("use-whole").checked ? byId("whole-text").value : undefined;
  const finish = (call) => ({ ...call, headers: { ...call.headers, ...Object.fromEntries(addedHeaders()) } });
  if (envelope) {
    const sent = { "Content-Type": contentType, ...(soapAction !== undefined && { SOAPAction: `"${soapAction}"` }) };
    return finish({ method: "POST", target: path, headers: sent, body: whole ?? message(envelope) });
  }
  const target = `${path}/${encodeURIComponent(operation)}`;
  if (method === "POST" && whole !== undefined) return finish({ method, target, headers: { "Content-Type": contentType ?? "application/x-www-form-urlencoded" }, body: whole });
  if (contentType) return finish(jsonCall(method, target, contentType));
  const data = formFields();
  if (method === "GET") return finish({ method, target: data ? `${target}?${data}` : target, headers: {} });
  return finish({ method, target, headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: data });
}
