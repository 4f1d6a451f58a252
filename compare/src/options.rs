//! Options that are not the same on both sides, as each has its `svcgen.toml`: what Rust code notices of those that do not change types.

use std::collections::HashSet;

use svcgen_codegen::model::Model;

use crate::codes::Kind;
use crate::finding::{Dependents, Subject};
use crate::sides::Sides;

/// The most names that a message lists.
const MOST_NAMED: usize = 5;

impl Sides<'_> {
    pub(crate) fn options(&mut self) {
        let structs = |model: &Model| model.named_structs().map(|(name, _)| name).collect();
        let types = |model: &Model| {
            model
                .named_types()
                .into_iter()
                .map(|(name, _)| name)
                .collect()
        };
        let operations = |model: &Model| {
            let operations = model.operations().iter();
            operations
                .map(|operation| operation.name.xml.clone())
                .collect()
        };
        let (old, new) = (&self.old_options, &self.options);
        let builders = self.changed(structs, &old.builders, &new.builders);
        let non_exhaustive = self.changed(types, &new.non_exhaustive, &old.non_exhaustive);
        let methods = self.changed(operations, &old.default_methods, &new.default_methods);
        if old.is_public && !new.is_public {
            let what = "what is generated is `pub(crate)` where it was `pub`";
            let why = "other crates do not see what is generated";
            self.option(Kind::OptionVisibility, what, Dependents::Users, why);
        }
        if self.old_options.serde && !self.options.serde {
            let what = "types do not have the traits of serde any more";
            let why = "nothing is `serde::Serialize` and `serde::Deserialize`";
            self.option(Kind::OptionSerde, what, Dependents::Users, why);
        }
        if let Some(names) = builders {
            let what = format!("there are no builders any more of {names}");
            let why = "`new` and the functions `with_…` are gone";
            self.option(Kind::OptionBuilders, &what, Dependents::Users, why);
        }
        if let Some(names) = non_exhaustive {
            let what = format!("`#[non_exhaustive]` stands at {names} now");
            let why = "other crates do not write all fields out, and match variants with a `_` beside them";
            self.option(Kind::OptionNonExhaustive, &what, Dependents::Users, why);
        }
        if let Some(names) = methods {
            let what = format!("methods have no body any more: those of {names}");
            let why = "a handler that leaves such a method out lacks it";
            self.option(Kind::OptionDefaultMethods, &what, Dependents::Handlers, why);
        }
    }

    /// Options stand in no definition.
    fn option(&mut self, kind: Kind, what: &str, dependents: Dependents, why: &str) {
        let finding = Subject::nowhere().finding(kind, what);
        self.find(finding.in_source(dependents, why));
    }

    /// What both sides have and is in one of two sets alone, in words.
    fn changed(
        &self,
        names: impl Fn(&Model) -> Vec<String>,
        has: &HashSet<String>,
        lacks: &HashSet<String>,
    ) -> Option<String> {
        let old: HashSet<_> = names(self.old).into_iter().collect();
        let mut names = names(self.new);
        names.retain(|name| old.contains(name) && has.contains(name) && !lacks.contains(name));
        let named = names.iter().take(MOST_NAMED);
        let mut list: Vec<_> = named.map(|name| format!("`{name}`")).collect();
        if names.len() > MOST_NAMED {
            list.push(format!("{} more", names.len() - MOST_NAMED));
        }
        (!list.is_empty()).then(|| list.join(", "))
    }
}
