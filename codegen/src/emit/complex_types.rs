//! Complex types: a struct, and its elements in the order of the wire.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::documentation::{docs_or, named_docs};
use super::extern_types::import;
use super::{Context, builders, choices, ident, literal};
use crate::model::{Absence, ComplexType, Element, ListForm, ListType, TypeRef};

/// The items for a complex type: none if it is abstract, since it has no values; an import if another module has it.
/// `index` is that of its row.
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
    let row = quote! { &MODULE.types[#index] };
    items(context, complex, &complex.name.xml, &docs, &row)
}

/// The struct, what is implemented for it, and its builder. `name` is what patterns match, `row` refers to its row.
pub(super) fn items(
    context: &Context<'_>,
    complex: &ComplexType,
    name: &str,
    docs: &TokenStream,
    row: &TokenStream,
) -> Vec<TokenStream> {
    let mut items = vec![structure(context, complex, name, docs)];
    items.extend(context.default_of(complex));
    items.push(implementation(context, complex, row));
    items.extend(builders::emit(context, complex, name));
    items
}

/// The struct that holds the elements.
pub(super) fn structure(
    context: &Context<'_>,
    complex: &ComplexType,
    name: &str,
    docs: &TokenStream,
) -> TokenStream {
    let visibility = &context.options.visibility;
    let item = ident(&complex.name.rust);
    let derives = (context.derives).of_elements(context.model, complex.fields());
    let mut derives = derives.names();
    if complex.fields().all(|field| field.initial().is_none()) {
        derives.push("Default");
    }
    let decoration = context.decoration(name, &derives);
    let fields = complex.fields().map(|element| {
        let docs = named_docs(&element.name.xml, &element.documentation);
        let written = written_name(complex, element);
        let decoration = context.member_decoration(name, &element.name, &written);
        let field = ident(&element.name.rust);
        let field_type = context.element_type(element);
        quote! { #docs #decoration pub #field: #field_type }
    });
    quote! {
        #docs
        #decoration
        #visibility struct #item { #(#fields),* }
    }
}

/// The name of a field for serde: that on the wire; `$text` for text, `@name` for an attribute with the name of an element.
fn written_name(complex: &ComplexType, field: &Element) -> String {
    let xml = &field.name.xml;
    let is = |other: &Element| other.name == field.name;
    if complex.text.as_ref().is_some_and(is) {
        return "$text".to_owned();
    }
    let mut elements = complex.elements.iter();
    if elements.any(|element| element.name.xml == *xml && !is(element)) {
        format!("@{xml}")
    } else {
        xml.clone()
    }
}

/// How the struct is read and written.
fn implementation(context: &Context<'_>, complex: &ComplexType, row: &TokenStream) -> TokenStream {
    let runtime = &context.runtime;
    let result = context.read_result();
    let name = ident(&complex.name.rust);
    let attributes = attributes(context, &complex.attributes);
    let text = complex.text.as_ref().map(|text| self::text(context, text));
    let boxes = boxes(context, complex);
    let [index, element, out] = argument_names(context, &complex.elements);
    let read = read_elements(context, &complex.elements);
    let writes = complex.elements.iter();
    let writes = writes.map(|element| write(context, element));
    quote! {
        impl #runtime::codegen::Complex for #name {
            const TYPE: &'static #runtime::codegen::model::ComplexType<'static> = #row;
            #boxes
            fn read_element(
                &mut self,
                #index: usize,
                #element: &mut #runtime::codegen::Element<'_>,
            ) -> #result {
                #read
            }
            fn write_elements(&self, #out: &mut #runtime::codegen::Content<'_>) {
                #(#writes)*
            }
            #attributes
            #text
        }
    }
}

/// The bytes that an empty value has outside of itself, if it has any: those of its boxes and texts.
fn boxes(context: &Context<'_>, complex: &ComplexType) -> Option<TokenStream> {
    if !complex.has_boxes {
        return None;
    }
    let held = context.boxes(&complex.elements);
    let texts: usize = complex.fields().map(Element::bytes_of_initial).sum();
    let texts = (texts > 0).then(|| literal(texts).into_token_stream());
    let parts = texts.into_iter().chain(held);
    Some(quote! { const BOXES: usize = #(#parts)+*; })
}

fn attributes(context: &Context<'_>, attributes: &[Element]) -> Option<TokenStream> {
    let runtime = &context.runtime;
    let result = context.read_result();
    let index = match attributes.len() {
        0 => return None,
        1 => ident("_index"),
        _ => ident("index"),
    };
    let mut reads = Reads::default();
    for attribute in attributes {
        let field = ident(&attribute.name.rust);
        reads.one(match attribute.type_ref {
            TypeRef::List(_) => quote! { attribute.texts(&mut self.#field) },
            _ => quote! { attribute.read(&mut self.#field) },
        });
    }
    let read = reads.by_index();
    // What is not named comes last.
    let (any, named): (Vec<_>, Vec<_>) =
        (attributes.iter()).partition(|attribute| attribute.wildcard.is_some());
    let writes = named.into_iter().chain(any).map(|attribute| {
        let (field, name) = (ident(&attribute.name.rust), attribute.written_name());
        match attribute.type_ref {
            TypeRef::List(_) => quote! { out.attribute_texts(#name, &self.#field); },
            _ => match attribute.default() {
                Some(default) => {
                    let default = context.reference(attribute, default);
                    quote! { out.attribute_unless(#name, &self.#field, #default); }
                }
                None => quote! { out.attribute(#name, &self.#field); },
            },
        }
    });
    Some(quote! {
        fn read_attribute(
            &mut self,
            #index: usize,
            attribute: &mut #runtime::codegen::Element<'_>,
        ) -> #result {
            #read
        }
        fn write_attributes(&self, out: &mut #runtime::codegen::Content<'_>) {
            #(#writes)*
        }
    })
}

fn text(context: &Context<'_>, text: &Element) -> TokenStream {
    let runtime = &context.runtime;
    let result = context.read_result();
    let field = ident(&text.name.rust);
    let [read, write] = match text.type_ref {
        TypeRef::List(_) => ["texts", "content_texts"],
        _ => ["read", "content"],
    }
    .map(ident);
    quote! {
        fn read_text(
            &mut self,
            text: &mut #runtime::codegen::Element<'_>,
        ) -> #result {
            text.#read(&mut self.#field)
        }
        fn write_text(&self, out: &mut #runtime::codegen::Content<'_>) {
            out.#write(&self.#field);
        }
    }
}

/// The names of the arguments of functions that read and write these elements: the index, an element, the output.
pub(super) fn argument_names(context: &Context<'_>, elements: &[Element]) -> [Ident; 3] {
    let on_wire = elements
        .iter()
        .flat_map(|element| context.model.on_wire(element));
    match on_wire.count() {
        0 => ["_index", "_element", "_out"],
        1 => ["_index", "element", "out"],
        _ => ["index", "element", "out"],
    }
    .map(ident)
}

/// Reads the element of an index among those of a type or a sequence.
pub(super) fn read_elements(context: &Context<'_>, elements: &[Element]) -> TokenStream {
    let mut reads = Reads::default();
    for element in elements {
        match element.type_ref.choice() {
            Some(id) => {
                choices::add_reads(context, element, &context.model.choices[id.0], &mut reads)
            }
            None => reads.one(read(context, element)),
        }
    }
    reads.by_index()
}

/// What is read for each index.
#[derive(Default)]
pub(super) struct Reads {
    /// For so many indexes each.
    arms: Vec<(usize, TokenStream)>,
    count: usize,
}

impl Reads {
    /// Adds what is read for the next index.
    pub fn one(&mut self, read: TokenStream) {
        self.arms.push((1, read));
        self.count += 1;
    }

    /// Adds what is read for the next indexes, given the index counted from the first of these.
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

    /// Matches the index, unless there is only one thing to read.
    pub fn by_index(mut self) -> TokenStream {
        match (self.arms.pop(), self.arms.as_slice()) {
            (None, _) => quote! { Ok(()) },
            (Some((_, only)), []) => only,
            (Some((_, last)), others) => {
                let mut first = 0;
                let others = others.iter().map(|(count, read)| {
                    let [from, to] = [first, first + count - 1].map(literal);
                    first += count;
                    match count {
                        1 => quote! { #from => #read },
                        _ => quote! { #from..=#to => #read },
                    }
                });
                quote! {
                    match index {
                        #(#others,)*
                        _ => #last,
                    }
                }
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
    match &element.type_ref {
        TypeRef::List(list) if list.is_wrapped() => {
            let items = item_names(list);
            let read = match (list.form, element.absence) {
                (ListForm::Collection, _) => quote! { collection },
                (_, Absence::Nil | Absence::Either) => quote! { nillable_list },
                _ => quote! { list },
            };
            quote! { element.#read(#items, #value) }
        }
        TypeRef::List(_) if element.wildcard.is_some() => {
            quote! { element.push_any(#value) }
        }
        TypeRef::List(list) if list.form == ListForm::Text => {
            quote! { element.texts(#value) }
        }
        TypeRef::List(_) => quote! { element.push(#value) },
        _ if element.wildcard.is_some() && element.absence == Absence::Required => {
            quote! { element.any_one(#value) }
        }
        _ if element.wildcard.is_some() => quote! { element.any(#value) },
        type_ref if element.default().is_some() && context.model.is_by_value(type_ref) => {
            quote! { element.read_unless_empty(#value) }
        }
        _ => quote! { element.read(#value) },
    }
}

pub(super) fn write(context: &Context<'_>, element: &Element) -> TokenStream {
    let field = ident(&element.name.rust);
    match element.type_ref.choice() {
        Some(_) => choices::write(element),
        None => write_from(context, element, &quote! { &self.#field }),
    }
}

/// Writes an element from a value, given as a reference.
pub(super) fn write_from(
    context: &Context<'_>,
    element: &Element,
    value: &TokenStream,
) -> TokenStream {
    let name = element.written_name();
    let name = match &element.net {
        Some(net) => quote! { out.field_name(#name, #net) },
        None => quote! { #name },
    };
    match &element.type_ref {
        TypeRef::List(list) if list.is_wrapped() => {
            let items = item_names(list);
            let write = match element.absence {
                Absence::Nil => quote! { nillable_list },
                _ => quote! { list },
            };
            quote! { out.#write(#name, #items, #value); }
        }
        TypeRef::List(list) if list.form == ListForm::Text => match element.absence {
            Absence::Nil => quote! { out.nillable_texts(#name, #value); },
            _ => quote! { out.texts(#name, #value); },
        },
        TypeRef::Simple(_)
            if element.wildcard.is_some() && element.absence == Absence::Required =>
        {
            quote! { out.any([#value]); }
        }
        _ if element.wildcard.is_some() => quote! { out.any(#value); },
        TypeRef::List(_) => quote! { out.items(#name, #value); },
        _ if element.absence == Absence::Nil => quote! { out.nillable(#name, #value); },
        _ => match element.default() {
            Some(default) => {
                let default = context.reference(element, default);
                quote! { out.element_unless(#name, #value, #default); }
            }
            None => quote! { out.element(#name, #value); },
        },
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
