//! Choices, an enum with a variant for each alternative; and sequences, a struct.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::builders;
use super::complex_types::structure;
use super::derives::Derives;
use super::documentation::{docs, named_docs};
use super::fields::{
    self, Reads, argument_names, chosen, gathers, is_gathered, read_elements, read_into, write_from,
};
use super::{Context, ident, in_place, variant_lint};
use crate::model::{Absence, ComplexType, Group, Name};
use crate::rows::of_element;

/// The items for a choice or a sequence.
pub(super) fn emit(context: &Context<'_>, group: &Group) -> Vec<TokenStream> {
    if group.is_sequence() {
        return emit_sequence(context, group);
    }
    let (codegen, name) = (&context.codegen, ident(&group.rust));
    let variants = group.elements.iter().map(|alternative| Variant {
        name: &alternative.name,
        qualified: alternative.written_name(),
        docs: named_docs(&alternative.name, &alternative.documentation),
        value: context.element_type(alternative),
        initial: context.initial_of(alternative),
    });
    let writes = group.elements.iter().map(|alternative| {
        let variant = ident(&alternative.name.rust);
        if alternative.type_ref.group().is_some() {
            return quote! { Self::#variant(value) => value.write(out) };
        }
        let writing = of_element(context.model, alternative, |row| row.writing());
        let write = write_from(context, alternative, writing, &quote! { value });
        if is_gathered(context, alternative) || alternative.absence != Absence::Required {
            return quote! { Self::#variant(value) => { #write; } };
        }
        quote! { Self::#variant(value) => #write }
    });
    let read = gathers(context, group).then(|| read(context, group));
    let derives = (context.derives).of_elements(context.model, &group.elements);
    let variants = variants.collect();
    let mut items = enum_of_values(context, &group.rust, &group.about, derives, variants);
    if group.clones_in_place {
        let variants = group.elements.iter();
        let variants =
            variants.map(|one| (&one.name, context.model.clones_in_place(&one.type_ref)));
        items.push(in_place::of_enum(context, &group.rust, variants));
    }
    items.push(quote! {
        impl #name {
            #read
            fn write(&self, out: &mut #codegen::Content<'_>) {
                match self {
                    #(#writes),*
                }
            }
        }
    });
    items
}

fn emit_sequence(context: &Context<'_>, sequence: &Group) -> Vec<TokenStream> {
    let codegen = &context.codegen;
    let name = Name::new(&sequence.rust, &sequence.rust);
    let complex = ComplexType {
        clones_in_place: sequence.clones_in_place,
        ..ComplexType::new(name, sequence.elements.clone())
    };
    let (rust, about) = (&sequence.rust, docs(&sequence.about));
    let name = ident(rust);
    let [index, element, out] = argument_names(context, &complex.elements);
    let read = read_elements(context, &complex.elements);
    let writes = complex.elements.iter();
    let writes = writes.map(|element| fields::write(context, element));
    let mut items = structure(context, &complex, rust, &about);
    items.extend(context.default_of(&complex));
    items.push(quote! {
            impl #name {
                fn read(&mut self, #index: usize, #element: &mut #codegen::Element<'_>) -> #codegen::Read {
                    #read
                }
                fn write(&self, #out: &mut #codegen::Content<'_>) {
                    #(#writes)*
                }
            }
    });
    items.extend(builders::emit(context, &complex, rust));
    items
}

/// A variant that holds a value.
pub(super) struct Variant<'m> {
    pub name: &'m Name,
    /// The name with its namespace, for serde if several variants have the name.
    pub qualified: String,
    pub docs: Option<TokenStream>,
    /// The type of the value.
    pub value: TokenStream,
    /// The default value, if it differs from the default of its type.
    pub initial: Option<TokenStream>,
}

/// An enum whose variants hold values. Its default is the first variant.
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
    let first = variants.first();
    let initial = first.and_then(|first| first.initial.clone());
    let initial = initial.unwrap_or_else(|| quote! { #default::default() });
    let first = first.map(|first| ident(&first.name.rust));
    let lint = variant_lint(variants.iter().map(|variant| &*variant.name.rust));
    let mut counts = HashMap::new();
    for variant in &variants {
        *counts.entry(&*variant.name.xml).or_insert(0) += 1;
    }
    let variants = variants.iter().map(
        |Variant {
             name,
             qualified,
             docs,
             value,
             ..
         }| {
            let written = if counts[&*name.xml] > 1 {
                qualified
            } else {
                &name.xml
            };
            let decoration = context.member_decoration(rust, name, written);
            let variant = ident(&name.rust);
            quote! { #docs #decoration #variant(#value) }
        },
    );
    vec![
        quote! {
            #about
            #[allow(clippy::large_enum_variant)]
            #lint
            #decoration
            #visibility enum #name { #(#variants),* }
        },
        quote! {
            impl #default for #name {
                fn default() -> Self {
                    Self::#first(#initial)
                }
            }
        },
    ]
}

/// The code by which a choice with gathered alternatives takes each of its elements.
fn read(context: &Context<'_>, group: &Group) -> TokenStream {
    let codegen = &context.codegen;
    let mut reads = Reads::default();
    for alternative in &group.elements {
        let variant = ident(&alternative.name.rust);
        if !is_gathered(context, alternative) {
            let value = chosen(context, alternative);
            reads.one(quote! { { *self = Self::#variant(#value); Ok(()) } });
            continue;
        }
        let empty = empty(context, &context.boxes_of(alternative));
        let count = context.model.on_wire(alternative).len();
        reads.several(count, |index| {
            let read = match alternative.type_ref.group() {
                Some(_) => quote! { value.read(#index, element) },
                None => read_into(context, alternative, &quote! { value }),
            };
            quote! {
                {
                    if !matches!(self, Self::#variant(_)) {
                        *self = Self::#variant(#empty);
                    }
                    let Self::#variant(value) = self else { return Ok(()) };
                    #read
                }
            }
        });
    }
    let read = reads.by_index("element");
    quote! {
        fn read(&mut self, index: usize, element: &mut #codegen::Element<'_>) -> #codegen::Read {
            #read
        }
    }
}

/// A default value with boxes of these sizes in bytes.
fn empty(context: &Context<'_>, boxes: &[TokenStream]) -> TokenStream {
    let default = context.prelude("Default");
    if boxes.is_empty() {
        quote! { #default::default() }
    } else {
        quote! { element.empty(#(#boxes)+*)? }
    }
}
