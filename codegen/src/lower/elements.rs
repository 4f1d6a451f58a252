//! Elements: the type of each, and whether what else is said about it fits.

use super::Lower;
use crate::definition::{ElementKeys, Entries, Located, NodeId, TypeOrMap};
use crate::diagnostic::Rule;
use crate::model::{
    Absence, Element, ListType, Name, RustType, SIMPLE_TYPES, SimpleType, TypeRef,
};
use crate::naming::Case;

/// A type as it is written: `T`, `T?`, `T[]`, `T?[]`, `T[]?`, `T?[]?`.
struct TypeExpression<'t> {
    name: &'t str,
    nillable_items: bool,
    list: bool,
    optional: bool,
}

impl<'t> TypeExpression<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let (text, optional) = strip_mark(text.trim());
        let (text, list) = text
            .strip_suffix("[]")
            .map_or((text, false), |text| (text, true));
        let (name, nillable_items) = if list {
            strip_mark(text)
        } else {
            (text, false)
        };
        let plain = !name.is_empty()
            && !name.contains(['?', '[', ']'])
            && !name.contains(char::is_whitespace);
        plain.then_some(Self {
            name,
            nillable_items,
            list,
            optional,
        })
    }
}

fn strip_mark(text: &str) -> (&str, bool) {
    text.strip_suffix('?')
        .map_or((text, false), |text| (text, true))
}

impl Located<TypeOrMap> {
    /// The keys of the map form; the short form is `type` alone.
    fn keys(&self) -> ElementKeys {
        match &self.value {
            TypeOrMap::Map(keys) => keys.clone(),
            TypeOrMap::Type(text) => {
                let r#type = Some(Located {
                    value: text.clone(),
                    node: self.node,
                });
                ElementKeys {
                    r#type,
                    ..ElementKeys::default()
                }
            }
        }
    }
}

impl Lower<'_> {
    /// The elements of a type or of a request wrapper, with the nodes of their names.
    pub(super) fn elements(
        &mut self,
        entries: &Entries<Located<TypeOrMap>>,
        members: &str,
    ) -> Option<Vec<(Element, NodeId)>> {
        let lowered: Vec<_> = entries
            .0
            .iter()
            .map(|(key, shape)| (self.element(key, shape), key.node))
            .collect();
        let named = lowered
            .iter()
            .filter_map(|(element, node)| Some((&element.as_ref()?.name, *node)));
        self.check_distinct(named.collect::<Vec<_>>(), members);
        lowered
            .into_iter()
            .map(|(element, node)| Some((element?, node)))
            .collect()
    }

    fn element(&mut self, key: &Located<String>, shape: &Located<TypeOrMap>) -> Option<Element> {
        let asked = shape.keys().rust;
        let name = self.name(key, asked.as_ref(), Case::Value);
        self.shaped_element(name, shape)
    }

    /// An element of a name that is known already, or known to be wrong.
    pub(super) fn shaped_element(
        &mut self,
        name: Option<Name>,
        shape: &Located<TypeOrMap>,
    ) -> Option<Element> {
        let keys = shape.keys();
        let Some(written) = &keys.r#type else {
            self.error(Rule::MissingKey, shape.node, "this has no `type`")
                .hint("write it like `{ type: string? }`");
            return None;
        };
        let Some(expression) = TypeExpression::parse(&written.value) else {
            self.error(Rule::TypeSyntax, written.node, format!("`{}` is not written like a type", written.value))
                .hint("a type is a name and suffixes: `T`, `T?` may be absent, `T[]` a list, `T?[]` with nil items, `T[]?`");
            return None;
        };
        let named = self.named_type(expression.name, written.node)?;
        let type_ref = match expression.list {
            true => self.list(&expression, named, &keys),
            false => named,
        };
        self.check_list_keys(&keys, expression.list);
        let element = Element {
            name: name?,
            documentation: keys.doc.clone(),
            absence: self.absence(&expression, &type_ref, &keys),
            secret: self.secret(&type_ref, &keys),
            type_ref,
            boxed: false,
        };
        self.check_unwrapped(&element, &keys);
        Some(element)
    }

    fn named_type(&mut self, name: &str, node: NodeId) -> Option<TypeRef> {
        if let Some(simple) = SIMPLE_TYPES.iter().find(|simple| simple.name == name) {
            return Some(TypeRef::Simple(simple));
        }
        if let Some((_, type_ref)) = self.types.get(name) {
            return Some(type_ref.clone());
        }
        let mut known: Vec<_> = self.types.keys().copied().collect();
        known.sort_unstable();
        known.extend(SIMPLE_TYPES.iter().map(|simple| simple.name));
        self.error(Rule::UnknownType, node, format!("unknown type `{name}`")).nearest(
            name,
            known,
            "define it under `types` or `enums`, or use a simple type such as `string` or `int`",
        );
        None
    }

    fn list(
        &mut self,
        expression: &TypeExpression<'_>,
        item_type: TypeRef,
        keys: &ElementKeys,
    ) -> TypeRef {
        let item = keys
            .item
            .as_ref()
            .filter(|item| self.is_xml_name(item))
            .map(|item| item.value.clone());
        TypeRef::List(Box::new(ListType {
            item: item.unwrap_or_else(|| expression.name.to_owned()),
            item_type,
            nillable_items: expression.nillable_items,
            wrapped: keys.list.is_none(),
        }))
    }

    fn check_list_keys(&mut self, keys: &ElementKeys, is_list: bool) {
        if let Some(list) = keys.list.as_ref().filter(|list| list.value != "unwrapped") {
            self.error(Rule::KeyDoesNotFit, list.node, format!("`list` cannot be `{}`", list.value))
                .hint("write `list: unwrapped` for items without an element around them, else leave it out");
        }
        let list_keys = [("item", &keys.item), ("list", &keys.list)];
        for (key, value) in list_keys
            .into_iter()
            .filter_map(|(key, value)| Some((key, value.as_ref()?)))
        {
            if !is_list {
                self.error(
                    Rule::KeyDoesNotFit,
                    value.node,
                    format!("`{key}` is for lists only"),
                )
                .hint("a list is written `T[]`");
            }
        }
    }

    fn check_unwrapped(&mut self, element: &Element, keys: &ElementKeys) {
        let (TypeRef::List(list), Some(written)) = (&element.type_ref, &keys.list) else {
            return;
        };
        if !list.wrapped && (element.absence != Absence::Required || list.nillable_items) {
            self.error(
                Rule::KeyDoesNotFit,
                written.node,
                "an unwrapped list has no absent form, and no nil items",
            )
            .hint("write its type as `T[]`; without items nothing is written");
        }
        if let Some(item) = keys.item.as_ref().filter(|_| !list.wrapped) {
            self.error(
                Rule::KeyDoesNotFit,
                item.node,
                "the items of an unwrapped list are named as the element",
            );
        }
    }

    fn absence(
        &mut self,
        expression: &TypeExpression<'_>,
        type_ref: &TypeRef,
        keys: &ElementKeys,
    ) -> Absence {
        let by_default = match type_ref {
            TypeRef::Simple(simple) if simple.by_value => Absence::Nil,
            TypeRef::Enumeration(_) => Absence::Nil,
            _ => Absence::Omitted,
        };
        let asked = keys.absent.as_ref().and_then(|absent| {
            let asked = match absent.value.as_str() {
                "omit" => Some(Absence::Omitted),
                "nil" => Some(Absence::Nil),
                _ => None,
            };
            let complaint = match asked {
                None => format!("`absent` cannot be `{}`", absent.value),
                Some(_) if !expression.optional => "what is always there has no absent form".to_owned(),
                Some(Absence::Nil) if expression.list => "an absent list is left out".to_owned(),
                Some(asked) => return Some(asked),
            };
            self.error(Rule::KeyDoesNotFit, absent.node, complaint)
                .hint("`absent: omit` or `absent: nil` says how a `T?` that is not a list is written when it is absent");
            None
        });
        match expression.optional {
            true => asked.unwrap_or(by_default),
            false => Absence::Required,
        }
    }

    fn secret(&mut self, type_ref: &TypeRef, keys: &ElementKeys) -> bool {
        let Some(secret) = keys.secret.as_ref().filter(|secret| secret.value) else {
            return false;
        };
        let fits = matches!(
            type_ref,
            TypeRef::Simple(SimpleType {
                rust: RustType::String | RustType::Bytes,
                ..
            })
        );
        if !fits {
            self.error(
                Rule::KeyDoesNotFit,
                secret.node,
                "only text and bytes can be secret",
            )
            .hint("mark the `string` or `base64Binary` elements within");
        }
        fits
    }
}
