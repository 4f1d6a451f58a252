//! WSDL and discovery: the recorded documents byte for byte, and every shape of the language.

use std::path::Path;

use svcgen_codegen::{Config, Generator};
use svcgen_documents::samples::Samples;
use svcgen_documents::{Shape, WsdlOptions, disco, wsdl};
use svcgen_model::{
    At, Bindings, Element, Form, HeaderRule, Module, Service, SimpleType, TypeId, TypeRef,
    complex_type, element, headers, operation,
};
use svcgen_tests::raw_http::parse_answer;
use svcgen_tests::recorded;

use crate::described::describe;

fn written(definition: &str, address: &str, options: WsdlOptions) -> String {
    let described = describe(definition);
    described
        .with(|description| wsdl(description, address, options))
        .expect("a service")
}

fn recorded_document(name: &str) -> String {
    let exchange = recorded::exchange(name);
    String::from_utf8(parse_answer(&exchange.response).body).unwrap()
}

const AUTHENTICATOR: (&str, &str) = (
    "service-defs/authenticator.yaml",
    "http://127.0.0.1:18080/SvcDotNet/Authenticator.asmx",
);
const DEVICE: (&str, &str) = (
    "service-defs/device_login_service.yaml",
    "http://127.0.0.1:18080/SvcDotNet/Mobile/Services/DeviceLoginService.asmx",
);

#[test]
fn elements_of_the_type_notation_are_texts_for_other_stacks() {
    let element = |shape, name: &str| {
        let options = WsdlOptions {
            shape,
            documentation: false,
            ..WsdlOptions::default()
        };
        let written = written("tests/definitions/lab/values.yaml", "http://h/", options);
        written.contains(&format!("name=\"NOTATION\" type=\"s:{name}\""))
    };
    assert!(element(Shape::Original, "NOTATION"));
    assert!(element(Shape::Portable, "string"));
}

#[test]
fn the_original_shape_is_the_recorded_one() {
    let options = WsdlOptions {
        shape: Shape::Original,
        documentation: false,
        ..WsdlOptions::default()
    };
    for ((definition, address), name) in [(AUTHENTICATOR, "auth"), (DEVICE, "device")] {
        let recorded = recorded_document(&format!("doc/{name}-q-wsdl"));
        assert_eq!(written(definition, address, options), recorded);
        let recorded = recorded_document(&format!("doc/{name}-q-disco"));
        let written =
            describe(definition).with(|description| disco(description, address, Shape::Original));
        assert_eq!(written.as_deref(), Some(recorded.as_str()));
    }
}

fn recorded_lab(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded/lab/wsdl");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_default_namespace_or_a_urn_is_followed_by_one_slash() {
    let options = WsdlOptions {
        shape: Shape::Original,
        ..WsdlOptions::default()
    };
    for (definition, name) in [("tempuri", "GTempuri"), ("urn", "GUrn")] {
        let address = format!("http://localhost/{name}.asmx");
        let definition = format!("tests/definitions/lab/{definition}.yaml");
        let recorded = recorded_lab(&format!("{name}.wsdl"));
        assert_eq!(written(&definition, &address, options), recorded, "{name}");
    }
}

/// Returns the nodes of a WSDL with these names, and the documentation at the start of its
/// elements.
fn said(wsdl: &str, names: &[&str]) -> Vec<String> {
    let document = roxmltree::Document::parse(wsdl).unwrap();
    let nodes = document.descendants().filter(|node| {
        let name = node.attribute("name").unwrap_or_default();
        let first = node.prev_sibling_element().is_none();
        names.contains(&name) || (first && node.has_tag_name((WSDL, "documentation")))
    });
    nodes.map(|node| wsdl[node.range()].to_owned()).collect()
}

const WSDL: &str = "http://schemas.xmlsoap.org/wsdl/";

#[test]
fn one_way_operations_documentation_and_types_of_headers_are_as_recorded() {
    let options = WsdlOptions {
        shape: Shape::Original,
        ..WsdlOptions::default()
    };
    let address = "http://localhost/GWide.asmx";
    let written = written("tests/definitions/lab/documents.yaml", address, options);
    let recorded = recorded_lab("GWide.wsdl");
    let mut names = vec!["Fire".to_owned(), "Void".to_owned()];
    for kind in ["Soap", "HttpGet", "HttpPost"] {
        let ends = ["In", "Out"].map(|end| format!("{kind}{end}"));
        names.extend(ends.iter().map(|end| format!("Fire{end}")));
        names.extend(ends.iter().map(|end| format!("Void{end}")));
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let of_overload = |piece: &String| !piece.contains("The text one");
    let recorded_said = said(&recorded, &names).into_iter().filter(of_overload);
    assert_eq!(said(&written, &names), recorded_said.collect::<Vec<_>>());
    let is_type = |piece: &String| piece.starts_with("<s:complexType");
    let ticket = |wsdl| said(wsdl, &["Ticket"]).into_iter().find(is_type);
    let ticket_of = (ticket(&written), ticket(&recorded));
    assert!(ticket_of.0.is_some());
    assert_eq!(ticket_of.0, ticket_of.1);
}

#[test]
fn the_binding_has_the_style_rpc_if_all_operations_have() {
    let wsdl_of = |style: &str| {
        let text = format!(
            "service: S\nnamespace: urn:s\npath: /S.asmx\nstyle: rpc\noperations: {{ A: {{}}, B: {{ {style} }} }}"
        );
        let described = Config::new().describe("s.yaml", &text).unwrap();
        let options = WsdlOptions::default();
        described.with(|service| wsdl(service, "http://localhost/S.asmx", options))
    };
    let bindings = |wsdl: Option<String>| {
        let style = "transport=\"http://schemas.xmlsoap.org/soap/http\" style=\"rpc\"";
        wsdl.unwrap().matches(style).count()
    };
    assert_eq!(bindings(wsdl_of("")), 2);
    assert_eq!(bindings(wsdl_of("style: document")), 0);
}

const COMMON: &str = "http://lab.example/g/common";
const LINE: Element<'static> = element("line", TypeRef::Simple(SimpleType::String))
    .form(Form::Reference("http://lab.example/g/item"))
    .nillable();

/// The recorded `AddressType` and `Ticket`, with the types that they refer to.
static ADDRESSES: Module<'static> = Module::new(
    &[
        complex_type(
            "AddressType",
            &[
                text("Street"),
                text("Zip").form(Form::Unqualified),
                text("Country").form(Form::Reference("http://lab.example/g/other")),
                element("Where", TypeRef::Complex(TypeId::own(1))).omitted(),
                element("Lines", TypeRef::List(&LINE))
                    .form(Form::Reference("http://lab.example/g/arr"))
                    .omitted(),
            ],
        )
        .attributes(&[
            text("kind"),
            text("lang").form(Form::Reference("http://lab.example/g/attr")),
            text("tag").form(Form::Qualified),
            text("lang").form(Form::Reference("http://www.w3.org/XML/1998/namespace")),
        ])
        .in_namespace(COMMON),
        complex_type(
            "Pt",
            &[
                element("X", TypeRef::Simple(SimpleType::Int)),
                element("Y", TypeRef::Simple(SimpleType::Int)),
            ],
        )
        .in_namespace(COMMON),
        complex_type("Ticket", &[text("Key")])
            .attributes(&[element("level", TypeRef::Simple(SimpleType::Int))])
            .in_namespace("http://lab.example/g/hdr"),
    ],
    &[],
)
.with_service(
    Service::new(
        "GWide",
        "http://lab.example/g",
        "/GWide.asmx",
        &[operation(
            "EchoAddress",
            "http://lab.example/g/EchoAddress",
            complex_type(
                "EchoAddress",
                &[element("address", TypeRef::Complex(TypeId::own(0)))
                    .form(Form::Reference(COMMON))
                    .nillable()],
            ),
            "EchoAddressResponse",
        )
        .headers(&headers(
            &[element("Ticket", TypeRef::Complex(TypeId::own(2)))
                .form(Form::Reference("http://lab.example/g/hdr"))],
            &[HeaderRule {
                required: false,
                must_understand: false,
            }],
        ))
        .over(Bindings::SOAP)],
    )
    .with_scopes(),
);

const fn text(name: &str) -> Element<'_> {
    element(name, TypeRef::Simple(SimpleType::String)).omitted()
}

/// Returns the schema of a namespace, in which names are followed by the namespaces of their
/// prefixes.
fn schema_of(wsdl: &str, namespace: &str) -> String {
    let document = roxmltree::Document::parse(wsdl).unwrap();
    let mut schemas = document.descendants().filter(|node| {
        node.tag_name().name() == "schema" && node.attribute("targetNamespace") == Some(namespace)
    });
    let schema = schemas.next().expect("a schema");
    let mut text = wsdl[schema.range()].to_owned();
    for declared in document.root_element().namespaces() {
        let prefix = declared.name().unwrap_or_default();
        text = text.replace(
            &format!("\"{prefix}:"),
            &format!("\"{{{}}}", declared.uri()),
        );
    }
    text
}

#[test]
fn each_namespace_has_its_schema_as_recorded() {
    let service = At::service(&ADDRESSES, None).unwrap();
    let written = |shape| {
        let options = WsdlOptions {
            shape,
            ..WsdlOptions::default()
        };
        wsdl(service, "http://localhost/GWide.asmx", options)
    };
    let (recorded, original) = (recorded_lab("GWide.wsdl"), written(Shape::Original));
    for name in ["common", "other", "arr", "item", "attr", "hdr"] {
        let namespace = format!("http://lab.example/g/{name}");
        let own = schema_of(&original, &namespace);
        assert_eq!(own, schema_of(&recorded, &namespace), "{name}");
    }
    for name in ["EchoAddress", "EchoAddressSoapIn"] {
        let first = |wsdl| {
            said(wsdl, &[name])
                .into_iter()
                .find(|piece| piece.contains("name="))
        };
        let prefix = |piece: Option<String>| piece.map(|piece| piece.replace("s7:", "s1:"));
        assert_eq!(prefix(first(&original)), prefix(first(&recorded)), "{name}");
    }
    assert!(original.contains("<wsdl:part name=\"Ticket\" element=\"s6:Ticket\" />"));
    // A standalone WSDL does not import a schema for `xml:lang`, which zeep would fetch.
    let portable = written(Shape::Portable);
    assert!(!portable.contains("xml:lang"));
    assert!(
        portable.contains("<s:anyAttribute namespace=\"http://www.w3.org/XML/1998/namespace\"")
    );
}

#[test]
fn the_root_of_a_result_is_in_its_namespace() {
    let options = WsdlOptions::default();
    let written = written(
        "tests/definitions/lab/namespaces.yaml",
        "http://localhost",
        options,
    );
    assert!(written.contains("<wsdl:part name=\"Body\" element=\"s1:address\" />"));
}

#[test]
fn samples_are_in_the_namespaces_of_the_wire() {
    let service = At::service(&ADDRESSES, None).unwrap();
    let operation = service.operations().next().unwrap();
    let samples = Samples::new(service).of(operation, "localhost");
    let request = samples[0].request.as_str().replace("\n", "");
    let request = request.split("  ").collect::<String>();
    for expected in [
        "<soap:Header><Ticket level=\"int\" xmlns=\"http://lab.example/g/hdr\"><Key>string</Key></Ticket></soap:Header>",
        "<EchoAddress xmlns=\"http://lab.example/g\"><address kind=\"string\" p1:lang=\"string\" p2:tag=\"string\" xml:lang=\"string\" xmlns:p1=\"http://lab.example/g/attr\" xmlns:p2=\"http://lab.example/g/common\" xmlns=\"http://lab.example/g/common\">",
        "<Street>string</Street><Zip xmlns=\"\">string</Zip><Country xmlns=\"http://lab.example/g/other\">string</Country><Where><X>int</X><Y>int</Y></Where>",
        "<Lines xmlns=\"http://lab.example/g/arr\"><line xmlns=\"http://lab.example/g/item\">string</line>",
    ] {
        assert!(request.contains(expected), "{expected}\nin {request}");
    }
}

const SHAPES: &str = r#"
types:
  Path:
    elements:
      Points: "Point[]?"
      End: { choice: { Closed: boolean, Length: int }, list: unwrapped }
  Point: { doc: A point., elements: { X: int } }
"#;

const DRAWINGS: &str = r#"
service: Drawings
namespace: urn:x
path: /Drawings.asmx
bindings: [soap11, soap12]
include: [shapes.yaml]
operations:
  Draw: { parameters: { path: Path?, drawing: Drawing? } }
types:
  Drawing:
    elements:
      Points: "Point[]?"
      Numbers: { type: "int[]?", item: Point }
      Maybe: "int?[]?"
      Others: { type: "int[]?", item: number }
"#;

fn drawings(shape: Shape) -> String {
    let config = Config::new();
    let described = Generator::new(&config, |_| Ok(SHAPES.into()))
        .describe_bytes("drawings.yaml", DRAWINGS.as_bytes())
        .unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let options = WsdlOptions {
        shape,
        ..WsdlOptions::default()
    };
    described
        .with(|service| wsdl(service, "http://localhost/Drawings.asmx", options))
        .expect("a service")
}

#[test]
fn lists_of_equal_items_share_a_type_across_files() {
    let schema = drawings(Shape::Portable);
    let definitions = |name: &str| {
        let start = format!("<s:complexType name=\"{name}\">");
        schema.matches(&start).count()
    };
    assert_eq!(definitions("ArrayOfPoint"), 1);
    assert_eq!(schema.matches("type=\"tns:ArrayOfPoint\"").count(), 2);
    assert_eq!(definitions("ArrayOfPoint1"), 0);
    // Lists of the same type with different item names, or with nil items.
    assert_eq!(definitions("ArrayOfInt"), 1);
    assert_eq!(definitions("ArrayOfInt1"), 1);
    assert_eq!(definitions("ArrayOfInt2"), 1);
}

#[test]
fn included_types_are_documented() {
    assert!(drawings(Shape::Portable).contains("<s:documentation>A point.</s:documentation>"));
    assert!(!drawings(Shape::Original).contains("A point."));
}

#[test]
fn a_choice_has_the_occurrence_of_its_element_and_alternatives_occur_once() {
    let choice = [
        "<s:choice minOccurs=\"0\" maxOccurs=\"unbounded\">",
        "<s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Closed\" type=\"s:boolean\" />",
        "<s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Length\" type=\"s:int\" />",
        "</s:choice>",
    ];
    for shape in [Shape::Portable, Shape::Original] {
        let lines: String = drawings(shape).lines().map(str::trim_start).collect();
        assert!(lines.contains(&choice.concat()));
    }
}
