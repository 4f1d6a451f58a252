//! Bytes of a document → text within bounds → tree.

use std::slice;
use std::sync::Arc;

use roxmltree::{Document, Error, ParsingOptions};
use svcgen_language::diagnostic::{Diagnostics, Source};

use super::bounds::{self, Complaint, ILL_FORMED};
use super::decode::{Decoded, Undecodable, decode};
use super::refusal;
use crate::report::{DocumentSpan, Report};
use crate::rules::Rule;

/// The reason why a document cannot be read.
#[derive(Debug, Clone)]
pub(crate) struct Unreadable {
    source: Arc<Source>,
    complaint: Complaint,
}

impl Unreadable {
    pub fn new(source: &Arc<Source>, complaint: Complaint) -> Self {
        Self {
            source: Arc::clone(source),
            complaint,
        }
    }

    /// The error with the text around it, for a document that the caller named.
    pub fn quoted(self) -> Diagnostics {
        let report = Report::new(slice::from_ref(&self.source));
        let place = DocumentSpan::new(0, self.complaint.span);
        let Complaint { message, hint, .. } = self.complaint;
        report.add(Rule::Wsdl, place, message, hint);
        report.finish()
    }

    /// The error without quoting the document: a reference in another document may point to any
    /// file on the machine.
    pub fn unquoted(&self) -> &'static str {
        self.complaint.kind
    }
}

/// Decodes a document, and checks its bounds.
pub(crate) fn read(
    address: &str,
    bytes: &[u8],
    charset: Option<&str>,
) -> Result<Arc<Source>, Unreadable> {
    let source = |text: &Decoded| Arc::new(Source::new(address, &text.text, text.bytes_before));
    let text = match decode(bytes, charset) {
        Ok(text) => text,
        Err(Undecodable::Unknown(label)) => {
            let label: String = label.chars().take(60).collect();
            let complaint = Complaint {
                span: 0..0,
                message: format!("the document is in the encoding `{label}`, which is not known"),
                kind: "the document is in an encoding that is not known",
                hint: Some("save it in UTF-8"),
            };
            return Err(Unreadable::new(
                &Arc::new(Source::new(address, "", 0)),
                complaint,
            ));
        }
        Err(Undecodable::Malformed { encoding, text, at }) => {
            let complaint = Complaint {
                span: at..at + '\u{FFFD}'.len_utf8(),
                message: format!("here are bytes that are no text in {encoding}"),
                kind: "the document has bytes that are no text in its encoding",
                hint: Some(
                    "name the encoding of the document at its start, `<?xml version=\"1.0\" encoding=\"windows-1252\"?>`, or save it in UTF-8",
                ),
            };
            return Err(Unreadable::new(&source(&text), complaint));
        }
    };
    let source = source(&text);
    if let Some(complaint) = refusal::no_xml(&source.text) {
        return Err(Unreadable::new(&source, complaint));
    }
    match bounds::check(&source.text) {
        Ok(()) => Ok(source),
        Err(complaint) => Err(Unreadable::new(&source, complaint)),
    }
}

const TOO_MANY_NODES: &str = "the document has too many elements and texts";

/// Parses a document.
pub(crate) fn parse(source: &Arc<Source>) -> Result<Document<'_>, Unreadable> {
    let options = ParsingOptions {
        nodes_limit: bounds::NODES,
        ..ParsingOptions::default()
    };
    let tree = Document::parse_with_options(&source.text, options);
    tree.map_err(|error| {
        let position = error.pos();
        let mut at = source.byte(position.row, position.col);
        let (message, kind) = match &error {
            Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
                at = source.text.trim_end().len();
                (bounds::CUT.to_owned(), bounds::CUT)
            }
            Error::NodesLimitReached => {
                let message = format!("{TOO_MANY_NODES}: at most {} are read", bounds::NODES);
                (message, TOO_MANY_NODES)
            }
            error => {
                let message = error.to_string().replace(&format!(" at {position}"), "");
                (format!("{ILL_FORMED}: {message}"), ILL_FORMED)
            }
        };
        let hint = match error {
            Error::UnknownNamespace(..) => {
                Some("declare it at the root element, `xmlns:PREFIX=\"NAMESPACE\"`")
            }
            _ if kind == bounds::CUT => Some(bounds::WHOLE),
            _ => None,
        };
        let complaint = Complaint {
            span: at..at,
            message,
            kind,
            hint,
        };
        Unreadable::new(source, complaint)
    })
}

#[cfg(test)]
mod tests {
    use super::{Arc, Source, bounds, parse};

    #[test]
    fn the_most_nodes_and_one_more() {
        // The document itself and its element are nodes, too.
        let most = bounds::NODES as usize - 2;
        for (count, told) in [
            (most, None),
            (
                most + 1,
                Some("the document has too many elements and texts: at most 4000000 are read"),
            ),
        ] {
            let text = format!("<a>{}</a>", "<b/>".repeat(count));
            let source = Arc::new(Source::new("a.wsdl", &text, 0));
            let refused = parse(&source).err();
            let message = refused.map(|refused| refused.complaint.message);
            assert_eq!(message.as_deref(), told);
        }
    }
}
