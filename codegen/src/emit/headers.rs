//! SOAP headers: those of an operation's requests, and those of its answers, as a struct each.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::docs;
use super::{Context, complex_types, ident};
use crate::model::{Headers, Operation};

/// The items for the headers of an operation: none if it has none.
pub(super) fn emit(context: &Context<'_>, operation: &Operation) -> Vec<TokenStream> {
    let name = &operation.name.xml;
    let sets = [
        (&operation.headers, format!("SOAP headers of `{name}`.")),
        (
            &operation.response_headers,
            format!("SOAP headers of the answer of `{name}`."),
        ),
    ];
    let items = sets.into_iter().filter_map(|(headers, about)| {
        let complex = &headers.as_ref()?.complex_type;
        let name = complex.name.unraw();
        Some(complex_types::items(context, complex, name, &docs(&about)))
    });
    items.flatten().collect()
}

/// The `headers: LoginHeaders` of a method, if the operation has headers in its requests.
pub(super) fn parameter(operation: &Operation) -> Option<TokenStream> {
    let headers = ident(&operation.headers.as_ref()?.complex_type.name.rust);
    Some(quote! { headers: #headers, })
}

/// What the description says of headers.
pub(super) fn describe(runtime: &TokenStream, headers: &Headers) -> TokenStream {
    let elements = headers.complex_type.elements.iter();
    let described = elements.zip(&headers.rules).map(|(element, rule)| {
        let name = &element.name.xml;
        let required = rule.required.then(|| quote! { required: true, });
        let must_understand = rule.must_understand.then(|| quote! { must_understand: true, });
        quote! { #runtime::Header { name: #name, #required #must_understand ..#runtime::Header::NEW } }
    });
    quote! { &[#(#described),*] }
}
