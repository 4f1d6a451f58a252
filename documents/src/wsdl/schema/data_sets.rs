//! How schemas describe sets and tables, whose own schema is in each value.

use svcgen_model::SimpleType;

use crate::xml::Xml;

/// The namespace of rows.
const DIFFGRAM: &str = "urn:schemas-microsoft-com:xml-diffgram-v1";

/// Writes the anonymous type of a set or a table, as .NET does.
pub(super) fn write_data_set(xml: &mut Xml, simple: SimpleType) {
    let unbounded = ("maxOccurs", "unbounded");
    let (sequence, schema, least): (&[_], &[_], _) = match simple {
        SimpleType::DataTable => (&[], &[("minOccurs", "0"), unbounded], "1"),
        _ => (&[unbounded], &[("minOccurs", "0")], "0"),
    };
    let any = |xml: &mut Xml, occurrence: &[(&'static str, &'static str)], namespace| {
        let rest = [("namespace", namespace), ("processContents", "lax")];
        xml.empty("s:any", &[occurrence, &rest].concat());
    };
    xml.element("s:complexType", &[], |xml| {
        xml.element("s:sequence", sequence, |xml| {
            any(xml, schema, "http://www.w3.org/2001/XMLSchema");
            any(xml, &[("minOccurs", least)], DIFFGRAM);
        });
    });
}
