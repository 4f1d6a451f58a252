//! The recorded answers of an ASMX service of every shape, reproduced:
//! `recorded/shapes/Shapes.asmx` is that service, `definitions/valid/recorded_shapes.yaml` the same
//! service as a definition.

use std::collections::BTreeMap;

use bytes::Bytes;
use svcgen::types::XmlFragment;
use svcgen::{Context, Fault};
use svcgen_tests::raw_http::{parse_answer, parse_head, split};
use svcgen_tests::recorded;

svcgen::include_service!("recorded_shapes");
use recorded_shapes::*;

/// The handlers of `Shapes.asmx`.
struct Handlers;

fn person(id: i32) -> Person {
    Person {
        id,
        tag: vec!["a".to_owned(), "b".to_owned()],
        rows: Some(vec![Some(vec![1, 2]), None, Some(Vec::new())]),
        marks: Some(vec![Some(1), None]),
        contact: Some(PersonContact::Phone(Phone {
            number: Some("1".to_owned()),
            extension: None,
        })),
        seen: Some("2020-01-02T03:04:05".parse().unwrap()),
        mood: Some(Tone::VeryFriendly),
        blobs: Some(vec![Some(vec![1]), None]),
        ..Person::default()
    }
}

impl RecordedShapesHandler for Handlers {
    async fn echo_person(
        &self,
        _: &Context,
        request: EchoPersonRequest,
    ) -> Result<Option<Person>, Fault> {
        Ok(request.person)
    }

    async fn people(
        &self,
        _: &Context,
        request: PeopleRequest,
    ) -> Result<Option<Vec<Option<Person>>>, Fault> {
        let people = (0..request.count).map(|id| (id % 2 == 0).then(|| person(id)));
        Ok(Some(people.collect()))
    }

    async fn price_of(&self, _: &Context, _: PriceOfRequest) -> Result<Option<Price>, Fault> {
        Ok(Some(Price {
            currency: Some("EUR".to_owned()),
            value: "1.50".parse().unwrap(),
        }))
    }

    async fn echo_simples(
        &self,
        _: &Context,
        request: EchoSimplesRequest,
    ) -> Result<Option<Simples>, Fault> {
        Ok(request.simples)
    }

    async fn make_simples(&self, _: &Context) -> Result<Option<Simples>, Fault> {
        Ok(Some(Simples {
            char: 'x',
            double: 1.5e10,
            float: 0.1,
            date_time: "2020-01-02T03:04:05.006Z".parse().unwrap(),
            q_name: Some(svcgen::types::QName::new("urn:q", "n")),
            hex: Some(vec![1, 255].into()),
            base64: Some(vec![1, 2]),
            duration: Some("P1D".parse().unwrap()),
            integer: Some("123".parse().unwrap()),
            token: Some("t".to_owned()),
            uri: Some("u".to_owned()),
            ..Simples::default()
        }))
    }

    async fn feed(&self, _: &Context, request: FeedRequest) -> Result<Option<AnyAnimal>, Fault> {
        Ok(request.animal)
    }

    async fn sum(&self, _: &Context, request: SumRequest) -> Result<i32, Fault> {
        Ok(request.values.iter().flatten().sum())
    }

    async fn tones(&self, _: &Context, request: TonesRequest) -> Result<Option<Vec<Tone>>, Fault> {
        Ok(request.others)
    }

    async fn kinds(&self, _: &Context, request: KindsRequest) -> Result<Option<String>, Fault> {
        Ok(Some(format!("{}|{}", request.guid, request.c)))
    }

    async fn maybe_int(&self, _: &Context, request: MaybeIntRequest) -> Result<Option<i32>, Fault> {
        Ok(request.value)
    }

    async fn with_header(
        &self,
        _: &Context,
        headers: WithHeaderHeaders,
        request: WithHeaderRequest,
    ) -> Result<(Option<String>, WithHeaderResponseHeaders), Fault> {
        let token = headers.session.and_then(|session| session.token);
        let session = Session {
            token: Some(token.unwrap_or_default() + "!"),
        };
        let headers = WithHeaderResponseHeaders {
            session: Some(session),
        };
        Ok((request.x, headers))
    }

    async fn with_header_in(
        &self,
        _: &Context,
        _: WithHeaderInHeaders,
        request: WithHeaderInRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(request.x)
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }

    async fn rpc_call(
        &self,
        _: &Context,
        request: RpcCallRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(request.a)
    }

    async fn overload(
        &self,
        _: &Context,
        request: OverloadRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(request.x)
    }

    async fn nothing(&self, _: &Context, request: NothingRequest) -> Result<Option<Empty>, Fault> {
        Ok(request.empty)
    }

    async fn raw(&self, _: &Context, request: RawRequest) -> Result<Option<XmlFragment>, Fault> {
        Ok(request.xml)
    }

    async fn strings(
        &self,
        _: &Context,
        request: StringsRequest,
    ) -> Result<Option<Vec<Option<String>>>, Fault> {
        Ok(request.items)
    }

    async fn nested(
        &self,
        _: &Context,
        request: NestedRequest,
    ) -> Result<Option<Vec<Option<Vec<Option<String>>>>>, Fault> {
        Ok(request.items)
    }

    async fn bytes(&self, _: &Context, request: BytesRequest) -> Result<Option<Vec<u8>>, Fault> {
        Ok(request.data)
    }

    async fn now(
        &self,
        _: &Context,
        request: NowRequest,
    ) -> Result<svcgen::types::DateTime, Fault> {
        Ok(request.when)
    }
}

fn read_request(message: &[u8]) -> http::Request<Bytes> {
    let (head, body) = split(message);
    let (line, headers) = parse_head(head);
    let mut line = line.split(' ');
    let (method, uri) = (line.next().unwrap(), line.next().unwrap());
    let mut request = http::Request::builder().method(method).uri(uri);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    request.body(Bytes::copy_from_slice(body)).unwrap()
}

#[tokio::test]
async fn every_shape_is_answered_as_recorded() {
    let server = RecordedShapesServer::new(Handlers);
    let mut operations = BTreeMap::<String, usize>::new();
    let mut wrong = Vec::new();
    for exchange in recorded::shapes() {
        let request = read_request(&exchange.request);
        let asked = format!("{request:?}");
        let operation = request.headers().get("soapaction").map_or_else(
            || request.uri().path().to_owned(),
            |action| action.to_str().unwrap().to_owned(),
        );
        *operations.entry(operation).or_default() += 1;
        let response = server.answer(request).await;
        let content_type = response.headers().get("content-type");
        let content_type = content_type.map_or("", |value| value.to_str().unwrap());
        let head = format!("{} {content_type}", response.status().as_u16());
        let recorded = parse_answer(&exchange.response);
        let recorded_type = recorded.header("content-type").unwrap_or_default();
        let recorded_head = format!("{} {recorded_type}", recorded.status);
        let recorded = String::from_utf8(recorded.body).unwrap();
        let body = String::from_utf8_lossy(response.body()).replace("\r\n", "\n");
        if head != recorded_head || body.trim_end() != recorded {
            wrong.push(format!(
                "{}: {asked}\nrecorded {recorded_head} {recorded}\nanswered {head} {body}",
                exchange.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(
        operations.len() > 30 && operations.values().sum::<usize>() > 300,
        "{operations:?}"
    );
}
