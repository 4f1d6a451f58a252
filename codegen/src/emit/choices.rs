//! Choices: an enum with a variant for each element that may be there.

use proc_macro2::TokenStream;
use quote::quote;

use super::derives::Derives;
use super::documentation::{docs, named_docs};
use super::{Context, ident};
use crate::model::{Absence, Choice, Element, Name, TypeRef};

/// The items for a choice.
pub(super) fn emit(context: &Context<'_>, choice: &Choice) -> Vec<TokenStream> {
    let (runtime, name) = (&context.runtime, ident(&choice.rust));
    let variants = choice.alternatives.iter().map(|alternative| Variant {
        name: &alternative.name,
        docs: named_docs(&alternative.name.xml, &alternative.documentation),
        value: context.element_type(alternative),
    });
    let writes = choice.alternatives.iter().map(|alternative| {
        let (variant, xml) = (ident(&alternative.name.rust), alternative.written_name());
        quote! { Self::#variant(value) => out.element(#xml, value) }
    });
    let derives = (context.derives).of_elements(context.model, &choice.alternatives);
    let variants = variants.collect();
    let mut items = enum_of_values(context, &choice.rust, &choice.about, derives, variants);
    items.push(quote! {
        impl #name {
            fn write(&self, out: &mut #runtime::codegen::Content<'_>) {
                match self {
                    #(#writes),*
                }
            }
        }
    });
    items
}

/// A variant that holds a value.
pub(super) struct Variant<'m> {
    pub name: &'m Name,
    pub docs: TokenStream,
    /// The type of the value.
    pub value: TokenStream,
}

/// An enum of variants that hold values. By default it is the first of them.
pub(super) fn enum_of_values(
    context: &Context<'_>,
    rust: &str,
    about: &str,
    derives: Derives,
    variants: Vec<Variant<'_>>,
) -> Vec<TokenStream> {
    let (default, visibility) = (context.prelude("Default"), &context.options.visibility);
    let (name, about) = (ident(rust), docs(about));
    let decoration = context.decoration(rust, &derives.names());
    let first = variants.first().map(|first| ident(&first.name.rust));
    let variants = variants.iter().map(|Variant { name, docs, value }| {
        let decoration = context.member_decoration(rust, name, &name.xml);
        let variant = ident(&name.rust);
        quote! { #docs #decoration #variant(#value) }
    });
    vec![
        quote! {
            #about
            #[allow(clippy::large_enum_variant)]
            #decoration
            #visibility enum #name { #(#variants),* }
        },
        quote! {
            impl #default for #name {
                fn default() -> Self {
                    Self::#first(#default::default())
                }
            }
        },
    ]
}

/// How the field of a choice takes each of the alternatives.
pub(super) fn reads(element: &Element, choice: &Choice) -> Vec<TokenStream> {
    let (field, name) = (ident(&element.name.rust), ident(&choice.rust));
    let read = |alternative: &Element| {
        let variant = ident(&alternative.name.rust);
        let value = quote! { #name::#variant(element.value()?) };
        let take = match (&element.type_ref, element.absence) {
            (TypeRef::List(_), _) => quote! { self.#field.push(#value); },
            (_, Absence::Required) => quote! { self.#field = #value; },
            _ => quote! { self.#field = Some(#value); },
        };
        quote! { { #take Ok(()) } }
    };
    choice.alternatives.iter().map(read).collect()
}

/// How the field of a choice is written.
pub(super) fn write(element: &Element) -> TokenStream {
    let field = ident(&element.name.rust);
    match (&element.type_ref, element.absence) {
        (TypeRef::List(_), _) => quote! { for choice in &self.#field { choice.write(out); } },
        (_, Absence::Required) => quote! { self.#field.write(out); },
        _ => quote! { if let Some(choice) = &self.#field { choice.write(out); } },
    }
}
