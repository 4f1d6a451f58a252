//! Masks requests and answers.

use ::http::header::CONTENT_TYPE;
use ::http::{HeaderMap, HeaderName, Method, Request, Response, Uri};
use svcgen_model::{At, Element, Service};

use super::marks::{CUT, OMITTED, SECRET};
use super::masked::Masked;
use super::message_part::{MessagePart, Text};
use super::notation::{MaskedNotation, Root};
use super::secrets::Secrets;
use super::service_rows::{Direction, ServiceRows};
use super::{http, xml};
use crate::media_type::{MediaType, compression, header_text};
use svcgen_wire::internals::decode_message;

/// Replaces the secrets of messages of a service.
///
/// Messages may be of any binding, malformed, cut off or of an unknown operation. The time is
/// linear in the length of the shown part of a message; but a body that is not in UTF-8 is decoded
/// whole.
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
/// let model = Model::from(&MODULE); // In a program `server.endpoint().model()`.
/// let request = http::Request::post("/Login.asmx/Login")
///     .header("Content-Type", "application/x-www-form-urlencoded")
///     .header("Authorization", "Basic Ym9iOmh1bnRlcjI=")
///     .body("user=bob&password=hunter2")
///     .unwrap();
/// let masked = Mask::of(&model).request(&request);
/// assert_eq!(masked.body(), "user=bob&password=[secret]");
/// assert_eq!(masked.headers()["authorization"], "[secret]");
/// ```
#[derive(Debug)]
pub struct Mask<'m> {
    described: ServiceRows<'m>,
    notations: Vec<&'static dyn MaskedNotation>,
    /// The paths of the service.
    paths: Vec<String>,
    limit: usize,
}

impl<'m> Mask<'m> {
    /// Creates a mask for messages in XML, forms and these notations.
    pub(crate) fn over(
        notations: Vec<&'static dyn MaskedNotation>,
        service: At<'m, Service<'m>>,
    ) -> Self {
        Self {
            described: ServiceRows::new(service),
            notations,
            paths: vec![service.path.to_owned()],
            limit: 64 << 10,
        }
    }

    /// Also shows the segments of these paths, for a server with other paths than the definition's
    /// ([`ServerOptions::with_paths`](crate::ServerOptions::with_paths)).
    #[must_use]
    pub fn with_paths(mut self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.paths.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Sets the number of bytes to show of each message. The output may be a few times as long,
    /// because each value may be replaced by a longer text.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Returns a request without its secrets, in UTF-8.
    pub fn request(&self, request: &Request<impl AsRef<[u8]>>) -> Masked<Request<String>> {
        let head = Head::of(request);
        let mut masked = Request::new(self.request_body(&head, self.limit, None));
        *masked.method_mut() = head.method.clone();
        *masked.uri_mut() = self.uri(&head);
        *masked.version_mut() = request.version();
        *masked.headers_mut() = http::headers(head.headers);
        Masked::new(masked)
    }

    /// Returns the answer to a request without its secrets, in UTF-8. The text of a fault is not
    /// shown if it quotes a secret of the request.
    pub fn response(
        &self,
        request: &Request<impl AsRef<[u8]>>,
        response: &Response<impl AsRef<[u8]>>,
    ) -> Masked<Response<String>> {
        let body = response.body().as_ref();
        let mut masked = Response::new(self.response_body(&Head::of(request), response, body));
        *masked.status_mut() = response.status();
        *masked.version_mut() = response.version();
        *masked.headers_mut() = http::headers(response.headers());
        Masked::new(masked)
    }

    /// Returns the secrets and the omitted parts of a request, to mask texts that were written in
    /// its call, such as the texts of faults and errors. If the request cannot be read, every text
    /// may quote a secret.
    pub fn secrets(&self, request: &Request<impl AsRef<[u8]>>) -> Secrets {
        self.secrets_of(&Head::of(request))
    }

    /// Returns the URL of a request without the name of a user, and with only the shown segments
    /// and parameters.
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
        let path = http::shown_path(head.uri.path(), |segment| self.is_shown_segment(segment));
        http::uri(head.uri, &path, query)
    }

    fn is_shown_segment(&self, segment: &str) -> bool {
        let paths = self.paths.iter().map(String::as_str);
        http::is_shown_segment(self.described.service, paths, segment)
    }

    /// Masks the fields of a form for the parameters of the operation that the path of a request
    /// names.
    fn form(
        &self,
        head: &Head<'_>,
        form: &[u8],
        limit: usize,
        known: Option<&mut Secrets>,
    ) -> String {
        let operation = self.described.operation_of(head.uri.path());
        http::form(operation, form, limit, known)
    }

    /// Masks the body of a request, up to a limit. Adds its secrets to the known ones.
    fn request_body(
        &self,
        head: &Head<'_>,
        limit: usize,
        mut known: Option<&mut Secrets>,
    ) -> String {
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
            let root = MessagePart::Root(Direction::Request);
            xml::mask(&self.described, cut(&text, limit), root, &mut known)
        } else if let Some(notation) = self.notation_of(&media_type) {
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
            let secrets = self.secrets_of(head);
            let text = secrets.text(&text);
            let (text, is_cut) = cut(&text, self.limit);
            return format!("{text}{}", if is_cut { CUT } else { "" });
        }
        let named = self.described.operation_of(head.uri.path());
        if let Some(notation) = self.notation_of(&media_type) {
            let text = cut(&text, self.limit);
            let (root, mut known) = match named {
                _ if has_failed => (Root::Failure, Some(self.secrets_of(head))),
                None => return OMITTED.to_owned(),
                Some(operation) => (
                    Root::Result(MessagePart::of(operation.result_over_http())),
                    None,
                ),
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
            || self.notation_of(&asked).is_some();
        let root = match named {
            Some(operation) if is_form => MessagePart::of(operation.result_over_http()),
            _ => MessagePart::Root(Direction::Response),
        };
        // Only faults quote requests.
        let mut known =
            memchr::memmem::find(text.as_bytes(), b"Fault").map(|_| self.secrets_of(head));
        let text = cut(&text, self.limit);
        xml::mask(&self.described, text, root, &mut known.as_mut())
    }

    /// Returns the notation of a protocol whose messages have this media type, and are neither XML
    /// nor forms.
    fn notation_of(&self, media_type: &MediaType<'_>) -> Option<&'static dyn MaskedNotation> {
        let mut notations = self.notations.iter().copied();
        notations.find(|notation| media_type.is(notation.media_type()))
    }

    /// Returns the secrets of a whole request.
    fn secrets_of(&self, head: &Head<'_>) -> Secrets {
        let mut known = Secrets::default();
        http::collect(head.headers, &mut known);
        let is_shown = |segment: &str| self.is_shown_segment(segment);
        http::collect_path(head.uri.path(), is_shown, &mut known);
        if let Some(query) = head.uri.query() {
            self.form(head, query.as_bytes(), usize::MAX, Some(&mut known));
        }
        self.request_body(head, usize::MAX, Some(&mut known));
        known
    }
}

/// Cuts a text at a limit. Returns whether it was longer, too.
fn cut(text: &str, limit: usize) -> (&str, bool) {
    let mut ends = (0..=limit.min(text.len())).rev();
    let end = ends.find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    (&text[..end], end < text.len())
}

/// The parts of a message that decide how its body is masked.
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

impl<T> Masked<T> {
    /// Masks content or, without a mask, returns all of it: without a definition, a program does
    /// not know which values are secret.
    pub fn by<'m>(
        mask: Option<&Mask<'m>>,
        content: T,
        masked: impl FnOnce(&Mask<'m>) -> Self,
    ) -> Self {
        match mask {
            Some(mask) => masked(mask),
            None => Self::new(content),
        }
    }

    /// Masks the text of the value that a row describes. `mark` converts [`SECRET`] and [`OMITTED`]
    /// to a value.
    ///
    /// ```
    /// use svcgen::codegen::model::{At, Module, SimpleType::String, TypeRef::Simple, element};
    /// use svcgen::mask::Masked;
    ///
    /// static MODULE: Module<'static> = Module::new(&[], &[]);
    /// let module = At::new(&MODULE, None);
    /// let (user, pin) = (element("user", Simple(String)), element("pin", Simple(String)).secret());
    /// let shown = |row| Masked::value(module.beside(row), "4711", |mark| mark).into_inner();
    /// assert_eq!([shown(&user), shown(&pin)], ["4711", "[secret]"]);
    /// ```
    pub fn value(row: At<'_, Element<'_>>, text: T, mark: fn(&'static str) -> T) -> Self {
        Self::new(match MessagePart::of([row]).text() {
            Text::Shown => text,
            Text::Secret => mark(SECRET),
            Text::Unknown | Text::OfFault => mark(OMITTED),
        })
    }

    /// Masks the value of an attribute. It is shown if SOAP or XML Schema defines the attribute,
    /// such as `actor`.
    pub fn protocol_attribute(name: &str, value: T, mark: fn(&'static str) -> T) -> Self {
        Self::new(if xml::is_of_protocol(name) {
            value
        } else {
            mark(OMITTED)
        })
    }
}

impl<'h> Masked<(&'h [u8], &'h [u8])> {
    /// Masks a header, and keeps its name as written: [`SECRET`] replaces the value unless the
    /// header is known not to contain credentials.
    pub fn header(name: &'h [u8], value: &'h [u8]) -> Self {
        let known = HeaderName::from_bytes(name);
        let is_shown = known.is_ok_and(|name| http::is_shown(&name));
        Self::new((name, if is_shown { value } else { SECRET.as_bytes() }))
    }
}
