//! Bytes of a document → text (XML 1.0 §4.3.3 and appendix F).

use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The text of a document.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub text: String,
    /// The length of the byte order mark in bytes.
    pub bytes_before: usize,
}

/// The reason why bytes cannot be decoded.
#[derive(Debug)]
pub(crate) enum Undecodable {
    /// The declaration, or else the host, states an unknown encoding.
    Unknown(String),
    /// The bytes are not valid in the encoding of the document.
    Malformed {
        encoding: &'static str,
        /// The text that could be read.
        text: Decoded,
        /// The offset in the text at which decoding fails.
        at: usize,
    },
}

/// Decodes a document by its byte order mark, else by its zero bytes, else by its declaration, else
/// by the `charset` that its host states, else as UTF-8. Hosts state one charset for all files, so
/// a document's own declaration is more likely to be right.
pub(crate) fn decode(bytes: &[u8], charset: Option<&str>) -> Result<Decoded, Undecodable> {
    let (encoding, bytes_before) = match Encoding::for_bom(bytes) {
        Some(found) => found,
        None => (without_mark(bytes, charset)?, 0),
    };
    let mut bytes = &bytes[bytes_before..];
    if encoding == UTF_8
        && let Err(error) = str::from_utf8(bytes)
        && error.error_len().is_none()
    {
        // The document is cut within its last character; the parser reports that for the rest.
        bytes = &bytes[..error.valid_up_to()];
    }
    let (text, has_errors) = encoding.decode_without_bom_handling(bytes);
    let at = match str::from_utf8(bytes) {
        Err(error) if encoding == UTF_8 => Some(error.valid_up_to()),
        _ if has_errors => text.find('\u{FFFD}'),
        _ => None,
    };
    let text = Decoded {
        text: with_declaration_first(text.into_owned()),
        bytes_before,
    };
    match at {
        Some(at) => Err(Undecodable::Malformed {
            encoding: encoding.name(),
            text,
            at,
        }),
        None => Ok(text),
    }
}

fn without_mark(bytes: &[u8], charset: Option<&str>) -> Result<&'static Encoding, Undecodable> {
    match bytes {
        [first, 0, ..] if *first != 0 => return Ok(UTF_16LE),
        [0, second, ..] if *second != 0 => return Ok(UTF_16BE),
        _ => {}
    }
    let Some(label) = declared(bytes) else {
        let Some(label) = charset else {
            return Ok(UTF_8);
        };
        let named = Encoding::for_label_no_replacement(label.as_bytes());
        // ASCII is the same in all encodings in which documents have no zero bytes.
        let named = named.or_else(|| bytes.is_ascii().then_some(UTF_8));
        return named.ok_or_else(|| Undecodable::Unknown(label.to_owned()));
    };
    match Encoding::for_label_no_replacement(label.as_bytes()) {
        // The text was UTF-16 once, but has no zero bytes: it was re-encoded without changing the
        // declaration.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Ok(UTF_8),
        Some(encoding) => Ok(encoding),
        None => Err(Undecodable::Unknown(label)),
    }
}

/// The maximum length of a declaration in bytes.
const MOST_DECLARATION: usize = 1024;

/// The encoding that the declaration states.
fn declared(bytes: &[u8]) -> Option<String> {
    let start = &bytes[..bytes.len().min(MOST_DECLARATION)];
    let start: String = start.iter().map(|byte| char::from(*byte)).collect();
    let declaration = &start[declaration(&start)?];
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (label, _) = value[1..].split_once(quote)?;
    Some(label.to_owned())
}

/// The byte range of the declaration, which may follow blanks and comments only.
fn declaration(text: &str) -> Option<Range<usize>> {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(is_blank);
        match rest.strip_prefix("<!--") {
            Some(comment) => rest = comment.split_once("-->")?.1,
            None => break,
        }
    }
    let start = text.len() - rest.len();
    let is_declaration = rest.strip_prefix("<?xml")?.starts_with(is_blank);
    let end = start + rest.find("?>")? + "?>".len();
    is_declaration.then_some(start..end)
}

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{FEFF}'
}

/// Blanks out byte order marks and a declaration that is not at the start, where parsers refuse it.
/// By then the declaration has been read; blanks keep lines and columns unchanged.
fn with_declaration_first(mut text: String) -> String {
    let marks = text.len() - text.trim_start_matches(is_blank).len();
    let declaration = declaration(&text).filter(|declaration| declaration.start > 0);
    for range in [Some(0..marks), declaration].into_iter().flatten() {
        let to_blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
        let blank: String = text[range.clone()].bytes().map(to_blank).collect();
        text.replace_range(range, &blank);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Undecodable, decode};

    fn text(bytes: &[u8]) -> String {
        decode(bytes, None).expect("it can be decoded").text
    }

    #[test]
    fn marks_zero_bytes_and_declarations_say_the_encoding() {
        let utf16 = |order: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
            text.encode_utf16().flat_map(order).collect()
        };
        let name = "<?xml version='1.0' encoding='utf-16'?><é/>";
        assert_eq!(text(name.as_bytes()), name);
        assert_eq!(text(&utf16(u16::to_le_bytes, name)), name);
        assert_eq!(text(&utf16(u16::to_be_bytes, name)), name);
        let marked = format!("\u{FEFF}{name}");
        assert_eq!(text(&utf16(u16::to_le_bytes, &marked)), name);
        assert_eq!(text(&utf16(u16::to_be_bytes, &marked)), name);
        assert_eq!(text(marked.as_bytes()), name);
        for (label, byte, character) in [
            ("ISO-8859-1", 0xE9, 'é'),
            ("windows-1252", 0x80, '€'),
            ("windows-1255", 0xE0, 'א'),
            ("koi8-r", 0xC1, 'а'),
        ] {
            let start = format!("<?xml version=\"1.0\" encoding = \"{label}\"?><a>");
            let mut bytes = start.clone().into_bytes();
            bytes.push(byte);
            assert_eq!(text(&bytes), format!("{start}{character}"));
        }
    }

    #[test]
    fn what_the_host_names_is_for_documents_that_name_nothing() {
        let decoded = |bytes: &[u8]| decode(bytes, Some("ISO-8859-1")).unwrap().text;
        assert_eq!(decoded(b"<a>\xE9</a>"), "<a>é</a>");
        let declared = "<?xml version='1.0' encoding='utf-8'?><a>é</a>";
        assert_eq!(decoded(declared.as_bytes()), declared);
        assert_eq!(decoded("\u{FEFF}<a>é</a>".as_bytes()), "<a>é</a>");
    }

    #[test]
    fn an_encoding_of_the_host_that_is_not_known_is_refused_unless_all_is_ascii() {
        let decoded = |text: &str| decode(text.as_bytes(), Some("ebcdic"));
        assert_eq!(decoded("<a/>").unwrap().text, "<a/>");
        assert_eq!(decoded("\u{FEFF}<a>é</a>").unwrap().text, "<a>é</a>");
        let Err(Undecodable::Unknown(label)) = decoded("<a>é</a>") else {
            panic!("it was decoded");
        };
        assert_eq!(label, "ebcdic");
    }

    #[test]
    fn a_document_that_is_cut_within_a_character_is_read_up_to_that() {
        assert_eq!(text(b"<a>\xC3\xA9<b>\xC3"), "<a>é<b>");
    }

    #[test]
    fn blank_text_before_the_declaration_keeps_lines_and_columns() {
        assert_eq!(
            text(b"\r\n <?xml version='1.0'?>\n<a/>"),
            " \n                      \n<a/>"
        );
        assert_eq!(
            text(b"<!-- <?xml -->\n<?xml version='1.0'?><a/>"),
            "<!-- <?xml -->\n                     <a/>"
        );
        assert_eq!(
            text(b"<!-- \xE9 --><?xml encoding='latin1'?><a/>"),
            "<!-- \u{E9} -->                         <a/>"
        );
        assert_eq!(
            text(b"\n<?xml-stylesheet?><a/>"),
            "\n<?xml-stylesheet?><a/>"
        );
        assert_eq!(
            text(b"<?xml version='1.0'?><a/>"),
            "<?xml version='1.0'?><a/>"
        );
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let Err(Undecodable::Malformed { encoding, text, at }) = decode(b"<a>\xE9</a>", None)
        else {
            panic!("it was decoded");
        };
        assert_eq!(
            (encoding, text.text.as_str(), at),
            ("UTF-8", "<a>\u{FFFD}</a>", 3)
        );
        let Err(Undecodable::Unknown(label)) = decode(b"<?xml encoding='ebcdic'?><a/>", None)
        else {
            panic!("it was decoded");
        };
        assert_eq!(label, "ebcdic");
    }
}
