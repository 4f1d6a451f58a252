//! Faults: the types of their details.

use proc_macro2::TokenStream;
use quote::quote;

use super::Context;
use super::documentation::docs_or;
use crate::model::{ElementForm, Fault, Service, TypeRef};

/// The item for a fault.
pub(super) fn emit(context: &Context<'_>, service: &Service, fault: &Fault) -> TokenStream {
    let runtime = &context.runtime;
    let docs = docs_or(
        &fault.documentation,
        &format!("The detail of the fault `{}`.", fault.name),
    );
    let detail = context.type_ref(&TypeRef::Complex(fault.detail));
    let (namespace, name) = (&service.namespace, &fault.name);
    let is_unqualified = service.element_form == ElementForm::Unqualified;
    let scope = (service.has_scopes || is_unqualified).then(|| {
        let form = quote! { #runtime::codegen::model::ElementForm };
        let set = match service.element_form {
            ElementForm::Qualified => quote! { #form::Qualified },
            ElementForm::Unqualified => quote! { #form::Unqualified },
        };
        let (option, some, str) = (
            context.prelude("Option"),
            context.prelude("Some"),
            quote! { str },
        );
        quote! { const SCOPE: #option<(&'static #str, #form)> = #some((#namespace, #set)); }
    });
    quote! {
        #docs
        impl #runtime::codegen::FaultDetail for #detail {
            const NAMESPACE: &'static str = #namespace;
            const NAME: &'static str = #name;
            #scope
        }
    }
}
