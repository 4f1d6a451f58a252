//! The head of the answer, set by handlers.

use std::error::Error;
use std::fmt;

use http::header::{
    CONNECTION, CONTENT_LENGTH, SET_COOKIE, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::call::Context;
use crate::heads::{Added, Header};
use svcgen_wire::internals::printable;

/// The headers that decide about the end of a message and about its connection (RFC 9110 §7.6.1,
/// RFC 9112 §6).
const FRAMING: [HeaderName; 6] = [
    CONNECTION,
    CONTENT_LENGTH,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// The error for a header that an answer cannot have. With `?` in a handler, it becomes a fault of
/// the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidHeader(String);

impl fmt::Display for InvalidHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.0))
    }
}

impl Error for InvalidHeader {}

/// Headers, cookies and the status apply to the answer, and to a fault that the handler returns.
/// Over JSON, they do not apply to faults, as in ASMX. Under `serve`, the caller of a one-way
/// operation over SOAP is answered before they are set.
impl Context {
    /// Sets a header of the answer, and replaces others with the same name.
    ///
    /// ```
    /// # fn handle(context: &svcgen::Context, version: u32) -> Result<(), svcgen::Fault> {
    /// context.set_response_header("X-Version", version)?;
    /// context.set_response_header(svcgen::http::header::CACHE_CONTROL, "max-age=60")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The name or the value is not valid, or the header decides about the connection or the end of
    /// the answer, such as `Content-Length`.
    pub fn set_response_header<N, V>(&self, name: N, value: V) -> Result<(), InvalidHeader>
    where
        N: TryInto<HeaderName, Error: Into<http::Error>>,
        V: TryInto<HeaderValue, Error: Into<http::Error>>,
    {
        self.add(name, value, true)
    }

    /// Adds a header to the answer, and keeps others with the same name.
    ///
    /// # Errors
    ///
    /// The same as for [`set_response_header`](Self::set_response_header).
    pub fn append_response_header<N, V>(&self, name: N, value: V) -> Result<(), InvalidHeader>
    where
        N: TryInto<HeaderName, Error: Into<http::Error>>,
        V: TryInto<HeaderValue, Error: Into<http::Error>>,
    {
        self.add(name, value, false)
    }

    /// Sets a cookie of the caller: the value of a `Set-Cookie` header, such as the result of
    /// `to_string` on a `Cookie` of the crate `cookie`.
    ///
    /// ```
    /// # fn handle(context: &svcgen::Context) -> Result<(), svcgen::Fault> {
    /// context.set_cookie("language=de; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The text does not begin with a name, `=` and a value as in RFC 6265 §4.1.1, or it contains
    /// characters other than visible ASCII and spaces.
    pub fn set_cookie(&self, cookie: impl AsRef<str>) -> Result<(), InvalidHeader> {
        let cookie = cookie.as_ref();
        match cookie_complaint(cookie) {
            None => self.add(SET_COOKIE, cookie, false),
            Some(complaint) => Err(InvalidHeader(format!(
                "A cookie cannot be set: {complaint}; it is a name, `=` and a value, and attributes after `;`, such as `language=de; Path=/`."
            ))),
        }
    }

    /// Sets the HTTP status over HTTP GET, HTTP POST and JSON. Over SOAP, the status shows whether
    /// there is a fault (SOAP 1.1 §6.2, SOAP 1.2 part 2 §7.5.2), and this method does nothing. With
    /// 204, 205 and 304, the answer has no body.
    ///
    /// # Panics
    ///
    /// The status is informational (1xx), which is not an answer.
    #[track_caller]
    pub fn set_status(&self, status: StatusCode) {
        assert!(
            !status.is_informational(),
            "{status} is not a status that an answer can have"
        );
        self.heads.added().status = Some(status);
    }

    /// Returns the status that was set, for tests of handlers.
    pub fn response_status(&self) -> Option<StatusCode> {
        self.heads.added().status
    }

    /// Returns the headers and cookies that were set, for tests of handlers.
    pub fn response_headers(&self) -> HeaderMap {
        let Added { headers, .. } = self.heads.added().clone();
        let mut map = HeaderMap::new();
        for header in headers {
            header.put(&mut map);
        }
        map
    }

    fn add<N, V>(&self, name: N, value: V, replaces: bool) -> Result<(), InvalidHeader>
    where
        N: TryInto<HeaderName, Error: Into<http::Error>>,
        V: TryInto<HeaderValue, Error: Into<http::Error>>,
    {
        let name = name.try_into().map_err(|error| {
            let error = error.into();
            InvalidHeader(format!(
                "A header of the answer has no valid name: {error}."
            ))
        })?;
        if FRAMING.contains(&name) {
            return Err(InvalidHeader(format!(
                "The header {name} of an answer is set by the HTTP server, not by a handler."
            )));
        }
        let value = value.try_into().map_err(|error| {
            let error = error.into();
            InvalidHeader(format!(
                "The header {name} of the answer has no valid value: {error}."
            ))
        })?;
        self.heads.added().headers.push(Header {
            name,
            value,
            replaces,
        });
        Ok(())
    }
}

/// Returns the reason why a text is not a valid `Set-Cookie` (RFC 6265 §4.1.1); `None` if it is
/// valid.
fn cookie_complaint(cookie: &str) -> Option<&'static str> {
    let pair = cookie.split(';').next().unwrap_or_default();
    let Some((name, value)) = pair.split_once('=') else {
        return Some("it has no `=`");
    };
    let is_of_name = |byte: u8| byte.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?={}".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_of_name) {
        return Some("its name is empty or holds a character that no name has");
    }
    let quoted = value
        .strip_prefix('"')
        .and_then(|value| value.strip_suffix('"'));
    let is_of_value = |byte: u8| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte);
    if !quoted.unwrap_or(value).bytes().all(is_of_value) {
        return Some(
            "its value holds a blank, `\"`, `,`, `\\` or a character that is not of ASCII",
        );
    }
    let is_of_attribute = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    if !cookie.bytes().all(is_of_attribute) {
        return Some("an attribute holds a character that is not a visible one of ASCII");
    }
    None
}
