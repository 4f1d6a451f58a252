//! The client: a method an operation.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::documentation::{docs, docs_or};
use super::{Context, Prelude, ident, lints, requests};
use crate::model::{Operation, TypeRef};

/// The client and what it can do.
pub(super) fn emit(context: &Context<'_>) -> Vec<TokenStream> {
    let runtime = &context.runtime;
    let service = &context.model.service;
    let Prelude {
        result,
        from,
        as_ref,
        ..
    } = &context.names;
    let name = ident(&service.items.client);
    let t = context.type_parameter("T");
    let about = docs(&format!("Calls `{}`.", service.name.xml));
    let lints = lints(&service.operations);
    let methods = service
        .operations
        .iter()
        .enumerate()
        .map(|(index, operation)| method(context, index, operation));
    vec![
        quote! {
            #about
            #[derive(Clone, Debug)]
            pub struct #name<#t>(#runtime::Client<#t>);
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
                    #runtime::Client::new(&DESCRIPTION, transport, base_url).map(Self)
                }
                /// The same client over another binding.
                pub fn with_binding(self, binding: #runtime::Binding) -> Self {
                    Self(self.0.with_binding(binding))
                }
                #(#methods)*
            }
        },
        quote! {
            impl<#t> #from<#runtime::Client<#t>> for #name<#t> {
                fn from(client: #runtime::Client<#t>) -> Self {
                    Self(client)
                }
            }
        },
        quote! {
            impl<#t> #as_ref<#runtime::Client<#t>> for #name<#t> {
                fn as_ref(&self) -> &#runtime::Client<#t> {
                    &self.0
                }
            }
        },
    ]
}

fn method(context: &Context<'_>, index: usize, operation: &Operation) -> TokenStream {
    let runtime = &context.runtime;
    let Prelude {
        result, default, ..
    } = &context.names;
    let docs = docs_or(
        &operation.documentation,
        &format!("Calls `{}`.", operation.name.xml),
    );
    let name = ident(&operation.name.rust);
    let request = requests::parameter(operation);
    let argument = match request {
        Some(_) => quote! { &request },
        None => quote! { &() },
    };
    let output = context.output(operation);
    let index = Literal::usize_unsuffixed(index);
    let body = match operation
        .result
        .as_ref()
        .map(|result| &result.element.type_ref)
    {
        Some(TypeRef::List(list)) => {
            let item = &list.item;
            quote! { Ok(self.0.call(#index, #argument, #runtime::List::of(#item)).await?.values) }
        }
        Some(_) => quote! { self.0.call(#index, #argument, #default::default()).await },
        None => quote! { self.0.call(#index, #argument, ()).await },
    };
    quote! {
        #docs
        pub async fn #name(&self, #request) -> #result<#output, #runtime::CallError> {
            #body
        }
    }
}
