//! The state of a comparison of two documents: its position, the differences found, and the pairs
//! that are still to be compared.

use std::collections::{HashMap, HashSet, VecDeque};

use svcgen_wsdl::report::DocumentSpan;
use svcgen_wsdl::schema::{Complex, Kind, Name, Schemas, TypeId, TypeRef};

use super::content::Whole;
use super::difference::{Aspect, Found};

/// One of the two documents.
#[derive(Debug)]
pub(super) struct Side<'m, 's> {
    pub schemas: &'m Schemas<'s>,
}

impl<'m, 's> Side<'m, 's> {
    pub fn new(schemas: &'m Schemas<'s>) -> Self {
        Self { schemas }
    }

    /// Whether a type without a name is derived from this type: a definition must name it.
    pub fn has_anonymous(&self, id: TypeId) -> bool {
        let mut derived = self.schemas.derived(id).iter();
        derived.any(|id| self.schemas.get(*id).name.is_none())
    }

    /// Whether no type is derived from this type.
    pub fn is_final(&self, id: TypeId) -> bool {
        self.derived(id).is_empty()
    }

    /// The types that are derived from a type in a single step, by name.
    pub fn derived(&self, id: TypeId) -> HashMap<Name<'s>, TypeId> {
        let derived = self.schemas.derived(id).iter();
        let named = derived.filter_map(|id| Some((self.schemas.get(*id).name?, *id)));
        named.collect()
    }

    /// The types that `xsi:type` may name in place of a type, by name.
    pub fn instead_of(&self, id: TypeId) -> HashMap<Name<'s>, TypeId> {
        let mut found = HashMap::new();
        let mut seen = HashSet::from([id]);
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            for derived in self.schemas.derived(next) {
                if seen.insert(*derived) {
                    let name = self.schemas.get(*derived).name;
                    found.extend(name.map(|name| (name, *derived)));
                    open.push(*derived);
                }
            }
        }
        found
    }

    pub fn complex(&self, id: TypeId) -> Option<&'m Complex<'s>> {
        match &self.schemas.get(id).kind {
            Kind::Complex(complex) => Some(complex),
            Kind::Simple(_) => None,
        }
    }

    /// The name that diagnostics show.
    pub fn called(&self, type_ref: TypeRef<'s>) -> String {
        match type_ref {
            TypeRef::Builtin(name) => format!("`{name}`"),
            TypeRef::Missing(name) => format!("`{}`, which is missing,", name.local),
            TypeRef::Declared(id) => match self.schemas.get(id).name {
                Some(name) => format!("`{}`", name.local),
                None => "a type without a name".to_owned(),
            },
        }
    }

    /// Everything that a complex type allows; `None` for other types. With `own`, only what its
    /// last step of derivation adds.
    pub fn whole(&self, type_ref: TypeRef<'s>, own: bool) -> Option<Whole<'m, 's>> {
        let TypeRef::Declared(id) = type_ref else {
            return None;
        };
        Some(Whole::new(self.schemas, self.complex(id)?, own))
    }
}

/// A position in messages: the number of a step.
pub(super) type At = u32;

/// The position of two things that are compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub at: At,
    pub original: DocumentSpan,
    pub other: DocumentSpan,
}

/// The part of a message that a type is used in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Within {
    /// A whole header.
    Header,
    /// The whole detail of a fault.
    Fault,
    /// A literal Body, or something inside a header or a detail.
    Body,
    /// Encoded content, in which messages name the types.
    Encoded,
}

impl Within {
    /// The part of a message that a member of a type is used in.
    pub fn part(self) -> Self {
        match self {
            Self::Encoded => Self::Encoded,
            _ => Self::Body,
        }
    }
}

/// Two types that are still to be compared.
#[derive(Debug)]
pub(super) struct Pair<'s> {
    pub places: Places,
    pub original: TypeRef<'s>,
    pub other: TypeRef<'s>,
    pub within: Within,
}

/// Compares types; the rules are in `members.rs` and `types.rs`.
#[derive(Debug)]
pub(super) struct Comparer<'m, 's> {
    pub original: Side<'m, 's>,
    pub other: Side<'m, 's>,
    /// The steps of paths: the preceding step, and the text that this one adds.
    steps: Vec<(At, String)>,
    seen: HashSet<(TypeRef<'s>, TypeRef<'s>, Within)>,
    pub open: VecDeque<Pair<'s>>,
    /// The namespaces of the typed sets of tables that were compared.
    pub sets: HashSet<&'s str>,
    /// The types of headers on the other side, and the types that they extend.
    headers: HashSet<TypeId>,
    /// The number of named types that were compared.
    pub types: usize,
    pub found: Vec<Found>,
}

/// The maximum number of steps that are shown of a path.
const MOST_STEPS: usize = 24;

impl<'m, 's> Comparer<'m, 's> {
    pub fn new(original: &'m Schemas<'s>, other: &'m Schemas<'s>) -> Self {
        Self {
            original: Side::new(original),
            other: Side::new(other),
            steps: Vec::new(),
            seen: HashSet::new(),
            open: VecDeque::new(),
            sets: HashSet::new(),
            headers: HashSet::new(),
            types: 0,
            found: Vec::new(),
        }
    }

    /// Adds the first step of a path.
    pub fn start(&mut self, text: impl Into<String>) -> At {
        let at = At::try_from(self.steps.len()).unwrap_or(At::MAX);
        self.steps.push((at, text.into()));
        at
    }

    /// Adds another step to a path.
    pub fn step(&mut self, before: At, text: impl Into<String>) -> At {
        let at = self.start(text);
        self.steps[at as usize].0 = before;
        at
    }

    fn path(&self, mut at: At) -> String {
        let mut texts = Vec::new();
        loop {
            let (before, text) = &self.steps[at as usize];
            texts.push(text.as_str());
            if *before == at {
                break;
            }
            at = *before;
        }
        texts.reverse();
        if texts.len() > MOST_STEPS {
            texts.splice(MOST_STEPS / 2..texts.len() - MOST_STEPS / 2, ["/…"]);
        }
        texts.concat()
    }

    /// Records a difference if the two values differ.
    pub fn differ<T: PartialEq + ToString>(
        &mut self,
        aspect: Aspect,
        places: Places,
        original: Option<T>,
        other: Option<T>,
    ) {
        if original != other {
            let shown = |one: Option<T>| one.map(|one| one.to_string());
            let found = Found {
                aspect,
                path: self.path(places.at),
                original: shown(original),
                other: shown(other),
                place: places.original,
                other_place: Some(places.other),
            };
            self.found.push(found);
        }
    }

    pub fn differ_in_flag(&mut self, aspect: Aspect, places: Places, original: bool, other: bool) {
        self.differ(aspect, places, Some(original), Some(other));
    }

    pub fn differ_in_text(
        &mut self,
        aspect: Aspect,
        places: Places,
        original: Option<&str>,
        other: Option<&str>,
    ) {
        let quoted = |text: &str| format!("`{}`", text.trim());
        self.differ(aspect, places, original.map(quoted), other.map(quoted));
    }

    /// Whether a type of the other side is the type of a header, whatever else uses it: headers
    /// have the attributes of SOAP.
    pub fn is_of_header(&self, other: TypeRef<'s>) -> bool {
        matches!(other, TypeRef::Declared(id) if self.headers.contains(&id))
    }

    /// Queues the types of a part of a message, and with them all types that they refer to. All
    /// types of messages are queued before the first is compared.
    pub fn types_of(
        &mut self,
        places: Places,
        original: TypeRef<'s>,
        other: TypeRef<'s>,
        within: Within,
    ) {
        if let (Within::Header, TypeRef::Declared(mut id)) = (within, other) {
            while self.headers.insert(id)
                && let Some(complex) = self.other.complex(id)
                && let Some((base, _)) = self.other.schemas.base(complex)
            {
                id = base;
            }
        }
        if self.seen.insert((original, other, within)) {
            self.open.push_back(Pair {
                places,
                original,
                other,
                within,
            });
        }
    }
}
