//! The model of a server or a client.

use std::fmt;
use std::sync::Arc;

use svcgen_model::{At, Binding, Documentation, Module, Operation, Service};

use crate::binding::protocol::Protocol;
use crate::binding::soap::encoding::Encoding;
use crate::binding::soap::version::Version;
use crate::binding::soap::versions;
use crate::binding::spoken::{ServiceModule, SpokenProtocol};
use crate::mask::{Mask, MaskedNotation};

/// The model of a service: rows in a `static`, as in emitted code, or rows that are built at run
/// time and shared. Clones are cheap.
///
/// ```
/// use svcgen::codegen::Model;
/// use svcgen::codegen::model::{Module, Service};
///
/// static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new("Clock", "urn:clock", "/Clock.asmx", &[]));
/// assert_eq!(Model::from(&MODULE).service().name, "Clock");
/// ```
#[derive(Clone)]
pub struct Model {
    source: Source,
    protocols: &'static [SpokenProtocol],
    /// The paths of a server; empty for a client.
    paths: Arc<[String]>,
}

#[derive(Clone)]
enum Source {
    Static(At<'static, Service<'static>>),
    Shared(Arc<dyn ModelSource>),
}

/// Owns the rows of a service that are built at run time.
pub trait ModelSource: Send + Sync + 'static {
    /// Returns the service.
    fn service(&self) -> At<'_, Service<'_>>;
}

impl Model {
    /// Creates the model of a module's service with its documentation. Without documentation, there
    /// are no documents.
    ///
    /// # Panics
    ///
    /// The module has no service, or lacks the protocol of an operation.
    pub fn new(
        service: &ServiceModule,
        documentation: Option<&'static Documentation<'static>>,
    ) -> Self {
        let at = At::service(service.module(), documentation);
        let source = Source::Static(at.expect("the module has a service"));
        Self::of(source, service.protocols())
    }

    /// Creates the model of a service whose rows are built at run time, with every compiled
    /// protocol.
    ///
    /// # Panics
    ///
    /// The service has operations over JSON, and the feature `json` is off.
    pub fn shared(source: Arc<dyn ModelSource>) -> Self {
        Self::of(Source::Shared(source), SpokenProtocol::ALL)
    }

    fn of(source: Source, protocols: &'static [SpokenProtocol]) -> Self {
        let model = Self {
            source,
            protocols,
            paths: Arc::default(),
        };
        SpokenProtocol::check(protocols, model.service().row());
        model
    }

    /// Returns the protocol of a binding, if the service speaks it.
    pub(crate) fn protocol(&self, binding: Binding) -> Option<&'static dyn Protocol> {
        Some(self.spoken(binding)?.protocol)
    }

    /// Returns the protocol that answers a call over a binding. A request over SOAP is a call until
    /// its message is read, also to a service without SOAP.
    ///
    /// # Panics
    ///
    /// The service does not speak the binding, and the binding is not SOAP.
    pub(crate) fn answering(&self, binding: Binding) -> &'static dyn Protocol {
        let protocol = self.protocol(binding);
        protocol.unwrap_or_else(|| {
            assert!(binding.is_soap(), "no operation has the binding {binding}");
            versions::literal(binding)
        })
    }

    fn spoken(&self, binding: Binding) -> Option<&'static SpokenProtocol> {
        let mut protocols = self.protocols.iter();
        protocols.find(|spoken| spoken.binding() == binding)
    }

    pub(crate) fn protocols(&self) -> &'static [SpokenProtocol] {
        self.protocols
    }

    /// Returns the SOAP version of a binding, without encoded messages if the service does not
    /// speak it; SOAP 1.1 if the binding is not SOAP.
    pub(crate) fn soap_version(&self, binding: Binding) -> &'static Version {
        let spoken = self.spoken(binding).and_then(|spoken| spoken.version);
        spoken.unwrap_or_else(|| versions::literal(binding))
    }

    /// Returns the encoding of an operation's messages, if they are encoded. All versions of SOAP
    /// read them in the same way.
    pub(crate) fn encoding(&self, operation: usize) -> Option<Box<dyn Encoding + '_>> {
        let operation = self.operation_at(operation);
        let mut versions = self.protocols.iter().filter_map(|spoken| spoken.version);
        versions.find_map(|version| version.encoding(operation, self.service().row()))
    }

    pub(crate) fn with_paths(mut self, paths: Vec<String>) -> Self {
        self.paths = paths.into();
        self
    }

    pub(crate) fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Returns the service.
    pub fn service(&self) -> At<'_, Service<'_>> {
        match &self.source {
            Source::Static(service) => *service,
            Source::Shared(source) => source.service(),
        }
    }

    /// Returns the operation with an index.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
    pub fn operation(&self, index: usize) -> &Operation<'_> {
        self.operation_at(index).row()
    }

    /// Returns the operation with an index, with its module.
    pub(crate) fn operation_at(&self, index: usize) -> At<'_, Operation<'_>> {
        let service = self.service();
        service.beside(&service.row().operations[index])
    }
}

/// Converts the service of emitted code, without documentation.
///
/// # Panics
///
/// The module has no service, or lacks the protocol of an operation.
impl From<&'static ServiceModule> for Model {
    fn from(service: &'static ServiceModule) -> Self {
        Self::new(service, None)
    }
}

/// Converts the service of a module, without documentation and with every compiled protocol.
///
/// # Panics
///
/// The module has no service, or operations over JSON while the feature `json` is off.
impl From<&'static Module<'static>> for Model {
    fn from(module: &'static Module<'static>) -> Self {
        Self::new(&ServiceModule::new(module, SpokenProtocol::ALL), None)
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Model").field(&self.service().name).finish()
    }
}

impl<'m> Mask<'m> {
    /// Creates a mask for a service and the paths of its server. It shows the first 64 KiB of
    /// messages.
    pub fn of(model: &'m Model) -> Self {
        Self::over(notations(model.protocols()), model.service()).with_paths(model.paths())
    }

    /// Creates a mask for a service with every compiled protocol.
    pub fn new(service: At<'m, Service<'m>>) -> Self {
        Self::over(notations(SpokenProtocol::ALL), service)
    }
}

/// Returns the notations of protocols other than XML and forms.
fn notations(protocols: &[SpokenProtocol]) -> Vec<&'static dyn MaskedNotation> {
    let masked = protocols.iter().map(|spoken| spoken.protocol.masked());
    masked.flatten().collect()
}
