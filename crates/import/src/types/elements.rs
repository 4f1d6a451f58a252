//! Elements and attributes with their types.

use svcgen_model::SimpleType;
use svcgen_wsdl::report::DocumentSpan;
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{Attribute, Element, Kind, Name, TypeId, TypeRef};

use super::super::draft::Draft;
use super::values::{Value, What};
use super::{Holder, Types, doc};

/// The position of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// In a type or in the element of a message.
    Member,
    /// In a choice: it is present if it is chosen.
    Alternative,
    /// In the Body, or a part in rpc style.
    Part,
}

/// The keys of an element that depend on its type.
struct Typed {
    /// The expression without the last `?`.
    expression: String,
    /// Whether an absent value is nil by default.
    is_by_value: bool,
    item: Option<Draft>,
    list: Option<&'static str>,
    min: u32,
    max: Option<u32>,
    facets: Draft,
    /// The type, if a value is a single text.
    one: Option<Value>,
}

impl<'s> Types<'_, 's> {
    /// An element as the value of an entry of `elements`, `parameters` or `results`.
    pub(super) fn typed(
        &mut self,
        element: &Element<'s>,
        min: u32,
        max: Option<u32>,
        holder: &Holder<'s>,
    ) -> Draft {
        self.element_of(element, (min, max), holder, Role::Member)
    }

    /// A part of a message. No WSDL states whether it may be absent.
    pub(super) fn typed_part(&mut self, element: &Element<'s>, holder: &Holder<'s>) -> Draft {
        self.element_of(element, (1, Some(1)), holder, Role::Part)
    }

    /// An alternative of a choice, which is present if it is chosen.
    pub(super) fn alternative(
        &mut self,
        element: &Element<'s>,
        min: u32,
        max: Option<u32>,
        holder: &Holder<'s>,
    ) -> Draft {
        self.element_of(element, (min, max), holder, Role::Alternative)
    }

    fn element_of(
        &mut self,
        element: &Element<'s>,
        (min, max): (u32, Option<u32>),
        holder: &Holder<'s>,
        role: Role,
    ) -> Draft {
        let mut draft = Draft::flow_map().at(element.place);
        let is_alternative = role == Role::Alternative;
        let is_list = max != Some(1);
        let mut min = min;
        if let (TypeRef::Declared(held), Some(id)) = (element.type_ref, holder.id)
            && min > 0
            && !element.is_nillable
            && !is_alternative
            && !is_list
            && self.facts.is_endless(id, held)
        {
            let message = "it may be absent: no value would end that always holds another one";
            self.lose(&mut draft, Rule::Loosened, element.place, message, None);
            min = 0;
        }
        let typed = self.type_of_element(element, (min, max), holder, &mut draft);
        let default = self.default_of(element, &typed, is_list, &mut draft);
        let fixed = self.fixed_of(element, &typed, &mut draft);
        let mut expression = typed.expression;
        let mut absent = None;
        // An alternative is present if it is chosen.
        if is_alternative {
            min = 1;
        }
        if !is_list && default.is_none() {
            let by_default = if typed.is_by_value { "nil" } else { "omit" };
            // ASMX and the SOAP encoding leave out what is null.
            let may_be_null = role == Role::Part && (self.is_like_asmx || self.is_encoded);
            let absence = match (min, element.is_nillable) {
                (0, false) => Some("omit"),
                (0, true) => Some("either"),
                (_, true) => Some("nil"),
                (_, false) => (may_be_null && !typed.is_by_value).then_some("omit"),
            };
            if let Some(written) = absence {
                if typed.is_by_value && written == "omit" {
                    expression = format!("optional {expression}");
                } else {
                    expression.push('?');
                    absent = (written != by_default).then_some(written);
                }
            }
        }
        draft.set("type", expression);
        self.set_form(&mut draft, element.name, holder);
        draft.set_some("absent", absent);
        draft.set_some("item", typed.item);
        draft.set_some("list", typed.list);
        let is_always_written = default.is_some() && min > 0 && !is_alternative;
        let least = typed.min.max(u32::from(is_always_written));
        draft.set_some("min", (least > 0).then(|| least.to_string()));
        draft.set_some("max", typed.max.map(|max| max.to_string()));
        draft.set_filled("facets", typed.facets);
        draft.set_some("default", default);
        draft.set_some("fixed", fixed);
        draft.set_some("doc", doc(element.doc.as_deref()));
        draft.short("type")
    }

    fn is_value_of_typed(&self, typed: &Typed, text: &str) -> bool {
        let one = typed.one.as_ref();
        one.is_some_and(|one| self.is_value(one, text))
    }

    /// The default of an element, if it can be expressed.
    fn default_of(
        &mut self,
        element: &Element<'s>,
        typed: &Typed,
        is_list: bool,
        draft: &mut Draft,
    ) -> Option<&'s str> {
        let text = element.default?;
        let is_value = self.is_value_of_typed(typed, text);
        let why = if is_list || typed.list.is_some() {
            "is of a list"
        } else if !is_value {
            "is not text of its type"
        } else if element.is_nillable {
            "is of an element that may be nil"
        } else {
            return Some(text);
        };
        let message = format!("the default `{text}` is left out: it {why}");
        self.lose(draft, Rule::Loosened, element.place, &message, None);
        None
    }

    /// The fixed value of an element, if it can be expressed.
    fn fixed_of(
        &mut self,
        element: &Element<'s>,
        typed: &Typed,
        draft: &mut Draft,
    ) -> Option<&'s str> {
        let text = element.fixed?;
        let is_value = self.is_value_of_typed(typed, text);
        if !is_value {
            let message = format!("any value is allowed, and the schema has `{text}` alone");
            self.lose(draft, Rule::Loosened, element.place, &message, None);
        }
        is_value.then_some(text)
    }

    fn type_of_element(
        &mut self,
        element: &Element<'s>,
        (min, max): (u32, Option<u32>),
        holder: &Holder<'s>,
        draft: &mut Draft,
    ) -> Typed {
        let local = element.name.local;
        let is_list = max != Some(1);
        let is_nil = element.is_nillable;
        let wrapped = if is_list {
            None
        } else {
            self.list(element.type_ref, holder, local, element.place)
        };
        if let Some(list) = wrapped {
            for (rule, place, message) in &list.losses {
                self.lose(draft, *rule, *place, message, None);
            }
            return Typed {
                expression: list.expression,
                is_by_value: false,
                item: list.item,
                list: None,
                min: list.min,
                max: list.max,
                facets: list.facets,
                one: None,
            };
        }
        // A type without a name is in the namespace of the element that declares it, and is named
        // after that element if it is global.
        let within = if element.is_reference {
            self.holder(String::new(), element.name.namespace)
        } else {
            holder.clone()
        };
        let mut value = self.value(element.type_ref, &within, local, element.place);
        if is_list && value.is_texts {
            let message = "the values of each of these are written as one text: a definition has no lists of lists of values";
            value = Value::text(element.place, message);
        }
        for (rule, place, message) in &value.losses {
            self.lose(draft, *rule, *place, message, None);
        }
        let facets = std::mem::take(&mut value.facets);
        let (expression, list) = if is_list {
            let nil = if is_nil { "?" } else { "" };
            (format!("{}{nil}[]", value.name), Some("unwrapped"))
        } else if value.is_texts {
            (format!("{}[]", value.name), Some("text"))
        } else {
            (value.name.clone(), None)
        };
        Typed {
            expression,
            is_by_value: value.is_by_value && !value.is_texts,
            item: None,
            list,
            min: if is_list { min } else { 0 },
            max: max.filter(|_| is_list),
            facets,
            one: Some(value).filter(|value| list.is_none() && !value.is_texts),
        }
    }

    /// Sets the namespace and the form of an element where they differ from those of its holder.
    fn set_form(&mut self, draft: &mut Draft, name: Name<'s>, holder: &Holder<'s>) {
        let expected = if holder.is_qualified {
            holder.namespace
        } else {
            ""
        };
        // All elements of encoded messages are in no namespace.
        if name.namespace == expected || self.is_encoded {
            return;
        }
        if name.namespace.is_empty() {
            draft.set("form", "unqualified");
        } else if name.namespace == holder.namespace {
            draft.set("form", "qualified");
        } else {
            let short = self.names.short_or_home(name.namespace);
            draft.set("namespace", short);
        }
    }

    /// An attribute as the value of an entry of `attributes`.
    pub(super) fn attribute(&mut self, attribute: &Attribute<'s>, holder: &Holder<'s>) -> Draft {
        let mut draft = Draft::flow_map().at(attribute.place);
        let value = self.simple(
            attribute.type_ref,
            holder,
            attribute.name.local,
            attribute.place,
        );
        for (rule, place, message) in &value.losses {
            self.lose(&mut draft, *rule, *place, message, None);
        }
        let is_value = |text: &&str| !value.is_texts && self.is_value(&value, text);
        let default = attribute.default.filter(|_| !attribute.is_required);
        let fixed = attribute.fixed;
        let (known_default, known_fixed) = (default.filter(is_value), fixed.filter(is_value));
        if let Some(text) = default.filter(|_| known_default.is_none()) {
            let message = format!("the default `{text}` is left out: it is not text of its type");
            self.lose(&mut draft, Rule::Loosened, attribute.place, &message, None);
        }
        if let Some(text) = fixed.filter(|_| known_fixed.is_none()) {
            let message = format!("any value is allowed, and the schema has `{text}` alone");
            self.lose(&mut draft, Rule::Loosened, attribute.place, &message, None);
        }
        let list = if value.is_texts { "[]" } else { "" };
        let is_there = attribute.is_required || known_default.is_some();
        let absent = if is_there { "" } else { "?" };
        draft.set("type", format!("{}{list}{absent}", value.name));
        let name = attribute.name;
        if self.is_encoded {
            // The namespace of encoded attributes is that of their type.
        } else if name.namespace == holder.namespace {
            draft.set("form", "qualified");
        } else if !name.namespace.is_empty() {
            let short = self.names.short_or_home(name.namespace);
            draft.set("namespace", short);
        }
        draft.set_some("list", value.is_texts.then_some("text"));
        if !value.facets.entries().is_empty() {
            draft.set("facets", value.facets.clone());
        }
        draft.set_some("default", known_default);
        draft.set_some("fixed", known_fixed);
        draft.set_some("doc", doc(attribute.doc.as_deref()));
        draft.short("type")
    }

    /// The type of an attribute, of a text or of a part of a text; it is simple.
    pub(super) fn simple(
        &mut self,
        type_ref: TypeRef<'s>,
        holder: &Holder<'s>,
        name: &str,
        place: DocumentSpan,
    ) -> Value {
        let is_simple = match type_ref {
            // Without an element there is no `xsi:type` that could refine it.
            TypeRef::Builtin("anySimpleType") => return Value::simple(SimpleType::String),
            TypeRef::Builtin(local) => {
                super::facts::builtin(local).is_some_and(|one| !one.is_xml())
            }
            TypeRef::Declared(id) => matches!(self.schemas.get(id).kind, Kind::Simple(_)),
            // The missing type is already reported.
            TypeRef::Missing(_) => return Value::simple(SimpleType::String),
        };
        if is_simple {
            return self.value(type_ref, holder, name, place);
        }
        Value::text(place, "any text is allowed: its type is not simple")
    }

    /// Whether a text is a value of a type.
    fn is_value(&self, value: &Value, text: &str) -> bool {
        match value.what {
            What::Simple(simple) => simple.has_texts() && simple.is_value(text),
            What::Enumeration(id) => self.is_value_of(id, text),
            What::Complex(_) => false,
        }
    }

    fn is_value_of(&self, id: TypeId, text: &str) -> bool {
        let Kind::Simple(simple) = &self.schemas.get(id).kind else {
            return false;
        };
        let flags = self.flags_of(simple);
        let values = &flags.unwrap_or(simple).values;
        let is_one = |text: &str| values.iter().any(|value| value.text == text);
        match flags {
            Some(_) => text.split_ascii_whitespace().all(is_one),
            None => is_one(text),
        }
    }
}
