//! The reported effects of changes, checked against calls: the client of one definition calls every
//! operation of the other definition's server.

use std::fmt::Debug;
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Poll, Waker};

use svcgen::codegen::DispatchTo;
use svcgen::{Binding, Bindings, CallError, Context, Fault, Transport};
use svcgen_compare::{Audience, Comparison, Verdict};

svcgen::include_service!("before");
svcgen::include_service!("after");

const BEFORE: &str = include_str!("before.yaml");
const AFTER: &str = include_str!("after.yaml");

/// Fields by their names, as `Debug` shows them. A single value has no name.
type Fields = Vec<(String, String)>;

/// The result of reading sent values, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Same,
    /// A sent value was not read.
    Lost,
    /// A value was read that was not sent.
    Wrong,
    Refused,
}

/// The results for the request and the answer of a call.
#[derive(Debug)]
struct Called {
    request: Outcome,
    answer: Outcome,
}

/// The handler of a side, which keeps the values that it or its client receives.
#[derive(Default)]
struct Side(Mutex<Fields>);

impl Side {
    fn see(&self, value: &dyn Debug) {
        self.0.lock().unwrap().extend(fields(value));
    }
}

/// Returns the fields of a struct; the value of any other type; nothing of `()`.
fn fields(value: &dyn Debug) -> Fields {
    let text = format!("{value:?}");
    if text == "()" {
        return Fields::new();
    }
    let Some((_, inside)) = text
        .strip_suffix(" }")
        .and_then(|text| text.split_once(" { "))
    else {
        return vec![(String::new(), plain(&text))];
    };
    let mut fields = Fields::new();
    for part in inside.split(", ") {
        match part.split_once(": ") {
            Some((name, value)) => fields.push((name.to_owned(), plain(value))),
            // An item of the preceding list.
            None => fields.last_mut().unwrap().1 += &plain(part),
        }
    }
    fields
}

/// Returns a value without the marks of options, lists and texts.
fn plain(value: &str) -> String {
    value
        .replace("Some(", "")
        .replace(['(', ')', '[', ']', '"'], "")
}

fn outcome(sent: &Fields, seen: &Fields) -> Outcome {
    let is_nothing = |value: &str| matches!(value, "" | "None");
    let of_field =
        |(name, value): &(String, String)| match sent.iter().find(|(other, _)| other == name) {
            Some((_, sent)) if sent == value => Outcome::Same,
            None if is_nothing(value) => Outcome::Same,
            _ => Outcome::Wrong,
        };
    let is_lost = sent
        .iter()
        .any(|(name, value)| !is_nothing(value) && !seen.iter().any(|(other, _)| other == name));
    let worst = seen.iter().map(of_field).max().unwrap_or(Outcome::Same);
    worst.max(if is_lost {
        Outcome::Lost
    } else {
        Outcome::Same
    })
}

/// Returns the output of a future, which never waits as the call stays in the process.
fn wait<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut std::task::Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("a call in the process waits"),
    }
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// The operations of one side: the requests of its client, and the answers of its server.
macro_rules! side {
    ($module:ident $handler:ident $client:ident $answer_of:ident $call:ident {
        $($method:ident = $name:literal $(
            ($([$headers:ident { $($header:tt)* }])? $request:ident { $($field:tt)* })
        )? -> $result:ty = $answer:expr;)*
    }) => {
        impl $module::$handler for Side {
            $(
                async fn $method(
                    &self,
                    _: &Context,
                    $($(headers: $module::$headers,)? request: $module::$request,)?
                ) -> Result<$result, Fault> {
                    $(
                        $(
                            let headers: $module::$headers = headers;
                            self.see(&headers);
                        )?
                        self.see(&request);
                    )?
                    Ok($answer)
                }
            )*
        }

        /// Returns the fields of the handler's answer.
        fn $answer_of(name: &str) -> Option<Fields> {
            match name {
                $($name => {
                    let answer: $result = $answer;
                    Some(fields(&answer))
                })*
                _ => None,
            }
        }

        /// Calls an operation. Also returns the sent fields.
        fn $call<A: Transport>(
            name: &str,
            binding: Binding,
            server: A,
        ) -> (Fields, Result<Fields, CallError>) {
            let client = $module::$client::new(server, "http://localhost").unwrap();
            let client = client.with_binding(binding);
            let mut sent = Fields::new();
            let answer = match name {
                $($name => wait(client.$method($(
                    $(
                        &{
                            let headers = $module::$headers { $($header)* };
                            sent.extend(fields(&headers));
                            headers
                        },
                    )?
                    &{
                        let request = $module::$request { $($field)* };
                        sent.extend(fields(&request));
                        request
                    }
                )?)).map(|answer| fields(&answer)),)*
                _ => panic!("{name} is not an operation"),
            };
            (sent, answer)
        }
    };
}

side! { before BeforeHandler BeforeClient answer_of_before call_before {
    add_optional = "AddOptional" (AddOptionalRequest { a: text("x") }) -> i32 = 1;
    add_required = "AddRequired" (AddRequiredRequest { a: 1 }) -> i32 = 1;
    add_bytes = "AddBytes" (AddBytesRequest { a: 1 }) -> i32 = 1;
    remove = "Remove" (RemoveRequest { a: text("x"), b: text("y") }) -> i32 = 1;
    rename = "Rename" (RenameRequest { name: text("x") }) -> i32 = 1;
    letter_case = "LetterCase" (LetterCaseRequest { name: text("x") }) -> i32 = 1;
    reorder = "Reorder" (ReorderRequest { a: "x".to_owned(), b: 2 }) -> i32 = 1;
    widen = "Widen" (WidenRequest { n: i32::MIN }) -> i32 = 1;
    narrow = "Narrow" (NarrowRequest { n: i64::MAX }) -> i32 = 1;
    retype = "Retype" (RetypeRequest { n: -5 }) -> i32 = 1;
    demand = "Demand" (DemandRequest { n: None }) -> i32 = 1;
    demand_text = "DemandText" (DemandTextRequest { n: None }) -> i32 = 1;
    secret = "Secret" (SecretRequest { n: "[secret]".to_owned() }) -> i32 = 1;
    action = "Action" -> i32 = 1;
    request = "Request" (RequestRequest { a: 1 }) -> i32 = 1;
    response = "Response" -> i32 = 1;
    element = "Element" -> i32 = 1;
    longer = "Longer" -> i32 = 1;
    absent = "Absent" -> i32 = 1;
    absent_text = "AbsentText" -> String = "x".to_owned();
    no_result = "NoResult" -> Option<String> = text("x");
    gains_result = "GainsResult" -> () = ();
    item = "Item" (ItemRequest { values: vec!["x".to_owned()] }) -> Vec<String> = vec!["y".to_owned()];
    unwrap = "Unwrap" (UnwrapRequest { values: vec!["x".to_owned()] }) -> i32 = 1;
    list_of_one = "ListOfOne" (ListOfOneRequest { a: "x".to_owned() }) -> i32 = 1;
    nil_items = "NilItems" (NilItemsRequest { values: vec![7] }) -> i32 = 1;
    mood = "Mood" (MoodRequest { tone: before::Tone::Rude }) -> before::Tone = before::Tone::Rude;
    shades = "Shades" (ShadesRequest { shade: before::Shade::Light }) -> i32 = 1;
    style = "Style" (StyleRequest { a: 1 }) -> i32 = 1;
    one_way = "OneWay" (OneWayRequest { a: 1 }) -> () = ();
    gain = "Gain" -> before::Gains = before::Gains { a: 1 };
    lose = "Lose" -> before::Loses = before::Loses { a: 1, b: 2 };
    swap = "Swap" -> before::Swaps = before::Swaps { a: 1, b: "x".to_owned() };
    reach = "Reach" -> before::Person = before::Person { contact: before::PersonContact::Phone("5".to_owned()) };
    unbind = "Unbind" -> i32 = 1;
    gone = "Gone" -> i32 = 1;
    object = "Object" (ObjectRequest { draft: before::Draft { id: 3, body: "x".to_owned() } }) -> i32 = 1;
    pet = "Pet" (PetRequest { pet: dog_before() }) -> before::AnyAnimal = dog_before();
    header = "Header" ([HeaderHeaders { session: None }] HeaderRequest { a: 1 }) -> i32 = 1;
    understood = "Understood" ([UnderstoodHeaders { session: text("s"), token: text("t") }] UnderstoodRequest { a: 1 }) -> i32 = 1;
    net = "Net" (NetRequest { card: before::Card { name: "x".to_owned(), note: "y".to_owned() } }) -> before::Card = before::Card { name: "x".to_owned(), note: "y".to_owned() };
    capital = "Capital" (CapitalRequest { n: 1 }) -> i32 = 1;
    specified = "Specified" (SpecifiedRequest { age: before::Age { years: None } }) -> i32 = 1;
    digits = "Digits" (DigitsRequest { n: 7 }) -> i32 = 1;
    shown = "Shown" (ShownRequest { b: true }) -> i32 = 1;
    bytes = "Bytes" (BytesRequest { raw: vec![1, 2] }) -> Vec<u8> = vec![1, 2];
    parts = "Parts" (PartsRequest { n: vec![1, 2] }) -> Vec<i32> = vec![3, 4];
    by_get = "ByGet" (ByGetRequest { n: 1 }) -> i32 = 1;
    as_xml = "AsXml" -> i32 = 1;
    told = "Told" (ToldRequest { thing: before::Thing { a: 3 } }) -> before::Thing = before::Thing { a: 3 };
    numbers = "Numbers" (NumbersRequest { size: before::Size::Large }) -> before::Size = before::Size::Small;
} }

side! { after AfterHandler AfterClient answer_of_after call_after {
    add_optional = "AddOptional" (AddOptionalRequest { a: text("x"), b: text("y") }) -> i32 = 1;
    add_required = "AddRequired" (AddRequiredRequest { a: 1, b: 2 }) -> i32 = 1;
    add_bytes = "AddBytes" (AddBytesRequest { a: 1, raw: Some(vec![1, 2]) }) -> i32 = 1;
    remove = "Remove" (RemoveRequest { a: text("x") }) -> i32 = 1;
    rename = "Rename" (RenameRequest { title: text("x") }) -> i32 = 1;
    letter_case = "LetterCase" (LetterCaseRequest { name: text("x") }) -> i32 = 1;
    reorder = "Reorder" (ReorderRequest { b: 2, a: "x".to_owned() }) -> i32 = 1;
    widen = "Widen" (WidenRequest { n: i64::MAX }) -> i32 = 1;
    narrow = "Narrow" (NarrowRequest { n: i32::MAX }) -> i32 = 1;
    retype = "Retype" (RetypeRequest { n: "x".to_owned() }) -> i32 = 1;
    demand = "Demand" (DemandRequest { n: 1 }) -> i32 = 1;
    demand_text = "DemandText" (DemandTextRequest { n: "x".to_owned() }) -> i32 = 1;
    secret = "Secret" (SecretRequest { n: "[secret]".to_owned().into() }) -> i32 = 1;
    action = "Action" -> i32 = 1;
    request = "Request" (RequestRequest { a: 1 }) -> i32 = 1;
    response = "Response" -> i32 = 1;
    element = "Element" -> i32 = 1;
    longer = "Longer" -> i64 = i64::MAX;
    absent = "Absent" -> Option<i32> = None;
    absent_text = "AbsentText" -> Option<String> = None;
    no_result = "NoResult" -> () = ();
    gains_result = "GainsResult" -> i32 = 1;
    item = "Item" (ItemRequest { values: vec!["x".to_owned()] }) -> Vec<String> = vec!["y".to_owned()];
    unwrap = "Unwrap" (UnwrapRequest { values: vec!["x".to_owned()] }) -> i32 = 1;
    list_of_one = "ListOfOne" (ListOfOneRequest { a: vec!["x".to_owned(), "y".to_owned()] }) -> i32 = 1;
    nil_items = "NilItems" (NilItemsRequest { values: vec![None] }) -> i32 = 1;
    mood = "Mood" (MoodRequest { tone: after::Tone::Warm }) -> after::Tone = after::Tone::Warm;
    shades = "Shades" (ShadesRequest { shade: after::Shade::Light }) -> i32 = 1;
    style = "Style" (StyleRequest { a: 1 }) -> i32 = 1;
    one_way = "OneWay" (OneWayRequest { a: 1 }) -> () = ();
    gain = "Gain" -> after::Gains = after::Gains { a: 1, b: text("x") };
    lose = "Lose" -> after::Loses = after::Loses { a: 1 };
    swap = "Swap" -> after::Swaps = after::Swaps { b: "x".to_owned(), a: 1 };
    reach = "Reach" -> after::Person = after::Person { contact: after::PersonContact::Fax("5".to_owned()) };
    unbind = "Unbind" -> i32 = 1;
    come = "Come" -> bool = true;
    object = "Object" (ObjectRequest { draft: after::Draft { id: 3, size: 4, body: "x".to_owned() } }) -> i32 = 1;
    pet = "Pet" (PetRequest { pet: fish_after() }) -> after::AnyAnimal = fish_after();
    header = "Header" ([HeaderHeaders { session: text("s") }] HeaderRequest { a: 1 }) -> i32 = 1;
    understood = "Understood" ([UnderstoodHeaders { session: text("s") }] UnderstoodRequest { a: 1 }) -> i32 = 1;
    net = "Net" (NetRequest { card: after::Card { name: "x".to_owned(), note: "y".to_owned() } }) -> after::Card = after::Card { name: "x".to_owned(), note: "y".to_owned() };
    capital = "Capital" (CapitalRequest { n: 1 }) -> i32 = 1;
    specified = "Specified" (SpecifiedRequest { age: after::Age { years: None } }) -> i32 = 1;
    digits = "Digits" (DigitsRequest { n: "x".to_owned() }) -> i32 = 1;
    shown = "Shown" (ShownRequest { b: "x".to_owned() }) -> i32 = 1;
    bytes = "Bytes" (BytesRequest { raw: vec![1, 2] }) -> Vec<u8> = vec![1, 2];
    parts = "Parts" (PartsRequest { n: vec![1, 2] }) -> Vec<i32> = vec![3, 4];
    by_get = "ByGet" (ByGetRequest { n: 1 }) -> i32 = 1;
    as_xml = "AsXml" -> i32 = 1;
    told = "Told" (ToldRequest { thing: after::Thing { a: 3 } }) -> after::Thing = after::Thing { a: 3 };
    numbers = "Numbers" (NumbersRequest { size: after::Size::Large }) -> after::Size = after::Size::Small;
} }

fn dog_before() -> before::AnyAnimal {
    before::AnyAnimal::Dog(before::Dog {
        name: "Rex".to_owned(),
    })
}

fn fish_after() -> after::AnyAnimal {
    after::AnyAnimal::Fish(after::Fish {
        name: "Wanda".to_owned(),
    })
}

fn description<S: DispatchTo<Side>>() -> &'static svcgen::codegen::model::Service<'static> {
    S::SERVICE
        .module()
        .service
        .as_ref()
        .expect("it has a service")
}

/// Calls an operation of one side from the other.
fn call(audience: Audience, name: &str, binding: Binding) -> Called {
    let (sent, came, seen, answered) = match audience {
        Audience::Callers => {
            let server = after::AfterServer::new(Side::default());
            let (sent, came) = call_before(name, binding, server.clone());
            (
                sent,
                came,
                server.handler().0.lock().unwrap().clone(),
                answer_of_after(name),
            )
        }
        _ => {
            let server = before::BeforeServer::new(Side::default());
            let (sent, came) = call_after(name, binding, server.clone());
            (
                sent,
                came,
                server.handler().0.lock().unwrap().clone(),
                answer_of_before(name),
            )
        }
    };
    match (came, answered) {
        (Ok(came), Some(answered)) => Called {
            request: outcome(&sent, &seen),
            answer: outcome(&answered, &came),
        },
        _ => Called {
            request: Outcome::Refused,
            answer: Outcome::Refused,
        },
    }
}

/// Returns the verdict of the comparison on a call.
fn verdict(comparison: &Comparison, audience: Audience, name: &str, binding: Binding) -> Verdict {
    let effects = comparison
        .changes()
        .iter()
        .flat_map(|change| &change.effects);
    let of_call = effects.filter(|effect| {
        effect.audience == audience
            && effect.operations.iter().any(|operation| operation == name)
            && effect.bindings.contains(binding)
    });
    of_call
        .map(|effect| effect.verdict)
        .max()
        .unwrap_or(Verdict::Works)
}

/// Whether the outcome of a call contradicts the verdict.
fn contradiction(audience: Audience, binding: Binding, said: Verdict, called: &Called) -> bool {
    let worst = called.request.max(called.answer);
    // New clients do not miss what they do not expect, and JSON is not validated by a schema.
    let may_skip = audience == Audience::NewClients || Bindings::SCRIPT.contains(binding);
    let skipped = may_skip && called.answer == Outcome::Lost;
    match said {
        Verdict::Works => {
            called.request != Outcome::Same || !(called.answer == Outcome::Same || skipped)
        }
        Verdict::Depends => worst == Outcome::Refused,
        _ => worst == Outcome::Same,
    }
}

#[test]
fn what_is_said_of_callers_and_clients_is_what_happens() {
    let comparison = super::compare(BEFORE, AFTER);
    let mut wrong = String::new();
    let mut calls = 0;
    for (audience, service) in [
        (Audience::Callers, description::<before::BeforeService>()),
        (Audience::NewClients, description::<after::AfterService>()),
    ] {
        for operation in service.operations {
            for binding in Binding::ALL {
                if !operation.bindings.contains(binding) {
                    continue;
                }
                calls += 1;
                let called = call(audience, operation.name, binding);
                let said = verdict(&comparison, audience, operation.name, binding);
                if contradiction(audience, binding, said, &called) {
                    wrong += &format!(
                        "{} over {binding}, {audience:?}: said {said:?}, {called:?}\n",
                        operation.name
                    );
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(calls > 250, "{calls} calls");
}

/// Returns the values that both servers receive from one request for `Shades`.
fn shades(request: http::request::Builder, body: &'static str) -> [String; 2] {
    let request = request.body(bytes::Bytes::from(body)).unwrap();
    let (old, new) = (
        before::BeforeServer::new(Side::default()),
        after::AfterServer::new(Side::default()),
    );
    assert_eq!(wait(old.answer(request.clone())).status(), 200);
    assert_eq!(wait(new.answer(request)).status(), 200);
    [&**old.handler(), &**new.handler()].map(|side| side.0.lock().unwrap()[0].1.clone())
}

/// `value-order`
#[test]
fn an_index_means_what_it_means_where_it_is_read() {
    let request = http::Request::get("/Changing.asmx/Shades?shade=1");
    assert_eq!(shades(request, ""), ["Light", "Dark"]);
}

/// `value-default`
#[test]
fn what_is_missing_is_the_first_value_where_it_is_read() {
    let request = http::Request::post("/Changing.asmx").header("content-type", "text/xml");
    let body = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><Shades xmlns='urn:example:changing'/></e:Body></e:Envelope>";
    assert_eq!(shades(request, body), ["Dark", "Light"]);
}
