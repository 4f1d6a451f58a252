//! The macro that declares generated clients. Generated code adds the operations separately.

/// Declares the client of a service, with its constructors and settings.
///
/// ```no_run
/// # use svcgen::codegen::{self, ServiceModule, model::{Module, Service}};
/// # static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new("Greeter", "urn:greeter", "/Greeter.asmx", &[]));
/// # static SERVICE: ServiceModule = ServiceModule::new(&MODULE, &[codegen::SOAP_11]);
/// codegen::client! {
///     /// Calls `Greeter`.
///     pub struct GreeterClient(SERVICE);
/// }
/// # fn main() -> Result<(), svcgen::CallError> {
/// let client = GreeterClient::connect("http://localhost")?.with_binding(svcgen::Binding::Soap11);
/// # Ok(())
/// # }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __client {
    ($(#[$of_client:meta])* $visibility:vis struct $client:ident($service:ident);) => {
        $(#[$of_client])*
        #[derive(Clone, Debug)]
        $visibility struct $client<T = $crate::codegen::DefaultTransport>($crate::codegen::Client<T>);

        impl<T: $crate::Transport> $client<T> {
            /// Creates a client of the service at this URL, or at its path below a base URL. It
            /// calls over SOAP 1.1, or else over the first binding of the service.
            ///
            /// # Errors
            ///
            /// The URL is not valid for the service.
            pub fn new(
                transport: T,
                url: &str,
            ) -> ::core::result::Result<Self, $crate::CallError> {
                $crate::codegen::Client::new(&$service, transport, url).map(Self)
            }

            /// Sets the binding of calls.
            pub fn with_binding(self, binding: $crate::Binding) -> Self {
                Self(self.0.with_binding(binding))
            }

            /// Changes other settings: `client.with(|client| client.with_strict(true))`.
            pub fn with<U>(
                self,
                change: impl ::core::ops::FnOnce($crate::codegen::Client<T>) -> $crate::codegen::Client<U>,
            ) -> $client<U> {
                $client(change(self.0))
            }
        }

        impl $client {
            /// Creates a client with the default transport, which connects at the first call: see
            /// `new`.
            ///
            /// # Errors
            ///
            /// The same as for `new`.
            pub fn connect(url: &str) -> ::core::result::Result<Self, $crate::CallError> {
                Self::new(::core::default::Default::default(), url)
            }
        }

        impl<T> ::core::convert::From<$crate::codegen::Client<T>> for $client<T> {
            fn from(client: $crate::codegen::Client<T>) -> Self {
                Self(client)
            }
        }

        impl<T> ::core::convert::AsRef<$crate::codegen::Client<T>> for $client<T> {
            fn as_ref(&self) -> &$crate::codegen::Client<T> {
                &self.0
            }
        }
    };
}
