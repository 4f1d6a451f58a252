//! The content of complex types in one normal form, whatever groups and extensions it is written
//! with.

use std::fmt;

use svcgen_wsdl::report::DocumentSpan;
use svcgen_wsdl::schema::{
    Attribute, Complex, Content, Derivation, Element, EncodedArray, Kind, Particle, Schemas,
    SetSchema, Term, TypeRef, TypedSet, Wildcard, XML_SCHEMA,
};

/// The number of times that something may occur in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Occurs {
    pub min: u32,
    pub max: Option<u32>,
}

impl Occurs {
    pub const ONCE: Self = Self {
        min: 1,
        max: Some(1),
    };

    /// Whether an element may be left out, and whether it may occur several times.
    pub fn on_wire(self) -> (bool, bool) {
        (self.min == 0, self.max != Some(1))
    }

    fn plus(self, other: Self) -> Self {
        let max = self.max.zip(other.max);
        Self {
            min: self.min.saturating_add(other.min),
            max: max.map(|(one, other)| one.saturating_add(other)),
        }
    }

    fn times(self, within: Self) -> Self {
        let max = self.max.zip(within.max);
        Self {
            min: self.min.saturating_mul(within.min),
            max: max.map(|(outer, inner)| outer.saturating_mul(inner)),
        }
    }
}

impl fmt::Display for Occurs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.max {
            Some(max) => write!(f, "{}..{max}", self.min),
            None => write!(f, "{}..unbounded", self.min),
        }
    }
}

/// A part of the content, normalized: a sequence that occurs once is never part of a sequence, nor
/// such a choice of a choice.
#[derive(Debug)]
pub(super) struct ContentPart<'m, 's> {
    pub occurs: Occurs,
    pub what: What<'m, 's>,
    pub place: DocumentSpan,
}

#[derive(Debug)]
pub(super) enum What<'m, 's> {
    Element(&'m Element<'s>),
    Any(&'m Wildcard<'s>),
    /// The tables of a `DataSet` or a `DataTable` of .NET, with their schema; for a typed set, that
    /// schema is known.
    Tables(Option<&'m SetSchema<'s>>),
    Group(Group, Vec<ContentPart<'m, 's>>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Group {
    Sequence,
    Choice,
    All,
}

impl Group {
    /// The name in schemas.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequence => "sequence",
            Self::Choice => "choice",
            Self::All => "all",
        }
    }
}

/// Everything that a complex type allows, including what it inherits.
#[derive(Debug, Default)]
pub(super) struct Whole<'m, 's> {
    pub attributes: Vec<&'m Attribute<'s>>,
    pub any_attribute: Option<&'m Wildcard<'s>>,
    pub parts: Vec<ContentPart<'m, 's>>,
    pub text: Option<TypeRef<'s>>,
    pub array: Option<EncodedArray<'s>>,
    pub is_mixed: bool,
}

impl<'m, 's> Whole<'m, 's> {
    /// Collects what a type allows; with `own`, only what its last step of derivation adds.
    pub fn new(schemas: &'m Schemas<'s>, complex: &'m Complex<'s>, own: bool) -> Self {
        let mut chain = vec![complex];
        // Schemas without cycles have no longer chains.
        while let Some((_, next)) = schemas.base(chain[chain.len() - 1])
            && !own
            && chain.len() <= schemas.types.len()
        {
            chain.push(next);
        }
        let mut whole = Self::default();
        for complex in chain.into_iter().rev() {
            whole.add(schemas, complex);
        }
        if is_of_tables(&whole.parts) {
            whole.parts.truncate(1);
            whole.parts[0].occurs = Occurs::ONCE;
            whole.parts[0].what = What::Tables(None);
        }
        if let [part] = &mut *whole.parts
            && let What::Any(wildcard) = part.what
            && let Some(set) = schemas.sets.get(wildcard.namespaces)
        {
            part.occurs = Occurs::ONCE;
            part.what = What::Tables(match set {
                TypedSet::Known(schema) => Some(schema),
                TypedSet::Unknown(..) => None,
            });
        }
        whole
    }

    fn add(&mut self, schemas: &'m Schemas<'s>, complex: &'m Complex<'s>) {
        let is_restriction = matches!(complex.derivation, Derivation::Restriction(_));
        if is_restriction && !matches!(complex.content, Content::Simple(_)) {
            self.parts.clear();
            self.is_mixed = false;
        }
        let is_there = |one: &&Attribute<'_>| !complex.prohibited.contains(&one.name);
        self.attributes.retain(is_there);
        for attribute in &complex.attributes {
            self.attributes.retain(|one| one.name != attribute.name);
            self.attributes.push(attribute);
        }
        self.any_attribute = complex.any_attribute.as_ref().or(self.any_attribute);
        self.is_mixed |= complex.is_mixed;
        match &complex.content {
            Content::Empty => {}
            // A type with text is extended: its text is that of the base.
            Content::Simple(TypeRef::Declared(id))
                if matches!(schemas.get(*id).kind, Kind::Complex(_)) => {}
            Content::Simple(text) => self.text = Some(*text),
            Content::EncodedArray(array) => self.array = Some(*array),
            Content::Elements(particle) => {
                if let Some(part) = part(schemas, particle) {
                    push(&mut self.parts, part);
                }
            }
        }
    }

    /// Whether the content is any elements, and nothing else.
    pub fn is_any(&self) -> bool {
        matches!(
            &*self.parts,
            [ContentPart {
                what: What::Any(_),
                ..
            }]
        )
    }

    /// The type of the text if there is nothing else: in a message it cannot be distinguished from
    /// a simple type.
    pub fn only_text(&self) -> Option<TypeRef<'s>> {
        let is_alone = self.attributes.is_empty() && self.any_attribute.is_none();
        self.text.filter(|_| is_alone)
    }
}

/// Whether parts are what versions of .NET write for sets of tables: a schema and the content that
/// follows it.
fn is_of_tables(parts: &[ContentPart<'_, '_>]) -> bool {
    let is_schema = |part: &ContentPart<'_, '_>| match &part.what {
        What::Element(element) => element.name.namespace == XML_SCHEMA,
        What::Any(wildcard) => wildcard.namespaces == XML_SCHEMA,
        _ => false,
    };
    match parts {
        [
            ContentPart {
                what: What::Group(Group::Sequence, within),
                ..
            },
        ] => is_of_tables(within),
        [
            schema,
            ContentPart {
                what: What::Any(_), ..
            },
        ] => is_schema(schema),
        _ => false,
    }
}

/// Adds a part to a sequence.
fn push<'m, 's>(parts: &mut Vec<ContentPart<'m, 's>>, part: ContentPart<'m, 's>) {
    match part {
        ContentPart {
            occurs: Occurs::ONCE,
            what: What::Group(Group::Sequence, within),
            ..
        } => within.into_iter().for_each(|one| push(parts, one)),
        part => {
            // Adjacent elements of one name are combined into one that occurs as often as all of
            // them.
            if let What::Element(element) = part.what
                && let Some(last) = parts.last_mut()
                && let What::Element(before) = last.what
                && before.is_same(element)
            {
                last.occurs = last.occurs.plus(part.occurs);
                return;
            }
            parts.push(part);
        }
    }
}

/// Converts a particle; `None` if it can only be empty.
fn part<'m, 's>(
    schemas: &'m Schemas<'s>,
    particle: &'m Particle<'s>,
) -> Option<ContentPart<'m, 's>> {
    let place = particle.place;
    let mut occurs = Occurs {
        min: particle.min,
        max: particle.max,
    };
    let (group, mut parts) = match &particle.term {
        Term::Element(element) => {
            let mut members = vec![&**element];
            if element.is_reference {
                members.extend(schemas.substitutes(element.name));
            }
            if members.len() > 1 {
                members.retain(|member| !member.is_abstract);
            }
            let parts: Vec<_> = members
                .into_iter()
                .map(|member| ContentPart {
                    occurs: Occurs::ONCE,
                    what: What::Element(member),
                    place,
                })
                .collect();
            (Group::Choice, parts)
        }
        Term::Any(wildcard) => {
            let what = What::Any(wildcard);
            return Some(ContentPart {
                occurs,
                what,
                place,
            });
        }
        Term::Sequence(particles) => {
            let mut parts = Vec::new();
            let within = particles.iter().filter_map(|one| part(schemas, one));
            within.for_each(|one| push(&mut parts, one));
            (Group::Sequence, parts)
        }
        Term::All(particles) => {
            let within = particles.iter().filter_map(|one| part(schemas, one));
            (Group::All, within.collect())
        }
        Term::Choice(particles) => {
            let (parts, may_be_empty) = alternatives(schemas, particles, occurs.max);
            if may_be_empty {
                occurs.min = 0;
            }
            (Group::Choice, parts)
        }
    };
    if parts.len() <= 1 {
        let only = parts.pop()?;
        if occurs == Occurs::ONCE || only.occurs == Occurs::ONCE || only.occurs.min <= 1 {
            return Some(ContentPart {
                occurs: occurs.times(only.occurs),
                ..only
            });
        }
        parts.push(only);
    }
    if occurs.min == 0 && group != Group::Choice && parts.iter().all(may_be_left_out) {
        occurs.min = 1;
    }
    Some(ContentPart {
        occurs,
        what: What::Group(group, parts),
        place,
    })
}

/// The alternatives of a choice that may occur `max` times, and whether one of them may be left
/// out.
fn alternatives<'m, 's>(
    schemas: &'m Schemas<'s>,
    particles: &'m [Particle<'s>],
    max: Option<u32>,
) -> (Vec<ContentPart<'m, 's>>, bool) {
    let mut parts = Vec::new();
    let mut may_be_empty = false;
    for particle in particles {
        let Some(mut one) = part(schemas, particle) else {
            may_be_empty = true;
            continue;
        };
        may_be_empty |= may_be_left_out(&one);
        if one.occurs.min == 0 {
            one.occurs.min = 1;
        }
        if max.is_none() && one.occurs.min == 1 {
            one.occurs.max = Some(1);
        }
        match one {
            ContentPart {
                occurs: Occurs::ONCE,
                what: What::Group(Group::Choice, within),
                ..
            } => parts.extend(within),
            one => parts.push(one),
        }
    }
    (parts, may_be_empty)
}

fn may_be_left_out(part: &ContentPart<'_, '_>) -> bool {
    part.occurs.min == 0
        || match &part.what {
            What::Group(Group::Choice, within) => within.iter().any(may_be_left_out),
            What::Group(_, within) => within.iter().all(may_be_left_out),
            _ => false,
        }
}
