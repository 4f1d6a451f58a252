//! What documents say of the binding JSON, of a service of rows.

use svcgen_documents::{WsdlOptions, disco, wsdl};
use svcgen_model::SimpleType::{Int, String};
use svcgen_model::TypeRef::{Complex, Simple};
use svcgen_model::{
    At, Binding, Bindings, ComplexType, Element, Module, Operation, ResponseFormat, Script,
    ScriptMethod, ScriptType, Service, TypeId, TypeRef, complex_type, element, operation,
};

const SPOT: TypeRef<'static> = Complex(TypeId::own(0));
static TYPES: [ComplexType<'static>; 1] = [complex_type(
    "Spot",
    &[element("X", Simple(Int)), element("Y", Simple(Int))],
)
.by_value()];
static S: [Element<'static>; 1] = [element("s", Simple(String)).omitted()];
static P: [Element<'static>; 1] = [element("p", SPOT)];

/// An operation with this parameter, which it answers.
const fn echo(
    name: &'static str,
    parameter: &'static [Element<'static>],
    result: &'static str,
) -> Operation<'static> {
    let [element] = parameter else { panic!() };
    operation(name, name, complex_type(name, parameter), "Response").result(*element, result)
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

static OPERATIONS: [[Operation<'static>; 3]; 2] =
    [operations(Bindings::ALL), operations(Bindings::DEFAULT)];
static WITH: Module<'static> = plain(&OPERATIONS[0]);
static WITHOUT: Module<'static> = plain(&OPERATIONS[1]);

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
}
