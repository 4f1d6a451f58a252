//! Tests of writing values, by the rows of a service.

use svcgen_model::TypeRef::{self, Enumeration, List, Simple};
use svcgen_model::{
    At, ComplexType, Module, Script, ScriptType, Service, SimpleType, TypeId, complex_type,
    element, enumeration, operation, value,
};

use super::{write_parameters, write_result};
use svcgen_wire::ReadError;
use svcgen_wire::{Complex, Content, Element, Fields, Value, types};

const POINT: TypeId = TypeId::own(0);
const NODE: TypeId = TypeId::own(1);

/// Types that cover the columns of rows.
static MODULE: Module<'static> = Module::new(
    &[
        complex_type(
            "Point",
            &[
                element("X", Simple(SimpleType::Int)),
                element("Y", Simple(SimpleType::Int)),
            ],
        )
        .by_value(),
        complex_type("Node", &[element("Next", TypeRef::Complex(NODE)).omitted()]),
        complex_type(
            "Base",
            &[
                element("Name", Simple(SimpleType::String))
                    .omitted()
                    .net("Title"),
                element("Age", Simple(SimpleType::Int)).omitted(),
                element("Home", TypeRef::Complex(POINT)).omitted(),
            ],
        )
        .attributes(&[element("id", Simple(SimpleType::Int))]),
        complex_type(
            "Derived",
            &[
                element("Name", Simple(SimpleType::String))
                    .omitted()
                    .net("Title"),
                element("Age", Simple(SimpleType::Int)).omitted(),
                element("Home", TypeRef::Complex(POINT)).omitted(),
                element("Job", Simple(SimpleType::String)).omitted(),
            ],
        )
        .attributes(&[
            element("id", Simple(SimpleType::Int)),
            element("level", Simple(SimpleType::Byte)).omitted(),
        ])
        .extends(TypeId::own(2)),
    ],
    &[enumeration(
        "Colour",
        &[value("Red"), value("Green").number(5)],
    )],
)
.with_service(
    Service::new(
        "S",
        "urn:s",
        "/S.asmx",
        &[operation(
            "Op",
            "urn:s/Op",
            ComplexType::EMPTY,
            "OpResponse",
        )],
    )
    .script(Script {
        class: None,
        types: &[
            ScriptType {
                type_ref: TypeRef::Complex(POINT),
                name: "Lab.Point",
                class: None,
            },
            ScriptType {
                type_ref: TypeRef::Complex(TypeId::own(3)),
                name: "Lab.\"Derived",
                class: None,
            },
        ],
    }),
);

fn service() -> At<'static, Service<'static>> {
    At::service(&MODULE, None).unwrap()
}

/// Writes a result.
fn result(
    row: svcgen_model::Element<'static>,
    write: &mut dyn FnMut(&mut Content<'_>),
) -> Result<String, String> {
    written(service(), row, false, write)
}

fn written(
    service: At<'_, Service<'_>>,
    row: svcgen_model::Element<'static>,
    nan_as_null: bool,
    write: &mut dyn FnMut(&mut Content<'_>),
) -> Result<String, String> {
    let mut out = Vec::new();
    let row = service.beside(&row);
    let written = write_result(&mut out, service, row, nan_as_null, &mut |_, out| {
        write(out);
    });
    written.map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).unwrap())
}

fn simple<T: Value>(simple: SimpleType, value: T) -> String {
    let row = element("R", Simple(simple)).nillable();
    result(row, &mut |out| out.element("R", &value)).unwrap()
}

#[test]
fn writes_simple_values_as_net_does() {
    use SimpleType::{Boolean, Byte, Char, Double, Float, Int, Long, String, UnsignedLong};
    let rows = [
        (simple(String, None::<std::string::String>), "null"),
        (simple(Int, None::<i32>), "null"),
        (simple(Boolean, true), "true"),
        (simple(Boolean, false), "false"),
        (simple(Byte, -128_i8), "-128"),
        (simple(Long, i64::MIN), "-9223372036854775808"),
        (simple(UnsignedLong, u64::MAX), "18446744073709551615"),
        (simple(Double, 1.5), "1.5"),
        (simple(Double, 0.1), "0.1"),
        (simple(Double, 1e21), "1E+21"),
        (simple(Double, 1e-7), "1E-07"),
        (
            simple(Double, 123_456_789_012_345_680.0),
            "1.2345678901234568E+17",
        ),
        (simple(Double, f64::MAX), "1.7976931348623157E+308"),
        (simple(Double, -0.0), "0"),
        (simple(Double, f64::NAN), "NaN"),
        (simple(Double, f64::INFINITY), "Infinity"),
        (simple(Double, f64::NEG_INFINITY), "-Infinity"),
        (simple(Float, 0.1_f32), "0.1"),
        (simple(Float, 1e20_f32), "1E+20"),
        (simple(Float, f32::NAN), "NaN"),
        (simple(Float, -0.0_f32), "0"),
        (simple(String, "te\"xt".to_owned()), r#""te\"xt""#),
        (simple(String, std::string::String::new()), "\"\""),
        (simple(Char, 'x'), "\"x\""),
        (simple(Char, '"'), r#""\"""#),
        (simple(Char, '\0'), "null"),
        (simple(Char, '\u{FFFF}'), "\"\u{FFFF}\""),
        (
            simple(SimpleType::Base64Binary, vec![0_u8, 1, 254, 255]),
            "[0,1,254,255]",
        ),
        (simple(SimpleType::Base64Binary, Vec::<u8>::new()), "[]"),
        (
            simple(SimpleType::HexBinary, types::HexBinary(vec![7])),
            "[7]",
        ),
        (
            simple(
                SimpleType::Integer,
                "-12".parse::<types::Integer>().unwrap(),
            ),
            "\"-12\"",
        ),
        (
            simple(
                SimpleType::Duration,
                "PT1H".parse::<types::Duration>().unwrap(),
            ),
            "\"PT1H\"",
        ),
    ];
    for (written, expected) in rows {
        assert_eq!(written, expected);
    }
}

#[test]
fn writes_null_for_what_is_no_number_if_that_is_wanted() {
    let row = || element("R", Simple(SimpleType::Double));
    let written = |value: f64| {
        let write = &mut |out: &mut Content<'_>| out.element("R", &value);
        written(service(), row(), true, write).unwrap()
    };
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(written(value), "null");
    }
    assert_eq!(written(-1.5), "-1.5");
}

#[test]
fn writes_what_is_in_lists() {
    let item = element("int", Simple(SimpleType::Int)).nillable();
    let lists = element("ArrayOfInt", List(Box::leak(Box::new(item)))).nillable();
    let row = element("R", List(Box::leak(Box::new(lists))));
    let value = vec![Some(vec![Some(1), None]), Some(vec![]), None];
    let write = &mut |out: &mut Content<'_>| out.list("R", ["ArrayOfInt", "int"], &value);
    assert_eq!(result(row, write).unwrap(), "[[1,null],[],null]");
    let row = element("R", Simple(SimpleType::Int)).repeated();
    let write = &mut |out: &mut Content<'_>| out.items("R", &[1, 2]);
    assert_eq!(result(row, write).unwrap(), "[1,2]");
    let row = element("R", Simple(SimpleType::Int)).texts();
    let write = &mut |out: &mut Content<'_>| out.texts("R", &vec![1, 2]);
    assert_eq!(result(row, write).unwrap(), "[1,2]");
}

#[test]
fn writes_decimals_as_they_are() {
    for text in [
        "1.50",
        "0",
        "79228162514264337593543950335",
        "0.0000001",
        "-5",
    ] {
        let value: types::Decimal = text.parse().unwrap();
        assert_eq!(simple(SimpleType::Decimal, value), text);
    }
}

#[test]
fn writes_guids_in_lower_case() {
    let value: types::Guid = "6F9619FF-8B86-D011-B42D-00C04FC964FF".parse().unwrap();
    let expected = "\"6f9619ff-8b86-d011-b42d-00c04fc964ff\"";
    assert_eq!(simple(SimpleType::Guid, value), expected);
}

/// Writes a date or time of a service in a time zone.
fn moment<T: Value>(zone: Option<&'static str>, row: SimpleType, value: T) -> String {
    let module = Module {
        service: Some(Service {
            time_zone: zone,
            ..MODULE.service.unwrap()
        }),
        ..MODULE
    };
    let service = At::service(&module, None).unwrap();
    let row = element("R", Simple(row));
    let write = &mut |out: &mut Content<'_>| out.element("R", &value);
    written(service, row, false, write).unwrap()
}

#[test]
fn writes_moments_in_the_zone_of_the_service() {
    let new_york = Some("America/New_York");
    let rows = [
        (None, "2024-02-29T12:34:56.789Z", 1_709_210_096_789_i64),
        (None, "2024-02-29T14:34:56.789+02:00", 1_709_210_096_789),
        (None, "2024-02-29T12:00:00", 1_709_208_000_000),
        (new_york, "2024-02-29T12:00:00", 1_709_226_000_000),
        (new_york, "2024-02-29T12:00:00Z", 1_709_208_000_000),
        (new_york, "2024-07-04T12:00:00", 1_720_108_800_000),
        (Some("+02:00"), "2024-02-29T12:00:00", 1_709_200_800_000),
        (None, "0001-01-01T00:00:00", -62_135_596_800_000),
        (new_york, "0001-01-01T00:00:00", -62_135_578_800_000),
        // .NET has no moment before its first or after its last one.
        (Some("+02:00"), "0001-01-01T00:00:00", -62_135_596_800_000),
        (new_york, "9999-12-31T23:59:59.9999999", 253_402_300_799_999),
        (None, "9999-12-31T23:59:59.9999999", 253_402_300_799_999),
        // Fractions are cut off towards 1970.
        (None, "1970-01-01T00:00:00.0019999Z", 1),
        (None, "1969-12-31T23:59:59.9989999Z", -1),
        (None, "1969-12-31T23:59:59.9999999Z", 0),
    ];
    for (zone, text, milliseconds) in rows {
        let value: types::DateTime = text.parse().unwrap();
        let expected = format!("\"\\/Date({milliseconds})\\/\"");
        assert_eq!(
            moment(zone, SimpleType::DateTime, value),
            expected,
            "{text}"
        );
    }
    let day: types::Date = "2024-02-29".parse().unwrap();
    let midnight = "\"\\/Date(1709164800000)\\/\"";
    assert_eq!(moment(None, SimpleType::Date, day), midnight);
    let midnight = "\"\\/Date(1709182800000)\\/\"";
    assert_eq!(moment(new_york, SimpleType::Date, day), midnight);
    let time: types::Time = "09:30:00".parse().unwrap();
    let expected = "\"\\/Date(-62135562600000)\\/\"";
    assert_eq!(moment(None, SimpleType::Time, time), expected);
}

/// Values as emitted code writes them.
#[derive(Default)]
struct Base {
    id: i32,
    name: Option<String>,
    age: Option<i32>,
    home: Option<Point>,
}

#[derive(Default)]
struct Derived(Base, Option<i8>, Option<String>);

#[derive(Default)]
struct Point(i32, i32);

#[derive(Default)]
struct Nodes(usize);

macro_rules! complex {
    ($type:ty, $index:literal, |$value:ident, $out:ident| $attributes:expr, |$of:ident, $to:ident| $elements:expr) => {
        impl Complex for $type {
            const TYPE: &'static ComplexType<'static> = &MODULE.types[$index];
        }

        impl Fields for $type {
            fn read_element(&mut self, _: usize, _: &mut Element<'_>) -> Result<(), ReadError> {
                Ok(())
            }

            fn write_attributes(&self, $out: &mut Content<'_>) {
                let $value = self;
                $attributes
            }

            fn write_elements(&self, $to: &mut Content<'_>) {
                let $of = self;
                $elements
            }
        }
    };
}

complex!(Point, 0, |_value, _out| (), |value, out| {
    out.element("X", &value.0);
    out.element("Y", &value.1);
});

complex!(Nodes, 1, |_value, _out| (), |value, out| {
    let next = value.0.checked_sub(1).filter(|next| *next > 0);
    out.element("Next", &next.map(Nodes));
});

complex!(
    Base,
    2,
    |value, out| out.attribute("id", &value.id),
    |value, out| {
        out.element("Name", &value.name);
        out.element("Age", &value.age);
        out.element("Home", &value.home);
    }
);

complex!(
    Derived,
    3,
    |value, out| {
        value.0.write_attributes(out);
        out.attribute("level", &value.1);
    },
    |value, out| {
        value.0.write_elements(out);
        out.element("Job", &value.2);
    }
);

/// An object of the type at an index, with members that a function writes.
#[derive(Default)]
struct Object<const INDEX: usize>(Option<fn(&mut Content<'_>)>);

impl<const INDEX: usize> Complex for Object<INDEX> {
    const TYPE: &'static ComplexType<'static> = &MODULE.types[INDEX];
}

impl<const INDEX: usize> Fields for Object<INDEX> {
    fn read_element(&mut self, _: usize, _: &mut Element<'_>) -> Result<(), ReadError> {
        Ok(())
    }

    fn write_elements(&self, out: &mut Content<'_>) {
        if let Some(write) = self.0 {
            write(out);
        }
    }
}

fn object(id: usize, write: &mut dyn FnMut(&mut Content<'_>)) -> Result<String, String> {
    result(element("R", TypeRef::Complex(TypeId::own(id))), write)
}

#[test]
fn writes_every_member_of_objects() {
    let written = |value: &Base| object(2, &mut |out| out.element("R", value)).unwrap();
    let home = Some(Point(1, -2));
    let base = Base {
        id: 7,
        name: Some("n".to_owned()),
        age: Some(3),
        home,
    };
    let expected = r#"{"id":7,"Title":"n","Age":3,"AgeSpecified":true,"Home":{"__type":"Lab.Point","X":1,"Y":-2},"HomeSpecified":true}"#;
    assert_eq!(written(&base), expected);
    let expected = r#"{"id":0,"Title":null,"Age":0,"AgeSpecified":false,"Home":{"__type":"Lab.Point","X":0,"Y":0},"HomeSpecified":false}"#;
    assert_eq!(written(&Base::default()), expected);
}

#[test]
fn writes_members_of_derived_types_first() {
    let name = Some("a".to_owned());
    let value = Derived(
        Base {
            name,
            ..Base::default()
        },
        None,
        Some("j".to_owned()),
    );
    let expected = r#"{"__type":"Lab.\"Derived","level":0,"levelSpecified":false,"Job":"j","id":0,"Title":"a","Age":0,"AgeSpecified":false,"Home":{"__type":"Lab.Point","X":0,"Y":0},"HomeSpecified":false}"#;
    assert_eq!(
        object(3, &mut |out| out.element("R", &value)).unwrap(),
        expected
    );
    let write = &mut |out: &mut Content<'_>| out.derived("R", "Derived", &value);
    assert_eq!(object(2, write).unwrap(), expected);
    let row = element("R", Simple(SimpleType::AnyType));
    assert_eq!(result(row, write).unwrap(), expected);
}

#[test]
fn writes_members_that_no_code_writes() {
    let value = Object::<2>(Some(|out| out.element("Age", &5)));
    let write = &mut |out: &mut Content<'_>| out.element("R", &value);
    let expected = r#"{"id":0,"Title":null,"Age":5,"AgeSpecified":true,"Home":{"__type":"Lab.Point","X":0,"Y":0},"HomeSpecified":false}"#;
    assert_eq!(object(2, write).unwrap(), expected);
    assert_eq!(object(0, &mut |_| ()).unwrap(), "null");
}

#[test]
fn counts_depth_as_net_does() {
    let written = |count: usize| object(1, &mut |out| out.element("R", &Nodes(count)));
    let expected = format!("{}null{}", "{\"Next\":".repeat(99), "}".repeat(99));
    assert_eq!(written(99).unwrap(), expected);
    assert_eq!(written(100).unwrap_err(), "RecursionLimit exceeded.");
    assert_eq!(written(120).unwrap_err(), "RecursionLimit exceeded.");
}

#[test]
fn refuses_what_has_no_place() {
    let row = || element("R", TypeRef::Complex(POINT));
    let refused = |row, write: &mut dyn FnMut(&mut Content<'_>)| result(row, write).unwrap_err();
    let value = Object::<0>(Some(|out| out.element("Z", &1)));
    let unknown = &mut |out: &mut Content<'_>| out.element("R", &value);
    assert_eq!(refused(row(), unknown), "'Z' has no place in JSON here.");
    let value = Object::<0>(Some(|out| out.items("X", &[1])));
    let list = &mut |out: &mut Content<'_>| out.element("R", &value);
    assert_eq!(refused(row(), list), "'X' has no place in JSON here.");
    let value = Object::<0>(Some(|out| {
        out.element("X", &1);
        out.element("X", &1);
    }));
    let twice = &mut |out: &mut Content<'_>| out.element("R", &value);
    assert_eq!(refused(row(), twice), "'X' has no place in JSON here.");
    let list = &mut |out: &mut Content<'_>| out.items("R", &[1]);
    assert_eq!(refused(row(), list), "'R' has no place in JSON here.");
    let name = types::QName::new("urn:n", "n");
    let expected = "'R' is a qualified name, and a document of this binding has no place for one.";
    assert_eq!(refused(row(), &mut |out| out.element("R", &name)), expected);
    let other = &mut |out: &mut Content<'_>| out.derived("R", "Nobody", &Point(1, 2));
    assert_eq!(refused(row(), other), "'R' has no place in JSON here.");
    let number = element("R", Simple(SimpleType::Int));
    assert_eq!(
        refused(number, &mut |out| out.text("R", "1,2")),
        "'R' has no place in JSON here."
    );
}

#[test]
fn writes_texts_of_types_of_other_crates_as_rows_say() {
    let text = |row, text: &str| result(element("R", row), &mut |out| out.text("R", text));
    assert_eq!(text(Simple(SimpleType::Int), "-12").unwrap(), "-12");
    assert_eq!(
        text(Simple(SimpleType::Double), "1.5E-07").unwrap(),
        "1.5E-07"
    );
    assert_eq!(
        text(Simple(SimpleType::Double), "-INF").unwrap(),
        "-Infinity"
    );
    assert_eq!(text(Simple(SimpleType::Boolean), "true").unwrap(), "true");
    assert_eq!(text(Enumeration(TypeId::own(0)), "Green").unwrap(), "5");
    for wrong in ["", "-", "01", "1.5", "1e2", "+1", "1 ", "true"] {
        assert!(text(Simple(SimpleType::Int), wrong).is_err(), "{wrong}");
    }
    for wrong in ["", ".5", "5.", "1e", "00.5", "1e+", "Infinity"] {
        assert!(text(Simple(SimpleType::Double), wrong).is_err(), "{wrong}");
    }
    assert!(text(Enumeration(TypeId::own(0)), "Blue").is_err());
}

#[test]
fn writes_objects_of_no_declared_type() {
    let row = || element("R", Simple(SimpleType::AnyType)).nillable();
    let written = |value: &types::Object| {
        let write = &mut |out: &mut Content<'_>| out.element("R", value);
        result(row(), write).unwrap()
    };
    let list = types::Object::List(vec![
        Some(types::Object::Int(1)),
        None,
        Some(types::Object::String("s".to_owned())),
        Some(types::Object::Empty),
        Some(types::Object::Array(
            SimpleType::Boolean,
            vec![Some(types::Object::Boolean(true)), None],
        )),
        Some(types::Object::Base64Binary(vec![1, 2])),
    ]);
    assert_eq!(written(&list), r#"[1,null,"s",{},[true,null],[1,2]]"#);
    let nothing = &mut |out: &mut Content<'_>| out.element("R", &None::<types::Object>);
    assert_eq!(result(row(), nothing).unwrap(), "null");
}

#[test]
fn writes_parameters_as_an_object() {
    let elements = [
        element("a", Simple(SimpleType::String)).omitted(),
        element("b", Simple(SimpleType::Int)),
    ];
    let parameters = complex_type("Op", &elements);
    let mut out = Vec::new();
    let write = &mut |out: &mut Content<'_>| {
        out.element("a", &None::<String>);
        out.element("b", &2);
    };
    write_parameters(&mut out, service(), service().beside(&parameters), write).unwrap();
    assert_eq!(out, br#"{"a":null,"b":2}"#);
    let mut out = Vec::new();
    let none = complex_type("Op", &[]);
    write_parameters(&mut out, service(), service().beside(&none), &mut |_| ()).unwrap();
    assert_eq!(out, b"{}");
}
