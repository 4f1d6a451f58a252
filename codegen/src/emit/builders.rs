//! Builders: `new()` and a setter for each field.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use svcgen_language::naming;

use super::documentation::docs;
use super::{Context, ident};
use crate::model::{Absence, ComplexType, Element, TypeRef};

/// The builder of a struct, if the option `builders` matches `name`.
pub(super) fn emit(
    context: &Context<'_>,
    complex: &ComplexType,
    name: &str,
) -> Option<TokenStream> {
    if !context.options.builders.matches(name) {
        return None;
    }
    let default = context.prelude("Default");
    let item = ident(&complex.name.rust);
    let setters = complex.fields().map(|field| setter(context, field));
    Some(quote! {
        impl #item {
            /// Creates a value with all fields at their defaults.
            pub fn new() -> Self {
                #default::default()
            }
            #(#setters)*
        }
    })
}

fn setter(context: &Context<'_>, element: &Element) -> TokenStream {
    let (into, r#box) = (context.prelude("Into"), context.prelude("Box"));
    let about = docs(&format!("Sets `{}`.", element.name.xml));
    let field = ident(&element.name.rust);
    let plain = naming::unraw(&element.name.rust);
    // The field of `_1` is `_1`, as a name may not begin with a digit.
    let method = format_ident!("with_{}", plain.trim_start_matches('_'));
    // Clippy requires letters in the names of arguments.
    let has_letters = plain.contains(|c: char| c.is_ascii_alphabetic());
    let argument = if has_letters {
        field.clone()
    } else {
        ident("value")
    };
    let value_type = context.value_type(element);
    let (mut argument_type, mut value) = (value_type, quote! { #argument });
    if converts(context, element) {
        argument_type = quote! { impl #into<#argument_type> };
        value = quote! { #value.into() };
    }
    if element.boxed && !element.soap_attributes {
        value = quote! { #r#box::new(#value) };
    }
    if element.absence != Absence::Required {
        value = quote! { Some(#value) };
    }
    quote! {
        #about
        #[must_use]
        pub fn #method(mut self, #argument: #argument_type) -> Self {
            self.#field = #value;
            self
        }
    }
}

/// Whether the setter accepts other types than that of the field: for text, secrets, families,
/// types of the application, SOAP headers without their attributes.
fn converts(context: &Context<'_>, element: &Element) -> bool {
    if element.soap_attributes {
        return true;
    }
    match &element.type_ref {
        TypeRef::Simple(simple) => element.secret || simple.is_text(),
        TypeRef::Custom(..) => true,
        TypeRef::Complex(id) => context.model.complex_types[id.0].family.is_some(),
        _ => false,
    }
}
