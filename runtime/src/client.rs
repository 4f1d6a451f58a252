//! The road the other way: values to a request, a response to values or an error that says what it is.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::uri::{PathAndQuery, Scheme};
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri};
use svcgen_model::{Module, Operation, Service};

use crate::binding::answer::{self, Answer};
use crate::binding::charset::decode_message;
use crate::binding::envelope::{self, Version};
use crate::binding::media_type::{MediaType, compression, header_text};
use crate::binding::{self, Binding, form, plain_text, soap11};
use crate::call_error::CallError;
use crate::described::Model;
use crate::fault::{Fault, FaultCode};
use crate::limits::Limits;
use crate::transport::Transport;
use crate::xml::{Complex, Content, Forms, Reader, Value};

/// Calls the operations of a service. Emitted code puts one method an operation over it.
#[derive(Clone)]
pub struct Client<T> {
    transport: T,
    url: Uri,
    binding: Binding,
    model: Model,
    limits: Limits,
}

impl<T> Client<T> {
    /// A client of the service at `base_url`, scheme, host and port such as `http://127.0.0.1:8080`, to which the service's path is added. It calls over SOAP 1.1.
    ///
    /// # Errors
    ///
    /// The URL is none, is not `http` or `https`, or holds a user's name, a query or a fragment.
    ///
    /// # Panics
    ///
    /// The module has no service.
    pub fn new(
        module: &'static Module<'static>,
        transport: T,
        base_url: &str,
    ) -> Result<Self, CallError> {
        Self::of_model(Model::new(module, None), transport, base_url)
    }

    /// A client of a service that no code was emitted for.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn of_model(model: Model, transport: T, base_url: &str) -> Result<Self, CallError> {
        let url = read_url(base_url, model.service().path)?;
        Ok(Self {
            transport,
            url,
            binding: Binding::Soap11,
            model,
            limits: Limits::default(),
        })
    }

    /// Calls over another binding.
    #[must_use]
    pub fn with_binding(mut self, binding: Binding) -> Self {
        self.binding = binding;
        self
    }

    /// Bounds answers by other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The binding that calls go over.
    pub fn binding(&self) -> Binding {
        self.binding
    }

    fn service(&self) -> &Service<'_> {
        self.model.service().row()
    }

    /// The address of the service.
    pub fn url(&self) -> &Uri {
        &self.url
    }

    /// What carries the requests.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    /// The HTTP request that calls an operation, the same bytes as Microsoft's clients send.
    ///
    /// # Errors
    ///
    /// A value cannot be written, or the operation is not offered over the binding.
    pub fn request<Q: Complex>(
        &self,
        operation: usize,
        parameters: &Q,
    ) -> Result<Request<Bytes>, CallError> {
        self.request_with_headers(operation, &(), parameters)
    }

    /// Like [`request`](Self::request), with SOAP headers.
    ///
    /// # Errors
    ///
    /// There are headers and the binding is HTTP GET or POST, as well.
    pub fn request_with_headers<I: Complex, Q: Complex>(
        &self,
        operation: usize,
        headers: &I,
        parameters: &Q,
    ) -> Result<Request<Bytes>, CallError> {
        let operation = self.model.operation(operation);
        if !operation.bindings.contains(self.binding) {
            return Err(CallError::Binding {
                operation: operation.name.to_owned(),
                binding: self.binding,
            });
        }
        let headers = match I::TYPE.elements {
            [] => Vec::new(),
            _ => envelope::write_headers(self.service(), operation.headers.as_ref(), headers)?,
        };
        let write = &mut |out: &mut Content<'_>| parameters.write_elements(out);
        match binding::version(self.binding) {
            Some(version) => self.soap_request(version, operation, &headers, write),
            None if headers.is_empty() => self.form_request(operation, write),
            None => Err(CallError::Headers {
                operation: operation.name.to_owned(),
                binding: self.binding,
            }),
        }
    }

    fn soap_request(
        &self,
        version: &Version,
        operation: &Operation<'_>,
        headers: &[u8],
        write: &mut dyn FnMut(&mut Content<'_>),
    ) -> Result<Request<Bytes>, CallError> {
        let mut body = Vec::with_capacity(1024);
        envelope::write(
            version.start,
            self.service(),
            operation,
            headers,
            operation.parameters.name,
            &mut body,
            write,
        )?;
        let action = format!("\"{}\"", operation.action);
        let content_type = match version.binding {
            Binding::Soap12 => header(&format!("{}; action={action}", version.content_type))?,
            _ => HeaderValue::from_static(version.content_type),
        };
        let mut request = new_request(Method::POST, self.url.clone(), body);
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, content_type);
        if version.binding == Binding::Soap11 {
            headers.insert(soap11::SOAP_ACTION.clone(), header(&action)?);
        }
        Ok(request)
    }

    fn form_request(
        &self,
        operation: &Operation<'_>,
        write: &mut dyn FnMut(&mut Content<'_>),
    ) -> Result<Request<Bytes>, CallError> {
        let mut parameters = Vec::new();
        let mut out = Content::form(&mut parameters);
        write(&mut out);
        out.finish()?;
        if self.binding == Binding::HttpGet {
            let query = String::from_utf8_lossy(&parameters);
            let url = self.operation_url(operation, &query)?;
            return Ok(new_request(Method::GET, url, Vec::new()));
        }
        let is_empty = parameters.is_empty();
        let url = self.operation_url(operation, "")?;
        let mut request = new_request(Method::POST, url, parameters);
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(form::MEDIA_TYPE));
        if is_empty {
            // HTTP stacks leave it out for an empty body, and then there are servers that answer 411.
            headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        }
        Ok(request)
    }

    /// The address of a call; no `?` without parameters.
    fn operation_url(&self, operation: &Operation<'_>, query: &str) -> Result<Uri, CallError> {
        let question_mark = if query.is_empty() { "" } else { "?" };
        let (path, name) = (self.url.path(), operation.name);
        with_path(&self.url, &format!("{path}/{name}{question_mark}{query}"))
    }

    /// Reads the response to a call of an operation into `result`.
    ///
    /// # Errors
    ///
    /// Everything that is not an answer of this operation with a result.
    pub fn read<R: Value>(
        &self,
        operation: usize,
        response: &Response<Bytes>,
        result: R,
    ) -> Result<R, CallError> {
        let (result, ()) = self.read_with_headers(operation, response, result)?;
        Ok(result)
    }

    /// Like [`read`](Self::read), with SOAP headers; over HTTP GET and POST there are none.
    ///
    /// # Errors
    ///
    /// The same.
    pub fn read_with_headers<R: Value, O: Complex>(
        &self,
        operation: usize,
        response: &Response<Bytes>,
        mut result: R,
    ) -> Result<(R, O), CallError> {
        let operation = self.model.operation(operation);
        let mut headers = O::default();
        let found = match self.binding.is_soap() {
            true => self.read_soap(operation, response, &mut result, &mut headers)?,
            false => self.read_root(operation, response, &mut result)?,
        };
        match &operation.result {
            Some(row) if !found && !may_be_absent(&result) => Err(CallError::MissingResult {
                element: row.name.to_owned(),
            }),
            _ => Ok((result, headers)),
        }
    }

    fn read_soap<R: Value, O: Complex>(
        &self,
        operation: &Operation<'_>,
        response: &Response<Bytes>,
        result: &mut R,
        headers: &mut O,
    ) -> Result<bool, CallError> {
        let content_type = self.check(response)?;
        let media_type = MediaType::read(&content_type);
        let is_soap = is_xml(&media_type) || media_type.is("application/soap+xml");
        let body = response.body();
        match response.status() {
            StatusCode::OK | StatusCode::BAD_REQUEST | StatusCode::INTERNAL_SERVER_ERROR
                if is_soap && !body.is_empty() => {}
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT
                if operation.result.is_none() && body.is_empty() =>
            {
                return Ok(false);
            }
            status if operation.one_way && status.is_success() && body.is_empty() => {
                return Ok(false);
            }
            status if status.is_success() => {
                return Err(not_an_answer(&media_type, "a SOAP message", body));
            }
            status => return Err(status_error(status, &media_type, body)),
        }
        let text = decode(body, &media_type)?;
        match answer::read(
            Reader::new(&text, &self.limits),
            self.service(),
            operation,
            result,
            headers,
        )? {
            Answer::Response { result } => Ok(result),
            Answer::Fault(fault) => Err(CallError::Fault(fault)),
            Answer::Other(message) => Err(CallError::Answer(message)),
        }
    }

    fn read_root<R: Value>(
        &self,
        operation: &Operation<'_>,
        response: &Response<Bytes>,
        result: &mut R,
    ) -> Result<bool, CallError> {
        let content_type = self.check(response)?;
        let media_type = MediaType::read(&content_type);
        let body = response.body();
        match response.status() {
            StatusCode::INTERNAL_SERVER_ERROR if media_type.is("text/plain") => {
                let text = decode(body, &media_type)?;
                let message = plain_text::unescape(text.trim_end_matches(['\r', '\n']));
                return Err(CallError::Fault(Fault::new(FaultCode::Server, message)));
            }
            status if !status.is_success() => return Err(status_error(status, &media_type, body)),
            _ => {}
        }
        let (service, root) = (self.service(), operation.root);
        if operation.result.is_none() || body.is_empty() {
            return Ok(false);
        }
        if !is_xml(&media_type) {
            return Err(not_an_answer(&media_type, "XML", body));
        }
        let text = decode(body, &media_type)?;
        let mut reader = Reader::new(&text, &self.limits);
        reader.root()?;
        if !reader.is(service.namespace, root) {
            return Err(CallError::Answer(format!(
                "the answer is the element {} of namespace {} where {} of {} was expected",
                reader.local_name(),
                reader.namespace(),
                root,
                service.namespace
            )));
        }
        reader.set_forms(Forms::all(service.element_form));
        reader.read(result)?;
        reader.finish()?;
        Ok(true)
    }

    /// Checks what holds for every response and returns its `Content-Type`.
    fn check<'r>(&self, response: &'r Response<Bytes>) -> Result<Cow<'r, str>, CallError> {
        if response.body().len() > self.limits.body {
            return Err(CallError::Answer(format!(
                "the answer is longer than {} bytes",
                self.limits.body
            )));
        }
        if let Some(coding) = compression(response.headers()) {
            return Err(CallError::Answer(format!(
                "the answer is compressed ({}) though that was not asked for",
                shown(&coding)
            )));
        }
        Ok(header_text(response.headers().get(CONTENT_TYPE)))
    }
}

impl<T: Transport> Client<T> {
    /// Calls an operation and reads its result into `result`.
    ///
    /// # Errors
    ///
    /// See [`CallError`]. Nothing is tried twice.
    pub async fn call<Q: Complex, R: Value>(
        &self,
        operation: usize,
        parameters: &Q,
        result: R,
    ) -> Result<R, CallError> {
        let (result, ()) = self
            .call_with_headers(operation, &(), parameters, result)
            .await?;
        Ok(result)
    }

    /// Calls an operation with SOAP headers and reads its result and the headers of its answer; `()` where there are none.
    ///
    /// # Errors
    ///
    /// See [`CallError`].
    pub async fn call_with_headers<I: Complex, Q: Complex, R: Value, O: Complex>(
        &self,
        operation: usize,
        headers: &I,
        parameters: &Q,
        result: R,
    ) -> Result<(R, O), CallError> {
        let request = self.request_with_headers(operation, headers, parameters)?;
        let response = self.transport.send(request).await?;
        self.read_with_headers(operation, &response, result)
    }
}

impl<T> fmt::Debug for Client<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("service", &self.service().name)
            .field("url", &self.url)
            .field("binding", &self.binding)
            .finish_non_exhaustive()
    }
}

fn new_request(method: Method, url: Uri, body: Vec<u8>) -> Request<Bytes> {
    let mut request = Request::new(Bytes::from(body));
    *request.method_mut() = method;
    *request.uri_mut() = url;
    request
}

/// The address of a service: a base URL and the service's path.
fn read_url(base_url: &str, path: &str) -> Result<Uri, CallError> {
    let refused =
        |why: &str| CallError::Url(format!("{why} (a base URL is like http://127.0.0.1:8080)"));
    if base_url.contains(['?', '#']) {
        return Err(refused("the base URL has a query or a fragment"));
    }
    // The URL itself is not shown in errors: it may hold a password.
    let url: Uri = base_url
        .parse()
        .map_err(|_| refused("the base URL is not a URL"))?;
    if url.scheme() != Some(&Scheme::HTTP) && url.scheme() != Some(&Scheme::HTTPS) {
        return Err(refused("the base URL is neither http nor https"));
    }
    if url
        .authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
    {
        return Err(refused(
            "the base URL holds a user's name; send credentials as a header from a transport of your own",
        ));
    }
    with_path(&url, &format!("{}{path}", url.path().trim_end_matches('/')))
}

fn with_path(url: &Uri, path: &str) -> Result<Uri, CallError> {
    let refused = |error: &dyn fmt::Display| {
        CallError::Url(format!("the request has no valid address: {error}"))
    };
    let mut parts = url.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(path).map_err(|error| refused(&error))?);
    Uri::from_parts(parts).map_err(|error| refused(&error))
}

fn header(value: &str) -> Result<HeaderValue, CallError> {
    HeaderValue::from_str(value)
        .map_err(|_| CallError::Url("the operation's action cannot stand in a header".to_owned()))
}

fn is_xml(media_type: &MediaType<'_>) -> bool {
    media_type.is("text/xml") || media_type.is("application/xml")
}

/// Whether a value can be nothing at all: then its default writes nothing.
fn may_be_absent<R: Value>(value: &R) -> bool {
    let mut written = Vec::new();
    value.write("absent", &mut Content::compact(&mut written));
    written.is_empty()
}

fn decode<'b>(body: &'b [u8], media_type: &MediaType<'_>) -> Result<Cow<'b, str>, CallError> {
    decode_message(body, media_type.charset())
        .map_err(|error| CallError::Answer(format!("the answer is not text: {error}")))
}

fn not_an_answer(media_type: &MediaType<'_>, expected: &str, body: &[u8]) -> CallError {
    let found = match body.is_empty() {
        true => "nothing".to_owned(),
        false => format!("{}: {}", shown(media_type.essence()), beginning(body)),
    };
    CallError::Answer(format!("the answer is not {expected} but {found}"))
}

fn status_error(status: StatusCode, media_type: &MediaType<'_>, body: &[u8]) -> CallError {
    let is_text = media_type
        .essence()
        .to_ascii_lowercase()
        .starts_with("text/")
        || is_xml(media_type);
    CallError::Status {
        status,
        text: if is_text {
            beginning(body)
        } else {
            String::new()
        },
    }
}

/// The first line's worth of a body that cannot be read, safe to print.
fn beginning(body: &[u8]) -> String {
    const SHOWN: usize = 160;
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * SHOWN)]);
    shown(&text)
}

fn shown(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let printable = words.chars().filter(|c| !c.is_control());
    let mut shown: String = printable.clone().take(160).collect();
    if printable.count() > 160 {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use svcgen_model::{ComplexType, operation};

    use super::*;

    fn url(base: &str) -> String {
        match read_url(base, "/a.asmx") {
            Ok(url) => url.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn base_urls() {
        assert_eq!(url("http://h:1"), "http://h:1/a.asmx");
        assert_eq!(url("https://h/"), "https://h/a.asmx");
        assert_eq!(url("http://h/base/"), "http://h/base/a.asmx");
        assert!(url("http://user:hunter2@h/").contains("user's name"));
        assert!(!url("http://user:hunter2@h/").contains("hunter2"));
        assert!(url("ftp://h/").contains("neither http nor https"));
        assert!(url("h").contains("neither http nor https"));
        assert!(url("http://h/?x").contains("query"));
        assert!(url("http://h\r\nX: y/").contains("not a URL"));
    }

    #[test]
    fn addresses_of_calls() {
        static OPERATIONS: [Operation<'static>; 1] = [operation(
            "Login",
            "urn:a/Login",
            ComplexType::EMPTY,
            "LoginResponse",
        )];
        static MODULE: Module<'static> =
            Module::new(&[], &[]).with_service(Service::new("A", "urn:a", "/a.asmx", &OPERATIONS));
        let client = Client::new(&MODULE, (), "http://h").unwrap();
        let url = |query| client.operation_url(&OPERATIONS[0], query).unwrap();
        assert_eq!(url("u=1"), "http://h/a.asmx/Login?u=1");
        assert_eq!(url(""), "http://h/a.asmx/Login");
    }

    #[test]
    fn shown_text_is_one_short_line() {
        assert_eq!(shown("<html>\r\n <b>\u{1b}[31m x"), "<html> <b>[31m x");
        assert_eq!(shown(&"é".repeat(200)).chars().count(), 161);
    }
}
