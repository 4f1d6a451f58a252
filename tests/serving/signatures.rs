//! Signed messages: servers and clients with signatures, and attacks between them.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use rcgen::{CertificateParams, DnType, KeyPair};
use svcgen::layer::{CallRequest, CallService};
use svcgen::transport::{MaybeSend, TransportError, transport_fn};
use svcgen::{Accept, Binding, CallError, Context, Fault, FaultCode, Transport};
use svcgen_attachments::{Attachments, ClientAttachments as _};
use svcgen_signatures::{
    Certificate, ClientSignatures as _, ServerSignatures as _, SignaturePolicy, Signer,
    TrustedSigners, VerifiedSignature,
};
use svcgen_tests::work::{WorkClient, WorkServer};
use svcgen_ws::ws_security::{
    ClientSecurity as _, ReceivedToken, ServerSecurity as _, UsernameToken, WsSecurity,
};

use tower::{Service as _, layer::layer_fn, service_fn};

use crate::worker::{NotifyRequest, ReadRequest, StoreRequest, WorkHandler, call_over};

const SOAP: [Binding; 2] = [Binding::Soap11, Binding::Soap12];

/// A certificate and its key.
struct Party {
    certificate: String,
    key: String,
}

impl Party {
    fn new(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new([]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        Self {
            certificate: params.self_signed(&key).unwrap().pem(),
            key: key.serialize_pem(),
        }
    }

    fn signer(&self) -> Signer {
        Signer::from_pem(self.certificate.as_bytes(), self.key.as_bytes()).unwrap()
    }

    /// Returns a policy that accepts signatures of this key.
    fn policy(&self) -> SignaturePolicy {
        let certificate = Certificate::from_pem(self.certificate.as_bytes()).unwrap();
        SignaturePolicy::new(TrustedSigners::new().with_certificate(certificate))
    }
}

/// Returns the signer, the user and the text.
struct Told;

fn told(context: &Context, text: &str) -> String {
    let signature = VerifiedSignature::of(context.extensions());
    let signer = signature.map_or("nobody", |it| it.certificate().subject());
    let user = context.user().unwrap_or("nobody");
    format!("{signer}, {user}: {text}")
}

impl WorkHandler for Told {
    async fn store(&self, context: &Context, request: StoreRequest) -> Result<String, Fault> {
        if request.text == "fault" {
            return Err(Fault::client("As it was asked for."));
        }
        Ok(told(context, &request.text))
    }

    async fn read(&self, context: &Context, request: ReadRequest) -> Result<String, Fault> {
        Ok(told(context, &request.text))
    }

    async fn notify(&self, context: &Context, request: NotifyRequest) -> Result<(), Fault> {
        assert_eq!(told(context, &request.text), "CN=ann, nobody: hello");
        Ok(())
    }
}

struct Parties {
    ann: Party,
    service: Party,
}

impl Parties {
    fn new() -> Self {
        Self {
            ann: Party::new("ann"),
            service: Party::new("service"),
        }
    }

    fn server(&self) -> impl Transport + Clone + Send + Sync + 'static {
        let server = WorkServer::new(Told).with_verified_requests(self.ann.policy());
        Arc::new(server.with_signed_answers(self.service.signer()))
    }

    fn client<T: Transport>(&self, transport: T, binding: Binding) -> WorkClient<impl Transport> {
        let client = WorkClient::new(transport, "http://localhost").unwrap();
        client.with_binding(binding).with(|client| {
            let client = client.with_verified_answers(self.service.policy());
            client.with_signed_requests(self.ann.signer())
        })
    }
}

fn store(text: &str) -> StoreRequest {
    StoreRequest { text: text.into() }
}

/// Returns a transport that changes responses.
fn changing<T: Transport + Clone + Send + Sync + 'static>(
    transport: T,
    change: impl Fn(&mut Response<Bytes>) + Clone + Send + Sync + 'static,
) -> impl Transport {
    transport_fn(move |request: Request<Bytes>| {
        let (transport, change) = (transport.clone(), change.clone());
        Box::pin(async move {
            let mut response = transport.send(request).await?;
            change(&mut response);
            Ok::<_, TransportError>(response)
        })
    })
}

#[tokio::test]
async fn both_directions() {
    let parties = Parties::new();
    let server = parties.server();
    for binding in SOAP {
        let client = parties.client(server.clone(), binding);
        for _ in 0..2 {
            let answer = client.store(&store("hello & <bye>")).await.unwrap();
            assert_eq!(answer, "CN=ann, nobody: hello & <bye>");
        }
        let error = client.store(&store("fault")).await.unwrap_err();
        let CallError::Fault(fault) = error else {
            panic!("{error}")
        };
        assert!(fault.text().contains("As it was asked for."), "{fault:?}");
        let notice = NotifyRequest {
            text: "hello".to_owned(),
            ..NotifyRequest::default()
        };
        client.notify(&notice).await.unwrap();
    }
}

/// Refusals are signed, so that the client accepts them.
#[tokio::test]
async fn refusals_are_signed_and_say_little() {
    let parties = Parties::new();
    let server = parties.server();
    let bob = Party::new("bob");
    for binding in SOAP {
        let client = WorkClient::new(server.clone(), "http://localhost").unwrap();
        let client = client.with_binding(binding).with(|client| {
            let client = client.with_verified_answers(parties.service.policy());
            client.with_signed_requests(bob.signer())
        });
        let error = client.store(&store("hello")).await.unwrap_err();
        let CallError::Fault(fault) = error else {
            panic!("{error}")
        };
        let code = match fault.code() {
            FaultCode::Other(code) => code,
            _ => &fault.subcodes()[0],
        };
        assert_eq!(code.local(), "InvalidSecurityToken");
        assert_eq!(fault.text(), "An invalid security token was provided.");
    }
}

/// Outer layers, such as logs, get the cause.
#[tokio::test]
async fn the_cause_of_a_refusal_is_for_logs() {
    let parties = Parties::new();
    let causes = Arc::new(Mutex::new(Vec::new()));
    let kept = causes.clone();
    let server = WorkServer::new(Told)
        .with_verified_requests(parties.ann.policy())
        .with_layer(layer_fn(move |inner: CallService| {
            let kept = kept.clone();
            service_fn(move |request: CallRequest| {
                let (mut inner, kept) = (inner.clone(), kept.clone());
                async move {
                    let response = inner.call(request).await?;
                    kept.lock().unwrap().extend(response.error());
                    Ok::<_, Infallible>(response)
                }
            })
        }));
    let client = WorkClient::new(Arc::new(server), "http://localhost").unwrap();
    let signer = Party::new("bob").signer();
    let client = client.with(|client| client.with_signed_requests(signer));
    client.store(&store("hello")).await.unwrap_err();
    let causes = causes.lock().unwrap().join("\n");
    assert!(
        causes.starts_with("the certificate of CN=bob is not trusted"),
        "{causes}"
    );
}

#[tokio::test]
async fn requests_without_a_signature_are_refused_over_every_binding() {
    let parties = Parties::new();
    let server = WorkServer::new(Told).with_verified_requests(parties.ann.policy());
    let server = running!(server);
    for binding in Binding::ALL {
        let answer = server.exchange(&call_over(binding, "Store", "hello"));
        assert_eq!(answer.status, 500, "{binding}: {}", answer.text());
        assert!(
            !answer.text().contains("hello"),
            "{binding}: {}",
            answer.text()
        );
    }
}

/// The action is not signed; the action of another operation must not read its parameters from the
/// Body.
#[tokio::test]
async fn the_action_of_another_operation_is_refused() {
    let parties = Parties::new();
    let server = parties.server();
    let redirecting = transport_fn(move |mut request: Request<Bytes>| {
        let server = server.clone();
        Box::pin(async move {
            let headers = request.headers_mut();
            let action = http::HeaderValue::from_static("\"urn:example:work/Read\"");
            assert!(headers.insert("SOAPAction", action).is_some());
            server.send(request).await
        })
    });
    let client = parties.client(redirecting, Binding::Soap11);
    let error = client.store(&store("hello")).await.unwrap_err();
    assert!(matches!(error, CallError::Fault(_)), "{error}");
}

#[tokio::test]
async fn a_request_counts_once_and_in_utf_8() {
    let parties = Parties::new();
    let server = parties.server();
    let repeating = {
        let server = server.clone();
        transport_fn(move |request: Request<Bytes>| {
            let server = server.clone();
            Box::pin(async move {
                let mut again = Request::new(request.body().clone());
                *again.uri_mut() = request.uri().clone();
                *again.method_mut() = request.method().clone();
                *again.headers_mut() = request.headers().clone();
                server.send(again).await?;
                server.send(request).await
            })
        })
    };
    let client = parties.client(repeating, Binding::Soap11);
    let error = client.store(&store("hello")).await.unwrap_err();
    assert!(error.to_string().contains("came before"), "{error}");
    let in_utf_16 = transport_fn(move |mut request: Request<Bytes>| {
        let server = server.clone();
        Box::pin(async move {
            let text = String::from_utf8(request.body().to_vec()).unwrap();
            let text = text.replacen(" encoding=\"utf-8\"", "", 1);
            let units = ['\u{FEFF}'].into_iter().chain(text.chars());
            let units: Vec<u16> = units.collect::<String>().encode_utf16().collect();
            *request.body_mut() = units.into_iter().flat_map(u16::to_le_bytes).collect();
            let content_type = http::HeaderValue::from_static("text/xml; charset=utf-16");
            request
                .headers_mut()
                .insert(header::CONTENT_TYPE, content_type);
            server.send(request).await
        })
    });
    let client = parties.client(in_utf_16, Binding::Soap11);
    let error = client.store(&store("hello")).await.unwrap_err();
    assert!(error.to_string().contains("not in UTF-8"), "{error}");
}

#[tokio::test]
async fn answers_that_somebody_changed_are_refused() {
    let parties = Parties::new();
    let replace = |from: &'static str, to: &'static str| {
        move |response: &mut Response<Bytes>| {
            let text = String::from_utf8(response.body().to_vec()).unwrap();
            assert!(text.contains(from), "{text}");
            *response.body_mut() = text.replacen(from, to, 1).into();
        }
    };
    for binding in SOAP {
        for (from, to) in [
            ("hello", "hullo"),
            (
                "soap:mustUnderstand=\"1\"",
                "soap:actor=\"urn:a\" soap:role=\"urn:a\"",
            ),
        ] {
            let transport = changing(parties.server(), replace(from, to));
            let client = parties.client(transport, binding);
            let error = client.store(&store("hello")).await.unwrap_err();
            assert!(
                error.to_string().contains("the answer is not accepted"),
                "{error}"
            );
        }
        let fault = changing(parties.server(), replace("As it was", "As it is"));
        let client = parties.client(fault, binding);
        let error = client.store(&store("fault")).await.unwrap_err();
        assert!(
            error.to_string().contains("the answer is not accepted"),
            "{error}"
        );
        // The answer to an earlier request of the same client.
        let kept = Arc::new(Mutex::new(None));
        let repeating = changing(parties.server(), move |response| {
            let mut kept = kept.lock().unwrap();
            let first = kept.get_or_insert_with(|| response.body().clone());
            *response.body_mut() = first.clone();
        });
        let client = parties.client(repeating, binding);
        client.store(&store("hello")).await.unwrap();
        let error = client.store(&store("other")).await.unwrap_err();
        assert!(error.to_string().contains("came before"), "{error}");
        // The answer is not signed.
        let transport =
            Arc::new(WorkServer::new(Told).with_verified_requests(parties.ann.policy()));
        let client = parties.client(transport, binding);
        for text in ["hello", "fault"] {
            let error = client.store(&store(text)).await.unwrap_err();
            assert!(
                error.to_string().contains("no wsse:Security header"),
                "{error}"
            );
        }
    }
}

/// A client that accepts text before the document would read the part after the declaration.
#[tokio::test]
async fn a_declaration_in_the_message_does_not_hide_what_is_signed() {
    let parties = Parties::new();
    for binding in SOAP {
        let transport = changing(parties.server(), |response| {
            let text = String::from_utf8(response.body().to_vec()).unwrap();
            let start = text.find("<soap:Envelope").unwrap();
            let end = start + text[start..].find('>').unwrap() + 1;
            let evil = format!(
                "<!-- <?xml version=\"1.0\"?>{}<soap:Body><StoreResponse xmlns=\"urn:example:work\"><StoreResult>evil</StoreResult></StoreResponse></soap:Body> --></soap:Envelope>",
                &text[start..end]
            );
            let changed = text[start..].replacen("</soap:Envelope>", &evil, 1);
            *response.body_mut() = changed.into();
        });
        let client = parties.client(transport, binding);
        let client = client.with(|client| client.with_accepted([Accept::LeadingText]));
        let error = client.store(&store("hello")).await.unwrap_err();
        assert!(
            error.to_string().contains("the answer is not accepted"),
            "{error}"
        );
    }
}

/// Attachments that are added after the signatures get the answer after its signature was checked.
#[tokio::test]
async fn a_package_is_no_answer_without_a_signature() {
    let parties = Parties::new();
    let transport = changing(parties.server(), |response| {
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        let package = "multipart/related; boundary=b".parse().unwrap();
        response.headers_mut().insert(header::CONTENT_TYPE, package);
        let evil = "--b\r\nContent-Type: text/xml\r\n\r\n<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>evil</faultstring></s:Fault></s:Body></s:Envelope>\r\n--b--";
        *response.body_mut() = evil.into();
    });
    let client = parties.client(transport, Binding::Soap11);
    let client = client.with(|client| client.with_attachments(Attachments::new()));
    let error = client.store(&store("hello")).await.unwrap_err();
    assert!(
        error.to_string().contains("the answer is not accepted"),
        "{error}"
    );
}

/// A transport that makes requests of its own, without the extensions of the client.
struct Renewing<T>(T);

impl<T: Transport> Transport for Renewing<T> {
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, TransportError>> + MaybeSend {
        let (mut parts, body) = request.into_parts();
        parts.extensions.clear();
        self.0.send(Request::from_parts(parts, body))
    }
}

#[tokio::test]
async fn requests_of_other_transports_are_signed_and_their_answers_checked() {
    let parties = Parties::new();
    let client = parties.client(parties.server(), Binding::Soap11);
    let client = client.with(|client| client.with_transport(Renewing));
    let answer = client.store(&store("hello")).await.unwrap();
    assert_eq!(answer, "CN=ann, nobody: hello");
    let unsigned = Arc::new(WorkServer::new(Told).with_verified_requests(parties.ann.policy()));
    let client = parties.client(unsigned, Binding::Soap11);
    let client = client.with(|client| client.with_transport(Renewing));
    let error = client.store(&store("hello")).await.unwrap_err();
    assert!(
        error.to_string().contains("no wsse:Security header"),
        "{error}"
    );
}

/// Without a signature, a client accepts an empty answer to one-way operations only, and reports
/// error statuses as such.
#[tokio::test]
async fn an_empty_answer_is_one_of_one_way_operations_alone() {
    let parties = Parties::new();
    let empty = changing(parties.server(), |response| {
        *response.status_mut() = StatusCode::ACCEPTED;
        *response.body_mut() = Bytes::new();
    });
    let client = parties.client(empty, Binding::Soap11);
    let error = client.store(&store("hello")).await.unwrap_err();
    assert!(
        error.to_string().contains("the answer is not accepted"),
        "{error}"
    );
    let busy = changing(parties.server(), |response| {
        *response.status_mut() = StatusCode::BAD_GATEWAY;
        *response.body_mut() = Bytes::from_static(b"no server");
        let content_type = http::HeaderValue::from_static("text/plain");
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, content_type);
    });
    let client = parties.client(busy, Binding::Soap11);
    let error = client.store(&store("hello")).await.unwrap_err();
    assert!(matches!(error, CallError::Status { .. }), "{error}");
}

#[tokio::test]
async fn a_client_that_checks_nothing_reads_no_signed_answer() {
    let parties = Parties::new();
    let client = WorkClient::new(parties.server(), "http://localhost").unwrap();
    let client = client.with(|client| client.with_signed_requests(parties.ann.signer()));
    let error = client.store(&store("hello")).await.unwrap_err();
    assert!(
        matches!(error, CallError::HeaderNotUnderstood { .. }),
        "{error}"
    );
}

#[tokio::test]
async fn user_names_count_in_signed_messages() {
    let parties = Parties::new();
    let users = WsSecurity::new(|token: &ReceivedToken| token.matches(Some("s3cret")));
    let server = WorkServer::new(Told)
        .with_ws_security(users)
        .with_verified_requests(parties.ann.policy())
        .with_signed_answers(parties.service.signer());
    let server = Arc::new(server);
    for binding in SOAP {
        let client = WorkClient::new(server.clone(), "http://localhost").unwrap();
        let client = client.with_binding(binding).with(|client| {
            client
                .with_verified_answers(parties.service.policy())
                .with_signed_requests(parties.ann.signer())
                .with_ws_security(UsernameToken::digest("bob", "s3cret"))
        });
        let answer = client.store(&store("hello")).await.unwrap();
        assert_eq!(answer, "CN=ann, bob: hello");
        // In the other order, the token is outside of the signed message.
        let client = WorkClient::new(server.clone(), "http://localhost").unwrap();
        let client = client.with_binding(binding).with(|client| {
            client
                .with_verified_answers(parties.service.policy())
                .with_ws_security(UsernameToken::digest("bob", "s3cret"))
                .with_signed_requests(parties.ann.signer())
        });
        let error = client.store(&store("hello")).await.unwrap_err();
        assert!(error.to_string().contains("two wsse:Security"), "{error}");
    }
}
