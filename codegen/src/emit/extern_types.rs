//! Types that are not emitted: their imports, and checks of their traits with short compiler
//! errors.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, ident, rust_path};
use crate::model::Name;
use crate::option_values::Visibility;

/// Imports a type and checks that it fits as `what`: `complex`, `enumeration` or
/// `open_enumeration`.
pub(super) fn import(
    context: &Context<'_>,
    path: &str,
    name: &Name,
    what: &str,
) -> Vec<TokenStream> {
    let codegen = &context.codegen;
    let (item, what) = (ident(&name.rust), ident(what));
    vec![
        use_item(context, path, name),
        quote! { const _: () = #codegen::fits::#what::<#item>(); },
    ]
}

/// Imports a type of another module under its name here.
pub(super) fn use_item(context: &Context<'_>, path: &str, name: &Name) -> TokenStream {
    let (visibility, item) = (&context.options.visibility, ident(&name.rust));
    let docs = format!(" `{}`, shared with another module.", name.xml);
    let last = path.rsplit("::").next();
    let renamed = (last != Some(&name.rust)).then(|| quote! { as #item });
    let path = rust_path(path);
    let options = context.options;
    let may_be_unused =
        options.visibility != Visibility::Public && !options.server && !options.client;
    let unused = may_be_unused.then(|| quote! { #[allow(unused_imports)] });
    quote! { #[doc = #docs] #unused #visibility use #path #renamed; }
}

/// Emits checks of the types that hold simple values.
pub(super) fn check_values(context: &Context<'_>) -> Vec<TokenStream> {
    let codegen = &context.codegen;
    let elements = context.model.emitted_elements();
    let paths: BTreeSet<_> = elements
        .filter_map(|element| element.type_ref.custom_path())
        .collect();
    let check = |path| {
        let path = context.own_type(path);
        quote! { const _: () = #codegen::fits::value::<#path>(); }
    };
    paths.into_iter().map(check).collect()
}
