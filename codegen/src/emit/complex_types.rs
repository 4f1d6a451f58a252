//! Complex types: a struct, and its elements in the order of the wire.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{docs_or, named_docs};
use super::{Context, ident};
use crate::model::{Absence, ComplexType, Element, TypeRef};

/// The items for a complex type.
pub(super) fn emit(context: &Context<'_>, complex: &ComplexType) -> Vec<TokenStream> {
    let docs = docs_or(
        &complex.documentation,
        &format!("The complex type `{}`.", complex.name.xml),
    );
    vec![
        structure(context, complex, &docs),
        implementation(context, complex),
    ]
}

/// The struct that holds the elements.
pub(super) fn structure(
    context: &Context<'_>,
    complex: &ComplexType,
    docs: &TokenStream,
) -> TokenStream {
    let name = ident(&complex.name.rust);
    let fields = complex.elements.iter().map(|element| {
        let docs = named_docs(&element.name.xml, &element.documentation);
        let field = ident(&element.name.rust);
        let field_type = context.element_type(element);
        quote! { #docs pub #field: #field_type }
    });
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct #name { #(#fields),* }
    }
}

/// How the struct is read and written.
pub(super) fn implementation(context: &Context<'_>, complex: &ComplexType) -> TokenStream {
    let runtime = &context.runtime;
    let result = &context.names.result;
    let name = ident(&complex.name.rust);
    let xml_names = complex.elements.iter().map(|element| &element.name.xml);
    let repeated = repeated_elements(&complex.elements);
    let (index, element, out) = match complex.elements.len() {
        0 => (quote! { _index }, quote! { _element }, quote! { _out }),
        1 => (quote! { _index }, quote! { element }, quote! { out }),
        _ => (quote! { index }, quote! { element }, quote! { out }),
    };
    let read = read_elements(&complex.elements);
    let writes = complex.elements.iter().map(write);
    quote! {
        impl #runtime::Complex for #name {
            const ELEMENTS: &'static [&'static str] = &[#(#xml_names),*];
            #repeated
            fn read_element(
                &mut self,
                #index: usize,
                #element: &mut #runtime::Element<'_>,
            ) -> #result<(), #runtime::ReadError> {
                #read
            }
            fn write_elements(&self, #out: &mut #runtime::Content<'_>) {
                #(#writes)*
            }
        }
    }
}

fn repeated_elements(elements: &[Element]) -> Option<TokenStream> {
    let is_repeated =
        |element: &Element| matches!(&element.type_ref, TypeRef::List(list) if !list.wrapped);
    let indexes: Vec<_> = (0..elements.len())
        .filter(|index| is_repeated(&elements[*index]))
        .map(literal)
        .collect();
    (!indexes.is_empty())
        .then(|| quote! { const REPEATED_ELEMENTS: &'static [usize] = &[#(#indexes),*]; })
}

fn read_elements(elements: &[Element]) -> TokenStream {
    let mut reads: Vec<_> = elements.iter().map(read).collect();
    match (reads.pop(), reads.as_slice()) {
        (None, _) => quote! { Ok(()) },
        (Some(only), []) => only,
        (Some(last), others) => {
            let indexes = (0..others.len()).map(literal);
            quote! {
                match index {
                    #(#indexes => #others,)*
                    _ => #last,
                }
            }
        }
    }
}

fn read(element: &Element) -> TokenStream {
    let field = ident(&element.name.rust);
    match &element.type_ref {
        TypeRef::List(list) if list.wrapped => {
            let item = &list.item;
            quote! { element.list(#item, &mut self.#field) }
        }
        TypeRef::List(_) => quote! { element.push(&mut self.#field) },
        _ => quote! { element.read(&mut self.#field) },
    }
}

fn write(element: &Element) -> TokenStream {
    let field = ident(&element.name.rust);
    let name = &element.name.xml;
    match &element.type_ref {
        TypeRef::List(list) if list.wrapped => {
            let item = &list.item;
            quote! { out.list(#name, #item, &self.#field); }
        }
        TypeRef::List(_) => quote! { out.items(#name, &self.#field); },
        _ if element.absence == Absence::Nil => quote! { out.nillable(#name, &self.#field); },
        _ => quote! { out.element(#name, &self.#field); },
    }
}

fn literal(index: usize) -> proc_macro2::Literal {
    proc_macro2::Literal::usize_unsuffixed(index)
}
