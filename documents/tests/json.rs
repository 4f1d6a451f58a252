//! What documents say of the binding JSON, of a service of rows.

use svcgen_documents::page::HelpPage;
use svcgen_documents::samples::Samples;
use svcgen_documents::{WsdlOptions, disco, reference, wsdl};
use svcgen_model::SimpleType::{Base64Binary, Char, DateTime, Double, Int, Integer, String};
use svcgen_model::TypeRef::{Complex, Enumeration as Enum, List, Simple};
use svcgen_model::{
    At, Binding, Bindings, ComplexType, Element, Enumeration, Module, Operation, ResponseFormat,
    Script, ScriptMethod, ScriptType, Service, TypeId, TypeRef, complex_type, element, enumeration,
    operation, value,
};

const SPOT: TypeRef<'static> = Complex(TypeId::own(0));
static TYPES: [ComplexType<'static>; 1] = [complex_type(
    "Spot",
    &[element("X", Simple(Int)), element("Y", Simple(Int))],
)
.by_value()];
static S: [Element<'static>; 1] = [element("s", Simple(String)).omitted()];
static P: [Element<'static>; 1] = [element("p", SPOT)];

/// An operation with these parameters, which answers the first.
const fn echo(
    name: &'static str,
    parameters: &'static [Element<'static>],
    result: &'static str,
) -> Operation<'static> {
    operation(name, name, complex_type(name, parameters), "Response").result(parameters[0], result)
}

const BY_GET: ScriptMethod = ScriptMethod {
    use_http_get: true,
    response_format: ResponseFormat::Json,
};

/// The operations of the recorded service over these bindings.
const fn operations(bindings: Bindings) -> [Operation<'static>; 3] {
    [
        echo("Echo", &S, "string").over(bindings),
        echo("GetEcho", &S, "string").script(BY_GET).over(bindings),
        echo("EchoSpot", &P, "Spot").over(bindings.without(Bindings::FORMS)),
    ]
}

const fn plain(operations: &'static [Operation<'static>]) -> Module<'static> {
    let path = "/GPlain.asmx";
    let service = Service::new("GPlain", "http://lab.example/g/plain", path, operations);
    Module::new(&TYPES, &[]).with_service(service.script(Script {
        class: Some("Lab.G.GPlain"),
        types: &[ScriptType {
            type_ref: SPOT,
            name: "Lab.G.Spot",
        }],
    }))
}

static OPERATIONS: [[Operation<'static>; 3]; 3] = [
    operations(Bindings::ALL),
    operations(Bindings::DEFAULT),
    operations(Bindings::of(&[Binding::Json])),
];
static WITH: Module<'static> = plain(&OPERATIONS[0]);
static WITHOUT: Module<'static> = plain(&OPERATIONS[1]);
static SPOTS: Module<'static> = plain(&OPERATIONS[2]);

fn service(module: &'static Module<'static>) -> At<'static, Service<'static>> {
    At::service(module, None).expect("there is a service")
}

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

static COLOUR: [Enumeration<'static>; 1] = [enumeration(
    "Colour",
    &[value("Red"), value("Green").number(5), value("Blue")],
)];
static MEMBERS: [Element<'static>; 8] = [
    element("Name", Simple(String)).omitted(),
    element("Born", Simple(DateTime)).nillable(),
    element("Age", Simple(Int)).omitted(),
    element("Likes", Enum(TypeId::own(0))),
    element("Photo", Simple(Base64Binary)).omitted(),
    element("Size", Simple(Integer)).omitted(),
    element("Tags", List(&TAG)).omitted(),
    element("Level", Simple(Double)),
];
static TAG: Element<'static> = element("string", Simple(String)).omitted();
static PERSONS: [ComplexType<'static>; 2] = [
    complex_type("Person", MEMBERS.split_at(7).0)
        .attributes(&[element("id", Simple(Char)).omitted().net("Id")]),
    complex_type("Manager", &MEMBERS)
        .attributes(&[element("id", Simple(Char)).omitted().net("Id")])
        .extends(TypeId::own(0)),
];
const PERSON: TypeRef<'static> = Complex(TypeId::own(0));
const XML: ScriptMethod = ScriptMethod {
    use_http_get: false,
    response_format: ResponseFormat::Xml,
};
static PERSON_OPERATIONS: [Operation<'static>; 4] = [
    echo("Put", &[element("p", PERSON).omitted(), S[0]], "Person").over(Bindings::ALL),
    echo("Find", &[element("p", PERSON).omitted(), S[0]], "Person")
        .script(BY_GET)
        .over(Bindings::ALL),
    echo("Xml", &S, "string").script(XML).over(Bindings::ALL),
    echo("XmlPerson", &[element("p", PERSON).omitted()], "Person")
        .script(XML)
        .over(Bindings::ALL),
];
static STAFF: Module<'static> = Module::new(&PERSONS, &COLOUR).with_service(
    Service::new("Staff", "urn:staff", "/Staff.asmx", &PERSON_OPERATIONS).script(Script {
        class: Some("Lab.Staff"),
        types: &[ScriptType {
            type_ref: PERSON,
            name: "Lab.Person",
        }],
    }),
);

static KEY: [Element<'static>; 1] = [element("key", Simple(String)).omitted().secret()];
static SECRET_OPERATIONS: [Operation<'static>; 3] = [
    secret("Put").over(Bindings::ALL),
    secret("Find").script(BY_GET).over(Bindings::ALL),
    secret("Xml").script(XML).over(Bindings::ALL),
];
static SECRETS: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
    "Secrets",
    "urn:secrets",
    "/Secrets.asmx",
    &SECRET_OPERATIONS,
));

/// An operation with a secret parameter and result.
const fn secret(name: &'static str) -> Operation<'static> {
    let result = element("PutResult", Simple(String)).omitted().secret();
    echo(name, &KEY, "string").result(result, "string")
}

/// The samples of an operation over JSON.
fn sample(module: &'static Module<'static>, operation: &str) -> [std::string::String; 2] {
    let service = service(module);
    let mut operations = service.operations();
    let operation = operations.find(|known| known.name == operation).unwrap();
    let all = Samples::new(service);
    let mut samples = all.of(operation, "localhost").into_iter();
    let sample = samples
        .find(|sample| sample.binding == Binding::Json)
        .unwrap();
    [sample.request, sample.response].map(std::string::String::from)
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

fn page(module: &'static Module<'static>, operation: &str) -> std::string::String {
    let page = HelpPage {
        service: service(module),
        address: "http://localhost/A.asmx",
        form: true,
        documentation: true,
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
    assert!(put.contains("<template id=\"fields-Manager\">"));
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

/// What the reference says of the binding.
fn guide(module: &'static Module<'static>) -> std::string::String {
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
        "first member `__type`\\: `Lab.Person`.",
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
    assert!(page.contains("<h2 id=\"json\">JSON</h2>"));
    assert!(page.contains("A failure over JSON"));
    assert!(!reference::html(service(&WITHOUT)).contains("JSON"));
}

#[cfg(feature = "openapi")]
mod openapi {
    use serde_json::{Value, json};
    use svcgen_documents::openapi;

    use super::*;

    fn document(module: &'static Module<'static>) -> Value {
        openapi(service(module), "http://localhost")
    }

    #[test]
    fn bodies_and_answers_are_forms_and_json() {
        let document = document(&STAFF);
        let put = &document["paths"]["/Staff.asmx/Put"]["post"];
        let body = &put["requestBody"];
        assert!(body["content"]["application/x-www-form-urlencoded"].is_object());
        let body = &body["content"]["application/json"]["schema"];
        assert_eq!(body["required"], json!(["p", "s"]));
        let person = json!({ "$ref": "#/components/schemas/Person.json" });
        let person = json!({ "anyOf": [person, { "type": "null" }] });
        assert_eq!(body["properties"]["p"], person);
        let answer = &put["responses"]["200"]["content"];
        assert!(answer["text/xml"].is_object());
        assert_eq!(
            answer["application/json"]["schema"]["properties"]["d"],
            person
        );
        let failure = "#/components/responses/FailureOrJsonFailure";
        assert_eq!(put["responses"]["500"]["$ref"], failure);
        let failure = &document["components"]["responses"]["FailureOrJsonFailure"];
        assert_eq!(failure["headers"]["jsonerror"]["schema"]["const"], "true");
    }

    #[test]
    fn parameters_of_a_query_are_json_unless_a_form_has_them() {
        let plain = document(&SPOTS);
        let get = &plain["paths"]["/GPlain.asmx/GetEcho"]["get"];
        let schema = json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] });
        let parameter = json!({
            "name": "s", "in": "query", "required": true,
            "content": { "application/json": { "schema": schema } },
        });
        assert_eq!(get["parameters"], json!([parameter]));
        assert_eq!(get["operationId"], "GetEchoJson");
        let keys = plain["components"]["responses"].as_object().unwrap().keys();
        assert_eq!(keys.collect::<Vec<_>>(), ["JsonFailure"]);
        let both = &document(&STAFF)["paths"]["/Staff.asmx/Find"]["get"];
        assert!(both["parameters"][0]["schema"].is_object());
        let remark = both["description"].as_str().unwrap();
        assert!(remark.contains("Content-Type: application/json"));
    }

    #[test]
    fn types_are_as_json_has_them() {
        let document = document(&STAFF);
        let schemas = &document["components"]["schemas"];
        let person = &schemas["Person.json"]["properties"];
        let date = &person["Born"]["anyOf"][0]["pattern"];
        let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
        assert_eq!(person["__type"]["enum"], json!(["Lab.Person"]));
        assert_eq!(person["Id"], json!({ "type": "string", "maxLength": 1 }));
        assert_eq!(person["AgeSpecified"]["type"], "boolean");
        assert_eq!(date, "^/Date\\(-?[0-9]+\\)/$");
        assert_eq!(person["Photo"]["anyOf"][0]["items"], byte);
        assert_eq!(person["Size"]["anyOf"][0]["type"], "string");
        let colour = json!({
            "type": "integer", "enum": [0, 5, 6], "x-enum-varnames": ["Red", "Green", "Blue"],
        });
        assert_eq!(schemas["Colour.json"], colour);
        let manager = &schemas["Manager.json"]["allOf"];
        assert_eq!(manager[0]["$ref"], "#/components/schemas/Person.json");
        assert_eq!(manager[1]["properties"].as_object().unwrap().len(), 1);
    }
}
