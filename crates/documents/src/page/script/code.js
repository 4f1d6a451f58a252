// The request as code. Secrets are placeholders: "[secret]".

const localOf = (key) => key.replace(/^\{.*\}/, "");

// ---- The values of the form, without the notation of a message.

function valueIn(field) {
  const { kind, name, rust, type, typeRust, absent, declared, of } = field.dataset;
  const common = { name, rust, kind, type, absent, absence: absenceOf(field) };
  if (kind === "list") {
    const item = partOf(field, "template")?.content.firstElementChild?.dataset ?? {};
    return { ...common, isWrapped: "wrapped" in field.dataset, itemType: localOf(item.declared || item.of || item.type || "object"), items: fieldsOf(field).map(valueIn) };
  }
  const pick = pickOf(field);
  if (kind === "choice") return { ...common, isSequence: "sequence" in field.dataset, members: fieldsOf(field).map(valueIn) };
  if (kind === "object") return { ...common, key: pick || declared || of, type: localOf(pick || declared || of), declared, members: fieldsOf(field).map(valueIn) };
  const input = partOf(field, "[data-value]");
  const isSecret = "secret" in field.dataset;
  const isEnum = input.tagName === "SELECT" && type !== "boolean";
  const options = isEnum ? [...input.selectedOptions].map((option) => ({ name: option.value, rust: option.dataset.rust })) : [];
  return { ...common, typeRust, isSecret, isEnum, isFlags: input.multiple, isTexts: "texts" in field.dataset, options, text: isSecret ? "[secret]" : valueOf(field) };
}

const isThere = ({ absence }) => !absence;
const given = (place) => (place ? fieldsOf(place).map(valueIn) : []);
const block = (open, items, close, pad) => (items.length ? `${open}\n${items.map((item) => `${pad}    ${item},\n`).join("")}${pad}${close}` : `${open}${close}`);

// ---- Rust: the client that svcgen generates. The page knows the names that do not follow from those on the wire.

/** The words of a name, as the generator divides it. */
const words = (name) => name.replace(/([a-z]\d*)(?=[A-Z])/g, "$1_").replace(/([A-Z]\d*)(?=[A-Z][a-z])/g, "$1_").split(/[^A-Za-z0-9]+/).filter(Boolean);
const snake = (name) => words(name).join("_").toLowerCase();
const camel = (name) => words(name).map((word) => word[0].toUpperCase() + word.slice(1).toLowerCase()).join("");
const RUST_WORDS = /^(abstract|as|async|await|become|box|break|const|continue|do|dyn|else|enum|extern|false|final|fn|for|gen|if|impl|in|let|loop|macro|match|mod|move|mut|override|priv|pub|ref|return|static|struct|trait|true|try|type|typeof|unsafe|unsized|use|virtual|where|while|yield)$/;
const identifier = (name) => (/^\d/.test(name) ? `_${name}` : /^(self|Self|super|crate)$/.test(name) ? `${name}_` : RUST_WORDS.test(name) ? `r#${name}` : name);
const fieldName = ({ name, rust, kind }) => rust ?? (kind === "text" ? "value" : identifier(snake(name)));
const typeName = (key) => byId(`fields-${key}`)?.dataset.rust ?? identifier(camel(localOf(key)));
/** A name within a longer one. */
const part = (rust) => rust.replace(/^r#/, "").replace(/_+$/, "");

/** The types that the code names. */
const named = new Set();

function naming(name) {
  named.add(name);
  return name;
}

function rustValue(value, pad, owner) {
  const { kind, absent, isWrapped } = value;
  // Without items an unwrapped list is there as well.
  const isOptional = absent && (kind !== "list" || isWrapped);
  if (isOptional && !isThere(value)) return "None";
  const written = { list: rustList, choice: rustGroup, object: rustObject }[kind] ?? rustSimple;
  const text = written(value, pad, owner);
  // Large objects are boxed where they may be absent.
  return isOptional ? `Some(${text}${kind === "object" ? ".into()" : ""})` : text;
}

const rustList = ({ items }, pad, owner) => block("vec![", items.map((item) => rustValue(item, `${pad}    `, owner)), "]", pad);

function rustGroup(value, pad, owner) {
  const name = naming(part(owner) + camel(part(fieldName(value))));
  if (value.isSequence) return `${name} ${rustFields(value.members, pad, name)}`;
  const [only] = value.members;
  if (!only) return `${name}::default()`;
  const variant = only.rust ?? identifier(camel(only.name));
  const isBoxed = only.kind === "object" && !only.absent;
  return `${name}::${variant}(${rustValue(only, pad, name)}${isBoxed ? ".into()" : ""})`;
}

function rustObject({ key, declared, members }, pad) {
  const name = naming(typeName(key));
  const object = `${name} ${rustFields(members, pad, name, "more" in (byId(`fields-${key}`)?.dataset ?? {}))}`;
  return declared ? `${naming(`Any${part(typeName(declared))}`)}::from(${object})` : object;
}

function rustFields(members, pad, owner, hasMore = false) {
  const there = members.filter((member) => isThere(member) || (member.kind === "list" && !member.isWrapped));
  const fields = there.map((member) => `${pad}    ${fieldName(member)}: ${rustValue(member, `${pad}    `, owner)},\n`);
  if (hasMore || there.length < members.length) fields.push(`${pad}    ..Default::default()\n`);
  return fields.length ? `{\n${fields.join("")}${pad}}` : "{}";
}

function rustSimple(value) {
  const { type, typeRust, isSecret, isEnum, isFlags, isTexts, options, text } = value;
  if (isEnum) {
    const name = naming(typeRust ?? identifier(camel(type)));
    const values = options.map((option) => `${name}::${option.rust ?? identifier(isFlags ? snake(option.name).toUpperCase() : camel(option.name))}`);
    return values.join(" | ") || `${name}::default()`;
  }
  if (isTexts) return `vec![${text.split(/\s+/).filter(Boolean).map((one) => rustText(type, one)).join(", ")}]`;
  if (!isSecret) return rustText(type, text);
  if (type === "base64Binary") return 'b"[secret]".as_slice().into()';
  return TEXTS.test(type) ? '"[secret]".into()' : 'svcgen::Secret::new("[secret]".parse()?)';
}

const TEXTS = /^(string|normalizedString|token|anyURI|language|Name|NCName|NMTOKEN|ID)$/;
/** More bytes are read from a file. */
const MOST_BYTES = 64;

function rustText(type, text) {
  const isNumber = NUMBERS.test(type) && type !== "decimal" && /^-?\d+(\.\d+)?$/.test(text) && !complaintOf({ dataset: { type } }, text);
  if (isNumber) return /^(double|float)$/.test(type) && !text.includes(".") ? `${text}.0` : text;
  if (type === "boolean" && /^(true|false)$/.test(text)) return text;
  if (type === "decimal") return rustDecimal(text);
  if (type === "base64Binary") return text.length > MOST_BYTES * 2 ? 'std::fs::read("bytes")?' : `vec![${bytesOf(text).join(", ")}]`;
  const quotes = /["\\\r\n]/.test(text) ? `r##"${text}"##` : `"${text}"`;
  return TEXTS.test(type) ? `${quotes}.to_owned()` : `${quotes}.parse()?`;
}

/** The errors of its parser are none of the standard library. */
function rustDecimal(text) {
  const digits = text.trim().replace(".", "");
  if (!decimalOf(text.trim()) || digits.length > 18) return "Default::default()";
  return `svcgen::types::Decimal::new(${BigInt(digits)}, ${text.trim().split(".")[1]?.length ?? 0})`;
}

function bytesOf(base64) {
  try {
    return [...atob(base64.trim())].map((byte) => byte.charCodeAt(0));
  } catch {
    return [];
  }
}

function rust(_, variant) {
  named.clear();
  const base = form.dataset.rustService ?? identifier(camel(service));
  const method = form.dataset.rust ?? identifier(snake(operation));
  const client = naming(`${part(base)}Client`);
  const members = given(parameters);
  const sent = given(headers);
  const lines = [`let client = ${client}::connect("${location.origin}${location.pathname}")?${variant === "Soap11" ? "" : `.with_binding(svcgen::Binding::${variant})`};`];
  const structure = (what, fields, hasMore) => {
    const name = naming(`${camel(part(method))}${what}`);
    lines.push(`let ${what.toLowerCase()} = ${name} ${rustFields(fields, "", name, hasMore)};`);
    return `&${what.toLowerCase()}`;
  };
  const passed = [...(sent.length ? [structure("Headers", sent)] : []), ...(members.length || "more" in form.dataset ? [structure("Request", members, "more" in form.dataset)] : [])];
  lines.push(`let answer = client.${method}(${passed.join(", ")}).await?;`);
  const names = [...named].sort();
  const used = names.length > 1 ? `{${names.join(", ")}}` : names[0];
  return `use ${identifier(snake(part(base)))}::${used};\n\n${lines.join("\n")}`;
}

// ---- C#: a proxy of wsdl.exe, or HttpClient.

const quoted = (text) => JSON.stringify(text);

const CSHARP_WORDS = /^(abstract|as|base|bool|break|byte|case|catch|char|checked|class|const|continue|decimal|default|delegate|do|double|else|enum|event|explicit|extern|false|finally|fixed|float|for|foreach|goto|if|implicit|in|int|interface|internal|is|lock|long|namespace|new|null|object|operator|out|override|params|private|protected|public|readonly|ref|return|sbyte|sealed|short|sizeof|stackalloc|static|string|struct|switch|this|throw|true|try|typeof|uint|ulong|unchecked|unsafe|ushort|using|virtual|void|volatile|while)$/;

/** The name that a proxy has for a name on the wire. */
function csharpName(name) {
  const valid = name.replace(/[^\p{L}\p{N}_]/gu, "").replace(/^(?=\p{N})/u, "Item");
  return CSHARP_WORDS.test(valid) ? `@${valid}` : valid;
}

/** What simple types are called there. */
const CSHARP_TYPES = { boolean: "bool", byte: "sbyte", unsignedByte: "byte", short: "short", unsignedShort: "ushort", int: "int", unsignedInt: "uint", long: "long", unsignedLong: "ulong", float: "float", double: "double", decimal: "decimal", date: "DateTime", dateTime: "DateTime", time: "DateTime", base64Binary: "byte[]", hexBinary: "byte[]" };
const csharpType = (type) => CSHARP_TYPES[type] ?? (TEXTS.test(type) ? "string" : csharpName(type));

function csharpValue(value, pad) {
  const { kind, type, text } = value;
  if (!isThere(value)) return "null";
  if (kind === "list") return block(`new ${value.items.length ? "" : csharpType(value.itemType)}[] {`, value.items.map((item) => csharpValue(item, `${pad}    `)), "}", pad);
  if (kind === "object") return block(`new ${csharpName(type)} {`, csharpMembers(value.members, `${pad}    `), "}", pad);
  if (kind === "choice") return value.members[0] ? csharpValue(value.members[0], pad) : "null";
  if (value.isEnum) return value.options.map(({ name }) => `${csharpName(type)}.${csharpName(name)}`).join(" | ") || `default(${csharpType(type)})`;
  if (value.isSecret) return type === "base64Binary" ? 'System.Text.Encoding.UTF8.GetBytes("[secret]")' : '"[secret]"';
  if (type === "boolean") return text || "false";
  if (NUMBERS.test(type)) return /^[+-]?\d+(\.\d+)?$/.test(text || "0") ? `${text || 0}${{ decimal: "m", float: "f", long: "L", unsignedLong: "UL" }[type] ?? ""}` : `${csharpType(type)}.Parse(${quoted(text)})`;
  if (/^(date|dateTime|time)$/.test(type)) return `DateTime.Parse(${quoted(text)})`;
  if (type === "base64Binary") return `Convert.FromBase64String(${quoted(text)})`;
  return quoted(text);
}

const isCsharpValue = ({ kind, type, isEnum }) => ["value", "attribute"].includes(kind) && (isEnum || type === "boolean" || NUMBERS.test(type) || type in PICKERS);
/** Whether a second member, or a second argument, says that a value is there. */
const hasSpecified = (value) => /^(omit|either)$/.test(value.absent) && isCsharpValue(value);

function csharpMembers(members, pad) {
  return members.filter(isThere).flatMap((member) => {
    const name = member.kind === "choice" ? "Item" : csharpName(member.kind === "text" ? "Value" : member.name);
    const specified = hasSpecified(member) ? [`${name.replace("@", "")}Specified = true`] : [];
    return [`${name} = ${csharpValue(member, pad)}`, ...specified];
  });
}

function csharpArguments(value) {
  if (!hasSpecified(value)) return [csharpValue(value, "")];
  const nothing = `default(${csharpType(value.type)})`;
  return isThere(value) ? [csharpValue(value, ""), "true"] : [nothing, "false"];
}

/** A member is called as its header; that of a simple type is a class with a text. */
function csharpHeader(header) {
  const member = `${csharpName(header.name)}${header.name === header.type ? "Value" : ""}`;
  const value = csharpValue(header, "");
  return `client.${member} = ${header.kind === "object" ? value : `new ${csharpName(header.type)} { Text = new[] { ${value} } }`};\n`;
}

function csharp({ method, target, headers: sent, body }, variant) {
  if (!binding().envelope) {
    const content = body === undefined ? "" : `    Content = new StringContent(${verbatim(body)}, Encoding.UTF8, ${quoted(sent["Content-Type"].split(";")[0])}),\n`;
    return `using var http = new HttpClient();\nusing var request = new HttpRequestMessage(new HttpMethod("${method}"), ${quoted(location.origin + target)}) {\n${content}};\nusing var answer = await http.SendAsync(request);\nConsole.WriteLine(await answer.Content.ReadAsStringAsync());`;
  }
  const version = variant === "Soap12" ? ", SoapVersion = SoapProtocolVersion.Soap12" : "";
  const values = given(headers).filter(isThere).map(csharpHeader);
  const passed = given(parameters).flatMap(csharpArguments);
  return `// wsdl.exe ${location.origin}${location.pathname}?wsdl\nvar client = new ${csharpName(service)} { Url = ${quoted(location.origin + location.pathname)}${version} };\n${values.join("")}var answer = client.${operation === service ? "Call" : ""}${csharpName(operation)}(${passed.join(", ")});`;
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
  Rust: "The client that svcgen generates from the definition.",
  "C#": "A proxy of wsdl.exe over SOAP, HttpClient otherwise.",
  Python: "zeep over SOAP, requests otherwise.",
};
