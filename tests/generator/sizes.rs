//! The memory of values: the estimates match the compiler, large optional objects are boxed, and
//! types that are too large are refused.

use svcgen::types::{
    DataSet, DataTable, Date, DateTime, Decimal, Duration, Guid, HexBinary, Integer, Object, QName,
    Time, XmlFragment,
};
use svcgen_codegen::Config;
use svcgen_model::SimpleType;

fn definition(types: &str) -> String {
    format!(
        "service: S\nnamespace: urn:s\npath: /s\nbindings: [soap11]\nallow: [SVC026]\noperations: {{ Get: {{ parameters: {{ a: A? }}, result: A }} }}\ntypes:\n{types}"
    )
}

/// Reads and checks the types, without generating code.
fn check(types: &str) -> Result<(), String> {
    let described = Config::new().describe("s.yaml", definition(types));
    described
        .map(|_| ())
        .map_err(|diagnostics| diagnostics.to_string())
}

fn generate(types: &str) -> Result<String, String> {
    match Config::new().generate("s.yaml", definition(types)) {
        Ok(output) => Ok(output.code),
        Err(diagnostics) => Err(diagnostics.to_string()),
    }
}

/// Returns a type with a number of elements of one type.
fn repeated(name: &str, count: usize, element: &str) -> String {
    let elements: Vec<_> = (0..count).map(|n| format!("E{n}: {element}")).collect();
    format!("  {name}: {{ elements: {{ {} }} }}\n", elements.join(", "))
}

#[test]
fn rows_have_the_sizes_of_rust_types() {
    macro_rules! sizes {
        ($($simple:ident $type:ty,)*) => {
            [$((SimpleType::$simple, [size_of::<$type>(), align_of::<$type>(), size_of::<Option<$type>>()])),*]
        };
    }
    let known = sizes! {
        String String, NormalizedString String, Token String, AnyUri String, Base64Binary Vec<u8>, HexBinary HexBinary,
        Boolean bool, Int i32, Long i64, Byte i8, Short i16, UnsignedByte u8, UnsignedShort u16, UnsignedInt u32, UnsignedLong u64,
        Integer Integer, Float f32, Double f64, Decimal Decimal, Char char, Guid Guid, DateTime DateTime, Date Date, Time Time,
        Duration Duration, QName QName, Any XmlFragment, AnyType Object, DataSet DataSet, DataTable DataTable,
        Name String, NcName String, Nmtoken String, Nmtokens String, Id String, Idref String, Idrefs String, Entity String, Entities String,
        Notation String, Language String, NonNegativeInteger Integer, PositiveInteger Integer, NonPositiveInteger Integer,
        NegativeInteger Integer, GYear String, GYearMonth String, GMonth String, GMonthDay String, GDay String,
    };
    assert_eq!(known.len(), SimpleType::ALL.len());
    for (simple, sizes) in known {
        let memory = simple.row().memory;
        let of_row = [memory.size, memory.align, memory.or_nothing().size];
        assert_eq!(of_row, sizes, "{simple:?}");
    }
}

#[test]
fn optional_objects_of_more_than_256_bytes_are_boxed() {
    let a = "  A: { elements: { B: B?, C: { choice: { D: B, E: string } }, F: \"B[]\", G: B } }\n";
    let of = |types: &str| generate(&format!("{a}{types}")).expect("a valid definition");
    // 32 numbers of 8 bytes, and one in an alignment gap or not.
    let small = of(&repeated("B", 32, "long"));
    assert!(small.contains("pub b: Option<B>,"), "{small}");
    assert!(
        small.contains("D(B),") && !small.contains("Box<B>"),
        "{small}"
    );
    let large = of(&repeated("B", 33, "long"));
    for written in [
        "pub b: Option<Box<B>>,",
        "D(Box<B>),",
        "pub f: Vec<B>,",
        "pub g: B,",
        // The default of the choice is a box.
        "boxes = <Box<B> as codegen::Complex>::BOXES,",
        // A message contains one object only.
        "pub a: Option<A>,",
    ] {
        assert!(large.contains(written), "{written}: {large}");
    }
    for (count, parameter) in [(512, "pub a: Option<A>,"), (513, "pub a: Option<Box<A>>,")] {
        let written = generate(&repeated("A", count, "long")).expect("a valid definition");
        assert!(written.contains(parameter), "{parameter}: {written}");
    }
    for (count, header) in [(512, "SoapHeader<A>"), (513, "SoapHeader<Box<A>>")] {
        let text = repeated("A", count, "long");
        let text = format!(
            "service: S\nnamespace: urn:s\npath: /s\noperations: {{ Get: {{ headers: {{ in: [H] }} }} }}\nheaders: {{ H: {{ type: A, soap_attributes: true }} }}\ntypes:\n{text}"
        );
        let written = Config::new().generate("s.yaml", &text).unwrap().code;
        let field = format!("pub h: Option<svcgen::types::{header}>,");
        assert!(written.contains(&field), "{field}: {written}");
    }
    let derived = format!("{}  H: {{ extends: B }}\n", repeated("B", 33, "long"));
    let derived = of(&derived);
    for written in ["B(Box<B>),", "H(Box<H>),", "pub b: Option<AnyB>,"] {
        assert!(derived.contains(written), "{written}: {derived}");
    }
}

#[test]
fn types_of_more_than_64_kib_are_refused() {
    assert!(check(&repeated("A", 8192, "long")).is_ok());
    let refused = check(&repeated("A", 8193, "long")).expect_err("too large");
    assert!(
        refused.contains("an empty value of `A` takes 65544 bytes, more than 65536"),
        "{refused}"
    );
    // The first variant of a choice is present by default, in a box or not.
    let boxed = "  A: { elements: { C: { choice: { D: B, E: string } }, F: B } }\n";
    let boxed = format!("{boxed}{}", repeated("B", 5000, "long"));
    let refused = check(&boxed).expect_err("too large");
    assert!(
        refused.contains("SVC036") && refused.contains("`C` takes 40032 of them"),
        "{refused}"
    );
    let absent = boxed.replace("F: B", "F: B?");
    assert!(check(&absent).is_ok());
}

#[test]
fn large_types_that_hold_themselves_are_cloned_in_place() {
    let with = |element: &str, count| {
        repeated("A", count, "long").replace("{ E0: long,", &format!("{{ E0: {element},"))
    };
    for element in ["A?", "\"A[]\""] {
        let small = generate(&with(element, 509)).expect("a valid definition");
        assert!(!small.contains("CloneInPlace"), "{element}");
        let large = generate(&with(element, 520)).expect("a valid definition");
        assert!(
            large.contains("impl codegen::CloneInPlace for A"),
            "{element}: {large}"
        );
    }
    let refused = check(&with("A?", 8200)).expect_err("too large");
    assert!(refused.contains("more than 65536"), "{refused}");
}

#[test]
fn parameters_are_refused_too() {
    let parameters: Vec<_> = (0..9000).map(|n| format!("p{n}: long")).collect();
    let text = format!(
        "service: S\nnamespace: urn:s\npath: /s\noperations: {{ Get: {{ parameters: {{ {} }} }} }}\n",
        parameters.join(", ")
    );
    let refused = Config::new()
        .generate("s.yaml", &text)
        .expect_err("too large");
    let refused = refused.to_string();
    assert!(
        refused.contains("an empty value of the parameters of `Get` takes 72000 bytes"),
        "{refused}"
    );
}

/// Each type contains two of the next one: 2^1000 strings.
#[test]
fn sizes_that_grow_exponentially_are_measured_in_linear_time() {
    let types: String = (0..1000)
        .map(|n| {
            format!(
                "  T{n}: {{ elements: {{ L: T{m}, R: T{m} }} }}\n",
                m = n + 1
            )
        })
        .collect();
    let types = format!(
        "  A: {{ elements: {{ T: T0 }} }}\n{types}  T1000: {{ elements: {{ S: string }} }}\n"
    );
    let refused = check(&types).expect_err("too large");
    // The error is for the type that exceeds the limit, and not for the types that contain it,
    // except those that are too large without it.
    let count = |text| refused.matches(text).count();
    assert_eq!(count("takes 98304 bytes"), 1, "{refused}");
    assert_eq!(
        count("takes 131072 bytes"),
        count("SVC036") - 1,
        "{refused}"
    );
    assert!(count("SVC036") > 1, "{refused}");
}
