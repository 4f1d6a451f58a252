//! The client: a method an operation.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{docs, docs_or, fault_docs};
use super::fields::item_names;
use super::{Context, ident, lints, messages, operation_names};
use crate::model::{Method, Service, TypeRef};

/// The client and what it can do.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> Vec<TokenStream> {
    let (runtime, visibility) = (&context.runtime, &context.options.visibility);
    let (result, from) = (context.prelude("Result"), context.prelude("From"));
    let as_ref = context.prelude("AsRef");
    let name = ident(&service.items.client);
    let t = context.free_name("T");
    let about = docs(&format!("Calls `{}`.", service.name.xml));
    let lints = lints(&service.operations);
    let names = operation_names::paths(context, &service.operations);
    let methods = service.operations.iter().zip(&names);
    let methods = methods.map(|(operation, name)| method(context, name, operation));
    vec![
        quote! {
            #about
            #[derive(Clone, Debug)]
            #visibility struct #name<#t>(#runtime::codegen::Client<#t>);
        },
        quote! {
            #lints
            impl<#t: #runtime::Transport> #name<#t> {
                /// A client over SOAP 1.1 of the service at `base_url`: scheme, host and port, as in `http://127.0.0.1:8080`.
                ///
                /// # Errors
                ///
                /// `base_url` is no such URL.
                pub fn new(transport: #t, base_url: &str) -> #result<Self, #runtime::CallError> {
                    #runtime::codegen::Client::new(&MODULE, transport, base_url).map(Self)
                }
                /// The same client over another binding.
                pub fn with_binding(self, binding: #runtime::Binding) -> Self {
                    Self(self.0.with_binding(binding))
                }
                #(#methods)*
            }
        },
        quote! {
            impl<#t> #from<#runtime::codegen::Client<#t>> for #name<#t> {
                fn from(client: #runtime::codegen::Client<#t>) -> Self {
                    Self(client)
                }
            }
        },
        quote! {
            impl<#t> #as_ref<#runtime::codegen::Client<#t>> for #name<#t> {
                fn as_ref(&self) -> &#runtime::codegen::Client<#t> {
                    &self.0
                }
            }
        },
    ]
}

fn method(context: &Context<'_>, number: &TokenStream, operation: &Method) -> TokenStream {
    let runtime = &context.runtime;
    let result = context.prelude("Result");
    let otherwise = format!("Calls `{}`.", operation.name.xml);
    let docs = docs_or(&operation.documentation, &otherwise);
    let name = ident(&operation.name.rust);
    let arguments = messages::arguments(operation, &quote! { & });
    let output = context.output(operation);
    let faults = fault_docs(operation);
    let body = call(context, number, operation);
    quote! {
        #docs
        #faults
        pub async fn #name(&self, #arguments) -> #result<#output, #runtime::CallError> {
            #body
        }
    }
}

fn call(context: &Context<'_>, number: &TokenStream, operation: &Method) -> TokenStream {
    let result = operation.result_type();
    let is_list = result.map(|result| matches!(result, TypeRef::List(_)));
    // A large object is not moved through all futures.
    let is_large = operation
        .result
        .as_ref()
        .is_some_and(|result| result.is_large);
    let value = match is_list {
        Some(true) => quote! { result.values },
        _ if is_large => quote! { *result },
        _ => quote! { result },
    };
    let is_itself = is_list == Some(false) && !is_large;
    let [request, results, headers, ..] = operation.structs();
    let request = request.map_or(quote! { &() }, |_| quote! { request });
    if results.is_some() {
        let headers = headers.map_or(quote! { &() }, |_| quote! { headers });
        let call = quote! { self.0.call_for_results(#number, #headers, #request).await };
        return match operation.response_headers {
            Some(_) => call,
            None => quote! { #call.map(|(results, ())| results) },
        };
    }
    let into = read_into(context, operation);
    if headers.is_none() && operation.response_headers.is_none() {
        let call = quote! { self.0.call(#number, #request, #into).await };
        return match is_list {
            Some(true) => quote! { Ok(#call?.values) },
            _ if is_large => quote! { Ok(*#call?) },
            _ => call,
        };
    }
    let headers = headers.map_or(quote! { &() }, |_| quote! { headers });
    let call = quote! { self.0.call_with_headers(#number, #headers, #request, #into).await };
    let map = match (is_list, &operation.response_headers) {
        (None, Some(_)) => quote! { .map(|((), headers)| headers) },
        (None, None) => quote! { .map(|((), ())| ()) },
        (Some(_), Some(_)) if is_itself => TokenStream::new(),
        (Some(_), Some(_)) => quote! { .map(|(result, headers)| (#value, headers)) },
        (Some(_), None) => quote! { .map(|(result, ())| #value) },
    };
    quote! { #call #map }
}

/// What a result is read into.
fn read_into(context: &Context<'_>, operation: &Method) -> TokenStream {
    let (runtime, default) = (&context.runtime, context.prelude("Default"));
    match operation.result_type() {
        None => quote! { () },
        Some(TypeRef::List(list)) => {
            let items = item_names(list);
            quote! { #runtime::codegen::List::of(#items) }
        }
        Some(result)
            if operation
                .result
                .as_ref()
                .is_some_and(|result| result.is_large) =>
        {
            let (r#box, object) = (context.prelude("Box"), context.type_ref(result));
            quote! { #r#box::<#object>::default() }
        }
        Some(_) => quote! { #default::default() },
    }
}
