//! Complex types.

use roxmltree::Node;

use super::declarations::{Scope, declared_elements, local, unknown};
use super::particles::{is_particle, is_true};
use super::reader::{Attributes, Reader, Unread};
use super::{
    Complex, Content, Derivation, EncodedArray, Kind, Name, Particle, Simple, Symbol, Term, Type,
    TypeId, TypeRef, Variety,
};
use crate::WSDL;
use crate::names::builtin;
use crate::report::DocumentSpan;
use crate::rules::Rule;
use crate::xml::resolve;

const ANY: TypeRef<'static> = TypeRef::Builtin("anyType");

impl<'s> Reader<'_, 's> {
    /// Reads a complex type.
    pub fn complex(&mut self, unread: &Unread<'s>) -> Complex<'s> {
        let (node, scope) = (unread.node, unread.scope);
        let within = declared_elements(node)
            .find(|child| matches!(local(*child), Some("simpleContent" | "complexContent")));
        let mut complex = match within {
            Some(within) => self.derived(within, unread),
            None => self.defined(node, scope, Derivation::None),
        };
        complex.is_abstract = is_true(node, "abstract");
        // For text in a type that extends another one, .NET writes `mixed="true"` on the type, but
        // `mixed="false"` on the content.
        complex.is_mixed =
            is_true(node, "mixed") || within.is_some_and(|within| is_true(within, "mixed"));
        complex
    }

    /// Creates a type from the particles and attributes of a node.
    fn defined(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
        derivation: Derivation<'s>,
    ) -> Complex<'s> {
        let mut content = None;
        for child in declared_elements(node).filter(|child| !is_of_attributes(*child)) {
            if !is_particle(child) {
                unknown(child, scope, self.report);
            } else if content.is_some() {
                let message = "a type has one group of elements";
                let place = DocumentSpan::of(scope.document, child);
                let hint = "the first one is imported";
                self.report.add(Rule::LeftOut, place, message, Some(hint));
            } else {
                let particle = self.particle(child, scope, None, 0);
                let elements = particle.map(|one| Content::Elements(group(one)));
                content = Some(elements.unwrap_or(Content::Empty));
            }
        }
        let attributes = self.attributes(node, scope, None, 0);
        with_attributes(attributes, derivation, content.unwrap_or(Content::Empty))
    }

    /// Reads a derived type: the content of `simpleContent` or `complexContent`.
    fn derived(&mut self, within: Node<'s, 's>, unread: &Unread<'s>) -> Complex<'s> {
        let scope = unread.scope;
        let derivation = declared_elements(within)
            .find(|child| matches!(local(*child), Some("extension" | "restriction")));
        let Some(node) = derivation else {
            let place = DocumentSpan::of(scope.document, within);
            let message = "this content is neither an extension nor a restriction";
            self.report.add(Rule::Wsdl, place, message, None);
            return with_attributes(Attributes::default(), Derivation::None, Content::Empty);
        };
        let base = self.base(node, unread).unwrap_or_else(|| {
            let place = DocumentSpan::of(scope.document, node);
            let message = "nothing says which type this is derived from";
            self.report.add(
                Rule::LeftOut,
                place,
                message,
                Some("it is taken as a type of its own"),
            );
            ANY
        });
        let is_restriction = local(node) == Some("restriction");
        if base == TypeRef::Builtin("Array") {
            let attributes = self.attributes(node, scope, None, 0);
            let content = self.encoded_array(node, scope);
            return with_attributes(attributes, Derivation::None, content);
        }
        if local(within) == Some("simpleContent") && !is_restriction {
            declared_elements(node)
                .filter(|child| !is_of_attributes(*child))
                .for_each(|child| unknown(child, scope, self.report));
        }
        if self.is_simple(base) {
            let attributes = self.attributes(node, scope, None, 0);
            let content = if is_restriction {
                self.restricted(node, unread, base)
            } else {
                base
            };
            return with_attributes(attributes, Derivation::None, Content::Simple(content));
        }
        let derivation = match base {
            TypeRef::Builtin(_) => Derivation::None,
            base if is_restriction => Derivation::Restriction(base),
            base => Derivation::Extension(base),
        };
        if local(within) == Some("complexContent") {
            return self.defined(node, scope, derivation);
        }
        let attributes = self.attributes(node, scope, None, 0);
        let content = if is_restriction {
            Content::Simple(self.restricted(node, unread, base))
        } else {
            Content::Empty
        };
        with_attributes(attributes, derivation, content)
    }

    /// Creates the simple type of a restriction of simple content.
    fn restricted(
        &mut self,
        node: Node<'s, 's>,
        unread: &Unread<'s>,
        base: TypeRef<'s>,
    ) -> TypeRef<'s> {
        let inline = self.inline_simple(node, unread.scope).next();
        let (facets, values) = self.facets(node, unread.scope);
        let kind = Kind::Simple(Simple {
            variety: Variety::Restriction(inline.unwrap_or(base)),
            facets,
            values,
        });
        let id = self.made(node, unread.scope, kind);
        if let (None, TypeRef::Declared(base)) = (inline, base) {
            self.restricts.push((id, base));
        }
        TypeRef::Declared(id)
    }

    /// Adds a type that has no element of its own in the schema.
    fn made(&mut self, node: Node<'s, 's>, scope: Scope<'s>, kind: Kind<'s>) -> TypeId {
        self.add_type(Type {
            name: None,
            place: DocumentSpan::of(scope.document, node),
            doc: None,
            hints: Vec::new(),
            kind,
        })
    }

    /// Reads an array of the SOAP encoding: its item type is that of `wsdl:arrayType`, or else of
    /// the element in it.
    fn encoded_array(&mut self, node: Node<'s, 's>, scope: Scope<'s>) -> Content<'s> {
        let attributes = declared_elements(node).filter(|one| local(*one) == Some("attribute"));
        let written = attributes
            .filter_map(|one| Some((one, one.attribute((WSDL, "arrayType"))?)))
            .next();
        let Some((attribute, text)) = written else {
            let elements = declared_elements(node).find(|child| is_particle(*child));
            let particle = elements.and_then(|child| self.particle(child, scope, None, 0));
            // Items of several elements have no common type.
            let array = particle.map(group).and_then(|one| match one.term {
                Term::Sequence(within) => match &within[..] {
                    [
                        Particle {
                            term: Term::Element(item),
                            min,
                            max,
                            ..
                        },
                    ] => Some(EncodedArray {
                        item: item.type_ref,
                        ranks: 1,
                        min: *min,
                        max: *max,
                    }),
                    _ => None,
                },
                _ => None,
            });
            return Content::EncodedArray(array.unwrap_or(EncodedArray::ANY));
        };
        let place = DocumentSpan::of(scope.document, attribute);
        let (qname, mut brackets) = text.split_at(text.find('[').unwrap_or(text.len()));
        let mut array = EncodedArray {
            item: self.type_of_items(attribute, qname, scope, place),
            ..EncodedArray::ANY
        };
        let mut count = 0;
        while let Some((dimensions, rest)) = brackets
            .strip_prefix('[')
            .and_then(|one| one.split_once(']'))
        {
            if !self.may_nest(count, attribute, scope) {
                break;
            }
            if count > 0 {
                let kind = Kind::Complex(with_attributes(
                    Attributes::default(),
                    Derivation::None,
                    Content::EncodedArray(array),
                ));
                array.item = TypeRef::Declared(self.made(attribute, scope, kind));
            }
            // `[5]` is an array of five items.
            let size = dimensions.trim().parse().ok();
            array.ranks = u32::try_from(dimensions.matches(',').count() + 1).unwrap_or(u32::MAX);
            (array.min, array.max) = (size.unwrap_or(0), size);
            count += 1;
            brackets = rest.trim_start();
        }
        if count == 0 || !brackets.is_empty() {
            let message = format!("`{text}` is not an array type, which is written `t:Item[]`");
            let hint = format!("it is taken as an array of `{}`", qname.trim());
            self.report.add(Rule::LeftOut, place, message, Some(&hint));
        }
        Content::EncodedArray(array)
    }

    /// The type that `wsdl:arrayType` names. A name without a prefix may belong to the schema that
    /// contains it, or to XML Schema, whatever the default namespace is.
    fn type_of_items(
        &mut self,
        node: Node<'s, 's>,
        qname: &'s str,
        scope: Scope<'s>,
        place: DocumentSpan,
    ) -> TypeRef<'s> {
        let local = qname.trim();
        let is_known = |name: Name<'s>| {
            builtin(name).is_some() || self.find(Symbol::Type, name, scope).is_some()
        };
        let bare = Name {
            namespace: "",
            local,
        };
        if !local.contains(':') && resolve(node, local).is_ok_and(|name| !is_known(name)) {
            return self.type_of_name(bare, scope, place);
        }
        self.type_of(node, qname, scope, place)
    }
}

/// Whether an element in a type declares attributes.
fn is_of_attributes<'s>(node: Node<'s, 's>) -> bool {
    matches!(
        local(node),
        Some("attribute" | "attributeGroup" | "anyAttribute" | "assert")
    )
}

/// Wraps a particle in a group, as content of a type is a group.
fn group<'s>(particle: Particle<'s>) -> Particle<'s> {
    match particle.term {
        Term::Element(_) | Term::Any(_) => Particle {
            min: 1,
            max: Some(1),
            doc: None,
            place: particle.place,
            term: Term::Sequence(vec![particle]),
        },
        _ => particle,
    }
}

fn with_attributes<'s>(
    attributes: Attributes<'s>,
    derivation: Derivation<'s>,
    content: Content<'s>,
) -> Complex<'s> {
    Complex {
        derivation,
        is_abstract: false,
        is_mixed: false,
        attributes: attributes.all,
        prohibited: attributes.prohibited,
        any_attribute: attributes.any,
        content,
    }
}
