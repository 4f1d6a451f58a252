//! The mock: a handler with answers set by a test, which records its calls.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::documentation::docs;
use super::{Context, Options, ident, lints, messages};
use crate::model::{Method, Service};

/// Whether a mock of the service is emitted: if the option `mocks` is on, and the service has a
/// handler trait.
pub(super) fn is_emitted(options: &Options) -> bool {
    options.mocks && options.server
}

/// The mock of a service, in tests of the crate and with its feature `mocks`: no other build
/// contains it.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> Vec<TokenStream> {
    if !is_emitted(context.options) {
        return Vec::new();
    }
    let cfg = quote! { #[cfg(any(test, feature = "mocks"))] };
    let visibility = &context.options.visibility;
    let default = context.prelude("Default");
    let (handler, base) = (&service.items.handler, &service.name.xml);
    let plain = handler.strip_suffix("Handler").unwrap_or(handler);
    let name = context.free_name(&format!("Mock{plain}"));
    let text = name.to_string();
    let mock = free_field(service);
    let about = docs(&format!(
        "Answers the calls of `{base}` in tests, as they say. When it is dropped, it verifies that its operations were called as expected; clones do not."
    ));
    let lints = lints(&service.operations);
    let operations = &service.operations;
    let fields = operations.iter().map(|operation| field(context, operation));
    let made = operations.iter().map(|operation| {
        let (field, name) = (ident(&operation.name.rust), &operation.name.xml);
        quote! { #field: #mock.operation(#name), }
    });
    let methods = operations
        .iter()
        .map(|operation| method(context, operation));
    let client = context.options.client.then(|| client(context, service));
    let handler = ident(handler);
    vec![
        quote! {
            #cfg
            #about
            #lints
            #[derive(Clone, Debug)]
            #visibility struct #name {
                #(#fields)*
                #mock: svcgen_testing::Mock,
            }
        },
        quote! {
            #cfg
            impl #default for #name {
                fn default() -> Self {
                    let #mock = svcgen_testing::Mock::new(#text);
                    Self { #(#made)* #mock }
                }
            }
        },
        quote! {
            #cfg
            impl #name {
                /// A mock that expects no call.
                pub fn new() -> Self {
                    #default::default()
                }
                /// Holds that every operation was called as expected so far.
                ///
                /// # Panics
                ///
                /// One was not: what was expected, and the requests that came.
                #[track_caller]
                pub fn verify(&self) {
                    self.#mock.verify();
                }
                #client
            }
        },
        quote! {
            #cfg
            impl #handler for #name {
                #(#methods)*
            }
        },
    ]
}

/// A name that no operation has.
fn free_field(service: &Service) -> Ident {
    let numbered = (1..).map(|number| format!("mock{number}"));
    let mut names = std::iter::once("mock".to_owned()).chain(numbered);
    let is_free = |name: &String| service.operations.iter().all(|one| one.name.rust != *name);
    ident(
        &names
            .find(is_free)
            .expect("there are more numbers than operations"),
    )
}

fn client(context: &Context<'_>, service: &Service) -> TokenStream {
    let clone = context.prelude("Clone");
    let (client, server) = (ident(&service.items.client), ident(&service.items.server));
    quote! {
        /// A client that calls the mock in this process, over SOAP 1.1.
        pub fn client(&self) -> #client<#server<Self>> {
            svcgen_testing::in_process(&SERVICE, #server::new(#clone::clone(self))).into()
        }
    }
}

fn field(context: &Context<'_>, operation: &Method) -> TokenStream {
    let docs = docs(&format!("`{}`.", operation.name.xml));
    let name = ident(&operation.name.rust);
    let output = context.handler_output(operation);
    let [request, _, headers, ..] = operation.structs();
    let [request, headers] = [request, headers].map(|part| part.map(|part| ident(&part.name.rust)));
    let recorded = match (headers, request) {
        (Some(headers), Some(request)) => quote! { (#headers, #request) },
        (None, None) => quote! { () },
        (one, other) => quote! { #one #other },
    };
    quote! {
        #docs
        pub #name: svcgen_testing::MockOperation<#recorded, #output>,
    }
}

fn method(context: &Context<'_>, operation: &Method) -> TokenStream {
    let (runtime, result) = (&context.runtime, context.prelude("Result"));
    let name = ident(&operation.name.rust);
    let arguments = messages::arguments(operation, &TokenStream::new());
    let output = context.handler_output(operation);
    let [request, _, headers, ..] = operation.structs().map(|part| part.is_some());
    let recorded = match (headers, request) {
        (true, true) => quote! { (headers, request) },
        (true, false) => quote! { headers },
        (false, true) => quote! { request },
        (false, false) => quote! { () },
    };
    quote! {
        async fn #name(
            &self,
            context: &#runtime::Context,
            #arguments
        ) -> #result<#output, #runtime::Fault> {
            self.#name.call(context, #recorded)
        }
    }
}
