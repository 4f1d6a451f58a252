//! A service, opened by its definition.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use svcgen::CallError;
use svcgen::codegen::{Client, Model, ModelSource};
use svcgen_codegen::{Config, Described};
use svcgen_model::{At, ComplexType, Service as Row};

use crate::error::OpenError;
use crate::layouts::ServiceLayouts;
use crate::place::Place;

/// A service whose messages are read and written by its definition. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct Service(pub(crate) &'static ServiceLayouts);

impl Service {
    /// Opens a definition or a WSDL.
    ///
    /// # Errors
    ///
    /// The file cannot be read, has errors, or has no service.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        Self::of_described(svcgen_import::config().generator().describe(path)?)
    }

    /// Opens the text of a definition that includes no files. `file` is its name in messages.
    ///
    /// # Errors
    ///
    /// The definition has errors, or has no service.
    pub fn of_definition(file: &str, text: &str) -> Result<Self, OpenError> {
        Self::of_described(Config::new().describe(file, text)?)
    }

    /// Opens a definition that was read.
    ///
    /// # Errors
    ///
    /// It has no service.
    pub fn of_described(described: Described) -> Result<Self, OpenError> {
        Self::of(described, false)
    }

    /// Opens a definition that was read, for masked messages: each secret is a text without facets,
    /// even one of bytes, and each set of tables any XML, so that `[secret]` and `[omitted]` are
    /// valid values. Operations are those of the service itself, by name and index.
    ///
    /// ```
    /// use serde_json::json;
    /// use svcgen::Binding;
    /// use svcgen_messages::Service;
    ///
    /// let definition = "
    /// service: Bank
    /// namespace: http://example.com/bank
    /// path: /Bank.asmx
    /// operations:
    ///   Pay: { parameters: { amount: int, pin: { type: base64Binary, secret: true } } }
    /// ";
    /// let described = svcgen_codegen::Config::new().describe("bank.yaml", definition)?;
    /// let masked = Service::of_masked(described)?;
    /// let pay = masked.operation("Pay")?;
    /// let request = pay.request(&json!({ "amount": 7, "pin": "[secret]" }), Binding::Soap11)?;
    /// assert_eq!(masked.read_request(request)?.parameters, json!({ "amount": 7, "pin": "[secret]" }));
    /// # Ok::<(), svcgen::Fault>(())
    /// ```
    ///
    /// # Errors
    ///
    /// It has no service.
    pub fn of_masked(described: Described) -> Result<Self, OpenError> {
        Self::of(described, true)
    }

    fn of(described: Described, is_masked: bool) -> Result<Self, OpenError> {
        let file = described.path().display().to_string();
        ServiceLayouts::of(described, is_masked)
            .map(Self)
            .ok_or(OpenError::NoService { file })
    }

    /// Returns the name of the service.
    pub fn name(self) -> &'static str {
        self.0.service.row().name
    }

    /// Returns the rows of the service.
    pub fn row(self) -> At<'static, Row<'static>> {
        self.0.service
    }

    /// Returns the model of the service, for other functions of the runtime.
    pub fn model(self) -> Model {
        Model::shared(Arc::new(self))
    }

    /// Creates a client of the service at a URL, like that of emitted code.
    ///
    /// # Errors
    ///
    /// The URL is invalid: see [`Client::new`].
    pub fn client<T>(self, transport: T, url: &str) -> Result<Client<T>, CallError> {
        Client::new(self.model(), transport, url)
    }
}

impl Service {
    /// Returns the place of a value of a type of the service.
    ///
    /// # Panics
    ///
    /// The type is of another service.
    pub fn type_place(self, complex: At<'static, ComplexType<'static>>) -> Place {
        Place::of_type(self.0, complex)
    }
}

impl ModelSource for Service {
    fn service(&self) -> At<'_, Row<'_>> {
        self.0.service
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Service").field(&self.name()).finish()
    }
}
