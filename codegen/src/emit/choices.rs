//! Choices: an enum with a variant for each element that may be there.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{docs, named_docs};
use super::{Context, ident};
use crate::model::{Absence, Choice, Element, TypeRef};

/// The items for a choice.
pub(super) fn emit(context: &Context<'_>, choice: &Choice) -> Vec<TokenStream> {
    let runtime = &context.runtime;
    let (default, visibility) = (&context.names.default, &context.visibility);
    let about = docs(&choice.about);
    let name = ident(&choice.rust);
    let variants = choice.alternatives.iter().map(|alternative| {
        let docs = named_docs(&alternative.name.xml, &alternative.documentation);
        let decoration = context.member_decoration(&choice.rust, &alternative.name);
        let variant = ident(&alternative.name.rust);
        let value = context.element_type(alternative);
        quote! { #docs #decoration #variant(#value) }
    });
    let decoration = context.decoration(&choice.rust, &["Debug", "Clone", "PartialEq"]);
    let first = choice
        .alternatives
        .first()
        .map(|alternative| ident(&alternative.name.rust));
    let writes = choice.alternatives.iter().map(|alternative| {
        let (variant, xml) = (ident(&alternative.name.rust), &alternative.name.xml);
        quote! { Self::#variant(value) => out.element(#xml, value) }
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
        quote! {
            impl #name {
                fn write(&self, out: &mut #runtime::Content<'_>) {
                    match self {
                        #(#writes),*
                    }
                }
            }
        },
    ]
}

/// How the field of a choice takes each of the alternatives.
pub(super) fn reads(context: &Context<'_>, element: &Element) -> Vec<TokenStream> {
    let Some(id) = element.type_ref.choice() else {
        return Vec::new();
    };
    let choice = &context.model.choices[id.0];
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
