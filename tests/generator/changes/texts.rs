//! Which simple types read the values of which others: the reported effect for every pair, checked
//! with values that are written as one type and read as the other.

use std::collections::HashMap;

use svcgen::chrono::{NaiveDate, NaiveTime};
use svcgen::codegen::model::{ComplexType, SimpleType, TypeRef, complex_type, element};
use svcgen::codegen::{Complex, Content, Element, FaultDetail, Fields, Value};
use svcgen::types::{
    Date, DateTime, Decimal, Duration, Guid, HexBinary, Integer, QName, Time, XmlFragment, Zone,
};
use svcgen::{Fault, ReadError};
use svcgen_codegen::{Config, Described};
use svcgen_compare::{Audience, Verdict};

/// An object with one element.
#[derive(Default)]
struct Holder<T>(T);

impl<T: Value + Default> Complex for Holder<T> {
    const TYPE: &'static ComplexType<'static> =
        &complex_type("H", &[element("V", TypeRef::Simple(SimpleType::Any))]);
}

impl<T: Value + Default> Fields for Holder<T> {
    fn read_element(&mut self, _: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.read(&mut self.0)
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        out.element("V", &self.0);
    }
}

impl<T: Value + Default> FaultDetail for Holder<T> {
    const NAMESPACE: &'static str = "urn:h";
    const NAME: &'static str = "H";
}

/// Returns the XML of a value.
fn written<T: Value + Default>(value: T) -> String {
    let fault = Fault::client("").with_detail(&Holder(value));
    fault.detail().expect("it has a detail").to_owned()
}

/// Reads XML as a type. Returns the value written again, or `None` if it is refused.
fn read_as<T: Value + Default>(xml: &str) -> Option<String> {
    let fragment = xml.parse::<XmlFragment>().expect("it is XML");
    let fault = Fault::client("").with_detail_xml(fragment);
    let read = fault.read_detail::<Holder<T>>()?.ok()?;
    Some(written(read.0))
}

/// A simple type: some of its values as XML, and its reader.
struct Kind {
    name: &'static str,
    /// The Rust type, which several simple types may share.
    rust: &'static str,
    values: Vec<String>,
    read: fn(&str) -> Option<String>,
}

fn kind<T: Value + Default>(name: &'static str, values: Vec<T>) -> Kind {
    Kind {
        name,
        rust: std::any::type_name::<T>(),
        values: values.into_iter().map(written).collect(),
        read: read_as::<T>,
    }
}

fn kinds() -> Vec<Kind> {
    let integer = |text: &str| text.parse::<Integer>().unwrap();
    let text = || vec![String::new(), "a b".to_owned(), "7".to_owned()];
    let date = NaiveDate::from_ymd_opt(2024, 2, 29).unwrap();
    let time = NaiveTime::from_hms_opt(23, 59, 58).unwrap();
    let hex = "FB0FFF".parse::<HexBinary>().unwrap();
    let element = XmlFragment::element("e").with_text("x").build().unwrap();
    vec![
        kind("string", text()),
        kind("normalizedString", text()),
        kind("token", text()),
        kind("anyURI", text()),
        kind("Name", text()),
        kind("NCName", text()),
        kind("NMTOKEN", text()),
        kind("NMTOKENS", text()),
        kind("ID", text()),
        kind("IDREF", text()),
        kind("IDREFS", text()),
        kind("ENTITY", text()),
        kind("ENTITIES", text()),
        kind("NOTATION", text()),
        kind("language", text()),
        kind("gYear", text()),
        kind("gYearMonth", text()),
        kind("gMonth", text()),
        kind("gMonthDay", text()),
        kind("gDay", text()),
        kind("base64Binary", vec![vec![0xFB_u8, 0xFF], vec![1, 2, 3]]),
        kind("hexBinary", vec![hex]),
        kind("boolean", vec![true, false]),
        kind("int", vec![i32::MIN, 0, i32::MAX]),
        kind("long", vec![i64::MIN, i64::MAX]),
        kind("byte", vec![i8::MIN, i8::MAX]),
        kind("short", vec![i16::MIN, i16::MAX]),
        kind("unsignedByte", vec![7, u8::MAX]),
        kind("unsignedShort", vec![7, u16::MAX]),
        kind("unsignedInt", vec![7, u32::MAX]),
        kind("unsignedLong", vec![7, u64::MAX]),
        kind(
            "integer",
            vec![integer("123456789012345678901234567890123")],
        ),
        kind(
            "nonNegativeInteger",
            vec![integer("123456789012345678901234567890123")],
        ),
        kind(
            "positiveInteger",
            vec![integer("123456789012345678901234567890123")],
        ),
        kind(
            "nonPositiveInteger",
            vec![integer("-123456789012345678901234567890123")],
        ),
        kind(
            "negativeInteger",
            vec![integer("-123456789012345678901234567890123")],
        ),
        kind("float", vec![f32::INFINITY, 0.1, f32::MAX, 16_777_216.0]),
        kind("double", vec![f64::NAN, 0.1, f64::MAX]),
        kind("decimal", vec![Decimal::MAX, Decimal::new(1, 28)]),
        kind("char", vec!['A', '日', '\u{FFFD}']),
        kind("guid", vec![Guid::from_u128(u128::MAX)]),
        kind(
            "dateTime",
            vec![DateTime::new(date.and_time(time), Zone::Utc)],
        ),
        kind("date", vec![Date(date)]),
        kind("time", vec![Time::new(time, Zone::Utc)]),
        kind("duration", vec!["-P1DT2H".parse::<Duration>().unwrap()]),
        kind("QName", vec![QName::new("urn:q", "name")]),
        kind("any", vec![element]),
    ]
}

/// Describes a service with a parameter of the type.
fn described(kind: &Kind) -> Described {
    let definition = format!(
        "{{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: {{ A: {{ parameters: {{ v: {} }} }} }} }}",
        kind.name
    );
    super::described(&Config::new(), &definition)
}

fn said(writer: &Described, reader: &Described) -> Verdict {
    let comparison = svcgen_compare::compare(writer, reader);
    let effects = comparison
        .changes()
        .iter()
        .flat_map(|change| &change.effects);
    let of_callers = effects.filter(|effect| effect.audience == Audience::Callers);
    of_callers
        .map(|effect| effect.verdict)
        .max()
        .unwrap_or(Verdict::Works)
}

#[test]
fn types_read_what_is_said_that_they_read() {
    let mut wrong = String::new();
    let kinds = kinds();
    let kinds: Vec<_> = kinds.iter().map(|kind| (kind, described(kind))).collect();
    let mut read = HashMap::new();
    for (writer, old) in &kinds {
        for (reader, new) in &kinds {
            let lost: Vec<_> = writer
                .values
                .iter()
                .filter(|value| {
                    let read = read.entry((value.as_str(), reader.rust));
                    read.or_insert_with(|| (reader.read)(value)).as_ref() != Some(value)
                })
                .collect();
            let said = said(old, new);
            // The number of a character can be read as a number, but is a different value.
            let is_number_of_char = (writer.name == "char") != (reader.name == "char");
            if is_number_of_char && said != Verdict::Works {
                continue;
            }
            if lost.is_empty() != (said == Verdict::Works) {
                wrong += &format!(
                    "{} as {}: said {said:?}, lost {lost:?} of {:?}\n",
                    writer.name, reader.name, writer.values
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
