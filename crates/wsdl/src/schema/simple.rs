//! Simple types.

use roxmltree::Node;

use super::declarations::{Scope, declared_elements, local, unknown};
use super::reader::{Reader, Unread, doc, hints};
use super::{EnumerationValue, Facet, Simple, TypeRef, Variety};
use crate::report::DocumentSpan;
use crate::rules::Rule;

const ANY_SIMPLE: TypeRef<'static> = TypeRef::Builtin("anySimpleType");

impl<'s> Reader<'_, 's> {
    /// Reads a simple type.
    pub fn simple(&mut self, unread: &Unread<'s>) -> Simple<'s> {
        let scope = unread.scope;
        let mut simple = Simple {
            variety: Variety::Restriction(ANY_SIMPLE),
            facets: Vec::new(),
            values: Vec::new(),
        };
        for node in declared_elements(unread.node) {
            match local(node) {
                Some("restriction") => {
                    let base = self.simple_base(node, unread);
                    simple.variety = Variety::Restriction(base);
                    (simple.facets, simple.values) = self.facets(node, scope);
                }
                Some("list") => {
                    let item = self.type_ref(node, "itemType", scope);
                    let item = item.or_else(|| self.inline_simple(node, scope).next());
                    let item = item.unwrap_or_else(|| self.any_text(node, scope));
                    simple.variety = Variety::List(item);
                }
                Some("union") => {
                    let names = node.attribute("memberTypes").unwrap_or_default();
                    let place = DocumentSpan::of_attribute(scope.document, node, "memberTypes");
                    let names = names.split_ascii_whitespace();
                    let mut members: Vec<_> = names
                        .map(|name| self.type_of(node, name, scope, place))
                        .collect();
                    members.extend(self.inline_simple(node, scope));
                    simple.variety = Variety::Union(members);
                }
                _ => unknown(node, scope, self.report),
            }
        }
        simple
    }

    /// The type that `restriction` or `extension` names as its base, or contains.
    fn simple_base(&mut self, node: Node<'s, 's>, unread: &Unread<'s>) -> TypeRef<'s> {
        let inline = self.inline_simple(node, unread.scope).next();
        let base = inline.or_else(|| self.base(node, unread));
        base.unwrap_or_else(|| self.any_text(node, unread.scope))
    }

    /// The type of any text, where the type of values is not stated.
    fn any_text(&self, node: Node<'s, 's>, scope: Scope<'s>) -> TypeRef<'s> {
        let place = DocumentSpan::of(scope.document, node);
        let message = "nothing says of which type the values are";
        let hint = "any text is taken";
        self.report.add(Rule::LeftOut, place, message, Some(hint));
        ANY_SIMPLE
    }

    /// The type that `base` names; within a redefinition, its own name means the redefined type.
    pub fn base(&mut self, node: Node<'s, 's>, unread: &Unread<'s>) -> Option<TypeRef<'s>> {
        let base = self.type_ref(node, "base", unread.scope)?;
        match unread.redefines {
            Some(before) if base == TypeRef::Declared(unread.id) => Some(TypeRef::Declared(before)),
            _ => Some(base),
        }
    }

    /// The simple types within an element.
    pub fn inline_simple(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
    ) -> impl Iterator<Item = TypeRef<'s>> {
        let types = declared_elements(node).filter(|child| local(*child) == Some("simpleType"));
        types.map(move |child| TypeRef::Declared(self.number(child, scope, None, None)))
    }

    /// Reads the facets and the enumeration values of a restriction.
    pub fn facets(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
    ) -> (Vec<Facet<'s>>, Vec<EnumerationValue<'s>>) {
        let (mut facets, mut values) = (Vec::new(), Vec::new());
        for node in declared_elements(node) {
            let place = DocumentSpan::of(scope.document, node);
            let value = node.attribute("value");
            match (local(node), value) {
                (Some("enumeration"), Some(text)) => {
                    let hints = hints(node);
                    let number = hints.iter().find(|(name, _)| name.local == "EnumerationValue");
                    let number = number.and_then(|(_, value)| {
                        let number = value.parse().ok();
                        if number.is_none() {
                            let message = format!("the `EnumerationValue` of `{text}` is left out: `{value}` is not a number");
                            self.report.add(Rule::LeftOut, place, message, None);
                        }
                        number
                    });
                    values.push(EnumerationValue {
                        text,
                        doc: doc(node),
                        number,
                        place,
                    });
                }
                (
                    Some(
                        name @ ("length" | "minLength" | "maxLength" | "pattern" | "whiteSpace"
                        | "minInclusive" | "maxInclusive" | "minExclusive" | "maxExclusive"
                        | "totalDigits" | "fractionDigits"
                        // From the drafts.
                        | "precision" | "scale" | "encoding"),
                    ),
                    Some(value),
                ) => {
                    let name = match name {
                        "precision" => "totalDigits",
                        "scale" => "fractionDigits",
                        name => name,
                    };
                    facets.push(Facet { name, value, place });
                }
                (Some(name @ ("enumeration" | "pattern" | "length" | "minLength" | "maxLength")), None) => {
                    let message = format!("`{name}` has no `value`");
                    self.report.add(Rule::LeftOut, place, message, Some("it is ignored"));
                }
                // In complex types with simple content these are read elsewhere.
                (Some("simpleType" | "attribute" | "attributeGroup" | "anyAttribute"), _) => {}
                _ => unknown(node, scope, self.report),
            }
        }
        (facets, values)
    }
}
