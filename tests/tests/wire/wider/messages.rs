//! Messages of every layout.

use bytes::Bytes;
use svcgen::{Binding, Context, Fault};
use svcgen_tests::in_process::InProcess;

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

/// What stands in the Body of the answer to a Body, over each version of SOAP.
async fn answers(body: &str) -> [String; 2] {
    let mut answers = Vec::new();
    for (content_type, namespace) in NAMESPACES {
        let message = format!(
            r#"<soap:Envelope xmlns:soap="{namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body>{body}</soap:Body></soap:Envelope>"#
        );
        let request = http::Request::post("/GWide.asmx").header("Content-Type", content_type);
        let response = server()
            .answer(request.body(Bytes::from(message)).unwrap())
            .await;
        assert_eq!(response.status(), 200, "{response:?}");
        let text = String::from_utf8(response.into_body().to_vec()).unwrap();
        let (_, rest) = text.split_once("<soap:Body>").unwrap();
        answers.push(rest.split_once("</soap:Body>").unwrap().0.to_owned());
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
        let (status, null) = call("OutNull").await;
        assert_eq!(status, 200);
        assert_eq!(
            null,
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<string xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\" xmlns=\"http://lab.example/g\" />"
        );
        // With parameters, too, it is not offered there.
        let (status, refused) = call("RefOnly").await;
        assert_eq!(status, 500);
        assert_eq!(refused, "RefOnly Web Service method name is not valid.\n");
    }
}

#[tokio::test]
async fn clients_get_several_results() {
    for binding in Binding::ALL {
        let client = WideMessagesClient::new(InProcess(server()), "http://h").unwrap();
        let client = client.with_binding(binding);
        let only = client.only_out().await.unwrap();
        let null = client.out_null().await.unwrap();
        assert_eq!(null, OutNullResponse::default());
        if !binding.is_soap() {
            assert_eq!(only, OnlyOutResponse::default());
            continue;
        }
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

#[test]
fn documents_are_as_recorded() {
    super::documents_are_recorded("messages", &[]);
}
