//! The state of reading: the components read so far, and the resolution of names.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use roxmltree::Node;

use super::declarations::{Declarations, Scope, local};
use super::{
    Attribute, Element, Kind, Missing, Name, Particle, Schemas, Symbol, Type, TypeId, TypeRef,
    Wildcard, XML_SCHEMA,
};
use crate::names::builtin;
use crate::report::{DocumentSpan, Report};
use crate::rules::Rule;
use crate::xml::{documentation, elements, resolve};

/// The maximum depth of nested element groups, and of nested attribute groups.
pub(super) const MOST_NESTED: u32 = 100;

/// The maximum growth of documents, in bytes, when references to groups and elements are replaced
/// by their content.
const MOST_EXPANDED: usize = 8 << 20;

/// A type whose content is not read yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unread<'s> {
    pub id: TypeId,
    pub node: Node<'s, 's>,
    pub scope: Scope<'s>,
    pub name: Option<Name<'s>>,
    /// The type that a reference to its own name refers to.
    pub redefines: Option<TypeId>,
}

/// A named group, read or being read.
#[derive(Debug)]
pub(super) enum Group<T> {
    Open,
    Read(Rc<T>),
}

/// The content of an element group.
#[derive(Debug)]
pub(super) struct Particles<'s> {
    pub content: Option<Particle<'s>>,
    /// The approximate size in bytes at each reference.
    pub bytes: usize,
    /// The depth of groups in it.
    pub levels: u32,
}

/// The attributes of a type or an attribute group.
#[derive(Debug, Default)]
pub(super) struct Attributes<'s> {
    pub all: Vec<Attribute<'s>>,
    pub any: Option<Wildcard<'s>>,
    pub prohibited: Vec<Name<'s>>,
    /// The approximate size in bytes at each reference to the group.
    pub bytes: usize,
}

/// Reads components.
#[derive(Debug)]
pub(super) struct Reader<'r, 's> {
    pub report: &'r Report<'s>,
    pub declarations: Declarations<'s>,
    pub schemas: Schemas<'s>,
    /// Types in the order of their numbers.
    pub unread: VecDeque<Unread<'s>>,
    /// Whether each type is simple, by number.
    is_simple: Vec<bool>,
    /// The types of declarations, by the number of the declaration.
    pub type_ids: HashMap<usize, TypeId>,
    /// Groups by the number of their declaration.
    pub groups: HashMap<usize, Group<Particles<'s>>>,
    pub attribute_groups: HashMap<usize, Group<Attributes<'s>>>,
    /// Global attributes by the number of their declaration.
    pub attributes: HashMap<usize, Attribute<'s>>,
    /// Simple types that restrict the content of a complex type.
    pub restricts: Vec<(TypeId, TypeId)>,
    /// The types that are already read, by number.
    types: Vec<Option<Type<'s>>>,
    missing: HashMap<(Symbol, Name<'s>), (DocumentSpan, usize)>,
    prefixes: HashSet<(u32, &'s str)>,
    expanded: usize,
    /// The size in bytes of the elements that may substitute each head.
    heads: HashMap<Name<'s>, usize>,
}

impl<'r, 's> Reader<'r, 's> {
    pub fn new(declarations: Declarations<'s>, report: &'r Report<'s>) -> Self {
        let schemas = Schemas {
            namespaces: declarations.namespaces.clone(),
            ..Schemas::default()
        };
        Self {
            report,
            declarations,
            schemas,
            unread: VecDeque::new(),
            is_simple: Vec::new(),
            type_ids: HashMap::new(),
            groups: HashMap::new(),
            attribute_groups: HashMap::new(),
            attributes: HashMap::new(),
            restricts: Vec::new(),
            types: Vec::new(),
            missing: HashMap::new(),
            prefixes: HashSet::new(),
            expanded: 0,
            heads: HashMap::new(),
        }
    }

    /// Assigns a number to a type that is read later.
    pub fn number(
        &mut self,
        node: Node<'s, 's>,
        scope: Scope<'s>,
        name: Option<Name<'s>>,
        redefines: Option<TypeId>,
    ) -> TypeId {
        let id = self.next(local(node) == Some("simpleType"));
        self.unread.push_back(Unread {
            id,
            node,
            scope,
            name,
            redefines,
        });
        id
    }

    /// Adds a type that has no element of its own in the schema.
    pub fn add_type(&mut self, one: Type<'s>) -> TypeId {
        let id = self.next(matches!(one.kind, Kind::Simple(_)));
        self.read_type(id, one);
        id
    }

    fn next(&mut self, is_simple: bool) -> TypeId {
        let id = TypeId(u32::try_from(self.is_simple.len()).unwrap_or(u32::MAX));
        self.is_simple.push(is_simple);
        self.types.push(None);
        id
    }

    /// Stores a type that has been read.
    pub fn read_type(&mut self, id: TypeId, one: Type<'s>) {
        self.types[id.0 as usize] = Some(one);
    }

    /// Moves the types to `schemas`; by now all numbered types are read.
    pub fn finish_types(&mut self) {
        self.schemas.types = std::mem::take(&mut self.types)
            .into_iter()
            .flatten()
            .collect();
    }

    /// Whether a type is simple.
    pub fn is_simple(&self, type_ref: TypeRef<'s>) -> bool {
        match type_ref {
            TypeRef::Builtin(name) => !matches!(name, "anyType" | "Array" | "Struct"),
            TypeRef::Declared(id) => self.is_simple[id.0 as usize],
            TypeRef::Missing(_) => false,
        }
    }

    /// The type that an attribute of an element names.
    pub fn type_ref(
        &mut self,
        node: Node<'s, 's>,
        attribute: &'static str,
        scope: Scope<'s>,
    ) -> Option<TypeRef<'s>> {
        let qname = node.attribute(attribute)?;
        let place = DocumentSpan::of_attribute(scope.document, node, attribute);
        Some(self.type_of(node, qname, scope, place))
    }

    /// The type that a QName refers to.
    pub fn type_of(
        &mut self,
        node: Node<'s, 's>,
        qname: &'s str,
        scope: Scope<'s>,
        place: DocumentSpan,
    ) -> TypeRef<'s> {
        let Some(name) = self.qname(node, qname, scope, place) else {
            return TypeRef::Missing(Name {
                namespace: "",
                local: qname,
            });
        };
        self.type_of_name(name, scope, place)
    }

    /// The type that a name refers to.
    pub fn type_of_name(
        &mut self,
        name: Name<'s>,
        scope: Scope<'s>,
        place: DocumentSpan,
    ) -> TypeRef<'s> {
        if let Some(builtin) = builtin(name) {
            return TypeRef::Builtin(builtin);
        }
        // Even without a prefix or a default namespace, `string` is the one of XML Schema.
        let meant = Name {
            namespace: XML_SCHEMA,
            ..name
        };
        let meant = builtin(meant).filter(|_| name.namespace.is_empty());
        match self.find(Symbol::Type, name, scope) {
            Some(declaration) => TypeRef::Declared(self.type_ids[&declaration]),
            None if meant.is_some() => TypeRef::Builtin(meant.unwrap_or_default()),
            None => {
                self.missing(Symbol::Type, name, place);
                TypeRef::Missing(name)
            }
        }
    }

    /// The name in an attribute, and the number of the declaration that it refers to; `None` if an
    /// error was reported.
    pub fn reference(
        &mut self,
        symbol: Symbol,
        node: Node<'s, 's>,
        scope: Scope<'s>,
    ) -> (Option<Name<'s>>, Option<usize>) {
        let place = DocumentSpan::of_attribute(scope.document, node, "ref");
        let qname = node.attribute("ref").unwrap_or_default();
        let Some(name) = self.qname(node, qname, scope, place) else {
            return (None, None);
        };
        (Some(name), self.find(symbol, name, scope))
    }

    /// Resolves a QName; `None` if its prefix is not declared, which is reported.
    pub fn qname(
        &mut self,
        node: Node<'s, 's>,
        qname: &'s str,
        scope: Scope<'s>,
        place: DocumentSpan,
    ) -> Option<Name<'s>> {
        match resolve(node, qname.trim()) {
            Ok(Name {
                namespace: "",
                local,
            }) if scope.is_chameleon => Some(Name {
                namespace: scope.target,
                local,
            }),
            Ok(name) => Some(name),
            Err(prefix) => {
                if self.prefixes.insert((scope.document, prefix)) {
                    let message = format!("the prefix `{prefix}` is not declared");
                    let hint = format!("declare it: xmlns:{prefix}=\"…\"");
                    self.report.add(Rule::Wsdl, place, message, Some(&hint));
                }
                None
            }
        }
    }

    /// The declaration of a name. A name without a namespace may refer to the target namespace of
    /// the schema, as many tools resolve it.
    pub fn find(&self, symbol: Symbol, name: Name<'s>, scope: Scope<'s>) -> Option<usize> {
        let found = self.declarations.find(symbol, name);
        found.or_else(|| {
            let own = Name {
                namespace: scope.target,
                ..name
            };
            let is_bare = name.namespace.is_empty();
            is_bare.then(|| self.declarations.find(symbol, own))?
        })
    }

    /// Records that a name is not declared.
    pub fn missing(&mut self, symbol: Symbol, name: Name<'s>, place: DocumentSpan) {
        let known = self.missing.entry((symbol, name)).or_insert((place, 0));
        known.0 = known.0.min(place);
        known.1 += 1;
    }

    /// Moves the names that are not declared to `schemas`, and reports missing groups, whose
    /// references are left empty.
    pub fn finish_missing(&mut self) {
        let schemas = &mut self.schemas;
        let namespaces = schemas.namespaces.iter().copied().collect();
        let missing = self.missing.drain();
        let missing = missing.map(|((symbol, name), (place, count))| Missing {
            symbol,
            name,
            place,
            count,
        });
        let (groups, others) = missing.partition(|one: &Missing<'s>| {
            matches!(one.symbol, Symbol::Group | Symbol::AttributeGroup)
        });
        let groups: Vec<_> = groups;
        groups
            .iter()
            .for_each(|one| one.report(&namespaces, self.report));
        schemas.missing = others;
    }

    /// Whether a reference may be replaced by content of this size in bytes; reports the first that
    /// may not.
    pub fn may_expand(&mut self, bytes: usize, place: DocumentSpan) -> bool {
        let before = self.expanded;
        self.expanded = before.saturating_add(bytes);
        if before <= MOST_EXPANDED && self.expanded > MOST_EXPANDED {
            let message = "what groups and elements refer to is too large";
            let hint = "with references replaced, schemas may grow by 8 MiB: import services one by one, or give groups that stand at many places types of their own in a copy of the schema";
            self.report.add(Rule::Wsdl, place, message, Some(hint));
        }
        self.expanded <= MOST_EXPANDED
    }

    /// The approximate size in bytes of the elements that may substitute another one.
    pub fn size_of_substitutes(&mut self, head: Name<'s>) -> usize {
        let is_head = self.schemas.substitutions.contains_key(&head);
        if !is_head || self.expanded > MOST_EXPANDED {
            return 0;
        }
        if let Some(known) = self.heads.get(&head) {
            return *known;
        }
        let members = self.schemas.substitutes(head);
        let bytes = members.into_iter().map(size).sum();
        self.heads.insert(head, bytes);
        bytes
    }

    /// Whether something may be nested at this depth; reports it if not.
    pub fn may_nest(&mut self, depth: u32, node: Node<'s, 's>, scope: Scope<'s>) -> bool {
        if depth == MOST_NESTED {
            let message = format!("groups are nested more than {MOST_NESTED} deep");
            let place = DocumentSpan::of(scope.document, node);
            let hint = "give the inner ones a type of their own in a copy of the schema";
            self.report.add(Rule::Wsdl, place, message, Some(hint));
        }
        depth < MOST_NESTED
    }

    /// Reports that a group refers to itself.
    pub fn circle(&mut self, symbol: Symbol, name: Name<'s>, node: Node<'s, 's>, scope: Scope<'s>) {
        let message = format!("{} `{}` refers to itself", symbol.noun(), name.local);
        let place = DocumentSpan::of_attribute(scope.document, node, "ref");
        self.report.add(Rule::Wsdl, place, message, None);
    }
}

/// The documentation of a component.
pub(super) fn doc<'s>(node: Node<'s, 's>) -> Option<Cow<'s, str>> {
    let texts = annotations(node).filter(|child| local(*child) == Some("documentation"));
    documentation(texts)
}

/// The content of a component in other namespaces: in attributes, and in elements of `appinfo`.
pub(super) fn hints<'s>(node: Node<'s, 's>) -> Vec<(Name<'s>, &'s str)> {
    let attributes = node.attributes().filter_map(|attribute| {
        let namespace = attribute.namespace()?;
        let local = attribute.name();
        Some((Name { namespace, local }, attribute.value()))
    });
    let mut hints: Vec<_> = attributes.collect();
    let within = annotations(node).filter(|child| local(*child) == Some("appinfo"));
    for hint in within.flat_map(elements) {
        let tag = hint.tag_name();
        let name = Name {
            namespace: tag.namespace().unwrap_or_default(),
            local: tag.name(),
        };
        // `ActualType` and `EnumerationValue` have the value in an attribute, others in their text.
        let value = hint.attribute("Name").or_else(|| hint.text());
        hints.push((name, value.unwrap_or_default().trim()));
    }
    hints
}

fn annotations<'s>(node: Node<'s, 's>) -> impl Iterator<Item = Node<'s, 's>> {
    let annotations = elements(node).filter(|child| local(*child) == Some("annotation"));
    annotations.flat_map(elements)
}

/// The approximate size in bytes of an element at each reference.
pub(super) fn size(element: &Element<'_>) -> usize {
    let text = |text: Option<&str>| text.map_or(0, str::len);
    let texts = text(element.default) + text(element.fixed) + text(element.doc.as_deref());
    let hints = element.hints.iter().map(|(_, value)| value.len() + 50);
    200 + element.name.local.len() + texts + hints.sum::<usize>()
}
