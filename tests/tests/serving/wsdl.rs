//! WSDL and discovery: the recorded documents to the byte, and every shape of the language.

use std::path::Path;

use svcgen_codegen::{Config, Described, Generator};
use svcgen_documents::{Shape, WsdlOptions, disco, wsdl};
use svcgen_tests::raw_http::parse_answer;
use svcgen_tests::recorded;

fn describe(definition: &str) -> Described {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(definition);
    let text = std::fs::read_to_string(path).unwrap();
    Config::new()
        .describe(definition, &text)
        .unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

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
        let written = describe(definition).with(|description| disco(description, address));
        assert_eq!(written.as_deref(), Some(recorded.as_str()));
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
    // Items of one type, but with two names.
    assert_eq!(definitions("ArrayOfInt"), 1);
    assert_eq!(definitions("ArrayOfInt1"), 1);
    assert_eq!(definitions("ArrayOfNullableOfInt"), 1);
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
