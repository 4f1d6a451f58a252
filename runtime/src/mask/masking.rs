//! Requests and answers without their secrets.

use ::http::header::CONTENT_TYPE;
use ::http::{HeaderMap, Method, Request, Response, Uri};
use svcgen_model::{At, Service};

use super::described::{Described, Direction};
use super::known::Known;
use super::marks::{CUT, OMITTED, SECRET};
use super::notation::{Masked, Root};
use super::places::Place;
use super::{http, xml};
use crate::binding::charset::decode_message;
use crate::binding::media_type::{MediaType, compression, header_text};
use crate::binding::{Binding, protocol};

/// Replaces the secrets of messages of a service.
///
/// Messages may be of any binding, malformed, cut off or of an unknown operation. The work is linear in the length of the part of a
/// message that is shown, and a body that is not in UTF-8 is decoded whole.
///
/// ```
/// # use svcgen::codegen::Model;
/// # use svcgen::codegen::model::{Module, Service, SimpleType::String, TypeRef::Simple, complex_type, element, operation};
/// # static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new("Login", "urn:login", "/Login.asmx", &[operation(
/// #     "Login",
/// #     "urn:login/Login",
/// #     complex_type("Login", &[element("user", Simple(String)), element("password", Simple(String)).secret()]),
/// #     "LoginResponse",
/// # )]));
/// use svcgen::mask::Mask;
///
/// let model = Model::new(&MODULE, None); // In a program `server.endpoint().model()`.
/// let request = http::Request::post("/Login.asmx/Login")
///     .header("Content-Type", "application/x-www-form-urlencoded")
///     .header("Authorization", "Basic Ym9iOmh1bnRlcjI=")
///     .body("user=bob&password=hunter2")
///     .unwrap();
/// let masked = Mask::new(model.service()).request(&request);
/// assert_eq!(masked.body(), "user=bob&password=[secret]");
/// assert_eq!(masked.headers()["authorization"], "[secret]");
/// ```
#[derive(Debug)]
pub struct Mask<'m> {
    described: Described<'m>,
    limit: usize,
}

impl<'m> Mask<'m> {
    /// Shows the first 64 KiB of messages.
    pub fn new(service: At<'m, Service<'m>>) -> Self {
        Self {
            described: Described::new(service),
            limit: 64 << 10,
        }
    }

    /// Shows as many bytes of messages. What is shown of one may be a few times as long, as each value may be replaced by a longer text.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// A request without its secrets, in UTF-8.
    pub fn request(&self, request: &Request<impl AsRef<[u8]>>) -> Request<String> {
        let head = Head::of(request);
        let mut masked = Request::new(self.request_body(&head, self.limit, None));
        *masked.method_mut() = head.method.clone();
        *masked.uri_mut() = self.uri(&head);
        *masked.version_mut() = request.version();
        *masked.headers_mut() = http::headers(head.headers);
        masked
    }

    /// The answer to a request without its secrets, in UTF-8. The text of a fault is not shown if it quotes a secret of the request.
    pub fn response(
        &self,
        request: &Request<impl AsRef<[u8]>>,
        response: &Response<impl AsRef<[u8]>>,
    ) -> Response<String> {
        let body = response.body().as_ref();
        let mut masked = Response::new(self.response_body(&Head::of(request), response, body));
        *masked.status_mut() = response.status();
        *masked.version_mut() = response.version();
        *masked.headers_mut() = http::headers(response.headers());
        masked
    }

    /// A text that was written in a call, such as that of a fault or an error, unless it quotes a secret of the request, or may do so as the request cannot be read: then [`SECRET`].
    pub fn text<'t>(&self, request: &Request<impl AsRef<[u8]>>, text: &'t str) -> &'t str {
        if self.known(&Head::of(request)).is_in(text) {
            return SECRET;
        }
        text
    }

    /// The URL of a request, without the name of a user, with the segments of its path and the parameters that are shown.
    fn uri(&self, head: &Head<'_>) -> Uri {
        let query = head.uri.query().map(|query| {
            if self.described.operation_of(head.uri.path()).is_none() {
                return http::document_query(self.described.service, query, self.limit);
            }
            if *head.method != Method::GET {
                return OMITTED.to_owned();
            }
            self.form(head, query.as_bytes(), self.limit, None)
        });
        let path = http::path([self.described.service], head.uri.path());
        http::uri(head.uri, &path, query)
    }

    /// Fields for the parameters of the operation that the path of a request names.
    fn form(
        &self,
        head: &Head<'_>,
        form: &[u8],
        limit: usize,
        known: Option<&mut Known>,
    ) -> String {
        let operation = self.described.operation_of(head.uri.path());
        http::form(operation, form, limit, known)
    }

    /// The body of a request up to a limit. Its secrets are added to those that are known.
    fn request_body(&self, head: &Head<'_>, limit: usize, mut known: Option<&mut Known>) -> String {
        if head.body.is_empty() {
            return String::new();
        }
        let content_type = header_text(head.headers.get(CONTENT_TYPE));
        let media_type = MediaType::read(&content_type);
        let mut unread = || {
            if let Some(known) = known.as_deref_mut() {
                known.add_unread();
            }
            OMITTED.to_owned()
        };
        if compression(head.headers).is_some() || *head.method != Method::POST {
            unread()
        } else if media_type.is("application/x-www-form-urlencoded") {
            self.form(head, head.body, limit, known)
        } else if is_xml(&media_type) {
            let Ok(text) = decode_message(head.body, media_type.charset()) else {
                return unread();
            };
            let root = Place::Root(Direction::Request);
            xml::mask(&self.described, cut(&text, limit), root, &mut known)
        } else if let Some(notation) = notation_of(&media_type) {
            let lossy = |_| String::from_utf8_lossy(head.body);
            let text = decode_message(head.body, None).unwrap_or_else(lossy);
            let operation = self.described.operation_of(head.uri.path());
            let parameters = operation.map(|operation| Root::Parameters(operation.parameters()));
            let root = parameters.unwrap_or(Root::Unknown);
            notation.mask(&self.described, cut(&text, limit), root, &mut known)
        } else {
            unread()
        }
    }

    fn response_body<B>(&self, head: &Head<'_>, response: &Response<B>, body: &[u8]) -> String {
        if body.is_empty() {
            return String::new();
        }
        let content_type = header_text(response.headers().get(CONTENT_TYPE));
        let media_type = MediaType::read(&content_type);
        let Ok(text) = decode_message(body, media_type.charset()) else {
            return OMITTED.to_owned();
        };
        if compression(response.headers()).is_some() {
            return OMITTED.to_owned();
        }
        let has_failed = response.status().is_client_error() || response.status().is_server_error();
        if media_type.is("text/plain") && has_failed {
            if self.known(head).is_in(&text) {
                return SECRET.to_owned();
            }
            let (text, is_cut) = cut(&text, self.limit);
            return format!("{text}{}", if is_cut { CUT } else { "" });
        }
        let named = self.described.operation_of(head.uri.path());
        if let Some(notation) = notation_of(&media_type) {
            let text = cut(&text, self.limit);
            let (root, mut known) = match named {
                _ if has_failed => (Root::Failure, Some(self.known(head))),
                None => return OMITTED.to_owned(),
                Some(operation) => (Root::Result(Place::of(operation.result_over_http())), None),
            };
            return notation.mask(&self.described, text, root, &mut known.as_mut());
        }
        if !is_xml(&media_type) {
            return OMITTED.to_owned();
        }
        let asked = header_text(head.headers.get(CONTENT_TYPE));
        let asked = MediaType::read(&asked);
        let is_form = *head.method == Method::GET
            || asked.is("application/x-www-form-urlencoded")
            || notation_of(&asked).is_some();
        let root = match named {
            Some(operation) if is_form => Place::of(operation.result_over_http()),
            _ => Place::Root(Direction::Response),
        };
        // Only faults quote.
        let mut known = memchr::memmem::find(text.as_bytes(), b"Fault").map(|_| self.known(head));
        let text = cut(&text, self.limit);
        xml::mask(&self.described, text, root, &mut known.as_mut())
    }

    /// The secrets of a whole request.
    fn known(&self, head: &Head<'_>) -> Known {
        let mut known = Known::default();
        http::collect(head.headers, &mut known);
        http::collect_path(self.described.service, head.uri.path(), &mut known);
        if let Some(query) = head.uri.query() {
            self.form(head, query.as_bytes(), usize::MAX, Some(&mut known));
        }
        self.request_body(head, usize::MAX, Some(&mut known));
        known
    }
}

/// The notation of a binding, if its messages have this media type and are neither XML nor forms.
fn notation_of(media_type: &MediaType<'_>) -> Option<&'static dyn Masked> {
    let bindings = Binding::ALL.into_iter();
    let mut notations = bindings.filter_map(|binding| protocol(binding).masked());
    notations.find(|notation| media_type.is(notation.media_type()))
}

/// A text up to a limit, and whether it goes on.
fn cut(text: &str, limit: usize) -> (&str, bool) {
    let mut ends = (0..=limit.min(text.len())).rev();
    let end = ends.find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    (&text[..end], end < text.len())
}

/// What a body depends on.
struct Head<'r> {
    method: &'r Method,
    uri: &'r Uri,
    headers: &'r HeaderMap,
    body: &'r [u8],
}

impl<'r> Head<'r> {
    fn of<B: AsRef<[u8]>>(request: &'r Request<B>) -> Self {
        Self {
            method: request.method(),
            uri: request.uri(),
            headers: request.headers(),
            body: request.body().as_ref(),
        }
    }
}

fn is_xml(media_type: &MediaType<'_>) -> bool {
    ["text/xml", "application/soap+xml", "application/xml"]
        .into_iter()
        .any(|known| media_type.is(known))
}
