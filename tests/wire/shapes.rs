//! Round trips of every type and every shape of the definition language, through emitted code and
//! over every binding that supports it.

pub(crate) mod samples;

use std::any::Any;
use std::fmt::Debug;
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Poll, Waker};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use svcgen::chrono::{FixedOffset, NaiveDate, NaiveTime, Offset as _, Utc};
use svcgen::types::{Decimal, Guid, XmlAttributes, XmlFragment};
use svcgen::{Binding, CallError, Context, Fault, Secret};
use svcgen_tests::random::{text, value_of};

svcgen::include_service!("messages");
svcgen::include_service!("objects");
svcgen::include_service!("simple_types");
svcgen::include_service!("unqualified");

use messages::{Account, MessagesHandler, MessagesServer, Reason};
use objects::*;
use simple_types::{Everything, Maybe, SimpleTypesHandler, SimpleTypesServer};
use unqualified::{UnqualifiedHandler, UnqualifiedServer};

const URL: &str = "http://localhost";
const SOAP: [Binding; 2] = [Binding::Soap11, Binding::Soap12];

/// Returns its parameters, and keeps the request.
#[derive(Default)]
struct Echo(Mutex<Option<Box<dyn Any + Send>>>);

impl Echo {
    fn keep<T: Clone + Send + 'static>(&self, value: &T) {
        *self.0.lock().unwrap() = Some(Box::new(value.clone()));
    }

    fn kept<T: 'static>(&self) -> T {
        let kept = self
            .0
            .lock()
            .unwrap()
            .take()
            .expect("the handler was called");
        *kept.downcast().expect("with a request of this type")
    }
}

macro_rules! echoes {
    ($($method:ident($request:ident: $type:ty) -> $result:ty = $answer:expr;)*) => {
        $(
            async fn $method(&self, _: &Context, $request: $type) -> Result<$result, Fault> {
                self.keep(&$request);
                Ok($answer)
            }
        )*
    };
}

impl SimpleTypesHandler for Echo {
    echoes! {
        echo(request: simple_types::EchoRequest) -> Everything = request.all;
        echo_maybe(request: simple_types::EchoMaybeRequest) -> Option<Maybe> = request.all;
        echo_lists(request: simple_types::EchoListsRequest) -> simple_types::Lists = request.all;
        echo_xml(request: simple_types::EchoXmlRequest) -> XmlFragment = request.xml;
        flat(request: simple_types::FlatRequest) -> Everything = everything_of(&request);
        flat_lists(request: simple_types::FlatListsRequest) -> simple_types::Lists = lists_of(&request);
        chars(request: simple_types::CharsRequest) -> char = request.value;
        guids(request: simple_types::GuidsRequest) -> Guid = request.value;
        dates(request: simple_types::DatesRequest) -> Option<svcgen::types::DateTime> = request.value;
        amounts(request: simple_types::AmountsRequest) -> Vec<Decimal> = request.values;
        integers(request: simple_types::IntegersRequest) -> Option<svcgen::types::Integer> = request.value;
    }
}

impl ObjectsHandler for Echo {
    echoes! {
        attributes(request: AttributesRequest) -> Attributed = request.value;
        texts(request: TextsRequest) -> Option<Price> = request.all.map(|_| request.value);
        matrix(request: MatrixRequest) -> Vec<Vec<Option<i32>>> =
            request.numbers.into_iter().map(|row| row.into_iter().map(Some).chain([None]).collect()).collect();
        texts2(request: Texts2Request) -> Vec<Option<Vec<String>>> = request.values;
        choose(request: ChooseRequest) -> Person = Person { age: Some(request.before), ..Person::default() };
        people(request: PeopleRequest) -> Vec<Person> = request.people;
        animals(request: AnimalsRequest) -> Vec<AnyAnimal> = request.more;
        one_animal(request: OneAnimalRequest) -> Option<AnyAnimal> = request.animal;
        shapes(request: ShapesRequest) -> AnyShape = request.shape;
        vehicles(request: VehiclesRequest) -> AnyVehicle = request.vehicle;
        trees(request: TreesRequest) -> Expression = request.expression;
        empties(request: EmptiesRequest) -> Option<Empty> = request.all.first().cloned();
    }
}

impl UnqualifiedHandler for Echo {
    echoes! {
        add(request: unqualified::AddRequest) -> i32 = request.a.wrapping_add(request.b);
        draw(request: unqualified::DrawRequest) -> Vec<unqualified::AnyShape> = vec![request.shape];
    }

    async fn r#move(
        &self,
        _: &Context,
        headers: unqualified::MoveHeaders,
        request: unqualified::MoveRequest,
    ) -> Result<unqualified::Point, Fault> {
        self.keep(&(headers.clone(), request.clone()));
        match headers.trace.as_deref() {
            Some("outside") => Err(Fault::client("outside").with_detail(&request.point)),
            _ => Ok(request.point),
        }
    }
}

/// Runs a check on values.
fn check<T: Debug + 'static>(
    values: impl Strategy<Value = T> + 'static,
    check: impl Fn(T) -> Result<(), String>,
) {
    // This function is compiled once for each type of values.
    check_each(&values.boxed(), &check);
}

fn check_each<T: Debug>(values: &BoxedStrategy<T>, check: &dyn Fn(T) -> Result<(), String>) {
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 500,
        ..ProptestConfig::default()
    };
    let checked = |value| check(value).map_err(TestCaseError::fail);
    if let Err(failure) = TestRunner::new(config).run(values, checked) {
        panic!("{failure}");
    }
}

fn same<T: PartialEq + Debug>(binding: Binding, sent: &T, came: &T) -> Result<(), String> {
    if sent == came {
        Ok(())
    } else {
        Err(format!("over {binding}: sent {sent:?}, came {came:?}"))
    }
}

/// Returns the output of a future, which never waits as the call stays in the process.
pub(crate) fn wait<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut std::task::Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("a call in the process waits"),
    }
}

/// Calls an operation over bindings with values of its request type. The handler must receive the
/// sent request, and the caller the returned answer.
macro_rules! round_trip {
    ($server:ident, $client:path, $bindings:expr, $method:ident, $requests:expr, $answer:expr) => {{
        let server = $server::new(Echo::default());
        check($requests, |request| {
            for binding in $bindings {
                let client = <$client>::new(server.clone(), URL)
                    .unwrap()
                    .with_binding(binding);
                let answer = wait(client.$method(&request.clone()))
                    .map_err(|error| format!("over {binding}: {error:?}"))?;
                same(binding, &request, &server.handler().kept())?;
                same(binding, &$answer(request.clone()), &answer)?;
            }
            Ok(())
        });
    }};
}

macro_rules! simple_types {
    ($bindings:expr, $method:ident, $requests:expr, $answer:expr) => {
        round_trip!(
            SimpleTypesServer,
            simple_types::SimpleTypesClient<_>,
            $bindings,
            $method,
            $requests,
            $answer
        )
    };
}

macro_rules! objects {
    ($method:ident, $requests:expr, $answer:expr) => {
        round_trip!(
            ObjectsServer,
            ObjectsClient<_>,
            SOAP,
            $method,
            $requests,
            $answer
        )
    };
}

fn number<T: Arbitrary + Clone + Debug + 'static>(extremes: &[T]) -> BoxedStrategy<T> {
    prop_oneof![1 => select(extremes.to_vec()), 3 => any::<T>()].boxed()
}

fn double() -> BoxedStrategy<f64> {
    let hard = [
        0.0,
        1e15,
        1e-7,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.1,
        5e-324,
    ];
    prop_oneof![1 => select(hard.to_vec()), 3 => any::<f64>().prop_filter("NaN is not itself", |n| !n.is_nan())].boxed()
}

fn float() -> BoxedStrategy<f32> {
    let hard = [
        0.0,
        1e7,
        1e-7,
        f32::MAX,
        f32::MIN_POSITIVE,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.1,
    ];
    prop_oneof![1 => select(hard.to_vec()), 3 => any::<f32>().prop_filter("NaN is not itself", |n| !n.is_nan())].boxed()
}

fn decimal() -> BoxedStrategy<Decimal> {
    (any::<i64>(), any::<u32>(), 0..=28u32)
        .prop_map(|(low, high, scale)| {
            let mantissa = i128::from(low) * i128::from(high);
            Decimal::from_i128_with_scale(mantissa % (1 << 95), scale)
        })
        .boxed()
}

fn integer() -> BoxedStrategy<svcgen::types::Integer> {
    any::<i128>().prop_map(svcgen::types::Integer::from).boxed()
}

fn date() -> BoxedStrategy<svcgen::types::Date> {
    (1..=9999i32, 1..=365u32)
        .prop_map(|(year, day)| svcgen::types::Date(NaiveDate::from_yo_opt(year, day).unwrap()))
        .boxed()
}

fn clock() -> BoxedStrategy<NaiveTime> {
    let fraction = prop_oneof![Just(0), 0..10_000_000u32];
    (0..86_400u32, fraction)
        .prop_map(|(seconds, ticks)| {
            NaiveTime::from_num_seconds_from_midnight_opt(seconds, ticks * 100).unwrap()
        })
        .boxed()
}

fn zone() -> BoxedStrategy<svcgen::types::Zone> {
    prop_oneof![
        Just(svcgen::types::Zone::Unspecified),
        Just(svcgen::types::Zone::Utc),
        (1..=840i32, any::<bool>()).prop_map(|(minutes, west)| {
            let seconds = minutes * if west { -60 } else { 60 };
            svcgen::types::Zone::Offset(FixedOffset::east_opt(seconds).unwrap())
        }),
    ]
    .boxed()
}

fn date_time() -> BoxedStrategy<svcgen::types::DateTime> {
    (date(), clock(), zone())
        .prop_map(|(date, clock, zone)| svcgen::types::DateTime {
            local: date.0.and_time(clock),
            zone,
        })
        .boxed()
}

fn time() -> BoxedStrategy<svcgen::types::Time> {
    // In XML, a time always has an offset.
    (clock(), zone())
        .prop_map(|(local, zone)| svcgen::types::Time {
            local,
            zone: svcgen::types::Zone::Offset(zone.offset().unwrap_or(Utc.fix())),
        })
        .boxed()
}

fn duration() -> BoxedStrategy<svcgen::types::Duration> {
    let texts = vec(0..1000u32, 6).prop_map(|n| {
        format!(
            "P{}Y{}M{}DT{}H{}M{}.{:03}S",
            n[0],
            n[1] % 12,
            n[2] % 28,
            n[3] % 24,
            n[4] % 60,
            n[5] % 60,
            n[5]
        )
    });
    (texts, any::<bool>())
        .prop_map(|(text, negative)| {
            let sign = if negative { "-" } else { "" };
            format!("{sign}{text}").parse().unwrap()
        })
        .boxed()
}

/// Within a default namespace, a name without a namespace cannot be written.
fn qname() -> BoxedStrategy<svcgen::types::QName> {
    let namespaces = select(vec![
        "urn:example:simple-types",
        "http://example.com/?a=1&b=<2>",
    ]);
    (namespaces, "[A-Za-z_][A-Za-z0-9_.-]{0,6}")
        .prop_map(|(namespace, local)| svcgen::types::QName::new(namespace, local))
        .boxed()
}

fn character() -> BoxedStrategy<char> {
    prop_oneof![
        prop::char::range(' ', '~'),
        prop::char::range('\u{a0}', '\u{d7ff}'),
        Just('\u{fffd}')
    ]
    .boxed()
}

prop_compose! {
    fn everything()(
        strings in vec(text(), 4),
        bytes in vec(vec(any::<u8>(), 0..12), 2),
        whole in (any::<bool>(), number(&[0, i32::MIN, i32::MAX]), number(&[i64::MIN, i64::MAX]), any::<i8>(), any::<i16>(), any::<u8>(), any::<u16>(), number(&[u32::MAX]), number(&[u64::MAX])),
        broken in (integer(), float(), double(), decimal()),
        others in (character(), any::<u128>(), date_time(), date(), time(), duration(), qname()),
    ) -> Everything {
        let mut strings = strings.into_iter();
        let mut bytes = bytes.into_iter();
        Everything {
            string: strings.next().unwrap(),
            normalized_string: strings.next().unwrap(),
            // White space around both is removed when reading.
            token: strings.next().unwrap().trim().to_owned(),
            any_uri: strings.next().unwrap().trim().to_owned(),
            base64_binary: bytes.next().unwrap(),
            hex_binary: svcgen::types::HexBinary(bytes.next().unwrap()),
            boolean: whole.0,
            int: whole.1,
            long: whole.2,
            byte: whole.3,
            short: whole.4,
            unsigned_byte: whole.5,
            unsigned_short: whole.6,
            unsigned_int: whole.7,
            unsigned_long: whole.8,
            integer: broken.0,
            float: broken.1,
            double: broken.2,
            decimal: broken.3,
            char: others.0,
            guid: Guid::from_u128(others.1),
            date_time: others.2,
            date: others.3,
            time: others.4,
            duration: others.5,
            qname: others.6,
        }
    }
}

prop_compose! {
    fn maybe()(all in everything(), there in vec(any::<bool>(), 13), xml in fragment()) -> Maybe {
        Maybe {
            string: there[0].then_some(all.string),
            hex_binary: there[1].then_some(all.hex_binary),
            integer: there[2].then_some(all.integer),
            double: there[3].then_some(all.double),
            decimal: there[4].then_some(all.decimal),
            char: there[5].then_some(all.char),
            guid: there[6].then_some(all.guid),
            date_time: there[7].then_some(all.date_time),
            date: there[8].then_some(all.date),
            time: there[9].then_some(all.time),
            duration: there[10].then_some(all.duration),
            qname: there[11].then_some(all.qname),
            xml: there[12].then_some(xml),
        }
    }
}

/// XML with its own elements and prefixes.
fn fragment() -> BoxedStrategy<XmlFragment> {
    (content(), attributes())
        .prop_map(|(content, attributes)| content.with_attributes(attributes))
        .boxed()
}

/// Attributes in several namespaces, and with qualified names as values. The prefixes do not occur
/// in texts.
fn attributes() -> BoxedStrategy<XmlAttributes> {
    let texts = [
        "",
        "a='1'",
        "first:a='1' a='first' xmlns:first='urn:p'",
        "xsi:type='first:Dog' first:x='' other:x='y' xmlns:other='urn:q' xmlns:first='urn:p'",
        "xml:lang='en' xsi:type='first:Dog' xmlns:first='urn:example:simple-types'",
    ];
    select(texts.to_vec())
        .prop_map(|text| text.parse().unwrap())
        .boxed()
}

fn content() -> BoxedStrategy<XmlFragment> {
    (text(), text(), any::<bool>())
        .prop_map(|(attribute, text, deep)| {
            let mut element = XmlFragment::element("own")
                .with_namespace("urn:own")
                .with_attribute("a", &attribute)
                .with_text(&text);
            if deep {
                element = element.with_child(
                    XmlFragment::element("child")
                        .with_namespace("urn:own")
                        .with_text("<&>"),
                );
            }
            element.build().unwrap()
        })
        .boxed()
}

macro_rules! converted {
    ($from:ident as $module:ident::$type:ident { $($field:ident),* }) => {
        $module::$type { $($field: $from.$field.clone()),* }
    };
}

macro_rules! everything_fields {
    ($from:ident, $type:ident) => {
        converted!($from as simple_types::$type {
            string, normalized_string, token, any_uri, base64_binary, hex_binary, boolean, int, long, byte, short, unsigned_byte,
            unsigned_short, unsigned_int, unsigned_long, integer, float, double, decimal, char, guid, date_time, date, time, duration, qname
        })
    };
}

fn everything_of(request: &simple_types::FlatRequest) -> Everything {
    everything_fields!(request, Everything)
}

fn flat_of(all: &Everything) -> simple_types::FlatRequest {
    everything_fields!(all, FlatRequest)
}

fn lists_of(request: &simple_types::FlatListsRequest) -> simple_types::Lists {
    converted!(request as simple_types::Lists { texts, numbers, moments, amounts, colours, switches })
}

fn flat_lists_of(all: &simple_types::Lists) -> simple_types::FlatListsRequest {
    converted!(all as simple_types::FlatListsRequest { texts, numbers, moments, amounts, colours, switches })
}

prop_compose! {
    fn lists()(
        texts in vec(text(), 0..4),
        numbers in option::of(vec(any::<i64>(), 0..4)),
        moments in vec(date_time(), 0..3),
        amounts in vec(decimal(), 0..3),
        colours in vec(value_of(), 0..3),
        switches in vec(any::<bool>(), 0..3),
    ) -> simple_types::Lists {
        simple_types::Lists { texts, numbers, moments, amounts, colours, switches }
    }
}

#[test]
fn simple_types_come_back_as_they_were() {
    let requests = everything().prop_map(|all| simple_types::EchoRequest { all });
    simple_types!(
        SOAP,
        echo,
        requests,
        |request: simple_types::EchoRequest| request.all
    );
}

#[test]
fn absent_simple_values_come_back_as_they_were() {
    let requests = option::of(maybe());
    let requests = requests.prop_map(|all| simple_types::EchoMaybeRequest { all });
    simple_types!(
        SOAP,
        echo_maybe,
        requests,
        |request: simple_types::EchoMaybeRequest| request.all
    );
}

#[test]
fn parameters_of_simple_types_come_over_every_binding() {
    let requests = everything().prop_map(|all| flat_of(&all));
    simple_types!(Binding::DEFAULT, flat, requests, |request| everything_of(
        &request
    ));
}

#[test]
fn lists_come_back_as_they_were() {
    let requests = lists().prop_map(|all| simple_types::EchoListsRequest { all });
    simple_types!(
        SOAP,
        echo_lists,
        requests,
        |request: simple_types::EchoListsRequest| request.all
    );
    let requests = lists().prop_map(|all| flat_lists_of(&all));
    simple_types!(SOAP, flat_lists, requests, |request| lists_of(&request));
}

/// A form does not distinguish an empty list from an absent one.
#[test]
fn lists_come_over_forms() {
    let requests = lists().prop_map(|all| {
        let numbers = all.numbers.clone().filter(|numbers| !numbers.is_empty());
        flat_lists_of(&simple_types::Lists { numbers, ..all })
    });
    simple_types!(Binding::DEFAULT, flat_lists, requests, |request| lists_of(
        &request
    ));
}

#[test]
fn single_results_come_over_every_binding() {
    let requests = character().prop_map(|value| simple_types::CharsRequest { value });
    simple_types!(
        Binding::DEFAULT,
        chars,
        requests,
        |request: simple_types::CharsRequest| request.value
    );
    let requests = any::<u128>().prop_map(|value| simple_types::GuidsRequest {
        value: Guid::from_u128(value),
    });
    simple_types!(
        Binding::DEFAULT,
        guids,
        requests,
        |request: simple_types::GuidsRequest| request.value
    );
    let requests = option::of(date_time()).prop_map(|value| simple_types::DatesRequest { value });
    simple_types!(
        Binding::DEFAULT,
        dates,
        requests,
        |request: simple_types::DatesRequest| request.value
    );
    let requests = vec(decimal(), 0..4).prop_map(|values| simple_types::AmountsRequest { values });
    simple_types!(
        Binding::DEFAULT,
        amounts,
        requests,
        |request: simple_types::AmountsRequest| request.values
    );
    let requests = integer().prop_map(|value| simple_types::IntegersRequest { value: Some(value) });
    simple_types!(
        Binding::DEFAULT,
        integers,
        requests,
        |request: simple_types::IntegersRequest| request.value
    );
}

#[test]
fn xml_comes_back_as_it_was() {
    let requests = (fragment(), option::of(fragment()))
        .prop_map(|(xml, more)| simple_types::EchoXmlRequest { xml, more });
    simple_types!(
        SOAP,
        echo_xml,
        requests,
        |request: simple_types::EchoXmlRequest| request.xml
    );
}

fn colour() -> BoxedStrategy<Colour> {
    value_of().boxed()
}

fn point() -> BoxedStrategy<Point> {
    any::<(i32, i32)>()
        .prop_map(|(x, y)| Point { x, y })
        .boxed()
}

prop_compose! {
    fn attributed()(
        number in any::<i32>(),
        name in option::of(text()),
        colour in colour(),
        when in option::of(date_time()),
        key in option::of(text().prop_map(Secret::from)),
        text in option::of(text()),
        points in vec(point(), 0..3),
    ) -> Attributed {
        Attributed { number, name, colour, when, key, text, points }
    }
}

fn price() -> BoxedStrategy<Price> {
    (option::of(text()), decimal())
        .prop_map(|(currency, value)| Price { currency, value })
        .boxed()
}

fn phone() -> BoxedStrategy<Phone> {
    (option::of(colour()), text())
        .prop_map(|(kind, number)| Phone { kind, number })
        .boxed()
}

fn contact() -> BoxedStrategy<PersonContact> {
    prop_oneof![
        text().prop_map(PersonContact::Email),
        phone().prop_map(PersonContact::Phone),
        any::<i32>().prop_map(PersonContact::Count),
    ]
    .boxed()
}

fn shape() -> BoxedStrategy<AnyShape> {
    let circle = (option::of(text()), double())
        .prop_map(|(label, radius)| AnyShape::from(Circle { label, radius }));
    circle
        .prop_recursive(3, 8, 1, |inner| {
            (option::of(text()), double(), option::of(inner))
                .prop_map(|(label, side, inner)| AnyShape::from(Square { label, side, inner }))
        })
        .boxed()
}

fn person() -> BoxedStrategy<Person> {
    fn with(others: impl Strategy<Value = Vec<PersonOthers>>) -> impl Strategy<Value = Person> {
        (
            text(),
            option::of(contact()),
            others,
            option::of(any::<i32>()),
        )
            .prop_map(|(name, contact, others, age)| Person {
                name,
                contact,
                others,
                age,
            })
    }
    with(Just(Vec::new()))
        .boxed()
        .prop_recursive(3, 12, 3, |inner| {
            let other = prop_oneof![
                text().prop_map(PersonOthers::Note),
                inner.prop_map(PersonOthers::Friend),
                shape().prop_map(PersonOthers::Shape),
            ];
            with(vec(other, 0..3))
        })
        .boxed()
}

/// A person without friends.
fn owner() -> BoxedStrategy<Person> {
    (text(), option::of(contact()))
        .prop_map(|(name, contact)| Person {
            name,
            contact,
            ..Person::default()
        })
        .boxed()
}

fn animal() -> BoxedStrategy<AnyAnimal> {
    let named = || (any::<i32>(), text());
    let simple = prop_oneof![
        named().prop_map(|(id, name)| AnyAnimal::from(Animal { id, name })),
        named().prop_map(|(id, name)| AnyAnimal::from(Cat { id, name })),
    ];
    simple
        .prop_recursive(3, 6, 2, move |inner| {
            let dog = (
                named(),
                option::of(text()),
                option::of(owner()),
                vec(inner.clone(), 0..2),
            )
                .prop_map(|((id, name), breed, owner, friends)| Dog {
                    id,
                    breed,
                    name,
                    owner,
                    friends,
                })
                .boxed();
            let puppy = (
                named(),
                option::of(dog.clone()),
                option::of(inner),
                any::<i32>(),
            )
                .prop_map(|((id, name), mother, enemy, months)| Puppy {
                    id,
                    breed: None,
                    name,
                    owner: None,
                    friends: Vec::new(),
                    months,
                    mother: mother.map(AnyDog::from),
                    enemy,
                });
            prop_oneof![
                dog.prop_map(AnyAnimal::from),
                puppy.prop_map(AnyAnimal::from)
            ]
        })
        .boxed()
}

fn label() -> BoxedStrategy<AnyLabel> {
    (option::of(text()), text(), option::of(any::<i32>()))
        .prop_map(|(language, value, level)| match level {
            Some(level) => Warning {
                language,
                level,
                value,
            }
            .into(),
            None => Label { language, value }.into(),
        })
        .boxed()
}

fn tree() -> BoxedStrategy<Tree> {
    let leaf = label().prop_map(|label| Tree {
        label,
        ..Tree::default()
    });
    leaf.prop_recursive(4, 16, 3, |inner| {
        (
            label(),
            option::of(inner.clone()),
            option::of(inner.clone()),
            vec(inner, 0..2),
        )
            .prop_map(|(label, left, right, all)| Tree {
                label,
                left: left.map(Box::new),
                right: right.map(Box::new),
                all,
            })
    })
    .boxed()
}

fn expression() -> BoxedStrategy<Expression> {
    let number = any::<i32>().prop_map(|number| Expression {
        kind: ExpressionKind::Number(number),
    });
    number
        .prop_recursive(5, 16, 2, |inner| {
            prop_oneof![
                inner.clone().prop_map(|inner| Expression {
                    kind: ExpressionKind::Not(Box::new(inner))
                }),
                (inner.clone(), inner).prop_map(|(one, two)| Expression {
                    kind: ExpressionKind::Pair(Box::new(Pair { one, two }))
                }),
            ]
        })
        .boxed()
}

#[test]
fn attributes_come_back_as_they_were() {
    let requests = (attributed(), vec(option::of(attributed()), 0..3))
        .prop_map(|(value, all)| AttributesRequest { value, all });
    objects!(attributes, requests, |request: AttributesRequest| request
        .value);
}

#[test]
fn text_with_attributes_comes_back_as_it_was() {
    let requests = (price(), option::of(vec(price(), 0..3)))
        .prop_map(|(value, all)| TextsRequest { value, all });
    objects!(texts, requests, |request: TextsRequest| request
        .all
        .map(|_| request.value));
}

#[test]
fn lists_of_lists_come_back_as_they_were() {
    let rows = vec(vec(any::<i32>(), 0..3), 0..3);
    let texts = option::of(vec(option::of(vec(option::of(text()), 0..3)), 0..3));
    let others = (
        vec(vec(double(), 0..3), 0..3),
        vec(vec(colour(), 0..3), 0..3),
        vec(vec(point(), 0..3), 0..3),
    );
    let requests =
        (rows, texts, others).prop_map(|(numbers, texts, (named, both, points))| MatrixRequest {
            numbers,
            texts,
            named,
            both,
            points,
        });
    objects!(
        matrix,
        requests,
        |request: MatrixRequest| -> Vec<Vec<Option<i32>>> {
            let row = |row: Vec<i32>| row.into_iter().map(Some).chain([None]).collect();
            request.numbers.into_iter().map(row).collect()
        }
    );
    let requests =
        vec(option::of(vec(text(), 0..3)), 0..3).prop_map(|values| Texts2Request { values });
    objects!(texts2, requests, |request: Texts2Request| request.values);
}

#[test]
fn choices_come_back_as_they_were() {
    let how = prop_oneof![
        text().prop_map(ChooseRequestHow::Email),
        phone().prop_map(ChooseRequestHow::Phone),
        text().prop_map(|pin| ChooseRequestHow::Secret(pin.into())),
    ];
    let requests = (any::<i32>(), how, option::of(text()))
        .prop_map(|(before, how, after)| ChooseRequest { before, how, after });
    objects!(choose, requests, |request: ChooseRequest| Person {
        age: Some(request.before),
        ..Person::default()
    });
    let requests = vec(person(), 0..3).prop_map(|people| PeopleRequest { people });
    objects!(people, requests, |request: PeopleRequest| request.people);
}

#[test]
fn derived_types_come_back_as_they_were() {
    let requests =
        (animal(), vec(animal(), 0..3), option::of(animal())).prop_map(|(animal, more, maybe)| {
            AnimalsRequest {
                animal,
                more,
                maybe,
            }
        });
    objects!(animals, requests, |request: AnimalsRequest| request.more);
    let requests = option::of(animal()).prop_map(|animal| OneAnimalRequest { animal });
    objects!(one_animal, requests, |request: OneAnimalRequest| request
        .animal);
    let requests = shape().prop_map(|shape| ShapesRequest { shape });
    objects!(shapes, requests, |request: ShapesRequest| request.shape);
    let car = (text(), any::<i32>()).prop_map(|(plate, doors)| Car { plate, doors });
    let requests = car.prop_map(|car| VehiclesRequest {
        vehicle: car.into(),
    });
    objects!(vehicles, requests, |request: VehiclesRequest| request
        .vehicle);
}

#[test]
fn types_that_hold_themselves_come_back_as_they_were() {
    let requests =
        (tree(), expression()).prop_map(|(tree, expression)| TreesRequest { tree, expression });
    objects!(trees, requests, |request: TreesRequest| request.expression);
}

#[test]
fn empty_types_come_back_as_they_were() {
    let requests = vec(Just(Empty {}), 0..3).prop_map(|all| EmptiesRequest {
        empty: Empty {},
        all,
    });
    objects!(empties, requests, |request: EmptiesRequest| request
        .all
        .first()
        .cloned());
}

fn loose_point() -> BoxedStrategy<unqualified::Point> {
    let note = prop_oneof![
        text().prop_map(unqualified::PointNote::Text),
        any::<i32>().prop_map(unqualified::PointNote::Number),
    ];
    (any::<i32>(), option::of(any::<i32>()), option::of(note))
        .prop_map(|(x, y, note)| unqualified::Point { x, y, note })
        .boxed()
}

fn loose_shape() -> BoxedStrategy<unqualified::AnyShape> {
    (text(), option::of(loose_point()), option::of(double()))
        .prop_map(|(name, at, radius)| match radius {
            Some(radius) => unqualified::Circle { name, at, radius }.into(),
            None => unqualified::Shape { name, at }.into(),
        })
        .boxed()
}

#[test]
fn unqualified_elements_and_rpc_come_back_as_they_were() {
    let requests = any::<(i32, i32)>().prop_map(|(a, b)| unqualified::AddRequest { a, b });
    round_trip!(
        UnqualifiedServer,
        unqualified::UnqualifiedClient<_>,
        Binding::DEFAULT,
        add,
        requests,
        |request: unqualified::AddRequest| { request.a.wrapping_add(request.b) }
    );
    let requests = (loose_shape(), vec(loose_point(), 0..3))
        .prop_map(|(shape, points)| unqualified::DrawRequest { shape, points });
    round_trip!(
        UnqualifiedServer,
        unqualified::UnqualifiedClient<_>,
        SOAP,
        draw,
        requests,
        |request: unqualified::DrawRequest| vec![request.shape]
    );
    let server = UnqualifiedServer::new(Echo::default());
    let requests = (
        loose_point(),
        loose_shape(),
        prop_oneof![
            Just(None),
            Just(Some("outside".to_owned())),
            option::of(text())
        ],
    );
    check(requests, |(point, shape, trace)| {
        for binding in SOAP {
            let client = unqualified::UnqualifiedClient::new(server.clone(), URL)
                .unwrap()
                .with_binding(binding);
            let headers = unqualified::MoveHeaders {
                trace: trace.clone(),
            };
            let request = unqualified::MoveRequest {
                point: point.clone(),
                shape: shape.clone(),
            };
            let answer = wait(client.r#move(&headers.clone(), &request.clone()));
            same(binding, &(headers, request), &server.handler().kept())?;
            match (answer, trace.as_deref()) {
                (Err(CallError::Fault(fault)), Some("outside")) => {
                    let detail = fault.read_detail::<unqualified::Point>();
                    same(
                        binding,
                        &point,
                        &detail
                            .ok_or("no detail")?
                            .map_err(|error| error.to_string())?,
                    )?;
                }
                (answer, _) => same(
                    binding,
                    &point,
                    &answer.map_err(|error| format!("{error:?}"))?,
                )?,
            }
        }
        Ok(())
    });
}

/// Returns headers for headers, and faults for some calls.
struct Desk(Echo);

impl MessagesHandler for Desk {
    async fn login(
        &self,
        _: &Context,
        headers: messages::LoginHeaders,
        request: messages::LoginRequest,
    ) -> Result<(bool, messages::LoginResponseHeaders), Fault> {
        self.0.keep(&(headers.clone(), request.clone()));
        match request.note.as_deref() {
            Some("locked") => Err(Fault::client("locked").with_detail(&headers.credentials)),
            Some("refused") => {
                let reason = Reason {
                    code: 7,
                    value: headers.credentials.name.clone(),
                };
                Err(Fault::exception("refused").with_detail(&reason))
            }
            _ => {
                let height = request.note.map(|note| note.len() as i32);
                Ok((
                    true,
                    messages::LoginResponseHeaders {
                        session: headers.session,
                        height,
                    },
                ))
            }
        }
    }

    async fn sessions(
        &self,
        _: &Context,
    ) -> Result<(Vec<String>, messages::SessionsResponseHeaders), Fault> {
        Ok((
            vec!["a".to_owned()],
            messages::SessionsResponseHeaders { height: Some(3) },
        ))
    }

    async fn logout(&self, _: &Context, headers: messages::LogoutHeaders) -> Result<(), Fault> {
        self.0.keep(&headers);
        Ok(())
    }

    async fn renew(
        &self,
        _: &Context,
        headers: messages::RenewHeaders,
    ) -> Result<messages::RenewResponseHeaders, Fault> {
        Ok(messages::RenewResponseHeaders {
            session: headers.session,
        })
    }

    async fn levels(
        &self,
        _: &Context,
        headers: messages::LevelsHeaders,
        request: messages::LevelsRequest,
    ) -> Result<Option<Vec<i32>>, Fault> {
        Ok(headers.height.map(|height| vec![height, request.at]))
    }

    async fn notify(&self, _: &Context, request: messages::NotifyRequest) -> Result<(), Fault> {
        self.0.keep(&request);
        match request.count {
            0 => Err(Fault::exception("nobody hears this")),
            _ => Ok(()),
        }
    }

    async fn ping(&self, _: &Context, headers: messages::PingHeaders) -> Result<(), Fault> {
        self.0.keep(&headers);
        Ok(())
    }

    async fn add(&self, _: &Context, request: messages::AddRequest) -> Result<Account, Fault> {
        self.0.keep(&request);
        Ok(request.b)
    }
}

fn account() -> BoxedStrategy<Account> {
    (text(), option::of(text().prop_map(Secret::from)))
        .prop_map(|(name, password)| Account { name, password })
        .boxed()
}

fn desk(
    binding: Binding,
) -> (
    MessagesServer<Desk>,
    messages::MessagesClient<MessagesServer<Desk>>,
) {
    let server = MessagesServer::new(Desk(Echo::default()));
    let client = messages::MessagesClient::new(server.clone(), URL)
        .unwrap()
        .with_binding(binding);
    (server, client)
}

#[test]
fn headers_and_faults_come_back_as_they_were() {
    let notes = prop_oneof![
        Just(None),
        select(vec!["locked", "refused", "fine"]).prop_map(|note| Some(note.to_owned())),
        option::of(text())
    ];
    let calls = (account(), option::of(text().prop_map(Secret::from)), notes);
    check(calls, |(credentials, session, note)| {
        for binding in SOAP {
            let (server, client) = desk(binding);
            let headers = messages::LoginHeaders {
                credentials: credentials.clone(),
                session: session.clone(),
            };
            let request = messages::LoginRequest { note: note.clone() };
            let answer = wait(client.login(&headers.clone(), &request.clone()));
            same(binding, &(headers, request), &server.handler().0.kept())?;
            match (answer, note.as_deref()) {
                (Err(CallError::Fault(fault)), Some("locked")) => {
                    let detail = fault.read_detail::<Account>().ok_or("no detail")?;
                    same(
                        binding,
                        &credentials,
                        &detail.map_err(|error| error.to_string())?,
                    )?;
                    same(binding, &true, &fault.read_detail::<Reason>().is_none())?;
                }
                (Err(CallError::Fault(fault)), Some("refused")) => {
                    let detail = fault.read_detail::<Reason>().ok_or("no detail")?;
                    let reason = Reason {
                        code: 7,
                        value: credentials.name.clone(),
                    };
                    same(
                        binding,
                        &reason,
                        &detail.map_err(|error| error.to_string())?,
                    )?;
                }
                (Ok((result, headers)), _) => {
                    let height = note.as_ref().map(|note| note.len() as i32);
                    let expected = messages::LoginResponseHeaders {
                        session: session.clone(),
                        height,
                    };
                    same(binding, &(true, expected), &(result, headers))?;
                }
                (Err(error), _) => return Err(format!("over {binding}: {error:?}")),
            }
        }
        Ok(())
    });
}

#[tokio::test]
async fn headers_come_with_every_kind_of_answer() {
    for binding in SOAP {
        let (server, client) = desk(binding);
        let session = Some(Secret::from("s"));
        let (sessions, headers) = client.sessions().await.unwrap();
        assert_eq!((sessions, headers.height), (vec!["a".to_owned()], Some(3)));
        let headers = messages::LogoutHeaders {
            session: session.clone(),
        };
        client.logout(&headers.clone()).await.unwrap();
        assert_eq!(
            server.handler().0.kept::<messages::LogoutHeaders>(),
            headers
        );
        let renewed = client
            .renew(&messages::RenewHeaders {
                session: session.clone(),
            })
            .await
            .unwrap();
        assert_eq!(renewed.session, session);
        let levels = client.levels(
            &messages::LevelsHeaders { height: Some(4) },
            &messages::LevelsRequest { at: 5 },
        );
        assert_eq!(levels.await.unwrap(), Some(vec![4, 5]));
    }
}

#[tokio::test]
async fn over_forms_there_are_no_headers() {
    for binding in [Binding::HttpGet, Binding::HttpPost] {
        let (_, client) = desk(binding);
        let (_, headers) = client.sessions().await.unwrap();
        assert_eq!(headers.height, None);
        let at = || messages::LevelsRequest { at: 5 };
        let headers = messages::LevelsHeaders::default();
        assert_eq!(client.levels(&headers, &at()).await.unwrap(), None);
        let headers = messages::LevelsHeaders { height: Some(4) };
        let refused = client.levels(&headers, &at()).await;
        assert!(
            matches!(refused, Err(CallError::Headers { .. })),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn a_required_header_is_asked_for() {
    let (server, _) = desk(Binding::Soap11);
    let body = r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><Login xmlns="urn:example:messages"/></s:Body></s:Envelope>"#;
    let request = http::Request::post("/Messages.asmx")
        .header("Content-Type", "text/xml")
        .header("SOAPAction", "\"urn:example:messages/Login\"");
    let response = server.answer(request.body(body.into()).unwrap()).await;
    assert_eq!(response.status(), 500);
    let body = String::from_utf8(response.into_body().to_vec()).unwrap();
    assert!(
        body.contains("Client") && body.contains("Credentials"),
        "{body}"
    );
}

#[test]
fn operations_without_an_answer_are_heard() {
    let requests =
        (text(), any::<i32>()).prop_map(|(text, count)| messages::NotifyRequest { text, count });
    check(requests, |request| {
        for binding in Binding::DEFAULT {
            let (server, client) = desk(binding);
            wait(client.notify(&request.clone()))
                .map_err(|error| format!("over {binding}: {error:?}"))?;
            same(binding, &request, &server.handler().0.kept())?;
        }
        Ok(())
    });
    for binding in SOAP {
        let (server, client) = desk(binding);
        let headers = messages::PingHeaders {
            session: Some(Secret::from("s")),
        };
        wait(client.ping(&headers.clone())).unwrap();
        assert_eq!(server.handler().0.kept::<messages::PingHeaders>(), headers);
        let silent = messages::NotifyRequest {
            text: String::new(),
            count: 0,
        };
        wait(client.notify(&silent)).unwrap();
    }
}

#[test]
fn one_operation_can_be_rpc_among_others() {
    let requests = (any::<i32>(), account(), vec(any::<i32>(), 0..3))
        .prop_map(|(a, b, c)| messages::AddRequest { a, b, c });
    check(requests, |request| {
        for binding in SOAP {
            let (server, client) = desk(binding);
            let answer = wait(client.add(&request.clone()))
                .map_err(|error| format!("over {binding}: {error:?}"))?;
            same(binding, &request, &server.handler().0.kept())?;
            same(binding, &request.b, &answer)?;
        }
        Ok(())
    });
}

mod groups;
mod in_json;
mod mixed;
mod substitution;
