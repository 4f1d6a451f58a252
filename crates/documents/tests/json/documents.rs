//! WSDL, samples, the form of the help page, and the reference.

use svcgen_documents::page::HelpPage;
use svcgen_documents::samples::Samples;
use svcgen_documents::{WsdlOptions, disco, reference, wsdl};
use svcgen_model::{Binding, Module};

use crate::services::{COUNTS, SECRETS, SPOTS, STAFF, WITH, WITHOUT, service};

#[test]
fn wsdl_and_discovery_are_as_without_it() {
    let of = |module| {
        let service = service(module);
        let address = "http://localhost/GPlain.asmx";
        (
            wsdl(service, address, WsdlOptions::default()),
            disco(service, address, WsdlOptions::default().shape),
        )
    };
    assert!(service(&WITH).bindings().contains(Binding::Json));
    assert_eq!(of(&WITH), of(&WITHOUT));
    let (alone, _) = of(&SPOTS);
    assert!(
        alone.contains("<wsdl:service name=\"GPlain\" />"),
        "{alone}"
    );
}

/// Returns the samples of an operation over JSON.
fn sample(module: &'static Module<'static>, operation: &str) -> [String; 2] {
    let service = service(module);
    let mut operations = service.operations();
    let operation = operations.find(|known| known.name == operation).unwrap();
    let all = Samples::new(service);
    let mut samples = all.of(operation, "localhost").into_iter();
    let sample = samples
        .find(|sample| sample.binding == Binding::Json)
        .unwrap();
    [sample.request, sample.response].map(String::from)
}

#[test]
fn samples_show_what_is_on_the_wire() {
    let [request, response] = sample(&STAFF, "Put");
    let person = r#"
    "Id": "char",
    "IdSpecified": boolean,
    "Name": "string",
    "Born": "\/Date(milliseconds)\/",
    "Age": int,
    "AgeSpecified": boolean,
    "Likes": 0 or 5 or 6,
    "Photo": [unsignedByte, unsignedByte],
    "Size": "integer",
    "Tags": ["string", "string"]
  }"#;
    let head = "Content-Type: application/json; charset=utf-8\nContent-Length: length\n";
    let start = "POST /Staff.asmx/Put HTTP/1.1\nHost: localhost\n";
    let body = format!("{{\n  \"p\": {{{person},\n  \"s\": \"string\"\n}}");
    assert_eq!(request, format!("{start}{head}\n{body}"));
    let body = format!("{{\n  \"d\": {{\n    \"__type\": \"Lab.Person\",{person}\n}}");
    assert_eq!(response, format!("HTTP/1.1 200 OK\n{head}\n{body}"));
}

#[test]
fn parameters_of_a_query_are_json() {
    let [request, _] = sample(&STAFF, "Find");
    let person = "%7B%22Id%22%3A%22char%22%2C%22IdSpecified%22%3Aboolean%2C%22Name%22%3A%22string%22%2C\
        %22Born%22%3A%22%5C%2FDate(milliseconds)%5C%2F%22%2C%22Age%22%3Aint%2C%22AgeSpecified%22%3Aboolean%2C\
        %22Likes%22%3A0%2C%22Photo%22%3A%5BunsignedByte%2CunsignedByte%5D%2C%22Size%22%3A%22integer%22%2C\
        %22Tags%22%3A%5B%22string%22%2C%22string%22%5D%7D";
    let start = format!("GET /Staff.asmx/Find?p={person}&s=%22string%22 HTTP/1.1\n");
    let head = "Host: localhost\nContent-Type: application/json; charset=utf-8\n";
    assert_eq!(request, start + head);
}

#[test]
fn results_are_xml_if_the_operation_says_so() {
    let [_, response] = sample(&STAFF, "Xml");
    let head = "HTTP/1.1 200 OK\nContent-Type: text/xml; charset=utf-8\nContent-Length: length\n";
    assert_eq!(response, format!("{head}\nstring"));
    let [_, response] = sample(&STAFF, "XmlPerson");
    let [start, end] = [
        "<Person xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" id=\"char\">\n  <Name>",
        "</Person>",
    ];
    let declared = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
    assert!(
        response.starts_with(&format!("{head}\n{declared}{start}")),
        "{response}"
    );
    assert!(response.ends_with(end), "{response}");
}

fn page(module: &'static Module<'static>, operation: &str) -> String {
    let page = HelpPage {
        service: service(module),
        address: "http://localhost/A.asmx",
        form: true,
        documentation: true,
        about: svcgen_documents::page::About::default(),
    };
    page.operation(operation).unwrap()
}

#[test]
fn the_form_says_how_operations_are_called() {
    let input = |method| {
        format!(
            "value=\"json\" data-method=\"{method}\" data-content-type=\"application/json; charset=utf-8\"> JSON</label>"
        )
    };
    let put = page(&STAFF, "Put");
    assert!(put.contains(&input("POST")));
    assert!(put.contains("<template id=\"fields-Person\" data-script-type=\"Lab.Person\">"));
    assert!(put.contains("<template id=\"fields-Manager\" data-script-type=\"boss\">"));
    assert!(page(&STAFF, "Find").contains(&input("GET")));
}

#[test]
fn secrets_are_in_no_query() {
    let find = page(&SECRETS, "Find");
    assert!(find.contains("JSON is left out here: it would put secrets into the URL."));
    assert!(!find.contains("value=\"json\""));
    let put = page(&SECRETS, "Put");
    assert!(put.contains("value=\"json\""));
    assert!(
        put.contains("data-secrets=\"PutResult d key string\""),
        "{put}"
    );
    assert!(page(&SECRETS, "Xml").contains("data-secret-answer"));
}

/// Returns the section about the binding in the reference.
fn guide(module: &'static Module<'static>) -> String {
    let markdown = reference::markdown(service(module));
    let (_, after) = markdown.split_once("<a id=\"json\"></a>").unwrap();
    after.split("<a id").next().unwrap().to_owned()
}

#[test]
fn the_reference_tells_what_callers_need_to_know() {
    let staff = guide(&STAFF);
    let said = [
        "Called by `GET` instead\\: `Find`.",
        "Answered in XML, in no namespace\\: `Xml`, `XmlPerson`.",
        "The numbers are of `Colour` 0 for `Red`, 5 for `Green`, 6 for `Blue`.",
        "`\"\\/Date(1709210096789)\\/\"`",
        "`[0, 1, 255]`",
        "`XSpecified`",
        "first member `__type`\\: `Lab.Person`, `boss`.",
        "`jsonerror: true`",
        "`/Staff.asmx/jsdebug`",
    ];
    for said in said {
        assert!(staff.contains(said), "{said} in {staff}");
    }
    let secrets = guide(&SECRETS);
    assert!(secrets.contains("`jsonerror: true`"));
    for untold in ["enumerations", "Date", "Bytes", "Specified", "__type"] {
        assert!(!secrets.contains(untold), "{untold} in {secrets}");
    }
    let page = reference::html(service(&STAFF));
    assert!(page.contains("<a href=\"#json\">JSON</a>"));
    assert!(page.contains("<h2 id=\"json\"><a class=\"anchor\" href=\"#json\">JSON</a></h2>"));
    assert!(page.contains("A failure over JSON"));
    assert!(!reference::html(service(&WITHOUT)).contains("JSON"));
}

#[test]
fn dictionaries_are_objects_of_any_names() {
    let [request, response] = sample(&COUNTS, "Count");
    let spots = "\"spots\": {\n    \"key\": {\n      \"X\": int,\n      \"Y\": int\n    }\n  }";
    let words = "{\n  \"words\": {\n    \"key\": int\n  }";
    assert!(
        request.ends_with(&format!("{words},\n  {spots}\n}}")),
        "{request}"
    );
    assert!(
        response.ends_with("{\n  \"d\": {\n    \"key\": int\n  }\n}"),
        "{response}"
    );
    assert!(guide(&COUNTS).contains("Dictionaries are objects whose members have any names."));
    let markdown = reference::markdown(service(&COUNTS));
    assert!(markdown.contains("dictionary of [`Spot`]"), "{markdown}");
    let page = page(&COUNTS, "Count");
    assert!(page.contains("data-type=\"int{}\""), "{page}");
    assert!(page.contains("data-type=\"Spot?{}\""), "{page}");
}
