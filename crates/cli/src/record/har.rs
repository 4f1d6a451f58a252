//! An HTTP archive (HAR 1.2), complete after each entry.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use svcgen_relay::Message;

use super::kept::{KeptExchange, moment};
use crate::files;
use crate::json::escaped;

/// A file that entries are added to.
pub(super) struct HarFile {
    path: PathBuf,
    file: File,
    /// The offset of the next entry.
    end: u64,
    entries: u64,
    most: u64,
}

/// The text after the last entry.
const TAIL: &str = "\n]}}\n";

impl HarFile {
    /// Creates an archive of the first `most` exchanges, as entries cannot be removed.
    pub(super) fn create(path: &Path, most: NonZeroU64) -> Result<Self, String> {
        let creator = json!({ "name": "svcgen", "version": env!("CARGO_PKG_VERSION") });
        let head =
            format!("{{\"log\": {{\"version\": \"1.2\", \"creator\": {creator}, \"entries\": [");
        let file = files::replace_private(path, format!("{head}{TAIL}").as_bytes());
        Ok(Self {
            file: file.map_err(|error| cannot_write(path, &error))?,
            path: path.to_owned(),
            end: head.len() as u64,
            entries: 0,
            most: most.get(),
        })
    }

    /// Adds an exchange. Returns whether there was room for it.
    pub(super) fn add(&mut self, kept: &KeptExchange<'_>, scheme: &str) -> Result<bool, String> {
        if self.entries == self.most {
            return Ok(false);
        }
        let comma = if self.entries == 0 { "" } else { "," };
        let entry = escaped(&entry(kept, scheme).to_string());
        let entry = format!("{comma}\n{entry}");
        let added = self.write(&format!("{entry}{TAIL}"));
        if let Err(error) = added {
            // The previous entries stay complete: the tail is written again at its former place.
            let _ = self
                .write(TAIL)
                .and_then(|()| self.file.set_len(self.end + TAIL.len() as u64));
            return Err(cannot_write(&self.path, &error));
        }
        self.end += entry.len() as u64;
        self.entries += 1;
        Ok(true)
    }

    /// Writes at the place of the tail.
    fn write(&mut self, text: &str) -> io::Result<()> {
        // Fails if the file was removed, as writes into it would be lost.
        fs::symlink_metadata(&self.path)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(text.as_bytes())
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn entry(kept: &KeptExchange<'_>, scheme: &str) -> Value {
    let wait = kept.first_byte.unwrap_or(kept.time);
    json!({
        "startedDateTime": moment(kept.begun),
        "time": milliseconds(kept.time),
        "request": request(&kept.request, scheme),
        "response": response(&kept.answer),
        "cache": {},
        "timings": {
            "send": 0,
            "wait": milliseconds(wait),
            "receive": milliseconds(kept.time.saturating_sub(wait)),
        },
        "connection": kept.connection.to_string(),
        "comment": kept.unread,
    })
}

fn request(message: &Message, scheme: &str) -> Value {
    let (method, target) = message.request_line().unwrap_or_default();
    let host = message
        .header("host")
        .map(String::from_utf8_lossy)
        .unwrap_or_default();
    let query = target.split_once('?').map_or("", |(_, query)| query);
    let fields = url::form_urlencoded::parse(query.as_bytes());
    let fields: Vec<_> = fields
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    let mut request = json!({
        "method": method,
        "url": format!("{scheme}://{host}{target}"),
        "queryString": fields,
    });
    add_common(&mut request, message);
    if message.length > 0 {
        request["postData"] = content(message);
    }
    request
}

fn response(message: &Message) -> Value {
    let mut content = content(message);
    content["size"] = message.body().len().into();
    let location = message.header("location").map(String::from_utf8_lossy);
    let mut response = json!({
        "status": message.status().unwrap_or_default(),
        "statusText": reason(message),
        "content": content,
        "redirectURL": location.unwrap_or_default(),
    });
    add_common(&mut response, message);
    response
}

/// Adds the members that requests and responses have in common.
fn add_common(entry: &mut Value, message: &Message) {
    entry["httpVersion"] = "HTTP/1.1".into();
    entry["cookies"] = json!([]);
    entry["headers"] = headers(message).into();
    entry["headersSize"] = message.head.len().into();
    entry["bodySize"] = message.length.into();
}

/// Returns the reason phrase after the status.
fn reason(message: &Message) -> String {
    let line = String::from_utf8_lossy(message.lines().next().unwrap_or_default());
    let mut words = line.splitn(3, ' ');
    words.nth(2).unwrap_or_default().to_owned()
}

fn headers(message: &Message) -> Vec<Value> {
    let headers = message.headers();
    let headers = headers
        .map(|(name, value)| json!({ "name": name, "value": String::from_utf8_lossy(value) }));
    headers.collect()
}

/// Returns a body as text, or in base64 if it is not text.
fn content(message: &Message) -> Value {
    let media_type = message.header("content-type").map(String::from_utf8_lossy);
    let media_type = media_type.unwrap_or_default();
    let body = message.body();
    match str::from_utf8(&body) {
        Ok(text) => json!({ "mimeType": media_type, "text": text }),
        Err(_) => {
            json!({ "mimeType": media_type, "text": BASE64_STANDARD.encode(&body), "encoding": "base64" })
        }
    }
}
