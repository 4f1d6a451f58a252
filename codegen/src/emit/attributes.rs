//! Attributes that options add, including derives.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, ident, rust_path};
use crate::model::Name;

impl Context<'_> {
    /// Returns the attributes of a type: `derives` and those of options, then others. Patterns
    /// match `name`.
    pub(super) fn decoration(&self, name: &str, derives: &[&str]) -> TokenStream {
        let mut seen = HashSet::new();
        let extra = self
            .options
            .type_derive
            .matching(name)
            .flatten()
            .filter(|path| {
                let mut segments = path.rsplit("::");
                let (last, module) = (segments.next(), segments.next());
                let is_serdes = self.options.serde
                    && module == Some("serde")
                    && matches!(last, Some("Serialize" | "Deserialize"));
                !is_serdes
                    && !derives.iter().any(|derive| last == Some(derive))
                    && seen.insert(*path)
            });
        let extra = extra
            .map(|path| rust_path(path))
            .chain(self.serde_derives());
        let derives = derives.iter().map(|derive| ident(derive));
        let attributes = self.options.type_attribute.matching(name);
        let non_exhaustive = self
            .options
            .non_exhaustive
            .matches(name)
            .then(|| quote! { #[non_exhaustive] });
        let serde = self.options.serde.then(|| {
            let path = format!("{}::serde", self.options.runtime);
            quote! { #[serde(crate = #path)] }
        });
        quote! { #[derive(#(#derives,)* #(#extra),*)] #serde #non_exhaustive #(#attributes)* }
    }

    fn serde_derives(&self) -> impl Iterator<Item = TokenStream> {
        let runtime = &self.runtime;
        let derives = [
            quote! { #runtime::serde::Serialize },
            quote! { #runtime::serde::Deserialize },
        ];
        derives.into_iter().filter(|_| self.options.serde)
    }

    /// Returns the attributes of a field or a variant, whose name for serde is `written`.
    pub(super) fn member_decoration(&self, owner: &str, name: &Name, written: &str) -> TokenStream {
        let attributes = self
            .options
            .field_attribute
            .of(|pattern| pattern.matches_member(owner, &name.xml));
        let renamed = self.options.serde && name.unraw() != written;
        let rename = renamed.then(|| quote! { #[serde(rename = #written)] });
        quote! { #rename #(#attributes)* }
    }
}
