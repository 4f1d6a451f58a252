//! The server: dispatch from the number of an operation to the handler's method.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::complex_types::{item_names, list_type};
use super::documentation::docs;
use super::{Context, Prelude, ident};
use crate::model::{Operation, Service, TypeRef};

/// The server's name, and the service behind it.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> Vec<TokenStream> {
    let (runtime, visibility) = (&context.runtime, &context.visibility);
    let Prelude { option, result, .. } = &context.names;
    let (handler, server, name) = (
        ident(&service.items.handler),
        ident(&service.items.server),
        ident(&service.items.service),
    );
    let server_docs = docs(&format!("Serves `{}` with a handler.", service.name.xml));
    let service_docs = docs(&format!(
        "Names, addresses and dispatch of `{}`.",
        service.name.xml
    ));
    let h = context.type_parameter("H");
    let schema = context.documents.then(|| {
        quote! { const SCHEMA: #option<&'static #runtime::schema::Schema<'static>> = Some(&SCHEMA); }
    });
    let (operation, body) = dispatch(context, &service.operations);
    vec![
        quote! {
            #server_docs
            #visibility type #server<#h> = #runtime::Server<#name, #h>;
        },
        quote! {
            #service_docs
            #[derive(Debug, Clone, Copy)]
            #visibility struct #name;
        },
        quote! {
            impl<#h: #handler> #runtime::Service<#h> for #name {
                const DESCRIPTION: &'static #runtime::ServiceDescription = &DESCRIPTION;
                #schema
                async fn call(
                    handler: &#h,
                    #operation: usize,
                    mut call: #runtime::Call<'_>,
                ) -> #result<#runtime::Reply, #runtime::Failure> {
                    #body
                }
            }
        },
    ]
}

/// The name of the parameter that numbers the operation, and what is done with it.
fn dispatch(context: &Context<'_>, operations: &[Operation]) -> (TokenStream, TokenStream) {
    let mut calls: Vec<_> = operations
        .iter()
        .map(|operation| call(context, operation))
        .collect();
    match (calls.pop(), calls.as_slice()) {
        (Some(last), others @ [_, ..]) => {
            let indexes = (0..others.len()).map(Literal::usize_unsuffixed);
            let body = quote! {
                match operation {
                    #(#indexes => { #others })*
                    _ => { #last }
                }
            };
            (quote! { operation }, body)
        }
        (only, _) => (quote! { _operation }, only.unwrap_or_default()),
    }
}

fn call(context: &Context<'_>, operation: &Operation) -> TokenStream {
    let method = ident(&operation.name.rust);
    let (read_headers, headers) = match &operation.headers {
        Some(_) => (
            Some(quote! { let headers = call.headers()?; }),
            Some(quote! { , headers }),
        ),
        None => (None, None),
    };
    let (read, request) = match operation.request.elements.is_empty() {
        true => (quote! { call.read::<()>()?; }, None),
        false => (
            quote! { let request = call.read()?; },
            Some(quote! { , request }),
        ),
    };
    let call = quote! { handler.#method(call.context() #headers #request).await? };
    let (reply_headers, with_headers) = match &operation.response_headers {
        Some(_) => (
            Some(quote! { headers }),
            Some(quote! { .with_headers(&headers)? }),
        ),
        None => (None, None),
    };
    let answer = match (&operation.result, &reply_headers) {
        (None, None) => quote! { #call; },
        (None, Some(headers)) => quote! { let #headers = #call; },
        (Some(_), None) => quote! { let result = #call; },
        (Some(_), Some(headers)) => quote! { let (result, #headers) = #call; },
    };
    let result = match operation
        .result
        .as_ref()
        .map(|result| &result.element.type_ref)
    {
        None => quote! { &() },
        Some(TypeRef::List(list)) => {
            let (list_type, items) = (list_type(context, list), item_names(list));
            quote! { &#list_type::new(#items, result) }
        }
        Some(_) => quote! { &result },
    };
    quote! { #read_headers #read #answer call #with_headers.reply(#result) }
}
