//! The server: dispatch from the number of an operation to the handler's method.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::complex_types::item_names;
use super::documentation::docs;
use super::{Context, ident, literal};
use crate::model::{Method, Service, TypeRef};

/// The most operations that one function calls: the time in which rustc checks an async function grows faster than its size.
const MOST_CALLS: usize = 32;

/// The server's name, and the service behind it.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> Vec<TokenStream> {
    let (runtime, visibility) = (&context.runtime, &context.visibility);
    let option = context.prelude("Option");
    let (handler, server, name) = (
        ident(&service.items.handler),
        ident(&service.items.server),
        ident(&service.items.service),
    );
    let server_docs = docs(&format!("Serves `{}` with a handler.", service.name.xml));
    let about = format!("Names, addresses and dispatch of `{}`.", service.name.xml);
    let service_docs = docs(&about);
    let h = context.type_parameter("H");
    let documentation = context.documented.then(|| {
        let documentation = quote! { #runtime::codegen::model::Documentation };
        quote! { const DOCUMENTATION: #option<&'static #documentation<'static>> = Some(&DOCUMENTATION); }
    });
    let (dispatch, groups) = dispatch(context, &service.operations);
    let dispatch = dispatch.function(context, &h, quote! { call });
    let groups = groups.iter();
    let groups =
        groups.map(|(name, calls)| calls.function(context, &h, quote! { #name<#h: #handler> }));
    let groups: Vec<_> = groups.collect();
    let mut items = vec![
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
            impl<#h: #handler> #runtime::codegen::DispatchTo<#h> for #name {
                const MODULE: &'static #runtime::codegen::model::Module<'static> = &MODULE;
                #documentation
                #dispatch
            }
        },
    ];
    if !groups.is_empty() {
        items.push(quote! { impl #name { #(#groups)* } });
    }
    items
}

/// What is done with a call: what the number of its operation and the call itself are bound to, and the body.
struct Dispatch {
    operation: TokenStream,
    call: TokenStream,
    body: TokenStream,
}

impl Dispatch {
    /// The function that does it; `name` with its type parameters.
    fn function(&self, context: &Context<'_>, h: &Ident, name: TokenStream) -> TokenStream {
        let (runtime, result) = (&context.runtime, context.prelude("Result"));
        let (operation, call, body) = (&self.operation, &self.call, &self.body);
        quote! {
            async fn #name(
                handler: &#h,
                #operation: usize,
                #call: #runtime::codegen::Call<'_>,
            ) -> #result<#runtime::codegen::Reply, #runtime::codegen::Failure> {
                #body
            }
        }
    }
}

/// What finds the operation, and the functions that it leaves groups of many operations to.
fn dispatch(context: &Context<'_>, operations: &[Method]) -> (Dispatch, Vec<(Ident, Dispatch)>) {
    if operations.len() <= MOST_CALLS {
        return (calls(context, operations, 0), Vec::new());
    }
    let starts = (0..operations.len()).step_by(MOST_CALLS);
    let name = |start: usize| ident(&format!("calls_from_{start}"));
    let arms = starts.clone().map(|start| {
        let (name, end) = (name(start), start + MOST_CALLS);
        let numbers = match end < operations.len() {
            true => {
                let (start, end) = (literal(start), literal(end));
                quote! { #start..#end }
            }
            false => quote! { _ },
        };
        quote! { #numbers => Self::#name(handler, operation, call).await }
    });
    let dispatch = Dispatch {
        operation: quote! { operation },
        call: quote! { call },
        body: quote! { match operation { #(#arms,)* } },
    };
    let groups = starts.zip(operations.chunks(MOST_CALLS));
    let groups = groups.map(|(start, group)| (name(start), calls(context, group, start)));
    (dispatch, groups.collect())
}

/// The calls of operations, which are numbered from `start`.
fn calls(context: &Context<'_>, operations: &[Method], start: usize) -> Dispatch {
    let calls = operations.iter().map(|operation| call(context, operation));
    let mut calls: Vec<_> = calls.collect();
    let (operation, body) = match (calls.pop(), calls.as_slice()) {
        (Some(last), others @ [_, ..]) => {
            let numbers = (start..).map(literal);
            let numbers = numbers.take(others.len());
            let body = quote! {
                match operation {
                    #(#numbers => { #others })*
                    _ => { #last }
                }
            };
            (quote! { operation }, body)
        }
        (only, _) => (quote! { _operation }, only.unwrap_or_default()),
    };
    Dispatch {
        operation,
        call: quote! { mut call },
        body,
    }
}

fn call(context: &Context<'_>, operation: &Method) -> TokenStream {
    let (runtime, method) = (&context.runtime, ident(&operation.name.rust));
    let [request, headers, reply_headers] = operation.structs().map(|part| part.is_some());
    let read_headers = headers.then(|| quote! { let headers = call.headers()?; });
    let headers = headers.then(|| quote! { , headers });
    let read = match request {
        true => quote! { let request = call.read()?; },
        false => quote! { call.read::<()>()?; },
    };
    let request = request.then(|| quote! { , request });
    let call = quote! { handler.#method(call.context() #headers #request).await? };
    let with_headers = reply_headers.then(|| quote! { .with_headers(&headers)? });
    let answer = match (&operation.result, reply_headers) {
        (None, false) => quote! { #call; },
        (None, true) => quote! { let headers = #call; },
        (Some(_), false) => quote! { let result = #call; },
        (Some(_), true) => quote! { let (result, headers) = #call; },
    };
    let result = match operation.result_type() {
        None => quote! { &() },
        Some(TypeRef::List(list)) => {
            let items = item_names(list);
            quote! { &#runtime::codegen::List::new(#items, result) }
        }
        Some(_) => quote! { &result },
    };
    quote! { #read_headers #read #answer call #with_headers.reply(#result) }
}
