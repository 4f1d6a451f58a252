//! Services defined by rows.

use svcgen_model::SimpleType::{Base64Binary, Char, DateTime, Double, Int, Integer, String};
use svcgen_model::TypeRef::{Complex, Dictionary, Enumeration as Enum, List, Simple};
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

/// Returns an operation with these parameters, whose result is the first of them.
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

/// Returns the operations of the recorded service over these bindings.
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
            class: None,
        }],
    }))
}

static OPERATIONS: [[Operation<'static>; 3]; 3] = [
    operations(Bindings::ALL),
    operations(Bindings::DEFAULT),
    operations(Bindings::of(&[Binding::Json])),
];
pub static WITH: Module<'static> = plain(&OPERATIONS[0]);
pub static WITHOUT: Module<'static> = plain(&OPERATIONS[1]);
pub static SPOTS: Module<'static> = plain(&OPERATIONS[2]);

/// Returns the service of a module.
pub fn service(module: &'static Module<'static>) -> At<'static, Service<'static>> {
    At::service(module, None).expect("there is a service")
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
pub static STAFF: Module<'static> = Module::new(&PERSONS, &COLOUR).with_service(
    Service::new("Staff", "urn:staff", "/Staff.asmx", &PERSON_OPERATIONS).script(Script {
        class: Some("Lab.Staff"),
        types: &[
            ScriptType {
                type_ref: PERSON,
                name: "Lab.Person",
                class: None,
            },
            ScriptType {
                type_ref: Complex(TypeId::own(1)),
                name: "boss",
                class: Some("Lab.Outer+Manager"),
            },
            ScriptType {
                type_ref: Enum(TypeId::own(0)),
                name: "Lab.Tones.Colour",
                class: None,
            },
        ],
    }),
);

static KEY: [Element<'static>; 1] = [element("key", Simple(String)).omitted().secret()];
static SECRET_OPERATIONS: [Operation<'static>; 3] = [
    secret("Put").over(Bindings::ALL),
    secret("Find").script(BY_GET).over(Bindings::ALL),
    secret("Xml").script(XML).over(Bindings::ALL),
];
pub static SECRETS: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
    "Secrets",
    "urn:secrets",
    "/Secrets.asmx",
    &SECRET_OPERATIONS,
));

/// Returns an operation with a secret parameter and result.
const fn secret(name: &'static str) -> Operation<'static> {
    let result = element("PutResult", Simple(String)).omitted().secret();
    echo(name, &KEY, "string").result(result, "string")
}

/// A service whose names are not identifiers of scripts.
pub static ODD: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
    "Odd-Names",
    "urn:odd",
    "/O<dd'\\.asmx",
    &[echo(
        "Get-It",
        &[element("new", Simple(Int)), element("a-b", Simple(Int))],
        "int",
    )
    .over(Bindings::of(&[Binding::Json]))],
));

/// A service with dictionaries.
pub static COUNTS: Module<'static> = Module::new(&TYPES, &[]).with_service(Service::new(
    "Counts",
    "urn:counts",
    "/Counts.asmx",
    &[echo(
        "Count",
        &[
            element("words", Dictionary(&element("value", Simple(Int)))),
            element("spots", Dictionary(&element("value", SPOT).nillable())).omitted(),
        ],
        "",
    )
    .over(Bindings::of(&[Binding::Json]))],
));
