//! Options that are not the same on both sides, as each has its `svcgen.toml`: what Rust code hears of those that do not change types.

use super::{Compare, Finding};
use crate::config::Options;
use crate::model::Model;

/// The most names that a message lists.
const MOST_NAMED: usize = 5;

/// A rule about an option.
type Rule<'m> = fn(&Compare<'m>) -> Option<Finding>;

impl<'m> Compare<'m> {
    const OPTION_RULES: [Rule<'m>; 5] = [
        Self::visibility_narrowed,
        Self::serde_left_out,
        Self::builders_left_out,
        Self::non_exhaustive_added,
        Self::default_methods_left_out,
    ];

    pub(super) fn options(&mut self) {
        let rules = Self::OPTION_RULES.iter();
        let found: Vec<_> = rules.filter_map(|rule| rule(self)).collect();
        self.findings.extend(found);
    }

    fn visibility_narrowed(&self) -> Option<Finding> {
        let (was, is) = (&self.old_options.visibility, &self.options.visibility);
        (was == "pub" && is != was).then(|| {
            let what = format!("what is generated is `{is}` where it was `{was}`");
            of_option("visibility", what)
                .with(self.all_source("other crates do not see what is generated"))
        })
    }

    fn serde_left_out(&self) -> Option<Finding> {
        (self.old_options.serde && !self.options.serde).then(|| {
            let what = "types do not have the traits of serde any more".to_owned();
            let why = "nothing is `serde::Serialize` and `serde::Deserialize`";
            of_option("serde", what).with(self.all_source(why))
        })
    }

    fn builders_left_out(&self) -> Option<Finding> {
        let structs = |model: &Model| model.named_structs().map(|(name, _)| name).collect();
        let names = self.in_both(structs, |options, name| !options.has_builder(name));
        (!names.is_empty()).then(|| {
            let what = format!("there are no builders any more of {}", list(&names));
            let why = "`new` and the functions `with_…` are gone";
            of_option("builders", what).with(self.all_source(why))
        })
    }

    fn non_exhaustive_added(&self) -> Option<Finding> {
        let types = |model: &Model| {
            let types = model.named_types().into_iter();
            types.map(|(name, _)| name).collect()
        };
        let names = self.in_both(types, Options::is_non_exhaustive);
        (!names.is_empty()).then(|| {
            let what = format!("`#[non_exhaustive]` stands at {} now", list(&names));
            let why =
                "other crates do not write all fields out, and match variants with a `_` beside them";
            of_option("non-exhaustive", what).with(self.all_source(why))
        })
    }

    fn default_methods_left_out(&self) -> Option<Finding> {
        let operations = |model: &Model| {
            let operations = model.operations();
            operations
                .map(|operation| operation.name.xml.clone())
                .collect()
        };
        let names = self.in_both(operations, |options, name| {
            !options.has_default_method(name)
        });
        (!names.is_empty()).then(|| {
            let what = format!("methods have no body any more: those of {}", list(&names));
            let why = "a handler that leaves such a method out lacks it";
            of_option("default-methods", what).with(self.implementors(why))
        })
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

/// Options stand in no definition.
fn of_option(name: &str, what: String) -> Finding {
    Finding::at(format!("option-{name}"), String::new(), what).moved(None, None)
}

fn list(names: &[String]) -> String {
    let named = names.iter().take(MOST_NAMED);
    let mut list: Vec<_> = named.map(|name| format!("`{name}`")).collect();
    if names.len() > MOST_NAMED {
        list.push(format!("{} more", names.len() - MOST_NAMED));
    }
    list.join(", ")
}
