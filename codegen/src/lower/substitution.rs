//! Substitution groups: abstract elements that the alternatives of choices stand for.

use svcgen_language::definition::{Entries, Located, Shape};
use svcgen_language::rules::Rule;

use super::context::Pass;
use super::names::is_xml_name;
use crate::model::{Element, ListForm, TypeRef};

impl Pass<'_, '_> {
    /// Refuses alternatives that are not one element each.
    pub(super) fn check_members(
        &mut self,
        head: &Located<String>,
        elements: &[Element],
        entries: &Entries<Located<Shape>>,
    ) {
        is_xml_name(head, self.sink);
        for (element, key) in elements.iter().zip(entries.keys()) {
            let what = match &element.type_ref {
                TypeRef::Group(_) => "a sequence",
                TypeRef::List(list) if list.form == ListForm::Unwrapped => "an unwrapped list",
                _ if !element.is_named() => "not an element with a name",
                _ if element.name.xml == head.value => "the head itself",
                _ => continue,
            };
            let message = format!("`{key}` cannot stand for the element `{head}`: it is {what}");
            (self.sink.add(Rule::Substitution, key.node, message))
                .hint("each alternative of a choice with `head` is one element, in which the choice may be as an object");
        }
    }
}
