//! Components that are read from schemas, written as text.

use std::fmt::Write;
use std::sync::Arc;

use super::{
    Attribute, Content, Derivation, Element, Kind, Name, Particle, Schemas, Term, Type, TypeRef,
    Variety, Wildcard, read,
};
use crate::diagnostic::Source;
use crate::import::place::Report;
use crate::import::sources::Sources;

/// Reads schemas, of which the first is in the namespace `urn:test`, with the prefix `t`; writes what is declared and said.
fn read_all(attributes: &str, schemas: &[&str]) -> String {
    let texts = schemas.iter().map(|text| {
        let text = format!(
            r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:test"
            xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
            targetNamespace="urn:test" {attributes}>{text}</xs:schema>"#
        );
        Arc::new(Source::new("test.xsd", &text, 0))
    });
    let sources = Sources {
        texts: texts.collect(),
        ..Sources::default()
    };
    let documents = sources.parse().unwrap();
    let report = Report::new(&sources.texts);
    let schemas = read(&documents.schemas(), &report);
    let mut text = written(&schemas);
    for diagnostic in report.finish().iter() {
        let code = diagnostic.code();
        let _ = writeln!(text, "{code}: {}", diagnostic.message());
    }
    text
}

fn qualified(schema: &str) -> String {
    read_all(r#"elementFormDefault="qualified""#, &[schema])
}

fn written(schemas: &Schemas<'_>) -> String {
    let mut text = String::new();
    let mut elements: Vec<_> = schemas.elements.values().collect();
    elements.sort_by_key(|element| element.place);
    for one in elements {
        let _ = writeln!(text, "element {}", element(one));
    }
    for (id, one) in schemas.types.iter().enumerate() {
        let name = one.name.map_or_else(|| format!("#{id}"), name);
        let _ = writeln!(
            text,
            "{}",
            format!("type {name} = {}", type_text(one, schemas)).trim_end()
        );
    }
    text
}

fn name(name: Name<'_>) -> String {
    match name.namespace {
        "" => name.local.to_owned(),
        "urn:test" => format!("t:{}", name.local),
        namespace => format!("{{{namespace}}}{}", name.local),
    }
}

fn type_ref(one: TypeRef<'_>) -> String {
    match one {
        TypeRef::Builtin(name) => name.to_owned(),
        TypeRef::Declared(id) => format!("#{}", id.0),
        TypeRef::Missing(missing) => format!("missing {}", name(missing)),
    }
}

fn type_text(one: &Type<'_>, schemas: &Schemas<'_>) -> String {
    let text = |one: TypeRef<'_>| match one {
        TypeRef::Declared(id) => schemas.get(id).name.map_or_else(|| type_ref(one), name),
        other => type_ref(other),
    };
    let mut words: Vec<String> = Vec::new();
    words.extend(one.doc.as_deref().map(|doc| format!("{doc:?}")));
    match &one.kind {
        Kind::Simple(simple) => {
            words.push(match &simple.variety {
                Variety::Restriction(base) => format!("restriction of {}", text(*base)),
                Variety::List(item) => format!("list of {}", text(*item)),
                Variety::Union(members) => {
                    let members: Vec<_> = members.iter().map(|one| text(*one)).collect();
                    format!("union of {}", members.join(", "))
                }
            });
            let facets = simple.facets.iter();
            words.extend(facets.map(|facet| format!("{}={}", facet.name, facet.value)));
            words.extend(simple.values.iter().map(|value| match value.number {
                Some(number) => format!("{:?}={number}", value.text),
                None => format!("{:?}", value.text),
            }));
        }
        Kind::Complex(complex) => {
            words.extend(complex.is_abstract.then(|| "abstract".to_owned()));
            words.extend(complex.is_mixed.then(|| "mixed".to_owned()));
            match complex.derivation {
                Derivation::None => {}
                Derivation::Extension(base) => words.push(format!("extends {}", text(base))),
                Derivation::Restriction(base) => words.push(format!("restricts {}", text(base))),
            }
            match &complex.content {
                Content::Empty => {}
                Content::Simple(value) => words.push(format!("value {}", text(*value))),
                Content::Elements(one) => words.push(particle(one)),
                Content::EncodedArray { item, ranks } => {
                    words.push(format!("array of {} in {ranks}", text(*item)));
                }
            }
            words.extend(complex.attributes.iter().map(attribute));
            let prohibited = complex.prohibited.iter();
            words.extend(prohibited.map(|one| format!("without @{}", name(*one))));
            words.extend(
                complex
                    .any_attribute
                    .map(|any| format!("@{}", wildcard(any))),
            );
        }
    }
    words.join(" ")
}

fn particle(one: &Particle<'_>) -> String {
    let group = |word: &str, within: &[Particle<'_>]| {
        let within: Vec<_> = within.iter().map(particle).collect();
        format!("{word}({})", within.join(" "))
    };
    let term = match &one.term {
        Term::Element(one) => element(one),
        Term::Sequence(within) => group("sequence", within),
        Term::Choice(within) => group("choice", within),
        Term::All(within) => group("all", within),
        Term::Any(any) => wildcard(*any),
    };
    match (one.min, one.max) {
        (1, Some(1)) => term,
        (min, Some(max)) => format!("{term}[{min}..{max}]"),
        (min, None) => format!("{term}[{min}..]"),
    }
}

fn element(one: &Element<'_>) -> String {
    let mut text = format!("{}:{}", name(one.name), type_ref(one.type_ref));
    let mut flag = |is_set, flag: &str| {
        if is_set {
            text += flag;
        }
    };
    flag(one.is_reference, "&");
    flag(one.is_nillable, "?");
    flag(one.is_abstract, "~");
    for (mark, value) in [("=", one.default), ("==", one.fixed)] {
        text += &value.map_or(String::new(), |value| format!("{mark}{value}"));
    }
    for (hint, value) in &one.hints {
        text += &format!(" {}={value:?}", hint.local);
    }
    text
}

fn attribute(one: &Attribute<'_>) -> String {
    let mut text = format!("@{}:{}", name(one.name), type_ref(one.type_ref));
    if one.is_required {
        text += "!";
    }
    for (mark, value) in [("=", one.default), ("==", one.fixed)] {
        text += &value.map_or(String::new(), |value| format!("{mark}{value}"));
    }
    text
}

fn wildcard(one: Wildcard<'_>) -> String {
    format!("any({} {})", one.namespaces, one.process_contents)
}

#[test]
fn types_and_elements_are_read() {
    let text = qualified(
        r#"<xs:element name="Order" type="t:Order" nillable="true"/>
        <xs:element name="Find"><xs:complexType><xs:sequence>
            <xs:element name="number" type="xs:int"/>
            <xs:element name="text" minOccurs="0" default="none" form="unqualified" type="xs:string"/>
            <xs:element ref="t:Order" minOccurs="0" maxOccurs="unbounded"/>
        </xs:sequence></xs:complexType></xs:element>
        <xs:complexType name="Order" abstract="true"><xs:annotation><xs:documentation> An order. </xs:documentation></xs:annotation>
            <xs:complexContent><xs:extension base="t:Document"><xs:choice maxOccurs="5">
                <xs:element name="A" type="t:Tone"/><xs:sequence><xs:element name="B" type="xs:date"/><xs:any namespace="other" processContents="lax"/></xs:sequence>
            </xs:choice><xs:attribute name="id" type="xs:int" use="required"/><xs:anyAttribute/></xs:extension></xs:complexContent></xs:complexType>
        <xs:complexType name="Document"/>
        <xs:simpleType name="Tone"><xs:restriction base="xs:string"><xs:enumeration value="Plain"/><xs:enumeration value="two words"/></xs:restriction></xs:simpleType>
        <xs:simpleType name="Tones"><xs:list itemType="t:Tone"/></xs:simpleType>
        <xs:simpleType name="Either"><xs:union memberTypes="xs:int t:Tone"/></xs:simpleType>
        <xs:complexType name="Text"><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="lang" type="xs:string" default="en"/></xs:extension></xs:simpleContent></xs:complexType>"#,
    );
    let expected = r#"element t:Order:#0?
element t:Find:#6
type t:Order = "An order." abstract extends t:Document choice(t:A:#2 sequence(t:B:date any(other lax)))[1..5] @id:int! @any(##any strict)
type t:Document =
type t:Tone = restriction of string "Plain" "two words"
type t:Tones = list of t:Tone
type t:Either = union of int, t:Tone
type t:Text = value string @lang:string=en
type #6 = sequence(t:number:int text:string=none[0..1] t:Order:#0&?[0..])
"#;
    assert_eq!(text, expected);
}
