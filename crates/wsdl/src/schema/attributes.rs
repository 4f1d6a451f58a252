//! Attributes and attribute groups.

use std::collections::HashSet;
use std::rc::Rc;

use roxmltree::Node;

use super::declarations::{Scope, declared_elements, local};
use super::particles::wildcard;
use super::reader::{Attributes, Group, Reader, doc};
use super::{Attribute, Name, Symbol, TypeRef};
use crate::names::is_soap_encoding;
use crate::report::DocumentSpan;
use crate::rules::Rule;

const ANY_SIMPLE: TypeRef<'static> = TypeRef::Builtin("anySimpleType");

impl<'s> Reader<'_, 's> {
    /// Reads the attributes that an element declares: a type, a derivation, or an attribute group.
    pub fn attributes(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
        own: Option<usize>,
        depth: u32,
    ) -> Attributes<'s> {
        let mut attributes = Attributes::default();
        let mut names = HashSet::new();
        for child in declared_elements(node) {
            match local(child) {
                Some("attribute") => {
                    let Some(attribute) = self.attribute(child, scope) else {
                        continue;
                    };
                    if child.attribute("use").map(str::trim) == Some("prohibited") {
                        attributes.prohibited.push(attribute.name);
                    } else if names.insert(attribute.name) {
                        attributes.all.push(attribute);
                    } else {
                        let message =
                            format!("attribute `{}` is there twice", attribute.name.local);
                        self.report.add(Rule::Wsdl, attribute.place, message, None);
                    }
                }
                Some("attributeGroup") => {
                    let Some(group) = self.attribute_group(child, scope, own, depth) else {
                        continue;
                    };
                    let all = group.all.iter();
                    attributes
                        .all
                        .extend(all.filter(|one| names.insert(one.name)).cloned());
                    attributes.any = attributes.any.or_else(|| group.any.clone());
                }
                Some("anyAttribute") => {
                    let place = DocumentSpan::of(scope.document, child);
                    attributes.any = Some(wildcard(child, place));
                }
                _ => {}
            }
        }
        attributes.bytes = attributes.all.iter().map(size).sum();
        attributes
    }

    /// Reads the attribute group that an element refers to.
    fn attribute_group(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
        own: Option<usize>,
        depth: u32,
    ) -> Option<Rc<Attributes<'s>>> {
        let place = DocumentSpan::of_attribute(scope.document, node, "ref");
        let (name, found) = self.reference(Symbol::AttributeGroup, node, scope);
        let name = name?;
        if is_soap_encoding(name.namespace) {
            return None;
        }
        let Some(found) = found else {
            self.missing(Symbol::AttributeGroup, name, place);
            return None;
        };
        let before = self.declarations.all[found].redefines;
        let found = before.filter(|_| own == Some(found)).unwrap_or(found);
        let group = match self.attribute_groups.get(&found) {
            Some(Group::Open) => {
                self.circle(Symbol::AttributeGroup, name, node, scope);
                return None;
            }
            Some(Group::Read(group)) => Rc::clone(group),
            None => {
                if !self.may_nest(depth, node, scope) {
                    return None;
                }
                self.attribute_groups.insert(found, Group::Open);
                let declared = self.declarations.all[found];
                let group = self.attributes(declared.node, declared.scope, Some(found), depth + 1);
                let group = Rc::new(group);
                self.attribute_groups
                    .insert(found, Group::Read(Rc::clone(&group)));
                group
            }
        };
        self.may_expand(group.bytes, place).then_some(group)
    }

    /// Reads an attribute, or a reference to a global one.
    fn attribute(&mut self, node: Node<'s, 's>, scope: Scope<'s>) -> Option<Attribute<'s>> {
        if !node.has_attribute("ref") {
            let is_qualified = match node.attribute("form").map(str::trim) {
                Some(form) => form == "qualified",
                None => scope.has_qualified_attributes,
            };
            let namespace = if is_qualified { scope.target } else { "" };
            return self.declared_attribute(node, scope, namespace);
        }
        let place = DocumentSpan::of_attribute(scope.document, node, "ref");
        let (name, found) = self.reference(Symbol::Attribute, node, scope);
        let name = name?;
        // `arrayType` is read with the type; the others are in every encoded message.
        if is_soap_encoding(name.namespace) {
            return None;
        }
        let known = found.and_then(|found| self.attributes.get(&found));
        let (name, type_ref, default, fixed, text) = match known {
            Some(known) => {
                let known = known.clone();
                if !self.may_expand(size(&known), place) {
                    return None;
                }
                let Attribute {
                    name,
                    type_ref,
                    default,
                    fixed,
                    doc,
                    ..
                } = known;
                (name, type_ref, default, fixed, doc)
            }
            None => {
                self.missing(Symbol::Attribute, name, place);
                let type_ref = TypeRef::Missing(name);
                (name, type_ref, None, None, None)
            }
        };
        Some(Attribute {
            name,
            type_ref,
            is_required: is_required(node),
            default: node.attribute("default").or(default),
            fixed: node.attribute("fixed").or(fixed),
            doc: doc(node).or(text),
            place: DocumentSpan::of(scope.document, node),
        })
    }

    /// Reads an attribute that is declared here.
    pub fn declared_attribute(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
        namespace: &'s str,
    ) -> Option<Attribute<'s>> {
        let place = DocumentSpan::of(scope.document, node);
        let Some(local) = node.attribute("name").map(str::trim) else {
            let message = "this attribute has no `name`";
            self.report.add(Rule::Wsdl, place, message, None);
            return None;
        };
        let named = self.type_ref(node, "type", scope);
        let type_ref = named.or_else(|| self.inline_simple(node, scope).next());
        Some(Attribute {
            name: Name { namespace, local },
            type_ref: type_ref.unwrap_or(ANY_SIMPLE),
            is_required: is_required(node),
            default: node.attribute("default"),
            fixed: node.attribute("fixed"),
            doc: doc(node),
            place,
        })
    }
}

fn is_required(node: Node<'_, '_>) -> bool {
    node.attribute("use").map(str::trim) == Some("required")
}

/// The approximate size in bytes of an attribute at each reference.
fn size(attribute: &Attribute<'_>) -> usize {
    let text = |text: Option<&str>| text.map_or(0, str::len);
    let texts = text(attribute.default) + text(attribute.fixed) + text(attribute.doc.as_deref());
    150 + attribute.name.local.len() + texts
}
