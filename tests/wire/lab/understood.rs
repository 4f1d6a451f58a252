//! SOAP headers that a server understands independently of its operations.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use svcgen::codegen::Endpoint;
use svcgen::layer::{CallRequest, CallService};
use svcgen::{Context, Fault, ServerOptions};
use svcgen_tests::work::{NotifyRequest, ReadRequest, StoreRequest, WorkHandler, WorkServer};
use tower::{Service, layer::layer_fn, service_fn};

use super::headers::{Handlers, VERSIONS, wide_headers::WideHeadersServer};

/// Returns the headers that it receives.
struct Teller;

impl WorkHandler for Teller {
    async fn store(&self, context: &Context, _: StoreRequest) -> Result<String, Fault> {
        let headers = context.unknown_headers().iter();
        let headers = headers.map(|header| format!("{}={}", header.name(), header.xml().as_str()));
        Ok(headers.collect())
    }

    async fn read(&self, context: &Context, request: ReadRequest) -> Result<String, Fault> {
        assert!(context.unknown_headers().is_empty());
        Ok(request.text)
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }
}

fn options() -> ServerOptions {
    ServerOptions::new().with_understood_headers([("urn:gate", "Tenant"), ("urn:addressing", "*")])
}

/// Returns the server without and with a layer that records the headers that it receives.
fn with_and_without_layer(server: Endpoint) -> [(Endpoint, Arc<Mutex<Vec<String>>>); 2] {
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let told = Arc::clone(&seen);
    let layer = layer_fn(move |inner: CallService| {
        let seen = Arc::clone(&seen);
        service_fn(move |request: CallRequest| {
            let names = request.unknown_headers().iter().map(|header| header.name());
            seen.lock()
                .unwrap()
                .push(names.collect::<Vec<_>>().join(" "));
            let mut inner = inner.clone();
            async move {
                let Ok(response) = inner.call(request).await;
                Ok::<_, Infallible>(response)
            }
        })
    });
    [
        (server.clone(), Arc::default()),
        (server.with_layer(layer), told),
    ]
}

async fn answer(
    server: &Endpoint,
    path: &str,
    (content_type, namespace): (&str, &str),
    header: &str,
    body: &str,
) -> (u16, String) {
    let message = format!(
        r#"<s:Envelope xmlns:s="{namespace}"><s:Header>{header}</s:Header><s:Body>{body}</s:Body></s:Envelope>"#
    );
    let request = http::Request::post(path).header("Content-Type", content_type);
    let answer = server
        .answer(request.body(Bytes::from(message)).unwrap())
        .await;
    let text = String::from_utf8(answer.body().to_vec()).unwrap();
    (answer.status().as_u16(), text)
}

const TENANT: &str = r#"<t:Tenant xmlns:t="urn:gate" s:mustUnderstand="1">7<!-- --></t:Tenant>"#;
const TO: &str = r#"<To xmlns="urn:addressing" s:mustUnderstand="true">x</To>"#;
const OTHER: &str = r#"<t:Other xmlns:t="urn:gate">y</t:Other>"#;
const STORE: &str = r#"<Store xmlns="urn:example:work"><text>x</text></Store>"#;

/// A service whose operations have no headers.
#[tokio::test]
async fn headers_of_the_options_are_understood_and_seen() {
    let server = Endpoint::from(WorkServer::new(Teller).with_options(options()));
    for (server, seen) in with_and_without_layer(server) {
        for (_, content_type, namespace) in VERSIONS {
            let version = (content_type, namespace);
            let call =
                async |header: &str| answer(&server, "/Work.asmx", version, header, STORE).await;
            let (status, text) = call(&[TENANT, OTHER, TO].concat()).await;
            assert_eq!(status, 200, "{text}");
            let result = text.split_once("<StoreResult>").unwrap().1;
            let result = result.split_once("</StoreResult>").unwrap().0;
            let at = |name: &str| result.find(name).unwrap();
            assert!(at("Tenant=&lt;t:Tenant ") < at("To=&lt;To "), "{result}");
            assert!(!result.contains("Other"), "{result}");
            // Another header is not understood.
            let must = OTHER.replace(">y", " s:mustUnderstand=\"1\">y");
            let (status, text) = call(&[TENANT, &must].concat()).await;
            assert_eq!(status, 500);
            assert!(
                text.contains("SOAP header Other was not understood."),
                "{text}"
            );
            // As always, a header for another actor is not checked.
            let role = if content_type == "text/xml" {
                "actor"
            } else {
                "role"
            };
            let elsewhere = must.replace(">y", &format!(" s:{role}=\"urn:else\">y"));
            assert_eq!(call(&elsewhere).await.0, 200);
            // Malformed XML that is read before the handler is refused.
            let (status, _) = call(&TENANT.replace("7", "<a></b>")).await;
            assert_eq!(status, 400);
        }
        let seen = std::mem::take(&mut *seen.lock().unwrap());
        let expected = ["Tenant To", "Tenant", "", ""].repeat(2);
        assert!(seen.is_empty() || seen == expected, "{seen:?}");
        // Over HTTP GET and POST, there are no headers.
        let request = http::Request::get("/Work.asmx/Read?text=x").body(Bytes::new());
        assert_eq!(server.answer(request.unwrap()).await.status(), 200);
    }
    // Without the option, the headers are refused.
    let server = Endpoint::from(WorkServer::new(Teller));
    let version = (VERSIONS[0].1, VERSIONS[0].2);
    let (status, text) = answer(&server, "/Work.asmx", version, TENANT, STORE).await;
    assert_eq!(status, 500);
    assert!(text.contains("SOAP header Tenant was not understood."));
}

/// Together with declared headers, and with unknown ones that operations receive.
#[tokio::test]
async fn declared_and_unknown_headers_are_read_beside_them() {
    let ticket = r#"<Ticket xmlns="urn:example:headers" s:mustUnderstand="1" level="1"><Key>k</Key></Ticket>"#;
    let server = Endpoint::from(WideHeadersServer::new(Handlers).with_options(options()));
    for (server, _) in with_and_without_layer(server) {
        for (_, content_type, namespace) in VERSIONS {
            let version = (content_type, namespace);
            let call = async |header: &str, operation: &str| {
                let body = format!(r#"<{operation} xmlns="urn:example:headers"/>"#);
                answer(&server, "/WideHeaders.asmx", version, header, &body).await
            };
            let (status, text) = call(&[TENANT, ticket, OTHER].concat(), "Two").await;
            assert_eq!(status, 200, "{text}");
            assert!(
                text.contains("<TwoResult>k Tenant|True| Other|False|</TwoResult>"),
                "{text}"
            );
            // Each header occurs once.
            let (status, text) = call(&[TENANT, TO].concat(), "Any").await;
            assert_eq!(status, 200, "{text}");
            assert_eq!(text.matches("&lt;t:Tenant").count(), 1, "{text}");
            assert_eq!(text.matches("&lt;To").count(), 1, "{text}");
            for operation in ["Kept", "Notify"] {
                let (status, text) = call(TENANT, operation).await;
                assert_eq!(
                    status,
                    if operation == "Kept" { 200 } else { 202 },
                    "{text}"
                );
            }
            // A ticket is not understood if it is not declared.
            let (status, text) = call(&[TENANT, ticket].concat(), "Kept").await;
            assert_eq!(status, 500);
            assert!(
                text.contains("SOAP header Ticket was not understood."),
                "{text}"
            );
        }
    }
}
