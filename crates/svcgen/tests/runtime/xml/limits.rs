//! Every limit allows N and refuses N + 1, both when text is read and when it is skipped.

use super::types::Record;
use svcgen::codegen::Reader;
use svcgen::{Limits, ReadError, ReadErrorKind};

fn skip(text: &str, limits: &Limits) -> Result<(), ReadError> {
    let mut reader = Reader::new(text, limits);
    reader.root()?;
    reader.skip()?;
    reader.finish()
}

fn value(text: &str, limits: &Limits) -> Result<(), ReadError> {
    let mut reader = Reader::new(text, limits);
    reader.root()?;
    reader.read(&mut Record::default())?;
    reader.finish()
}

/// Fails unless a document needs exactly `n` of a limit.
fn holds(limits: impl Fn(usize) -> Limits, n: usize, text: &str, message: &str) {
    for read in [skip, value] {
        read(text, &limits(n)).unwrap_or_else(|error| panic!("{text}: {error}"));
        let error = read(text, &limits(n - 1)).expect_err(text);
        assert_eq!(error.kind(), ReadErrorKind::Limit, "{text}: {error}");
        assert_eq!(
            error.message(),
            message.replace("{}", &(n - 1).to_string()),
            "{text}"
        );
    }
}

#[test]
fn depth() {
    let limits = |n| Limits::default().with_depth(n);
    let message = "More than {} levels of elements.";
    holds(limits, 1, "<Record/>", message);
    holds(limits, 2, "<Record><Id>1</Id><Name/></Record>", message);
    holds(
        limits,
        3,
        "<Record><Numbers><int>1</int></Numbers></Record>",
        message,
    );
    holds(
        limits,
        3,
        "<Record><Name/><Name><x/></Name></Record>",
        message,
    );
    let nested = |n: usize| {
        format!(
            "{}{}",
            "<Record><Inner>".repeat(n),
            "</Inner></Record>".repeat(n)
        )
    };
    let skipped = |n: usize| format!("<Record>{}{}</Record>", "<x>".repeat(n), "</x>".repeat(n));
    holds(limits, 61, &skipped(60), message);
    assert!(skip(&nested(32), &Limits::default()).is_ok());
    assert!(skip(&nested(33), &Limits::default()).is_err());
    // However high the limit is set, there is a maximum.
    let open = Limits::default().with_depth(usize::MAX);
    let most = Limits::MOST_DEPTH;
    assert!(skip(&skipped(most - 1), &open).is_ok());
    let error = skip(&skipped(most), &open).unwrap_err();
    assert_eq!(
        error.message(),
        format!("More than {most} levels of elements.")
    );
}

#[test]
fn elements() {
    let limits = |n| Limits::default().with_elements(n);
    let message = "More than {} elements.";
    holds(limits, 1, "<Record/>", message);
    holds(
        limits,
        4,
        "<Record><Id>1</Id><Name/><Name a='b'>n</Name></Record>",
        message,
    );
    holds(
        limits,
        5,
        "<Record><x/><Numbers><int>1</int> <int a=''>1</int></Numbers></Record>",
        message,
    );
}

#[test]
fn attributes() {
    let limits = |n| Limits::default().with_attributes(n);
    let message = "More than {} attributes of one element.";
    holds(limits, 1, "<Record a='1'/>", message);
    holds(
        limits,
        3,
        "<Record><Id a='1' xmlns:p='urn:p' p:a='2'>1</Id></Record>",
        message,
    );
    for count in [24, 25, 64, 65] {
        let list: String = (0..count).map(|index| format!(" a{index}=''")).collect();
        assert_eq!(
            skip(&format!("<a{list}/>"), &Limits::default()).is_ok(),
            count <= 64
        );
        let error = skip(
            &format!("<a{list} a3=''/>"),
            &Limits::default().with_attributes(100),
        )
        .unwrap_err();
        assert_eq!(
            error.message(),
            "A start tag has two attributes of one name."
        );
    }
}

#[test]
fn namespaces() {
    let limits = |n| Limits::default().with_namespaces(n);
    let message = "More than {} namespace declarations in force.";
    holds(
        limits,
        2,
        "<Record xmlns='urn:r' xmlns:p='urn:p'/>",
        message,
    );
    holds(
        limits,
        2,
        "<Record xmlns='urn:r'><Id xmlns:p='urn:p'>1</Id><x xmlns=''/></Record>",
        message,
    );
}

#[test]
fn names() {
    let limits = |n| Limits::default().with_name(n);
    let message = "More than {} bytes in a name.";
    holds(
        limits,
        7,
        "<Record><Name/></Record>"
            .replace("Record", "Numbers")
            .as_str(),
        message,
    );
    holds(limits, 12, "<Record><abcdefghijkl/></Record>", message);
    holds(
        limits,
        12,
        "<Record><Id abcdefghijkl=''>1</Id></Record>",
        message,
    );
    holds(limits, 12, "<Record xmlns:abcdef='urn:p'/>", message);
    holds(
        limits,
        13,
        "<prefix:Record xmlns:prefix='urn:p'><prefix:Id>1</prefix:Id></prefix:Record>",
        message,
    );
    holds(limits, 12, "<Record><?abcdefghijkl?></Record>", message);
    holds(limits, 12, "<Record><日本日本/></Record>", message);
}

#[test]
fn values() {
    let message = "More than {} bytes in the value of an attribute.";
    let limits = |n| Limits::default().with_attribute_value(n);
    holds(limits, 3, "<Record label='abc'/>", message);
    holds(limits, 5, "<Record><x y='&amp;'/></Record>", message);
    holds(limits, 4, "<Record xmlns='urn:'/>", message);
    let message = "More than {} bytes in a text.";
    let limits = |n| Limits::default().with_text(n);
    for (n, text) in [(3, "abc"), (4, "éé"), (3, "<![CDATA[abc]]>"), (3, "a\rc")] {
        holds(
            limits,
            n,
            &format!("<Record><Name>{text}</Name></Record>"),
            message,
        );
        holds(
            limits,
            n,
            &format!("<Record><x>{text}</x></Record>"),
            message,
        );
        holds(limits, n, &format!("<Record>{text}</Record>"), message);
    }
    let error = value(
        "<Record><Name>ab&amp;<![CDATA[c]]></Name></Record>",
        &limits(3),
    )
    .unwrap_err();
    assert_eq!(error.kind(), ReadErrorKind::Limit);
}

#[test]
fn processing_instructions() {
    let limits = Limits::default().with_processing_instructions(false);
    for text in [
        "<?p?><Record/>",
        "<Record><?p?></Record>",
        "<Record/><?p?>",
        "<Record><x><?p?></x></Record>",
    ] {
        value(text, &Limits::default()).unwrap();
        assert!(
            value(text, &limits).is_err() && skip(text, &limits).is_err(),
            "{text}"
        );
    }
    value("<?xml version='1.0'?><!----><Record/>", &limits).unwrap();
}
