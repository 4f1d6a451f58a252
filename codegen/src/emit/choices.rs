//! Choices: an enum with a variant for each element that may be there.

use proc_macro2::TokenStream;
use quote::quote;

use super::complex_types::{match_index, read_into, write_from};
use super::derives::Derives;
use super::documentation::{docs, named_docs};
use super::{Context, ident, literal};
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
        if is_gathered(alternative) {
            let write = write_from(context, alternative, &quote! { value });
            return quote! { Self::#variant(value) => { #write } };
        }
        quote! { Self::#variant(value) => out.element(#xml, value) }
    });
    let read = gathers(choice).then(|| read(context, choice));
    let derives = (context.derives).of_elements(context.model, &choice.alternatives);
    let variants = variants.collect();
    let mut items = enum_of_values(context, &choice.rust, &choice.about, derives, variants);
    items.push(quote! {
        impl #name {
            #read
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

/// Whether several elements may make up the value of an alternative.
fn is_gathered(alternative: &Element) -> bool {
    matches!(alternative.type_ref, TypeRef::List(_))
}

fn gathers(choice: &Choice) -> bool {
    choice.alternatives.iter().any(is_gathered)
}

/// How a choice of which some alternatives are gathered takes each of its elements.
fn read(context: &Context<'_>, choice: &Choice) -> TokenStream {
    let (runtime, result) = (&context.runtime, context.read_result());
    let default = context.prelude("Default");
    let reads = choice.alternatives.iter().map(|alternative| {
        let variant = ident(&alternative.name.rust);
        if !is_gathered(alternative) {
            return quote! { { *self = Self::#variant(element.value()?); Ok(()) } };
        }
        let read = read_into(context, alternative, &quote! { value });
        quote! {
            {
                if !matches!(self, Self::#variant(_)) {
                    *self = Self::#variant(#default::default());
                }
                let Self::#variant(value) = self else { return Ok(()) };
                #read
            }
        }
    });
    let read = match_index(reads.collect());
    quote! {
        fn read(
            &mut self,
            index: usize,
            element: &mut #runtime::codegen::Element<'_>,
        ) -> #result {
            #read
        }
    }
}

/// How the field of a choice takes each of the alternatives.
pub(super) fn reads(context: &Context<'_>, element: &Element, choice: &Choice) -> Vec<TokenStream> {
    let (field, name) = (ident(&element.name.rust), ident(&choice.rust));
    let read = |(index, alternative): (usize, &Element)| {
        if gathers(choice) {
            let (index, default) = (literal(index), context.prelude("Default"));
            let choice = match (&element.type_ref, element.absence) {
                (TypeRef::List(_), _) => quote! { element.item(&mut self.#field)? },
                (_, Absence::Required) => quote! { self.#field },
                _ => quote! { self.#field.get_or_insert_with(#default::default) },
            };
            return quote! { #choice.read(#index, element) };
        }
        let variant = ident(&alternative.name.rust);
        let value = quote! { #name::#variant(element.value()?) };
        let take = match (&element.type_ref, element.absence) {
            (TypeRef::List(_), _) => {
                quote! { let item = element.item(&mut self.#field)?; *item = #value; }
            }
            (_, Absence::Required) => quote! { self.#field = #value; },
            _ => quote! { self.#field = Some(#value); },
        };
        quote! { { #take Ok(()) } }
    };
    choice.alternatives.iter().enumerate().map(read).collect()
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
