//! Entries of `types` and `enums`.

use std::collections::HashSet;

use svcgen_model::{SimpleType, numbers};
use svcgen_wsdl::report::DocumentSpan;
use svcgen_wsdl::rules::Rule;
use svcgen_wsdl::schema::{
    Attribute, Complex, Content, Derivation, Kind, Name, Simple, TypeId, TypeRef, TypedSet,
};

use super::super::draft::Draft;
use super::names::of_entries;
use super::{Holder, Types, doc};

impl<'m, 's> Types<'m, 's> {
    /// Writes a type that was referred to, and queues the types that extend it.
    pub(super) fn define(&mut self, id: TypeId) {
        let schemas: &'m _ = self.schemas;
        let Some(key) = self.names.known(id).map(str::to_owned) else {
            return;
        };
        match &schemas.get(id).kind {
            Kind::Simple(simple) => {
                let draft = self.enumeration(id, &key, simple);
                put(&mut self.enums, key, draft, self.twins.contains(&id));
            }
            Kind::Complex(complex) => {
                let draft = self.complex(id, &key, complex);
                put(&mut self.types, key, draft, self.twins.contains(&id));
                for derived in schemas.derived(id) {
                    if let Some(name) = schemas.get(*derived).name {
                        self.names.of_named(*derived, name);
                        self.referred.push(*derived);
                    }
                }
            }
        }
    }

    fn complex(&mut self, id: TypeId, key: &str, complex: &'m Complex<'s>) -> Draft {
        let schemas: &'m _ = self.schemas;
        let one = schemas.get(id);
        let mut draft = Draft::map().at(one.place);
        if let Some(TypedSet::Known(set)) = self.set_of(id) {
            let (_, name) = self.name_of_set(id, set);
            draft.set_some("name", (name != key).then_some(name));
            draft.set("data_set", &*set.file);
            return draft;
        }
        draft.set_some("rust", of_entries(key));
        let holder = match (one.name, self.holders.get(&id)) {
            (None, Some(holder)) => holder.clone(),
            (name, _) => self.holder(String::new(), name.map_or("", |name| name.namespace)),
        };
        let holder = Holder {
            name: key.to_owned(),
            id: Some(id),
            ..holder
        };
        draft.set_some(
            "name",
            one.name.map(|name| name.local).filter(|name| *name != key),
        );
        if self.is_encoded {
            self.note_encoded_name(&mut draft, id, key);
        } else {
            draft.set_some("namespace", self.names.short_of_type(holder.namespace));
        }
        draft.set_some("doc", doc(one.doc.as_deref()));
        let base = self.base(complex);
        let is_restriction = matches!(complex.derivation, Derivation::Restriction(_));
        // A base type that nothing else refers to exists only for this restriction, which repeats
        // all of its content.
        let is_replaced = |base: &TypeId| {
            is_restriction && !self.facts.is_used(*base) && self.schemas.derived(*base) == [id]
        };
        let (replaced, base) = match base.filter(is_replaced) {
            Some(replaced) => (Some(replaced), None),
            None => (None, base),
        };
        if let Some(base) = base {
            let name = self.refer(base, &holder, "Base");
            draft.set(
                if is_restriction {
                    "restricts"
                } else {
                    "extends"
                },
                name,
            );
        }
        if complex.is_abstract {
            self.set_abstract(&mut draft, id);
        }
        if self.facts.is_by_value(id) {
            draft.set("by_value", true);
        }
        let attributes = self.all_attributes(&mut draft, complex, replaced.or(base));
        self.attributes(&mut draft, id, (complex, &attributes), &holder);
        match &complex.content {
            Content::Simple(text) if base.is_none() || is_restriction => {
                let text = self.text(*text, &holder, one.place);
                draft.set("text", text);
            }
            Content::Simple(_) | Content::Empty if !complex.is_mixed => {}
            Content::EncodedArray(_) => {
                // Deeper than nested lists go.
                let message =
                    "an array of more dimensions than two, or one that is extended, is any XML";
                self.lose(&mut draft, Rule::AsAny, one.place, message, None);
                draft.set("text", "any");
            }
            _ => self.content(&mut draft, id, complex, &holder),
        }
        draft
    }

    fn set_abstract(&mut self, draft: &mut Draft, id: TypeId) {
        if self.has_values(id) {
            draft.set("abstract", true);
            return;
        }
        let message =
            "the schema has no value of this type: it is abstract, and no type extends it";
        let place = self.schemas.get(id).place;
        self.lose(draft, Rule::Loosened, place, message, None);
    }

    /// The text of a type with simple content.
    fn text(&mut self, type_ref: TypeRef<'s>, holder: &Holder<'s>, place: DocumentSpan) -> Draft {
        let value = self.simple(type_ref, holder, "Text", place);
        let mut text = Draft::flow_map();
        for (rule, place, message) in &value.losses {
            self.lose(&mut text, *rule, *place, message, None);
        }
        let list = if value.is_texts { "[]" } else { "" };
        text.set("type", format!("{}{list}", value.name));
        text.set_some("list", value.is_texts.then_some("text"));
        text.set_filled("facets", value.facets);
        text.short("type")
    }

    /// The complex type that a type extends or restricts.
    fn base(&self, complex: &Complex<'s>) -> Option<TypeId> {
        self.schemas.base(complex).map(|(id, _)| id)
    }

    /// Whether a type that this one extends has any attributes.
    fn inherits_wildcard(&self, complex: &Complex<'s>) -> bool {
        let extended = |complex: &Complex<'s>| match complex.derivation {
            Derivation::Extension(_) => self.schemas.base(complex),
            _ => None,
        };
        let mut next = extended(complex);
        let mut seen = HashSet::new();
        while let Some((_, base)) = next.filter(|(id, _)| seen.insert(*id)) {
            if let Some(wildcard) = &base.any_attribute
                && wildcard.namespaces == "##any"
            {
                return true;
            }
            next = extended(base);
        }
        false
    }

    /// The attributes that the definition of a type has: those of a restriction with the inherited
    /// ones, those of an extension without them.
    fn all_attributes(
        &mut self,
        draft: &mut Draft,
        complex: &'m Complex<'s>,
        base: Option<TypeId>,
    ) -> Vec<&'m Attribute<'s>> {
        let mut all: Vec<_> = complex.attributes.iter().collect();
        let Some(base) = base else {
            return all;
        };
        if matches!(complex.derivation, Derivation::Restriction(_)) {
            let own = all.iter().map(|one| one.name);
            let known = own.chain(complex.prohibited.iter().copied()).collect();
            all.splice(0..0, self.inherited(known, base));
            return all;
        }
        let inherited = self.inherited(HashSet::new(), base).into_iter();
        let inherited: HashSet<_> = inherited.map(|one| one.name).collect();
        all.retain(|one| {
            let is_again = inherited.contains(&one.name);
            if is_again {
                let message = format!(
                    "the attribute `{}` is left out: it stands in the type that this one extends, too",
                    one.name.local
                );
                self.lose(draft, Rule::LeftOut, one.place, &message, None);
            }
            !is_again
        });
        all
    }

    /// The attributes that a type inherits from its base and from the base's own bases, except known
    /// ones.
    fn inherited(&self, mut known: HashSet<Name<'s>>, base: TypeId) -> Vec<&'m Attribute<'s>> {
        let schemas: &'m _ = self.schemas;
        let (mut next, mut seen) = (Some(base), HashSet::new());
        let mut inherited = Vec::new();
        while let Some(id) = next.filter(|id| seen.insert(*id)) {
            let Kind::Complex(complex) = &schemas.get(id).kind else {
                break;
            };
            let own = complex.attributes.iter();
            let own: Vec<_> = own.filter(|one| known.insert(one.name)).collect();
            inherited.splice(0..0, own);
            known.extend(&complex.prohibited);
            next = self.base(complex);
        }
        inherited
    }

    /// Whether a type that is not abstract extends an abstract one.
    fn has_values(&self, id: TypeId) -> bool {
        let (mut open, mut seen) = (vec![id], HashSet::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match &self.schemas.get(id).kind {
                Kind::Complex(complex) if complex.is_abstract => {
                    let derived = self.schemas.derived(id).iter();
                    open.extend(derived.filter(|one| self.schemas.get(**one).name.is_some()));
                }
                _ => return true,
            }
        }
        false
    }

    fn attributes(
        &mut self,
        draft: &mut Draft,
        id: TypeId,
        (complex, all): (&Complex<'s>, &[&Attribute<'s>]),
        holder: &Holder<'s>,
    ) {
        let mut attributes = Draft::map();
        let mut taken = HashSet::new();
        for attribute in all {
            let mut written = self.attribute(attribute, holder);
            let key = free_key(attribute.name.local, &mut taken);
            if key != attribute.name.local {
                rename(&mut written, attribute.name.local);
            }
            attributes.push(key, written);
        }
        if let Some(wildcard) = &complex.any_attribute {
            let is_open = wildcard.namespaces == "##any";
            if wildcard.namespaces == super::names::XML {
                // Schemas contain this wildcard for `xml:lang` where tools have no schema that
                // declares it.
                let message =
                    "`xml:lang` alone is imported of the attributes in the namespace of XML";
                let hint = "if callers send others, as `xml:space`, say `any: attributes` with that namespace in its place";
                let report = self.report;
                report.add(Rule::NotInWsdl, wildcard.place, message, Some(hint));
                let mut written = Draft::flow_map().at(wildcard.place);
                written.set("type", "string?").place = Some(wildcard.place);
                written.set("namespace", "xml");
                let key = free_key("lang", &mut taken);
                if key != "lang" {
                    rename(&mut written, "lang");
                }
                attributes.push(key, written);
                draft.set("attributes", attributes);
                return;
            }
            let is_of_header = is_open && self.headers.contains(&id);
            let is_encoded = is_open && self.is_encoded;
            // Encoded types have no wildcards: .NET writes one for the type of its headers only.
            if is_encoded && !is_of_header && !self.is_like_asmx {
                let message =
                    "attributes of any name are left out: types of encoded messages have none";
                self.lose(draft, Rule::LeftOut, wildcard.place, message, None);
            }
            if !is_of_header && !is_encoded && !self.inherits_wildcard(complex) {
                let mut written = Draft::flow_map().at(wildcard.place);
                written.set("any", "attributes");
                if !matches!(wildcard.namespaces, "##any" | "") {
                    written.set("namespaces", wildcard.namespaces);
                }
                written.set_some("doc", doc(wildcard.doc.as_deref()));
                attributes.push(free_key("AnyAttributes", &mut taken), written);
            }
        }
        if !attributes.entries().is_empty() {
            draft.set("attributes", attributes);
        }
    }

    /// Reports an encoded type whose name or namespace in encoded messages differs from its own.
    fn note_encoded_name(&mut self, draft: &mut Draft, id: TypeId, key: &str) {
        let one = self.schemas.get(id);
        let message = match one.name {
            Some(name) if name.namespace == self.encoded => return,
            Some(name) => format!(
                "the namespace `{}` is left out: encoded messages have all types in `{}`",
                name.namespace, self.encoded
            ),
            None => format!(
                "encoded messages call this `{key}`: they name all types, and it has no name"
            ),
        };
        self.lose(draft, Rule::LeftOut, one.place, &message, None);
    }

    fn enumeration(&mut self, id: TypeId, key: &str, simple: &'m Simple<'s>) -> Draft {
        let schemas: &'m _ = self.schemas;
        let one = schemas.get(id);
        let flags = self.flags_of(simple);
        let source = flags.unwrap_or(simple);
        let mut draft = Draft::map().at(one.place);
        let namespace = match (one.name, self.holders.get(&id)) {
            (Some(name), _) => name.namespace,
            (None, Some(holder)) => holder.namespace,
            (None, None) => "",
        };
        draft.set_some(
            "name",
            one.name.map(|name| name.local).filter(|name| *name != key),
        );
        if self.is_encoded {
            self.note_encoded_name(&mut draft, id, key);
        } else {
            draft.set_some("namespace", self.names.short_of_type(namespace));
        }
        draft.set_some("doc", doc(one.doc.as_deref()));
        let base = self.base_of(id);
        if self.said_base(id) != SimpleType::String {
            draft.set("base", base.name());
        } else if base != SimpleType::String && flags.is_none() {
            let message = format!("the values are texts, and not of `{}`", base.name());
            self.lose(&mut draft, Rule::Loosened, one.place, &message, None);
        }
        if flags.is_some() {
            draft.set("flags", true);
        }
        let mut seen = HashSet::new();
        let values = source.values.iter().filter(|value| seen.insert(value.text));
        let values: Vec<_> = values.collect();
        let mut before: Option<i64> = None;
        let is_flags = flags.is_some();
        let values = values.into_iter().map(|value| {
            let next = before.map(|before| numbers(is_flags, [Some(before), None].into_iter()));
            let next = next.map_or(i64::from(is_flags), |mut next| {
                next.nth(1).unwrap_or_default()
            });
            let number = value.number.filter(|number| *number != next);
            let own = value.number.unwrap_or(next);
            before = Some(if is_flags {
                before.unwrap_or_default() | own
            } else {
                own
            });
            let mut keys = Draft::flow_map().at(value.place);
            keys.set_some("number", number.map(|number| number.to_string()));
            keys.set_some("doc", doc(value.doc.as_deref()));
            if keys.entries().is_empty() {
                return Draft::from(value.text).at(value.place);
            }
            let mut written = Draft::map().at(value.place);
            written.push(value.text, keys);
            written
        });
        let values: Vec<_> = values.collect();
        let is_plain = values.iter().all(|value| value.text().is_some());
        let mut list = Draft::list(values);
        list.flow = is_plain;
        draft.set("values", list);
        let place = draft.place;
        let mut draft = draft.short("values");
        draft.place = place;
        draft
    }
}

/// Adds a definition, or replaces that of encoded messages with that of literal ones.
fn put(section: &mut Draft, key: String, draft: Draft, is_twin: bool) {
    if is_twin {
        section.set(&key, draft);
    } else {
        section.push(key, draft);
    }
}

/// Sets the name on the wire of an entry with another key.
pub(super) fn rename(draft: &mut Draft, name: &str) {
    draft.long("type").set("name", name);
    draft.sort_by_key(|key| match key {
        "type" => 0,
        "name" => 1,
        _ => 2,
    });
}

/// A key, with a number if it is taken.
pub(super) fn free_key(wanted: &str, taken: &mut HashSet<String>) -> String {
    svcgen_model::numbered(wanted.to_owned(), |key| taken.insert(key.clone()))
}
