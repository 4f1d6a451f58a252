//! The parts of a request that determine its operation.

use bytes::Bytes;
use svcgen::{Binding, Context, Fault, Router};
use svcgen_tests::lab::replay;
use svcgen_tests::raw_http::Running;

svcgen::include_service!("wide_routing");
svcgen::include_service!("shared_actions");
use shared_actions::{
    FallRequest, RestRequest, RiseRequest, SharedActionsClient, SharedActionsHandler,
    SharedActionsServer, StartRequest,
};
use wide_routing::{
    FirstRequest, FourthRequest, Pt, SecondRequest, ThirdRequest, WideRoutingClient,
    WideRoutingHandler, WideRoutingServer,
};

/// The operations of `GRoute`.
struct Handlers;

impl WideRoutingHandler for Handlers {
    async fn first(&self, _: &Context, request: FirstRequest) -> Result<Option<String>, Fault> {
        Ok(Some(format!("1{}", request.s.unwrap_or_default())))
    }

    async fn second(&self, _: &Context, request: SecondRequest) -> Result<Option<String>, Fault> {
        Ok(Some(format!("2{}", request.s.unwrap_or_default())))
    }

    async fn third(&self, _: &Context, request: ThirdRequest) -> Result<Option<String>, Fault> {
        Ok(Some(format!("3{}", request.s.unwrap_or_default())))
    }

    async fn fourth(&self, _: &Context, request: FourthRequest) -> Result<Option<String>, Fault> {
        Ok(Some(
            request
                .fourth
                .map_or("null".to_owned(), |fourth| fourth.x.to_string()),
        ))
    }
}

#[test]
fn the_element_routes_as_recorded() {
    let services = Router::new().with_service(WideRoutingServer::new(Handlers));
    let server = Running::of(services);
    replay(&server, &["route"], &[]);
}

#[tokio::test]
async fn clients_call_whatever_routes() {
    for binding in Binding::DEFAULT {
        let client = WideRoutingClient::new(WideRoutingServer::new(Handlers), "http://h");
        let client = client.unwrap().with_binding(binding);
        let s = || Some("x".to_owned());
        let first = client.first(&FirstRequest { s: s() }).await.unwrap();
        let second = client.second(&SecondRequest { s: s() }).await.unwrap();
        let third = client.third(&ThirdRequest { s: s() }).await.unwrap();
        let said = [first, second, third].map(Option::unwrap);
        assert_eq!(said, ["1x", "2x", "3x"], "{binding}");
        if binding.is_soap() {
            let fourth = Some(Pt { x: 4, y: 0 });
            let fourth = client.fourth(&FourthRequest { fourth }).await.unwrap();
            assert_eq!(fourth.as_deref(), Some("4"));
        }
    }
}

struct Shared;

impl SharedActionsHandler for Shared {
    async fn start(&self, _: &Context, request: StartRequest) -> Result<Option<String>, Fault> {
        Ok(Some(format!("start {:?}", request.s)))
    }

    async fn stop(&self, _: &Context) -> Result<Option<String>, Fault> {
        Ok(Some("stop".to_owned()))
    }

    async fn rise(&self, _: &Context, request: RiseRequest) -> Result<Option<String>, Fault> {
        Ok(Some(format!("rise {:?}", request.s)))
    }

    async fn fall(&self, _: &Context, request: FallRequest) -> Result<Option<String>, Fault> {
        Ok(Some(format!("fall {:?}", request.s)))
    }

    async fn sum(&self, _: &Context) -> Result<Option<String>, Fault> {
        Ok(Some("sum".to_owned()))
    }

    async fn rest(&self, _: &Context, request: RestRequest) -> Result<Option<String>, Fault> {
        Ok(Some(format!("rest {:?}", request.s)))
    }
}

/// Returns the answer to a call over SOAP 1.1 with this element, and with this action if there is
/// one.
async fn shared(action: Option<&str>, element: &str) -> (u16, String) {
    let message = format!(
        r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>{element}</e:Body></e:Envelope>"#
    );
    let message = message.replace("NS", "urn:example:shared-actions");
    let mut request = http::Request::post("/SharedActions.asmx").header("Content-Type", "text/xml");
    if let Some(action) = action {
        request = request.header("SOAPAction", action);
    }
    let request = request.body(Bytes::from(message)).unwrap();
    let answer = SharedActionsServer::new(Shared).answer(request).await;
    let status = answer.status().as_u16();
    (
        status,
        String::from_utf8(answer.into_body().to_vec()).unwrap(),
    )
}

#[tokio::test]
async fn elements_tell_operations_of_one_action_apart() {
    for (action, element, said) in [
        (r#""""#, r#"<Start xmlns="NS"/>"#, "start None"),
        (
            "",
            r#"<Start xmlns="NS"><s>a</s></Start>"#,
            r#"start Some("a")"#,
        ),
        (r#""""#, r#"<Stop xmlns="NS"/>"#, "stop"),
        (r#""""#, "<Stop/>", "stop"),
        (r#""urn:move""#, r#"<Rise xmlns="NS"/>"#, "rise None"),
        ("urn:move", r#"<Fall xmlns="NS"/>"#, "fall None"),
        ("urn%3Amove", r#"<Fall xmlns="NS"/>"#, "fall None"),
        ("%u0075rn:mov%u0065", r#"<Fall xmlns="NS"/>"#, "fall None"),
        ("urn:a%2bb", r#"<Sum xmlns="NS"/>"#, "sum"),
        // ASMX decodes `+` as a blank, but not all services are ASMX services.
        ("urn:a+b", r#"<Sum xmlns="NS"/>"#, "sum"),
    ] {
        let (status, body) = shared(Some(action), element).await;
        assert_eq!(status, 200, "{action} {element}: {body}");
        assert!(body.contains(&format!("Result>{said}<")), "{body}");
    }
    for (element, said) in [
        (r#"<Start xmlns="NS"/>"#, "start None"),
        (r#"<Fall xmlns="NS"/>"#, "fall None"),
        (r#"<Rest xmlns="NS"/>"#, "rest None"),
    ] {
        let (_, body) = shared(None, element).await;
        assert!(body.contains(&format!("Result>{said}<")), "{body}");
    }
    // With an action, the element cannot name an operation of another action.
    for (action, element, words) in [
        (
            r#""urn:move""#,
            r#"<Rest xmlns="NS"/>"#,
            "The action 'urn:move' is that of several operations, which their elements tell apart, but the Body holds the element Rest of namespace urn:example:shared-actions.",
        ),
        (
            r#""urn:move""#,
            r#"<Start xmlns="NS"/>"#,
            "several operations",
        ),
        (r#""urn:move""#, "", "but the Body is empty."),
        (
            r#""urn:move""#,
            "<Rise/>",
            "but the Body holds the element Rise of namespace .",
        ),
        (
            r#""""#,
            r#"<Rise xmlns="NS"/>"#,
            "The action '' is that of several operations",
        ),
        (
            r#""urn:example:shared-actions/Rest""#,
            r#"<Rise xmlns="NS"/>"#,
            "The action names the operation Rest",
        ),
        (
            r#""urn:none""#,
            r#"<Rise xmlns="NS"/>"#,
            "did not recognize",
        ),
    ] {
        let (status, body) = shared(Some(action), element).await;
        assert_eq!(status, 500, "{action} {element}: {body}");
        assert!(body.contains(words), "{words}: {body}");
    }
}

#[tokio::test]
async fn clients_call_operations_of_one_action() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = SharedActionsClient::new(SharedActionsServer::new(Shared), "http://h");
        let client = client.unwrap().with_binding(binding);
        let said = [
            client.start(&StartRequest::default()).await,
            client.stop().await,
            client.rise(&RiseRequest::default()).await,
            client.fall(&FallRequest::default()).await,
            client.rest(&RestRequest::default()).await,
        ];
        let said = said.map(|said| said.unwrap().unwrap());
        let expected = ["start None", "stop", "rise None", "fall None", "rest None"];
        assert_eq!(said, expected, "{binding}");
    }
}

#[tokio::test]
async fn an_empty_body_names_no_element() {
    let message =
        r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body/></e:Envelope>"#;
    let request = http::Request::post("/GRoute.asmx").header("Content-Type", "text/xml");
    let request = request.header("SOAPAction", "\"http://lab.example/g/route/First\"");
    let request = request.body(Bytes::from(message)).unwrap();
    let answer = WideRoutingServer::new(Handlers).answer(request).await;
    let body = String::from_utf8(answer.body().to_vec()).unwrap();
    assert_eq!(answer.status(), 500);
    let said = "<faultcode>soap:Client</faultcode><faultstring>The request element is missing: the Body is empty.</faultstring>";
    assert!(body.contains(said), "{body}");
}

/// The original's text, for a service with neither HTTP GET nor HTTP POST.
#[test]
fn a_path_below_a_service_of_soap_alone_is_not_recognized() {
    let running = Running::of(SharedActionsServer::new(Shared));
    let form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n";
    for (method, head) in [("GET", ""), ("POST", form)] {
        let request = format!(
            "{method} /SharedActions.asmx/Rest?s=1 HTTP/1.1\r\nHost: localhost\r\n{head}\r\n"
        );
        let answer = running.exchange(request.as_bytes());
        let said =
            "Request format is unrecognized for URL unexpectedly ending in &#39;/Rest&#39;.\n";
        assert_eq!((answer.status, answer.text()), (500, said), "{method}");
    }
    // If the service has HTTP GET, the text for an unknown operation is another one.
    let running = Running::of(WideRoutingServer::new(Handlers));
    let request = b"GET /GRoute.asmx/Nope HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let said = "Nope Web Service method name is not valid.\n";
    assert_eq!(running.exchange(request).text(), said);
}
