//! Bounds of documents, checked in one pass before a tree is built: the checks of the parser are
//! quadratic in attributes and namespaces.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::errors::SyntaxError;
use quick_xml::events::{BytesStart, Event};
use roxmltree::Document;

use crate::load::Loaded;

/// The maximum size of a document in bytes.
pub(crate) const BYTES: usize = Loaded::MOST_BYTES;
/// The maximum size of all documents in bytes.
pub(crate) const ALL_BYTES: usize = 128 << 20;
/// The maximum number of documents.
pub(crate) const DOCUMENTS: usize = 1000;
/// The maximum number of elements, attributes and texts in a document.
pub(crate) const NODES: u32 = 4_000_000;
const DEPTH: usize = 256;
const ATTRIBUTES: usize = 1000;
const NAMESPACES: usize = 256;

/// An error in a text, and its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Complaint {
    pub span: Range<usize>,
    pub message: String,
    /// The kind of mistake, without quoting the document.
    pub kind: &'static str,
    pub hint: Option<&'static str>,
}

/// The kind for malformed XML.
pub(crate) const ILL_FORMED: &str = "the document is not well-formed XML";

/// The kind for a document that ends before its root element does.
pub(crate) const CUT: &str = "the document is cut: it ends in the middle";

/// The hint for such a document.
pub(crate) const WHOLE: &str = "load or save it again, as a whole";

const DOCUMENT_TYPE: &str = "the document has a document type, and none is read";

/// Parses a document of any kind and depth in linear time.
///
/// # Errors
///
/// Returns the reason why it is not read.
pub fn parse_bounded(text: &str) -> Result<Document<'_>, String> {
    check_up_to(usize::MAX, text).map_err(|complaint| complaint.message)?;
    Document::parse(text).map_err(|error| error.to_string())
}

/// Checks the bounds of a document, and that it has no document type declaration.
pub(crate) fn check(text: &str) -> Result<(), Complaint> {
    check_up_to(DEPTH, text)
}

fn check_up_to(depth: usize, text: &str) -> Result<(), Complaint> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    // The tree parser reports these better.
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    // The number of namespace declarations of each open element.
    let mut open: Vec<usize> = Vec::new();
    let mut in_scope = 0;
    loop {
        let at = position(reader.buffer_position());
        let too_many = |start: &BytesStart<'_>, kind: &'static str, most: usize| {
            Err(Complaint {
                span: at..at + 1 + start.name().as_ref().len(),
                message: format!("{kind}: at most {most} are read"),
                kind,
                hint: None,
            })
        };
        match reader.read_event() {
            Ok(Event::Eof) => return Ok(()),
            Ok(Event::DocType(_)) => {
                return Err(Complaint {
                    span: at..at + "<!DOCTYPE".len(),
                    message: format!(
                        "{DOCUMENT_TYPE}: its entities could read files, call other hosts and grow without end"
                    ),
                    kind: DOCUMENT_TYPE,
                    hint: Some("remove `<!DOCTYPE …>`, and write out what refers to its entities"),
                });
            }
            Ok(Event::End(_)) => in_scope -= open.pop().unwrap_or(0),
            Ok(ref event @ (Event::Start(ref start) | Event::Empty(ref start))) => {
                let (attributes, declared) = count(start);
                if attributes > ATTRIBUTES {
                    return too_many(start, "the element has too many attributes", ATTRIBUTES);
                }
                if in_scope + declared > NAMESPACES {
                    return too_many(start, "too many namespaces are declared here", NAMESPACES);
                }
                if open.len() >= depth {
                    return too_many(start, "elements are too deep in each other", depth);
                }
                if matches!(event, Event::Start(_)) {
                    open.push(declared);
                    in_scope += declared;
                }
            }
            Ok(_) => {}
            // Unclosed markup.
            Err(quick_xml::Error::Syntax(error)) if error != SyntaxError::InvalidBangMarkup => {
                let at = text.trim_end().len();
                return Err(Complaint {
                    span: at..at,
                    message: CUT.to_owned(),
                    kind: CUT,
                    hint: Some(WHOLE),
                });
            }
            Err(error) => {
                let at = position(reader.error_position()).min(text.len());
                return Err(Complaint {
                    span: at..at,
                    message: format!("{ILL_FORMED}: {error}"),
                    kind: ILL_FORMED,
                    hint: None,
                });
            }
        }
    }
}

/// The numbers of attributes and of namespace declarations of an element.
fn count(start: &BytesStart<'_>) -> (usize, usize) {
    let mut attributes = start.attributes();
    let names = attributes.with_checks(false).flatten().map(|one| one.key);
    names.fold((0, 0), |(all, declared), name| {
        let declares = name.as_ref().starts_with("xmlns");
        (all + 1, declared + usize::from(declares))
    })
}

fn position(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::check;

    fn message(text: &str) -> Option<String> {
        check(text).err().map(|complaint| {
            let place = &text[complaint.span];
            format!("{place}: {}", complaint.message)
        })
    }

    #[test]
    fn the_largest_that_is_allowed_and_one_more() {
        let deep = |n: usize| "<a>".repeat(n) + &"</a>".repeat(n);
        assert_eq!(message(&deep(256)), None);
        assert_eq!(
            message(&deep(257)).unwrap(),
            "<a: elements are too deep in each other: at most 256 are read"
        );
        let attributes = |name: &str, n: usize| {
            let each = (0..n).map(|at| format!(" {name}{at}=''"));
            format!("<a><b{}/></a>", each.collect::<String>())
        };
        assert_eq!(message(&attributes("x", 1000)), None);
        assert_eq!(
            message(&attributes("x", 1001)).unwrap(),
            "<b: the element has too many attributes: at most 1000 are read"
        );
        assert_eq!(message(&attributes("xmlns:x", 256)), None);
        assert_eq!(
            message(&attributes("xmlns:x", 257)).unwrap(),
            "<b: too many namespaces are declared here: at most 256 are read"
        );
        // Out of scope again.
        let apart = attributes("xmlns:x", 256).repeat(2);
        assert_eq!(message(&format!("<r>{apart}</r>")), None);
    }

    #[test]
    fn documents_that_end_in_the_middle_are_cut() {
        for text in [
            "<a><b",
            "<a b='c",
            "<a><!-- b",
            "<a><![CDATA[b",
            "<?xml versio",
        ] {
            assert_eq!(
                message(text).as_deref(),
                Some(": the document is cut: it ends in the middle"),
                "{text}"
            );
        }
    }

    #[test]
    fn document_types_are_refused() {
        let text = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>";
        let told = message(text).unwrap();
        assert!(
            told.starts_with("<!DOCTYPE: the document has a document type"),
            "{told}"
        );
    }
}
