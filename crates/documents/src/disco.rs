//! The discovery document: the addresses of the WSDL and of the SOAP bindings.

use svcgen_model::{At, Bindings, Service, base_path};

use crate::binding::in_wsdl;
use crate::shape::Shape;
use crate::wsdl::port;
use crate::xml::Xml;

/// Returns the discovery document of a service at `address`, such as
/// `http://example.com/Greeter.asmx`, whose server answers `?wsdl` in this shape. It refers .NET's
/// tools to a WSDL of the original's shape, from which they generate the same proxies as from the
/// original's.
pub fn disco(service: At<'_, Service<'_>>, address: &str, shape: Shape) -> String {
    let namespaces = [
        ("xmlns:xsd", "http://www.w3.org/2001/XMLSchema"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("xmlns", "http://schemas.xmlsoap.org/disco/"),
    ];
    let mut xml = Xml::document();
    xml.element("discovery", &namespaces, |xml| {
        let page = base_path(address);
        let wsdl = match shape {
            Shape::Portable => format!("{page}?wsdl=original"),
            Shape::Original => format!("{page}?wsdl"),
        };
        let contract = [
            ("ref", wsdl.as_str()),
            ("docRef", page),
            ("xmlns", "http://schemas.xmlsoap.org/disco/scl/"),
        ];
        xml.empty("contractRef", &contract);
        let offered = service.bindings().and(Bindings::SOAP);
        let offered = in_wsdl().filter(|(binding, _)| offered.contains(*binding));
        for (number, (_, described)) in (1..).zip(offered) {
            let declaration = format!("xmlns:q{number}");
            let binding = format!("q{number}:{}", port(service, described));
            let attributes = [
                ("address", address),
                (&declaration, service.namespace),
                ("binding", &binding),
                ("xmlns", "http://schemas.xmlsoap.org/disco/soap/"),
            ];
            xml.empty("soap", &attributes);
        }
    });
    xml.finish().into()
}
