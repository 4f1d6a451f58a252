//! Enumerations: an enum, and the names of its values on the wire.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{docs_or, named_docs};
use super::extern_types::import;
use super::{Context, ident};
use crate::model::Enumeration;

/// The items for an enumeration.
pub(super) fn emit(context: &Context<'_>, enumeration: &Enumeration) -> Vec<TokenStream> {
    if let Some(path) = &enumeration.rust_type {
        return import(context, path, &enumeration.name, "enumeration");
    }
    let runtime = &context.runtime;
    let (result, visibility) = (&context.names.result, &context.visibility);
    let name = ident(&enumeration.name.rust);
    let docs = docs_or(
        &enumeration.documentation,
        &format!("The enumeration `{}`.", enumeration.name.xml),
    );
    let variants = enumeration.values.iter().enumerate().map(|(index, value)| {
        let docs = named_docs(&value.name.xml, &value.documentation);
        let decoration = context.member_decoration(&enumeration.name.xml, &value.name.xml);
        let default = (index == 0).then(|| quote! { #[default] });
        let variant = ident(&value.name.rust);
        quote! { #docs #default #decoration #variant }
    });
    let table = enumeration.values.iter().map(|value| {
        let (variant, xml) = (ident(&value.name.rust), &value.name.xml);
        quote! { (Self::#variant, #xml) }
    });
    let derives = [
        "Debug",
        "Clone",
        "Copy",
        "PartialEq",
        "Eq",
        "Hash",
        "Default",
    ];
    let decoration = context.decoration(&enumeration.name.xml, &derives);
    vec![
        quote! {
            #docs
            #decoration
            #visibility enum #name { #(#variants),* }
        },
        quote! {
            impl #runtime::Enumeration for #name {
                const VALUES: &'static [(Self, &'static str)] = &[#(#table),*];
                fn index(self) -> usize {
                    self as usize
                }
            }
        },
        quote! {
            impl #runtime::Value for #name {
                fn read(&mut self, element: &mut #runtime::Element<'_>) -> #result<(), #runtime::ReadError> {
                    element.enumeration(self)
                }
                fn write(&self, name: &str, out: &mut #runtime::Content<'_>) {
                    out.enumeration(name, *self);
                }
            }
        },
    ]
}
