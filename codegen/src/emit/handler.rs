//! The handler: the trait that an application implements.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{docs, docs_or, fault_docs};
use super::{Context, ident, lints, messages};
use crate::model::{Method, Service};

/// The trait, with a method for each operation.
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

/// Whether the method of an operation has a default body.
pub(super) fn has_body(context: &Context<'_>, operation: &Method) -> bool {
    (context.options.optional_methods).matches(&operation.name.xml)
}

fn method(context: &Context<'_>, operation: &Method) -> TokenStream {
    let (runtime, codegen) = (&context.runtime, &context.codegen);
    let (result, send) = (context.prelude("Result"), context.prelude("Send"));
    let docs = docs_or(
        &operation.documentation,
        &format!("Answers `{}`.", operation.name.xml),
    );
    let name = ident(&operation.name.rust);
    let arguments = messages::arguments(operation, &TokenStream::new());
    let faults = fault_docs(operation);
    let output = context.handler_output(operation);
    let has_body = has_body(context, operation);
    let unused = has_body.then(|| quote! { #[allow(unused_variables)] });
    let body = if has_body {
        let name = &operation.name.xml;
        quote! { { #codegen::NotImplemented::new(#name) } }
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
        ) -> impl #codegen::Future<Output = #result<#output, #runtime::Fault>> + #send #body
    }
}
