//! Clients: they make requests of values and read values from responses.

use std::fmt;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::uri::Scheme;
use http::{Request, Response, Uri};
use svcgen_model::{Absence, Module, Service, TypeRef};

use crate::binding::media_type::{MediaType, compression, header_text};
use crate::binding::protocol::{Outgoing, ReadValue, with_target};
use crate::binding::received::Received;
use crate::binding::soap::{Carrier, Headers, write_headers};
use crate::binding::{Binding, protocol};
use crate::call_error::CallError;
use crate::described::Model;
use crate::error_text::printable;
use crate::fault::Fault;
use crate::host::Host;
use crate::limits::Limits;
use crate::transport::Transport;
use crate::values::{Complex, Element, Facets, Reader, TimeZone, Value};
use crate::xml::namespaces::{SCHEMA_INSTANCE, XML_SCHEMA};
use crate::xml::{ENVELOPES, ReadError, Scopes};

/// Calls the operations of a service. Emitted clients have a method for each operation.
#[derive(Clone)]
pub struct Client<T> {
    transport: T,
    url: Uri,
    binding: Binding,
    model: Model,
    limits: Limits,
    strict: bool,
    facets: Facets,
}

impl<T> Client<T> {
    /// Creates a client over SOAP 1.1 of the service at `base_url`, such as `http://127.0.0.1:8080`. The service's path is added to the URL.
    ///
    /// # Errors
    ///
    /// The URL is malformed, has a port that is none, is neither `http` nor `https`, or holds a user name, a query or a fragment.
    ///
    /// # Panics
    ///
    /// The module has no service, or its time zone is not known.
    pub fn new(
        module: &'static Module<'static>,
        transport: T,
        base_url: &str,
    ) -> Result<Self, CallError> {
        Self::of_model(Model::new(module, None), transport, base_url)
    }

    /// Creates a client of a service without emitted code.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    ///
    /// # Panics
    ///
    /// The time zone of the service is not known.
    pub fn of_model(model: Model, transport: T, base_url: &str) -> Result<Self, CallError> {
        // It panics here rather than in a call.
        TimeZone::of(model.service().row());
        let url = read_url(base_url, model.service().path)?;
        Ok(Self {
            transport,
            url,
            binding: Binding::default(),
            model,
            limits: Limits::default(),
            strict: false,
            facets: Facets::default(),
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

    /// Refuses elements that a type does not have, repeats or has in another order. By default they are ignored.
    #[must_use]
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Checks the facets of answers, and refuses what they do not allow ([`CallError::Read`]). By default no value is checked, as by .NET.
    ///
    /// An answer is read twice then. The details and headers of faults are not checked.
    ///
    /// # Panics
    ///
    /// A pattern of the service is no regular expression of XML Schema (SVC047).
    #[cfg(feature = "facets")]
    #[must_use]
    pub fn with_facets(mut self, checked: bool) -> Self {
        self.facets = Facets::of(self.model.service(), checked);
        self
    }

    /// The binding of calls.
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

    /// The transport.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    /// The HTTP request that calls an operation, the same bytes as Microsoft's clients send.
    ///
    /// # Errors
    ///
    /// A value cannot be written, or the operation is not offered over the binding.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
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
    /// Those of [`request`](Self::request), or there are headers and the binding is HTTP GET or POST.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
    pub fn request_with_headers<I: Complex, Q: Complex>(
        &self,
        operation: usize,
        headers: &I,
        parameters: &Q,
    ) -> Result<Request<Bytes>, CallError> {
        let operation = self.model.operation_at(operation);
        if !operation.bindings.contains(self.binding) {
            return Err(CallError::Binding {
                operation: operation.name.to_owned(),
                binding: self.binding,
            });
        }
        let headers = match I::TYPE.elements {
            [] => Vec::new(),
            _ => {
                let known = operation.row().headers.as_ref();
                let called = (self.service(), operation);
                write_headers(self.binding, called, Carrier::Request, known, headers)?
            }
        };
        let call = Outgoing {
            url: &self.url,
            service: self.service(),
            operation,
            headers: &headers,
        };
        protocol(self.binding).request(&call, &mut |out| parameters.write_elements(out))
    }

    /// Reads the response to a call of an operation into `result`.
    ///
    /// # Errors
    ///
    /// The response is not an answer of this operation, or lacks its result.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
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
    /// Those of [`read`](Self::read).
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
    pub fn read_with_headers<R: Value, O: Complex>(
        &self,
        operation: usize,
        response: &Response<Bytes>,
        mut result: R,
    ) -> Result<(R, O), CallError> {
        let read = &mut |element: &mut Element<'_>| element.read(&mut result);
        let (found, headers) = self.receive(operation, response, read)?;
        match &self.model.operation(operation).result {
            Some(row) if !found && row.absence == Absence::Required && !row.repeated => {
                Err(CallError::MissingResult {
                    element: row.name.to_owned(),
                })
            }
            _ => Ok((result, headers)),
        }
    }

    /// Reads the response to a call of an operation with several results, and its SOAP headers; over HTTP GET and POST there is only the
    /// result that they answer.
    ///
    /// # Errors
    ///
    /// The response is not an answer of this operation.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
    pub fn read_results<R: Complex, O: Complex>(
        &self,
        operation: usize,
        response: &Response<Bytes>,
    ) -> Result<(R, O), CallError> {
        let mut results = R::default();
        let row = self.model.operation(operation);
        let mut elements = row.response.elements.iter();
        let result = row.result.as_ref();
        let returned =
            elements.position(|one| result.is_some_and(|result| result.name == one.name));
        // Lists are always wrapped there.
        let item = match (result.map(|result| result.type_ref), returned) {
            (Some(TypeRef::List(item)), Some(index)) if row.response.elements[index].repeated => {
                Some(item)
            }
            _ => None,
        };
        let is_soap = self.binding.is_soap();
        let read = &mut |element: &mut Element<'_>| match returned {
            _ if is_soap => element.read(&mut results),
            Some(index) => match item {
                Some(item) => element.items(item.name, &mut |_, item| {
                    if row.response.elements[index].wildcard.is_none() {
                        return results.read_element(index, item);
                    }
                    // An item holds the element.
                    item.open_leaf();
                    while item.tokens.child()? {
                        results.read_element(index, item)?;
                    }
                    Ok(())
                }),
                None => results.read_element(index, element),
            },
            None => Ok(()),
        };
        let (_, headers) = self.receive(operation, response, read)?;
        Ok((results, headers))
    }

    /// Reads the response to a call of an operation, the result with `result`. Returns whether there was a result, and the SOAP headers.
    fn receive<O: Complex>(
        &self,
        operation: usize,
        response: &Response<Bytes>,
        result: &mut ReadValue<'_>,
    ) -> Result<(bool, O), CallError> {
        let (service, operation) = (self.service(), self.model.operation_at(operation));
        let limit = self.limits.body;
        if response.body().len() > limit {
            return Err(CallError::TooLong { limit });
        }
        if let Some(coding) = compression(response.headers()) {
            let coding = printable(&coding);
            return Err(CallError::Compressed { coding });
        }
        let content_type = header_text(response.headers().get(CONTENT_TYPE));
        let mut headers = O::default();
        let mut read_headers = Headers::new(service, Some(operation), &mut headers);
        let received = Received {
            service,
            operation,
            limits: &self.limits,
            strict: self.strict,
            facets: &self.facets,
            status: response.status(),
            media_type: MediaType::read(&content_type),
            body: response.body(),
        };
        let found = protocol(self.binding)
            .read_response(&received, result, &mut |reader| read_headers.read(reader))?;
        Ok((found, headers))
    }
}

/// The SOAP headers that the faults of an operation have.
pub trait FaultHeaders: Complex {
    /// The module of the service.
    const MODULE: &'static Module<'static>;
}

impl Fault {
    /// Reads the SOAP headers that came with it, if its operation declares headers of faults (`headers: { fault: … }`); `None` if there are none.
    ///
    /// # Errors
    ///
    /// A header is not a value of its type.
    pub fn read_headers<H: FaultHeaders>(&self) -> Option<Result<H, ReadError>> {
        let service = Model::new(H::MODULE, None);
        let mut operations = service.service().operations();
        let operation = operations.find(|operation| {
            let headers = operation.row().fault_headers;
            headers.is_some_and(|headers| headers.fields.elements == H::TYPE.elements)
        });
        let read = |document: &str| {
            let (mut values, service) = (H::default(), service.service().row());
            let reader = Reader::new(document, &Limits::default());
            let reader = reader.with_scopes(Scopes::of(service));
            let mut reader = reader.in_time_zone(TimeZone::of(service));
            let mut headers = Headers::new(service, operation, &mut values);
            reader.root()?;
            while reader.child()? {
                if !headers.read(&mut reader)? {
                    reader.skip()?;
                }
            }
            reader.finish()?;
            Ok(values)
        };
        // Those that a server adds have the prefixes of their envelope.
        let [soap, _] = ENVELOPES;
        let document = format!(
            r#"<Header xmlns:soap="{soap}" xmlns:xsi="{SCHEMA_INSTANCE}" xmlns:xsd="{XML_SCHEMA}">{}</Header>"#,
            self.headers()?
        );
        Some(read(&document))
    }
}

impl<T: Transport> Client<T> {
    /// Calls an operation and reads its result into `result`.
    ///
    /// # Errors
    ///
    /// See [`CallError`]. Nothing is tried twice.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
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
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
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

    /// Calls an operation with SOAP headers that has several results, and reads them and the headers of its answer; `()` where there are none.
    ///
    /// # Errors
    ///
    /// See [`CallError`].
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
    pub async fn call_for_results<I: Complex, Q: Complex, R: Complex, O: Complex>(
        &self,
        operation: usize,
        headers: &I,
        parameters: &Q,
    ) -> Result<(R, O), CallError> {
        let request = self.request_with_headers(operation, headers, parameters)?;
        let response = self.transport.send(request).await?;
        self.read_results(operation, &response)
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
    if let Some(authority) = url.authority() {
        Host::of_url(authority.as_str()).map_err(refused)?;
    }
    let target = format!("{}{path}", url.path().trim_end_matches('/'));
    with_target(&url, &target)
}

#[cfg(test)]
mod tests {
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
        for base in [
            "http://h:65536",
            "http://h:0/",
            "http://h:x/",
            "http://[::1]:99999/",
        ] {
            assert!(url(base).contains("not a number from 1 to 65535"), "{base}");
        }
        assert!(url("http://h:/").contains("no port after it"));
    }
}
