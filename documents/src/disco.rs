//! Discovery: where the description of a service is, and where its SOAP bindings are called.

use crate::description::{Binding, Description};
use crate::xml::Xml;

/// The discovery document of a service that is called at `address`, such as `http://example.com/Greeter.asmx`.
pub fn disco(description: &Description<'_>, address: &str) -> String {
    let namespaces = [
        ("xmlns:xsd", "http://www.w3.org/2001/XMLSchema"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("xmlns", "http://schemas.xmlsoap.org/disco/"),
    ];
    let mut xml = Xml::document();
    xml.element("discovery", &namespaces, |xml| {
        let wsdl = format!("{address}?wsdl");
        let contract = [
            ("ref", wsdl.as_str()),
            ("docRef", address),
            ("xmlns", "http://schemas.xmlsoap.org/disco/scl/"),
        ];
        xml.empty("contractRef", &contract);
        let offered = [(Binding::Soap11, "Soap"), (Binding::Soap12, "Soap12")]
            .into_iter()
            .filter(|(binding, _)| description.operations_over(*binding).next().is_some());
        for (number, (_, ending)) in (1..).zip(offered) {
            soap(xml, description, address, &format!("q{number}"), ending);
        }
    });
    xml.finish()
}

fn soap(xml: &mut Xml, description: &Description<'_>, address: &str, prefix: &str, ending: &str) {
    let declaration = format!("xmlns:{prefix}");
    let binding = format!("{prefix}:{}{ending}", description.name);
    let attributes = [
        ("address", address),
        (&declaration, description.namespace),
        ("binding", &binding),
        ("xmlns", "http://schemas.xmlsoap.org/disco/soap/"),
    ];
    xml.empty("soap", &attributes);
}
