//! The handler: the trait that an application implements.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{docs, docs_or, fault_docs};
use super::{Context, ident, lints, messages};
use crate::model::{Method, Service};

/// The trait with a method an operation.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> TokenStream {
    let (send, sync) = (context.prelude("Send"), context.prelude("Sync"));
    let visibility = &context.options.visibility;
    let name = ident(&service.items.handler);
    let about = docs(&format!(
        "Implements the operations of `{}`.",
        service.name.xml
    ));
    let lints = lints(&service.operations);
    let operations = service.operations.iter();
    let methods = operations.map(|operation| method(context, operation));
    quote! {
        #about
        #lints
        #visibility trait #name: #send + #sync + 'static {
            #(#methods)*
        }
    }
}

fn method(context: &Context<'_>, operation: &Method) -> TokenStream {
    let runtime = &context.runtime;
    let (result, send) = (context.prelude("Result"), context.prelude("Send"));
    let docs = docs_or(
        &operation.documentation,
        &format!("Answers `{}`.", operation.name.xml),
    );
    let name = ident(&operation.name.rust);
    let arguments = messages::arguments(operation, &TokenStream::new());
    let faults = fault_docs(operation);
    let output = context.output(operation);
    let has_body = (context.options.default_methods).matches(&operation.name.xml);
    let unused = has_body.then(|| quote! { #[allow(unused_variables)] });
    let body = if has_body {
        let reason = format!("The operation `{}` is not implemented.", operation.name.xml);
        quote! { { async { Err(#runtime::Fault::server(#reason)) } } }
    } else {
        quote! { ; }
    };
    quote! {
        #docs
        #faults
        #unused
        fn #name(
            &self,
            context: &#runtime::Context,
            #arguments
        ) -> impl ::core::future::Future<Output = #result<#output, #runtime::Fault>> + #send #body
    }
}
