//! Fields: the code that reads and writes each element of a type, a choice or a sequence.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use svcgen_model::{Reading, Writing};

use super::{Context, ident, literal};
use crate::model::{Absence, Element, Group, ListType, TypeRef};
use crate::rows::of_element;

/// The names of the arguments of functions that read and write these elements: the index, an
/// element, the output.
pub(super) fn argument_names(context: &Context<'_>, elements: &[Element]) -> [Ident; 3] {
    let on_wire = elements
        .iter()
        .flat_map(|element| context.model.on_wire(element));
    match on_wire.count() {
        0 => ["_index", "_element", "_out"],
        _ => ["index", "element", "out"],
    }
    .map(ident)
}

/// Reads the element at an index among those of a type or a sequence.
pub(super) fn read_elements(context: &Context<'_>, elements: &[Element]) -> TokenStream {
    let mut reads = Reads::default();
    for element in elements {
        match element.type_ref.group() {
            Some(id) => add_reads(context, element, &context.model.groups[id.0], &mut reads),
            None => reads.one(read(context, element)),
        }
    }
    reads.by_index("element")
}

/// The expressions that read the element at each index.
#[derive(Default)]
pub(super) struct Reads {
    /// Expressions, each for a number of consecutive indexes.
    arms: Vec<(usize, TokenStream)>,
    count: usize,
}

impl Reads {
    /// Adds the expression for the next index.
    pub fn one(&mut self, read: TokenStream) {
        self.arms.push((1, read));
        self.count += 1;
    }

    /// Adds the expression for the next `count` indexes, given the index relative to the first of
    /// them.
    pub fn several(&mut self, count: usize, read: impl FnOnce(TokenStream) -> TokenStream) {
        let first = literal(self.count);
        let index = match (count, self.count) {
            (1, _) => quote! { 0 },
            (_, 0) => quote! { index },
            _ => quote! { index - #first },
        };
        self.arms.push((count, read(index)));
        self.count += count;
    }

    /// Matches the index; `read` is the name of the argument to read from.
    pub fn by_index(self, read: &str) -> TokenStream {
        if self.arms.is_empty() {
            return quote! { Ok(()) };
        }
        let mut first = 0;
        let arms = self.arms.iter().map(|(count, read)| {
            let [from, to] = [first, first + count - 1].map(literal);
            first += count;
            match count {
                1 => quote! { #from => #read },
                _ => quote! { #from..=#to => #read },
            }
        });
        let read = ident(read);
        quote! {
            match index {
                #(#arms,)*
                _ => Err(#read.unknown_index(index)),
            }
        }
    }
}

pub(super) fn read(context: &Context<'_>, element: &Element) -> TokenStream {
    let field = ident(&element.name.rust);
    read_into(context, element, &quote! { &mut self.#field })
}

/// Reads an element into a value, given as an exclusive reference.
pub(super) fn read_into(
    context: &Context<'_>,
    element: &Element,
    value: &TokenStream,
) -> TokenStream {
    let method = reading_method(reading(context, element));
    let items = items_argument(element);
    quote! { element.#method(#items #value) }
}

fn reading(context: &Context<'_>, element: &Element) -> Reading {
    of_element(context.model, element, |row| row.reading())
}

/// The name of the reading method.
pub(super) fn reading_method(reading: Reading) -> Ident {
    ident(match reading {
        Reading::Value | Reading::AnyAttributes => "read",
        Reading::UnlessEmpty => "read_unless_empty",
        Reading::Push => "push",
        Reading::PushAny => "push_any",
        Reading::Any => "any",
        Reading::AnyOne => "any_one",
        Reading::Texts => "texts",
        Reading::List => "list",
        Reading::NillableList => "nillable_list",
        Reading::Collection => "collection",
    })
}

/// The value of an alternative with a single element, as an expression that reads it.
pub(super) fn chosen(context: &Context<'_>, alternative: &Element) -> TokenStream {
    match context.initial_of(alternative) {
        Some(initial) if reading(context, alternative) == Reading::UnlessEmpty => {
            let read = read_into(context, alternative, &quote! { &mut value });
            quote! {
                {
                    let mut value = #initial;
                    #read?;
                    value
                }
            }
        }
        _ => quote! { element.value()? },
    }
}

pub(super) fn write(context: &Context<'_>, element: &Element) -> TokenStream {
    let field = ident(&element.name.rust);
    match element.type_ref.group() {
        Some(_) => write_group(element),
        None => {
            let name = element.written_name();
            let name = match &element.net {
                Some(net) => quote! { out.field_name(#name, #net) },
                None => quote! { #name },
            };
            let writing = of_element(context.model, element, |row| row.writing());
            let write = write_named(context, element, writing, (&name, &quote! { &self.#field }));
            quote! { #write; }
        }
    }
}

/// Writes an element, an attribute or a text from a value, given as a reference.
pub(super) fn write_from(
    context: &Context<'_>,
    element: &Element,
    writing: Writing,
    value: &TokenStream,
) -> TokenStream {
    let name = element.written_name();
    write_named(context, element, writing, (&quote! { #name }, value))
}

fn write_named(
    context: &Context<'_>,
    element: &Element,
    writing: Writing,
    (name, value): (&TokenStream, &TokenStream),
) -> TokenStream {
    let items = items_argument(element);
    let (method, arguments) = match writing {
        Writing::Value => ("element", quote! { #name, #value }),
        Writing::Nillable => ("nillable", quote! { #name, #value }),
        Writing::Items => ("items", quote! { #name, #value }),
        Writing::Texts => ("texts", quote! { #name, #value }),
        Writing::NillableTexts => ("nillable_texts", quote! { #name, #value }),
        Writing::Attribute | Writing::AnyAttributes => ("attribute", quote! { #name, #value }),
        Writing::AttributeTexts => ("attribute_texts", quote! { #name, #value }),
        Writing::List => ("list", quote! { #name, #items #value }),
        Writing::NillableList => ("nillable_list", quote! { #name, #items #value }),
        Writing::UnlessDefault | Writing::AttributeUnlessDefault => {
            let default = element.default();
            let default = default.map(|default| context.reference(element, default));
            let method = match writing {
                Writing::UnlessDefault => "element_unless",
                _ => "attribute_unless",
            };
            (method, quote! { #name, #value, #default })
        }
        Writing::AnyItems | Writing::Any => ("any", value.clone()),
        Writing::AnyOne => ("any", quote! { [#value] }),
        Writing::Characters => ("characters", value.clone()),
        Writing::Content => ("content", value.clone()),
        Writing::ContentTexts => ("content_texts", value.clone()),
    };
    let method = ident(method);
    quote! { out.#method(#arguments) }
}

/// The names of the items of a wrapped list, as an argument.
fn items_argument(element: &Element) -> Option<TokenStream> {
    match &element.type_ref {
        TypeRef::List(list) if list.is_wrapped() => {
            let items = item_names(list);
            Some(quote! { #items, })
        }
        _ => None,
    }
}

/// The names of items, those of the outer list first.
pub(super) fn item_names(list: &ListType) -> TokenStream {
    let item = &list.item;
    match list.inner() {
        Some(inner) => {
            let inner = &inner.item;
            quote! { [#item, #inner] }
        }
        None => quote! { [#item] },
    }
}

/// Whether the value of an alternative differs from that of its element: several elements, or the
/// whole element of a wildcard.
pub(super) fn is_gathered(context: &Context<'_>, alternative: &Element) -> bool {
    alternative.type_ref.group().is_some() || reading(context, alternative).is_gathered()
}

pub(super) fn gathers(context: &Context<'_>, group: &Group) -> bool {
    let mut elements = group.elements.iter();
    group.is_sequence() || elements.any(|one| is_gathered(context, one))
}

/// Adds the code by which the field of a choice or a sequence takes each of its elements.
fn add_reads(context: &Context<'_>, element: &Element, group: &Group, reads: &mut Reads) {
    if gathers(context, group) {
        let field = gathering_field(context, element);
        let count = context.model.on_wire(element).len();
        return reads.several(count, |index| quote! { #field.read(#index, element) });
    }
    let (field, name) = (ident(&element.name.rust), ident(&group.rust));
    for alternative in &group.elements {
        let variant = ident(&alternative.name.rust);
        let value = chosen(context, alternative);
        let value = quote! { #name::#variant(#value) };
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

/// The value to which the next element of a choice or a sequence belongs.
fn gathering_field(context: &Context<'_>, element: &Element) -> TokenStream {
    let field = ident(&element.name.rust);
    if let (TypeRef::List(_), Some(id)) = (&element.type_ref, element.type_ref.group()) {
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

/// Writes the field of a choice or a sequence.
fn write_group(element: &Element) -> TokenStream {
    let field = ident(&element.name.rust);
    match (&element.type_ref, element.absence) {
        (TypeRef::List(_), _) => quote! { for group in &self.#field { group.write(out); } },
        (_, Absence::Required) => quote! { self.#field.write(out); },
        _ => quote! { if let Some(group) = &self.#field { group.write(out); } },
    }
}
