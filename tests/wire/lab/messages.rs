//! Messages of every layout.

use bytes::Bytes;
use svcgen::{Binding, CallError, Context, Fault, ServerOptions};
use svcgen_tests::lab::{Departure, replay};
use svcgen_tests::raw_http::Running;

svcgen::include_service!("wide_messages");
use wide_messages::*;

/// The operations of `GWide.cs`.
struct Handlers;

impl WideMessagesHandler for Handlers {
    async fn out_middle(
        &self,
        _: &Context,
        request: OutMiddleRequest,
    ) -> Result<OutMiddleResponse, Fault> {
        let moved = request.p.map(|p| Pt { x: p.x + 1, ..p });
        Ok(OutMiddleResponse {
            out_middle_result: Some(request.s.unwrap_or_default() + "!"),
            first: 1,
            p: moved,
            list: Some(vec![Some("a".to_owned()), None]),
        })
    }

    async fn only_out(&self, _: &Context) -> Result<OnlyOutResponse, Fault> {
        Ok(OnlyOutResponse {
            x: 1,
            y: Some("two".to_owned()),
        })
    }

    async fn ref_only(
        &self,
        _: &Context,
        request: RefOnlyRequest,
    ) -> Result<RefOnlyResponse, Fault> {
        Ok(RefOnlyResponse { n: request.n + 1 })
    }

    async fn out_null(&self, _: &Context) -> Result<OutNullResponse, Fault> {
        Ok(OutNullResponse::default())
    }

    async fn named(&self, _: &Context, request: NamedRequest) -> Result<NamedResponse, Fault> {
        Ok(NamedResponse {
            answer: request.r#in,
            also: Some("b".to_owned()),
        })
    }

    async fn bare_int(&self, _: &Context, request: BareIntRequest) -> Result<i32, Fault> {
        Ok(request.number)
    }

    async fn bare_text(
        &self,
        _: &Context,
        request: BareTextRequest,
    ) -> Result<Option<String>, Fault> {
        let text = request.text.map(|text| format!("[{text}]"));
        Ok(Some(text.unwrap_or("null".to_owned())))
    }

    async fn bare_object(
        &self,
        _: &Context,
        request: BareObjectRequest,
    ) -> Result<Option<Pt>, Fault> {
        Ok(request.spot)
    }

    async fn bare_list(
        &self,
        _: &Context,
        request: BareListRequest,
    ) -> Result<Option<Vec<Option<String>>>, Fault> {
        Ok(request.names)
    }

    async fn bare_three(
        &self,
        _: &Context,
        request: BareThreeRequest,
    ) -> Result<Option<String>, Fault> {
        let s3 = request.s3.unwrap_or("null".to_owned());
        let p3 = request.p3.map(|p3| format!("{}/{}", p3.x, p3.y));
        let p3 = p3.unwrap_or("null".to_owned());
        Ok(Some(format!("{s3},{},{p3}", request.n3)))
    }

    async fn bare_none(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }

    async fn bare_out(
        &self,
        _: &Context,
        request: BareOutRequest,
    ) -> Result<BareOutResponse, Fault> {
        Ok(BareOutResponse {
            bare_out_result: request.bin,
            bout: Some("o".to_owned()),
        })
    }
}

fn server() -> WideMessagesServer<Handlers> {
    WideMessagesServer::new(Handlers)
}

const NAMESPACES: [(&str, &str); 2] = [
    (
        "text/xml; charset=utf-8",
        "http://schemas.xmlsoap.org/soap/envelope/",
    ),
    (
        "application/soap+xml; charset=utf-8",
        "http://www.w3.org/2003/05/soap-envelope",
    ),
];

/// Returns the Body of the answer to a Body, over each version of SOAP.
async fn answers(body: &str) -> [String; 2] {
    answers_to("", body).await
}

/// Does the same for calls with this action; an empty one means none.
async fn answers_to(action: &str, body: &str) -> [String; 2] {
    let mut answers = Vec::new();
    for (content_type, namespace) in NAMESPACES {
        let message = format!(
            r#"<soap:Envelope xmlns:soap="{namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body>{body}</soap:Body></soap:Envelope>"#
        );
        let mut request = http::Request::post("/GWide.asmx");
        if action.is_empty() {
            request = request.header("Content-Type", content_type);
        } else {
            let action = format!("\"http://lab.example/g/{action}\"");
            let with_action = format!("{content_type}; action={action}");
            request = request.header("Content-Type", with_action);
            request = request.header("SOAPAction", action);
        }
        let response = server()
            .answer(request.body(Bytes::from(message)).unwrap())
            .await;
        assert_eq!(response.status(), 200, "{response:?}");
        let text = String::from_utf8(response.into_body().to_vec()).unwrap();
        let body = match text.split_once("<soap:Body>") {
            Some((_, rest)) => rest.split_once("</soap:Body>").unwrap().0,
            None => {
                assert!(text.ends_with("<soap:Body /></soap:Envelope>"), "{text}");
                ""
            }
        };
        answers.push(body.to_owned());
    }
    answers.try_into().unwrap()
}

#[tokio::test]
async fn several_results_are_answered_in_order() {
    for (asked, answered) in [
        (
            r#"<OutMiddle xmlns="NS"><s>x</s><p><X>1</X><Y>2</Y></p></OutMiddle>"#,
            r#"<OutMiddleResponse xmlns="NS"><OutMiddleResult>x!</OutMiddleResult><first>1</first><p><X>2</X><Y>2</Y></p><list><string>a</string><string xsi:nil="true" /></list></OutMiddleResponse>"#,
        ),
        (
            r#"<OnlyOut xmlns="NS" />"#,
            r#"<OnlyOutResponse xmlns="NS"><x>1</x><y>two</y></OnlyOutResponse>"#,
        ),
        (
            r#"<OutNull xmlns="NS" />"#,
            r#"<OutNullResponse xmlns="NS"><c xsi:nil="true" /></OutNullResponse>"#,
        ),
        (
            r#"<Named xmlns="NS"><in>3</in></Named>"#,
            r#"<NamedResponse xmlns="NS"><answer>3</answer><also>b</also></NamedResponse>"#,
        ),
    ] {
        let [asked, answered] =
            [asked, answered].map(|text| text.replace("NS", "http://lab.example/g"));
        assert_eq!(answers(&asked).await, [answered.as_str(); 2], "{asked}");
    }
}

#[tokio::test]
async fn forms_get_the_return_value_alone() {
    for post in [false, true] {
        let call = |operation: &str| {
            let path = format!("/GWide.asmx/{operation}");
            let request = if post {
                http::Request::post(path)
                    .header("Content-Type", "application/x-www-form-urlencoded")
            } else {
                http::Request::get(path)
            };
            let server = server();
            async move {
                let response = server.answer(request.body(Bytes::new()).unwrap()).await;
                let status = response.status().as_u16();
                (status, String::from_utf8(response.body().to_vec()).unwrap())
            }
        };
        assert_eq!(call("OnlyOut").await, (200, String::new()));
        // An operation that also has a return value or parameters is not offered there.
        for operation in ["OutNull", "RefOnly"] {
            let (status, refused) = call(operation).await;
            let said = format!("{operation} Web Service method name is not valid.\n");
            assert_eq!((status, refused), (500, said));
        }
    }
}

#[tokio::test]
async fn clients_get_several_results() {
    for binding in Binding::DEFAULT {
        let client = WideMessagesClient::new(server(), "http://h").unwrap();
        let client = client.with_binding(binding);
        let only = client.only_out().await.unwrap();
        if !binding.is_soap() {
            assert_eq!(only, OnlyOutResponse::default());
            continue;
        }
        let null = client.out_null().await.unwrap();
        assert_eq!(null, OutNullResponse::default());
        assert_eq!((only.x, only.y.as_deref()), (1, Some("two")));
        let request = OutMiddleRequest {
            s: Some("x".to_owned()),
            p: Some(Pt { x: 1, y: 2 }),
        };
        let middle = client.out_middle(&request).await.unwrap();
        assert_eq!(middle.out_middle_result.as_deref(), Some("x!"));
        assert_eq!((middle.first, middle.p), (1, Some(Pt { x: 2, y: 2 })));
        assert_eq!(middle.list, Some(vec![Some("a".to_owned()), None]));
        let named = client.named(&NamedRequest { r#in: 7 }).await.unwrap();
        assert_eq!((named.answer, named.also.as_deref()), (7, Some("b")));
    }
}

const DEPARTURES: [Departure; 1] = [Departure {
    name: "bare/object-nil",
    why: "nil stays absent",
    status: 200,
    holds: &["<soap:Body /></soap:Envelope>"],
}];

#[test]
fn bare_messages_are_answered_as_recorded() {
    let server = Running::of(server());
    let recorded = [
        "bare/get",
        "bare/int-soap11",
        "bare/list",
        "bare/no-action-soap12",
        "bare/object",
        "bare/object-empty-body",
        "bare/object-nil",
        "bare/three",
    ];
    replay(&server, &recorded, &DEPARTURES);
}

#[tokio::test]
async fn bare_messages_hold_their_parts_in_any_order() {
    let three = |children: &str| {
        let children = children.replace("NS", "http://lab.example/g");
        async move { answers_to("BareThree", &children).await }
    };
    for (children, said) in [
        (
            r#"<p3 xmlns="NS"><X>1</X><Y>2</Y></p3><s3 xmlns="NS">a</s3><n3 xmlns="NS">5</n3>"#,
            "a,5,1/2",
        ),
        (
            r#"<n:n3 xmlns:n="NS"> 5 </n:n3><n3>6</n3><x xmlns="NS"><n3>7</n3></x><n3 xmlns="NS">8</n3>"#,
            "null,5,null",
        ),
        ("", "null,0,null"),
    ] {
        let expected =
            format!(r#"<BareThreeResult xmlns="http://lab.example/g">{said}</BareThreeResult>"#);
        assert_eq!(three(children).await, [expected.as_str(); 2], "{children}");
    }
    let out = answers_to("", r#"<bin xmlns="http://lab.example/g">3</bin>"#).await;
    let expected = r#"<BareOutResult xmlns="http://lab.example/g">3</BareOutResult><bout xmlns="http://lab.example/g">o</bout>"#;
    assert_eq!(out, [expected; 2]);
    assert_eq!(answers_to("BareNone", "").await, ["", ""]);
    assert_eq!(answers_to("BareNone", "<other/>").await, ["", ""]);
}

/// Returns the fault of a call over SOAP 1.1.
async fn fault(action: &str, body: &str, strict: bool) -> (u16, String) {
    let message = format!(
        r#"<soap:Envelope xmlns:soap="{}"><soap:Body>{body}</soap:Body></soap:Envelope>"#,
        NAMESPACES[0].1
    );
    let request = http::Request::post("/GWide.asmx")
        .header("Content-Type", "text/xml")
        .header("SOAPAction", format!("http://lab.example/g/{action}"));
    let server = server().with_options(ServerOptions::new().with_strict(strict));
    let answer = server.answer(request.body(Bytes::from(message)).unwrap());
    let answer = answer.await;
    let status = answer.status().as_u16();
    (
        status,
        String::from_utf8(answer.into_body().to_vec()).unwrap(),
    )
}

#[tokio::test]
async fn bare_messages_are_refused_for_what_is_wrong() {
    let number = |text: &str| format!(r#"<number xmlns="http://lab.example/g">{text}</number>"#);
    for (action, body, strict, status, words) in [
        (
            "BareInt",
            number("x"),
            false,
            500,
            "Input string was not in a correct format.",
        ),
        (
            "BareInt",
            "<number>5</number>".to_owned(),
            false,
            500,
            "The action names the operation BareInt, whose element is number of namespace http://lab.example/g, but the Body holds the element number of namespace .",
        ),
        (
            "BareNone",
            number("1"),
            false,
            500,
            "names the operation BareNone, which has no element",
        ),
        (
            "BareInt",
            number("<a/>"),
            false,
            400,
            "the element holds a text value.",
        ),
        (
            "BareInt",
            format!("{}<more/>", number("1")),
            true,
            500,
            "The element 'more' of namespace '' is not expected at this place in 'Body'. No further element may stand there.",
        ),
        (
            "BareInt",
            format!("{}{}", number("1"), number("x")),
            false,
            200,
            ">1</BareIntResult>",
        ),
        (
            "BareInt",
            format!("{}<x></y>", number("1")),
            false,
            400,
            "'x'",
        ),
    ] {
        let (got, text) = fault(action, &body, strict).await;
        assert_eq!(got, status, "{body}: {text}");
        assert!(text.contains(words), "{body}: {text}");
    }
}

#[tokio::test]
async fn clients_send_and_read_bare_messages() {
    for binding in Binding::DEFAULT {
        let client = WideMessagesClient::new(server(), "http://h").unwrap();
        let client = client.with_binding(binding);
        assert_eq!(
            client
                .bare_int(&BareIntRequest { number: -7 })
                .await
                .unwrap(),
            -7
        );
        let text = BareTextRequest {
            text: Some("a&b".to_owned()),
        };
        assert_eq!(
            client.bare_text(&text).await.unwrap().as_deref(),
            Some("[a&b]")
        );
        let names = Some(vec![Some("a".to_owned()), Some(String::new())]);
        let list = BareListRequest {
            names: names.clone(),
        };
        assert_eq!(client.bare_list(&list).await.unwrap(), names);
        client.bare_none().await.unwrap();
        if !binding.is_soap() {
            continue;
        }
        for spot in [Some(Pt { x: 1, y: 2 }), None] {
            let request = BareObjectRequest { spot: spot.clone() };
            assert_eq!(client.bare_object(&request).await.unwrap(), spot);
        }
        let three = BareThreeRequest {
            s3: None,
            n3: 3,
            p3: Some(Pt { x: 1, y: 2 }),
        };
        let said = client.bare_three(&three).await.unwrap();
        assert_eq!(said.as_deref(), Some("null,3,1/2"));
        let out = client.bare_out(&BareOutRequest { bin: 4 }).await.unwrap();
        assert_eq!((out.bare_out_result, out.bout.as_deref()), (4, Some("o")));
    }
}

async fn told(body: &str) -> Result<i32, CallError> {
    let message = format!(
        r#"<soap:Envelope xmlns:soap="{}"><soap:Body>{body}</soap:Body></soap:Envelope>"#,
        NAMESPACES[0].1
    );
    let response = http::Response::builder().header("Content-Type", "text/xml");
    let response = response.body(Bytes::from(message)).unwrap();
    let transport =
        svcgen::transport::transport_fn(move |_| std::future::ready(Ok(response.clone())));
    let client = WideMessagesClient::new(transport, "http://h").unwrap();
    client.bare_int(&BareIntRequest::default()).await
}

#[tokio::test]
async fn clients_say_what_a_bare_answer_lacks() {
    let result = r#"<BareIntResult xmlns="http://lab.example/g">5</BareIntResult>"#;
    assert_eq!(told(&format!("<x/>{result}<y/>")).await.unwrap(), 5);
    let fault =
        "<soap:Fault><faultcode>soap:Client</faultcode><faultstring>no</faultstring></soap:Fault>";
    let error = told(fault).await.unwrap_err();
    assert_eq!(error.fault().map(Fault::text), Some("no"));
    let error = told("").await.unwrap_err();
    assert!(matches!(error, CallError::MissingResult { .. }), "{error}");
    let error = told("<BareIntResult>5</BareIntResult>").await.unwrap_err();
    assert!(
        matches!(error, CallError::UnexpectedElement { .. }),
        "{error}"
    );
    let error = told(&result.replace('5', "x")).await.unwrap_err();
    assert!(matches!(error, CallError::Read(_)), "{error}");
}

#[test]
fn documents_are_as_recorded() {
    super::documents_are_recorded("messages", &[]);
}
