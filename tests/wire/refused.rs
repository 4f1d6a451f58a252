//! Texts that the original refuses or reads differently than XML Schema defines, besides the
//! recordings: as observed with Mono, and by the reference source of .NET.

use svcgen::{Accept, Context, Fault};
use svcgen_tests::raw_http::{Answer, Running};

svcgen::include_service!("kennel");
use kennel::*;

struct Handlers;

impl KennelHandler for Handlers {
    async fn head(&self, _: &Context, headers: HeadHeaders) -> Result<Option<String>, Fault> {
        Ok(headers.ticket.map(|ticket| {
            let key = ticket.value.name.unwrap_or_default();
            format!(
                "{key}|{}|{}",
                ticket.actor.unwrap_or_default(),
                ticket.must_understand
            )
        }))
    }

    async fn take(&self, _: &Context, request: TakeRequest) -> Result<Option<String>, Fault> {
        let dog = request.dog.map(|dog| (dog.name, dog.nums.len()));
        Ok(Some(format!(
            "{dog:?}|{}|{:?}|{:?}",
            request.count, request.weight, request.note
        )))
    }

    async fn sum(&self, _: &Context, request: SumRequest) -> Result<i32, Fault> {
        Ok(request.values.map_or(-1, |values| values.iter().sum()))
    }

    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Option<String>, Fault> {
        Ok(request.s)
    }

    async fn dogs(&self, _: &Context, request: DogsRequest) -> Result<Vec<Dog>, Fault> {
        let mut dogs = request.dogs;
        for dog in &mut dogs {
            dog.name = dog.name.take().map(|name| name.replace('^', "\u{1D}"));
            dog.tag = dog.tag.take().map(|tag| tag.replace('^', "\u{FFFF}"));
        }
        Ok(dogs)
    }

    async fn visit(&self, _: &Context) -> Result<Visit, Fault> {
        Ok(Visit::default())
    }

    async fn walk(&self, _: &Context) -> Result<AnyAnimal, Fault> {
        Ok(AnyAnimal::default())
    }

    async fn list(&self, _: &Context, _: ListRequest) -> Result<Option<Vec<Option<Key>>>, Fault> {
        let name = Some("b\u{1D}".to_owned());
        Ok(Some(vec![None, Some(Key { name })]))
    }
}

const SOAP11: (&str, &str) = ("text/xml", "http://schemas.xmlsoap.org/soap/envelope/");
const SOAP12: (&str, &str) = (
    "application/soap+xml",
    "http://www.w3.org/2003/05/soap-envelope",
);

/// Sends a call. Returns its message, on one line, and its answer.
fn call(
    running: &Running,
    (media_type, namespace): (&str, &str),
    (operation, headers, parameters): (&str, &str, &str),
) -> (String, Answer) {
    let message = format!(
        r#"<soap:Envelope xmlns:soap="{namespace}" xmlns:soap11="{}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">{headers}<soap:Body><{operation} xmlns="urn:kennel">{parameters}</{operation}></soap:Body></soap:Envelope>"#,
        SOAP11.1
    );
    let request = format!(
        "POST /Kennel.asmx HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media_type}; charset=utf-8\r\nSOAPAction: \"urn:kennel/{operation}\"\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    let answer = running.exchange(request.as_bytes());
    (message, answer)
}

/// Fails unless an answer has a status and contains a text.
fn assert_answered(answer: &Answer, status: u16, expected: &str, sent: &str) {
    let text = answer.text();
    assert_eq!(answer.status, status, "{sent}: {text}");
    assert!(text.contains(expected), "{expected}: {text}");
}

/// Returns the position of a text in the format of .NET.
fn place(message: &str, text: &str) -> String {
    format!(
        "(1, {})",
        message.find(text).expect("it is in the message") + 1
    )
}

#[test]
fn values_that_net_cannot_convert_are_refused_at_their_place() {
    let running = Running::of(KennelServer::new(Handlers));
    let header = |attribute: &str| {
        format!(
            r#"<soap:Header><Ticket xmlns="urn:kennel" {attribute}><Name>k</Name></Ticket></soap:Header>"#
        )
    };
    let must = |value: &str| {
        format!(
            "'{value}' is not a valid value for the field EncodedMustUnderstand. Valid values are '0', '1', 'true', and 'false'."
        )
    };
    let rows = [
        (SOAP11, "Head", header(r#"soap:mustUnderstand="x""#), "", "soap:mustUnderstand=", must("x")),
        (SOAP12, "Head", header(r#"soap:mustUnderstand=" 1 ""#), "", "soap:mustUnderstand=", must(" 1 ")),
        (
            SOAP12,
            "Head",
            header(r#"soap:relay="yes""#),
            "",
            "soap:relay=",
            "'yes' is not a valid value for the 'relay' attribute. Valid values are '0', '1', 'true', and 'false'.".to_owned(),
        ),
        (
            SOAP11,
            "Take",
            String::new(),
            r#"<weight xsi:nil="x">2</weight>"#,
            "weight xsi",
            "The string 'x' is not a valid Boolean value.".to_owned(),
        ),
        (
            SOAP12,
            "Take",
            String::new(),
            r#"<weight xsi:nil="">2</weight>"#,
            "weight xsi",
            "The string '' is not a valid Boolean value.".to_owned(),
        ),
        (
            SOAP11,
            "Sum",
            String::new(),
            r#"<values xsi:nil="x"><int>1</int></values>"#,
            "values xsi",
            "The string 'x' is not a valid Boolean value.".to_owned(),
        ),
        (
            SOAP11,
            "Take",
            String::new(),
            r#"<dog xsi:type="Cat"><Name>a</Name></dog>"#,
            "dog xsi",
            "The specified type was not recognized: name='Cat', namespace='urn:kennel', at &lt;dog xmlns='urn:kennel'&gt;.".to_owned(),
        ),
        (
            SOAP11,
            "Take",
            String::new(),
            r#"<dog xmlns:o="urn:other" xsi:type="o:Dog"><Name>a</Name></dog>"#,
            "dog xmlns",
            "The specified type was not recognized: name='Dog', namespace='urn:other', at &lt;dog xmlns='urn:kennel'&gt;.".to_owned(),
        ),
    ];
    for (version, operation, headers, parameters, at, said) in rows {
        let (message, answer) = call(&running, version, (operation, &headers, parameters));
        let place = place(&message, at);
        let expected = format!(
            "Server was unable to read request. ---&gt; There is an error in XML document {place}. ---&gt; {said}"
        );
        assert_answered(&answer, 500, &expected, &format!("{parameters}{headers}"));
    }
}

#[test]
fn values_that_net_ignores_are_ignored() {
    let running = Running::of(KennelServer::new(Handlers));
    let header = |attribute: &str| {
        format!(
            r#"<soap:Header><Ticket xmlns="urn:kennel" {attribute}><Name>k</Name></Ticket></soap:Header>"#
        )
    };
    let unknown = |value: &str| {
        format!(r#"<soap:Header><Nope xmlns="urn:n" soap:mustUnderstand="{value}"/></soap:Header>"#)
    };
    for (version, operation, headers, parameters, result) in [
        // Each version has its own name for the attribute of a header's target.
        (SOAP12, "Head", header(r#"soap:actor="a""#), "", "k||false"),
        (SOAP12, "Head", header(r#"soap:role="a""#), "", "k|a|false"),
        (
            SOAP12,
            "Head",
            header(r#"soap11:actor="a""#),
            "",
            "k|a|false",
        ),
        (
            SOAP11,
            "Head",
            header(r#"soap:mustUnderstand="true""#),
            "",
            "k||true",
        ),
        (SOAP11, "Head", unknown("x"), "", ""),
        (SOAP11, "Head", unknown(" 1 "), "", ""),
        // `xsi:nil` of texts and objects that cannot be nil is not read.
        (
            SOAP11,
            "Take",
            String::new(),
            r#"<note xsi:nil="x">n</note><count xsi:nil="x">1</count><dog xsi:nil="x" xsi:type="Dog"><Name>a</Name></dog>"#,
            r#"Some((Some("a"), 0))|1|None|Some("n")"#,
        ),
        // .NET writes an empty array like this, but does not read it.
        (
            SOAP12,
            "Take",
            String::new(),
            r#"<dog nums=""><Name>a</Name></dog><weight xsi:nil="0">2</weight>"#,
            r#"Some((Some("a"), 0))|0|Some(2)|None"#,
        ),
    ] {
        let (_, answer) = call(&running, version, (operation, &headers, parameters));
        let expected = match result {
            "" => format!(r#"<{operation}Response xmlns="urn:kennel" />"#),
            result => format!("<{operation}Result>{result}</{operation}Result>"),
        };
        assert_answered(&answer, 200, &expected, &format!("{parameters}{headers}"));
    }
}

/// ASMX fails with a null reference there. A form cannot express an empty list in another way.
#[test]
fn a_form_without_its_list_has_none() {
    let running = Running::of(KennelServer::new(Handlers));
    for (query, sum) in [("", -1), ("?values=1&values=2", 3)] {
        let request = format!("GET /Kennel.asmx/Sum{query} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let answer = running.exchange(request.as_bytes());
        assert!(
            answer.text().ends_with(&format!(">{sum}</int>")),
            "{}",
            answer.text()
        );
    }
}

/// .NET writes these characters as references, which no XML reader accepts, including its own.
#[test]
fn characters_that_xml_does_not_have_are_written_as_net_writes_them() {
    let running = Running::of(KennelServer::new(Handlers));
    for (query, text) in [
        ("0100%1D21", "0100&#x1D;21"),
        ("%00", "&#x0;"),
        ("%EF%BF%BE%EF%BF%BF%EF%BF%BD", "&#xFFFE;&#xFFFF;\u{FFFD}"),
    ] {
        let request =
            format!("GET /Kennel.asmx/Echo?s={query} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let answer = running.exchange(request.as_bytes());
        let expected = format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<string xmlns=\"urn:kennel\">{text}</string>"
        );
        assert_eq!((answer.status, answer.text()), (200, expected.as_str()));
    }
    let dogs = r#"<dogs><Dog><Name>a</Name></Dog><Dog tag="t^"><Name>b^</Name></Dog></dogs>"#;
    for version in [SOAP11, SOAP12] {
        let (_, answer) = call(&running, version, ("Dogs", "", dogs));
        let expected =
            r#"<Dog><Name>a</Name></Dog><Dog tag="t&#xFFFF;"><Name>b&#x1D;</Name></Dog>"#;
        assert!(answer.text().contains(expected), "{}", answer.text());
        // Requests may not contain such references.
        let (_, refused) = call(&running, version, ("Take", "", "<note>&#x1D;</note>"));
        assert_eq!(refused.status, 400, "{}", refused.text());
    }
}

#[tokio::test]
async fn encoded_results_hold_such_characters_too() {
    let client = KennelClient::new(KennelServer::new(Handlers), "http://localhost").unwrap();
    let refused = client.list(&ListRequest::default()).await;
    assert!(refused.is_err(), "{refused:?}");
    let client = client.with(|client| client.with_accepted([Accept::ControlCharacters]));
    let keys = client.list(&ListRequest::default()).await.unwrap().unwrap();
    let name = Some("b\u{1D}".to_owned());
    assert_eq!(keys, [None, Some(Key { name })]);
}
