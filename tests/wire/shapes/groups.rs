//! Choices and sequences: repeated, nested, and with lists as alternatives.

use std::sync::Mutex;

use bytes::Bytes;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use svcgen::documents::{Documents, InvokeForm};
use svcgen::types::XmlFragment;
use svcgen::{Binding, Context, Fault, ServerOptions, Transport};
use svcgen_codegen::Config;
use svcgen_tests::random::text;

use super::{SOAP, URL, check, same, samples, wait};

svcgen::include_service!("content_models");
use content_models::*;

/// Returns its parameters, and keeps them for `Last`.
#[derive(Default)]
struct Keeps(Mutex<Person>, Mutex<Trip>);

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

    async fn echo_trip(&self, _: &Context, request: EchoTripRequest) -> Result<Trip, Fault> {
        self.1.lock().unwrap().clone_from(&request.trip);
        Ok(request.trip)
    }

    async fn last_trip(&self, _: &Context) -> Result<Trip, Fault> {
        Ok(self.1.lock().unwrap().clone())
    }

    async fn echo_reading(
        &self,
        _: &Context,
        request: EchoReadingRequest,
    ) -> Result<Reading, Fault> {
        Ok(request.reading)
    }

    async fn echo_open(&self, _: &Context, request: EchoOpenRequest) -> Result<Open, Fault> {
        Ok(request.open)
    }

    async fn echo_card(&self, _: &Context, request: EchoCardRequest) -> Result<Card, Fault> {
        Ok(request.card)
    }

    async fn sum(&self, _: &Context, request: SumRequest) -> Result<SumResponse, Fault> {
        let mut sums = std::collections::BTreeMap::<String, i32>::new();
        for number in request.numbers {
            let sum = sums.entry(number.name.unwrap_or_default()).or_default();
            *sum = sum.wrapping_add(number.value);
        }
        let sums = sums.into_iter();
        let sums = sums.map(|(name, sum)| SumResponseSums { name, sum });
        Ok(SumResponse {
            sums: sums.collect(),
        })
    }

    async fn evaluate(&self, _: &Context, request: EvaluateRequest) -> Result<Expression, Fault> {
        Ok(request.expression)
    }

    async fn choose(&self, _: &Context, request: ChooseRequest) -> Result<ChooseResponse, Fault> {
        Ok(answer(request))
    }
}

/// Returns the answer of `Choose`.
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

fn phone() -> BoxedStrategy<Phone> {
    (any::<i32>(), text())
        .prop_map(|(area, value)| Phone { area, value })
        .boxed()
}

fn contact() -> BoxedStrategy<PersonContact> {
    prop_oneof![
        text().prop_map(PersonContact::Email),
        vec(phone(), 1..4).prop_map(PersonContact::Phone),
        vec(any::<i32>(), 0..4).prop_map(PersonContact::Codes),
        vec(any::<i32>(), 0..4).prop_map(PersonContact::Marks),
    ]
    .boxed()
}

fn address() -> BoxedStrategy<PersonAddress> {
    let place = (text(), option::of(text()));
    prop_oneof![
        vec(text(), 0..4).prop_map(PersonAddress::Line),
        place.prop_map(|(town, country)| PersonAddress::Place(Place { town, country })),
    ]
    .boxed()
}

/// Joins consecutive items, which are read as one value.
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

fn person() -> BoxedStrategy<Person> {
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
    alone
        .prop_recursive(2, 8, 3, |inner| {
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
        .boxed()
}

fn leg() -> BoxedStrategy<TripLeg> {
    let foot = (any::<i32>(), option::of(any::<i32>()));
    let foot = foot.prop_map(|(kilometres, hours)| TripLegByFoot { kilometres, hours });
    let by = prop_oneof![
        text().prop_map(TripLegBy::Train),
        foot.prop_map(TripLegBy::Foot)
    ];
    let parts = (text(), text(), option::of(by), vec(text(), 0..3));
    parts
        .prop_map(|(from, to, by, stop)| TripLeg { from, to, by, stop })
        .boxed()
}

fn pay() -> BoxedStrategy<TripPay> {
    let card = (text(), option::of(text()), vec(any::<i32>(), 0..3));
    let card = card.prop_map(|(number, holder, valid)| TripPayCard {
        number,
        holder,
        valid,
    });
    prop_oneof![
        any::<i32>().prop_map(TripPay::Cash),
        card.prop_map(TripPay::Card),
        vec(any::<i32>(), 1..3).prop_map(TripPay::Points),
    ]
    .boxed()
}

fn log() -> BoxedStrategy<Vec<TripLog>> {
    let day = (text(), option::of(text()));
    let day = day.prop_map(|(date, weather)| TripLog::Day(TripLogDay { date, weather }));
    let photo = vec(text(), 1..3).prop_map(TripLog::Photo);
    // Consecutive photos are one value.
    vec(prop_oneof![day, photo], 0..5)
        .prop_map(|mut log| {
            log.dedup_by(|one, other| {
                matches!((one, other), (TripLog::Photo(_), TripLog::Photo(_)))
            });
            log
        })
        .boxed()
}

fn trip() -> BoxedStrategy<Trip> {
    let guide = (text(), option::of(phone()));
    let guide = guide.prop_map(|(guide_name, guide_phone)| TripGuide {
        guide_name,
        guide_phone,
    });
    let ends = (text(), option::of(text()));
    let parts = (ends, vec(leg(), 0..4), pay(), option::of(guide), log());
    parts
        .prop_map(|((title, end), leg, pay, guide, log)| Trip {
            title,
            leg,
            pay,
            guide,
            log,
            end,
        })
        .boxed()
}

fn server() -> ContentModelsServer<Keeps> {
    ContentModelsServer::new(Keeps::default())
}

fn client(
    server: &ContentModelsServer<Keeps>,
    binding: Binding,
) -> ContentModelsClient<ContentModelsServer<Keeps>> {
    let client = ContentModelsClient::new(server.clone(), URL).unwrap();
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
        for binding in Binding::DEFAULT {
            let answer = wait(client(&server, binding).last());
            same(binding, &value, &answer.map_err(|error| error.to_string())?)?;
        }
        Ok(())
    });
}

#[test]
fn sequences_come_back_as_they_were() {
    let server = server();
    check(trip(), |trip| {
        for binding in SOAP {
            let request = EchoTripRequest { trip: trip.clone() };
            let came = wait(client(&server, binding).echo_trip(&request));
            same(binding, &trip, &came.map_err(|error| error.to_string())?)?;
        }
        for binding in Binding::DEFAULT {
            let came = wait(client(&server, binding).last_trip());
            same(binding, &trip, &came.map_err(|error| error.to_string())?)?;
        }
        Ok(())
    });
}

#[test]
fn sequences_hold_their_own_type_in_a_box() {
    let number = |number| Expression {
        kind: ExpressionKind::Number(number),
    };
    let pair = |left, right| Expression {
        kind: ExpressionKind::Pair(Box::new(ExpressionKindPair { left, right })),
    };
    let expression = pair(pair(number(1), number(2)), pair(number(3), number(0)));
    for binding in SOAP {
        let request = EvaluateRequest {
            expression: expression.clone(),
        };
        let came = wait(client(&server(), binding).evaluate(&request));
        assert_eq!(came.unwrap(), expression);
    }
}

#[test]
fn repeated_sequences_are_parameters_and_results() {
    let number = |name: Option<&str>, value| SumRequestNumbers {
        name: name.map(str::to_owned),
        value,
    };
    let numbers = vec![
        number(Some("a"), 1),
        number(None, 2),
        number(None, 3),
        number(Some("a"), 4),
    ];
    for binding in SOAP {
        let request = SumRequest {
            numbers: numbers.clone(),
        };
        let came = wait(client(&server(), binding).sum(&request)).unwrap();
        let sums = came.sums.into_iter().map(|one| (one.name, one.sum));
        let sums: Vec<_> = sums.collect();
        assert_eq!(sums, [(String::new(), 5), ("a".to_owned(), 5)]);
    }
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

/// Returns the content of an operation's result for this content of its parameter.
fn answered(server: &impl Transport, [operation, parameter]: [&str; 2], content: &str) -> String {
    let body = format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\
         <{operation} xmlns=\"urn:example:content-models\"><{parameter}>{content}</{parameter}></{operation}></s:Body></s:Envelope>"
    );
    let request = http::Request::post("/ContentModels.asmx")
        .header("content-type", "text/xml; charset=utf-8")
        .header(
            "soapaction",
            format!("urn:example:content-models/{operation}"),
        );
    let response = wait(server.send(request.body(Bytes::from(body)).unwrap())).unwrap();
    let text = String::from_utf8(response.body().to_vec()).unwrap();
    let result = text.split_once(&format!("<{operation}Result>"));
    let result = result.and_then(|(_, rest)| rest.split_once(&format!("</{operation}Result>")));
    result.map_or(text.clone(), |(result, _)| result.to_owned())
}

/// Checks the answers of servers to these contents, and the errors of strict servers.
fn answers(call: [&str; 2], exchanges: &[(String, String, Option<&str>)]) {
    let strict = server().with_options(ServerOptions::new().with_strict(true));
    for (sent, expected, refused) in exchanges {
        assert_eq!(&answered(&server(), call, sent), expected, "{sent}");
        let strictly = answered(&strict, call, sent);
        match refused {
            None => assert_eq!(&strictly, expected, "{sent}"),
            Some(words) => assert!(strictly.contains(words), "{sent}: {strictly}"),
        }
    }
}

#[test]
fn items_of_repeated_sequences_begin_where_the_last_one_cannot_go_on() {
    let leg = |from: &str| format!("<From>{from}</From>");
    let trip = |legs: &str| format!("<Title />{legs}<Cash>0</Cash>");
    let empty = "<From />";
    let [a, b] = ["a", "b"].map(leg);
    answers(
        ["EchoTrip", "trip"],
        &[
            (format!("{a}{b}"), trip(&format!("{a}{b}")), None),
            // An element that belongs before the last one starts another item.
            (
                format!("{a}<To>t</To><Train>x</Train><To>u</To>"),
                trip(&format!("{a}<To>t</To><Train>x</Train>{empty}<To>u</To>")),
                None,
            ),
            (
                format!("<To>t</To>{a}"),
                trip(&format!("{empty}<To>t</To>{a}")),
                None,
            ),
            // A list continues; after it, the choice starts another item.
            (
                format!("{a}<Stop>1</Stop><Stop>2</Stop><Hours>3</Hours>"),
                trip(&format!(
                    "{a}<Stop>1</Stop><Stop>2</Stop>{empty}<Kilometres>0</Kilometres><Hours>3</Hours>"
                )),
                None,
            ),
            // Another alternative does the same.
            (
                format!("{a}<Train>x</Train><Kilometres>1</Kilometres><Hours>2</Hours>"),
                trip(&format!(
                    "{a}<Train>x</Train>{empty}<Kilometres>1</Kilometres><Hours>2</Hours>"
                )),
                None,
            ),
            // Elements of other parts between them have no effect unless reading is strict.
            (
                format!("{a}<Cash>0</Cash><Stop>1</Stop>{b}"),
                trip(&format!("{a}<Stop>1</Stop>{b}")),
                Some("'Stop'"),
            ),
        ],
    );
}

#[test]
fn sequences_that_are_not_repeated_are_read_in_any_order() {
    let trip = |content: &str| format!("<Title />{content}");
    let card = "<Number>n</Number><Holder>h</Holder><Valid />";
    answers(
        ["EchoTrip", "trip"],
        &[
            (
                "<Number>n</Number><Holder>h</Holder><Valid/><GuideName>g</GuideName>".to_owned(),
                trip(&format!("{card}<GuideName>g</GuideName>")),
                None,
            ),
            (
                "<Valid/><GuideName>g</GuideName><Holder>h</Holder><Holder>i</Holder><Number>n</Number><Cash>7</Cash>".to_owned(),
                trip(&format!("{card}<GuideName>g</GuideName>")),
                Some("'Holder'"),
            ),
            (
                "<Points>1</Points><Number>n</Number><Points>2</Points>".to_owned(),
                trip("<Points>1</Points><Points>2</Points>"),
                Some("'Number'"),
            ),
            // Several days, and consecutive photos.
            (
                "<Cash>1</Cash><Date>1</Date><Weather>w</Weather><Date>2</Date><Photo>a</Photo><Photo>b</Photo><Weather>x</Weather>".to_owned(),
                trip("<Cash>1</Cash><Date>1</Date><Weather>w</Weather><Date>2</Date><Photo>a</Photo><Photo>b</Photo><Date /><Weather>x</Weather>"),
                None,
            ),
        ],
    );
}

#[test]
fn the_wsdl_has_sequences_in_choices_and_choices_in_sequences() {
    let request = http::Request::get("/ContentModels.asmx?wsdl").header("host", "localhost");
    let answer = wait(server().answer(request.body(Bytes::new()).unwrap()));
    let wsdl = String::from_utf8(answer.body().to_vec()).unwrap();
    let wsdl: String = wsdl.lines().map(str::trim).collect();
    let leg = "<s:sequence minOccurs=\"0\" maxOccurs=\"unbounded\">\
        <s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"From\" type=\"s:string\" />\
        <s:element minOccurs=\"0\" maxOccurs=\"1\" default=\"home\" name=\"To\" type=\"s:string\" />\
        <s:choice minOccurs=\"0\" maxOccurs=\"1\">\
        <s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Train\" type=\"s:string\" />\
        <s:sequence minOccurs=\"1\" maxOccurs=\"1\">\
        <s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Kilometres\" type=\"s:int\" />\
        <s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Hours\" nillable=\"true\" type=\"s:int\" />\
        </s:sequence></s:choice>";
    assert!(wsdl.contains(leg), "{wsdl}");
}

#[test]
fn elements_in_any_order_lose_nothing_unless_reading_is_strict() {
    let rest = "<Age>1</Age>";
    let phone = |area: u8| format!("<Phone area=\"{area}\">p</Phone>");
    let (one, two) = (phone(1), phone(2));
    answers(
        ["Echo", "value"],
        &[
            // A list continues after other elements, but not after those of another alternative.
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
            // Of several wrapped lists, the last one counts.
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
        ],
    );
}

#[test]
fn elements_in_any_order_are_read_so_also_by_strict_servers() {
    let [first, middle, codes, last] = [
        "<First>f</First>",
        "<Middle>1</Middle>",
        "<Codes><int>1</int></Codes>",
        "<Last>l</Last>",
    ];
    let all = format!("{first}{middle}{codes}{last}");
    let answer = |content: &str| content.to_owned();
    let twice = "'First' of namespace 'urn:example:content-models' is not expected at this place in 'card'. Elements that may: Middle, Last.";
    answers(
        ["EchoCard", "card"],
        &[
            (all.clone(), answer(&all), None),
            (format!("{last}{codes}{middle}{first}"), answer(&all), None),
            (format!("{middle}{last} {first}{codes}"), answer(&all), None),
            (format!("{codes}{first}"), format!("{first}{codes}"), None),
            // Each element occurs at most once.
            (
                format!("{codes}{first}{first}"),
                format!("{first}{codes}"),
                Some(twice),
            ),
            (
                format!("{last}<Unknown />{first}{codes}"),
                format!("{first}{codes}{last}"),
                Some("'Unknown'"),
            ),
        ],
    );
}

fn reading() -> BoxedStrategy<Reading> {
    let place = (text(), option::of(text()));
    let place = place.prop_map(|(town, country)| Place { town, country });
    let value = prop_oneof![
        any::<bool>().prop_map(ReadingValue::Missing),
        option::of(any::<i32>()).prop_map(ReadingValue::Exact),
        option::of(text()).prop_map(ReadingValue::Note),
        option::of(place).prop_map(ReadingValue::Where),
        option::of(vec(any::<i32>(), 0..3)).prop_map(ReadingValue::Marks),
    ];
    let more = prop_oneof![
        (0..10).prop_map(ReadingMore::Level),
        Just(ReadingMore::At(None)),
        text().prop_map(ReadingMore::Unit),
    ];
    let next = prop_oneof![
        option::of(any::<i32>()).prop_map(ReadingNext::Step),
        vec(option::of(any::<i32>()), 1..3).prop_map(ReadingNext::Steps),
    ];
    let all = (value, vec(more, 0..3), option::of(next), 0..5, text());
    all.prop_map(|(value, more, next, count, scale)| Reading {
        value,
        more,
        next,
        count,
        scale,
        topic: None,
        pets: Vec::new(),
        cost: None,
    })
    .boxed()
}

#[test]
fn alternatives_may_be_nil_and_have_defaults() {
    let server = server();
    check(reading(), |reading| {
        for binding in SOAP {
            let request = EchoReadingRequest {
                reading: reading.clone(),
            };
            let came = wait(client(&server, binding).echo_reading(&request));
            same(binding, &reading, &came.map_err(|error| error.to_string())?)?;
        }
        Ok(())
    });
}

#[test]
fn chosen_alternatives_and_elements_that_are_always_there_are_written() {
    let nil = |name: &str| format!("<{name} xsi:nil=\"true\" />");
    let sent = |name: &str| {
        let xsi = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
        format!("<{name} {xsi} xsi:nil=\"true\" />")
    };
    let rest = "<Count>3</Count><Scale>km</Scale>";
    answers(
        ["EchoReading", "reading"],
        &[
            // The first alternative has a fixed value, which is used if the choice is empty.
            (
                String::new(),
                format!("<Missing>true</Missing>{rest}"),
                None,
            ),
            (sent("Exact"), format!("{}{rest}", nil("Exact")), None),
            (sent("Where"), format!("{}{rest}", nil("Where")), None),
            (sent("Marks"), format!("{}{rest}", nil("Marks")), None),
            (
                format!(
                    "<Exact>1</Exact><Level />{}<Unit />{}",
                    sent("At"),
                    sent("Step")
                ),
                format!(
                    "<Exact>1</Exact><Level>5</Level>{}<Unit />{}{rest}",
                    nil("At"),
                    nil("Step")
                ),
                None,
            ),
            (
                "<Exact>1</Exact><Count /><Scale /><Topic>a<x xmlns=\"urn:x\" /></Topic>"
                    .to_owned(),
                "<Exact>1</Exact><Count>3</Count><Scale /><Topic>a<x xmlns=\"urn:x\" /></Topic>"
                    .to_owned(),
                None,
            ),
        ],
    );
}

#[test]
fn what_restricts_a_type_stands_in_its_place() {
    let pet = |attributes: &str, content: &str| {
        let xsi = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
        format!("<Pets {xsi}{attributes}>{content}</Pets>")
    };
    let answered = |attributes: &str, content: &str| {
        format!(
            "<Missing>true</Missing><Count>3</Count><Scale>km</Scale><Pets{attributes}>{content}</Pets>"
        )
    };
    let dog = "<Name>Rex</Name><Legs>4</Legs>";
    let puppy = format!("{dog}<Weeks>5</Weeks>");
    let lost = format!("{dog}<Owner>Ann</Owner>");
    answers(
        ["EchoReading", "reading"],
        &[
            (
                pet(" xsi:type=\"Dog\" id=\"1\"", dog),
                answered(" xsi:type=\"Dog\" id=\"1\"", dog),
                None,
            ),
            (
                pet(" xsi:type=\"Puppy\" id=\"1\"", &puppy),
                answered(" xsi:type=\"Puppy\" id=\"1\"", &puppy),
                None,
            ),
            // The type only has the elements that it declares itself, not those of the type that it
            // restricts.
            (
                pet(" xsi:type=\"Dog\" id=\"1\"", &lost),
                answered(" xsi:type=\"Dog\" id=\"1\"", dog),
                Some("'Owner'"),
            ),
        ],
    );
    let request = http::Request::get("/ContentModels.asmx?wsdl").header("host", "localhost");
    let answer = wait(server().answer(request.body(Bytes::new()).unwrap()));
    let wsdl = String::from_utf8(answer.body().to_vec()).unwrap();
    let wsdl: String = wsdl.lines().map(str::trim).collect();
    for part in [
        "<s:complexType name=\"Dog\"><s:complexContent mixed=\"false\"><s:restriction base=\"tns:Creature\"><s:sequence>\
        <s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Name\" type=\"s:string\" />\
        <s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Legs\" type=\"s:int\" /></s:sequence>\
        <s:attribute name=\"id\" type=\"s:int\" use=\"required\" /><s:attribute name=\"tag\" use=\"prohibited\" />\
        </s:restriction></s:complexContent></s:complexType>",
        "<s:complexType name=\"SmallPrice\"><s:simpleContent><s:restriction base=\"tns:Price\">\
        <s:simpleType><s:restriction base=\"s:decimal\"><s:maxInclusive value=\"10\" /></s:restriction></s:simpleType>\
        <s:attribute name=\"currency\" type=\"s:string\" use=\"required\" /></s:restriction></s:simpleContent></s:complexType>",
    ] {
        assert!(wsdl.contains(part), "{part}: {wsdl}");
    }
}

#[test]
fn the_wsdl_tells_of_alternatives_that_may_be_nil_and_of_defaults() {
    let request = http::Request::get("/ContentModels.asmx?wsdl").header("host", "localhost");
    let answer = wait(server().answer(request.body(Bytes::new()).unwrap()));
    let wsdl = String::from_utf8(answer.body().to_vec()).unwrap();
    for part in [
        "<s:element minOccurs=\"1\" maxOccurs=\"1\" fixed=\"true\" name=\"Missing\" type=\"s:boolean\" />",
        "<s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Exact\" nillable=\"true\" type=\"s:int\" />",
        "<s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Where\" nillable=\"true\" type=\"tns:Place\" />",
        "<s:element minOccurs=\"1\" maxOccurs=\"1\" default=\"5\" name=\"Level\" type=\"s:int\" />",
        "<s:element minOccurs=\"1\" maxOccurs=\"1\" default=\"km\" name=\"Scale\" type=\"s:string\" />",
        "<s:any minOccurs=\"0\" maxOccurs=\"1\" namespace=\"##other\" processContents=\"lax\" />",
    ] {
        assert!(wsdl.contains(part), "{part}: {wsdl}");
    }
}

#[test]
fn the_wsdl_tells_of_elements_in_any_order() {
    let request = http::Request::get("/ContentModels.asmx?wsdl").header("host", "localhost");
    let answer = wait(server().answer(request.body(Bytes::new()).unwrap()));
    let wsdl = String::from_utf8(answer.body().to_vec()).unwrap();
    let wsdl: String = wsdl.lines().map(str::trim).collect();
    let card = "<s:complexType name=\"Card\"><s:all>\
        <s:element minOccurs=\"0\" maxOccurs=\"1\" name=\"First\" type=\"s:string\" />\
        <s:element minOccurs=\"0\" maxOccurs=\"1\" name=\"Middle\" type=\"s:string\" />\
        <s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Codes\" type=\"tns:ArrayOfInt\" />\
        <s:element minOccurs=\"0\" maxOccurs=\"1\" default=\"none\" name=\"Last\" type=\"s:string\" />\
        </s:all></s:complexType>";
    assert!(wsdl.contains(card), "{wsdl}");
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

#[test]
fn documents_tell_what_belongs_together() {
    let definition = include_str!("../../definitions/valid/content_models.yaml");
    let described = Config::new().describe("content_models.yaml", definition);
    let described = described.unwrap();
    let reference = described.with(svcgen_documents::reference::markdown);
    let reference = reference.unwrap();
    for notes in [
        "part of Leg, any number",
        "part of Leg, any number, one of By, or none, part of Foot",
        "part of Guide, which is optional",
        "any of Log, any number, part of Day",
        "one of Pay, any number",
    ] {
        assert!(reference.contains(notes), "{notes}: {reference}");
    }
    let request = http::Request::get("/ContentModels.asmx?op=EchoTrip").header("host", "localhost");
    let documents = Documents::new().with_invoke_form(InvokeForm::Always);
    let server = server().with_documents(documents);
    let page = wait(server.answer(request.body(Bytes::new()).unwrap()));
    let page = String::from_utf8(page.body().to_vec()).unwrap();
    for part in [
        "<legend>Leg <span class=\"type\">sequence</span></legend>",
        "<template data-alternative=\"Card\">",
        "<template data-alternative=\"Guide\">",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

fn foreign() -> BoxedStrategy<XmlFragment> {
    (0..100u8)
        .prop_map(|number| {
            XmlFragment::parse(&format!("<n xmlns=\"urn:foreign\">{number}</n>")).unwrap()
        })
        .boxed()
}

fn more() -> BoxedStrategy<XmlFragment> {
    (0..100u8)
        .prop_map(|number| {
            XmlFragment::parse(&format!("<m xmlns=\"urn:x\" a=\"{number}\" />")).unwrap()
        })
        .boxed()
}

#[test]
fn wildcards_in_choices_come_back_as_they_were() {
    let known = prop_oneof![
        any::<i32>().prop_map(OpenKnown::Number),
        foreign().prop_map(OpenKnown::Other),
    ];
    let one = prop_oneof![
        text().prop_map(OpenAll::Text),
        vec(more(), 1..4).prop_map(OpenAll::More),
    ];
    let all = vec(one, 0..5).prop_map(|mut all| {
        all.dedup_by(|one, other| matches!((one, other), (OpenAll::More(_), OpenAll::More(_))));
        all
    });
    let opens = (known, all, option::of(text()));
    let opens = opens.prop_map(|(known, all, last)| Open { known, all, last });
    let server = server();
    check(opens, |open| {
        for binding in SOAP {
            let request = EchoOpenRequest { open: open.clone() };
            let came = wait(client(&server, binding).echo_open(&request));
            same(binding, &open, &came.map_err(|error| error.to_string())?)?;
        }
        Ok(())
    });
}

#[test]
fn a_wildcard_in_a_choice_takes_what_no_other_alternative_does() {
    let [one, two] = ["one", "two"].map(|name| format!("<{name} xmlns=\"urn:foreign\" />"));
    let more = "<m xmlns=\"urn:x\" />";
    answers(
        ["EchoOpen", "open"],
        &[
            (one.clone(), one.clone(), None),
            (
                "<Number>1</Number>".to_owned(),
                "<Number>1</Number>".to_owned(),
                None,
            ),
            // Only one alternative is present.
            (
                format!("<Number>1</Number>{one}"),
                "<Number>1</Number>".to_owned(),
                Some("'one'"),
            ),
            (format!("{one}{two}"), one.clone(), Some("'two'")),
            (
                format!("{one}{more}{more}<Text>t</Text>{more}<Last>l</Last>"),
                format!("{one}{more}{more}<Text>t</Text>{more}<Last>l</Last>"),
                None,
            ),
        ],
    );
    let request = http::Request::get("/ContentModels.asmx?wsdl").header("host", "localhost");
    let answer = wait(server().answer(request.body(Bytes::new()).unwrap()));
    let wsdl = String::from_utf8(answer.body().to_vec()).unwrap();
    let wsdl: String = wsdl.lines().map(str::trim).collect();
    for particles in [
        "<s:element minOccurs=\"1\" maxOccurs=\"1\" name=\"Number\" type=\"s:int\" />\
         <s:any minOccurs=\"1\" maxOccurs=\"1\" namespace=\"urn:foreign\" processContents=\"lax\" /></s:choice>",
        "<s:any minOccurs=\"0\" maxOccurs=\"unbounded\" namespace=\"urn:x\" processContents=\"lax\" /></s:choice>",
    ] {
        assert!(wsdl.contains(particles), "{particles}: {wsdl}");
    }
}
