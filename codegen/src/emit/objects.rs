//! Objects: an enum of the types that a value of the type `anyType` may have.

use proc_macro2::TokenStream;
use quote::quote;

use super::derives::Derives;
use super::documentation::named_docs;
use super::groups::{Variant, enum_of_values};
use super::{Context, ident, literal, rust_path};
use crate::model::{OBJECT_TYPES, ObjectType};

/// The items for the types of objects: none if the module has no objects, or no types.
pub(super) fn emit(context: &Context<'_>) -> Vec<TokenStream> {
    let types = &context.object_types;
    let Some((last, others)) = types.split_last() else {
        return Vec::new();
    };
    let (runtime, result) = (&context.runtime, context.prelude("Result"));
    let (name, from) = (ident(OBJECT_TYPES), context.prelude("From"));
    let r#box = context.prelude("Box");
    let variants = types.iter().map(|one| {
        let item = rust_path(&one.path);
        Variant {
            name: one.name,
            docs: named_docs(&one.name.xml, &None),
            value: if one.is_complex {
                quote! { #r#box<#item> }
            } else {
                quote! { #item }
            },
            initial: None,
        }
    });
    let about = "A type that a value of the type `anyType` may have besides simple ones.";
    let variants = variants.collect();
    let mut items = enum_of_values(context, OBJECT_TYPES, about, Derives::NONE, variants);
    items.extend(types.iter().map(|one| {
        let (item, variant) = (rust_path(&one.path), ident(&one.name.rust));
        let value = if one.is_complex {
            quote! { #r#box::new(value) }
        } else {
            quote! { value }
        };
        quote! {
            impl #from<#item> for #name {
                fn from(value: #item) -> Self {
                    Self::#variant(#value)
                }
            }
        }
    }));
    let names = types.iter().map(|one| &one.qualified);
    let read = |one: &ObjectType<'_>| {
        let item = ident(&one.name.rust);
        quote! { Self::#item(element.value()?) }
    };
    let numbered = others.iter().enumerate().map(|(index, one)| {
        let (index, read) = (literal(index), read(one));
        quote! { #index => #read }
    });
    let last = read(last);
    let (index, read) = if others.is_empty() {
        (ident("_index"), last)
    } else {
        (
            ident("index"),
            quote! { match index { #(#numbered,)* _ => #last } },
        )
    };
    let writes = types.iter().map(|one| {
        let (item, xml) = (ident(&one.name.rust), &one.qualified);
        quote! { Self::#item(value) => out.described(name, #xml, value) }
    });
    items.push(quote! {
        impl #runtime::codegen::ObjectTypes for #name {
            const NAMES: &'static [&'static str] = &[#(#names),*];
            fn read(
                #index: usize,
                element: &mut #runtime::codegen::Element<'_>,
            ) -> #result<Self, #runtime::ReadError> {
                Ok(#read)
            }
            fn write(&self, name: &str, out: &mut #runtime::codegen::Content<'_>) {
                match self {
                    #(#writes),*
                }
            }
        }
    });
    items
}
