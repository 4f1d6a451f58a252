//! Attributes that options ask for, and derives among them.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, ident, tokens};

impl Context<'_> {
    /// What stands over a type: its derives, those that every one has first, then other attributes. `name` is what patterns call it.
    pub(super) fn decoration(&self, name: &str, derives: &[&str]) -> TokenStream {
        let extra = self.options.derives(name).filter(|path| {
            let last = path.rsplit("::").next();
            !derives.iter().any(|derive| last == Some(derive))
        });
        let extra = extra.map(tokens);
        let derives = derives.iter().map(|derive| ident(derive));
        let attributes = self.options.type_attributes(name).map(tokens);
        let non_exhaustive = self
            .options
            .is_non_exhaustive(name)
            .then(|| quote! { #[non_exhaustive] });
        quote! { #[derive(#(#derives,)* #(#extra),*)] #non_exhaustive #(#attributes)* }
    }

    /// What stands over a field or a variant.
    pub(super) fn member_decoration(&self, owner: &str, member: &str) -> TokenStream {
        let attributes = self.options.field_attributes(owner, member).map(tokens);
        quote! { #(#attributes)* }
    }
}
