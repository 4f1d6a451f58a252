//! Messages: a struct each for the parameters of an operation and for the SOAP headers of its
//! requests and answers.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::docs;
use super::{Context, complex_types, ident, literal};
use crate::model::{ComplexType, Method};

/// The items for the messages of an operation; `index` is the index of its row.
pub(super) fn emit(context: &Context<'_>, index: usize, operation: &Method) -> Vec<TokenStream> {
    let (name, index) = (&operation.name.xml, literal(index));
    let parts = [
        ("Parameters", "parameters"),
        ("Results", "response"),
        ("SOAP headers", "headers"),
        ("SOAP headers of the answer", "response_headers"),
        ("SOAP headers of the faults", "fault_headers"),
    ];
    let structs = operation.structs().into_iter().zip(parts);
    let items = structs.filter_map(|(complex, (what, part))| {
        let (complex, part) = (complex?, ident(part));
        let docs = docs(&format!("{what} of `{name}`."));
        let row = quote! { MODULE.#part(#index) };
        let name = complex.name.unraw();
        Some(complex_types::items(context, complex, name, &docs, &row))
    });
    let of_faults = operation.fault_headers.as_ref();
    let of_faults = of_faults.map(|headers| of_faults_in(context, &headers.complex_type));
    items.flatten().chain(of_faults).collect()
}

/// Links the headers of faults to their service, as clients read them without a call.
fn of_faults_in(context: &Context<'_>, headers: &ComplexType) -> TokenStream {
    let (codegen, name) = (&context.codegen, ident(&headers.name.rust));
    quote! {
        impl #codegen::FaultHeaders for #name {
            const SERVICE: &'static #codegen::ServiceModule = &SERVICE;
        }
    }
}

/// The arguments `headers: LoginHeaders, request: LoginRequest` of a method, as far as the
/// operation has them, passed as `reference`.
pub(super) fn arguments(operation: &Method, reference: &TokenStream) -> TokenStream {
    let name = |complex: &ComplexType| ident(&complex.name.rust);
    let [request, _, headers, ..] = operation.structs().map(|complex| complex.map(name));
    let headers = headers.map(|headers| quote! { headers: #reference #headers, });
    let request = request.map(|request| quote! { request: #reference #request });
    quote! { #headers #request }
}
