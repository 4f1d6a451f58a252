//! A service in each style, as svcgen emits it, and a handler that returns what it received.

use std::sync::atomic::{AtomicUsize, Ordering};

use svcgen::codegen::model::SimpleType::Int;
use svcgen::codegen::model::TypeRef::{Complex, List, Simple};
use svcgen::codegen::model::{
    self, ComplexType, HeaderRule, Module, Operation, SimpleType, TypeId, TypeRef, choice,
    complex_type, element, headers, operation,
};
use svcgen::codegen::{Complex as _, Content, Element, ServiceModule, SpokenProtocol};
use svcgen::{Bindings, Context, Fault, ReadError, Secret};

use super::things::{Animal, AnyAnimal, AnyDog, Credentials, Dog, Thing, ThingContact};

/// A service for each style, by the number of the style.
pub struct Service<const STYLE: usize>;

pub const DOCUMENT: usize = 0;
pub const UNQUALIFIED: usize = 1;
pub const RPC: usize = 2;
pub const RPC_UNQUALIFIED: usize = 3;

pub const PATH: &str = "/Things.asmx";
pub const NAMESPACE: &str = "urn:things";
const THING: model::Element<'_> = element("thing", Complex(TypeId::own(0))).omitted();
const INTS: TypeRef<'_> = List(&element("int", Simple(Int)));
const SESSION: model::Element<'_> = element("Session", Simple(SimpleType::String))
    .omitted()
    .secret();
const OPTIONAL: HeaderRule = HeaderRule {
    required: false,
    must_understand: false,
};
const UNDERSTOOD: HeaderRule = HeaderRule {
    must_understand: true,
    ..OPTIONAL
};
const REQUIRED: HeaderRule = HeaderRule {
    required: true,
    ..UNDERSTOOD
};

/// Returns the row of a result that may be absent.
const fn result<'a>(name: &'a str, type_ref: TypeRef<'a>) -> model::Element<'a> {
    element(name, type_ref).omitted()
}

static OPERATIONS: [Operation<'_>; 8] = [
    operation(
        "Mirror",
        "urn:things/Mirror",
        complex_type("Mirror", &[THING]),
        "MirrorResponse",
    )
    .result(result("MirrorResult", Complex(TypeId::own(0))), "Thing")
    .over(Bindings::SOAP),
    operation(
        "Show",
        "urn:things/Show",
        complex_type(
            "Show",
            &[
                element("numbers", INTS).omitted(),
                element("tag", Simple(SimpleType::String)).repeated(),
                element("Email", Simple(SimpleType::String)),
                element("Phone", Simple(Int)),
                element("id", Simple(Int)),
            ],
        )
        .groups(&[choice("contact", 2, 4).omitted()]),
        "ShowResponse",
    )
    .result(element("ShowResult", Complex(TypeId::own(0))), "Thing"),
    operation(
        "Notify",
        "urn:things/Notify",
        complex_type(
            "Notify",
            &[
                element("text", Simple(SimpleType::String)).omitted(),
                element("number", Simple(Int)),
            ],
        ),
        "NotifyResponse",
    )
    .one_way(),
    operation(
        "Secure",
        "urn:things/Secure",
        complex_type(
            "Secure",
            &[element("text", Simple(SimpleType::String)).omitted()],
        ),
        "SecureResponse",
    )
    .result(result("SecureResult", Simple(SimpleType::String)), "string")
    .over(Bindings::SOAP)
    .headers(&headers(
        &[element("Credentials", Complex(TypeId::own(3))), SESSION],
        &[REQUIRED, OPTIONAL],
    ))
    .response_headers(&headers(
        &[SESSION, element("Quota", Simple(Int)).omitted()],
        &[UNDERSTOOD, OPTIONAL],
    )),
    operation(
        "Matrix",
        "urn:things/Matrix",
        complex_type("Matrix", &[]),
        "MatrixResponse",
    )
    .result(
        result(
            "MatrixResult",
            List(&element("ArrayOfInt", INTS).nillable()),
        ),
        "ArrayOfArrayOfInt",
    ),
    operation(
        "Pick",
        "urn:things/Pick",
        complex_type(
            "Pick",
            &[element("kind", Simple(SimpleType::String)).omitted()],
        ),
        "PickResponse",
    )
    .result(result("PickResult", Complex(TypeId::own(1))), "Animal"),
    operation(
        "Adopt",
        "urn:things/Adopt",
        complex_type(
            "Adopt",
            &[
                element("animal", Complex(TypeId::own(1))).omitted(),
                element("dog", Complex(TypeId::own(2))).omitted(),
            ],
        ),
        "AdoptResponse",
    )
    .result(result("AdoptResult", Complex(TypeId::own(1))), "Animal")
    .over(Bindings::SOAP),
    operation(
        "Sum",
        "urn:things/Sum",
        complex_type("Sum", &[element("numbers", INTS).omitted()]),
        "SumResponse",
    )
    .result(element("SumResult", INTS), "ArrayOfInt")
    .headers(&headers(&[SESSION], &[OPTIONAL])),
];

/// The same operations as rpc/literal.
static RPC_OPERATIONS: [Operation<'_>; 8] = {
    let mut operations = OPERATIONS;
    let mut index = 0;
    while index < operations.len() {
        operations[index] = operations[index].rpc();
        index += 1;
    }
    operations
};

const TYPES: [ComplexType<'_>; 4] = [*Thing::TYPE, *Animal::TYPE, *Dog::TYPE, *Credentials::TYPE];

const fn module(operations: &'static [Operation<'static>], unqualified: bool) -> Module<'static> {
    let service = model::Service::new("Things", NAMESPACE, PATH, operations);
    Module::new(&TYPES, &[]).with_service(if unqualified {
        service.unqualified()
    } else {
        service
    })
}

pub static MODULES: [Module<'static>; 4] = [
    module(&OPERATIONS, false),
    module(&OPERATIONS, true),
    module(&RPC_OPERATIONS, false),
    module(&RPC_OPERATIONS, true),
];

macro_rules! request {
    ($name:ident: $row:expr, { $($field:ident: $type:ty = $element:literal,)* }) => {
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $name { $(pub $field: $type,)* }

        impl svcgen::codegen::Complex for $name {
            const TYPE: &'static ComplexType<'static> = $row;
        }

        impl svcgen::codegen::Fields for $name {
            fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
                match Self::TYPE.elements[index].name {
                    $($element => element.read(&mut self.$field),)*
                    _ => Ok(()),
                }
            }
            fn write_elements(&self, out: &mut Content<'_>) {
                $(out.element($element, &self.$field);)*
            }
        }
    };
}

request!(MirrorRequest: MODULES[0].parameters(0), {
    thing: Option<Thing> = "thing",
});
request!(NotifyRequest: MODULES[0].parameters(2), {
    text: Option<String> = "text",
    number: i32 = "number",
});
request!(SecureRequest: MODULES[0].parameters(3), {
    text: Option<String> = "text",
});
request!(PickRequest: MODULES[0].parameters(5), {
    kind: Option<String> = "kind",
});
request!(AdoptRequest: MODULES[0].parameters(6), {
    animal: Option<AnyAnimal> = "animal",
    dog: Option<AnyDog> = "dog",
});
request!(SecureHeaders: MODULES[0].headers(3), {
    credentials: Credentials = "Credentials",
    session: Option<Secret<String>> = "Session",
});
request!(SecureResponseHeaders: MODULES[0].response_headers(3), {
    session: Option<Secret<String>> = "Session",
    quota: Option<i32> = "Quota",
});
request!(SumHeaders: MODULES[0].headers(7), {
    session: Option<Secret<String>> = "Session",
});

/// Lists, an unwrapped list and a choice as parameters.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ShowRequest {
    pub numbers: Option<Vec<i32>>,
    pub tags: Vec<String>,
    pub contact: Option<ThingContact>,
    pub id: i32,
}

impl svcgen::codegen::Complex for ShowRequest {
    const TYPE: &'static ComplexType<'static> = MODULES[0].parameters(1);
}

impl svcgen::codegen::Fields for ShowRequest {
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.list(["int"], &mut self.numbers),
            1 => element.push(&mut self.tags),
            2 => {
                self.contact = Some(ThingContact::Email(element.value()?));
                Ok(())
            }
            3 => {
                self.contact = Some(ThingContact::Phone(element.value()?));
                Ok(())
            }
            _ => element.read(&mut self.id),
        }
    }
    fn write_elements(&self, out: &mut Content<'_>) {
        out.list("numbers", ["int"], &self.numbers);
        out.items("tag", &self.tags);
        if let Some(contact) = &self.contact {
            contact.write(out);
        }
        out.element("id", &self.id);
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct SumRequest {
    pub numbers: Option<Vec<i32>>,
}

impl svcgen::codegen::Complex for SumRequest {
    const TYPE: &'static ComplexType<'static> = MODULES[0].parameters(7);
}

impl svcgen::codegen::Fields for SumRequest {
    fn read_element(&mut self, _: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.list(["int"], &mut self.numbers)
    }
    fn write_elements(&self, out: &mut Content<'_>) {
        out.list("numbers", ["int"], &self.numbers);
    }
}

/// Returns what it received.
#[derive(Default)]
pub struct Mirror {
    pub notified: AtomicUsize,
}

impl Mirror {
    async fn show(&self, _: &Context, request: ShowRequest) -> Result<Thing, Fault> {
        Ok(Thing {
            id: request.id,
            note: Some(request.tags.join("|")),
            contact: request.contact,
            matrix: request.numbers.map(|numbers| vec![Some(numbers), None]),
            ..Thing::default()
        })
    }

    async fn notify(&self, _: &Context, request: NotifyRequest) -> Result<(), Fault> {
        self.notified.fetch_add(1, Ordering::Relaxed);
        match request.text.as_deref() {
            Some("panic") => panic!("told to"),
            Some("fails") => Err(Fault::client("told to")),
            _ => Ok(()),
        }
    }

    async fn secure(
        &self,
        _: &Context,
        headers: SecureHeaders,
        request: SecureRequest,
    ) -> Result<(Option<String>, SecureResponseHeaders), Fault> {
        if request.text.as_deref() == Some("refuse") {
            return Err(Fault::client("refused"));
        }
        let pin = headers.credentials.pin.map(Secret::into_inner);
        let said = format!("{:?} {pin:?}", headers.credentials.user);
        let headers = SecureResponseHeaders {
            session: headers.session,
            quota: pin,
        };
        Ok((Some(said), headers))
    }

    async fn pick(&self, _: &Context, request: PickRequest) -> Result<Option<AnyAnimal>, Fault> {
        Ok(match request.kind.as_deref() {
            Some("Dog") => Some(AnyAnimal::Dog(Box::new(Dog {
                name: Some("Rex".to_owned()),
                tricks: 2,
            }))),
            Some("Animal") => Some(AnyAnimal::Animal(Animal {
                name: Some("It".to_owned()),
            })),
            _ => None,
        })
    }
}

impl<const STYLE: usize> svcgen::codegen::DispatchTo<Mirror> for Service<STYLE> {
    const SERVICE: &'static ServiceModule =
        &ServiceModule::new(&MODULES[STYLE], SpokenProtocol::ALL);

    async fn call(
        handler: &Mirror,
        operation: usize,
        mut call: svcgen::codegen::Call<'_>,
    ) -> Result<svcgen::codegen::Reply, svcgen::codegen::Failure> {
        match operation {
            0 => {
                let request: MirrorRequest = call.read()?;
                call.reply(&request.thing)
            }
            1 => {
                let request = call.read()?;
                let result = handler.show(call.context(), request).await?;
                call.reply(&result)
            }
            2 => {
                let request = call.read()?;
                handler.notify(call.context(), request).await?;
                call.reply(&())
            }
            3 => {
                let headers = call.headers()?;
                let request = call.read()?;
                let (result, headers) = handler.secure(call.context(), headers, request).await?;
                call.with_headers(&headers)?.reply(&result)
            }
            4 => {
                call.read::<()>()?;
                let result = Some(vec![Some(vec![1, 2]), None, Some(vec![])]);
                call.reply(&svcgen::codegen::List::new(["ArrayOfInt", "int"], result))
            }
            5 => {
                let request = call.read()?;
                let result = handler.pick(call.context(), request).await?;
                call.reply(&result)
            }
            6 => {
                let request: AdoptRequest = call.read()?;
                let dog = request.dog.map(|dog| AnyAnimal::Dog(Box::new(dog.0)));
                call.reply(&request.animal.or(dog))
            }
            _ => {
                let headers: SumHeaders = call.headers()?;
                let request: SumRequest = call.read()?;
                let mut numbers = request.numbers.unwrap_or_default();
                let session = headers.session.map_or(0, |session| session.len() as i32);
                numbers.extend([numbers.iter().sum(), session]);
                call.reply(&svcgen::codegen::List::new(["int"], numbers))
            }
        }
    }
}

pub type Server<const STYLE: usize> = svcgen::Server<Service<STYLE>, Mirror>;
