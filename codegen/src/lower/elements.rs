//! Elements: their types, and whether their other keys fit.

use svcgen_language::definition::{ElementKeys, Entries, ItemNames, Located, NodeId, Shape};
use svcgen_language::naming::{self, Case};
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::context::{Context, Pass};
use super::names::{is_true, is_xml_name, members, wire_name, word};
use super::type_expressions::{TypeExpression, refuse_name, type_expression};
use crate::model::{
    Absence, DictionaryType, Element, GroupKind, ListForm, ListType, Name, OBJECT_TYPES, RustType,
    SimpleType, TypeRef,
};

/// The struct whose fields the elements become.
#[derive(Clone, Copy)]
pub(super) struct Owner<'o> {
    /// The name of the type, or of the operation whose parameters it holds.
    pub xml: &'o str,
    /// `None` if its name is wrong.
    pub rust: Option<&'o str>,
    /// Whether it is a choice or a sequence.
    pub is_nested: bool,
}

impl Pass<'_, '_> {
    /// Refuses keys that do not fit here.
    pub(super) fn refuse_keys(
        &mut self,
        keys: &ElementKeys,
        refused: &[&str],
        why: &str,
        hint: Option<&str>,
    ) {
        self.refuse_where(keys, |key| refused.contains(&key), why, hint);
    }

    /// Refuses all keys but those that fit here, `rust` and `doc`.
    pub(super) fn refuse_other_keys(
        &mut self,
        keys: &ElementKeys,
        fitting: &[&str],
        why: &str,
        hint: &str,
    ) {
        self.refuse_where(keys, |key| !fitting.contains(&key), why, Some(hint));
    }

    fn refuse_where(
        &mut self,
        keys: &ElementKeys,
        is_refused: impl Fn(&str) -> bool,
        why: &str,
        hint: Option<&str>,
    ) {
        for (key, node) in keys.nodes() {
            if let Some(node) = node.filter(|_| is_refused(key)) {
                let message = format!("`{key}` {why}");
                let pending = self.sink.add(Rule::KeyDoesNotFit, node, message);
                hint.map(|hint| pending.hint(hint));
            }
        }
    }

    /// The elements of a type or of a request wrapper; `kind` is the word for them in messages.
    pub(super) fn elements(
        &mut self,
        entries: &Entries<Located<Shape>>,
        kind: &str,
        owner: Owner<'_>,
    ) -> Option<Vec<Element>> {
        let lowered = entries.0.iter();
        let lowered = lowered.map(|(key, shape)| (self.element(key, shape, owner), key.node));
        let lowered = lowered.collect();
        let whose = format!("{kind} of `{}`", owner.xml);
        members(lowered, &whose, |element| &element.name, self.sink)
    }

    fn element(
        &mut self,
        key: &Located<String>,
        shape: &Located<Shape>,
        owner: Owner<'_>,
    ) -> Option<Element> {
        let keys = shape.keys();
        let name = wire_name(key, [&keys.name, &keys.rust], Case::Value, self.sink);
        if let Some(choice) = &keys.choice {
            return self.group(key, GroupKind::Choice, choice, &keys, name?, owner);
        }
        if let Some(sequence) = &keys.sequence {
            return self.group(key, GroupKind::Sequence, sequence, &keys, name?, owner);
        }
        self.refuse_keys(&keys, &["head"], "is for choices only", None);
        let hint = Some("a type that may be absent is written `T?`");
        let why = "is for choices and sequences only";
        self.refuse_keys(&keys, &["optional"], why, hint);
        if let Some(any) = &keys.any {
            return match any.value.as_str() {
                "text" => self.characters(name?, any, &keys, false),
                _ => self.wildcard(name?, any, &keys),
            };
        }
        self.typed_element(name, shape.node, &keys)
    }

    /// Lowers an element whose name is lowered already; `None` if it is wrong. `no_default` is the
    /// reason why it may have no default.
    pub(super) fn shaped_element(
        &mut self,
        name: Option<Name>,
        shape: &Located<Shape>,
        no_default: Option<&str>,
    ) -> Option<Element> {
        let keys = shape.keys();
        let why = "is for elements of types, parameters and `results`";
        let others = ["choice", "sequence", "head", "optional", "net", "any"];
        self.refuse_keys(&keys, &others, why, None);
        if no_default.is_some() {
            self.refuse_keys(&keys, &["default", "fixed"], why, no_default);
        }
        self.typed_element(name, shape.node, &keys)
    }

    pub(super) fn typed_element(
        &mut self,
        name: Option<Name>,
        node: NodeId,
        keys: &ElementKeys,
    ) -> Option<Element> {
        let Some(written) = &keys.r#type else {
            // A wildcard that does not fit is refused already.
            if keys.any.is_none() {
                self.sink
                    .add(Rule::MissingKey, node, "this has no `type`")
                    .hint("write it like `{ type: \"string?\" }`");
            }
            return None;
        };
        let why = "is for wildcards only";
        self.refuse_keys(keys, &["namespaces"], why, Some("write `any: elements`"));
        let expression = type_expression(written, self.context, self.sink)?;
        let named = self.named_type(expression.name, written)?;
        let named = self.rust_type(named, keys);
        let type_ref = match expression.lists() {
            _ if expression.is_dictionary => TypeRef::Dictionary(Box::new(DictionaryType {
                value_type: named,
                nullable_values: expression.optional[0],
            })),
            0 => named,
            _ => self.list(&expression, named, keys),
        };
        self.check_list_keys(keys, expression.lists());
        let (facets, union) = self.facets(&type_ref, keys);
        let element = Element {
            name: name?,
            documentation: keys.doc.clone(),
            absence: self.absence(&expression, &type_ref, keys),
            secret: self.secret(&type_ref, keys),
            soap_attributes: false,
            net: net(keys.net.as_ref(), self.sink),
            occurs: self.occurs(&type_ref, keys),
            facets,
            union,
            type_ref,
            form: self.form(keys),
            boxed: false,
            wildcard: None,
            characters: false,
            constraint: None,
        };
        self.check_unwrapped(&element, keys);
        let constraint = self.value_constraint(&element, keys);
        Some(Element {
            constraint,
            ..element
        })
    }

    /// The type that an expression names.
    fn named_type(&mut self, name: &str, written: &Located<String>) -> Option<TypeRef> {
        if let Some(simple) = SimpleType::of_name(name) {
            let definition = self.context.definition;
            let has_types = definition.names_of_types().next().is_some();
            if simple == SimpleType::AnyType && has_types && !self.items.has_objects {
                self.items.has_objects = true;
                let what = "the types of objects".to_owned();
                self.claim(OBJECT_TYPES, written.node, what);
            }
            return Some(TypeRef::Simple(simple));
        }
        let context = self.context;
        if let Some((_, type_ref)) = context.types.get(name) {
            self.import(name, written.node);
            return Some(type_ref.clone());
        }
        if !context.included.may_have(name) {
            refuse_name(name, written, context, self.sink);
        }
        None
    }

    /// The type with the Rust type of the definition, else of the option `extern_path`, which does
    /// not apply to secrets.
    pub(super) fn rust_type(&mut self, type_ref: TypeRef, keys: &ElementKeys) -> TypeRef {
        let asked = keys.rust_type.as_ref();
        let TypeRef::Simple(simple) = type_ref else {
            if let Some(asked) = asked {
                let message = "only simple types can be kept in a Rust type of your own";
                self.sink.add(Rule::KeyDoesNotFit, asked.node, message);
            }
            return type_ref;
        };
        if let Some(asked) = asked.filter(|asked| !naming::is_rust_type(&asked.value)) {
            refuse_rust_type(asked, self.sink);
        }
        let option = self.context.options.extern_path(simple.name());
        let option = option.filter(|_| !is_true(&keys.secret));
        match asked.map(|asked| asked.value.as_str()).or(option) {
            Some(path) => TypeRef::Custom(simple, path.to_owned()),
            None => type_ref,
        }
    }

    /// An attribute, or the text of a type.
    pub(super) fn simple_element(
        &mut self,
        name: Option<Name>,
        shape_node: NodeId,
        keys: &ElementKeys,
        what: &str,
    ) -> Option<Element> {
        let why = "is for elements, and for text that is `any`";
        self.refuse_keys(keys, &["min", "max"], why, None);
        let keys = ElementKeys {
            min: None,
            max: None,
            ..keys.clone()
        };
        let mut element = self.typed_element(name, shape_node, &keys)?;
        let is_text = |simple: SimpleType| match simple {
            SimpleType::Any => what == "text",
            simple => !simple.is_xml(),
        };
        let is_enumeration = matches!(element.type_ref, TypeRef::Enumeration(_));
        let is_texts =
            matches!(&element.type_ref, TypeRef::List(list) if list.form == ListForm::Text);
        if !is_enumeration && !is_texts && !element.type_ref.simple().is_some_and(is_text) {
            let node = keys.r#type.map_or(shape_node, |written| written.node);
            let message = format!("{what} is of a simple type or an enumeration");
            self.sink
                .add(Rule::KeyDoesNotFit, node, message)
                .hint("objects and lists are elements: put it under `elements`, or write `list: text` for values divided by blanks");
            return None;
        }
        if element.absence != Absence::Required {
            element.absence = Absence::Omitted;
        }
        Some(element)
    }

    fn list(
        &mut self,
        expression: &TypeExpression<'_>,
        named: TypeRef,
        keys: &ElementKeys,
    ) -> TypeRef {
        let mut items = self.item_names(keys).into_iter();
        let item_form = self.item_form(keys);
        let form = self.list_form(keys.list.as_ref());
        let mut type_ref = named;
        for nillable_items in expression.optional[..expression.lists()].iter().copied() {
            type_ref = TypeRef::List(Box::new(ListType {
                item: items.next().unwrap_or_else(|| match type_ref {
                    // The number of the name depends on the service.
                    TypeRef::List(_) => String::new(),
                    _ => self.context.item_name(&type_ref),
                }),
                by_type: false,
                item_form: item_form.clone(),
                item_type: type_ref,
                nillable_items,
                form,
            }));
        }
        type_ref
    }

    /// The names of items in the definition, the innermost first.
    fn item_names(&mut self, keys: &ElementKeys) -> Vec<String> {
        let Some(written) = &keys.item else {
            return Vec::new();
        };
        let names = match &written.value {
            ItemNames::Innermost(name) => vec![Located {
                value: name.clone(),
                node: written.node,
            }],
            ItemNames::Each(names) => names.iter().rev().cloned().collect(),
            ItemNames::Keys(keys) => keys.name.iter().cloned().collect(),
        };
        let names = names.into_iter();
        let names = names.filter(|name| is_xml_name(name, self.sink));
        names.map(|name| name.value).collect()
    }

    fn check_list_keys(&mut self, keys: &ElementKeys, lists: usize) {
        if lists == 0 {
            let hint = Some("a list is written `T[]`");
            let others = ["item", "list", "min", "max"];
            // An element with a default may always be present.
            let has_default = keys.default.is_some();
            let refused = |key: &str| others.contains(&key) && !(has_default && key == "min");
            self.refuse_where(keys, refused, "is for lists only", hint);
        }
        if let Some(list) = keys.list.as_ref().filter(|_| lists > 1) {
            let message = "a list of lists is neither unwrapped, a collection nor a text";
            self.sink.add(Rule::KeyDoesNotFit, list.node, message);
        }
        if let Some(Located {
            value: ItemNames::Each(names),
            node,
        }) = &keys.item
            && lists > 0
            && names.len() != lists
        {
            let levels = names.len();
            let message = format!("`item` names {levels} levels of lists, and there are {lists}");
            self.sink.add(Rule::KeyDoesNotFit, *node, message)
                .hint("name each level, the outer one first: `item: [row, cell]`; or the innermost alone: `item: cell`");
        }
    }

    pub(super) fn list_form(&mut self, list: Option<&Located<String>>) -> ListForm {
        let words = [
            ("unwrapped", ListForm::Unwrapped),
            ("collection", ListForm::Collection),
            ("text", ListForm::Text),
        ];
        let hint = "write `list: unwrapped` for items without an element around them, `list: collection` for a `List<T>`, `list: text` for values divided by blanks, else leave it out";
        match list {
            Some(_) => word("list", list, &words, hint, self.sink),
            None => ListForm::Wrapped,
        }
    }

    fn check_unwrapped(&mut self, element: &Element, keys: &ElementKeys) {
        let (TypeRef::List(list), Some(written)) = (&element.type_ref, &keys.list) else {
            return;
        };
        if list.form == ListForm::Text {
            let is_value = match &list.item_type {
                TypeRef::Enumeration(id) => !self.context.is_flags(*id),
                item => item
                    .simple()
                    .is_some_and(|one| !one.is_xml() && one != SimpleType::QName),
            };
            if !is_value || list.nillable_items {
                let message =
                    "values in a text are of a simple type or an enumeration, and never nil";
                (self.sink.add(Rule::KeyDoesNotFit, written.node, message))
                    .hint("not of `any`, `QName` and flags, whose texts hold blanks or prefixes");
            }
        } else if element.absence != Absence::Required {
            let message = match list.form {
                ListForm::Unwrapped => "an unwrapped list has no absent form",
                _ => "a collection is never absent: it is empty",
            };
            self.sink
                .add(Rule::KeyDoesNotFit, written.node, message)
                .hint("write its type as `T[]`");
        }
        if let Some(item) = keys.item.as_ref().filter(|_| !list.is_wrapped()) {
            let message = "the items of an unwrapped list are named as the element";
            self.sink.add(Rule::KeyDoesNotFit, item.node, message);
        }
    }

    fn absence(
        &mut self,
        expression: &TypeExpression<'_>,
        type_ref: &TypeRef,
        keys: &ElementKeys,
    ) -> Absence {
        let by_default = if self.context.is_by_value(type_ref) {
            Absence::Nil
        } else {
            Absence::Omitted
        };
        if expression.is_left_out {
            let written = keys.r#type.as_ref();
            if let Some(absent) = &keys.absent {
                let message = "`optional` says already that an absent value is left out";
                (self.sink.add(Rule::KeyDoesNotFit, absent.node, message))
                    .hint("leave out one of the two");
            } else if let Some(written) = written.filter(|_| by_default == Absence::Omitted) {
                let name = expression.name;
                let message = format!("`{name}?` is left out in any case if it is absent");
                (self.sink.add(Rule::KeyDoesNotFit, written.node, message))
                    .fix(&written.value, format!("{name}?"))
                    .hint("`optional` is for types whose `T?` is nil: numbers, booleans, enumerations and types `by_value`");
            }
            return Absence::Omitted;
        }
        let asked = keys.absent.as_ref().and_then(|absent| {
            let asked = match absent.value.as_str() {
                "omit" => Some(Absence::Omitted),
                "nil" => Some(Absence::Nil),
                "either" => Some(Absence::Either),
                _ => None,
            };
            let complaint = match asked {
                None => format!("`absent` cannot be `{absent}`"),
                Some(_) if !expression.is_optional() => "what is always there has no absent form".to_owned(),
                Some(asked) => return Some(asked),
            };
            self.sink.add(Rule::KeyDoesNotFit, absent.node, complaint)
                .hint("`absent` says how a `T?` is written when it is absent: `omit`, `nil` or `either`");
            None
        });
        if expression.is_optional() {
            asked.unwrap_or(by_default)
        } else {
            Absence::Required
        }
    }

    fn secret(&mut self, type_ref: &TypeRef, keys: &ElementKeys) -> bool {
        let Some(secret) = keys.secret.as_ref().filter(|secret| secret.value) else {
            return false;
        };
        let is_secret =
            |simple: &SimpleType| matches!(simple.row().rust, RustType::String | RustType::Bytes);
        let fits = matches!(type_ref, TypeRef::Simple(simple) if is_secret(simple));
        if !fits {
            let message = "only text and bytes can be secret";
            (self.sink.add(Rule::KeyDoesNotFit, secret.node, message))
                .hint("mark the `string` or `base64Binary` elements within");
        }
        fits
    }
}

/// The name in .NET code.
pub(super) fn net(asked: Option<&Located<String>>, sink: &mut Sink) -> Option<String> {
    let asked = asked.filter(|asked| is_xml_name(asked, sink))?;
    Some(asked.value.clone())
}

/// The path of the Rust type for a type or an enumeration: that of the option `extern_path`, else
/// of the definition.
pub(super) fn extern_path(
    key: &Located<String>,
    asked: Option<&Located<String>>,
    pass: &mut Pass<'_, '_>,
) -> Option<String> {
    let path = pass.context.options.extern_path(&key.value);
    if let Some(path) = path.filter(|path| naming::is_rust_path(path)) {
        return Some(path.to_owned());
    }
    let asked = asked?;
    if !naming::is_rust_path(&asked.value) {
        refuse_rust_type(asked, pass.sink);
    }
    Some(asked.value.clone())
}

fn refuse_rust_type(asked: &Located<String>, sink: &mut Sink) {
    let message = format!("`{asked}` is not the path of a Rust type");
    sink.add(Rule::RustName, asked.node, message)
        .hint("it is written like `crate::money::Amount`, as seen from the emitted module");
}

/// Checks that the types of the option `extern_path` exist, and that its paths can be imported.
pub(super) fn check_extern_paths(context: &Context<'_>, sink: &mut Sink) {
    for setting in &context.options.extern_path.0 {
        let (name, path) = (setting.pattern.as_str(), &setting.value);
        let is_simple = SimpleType::of_name(name).is_some();
        if !is_simple && !context.types.contains_key(name) {
            let message = format!("the option `extern_path`: there is no type `{name}`");
            let hint = "it is for the `types` and `enums` of the definition, and for simple types";
            sink.add(Rule::OptionMatchesNothing, setting.span.clone(), message)
                .nearest(name, context.known_types(), hint);
        } else if !is_simple && path.contains('<') {
            let message = format!(
                "the option `extern_path`: `{path}` for `{name}` is not a path that can be imported"
            );
            sink.add(Rule::OptionValue, setting.span.clone(), message)
                .hint("give a type with arguments a name of its own: `type Name = …;`");
        }
    }
}
