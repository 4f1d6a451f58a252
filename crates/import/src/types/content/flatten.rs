//! Particles of schemas → items.

use svcgen_wsdl::schema::{Element, Particle, Term};

use super::items::{ANY_NUMBER, COUNTED, Counts, Group, Item, may_be_absent, repeated};
use crate::types::{Holder, Types};

impl<'m, 's> Types<'m, 's> {
    /// Adds a particle to the items of a sequence.
    pub(super) fn flatten(
        &self,
        particle: &'m Particle<'s>,
        holder: &Holder<'s>,
        items: &mut Vec<Item<'m, 's>>,
    ) {
        let (min, max) = (particle.min, particle.max);
        match &particle.term {
            Term::Element(element) => match self.substituted(element, particle, holder) {
                Some(item) => items.extend(item),
                None => items.push(Item::Element { element, min, max }),
            },
            Term::Any(wildcard) => items.push(Item::Any { wildcard, min, max }),
            Term::Sequence(all) | Term::All(all) => {
                let mut within = Vec::new();
                for one in all {
                    self.flatten(one, holder, &mut within);
                }
                if (min, max) == (1, Some(1)) {
                    items.extend(within);
                } else if !within.is_empty() {
                    items.push(repeated(within, false, particle, Vec::new()));
                }
            }
            Term::Choice(all) => {
                let mut alternatives = Alternatives {
                    items: Vec::new(),
                    is_optional: min == 0,
                    is_repeated: max != Some(1),
                    counts: (min, max),
                    repeats_one: false,
                    losses: Vec::new(),
                };
                for one in all {
                    let mut within = Vec::new();
                    self.flatten(one, holder, &mut within);
                    alternatives.add(within, one);
                }
                items.extend(alternatives.finish(particle));
            }
        }
    }

    /// Whether an element is the head of a substitution group.
    pub(in crate::types) fn is_head(&self, element: &Element<'s>) -> bool {
        let is_global = element.is_reference || element.is_abstract;
        is_global && self.schemas.substitutions.contains_key(&element.name)
    }

    /// A choice of the elements that may substitute the head of a substitution group; `None` if the
    /// element is not such a head.
    fn substituted(
        &self,
        element: &'m Element<'s>,
        particle: &'m Particle<'s>,
        holder: &Holder<'s>,
    ) -> Option<Option<Item<'m, 's>>> {
        if !self.is_head(element) {
            return None;
        }
        let head = self.schemas.elements.get(&element.name);
        let all = head
            .into_iter()
            .chain(self.schemas.substitutes(element.name));
        let all = all.filter(|one| !one.is_abstract);
        let members: Vec<_> = all
            .map(|element| Item::Element {
                element,
                min: 1,
                max: Some(1),
            })
            .collect();
        // The definition declares the head again if only its members can substitute it.
        let is_declared =
            element.is_abstract && element.name.namespace == holder.namespace && members.len() > 1;
        let mut item = repeated(members, true, particle, Vec::new());
        if let Item::Group(group) = &mut item {
            if group.items.is_empty() {
                return Some(None);
            }
            group.doc = element.doc.as_deref();
            group.head = is_declared.then_some(element.name.local);
        }
        Some(Some(item))
    }
}

/// The alternatives of a choice.
struct Alternatives<'m, 's> {
    items: Vec<Item<'m, 's>>,
    is_optional: bool,
    is_repeated: bool,
    /// The minimum and maximum number of occurrences of the choice; `repeats_one` is set if an
    /// alternative made it repeated.
    counts: Counts,
    repeats_one: bool,
    losses: Vec<String>,
}

impl<'m, 's> Alternatives<'m, 's> {
    /// Adds a sequence as an alternative.
    fn add(&mut self, mut sequence: Vec<Item<'m, 's>>, particle: &'m Particle<'s>) {
        if sequence.iter().all(may_be_absent)
            && !matches!(sequence[..], [Item::Element { max: None, .. }])
        {
            // The empty sequence is an alternative.
            self.is_optional = true;
        }
        if sequence.len() > 1 {
            self.items.push(Item::Group(Group {
                is_choice: false,
                items: sequence,
                is_optional: false,
                is_repeated: false,
                counts: ANY_NUMBER,
                head: None,
                doc: particle.doc.as_deref(),
                place: particle.place,
                losses: Vec::new(),
            }));
            return;
        }
        match sequence.pop() {
            None => {}
            Some(Item::Group(group)) if group.is_choice => {
                self.repeat(&group);
                self.losses.extend(group.losses);
                self.items.extend(group.items);
            }
            Some(Item::Group(group)) => {
                self.repeat(&group);
                self.items.push(Item::Group(Group {
                    is_optional: false,
                    is_repeated: false,
                    ..group
                }));
            }
            Some(one) => self.items.push(one),
        }
    }

    /// Makes the choice repeated if an alternative is. In a choice that already occurs any number
    /// of times this changes nothing, except that a minimum above 1 is lost.
    fn repeat(&mut self, group: &Group<'m, 's>) {
        if !group.is_repeated {
            return;
        }
        if self.counts.1.is_none() {
            if self.counts.0 > 1 || group.counts.0 > 1 {
                self.losses.push(COUNTED.to_owned());
            }
        } else if !self.repeats_one {
            self.is_repeated = true;
            self.repeats_one = true;
            let message = "the schema repeats one alternative: a definition repeats the choice";
            self.losses.push(message.to_owned());
        }
    }

    fn finish(self, particle: &'m Particle<'_>) -> Option<Item<'m, 's>> {
        if self.items.is_empty() {
            return None;
        }
        let is_repeated = self.is_repeated;
        let is_optional = self.is_optional;
        let is_unbounded = self.repeats_one;
        let mut item = repeated(self.items, true, particle, self.losses);
        match &mut item {
            Item::Group(group) => {
                group.is_optional |= is_optional;
                group.is_repeated |= is_repeated;
                if is_optional {
                    group.counts.0 = 0;
                }
                if is_unbounded {
                    group.counts.1 = None;
                }
            }
            Item::Element { min, .. } | Item::Any { min, .. } if is_optional => *min = 0,
            _ => {}
        }
        Some(item)
    }
}
