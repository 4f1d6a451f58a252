//! Options that are not the same on both sides, as each has its `svcgen.toml`: what Rust code hears of those that do not change types.

use super::effects::{Code, Messages};
use super::{Compare, Finding};
use crate::config::Options;
use crate::model::Model;

/// The most names that a message lists.
const MOST_NAMED: usize = 5;

impl Compare<'_> {
    pub(super) fn options(&mut self) {
        let (was, is) = (&self.old_options.visibility, &self.options.visibility);
        if was == "pub" && is != was {
            let what = format!("what is generated is `{is}` where it was `{was}`");
            let why = "other crates do not see what is generated";
            self.option("visibility", what, Code::Users, why);
        }
        if self.old_options.serde && !self.options.serde {
            let what = "types do not have the traits of serde any more".to_owned();
            let why = "nothing is `serde::Serialize` and `serde::Deserialize`";
            self.option("serde", what, Code::Users, why);
        }
        let structs = |model: &Model| model.named_structs().map(|(name, _)| name).collect();
        let names = self.in_both(structs, |options, name| !options.has_builder(name));
        if !names.is_empty() {
            let what = format!("there are no builders any more of {}", list(&names));
            let why = "`new` and the functions `with_…` are gone";
            self.option("builders", what, Code::Users, why);
        }
        let types = |model: &Model| {
            let types = model.named_types().into_iter();
            types.map(|(name, _)| name).collect()
        };
        let names = self.in_both(types, Options::is_non_exhaustive);
        if !names.is_empty() {
            let what = format!("`#[non_exhaustive]` stands at {} now", list(&names));
            let why = "other crates do not write all fields out, and match variants with a `_` beside them";
            self.option("non-exhaustive", what, Code::Users, why);
        }
        let operations = |model: &Model| {
            let operations = model.operations();
            operations
                .map(|operation| operation.name.xml.clone())
                .collect()
        };
        let names = self.in_both(operations, |options, name| {
            !options.has_default_method(name)
        });
        if !names.is_empty() {
            let what = format!("methods have no body any more: those of {}", list(&names));
            let why = "a handler that leaves such a method out lacks it";
            self.option("default-methods", what, Code::Handlers, why);
        }
    }

    /// Options stand in no definition.
    fn option(&mut self, name: &str, what: String, code: Code, why: &str) {
        let finding = Finding::new(format!("option-{name}"), what, None, None);
        self.find(finding.with(self.source(&Messages::everywhere(), code, why)));
    }

    /// What both sides have and the options of the new one alone say something of.
    fn in_both(
        &self,
        names: impl Fn(&Model) -> Vec<String>,
        says: impl Fn(&Options, &str) -> bool,
    ) -> Vec<String> {
        let old = names(self.old);
        let mut names = names(self.new);
        names.retain(|name| {
            old.contains(name) && says(self.options, name) && !says(self.old_options, name)
        });
        names
    }
}

fn list(names: &[String]) -> String {
    let named = names.iter().take(MOST_NAMED);
    let mut list: Vec<_> = named.map(|name| format!("`{name}`")).collect();
    if names.len() > MOST_NAMED {
        list.push(format!("{} more", names.len() - MOST_NAMED));
    }
    list.join(", ")
}
