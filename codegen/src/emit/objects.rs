//! Objects: an enum of the types that a value of the type `anyType` may have.

use proc_macro2::TokenStream;
use quote::quote;

use super::derives::Derives;
use super::documentation::named_docs;
use super::groups::{Variant, enum_of_values};
use super::{Context, ident, literal, rust_path};
use crate::model::OBJECT_TYPES;

/// The items for the types of objects: none if the module has no objects, or no types.
pub(super) fn emit(context: &Context<'_>) -> Vec<TokenStream> {
    let types = &context.object_types;
    if types.is_empty() {
        return Vec::new();
    }
    let (runtime, codegen) = (&context.runtime, &context.codegen);
    let result = context.prelude("Result");
    let (name, from) = (ident(OBJECT_TYPES), context.prelude("From"));
    let r#box = context.prelude("Box");
    let variants = types.iter().map(|one| {
        let item = rust_path(&one.path);
        Variant {
            name: one.name,
            qualified: one.qualified.clone(),
            docs: named_docs(one.name, &None),
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
    let reads = types.iter().enumerate().map(|(index, one)| {
        let (index, item) = (literal(index), ident(&one.name.rust));
        quote! { #index => Ok(Self::#item(element.value()?)) }
    });
    let writes = types.iter().map(|one| {
        let (item, xml) = (ident(&one.name.rust), &one.qualified);
        quote! { Self::#item(value) => out.described(name, #xml, value) }
    });
    items.push(quote! {
        impl #codegen::ObjectTypes for #name {
            const NAMES: &'static [&'static str] = &[#(#names),*];
            fn read(index: usize, element: &mut #codegen::Element<'_>) -> #result<Self, #runtime::ReadError> {
                match index {
                    #(#reads,)*
                    _ => Err(element.unknown_index(index)),
                }
            }
            fn write(&self, name: &str, out: &mut #codegen::Content<'_>) {
                match self {
                    #(#writes),*
                }
            }
        }
    });
    items
}
