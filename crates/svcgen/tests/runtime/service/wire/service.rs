//! A service written by hand, in the form that svcgen emits, and a handler that returns what it
//! received.

use svcgen::codegen::model::SimpleType::Int;
use svcgen::codegen::model::TypeRef::{Complex, List, Simple};
use svcgen::codegen::model::{
    self, ComplexType, Module, SimpleType, TypeId, complex_type, element, operation,
};
use svcgen::codegen::{ServiceModule, SpokenProtocol};
use svcgen::types::QName;
use svcgen::{Binding, Bindings, Context, Fault, FaultCode, Secret};

pub struct Service;

pub type Server<H> = svcgen::Server<Service, H>;

pub static MODULE: Module<'static> = Module::new(
    &[complex_type(
        "Account",
        &[
            element("Id", Simple(Int)),
            element("Name", Simple(SimpleType::String)).omitted(),
        ],
    )],
    &[],
)
.with_service(model::Service::new(
    "Accounts",
    "urn:accounts",
    "/Svc/Accounts.asmx",
    &[
        operation(
            "Login",
            "urn:accounts/Login",
            complex_type(
                "Login",
                &[
                    element("username", Simple(SimpleType::String)).omitted(),
                    element("password", Simple(SimpleType::String))
                        .omitted()
                        .secret(),
                    element("tries", Simple(Int)),
                ],
            ),
            "LoginResponse",
        )
        .result(element("LoginResult", Complex(TypeId::own(0))), "Account")
        .over(Bindings::ALL),
        operation(
            "Echo",
            "urn:accounts/Echo",
            complex_type(
                "Echo",
                &[element("text", Simple(SimpleType::String)).omitted()],
            ),
            "EchoResponse",
        )
        .result(
            element("EchoResult", Simple(SimpleType::String)).omitted(),
            "string",
        )
        .over(Bindings::ALL),
        operation(
            "NoOp",
            "urn:accounts/NoOp",
            complex_type("NoOp", &[]),
            "NoOpResponse",
        )
        .over(Bindings::ALL),
        operation(
            "Count",
            "urn:accounts/Count",
            complex_type("Count", &[]),
            "CountResponse",
        )
        .result(element("CountResult", Simple(Int)).nillable(), "int")
        .over(Bindings::ALL),
        operation(
            "SoapOnly",
            "urn:accounts/SoapOnly",
            complex_type("SoapOnly", &[]),
            "SoapOnlyResponse",
        )
        .result(
            element("SoapOnlyResult", List(&element("int", Simple(Int)))).omitted(),
            "ArrayOfInt",
        )
        .over(Bindings::SOAP),
    ],
));

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Account {
    pub id: i32,
    pub name: Option<String>,
}

impl svcgen::codegen::Complex for Account {
    const TYPE: &'static ComplexType<'static> = &MODULE.types[0];
}

impl svcgen::codegen::Fields for Account {
    fn read_element(
        &mut self,
        index: usize,
        element: &mut svcgen::codegen::Element<'_>,
    ) -> Result<(), svcgen::ReadError> {
        match index {
            0 => element.read(&mut self.id),
            _ => element.read(&mut self.name),
        }
    }
    fn write_elements(&self, out: &mut svcgen::codegen::Content<'_>) {
        out.element("Id", &self.id);
        out.element("Name", &self.name);
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct LoginRequest {
    pub username: Option<String>,
    pub password: Option<Secret<String>>,
    pub tries: i32,
}

impl svcgen::codegen::Complex for LoginRequest {
    const TYPE: &'static ComplexType<'static> = MODULE.parameters(0);
}

impl svcgen::codegen::Fields for LoginRequest {
    fn read_element(
        &mut self,
        index: usize,
        element: &mut svcgen::codegen::Element<'_>,
    ) -> Result<(), svcgen::ReadError> {
        match index {
            0 => element.read(&mut self.username),
            1 => element.read(&mut self.password),
            _ => element.read(&mut self.tries),
        }
    }
    fn write_elements(&self, out: &mut svcgen::codegen::Content<'_>) {
        out.element("username", &self.username);
        out.element("password", &self.password);
        out.element("tries", &self.tries);
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct EchoRequest {
    pub text: Option<String>,
}

impl svcgen::codegen::Complex for EchoRequest {
    const TYPE: &'static ComplexType<'static> = MODULE.parameters(1);
}

impl svcgen::codegen::Fields for EchoRequest {
    fn read_element(
        &mut self,
        _: usize,
        element: &mut svcgen::codegen::Element<'_>,
    ) -> Result<(), svcgen::ReadError> {
        element.read(&mut self.text)
    }
    fn write_elements(&self, out: &mut svcgen::codegen::Content<'_>) {
        out.element("text", &self.text);
    }
}

pub trait Handler: Send + Sync + 'static {
    fn login(
        &self,
        context: &Context,
        request: LoginRequest,
    ) -> impl Future<Output = Result<Account, Fault>> + Send;
    fn echo(
        &self,
        context: &Context,
        request: EchoRequest,
    ) -> impl Future<Output = Result<Option<String>, Fault>> + Send;
    fn no_op(&self, context: &Context) -> impl Future<Output = Result<(), Fault>> + Send;
    fn count(&self, context: &Context) -> impl Future<Output = Result<Option<i32>, Fault>> + Send;
    fn soap_only(&self, context: &Context) -> impl Future<Output = Result<Vec<i32>, Fault>> + Send;
}

impl<H: Handler> svcgen::codegen::DispatchTo<H> for Service {
    const SERVICE: &'static ServiceModule = &ServiceModule::new(&MODULE, SpokenProtocol::ALL);

    async fn call(
        handler: &H,
        operation: usize,
        mut call: svcgen::codegen::Call<'_>,
    ) -> Result<svcgen::codegen::Reply, svcgen::codegen::Failure> {
        match operation {
            0 => {
                let request = call.read()?;
                let result = handler.login(call.context(), request).await?;
                call.reply(&result)
            }
            1 => {
                let request = call.read()?;
                let result = handler.echo(call.context(), request).await?;
                call.reply(&result)
            }
            2 => {
                call.read::<()>()?;
                handler.no_op(call.context()).await?;
                call.reply(&())
            }
            3 => {
                call.read::<()>()?;
                let result = handler.count(call.context()).await?;
                call.reply(&result)
            }
            _ => {
                call.read::<()>()?;
                let result = handler.soap_only(call.context()).await?;
                call.reply(&svcgen::codegen::List::new(["int"], result))
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Client<T>(pub svcgen::codegen::Client<T>);

impl<T: svcgen::Transport> Client<T> {
    pub fn new(transport: T, base_url: &str) -> Result<Self, svcgen::CallError> {
        svcgen::codegen::Client::new(&MODULE, transport, base_url).map(Self)
    }
    pub fn with_binding(self, binding: Binding) -> Self {
        Self(self.0.with_binding(binding))
    }
    pub async fn login(&self, request: LoginRequest) -> Result<Account, svcgen::CallError> {
        self.0.call(0, &(), &request, |answer| answer.read()).await
    }
    pub async fn echo(&self, request: EchoRequest) -> Result<Option<String>, svcgen::CallError> {
        self.0.call(1, &(), &request, |answer| answer.read()).await
    }
    pub async fn no_op(&self) -> Result<(), svcgen::CallError> {
        self.0.call(2, &(), &(), |answer| answer.read::<()>()).await
    }
    pub async fn count(&self) -> Result<Option<i32>, svcgen::CallError> {
        self.0.call(3, &(), &(), |answer| answer.read()).await
    }
    pub async fn soap_only(&self) -> Result<Vec<i32>, svcgen::CallError> {
        self.0
            .call(4, &(), &(), |answer| answer.read_list(["int"]))
            .await
    }
}

/// A handler whose answers depend on the values of requests.
#[derive(Clone, Copy)]
pub struct Shows;

impl Handler for Shows {
    async fn login(&self, context: &Context, request: LoginRequest) -> Result<Account, Fault> {
        assert_eq!(context.operation().name, "Login");
        assert!(!format!("{context:?}").contains("secret"));
        match request.username.as_deref() {
            Some("throw") => Err(Fault::exception("boom <&> é")),
            Some("refuse") => Err(
                Fault::new(FaultCode::other("urn:accounts", "Locked"), "locked")
                    .with_subcode(QName::new("urn:accounts", "Deeper"))
                    .with_actor("urn:me"),
            ),
            Some("panic") => panic!("secret of the handler"),
            name => Ok(Account {
                id: request.tries,
                name: Some(format!(
                    "{name:?} {:?}",
                    request.password.map(|password| password.len())
                )),
            }),
        }
    }

    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Option<String>, Fault> {
        Ok(request.text)
    }

    async fn no_op(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }

    async fn count(&self, _: &Context) -> Result<Option<i32>, Fault> {
        Ok(None)
    }

    async fn soap_only(&self, _: &Context) -> Result<Vec<i32>, Fault> {
        Ok(vec![1, -2])
    }
}
