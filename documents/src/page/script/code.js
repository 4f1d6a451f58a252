// The request as code. Secrets are placeholders: "[secret]".

const words = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2").split(/[^A-Za-z0-9]+/).filter(Boolean);
const snake = (name) => words(name).join("_").toLowerCase();
const pascal = (name) => words(name).map((word) => word[0].toUpperCase() + word.slice(1).toLowerCase()).join("");
const RUST_WORDS = /^(as|async|await|break|const|continue|crate|dyn|else|enum|extern|false|fn|for|gen|if|impl|in|let|loop|match|mod|move|mut|pub|ref|return|static|struct|super|trait|true|type|unsafe|use|where|while|abstract|become|box|do|final|macro|override|priv|try|typeof|unsized|virtual|yield)$/;
const rustName = (name) => (RUST_WORDS.test(snake(name)) ? `r#${snake(name)}` : snake(name));
const localOf = (key) => key.replace(/^\{.*\}/, "");

// ---- The values of the form, without the notation of a message.

function valueIn(field) {
  const { kind, name, type, absent, declared, of } = field.dataset;
  const common = { name, net: netOf(field), kind, type, isOptional: Boolean(absent), absence: absenceOf(field) };
  if (kind === "list") {
    const item = partOf(field, "template")?.content.firstElementChild?.dataset ?? {};
    return { ...common, isWrapped: "wrapped" in field.dataset, itemType: localOf(item.declared || item.of || item.type || "object"), items: fieldsOf(field).map(valueIn) };
  }
  const pick = pickOf(field);
  if (kind === "choice") return { ...common, pick, members: fieldsOf(field).map(valueIn) };
  if (kind === "object") return { ...common, type: localOf(pick || declared || of), declared: declared && localOf(declared), members: fieldsOf(field).map(valueIn) };
  const input = partOf(field, "[data-value]");
  const isSecret = "secret" in field.dataset;
  return { ...common, isSecret, isEnum: input.tagName === "SELECT" && type !== "boolean", isSeveral: input.multiple || "texts" in field.dataset, text: isSecret ? "[secret]" : valueOf(field) };
}

const isThere = ({ absence }) => !absence;
const given = (place) => (place ? fieldsOf(place).map(valueIn) : []);
const block = (open, items, close, pad) => (items.length ? `${open}\n${items.map((item) => `${pad}    ${item},\n`).join("")}${pad}${close}` : `${open}${close}`);

// ---- Rust: the client that svcgen generates.

function rustValue(value, pad, owner) {
  const { kind, type, isOptional, isSecret, isEnum } = value;
  if (!isThere(value)) return "None";
  const bare = (() => {
    if (kind === "list") return block("vec![", value.items.map((item) => rustValue(item, `${pad}    `, owner)), "]", pad);
    if (kind === "choice") {
      const [only] = value.members;
      const name = `${owner}${pascal(value.name)}`;
      return only ? `${name}::${pascal(only.name)}(${rustValue({ ...only, isOptional: false }, pad, owner)})` : "Default::default()";
    }
    if (kind === "object") {
      const name = pascal(type);
      const object = `${name} ${rustFields(value.members, pad, name)}`;
      return value.declared === undefined ? object : `Any${pascal(value.declared)}::${name}(${object})`;
    }
    if (isEnum) return value.isSeveral ? value.text.split(" ").map((one) => `${pascal(type)}::${pascal(one)}`).join(" | ") : `${pascal(type)}::${pascal(value.text)}`;
    if (isSecret) return '"[secret]".into()';
    if (type === "boolean" || (NUMBERS.test(type) && /^-?\d+(\.\d+)?$/.test(value.text) && type !== "decimal")) return /^(double|float)$/.test(type) && !value.text.includes(".") ? `${value.text}.0` : value.text;
    if (type === "base64Binary") return `vec![${textsQuietly(value.text)}].into()`;
    const text = rustText(value.text);
    return /^(string|normalizedString|token|anyURI|language|Name|NCName|NMTOKEN|ID)$/.test(type) ? `${text}.to_owned()` : `${text}.parse()?`;
  })();
  return isOptional && kind !== "choice" ? `Some(${bare})` : bare;
}

const textsQuietly = (base64) => {
  try {
    return [...atob(base64.trim())].map((byte) => byte.charCodeAt(0)).join(", ");
  } catch {
    return "";
  }
};
const rustText = (text) => (/["\\\n\r]/.test(text) ? `r##"${text}"##` : `"${text}"`);

function rustFields(members, pad, owner) {
  const there = members.filter(isThere);
  const fields = there.map((member) => `${rustName(member.name)}: ${rustValue(member, `${pad}    `, owner)}`);
  const lines = fields.map((field) => `${pad}    ${field},\n`);
  if (there.length < members.length) lines.push(`${pad}    ..Default::default()\n`);
  return lines.length ? `{\n${lines.join("")}${pad}}` : "{}";
}

function rust(_, variant) {
  const module = snake(service);
  const request = pascal(operation);
  const members = given(parameters);
  const sent = given(headers);
  const names = [`${pascal(service)}Client`, ...(members.length ? [`${request}Request`] : []), ...(sent.length ? [`${request}Headers`] : [])];
  const lines = [`use ${module}::{${names.join(", ")}}; // and the types that are named below`, ""];
  const over = variant === "Soap11" ? "" : `.with_binding(svcgen::Binding::${variant})`;
  lines.push(`let client = ${names[0]}::connect("${location.origin}")?${over};`);
  if (sent.length) lines.push(`let headers = ${request}Headers ${rustFields(sent, "", `${request}Headers`)};`);
  if (members.length) lines.push(`let request = ${request}Request ${rustFields(members, "", `${request}Request`)};`);
  const passed = [...(sent.length ? ["&headers"] : []), ...(members.length ? ["&request"] : [])];
  lines.push(`let answer = client.${rustName(operation)}(${passed.join(", ")}).await?;`);
  return lines.join("\n");
}

// ---- C#: a proxy of wsdl.exe, or HttpClient.

const quoted = (text) => JSON.stringify(text);

/** What simple types are called there, if not as in XML Schema. */
const CSHARP_TYPES = { boolean: "bool", date: "DateTime", dateTime: "DateTime", time: "DateTime", byte: "sbyte", unsignedByte: "byte", unsignedShort: "ushort", unsignedInt: "uint", unsignedLong: "ulong" };

function csharpValue(value, pad) {
  const { kind, type, text } = value;
  if (!isThere(value)) return "null";
  if (kind === "list") return block(`new ${value.items.length ? "" : CSHARP_TYPES[value.itemType] ?? value.itemType}[] {`, value.items.map((item) => csharpValue(item, `${pad}    `)), "}", pad);
  if (kind === "object") return block(`new ${type} {`, csharpMembers(value.members, `${pad}    `), "}", pad);
  if (kind === "choice") return value.members[0] ? csharpValue(value.members[0], pad) : "null";
  if (value.isEnum) return text.split(" ").map((one) => `${type}.${one}`).join(" | ");
  if (value.isSecret) return '"[secret]"';
  if (type === "boolean") return text;
  if (NUMBERS.test(type)) return `${text || 0}${{ decimal: "m", float: "f", long: "L", unsignedLong: "UL" }[type] ?? ""}`;
  if (/^(date|dateTime)$/.test(type)) return `DateTime.Parse(${quoted(text)})`;
  if (type === "base64Binary") return `Convert.FromBase64String(${quoted(text)})`;
  return quoted(text);
}

function csharpMembers(members, pad) {
  const isValue = ({ type, isEnum }) => isEnum || type === "boolean" || NUMBERS.test(type) || type in PICKERS;
  return members.filter(isThere).flatMap((member) => {
    const name = member.kind === "choice" ? "Item" : member.net;
    const specified = member.isOptional && ["value", "attribute"].includes(member.kind) && isValue(member) ? [`${name}Specified = true`] : [];
    return [`${name} = ${csharpValue(member, pad)}`, ...specified];
  });
}

function csharp({ method, target, headers: sent, body }, variant) {
  if (!binding().envelope) {
    const content = body === undefined ? "" : `    Content = new StringContent(${verbatim(body)}, Encoding.UTF8, ${quoted(sent["Content-Type"].split(";")[0])}),\n`;
    return `using var http = new HttpClient();\nusing var request = new HttpRequestMessage(new HttpMethod("${method}"), ${quoted(location.origin + target)}) {\n${content}};\nusing var answer = await http.SendAsync(request);\nConsole.WriteLine(await answer.Content.ReadAsStringAsync());`;
  }
  const version = variant === "Soap12" ? ", SoapVersion = SoapProtocolVersion.Soap12" : "";
  const values = given(headers).filter(isThere).map((header) => `client.${header.net}Value = ${header.kind === "object" ? csharpValue(header, "") : `new ${header.net} { Text = new[] { ${csharpValue(header, "")} } }`};\n`);
  const passed = given(parameters).map((value) => csharpValue(value, ""));
  return `// wsdl.exe ${location.origin}${location.pathname}?wsdl\nvar client = new ${service} { Url = ${quoted(location.origin + location.pathname)}${version} };\n${values.join("")}var answer = client.${operation}(${passed.join(", ")});`;
}

const verbatim = (text) => `@"${text.replace(/"/g, '""')}"`;

// ---- Python: zeep, or requests.

function pythonValue(value, pad) {
  const { kind, type, text } = value;
  if (!isThere(value)) return value.absence === "nil" ? "zeep.xsd.Nil" : "zeep.xsd.SkipValue";
  if (kind === "list") {
    const items = block("[", value.items.map((item) => pythonValue(item, `${pad}        `)), "]", `${pad}${value.isWrapped ? "    " : ""}`);
    return value.isWrapped && value.items.length ? `{${quoted(value.items[0].name)}: ${items}}` : items;
  }
  if (kind === "object") return block("{", value.members.flatMap(pythonParts).map(([name, member]) => `${quoted(name)}: ${pythonValue(member, `${pad}    `)}`), "}", pad);
  if (value.isSecret) return '"[secret]"';
  if (type === "boolean") return text === "true" ? "True" : "False";
  if (type === "decimal") return `decimal.Decimal(${quoted(text)})`;
  if (NUMBERS.test(type)) return /^-?\d+(\.\d+)?$/.test(text) ? text : `float(${quoted(text)})`;
  if (type === "base64Binary") return `base64.b64decode(${quoted(text)})`;
  return quoted(text);
}

/** The values that a field stands for, by name: of a choice those that are picked. */
const pythonParts = (value) => (value.kind === "choice" ? value.members.flatMap(pythonParts) : isThere(value) || value.absence === "nil" ? [[value.name, value]] : []);

function python({ method, target, headers: sent, body }, variant) {
  if (!binding().envelope) {
    const data = body === undefined ? "" : `\n    data=${pythonText(body)}.encode(),`;
    const named = Object.keys(sent).length ? `\n    headers=${JSON.stringify(sent)},` : "";
    return `import requests\n\nanswer = requests.request(\n    "${method}",\n    ${quoted(location.origin + target)},${named}${data}\n)\nprint(answer.text)`;
  }
  const passed = given(parameters).flatMap(pythonParts).map(([name, value]) => `${name}=${pythonValue(value, "    ")}`);
  const soap = given(headers).flatMap(pythonParts).map(([name, value]) => `${quoted(name)}: ${pythonValue(value, "        ")}`);
  const all = [...passed, ...(soap.length ? [`_soapheaders=${block("{", soap, "}", "    ")}`] : [])];
  const imports = ["base64", "decimal"].filter((module) => all.some((text) => text.includes(`${module}.`))).map((module) => `import ${module}\n`);
  const bound = variant === "Soap12" ? `client.bind(${quoted(service)}, ${quoted(`${service}Soap12`)})` : "client.service";
  return `${imports.join("")}import zeep\n\nclient = zeep.Client(${quoted(`${location.origin}${location.pathname}?wsdl`)})\nanswer = ${bound}.${operation}${block("(", all, ")", "")}`;
}

const pythonText = (text) => `"""${text.replace(/\\/g, "\\\\").replace(/"""/g, '\\"\\"\\"')}"""`;

// ---- Tools that send a message as it is.

const shellText = (text) => `'${text.replace(/'/g, "'\\''")}'`;

function curl({ method, target, headers: sent, body }) {
  const lines = [`curl ${shellText(location.origin + target)}`];
  if (method !== (body === undefined ? "GET" : "POST")) lines.push(`-X ${method}`);
  for (const [name, value] of Object.entries(sent)) lines.push(`-H ${shellText(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`--data-binary ${shellText(body)}`);
  return lines.join(" \\\n  ");
}

function powershell({ method, target, headers: sent, body }) {
  const text = (value) => `'${value.replace(/'/g, "''")}'`;
  const { "Content-Type": contentType, ...others } = sent;
  const lines = [`Invoke-WebRequest -Uri ${text(location.origin + target)}`, `-Method ${method}`];
  const pairs = Object.entries(others).map(([name, value]) => `${text(name)} = ${text(value)}`);
  if (contentType) lines.push(`-ContentType ${text(contentType)}`);
  if (pairs.length) lines.push(`-Headers @{ ${pairs.join("; ")} }`);
  if (body !== undefined) lines.push(`-Body ${text(body)}`);
  return lines.join(" `\n  ");
}

function javascript({ method, target, headers: sent, body }) {
  const parts = [`  method: "${method}",`];
  if (Object.keys(sent).length) parts.push(`  headers: ${JSON.stringify(sent, null, 2).replace(/\n/g, "\n  ")},`);
  if (body !== undefined) parts.push(`  body: \`${body.replace(/[\\`]|\$\{/g, "\\$&")}\`,`);
  return `const answer = await fetch(${quoted(location.origin + target)}, {\n${parts.join("\n")}\n});\nconsole.log(await answer.text());`;
}

const inLines = (call) => ({ ...call, body: call.body === undefined ? undefined : laidOut(call.body) });

/** What a request is shown as, by its name. */
const LANGUAGES = {
  HTTP: requestText,
  curl,
  Rust: rust,
  "C#": csharp,
  Python: python,
  PowerShell: powershell,
  JavaScript: javascript,
};
const ABOUT = {
  Rust: "The client that svcgen generates from the definition, with the names that it has by default.",
  "C#": "A proxy of wsdl.exe over SOAP, HttpClient otherwise.",
  Python: "zeep over SOAP, requests otherwise.",
};
