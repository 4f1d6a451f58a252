//! The components of schemas, written as text.

use std::fmt::Write;

use super::{
    Attribute, Content, Derivation, Element, EncodedArray, Kind, Name, Particle, Schemas, Term,
    Type, TypeRef, Variety, Wildcard, read,
};
use crate::report::Report;
use crate::sources::Sources;

/// Reads `test.xsd` and `other.xsd`, whose namespace is `urn:test` with the prefix `t`. Returns the
/// declarations and messages.
fn read_all(attributes: &str, schemas: &[&str]) -> String {
    let addresses = &["test.xsd".to_owned(), "other.xsd".to_owned()][..schemas.len()];
    let mut load = |address: &str| {
        let at = addresses.iter().position(|one| one == address).unwrap();
        let text = format!(
            r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:test"
            xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
            targetNamespace="urn:test" {attributes}>{}</xs:schema>"#,
            schemas[at]
        );
        Ok(text.into_bytes())
    };
    let sources = Sources::load(addresses, &[], &mut load).unwrap();
    let documents = sources.parse().unwrap();
    let report = Report::new(&sources.texts);
    let schemas = read(&documents.schemas(&sources.groups[0]).unwrap(), &report);
    let mut text = written(&schemas);
    let elements = schemas.elements.values();
    schemas.report_missing(
        schemas.named.values().map(|id| TypeRef::Declared(*id)),
        elements.map(|element| element.name),
        &report,
    );
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
                Content::EncodedArray(EncodedArray { item, ranks, .. }) => {
                    words.push(format!("array of {} in {ranks}", text(*item)));
                }
            }
            words.extend(complex.attributes.iter().map(attribute));
            let prohibited = complex.prohibited.iter();
            words.extend(prohibited.map(|one| format!("without @{}", name(*one))));
            words.extend(
                complex
                    .any_attribute
                    .as_ref()
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
        Term::Any(any) => wildcard(any),
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

fn wildcard(one: &Wildcard<'_>) -> String {
    format!("any({})", one.namespaces)
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
type t:Order = "An order." abstract extends t:Document choice(t:A:#2 sequence(t:B:date any(other)))[1..5] @id:int! @any(##any)
type t:Document =
type t:Tone = restriction of string "Plain" "two words"
type t:Tones = list of t:Tone
type t:Either = union of int, t:Tone
type t:Text = value string @lang:string=en
type #6 = sequence(t:number:int text:string=none[0..1] t:Order:#0&?[0..])
"#;
    assert_eq!(text, expected);
}

#[test]
fn groups_stand_where_they_are_referred_to() {
    let text = qualified(
        r#"<xs:group name="Ends"><xs:sequence><xs:element name="From" type="xs:int"/><xs:element name="To" type="t:Tone"/></xs:sequence></xs:group>
        <xs:group name="Either"><xs:choice><xs:group ref="t:Ends"/><xs:element name="All"><xs:complexType/></xs:element></xs:choice></xs:group>
        <xs:attributeGroup name="Common"><xs:attribute name="id" type="xs:ID"/><xs:attributeGroup ref="t:More"/></xs:attributeGroup>
        <xs:attributeGroup name="More"><xs:attribute ref="t:kind" use="required"/><xs:attribute ref="xml:lang"/><xs:anyAttribute namespace="urn:x"/></xs:attributeGroup>
        <xs:attribute name="kind" type="xs:string" default="none"/>
        <xs:complexType name="Flat"><xs:sequence><xs:element name="First" type="xs:int"/><xs:group ref="t:Ends"/></xs:sequence><xs:attributeGroup ref="t:Common"/></xs:complexType>
        <xs:complexType name="Many"><xs:group ref="t:Either" minOccurs="0" maxOccurs="unbounded"/></xs:complexType>
        <xs:complexType name="Twice"><xs:sequence><xs:group ref="t:Either"/><xs:group ref="t:Either"/></xs:sequence></xs:complexType>
        <xs:simpleType name="Tone"><xs:restriction base="xs:string"/></xs:simpleType>"#,
    );
    let expected = r#"type t:Flat = sequence(t:First:int t:From:int t:To:#3) @id:ID @t:kind:string!=none @{http://www.w3.org/XML/1998/namespace}lang:string @any(urn:x)
type t:Many = choice(sequence(t:From:int t:To:#3) t:All:#5)[0..]
type t:Twice = sequence(choice(sequence(t:From:int t:To:#3) t:All:#5) choice(sequence(t:From:int t:To:#3) t:All:#5))
type t:Tone = restriction of string
type #4 = restriction of NCName "default" "preserve"
type #5 =
"#;
    assert_eq!(text, expected);
}

#[test]
fn groups_take_their_simplest_form() {
    let text = qualified(
        r#"<xs:complexType name="A"><xs:sequence><xs:sequence><xs:element name="a"/><xs:sequence><xs:element name="b"/></xs:sequence></xs:sequence></xs:sequence></xs:complexType>
        <xs:complexType name="B"><xs:choice><xs:choice><xs:element name="a"/><xs:element name="b"/></xs:choice><xs:element name="c"/></xs:choice></xs:complexType>
        <xs:complexType name="C"><xs:choice minOccurs="0" maxOccurs="unbounded"><xs:element name="a"/></xs:choice></xs:complexType>
        <xs:complexType name="D"><xs:sequence maxOccurs="2"><xs:element name="a" minOccurs="0" maxOccurs="3"/></xs:sequence></xs:complexType>
        <xs:complexType name="E"><xs:sequence maxOccurs="2"><xs:element name="a" minOccurs="2" maxOccurs="2"/></xs:sequence></xs:complexType>
        <xs:complexType name="F"><xs:sequence><xs:choice/><xs:element name="a" maxOccurs="0"/></xs:sequence></xs:complexType>
        <xs:complexType name="G"><xs:all minOccurs="0"><xs:element name="a"/></xs:all></xs:complexType>
        <xs:complexType name="H"><xs:sequence><xs:element name="a" minOccurs="3"/><xs:element name="b" minOccurs="x"/></xs:sequence></xs:complexType>"#,
    );
    let expected = r#"type t:A = sequence(t:a:anyType t:b:anyType)
type t:B = choice(t:a:anyType t:b:anyType t:c:anyType)
type t:C = sequence(t:a:anyType[0..])
type t:D = sequence(t:a:anyType[0..6])
type t:E = sequence(t:a:anyType[2..2])[1..2]
type t:F =
type t:G = all(t:a:anyType)[0..1]
type t:H = sequence(t:a:anyType[3..3] t:b:anyType)
SVC074: `minOccurs` is 3, but `maxOccurs` 1
SVC070: `minOccurs` is not a number
"#;
    assert_eq!(text, expected);
}

#[test]
fn redefinitions_build_on_what_they_redefine() {
    let text = read_all(
        "",
        &[
            r#"<xs:redefine schemaLocation="other.xsd">
                <xs:complexType name="Person"><xs:complexContent><xs:extension base="t:Person"><xs:sequence><xs:element name="age" type="xs:int"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
                <xs:simpleType name="Code"><xs:restriction base="t:Code"><xs:maxLength value="3"/></xs:restriction></xs:simpleType>
                <xs:group name="Ends"><xs:sequence><xs:group ref="t:Ends"/><xs:element name="c"/></xs:sequence></xs:group>
                <xs:attributeGroup name="Common"><xs:attributeGroup ref="t:Common"/><xs:attribute name="b"/></xs:attributeGroup>
            </xs:redefine>
            <xs:complexType name="Uses"><xs:group ref="t:Ends"/><xs:attributeGroup ref="t:Common"/></xs:complexType>"#,
            r#"<xs:complexType name="Person"><xs:sequence><xs:element name="name" type="t:Code"/></xs:sequence></xs:complexType>
            <xs:simpleType name="Code"><xs:restriction base="xs:string"/></xs:simpleType>
            <xs:group name="Ends"><xs:sequence><xs:element name="a"/><xs:element name="b"/></xs:sequence></xs:group>
            <xs:attributeGroup name="Common"><xs:attribute name="a"/></xs:attributeGroup>"#,
        ],
    );
    let expected = r#"type t:Uses = sequence(a:anyType b:anyType c:anyType) @a:anySimpleType @b:anySimpleType
type #1 = sequence(name:#4)
type #2 = restriction of string
type t:Person = extends #1 sequence(age:int)
type t:Code = restriction of #2 maxLength=3
"#;
    assert_eq!(text, expected);
}

#[test]
fn the_same_declaration_twice_is_one() {
    let text = read_all(
        "",
        &[
            r#"<xs:simpleType name="Code"><xs:restriction base="xs:string"/></xs:simpleType>
            <xs:element name="a" type="t:Code"/><xs:element name="b" type="xs:int"/>"#,
            r#"<xs:simpleType name="Code"><xs:annotation><xs:documentation>Two letters.</xs:documentation></xs:annotation>
                <xs:restriction xmlns:x="http://www.w3.org/2001/XMLSchema" base="x:string"/></xs:simpleType>
            <xs:element name="a" type="t:Code"/><xs:element name="b" type="xs:long"/>"#,
        ],
    );
    let expected = "element t:a:#0\nelement t:b:int\ntype t:Code = restriction of string\nSVC074: element `b` is declared twice\n";
    assert_eq!(text, expected);
}

#[test]
fn circles_are_reported() {
    let text = qualified(
        r#"<xs:group name="A"><xs:sequence><xs:element name="a"/><xs:group ref="t:B"/></xs:sequence></xs:group>
        <xs:group name="B"><xs:sequence><xs:element name="b"/><xs:group ref="t:A"/></xs:sequence></xs:group>
        <xs:attributeGroup name="C"><xs:attributeGroup ref="t:C"/></xs:attributeGroup>
        <xs:complexType name="Uses"><xs:group ref="t:A"/><xs:attributeGroup ref="t:C"/></xs:complexType>
        <xs:complexType name="D"><xs:complexContent><xs:extension base="t:E"/></xs:complexContent></xs:complexType>
        <xs:complexType name="E"><xs:complexContent><xs:extension base="t:D"/></xs:complexContent></xs:complexType>
        <xs:simpleType name="F"><xs:union memberTypes="xs:int t:F"/></xs:simpleType>
        <xs:element name="g" substitutionGroup="t:h"/><xs:element name="h" substitutionGroup="t:g"/>
        <xs:complexType name="Tree"><xs:sequence><xs:element name="left" type="t:Tree"/></xs:sequence></xs:complexType>"#,
    );
    let expected = r#"element t:g:anyType
element t:h:anyType
type t:Uses = sequence(t:a:anyType t:b:anyType)
type t:D = extends t:E
type t:E = extends anyType
type t:F = union of int, anyType
type t:Tree = sequence(t:left:#4)
SVC070: group `A` refers to itself
SVC070: attribute group `C` refers to itself
SVC070: type `D` is made of itself
SVC070: type `F` is made of itself
SVC070: element `g` substitutes itself
SVC070: element `h` substitutes itself
"#;
    assert_eq!(text, expected);
}

#[test]
fn what_is_missing_is_said_once() {
    let text = qualified(
        r#"<xs:element name="a" type="t:Lost"/><xs:element name="b" type="t:Lost"/><xs:element name="c" type="x:int"/><xs:element name="d" type="x:string"/>
        <xs:complexType name="E"><xs:sequence><xs:element ref="t:gone"/><xs:group ref="t:gone"/></xs:sequence><xs:attribute ref="t:gone"/><xs:attributeGroup ref="t:gone"/></xs:complexType>
        <xs:element name="f" type="xs:strong"/><xs:element name="g" type="E"/>"#,
    );
    let expected = r#"element t:a:missing t:Lost
element t:b:missing t:Lost
element t:c:missing x:int
element t:d:missing x:string
element t:f:missing {http://www.w3.org/2001/XMLSchema}strong
element t:g:#0
type t:E = sequence(t:gone:missing t:gone&) @t:gone:missing t:gone
SVC071: type `Lost` is not declared, to which 2 places refer
SVC070: the prefix `x` is not declared
SVC071: element `gone` is not declared
SVC071: group `gone` is not declared
SVC071: attribute `gone` is not declared
SVC071: attribute group `gone` is not declared
SVC071: type `strong` is not declared
"#;
    assert_eq!(text, expected);
}

#[test]
fn soap_encoded_arrays_know_their_items() {
    let text = qualified(
        r#"<xs:complexType name="Names"><xs:complexContent><xs:restriction base="soapenc:Array"><xs:attribute ref="soapenc:arrayType" wsdl:arrayType="soapenc:string[]"/></xs:restriction></xs:complexContent></xs:complexType>
        <xs:complexType name="Grid"><xs:complexContent><xs:restriction base="soapenc:Array"><xs:attribute ref="soapenc:arrayType" wsdl:arrayType="xs:int[][,]"/></xs:restriction></xs:complexContent></xs:complexType>
        <xs:complexType name="Axis"><xs:complexContent><xs:restriction base="soapenc:Array"><xs:sequence><xs:element name="item" type="t:Names" minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:restriction></xs:complexContent></xs:complexType>
        <xs:complexType name="Other"><xs:complexContent><xs:extension base="soapenc:Array"/></xs:complexContent></xs:complexType>
        <xs:element name="bytes" type="soapenc:base64"/>"#,
    );
    let expected = r#"element t:bytes:base64Binary
type t:Names = array of string in 1
type t:Grid = array of #4 in 2
type t:Axis = array of t:Names in 1
type t:Other = array of anyType in 1
type #4 = array of int in 1
"#;
    assert_eq!(text, expected);
}

#[test]
fn simple_content_and_restrictions_are_read() {
    let text = qualified(
        r#"<xs:complexType name="Price"><xs:simpleContent><xs:extension base="t:Amount"><xs:attribute name="unit" type="xs:string"/><xs:attribute name="old"/></xs:extension></xs:simpleContent></xs:complexType>
        <xs:complexType name="Small"><xs:simpleContent><xs:restriction base="t:Derived"><xs:maxInclusive value="9"/><xs:attribute name="old" use="prohibited"/></xs:restriction></xs:simpleContent></xs:complexType>
        <xs:complexType name="Derived"><xs:simpleContent><xs:extension base="t:Price"/></xs:simpleContent></xs:complexType>
        <xs:simpleType name="Amount"><xs:restriction base="xs:decimal"><xs:totalDigits value="5"/></xs:restriction></xs:simpleType>
        <xs:complexType name="Narrow"><xs:complexContent mixed="true"><xs:restriction base="t:Wide"><xs:sequence><xs:element name="a"/></xs:sequence></xs:restriction></xs:complexContent></xs:complexType>
        <xs:complexType name="Wide"><xs:complexContent><xs:restriction base="xs:anyType"><xs:sequence><xs:element name="a" minOccurs="0"/></xs:sequence></xs:restriction></xs:complexContent></xs:complexType>
        <xs:simpleType name="Flags"><xs:list><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value="A"><xs:annotation><xs:appinfo>
            <EnumerationValue xmlns="http://schemas.microsoft.com/2003/10/Serialization/">4</EnumerationValue></xs:appinfo></xs:annotation></xs:enumeration></xs:restriction></xs:simpleType></xs:list></xs:simpleType>"#,
    );
    let expected = r#"type t:Price = value t:Amount @unit:string @old:anySimpleType
type t:Small = restricts t:Derived value #7 without @old
type t:Derived = extends t:Price
type t:Amount = restriction of decimal totalDigits=5
type t:Narrow = mixed restricts t:Wide sequence(t:a:anyType)
type t:Wide = sequence(t:a:anyType[0..1])
type t:Flags = list of #8
type #7 = restriction of t:Amount maxInclusive=9
type #8 = restriction of string "A"=4
"#;
    assert_eq!(text, expected);
}

#[test]
fn data_sets_and_hints_are_kept() {
    let text = qualified(
        r#"<xs:element name="Data" xmlns:msdata="urn:schemas-microsoft-com:xml-msdata" msdata:IsDataSet="true"><xs:complexType><xs:sequence>
            <xs:element ref="xs:schema"/><xs:any/></xs:sequence></xs:complexType></xs:element>
        <xs:element name="Letter" type="xs:int"><xs:annotation><xs:appinfo><ActualType Name="char" Namespace="urn:x" xmlns="http://schemas.microsoft.com/2003/10/Serialization/"/></xs:appinfo></xs:annotation></xs:element>"#,
    );
    let expected = r#"element t:Data:#0 IsDataSet="true"
element t:Letter:int ActualType="char"
type #0 = sequence({http://www.w3.org/2001/XMLSchema}schema:schema& any(##any))
"#;
    assert_eq!(text, expected);
}

#[test]
fn what_has_no_meaning_is_reported() {
    let text = qualified(
        r#"<xs:simpletype name="A"/><xs:element name="b"><xs:sequence/></xs:element><xs:complexType/><xs:element/>
        <other xmlns="urn:other"/><xs:complexType name="C"><xs:sequence><xs:attribute name="d"/></xs:sequence></xs:complexType>"#,
    );
    let expected = r#"element t:b:anyType
type t:C =
SVC074: `simpletype` has no meaning in `schema`
SVC074: `sequence` has no meaning in `element`
SVC070: this complexType has no `name`
SVC070: this element has no `name`
SVC074: `other` is not an element of XML Schema
SVC074: `attribute` has no meaning in `sequence`
"#;
    assert_eq!(text, expected);
}

/// The message for a schema that becomes too large when references are replaced.
#[test]
fn references_do_not_grow_without_bound() {
    let doubled: String = (0..40)
        .map(|at| {
            let next = at + 1;
            format!(r#"<xs:group name="G{at}"><xs:sequence><xs:group ref="t:G{next}"/><xs:element name="a{at}"/><xs:group ref="t:G{next}"/></xs:sequence></xs:group>"#)
        })
        .collect();
    let text = qualified(&format!(
        r#"{doubled}<xs:group name="G40"><xs:sequence><xs:element name="z"/></xs:sequence></xs:group><xs:complexType name="A"><xs:group ref="t:G0"/></xs:complexType>"#
    ));
    assert!(
        text.ends_with("SVC070: what groups and elements refer to is too large\n"),
        "{}",
        &text[text.len() - 200..]
    );
    let chain: String = (0..5000)
        .map(|at| format!(r#"<xs:group name="G{at}"><xs:sequence><xs:group ref="t:G{}"/></xs:sequence></xs:group>"#, at + 1))
        .collect();
    let text = qualified(&format!(
        r#"{chain}<xs:complexType name="A"><xs:group ref="t:G0"/></xs:complexType>"#
    ));
    assert!(
        text.ends_with("SVC070: groups are nested more than 100 deep\n"),
        "{}",
        &text[text.len() - 200..]
    );
    let members: String = (0..500)
        .map(|at| format!(r#"<xs:element name="m{at}" substitutionGroup="t:head"/>"#))
        .collect();
    let references = r#"<xs:element ref="t:head"/>"#.repeat(100);
    let text = qualified(&format!(
        r#"<xs:element name="head"/>{members}<xs:complexType name="A"><xs:sequence>{references}</xs:sequence></xs:complexType>"#
    ));
    let said = "SVC070: what groups and elements refer to is too large\n";
    assert!(text.ends_with(said), "{}", &text[text.len() - 200..]);
}
