//! The rows of the tables in `conformance/`: headings in brackets, then one row on each line.

use std::fmt;

/// A row: a name and some content, in the notation of the tables.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The heading above it.
    pub group: &'static str,
    /// The first word of the line.
    pub name: &'static str,
    /// The rest of the line, with escapes.
    pub content: &'static str,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.group, self.name)
    }
}

/// Returns the rows of a table.
///
/// # Panics
///
/// A line has only a name.
pub fn rows(table: &'static str) -> impl Iterator<Item = Row> {
    let mut group = "";
    table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(move |line| {
            if let Some(heading) = line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix(']'))
            {
                group = heading;
                return None;
            }
            let (name, content) = line
                .split_once(' ')
                .unwrap_or_else(|| panic!("a row without content: {line}"));
            Some(Row {
                group,
                name,
                content: content.trim_start(),
            })
        })
}

/// Returns the bytes that the content of a row denotes.
///
/// # Panics
///
/// An escape is not one of those in the tables.
pub fn bytes(content: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = content;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let (escape, after) = rest[at + 1..].split_at(1);
        rest = after;
        match escape {
            "n" => bytes.push(b'\n'),
            "r" => bytes.push(b'\r'),
            "t" => bytes.push(b'\t'),
            "s" => bytes.push(b' '),
            "\\" => bytes.push(b'\\'),
            "x" => {
                bytes.push(u8::from_str_radix(&rest[..2], 16).expect("two hexadecimal digits"));
                rest = &rest[2..];
            }
            "u" => {
                let (digits, after) = rest[1..].split_once('}').expect("a closed escape");
                let character = u32::from_str_radix(digits, 16)
                    .ok()
                    .and_then(char::from_u32)
                    .expect("a character");
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            _ => panic!("an unknown escape: {content}"),
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Returns the same as text.
///
/// # Panics
///
/// As for [`bytes()`], and if they are not UTF-8.
pub fn text(content: &str) -> String {
    String::from_utf8(bytes(content)).expect("a row of text")
}
