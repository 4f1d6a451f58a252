//! The type of arrays in forms.

use super::Shape;
use crate::xml::Xml;

/// The namespace of the encoding of SOAP 1.1 (§5).
pub(super) const SOAP_ENCODING: &str = "http://schemas.xmlsoap.org/soap/encoding/";

/// The namespace of arrays in forms, with one slash as in a default SOAPAction.
pub(super) fn abstract_types(namespace: &str) -> String {
    let namespace = namespace.strip_suffix('/').unwrap_or(namespace);
    format!("{namespace}/AbstractTypes")
}

/// Writes the schema of arrays in forms. The original restricts the encoding's `Array`, by which
/// Microsoft's proxies for HTTP GET and POST recognise an array. Its schema is not part of any
/// WSDL: Java would need it in the document, and zeep fetches it even then.
pub(super) fn write_arrays(xml: &mut Xml, namespace: &str, shape: Shape) {
    let is_original = shape == Shape::Original;
    let item = [
        ("minOccurs", "0"),
        ("maxOccurs", "unbounded"),
        ("name", "String"),
        ("type", "s:string"),
    ];
    let mut nested: Vec<(&str, &[_])> = vec![("s:complexType", &[("name", "StringArray")])];
    if is_original {
        nested.push(("s:complexContent", &[("mixed", "false")]));
        nested.push(("s:restriction", &[("base", "soapenc:Array")]));
    }
    nested.extend([("s:sequence", &[][..]), ("s:element", &item)]);
    xml.element("s:schema", &[("targetNamespace", namespace)], |xml| {
        if is_original {
            xml.empty("s:import", &[("namespace", SOAP_ENCODING)]);
        }
        xml.nested(&nested);
    });
}
