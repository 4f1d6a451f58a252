//! Values that JSON can express are unchanged after a round trip, over JSON as over the other
//! bindings, and other JSON readers read the same values.

use std::sync::Mutex;

use bytes::Bytes;
use http::{Request, Response};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use svcgen::chrono::{NaiveTime, TimeDelta};
use svcgen::codegen::Flags as _;
use svcgen::transport::TransportError;
use svcgen::types::{DateTime, Decimal, Guid, HexBinary, Object, Zone};
use svcgen::{Binding, Context, Fault, Transport};
use svcgen_tests::random::{text, value_of};

use super::{
    Echo, URL, character, check, date, decimal, double, duration, float, integer, number, same,
    wait,
};

svcgen::include_service!("carried");

use carried::*;

/// The bindings of operations whose parameters are objects.
const ALL: [Binding; 3] = [Binding::Soap11, Binding::Soap12, Binding::Json];

impl CarriedHandler for Echo {
    echoes! {
        echo_all(request: EchoAllRequest) -> Everything = request.v;
        echo_maybe(request: EchoMaybeRequest) -> Option<Maybe> = request.v;
        echo_lists(request: EchoListsRequest) -> Lists = request.v;
        echo_animal(request: EchoAnimalRequest) -> Option<AnyAnimal> = request.v;
        echo_price(request: EchoPriceRequest) -> Option<Vec<Option<Price>>> = request.v;
        echo_value(request: EchoValueRequest) -> Option<Object<AnyObject>> = request.v;
        get(request: GetRequest) -> Option<String> = request.text;
        flat(request: FlatRequest) -> Everything = everything_of(&request);
    }
}

fn everything_of(request: &FlatRequest) -> Everything {
    let request = request.clone();
    Everything {
        text: request.text,
        int: request.number,
        double: request.fraction,
        decimal: request.amount,
        char: request.letter,
        guid: request.id,
        date_time: request.moment,
        colour: request.colour,
        access: request.access,
        base64: request.bytes,
        ..Everything::default()
    }
}

/// A moment in UTC with whole milliseconds, which JSON can express.
fn moment() -> BoxedStrategy<DateTime> {
    (date(), 0..86_400_000i64)
        .prop_map(|(date, milliseconds)| {
            let midnight = date.0.and_time(NaiveTime::MIN);
            DateTime::new(midnight + TimeDelta::milliseconds(milliseconds), Zone::Utc)
        })
        .boxed()
}

fn access() -> BoxedStrategy<Access> {
    (0..8i64).prop_map(Access::from_bits).boxed()
}

prop_compose! {
    fn everything()(
        strings in vec(text(), 3),
        note in option::of(text()),
        tint in option::of(value_of()),
        bytes in vec(vec(any::<u8>(), 0..12), 2),
        whole in (number(&[i32::MIN, i32::MAX]), any::<bool>(), number(&[0, i32::MIN]), number(&[i64::MIN, i64::MAX]), any::<i8>(), any::<i16>(), any::<u8>(), any::<u16>(), number(&[u32::MAX]), number(&[u64::MAX])),
        broken in (integer(), float(), double(), decimal()),
        others in (prop_oneof![4 => character(), 1 => Just('\0')], any::<u128>(), moment(), date(), duration()),
        named in (value_of(), access(), number(&[7])),
    ) -> Everything {
        let mut strings = strings.into_iter();
        let mut bytes = bytes.into_iter();
        Everything {
            number: whole.0,
            note,
            tint,
            text: strings.next().unwrap(),
            // In XML, white space around it is removed.
            token: strings.next().unwrap().trim().to_owned(),
            base64: bytes.next().unwrap(),
            hex: HexBinary(bytes.next().unwrap()),
            boolean: whole.1,
            int: whole.2,
            long: whole.3,
            byte: whole.4,
            short: whole.5,
            unsigned_byte: whole.6,
            unsigned_short: whole.7,
            unsigned_int: whole.8,
            unsigned_long: whole.9,
            integer: broken.0,
            float: broken.1,
            double: broken.2,
            decimal: broken.3,
            char: others.0,
            guid: Guid::from_u128(others.1),
            date_time: others.2,
            date: others.3,
            duration: others.4,
            colour: named.0,
            access: named.1,
            count: named.2,
        }
    }
}

fn maybe() -> BoxedStrategy<Maybe> {
    let one =
        (everything(), vec(any::<bool>(), 9), option::of(spot())).prop_map(|(all, there, spot)| {
            Maybe {
                text: there[0].then_some(all.text),
                hex: there[1].then_some(all.hex),
                int: there[2].then_some(all.int),
                double: there[3].then_some(all.double),
                // Over JSON, the character U+0000 is absent.
                char: there[4].then_some(all.char).filter(|char| *char != '\0'),
                guid: there[5].then_some(all.guid),
                date_time: there[6].then_some(all.date_time),
                boolean: there[7].then_some(all.boolean),
                colour: there[8].then_some(all.colour),
                spot,
                next: None,
            }
        });
    vec(one, 1..4)
        .prop_map(|all| {
            let mut all = all.into_iter();
            let first = all.next().unwrap();
            all.fold(first, |next, one| Maybe {
                next: Some(Box::new(next)),
                ..one
            })
        })
        .boxed()
}

fn spot() -> BoxedStrategy<Spot> {
    (any::<i32>(), any::<i32>())
        .prop_map(|(x, y)| Spot { x, y })
        .boxed()
}

fn animal() -> BoxedStrategy<AnyAnimal> {
    let parts = || {
        let texts = vec(option::of(text()), 3);
        (any::<i32>(), spot(), texts, option::of(any::<i32>()))
    };
    let animal = |(id, spot, mut texts, _): (i32, Spot, Vec<Option<String>>, Option<i32>)| Animal {
        id,
        name: texts.remove(0),
        spot,
    };
    let leaf = parts().prop_map(animal).prop_map(AnyAnimal::Animal);
    leaf.prop_recursive(3, 8, 2, move |inner| {
        let friends = option::of(vec(inner, 0..3));
        (parts(), friends, any::<bool>()).prop_map(|(parts, friends, is_puppy)| {
            let (id, spot, mut texts, months) = parts;
            let (name, breed, owner) = (texts.remove(0), texts.remove(0), texts.remove(0));
            let dog = Dog {
                id,
                breed,
                name,
                spot,
                owner,
                friends,
            };
            if !is_puppy {
                return AnyAnimal::Dog(dog);
            }
            let Dog {
                id,
                breed,
                name,
                spot,
                owner,
                friends,
            } = dog;
            AnyAnimal::Puppy(Puppy {
                id,
                breed,
                name,
                spot,
                owner,
                friends,
                months,
            })
        })
    })
    .boxed()
}

prop_compose! {
    fn lists()(
        texts in vec(option::of(text()), 0..4),
        numbers in option::of(vec(any::<i64>(), 0..4)),
        rows in vec(vec(option::of(any::<i32>()), 0..3), 0..3),
        spots in vec(spot(), 0..3),
        switches in vec(any::<bool>(), 0..3),
        words in vec(value_of(), 0..3),
        animals in vec(animal(), 0..3),
    ) -> Lists {
        Lists { texts, numbers, rows, spots, switches, words, animals }
    }
}

fn price() -> BoxedStrategy<Price> {
    (option::of(text()), decimal())
        .prop_map(|(currency, value)| Price { currency, value })
        .boxed()
}

/// Values of undeclared type whose type JSON can express, with or without dictionaries, which other
/// bindings refuse.
fn value(has_dictionaries: bool) -> BoxedStrategy<Object<AnyObject>> {
    // A text in the form of a date is read as a date.
    let text = text().prop_filter("a date", |text| !text.contains("Date("));
    let leaf = prop_oneof![
        any::<i32>().prop_map(Object::Int),
        (i64::from(i32::MAX) + 1..=i64::MAX).prop_map(Object::Long),
        (1..1_000_000_i64).prop_map(|n| Object::Decimal(Decimal::new(n, 2))),
        select(vec![1e300, 1.5e-300, -2.5e40]).prop_map(Object::Double),
        any::<bool>().prop_map(Object::Boolean),
        text.prop_map(Object::String),
        moment().prop_map(Object::DateTime),
        animal().prop_map(|animal| Object::Own(match animal {
            AnyAnimal::Animal(animal) => AnyObject::Animal(Box::new(animal)),
            AnyAnimal::Dog(dog) => AnyObject::Dog(Box::new(dog)),
            AnyAnimal::Puppy(puppy) => AnyObject::Puppy(Box::new(puppy)),
        })),
        spot().prop_map(|spot| Object::Own(AnyObject::Spot(Box::new(spot)))),
        price().prop_map(|price| Object::Own(AnyObject::Price(Box::new(price)))),
    ];
    leaf.prop_recursive(2, 8, 3, move |inner| {
        let lists = vec(option::of(inner.clone()), 0..3).prop_map(Object::List);
        if !has_dictionaries {
            return lists.boxed();
        }
        let entries = btree_map("[\"\\\\a-cé<]{0,3}", option::of(inner), 1..3);
        let entries = entries.prop_map(|entries| Object::Dictionary(entries.into_iter().collect()));
        prop_oneof![lists, entries].boxed()
    })
    .boxed()
}

macro_rules! carried {
    ($bindings:expr, $method:ident, $requests:expr, $answer:expr) => {
        round_trip!(
            CarriedServer,
            CarriedClient<_>,
            $bindings,
            $method,
            $requests,
            $answer
        )
    };
}

#[test]
fn values_of_every_simple_type_come_back() {
    let requests = everything().prop_map(|v| EchoAllRequest { v });
    carried!(ALL, echo_all, requests, |request: EchoAllRequest| request.v);
}

#[test]
fn absent_values_come_back() {
    let requests = option::of(maybe()).prop_map(|v| EchoMaybeRequest { v });
    carried!(ALL, echo_maybe, requests, |request: EchoMaybeRequest| {
        request.v
    });
}

#[test]
fn lists_of_every_kind_come_back() {
    let requests = lists().prop_map(|v| EchoListsRequest { v });
    carried!(ALL, echo_lists, requests, |request: EchoListsRequest| {
        request.v
    });
}

#[test]
fn derived_types_come_back() {
    let requests = option::of(animal()).prop_map(|v| EchoAnimalRequest { v });
    carried!(ALL, echo_animal, requests, |request: EchoAnimalRequest| {
        request.v
    });
}

#[test]
fn texts_of_objects_come_back() {
    let prices = option::of(vec(option::of(price()), 0..3));
    let requests = prices.prop_map(|v| EchoPriceRequest { v });
    carried!(ALL, echo_price, requests, |request: EchoPriceRequest| {
        request.v
    });
}

#[test]
fn values_of_no_declared_type_come_back() {
    let requests =
        |has_dictionaries| option::of(value(has_dictionaries)).prop_map(|v| EchoValueRequest { v });
    let answer = |request: EchoValueRequest| request.v;
    carried!(ALL, echo_value, requests(false), answer);
    carried!([Binding::Json], echo_value, requests(true), answer);
}

#[test]
fn parameters_come_in_a_query() {
    let texts = option::of(vec(text(), 0..3));
    let parts = (
        option::of(text()),
        any::<i32>(),
        option::of(animal()),
        texts,
        option::of(moment()),
    );
    let requests = parts.prop_map(|(text, number, animal, texts, moment)| GetRequest {
        text,
        number,
        animal,
        texts,
        moment,
    });
    carried!([Binding::Json], get, requests, |request: GetRequest| {
        request.text
    });
}

#[test]
fn all_bindings_agree_on_the_same_values() {
    let requests = everything().prop_map(|all| FlatRequest {
        text: all.text,
        number: all.int,
        // A form has no negative zero, and no character U+0000.
        fraction: all.double + 0.0,
        amount: all.decimal,
        letter: Some(all.char).filter(|char| *char != '\0').unwrap_or('x'),
        id: all.guid,
        moment: all.date_time,
        colour: all.colour,
        access: all.access,
        bytes: all.base64,
    });
    carried!(Binding::ALL, flat, requests, |request: FlatRequest| {
        everything_of(&request)
    });
}

/// Forwards calls, and keeps the last answer.
struct Keeping<T>(T, Mutex<Bytes>);

impl<T: Transport + Sync> Transport for &Keeping<T> {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        let response = self.0.send(request).await?;
        *self.1.lock().unwrap() = response.body().clone();
        Ok(response)
    }
}

/// Returns the result of a call as read by another JSON reader.
fn read_otherwise(keeping: &Keeping<CarriedServer<Echo>>) -> Result<Value, String> {
    let body = keeping.1.lock().unwrap();
    let read: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
    Ok(read["d"].clone())
}

#[test]
fn other_readers_read_the_same_values() {
    let keeping = Keeping(CarriedServer::new(Echo::default()), Mutex::default());
    let client = CarriedClient::new(&keeping, URL).unwrap();
    let client = client.with_binding(Binding::Json);
    let finite = everything().prop_filter("JSON has finite numbers", |all| {
        all.float.is_finite() && all.double.is_finite()
    });
    check(finite, |all| {
        let request = EchoAllRequest { v: all.clone() };
        wait(client.echo_all(&request)).map_err(|error| error.to_string())?;
        let read = read_otherwise(&keeping)?;
        let binding = Binding::Json;
        same(binding, &Value::from("Lab.Everything"), &read["__type"])?;
        same(binding, &Value::from(all.text.clone()), &read["Words"])?;
        same(binding, &Value::from(all.note.clone()), &read["note"])?;
        same(binding, &Value::from(all.boolean), &read["Boolean"])?;
        same(binding, &Value::from(all.number), &read["Number"])?;
        same(binding, &Value::from(all.long), &read["Long"])?;
        same(
            binding,
            &Value::from(all.unsigned_long),
            &read["UnsignedLong"],
        )?;
        same(binding, &Some(all.double), &read["Double"].as_f64())?;
        same(binding, &Value::from(all.hex.0.clone()), &read["Hex"])?;
        same(binding, &Value::from(all.guid.to_string()), &read["Guid"])?;
        same(
            binding,
            &Value::from(all.tint.is_some()),
            &read["tintSpecified"],
        )?;
        same(binding, &Value::from(all.access.bits()), &read["Access"])?;
        same(binding, &Value::from(all.count), &read["Count"])?;
        let milliseconds = all.date_time.to_utc().unwrap().timestamp_millis();
        let moment = Value::from(format!("/Date({milliseconds})/"));
        same(binding, &moment, &read["DateTime"])?;
        let midnight = DateTime::new(all.date.0.and_time(NaiveTime::MIN), Zone::Utc);
        let milliseconds = midnight.to_utc().unwrap().timestamp_millis();
        same(
            binding,
            &Value::from(format!("/Date({milliseconds})/")),
            &read["Date"],
        )
    });
    check(lists(), |lists| {
        let request = EchoListsRequest { v: lists.clone() };
        wait(client.echo_lists(&request)).map_err(|error| error.to_string())?;
        let read = read_otherwise(&keeping)?;
        same(Binding::Json, &Value::from(lists.texts), &read["Texts"])?;
        same(Binding::Json, &Value::from(lists.numbers), &read["Numbers"])?;
        same(
            Binding::Json,
            &Value::from(lists.switches),
            &read["Switches"],
        )?;
        let count = read["Animals"].as_array().map(Vec::len);
        same(Binding::Json, &Some(lists.animals.len()), &count)
    });
}

/// The members of a derived class are before those of its base, and the first member is the name of
/// its type.
#[test]
fn members_stand_in_the_order_of_net() {
    let keeping = Keeping(CarriedServer::new(Echo::default()), Mutex::default());
    let client = CarriedClient::new(&keeping, URL).unwrap();
    let client = client.with_binding(Binding::Json);
    let v = Some(AnyAnimal::Puppy(Puppy {
        id: 1,
        name: Some("<Rex>".to_owned()),
        friends: Some(vec![AnyAnimal::Animal(Animal::default())]),
        ..Puppy::default()
    }));
    wait(client.echo_animal(&EchoAnimalRequest { v })).unwrap();
    let expected = concat!(
        r#"{"d":{"__type":"Lab.Young+Puppy","Months":0,"MonthsSpecified":false,"breed":null,"Owner":null,"#,
        r#""Friends":[{"__type":"Lab.Animal","id":0,"Name":null,"Spot":{"__type":"Lab.Spot","X":0,"Y":0}}],"#,
        r#""id":1,"Name":"\u003cRex\u003e","Spot":{"__type":"Lab.Spot","X":0,"Y":0}}}"#,
    );
    assert_eq!(&keeping.1.lock().unwrap()[..], expected.as_bytes());
}
