//! Choices whose alternatives are lists, and choices that are repeated.

use std::sync::Mutex;

use bytes::Bytes;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use svcgen::{Binding, Context, Fault, ServerOptions};
use svcgen_tests::in_process::{Answers, InProcess};
use svcgen_tests::random::text;

use super::{SOAP, URL, check, same, samples, wait};

svcgen::include_service!("content_models");
use content_models::*;

/// Answers with what it is sent, and keeps it for `Last`.
#[derive(Default)]
struct Keeps(Mutex<Person>);

impl Keeps {
    fn keep(&self, person: Person) -> Person {
        self.0.lock().unwrap().clone_from(&person);
        person
    }
}

impl ContentModelsHandler for Keeps {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Person, Fault> {
        Ok(self.keep(request.value))
    }

    async fn echo_rpc(&self, _: &Context, request: EchoRpcRequest) -> Result<Person, Fault> {
        Ok(self.keep(request.value))
    }

    async fn echo_bare(&self, _: &Context, request: EchoBareRequest) -> Result<Person, Fault> {
        Ok(self.keep(request.person))
    }

    async fn echo_all(&self, _: &Context, request: EchoAllRequest) -> Result<Vec<Person>, Fault> {
        Ok(request.all)
    }

    async fn last(&self, _: &Context) -> Result<Person, Fault> {
        Ok(self.0.lock().unwrap().clone())
    }

    async fn choose(&self, _: &Context, request: ChooseRequest) -> Result<ChooseResponse, Fault> {
        Ok(answer(request))
    }
}

/// What `Choose` answers.
fn answer(request: ChooseRequest) -> ChooseResponse {
    let (found, codes) = match request.how {
        ChooseRequestHow::Email(_) => (None, vec![request.before]),
        ChooseRequestHow::Phones(phones) => {
            let codes = phones.iter().map(|phone| phone.area).collect();
            let names = phones.into_iter().map(|phone| phone.value).collect();
            (Some(ChooseResponseFound::Name(names)), codes)
        }
    };
    let after = request.after.into_iter().map(ChooseResponseMore::Text);
    let codes = ChooseResponseMore::Codes(codes);
    let more = after.chain([codes]).collect();
    ChooseResponse { found, more }
}

fn phone() -> impl Strategy<Value = Phone> {
    (any::<i32>(), text()).prop_map(|(area, value)| Phone { area, value })
}

fn contact() -> impl Strategy<Value = PersonContact> {
    prop_oneof![
        text().prop_map(PersonContact::Email),
        vec(phone(), 1..4).prop_map(PersonContact::Phone),
        vec(any::<i32>(), 0..4).prop_map(PersonContact::Codes),
        vec(any::<i32>(), 0..4).prop_map(PersonContact::Marks),
    ]
}

fn address() -> impl Strategy<Value = PersonAddress> {
    let place = (text(), option::of(text()));
    prop_oneof![
        vec(text(), 0..4).prop_map(PersonAddress::Line),
        place.prop_map(|(town, country)| PersonAddress::Place(Place { town, country })),
    ]
}

/// Items in a row are one value.
fn joined(remarks: Vec<PersonRemarks>) -> Vec<PersonRemarks> {
    let mut all: Vec<PersonRemarks> = Vec::new();
    for remark in remarks {
        match (all.last_mut(), remark) {
            (Some(PersonRemarks::Tag(last)), PersonRemarks::Tag(tags)) => last.extend(tags),
            (Some(PersonRemarks::Friend(last)), PersonRemarks::Friend(more)) => last.extend(more),
            (_, remark) => all.push(remark),
        }
    }
    all
}

fn person() -> impl Strategy<Value = Person> {
    let alone = (
        text(),
        option::of(contact()),
        address(),
        option::of(any::<i32>()),
    );
    let alone = alone.prop_map(|(name, contact, address, age)| Person {
        name,
        contact,
        address,
        remarks: Vec::new(),
        age,
    });
    alone.prop_recursive(2, 8, 3, |inner| {
        let remark = prop_oneof![
            text().prop_map(PersonRemarks::Note),
            vec(option::of(text()), 1..3).prop_map(PersonRemarks::Tag),
            vec(inner.clone(), 1..3).prop_map(PersonRemarks::Friend),
        ];
        (inner, vec(remark, 0..5)).prop_map(|(person, remarks)| Person {
            remarks: joined(remarks),
            ..person
        })
    })
}

fn server() -> ContentModelsServer<Keeps> {
    ContentModelsServer::new(Keeps::default())
}

fn client(
    server: &ContentModelsServer<Keeps>,
    binding: Binding,
) -> ContentModelsClient<InProcess<ContentModelsServer<Keeps>>> {
    let client = ContentModelsClient::new(InProcess(server.clone()), URL).unwrap();
    client.with_binding(binding)
}

#[test]
fn choices_with_lists_come_back_over_every_binding() {
    let server = server();
    check(person(), |value| {
        for binding in SOAP {
            let client = client(&server, binding);
            let answers = [
                wait(client.echo(&EchoRequest {
                    value: value.clone(),
                })),
                wait(client.echo_rpc(&EchoRpcRequest {
                    value: value.clone(),
                })),
                wait(client.echo_bare(&EchoBareRequest {
                    person: value.clone(),
                })),
            ];
            for answer in answers {
                same(binding, &value, &answer.map_err(|error| error.to_string())?)?;
            }
            let all = vec![value.clone(), Person::default()];
            let answer = wait(client.echo_all(&EchoAllRequest { all: all.clone() }));
            same(binding, &all, &answer.map_err(|error| error.to_string())?)?;
        }
        for binding in Binding::ALL {
            let answer = wait(client(&server, binding).last());
            same(binding, &value, &answer.map_err(|error| error.to_string())?)?;
        }
        Ok(())
    });
}

#[test]
fn choices_with_lists_are_parameters_and_results() {
    let how = prop_oneof![
        text().prop_map(ChooseRequestHow::Email),
        vec(phone(), 1..4).prop_map(ChooseRequestHow::Phones),
    ];
    let requests = (any::<i32>(), how, option::of(text()))
        .prop_map(|(before, how, after)| ChooseRequest { before, how, after });
    let server = server();
    check(requests, |request| {
        for binding in SOAP {
            let came = wait(client(&server, binding).choose(&request));
            let came = came.map_err(|error| error.to_string())?;
            same(binding, &answer(request.clone()), &came)?;
        }
        Ok(())
    });
}

#[test]
fn samples_of_content_models_are_what_goes_over_the_wire() {
    samples::hold("valid/content_models.yaml", server(), &[]);
}

/// What is in the result of `Echo` for this content of its parameter.
fn echo(server: &impl Answers, content: &str) -> String {
    let body = format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\
         <Echo xmlns=\"urn:example:content-models\"><value>{content}</value></Echo></s:Body></s:Envelope>"
    );
    let request = http::Request::post("/ContentModels.asmx")
        .header("content-type", "text/xml; charset=utf-8")
        .header("soapaction", "urn:example:content-models/Echo");
    let response = wait(server.answer(request.body(Bytes::from(body)).unwrap()));
    let text = String::from_utf8(response.body().to_vec()).unwrap();
    let result = text.split_once("<EchoResult>");
    let result = result.and_then(|(_, rest)| rest.split_once("</EchoResult>"));
    result.map_or(text.clone(), |(result, _)| result.to_owned())
}

#[test]
fn elements_in_any_order_lose_nothing_unless_reading_is_strict() {
    let strict = server().with_options(ServerOptions::new().with_strict(true));
    let rest = "<Age>1</Age>";
    let phone = |area: u8| format!("<Phone area=\"{area}\">p</Phone>");
    let (one, two) = (phone(1), phone(2));
    for (sent, answered, refused) in [
        // A list goes on after other elements, but after none of another alternative.
        (
            format!("{one}{two}<Line>a</Line>{rest}"),
            format!("<Name />{one}{two}<Line>a</Line>{rest}"),
            None,
        ),
        (
            format!("{one}<Line>a</Line>{rest}{two}<Line>b</Line><Name>n</Name>"),
            format!("<Name>n</Name>{one}{two}<Line>a</Line><Line>b</Line>{rest}"),
            Some(
                "The element 'Phone' of namespace 'urn:example:content-models' is not expected at this place in 'value'. No further element may stand there.",
            ),
        ),
        (
            format!("<Email>e</Email>{one}{rest}"),
            format!("<Name /><Email>e</Email>{rest}"),
            Some("'Phone'"),
        ),
        (
            format!("{one}<Email>e</Email>{two}{rest}"),
            format!("<Name />{one}{two}{rest}"),
            Some("'Email'"),
        ),
        (
            format!("{one}<Codes><int>1</int></Codes>{rest}"),
            format!("<Name />{one}{rest}"),
            Some(
                "'Codes' of namespace 'urn:example:content-models' is not expected at this place in 'value'. Elements that may: Phone, Line, Place, Note, Tag, Friend, Age.",
            ),
        ),
        // Of a wrapped list the last one counts.
        (
            format!("<Codes><int>1</int></Codes><Codes><int>2</int></Codes>{rest}"),
            format!("<Name /><Codes><int>2</int></Codes>{rest}"),
            Some("'Codes'"),
        ),
        (
            format!("<Tag>a</Tag><Tag>b</Tag><Note>n</Note><Note>o</Note><Tag>c</Tag>{rest}"),
            format!(
                "<Name /><Tag>a</Tag><Tag>b</Tag><Note>n</Note><Note>o</Note><Tag>c</Tag>{rest}"
            ),
            None,
        ),
        (
            format!("<Place><Town>t</Town></Place><Line>a</Line>{rest}"),
            format!("<Name /><Place><Town>t</Town></Place>{rest}"),
            Some("'Line'"),
        ),
    ] {
        assert_eq!(echo(&server(), &sent), answered, "{sent}");
        let strictly = echo(&strict, &sent);
        match refused {
            None => assert_eq!(strictly, answered, "{sent}"),
            Some(words) => assert!(strictly.contains(words), "{sent}: {strictly}"),
        }
    }
}

#[test]
fn the_wsdl_tells_which_alternatives_and_choices_are_repeated() {
    let request = http::Request::get("/ContentModels.asmx?wsdl").header("host", "localhost");
    let answer = wait(server().answer(request.body(Bytes::new()).unwrap()));
    let wsdl = String::from_utf8(answer.body().to_vec()).unwrap();
    let contact = "<s:choice minOccurs=\"0\" maxOccurs=\"1\">
            <s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Email\" type=\"s:string\" />
            <s:element minOccurs=\"0\" maxOccurs=\"unbounded\" name=\"Phone\" type=\"tns:Phone\" />
            <s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Codes\" type=\"tns:ArrayOfInt\" />";
    let remarks = "<s:choice minOccurs=\"0\" maxOccurs=\"unbounded\">
            <s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Note\" type=\"s:string\" />
            <s:element minOccurs=\"0\" maxOccurs=\"unbounded\" name=\"Tag\" nillable=\"true\" type=\"s:string\" />";
    for part in [contact, remarks] {
        assert!(wsdl.contains(part), "{part}: {wsdl}");
    }
}
