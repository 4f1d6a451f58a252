//! Compares the types of two documents by what they allow in messages.
//!
//! A pair of types is assumed to be equal while it is being compared, so types may contain
//! themselves; each pair is compared once, at the first place that refers to it.

use svcgen_wsdl::schema::{Complex, Content, Derivation, Kind, Name, Type, TypeId, TypeRef};

use super::comparer::{Comparer, Pair, Places, Side, Within};
use super::content::Whole;
use super::difference::Aspect;
use super::simple::{Of, Values};

/// The qualified name of a type, as diagnostics show it.
fn qualified(name: Name<'_>) -> String {
    format!("`{{{}}}{}`", name.namespace, name.local)
}

/// Describes the base of values in words.
fn in_words(side: &Side<'_, '_>, values: &Values<'_, '_>) -> String {
    match &values.of {
        Of::Builtin(name) => format!("`{name}`"),
        Of::Missing(name) => format!("`{name}`, which is missing,"),
        Of::List(_) => "a list".to_owned(),
        Of::Union(members) => {
            let members: Vec<_> = members.iter().map(|one| side.called(*one)).collect();
            format!("a union of {}", members.join(" and "))
        }
    }
}

impl<'m, 's> Comparer<'m, 's> {
    /// Compares all pairs that are queued.
    pub fn finish(&mut self) {
        while let Some(pair) = self.open.pop_front() {
            self.pair(&pair);
        }
    }

    fn pair(&mut self, pair: &Pair<'s>) {
        let mut places = pair.places;
        if let (TypeRef::Declared(original), TypeRef::Declared(other)) = (pair.original, pair.other)
        {
            let one = self.original.schemas.get(original);
            let two = self.other.schemas.get(other);
            (places.original, places.other) = (one.place, two.place);
            // An encoded array states the type of its items.
            let is_array = |one: &Type<'_>| matches!(&one.kind, Kind::Complex(complex) if matches!(complex.content, Content::EncodedArray(_)));
            if pair.within == Within::Encoded && !(is_array(one) && is_array(two)) {
                let names = (one.name.map(qualified), two.name.map(qualified));
                self.differ(Aspect::TypeName, places, names.0, names.1);
            }
            self.types += usize::from(one.name.is_some());
            self.derived(places, original, other, pair.within);
            let both = self.original.complex(original);
            if let Some(both) = both.zip(self.other.complex(other)) {
                return self.complex(places, both, pair);
            }
        }
        // One of the two may be the array of the SOAP encoding itself.
        let arrays = (
            self.original.schemas.array(pair.original),
            self.other.schemas.array(pair.other),
        );
        if let (Some(original), Some(other)) = arrays {
            return self.arrays(places, original, other, pair.within);
        }
        // A type with only text looks like a simple type in messages.
        let text = |side: &Side<'m, 's>, type_ref| match side.whole(type_ref, false) {
            Some(whole) => whole.only_text(),
            None => Some(type_ref),
        };
        let texts = (
            text(&self.original, pair.original),
            text(&self.other, pair.other),
        );
        if let (Some(original), Some(other)) = texts {
            return self.simple(places, original, other);
        }
        let in_words = |called: String, text: Option<_>| {
            let what = match text {
                Some(TypeRef::Builtin("Array" | "Struct" | "anyType")) => "anything",
                Some(_) => "text alone",
                None => "elements or attributes",
            };
            format!("{called}, which has {what},")
        };
        let original = in_words(self.original.called(pair.original), texts.0);
        let other = in_words(self.other.called(pair.other), texts.1);
        self.differ(Aspect::Type, places, Some(original), Some(other));
    }

    fn complex(
        &mut self,
        places: Places,
        (original, other): (&'m Complex<'s>, &'m Complex<'s>),
        pair: &Pair<'s>,
    ) {
        let both = (original.is_abstract, other.is_abstract);
        self.differ_in_flag(Aspect::Abstract, places, both.0, both.1);
        // If both extend the same base, the content of the base is compared once.
        let extended = |side: &Side<'m, 's>, complex: &Complex<'s>| match complex.derivation {
            Derivation::Extension(_) => {
                let (id, _) = side.schemas.base(complex)?;
                Some((id, side.schemas.get(id).name?))
            }
            _ => None,
        };
        let bases = extended(&self.original, original).zip(extended(&self.other, other));
        let common = bases.filter(|(one, two)| one.1 == two.1);
        if let Some(((one, _), (two, _))) = common {
            let (one, two) = (TypeRef::Declared(one), TypeRef::Declared(two));
            self.types_of(places, one, two, pair.within);
        }
        let own = common.is_some();
        let original = Whole::new(self.original.schemas, original, own);
        let other = Whole::new(self.other.schemas, other, own);
        let within = match pair.within {
            Within::Encoded => Within::Encoded,
            _ if self.is_of_header(pair.other) => Within::Header,
            within => within,
        };
        self.members(places, &original, &other, within);
    }

    /// Compares the types that `xsi:type` may name in place of two types.
    fn derived(&mut self, places: Places, original: TypeId, other: TypeId, within: Within) {
        if self.original.is_final(original) && self.other.is_final(other) {
            return;
        }
        // If the direct derivations are the same, later ones are compared together with these
        // types.
        let direct = (self.original.derived(original), self.other.derived(other));
        let is_same_step = direct.0.len() == direct.1.len()
            && direct.0.keys().all(|name| direct.1.contains_key(name));
        let (originals, others) = if is_same_step {
            direct
        } else {
            (
                self.original.instead_of(original),
                self.other.instead_of(other),
            )
        };
        let mut names: Vec<_> = originals.keys().chain(others.keys()).copied().collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            match (originals.get(&name), others.get(&name)) {
                (Some(one), Some(two)) => {
                    let (one, two) = (TypeRef::Declared(*one), TypeRef::Declared(*two));
                    let at = self.step(places.at, format!(" ({})", name.local));
                    self.types_of(Places { at, ..places }, one, two, within);
                }
                (None, Some(_)) if self.original.has_anonymous(original) => {}
                (one, two) => {
                    let in_words = |id: Option<_>| id.map(|_: &TypeId| qualified(name));
                    self.differ(Aspect::Derived, places, in_words(one), in_words(two));
                }
            }
        }
    }

    fn simple(&mut self, places: Places, original: TypeRef<'s>, other: TypeRef<'s>) {
        let one = Values::new(self.original.schemas, original);
        let two = Values::new(self.other.schemas, other);
        match (&one.of, &two.of) {
            (Of::List(item), Of::List(other)) => self.types_of(places, *item, *other, Within::Body),
            (Of::Union(members), Of::Union(others)) if members.len() == others.len() => {
                for (one, two) in members.iter().zip(others) {
                    self.types_of(places, *one, *two, Within::Body);
                }
            }
            _ => {
                let of = (in_words(&self.original, &one), in_words(&self.other, &two));
                self.differ(Aspect::Type, places, Some(of.0), Some(of.1));
            }
        }
        match (&one.listed, &two.listed) {
            (Some(values), Some(others)) => {
                let quoted = |text: &&str| format!("`{text}`");
                for value in values.difference(others) {
                    self.differ(Aspect::Values, places, Some(quoted(value)), None);
                }
                for value in others.difference(values) {
                    self.differ(Aspect::Values, places, None, Some(quoted(value)));
                }
            }
            (values, others) => {
                let in_words = |is_listed: bool| if is_listed { "one of a list" } else { "any" };
                let in_words = (in_words(values.is_some()), in_words(others.is_some()));
                self.differ(Aspect::Values, places, Some(in_words.0), Some(in_words.1));
            }
        }
        let names = one.facets.keys().chain(two.facets.keys());
        let mut names: Vec<_> = names.copied().collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let in_words = |values: &Values<'_, '_>| {
                let texts = values.facets.get(name)?;
                let texts: Vec<_> = texts.iter().map(String::as_str).collect();
                Some(format!("{name} `{}`", texts.join("` and `")))
            };
            self.differ(Aspect::Facet, places, in_words(&one), in_words(&two));
        }
    }
}
