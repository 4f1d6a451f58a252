//! Answers from recordings.

use super::*;

/// Writes an exchange as `svcgen record` does.
fn record(folder: &Path, name: &str, request: &Request<Bytes>, response: &[u8]) {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("request.http"), bytes_of(request)).unwrap();
    fs::write(folder.join("response.http"), response).unwrap();
}

#[test]
fn recordings_are_answered_as_they_were_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let login = |name: &str, password: &str| {
        let parameters = json!({ "name": name, "password": password });
        operation("Login")
            .request(&parameters, Binding::HttpPost)
            .unwrap()
    };
    let answer = |body: &str| {
        let length = body.len();
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nX-AspNet-Version: 4.0\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
    };
    let first =
        "<?xml version='1.0'?>\r\n<boolean  xmlns=\"http://example.com/shop\">true</boolean>\r\n";
    let second = first.replace("true", "false");
    record(
        folder.path(),
        "1",
        &login("Ada", "[secret]"),
        &answer(first),
    );
    record(
        folder.path(),
        "2",
        &login("Ada", "[secret]"),
        &answer(&second),
    );
    record(
        folder.path(),
        "3",
        &login("Bob", "[secret]"),
        &answer(first),
    );
    let page = Request::get("/Shop.asmx?wsdl").body(Bytes::new()).unwrap();
    record(folder.path(), "4", &page, &answer("<x/>"));
    let gone = Request::get("/Shop.asmx/Gone").body(Bytes::new()).unwrap();
    record(folder.path(), "5", &gone, &answer("<x/>"));
    let recorded = folder.path().display().to_string();
    let rules = "rules: [{ operation: Login, when: { name: Eve }, answer: false }]";
    let mock = Mock::start(
        &[("rules.yaml", rules)],
        &[
            "--recorded",
            &recorded,
            "--rules",
            "rules.yaml",
            "shop.yaml",
        ],
    );
    let ada = || mock.send(&login("Ada", "hunter2"));
    let answered = ada();
    assert_eq!(text(&answered), first);
    assert_eq!(answered.headers()["x-aspnet-version"], "4.0");
    assert_eq!(
        (text(&ada()), text(&ada())),
        (second.clone(), second.clone())
    );
    assert_eq!(text(&mock.send(&login("Bob", "x"))), first);
    // Rules come first.
    assert!(text(&mock.send(&login("Eve", "x"))).contains(">false<"));

    let unknown = mock.send(&login("Kim", "hunter2"));
    let said = text(&unknown).replace("&quot;", "\"");
    assert_eq!(unknown.status(), 500);
    assert!(said.contains("No call of Login over HTTP POST with these parameters is recorded. The nearest is 1: name is \"Ada\" there, not \"Kim\"."), "{said}");
    assert!(!said.contains("hunter2"));
    let none = mock.call("Add", json!({ "amount": 1 })).unwrap_err();
    assert!(
        none.contains("No call of Add over SOAP 1.1 is recorded."),
        "{none}"
    );
    let (_, _, errors) = mock.end();
    assert_eq!(
        errors,
        "note: 5 cannot be read as a call: [secret]\nnote: the mock does not answer requests that are not calls: GET /Shop.asmx?wsdl\n"
    );
}

const BANK: &str = "service: Shop
namespace: http://example.com/bank
path: /Shop.asmx
bindings: [soap11, soap12, http-post, json]
operations:
  Pay:
    parameters:
      amount: int
      key: { type: 'base64Binary?', secret: true }
      cards: 'Card[]?'
      short: { type: 'string?', secret: true, facets: { max_length: 4 } }
    result: int
    bindings: [soap11, soap12, json]
  Enter: { parameters: { door: int, key: { type: base64Binary, secret: true } }, result: int }
types:
  Card: { attributes: { Code: { type: base64Binary, secret: true } }, elements: { Owner: string?, Pin: { type: 'base64Binary?', secret: true } } }
";

/// Returns a message as masked by `svcgen record`.
fn masked(service: Service, request: &Request<Bytes>) -> Request<Bytes> {
    let masker = svcgen::mask::Mask::new(service.row());
    let masked = masker.request(request).into_inner().map(Bytes::from);
    assert!(!format!("{masked:?}").contains("4711"), "{masked:?}");
    masked
}

#[test]
fn masked_secrets_of_bytes_are_like_anything() {
    let service = Service::of_definition("bank.yaml", BANK).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let parameters = |operation: &str, first: i32, secret: &str| match operation {
        "Enter" => json!({ "door": first, "key": secret }),
        _ => json!({
            "amount": first, "key": secret, "cards": [{ "Owner": "Ada", "Pin": secret, "Code": secret }], "short": secret,
        }),
    };
    let mut calls = Vec::new();
    for operation in service.operations() {
        for binding in operation.row().bindings.iter() {
            let request = |first, secret| {
                let parameters = parameters(operation.name(), first, secret);
                operation.request(&parameters, binding).unwrap()
            };
            let number = calls.len() as i32;
            let answer = operation.answer(&json!(number).into(), binding);
            let head = answer.headers()["content-type"].to_str().unwrap();
            let response = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {head}\r\n\r\n{}",
                text(&answer)
            );
            let recorded = masked(service, &request(number, "4711"));
            record(
                folder.path(),
                &number.to_string(),
                &recorded,
                response.as_bytes(),
            );
            calls.push((
                operation,
                binding,
                request(number, "aGk="),
                request(99, "aGk="),
            ));
        }
    }
    assert_eq!(calls.len(), 7);
    let recorded = folder.path().display().to_string();
    let files = [("bank.yaml", BANK)];
    let mock = Mock::start(&files, &["--recorded", &recorded, "bank.yaml"]);
    for (number, (operation, binding, like, unlike)) in calls.iter().enumerate() {
        let answer = operation.read_answer(&mock.send(like), *binding);
        assert_eq!(
            answer.unwrap().value,
            json!(number),
            "{operation:?} {binding}"
        );
        let fault = text(&mock.send(unlike)).replace("&quot;", "\"");
        let place = ["amount", "door"][usize::from(operation.name() == "Enter")];
        let nearest = format!("The nearest is {number}: {place} is {number} there, not 99.");
        assert!(fault.contains(&nearest), "{fault}");
    }
    let (_, _, errors) = mock.end();
    assert_eq!(errors, "");
}

const NOTES: &str = "service: Shop
namespace: http://example.com/notes
path: /Shop.asmx
bindings: [soap11, soap12]
operations:
  Keep: { parameters: { id: int, extra: any?, tables: dataSet? }, result: int }
";

#[test]
fn what_was_left_out_of_recordings_is_like_anything() {
    let service = Service::of_definition("notes.yaml", NOTES).unwrap();
    let keep = service.operation("Keep").unwrap();
    let request = |id: i32, pin: &str| {
        let xml = format!("<Login><apiKey>{pin}</apiKey></Login>");
        let mut parameters = keep.parameter_place().sample();
        assert!(parameters["tables"].is_string(), "{parameters}");
        parameters["id"] = json!(id);
        parameters["extra"] = json!(xml);
        keep.request(&parameters, Binding::Soap11).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let answer = keep.answer(&json!(7).into(), Binding::Soap11);
    let response = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\n\r\n{}",
        text(&answer)
    );
    let recorded = masked(service, &request(1, "4711"));
    record(folder.path(), "1", &recorded, response.as_bytes());
    let recorded = folder.path().display().to_string();
    let files = [("notes.yaml", NOTES)];
    let mut mock = Mock::start(&files, &["--log", "--recorded", &recorded, "notes.yaml"]);
    let like = mock.send(&request(1, "0815"));
    let read = keep.read_answer(&like, Binding::Soap11);
    assert_eq!(read.unwrap().value, json!(7), "{}", text(&like));
    assert_eq!(mock.send(&request(2, "0815")).status(), 500);
    for _ in 0..2 {
        let logged: Json = serde_json::from_str(&mock.line()).unwrap();
        let parameters = &logged["parameters"];
        assert_eq!(parameters["extra"], "[omitted]");
        assert_eq!(parameters["tables"], "[omitted]");
    }
}

#[test]
fn new_recordings_are_answered_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let request = |amount: i32| {
        let parameters = json!({ "amount": amount });
        operation("Add")
            .request(&parameters, Binding::HttpPost)
            .unwrap()
    };
    let answer = |value: i32| {
        let body = format!("<int xmlns=\"http://example.com/shop\">{value}</int>");
        let length = body.len();
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    };
    record(folder.path(), "1", &request(1), answer(10).as_bytes());
    let recorded = folder.path().display().to_string();
    let mut mock = Mock::start(&[], &["--recorded", &recorded, "shop.yaml"]);
    assert!(text(&mock.send(&request(1))).contains(">10<"));
    assert_eq!(mock.send(&request(2)).status(), 500);

    // Half of a recording: the others are still answered, and this one is read once it is whole.
    let half = answer(20);
    record(
        folder.path(),
        "2",
        &request(2),
        &half.as_bytes()[..half.len() - 9],
    );
    assert_eq!(mock.line(), "read again\n");
    mock.line();
    let mut said = String::new();
    mock.errors.read_line(&mut said).unwrap();
    assert!(
        said.starts_with("note: a recording cannot be read: "),
        "{said}"
    );
    assert!(
        said.contains("2/response.http: Content-Length is"),
        "{said}"
    );
    assert!(text(&mock.send(&request(1))).contains(">10<"));
    assert_eq!(mock.send(&request(2)).status(), 500);

    record(folder.path(), "2", &request(2), half.as_bytes());
    assert_eq!(mock.line(), "read again\n");
    mock.line();
    assert!(text(&mock.send(&request(2))).contains(">20<"));
}
