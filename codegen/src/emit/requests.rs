//! Requests: the parameters of an operation, as the elements of its wrapper.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::docs;
use super::{Context, complex_types, ident};
use crate::model::Operation;

/// The items for the parameters of an operation: none if it has none.
pub(super) fn emit(context: &Context<'_>, operation: &Operation) -> Vec<TokenStream> {
    if operation.request.elements.is_empty() {
        return Vec::new();
    }
    let docs = docs(&format!("Parameters of `{}`.", operation.name.xml));
    let request = &operation.request;
    complex_types::items(context, request, request.name.unraw(), &docs)
}

/// The `request: LoginRequest` of a method, if the operation has parameters.
pub(super) fn parameter(operation: &Operation) -> Option<TokenStream> {
    let request = ident(&operation.request.name.rust);
    (!operation.request.elements.is_empty()).then(|| quote! { request: #request })
}
