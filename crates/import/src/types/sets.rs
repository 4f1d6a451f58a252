//! Types without a name that represent XML: any XML, and sets of tables.

use svcgen_model::SimpleType;
use svcgen_wsdl::report::Loss;
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{
    Complex, Content, Derivation, Kind, Particle, SetSchema, Term, TypeId, TypedSet, Wildcard,
    XML_SCHEMA,
};

use super::names::pascal;
use super::values::{Value, What};
use super::{Holder, Types};

const DIFFGRAM: &str = "urn:schemas-microsoft-com:xml-diffgram-v1";

impl<'m, 's> Types<'m, 's> {
    /// The typed set of tables that a type without a name represents: a wildcard for the namespace
    /// of its schema. Its values are like those of other sets, whatever the wildcard allows.
    pub(super) fn set_of(&self, id: TypeId) -> Option<&'m TypedSet<'s>> {
        let schemas: &'m _ = self.schemas;
        let one = schemas.get(id);
        let Kind::Complex(complex) = &one.kind else {
            return None;
        };
        match sequence(complex)? {
            [
                Particle {
                    term: Term::Any(wildcard),
                    ..
                },
            ] if one.name.is_none() => schemas.sets.get(wildcard.namespaces),
            _ => None,
        }
    }

    /// The loss where a schema restricts the number of elements of any XML: only one element and
    /// any number of them can be expressed.
    pub(super) fn number_of_any(&self, id: TypeId) -> Option<Loss> {
        let Kind::Complex(complex) = &self.schemas.get(id).kind else {
            return None;
        };
        let [only] = sequence(complex)? else {
            return None;
        };
        let (min, max) = (only.min, only.max);
        if matches!((min, max), (1, Some(1)) | (0, None)) {
            return None;
        }
        let most = max.map_or("any number of".to_owned(), |max| max.to_string());
        let number = if max == Some(min) {
            most
        } else {
            format!("{min} to {most}")
        };
        let mut message = format!("any XML is read, and the schema has {number} elements");
        if (min, max) == (2, Some(2)) {
            message += ", as .NET says of a set of tables: write `dataSet?` if it is one";
        }
        Some((Rule::Loosened, only.place, message))
    }

    /// A value that is a typed set.
    pub(super) fn set(&mut self, id: TypeId, set: &'m TypedSet<'s>, holder: &Holder<'s>) -> Value {
        let schema = match set {
            TypedSet::Known(schema) => schema,
            TypedSet::Unknown(place, why, hint) => {
                let message = format!("the tables of this set are not said: {why}");
                // Some references to it cannot carry this message.
                self.report
                    .add(Rule::Loosened, *place, &*message, Some(hint));
                let mut value = Value::simple(SimpleType::DataSet);
                value.losses.push((Rule::Loosened, *place, message));
                return value;
            }
        };
        let (id, _) = self.name_of_set(id, schema);
        Value {
            name: self.refer(id, holder, schema.name),
            what: What::Complex(id),
            is_by_value: false,
            ..Value::simple(SimpleType::DataSet)
        }
    }

    /// The type that represents a set, and its name on the wire: the name of the set, unless
    /// another type has it.
    pub(super) fn name_of_set(&mut self, id: TypeId, set: &'m SetSchema<'s>) -> (TypeId, String) {
        let id = *self.sets.entry(&set.file).or_insert(id);
        let key = self.names.of_anonymous(id, "", set.name);
        let is_own = key == pascal(set.name);
        (id, if is_own { set.name.to_owned() } else { key })
    }

    /// The simple type for any XML, if a type without a name is that.
    pub(super) fn xml_of(&self, id: TypeId) -> Option<SimpleType> {
        let one = self.schemas.get(id);
        let Kind::Complex(complex) = &one.kind else {
            return None;
        };
        match self.set_of(id) {
            Some(TypedSet::Known(_)) => return None,
            Some(TypedSet::Unknown(..)) => return Some(SimpleType::DataSet),
            None => {}
        }
        let particles = sequence(complex)?;
        match particles {
            [schema, rows] if is_schema(schema) => {
                let is_table = match &rows.term {
                    Term::Any(rows) if rows.namespaces == DIFFGRAM => {
                        schema.max.is_none() && schema.min == 0
                    }
                    Term::Any(_) => false,
                    _ => return None,
                };
                Some(if is_table {
                    SimpleType::DataTable
                } else {
                    SimpleType::DataSet
                })
            }
            [only] if one.name.is_none() => {
                let Term::Any(wildcard) = &only.term else {
                    return None;
                };
                is_any(wildcard).then_some(SimpleType::Any)
            }
            _ => None,
        }
    }
}

/// The particles of a type whose only content is a sequence.
fn sequence<'c, 's>(complex: &'c Complex<'s>) -> Option<&'c [Particle<'s>]> {
    let is_plain = complex.derivation == Derivation::None
        && !complex.is_abstract
        && complex.attributes.is_empty()
        && complex.any_attribute.is_none();
    match &complex.content {
        Content::Elements(Particle {
            term: Term::Sequence(all),
            ..
        }) if is_plain => Some(all),
        _ => None,
    }
}

/// Whether a particle is the schema of a set of tables.
fn is_schema(particle: &Particle<'_>) -> bool {
    match &particle.term {
        Term::Any(wildcard) => wildcard.namespaces == XML_SCHEMA,
        // As .NET 1.x writes it.
        Term::Element(element) => {
            element.name.namespace == XML_SCHEMA && element.name.local == "schema"
        }
        _ => false,
    }
}

fn is_any(wildcard: &Wildcard<'_>) -> bool {
    matches!(wildcard.namespaces, "##any" | "")
}
