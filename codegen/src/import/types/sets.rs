//! Types without a name that stand for XML: any, and sets of tables.

use svcgen_model::SimpleType;

use super::super::schema::{
    Complex, Content, Derivation, Kind, Particle, Term, TypeId, Wildcard, XML_SCHEMA,
};
use super::Types;

const DIFFGRAM: &str = "urn:schemas-microsoft-com:xml-diffgram-v1";

impl<'s> Types<'_, 's> {
    /// The simple type that holds any XML, if a type without a name is one.
    pub(super) fn xml_of(&self, id: TypeId) -> Option<SimpleType> {
        let one = self.schemas.get(id);
        let Kind::Complex(complex) = &one.kind else {
            return None;
        };
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

/// The particles of a type that is a sequence and nothing else.
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
        // .NET 1.x.
        Term::Element(element) => {
            element.name.namespace == XML_SCHEMA && element.name.local == "schema"
        }
        _ => false,
    }
}

fn is_any(wildcard: &Wildcard<'_>) -> bool {
    matches!(wildcard.namespaces, "##any" | "")
}
