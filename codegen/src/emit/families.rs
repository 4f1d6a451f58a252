//! Families: an enum of a type and those that extend it, told apart by `xsi:type`.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{docs, named_docs};
use super::{Context, Prelude, ident, literal};
use crate::model::{ComplexType, FamilyMember};

/// The items for the family of a type: none if no type extends it.
pub(super) fn emit(context: &Context<'_>, base: &ComplexType) -> Vec<TokenStream> {
    let Some(family) = &base.family else {
        return Vec::new();
    };
    let Prelude {
        default,
        from,
        r#box,
        ..
    } = &context.names;
    let about = docs(&match base.is_abstract {
        true => format!("A type that extends `{}`.", base.name.xml),
        false => format!("`{}`, or a type that extends it.", base.name.xml),
    });
    let visibility = &context.visibility;
    let name = ident(&family.rust);
    let member = |member: &FamilyMember| &context.model.complex_types[member.complex_type.0];
    let variants = family.members.iter().map(|at| {
        let complex = member(at);
        let docs = named_docs(&complex.name.xml, &None);
        let decoration = context.member_decoration(&family.rust, &complex.name);
        let variant = ident(&complex.name.rust);
        match at.boxed {
            true => quote! { #docs #decoration #variant(#r#box<#variant>) },
            false => quote! { #docs #decoration #variant(#variant) },
        }
    });
    let first = family
        .members
        .first()
        .map(|at| ident(&member(at).name.rust));
    let conversions = family.members.iter().map(|at| {
        let variant = ident(&member(at).name.rust);
        let value = match at.boxed {
            true => quote! { #r#box::new(value) },
            false => quote! { value },
        };
        quote! {
            impl #from<#variant> for #name {
                fn from(value: #variant) -> Self {
                    Self::#variant(#value)
                }
            }
        }
    });
    let decoration = context.decoration(&family.rust, &["Debug", "Clone", "PartialEq"]);
    let mut items = vec![
        quote! {
            #about
            #[allow(clippy::large_enum_variant)]
            #decoration
            #visibility enum #name { #(#variants),* }
        },
        quote! {
            impl #default for #name {
                fn default() -> Self {
                    Self::#first(#default::default())
                }
            }
        },
    ];
    items.extend(conversions);
    items.push(value(context, base, &family.rust, &family.members));
    items
}

/// How the enum is read and written.
fn value(
    context: &Context<'_>,
    base: &ComplexType,
    family: &str,
    members: &[FamilyMember],
) -> TokenStream {
    let runtime = &context.runtime;
    let result = &context.names.result;
    let name = ident(family);
    let base_name = &base.name.xml;
    let derived: Vec<_> = members
        .iter()
        .map(|member| &context.model.complex_types[member.complex_type.0])
        .filter(|complex| complex.name != base.name)
        .collect();
    let derived_names = derived.iter().map(|complex| &complex.name.xml);
    let is_abstract = base.is_abstract;
    // What an abstract type leaves over is its first derived one.
    let (otherwise, numbered) = match derived.split_first() {
        Some((first, others)) if is_abstract => (ident(&first.name.rust), (2.., others)),
        _ => (ident(&base.name.rust), (1.., derived.as_slice())),
    };
    let arms: Vec<_> = numbered
        .0
        .zip(numbered.1)
        .map(|(index, complex): (usize, _)| {
            let (index, variant) = (literal(index), ident(&complex.name.rust));
            quote! { #index => Self::#variant(element.value()?) }
        })
        .collect();
    let number = quote! { element.derived_type(&[#base_name, #(#derived_names),*], #is_abstract)? };
    let read = match arms.as_slice() {
        [] => quote! { #number; *self = Self::#otherwise(element.value()?); },
        arms => quote! {
            *self = match #number {
                #(#arms,)*
                _ => Self::#otherwise(element.value()?),
            };
        },
    };
    let base_write = (!is_abstract).then(|| {
        let variant = ident(&base.name.rust);
        quote! { Self::#variant(value) => value.write(name, out), }
    });
    let writes = derived.iter().map(|complex| {
        let (variant, xml) = (ident(&complex.name.rust), &complex.name.xml);
        quote! { Self::#variant(value) => out.derived(name, #xml, value) }
    });
    quote! {
        impl #runtime::Value for #name {
            fn read(&mut self, element: &mut #runtime::Element<'_>) -> #result<(), #runtime::ReadError> {
                #read
                Ok(())
            }
            fn write(&self, name: &str, out: &mut #runtime::Content<'_>) {
                match self {
                    #base_write
                    #(#writes),*
                }
            }
        }
    }
}
