//! Types that are lists: `ArrayOfX` → `X[]`, where the generator would write the same type for
//! that.

use svcgen_model::{SimpleType, array_name};
use svcgen_wsdl::report::{DocumentSpan, Loss};
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{
    Complex, Content, Derivation, Element, EncodedArray, Kind, Name, Particle, Term, TypeId,
    TypeRef, TypedSet,
};

use super::super::draft::Draft;
use super::values::Value;
use super::{Holder, Types};

/// A list with an element around its items, in a type expression.
#[derive(Debug)]
pub(super) struct List {
    /// The expression: `string?[]`.
    pub expression: String,
    /// The value of the key `item`.
    pub item: Option<Draft>,
    pub min: u32,
    pub max: Option<u32>,
    pub facets: Draft,
    pub losses: Vec<Loss>,
}

impl List {
    /// Whether the expression alone describes the list.
    pub fn is_plain(&self) -> bool {
        self.item.is_none()
            && self.min == 0
            && self.max.is_none()
            && self.facets.entries().is_empty()
            && self.losses.is_empty()
    }
}

/// The element of a type whose only content is a list.
#[derive(Clone, Copy)]
pub(super) struct Items<'m, 's> {
    /// The type's own name.
    name: Option<Name<'s>>,
    element: &'m Element<'s>,
    min: u32,
    max: Option<u32>,
}

impl Items<'_, '_> {
    /// `?` if items may be nil.
    fn mark(&self) -> &'static str {
        if self.element.is_nillable { "?" } else { "" }
    }
}

impl<'m, 's> Types<'m, 's> {
    /// The items of a list, if a type contains nothing else.
    pub(super) fn list_in(&self, id: TypeId) -> Option<Items<'m, 's>> {
        let schemas: &'m _ = self.schemas;
        let one = schemas.get(id);
        let Kind::Complex(complex) = &one.kind else {
            return None;
        };
        let is_plain = complex.derivation == Derivation::None
            && !complex.is_abstract
            && !complex.is_mixed
            && complex.attributes.is_empty()
            && complex.any_attribute.is_none();
        if !is_plain || !self.schemas.derived(id).is_empty() {
            return None;
        }
        let particle = only_particle(complex)?;
        let Term::Element(element) = &particle.term else {
            return None;
        };
        let is_item = particle.max != Some(1)
            && particle.max != Some(0)
            && element.default.is_none()
            && element.fixed.is_none()
            && !self.is_head(element);
        is_item.then_some(Items {
            name: one.name,
            element,
            min: particle.min,
            max: particle.max,
        })
    }

    /// A list with an element around its items that `holder` declares; `None` if the type of the
    /// list must be written.
    pub(super) fn list(
        &mut self,
        type_ref: TypeRef<'s>,
        holder: &Holder<'s>,
        name: &str,
        place: DocumentSpan,
    ) -> Option<List> {
        if let Some(list) = self.encoded_list(type_ref, holder, name, place) {
            return Some(list);
        }
        let TypeRef::Declared(id) = type_ref else {
            return None;
        };
        let outer = self.list_in(id)?;
        let namespace = outer.name.map_or(holder.namespace, |name| name.namespace);
        let item = outer.element.name;
        // The namespace of the items is that of the list, or another one that also contains the
        // type.
        let expected = if holder.is_qualified {
            holder.namespace
        } else {
            ""
        };
        let namespace = match outer.name {
            None if item.namespace != expected => item.namespace,
            _ => namespace,
        };
        let other = if namespace == holder.namespace {
            if item.namespace != expected {
                return None;
            }
            None
        } else if item.namespace.is_empty() {
            return None;
        } else if item.namespace == namespace {
            Some(namespace)
        } else {
            return None;
        };
        let inner = match outer.element.type_ref {
            TypeRef::Declared(id) => self.list_in(id),
            _ => None,
        };
        if let Some(inner) = inner {
            return match other {
                None => self.list_of_lists(&outer, &inner, namespace, holder, name),
                Some(_) => None,
            };
        }
        let (value, default) = self.item(&outer, holder, name)?;
        let mut keys = Draft::flow_map();
        if item.local != default {
            keys.set("name", item.local);
        }
        if let Some(other) = other {
            keys.set_some("namespace", self.names.short(other));
        }
        Some(List {
            expression: format!("{}{}[]", value.name, outer.mark()),
            item: (!keys.entries().is_empty()).then(|| keys.short("name")),
            min: outer.min,
            max: outer.max,
            facets: value.facets,
            losses: value.losses,
        })
    }

    /// A list whose items are lists in `namespace`.
    fn list_of_lists(
        &mut self,
        outer: &Items<'m, 's>,
        inner: &Items<'m, 's>,
        namespace: &str,
        holder: &Holder<'s>,
        name: &str,
    ) -> Option<List> {
        let item = outer.element.name;
        let is_same = inner.name.is_none_or(|name| name.namespace == namespace)
            && inner.element.name.namespace == item.namespace;
        let is_plain = (outer.min, outer.max) == (0, None) && (inner.min, inner.max) == (0, None);
        if !is_same || !is_plain {
            return None;
        }
        let type_name = inner.name.unwrap_or(item).local;
        self.is_named(outer.name, type_name)?;
        let (value, default) = self.item(inner, holder, name)?;
        // These are the numbers of ASMX; others may number differently.
        let is_numbered = type_name.ends_with(|c: char| c.is_ascii_digit());
        let is_default =
            item.local == type_name && inner.name.is_some() && (!is_numbered || self.is_like_asmx);
        let innermost = inner.element.name.local;
        let names = match (is_default, innermost == default) {
            (true, true) => None,
            (true, false) => Some(Draft::from(innermost)),
            (false, _) => Some(Draft::list([item.local.into(), innermost.into()])),
        };
        Some(List {
            expression: format!("{}{}[]{}[]", value.name, inner.mark(), outer.mark()),
            item: names,
            min: 0,
            max: None,
            facets: value.facets,
            losses: value.losses,
        })
    }

    /// The type of items and their default name; `None` if the type of their list would have
    /// another name.
    fn item(
        &mut self,
        items: &Items<'m, 's>,
        holder: &Holder<'s>,
        name: &str,
    ) -> Option<(Value, String)> {
        let type_ref = items.element.type_ref;
        // Must come before the type is referred to.
        let wire = match type_ref {
            TypeRef::Declared(id) => match (&self.schemas.get(id).kind, self.xml_of(id)) {
                (_, Some(SimpleType::Any)) if items.element.name.local == "XmlNode" => {
                    Some("XmlNode".to_owned())
                }
                (_, Some(simple)) => Some(simple.item_name().to_owned()),
                (Kind::Complex(_), None) => match self.set_of(id) {
                    Some(TypedSet::Known(set)) => Some(self.name_of_set(id, set).1),
                    _ => self.schemas.get(id).name.map(|name| name.local.to_owned()),
                },
                (Kind::Simple(_), None) => self.name_of_values(id),
            },
            TypeRef::Builtin(local) => Some(super::facts::builtin(local)?.name().to_owned()),
            TypeRef::Missing(_) => None,
        };
        if let Some(wire) = &wire {
            self.is_named(items.name, wire)?;
        } else if items.name.is_some() {
            return None;
        }
        if self.is_texts(type_ref) {
            return None;
        }
        let value = self.value(type_ref, holder, name, items.element.place);
        let default = match value.as_simple() {
            Some(simple) => simple.item_name().to_owned(),
            None => wire.unwrap_or_else(|| value.name.clone()),
        };
        Some((value, default))
    }

    /// Returns `Some` if the type of a list of `item` would have this name, or if it has no name.
    fn is_named(&self, name: Option<Name<'s>>, item: &str) -> Option<()> {
        let Some(name) = name else { return Some(()) };
        let rest = name.local.strip_prefix(&array_name(item))?;
        rest.chars().all(|c| c.is_ascii_digit()).then_some(())
    }

    /// An array of the SOAP encoding, whose type has no name on the wire.
    fn encoded_list(
        &mut self,
        type_ref: TypeRef<'s>,
        holder: &Holder<'s>,
        name: &str,
        place: DocumentSpan,
    ) -> Option<List> {
        let outer = self.schemas.array(type_ref)?;
        let inner = self.schemas.array(outer.item);
        let innermost = inner.unwrap_or(outer);
        let place = match type_ref {
            TypeRef::Declared(id) => self.schemas.get(id).place,
            _ => place,
        };
        let any = |message| List {
            expression: SimpleType::Any.name().to_owned(),
            item: None,
            min: 0,
            max: None,
            facets: Draft::flow_map(),
            losses: vec![(Rule::AsAny, place, message)],
        };
        let ranks = outer.ranks.max(innermost.ranks);
        if ranks > 1 {
            let message =
                format!("this is an array of {ranks} dimensions, which no definition has");
            return Some(any(message));
        }
        if !self.is_encoded {
            let message = "this is an array of the SOAP encoding in a literal message: its items are XML of any kind";
            return Some(any(message.to_owned()));
        }
        if inner.is_some_and(|inner| self.schemas.array(inner.item).is_some()) {
            return None;
        }
        let mut value = self.value(innermost.item, holder, name, place);
        let is_counted = |array: EncodedArray<'_>| (array.min, array.max) != (0, None);
        if inner.is_some_and(is_counted) || is_counted(outer) {
            let message = "the schema says how many items this array has: any number is read";
            value
                .losses
                .push((Rule::Loosened, place, message.to_owned()));
        }
        let nullable = if value.is_by_value { "" } else { "?" };
        let around = if inner.is_some() { "?[]" } else { "" };
        Some(List {
            expression: format!("{}{nullable}[]{around}", value.name),
            item: None,
            min: 0,
            max: None,
            facets: value.facets,
            losses: value.losses,
        })
    }
}

/// The only particle of a sequence or a choice.
fn only_particle<'c, 's>(complex: &'c Complex<'s>) -> Option<&'c Particle<'s>> {
    let Content::Elements(particle) = &complex.content else {
        return None;
    };
    match &particle.term {
        Term::Sequence(all) if (particle.min, particle.max) == (1, Some(1)) => match &all[..] {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}
