//! The client: a method an operation.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::documentation::{docs, docs_or, fault_docs};
use super::fields::item_names;
use super::{Context, ident, lints, messages, operation_names};
use crate::model::{Method, Service, TypeRef};

/// Methods of the standard library's traits that take `&self` and at most one argument. Clippy would rather have the trait.
const OF_TRAITS: &[&str] = &[
    "as_ref", "borrow", "clone", "cmp", "deref", "eq", "hash", "index",
];

/// The client and what it can do.
pub(super) fn emit(context: &Context<'_>, service: &Service) -> Vec<TokenStream> {
    let (runtime, visibility) = (&context.runtime, &context.options.visibility);
    let (result, from) = (context.prelude("Result"), context.prelude("From"));
    let as_ref = context.prelude("AsRef");
    let name = ident(&service.items.client);
    let t = context.free_name("T");
    let about = docs(&format!("Calls `{}`.", service.name.xml));
    let bindings = service
        .operations
        .iter()
        .flat_map(|one| one.bindings.iter());
    let binding = bindings.min().unwrap_or_default();
    let new = docs(&format!(
        "A client over {binding} of the service at this URL, or at its path below a base URL."
    ));
    let lints = lints(&service.operations);
    let mut methods = service.operations.iter().map(|one| one.name.rust.as_str());
    let like_traits = methods.any(|method| OF_TRAITS.contains(&method));
    let like_traits = like_traits.then(|| quote! { #[allow(clippy::should_implement_trait)] });
    let (with, connect) = (with(context, &name), connect(context, &name));
    let names = operation_names::paths(context, &service.operations);
    let methods = service.operations.iter().zip(&names);
    let methods = methods.map(|(operation, name)| method(context, name, operation));
    vec![
        quote! {
            #about
            #[derive(Clone, Debug)]
            #visibility struct #name<#t = #runtime::codegen::DefaultTransport>(#runtime::codegen::Client<#t>);
        },
        quote! {
            #lints
            #like_traits
            impl<#t: #runtime::Transport> #name<#t> {
                #new
                ///
                /// # Errors
                ///
                /// It is no such URL.
                pub fn new(transport: #t, url: &str) -> #result<Self, #runtime::CallError> {
                    #runtime::codegen::Client::new(&SERVICE, transport, url).map(Self)
                }
                /// The same client over another binding.
                pub fn with_binding(self, binding: #runtime::Binding) -> Self {
                    Self(self.0.with_binding(binding))
                }
                #with
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
        connect,
    ]
}

/// The client that needs no transport of the caller's.
fn connect(context: &Context<'_>, name: &Ident) -> TokenStream {
    let (runtime, result) = (&context.runtime, context.prelude("Result"));
    let default = context.prelude("Default");
    quote! {
        impl #name {
            /// A client through the default transport, which connects when it calls: see `new`.
            ///
            /// # Errors
            ///
            /// Those of `new`.
            pub fn connect(url: &str) -> #result<Self, #runtime::CallError> {
                Self::new(#default::default(), url)
            }
        }
    }
}

/// The function that gives a client other settings or another transport.
fn with(context: &Context<'_>, name: &Ident) -> TokenStream {
    let (runtime, fn_once) = (&context.runtime, context.prelude("FnOnce"));
    let [t, u] = ["T", "U"].map(|name| context.free_name(name));
    quote! {
        /// The same client with other settings: `client.with(|client| client.with_strict(true))`.
        pub fn with<#u>(
            self,
            change: impl #fn_once(#runtime::codegen::Client<#t>) -> #runtime::codegen::Client<#u>,
        ) -> #name<#u> {
            #name(change(self.0))
        }
    }
}

fn method(context: &Context<'_>, number: &TokenStream, operation: &Method) -> TokenStream {
    let runtime = &context.runtime;
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
            self.0.call(#number, #headers, #request, |answer| #read)
        }
    }
}

/// How the result is read from `answer`.
fn read(context: &Context<'_>, operation: &Method) -> TokenStream {
    let (runtime, default) = (&context.runtime, context.prelude("Default"));
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
                quote! { #runtime::codegen::List::of(#items) },
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
