//! Simple types: their facets along restrictions, enumerations, lists and unions.

use std::collections::HashSet;

use svcgen_language::definition::FacetKeys;
use svcgen_model::{Facet as FacetKind, MicrosoftType, SimpleType};
use svcgen_wsdl::report::{DocumentSpan, Loss};
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{EnumerationValue, Facet, Kind, Simple, Type, TypeId, TypeRef, Variety};

use super::super::draft::Draft;
use super::Types;
use super::facts::builtin;

/// The kind of values that a simple type has.
#[derive(Debug)]
pub(super) enum Values<'s> {
    /// Values of a simple type of the language.
    Of {
        simple: SimpleType,
        facets: Draft,
        losses: Vec<Loss>,
    },
    /// Values of several types, read as values of `simple`.
    Union {
        members: Vec<TypeRef<'s>>,
        simple: SimpleType,
        facets: Draft,
        place: DocumentSpan,
        losses: Vec<Loss>,
    },
    /// Values of the enumeration that this type defines.
    Enumeration { id: TypeId, losses: Vec<Loss> },
    /// Several values, separated by blanks.
    List {
        item: TypeRef<'s>,
        place: DocumentSpan,
        losses: Vec<Loss>,
    },
}

/// The maximum number of derivation steps of a simple type.
const MOST_STEPS: usize = 256;

impl<'m, 's> Types<'m, 's> {
    /// Follows the derivation of a simple type to the kind of its values.
    pub(super) fn values_of(&self, id: TypeId) -> Values<'s> {
        let mut next = id;
        let mut facets: Vec<(&'m Facet<'s>, usize)> = Vec::new();
        for step in 0..MOST_STEPS {
            let one = self.schemas.get(next);
            let Kind::Simple(simple) = &one.kind else {
                break;
            };
            if let Some(simple) = microsoft(one) {
                return self.restricted(simple, &facets, one.place).of(simple);
            }
            facets.extend(simple.facets.iter().map(|facet| (facet, step)));
            let is_flags = self.flags_of(simple).is_some();
            if !simple.values.is_empty() || is_flags {
                return self.enumerated(next, simple, is_flags, &facets);
            }
            match &simple.variety {
                Variety::Restriction(TypeRef::Declared(base)) => next = *base,
                Variety::Restriction(TypeRef::Builtin(local)) => {
                    let known = builtin(local).filter(|simple| !simple.is_xml());
                    let simple = known.unwrap_or(SimpleType::String);
                    let mut values = self.restricted(simple, &facets, one.place);
                    if known.is_none() && *local != "anySimpleType" {
                        let message =
                            format!("any text is allowed: `{local}` is not a simple type");
                        values.losses.push((Rule::Loosened, one.place, message));
                    }
                    return values.of(simple);
                }
                // The missing type is already reported.
                Variety::Restriction(TypeRef::Missing(_)) => {
                    return Restricted::default().of(SimpleType::String);
                }
                Variety::List(item) => {
                    return Values::List {
                        item: *item,
                        place: one.place,
                        losses: left_out(
                            facets.iter().map(|(facet, _)| *facet),
                            "a list of values",
                        ),
                    };
                }
                Variety::Union(members) => return self.union_of(members, &facets, one.place),
            }
        }
        let message = format!(
            "any text is allowed: the type is derived from a type of XML Schema in more than {MOST_STEPS} steps; derive it in fewer"
        );
        Values::Of {
            simple: SimpleType::String,
            facets: Draft::flow_map(),
            losses: vec![(Rule::Loosened, self.schemas.get(id).place, message)],
        }
    }

    /// The values that a type lists.
    fn enumerated(
        &self,
        id: TypeId,
        simple: &Simple<'s>,
        is_flags: bool,
        facets: &[(&'m Facet<'s>, usize)],
    ) -> Values<'s> {
        let base = self.base_of(id);
        if !is_flags && !base.has_texts() {
            // Different texts may be one value: they may differ in prefix, letter case or blanks.
            let message = format!(
                "any value of `{}` is allowed, and the schema lists them",
                base.name()
            );
            return Values::Of {
                simple: base,
                facets: Draft::flow_map(),
                losses: vec![(Rule::Loosened, self.schemas.get(id).place, message)],
            };
        }
        let facets = facets.iter().map(|(facet, _)| *facet);
        let unmet = facets.filter(|facet| !is_met(facet, &simple.values));
        Values::Enumeration {
            id,
            losses: left_out(unmet, "an enumeration"),
        }
    }

    /// The values of a union, of whose facets only patterns are kept.
    fn union_of(
        &self,
        members: &[TypeRef<'s>],
        facets: &[(&'m Facet<'s>, usize)],
        place: DocumentSpan,
    ) -> Values<'s> {
        let simple = self.widest(members);
        let (patterns, others): (Vec<_>, Vec<_>) =
            (facets.iter().copied()).partition(|(facet, _)| facet.name == "pattern");
        let mut values = self.restricted(simple, &patterns, place);
        let others = others.into_iter().map(|(facet, _)| facet);
        values.losses.extend(left_out(others, "a union"));
        Values::Union {
            members: self.schemas.members_of_union(members).unwrap_or_default(),
            simple,
            facets: values.facets,
            place,
            losses: values.losses,
        }
    }

    /// The single flags of a set, if a type is a list of an enumeration without a name, as .NET
    /// writes `[Flags]`.
    pub(super) fn flags_of(&self, simple: &Simple<'s>) -> Option<&'m Simple<'s>> {
        let Variety::List(TypeRef::Declared(item)) = simple.variety else {
            return None;
        };
        let one = self.schemas.get(item);
        let Kind::Simple(item) = &one.kind else {
            return None;
        };
        let is_text = matches!(
            item.variety,
            Variety::Restriction(TypeRef::Builtin("string"))
        );
        (one.name.is_none() && is_text && !item.values.is_empty()).then_some(item)
    }

    /// Whether an enumeration is a set of flags.
    pub(super) fn is_flags(&self, id: TypeId) -> bool {
        match &self.schemas.get(id).kind {
            Kind::Simple(simple) => self.flags_of(simple).is_some(),
            Kind::Complex(_) => false,
        }
    }

    /// The simple type that reads the values of all members of a union.
    fn widest(&self, members: &[TypeRef<'s>]) -> SimpleType {
        let mut types = members.iter().map(|member| match member {
            TypeRef::Builtin(local) => builtin(local).filter(|one| !one.is_xml()),
            TypeRef::Declared(id) => self.restricted_by(*id),
            TypeRef::Missing(_) => None,
        });
        let first = types.next().flatten();
        match first {
            Some(first) if types.all(|one| one == Some(first)) => first,
            _ => SimpleType::String,
        }
    }

    /// The simple type that another one restricts, if that is not a union or list.
    fn restricted_by(&self, id: TypeId) -> Option<SimpleType> {
        let mut next = id;
        for _ in 0..MOST_STEPS {
            let one = self.schemas.get(next);
            let Kind::Simple(simple) = &one.kind else {
                return None;
            };
            if let Some(simple) = microsoft(one) {
                return Some(simple);
            }
            match &simple.variety {
                Variety::Restriction(TypeRef::Declared(base)) => next = *base,
                Variety::Restriction(TypeRef::Builtin(local)) => {
                    return builtin(local).filter(|one| !one.is_xml());
                }
                _ => return None,
            }
        }
        None
    }

    /// The name that .NET gives list items of a simple type.
    pub(super) fn name_of_values(&self, id: TypeId) -> Option<String> {
        match self.values_of(id) {
            Values::Of { simple, .. } | Values::Union { simple, .. } => {
                Some(simple.name().to_owned())
            }
            Values::Enumeration { id, .. } => {
                let name = self.schemas.get(id).name;
                name.map(|name| name.local.to_owned())
            }
            Values::List { .. } => None,
        }
    }

    /// Whether values of a type are lists, separated by blanks.
    pub(super) fn is_texts(&self, type_ref: TypeRef<'s>) -> bool {
        match type_ref {
            TypeRef::Declared(id) if matches!(self.schemas.get(id).kind, Kind::Simple(_)) => {
                matches!(self.values_of(id), Values::List { .. })
            }
            _ => false,
        }
    }

    /// The simple type that the texts of an enumeration belong to.
    pub(super) fn base_of(&self, id: TypeId) -> SimpleType {
        self.restricted_by(id).unwrap_or(SimpleType::String)
    }

    /// The value of the key `base` of an enumeration: the simple type, if all values are texts of
    /// it.
    pub(super) fn said_base(&self, id: TypeId) -> SimpleType {
        let base = self.base_of(id);
        let is_base = match &self.schemas.get(id).kind {
            Kind::Simple(simple) if self.flags_of(simple).is_none() => {
                simple.values.iter().all(|value| base.is_value(value.text))
            }
            _ => false,
        };
        if is_base { base } else { SimpleType::String }
    }

    /// A simple type with facets, those of the last restriction first.
    fn restricted(
        &self,
        simple: SimpleType,
        facets: &[(&'m Facet<'s>, usize)],
        place: DocumentSpan,
    ) -> Restricted {
        let mut losses = Vec::new();
        let mut kept: Vec<(FacetKind, String)> = Vec::new();
        let mut steps: Vec<(FacetKind, usize)> = Vec::new();
        for (facet, step) in facets {
            let known = FacetKeys::OF_FACETS.map(|(known, _)| known);
            let Some(known) = known.iter().find(|known| known.name() == facet.name) else {
                let name = facet.name;
                let message = format!("`{name}` is left out: it is not a facet of XML Schema 1.0");
                losses.push((Rule::Loosened, facet.place, message));
                continue;
            };
            let is_pattern = *known == FacetKind::Pattern;
            let mut same = steps.iter().rev().filter(|(other, _)| other == known);
            if let Some((_, earlier)) = same.next() {
                if is_pattern && earlier == step {
                    // A value must match one of the patterns of a step (XML Schema 1.0 part 2
                    // §4.3.4.3).
                    let mut patterns = kept.iter_mut().rev();
                    if let Some((_, text)) = patterns.find(|(other, _)| other == known) {
                        *text = format!("{text}|{}", facet.value);
                    }
                    continue;
                }
                // A value must match the patterns of all steps; of other facets the last step
                // counts.
                if !is_pattern {
                    continue;
                }
            }
            steps.push((*known, *step));
            if is_implied(*known, facet.value, simple) {
                continue;
            }
            if !known.fits(simple) || !known.is_value(facet.value, simple) {
                let message = format!(
                    "`{}` with the value `{}` is left out: it does not fit `{}`",
                    facet.name,
                    facet.value,
                    simple.name()
                );
                losses.push((Rule::Loosened, facet.place, message));
                continue;
            }
            kept.push((*known, facet.value.to_owned()));
        }
        drop_unmeetable(&mut kept, simple, place, &mut losses);
        Restricted {
            facets: keys_of(&kept),
            losses,
        }
    }
}

/// Drops limits that no value can meet, and those that a stricter limit makes redundant.
fn drop_unmeetable(
    kept: &mut Vec<(FacetKind, String)>,
    simple: SimpleType,
    place: DocumentSpan,
    losses: &mut Vec<Loss>,
) {
    for [low, high] in FacetKind::ORDERED {
        let text = |wanted| kept.iter().find(|(known, _)| *known == wanted);
        let (Some((_, least)), Some((_, most))) = (text(low), text(high)) else {
            continue;
        };
        if low.is_above(least, most, simple) {
            let message = format!(
                "`{}` {least} and `{}` {most} are left out: no value meets both",
                low.name(),
                high.name()
            );
            losses.push((Rule::Loosened, place, message));
            kept.retain(|(known, _)| *known != low && *known != high);
        }
    }
    let has = |wanted| kept.iter().any(|(known, _)| *known == wanted);
    let second = FacetKind::EXCLUSIVE.into_iter();
    let second = second.filter(|[one, other]| has(*one) && has(*other));
    let second: Vec<_> = second.map(|[_, other]| other).collect();
    kept.retain(|(known, _)| !second.contains(known));
}

/// The key `facets`.
fn keys_of(kept: &[(FacetKind, String)]) -> Draft {
    let mut draft = Draft::flow_map();
    for (known, key) in FacetKeys::OF_FACETS {
        let texts = kept.iter().rev().filter(|(other, _)| *other == known);
        let mut texts: Vec<_> = texts.map(|(_, text)| text.as_str()).collect();
        let mut seen = HashSet::new();
        texts.retain(|text| seen.insert(*text));
        match texts[..] {
            [] => {}
            [text] => draft.push(key, text),
            _ => {
                let mut list = Draft::list(texts.into_iter().map(Draft::from));
                list.flow = true;
                draft.push(key, list);
            }
        }
    }
    draft
}

/// Reports facets that are left out.
fn left_out<'f>(facets: impl Iterator<Item = &'f Facet<'f>>, of: &str) -> Vec<Loss> {
    let losses = facets.map(|facet| {
        let message = format!("`{}` of {of} is left out", facet.name);
        (Rule::Loosened, facet.place, message)
    });
    losses.collect()
}

/// A simple type with its facets.
#[derive(Default)]
struct Restricted {
    facets: Draft,
    losses: Vec<Loss>,
}

impl Restricted {
    fn of<'s>(self, simple: SimpleType) -> Values<'s> {
        let Self { facets, losses } = self;
        Values::Of {
            simple,
            facets,
            losses,
        }
    }
}

/// Whether all values of an enumeration meet a facet.
fn is_met(facet: &Facet<'_>, values: &[EnumerationValue<'_>]) -> bool {
    let Ok(limit) = facet.value.parse::<usize>() else {
        return facet.name == "whiteSpace";
    };
    let mut lengths = values.iter().map(|value| value.text.chars().count());
    match facet.name {
        "length" => lengths.all(|length| length == limit),
        "minLength" => lengths.all(|length| length >= limit),
        "maxLength" => lengths.all(|length| length <= limit),
        _ => facet.name == "whiteSpace",
    }
}

/// Whether the type itself already implies a facet.
fn is_implied(facet: FacetKind, value: &str, simple: SimpleType) -> bool {
    match facet {
        FacetKind::WhiteSpace => {
            value == "collapse"
                && !matches!(simple, SimpleType::String | SimpleType::NormalizedString)
        }
        FacetKind::FractionDigits => value == "0" && simple.is_integer(),
        FacetKind::MinLength => value == "0",
        _ => false,
    }
}

/// A type that .NET adds to those of XML Schema.
fn microsoft(one: &Type<'_>) -> Option<SimpleType> {
    let name = one
        .name
        .filter(|name| name.namespace == MicrosoftType::NAMESPACE)?;
    let simple = SimpleType::of_name(name.local)?;
    simple.row().microsoft.map(|_| simple)
}
