//! Generator options: the effects on Rust code of those that do not change types.

use std::collections::HashSet;

use svcgen_codegen::model::Model;

use crate::codes::Kind;
use crate::finding::{Dependents, Subject};
use crate::sides::Sides;

/// The maximum number of names in a sentence.
const MOST_NAMED: usize = 5;

impl Sides<'_> {
    pub(crate) fn options(&mut self) {
        let structs = |model: &Model| model.named_structs().map(|(name, _)| name).collect();
        let types = |model: &Model| {
            let types = model.named_types().into_iter();
            types.map(|(name, _)| name).collect()
        };
        let operations = |model: &Model| {
            let operations = model.operations().iter();
            operations
                .map(|operation| operation.name.xml.clone())
                .collect()
        };
        let (old, new) = (&self.old.options, &self.new.options);
        let builders = self.differing(structs, &old.builders, &new.builders);
        let non_exhaustive = self.differing(types, &new.non_exhaustive, &old.non_exhaustive);
        let methods = self.differing(operations, &old.optional_methods, &new.optional_methods);
        let shared = self.differing(operations, &new.shared_results, &old.shared_results);
        let unshared = self.differing(operations, &old.shared_results, &new.shared_results);
        if old.is_public && !new.is_public {
            let what = "what is generated is `pub(crate)` where it was `pub`";
            let why = "other crates do not see what is generated";
            self.option(Kind::OptionVisibility, what, Dependents::Users, why);
        }
        if self.old.options.serde && !self.new.options.serde {
            let what = "types do not have the traits of serde any more";
            let why = "nothing is `serde::Serialize` and `serde::Deserialize`";
            self.option(Kind::OptionSerde, what, Dependents::Users, why);
        }
        if let Some(names) = builders {
            let what = format!("there are no more builders of {names}");
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
        if let Some(names) = shared {
            let what = format!("methods return their results in an `Arc` now: those of {names}");
            let why = "a handler returns the result itself";
            self.option(Kind::OptionSharedResults, &what, Dependents::Handlers, why);
        }
        if let Some(names) = unshared {
            let what =
                format!("methods return their results in no `Arc` any more: those of {names}");
            let why = "a handler returns an `Arc` of the result";
            self.option(Kind::OptionSharedResults, &what, Dependents::Handlers, why);
        }
    }

    fn option(&mut self, kind: Kind, what: &str, dependents: Dependents, why: &str) {
        // Definitions do not contain options.
        let subject = Subject {
            old: None,
            new: None,
            ..Subject::new("", "")
        };
        self.find(subject.finding(kind, what).in_source(dependents, why));
    }

    /// Lists the names in both definitions that are in one set and not in the other.
    fn differing(
        &self,
        names: impl Fn(&Model) -> Vec<String>,
        of: &HashSet<String>,
        without: &HashSet<String>,
    ) -> Option<String> {
        let old: HashSet<_> = names(self.old.model).into_iter().collect();
        let mut names = names(self.new.model);
        names.retain(|name| old.contains(name) && of.contains(name) && !without.contains(name));
        let named = names.iter().take(MOST_NAMED);
        let mut list: Vec<_> = named.map(|name| format!("`{name}`")).collect();
        if names.len() > MOST_NAMED {
            list.push(format!("{} more", names.len() - MOST_NAMED));
        }
        (!list.is_empty()).then(|| list.join(", "))
    }
}
