//! The schemas of arrays in forms. Microsoft's proxies recognise an array by its base, `soapenc:Array`, whose schema other stacks would
//! fetch.

use super::{Shape, WsdlOptions};
use crate::xml::Xml;

/// The namespace of the encoding of SOAP 1.1 (§5).
pub(super) const SOAP_ENCODING: &str = "http://schemas.xmlsoap.org/soap/encoding/";

/// Writes the schemas of arrays in forms into `wsdl:types`; the original imports that of the encoding without a location.
pub(super) fn write_arrays(xml: &mut Xml, namespace: &str, address: &str, options: WsdlOptions) {
    let attributes = [("targetNamespace", namespace)];
    if options.shape == Shape::Portable {
        if options.apart {
            let location = format!("{address}?schema=forms");
            return xml.element("s:schema", &attributes, |xml| {
                xml.empty("s:include", &[("schemaLocation", &location)]);
            });
        }
        // Before the schema that restricts it.
        encoding(xml, &[]);
    }
    string_array(xml, &attributes, None);
}

const SCHEMA: (&str, &str) = ("xmlns:s", "http://www.w3.org/2001/XMLSchema");

/// The schema of arrays in forms as a separate document, for a service at `address`.
pub fn forms_schema(namespace: &str, address: &str) -> String {
    let mut xml = Xml::document();
    let attributes = [
        SCHEMA,
        ("xmlns:soapenc", SOAP_ENCODING),
        ("targetNamespace", &abstract_types(namespace)),
    ];
    let location = format!("{address}?schema=encoding");
    string_array(&mut xml, &attributes, Some(&location));
    xml.finish().into()
}

/// The schema that [`forms_schema`] imports.
pub fn encoding_schema() -> String {
    let mut xml = Xml::document();
    encoding(&mut xml, &[SCHEMA]);
    xml.finish().into()
}

/// The namespace of arrays in forms, with one slash as in a default SOAPAction.
pub(super) fn abstract_types(namespace: &str) -> String {
    let namespace = namespace.strip_suffix('/').unwrap_or(namespace);
    format!("{namespace}/AbstractTypes")
}

fn string_array(xml: &mut Xml, attributes: &[(&str, &str)], location: Option<&str>) {
    xml.element("s:schema", attributes, |xml| {
        let mut import = vec![("namespace", SOAP_ENCODING)];
        import.extend(location.map(|location| ("schemaLocation", location)));
        xml.empty("s:import", &import);
        let item = [
            ("minOccurs", "0"),
            ("maxOccurs", "unbounded"),
            ("name", "String"),
            ("type", "s:string"),
        ];
        xml.nested(&[
            ("s:complexType", &[("name", "StringArray")]),
            ("s:complexContent", &[("mixed", "false")]),
            ("s:restriction", &[("base", "soapenc:Array")]),
            ("s:sequence", &[]),
            ("s:element", &item),
        ]);
    });
}

/// Writes the part of the schema of the encoding that `StringArray` needs.
fn encoding(xml: &mut Xml, namespaces: &[(&str, &str)]) {
    let attributes = [namespaces, &[("targetNamespace", SOAP_ENCODING)]].concat();
    xml.element("s:schema", &attributes, |xml| {
        let any = [
            ("minOccurs", "0"),
            ("maxOccurs", "unbounded"),
            ("namespace", "##any"),
            ("processContents", "lax"),
        ];
        xml.nested(&[
            ("s:complexType", &[("name", "Array")]),
            ("s:sequence", &[]),
            ("s:any", &any),
        ]);
    });
}
