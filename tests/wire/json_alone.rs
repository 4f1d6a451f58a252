//! A service that is only offered over JSON: neither SOAP nor forms, in the server, the client and
//! the documents.

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use svcgen::types::Dictionary;
use svcgen::{Binding, Context, Fault, ServerOptions};

svcgen::include_service!("alone");

use alone::{
    AloneClient, AloneHandler, AloneServer, AnyPet, Dog, GreetRequest, Greeting, LastRequest,
    Person, PetKind, TallyRequest,
};

struct Greeter;

impl AloneHandler for Greeter {
    async fn greet(&self, context: &Context, request: GreetRequest) -> Result<Greeting, Fault> {
        assert_eq!(context.binding(), Binding::Json);
        let Person { name, born, pet } = request.person;
        assert_eq!(born, None);
        let pet = match pet {
            Some(AnyPet::Dog(dog)) => format!(" and the dog {}, {:?}", dog.name, dog.kind),
            Some(AnyPet::Pet(pet)) => format!(" and {}", pet.name),
            None => String::new(),
        };
        Ok(Greeting {
            lang: None,
            words: format!("Hello {}{pet}", name.unwrap_or_default()),
        })
    }

    async fn last(&self, _: &Context, request: LastRequest) -> Result<Option<Greeting>, Fault> {
        assert_eq!(request.since, None);
        Ok(None)
    }

    async fn tally(&self, _: &Context, request: TallyRequest) -> Result<Dictionary<i32>, Fault> {
        let codes = request.codes.unwrap_or_default();
        let mut counted = request.words;
        counted.insert("codes", i32::try_from(codes.len()).unwrap());
        Ok(counted)
    }

    async fn text(&self, _: &Context) -> Result<String, Fault> {
        Ok("<b>as it is</b>".to_owned())
    }
}

async fn answer(request: http::request::Builder, body: &'static str) -> Response<Bytes> {
    let request: Request<Bytes> = request.body(body.into()).unwrap();
    AloneServer::new(Greeter).answer(request).await
}

fn text(response: &Response<Bytes>) -> &str {
    std::str::from_utf8(response.body()).unwrap()
}

#[tokio::test]
async fn the_example_of_the_documentation_is_answered_as_it_says() {
    let readme = include_str!("../../service-defs/README.md");
    let called =
        r#"{"person":{"Name":"Ann","Pet":{"__type":"Company.Pets.Dog","Name":"Rex","Kind":5}}}"#;
    let answered = r#"{"d":{"__type":"Company.Crm.Greeting","Language":null,"Text":"Hello Ann and the dog Rex, Dog"}}"#;
    assert!(readme.contains(called) && readme.contains(answered));
    let request = Request::post("/Alone.asmx/Greet").header("content-type", "application/json");
    assert_eq!(text(&answer(request, called).await), answered);
}

#[tokio::test]
async fn facets_are_checked_of_the_values_in_dictionaries() {
    let options = ServerOptions::new().with_facets(true);
    for (words, codes, expected) in [
        (
            r#"{"a":0}"#,
            r#"{"x":"abc","y":null}"#,
            r#"{"d":{"a":0,"codes":2}}"#,
        ),
        (r#"{"codes":9}"#, "null", r#"{"d":{"codes":0}}"#),
        (r#"{"a":0,"b":-1}"#, "{}", "violates minInclusive"),
        ("{}", r#"{"x":"abc","y":"Abc"}"#, "violates pattern"),
    ] {
        let request = Request::post("/Alone.asmx/Tally").header("content-type", "application/json");
        let body = format!(r#"{{"words":{words},"codes":{codes}}}"#);
        let request = request.body(Bytes::from(body)).unwrap();
        let server = AloneServer::new(Greeter).with_options(options.clone());
        let answer = server.answer(request).await;
        assert!(text(&answer).contains(expected), "{}", text(&answer));
    }
}

#[tokio::test]
async fn no_other_binding_is_served() {
    let soap = Request::post("/Alone.asmx").header("content-type", "text/xml; charset=utf-8");
    let envelope = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><Text xmlns='http://example.com/greeter'/></e:Body></e:Envelope>";
    let fault = answer(soap, envelope).await;
    assert_eq!(fault.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert!(text(&fault).contains("<soap:Fault>"), "{}", text(&fault));
    for request in [
        Request::get("/Alone.asmx/Last?since="),
        Request::post("/Alone.asmx/Text")
            .header("content-type", "application/x-www-form-urlencoded"),
    ] {
        let answer = answer(request, "").await;
        assert!(answer.status().is_client_error() || answer.status().is_server_error());
        assert!(!text(&answer).contains("as it is"));
    }
}

#[tokio::test]
async fn clients_call_over_json_without_more_ado() {
    let client = AloneClient::new(AloneServer::new(Greeter), "http://localhost").unwrap();
    let dog = Dog {
        name: "Rex".to_owned(),
        kind: PetKind::Cat,
        owner: Some("Ann".to_owned()),
    };
    let person = Person {
        pet: Some(AnyPet::Dog(dog)),
        ..Person::default()
    };
    let greeting = client.greet(&GreetRequest { person }).await.unwrap();
    assert_eq!(greeting.words, "Hello  and the dog Rex, Cat");
    let last = client.last(&LastRequest { since: None }).await.unwrap();
    assert_eq!(last, None);
    assert_eq!(client.text().await.unwrap(), "<b>as it is</b>");
}

#[tokio::test]
async fn the_wsdl_has_no_ports() {
    let answer = answer(Request::get("/Alone.asmx?wsdl"), "").await;
    assert_eq!(answer.status(), StatusCode::OK);
    let wsdl = text(&answer);
    assert!(wsdl.contains(r#"<wsdl:service name="Alone" />"#), "{wsdl}");
    for part in ["wsdl:port", "wsdl:binding", "wsdl:message"] {
        assert!(!wsdl.contains(part), "{part} in {wsdl}");
    }
}
