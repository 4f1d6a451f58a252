//! Readable requests and responses, without secrets.

use std::fmt::Write;

use http::{HeaderMap, Request, Response};
use serde_json::Value as Json;
use svcgen::bytes::Bytes;
use svcgen::mask::{Mask, Masked, Secrets};
use svcgen_messages::Service;
use svcgen_testing::indented;

use crate::console::Console;

const BOLD: &str = "1";
const CYAN: &str = "36";

/// The maximum number of bytes shown of each message.
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
            let body = match serde_json::from_str::<Json>(&body) {
                Ok(json @ (Json::Object(_) | Json::Array(_))) => format!("{json:#}"),
                _ => indented(&body),
            };
            let _ = writeln!(text, "{}\n", self.console.styled("0", body.trim_end()));
        }
        self.console.tell_styled(&text);
    }
}
