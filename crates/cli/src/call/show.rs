//! Requests and responses as people read them, without secrets.

use std::fmt::Write;

use http::{HeaderMap, Request, Response};
use quick_xml::events::Event;
use quick_xml::{Reader, Writer};
use serde_json::Value as Json;
use svcgen::bytes::Bytes;
use svcgen::mask::{Mask, Masked, Secrets};
use svcgen_messages::Service;

use crate::console::Console;

const BOLD: &str = "1";
const CYAN: &str = "36";

/// The bytes of each message that are shown.
const MOST_SHOWN: usize = 1 << 20;

/// Shows messages on standard error.
pub(super) struct Show<'a> {
    mask: Mask<'static>,
    console: &'a Console,
}

impl<'a> Show<'a> {
    pub fn new(service: Service, console: &'a Console) -> Self {
        let mask = Mask::new(service.row()).with_limit(MOST_SHOWN);
        Self { mask, console }
    }

    pub fn request(&self, request: &Request<Bytes>) {
        let shown = self.mask.request(request);
        let line = (shown.by_ref()).map(|shown| format!("{} {}", shown.method(), shown.uri()));
        let body = shown.by_ref().map(|shown| shown.body().as_str());
        self.message(&line, shown.by_ref().map(Request::headers), body);
    }

    pub fn response(
        &self,
        request: &Request<Bytes>,
        response: &Response<Bytes>,
        secrets: &Secrets,
    ) {
        let shown = self.mask.response(request, response);
        let line =
            (shown.by_ref()).map(|shown| format!("{:?} {}", shown.version(), shown.status()));
        let body = secrets.hidden(shown.body());
        let body = body.by_ref().map(|body| &**body);
        self.message(&line, shown.by_ref().map(Response::headers), body);
    }

    fn message(&self, line: &Masked<String>, headers: Masked<&HeaderMap>, body: Masked<&str>) {
        let mut text = self.console.styled(BOLD, line) + "\n";
        for (name, value) in *headers {
            let value = String::from_utf8_lossy(value.as_bytes());
            let name = self.console.styled(CYAN, name.as_str());
            let _ = writeln!(text, "{name}: {}", self.console.styled("0", &value));
        }
        text.push('\n');
        if !body.is_empty() {
            let body = indented(&body);
            let _ = writeln!(text, "{}\n", self.console.styled("0", body.trim_end()));
        }
        self.console.tell_styled(&text);
    }
}

/// XML or JSON with a line for each element or member; another text as it is.
fn indented(text: &str) -> String {
    if let Ok(json @ (Json::Object(_) | Json::Array(_))) = serde_json::from_str::<Json>(text) {
        return format!("{json:#}");
    }
    if text.starts_with('<') {
        return indented_xml(text).unwrap_or_else(|| text.to_owned());
    }
    text.to_owned()
}

/// `None` if it is not well-formed.
fn indented_xml(text: &str) -> Option<String> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().trim_text(true);
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    loop {
        match reader.read_event().ok()? {
            Event::Eof => break,
            event => writer.write_event(event).ok()?,
        }
    }
    String::from_utf8(writer.into_inner()).ok()
}
