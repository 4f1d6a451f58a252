//! Reads the files of exchanges, whose format `recorded/README.md` describes. Tests of other crates
//! include this module.

use std::fs;
use std::path::Path;

/// A request and its answer, as raw bytes.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The file and the name, for example `ok/auth-Login-soap11`.
    pub name: String,
    /// Request line, headers, an empty line and the body.
    pub request: Vec<u8>,
    /// Status line, headers, an empty line and the body.
    pub response: Vec<u8>,
}

/// Returns every exchange of a file, or of each file in a folder, in the order of their names.
///
/// # Panics
///
/// A file cannot be read, or is not in the format.
pub fn exchanges(path: impl AsRef<Path>) -> Vec<Exchange> {
    let path = path.as_ref();
    if path.is_dir() {
        let files = fs::read_dir(path).expect("a folder");
        let files = files.map(|entry| entry.expect("an entry of the folder").path());
        let mut files: Vec<_> = files
            .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
            .collect();
        files.sort();
        return files.iter().flat_map(exchanges).collect();
    }
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let group = path
        .file_stem()
        .expect("the name of a file")
        .to_string_lossy();
    let pieces = text
        .strip_prefix("== ")
        .expect("the name of an exchange")
        .split("\n== ");
    let exchange = |piece: &str| {
        let (name, messages) = piece.split_once('\n').expect("a request");
        let messages = format!("\n{messages}");
        let (request, response) = messages.split_once("\n--\n").expect("an answer");
        Exchange {
            name: format!("{group}/{name}"),
            request: message(request.strip_prefix('\n').unwrap_or_default()),
            response: message(response),
        }
    };
    pieces.map(exchange).collect()
}

/// Writes exchanges in the format of `svcgen_testing::replay`, each to a folder.
///
/// # Panics
///
/// A file cannot be written.
pub fn write_folders(exchanges: &[Exchange], folder: &Path) {
    for exchange in exchanges {
        let folder = folder.join(&exchange.name);
        fs::create_dir_all(&folder).expect("a folder");
        for (name, bytes) in [
            ("request.http", &exchange.request),
            ("response.http", &exchange.response),
        ] {
            fs::write(folder.join(name), bytes).expect("a file");
        }
    }
}

/// Returns the bytes of a message; none if it is omitted.
fn message(text: &str) -> Vec<u8> {
    if text.is_empty() {
        return Vec::new();
    }
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut bytes = Vec::new();
    for line in head.lines() {
        unescape(line, &mut bytes);
        bytes.extend(b"\r\n");
    }
    bytes.extend(b"\r\n");
    unescape(body.trim_end_matches('\n'), &mut bytes);
    bytes
}

fn unescape(text: &str, bytes: &mut Vec<u8>) {
    let mut pieces = text.split('\\');
    bytes.extend(pieces.next().unwrap_or_default().bytes());
    while let Some(piece) = pieces.next() {
        let rest = match piece.split_at_checked(1) {
            // Two backslashes denote one.
            None => {
                bytes.push(b'\\');
                pieces.next().expect("what follows a backslash")
            }
            Some(("n", rest)) => {
                bytes.push(b'\n');
                rest
            }
            Some(("r", rest)) => {
                bytes.push(b'\r');
                rest
            }
            Some(("t", rest)) => {
                bytes.push(b'\t');
                rest
            }
            Some(("x", rest)) => {
                let (byte, rest) = rest.split_at(2);
                bytes.push(u8::from_str_radix(byte, 16).expect("two hexadecimal digits"));
                rest
            }
            Some(_) => panic!("an unknown escape: \\{piece}"),
        };
        bytes.extend(rest.bytes());
    }
}
