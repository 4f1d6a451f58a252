//! The recorded exchanges under `wire/` and `wider/`.

use std::fs;
use std::path::{Path, PathBuf};

/// One request and its answer, as raw bytes.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Folder and name, for example `ok/auth-Login-soap11`.
    pub name: String,
    /// Request line, headers, an empty line and the body.
    pub request: Vec<u8>,
    /// Status line, headers, an empty line and the body.
    pub response: Vec<u8>,
}

/// The exchange whose request is built here, because its body has five million characters.
const BIG: &str = "post/big-5MB";

/// Every exchange of these folders, in order of their names.
///
/// # Panics
///
/// When a folder or one of its files cannot be read.
pub fn exchanges(folders: &[&str]) -> Vec<Exchange> {
    let mut names: Vec<String> = folders.iter().flat_map(|folder| names_in(folder)).collect();
    names.sort();
    names.iter().map(|name| exchange(name)).collect()
}

/// The exchange of this name, for example `ok/auth-Login-soap11`.
///
/// # Panics
///
/// When it cannot be read.
pub fn exchange(name: &str) -> Exchange {
    let request = if name == BIG {
        big_request()
    } else {
        read(&folder(name).join("request.http"))
    };
    Exchange {
        name: name.to_owned(),
        request,
        response: read(&folder(name).join("response.http")),
    }
}

/// Every exchange of these folders under `wider/`, or a single one such as `any/node`, in order of their names.
///
/// # Panics
///
/// When a folder or one of its files cannot be read.
pub fn wider(folders: &[&str]) -> Vec<Exchange> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("wider");
    let names = folders.iter().flat_map(|folder| {
        if folder.contains('/') {
            return vec![(*folder).to_owned()];
        }
        let mut cases = listing(&root.join(folder));
        cases.sort();
        let names = cases.into_iter().map(|case| format!("{folder}/{case}"));
        names.collect()
    });
    let exchange = |name: String| Exchange {
        request: read(&root.join(&name).join("request.http")),
        response: read(&root.join(&name).join("response.http")),
        name,
    };
    names.map(exchange).collect()
}

/// Every folder of exchanges under `wire/`.
///
/// # Panics
///
/// When the folder cannot be read.
pub fn folders() -> Vec<String> {
    let mut names = listing(&folder("."));
    names.retain(|name| folder(name).is_dir());
    names.sort();
    names
}

fn names_in(name: &str) -> Vec<String> {
    listing(&folder(name))
        .iter()
        .map(|entry| format!("{name}/{entry}"))
        .collect()
}

fn listing(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    entries
        .map(|entry| {
            entry
                .expect("a folder entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("wire")
        .join(name)
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn big_request() -> Vec<u8> {
    let body = format!("username={}&password=s", "x".repeat(5_000_000));
    let head = "POST /SvcDotNet/Authenticator.asmx/Login HTTP/1.1\r\nHost: 127.0.0.1:18080\r\n\
                Content-Type: application/x-www-form-urlencoded\r\n";
    format!(
        "{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
