//! Bytes of a document → text (XML 1.0 §4.3.3 and appendix F).

use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The text of a document.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub text: String,
    /// The bytes of the byte order mark.
    pub bytes_before: usize,
}

/// Why bytes are no text.
#[derive(Debug)]
pub(crate) enum Undecodable {
    /// The declaration, or else the host, names an encoding that nobody knows.
    Unknown(String),
    /// Bytes are not in the encoding of the document.
    Malformed {
        encoding: &'static str,
        /// The text as far as it can be read.
        text: Decoded,
        /// Where it cannot.
        at: usize,
    },
}

/// Decodes a document by its byte order mark, else by its zero bytes, else by its declaration, else
/// by the `charset` that its host names, else as UTF-8. Hosts name one for all files, so that its
/// own declaration is more likely to be right.
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
        // It is cut within its last character: what reads the rest tells that.
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
        // ASCII is the same in all encodings that documents without zero bytes are in.
        let named = named.or_else(|| bytes.is_ascii().then_some(UTF_8));
        return named.ok_or_else(|| Undecodable::Unknown(label.to_owned()));
    };
    match Encoding::for_label_no_replacement(label.as_bytes()) {
        // The declaration of a text that was UTF-16 once: without zero bytes, it was encoded again.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Ok(UTF_8),
        Some(encoding) => Ok(encoding),
        None => Err(Undecodable::Unknown(label)),
    }
}

/// The longest declaration that is looked at.
const MOST_DECLARATION: usize = 1024;

/// The encoding that the declaration names.
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

/// The bytes of the declaration, which has nothing but blanks and comments before it.
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

/// A parser takes a declaration at the start alone. One behind blanks and comments has said all
/// that it has to say, and becomes blank itself, as a byte order mark does, so that lines and
/// columns stay.
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
