//! Values of messages, and the errors for values that do not match.

use serde_json::{Value as Json, json};
use svcgen::{Binding, CallError, Fault};
use svcgen_messages::{Answer, Service};

const DEFINITION: &str = "
service: Shop
namespace: http://example.com/shop
path: /Shop.asmx
operations:
  Order:
    bindings: [soap11, soap12]
    parameters: { order: Order, password: { type: string?, secret: true } }
    result: Receipt?
    faults: [OutOfStock]
  Ping: {}
types:
  Order:
    elements:
      Lines: \"Line?[]?\"
      Colour: Colour?
      Rights: Rights
      Animal: Animal?
      Picture: base64Binary?
      Total: decimal
      Huge: integer?
      Ratio: double
      When: dateTime?
      Extra: anyType?
      By: { choice: { Card: string, Cash: int } }
  Line: { attributes: { number: int }, elements: { Article: string?, Count: int } }
  Animal: { elements: { Name: string? } }
  Dog: { extends: Animal, elements: { Breed: string? } }
  Receipt: { elements: { Number: long, Secret: { type: string?, secret: true } } }
enums:
  Colour: [Red, Green]
  Rights: { flags: true, values: [Read, Write] }
faults:
  OutOfStock: { type: Line }
";

fn service() -> Service {
    Service::of_definition("shop.yaml", DEFINITION).unwrap()
}

fn order() -> Json {
    json!({ "order": {
        "Lines": [{ "Article": "pear", "Count": 2, "number": 1 }, null],
        "Colour": "Green",
        "Rights": "Read Write",
        "Animal": { "Dog": { "Name": "Rex", "Breed": "Collie" } },
        "Picture": "AQID",
        "Total": "12.50",
        "Huge": "123456789012345678901234567890",
        "Ratio": "NaN",
        "When": "2024-01-31T12:30:00",
        "Extra": { "Own": { "Dog": { "Name": "Fido" } } },
        "By": { "Cash": 20 },
    }, "password": "hunter2" })
}

#[test]
fn values_are_written_and_read_again() {
    let order_operation = service().operation("Order").unwrap();
    for binding in [Binding::Soap11, Binding::Soap12] {
        let request = order_operation.request(&order(), binding).unwrap();
        let text = String::from_utf8(request.body().to_vec()).unwrap();
        let animal = "<Animal xsi:type=\"Dog\"><Name>Rex</Name><Breed>Collie</Breed></Animal>";
        assert!(text.contains(animal), "{text}");
        assert!(text.contains("<Rights>Read Write</Rights>"), "{text}");
        let read = service().read_request(request).unwrap();
        assert_eq!(read.parameters, order());
        assert_eq!(read.binding, binding);
        // Members are in the order of the definition.
        assert_eq!(read.parameters.to_string(), order().to_string());
    }
}

/// Returns the error for an order with another value at a place.
fn complaint(place: &str, value: Json) -> String {
    let mut order = order();
    *order.pointer_mut(place).unwrap() = value;
    let operation = service().operation("Order").unwrap();
    match operation.request(&order, Binding::Soap11) {
        Err(CallError::Write(error)) => error.to_string(),
        other => panic!("{place}: {other:?}"),
    }
}

#[test]
fn a_value_that_does_not_fit_is_refused_with_its_place() {
    let cases = [
        (
            "/order/Lines/0/Count",
            json!("many"),
            "Order.order.Lines[0].Count: an integer of the range of Rust's i32 is expected, not a string.",
        ),
        (
            "/order/Lines/0/Count",
            json!(3_000_000_000_u32),
            "Order.order.Lines[0].Count: an integer of the range of Rust's i32 is expected, not a number.",
        ),
        (
            "/order/Lines/0/Count",
            Json::Null,
            "Order.order.Lines[0].Count: an integer of the range of Rust's i32 is expected, and missing.",
        ),
        (
            "/order/Lines/0",
            json!({ "Article": "pear", "Cuont": 2 }),
            "Order.order.Lines[0]: there is no member 'Cuont'; did you mean 'Count'? Known: Article, Count, number.",
        ),
        (
            "/order/Lines",
            json!("pear"),
            "Order.order.Lines: an array is expected, not a string.",
        ),
        (
            "/order/Colour",
            json!("Blue"),
            "Order.order.Colour: there is no value 'Blue'. Known: Red, Green.",
        ),
        (
            "/order/Rights",
            json!("Read Own"),
            "Order.order.Rights: there is no value 'Own'. Known: Read, Write.",
        ),
        (
            "/order/Animal",
            json!({ "Cat": {} }),
            "Order.order.Animal: there is no type 'Cat'. Known: Animal, Dog.",
        ),
        (
            "/order/Animal",
            json!({ "Name": "Rex", "Breed": "Collie" }),
            "Order.order.Animal: an object with one of the types Animal, Dog is expected, not an object.",
        ),
        (
            "/order/Picture",
            json!("%"),
            "Order.order.Picture: bytes in base64 is expected, not a string.",
        ),
        (
            "/order/When",
            json!("soon"),
            "Order.order.When: a date with a time, such as \"2024-01-31T12:30:00\" is expected, not a string.",
        ),
        (
            "/order/By",
            json!({ "Card": "x", "Cash": 1 }),
            "Order.order.By: one alternative is expected of Card, Cash.",
        ),
        (
            "/order/By",
            json!({ "Cheque": 1 }),
            "Order.order.By: there is no member 'Cheque'. Known: Card, Cash.",
        ),
        (
            "/order/Extra",
            json!({ "Whole": 1 }),
            "Order.order.Extra: there is no kind of value 'Whole'.",
        ),
        (
            "/order",
            Json::Null,
            "Order.order: an object of the type Order is expected, and missing.",
        ),
    ];
    for (place, value, expected) in cases {
        let said = complaint(place, value);
        assert!(said.contains(expected), "{place}: {said}");
    }
}

#[test]
fn unknown_operations_are_refused_with_the_known_ones() {
    let error = service().operation("Oder").unwrap_err();
    assert_eq!(
        error.to_string(),
        "Shop has no operation 'Oder'; it has Order, Ping; did you mean 'Order'?"
    );
}

#[test]
fn answers_and_faults_are_read_and_written() {
    let operation = service().operation("Order").unwrap();
    let answer = Answer::from(json!({ "Number": 17, "Secret": "4711" }));
    for binding in [Binding::Soap11, Binding::Soap12] {
        let response = operation.answer(&answer, binding);
        assert_eq!(operation.read_answer(&response, binding).unwrap(), answer);
        let nothing = operation.answer(&Answer::default(), binding);
        assert_eq!(
            operation.read_answer(&nothing, binding).unwrap().value,
            Json::Null
        );

        let detail = json!({ "Article": "pear", "Count": 0, "number": 1 });
        let fault = Fault::client("There are no pears.");
        let fault = operation.with_detail(fault, "OutOfStock", &detail).unwrap();
        let response = operation.refuse(fault, binding);
        let Err(CallError::Fault(fault)) = operation.read_answer(&response, binding) else {
            panic!("{response:?}");
        };
        assert_eq!(fault.text(), "There are no pears.");
        let read = operation.read_detail(&fault).unwrap();
        assert_eq!(read, json!({ "OutOfStock": detail }));
    }
    let unknown = operation
        .with_detail(Fault::client(""), "Gone", &Json::Null)
        .unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "the service has no fault 'Gone'; it has OutOfStock"
    );
}

#[test]
fn secrets_are_masked() {
    let operation = service().operation("Order").unwrap();
    let masked = operation.parameter_place().mask(&order());
    assert_eq!(masked["password"], "[secret]");
    assert_eq!(masked["order"], order()["order"]);
    let answer = Answer::from(json!({ "Number": 17, "Secret": "4711" }));
    assert_eq!(
        operation.mask_answer(&answer).value,
        json!({ "Number": 17, "Secret": "[secret]" })
    );
}

#[test]
fn what_is_not_described_is_left_out_of_masked_values() {
    let definition = "
service: Notes
namespace: http://example.com/notes
path: /Notes.asmx
bindings: [soap11, soap12]
operations:
  Keep:
    parameters: { extra: any?, many: 'any[]?', value: anyType?, tables: dataSet?, note: Note? }
    result: any?
types:
  Note: { elements: { Title: string?, More: { any: elements } }, attributes: { Others: { any: attributes } } }
  Login: { elements: { Name: string?, Pin: { type: string?, secret: true } } }
enums:
  Colour: [Red]
";
    let service = Service::of_definition("notes.yaml", definition).unwrap();
    let keep = service.operation("Keep").unwrap();
    let masked = |parameters: Json| keep.parameter_place().mask(&parameters).into_inner();
    let xml = "<apiKey>4711</apiKey>";
    for (given, shown) in [
        (json!({ "extra": xml }), json!({ "extra": "[omitted]" })),
        (
            json!({ "many": [xml, null] }),
            json!({ "many": ["[omitted]", null] }),
        ),
        (json!({ "tables": xml }), json!({ "tables": "[omitted]" })),
        (
            json!({ "note": { "Title": "a", "More": xml, "Others": { "key": "4711" } } }),
            json!({ "note": { "Title": "a", "More": "[omitted]", "Others": "[omitted]" } }),
        ),
        (
            json!({ "value": { "Int": 7 } }),
            json!({ "value": { "Int": 7 } }),
        ),
        (
            json!({ "value": { "Xml": { "attributes": {}, "content": xml } } }),
            json!({ "value": { "Xml": "[omitted]" } }),
        ),
        (
            json!({ "value": { "List": [{ "Own": { "Login": { "Name": "Ada", "Pin": "4711" } } }, { "Own": { "Colour": "Red" } }, { "Xml": xml }] } }),
            json!({ "value": { "List": [{ "Own": { "Login": { "Name": "Ada", "Pin": "[secret]" } } }, { "Own": { "Colour": "Red" } }, { "Xml": "[omitted]" }] } }),
        ),
        (
            json!({ "value": { "Dictionary": { "pin": { "String": "4711" } } } }),
            json!({ "value": { "Dictionary": "[omitted]" } }),
        ),
        // These values are never read, and therefore are masked, too.
        (
            json!({ "note": "4711", "unknown": "4711" }),
            json!({ "note": "[omitted]", "[omitted]": "[omitted]" }),
        ),
    ] {
        assert_eq!(masked(given), shown);
    }
    let answer = keep.mask_answer(&Answer::from(json!(xml)));
    assert_eq!(answer.value, "[omitted]");
}

#[test]
fn objects_of_no_type_are_dictionaries_over_json_alone() {
    let definition = "
service: Bags
namespace: http://example.com/bags
path: /Bags.asmx
bindings: [soap11, json]
operations:
  Keep: { parameters: { value: anyType? } }
";
    let service = Service::of_definition("bags.yaml", definition).unwrap();
    let keep = service.operation("Keep").unwrap();
    let parameters = json!({ "value": { "Dictionary": { "b": { "Int": 1 }, "a": null, "c": { "List": [{ "Dictionary": { "d": { "Boolean": true } } }] } } } });
    let request = keep.request(&parameters, Binding::Json).unwrap();
    let body: Json = serde_json::from_slice(request.body()).unwrap();
    assert_eq!(
        body,
        json!({ "value": { "b": 1, "a": null, "c": [{ "d": true }] } })
    );
    assert_eq!(
        service.read_request(request).unwrap().parameters,
        parameters
    );
    let refused = keep.request(&parameters, Binding::Soap11).unwrap_err();
    let refused = refused.to_string();
    assert!(
        refused.contains("'value' is a dictionary, which has no place in XML."),
        "{refused}"
    );
}

#[test]
fn dictionaries_are_objects_of_their_entries() {
    let definition = "
service: Counts
namespace: http://example.com/counts
path: /Counts.asmx
bindings: [json]
operations:
  Count: { parameters: { words: 'int{}', names: 'string?{}?', people: 'Person{}?', tones: 'Tone{}' }, result: 'Person?{}?' }
types:
  Person: { elements: { Name: string, Pin: { type: string?, secret: true } } }
enums:
  Tone: [Plain, Friendly]
";
    let service = Service::of_definition("counts.yaml", definition).unwrap();
    let count = service.operation("Count").unwrap();
    let parameters = json!({
        "words": { "b": 1, "a": -2 },
        "names": { "x": null, "y": "" },
        "people": { "ada": { "Name": "Ada", "Pin": "4711" } },
        "tones": { "t": "Friendly" },
    });
    let request = count.request(&parameters, Binding::Json).unwrap();
    assert_eq!(
        request.body(),
        r#"{"words":{"b":1,"a":-2},"names":{"x":null,"y":""},"people":{"ada":{"Name":"Ada","Pin":"4711"}},"tones":{"t":1}}"#
    );
    let read = service.read_request(request).unwrap();
    assert_eq!(read.parameters, parameters);
    assert_eq!(
        count.parameter_place().mask(&parameters).into_inner(),
        json!({ "words": { "b": 1, "a": -2 }, "names": { "x": null, "y": "" }, "people": "[omitted]", "tones": { "t": "Friendly" } })
    );
    let refused = |words: Json| {
        let parameters = json!({ "words": words, "tones": {} });
        count
            .request(&parameters, Binding::Json)
            .unwrap_err()
            .to_string()
    };
    for (words, expected) in [
        (
            json!([1]),
            "Count.words: an object is expected, not an array.",
        ),
        (
            json!({ "a": null }),
            "Count.words.a: an integer of the range of Rust's i32 is expected, and missing.",
        ),
        (
            json!({ "a": "x" }),
            "Count.words.a: an integer of the range of Rust's i32 is expected, not a string.",
        ),
    ] {
        let refused = refused(words);
        assert!(refused.ends_with(expected), "{refused}");
    }
    let place = count.parameter_place();
    assert_eq!(place.member("people").unwrap().type_name(), "Person{}?");
    let sample = serde_json::to_string(&count.parameter_place().sample()).unwrap();
    assert!(sample.contains(r#""words":{"key":1}"#), "{sample}");
}

#[tokio::test]
async fn a_client_calls_a_server() {
    let server = service().endpoint(|request| async move {
        assert_eq!(request.operation.name(), "Order");
        let lines = request.parameters["order"]["Lines"]
            .as_array()
            .map_or(0, Vec::len);
        Ok(Answer::from(json!({ "Number": lines })))
    });
    let client = service().client(server, "http://localhost").unwrap();
    let operation = service().operation("Order").unwrap();
    // Each opened service has its own rows.
    let answer = operation
        .call(&client, &Json::Null, &order())
        .await
        .unwrap();
    assert_eq!(answer.value, json!({ "Number": 2 }));
}

#[test]
fn a_request_that_is_no_call_is_refused_as_by_a_server() {
    let request = http::Request::post("/Shop.asmx")
        .header("content-type", "text/xml")
        .header("soapaction", "\"http://example.com/shop/Order\"")
        .body("<x/>".into())
        .unwrap();
    let fault = service().read_request(request).unwrap_err();
    assert!(
        fault.text().contains("soap:Envelope") || fault.text().contains("VersionMismatch"),
        "{fault}"
    );
}

#[test]
fn samples_fill_what_is_not_given() {
    let operation = service().operation("Order").unwrap();
    let given = json!({ "order": {
        "Lines": [{ "Count": 7 }, { "Article": "?" }],
        "Colour": null,
        "Animal": { "Dog": { "Name": "Rex" } },
        "By": { "Cash": 20 },
        "Total": "?",
    } });
    let filled = operation
        .parameter_place()
        .fill(&given, &|json| json == "?");
    let order = &filled["order"];
    assert_eq!(
        order["Lines"],
        json!([
            { "Article": "string", "Count": 7, "number": 1 },
            { "Article": "string", "Count": 1, "number": 1 },
        ])
    );
    assert_eq!(order["Colour"], Json::Null);
    assert_eq!(
        order["Animal"],
        json!({ "Dog": { "Name": "Rex", "Breed": "string" } })
    );
    assert_eq!(
        (&order["By"], &order["Total"]),
        (&json!({ "Cash": 20 }), &json!("1"))
    );
    assert_eq!(filled["password"], "string");
    let request = operation.request(&filled, Binding::Soap11).unwrap();
    let read = service().read_request(request).unwrap().parameters;
    assert_eq!(read["order"]["Lines"], order["Lines"]);

    // A value that does not match is kept, and refused with its place.
    let wrong = json!({ "order": { "By": { "Cheque": 1 }, "Lines": 7 } });
    let filled = operation.parameter_place().fill(&wrong, &|_| false);
    assert_eq!(filled["order"]["By"], json!({ "Cheque": 1 }));
    let error = operation.request(&filled, Binding::Soap11).unwrap_err();
    assert!(
        error.to_string().contains("Order.order.Lines: an array"),
        "{error}"
    );

    let answer = Answer::from(json!({ "Number": 17 }));
    let answer = operation.fill_answer(&answer, &|_| false);
    assert_eq!(answer.value, json!({ "Number": 17, "Secret": "string" }));
    let detail = json!({ "Count": 3 });
    let place = operation.detail_place("OutOfStock").unwrap();
    let detail = place.fill(&detail, &|_| false);
    assert_eq!(
        detail,
        json!({ "Article": "string", "Count": 3, "number": 1 })
    );
    assert!(operation.detail_place("Gone").is_err());
}

const READINGS: &str = "
service: Readings
namespace: urn:readings
path: /Readings.asmx
operations: { Take: { bindings: [soap11], parameters: { one: Reading } } }
types:
  Reading:
    elements:
      Count: { type: int, min: 1, default: 3 }
      Value: { choice: { Level: { type: int, default: 5 }, Exact: 'int?' } }
      Name: QName
";

/// Returns the values of a request, and the request written from them.
fn taken(elements: &str) -> (Json, String) {
    let service = Service::of_definition("readings.yaml", READINGS).unwrap();
    let body = format!(
        "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><soap:Body>\
         <Take xmlns=\"urn:readings\"><one>{elements}</one></Take></soap:Body></soap:Envelope>"
    );
    let request = http::Request::post("/Readings.asmx")
        .header("content-type", "text/xml")
        .header("soapaction", "\"urn:readings/Take\"");
    let request = request.body(body.into()).unwrap();
    let mut read = service.read_request(request).unwrap();
    let again = read.operation.request(&read.parameters, Binding::Soap11);
    let again = String::from_utf8(again.unwrap().into_body().into()).unwrap();
    let (_, rest) = again.split_once("<one>").unwrap();
    let (elements, _) = rest.split_once("</one>").unwrap();
    (read.parameters["one"].take(), elements.to_owned())
}

#[test]
fn empty_elements_are_the_defaults_that_are_always_written() {
    let (read, written) = taken("<Count /><Level /><Name />");
    assert_eq!(
        read,
        json!({ "Count": 3, "Value": { "Level": 5 }, "Name": "" })
    );
    assert_eq!(written, "<Count>3</Count><Level>5</Level><Name />");
}

#[test]
fn an_alternative_that_is_nil_stays_so() {
    let (read, written) = taken("<Exact xsi:nil=\"true\" />");
    assert_eq!(read["Value"], json!({ "Exact": null }));
    assert_eq!(
        written,
        "<Count>3</Count><Exact xsi:nil=\"true\" /><Name />"
    );
}

#[test]
fn only_xml_stands_for_a_wildcard() {
    let service = Service::of_definition(
        "open.yaml",
        "
service: Open
namespace: urn:open
path: /Open.asmx
operations: { Take: { bindings: [soap11], parameters: { one: 'Bag?' } } }
types: { Bag: { elements: { More: { any: elements }, Other: { any: element, namespaces: 'urn:x' } } } }
",
    );
    let take = service.unwrap().operation("Take").unwrap();
    let written = |one: Json| take.request(&json!({ "one": one }), Binding::Soap11);
    let request = written(json!({ "More": ["<a />", "<b />"], "Other": null })).unwrap();
    let text = String::from_utf8(request.into_body().into()).unwrap();
    assert!(
        text.contains(r#"<one><a xmlns="" /><b xmlns="" /></one>"#),
        "{text}"
    );
    for (one, place) in [
        (json!({ "More": ["<a />", null] }), "one.More[1]"),
        (json!({ "More": "<a />" }), "one.More"),
        (json!({ "Other": ["<a />"] }), "one.Other"),
    ] {
        let error = written(one).unwrap_err().to_string();
        assert!(error.contains(place), "{error}");
    }
}
