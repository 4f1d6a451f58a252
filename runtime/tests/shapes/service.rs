//! A service in each style, as svcgen emits it, and a handler that answers with what it received.

use std::sync::atomic::{AtomicUsize, Ordering};

use svcgen::{
    Binding, Bindings, Complex, Content, Context, Element, ElementForm, Fault, Header, List, Lists,
    ReadError, Root, Secret, Style,
};

use crate::things::{Animal, AnyAnimal, AnyDog, Credentials, Dog, Thing, ThingContact};

/// One service for each style, by its number.
pub struct Service<const STYLE: usize>;

pub const DOCUMENT: usize = 0;
pub const UNQUALIFIED: usize = 1;
pub const RPC: usize = 2;
pub const RPC_UNQUALIFIED: usize = 3;

pub const PATH: &str = "/Things.asmx";
pub const NAMESPACE: &str = "urn:things";
const SOAP: Bindings = Bindings::of(&[Binding::Soap11, Binding::Soap12]);

macro_rules! description {
    ($style:expr, $form:expr) => {
        svcgen::ServiceDescription {
            name: "Things",
            namespace: NAMESPACE,
            path: PATH,
            element_form: $form,
            operations: &[
                svcgen::Operation {
                    name: "Mirror",
                    action: "urn:things/Mirror",
                    request: "Mirror",
                    response: "MirrorResponse",
                    result: Some(("MirrorResult", Root::Complex("Thing"))),
                    bindings: SOAP,
                    style: $style,
                    ..svcgen::Operation::NEW
                },
                svcgen::Operation {
                    name: "Show",
                    action: "urn:things/Show",
                    request: "Show",
                    response: "ShowResponse",
                    result: Some(("ShowResult", Root::Complex("Thing"))),
                    style: $style,
                    ..svcgen::Operation::NEW
                },
                svcgen::Operation {
                    name: "Notify",
                    action: "urn:things/Notify",
                    request: "Notify",
                    response: "NotifyResponse",
                    style: $style,
                    one_way: true,
                    ..svcgen::Operation::NEW
                },
                svcgen::Operation {
                    name: "Secure",
                    action: "urn:things/Secure",
                    request: "Secure",
                    response: "SecureResponse",
                    result: Some(("SecureResult", Root::Simple("string"))),
                    bindings: SOAP,
                    style: $style,
                    headers: &[
                        Header {
                            name: "Credentials",
                            required: true,
                            must_understand: true,
                            ..Header::NEW
                        },
                        Header {
                            name: "Session",
                            ..Header::NEW
                        },
                    ],
                    response_headers: &[
                        Header {
                            name: "Session",
                            must_understand: true,
                            ..Header::NEW
                        },
                        Header {
                            name: "Quota",
                            ..Header::NEW
                        },
                    ],
                    ..svcgen::Operation::NEW
                },
                svcgen::Operation {
                    name: "Matrix",
                    action: "urn:things/Matrix",
                    request: "Matrix",
                    response: "MatrixResponse",
                    result: Some(("MatrixResult", Root::Complex("ArrayOfArrayOfInt"))),
                    style: $style,
                    ..svcgen::Operation::NEW
                },
                svcgen::Operation {
                    name: "Pick",
                    action: "urn:things/Pick",
                    request: "Pick",
                    response: "PickResponse",
                    result: Some(("PickResult", Root::Complex("Animal"))),
                    style: $style,
                    ..svcgen::Operation::NEW
                },
                svcgen::Operation {
                    name: "Adopt",
                    action: "urn:things/Adopt",
                    request: "Adopt",
                    response: "AdoptResponse",
                    result: Some(("AdoptResult", Root::Complex("Animal"))),
                    bindings: SOAP,
                    style: $style,
                    ..svcgen::Operation::NEW
                },
                svcgen::Operation {
                    name: "Sum",
                    action: "urn:things/Sum",
                    request: "Sum",
                    response: "SumResponse",
                    result: Some(("SumResult", Root::Complex("ArrayOfInt"))),
                    style: $style,
                    headers: &[Header {
                        name: "Session",
                        ..Header::NEW
                    }],
                    ..svcgen::Operation::NEW
                },
            ],
            ..svcgen::ServiceDescription::NEW
        }
    };
}

pub static DESCRIPTIONS: [svcgen::ServiceDescription; 4] = [
    description!(Style::Document, ElementForm::Qualified),
    description!(Style::Document, ElementForm::Unqualified),
    description!(Style::Rpc, ElementForm::Qualified),
    description!(Style::Rpc, ElementForm::Unqualified),
];

macro_rules! request {
    ($name:ident { $($field:ident: $type:ty = $element:literal,)* }) => {
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $name { $(pub $field: $type,)* }

        impl Complex for $name {
            const ELEMENTS: &'static [&'static str] = &[$($element,)*];
            fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
                match Self::ELEMENTS[index] {
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

request!(MirrorRequest {
    thing: Option<Thing> = "thing",
});
request!(NotifyRequest {
    text: Option<String> = "text",
    number: i32 = "number",
});
request!(SecureRequest {
    text: Option<String> = "text",
});
request!(PickRequest {
    kind: Option<String> = "kind",
});
request!(AdoptRequest {
    animal: Option<AnyAnimal> = "animal",
    dog: Option<AnyDog> = "dog",
});
request!(SecureHeaders {
    credentials: Credentials = "Credentials",
    session: Option<Secret<String>> = "Session",
});
request!(SecureResponseHeaders {
    session: Option<Secret<String>> = "Session",
    quota: Option<i32> = "Quota",
});
request!(SumHeaders {
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

impl Complex for ShowRequest {
    const ELEMENTS: &'static [&'static str] = &["numbers", "tag", "Email", "Phone", "id"];
    const REPEATED_ELEMENTS: &'static [usize] = &[1];
    const CHOICES: &'static [(usize, usize)] = &[(2, 4)];
    fn read_element(&mut self, index: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        match index {
            0 => element.list("int", &mut self.numbers),
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
        out.list("numbers", "int", &self.numbers);
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

impl Complex for SumRequest {
    const ELEMENTS: &'static [&'static str] = &["numbers"];
    fn read_element(&mut self, _: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
        element.list("int", &mut self.numbers)
    }
    fn write_elements(&self, out: &mut Content<'_>) {
        out.list("numbers", "int", &self.numbers);
    }
}

/// Answers with what it received.
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

impl<const STYLE: usize> svcgen::Service<Mirror> for Service<STYLE> {
    const DESCRIPTION: &'static svcgen::ServiceDescription = &DESCRIPTIONS[STYLE];

    async fn call(
        handler: &Mirror,
        operation: usize,
        mut call: svcgen::Call<'_>,
    ) -> Result<svcgen::Reply, svcgen::Failure> {
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
                call.reply(&Lists::new("ArrayOfInt", "int", result))
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
                call.reply(&List::new("int", numbers))
            }
        }
    }
}

pub type Server<const STYLE: usize> = svcgen::Server<Service<STYLE>, Mirror>;
