//! The model of a server or a client.

use std::fmt;
use std::sync::Arc;

use svcgen_model::{At, Documentation, Module, Operation, Service};

/// The model of a service: rows in a `static`, as in emitted code, or rows that are built at run time and shared. Clones are cheap.
///
/// ```
/// use svcgen::codegen::Model;
/// use svcgen::codegen::model::{Module, Service};
///
/// static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new("Clock", "urn:clock", "/Clock.asmx", &[]));
/// assert_eq!(Model::new(&MODULE, None).service().name, "Clock");
/// ```
#[derive(Clone)]
pub struct Model {
    source: Source,
    /// The paths at which a server has it; none for a client.
    paths: Arc<[String]>,
}

#[derive(Clone)]
enum Source {
    Static(At<'static, Service<'static>>),
    Shared(Arc<dyn ModelSource>),
}

/// Owns the rows of a service that are built at run time.
pub trait ModelSource: Send + Sync + 'static {
    /// The service.
    fn service(&self) -> At<'_, Service<'_>>;
}

impl Model {
    /// The service of a module, with its documentation; without documentation there are no documents.
    ///
    /// # Panics
    ///
    /// The module has no service.
    pub fn new(
        module: &'static Module<'static>,
        documentation: Option<&'static Documentation<'static>>,
    ) -> Self {
        let service = At::service(module, documentation);
        Self::of(Source::Static(service.expect("the module has a service")))
    }

    /// A service whose rows are built at run time.
    pub fn shared(source: Arc<dyn ModelSource>) -> Self {
        Self::of(Source::Shared(source))
    }

    fn of(source: Source) -> Self {
        Self {
            source,
            paths: Arc::default(),
        }
    }

    /// The same of a server at these paths.
    pub(crate) fn with_paths(mut self, paths: Vec<String>) -> Self {
        self.paths = paths.into();
        self
    }

    /// The paths of a server.
    pub(crate) fn paths(&self) -> &[String] {
        &self.paths
    }

    /// The service.
    pub fn service(&self) -> At<'_, Service<'_>> {
        match &self.source {
            Source::Static(service) => *service,
            Source::Shared(source) => source.service(),
        }
    }

    /// The operation of an index.
    ///
    /// # Panics
    ///
    /// The service has no operation of this index.
    pub fn operation(&self, index: usize) -> &Operation<'_> {
        self.operation_at(index).row()
    }

    /// The same with its module.
    pub(crate) fn operation_at(&self, index: usize) -> At<'_, Operation<'_>> {
        let service = self.service();
        service.beside(&service.row().operations[index])
    }
}

/// The service of a module, without documentation.
///
/// # Panics
///
/// The module has no service.
impl From<&'static Module<'static>> for Model {
    fn from(module: &'static Module<'static>) -> Self {
        Self::new(module, None)
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Model").field(&self.service().name).finish()
    }
}
