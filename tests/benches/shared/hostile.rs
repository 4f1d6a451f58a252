//! Hostile shapes in any size.

use svcgen::Limits;
use svcgen::codegen::Reader;
use svcgen_tests::device_login_service::DeviceLoginResponse;

/// Returns a document of about this many bytes.
pub(crate) type Shape = fn(usize) -> String;

pub(crate) const SHAPES: [(&str, Shape); 22] = [
    ("deep", |size| {
        "<a>".repeat(size / 7) + &"</a>".repeat(size / 7)
    }),
    ("deep, never closed", |size| "<a>".repeat(size / 3)),
    ("deep, a prefix each", |size| {
        (0..size / 24)
            .map(|index| format!("<a xmlns:p{index}='urn:p'>"))
            .collect()
    }),
    ("wide", |size| within("<b/>", size)),
    ("wide, known", |size| within("<UserId>1</UserId>", size)),
    ("wide, known last", |size| within("<AdditionalInfo/>", size)),
    ("items", |size| {
        format!(
            "<r><AdditionalInfo><Capabilities>{}</Capabilities></AdditionalInfo></r>",
            "<int>1</int>".repeat(size / 12)
        )
    }),
    ("attributes of one element", |size| {
        format!(
            "<a{}/>",
            (0..size / 12)
                .map(|index| format!(" a{index}=''"))
                .collect::<String>()
        )
    }),
    ("declarations of one element", |size| {
        format!(
            "<a{}/>",
            (0..size / 20)
                .map(|index| format!(" xmlns:a{index}='u'"))
                .collect::<String>()
        )
    }),
    ("attributes, a few each", |size| {
        within("<b c='1' d='2' e='3'/>", size)
    }),
    ("one long name", |size| {
        format!("<{0}></{0}>", "n".repeat(size / 2))
    }),
    ("one long value", |size| {
        format!("<a b='{}'/>", "v".repeat(size))
    }),
    ("one long text", |size| {
        format!("<r><BaseUrl>{}</BaseUrl></r>", "t".repeat(size))
    }),
    ("references", |size| {
        format!("<r><BaseUrl>{}</BaseUrl></r>", "&amp;".repeat(size / 5))
    }),
    ("carriage returns", |size| {
        format!("<r><BaseUrl>{}</BaseUrl></r>", "\r".repeat(size))
    }),
    ("sections", |size| {
        format!(
            "<r><BaseUrl>{}</BaseUrl></r>",
            "<![CDATA[]]>".repeat(size / 12)
        )
    }),
    ("comments", |size| within("<!---->", size)),
    ("open comments", |size| {
        format!("<a>{}", "<!-- ".repeat(size / 5))
    }),
    ("less-than signs", |size| format!("<a>{}", "<".repeat(size))),
    ("names of namespaces that differ at their end", |size| {
        let all = |text: &dyn Fn(usize) -> String| (0..20).map(text).collect::<String>();
        let name = "n".repeat(size / 40);
        let names = all(&|index| format!(" xmlns:p{index}='{name}{index}'"));
        let attributes = all(&|index| format!(" p{index}:a=''"));
        within_root(&names, &format!("<a{attributes}/>"), size / 2)
    }),
    ("long prefixes", |size| {
        let prefix = "p".repeat(size / 40);
        let names = (0..20).map(|index| format!(" xmlns:{prefix}{index}='u'"));
        within_root(&names.collect::<String>(), "<b/>", size / 2)
    }),
    ("quotes", |size| format!("<a b={}", "'\"".repeat(size / 2))),
];

fn within(piece: &str, size: usize) -> String {
    within_root("", piece, size)
}

fn within_root(attributes: &str, piece: &str, size: usize) -> String {
    format!("<r{attributes}>{}</r>", piece.repeat(size / piece.len()))
}

/// Returns limits that no document reaches.
pub(crate) fn open() -> Limits {
    Limits::default()
        .with_depth(usize::MAX)
        .with_elements(usize::MAX)
        .with_attributes(usize::MAX)
        .with_namespaces(usize::MAX)
        .with_name(usize::MAX)
        .with_attribute_value(usize::MAX)
        .with_text(usize::MAX)
}

/// Reads a document as a response, up to its end or an error.
pub(crate) fn read(document: &str, limits: &Limits) {
    let mut reader = Reader::new(document, limits);
    let mut value = DeviceLoginResponse::default();
    let result = reader
        .root()
        .and_then(|()| reader.read(&mut value))
        .and_then(|()| reader.finish());
    std::hint::black_box((result.is_ok(), value));
}
