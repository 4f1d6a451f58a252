//! The content of types and messages: sequences, choices, wildcards and text between elements.

use std::collections::{HashMap, HashSet};

use super::super::draft::Draft;
use super::super::place::Place;
use super::super::schema::{
    Complex, Content, Derivation, Element, Kind, Name, Particle, Term, TypeId, TypeRef, Wildcard,
};
use super::definitions::{free_key, rename};
use super::facts::each_element;
use super::{Holder, Types};
use crate::rules::Rule;

/// What stands in a type in the order of its elements. Groups that say nothing are gone.
#[derive(Debug)]
enum Item<'m, 's> {
    Element {
        element: &'m Element<'s>,
        min: u32,
        max: Option<u32>,
    },
    Any {
        wildcard: &'m Wildcard<'s>,
        min: u32,
        max: Option<u32>,
    },
    Group(Group<'m, 's>),
}

#[derive(Debug)]
struct Group<'m, 's> {
    is_choice: bool,
    items: Vec<Item<'m, 's>>,
    is_optional: bool,
    is_repeated: bool,
    /// How often it may be there, if it is repeated.
    counts: Counts,
    /// The head of a substitution group that the definition declares again.
    head: Option<&'s str>,
    place: Place,
    /// What is read beside what the schema allows.
    losses: Vec<String>,
}

impl Group<'_, '_> {
    /// Whether text may be one more of its alternatives.
    fn is_place_for_text(&self) -> bool {
        self.is_choice && self.is_repeated && self.head.is_none()
    }
}

/// How often something may be there: `minOccurs` and `maxOccurs`.
type Counts = (u32, Option<u32>);

/// Any number of times.
const ANY_NUMBER: Counts = (0, None);

/// Says how often something that is repeated may be there.
fn set_counts(draft: &mut Draft, (min, max): Counts) {
    draft.set_some("min", (min > 0).then(|| min.to_string()));
    draft.set_some("max", max.map(|max| max.to_string()));
}

/// The most types that one type extends, one after the other.
const MOST_BASES: usize = 64;

/// The keys of the elements of a type or a message.
#[derive(Debug, Default)]
struct Taken {
    keys: HashSet<String>,
    /// The names of elements, which groups do not take.
    names: HashSet<String>,
}

impl<'m, 's> Types<'m, 's> {
    /// The elements of a message; `None` if it is more than elements.
    pub(super) fn members_of(
        &mut self,
        complex: &'m Complex<'s>,
        holder: &Holder<'s>,
    ) -> Option<Vec<(String, Draft)>> {
        let is_plain = complex.derivation == Derivation::None
            && !complex.is_abstract
            && complex.attributes.is_empty()
            && complex.any_attribute.is_none();
        if !is_plain {
            return None;
        }
        match &complex.content {
            Content::Empty if !complex.is_mixed => Some(Vec::new()),
            Content::Elements(Particle {
                term: Term::All(_), ..
            }) => None,
            Content::Elements(particle) => {
                let mut items = Vec::new();
                self.flatten(particle, holder, &mut items);
                if complex.is_mixed {
                    // Text with any XML is a type.
                    if items.iter().all(|item| matches!(item, Item::Any { .. })) {
                        return None;
                    }
                    items = mixed(items);
                }
                Some(self.entries(items, holder, complex.is_mixed))
            }
            _ => None,
        }
    }

    /// Writes the elements of a type, or the text that stands between them.
    pub(super) fn content(
        &mut self,
        draft: &mut Draft,
        id: TypeId,
        complex: &'m Complex<'s>,
        holder: &Holder<'s>,
    ) {
        let mut items = Vec::new();
        let mut is_unordered = false;
        if let Content::Elements(particle) = &complex.content {
            is_unordered = matches!(particle.term, Term::All(_));
            self.flatten(particle, holder, &mut items);
        }
        let is_any = |item: &Item<'_, '_>| matches!(item, Item::Any { .. });
        let is_mixed = complex.is_mixed && self.takes_text(id);
        if is_mixed && items.iter().all(is_any) {
            let is_limited = |item: &Item<'_, '_>| match item {
                Item::Any { wildcard, min, max } => {
                    let is_any = matches!(wildcard.namespaces, "##any" | "");
                    (*min, *max) != ANY_NUMBER || !is_any
                }
                _ => false,
            };
            if items.iter().any(is_limited) {
                let message = "text and XML of any kind are allowed: the schema limits the XML";
                let place = place_of(&items);
                self.lose(draft, Rule::Loosened, place, message, None);
            }
            draft.set("text", if items.is_empty() { "string" } else { "any" });
            return;
        }
        if is_mixed {
            items = mixed(items);
        }
        self.leave_out_inherited(draft, id, &mut items);
        if items.is_empty() {
            return;
        }
        let is_derived = complex.derivation != Derivation::None;
        if is_unordered && !is_mixed {
            if is_derived || !self.schemas.derived(id).is_empty() {
                let message = "the schema lets its elements stand in any order: all orders are read, and not said of a type that extends another one";
                self.lose(
                    draft,
                    Rule::LeftOut,
                    self.schemas.get(id).place,
                    message,
                    None,
                );
            } else {
                draft.set("unordered", true);
            }
        }
        let entries = self.entries(items, holder, is_mixed);
        let elements = draft.set("elements", Draft::map());
        for (key, written) in entries {
            elements.push(key, written);
        }
    }

    /// Leaves out elements that the type inherits, too.
    fn leave_out_inherited(
        &mut self,
        draft: &mut Draft,
        id: TypeId,
        items: &mut Vec<Item<'m, 's>>,
    ) {
        let schemas: &'m _ = self.schemas;
        let mut inherited = HashMap::new();
        let mut next = self.extended(id);
        for _ in 0..MOST_BASES {
            let Some(base) = next else { break };
            if let Kind::Complex(complex) = &schemas.get(base).kind {
                each_element(complex, &mut |element, _| {
                    inherited.insert(element.name, element.type_ref);
                });
            }
            next = self.extended(base);
        }
        if inherited.is_empty() {
            return;
        }
        items.retain(|item| {
            let Item::Element { element, .. } = item else {
                return true;
            };
            let is_again = inherited.get(&element.name) == Some(&element.type_ref);
            if is_again {
                let message = format!(
                    "the element `{}` is left out: it stands in the type that this one extends, too",
                    element.name.local
                );
                self.lose(draft, Rule::LeftOut, element.place, &message, None);
            }
            !is_again
        });
    }

    /// Whether the text between the elements of a type that is mixed is said of that type: not of one that it extends, nor, if only there is place for
    /// it, of one that extends it.
    fn takes_text(&self, id: TypeId) -> bool {
        let mut row = vec![id];
        while let Some(base) = row.last().and_then(|id| self.extended(*id))
            && row.len() < MOST_BASES
        {
            row.push(base);
        }
        for one in row.iter().rev() {
            let is_mixed = |id: TypeId| match &self.schemas.get(id).kind {
                Kind::Complex(complex) => complex.is_mixed,
                Kind::Simple(_) => false,
            };
            let mut derived = self.schemas.derived(*one).iter();
            if is_mixed(*one)
                && (self.has_place_for_text(*one)
                    || !derived.any(|id| is_mixed(*id) && self.has_place_for_text(*id)))
            {
                return *one == id;
            }
        }
        false
    }

    fn has_place_for_text(&self, id: TypeId) -> bool {
        let schemas: &'m _ = self.schemas;
        let Kind::Complex(complex) = &schemas.get(id).kind else {
            return false;
        };
        let Content::Elements(particle) = &complex.content else {
            return false;
        };
        let mut items = Vec::new();
        let holder = self.holder(String::new(), self.home);
        self.flatten(particle, &holder, &mut items);
        place_for_text(&items).is_some()
    }

    fn extended(&self, id: TypeId) -> Option<TypeId> {
        match &self.schemas.get(id).kind {
            Kind::Complex(complex) => match complex.derivation {
                Derivation::Extension(TypeRef::Declared(base)) => Some(base),
                _ => None,
            },
            Kind::Simple(_) => None,
        }
    }

    /// Adds a particle to those of a sequence.
    fn flatten(
        &self,
        particle: &'m Particle<'s>,
        holder: &Holder<'s>,
        items: &mut Vec<Item<'m, 's>>,
    ) {
        let (min, max) = (particle.min, particle.max);
        if max == Some(0) {
            return;
        }
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
                    max,
                    repeats_one: false,
                    losses: Vec::new(),
                };
                for one in all {
                    let mut within = Vec::new();
                    self.flatten(one, holder, &mut within);
                    alternatives.add(within, one.place);
                }
                items.extend(alternatives.finish(particle));
            }
        }
    }

    /// Whether an element stands for those of a substitution group.
    pub(super) fn is_head(&self, element: &Element<'s>) -> bool {
        let is_global = element.is_reference || element.is_abstract;
        is_global && self.schemas.substitutions.contains_key(&element.name)
    }

    /// A choice of the elements that may stand for the head of a substitution group; `None` if the element is none.
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
        // The head is declared again if nothing but its members can stand for it.
        let is_declared =
            element.is_abstract && element.name.namespace == holder.namespace && members.len() > 1;
        let mut item = repeated(members, true, particle, Vec::new());
        if let Item::Group(group) = &mut item {
            if group.items.is_empty() {
                return Some(None);
            }
            group.head = is_declared.then_some(element.name.local);
        }
        Some(Some(item))
    }

    /// The entries of a sequence. An element that stands in it twice makes it a choice that is repeated.
    fn entries(
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
                    // An alternative is there once if it is chosen.
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

    /// A key for what has no name on the wire.
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
        // .NET writes an empty list for any.
        if !matches!(wildcard.namespaces, "##any" | "") {
            draft.set("namespaces", wildcard.namespaces);
        }
        set_counts(&mut draft, (min, max.filter(|max| *max != 1)));
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
            Some(head) => super::names::pascal(head),
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

/// The alternatives of a choice.
struct Alternatives<'m, 's> {
    items: Vec<Item<'m, 's>>,
    is_optional: bool,
    is_repeated: bool,
    /// How often the choice may be there at most, and whether it is there any number of times as an alternative is.
    max: Option<u32>,
    repeats_one: bool,
    losses: Vec<String>,
}

impl<'m, 's> Alternatives<'m, 's> {
    /// Adds an alternative, a sequence.
    fn add(&mut self, mut sequence: Vec<Item<'m, 's>>, place: Place) {
        if sequence.iter().all(may_be_absent)
            && !matches!(sequence[..], [Item::Element { max: None, .. }])
        {
            // Nothing is an alternative.
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
                place,
                losses: Vec::new(),
            }));
            return;
        }
        match sequence.pop() {
            None => {}
            Some(Item::Group(group)) if group.is_choice => {
                self.repeat(group.is_repeated);
                self.losses.extend(group.losses);
                self.items.extend(group.items);
            }
            Some(Item::Group(group)) => {
                self.repeat(group.is_repeated);
                self.items.push(Item::Group(Group {
                    is_optional: false,
                    is_repeated: false,
                    ..group
                }));
            }
            Some(one) => self.items.push(one),
        }
    }

    /// An alternative that is repeated makes the choice repeated.
    fn repeat(&mut self, is_repeated: bool) {
        if is_repeated && !self.repeats_one && self.max.is_some() {
            self.is_repeated = true;
            self.repeats_one = true;
            let message = "the schema repeats one alternative: a definition repeats the choice";
            self.losses.push(message.to_owned());
        }
    }

    fn finish(self, particle: &Particle<'_>) -> Option<Item<'m, 's>> {
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

/// Whether nothing need stand for an item.
fn may_be_absent(item: &Item<'_, '_>) -> bool {
    match item {
        Item::Element { min, .. } | Item::Any { min, .. } => *min == 0,
        Item::Group(group) => group.is_optional || (group.is_repeated && group.counts.0 == 0),
    }
}

/// Items that occur together as often as a particle says. One alone is itself that often.
fn repeated<'m, 's>(
    mut items: Vec<Item<'m, 's>>,
    is_choice: bool,
    particle: &Particle<'_>,
    losses: Vec<String>,
) -> Item<'m, 's> {
    let (outer_min, outer_max) = (particle.min, particle.max);
    if items.len() == 1 && losses.is_empty() {
        match &mut items[0] {
            Item::Element { min, max, .. } | Item::Any { min, max, .. } => {
                *min = min.saturating_mul(outer_min);
                *max = max
                    .zip(outer_max)
                    .map(|(one, other)| one.saturating_mul(other));
                return items.remove(0);
            }
            Item::Group(group) if outer_max == Some(1) => {
                group.is_optional |= outer_min == 0;
                if outer_min == 0 {
                    group.counts.0 = 0;
                }
                return items.remove(0);
            }
            Item::Group(group) if group.is_choice && group.head.is_none() => {
                let (min, max) = match (group.is_repeated, group.is_optional) {
                    (true, _) => group.counts,
                    (false, true) => (0, Some(1)),
                    (false, false) => (1, Some(1)),
                };
                let max = max.zip(outer_max);
                group.counts = (
                    min.saturating_mul(outer_min),
                    max.map(|(one, other)| one.saturating_mul(other)),
                );
                group.is_optional |= outer_min == 0;
                group.is_repeated = true;
                return items.remove(0);
            }
            Item::Group(_) => {}
        }
    }
    let is_repeated = outer_max != Some(1);
    Item::Group(Group {
        is_choice,
        items,
        is_optional: outer_min == 0,
        is_repeated,
        counts: (outer_min, outer_max),
        head: None,
        place: particle.place,
        losses,
    })
}

/// The names of all elements, with repetitions.
fn names_of<'s>(items: &[Item<'_, 's>], names: &mut Vec<Name<'s>>) {
    for item in items {
        match item {
            Item::Element { element, .. } => names.push(element.name),
            Item::Any { .. } => {}
            Item::Group(group) => names_of(&group.items, names),
        }
    }
}

/// Elements of one name in a row are one that is there as often as all of them.
fn in_rows<'m, 's>(items: Vec<Item<'m, 's>>) -> Vec<Item<'m, 's>> {
    let mut rows: Vec<Item<'m, 's>> = Vec::with_capacity(items.len());
    for item in items {
        if let Item::Element { element, min, max } = item
            && let Some(Item::Element {
                element: last,
                min: least,
                max: most,
            }) = rows.last_mut()
            && last.is_same(element)
        {
            *least = least.saturating_add(min);
            *most = most.zip(max).map(|(one, other)| one.saturating_add(other));
            continue;
        }
        rows.push(item);
    }
    rows
}

/// All elements of items, each once, as the alternatives of a choice that is repeated.
fn in_any_order<'m, 's>(items: Vec<Item<'m, 's>>) -> Item<'m, 's> {
    let message = "an element stands at several places: in a definition all of them stand in any order, any number of times";
    choice_of(items, message)
}

/// Elements with text between them: an alternative of the choice that is repeated, if there is one.
fn mixed<'m, 's>(mut items: Vec<Item<'m, 's>>) -> Vec<Item<'m, 's>> {
    let Some(place) = place_for_text(&items) else {
        let message = "text stands between elements: in a definition these stand in any order, any number of times";
        return vec![choice_of(items, message)];
    };
    if !matches!(items[place], Item::Group(_)) {
        let only = items.remove(place);
        let mut choice = choice_of(vec![only], "");
        if let Item::Group(group) = &mut choice {
            group.losses.clear();
        }
        items.insert(place, choice);
    }
    items
}

/// The index of the only item that text may be an alternative of.
fn place_for_text(items: &[Item<'_, '_>]) -> Option<usize> {
    let is_place = |item: &Item<'_, '_>| match item {
        Item::Group(group) => group.is_place_for_text(),
        Item::Element { min, max, .. } => (*min, *max) == (0, None),
        Item::Any { .. } => false,
    };
    let mut places = (0..items.len()).filter(|at| is_place(&items[*at]));
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

/// The most elements that are merged.
const MOST_MERGED: usize = 200;

/// The elements of alternatives that share some, as one sequence in which each is once: its order is that of all of them. `None` if there is no such order.
fn merged<'m, 's>(items: &[Item<'m, 's>]) -> Option<Vec<Item<'m, 's>>> {
    let mut all = Vec::new();
    names_of(items, &mut all);
    if all.len() > MOST_MERGED {
        return None;
    }
    let mut after: HashMap<Name<'s>, HashSet<Name<'s>>> = HashMap::new();
    let mut elements = HashMap::new();
    order(items, false, &mut after, &mut elements)?;
    let required = always_there(items, false);
    let mut written: Vec<Name<'s>> = Vec::new();
    while written.len() < elements.len() {
        // The first one that stands after none of those that are left.
        let is_next = |name: &&Name<'s>| {
            let is_left = |other: &Name<'s>| !written.contains(other);
            !written.contains(name)
                && !after
                    .get(*name)
                    .is_some_and(|before| before.iter().any(is_left))
        };
        let next = *all.iter().find(is_next)?;
        written.push(next);
    }
    let items = written.into_iter().map(|name| {
        let (element, max): (&'m Element<'s>, _) = elements[&name];
        let min = u32::from(required.contains(&name));
        Item::Element { element, min, max }
    });
    Some(items.collect())
}

/// Notes which elements stand after which; `None` if they cannot be one sequence.
fn order<'m, 's>(
    items: &[Item<'m, 's>],
    is_choice: bool,
    after: &mut HashMap<Name<'s>, HashSet<Name<'s>>>,
    elements: &mut HashMap<Name<'s>, (&'m Element<'s>, Option<u32>)>,
) -> Option<()> {
    let mut before = HashSet::new();
    for item in items {
        let mut names = Vec::new();
        names_of(std::slice::from_ref(item), &mut names);
        match item {
            Item::Element { element, max, .. } => {
                let (known, most) = *elements.entry(element.name).or_insert((element, *max));
                if known.type_ref != element.type_ref || most != *max {
                    return None;
                }
            }
            Item::Any { .. } => return None,
            Item::Group(group) if group.is_repeated || group.head.is_some() => return None,
            Item::Group(group) => order(&group.items, group.is_choice, after, elements)?,
        }
        if is_choice {
            continue;
        }
        for name in &names {
            after.entry(*name).or_default().extend(&before);
        }
        before.extend(names);
    }
    Some(())
}

/// The elements that stand in each sequence that a group allows.
fn always_there<'s>(items: &[Item<'_, 's>], is_choice: bool) -> HashSet<Name<'s>> {
    let each = items.iter().map(|item| match item {
        Item::Element { element, min, .. } if *min > 0 => HashSet::from([element.name]),
        Item::Group(group) if !group.is_optional && !group.is_repeated => {
            always_there(&group.items, group.is_choice)
        }
        _ => HashSet::new(),
    });
    let joined = each.reduce(|one, other| {
        if is_choice {
            one.intersection(&other).copied().collect()
        } else {
            one.union(&other).copied().collect()
        }
    });
    joined.unwrap_or_default()
}

fn choice_of<'m, 's>(items: Vec<Item<'m, 's>>, message: &str) -> Item<'m, 's> {
    let place = place_of(&items);
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    let mut has_any = false;
    let mut open: Vec<_> = items.into_iter().rev().collect();
    while let Some(item) = open.pop() {
        match item {
            Item::Element { element, .. } => {
                if seen.insert(element.name) {
                    all.push(Item::Element {
                        element,
                        min: 1,
                        max: Some(1),
                    });
                }
            }
            Item::Any { wildcard, .. } => {
                if !std::mem::replace(&mut has_any, true) {
                    all.push(Item::Any {
                        wildcard,
                        min: 0,
                        max: Some(1),
                    });
                }
            }
            Item::Group(group) => open.extend(group.items.into_iter().rev()),
        }
    }
    Item::Group(Group {
        is_choice: true,
        items: all,
        is_optional: true,
        is_repeated: true,
        counts: ANY_NUMBER,
        head: None,
        place,
        losses: vec![message.to_owned()],
    })
}

fn place_of(items: &[Item<'_, '_>]) -> Place {
    match &items[0] {
        Item::Element { element, .. } => element.place,
        Item::Any { wildcard, .. } => wildcard.place,
        Item::Group(group) => group.place,
    }
}
