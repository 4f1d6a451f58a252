//! Random documents: written documents are read back, and another parser agrees on what is
//! well-formed.

use super::types::{Flavour, Kind, Record};
use proptest::prelude::*;
use svcgen::codegen::{Content, Reader, Value};
use svcgen::{Limits, ReadError, Secret};

fn limits() -> Limits {
    Limits::default().with_depth(10_000)
}

/// Reads a document to its end, in each way in which a message can be read.
fn verdicts(text: &str) -> [Result<(), ReadError>; 3] {
    let skip = || {
        let mut reader = Reader::new(text, &limits());
        reader.root()?;
        reader.skip()?;
        reader.finish()
    };
    let walk = || {
        let mut reader = Reader::new(text, &limits());
        reader.root()?;
        let mut open = 1;
        while open > 0 {
            if reader.child()? {
                open += 1
            } else {
                open -= 1
            }
        }
        reader.finish()
    };
    let value = || {
        let mut reader = Reader::new(text, &limits());
        reader.root()?;
        reader.read(&mut ())?;
        reader.finish()
    };
    [skip(), walk(), value()]
}

/// Returns the names with their namespaces, the attributes, and the text of each element without
/// children.
fn outline(text: &str) -> Vec<String> {
    fn inner(reader: &mut Reader<'_>, out: &mut Vec<String>) {
        out.push(format!("{{{}}}{}", reader.namespace(), reader.local_name()));
        while reader.child().unwrap() {
            inner(reader, out);
        }
    }
    let (mut reader, mut out) = (Reader::new(text, &limits()), Vec::new());
    reader.root().unwrap();
    inner(&mut reader, &mut out);
    out
}

fn other_outline(document: &roxmltree::Document<'_>) -> Vec<String> {
    let elements = document
        .root()
        .descendants()
        .filter(roxmltree::Node::is_element);
    elements
        .map(|node| {
            format!(
                "{{{}}}{}",
                node.tag_name().namespace().unwrap_or(""),
                node.tag_name().name()
            )
        })
        .collect()
}

/// Whether the other parser is known to differ on this text.
fn is_known_difference(text: &str) -> bool {
    // It reads document type definitions.
    text.contains("<!D")
        // It knows `xml` as a prefix of attributes only.
        || text.contains("<xml:")
        // It treats an empty prefix as no prefix.
        || text.split(':').any(|before| before.ends_with(['<', '/', ' ', '\t', '\r', '\n']))
        // It treats an attribute `p:xmlns` as a declaration of the default namespace.
        || text.contains(":xmlns")
        // A byte order mark is removed before our reader gets the text.
        || text.starts_with('\u{FEFF}')
}

fn compare(text: &str) -> Result<(), TestCaseError> {
    let ours = verdicts(text);
    prop_assert!(
        ours.iter()
            .all(|verdict| verdict.is_ok() == ours[0].is_ok()),
        "{text:?} {ours:?}"
    );
    let theirs = roxmltree::Document::parse(text);
    if is_known_difference(text) {
        return Ok(());
    }
    match (&ours[0], &theirs) {
        (Ok(()), Ok(document)) => prop_assert_eq!(outline(text), other_outline(document)),
        // The other parser is laxer in a few places; what it refuses, we must refuse.
        (Ok(()), Err(error)) => prop_assert!(false, "{text:?} is refused by the other: {error}"),
        (Err(error), Ok(_)) => prop_assert!(
            is_known_laxity(error),
            "{text:?} is read by the other, not by us: {error}"
        ),
        (Err(_), Err(_)) => {}
    }
    Ok(())
}

/// Whether the other parser is known not to check a rule, by our message.
fn is_known_laxity(error: &ReadError) -> bool {
    KNOWN_LAXITIES
        .iter()
        .any(|known| error.message().contains(known))
}

const KNOWN_LAXITIES: &[&str] = &[
    "processing instruction",
    "XML declaration",
    "The version of XML",
    "empty namespace name",
    "declares one namespace prefix twice",
    "no character of XML",
    "The prefix 'xml",
    "The namespace of 'xml",
];

/// Pieces that sometimes form XML.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "<a>",
        "</a>",
        "<b>",
        "</b>",
        "<a/>",
        "<b />",
        "<p:a>",
        "</p:a>",
        "<a xmlns='urn:a'>",
        "<a xmlns:p='urn:p'>",
        "<p:b xmlns:p='urn:q'/>",
        "<a xmlns=''>",
        "<a x='1'>",
        "<a x=\"&lt;\" y='2'>",
        "<a x='1' x='2'>",
        "<a p:x='1'>",
        "<b xmlns:p='u' xmlns:q='u' p:x='' q:x=''/>",
        "<!-- c -->",
        "<!---->",
        "<!-- -- -->",
        "<?p x?>",
        "<?p?>",
        "<?xml?>",
        "<?xml version='1.0'?>",
        "<?xml version='1.0' encoding='utf-8' standalone='yes'?>",
        "<![CDATA[x]]>",
        "<![CDATA[]]>",
        "]]>",
        "]]",
        ">",
        "<",
        "&",
        "&amp;",
        "&lt;",
        "&#65;",
        "&#x1F600;",
        "&#1;",
        "&x;",
        "'",
        "\"",
        "=",
        "/",
        " ",
        "\n",
        "\r\n",
        "\t",
        "text",
        "é",
        "日",
        "\u{1}",
        "\u{FFFF}",
        "\u{FEFF}",
        ":",
        "xmlns",
        "xml:lang='en'",
        "<é/>",
        "<a b='",
    ]);
    prop_oneof![8 => fixed.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)]
}

/// A well-formed document with unusual details.
fn document() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "p:a", "p:b", "é", "x-1.y_z"]);
    let attributes = prop::sample::subsequence(
        vec![
            " c='1'",
            " d = \"&#9;&amp;'>\"",
            "\n\tp:c='2'",
            " xml:lang='x'",
            " xmlns='urn:d'",
            " xmlns:q='urn:p'",
            " q:d=''",
            " é='é'",
        ],
        0..4,
    );
    let misc = prop::sample::select(vec!["", " ", "\r\n", "<!-- -x -->", "<?p -- ?>", "<?q?>"]);
    let text = prop::sample::select(vec![
        "",
        "t",
        " ",
        "&lt;",
        "]]",
        "<![CDATA[<&]]]]>",
        "\r",
        "é&#x10FFFF;",
        "<!---->",
        "<?p?>",
    ]);
    let empty = (name.clone(), attributes.clone()).prop_map(|(name, attributes)| {
        format!("<{name} xmlns:q='urn:q'{} />", without_repeats(&attributes))
    });
    let element = empty.prop_recursive(6, 64, 6, move |inner| {
        (
            name.clone(),
            attributes.clone(),
            prop::collection::vec((text.clone(), inner), 0..5),
        )
            .prop_map(|(name, attributes, children)| {
                let content: String = children
                    .into_iter()
                    .map(|(text, child)| format!("{text}{child}{text}"))
                    .collect();
                format!(
                    "<{name} xmlns:q='urn:q'{}>{content}</{name}\n>",
                    without_repeats(&attributes)
                )
            })
    });
    (misc.clone(), element, misc).prop_map(|(before, element, after)| {
        format!("<?xml version='1.0'?>{before}<root xmlns:p='urn:p'>{element}</root>{after}")
    })
}

/// Joins the attributes without `xmlns:q`, which the start tag already declares.
fn without_repeats(attributes: &[&str]) -> String {
    attributes
        .iter()
        .filter(|attribute| !attribute.starts_with(" xmlns:q"))
        .copied()
        .collect()
}

/// Text of characters that XML allows.
fn text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        4 => prop::sample::select(vec!['a', ' ', '<', '>', '&', ']', '\'', '"', '\n', '\t', '\r', 'é', '日', '😀', '\u{85}', '\u{2028}', '\u{FFFD}', '\u{EFFF}']),
        1 => any::<char>().prop_filter("a character of XML", |character| !matches!(character, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')),
    ];
    prop::collection::vec(character, 0..40).prop_map(String::from_iter)
}

fn record() -> impl Strategy<Value = Record> {
    let leaf = (
        (
            prop::option::of(any::<i32>()),
            prop::option::of(text()),
            any::<i32>(),
            prop::option::of(text()),
            any::<bool>(),
            any::<bool>(),
        ),
        (
            prop::option::of(any::<bool>()),
            prop::option::of(any::<i64>()),
            prop::option::of(prop::collection::vec(any::<u8>(), 0..20)),
            prop::option::of(prop::collection::vec(any::<i32>(), 0..5)),
        ),
        (
            prop::collection::vec(text(), 0..4),
            prop::option::of(text()),
            prop::option::of(any::<i32>()),
            prop::option::of(
                any::<f64>().prop_filter("a number that equals itself", |value| !value.is_nan()),
            ),
        ),
    );
    let leaf = leaf.prop_map(
        |(
            (version, label, id, name, flag, hot),
            (sour, age, bytes, numbers),
            (tags, word, pin, ratio),
        )| Record {
            version,
            label,
            id,
            name,
            flag,
            age,
            bytes,
            numbers,
            tags,
            ratio,
            kind: if hot { Kind::Hot } else { Kind::Cold },
            flavour: sour.map(|sour| if sour { Flavour::Sour } else { Flavour::Sweet }),
            word: word.map(Secret::new),
            pin: pin.map(Secret::new),
            ..Record::default()
        },
    );
    leaf.prop_recursive(3, 12, 3, |inner| {
        (
            inner.clone(),
            prop::option::of(inner.clone()),
            prop::collection::vec(prop::option::of(inner), 0..3),
        )
            .prop_map(|(record, inner, records)| Record {
                inner: inner.map(Box::new),
                records,
                ..record
            })
    })
}

type Layout = fn(&mut Vec<u8>) -> Content<'_>;

const COMPACT: Layout = |out| Content::compact(out);
const INDENTED: Layout = |out| Content::indented(out);
const INDENTED_CRLF: Layout = |out| Content::indented_crlf(out);

fn write(record: &Record, layout: Layout) -> String {
    let mut out = Vec::new();
    let mut content = layout(&mut out);
    content.root("Record", true, "urn:r", record);
    content.finish().unwrap();
    String::from_utf8(out).unwrap()
}

fn read<T: Value + Default>(text: &str) -> Result<T, ReadError> {
    let mut reader = Reader::new(text, &limits());
    let mut value = T::default();
    reader.root()?;
    reader.read(&mut value)?;
    reader.finish()?;
    Ok(value)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces(pieces in prop::collection::vec(piece(), 0..12)) {
        compare(&pieces.concat())?;
        compare(&format!("<a xmlns:p='urn:p'>{}</a>", pieces.concat()))?;
    }

    #[test]
    fn documents(text in document()) {
        prop_assert!(verdicts(&text)[0].is_ok(), "{text:?} {:?}", verdicts(&text));
        compare(&text)?;
    }

    #[test]
    fn damaged_documents(text in document(), at in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(), piece in piece()) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (at, to) = (places[at.index(places.len())], places[to.index(places.len())]);
        compare(&format!("{}{piece}{}", &text[..at], &text[at..]))?;
        compare(&format!("{}{}", &text[..at.min(to)], &text[at.max(to)..]))?;
        compare(&text[..at])?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(record in record()) {
        for layout in [COMPACT, INDENTED, INDENTED_CRLF] {
            let text = write(&record, layout);
            prop_assert_eq!(&read::<Record>(&text).unwrap(), &record, "{}", text);
            compare(&text)?;
        }
    }

    /// The fast path and the tokenizer read the same values: an element with an attribute is not
    /// read by the fast path.
    #[test]
    fn the_fast_path_and_the_tokenizer_agree(record in record(), general in prop::collection::vec(any::<bool>(), 1..20)) {
        let text = write(&record, COMPACT);
        let mut choice = general.iter().cycle();
        let mut other = String::new();
        for part in text.split_inclusive('>') {
            let start = part.rfind('<').unwrap_or(0);
            let is_start = part[start..].starts_with('<') && !part[start..].starts_with("</") && !part.contains(" xmlns");
            match part.strip_suffix(" />").or_else(|| part.strip_suffix('>')) {
                Some(tag) if is_start && *choice.next().unwrap() => other.push_str(&format!("{tag} path='general'{}", &part[tag.len()..])),
                _ => other.push_str(part),
            }
        }
        prop_assert_eq!(&read::<Record>(&other).unwrap(), &record, "{}", other);
    }

    #[test]
    fn damaged_values_never_panic(record in record(), at in any::<prop::sample::Index>(), piece in piece()) {
        let text = write(&record, INDENTED);
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = places[at.index(places.len())];
        let damaged = format!("{}{piece}{}", &text[..at], &text[at..]);
        let value = read::<Record>(&damaged);
        let [skipped, ..] = verdicts(&damaged);
        match (&value, &skipped) {
            // Malformed XML is refused, whatever is read.
            (Ok(_), Err(error)) => prop_assert!(false, "{damaged:?}: {error}"),
            (Err(error), Ok(())) => prop_assert!(error.kind() != svcgen::ReadErrorKind::Malformed || ["base64", "Unexpected node"].iter().any(|what| error.message().contains(what)), "{damaged:?}: {error}"),
            _ => {}
        }
    }
}
