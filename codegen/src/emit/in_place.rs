//! Large recursive types: their values are cloned and shown field by field, in place, so that no
//! level of recursion needs stack for all fields.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, ident};
use crate::model::{ComplexType, Name};

/// The implementations of `Clone`, `CloneInPlace` and `Debug` for a struct.
pub(super) fn of_struct(context: &Context<'_>, complex: &ComplexType) -> [TokenStream; 3] {
    let (codegen, rust) = (&context.codegen, &complex.name.rust);
    let (name, shown) = (ident(rust), svcgen_language::naming::unraw(rust));
    let clone = context.prelude("Clone");
    let copies = complex.fields().map(|field| {
        let name = ident(&field.name.rust);
        if context.model.clones_in_place(&field.type_ref) {
            quote! { #codegen::CloneInPlace::clone_in_place(&mut self.#name, &source.#name); }
        } else {
            quote! { #codegen::clone_value(&mut self.#name, &source.#name); }
        }
    });
    let shows = complex.fields().map(|field| {
        let (name, shown) = (
            ident(&field.name.rust),
            svcgen_language::naming::unraw(&field.name.rust),
        );
        quote! { fields.field(#shown, &self.#name); }
    });
    [
        quote! {
            impl #clone for #name {
                fn clone(&self) -> Self {
                    #codegen::cloned_in_place(self)
                }
            }
        },
        quote! {
            impl #codegen::CloneInPlace for #name {
                fn clone_in_place(&mut self, source: &Self) {
                    #(#copies)*
                }
            }
        },
        quote! {
            impl ::std::fmt::Debug for #name {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    let mut fields = f.debug_struct(#shown);
                    #(#shows)*
                    fields.finish()
                }
            }
        },
    ]
}

/// The implementation of `Clone` for an enum as a part of a struct; its variants, and which of
/// their values are cloned in place.
pub(super) fn of_enum<'m>(
    context: &Context<'_>,
    rust: &str,
    variants: impl Iterator<Item = (&'m Name, bool)>,
) -> TokenStream {
    let (codegen, name) = (&context.codegen, ident(rust));
    let arms = variants.map(|(name, in_place)| {
        let variant = ident(&name.rust);
        let value = if in_place {
            quote! { #codegen::new_in_place(value) }
        } else {
            quote! { #codegen::clone_apart(value) }
        };
        quote! { Self::#variant(value) => Self::#variant(#value) }
    });
    quote! {
        impl #codegen::CloneInPlace for #name {
            fn clone_in_place(&mut self, source: &Self) {
                *self = match source { #(#arms),* };
            }
        }
    }
}
