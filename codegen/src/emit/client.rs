//! The client: a method for each operation. A macro of the runtime generates the rest of it.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{docs, docs_or, fault_docs};
use super::fields::item_names;
use super::{Context, ident, lints, literal, messages};
use crate::model::{Method, Service, TypeRef};

/// Methods of the standard library's traits that take `&self` and at most one argument. Clippy
/// suggests to implement the trait instead.
const OF_TRAITS: &[&str] = &[
    "as_ref", "borrow", "clone", "cmp", "deref", "eq", "hash", "index",
];

/// Emits the client and its methods.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> Vec<TokenStream> {
    let (runtime, codegen) = (&context.runtime, &context.codegen);
    let visibility = &context.options.visibility;
    let (name, t) = (ident(&service.items.client), context.free_name("T"));
    let about = docs(&format!("Calls `{}`.", service.name.xml));
    let lints = lints(&service.operations);
    let mut methods = service.operations.iter().map(|one| one.name.rust.as_str());
    let like_traits = methods.any(|method| OF_TRAITS.contains(&method));
    let like_traits = like_traits.then(|| quote! { #[allow(clippy::should_implement_trait)] });
    let methods = service.operations.iter().enumerate();
    let methods = methods.map(|(index, operation)| method(context, index, operation));
    vec![
        quote! {
            #codegen::client! {
                #about
                #visibility struct #name(SERVICE);
            }
        },
        quote! {
            #lints
            #like_traits
            impl<#t: #runtime::Transport> #name<#t> {
                #(#methods)*
            }
        },
    ]
}

fn method(context: &Context<'_>, index: usize, operation: &Method) -> TokenStream {
    let (runtime, index) = (&context.runtime, literal(index));
    let otherwise = format!("Calls `{}`.", operation.name.xml);
    let docs = docs_or(&operation.documentation, &otherwise);
    let name = ident(&operation.name.rust);
    let arguments = messages::arguments(operation, &quote! { & });
    let (t, output) = (context.free_name("T"), context.output(operation));
    let faults = fault_docs(operation);
    let [request, _, headers, ..] = operation.structs();
    let request = request.map_or(quote! { &() }, |_| quote! { request });
    let headers = headers.map_or(quote! { &() }, |_| quote! { headers });
    let read = read(context, operation);
    quote! {
        #docs
        #faults
        pub fn #name(&self, #arguments) -> #runtime::ClientCall<'_, #t, #output> {
            self.0.call(#index, #headers, #request, |answer| #read)
        }
    }
}

/// Reads the result from `answer`.
fn read(context: &Context<'_>, operation: &Method) -> TokenStream {
    let (codegen, default) = (&context.codegen, context.prelude("Default"));
    let has_headers = operation.response_headers.is_some();
    if operation.results().is_some() {
        return if has_headers {
            quote! { answer.read_results_with_headers() }
        } else {
            quote! { answer.read_results() }
        };
    }
    // A large object is not moved on the stack while it is read.
    let is_large = (operation.result.as_ref()).is_some_and(|result| result.is_large);
    let (into, value) = match operation.result_type() {
        None if has_headers => {
            return quote! { answer.read_with_headers(()).map(|((), headers)| headers) };
        }
        Some(TypeRef::List(list)) => {
            let items = item_names(list);
            if !has_headers {
                return quote! { answer.read_list(#items) };
            }
            (
                quote! { #codegen::List::of(#items) },
                quote! { result.values },
            )
        }
        Some(object) if is_large => {
            let (r#box, object) = (context.prelude("Box"), context.type_ref(object));
            (quote! { #r#box::<#object>::default() }, quote! { *result })
        }
        _ if has_headers => return quote! { answer.read_with_headers(#default::default()) },
        _ => return quote! { answer.read() },
    };
    if has_headers {
        quote! { answer.read_with_headers(#into).map(|(result, headers)| (#value, headers)) }
    } else {
        quote! { answer.read_into(#into).map(|result| #value) }
    }
}
