//! Items → entries of `elements`, `parameters`, `choice` and `sequence`.

use std::collections::HashSet;

use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::Wildcard;

use super::items::{Counts, Group, Item, in_rows, names_of, place_of};
use super::orders::{in_any_order, merged};
use crate::draft::Draft;
use crate::types::definitions::{free_key, rename};
use crate::types::names::pascal;
use crate::types::{Holder, Types, doc};

/// Sets the minimum and maximum of something that is repeated.
fn set_counts(draft: &mut Draft, (min, max): Counts) {
    draft.set_some("min", (min > 0).then(|| min.to_string()));
    draft.set_some("max", max.map(|max| max.to_string()));
}

/// Sets the namespaces of a wildcard.
fn set_namespaces(draft: &mut Draft, wildcard: &Wildcard<'_>) {
    // .NET writes an empty list for any namespace.
    if !matches!(wildcard.namespaces, "##any" | "") {
        draft.set("namespaces", wildcard.namespaces);
    }
}

/// Text mixed with what a wildcard allows.
pub(super) fn text_with(wildcard: &Wildcard<'_>, counts: Counts) -> Draft {
    let mut draft = Draft::flow_map().at(wildcard.place);
    draft.set("type", "any");
    set_namespaces(&mut draft, wildcard);
    set_counts(&mut draft, counts);
    draft.short("type")
}

/// The keys that are in use in a type or a message.
#[derive(Debug, Default)]
struct Taken {
    keys: HashSet<String>,
    /// The names of elements, which groups must not use.
    names: HashSet<String>,
}

impl<'m, 's> Types<'m, 's> {
    /// Writes the entries of a sequence. An element that occurs twice in it turns it into a
    /// repeated choice.
    pub(super) fn entries(
        &mut self,
        items: Vec<Item<'m, 's>>,
        holder: &Holder<'s>,
        is_mixed: bool,
    ) -> Vec<(String, Draft)> {
        let items = in_rows(items);
        let mut names = Vec::new();
        names_of(&items, &mut names);
        let distinct: HashSet<_> = names.iter().collect();
        let (items, loss) = if distinct.len() == names.len() {
            (items, None)
        } else {
            match merged(&items) {
                Some(merged) => (merged, Some(place_of(&items))),
                None => (vec![in_any_order(items)], None),
            }
        };
        let mut taken = Taken::default();
        taken
            .names
            .extend(names.iter().map(|name| name.local.to_owned()));
        let mut entries = self.written(items, holder, &mut taken, false, is_mixed);
        if let (Some(place), Some((_, first))) = (loss, entries.first_mut()) {
            let message = "these elements are alternatives of which several share an element: in a definition each may be absent";
            self.lose(first, Rule::Loosened, place, message, None);
        }
        entries
    }

    fn written(
        &mut self,
        items: Vec<Item<'m, 's>>,
        holder: &Holder<'s>,
        taken: &mut Taken,
        in_choice: bool,
        is_mixed: bool,
    ) -> Vec<(String, Draft)> {
        let mut entries = Vec::new();
        let outer = std::mem::take(&mut taken.keys);
        for item in items {
            entries.push(match item {
                Item::Element { element, min, max } => {
                    let mut draft = if in_choice {
                        self.alternative(element, min, max, holder)
                    } else {
                        self.typed(element, min, max, holder)
                    };
                    let local = element.name.local;
                    let key = free_key(local, &mut taken.keys);
                    if key != local {
                        rename(&mut draft, local);
                    }
                    (key, draft)
                }
                Item::Any { wildcard, min, max } => {
                    let key = self.free_name("Any", taken);
                    // A chosen alternative occurs once.
                    let is_once = in_choice && max == Some(1);
                    let least = if is_once { 0 } else { min };
                    (key, self.wildcard(wildcard, least, max))
                }
                Item::Group(group) => {
                    let is_place = is_mixed && group.is_place_for_text();
                    self.group(group, holder, taken, is_place)
                }
            });
        }
        taken.keys = outer;
        entries
    }

    /// A key for an item without a name on the wire.
    fn free_name(&self, wanted: &str, taken: &mut Taken) -> String {
        svcgen_model::numbered(wanted.to_owned(), |key| {
            !taken.names.contains(key) && taken.names.insert(key.clone())
        })
    }

    fn wildcard(&self, wildcard: &Wildcard<'s>, min: u32, max: Option<u32>) -> Draft {
        let mut draft = Draft::flow_map().at(wildcard.place);
        draft.set(
            "any",
            if max == Some(1) {
                "element"
            } else {
                "elements"
            },
        );
        set_namespaces(&mut draft, wildcard);
        set_counts(&mut draft, (min, max.filter(|max| *max != 1)));
        draft.set_some("doc", doc(wildcard.doc.as_deref()));
        draft
    }

    fn group(
        &mut self,
        group: Group<'m, 's>,
        holder: &Holder<'s>,
        taken: &mut Taken,
        is_mixed: bool,
    ) -> (String, Draft) {
        let wanted = match (group.is_choice, group.is_repeated) {
            (true, true) if is_mixed => "Parts",
            (true, false) => "Choice",
            (true, true) => "Items",
            (false, false) => "Group",
            (false, true) => "Groups",
        };
        let wanted = match group.head {
            Some(head) => pascal(head),
            None => wanted.to_owned(),
        };
        let key = self.free_name(&wanted, taken);
        let mut draft = Draft::flow_map().at(group.place);
        for message in &group.losses {
            self.lose(&mut draft, Rule::Loosened, group.place, message, None);
        }
        let entries = self.written(group.items, holder, taken, group.is_choice, false);
        let mut within = Draft::flow_map();
        if is_mixed {
            let mut text = Draft::flow_map();
            text.set("any", "text");
            within.push(self.free_name("Text", taken), text);
        }
        for (key, written) in entries {
            within.push(key, written);
        }
        draft.set(
            if group.is_choice {
                "choice"
            } else {
                "sequence"
            },
            within,
        );
        draft.set_some("doc", doc(group.doc));
        draft.set_some("head", group.head);
        if group.is_repeated {
            draft.set("list", "unwrapped");
            set_counts(&mut draft, group.counts);
        } else if group.is_optional {
            draft.set("optional", true);
        }
        (key, draft)
    }
}
