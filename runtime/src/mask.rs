//! Messages without their secrets, for logs: [`Mask`].
//!
//! What a message shows is decided by the model of its service. Shown are the names of elements and parameters, and the values that stand
//! where the model describes a value that is no `secret`. Everything else is replaced by one of three texts, which do not depend on what
//! they replace:
//!
//! | text | instead of |
//! |---|---|
//! | [`SECRET`] | a value that the model marks `secret`, the value of a HTTP header that is not known to be harmless |
//! | [`OMITTED`] | what the model does not describe: unknown elements, attributes, headers and parameters, XML of any content, comments, the query of a URL that has no parameters, a message from where it is not well-formed |
//! | [`CUT`] | the rest of a message that is longer than the limit |

mod http;
mod known;
mod places;
mod xml;

use std::cell::OnceCell;
use std::collections::HashMap;

use ::http::header::CONTENT_TYPE;
use ::http::{HeaderMap, Method, Request, Response, Uri};
use svcgen_model::{At, ComplexType, Operation, Service, TypeAt, Types};

use crate::binding::charset::decode_message;
use crate::binding::media_type::{MediaType, compression, header_text};
use known::Known;
use places::{Direction, Place};

/// Stands for a secret.
pub const SECRET: &str = "[secret]";
/// Stands for what the model does not describe.
pub const OMITTED: &str = "[omitted]";
/// Stands for the rest of a message that is longer than the limit.
pub const CUT: &str = "[cut]";

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
    service: At<'m, Service<'m>>,
    limit: usize,
    /// Whether any messages are encoded, in which elements stand for others and the items of lists have any name.
    encoded: bool,
    /// The types of the service by name, if any message named one.
    types: OnceCell<HashMap<&'m str, Vec<At<'m, ComplexType<'m>>>>>,
}

impl<'m> Mask<'m> {
    /// Shows the first 64 KiB of messages.
    pub fn new(service: At<'m, Service<'m>>) -> Self {
        let mut operations = service.row().operations.iter();
        Self {
            service,
            limit: 64 << 10,
            encoded: operations.any(|operation| operation.encoded.is_some()),
            types: OnceCell::new(),
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
        let mut masked = Request::new(self.request_body(&head, None));
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

    /// The body of a request. Its secrets are added to those that are known.
    fn request_body(&self, head: &Head<'_>, mut known: Option<&mut Known>) -> String {
        if head.body.is_empty() {
            return String::new();
        }
        let content_type = header_text(head.headers.get(CONTENT_TYPE));
        let media_type = MediaType::read(&content_type);
        if compression(head.headers).is_some() || *head.method != Method::POST {
            OMITTED.to_owned()
        } else if media_type.is("application/x-www-form-urlencoded") {
            let (form, is_cut) = self.cut(head.body);
            self.form(head.uri.path(), form, is_cut, known)
        } else if is_xml(&media_type) {
            let Ok(text) = decode_message(head.body, media_type.charset()) else {
                return OMITTED.to_owned();
            };
            let root = Place::Root(Direction::Request);
            xml::mask(self, self.cut_text(&text), root, &mut known)
        } else {
            OMITTED.to_owned()
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
        let quotes = |text: &str| self.known(head).is_in(text);
        if media_type.is("text/plain") && has_failed {
            let (text, is_cut) = self.cut_text(&text);
            let shown = if quotes(text) { SECRET } else { text };
            return format!("{shown}{}", if is_cut { CUT } else { "" });
        }
        if !is_xml(&media_type) {
            return OMITTED.to_owned();
        }
        let named = self.operation_of(head.uri.path());
        let is_form = *head.method == Method::GET
            || MediaType::read(&header_text(head.headers.get(CONTENT_TYPE)))
                .is("application/x-www-form-urlencoded");
        let root = match named {
            Some(operation) if is_form => Place::of(operation.result()),
            _ => Place::Root(Direction::Response),
        };
        // Only faults quote.
        let mut known = memchr::memmem::find(text.as_bytes(), b"Fault").map(|_| self.known(head));
        xml::mask(self, self.cut_text(&text), root, &mut known.as_mut())
    }

    /// The secrets of a request.
    fn known(&self, head: &Head<'_>) -> Known {
        let mut known = Known::default();
        http::collect(head.headers, &mut known);
        if let Some(query) = head.uri.query() {
            self.form(head.uri.path(), query.as_bytes(), false, Some(&mut known));
        }
        self.request_body(head, Some(&mut known));
        known
    }

    /// The operation that a path names over HTTP GET and POST.
    fn operation_of(&self, path: &str) -> Option<At<'m, Operation<'m>>> {
        let (_, name) = path.rsplit_once('/')?;
        let mut operations = self.service.operations();
        operations.find(|operation| operation.name.eq_ignore_ascii_case(name))
    }

    /// The types of a name.
    fn types(&self, name: &str) -> &[At<'m, ComplexType<'m>>] {
        let types = self.types.get_or_init(|| {
            let mut types: HashMap<_, Vec<_>> = HashMap::new();
            for definition in Types::of(self.service).definitions() {
                if let TypeAt::Complex(complex) = definition {
                    types.entry(complex.row().name).or_default().push(complex);
                }
            }
            types
        });
        types.get(name).map_or(&[], Vec::as_slice)
    }

    fn cut_text<'t>(&self, text: &'t str) -> (&'t str, bool) {
        match text
            .char_indices()
            .map(|(at, _)| at)
            .find(|at| *at >= self.limit)
        {
            Some(end) if text.len() > self.limit => (&text[..end], true),
            _ => (text, false),
        }
    }
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
