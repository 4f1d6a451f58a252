//! Default and fixed values: the `Default` of a struct, and the reference values for comparisons
//! before writing.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::quote;

use super::{Context, ident};
use crate::model::{ComplexType, Element, RustType, TypeRef};

impl Context<'_> {
    /// The `Default` of a struct, if it cannot be derived.
    pub(super) fn default_of(&self, complex: &ComplexType) -> Option<TokenStream> {
        let (default, name) = (self.prelude("Default"), ident(&complex.name.rust));
        if let (Some(_), Some(text)) = (&complex.data_set, &complex.text) {
            let (codegen, field) = (&self.codegen, ident(&text.name.rust));
            return Some(quote! {
                impl #default for #name {
                    /// The tables of the schema, without rows.
                    fn default() -> Self {
                        static EMPTY: #codegen::EmptySet =
                            #codegen::EmptySet::of(<#name as #codegen::Complex>::TYPE);
                        Self { #field: EMPTY.get() }
                    }
                }
            });
        }
        complex.fields().find(|field| field.initial().is_some())?;
        let fields = complex.fields().map(|field| {
            let name = ident(&field.name.rust);
            match self.initial_of(field) {
                Some(value) => quote! { #name: #value },
                None => quote! { #name: #default::default() },
            }
        });
        Some(quote! {
            impl #default for #name {
                fn default() -> Self {
                    Self { #(#fields),* }
                }
            }
        })
    }

    /// The default value of an element, if it differs from the default of its type.
    pub(super) fn initial_of(&self, element: &Element) -> Option<TokenStream> {
        let text = element.initial()?;
        Some(match self.literal(element, text) {
            Some(text) if is_string(element) => {
                let string = self.prelude("String");
                quote! { #string::from(#text) }
            }
            Some(literal) => literal,
            None => {
                let codegen = &self.codegen;
                quote! { #codegen::value_of(#text) }
            }
        })
    }

    /// A reference to the value of this text, for comparing the value of an element with it.
    pub(super) fn reference(&self, element: &Element, text: &str) -> TokenStream {
        match self.literal(element, text) {
            Some(text) if is_string(element) => text,
            Some(literal) if is_set(&literal) => quote! { &(#literal) },
            Some(literal) => quote! { &#literal },
            None => {
                let (codegen, value_type) = (&self.codegen, self.type_ref(&element.type_ref));
                quote! { &#codegen::value_of::<#value_type>(#text) }
            }
        }
    }

    /// The literal or constant for the value of a text, if Rust or the emitted code has one.
    fn literal(&self, element: &Element, text: &str) -> Option<TokenStream> {
        match &element.type_ref {
            TypeRef::Simple(simple) => literal(simple.row().rust, text),
            TypeRef::Enumeration(id) => self.value_of_enumeration(id.0, text),
            _ => None,
        }
    }

    /// The value of an enumeration that the generator emits.
    fn value_of_enumeration(&self, index: usize, text: &str) -> Option<TokenStream> {
        let enumeration = &self.model.enumerations[index];
        if enumeration.rust_type.is_some() {
            return None;
        }
        let name = ident(&enumeration.name.rust);
        let named = |text: &str| {
            let mut values = enumeration.values.iter();
            let value = values.find(|value| value.name.xml == text)?;
            let value = ident(&value.name.rust);
            Some(quote! { #name::#value })
        };
        if !enumeration.is_flags {
            return named(text);
        }
        let values = text.split_ascii_whitespace().map(named);
        let values: Vec<_> = values.collect::<Option<_>>()?;
        match values.as_slice() {
            [] => None,
            several => Some(quote! { #(#several)|* }),
        }
    }
}

fn is_string(element: &Element) -> bool {
    matches!(&element.type_ref, TypeRef::Simple(simple) if simple.is_text())
}

/// Whether a literal consists of several values of an enumeration.
fn is_set(literal: &TokenStream) -> bool {
    let mut tokens = literal.clone().into_iter();
    tokens.any(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '|'))
}

/// The literal of a value, if Rust has one.
fn literal(rust: RustType, text: &str) -> Option<TokenStream> {
    let literal = match rust {
        RustType::String => Literal::string(text),
        RustType::Primitive("bool") => {
            let value = matches!(text, "true" | "1");
            return Some(quote! { #value });
        }
        RustType::Primitive("char") => Literal::character(char::from_u32(text.parse().ok()?)?),
        RustType::Primitive("f32") => {
            Literal::f32_unsuffixed(text.parse().ok().filter(|value: &f32| value.is_finite())?)
        }
        RustType::Primitive("f64") => {
            Literal::f64_unsuffixed(text.parse().ok().filter(|value: &f64| value.is_finite())?)
        }
        RustType::Primitive(_) => Literal::i128_unsuffixed(text.parse().ok()?),
        RustType::Bytes | RustType::Runtime(_) | RustType::Xml(_) => return None,
    };
    Some(quote! { #literal })
}
