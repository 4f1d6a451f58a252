//! Messages match the WSDL: samples of each operation of each definition, in each direction and
//! over each binding, are validated by the schemas of the WSDL, and read back. The samples of the
//! help page have the same elements.

mod schema;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use roxmltree::{Document, Node};
use schema::Schemas;
use serde_json::{Value as Json, json};
use svcgen_documents::samples::Samples;
use svcgen_documents::{Shape, WsdlOptions, wsdl};
use svcgen_messages::{Answer, Operation, Service};
use svcgen_model::{Binding, Style};

const FOLDERS: [&str; 6] = [
    "service-defs",
    "examples/service-defs",
    "tests/definitions/valid",
    "tests/definitions/public",
    "tests/definitions/lab",
    "tests/definitions/with_options",
];

const WSDL: &str = "http://schemas.xmlsoap.org/wsdl/";

/// Returns the services of all definitions, with their files.
fn services() -> Vec<(String, Service)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut services = Vec::new();
    for folder in FOLDERS {
        let files = fs::read_dir(root.join(folder)).into_iter().flatten();
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.sort();
        for path in paths
            .iter()
            .filter(|path| path.extension().is_some_and(|end| end == "yaml"))
        {
            let is_service = fs::read_to_string(path).unwrap().contains("\noperations:");
            let file = path.strip_prefix(&root).unwrap().display().to_string();
            if is_service {
                services.push((file, Service::open(path).unwrap()));
            }
        }
    }
    services
}

/// A WSDL of a service.
struct Described<'w> {
    document: &'w Document<'w>,
    schemas: Schemas<'w>,
}

impl<'w> Described<'w> {
    /// Returns the parts of a message in the WSDL.
    fn parts(&self, name: &str) -> Result<Vec<Node<'w, 'w>>, String> {
        let mut nodes = self.document.descendants();
        let message = nodes.find(|node| {
            node.has_tag_name((WSDL, "message")) && node.attribute("name") == Some(name)
        });
        let message = message.ok_or_else(|| format!("there is no message {name}"))?;
        Ok(message.children().filter(Node::is_element).collect())
    }

    /// Checks a message of an operation, `In` or `Out`.
    fn check(
        &self,
        operation: Operation,
        (binding, direction): (Binding, &str),
        text: &str,
    ) -> Result<(), String> {
        // Nested lists may have other names over HTTP than in the schema, as in the original.
        let mut others = operation.service().row().row().list_names.iter();
        if !binding.is_soap() && others.any(|(_, name)| text.contains(&format!("<{name}>"))) {
            return Ok(());
        }
        let message = Document::parse(text).map_err(|error| error.to_string())?;
        let root = message.root_element();
        if !binding.is_soap() {
            let name = format!("{}{}Out", operation.name(), binding.variant());
            let part = self.parts(&name)?.into_iter().next().ok_or("no part")?;
            return match part.attribute("element") {
                Some(element) if schema::resolved(part, element) != schema::name_of(root) => {
                    Err(format!("it is described as {element}"))
                }
                Some(_) => self.schemas.element(root),
                // The message has the name of the root element.
                None => self.schemas.of_type(root, part),
            };
        }
        let part = |name: &str| root.children().find(|node| node.tag_name().name() == name);
        for header in part("Header").into_iter().flat_map(|node| node.children()) {
            if header.is_element() {
                self.schemas.element(header)?;
            }
        }
        let body = part("Body").ok_or("there is no Body")?;
        let mut elements = body.children().filter(Node::is_element);
        if operation.row().style != Style::Rpc {
            return elements.try_for_each(|element| self.schemas.element(element));
        }
        let wrapper = elements.next().ok_or("the Body is empty")?;
        let name = format!("{}Soap{direction}", operation.name());
        let parts = self.parts(&name)?;
        for child in wrapper.children().filter(Node::is_element) {
            // Parts are in no namespace.
            let (namespace, local) = schema::name_of(child);
            let is_it = |part: &&Node<'_, '_>| {
                namespace.is_empty() && part.attribute("name") == Some(&*local)
            };
            let part = parts.iter().find(is_it);
            let part = part.ok_or_else(|| format!("{local:?} is not part of {name}"))?;
            self.schemas.of_type(child, *part)?;
        }
        Ok(())
    }
}

/// Returns the body of a sample.
fn body_of(sample: &str) -> &str {
    sample.split_once("\n\n").map_or("", |(_, body)| body)
}

/// Whether a schema describes messages over a binding: for encoded messages it only has the types,
/// and for forms and JSON nothing.
fn is_described(operation: Operation, binding: Binding, direction: &str) -> bool {
    let row = operation.row();
    match binding {
        Binding::Soap11 | Binding::Soap12 => row.encoded.is_none(),
        Binding::HttpGet | Binding::HttpPost => {
            // The WSDL of ASMX does not describe operations with several results over HTTP.
            direction == "Out"
                && row
                    .result()
                    .is_some_and(|result| !result.type_ref.is_document())
                && !row.has_results_for_soap()
        }
        Binding::Json => false,
    }
}

#[test]
fn samples_are_valid_by_the_wsdl_and_read_as_they_were_written() {
    let mut wrong = Vec::new();
    let mut checked = BTreeSet::new();
    for (file, service) in services() {
        let options = WsdlOptions {
            shape: Shape::Portable,
            documentation: false,
            ..WsdlOptions::default()
        };
        let wsdl = wsdl(service.row(), "http://localhost/", options);
        let document = Document::parse(&wsdl).unwrap();
        let described = Described {
            document: &document,
            schemas: Schemas::of(&document),
        };
        for operation in service.operations() {
            let row = operation.row();
            for binding in row.bindings.iter() {
                let place = format!("{file} {} over {binding}", operation.name());
                let mut check = |direction: &str, text: &[u8]| {
                    if !is_described(operation, binding, direction) || text.is_empty() {
                        return;
                    }
                    checked.insert((row.style as usize, binding.key(), direction.to_owned()));
                    let text = std::str::from_utf8(text).unwrap();
                    if let Err(error) = described.check(operation, (binding, direction), text) {
                        wrong.push(format!("{place} {direction}: {error}\n  {text}"));
                    }
                };
                let parameters = operation.parameter_place().sample();
                let client = service.client((), "http://localhost").unwrap();
                let client = client.with_binding(binding);
                let headers = if binding.is_soap() {
                    operation.header_place().sample()
                } else {
                    Json::Null
                };
                let request = operation
                    .request_by(&client, &headers, &parameters)
                    .unwrap();
                check("In", request.body());
                let answer = operation.sample_answer();
                let response = operation.answer(&answer, binding);
                check("Out", response.body());
                // A server with a time zone converts times.
                if !binding.is_soap() || service.row().row().time_zone.is_some() {
                    continue;
                }
                match service.read_request(request) {
                    Ok(read) if read.parameters == parameters => {}
                    Ok(read) => wrong.push(format!(
                        "{place}: {parameters} is read as {}",
                        read.parameters
                    )),
                    Err(fault) => wrong.push(format!("{place}: {}", fault.text())),
                }
                if row.one_way {
                    continue;
                }
                match operation.read_answer(&response, binding) {
                    Ok(read) if read.value == answer.value => {}
                    Ok(read) => wrong.push(format!(
                        "{place}: {} is read as {}",
                        answer.value, read.value
                    )),
                    Err(error) => wrong.push(format!("{place}: {error}")),
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    // Each style in both directions over both versions of SOAP, and the answers of both HTTP
    // methods.
    assert!(checked.len() >= 14, "{checked:?}");
}

#[test]
fn samples_of_the_help_page_have_the_elements_that_the_wsdl_describes() {
    let mut wrong = Vec::new();
    for (file, service) in services() {
        let row = service.row();
        let options = WsdlOptions {
            shape: Shape::Portable,
            documentation: false,
            ..WsdlOptions::default()
        };
        let wsdl = wsdl(row, "http://localhost/", options);
        let document = Document::parse(&wsdl).unwrap();
        let schemas = Schemas::of(&document).for_samples();
        let described = Described {
            document: &document,
            schemas,
        };
        let samples = Samples::new(row);
        for operation in service.operations() {
            for sample in samples.of(operation.row(), "localhost") {
                let messages = [
                    ("In", sample.request.as_str()),
                    ("Out", sample.response.as_str()),
                ];
                for (direction, text) in
                    messages.map(|(direction, text)| (direction, body_of(text)))
                {
                    if text.is_empty() || !is_described(operation, sample.binding, direction) {
                        continue;
                    }
                    if let Err(error) =
                        described.check(operation, (sample.binding, direction), text)
                    {
                        wrong.push(format!(
                            "{file} {} {direction}: {error}\n{text}",
                            operation.name()
                        ));
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A service like one with `[SoapRpcService(Use=SoapBindingUse.Literal)]` in ASMX.
const RPC_LISTS: &str = "
service: RpcLists
namespace: urn:example:rpc-lists
path: /RpcLists.asmx
style: rpc
bindings: [soap11]
operations:
  Ints: { parameters: { v: 'int[]?' }, result: 'int[]?' }
  Points: { parameters: { v: 'Pt?[]?' }, result: 'Pt?[]?' }
  Jagged: { parameters: { v: 'int[]?[]?' }, result: 'int[]?[]?' }
  Held: { parameters: { v: 'Holder?' }, result: 'Holder?' }
  Out: { parameters: { v: 'string?[]?' }, results: { OutResult: 'string?[]?', n: 'int[]?' } }
  Named: { parameters: { v: { type: 'string?[]?', item: i } }, result: { type: 'string?[]?', item: r } }
types:
  Pt: { elements: { X: int, Y: int } }
  Holder: { elements: { Plain: 'string?[]?', Named: { type: 'string?[]?', item: x }, Jag: 'int[]?[]?' } }
";

/// Calls, and the answers of ASMX: parts are in no namespace, the items of lists in the namespace
/// of the schema.
const RPC_CALLS: [(&str, &str, &str); 6] = [
    (
        "Ints",
        "<v><r:int>1</r:int><r:int>2</r:int></v>",
        r#"<IntsResponse xmlns="urn:example:rpc-lists"><IntsResult xmlns=""><int xmlns="urn:example:rpc-lists">1</int><int xmlns="urn:example:rpc-lists">2</int></IntsResult></IntsResponse>"#,
    ),
    (
        "Points",
        "<v><r:Pt><r:X>1</r:X><r:Y>2</r:Y></r:Pt></v>",
        r#"<PointsResponse xmlns="urn:example:rpc-lists"><PointsResult xmlns=""><Pt xmlns="urn:example:rpc-lists"><X>1</X><Y>2</Y></Pt></PointsResult></PointsResponse>"#,
    ),
    (
        "Jagged",
        "<v><r:ArrayOfInt><r:int>1</r:int></r:ArrayOfInt><r:ArrayOfInt/></v>",
        r#"<JaggedResponse xmlns="urn:example:rpc-lists"><JaggedResult xmlns=""><ArrayOfInt xmlns="urn:example:rpc-lists"><int>1</int></ArrayOfInt><ArrayOfInt xmlns="urn:example:rpc-lists" /></JaggedResult></JaggedResponse>"#,
    ),
    (
        "Held",
        "<v><r:Plain><r:string>a</r:string></r:Plain><r:Named><r:x>b</r:x></r:Named><r:Jag><r:ArrayOfInt><r:int>1</r:int></r:ArrayOfInt></r:Jag></v>",
        r#"<HeldResponse xmlns="urn:example:rpc-lists"><HeldResult xmlns=""><Plain xmlns="urn:example:rpc-lists"><string>a</string></Plain><Named xmlns="urn:example:rpc-lists"><x>b</x></Named><Jag xmlns="urn:example:rpc-lists"><ArrayOfInt><int>1</int></ArrayOfInt></Jag></HeldResult></HeldResponse>"#,
    ),
    (
        "Out",
        "<v><r:string>a</r:string></v>",
        r#"<OutResponse xmlns="urn:example:rpc-lists"><OutResult xmlns=""><string xmlns="urn:example:rpc-lists">a</string></OutResult><n xmlns=""><int xmlns="urn:example:rpc-lists">1</int><int xmlns="urn:example:rpc-lists">2</int></n></OutResponse>"#,
    ),
    (
        "Named",
        "<v><r:i>a</r:i></v>",
        r#"<NamedResponse xmlns="urn:example:rpc-lists"><NamedResult xmlns=""><r xmlns="urn:example:rpc-lists">a</r></NamedResult></NamedResponse>"#,
    ),
];

#[tokio::test]
async fn lists_in_style_rpc_are_those_of_asmx() {
    let service = Service::of_definition("rpc_lists.yaml", RPC_LISTS).unwrap();
    let server = service.endpoint(|request| async move {
        let given = request.parameters["v"].clone();
        let several = json!({ "OutResult": given, "n": [1, 2] });
        let is_several = request.operation.name() == "Out";
        Ok(Answer::from(if is_several { several } else { given }))
    });
    for (name, parameters, answer) in RPC_CALLS {
        let body = format!(
            r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><r:{name} xmlns:r="urn:example:rpc-lists">{parameters}</r:{name}></s:Body></s:Envelope>"#
        );
        let request = http::Request::post("/RpcLists.asmx")
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", format!("\"urn:example:rpc-lists/{name}\""))
            .body(Bytes::from(body));
        let response = server.answer(request.unwrap()).await;
        let text = std::str::from_utf8(response.body()).unwrap();
        assert!(
            text.contains(&format!("<soap:Body>{answer}</soap:Body>")),
            "{text}"
        );
        // A client can read the items, too.
        let operation = service.operation(name).unwrap();
        let value = operation
            .read_answer(&response, Binding::Soap11)
            .unwrap()
            .value;
        let items = if name == "Out" { &value["n"] } else { &value };
        assert!(
            items.as_array().is_some_and(|items| !items.is_empty()) || name == "Held",
            "{name}: {value}"
        );
    }
}

/// Results with item names set by `[XmlArrayItem]`, and others.
const ROOTS: &str = "
service: Roots
namespace: urn:example:roots
path: /Roots.asmx
bindings: [soap11, soap12, http-get, http-post]
operations:
  Named: { result: { type: 'string?[]?', item: x } }
  Plain: { result: 'string?[]?' }
  Flat: { results: { flat: { type: 'string[]', list: unwrapped } }, result_element: flat }
  Points: { result: { type: 'Pt?[]?', item: p } }
  PlainPoints: { result: 'Pt?[]?' }
  NamedJag: { result: { type: 'int[]?[]?', item: [row, cell] } }
  Jag: { result: 'int[]?[]?' }
  Held: { result: 'Holder?' }
types:
  Pt: { elements: { X: int, Y: int } }
  Holder: { elements: { Plain: 'string?[]?', Named: { type: 'string?[]?', item: x }, Jag: 'int[]?[]?' } }
";

/// Returns results with the answers of ASMX over HTTP GET, where the names set by attributes do not
/// apply to the result itself.
fn roots() -> [(&'static str, Json, &'static str, &'static str); 8] {
    let point = json!({ "X": 0, "Y": 0 });
    let held = json!({ "Plain": ["a"], "Named": ["b"], "Jag": [[1]] });
    [
        (
            "Named",
            json!(["a", null]),
            "ArrayOfString",
            "<string>a</string><string xsi:nil=\"true\" />",
        ),
        ("Plain", json!(["b"]), "ArrayOfString", "<string>b</string>"),
        (
            "Flat",
            json!({ "flat": ["c"] }),
            "ArrayOfString",
            "<string>c</string>",
        ),
        (
            "Points",
            json!([point]),
            "ArrayOfPT",
            "<Pt><X>0</X><Y>0</Y></Pt>",
        ),
        (
            "PlainPoints",
            json!([point]),
            "ArrayOfPT",
            "<Pt><X>0</X><Y>0</Y></Pt>",
        ),
        (
            "NamedJag",
            json!([[1], [2]]),
            "ArrayOfArrayOfInt",
            "<ArrayOfInt><int>1</int></ArrayOfInt><ArrayOfInt><int>2</int></ArrayOfInt>",
        ),
        (
            "Jag",
            json!([[1]]),
            "ArrayOfArrayOfInt",
            "<ArrayOfInt><int>1</int></ArrayOfInt>",
        ),
        (
            "Held",
            held,
            "Holder",
            "<Plain><string>a</string></Plain><Named><x>b</x></Named><Jag><ArrayOfInt><int>1</int></ArrayOfInt></Jag>",
        ),
    ]
}

/// The root elements over HTTP in the WSDL of ASMX.
const ROOTS_IN_WSDL: [(&str, &str); 8] = [
    ("Named", "ArrayOfString1"),
    ("Plain", "ArrayOfString1"),
    ("Flat", "ArrayOfString1"),
    ("Points", "ArrayOfPT1"),
    ("PlainPoints", "ArrayOfPT1"),
    ("NamedJag", "ArrayOfArrayOfInt1"),
    ("Jag", "ArrayOfArrayOfInt1"),
    ("Held", "Holder"),
];

#[test]
fn lists_over_http_have_items_named_by_their_types() {
    let service = Service::of_definition("roots.yaml", ROOTS).unwrap();
    for (name, value, root, content) in roots() {
        let operation = service.operation(name).unwrap();
        let response = operation.answer(&Answer::from(value.clone()), Binding::HttpGet);
        let text = std::str::from_utf8(response.body()).unwrap();
        let lines: String = text.lines().map(str::trim_start).collect();
        let (_, written) = lines.split_once("xmlns=\"urn:example:roots\">").unwrap();
        assert!(lines.contains(&format!("<{root} xmlns:xsd=")), "{text}");
        assert_eq!(written, format!("{content}</{root}>"), "{name}");
        let read = operation.read_answer(&response, Binding::HttpGet).unwrap();
        assert_eq!(read.value, value, "{name}");
        // Over SOAP, the names are used.
        let response = operation.answer(&Answer::from(value.clone()), Binding::Soap11);
        assert_eq!(
            operation
                .read_answer(&response, Binding::Soap11)
                .unwrap()
                .value,
            value
        );
        let text = std::str::from_utf8(response.body()).unwrap();
        let own = [
            "<x>",
            "<string>",
            "<flat>",
            "<p>",
            "<Pt>",
            "<row><cell>",
            "<ArrayOfInt1><int>",
        ];
        let position = roots()
            .iter()
            .position(|(other, ..)| *other == name)
            .unwrap();
        assert!(
            own.get(position).is_none_or(|own| text.contains(own)),
            "{text}"
        );
    }
    for shape in [Shape::Original, Shape::Portable] {
        let options = WsdlOptions {
            shape,
            documentation: false,
            ..WsdlOptions::default()
        };
        let wsdl = wsdl(service.row(), "http://localhost/", options);
        let document = Document::parse(&wsdl).unwrap();
        let described = Described {
            document: &document,
            schemas: Schemas::of(&document),
        };
        for (name, element) in ROOTS_IN_WSDL {
            let parts = described.parts(&format!("{name}HttpGetOut")).unwrap();
            if shape == Shape::Original {
                let expected = format!("tns:{element}");
                assert_eq!(parts[0].attribute("element"), Some(&*expected), "{name}");
                continue;
            }
            let operation = service.operation(name).unwrap();
            let (_, value, ..) = roots()
                .into_iter()
                .find(|(other, ..)| *other == name)
                .unwrap();
            let response = operation.answer(&Answer::from(value), Binding::HttpGet);
            let text = std::str::from_utf8(response.body()).unwrap();
            let checked = described.check(operation, (Binding::HttpGet, "Out"), text);
            assert!(
                checked.is_ok() || name.contains("Jag") || name == "Held",
                "{checked:?}: {text}"
            );
        }
    }
}

/// The types that are strings in .NET.
const TEXTS: [&str; 20] = [
    "string",
    "normalizedString",
    "token",
    "anyURI",
    "language",
    "Name",
    "NCName",
    "NMTOKEN",
    "NMTOKENS",
    "ID",
    "IDREF",
    "IDREFS",
    "ENTITY",
    "ENTITIES",
    "NOTATION",
    "gYear",
    "gYearMonth",
    "gMonth",
    "gMonthDay",
    "gDay",
];

/// Returns a service that echoes objects with each of these types as an element, an attribute,
/// text, items, and values of a list in one text.
fn texts_definition() -> String {
    let mut definition = "
service: Texts
namespace: urn:example:texts
path: /Texts.asmx
bindings: [soap11, http-get]
operations:
  Echo: { parameters: { v: 'Texts?' }, result: 'Texts?', bindings: [soap11] }
  Get: { result: 'Texts?' }
  Parameter: { parameters: { v: 'NMTOKEN?' }, result: 'NMTOKEN?' }
  Object: { parameters: { v: 'anyType?' }, result: 'anyType?', bindings: [soap11] }
types:
  Named: { text: 'NMTOKEN?' }
  Texts:
    attributes: { a: 'token?', b: 'Name?', c: { type: 'NMTOKEN[]?', list: text } }
    elements:
      Text: 'Named?'
      Items: { type: 'NMTOKEN?[]?', item: i }
      Flat: { type: 'token[]', list: unwrapped }
"
    .to_owned();
    for name in TEXTS {
        definition += &format!("      e_{name}: '{name}?'\n");
    }
    definition
}

/// Returns the value that ASMX reads from the text of an element of a type, and the text that it
/// writes for that value.
fn read_and_written(name: &str, text: &str) -> (String, String) {
    let trimmed = text.trim().to_owned();
    match (name, trimmed.as_str()) {
        ("string" | "normalizedString", _) => (text.to_owned(), text.to_owned()),
        ("Name" | "NCName" | "NMTOKEN", "a  b") => (trimmed, "a_x0020__x0020_b".to_owned()),
        ("Name" | "NCName", "_x0031_a_x0020_b") => ("1a b".to_owned(), trimmed),
        ("NMTOKEN", "_x0031_a_x0020_b") => ("1a b".to_owned(), "1a_x0020_b".to_owned()),
        ("NMTOKENS", "_x0031_a_x0020_b") => ("1a b".to_owned(), "1a b".to_owned()),
        ("Name", "1 a:b/c") => (trimmed, "_x0031__x0020_a:b_x002F_c".to_owned()),
        ("NCName", "1 a:b/c") => (trimmed, "_x0031__x0020_a_x003A_b_x002F_c".to_owned()),
        ("NMTOKEN", "1 a:b/c") => (trimmed, "1_x0020_a:b_x002F_c".to_owned()),
        ("NMTOKENS", "1 a:b/c") => (trimmed, "1 a:b_x002F_c".to_owned()),
        _ => (trimmed.clone(), trimmed),
    }
}

#[tokio::test]
async fn texts_are_trimmed_and_names_escaped_as_by_asmx() {
    let service = Service::of_definition("texts.yaml", &texts_definition()).unwrap();
    let asked = Arc::new(Mutex::new(Json::Null));
    let keep = Arc::clone(&asked);
    let server = service.endpoint(move |request| {
        let value = request.parameters["v"].clone();
        *keep.lock().unwrap() = value.clone();
        async move { Ok(Answer::from(value)) }
    });
    let call = async |operation: &str, value: String| {
        let body = format!(
            r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><s:Body><{operation} xmlns="urn:example:texts">{value}</{operation}></s:Body></s:Envelope>"#
        );
        let request = http::Request::post("/Texts.asmx")
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", format!("\"urn:example:texts/{operation}\""))
            .body(Bytes::from(body));
        let response = server.answer(request.unwrap()).await;
        let text = String::from_utf8(response.body().to_vec()).unwrap();
        let read = asked.lock().unwrap().clone();
        (read, text, response)
    };
    for text in [
        "  a  b\t ",
        " _x0031_a_x0020_b ",
        "1 a:b/c",
        "\u{A0}x\u{A0}",
    ] {
        let elements = TEXTS.map(|name| format!("<e_{name}>{text}</e_{name}>"));
        let (read, answer, response) = call("Echo", format!("<v>{}</v>", elements.concat())).await;
        let client = service.operation("Echo").unwrap();
        let client = client
            .read_answer(&response, Binding::Soap11)
            .unwrap()
            .value;
        for name in TEXTS {
            let (value, written) = read_and_written(name, text);
            assert_eq!(read[format!("e_{name}")], value, "{name} of {text:?}");
            assert!(
                answer.contains(&format!("<e_{name}>{written}</e_{name}>")),
                "{name}: {answer}"
            );
            // The written text is read as the same value.
            assert_eq!(client[format!("e_{name}")], value, "{name} of {text:?}");
        }
    }
    let value = r#"<v a=" a " b=" _x0031_ b " c="_x0031_ b"><Text> 1 2 </Text><Items><i> 1 </i><i>_x0031_</i></Items><Flat> a </Flat></v>"#;
    let (read, answer, _) = call("Echo", value.to_owned()).await;
    assert_eq!(
        [&read["a"], &read["b"], &read["Text"]],
        [&json!("a"), &json!("1 b"), &json!({ "$text": "1 2" })],
        "{read}"
    );
    assert_eq!(
        [&read["c"], &read["Items"], &read["Flat"]],
        [&json!(["1", "b"]), &json!(["1", "1"]), &json!(["a"])],
        "{read}"
    );
    let written = r#"a="a" b="_x0031__x0020_b" c="1 b"><Text>1_x0020_2</Text><Items><i>1</i><i>1</i></Items><Flat>a</Flat>"#;
    assert!(answer.contains(written), "{answer}");
    // Names are not escaped in results over HTTP and in fields of forms, unlike in elements.
    let parameter = service.operation("Parameter").unwrap();
    let answered = parameter.answer(&Answer::from(json!(" 1 2 ")), Binding::HttpGet);
    assert!(
        answered.body().ends_with(b"> 1 2 </NMTOKEN>"),
        "{answered:?}"
    );
    assert_eq!(
        parameter
            .read_answer(&answered, Binding::HttpGet)
            .unwrap()
            .value,
        " 1 2 "
    );
    let field = http::Request::get("/Texts.asmx/Parameter?v=+_x0031_+").body(Bytes::new());
    assert_eq!(
        service.read_request(field.unwrap()).unwrap().parameters["v"],
        " _x0031_ "
    );
    let (read, answer, _) = call("Parameter", "<v> 1 </v>".to_owned()).await;
    assert_eq!(
        (
            read,
            answer.contains("<ParameterResult>1</ParameterResult>")
        ),
        (json!("1"), true)
    );
    // In a value with `xsi:type`, names stay escaped.
    for (name, kept) in [
        ("token", "_x0031_"),
        ("NMTOKEN", "_x0031_"),
        ("gYear", "_x0031_"),
        ("normalizedString", " _x0031_ "),
    ] {
        let (read, ..) = call(
            "Object",
            format!("<v xsi:type=\"xsd:{name}\"> _x0031_ </v>"),
        )
        .await;
        assert_eq!(read, json!({ "String": kept }), "{name}");
    }
}
