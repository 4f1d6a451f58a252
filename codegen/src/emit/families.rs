//! Families: an enum of a type and those that extend it, distinguished by `xsi:type`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::documentation::named_docs;
use super::groups::{Variant, enum_of_values};
use super::{Context, ident, in_place, literal};
use crate::model::{ComplexType, FamilyMember};

/// The items for the family of a type: none if no type extends it.
pub(super) fn emit(context: &Context<'_>, base: &ComplexType) -> Vec<TokenStream> {
    let Some(family) = &base.family else {
        return Vec::new();
    };
    let (from, r#box) = (context.prelude("From"), context.prelude("Box"));
    let about = if base.is_abstract {
        format!("A type that extends `{}`.", base.name.xml)
    } else {
        format!("`{}`, or a type that extends it.", base.name.xml)
    };
    let name = ident(&family.rust);
    let (variants, conversions): (Vec<_>, Vec<_>) = family
        .members
        .iter()
        .map(|member| {
            let complex = &context.model.complex_types[member.complex_type.0];
            let item = ident(&complex.name.rust);
            let (mut held, mut value) = (quote! { #item }, quote! { value });
            if member.boxed {
                (held, value) = (quote! { #r#box<#item> }, quote! { #r#box::new(value) });
            }
            let conversion = quote! {
                impl #from<#item> for #name {
                    fn from(value: #item) -> Self {
                        Self::#item(#value)
                    }
                }
            };
            let variant = Variant {
                name: &complex.name,
                qualified: complex.qualified_name(),
                docs: named_docs(&complex.name, &None),
                value: held,
                initial: None,
            };
            (variant, conversion)
        })
        .unzip();
    let derives = context.derives.of_family(base);
    let mut items = enum_of_values(context, &family.rust, &about, derives, variants);
    if family.clones_in_place {
        let members = family.members.iter();
        let complex = members.map(|member| &context.model.complex_types[member.complex_type.0]);
        let variants = complex.map(|complex| (&complex.name, complex.clones_in_place));
        items.push(in_place::of_enum(context, &family.rust, variants));
    }
    items.extend(conversions);
    items.push(value(context, base, &family.rust, &family.members));
    items
}

/// Implements reading and writing of the enum.
fn value(
    context: &Context<'_>,
    base: &ComplexType,
    family: &str,
    members: &[FamilyMember],
) -> TokenStream {
    let base_name = base.qualified_name();
    let derived: Vec<_> = members
        .iter()
        .map(|member| &context.model.complex_types[member.complex_type.0])
        .filter(|complex| complex.name.key != base.name.key)
        .collect();
    let derived_names = derived.iter().map(|complex| complex.qualified_name());
    let is_abstract = base.is_abstract;
    let read = (!is_abstract).then_some(base).into_iter();
    let read = read.chain(derived.iter().copied()).enumerate();
    let arms = read.map(|(index, complex)| {
        let variant = ident(&complex.name.rust);
        let index = match (is_abstract, index) {
            // A nil of an abstract type has index 0, too.
            (true, 0) => quote! { 0 | 1 },
            _ => literal(index + usize::from(is_abstract)).into_token_stream(),
        };
        quote! { #index => Self::#variant(element.value()?) }
    });
    let read = quote! {
        *self = match element.derived_type(&[#base_name, #(#derived_names),*], #is_abstract)? {
            #(#arms,)*
            index => return Err(element.unknown_index(index)),
        };
        Ok(())
    };
    let base_write = (!is_abstract).then(|| {
        let variant = ident(&base.name.rust);
        quote! { Self::#variant(value) => value.write(name, out), }
    });
    let writes = derived.iter().map(|complex| {
        let (variant, xml) = (ident(&complex.name.rust), complex.qualified_name());
        quote! { Self::#variant(value) => out.derived(name, #xml, value) }
    });
    let write = quote! { match self { #base_write #(#writes),* } };
    context.value(family, &read, &write)
}
