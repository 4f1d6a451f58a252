//! SOAP headers with the attributes of SOAP.

use bytes::Bytes;
use proptest::prelude::*;
use svcgen::transport::transport_fn;
use svcgen::types::{SoapHeader, XmlFragment};
use svcgen::{Binding, Context, Fault, Secret};
use svcgen_tests::lab::replay;
use svcgen_tests::raw_http::Running;

use crate::shapes::wait;

svcgen::include_service!("g_headers");
use g_headers::*;

/// The operations of `GWide.cs`.
struct Handlers;

fn title(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

fn told(ticket: Option<&SoapHeader<Ticket>>) -> String {
    let Some(ticket) = ticket else {
        return "none".to_owned();
    };
    let SoapHeader {
        value,
        actor,
        must_understand,
        relay,
    } = ticket;
    let (key, actor) = (value.key.as_deref(), actor.as_deref().unwrap_or_default());
    format!(
        "key={} level={} actor={actor} role={actor} mu={} du=True relay={} enc={}",
        key.unwrap_or_default(),
        value.level,
        title(*must_understand),
        title(*relay),
        u8::from(*must_understand)
    )
}

impl GHeadersHandler for Handlers {
    async fn with_ticket(
        &self,
        _: &Context,
        headers: WithTicketHeaders,
        request: WithTicketRequest,
    ) -> Result<(Option<String>, WithTicketResponseHeaders), Fault> {
        let told = told(headers.ticket.as_ref());
        let how = request.how.unwrap_or_default();
        let mut value = headers.ticket.clone().unwrap_or_default().value;
        value.key.get_or_insert_default().push('!');
        let ticket = match &*how {
            "null" => None,
            "actor" => Some(SoapHeader {
                value,
                actor: Some("urn:next".to_owned()),
                must_understand: true,
                relay: true,
            }),
            // Not in the original: returns the received attributes.
            "same" => headers.ticket,
            _ => Some(value.into()),
        };
        Ok((Some(told), WithTicketResponseHeaders { ticket }))
    }

    async fn two_headers(
        &self,
        context: &Context,
        headers: TwoHeadersHeaders,
    ) -> Result<(Option<String>, TwoHeadersResponseHeaders), Fault> {
        let key = headers.ticket.and_then(|ticket| ticket.value.key);
        let mut told = key.unwrap_or("none".to_owned());
        for header in context.unknown_headers() {
            let must = title(header.must_understand());
            let actor = header.actor().unwrap_or_default();
            told += &format!(" {}|{must}|{actor}", header.name());
            header.understand();
        }
        let value = Some("t1".to_owned());
        let trace = Some(Trace { value });
        Ok((Some(told), TwoHeadersResponseHeaders { trace }))
    }

    async fn fire_header(
        &self,
        _: &Context,
        _: FireHeaderHeaders,
        _: FireHeaderRequest,
    ) -> Result<(), Fault> {
        Ok(())
    }

    async fn fault_header(
        &self,
        context: &Context,
        headers: FaultHeaderHeaders,
    ) -> Result<(Option<String>, FaultHeaderResponseHeaders), Fault> {
        let mut ticket = headers.ticket.unwrap_or_default();
        ticket.value.key = Some("in fault".to_owned());
        let ticket = Some(ticket);
        let detail = XmlFragment::parse(
            r#"<my:info xmlns:my="urn:my" at="1">why &amp; <b>how</b></my:info>"#,
        );
        Err(Fault::client("told")
            .with_actor("http://lab.example/actor")
            .with_detail_xml(detail.unwrap())
            .with_plain_detail()
            .with_headers(context, &FaultHeaderFaultHeaders { ticket }))
    }

    async fn guard(
        &self,
        context: &Context,
        headers: GuardHeaders,
    ) -> Result<GuardResponseHeaders, Fault> {
        if headers.count.value == 2 {
            let value = Some("t<2".to_owned());
            let headers = GuardFaultHeaders {
                trace: Some(Trace { value }),
                count: Some(headers.count),
            };
            return Err(Fault::client("two").with_headers(context, &headers));
        }
        if headers.count.value == 3 {
            return Err(Fault::client("three"));
        }
        assert!(headers.count.value == 1 && !headers.count.must_understand);
        let token = headers.token;
        Ok(GuardResponseHeaders { token })
    }
}

#[tokio::test]
async fn headers_of_any_type_have_attributes() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let token = SoapHeader {
            must_understand: true,
            ..SoapHeader::from(Secret::from("t<1"))
        };
        let headers = GuardHeaders {
            token: Some(token.clone()),
            count: 1.into(),
        };
        let came = client(binding).guard(&headers).await.unwrap();
        assert_eq!(came.token, Some(token));
        assert!(!format!("{came:?}").contains("t<1"));
    }
}

#[tokio::test]
async fn clients_read_the_headers_of_faults() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = client(binding);
        let fault = async |count: SoapHeader<i32>| {
            let token = None;
            let error = client.guard(&GuardHeaders { token, count }).await;
            error.unwrap_err().fault().cloned().unwrap()
        };
        let count = SoapHeader {
            actor: Some("urn:next".to_owned()),
            must_understand: true,
            ..2.into()
        };
        let told = fault(count.clone()).await;
        let value = Some("t<2".to_owned());
        let headers = GuardFaultHeaders {
            trace: Some(Trace { value }),
            count: Some(count),
        };
        assert_eq!(told.read_headers(), Some(Ok(headers)));
        let others = told.read_headers::<FaultHeaderFaultHeaders>();
        assert_eq!(others, Some(Ok(FaultHeaderFaultHeaders::default())));
        let without = fault(3.into()).await;
        assert_eq!(without.read_headers::<GuardFaultHeaders>(), None);
        let ticket = || Some(SoapHeader::from(Ticket::default()));
        let headers = FaultHeaderHeaders { ticket: ticket() };
        let error = client.fault_header(&headers).await.unwrap_err();
        let fault = error.fault().unwrap();
        let mut expected = ticket().unwrap();
        expected.value.key = Some("in fault".to_owned());
        let ticket = Some(expected);
        let expected = FaultHeaderFaultHeaders { ticket };
        assert_eq!(fault.read_headers(), Some(Ok(expected)));
        assert!(fault.detail().unwrap().starts_with("<my:info "));
    }
}

#[tokio::test]
async fn headers_of_faults_that_are_wrong_are_told() {
    for (header, expected) in [
        (r#"<Count xmlns="http://lab.example/g">x</Count>"#, None),
        (r#"<p:Count xmlns:p="urn:p">x</p:Count>"#, Some(None)),
        (r#"<g:Count> 7 </g:Count>"#, Some(Some(7))),
    ] {
        let text = format!(
            r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:g="http://lab.example/g"><e:Header>{header}</e:Header><e:Body><e:Fault><faultcode>e:Client</faultcode><faultstring>no</faultstring></e:Fault></e:Body></e:Envelope>"#
        );
        let transport = transport_fn(move |_| {
            let answer = http::Response::builder().status(500);
            let answer = answer.header("Content-Type", "text/xml; charset=utf-8");
            let answer = answer.body(Bytes::from(text.clone()));
            std::future::ready(Ok(answer.unwrap()))
        });
        let client = GHeadersClient::new(transport, "http://localhost").unwrap();
        let error = client.guard(&GuardHeaders::default()).await.unwrap_err();
        let came = error.fault().unwrap().read_headers::<GuardFaultHeaders>();
        let came = came.unwrap().ok();
        let came = came.map(|headers| headers.count.map(|count| count.value));
        assert_eq!(came, expected, "{header}");
    }
}

#[test]
fn headers_are_answered_as_recorded() {
    let server = Running::of(GHeadersServer::new(Handlers));
    let recorded = [
        "hdr/actor-soap11",
        "hdr/fault-soap12",
        "hdr/inout-soap11",
        "hdr/out-actor-soap11",
        "hdr/out-actor-soap12",
        "hdr/two",
    ];
    replay(&server, &recorded, &[]);
}

#[test]
fn documents_are_as_recorded() {
    super::documents_are_recorded("soap_headers", &["Guard", "Token", "Count"]);
}

fn client(binding: Binding) -> GHeadersClient<GHeadersServer<Handlers>> {
    let server = GHeadersServer::new(Handlers);
    let client = GHeadersClient::new(server, "http://localhost").unwrap();
    client.with_binding(binding)
}

/// Returns the bytes of a client's request with this ticket.
fn request(binding: Binding, ticket: SoapHeader<Ticket>) -> Result<String, svcgen::CallError> {
    let headers = WithTicketHeaders {
        ticket: Some(ticket),
    };
    let client = client(binding);
    let client: &svcgen::codegen::Client<_> = client.as_ref();
    let parameters = WithTicketRequest::default();
    let request = client.request(0, &headers, &parameters)?;
    Ok(String::from_utf8(request.into_body().to_vec()).unwrap())
}

#[test]
fn clients_write_what_their_version_has() {
    let ticket = SoapHeader {
        value: Ticket {
            level: 3,
            key: None,
        },
        actor: Some("urn:\"<&>\n".to_owned()),
        must_understand: true,
        relay: true,
    };
    for (binding, attributes) in [
        (
            Binding::Soap11,
            r#"soap:actor="urn:&quot;&lt;&amp;&gt;&#xA;""#,
        ),
        (
            Binding::Soap12,
            r#"soap:role="urn:&quot;&lt;&amp;&gt;&#xA;" soap:relay="1""#,
        ),
    ] {
        let sent = request(binding, ticket.clone()).unwrap();
        let header = format!(
            r#"<soap:Header><Ticket soap:mustUnderstand="1" {attributes} level="3" xmlns="http://lab.example/g/hdr" /></soap:Header>"#
        );
        assert!(sent.contains(&header), "{sent}");
        let actor = Some("\u{1}".to_owned());
        let value = Ticket::default();
        let unwritable = SoapHeader {
            actor,
            ..SoapHeader::from(value)
        };
        let error = request(binding, unwritable).unwrap_err().to_string();
        assert!(error.contains("U+0001"), "{error}");
    }
}

#[test]
fn attributes_of_either_version_are_read() {
    let names = [
        "http://schemas.xmlsoap.org/soap/envelope/",
        "http://www.w3.org/2003/05/soap-envelope",
    ];
    for (envelope, content_type) in names.into_iter().zip(["text/xml", "application/soap+xml"]) {
        for (namespace, attributes, told) in [
            (
                names[0],
                r#"a:mustUnderstand="true" a:actor="urn:a""#,
                "actor=urn:a role=urn:a mu=True du=True relay=False",
            ),
            (
                names[1],
                r#"a:role="urn:a" a:relay="1""#,
                "actor=urn:a role=urn:a mu=False du=True relay=True",
            ),
            (
                "urn:other",
                r#"a:mustUnderstand="1" a:actor="urn:a" actor="x" mustUnderstand="1""#,
                "actor= role= mu=False du=True relay=False",
            ),
        ] {
            let message = format!(
                r#"<e:Envelope xmlns:e="{envelope}" xmlns:a="{namespace}"><e:Header><Ticket xmlns="http://lab.example/g/hdr" {attributes}/></e:Header><e:Body><WithTicket xmlns="http://lab.example/g"/></e:Body></e:Envelope>"#
            );
            let request = http::Request::post("/GWide.asmx").header("Content-Type", content_type);
            let request = request.body(Bytes::from(message)).unwrap();
            let answer = wait(GHeadersServer::new(Handlers).answer(request)).into_body();
            let answer = String::from_utf8(answer.to_vec()).unwrap();
            assert!(answer.contains(told), "{attributes}: {answer}");
        }
    }
}

prop_compose! {
    fn ticket()(
        level in any::<i32>(),
        key in prop::option::of("[a-z<&]{0,4}"),
        actor in prop::option::of("[a-z<&\"\n]{1,4}"),
        must_understand in any::<bool>(),
        relay in any::<bool>(),
    ) -> SoapHeader<Ticket> {
        SoapHeader { value: Ticket { level, key }, actor, must_understand, relay }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn attributes_come_back_as_they_were(ticket in prop::option::of(ticket())) {
        for binding in [Binding::Soap11, Binding::Soap12] {
            let headers = WithTicketHeaders { ticket: ticket.clone() };
            let how = Some("same".to_owned());
            let call = async {
                client(binding).with_ticket(&headers, &WithTicketRequest { how }).await
            };
            let (told_there, came) = wait(call).unwrap();
            let mut expected = ticket.clone();
            if let (Some(ticket), Binding::Soap11) = (&mut expected, binding) {
                ticket.relay = false;
            }
            prop_assert_eq!(&came.ticket, &expected);
            prop_assert_eq!(told_there, Some(told(expected.as_ref())));
        }
    }
}
