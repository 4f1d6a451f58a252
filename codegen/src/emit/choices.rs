//! Choices, an enum with a variant for each element that may be there; and sequences, a struct.

use proc_macro2::TokenStream;
use quote::quote;

use super::builders;
use super::complex_types::{
    self, Reads, argument_names, read_elements, read_into, structure, write_from,
};
use super::derives::Derives;
use super::documentation::{docs, named_docs};
use super::{Context, ident};
use crate::model::{Absence, Choice, ComplexType, Element, Name, TypeRef};

/// The items for a choice or a sequence.
pub(super) fn emit(context: &Context<'_>, choice: &Choice) -> Vec<TokenStream> {
    if choice.is_sequence {
        return emit_sequence(context, choice);
    }
    let (runtime, name) = (&context.runtime, ident(&choice.rust));
    let variants = choice.alternatives.iter().map(|alternative| Variant {
        name: &alternative.name,
        docs: named_docs(&alternative.name.xml, &alternative.documentation),
        value: context.element_type(alternative),
    });
    let writes = choice.alternatives.iter().map(|alternative| {
        let (variant, xml) = (ident(&alternative.name.rust), alternative.written_name());
        if alternative.type_ref.choice().is_some() {
            return quote! { Self::#variant(value) => value.write(out) };
        }
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

fn emit_sequence(context: &Context<'_>, sequence: &Choice) -> Vec<TokenStream> {
    let (runtime, result) = (&context.runtime, context.read_result());
    let name = Name {
        xml: sequence.rust.clone(),
        rust: sequence.rust.clone(),
    };
    let complex = ComplexType::new(name, sequence.alternatives.clone());
    let (rust, about) = (&sequence.rust, docs(&sequence.about));
    let name = ident(rust);
    let [index, element, out] = argument_names(context, &complex.elements);
    let read = read_elements(context, &complex.elements);
    let writes = complex.elements.iter();
    let writes = writes.map(|element| complex_types::write(context, element));
    let mut items = vec![structure(context, &complex, rust, &about)];
    items.extend(context.default_of(&complex));
    items.push(quote! {
            impl #name {
                fn read(
                    &mut self,
                    #index: usize,
                    #element: &mut #runtime::codegen::Element<'_>,
                ) -> #result {
                    #read
                }
                fn write(&self, #out: &mut #runtime::codegen::Content<'_>) {
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

/// Whether the value of an alternative is more or other than that of its element: several elements, or the whole element of a wildcard.
fn is_gathered(alternative: &Element) -> bool {
    let is_one = !matches!(alternative.type_ref, TypeRef::List(_) | TypeRef::Choice(_));
    !is_one || alternative.wildcard.is_some()
}

fn gathers(choice: &Choice) -> bool {
    choice.is_sequence || choice.alternatives.iter().any(is_gathered)
}

/// How a choice of which some alternatives are gathered takes each of its elements.
fn read(context: &Context<'_>, choice: &Choice) -> TokenStream {
    let (runtime, result) = (&context.runtime, context.read_result());
    let mut reads = Reads::default();
    for alternative in &choice.alternatives {
        let variant = ident(&alternative.name.rust);
        if !is_gathered(alternative) {
            reads.one(quote! { { *self = Self::#variant(element.value()?); Ok(()) } });
            continue;
        }
        let empty = empty(context, &context.boxes_of(alternative));
        let count = context.model.on_wire(alternative).len();
        reads.several(count, |index| {
            let read = match alternative.type_ref.choice() {
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
    let read = reads.by_index();
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

/// A default value with so many bytes in boxes.
fn empty(context: &Context<'_>, boxes: &[TokenStream]) -> TokenStream {
    let default = context.prelude("Default");
    if boxes.is_empty() {
        quote! { #default::default() }
    } else {
        quote! { element.empty(#(#boxes)+*)? }
    }
}

/// Adds how the field of a choice or a sequence takes each of its elements.
pub(super) fn add_reads(
    context: &Context<'_>,
    element: &Element,
    choice: &Choice,
    reads: &mut Reads,
) {
    if gathers(choice) {
        let field = gathering_field(context, element);
        let count = context.model.on_wire(element).len();
        return reads.several(count, |index| quote! { #field.read(#index, element) });
    }
    let (field, name) = (ident(&element.name.rust), ident(&choice.rust));
    for alternative in &choice.alternatives {
        let variant = ident(&alternative.name.rust);
        let value = quote! { #name::#variant(element.value()?) };
        let take = match (&element.type_ref, element.absence) {
            (TypeRef::List(_), _) => {
                quote! { let item = element.item(&mut self.#field)?; *item = #value; }
            }
            (_, Absence::Required) => quote! { self.#field = #value; },
            _ => quote! { self.#field = Some(#value); },
        };
        reads.one(quote! { { #take Ok(()) } });
    }
}

/// The value that the next element of a choice or a sequence belongs to.
fn gathering_field(context: &Context<'_>, element: &Element) -> TokenStream {
    let field = ident(&element.name.rust);
    if let (TypeRef::List(_), Some(id)) = (&element.type_ref, element.type_ref.choice()) {
        let boxes = context.boxes_in(id);
        return if boxes.is_empty() {
            quote! { element.item(&mut self.#field)? }
        } else {
            quote! { element.item_with(#(#boxes)+*, &mut self.#field)? }
        };
    }
    if element.absence == Absence::Required {
        return quote! { self.#field };
    }
    let (default, boxes) = (context.prelude("Default"), context.boxes_of(element));
    if boxes.is_empty() {
        return quote! { self.#field.get_or_insert_with(#default::default) };
    }
    quote! {
        match &mut self.#field {
            Some(value) => value,
            none => none.insert(element.empty(#(#boxes)+*)?),
        }
    }
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
