//! Enumerations: an enum, or a struct for flags, with the names of its values on the wire. A macro
//! of the runtime generates the rest of it.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use svcgen_model::{self as rows, Storage};

use super::documentation::{docs, docs_or, named_docs};
use super::extern_types::import;
use super::{Context, ident, variant_lint};
use crate::model::{Enumeration, Name, SimpleType};
use crate::rows::rows;

/// The items for all enumerations of the file.
pub(super) fn emit(context: &Context<'_>) -> Vec<TokenStream> {
    if context.model.own_enumerations().next().is_none() {
        return Vec::new();
    }
    let storage = Storage::default();
    let (module, _) = rows(context.model, &storage, context.row_content());
    let rows = module.enumerations.iter();
    let enumerations = context.model.own_enumerations().zip(rows);
    let items = enumerations.flat_map(|(enumeration, row)| match &enumeration.rust_type {
        Some(path) => import(context, path, &enumeration.name, kind(enumeration).1),
        None => vec![declaration(context, enumeration, row)],
    });
    items.collect()
}

/// The trait of an enumeration, and the function of `codegen::fits` that requires it.
pub(super) fn kind(enumeration: &Enumeration) -> (&'static str, &'static str) {
    if enumeration.is_flags {
        ("Flags", "flags")
    } else if enumeration.is_open {
        ("OpenEnumeration", "open_enumeration")
    } else {
        ("Enumeration", "enumeration")
    }
}

fn declaration(
    context: &Context<'_>,
    enumeration: &Enumeration,
    row: &rows::Enumeration<'_>,
) -> TokenStream {
    let (codegen, visibility) = (&context.codegen, &context.options.visibility);
    let (name, xml) = (ident(&enumeration.name.rust), &enumeration.name.xml);
    let (keyword, otherwise) = if enumeration.is_flags {
        let otherwise = format!("A set of values of the enumeration `{xml}`.");
        (quote! { struct }, otherwise)
    } else {
        (quote! { enum }, format!("The enumeration `{xml}`."))
    };
    let docs = docs_or(&enumeration.documentation, &otherwise);
    let names = enumeration.values.iter().map(|value| &*value.name.rust);
    let lint = (!enumeration.is_flags).then(|| variant_lint(names));
    let mut derives = vec!["Debug", "Clone"];
    derives.extend((!enumeration.is_open).then_some("Copy"));
    derives.extend(["PartialEq", "Eq", "Hash", "Default"]);
    let decoration = context.decoration(xml, &derives);
    let columns = columns(context, row);
    let other = (enumeration.is_open).then(|| other_variant(context, enumeration));
    let values = values(context, enumeration, row);
    quote! {
        #codegen::enumeration! {
            #docs
            #lint
            #decoration
            #visibility #keyword #name = #xml #columns { #other #(#values,)* }
        }
    }
}

/// The values, each with its name on the wire, unless that equals the name of the variant, and the
/// other columns of its row.
fn values(
    context: &Context<'_>,
    enumeration: &Enumeration,
    row: &rows::Enumeration<'_>,
) -> Vec<TokenStream> {
    let values = enumeration.values.iter().zip(row.values);
    let values = values.zip(enumeration.numbers());
    let values = values.enumerate().map(|(index, ((value, row), number))| {
        let (name, xml) = (ident(&value.name.rust), &value.name.xml);
        let docs = named_docs(&value.name, &value.documentation);
        let columns = value_columns(row);
        if enumeration.is_flags {
            let number = Literal::i64_unsuffixed(number);
            return quote! { #docs #name = #xml.bits(#number) #columns };
        }
        let decoration = context.member_decoration(&enumeration.name.xml, &value.name, xml);
        let default = (index == 0).then(|| quote! { #[default] });
        let has_columns = !columns.is_empty();
        let written = (*xml != value.name.rust || has_columns).then(|| quote! { = #xml #columns });
        quote! { #docs #default #decoration #name #written }
    });
    values.collect()
}

/// The columns of the row of an enumeration, apart from its name and its values.
pub(super) fn columns(context: &Context<'_>, row: &rows::Enumeration<'_>) -> TokenStream {
    let codegen = &context.codegen;
    let namespace = row.namespace;
    let namespace = namespace.map(|namespace| quote! { .in_namespace(#namespace) });
    let net = net(row.net);
    let base = (row.base != SimpleType::String).then(|| {
        let base = ident(row.base.variant());
        quote! { .base(#codegen::model::SimpleType::#base) }
    });
    let documented = documented(row.documentation);
    quote! { #namespace #net #base #documented }
}

/// The columns of the row of a value, apart from its name.
pub(super) fn value_columns(row: &rows::Value<'_>) -> TokenStream {
    let net = net(row.net);
    let number = row.number.map(|number| {
        let number = Literal::i64_unsuffixed(number);
        quote! { .number(#number) }
    });
    let documented = documented(row.documentation);
    quote! { #net #number #documented }
}

/// The name in .NET code.
pub(super) fn net(name: Option<&str>) -> Option<TokenStream> {
    name.map(|name| quote! { .net(#name) })
}

/// The number of the documentation.
pub(super) fn documented(number: u32) -> Option<TokenStream> {
    let literal = Literal::u32_unsuffixed(number);
    (number > 0).then(|| quote! { .documented(#literal) })
}

/// The variant for names that the definition does not have.
fn other_variant(context: &Context<'_>, enumeration: &Enumeration) -> TokenStream {
    let string = context.prelude("String");
    let docs = docs("A name that the definition does not have.");
    let name = Name::new("Other", "Other");
    let decoration = context.member_decoration(&enumeration.name.xml, &name, "Other");
    let serde = (context.options.serde).then(|| quote! { #[serde(untagged)] });
    quote! { #docs #serde #decoration Other(#string), }
}
