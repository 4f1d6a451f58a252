//! WSDL and discovery: the recorded documents to the byte, and every shape of the language.

use std::path::Path;

use svcgen_codegen::{Config, Described};
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
