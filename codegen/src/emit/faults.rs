//! Faults: the types of their details.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{docs as words, docs_or};
use super::{Context, fields, ident};
use crate::model::{ElementForm, Fault, Service};

/// The items for a fault: the implementation for the type of its detail, or for a struct that holds
/// it.
pub(super) fn emit(context: &Context<'_>, service: &Service, fault: &Fault) -> Vec<TokenStream> {
    let codegen = &context.codegen;
    let docs = docs_or(
        &fault.documentation,
        &format!("The detail of the fault `{}`.", fault.name),
    );
    let (around, name) = (&service.namespace, &fault.name);
    let own = fault.detail.form.own_namespace();
    let namespace = own.unwrap_or(around);
    let is_unqualified = service.element_form == ElementForm::Unqualified;
    let scope = (service.has_scopes || is_unqualified || own.is_some()).then(|| {
        let form = quote! { #codegen::model::ElementForm };
        let set = match service.element_form {
            ElementForm::Qualified => quote! { #form::Qualified },
            ElementForm::Unqualified => quote! { #form::Unqualified },
        };
        let (option, some, str) = (
            context.prelude("Option"),
            context.prelude("Some"),
            quote! { str },
        );
        quote! { const SCOPE: #option<(&'static #str, #form)> = #some((#around, #set)); }
    });
    let time_zone = service.time_zone.as_ref().map(|zone| {
        let (option, some) = (context.prelude("Option"), context.prelude("Some"));
        quote! { const TIME_ZONE: #option<&'static str> = #some(#zone); }
    });
    let (held, detail, impl_docs) = match &fault.holder {
        None => (Vec::new(), context.type_ref(&fault.detail.type_ref), docs),
        Some(holder) => {
            let item = ident(holder);
            (
                self::holder(context, fault, holder, &docs),
                quote! { #item },
                TokenStream::new(),
            )
        }
    };
    let implementation = quote! {
        #impl_docs
        impl #codegen::FaultDetail for #detail {
            const NAMESPACE: &'static str = #namespace;
            const NAME: &'static str = #name;
            #scope
            #time_zone
        }
    };
    held.into_iter().chain([implementation]).collect()
}

/// The struct that holds a detail.
fn holder(
    context: &Context<'_>,
    fault: &Fault,
    holder: &str,
    docs: &TokenStream,
) -> Vec<TokenStream> {
    let (item, visibility) = (ident(holder), &context.options.visibility);
    let derives = (context.derives).of_elements(context.model, [&fault.detail]);
    let mut derives = derives.names();
    derives.push("Default");
    let decoration = context.decoration(holder, &derives);
    let field_docs = words(&format!("`{}`", fault.name));
    let member = context.member_decoration(holder, &fault.detail.name, &fault.name);
    let value = context.element_type(&fault.detail);
    let read = fields::read(context, &fault.detail);
    let write = fields::write(context, &fault.detail);
    let codegen = &context.codegen;
    vec![
        quote! {
            #docs
            #decoration
            #visibility struct #item { #field_docs #member pub value: #value }
        },
        quote! {
            impl #codegen::Value for #item {
                fn read(&mut self, element: &mut #codegen::Element<'_>) -> #codegen::Read {
                    #read
                }
                fn write(&self, _name: &str, out: &mut #codegen::Content<'_>) {
                    #write
                }
            }
        },
    ]
}
