//! The server: dispatch from the number of an operation to the handler's method.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::documentation::docs;
use super::{Context, Prelude, ident};
use crate::model::{Operation, TypeRef};

/// The server's name, and the service behind it.
pub(super) fn emit(context: &Context<'_>) -> Vec<TokenStream> {
    let service = &context.model.service;
    let runtime = &context.runtime;
    let Prelude { result, .. } = &context.names;
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
    let (operation, body) = dispatch(context);
    vec![
        quote! {
            #server_docs
            pub type #server<#h> = #runtime::Server<#name, #h>;
        },
        quote! {
            #service_docs
            #[derive(Debug, Clone, Copy)]
            pub struct #name;
        },
        quote! {
            impl<#h: #handler> #runtime::Service<#h> for #name {
                const DESCRIPTION: &'static #runtime::ServiceDescription = &DESCRIPTION;
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
fn dispatch(context: &Context<'_>) -> (TokenStream, TokenStream) {
    let operations = &context.model.service.operations;
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
    let runtime = &context.runtime;
    let method = ident(&operation.name.rust);
    let (read, call) = match operation.request.elements.is_empty() {
        true => (
            quote! { call.read::<()>()?; },
            quote! { handler.#method(call.context()).await? },
        ),
        false => (
            quote! { let request = call.read()?; },
            quote! { handler.#method(call.context(), request).await? },
        ),
    };
    match operation
        .result
        .as_ref()
        .map(|result| &result.element.type_ref)
    {
        None => quote! { #read #call; call.reply(&()) },
        Some(TypeRef::List(list)) => {
            let item = &list.item;
            quote! { #read let result = #call; call.reply(&#runtime::List::new(#item, result)) }
        }
        Some(_) => quote! { #read let result = #call; call.reply(&result) },
    }
}
