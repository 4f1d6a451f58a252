//! Complex types: a struct, and its elements in the order of the wire.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::documentation::{docs as words, docs_or, named_docs};
use super::extern_types::import;
use super::fields::{Reads, argument_names, read_elements, reading_method, write, write_from};
use super::{Context, builders, ident, in_place, literal};
use crate::model::{ComplexType, Element};
use crate::rows::of_element;

/// The items for a complex type: none if it is abstract, since it has no values; an import if
/// another module defines it. `index` is the index of its row.
pub(super) fn emit(context: &Context<'_>, index: usize, complex: &ComplexType) -> Vec<TokenStream> {
    if complex.is_abstract {
        return Vec::new();
    }
    if let Some(path) = &complex.rust_type {
        return import(context, path, &complex.name, "complex");
    }
    let docs = docs_or(
        &complex.documentation,
        &format!("The complex type `{}`.", complex.name.xml),
    );
    let index = literal(index);
    let row = quote! { MODULE.complex_type(#index) };
    items(context, complex, &complex.name.xml, &docs, &row)
}

/// The struct, its trait implementations, and its builder. Patterns match `name`; `row` refers to
/// its row.
pub(super) fn items(
    context: &Context<'_>,
    complex: &ComplexType,
    name: &str,
    docs: &TokenStream,
    row: &TokenStream,
) -> Vec<TokenStream> {
    let mut items = structure(context, complex, name, docs);
    items.extend(context.default_of(complex));
    items.extend(implementation(context, complex, row));
    items.extend(builders::emit(context, complex, name));
    items
}

/// The struct that holds the elements, and its `Clone` and `Debug` if they are not derived.
pub(super) fn structure(
    context: &Context<'_>,
    complex: &ComplexType,
    name: &str,
    docs: &TokenStream,
) -> Vec<TokenStream> {
    let visibility = &context.options.visibility;
    let item = ident(&complex.name.rust);
    let derives = (context.derives).of_elements(context.model, complex.fields());
    let mut derives = derives.names();
    if complex.clones_in_place {
        derives.retain(|name| !["Clone", "Debug"].contains(name));
    }
    if context.default_of(complex).is_none() {
        derives.push("Default");
    }
    let decoration = context.decoration(name, &derives);
    let fields = complex.fields().map(|element| {
        let docs = match complex.data_set {
            Some(_) => Some(words("The tables.")),
            None => named_docs(&element.name, &element.documentation),
        };
        let written = name_for_serde(complex, element);
        let decoration = context.member_decoration(name, &element.name, &written);
        let field = ident(&element.name.rust);
        let field_type = context.element_type(element);
        quote! { #docs #decoration pub #field: #field_type }
    });
    let mut items = vec![quote! {
        #docs
        #decoration
        #visibility struct #item { #(#fields),* }
    }];
    if complex.clones_in_place {
        items.extend(in_place::of_struct(context, complex));
    }
    items
}

/// The name of a field for serde: its name on the wire; `$text` for text, `@name` for an attribute
/// with the name of an element or of another attribute.
fn name_for_serde(complex: &ComplexType, field: &Element) -> String {
    let is = |other: &Element| other.name == field.name;
    if complex.text.as_ref().is_some_and(is) {
        return "$text".to_owned();
    }
    if !complex.attributes.iter().any(is) {
        return field.name_among(&complex.elements);
    }
    let mut name = field.name_among(&complex.attributes);
    let mut elements = complex.elements.iter();
    if name != field.name.xml || elements.any(|element| element.name.xml == name) {
        name.insert(0, '@');
    }
    name
}

/// The row of the struct, and the code that reads and writes it.
fn implementation(
    context: &Context<'_>,
    complex: &ComplexType,
    row: &TokenStream,
) -> [TokenStream; 2] {
    let codegen = &context.codegen;
    let name = ident(&complex.name.rust);
    let attributes = attributes(context, &complex.attributes);
    let text = complex.text.as_ref().map(|text| self::text(context, text));
    let boxes = boxes(context, complex);
    let [index, element, out] = argument_names(context, &complex.elements);
    let read = read_elements(context, &complex.elements);
    let writes = complex.elements.iter();
    let writes = writes.map(|element| write(context, element));
    let of_type = quote! { #codegen::complex!(#name = #row #boxes); };
    let fields = quote! {
        impl #codegen::Fields for #name {
            fn read_element(&mut self, #index: usize, #element: &mut #codegen::Element<'_>) -> #codegen::Read {
                #read
            }
            fn write_elements(&self, #out: &mut #codegen::Content<'_>) {
                #(#writes)*
            }
            #attributes
            #text
        }
    };
    [of_type, fields]
}

/// The bytes of an empty value outside of itself, in boxes and texts, if there are any.
fn boxes(context: &Context<'_>, complex: &ComplexType) -> Option<TokenStream> {
    if !complex.has_boxes {
        return None;
    }
    let held = context.boxes(&complex.elements);
    let texts: usize = complex.fields().map(Element::bytes_of_initial).sum();
    let texts = (texts > 0).then(|| literal(texts).into_token_stream());
    let parts = texts.into_iter().chain(held);
    Some(quote! { , boxes = #(#parts)+* })
}

fn attributes(context: &Context<'_>, attributes: &[Element]) -> Option<TokenStream> {
    let codegen = &context.codegen;
    if attributes.is_empty() {
        return None;
    }
    let mut reads = Reads::default();
    for attribute in attributes {
        let field = ident(&attribute.name.rust);
        let reading = of_element(context.model, attribute, |row| row.attribute_reading());
        let read = reading_method(reading);
        reads.one(quote! { attribute.#read(&mut self.#field) });
    }
    let read = reads.by_index("attribute");
    // The wildcard for attributes comes last.
    let (any, named): (Vec<_>, Vec<_>) =
        (attributes.iter()).partition(|attribute| attribute.wildcard.is_some());
    let writes = named.into_iter().chain(any).map(|attribute| {
        let field = ident(&attribute.name.rust);
        let writing = of_element(context.model, attribute, |row| row.attribute_writing());
        write_from(context, attribute, writing, &quote! { &self.#field })
    });
    Some(quote! {
        fn read_attribute(&mut self, index: usize, attribute: &mut #codegen::Element<'_>) -> #codegen::Read {
            #read
        }
        fn write_attributes(&self, out: &mut #codegen::Content<'_>) {
            #(#writes;)*
        }
    })
}

fn text(context: &Context<'_>, text: &Element) -> TokenStream {
    let codegen = &context.codegen;
    let field = ident(&text.name.rust);
    let (reading, writing) = of_element(context.model, text, |row| {
        (row.text_reading(), row.text_writing())
    });
    let read = reading_method(reading);
    let write = write_from(context, text, writing, &quote! { &self.#field });
    quote! {
        fn read_text(&mut self, text: &mut #codegen::Element<'_>) -> #codegen::Read {
            text.#read(&mut self.#field)
        }
        fn write_text(&self, out: &mut #codegen::Content<'_>) {
            #write;
        }
    }
}
