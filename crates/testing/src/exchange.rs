//! Recorded exchanges: files with a raw request and a raw response.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HeaderName, HeaderValue, TRANSFER_ENCODING};
use http::{HeaderMap, Method, Request, Response, StatusCode};

use crate::error::ReplayError;

/// A recorded exchange: a folder with the files `request.http` and `response.http`.
/// [`Replay`](crate::Replay) describes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedExchange {
    name: String,
    path: PathBuf,
}

impl RecordedExchange {
    /// Finds the exchanges in a folder and its subfolders, sorted by name, without reading them.
    ///
    /// # Errors
    ///
    /// There is no exchange, or a folder cannot be read.
    pub fn in_folder(folder: impl AsRef<Path>) -> Result<Vec<Self>, ReplayError> {
        in_folder(folder.as_ref()).map_err(ReplayError::new)
    }

    /// Returns the path of its folder, relative to the one given to [`in_folder`](Self::in_folder).
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the request.
    ///
    /// # Errors
    ///
    /// The file cannot be read. The error names the file and the reason.
    pub fn request(&self) -> Result<Request<Bytes>, ReplayError> {
        let read = self.read(REQUEST).and_then(|bytes| {
            let request = request(&bytes);
            request.map_err(|why| self.told(REQUEST, &why))
        });
        read.map_err(ReplayError::new)
    }

    /// Reads the response to a request with this method.
    ///
    /// # Errors
    ///
    /// The file cannot be read. The error names the file and the reason.
    pub fn response(&self, method: &Method) -> Result<Response<Bytes>, ReplayError> {
        let read = self.read(RESPONSE).and_then(|bytes| {
            let response = response(&bytes, method);
            response.map_err(|why| self.told(RESPONSE, &why))
        });
        read.map_err(ReplayError::new)
    }

    fn read(&self, file: &str) -> Result<Vec<u8>, String> {
        let path = self.path.join(file);
        let told = |error: io::Error| self.told(file, &error.to_string());
        let metadata = fs::metadata(&path).map_err(told)?;
        if !metadata.is_file() {
            return Err(self.told(file, "it is not a file"));
        }
        if metadata.len() > MOST_BYTES {
            return Err(self.told(file, &format!("it is longer than {} MiB", MOST_BYTES >> 20)));
        }
        fs::read(&path).map_err(told)
    }

    fn told(&self, file: &str, why: &str) -> String {
        format!("{}: {why}", self.path.join(file).display())
    }
}

const REQUEST: &str = "request.http";
const RESPONSE: &str = "response.http";

/// The length of the longest message that is read, in bytes.
const MOST_BYTES: u64 = 256 << 20;
/// The largest number of interim responses, such as `100 Continue`, before the final one.
const MOST_INTERIM: usize = 16;
/// The largest number of header lines in a message. A `HeaderMap` panics with many more.
const MOST_HEADERS: usize = 1000;

fn in_folder(folder: &Path) -> Result<Vec<RecordedExchange>, String> {
    let mut exchanges = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let told = |error| format!("{}: {error}", path.display());
        for entry in fs::read_dir(&path).map_err(told)? {
            let entry = entry.map_err(told)?;
            if entry.file_type().map_err(told)?.is_dir() {
                open.push(entry.path());
            }
        }
        if path.join(REQUEST).exists() || path.join(RESPONSE).exists() {
            let name = path.strip_prefix(folder).unwrap_or(&path).display();
            let name = name.to_string();
            exchanges.push(RecordedExchange { name, path });
        }
    }
    if exchanges.is_empty() {
        return Err(format!(
            "{}: there is no exchange in it, a folder with the files {REQUEST} and {RESPONSE}",
            folder.display()
        ));
    }
    exchanges.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(exchanges)
}

/// Reads a request. Errors quote nothing of it, because it may contain secrets.
fn request(bytes: &[u8]) -> Result<Request<Bytes>, String> {
    let (line, headers, rest) = head(bytes)?;
    let [method, target, _] = words(line, "POST /Greeter.asmx HTTP/1.1")?;
    let body = body(&headers, rest)?;
    let request = Request::builder().method(method).uri(target);
    let request = request.body(Bytes::from(body));
    let mut request = request.map_err(|error| format!("the first line: {error}"))?;
    *request.headers_mut() = headers;
    Ok(request)
}

fn response(bytes: &[u8], method: &Method) -> Result<Response<Bytes>, String> {
    let mut bytes = bytes;
    let mut interim = 0;
    let (status, headers, rest) = loop {
        let (line, headers, rest) = head(bytes)?;
        let [_, code, _] = words(line, "HTTP/1.1 200 OK")?;
        let status: Option<StatusCode> = code.parse().ok();
        let status = status.ok_or("the second word of the first line is not a status code")?;
        if !status.is_informational() {
            break (status, headers, rest);
        }
        interim += 1;
        if interim > MOST_INTERIM {
            return Err(format!(
                "more than {MOST_INTERIM} interim answers are before the answer"
            ));
        }
        bytes = rest;
    };
    // The headers describe the answer to a GET request.
    let has_body = method != Method::HEAD && status != StatusCode::NOT_MODIFIED;
    let body = if has_body || !rest.is_empty() {
        body(&headers, rest)?
    } else {
        Vec::new()
    };
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    Ok(response)
}

/// Splits a first line into its three parts. The last one may contain spaces, and may be absent in
/// a response.
fn words<'l>(line: &'l str, like: &str) -> Result<[&'l str; 3], String> {
    let mut words = line.splitn(3, ' ');
    let parts = [(); 3].map(|()| words.next());
    match parts {
        [Some(first), Some(second), third] if line.contains("HTTP/") => {
            Ok([first, second, third.unwrap_or_default()])
        }
        _ => Err(format!("the first line is not like `{like}`")),
    }
}

/// Reads the first line and the headers. Returns them with the bytes after the empty line. Lines
/// may end with only LF, as editors write them.
fn head(bytes: &[u8]) -> Result<(&str, HeaderMap, &[u8]), String> {
    let mut rest = bytes;
    let mut first = None;
    let mut headers = HeaderMap::new();
    let mut number = 0;
    loop {
        number += 1;
        let Some(end) = memchr::memchr(b'\n', rest) else {
            return Err("there is no empty line after its headers".to_owned());
        };
        let line = &rest[..end];
        rest = &rest[end + 1..];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if first.is_none() {
            let line = str::from_utf8(line);
            first = Some(line.map_err(|_| "the first line is not UTF-8".to_owned())?);
        } else if line.is_empty() {
            return Ok((first.unwrap_or_default(), headers, rest));
        } else {
            let (name, value) =
                header(line).ok_or_else(|| format!("line {number} is not a header"))?;
            if headers.len() == MOST_HEADERS {
                return Err(format!("it has more than {MOST_HEADERS} headers"));
            }
            headers.append(name, value);
        }
    }
}

fn header(line: &[u8]) -> Option<(HeaderName, HeaderValue)> {
    let colon = memchr::memchr(b':', line)?;
    let name = HeaderName::from_bytes(&line[..colon]).ok()?;
    let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?;
    Some((name, value))
}

/// Returns the body without its transfer coding; all remaining bytes if there is no length.
fn body(headers: &HeaderMap, rest: &[u8]) -> Result<Vec<u8>, String> {
    if let Some(coding) = headers.get(TRANSFER_ENCODING) {
        return if coding.as_bytes().eq_ignore_ascii_case(b"chunked") {
            chunks(rest)
                .ok_or_else(|| "its body is not in chunks, as Transfer-Encoding says".to_owned())
        } else {
            Err(format!("the transfer coding {coding:?} is not known"))
        };
    }
    let Some(length) = headers.get(CONTENT_LENGTH) else {
        return Ok(rest.to_vec());
    };
    let length = length.to_str().ok().and_then(|text| text.parse().ok());
    if length == Some(rest.len()) {
        return Ok(rest.to_vec());
    }
    Err(format!(
        "Content-Length is {:?}, and {} bytes follow the headers: an editor may have changed the body",
        headers[CONTENT_LENGTH],
        rest.len()
    ))
}

/// Returns the content of chunks, without extensions and trailers (RFC 9112 §7.1).
fn chunks(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = memchr::memchr(b'\n', rest)?;
        let line = str::from_utf8(&rest[..end]).ok()?;
        let size = line.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        rest = &rest[end + 1..];
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(rest.get(..size)?);
        let after = rest.get(size..)?;
        rest = after.strip_prefix(b"\r\n").or(after.strip_prefix(b"\n"))?;
    }
}
