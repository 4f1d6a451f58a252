//! Bytes of a document → text within bounds → tree.

use std::slice;
use std::sync::Arc;

use roxmltree::{Document, Error, ParsingOptions};

use super::bounds::{self, Complaint};
use super::decode::{Decoded, Undecodable, decode};
use super::refusal;
use crate::diagnostic::{Diagnostics, Source};
use crate::import::place::{Place, Report};
use crate::rules::Rule;

/// Decodes a document, and checks its bounds.
pub(crate) fn read(address: &str, bytes: &[u8]) -> Result<Arc<Source>, Diagnostics> {
    let source = |text: &Decoded| Arc::new(Source::new(address, &text.text, text.bytes_before));
    let refuse = |message, hint| {
        Err(Diagnostics::without_place(
            Rule::Wsdl,
            address,
            message,
            Some(hint),
        ))
    };
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(Undecodable::Unknown(label)) => {
            let label: String = label.chars().take(60).collect();
            return refuse(
                format!("the document is in the encoding `{label}`, which is not known"),
                "save it in UTF-8",
            );
        }
        Err(Undecodable::Malformed { encoding, text, at }) => {
            let complaint = Complaint {
                span: at..at + '\u{FFFD}'.len_utf8(),
                message: format!("here are bytes that are no text in {encoding}"),
                hint: Some(
                    "name the encoding of the document at its start, `<?xml version=\"1.0\" encoding=\"windows-1252\"?>`, or save it in UTF-8",
                ),
            };
            return Err(complain(&source(&text), complaint));
        }
    };
    let source = source(&text);
    if let Some(complaint) = refusal::no_xml(&source.text) {
        return Err(complain(&source, complaint));
    }
    match bounds::check(&source.text) {
        Ok(()) => Ok(source),
        Err(complaint) => Err(complain(&source, complaint)),
    }
}

/// Parses a document.
pub(crate) fn parse(source: &Arc<Source>) -> Result<Document<'_>, Diagnostics> {
    let options = ParsingOptions {
        nodes_limit: bounds::NODES,
        ..ParsingOptions::default()
    };
    let tree = Document::parse_with_options(&source.text, options);
    tree.map_err(|error| {
        let position = error.pos();
        let at = source.byte(position.row, position.col);
        let message = match &error {
            Error::NodesLimitReached => format!(
                "the document has too many elements and texts: at most {} are read",
                bounds::NODES
            ),
            error => {
                let message = error.to_string().replace(&format!(" at {position}"), "");
                format!("the document is no well-formed XML: {message}")
            }
        };
        let hint = matches!(error, Error::UnknownNamespace(..))
            .then_some("declare it at the root element, `xmlns:PREFIX=\"NAMESPACE\"`");
        let complaint = Complaint {
            span: at..at,
            message,
            hint,
        };
        complain(source, complaint)
    })
}

/// What is wrong with a document, at its place.
pub(crate) fn complain(source: &Arc<Source>, complaint: Complaint) -> Diagnostics {
    let report = Report::new(slice::from_ref(source));
    let place = Place::new(0, complaint.span);
    report.add(Rule::Wsdl, place, complaint.message, complaint.hint);
    report.finish()
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
            let message = refused.and_then(|all| Some(all.iter().next()?.message().to_owned()));
            assert_eq!(message.as_deref(), told);
        }
    }
}
