//! SOAP headers that are added to a message after it was written.

use bytes::Bytes;
use memchr::memmem;

/// Returns a message that this crate wrote with one more SOAP header, before the others. A message
/// without a Body is returned unchanged: it was changed after this crate wrote it.
pub(crate) fn add_header(message: &Bytes, header: &str) -> Bytes {
    let find = |tag: &str| memmem::find(message, tag.as_bytes());
    // The content of the message may look like either tag, but comes after both.
    let Some(body) = find("<soap:Body") else {
        return message.clone();
    };
    let [start, end] = ["<soap:Header>", "</soap:Header>"];
    let inside = find(start)
        .filter(|at| *at < body)
        .map(|at| at + start.len());
    let (before, after) = message.split_at(inside.unwrap_or(body));
    match inside {
        Some(_) => [before, header.as_bytes(), after].concat().into(),
        None => {
            let header = [start, header, end].concat();
            [before, header.as_bytes(), after].concat().into()
        }
    }
}

/// Whether a body is a message that this crate wrote.
pub(crate) fn is_own_message(body: &[u8]) -> bool {
    const START: &[u8] = br#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope "#;
    body.starts_with(START)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_stand_in_the_envelope_or_nowhere() {
        for (message, expected) in [
            (
                "<soap:Envelope><soap:Body />",
                "<soap:Envelope><soap:Header><a/></soap:Header><soap:Body />",
            ),
            (
                "<soap:Header><b/></soap:Header><soap:Body>",
                "<soap:Header><a/><b/></soap:Header><soap:Body>",
            ),
            ("<soap:Envelope><soap:Bo", "<soap:Envelope><soap:Bo"),
            ("{}", "{}"),
            ("", ""),
        ] {
            assert_eq!(add_header(&Bytes::from(message), "<a/>"), expected);
        }
    }
}
