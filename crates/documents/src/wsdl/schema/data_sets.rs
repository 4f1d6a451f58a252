//! Sets and tables in schemas. Each value has its own schema; a typed set has one in the
//! definition, too.

use svcgen_model::{DataSetSchema, SimpleType};

use super::Schema;
use crate::shape::Shape;
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

impl<'a> Schema<'a> {
    /// Writes the anonymous type of a typed set. The original's does not describe the content, but
    /// informs .NET's tools that a class exists.
    pub(super) fn typed_set(&mut self, set: DataSetSchema<'a>) {
        let sets = &mut self.parts[self.current].sets;
        if !sets.contains(&set) {
            sets.push(set);
        }
        match self.options.shape {
            Shape::Portable => write_data_set(self.xml(), SimpleType::DataSet),
            Shape::Original => {
                self.import(set.namespace);
                self.xml().nested(&[
                    ("s:complexType", &[]),
                    ("s:sequence", &[]),
                    ("s:any", &[("namespace", set.namespace)]),
                ]);
            }
        }
    }
}
