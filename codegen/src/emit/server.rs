//! The server: dispatch from the number of an operation to the handler's method.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::documentation::docs;
use super::fields::item_names;
use super::handler::has_body;
use super::{Context, ident, literal};
use crate::model::{Method, Service, TypeRef};

/// The maximum number of operations in one function: the time to compile an async function grows
/// faster than its size. The function boxes its future, so that rustc proves that these calls are
/// `Send`, and not those of all functions together.
const MOST_CALLS: usize = 32;

/// Emits the server and its dispatch.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> Vec<TokenStream> {
    let (runtime, codegen) = (&context.runtime, &context.codegen);
    let visibility = &context.options.visibility;
    let (handler, server, name) = (
        ident(&service.items.handler),
        ident(&service.items.server),
        ident(&service.items.service),
    );
    let server_docs = docs(&format!("Serves `{}` with a handler.", service.name.xml));
    let about = format!("Names, addresses and dispatch of `{}`.", service.name.xml);
    let service_docs = docs(&about);
    let h = context.free_name("H");
    let documentation = context.documented.then(
        || quote! { const DOCUMENTATION: #codegen::ServiceDocumentation = Some(&DOCUMENTATION); },
    );
    let implements = implements(context, &service.operations, &h);
    let (dispatch, groups) = dispatch(context, &service.operations, &h, &handler);
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
            impl<#h: #handler> #codegen::DispatchTo<#h> for #name {
                const SERVICE: &'static #codegen::ServiceModule = &SERVICE;
                #documentation
                #implements
                #dispatch
            }
        },
    ];
    if !groups.is_empty() {
        items.push(quote! { impl #name { #(#groups)* } });
    }
    items
}

/// The function that decides which operations the handler implements, if methods have default
/// bodies.
fn implements(context: &Context<'_>, operations: &[Method], h: &Ident) -> Option<TokenStream> {
    let codegen = &context.codegen;
    let all = operations.iter().enumerate();
    let arms = all.filter(|(_, operation)| has_body(context, operation));
    let arms = arms.map(|(index, operation)| {
        let index = literal(index);
        let method = ident(&operation.name.rust);
        let [request, _, headers, ..] = operation.structs().map(|part| part.is_some());
        let argument = quote! { , #codegen::argument() };
        let headers = headers.then_some(&argument);
        let request = request.then_some(&argument);
        quote! {
            #index => #codegen::is_written(|handler: &#h, context| handler.#method(context #headers #request)),
        }
    });
    let arms: Vec<_> = arms.collect();
    (!arms.is_empty()).then(|| {
        quote! {
            fn implements(operation: usize) -> bool {
                match operation {
                    #(#arms)*
                    _ => true
                }
            }
        }
    })
}

/// Emits the dispatch, and functions for groups of operations if there are many.
fn dispatch(
    context: &Context<'_>,
    operations: &[Method],
    h: &Ident,
    handler: &Ident,
) -> (TokenStream, Vec<TokenStream>) {
    let codegen = &context.codegen;
    let of_operation = |arms: TokenStream| {
        quote! {
            match operation {
                #arms
                _ => Err(#codegen::Failure::no_operation(operation))
            }
        }
    };
    let calls = |first: usize, operations: &[Method]| {
        let arms = operations.iter().zip(first..).map(|(operation, index)| {
            let (index, call) = (literal(index), call(context, operation));
            quote! { #index => { #call } }
        });
        of_operation(arms.collect())
    };
    let dispatch = |call: TokenStream, body: TokenStream| {
        quote! {
            async fn call(handler: &#h, operation: usize, #call: #codegen::Call<'_>) -> #codegen::Replied {
                #body
            }
        }
    };
    if operations.len() <= MOST_CALLS {
        return (
            dispatch(quote! { mut call }, calls(0, operations)),
            Vec::new(),
        );
    }
    let boxed = context.prelude("Box");
    let groups = operations.chunks(MOST_CALLS).enumerate();
    let groups = groups.map(|(number, operations)| {
        let name = ident(&format!("calls_{number}"));
        let first = number * MOST_CALLS;
        let [from, to] = [first, first + operations.len() - 1].map(literal);
        let arm = quote! { #from..=#to => Self::#name(handler, operation, call).await, };
        let calls = calls(first, operations);
        let group = quote! {
            fn #name<'a, #h: #handler>(
                handler: &'a #h,
                operation: usize,
                mut call: #codegen::Call<'a>,
            ) -> #codegen::Dispatched<'a> {
                #boxed::pin(async move { #calls })
            }
        };
        (arm, group)
    });
    let (arms, groups): (TokenStream, _) = groups.unzip();
    (dispatch(quote! { call }, of_operation(arms)), groups)
}

fn call(context: &Context<'_>, operation: &Method) -> TokenStream {
    let (codegen, method) = (&context.codegen, ident(&operation.name.rust));
    let [request, results, headers, reply_headers, _] =
        operation.structs().map(|part| part.is_some());
    let read_headers = headers.then(|| quote! { let headers = call.headers()?; });
    let headers = headers.then(|| quote! { , headers });
    let read = if request {
        quote! { let request = call.read()?; }
    } else {
        quote! { call.read::<()>()?; }
    };
    let request = request.then(|| quote! { , request });
    let call = quote! { handler.#method(call.context() #headers #request).await? };
    let with_headers = reply_headers.then(|| quote! { .with_headers(&headers)? });
    let answer = match (operation.result.is_some() || results, reply_headers) {
        (false, false) => quote! { #call; },
        (false, true) => quote! { let headers = #call; },
        (true, false) => quote! { let result = #call; },
        (true, true) => quote! { let (result, headers) = #call; },
    };
    let called = quote! { #read_headers #read #answer call #with_headers };
    let result = if context.is_shared(operation) {
        quote! { &*result }
    } else {
        quote! { &result }
    };
    if results {
        let returned = returned(operation);
        return quote! { #called.reply_results(#result, #returned) };
    }
    let result = match operation.result_type() {
        None => quote! { &() },
        Some(TypeRef::List(list)) => {
            let items = item_names(list);
            quote! { &#codegen::List::new(#items, result) }
        }
        Some(_) => result,
    };
    quote! { #called.reply(#result) }
}

/// Writes the result that HTTP GET and POST return, of an operation with several.
fn returned(operation: &Method) -> TokenStream {
    let returned = operation.returned.as_ref();
    let returned = returned.filter(|_| operation.bindings.has_form());
    let Some(returned) = returned else {
        return quote! { |_, _| () };
    };
    let element = &operation.response.elements[returned.index];
    let field = ident(&element.name.rust);
    match &element.type_ref {
        TypeRef::List(list) => {
            let items = item_names(list);
            quote! { |name, out| out.list(name, #items, &result.#field) }
        }
        _ => quote! { |name, out| out.element(name, &result.#field) },
    }
}
