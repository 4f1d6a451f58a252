//! A module: the content of a definition file.

use super::{ComplexType, Enumeration, Operation, Service};

/// The content of one definition file: types, and the service that uses them.
#[derive(Debug, Clone, Copy)]
pub struct Module<'a> {
    /// The service; `None` in a file of shared types.
    pub service: Option<Service<'a>>,
    /// The complex types.
    pub types: &'a [ComplexType<'a>],
    /// The enumerations.
    pub enumerations: &'a [Enumeration<'a>],
    /// The modules of the files that it includes, without cycles.
    pub includes: &'a [&'a Module<'a>],
}

impl<'a> Module<'a> {
    /// Creates a module with these types.
    pub const fn new(types: &'a [ComplexType<'a>], enumerations: &'a [Enumeration<'a>]) -> Self {
        Self {
            service: None,
            types,
            enumerations,
            includes: &[],
        }
    }

    builders! {
        /// Adds the service.
        with_service(service: Service<'a>) { service: Some(service) }
        /// Adds included modules, which [`TypeId::included`](crate::TypeId::included) numbers
        /// from 1.
        with_includes(includes: &'a [&'a Module<'a>]) { includes: includes }
    }

    /// Returns the complex type at an index.
    ///
    /// # Panics
    ///
    /// There is no such type.
    pub const fn complex_type(&self, index: usize) -> &ComplexType<'a> {
        &self.types[index]
    }

    /// Returns the parameters of an operation of its service.
    ///
    /// # Panics
    ///
    /// There is no service, or it has no such operation.
    pub const fn parameters(&self, operation: usize) -> &ComplexType<'a> {
        &self.operation(operation).parameters
    }

    /// Returns the results of an operation of its service with several results.
    ///
    /// # Panics
    ///
    /// There is no service, or it has no such operation.
    pub const fn response(&self, operation: usize) -> &ComplexType<'a> {
        &self.operation(operation).response
    }

    /// Returns the SOAP headers of an operation's requests.
    ///
    /// # Panics
    ///
    /// There is no service, it has no such operation, or the operation has no headers.
    pub const fn headers(&self, operation: usize) -> &ComplexType<'a> {
        match self.operation(operation).headers {
            Some(headers) => &headers.fields,
            None => panic!("the operation takes no headers"),
        }
    }

    /// Returns the SOAP headers of an operation's responses.
    ///
    /// # Panics
    ///
    /// There is no service, it has no such operation, or the operation has no response headers.
    pub const fn response_headers(&self, operation: usize) -> &ComplexType<'a> {
        match self.operation(operation).response_headers {
            Some(headers) => &headers.fields,
            None => panic!("the operation answers no headers"),
        }
    }

    /// Returns the SOAP headers of an operation's faults.
    ///
    /// # Panics
    ///
    /// There is no service, it has no such operation, or its faults have no headers.
    pub const fn fault_headers(&self, operation: usize) -> &ComplexType<'a> {
        match self.operation(operation).fault_headers {
            Some(headers) => &headers.fields,
            None => panic!("the faults of the operation have no headers"),
        }
    }

    const fn operation(&self, operation: usize) -> &Operation<'a> {
        match &self.service {
            Some(service) => &service.operations[operation],
            None => panic!("the module has no service"),
        }
    }
}

/// The documentation of a module: texts that its rows refer to by number, from 1. It is separate
/// from the rows so that a program that writes no documents does not contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Documentation<'a> {
    /// The texts.
    pub texts: &'a [&'a str],
    /// The documentation of the modules that the module includes.
    pub includes: &'a [&'a Documentation<'a>],
}

impl<'a> Documentation<'a> {
    /// Creates the documentation of a module that includes no other one.
    pub const fn new(texts: &'a [&'a str]) -> Self {
        Self {
            texts,
            includes: &[],
        }
    }

    builders! {
        /// Sets the documentation of the modules that the module includes.
        with_includes(includes: &'a [&'a Documentation<'a>]) { includes: includes }
    }
}
