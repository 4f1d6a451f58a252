//! Messages are as the WSDL describes them: samples of each operation of each definition, in each direction and over each binding, checked by the schemas of
//! the WSDL, and read back. Samples of the help page have the elements that these have.

mod schema;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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

/// The services of all definitions, with their files.
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
    /// The parts of a message of the WSDL.
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
        // Lists in lists may have other names over HTTP than in the schema, as in the original.
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
                // Where a message has the name of the root.
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
            // A part is in no namespace.
            let (namespace, local) = schema::name_of(child);
            let is_it = |part: &&Node<'_, '_>| {
                namespace.is_empty() && part.attribute("name") == Some(&*local)
            };
            let part = parts.iter().find(is_it);
            let part = part.ok_or_else(|| format!("{local:?} is no part of {name}"))?;
            self.schemas.of_type(child, *part)?;
        }
        Ok(())
    }
}

/// The body of a sample.
fn body_of(sample: &str) -> &str {
    sample.split_once("\n\n").map_or("", |(_, body)| body)
}

/// Whether a schema says how messages over a binding are: of encoded ones it knows the types alone, and forms and JSON have none.
fn is_described(operation: Operation, binding: Binding, direction: &str) -> bool {
    let row = operation.row();
    match binding {
        Binding::Soap11 | Binding::Soap12 => row.encoded.is_none(),
        Binding::HttpGet | Binding::HttpPost => {
            // ASMX describes no operation with several results there.
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
                let parameters = operation.sample_parameters();
                let client = service.client((), "http://localhost").unwrap();
                let client = client.with_binding(binding);
                let headers = if binding.is_soap() {
                    operation.sample_headers()
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
                // A time zone shows times as others.
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
    // Each style in both directions over both versions of SOAP, and the answers of both methods of HTTP.
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

/// A service as `[SoapRpcService(Use=SoapBindingUse.Literal)]` of ASMX.
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

/// Calls, and what ASMX answers to them: parts are in no namespace, the items of lists in that of the schema.
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
        // A client reads the items, too.
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
