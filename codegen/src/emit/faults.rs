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
    let element_form = (service.element_form == ElementForm::Unqualified).then(|| {
        let form = quote! { #runtime::codegen::model::ElementForm };
        quote! { const ELEMENT_FORM: #form = #form::Unqualified; }
    });
    quote! {
        #docs
        impl #runtime::codegen::FaultDetail for #detail {
            const NAMESPACE: &'static str = #namespace;
            const NAME: &'static str = #name;
            #element_form
        }
    }
}
