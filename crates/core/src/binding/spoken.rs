//! The protocols that a service speaks. A protocol that is in no list of a program is not linked.

use std::fmt;

use svcgen_model::{Binding, Module, Service};

use super::protocol::Protocol;
use super::soap::version::Version;
use super::soap::versions;
use super::{http_get, http_post};

/// A binding with the code that reads and writes its messages.
#[derive(Clone, Copy)]
pub struct SpokenProtocol {
    pub(crate) protocol: &'static dyn Protocol,
    /// The version of SOAP, if it is one.
    pub(crate) version: Option<&'static Version>,
}

/// SOAP 1.1 without encoded messages.
pub const SOAP_11: SpokenProtocol = SpokenProtocol::soap(&versions::SOAP_11);

/// SOAP 1.1, also for operations whose messages are encoded.
pub const SOAP_11_ENCODED: SpokenProtocol = SpokenProtocol::soap(&versions::SOAP_11_ENCODED);

/// SOAP 1.2 without encoded messages.
pub const SOAP_12: SpokenProtocol = SpokenProtocol::soap(&versions::SOAP_12);

/// SOAP 1.2, also for operations whose messages are encoded.
pub const SOAP_12_ENCODED: SpokenProtocol = SpokenProtocol::soap(&versions::SOAP_12_ENCODED);

/// HTTP GET.
pub const HTTP_GET: SpokenProtocol = SpokenProtocol::without_soap(&http_get::PROTOCOL);

/// HTTP POST.
pub const HTTP_POST: SpokenProtocol = SpokenProtocol::without_soap(&http_post::PROTOCOL);

/// JSON.
#[cfg(feature = "json")]
pub const JSON: SpokenProtocol = SpokenProtocol::without_soap(&super::json::JSON);

impl SpokenProtocol {
    /// All protocols that are compiled with the features of this crate, for services that are known
    /// only at run time.
    pub const ALL: &'static [Self] = &[
        SOAP_11_ENCODED,
        SOAP_12_ENCODED,
        HTTP_GET,
        HTTP_POST,
        #[cfg(feature = "json")]
        JSON,
    ];

    const fn soap(version: &'static Version) -> Self {
        Self {
            protocol: version,
            version: Some(version),
        }
    }

    const fn without_soap(protocol: &'static dyn Protocol) -> Self {
        Self {
            protocol,
            version: None,
        }
    }

    pub(crate) fn binding(&self) -> Binding {
        self.protocol.binding()
    }

    /// Checks that a service speaks the protocols of its operations.
    ///
    /// # Panics
    ///
    /// The protocol of an operation is missing.
    pub(crate) fn check(protocols: &[Self], service: &Service<'_>) {
        for operation in service.operations {
            for binding in operation.bindings.iter() {
                let mut spoken = protocols.iter();
                let Some(spoken) = spoken.find(|spoken| spoken.binding() == binding) else {
                    panic!(
                        "{} is called over {binding}, but its list of protocols lacks it (JSON needs the feature `json` of svcgen)",
                        service.name
                    );
                };
                let has_encoding = spoken
                    .version
                    .is_none_or(|version| version.encoding.is_some());
                assert!(
                    has_encoding || operation.encoded.is_none(),
                    "{} of {} has encoded messages, and {binding} is spoken without them",
                    operation.name,
                    service.name
                );
            }
        }
    }
}

impl fmt::Debug for SpokenProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SpokenProtocol")
            .field(&self.binding())
            .finish()
    }
}

/// The module of a service, with the protocols that it speaks. Emitted code has one.
#[derive(Debug, Clone, Copy)]
pub struct ServiceModule {
    module: &'static Module<'static>,
    protocols: &'static [SpokenProtocol],
}

impl ServiceModule {
    /// Creates a module with the protocols of its service.
    pub const fn new(
        module: &'static Module<'static>,
        protocols: &'static [SpokenProtocol],
    ) -> Self {
        Self { module, protocols }
    }

    /// Returns the module.
    pub const fn module(&self) -> &'static Module<'static> {
        self.module
    }

    pub(crate) fn protocols(&self) -> &'static [SpokenProtocol] {
        self.protocols
    }
}

#[cfg(test)]
mod tests {
    use svcgen_model::{Bindings, ComplexType, Operation, operation};

    use super::*;
    use crate::described::Model;

    static OPERATIONS: [Operation<'static>; 2] = [
        operation("Get", "urn:s/Get", ComplexType::EMPTY, "GetResponse").over(Bindings::FORMS),
        operation("Send", "urn:s/Send", ComplexType::EMPTY, "SendResponse")
            .over(Bindings::SOAP)
            .encoded("urn:s/encodedTypes"),
    ];
    static MODULE: Module<'static> =
        Module::new(&[], &[]).with_service(Service::new("S", "urn:s", "/S.asmx", &OPERATIONS));

    #[test]
    #[should_panic(expected = "S is called over HTTP POST, but its list of protocols lacks it")]
    fn a_service_speaks_the_bindings_of_its_operations() {
        Model::new(&ServiceModule::new(&MODULE, &[HTTP_GET]), None);
    }

    #[test]
    #[should_panic(expected = "Send of S has encoded messages, and SOAP 1.2 is spoken without")]
    fn a_service_with_encoded_messages_speaks_them() {
        let protocols = &[HTTP_GET, HTTP_POST, SOAP_11_ENCODED, SOAP_12];
        Model::new(&ServiceModule::new(&MODULE, protocols), None);
    }

    #[test]
    fn no_protocol_of_literal_messages_has_the_encoding() {
        let has_encoding = |spoken: SpokenProtocol| spoken.version.unwrap().encoding.is_some();
        assert_eq!([SOAP_11, SOAP_12].map(has_encoding), [false; 2]);
        let encoded = [SOAP_11_ENCODED, SOAP_12_ENCODED];
        assert_eq!(encoded.map(has_encoding), [true; 2]);
    }
}
