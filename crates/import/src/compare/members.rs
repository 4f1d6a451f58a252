//! Compares the content of types: elements, groups, attributes and wildcards.

use std::collections::HashMap;

use svcgen_wsdl::schema::{
    Attribute, Element, EncodedArray, Name, SetSchema, TypedSet, Wildcard, XML_SCHEMA,
};

use super::comparer::{Comparer, Places, Within};
use super::content::{ContentPart, Group, Occurs, What, Whole};
use super::difference::Aspect;

/// The key by which parts are matched for comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'s> {
    Element(Name<'s>),
    Any,
    Tables,
    Group(Group),
}

impl<'m, 's> ContentPart<'m, 's> {
    fn key(&self) -> Key<'s> {
        match &self.what {
            What::Element(element) => Key::Element(element.name),
            What::Any(_) => Key::Any,
            What::Tables(_) => Key::Tables,
            What::Group(group, _) => Key::Group(*group),
        }
    }

    /// The local name of an element.
    fn local(&self) -> Option<&'s str> {
        match &self.what {
            What::Element(element) => Some(element.name.local),
            _ => None,
        }
    }
}

/// The parts by their keys, each with the number of parts before it that have the same key.
fn by_key<'s>(parts: &[ContentPart<'_, 's>]) -> Vec<(Key<'s>, usize)> {
    let mut counts = HashMap::new();
    let numbered = parts.iter().map(|part| {
        let count: &mut usize = counts.entry(part.key()).or_default();
        *count += 1;
        (part.key(), *count)
    });
    numbered.collect()
}

impl<'m, 's> Comparer<'m, 's> {
    /// Compares what two complex types allow.
    pub fn members(
        &mut self,
        places: Places,
        original: &Whole<'m, 's>,
        other: &Whole<'m, 's>,
        within: Within,
    ) {
        // A reader of any elements also reads the text between them.
        if !(original.is_any() && other.is_any()) {
            self.differ_in_flag(Aspect::Mixed, places, original.is_mixed, other.is_mixed);
        }
        self.attributes(places, &original.attributes, &other.attributes);
        // Headers have the attributes of SOAP in any case.
        if within != Within::Header {
            let both = (original.any_attribute, other.any_attribute);
            self.wildcards(places, "any attributes", both);
        }
        let within = within.part();
        match (original.array, other.array) {
            (Some(one), Some(two)) => self.arrays(places, one, two, within),
            (one, two) => {
                let in_words = |is_array: bool| if is_array { "an array" } else { "no array" };
                let in_words = (in_words(one.is_some()), in_words(two.is_some()));
                self.differ(Aspect::Type, places, Some(in_words.0), Some(in_words.1));
            }
        }
        match (original.text, other.text) {
            (Some(one), Some(two)) => self.types_of(places, one, two, within),
            (one, two) => {
                let in_words = |is_text: bool| if is_text { "with text" } else { "without text" };
                let in_words = (in_words(one.is_some()), in_words(two.is_some()));
                self.differ(Aspect::Type, places, Some(in_words.0), Some(in_words.1));
            }
        }
        let both = (&*original.parts, &*other.parts);
        self.parts(places, Group::Sequence, both, within);
    }

    /// Compares arrays of the SOAP encoding.
    pub fn arrays(
        &mut self,
        places: Places,
        original: EncodedArray<'s>,
        other: EncodedArray<'s>,
        within: Within,
    ) {
        let ranks = |array: EncodedArray<'_>| {
            let commas = ",".repeat(array.ranks.saturating_sub(1) as usize);
            Some(format!("`[{commas}]`"))
        };
        self.differ(Aspect::Count, places, ranks(original), ranks(other));
        let items = |EncodedArray { min, max, .. }: EncodedArray<'_>| Some(Occurs { min, max });
        self.differ(Aspect::Count, places, items(original), items(other));
        self.types_of(places, original.item, other.item, within);
    }

    fn parts(
        &mut self,
        places: Places,
        group: Group,
        (original, other): (&[ContentPart<'m, 's>], &[ContentPart<'m, 's>]),
        within: Within,
    ) {
        let keys = by_key(other);
        let index: HashMap<_, _> = keys.iter().copied().zip(0..).collect();
        let original_keys = by_key(original);
        let mut is_matched = vec![false; other.len()];
        let mut order = Vec::new();
        let mut lone = Vec::new();
        let mut pairs = Vec::new();
        for (part, key) in original.iter().zip(&original_keys) {
            match index.get(key) {
                Some(&at) => {
                    is_matched[at] = true;
                    order.push(at);
                    pairs.push((part, &other[at]));
                }
                None => lone.push(part),
            }
        }
        if group == Group::Sequence && !order.is_sorted() {
            let names = |keys: &[(Key<'s>, usize)]| {
                let names = keys.iter().map(|(key, _)| match key {
                    Key::Element(name) => name.local,
                    Key::Any => "any",
                    Key::Tables => "tables",
                    Key::Group(group) => group.name(),
                });
                let names: Vec<_> = names.take(8).collect();
                format!("`{}`", names.join(", "))
            };
            let (one, two) = (names(&original_keys), names(&keys));
            self.differ(Aspect::Order, places, Some(one), Some(two));
        }
        // By local names, to distinguish an element in another namespace from a missing one.
        let unmatched = (0..).zip(other).filter(|(at, _)| !is_matched[*at]);
        let unmatched = unmatched.filter_map(|(at, part)| Some((part.local()?, at)));
        let unmatched: HashMap<&str, usize> = unmatched.collect();
        for part in lone {
            let moved = part.local().and_then(|local| unmatched.get(local).copied());
            match moved.filter(|at| !is_matched[*at]) {
                Some(at) => {
                    is_matched[at] = true;
                    pairs.push((part, &other[at]));
                }
                None => self.lone(places, part, true),
            }
        }
        for (one, two) in pairs {
            self.part(places, one, two, within);
        }
        for (part, is_matched) in other.iter().zip(is_matched) {
            if !is_matched {
                self.lone(places, part, false);
            }
        }
    }

    /// Records that a part exists on one side only.
    fn lone(&mut self, mut places: Places, part: &ContentPart<'m, 's>, is_original: bool) {
        let (aspect, in_words) = match &part.what {
            What::Element(element) => (Aspect::Element, format!("`{}`", element.name.local)),
            What::Any(wildcard) => (Aspect::Wildcard, format!("`{}`", wildcard.namespaces)),
            What::Tables(_) => (Aspect::Type, "set of tables".to_owned()),
            What::Group(group, _) => (Aspect::Group, format!("`{}`", group.name())),
        };
        if is_original {
            places.original = part.place;
            self.differ(aspect, places, Some(in_words), None);
        } else {
            places.other = part.place;
            self.differ(aspect, places, None, Some(in_words));
        }
    }

    fn part(
        &mut self,
        places: Places,
        original: &ContentPart<'m, 's>,
        other: &ContentPart<'m, 's>,
        within: Within,
    ) {
        let mut places = Places {
            original: original.place,
            other: other.place,
            ..places
        };
        match (&original.what, &other.what) {
            (What::Element(one), What::Element(two)) => {
                places.at = self.step(places.at, format!("/{}", one.name.local));
                self.occurs(places, original.occurs, other.occurs);
                // Elements of encoded types are in no namespace, whatever their schema states (SOAP
                // 1.1 §5.1).
                if within != Within::Encoded {
                    let namespaces = [one.name.namespace, two.name.namespace];
                    let [namespace, other_namespace] = namespaces.map(Some);
                    self.differ_in_text(Aspect::Namespace, places, namespace, other_namespace);
                }
                self.element(places, one, two, within);
            }
            (What::Any(one), What::Any(two)) => {
                places.at = self.step(places.at, "/any");
                self.occurs(places, original.occurs, other.occurs);
                self.wildcards(places, "any elements", (Some(one), Some(two)));
            }
            (What::Group(group, one), What::Group(_, two)) => {
                places.at = self.step(places.at, format!("/({})", group.name()));
                self.occurs(places, original.occurs, other.occurs);
                self.parts(places, *group, (one, two), within);
            }
            (What::Tables(Some(set)), What::Tables(_)) => self.sets(places, set),
            (What::Tables(None), What::Tables(Some(set))) => {
                places.other = set.place;
                let name = format!("`{}`", set.name);
                self.differ(Aspect::Tables, places, None, Some(name));
            }
            // Only parts with equal keys are compared.
            _ => {}
        }
    }

    /// Compares the schema of a typed set of tables with the other document's, whether or not that
    /// refers to it. A schema that is missing there counts like a different one, because the WSDL
    /// that is written in the shape of the original lacks it, while the other shape has it.
    fn sets(&mut self, mut places: Places, set: &SetSchema<'s>) {
        if !self.sets.insert(set.namespace) {
            return;
        }
        places.original = set.place;
        let others = self.other.schemas;
        let other = match others.sets.get(set.namespace) {
            Some(TypedSet::Known(other)) if other.is_same(set) => return,
            Some(TypedSet::Known(SetSchema { place, .. }) | TypedSet::Unknown(place, ..)) => {
                places.other = *place;
                Some("another one".to_owned())
            }
            None => None,
        };
        let original = Some(format!("`{}`", set.name));
        self.differ(Aspect::Tables, places, original, other);
    }

    fn occurs(&mut self, places: Places, original: Occurs, other: Occurs) {
        let aspect = if original.on_wire() == other.on_wire() {
            Aspect::Count
        } else {
            Aspect::Occurrence
        };
        self.differ(aspect, places, Some(original), Some(other));
    }

    /// Compares global elements, which are messages, headers or details of faults.
    pub fn global(&mut self, places: Places, original: Name<'s>, other: Name<'s>, within: Within) {
        let (originals, others) = (self.original.schemas, self.other.schemas);
        let both = originals.elements.get(&original);
        if let Some((one, two)) = both.zip(others.elements.get(&other)) {
            let places = Places {
                original: one.place,
                other: two.place,
                ..places
            };
            self.element(places, one, two, within);
        }
    }

    /// Compares the declarations of two elements, and queues their types.
    pub fn element(
        &mut self,
        places: Places,
        original: &Element<'s>,
        other: &Element<'s>,
        within: Within,
    ) {
        // The detail of a fault is present or absent: WCF declares every detail nillable but never
        // sends a nil.
        if within != Within::Fault {
            let both = (original.is_nillable, other.is_nillable);
            self.differ_in_flag(Aspect::Nillable, places, both.0, both.1);
        }
        let both = (original.is_abstract, other.is_abstract);
        self.differ_in_flag(Aspect::Abstract, places, both.0, both.1);
        self.differ_in_text(Aspect::Default, places, original.default, other.default);
        self.differ_in_text(Aspect::Fixed, places, original.fixed, other.fixed);
        // The schema of a set of tables is an element of XML Schema, however that is declared.
        if original.name.namespace != XML_SCHEMA {
            self.types_of(places, original.type_ref, other.type_ref, within);
        }
    }

    fn attributes(
        &mut self,
        places: Places,
        original: &[&'m Attribute<'s>],
        other: &[&'m Attribute<'s>],
    ) {
        let others: HashMap<_, _> = other.iter().map(|one| (one.name, one)).collect();
        for one in original {
            let mut places = Places {
                original: one.place,
                ..places
            };
            let Some(two) = others.get(&one.name) else {
                let name = format!("`{}`", one.name.local);
                self.differ(Aspect::Attribute, places, Some(name), None);
                continue;
            };
            places.other = two.place;
            places.at = self.step(places.at, format!("@{}", one.name.local));
            let required = |is_required| if is_required { "required" } else { "optional" };
            let both = (required(one.is_required), required(two.is_required));
            self.differ(Aspect::Occurrence, places, Some(both.0), Some(both.1));
            // The default of an attribute that is always present has no effect.
            let default = |one: &Attribute<'s>| one.default.filter(|_| !one.is_required);
            self.differ_in_text(Aspect::Default, places, default(one), default(two));
            self.differ_in_text(Aspect::Fixed, places, one.fixed, two.fixed);
            self.types_of(places, one.type_ref, two.type_ref, Within::Body);
        }
        let known: HashMap<_, _> = original.iter().map(|one| (one.name, ())).collect();
        for two in other.iter().filter(|two| !known.contains_key(&two.name)) {
            let places = Places {
                other: two.place,
                ..places
            };
            let name = format!("`{}`", two.name.local);
            self.differ(Aspect::Attribute, places, None, Some(name));
        }
    }

    /// Compares the namespaces that wildcards allow. How they process declared content
    /// (`processContents`) does not matter.
    fn wildcards(
        &mut self,
        mut places: Places,
        what: &str,
        both: (Option<&Wildcard<'s>>, Option<&Wildcard<'s>>),
    ) {
        if let (Some(one), Some(two)) = both {
            (places.original, places.other) = (one.place, two.place);
        }
        let in_words = |wildcard: &Wildcard<'_>| {
            let mut namespaces: Vec<_> = wildcard.namespaces.split_whitespace().collect();
            namespaces.sort_unstable();
            if namespaces.is_empty() {
                // .NET writes an empty list for any namespace.
                namespaces.push("##any");
            }
            format!("for {what} of `{}`", namespaces.join(" "))
        };
        let both = (both.0.map(in_words), both.1.map(in_words));
        self.differ(Aspect::Wildcard, places, both.0, both.1);
    }
}
