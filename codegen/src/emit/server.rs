//! The server: dispatch from the number of an operation to the handler's method.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::complex_types::item_names;
use super::documentation::docs;
use super::{Context, ident, operation_names};
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
    let h = context.free_name("H");
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

/// What is done with a call: what it is bound to, and the body.
struct Dispatch {
    call: TokenStream,
    body: TokenStream,
}

impl Dispatch {
    /// The function that does it; `name` with its type parameters.
    fn function(&self, context: &Context<'_>, h: &Ident, name: TokenStream) -> TokenStream {
        let (runtime, result) = (&context.runtime, context.prelude("Result"));
        let (call, body) = (&self.call, &self.body);
        quote! {
            async fn #name(
                handler: &#h,
                operation: usize,
                #call: #runtime::codegen::Call<'_>,
            ) -> #result<#runtime::codegen::Reply, #runtime::codegen::Failure> {
                #body
            }
        }
    }
}

/// What finds the operation, and the functions that it leaves groups of many operations to.
fn dispatch(context: &Context<'_>, operations: &[Method]) -> (Dispatch, Vec<(Ident, Dispatch)>) {
    let names = operation_names::paths(context, operations);
    if operations.len() <= MOST_CALLS {
        return (calls(context, operations, &names), Vec::new());
    }
    let groups = operations.chunks(MOST_CALLS).zip(names.chunks(MOST_CALLS));
    let groups = groups.enumerate().map(|(number, (operations, names))| {
        let name = ident(&format!("calls_{number}"));
        let range = match names {
            [only] => only.clone(),
            [first, .., last] => quote! { #first..=#last },
            [] => TokenStream::new(),
        };
        let arm = quote! { #range => Self::#name(handler, operation, call).await };
        (arm, (name, calls(context, operations, names)))
    });
    let (arms, groups): (Vec<_>, _) = groups.unzip();
    let unknown = unknown(context);
    let dispatch = Dispatch {
        call: quote! { call },
        body: quote! { match operation { #(#arms,)* #unknown } },
    };
    (dispatch, groups)
}

/// The calls of operations, by their constants.
fn calls(context: &Context<'_>, operations: &[Method], names: &[TokenStream]) -> Dispatch {
    let calls = operations.iter().map(|operation| call(context, operation));
    let unknown = unknown(context);
    Dispatch {
        call: quote! { mut call },
        body: quote! { match operation { #(#names => { #calls })* #unknown } },
    }
}

/// What answers a call of an operation that the service does not have.
fn unknown(context: &Context<'_>) -> TokenStream {
    let runtime = &context.runtime;
    quote! { _ => Err(#runtime::codegen::Failure::no_operation(operation)) }
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
