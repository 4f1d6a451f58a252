//! The form that invokes an operation. Each part that can be absent, repeated or chosen is a
//! `template` that the script instantiates on demand, so that the form of a recursive type is
//! finite.

mod secrets;
mod value;

use svcgen_model::{
    Absence, At, ComplexType, Element, ElementForm, Group, Occurs, Operation, Particle, Service,
    Style, TypeAt, Types, elements_of, named_in,
};

use crate::binding::documented;
use crate::escape::escaped;
use crate::html::{Html, put};
use value::count_of;

/// Writes the form of an operation, which the script makes visible.
pub(super) fn write<'d>(
    html: &mut Html,
    service: At<'d, Service<'d>>,
    operation: At<'d, Operation<'d>>,
    types: &Types<'d>,
) {
    Form {
        html,
        service,
        operation,
        types,
        style: Style::Document,
        count: 0,
    }
    .write();
}

/// Writes the place of the exchange, which the script makes visible: the answer, and the request as
/// a message and as code.
pub(super) fn exchange(html: &mut Html) {
    put!(html, "{}", include_str!("exchange.html"));
}

struct Form<'f, 'd> {
    html: &'f mut Html,
    service: At<'d, Service<'d>>,
    operation: At<'d, Operation<'d>>,
    types: &'f Types<'d>,
    /// The style of the message, while its parameters are being written.
    style: Style,
    /// The number of inputs so far, for their ids.
    count: usize,
}

/// The properties of an element or a choice that every field has.
#[derive(Clone, Copy)]
struct Field<'d> {
    name: &'d str,
    documentation: Option<&'d str>,
    absence: Absence,
    /// Its namespace; empty for none.
    namespace: &'d str,
    secret: bool,
    /// Whether its text contains any number of values.
    texts: bool,
    /// The name in a form, if it differs.
    net: Option<&'d str>,
}

/// A namespace, and the form of the elements that are declared in it.
type Declared<'d> = (&'d str, ElementForm);

/// The name of a type in the page.
fn type_key(complex: At<'_, ComplexType<'_>>) -> String {
    named_in(complex.scope.namespace, complex.name)
}

/// The attribute with the name in forms.
fn net(name: Option<&str>) -> String {
    name.map_or_else(String::new, |net| format!(" data-net=\"{}\"", escaped(net)))
}

impl<'d> Field<'d> {
    /// The field of an element whose type or message has this scope.
    fn of(element: At<'d, Element<'d>>, declared: Declared<'d>) -> Self {
        Self {
            name: element.name,
            documentation: element.documentation(),
            absence: element.absence,
            namespace: element.form.of_element(declared),
            secret: element.secret,
            texts: element.texts,
            net: element.net,
        }
    }
}

impl<'d> Form<'_, 'd> {
    fn write(&mut self) {
        let operation = self.operation;
        let reach = self.types.reach(elements_of(self.service, operation));
        let secrets = self.secrets(&reach.elements);
        let shown = self.shown(&secrets, &reach.elements);
        let shown =
            (!shown.is_empty()).then(|| format!(" data-shown=\"{}\"", escaped(&shown.join(" "))));
        let (of_types, _) = self.scope_of_types();
        let types = operation.encoded;
        let types = types.map(|types| format!(" data-types=\"{}\"", escaped(types)));
        let (of_request, _) = operation.declares(operation.parameters.scope, self.service.row());
        let of_request = (of_request != of_types)
            .then(|| format!(" data-request-namespace=\"{}\"", escaped(of_request)));
        put!(
            self.html,
            "<p class=\"card\" id=\"no-script\">Calls from this page need a script.</p>\n\
             <form class=\"card\" id=\"invoke\" method=\"post\" autocomplete=\"off\" hidden data-operation=\"{}\" data-namespace=\"{}\"{}{} data-request=\"{}\" data-secrets=\"{}\"{}>\n",
            escaped(operation.name),
            escaped(of_types),
            of_request.unwrap_or_default(),
            types.unwrap_or_default(),
            escaped(if operation.is_bare() {
                ""
            } else {
                operation.parameters.name
            }),
            escaped(&secrets.join(" ")),
            shown.unwrap_or_default(),
        );
        self.bindings();
        self.headers();
        self.parameters();
        put!(self.html, "{}", include_str!("more.html"));
        self.templates();
        put!(self.html, "</form>\n");
    }

    fn bindings(&mut self) {
        put!(
            self.html,
            "<fieldset class=\"plain\"><legend>Binding</legend>\n<div class=\"segments\">"
        );
        let parameters = self.operation.parameters().elements();
        let mut reached = self.types.reach(parameters).elements.into_iter();
        let has_secret = reached.any(|element| element.secret);
        let bindings = self.operation.bindings.iter();
        let with_data = bindings.map(|binding| {
            let data = documented(binding).request_data(self.operation);
            (binding, data)
        });
        let (left_out, callable): (Vec<_>, Vec<_>) =
            with_data.partition(|(_, data)| has_secret && data.contains(&("method", "GET")));
        for (index, (binding, data)) in callable.into_iter().enumerate() {
            let value = binding.key();
            let checked = if index == 0 { " checked" } else { "" };
            put!(
                self.html,
                "<label><input type=\"radio\" name=\"binding\" value=\"{value}\"{checked}"
            );
            for (name, value) in data {
                put!(self.html, " data-{name}=\"{}\"", escaped(value));
            }
            put!(self.html, "> {binding}</label>");
        }
        put!(self.html, "</div>\n");
        for (binding, _) in left_out {
            put!(
                self.html,
                "<p class=\"hint\">{binding} is left out here: it would put secrets into the URL.</p>\n"
            );
        }
        put!(self.html, "</fieldset>\n");
    }

    fn headers(&mut self) {
        let Some(headers) = self.operation.headers() else {
            return;
        };
        let declared = self.scope_of_types();
        put!(
            self.html,
            "<fieldset class=\"plain\" id=\"headers\" data-kind=\"all\" data-soap><legend>SOAP headers</legend>\n"
        );
        for (element, rule) in headers.elements() {
            let absence = if rule.required {
                Absence::Required
            } else {
                Absence::Omitted
            };
            let field = Field {
                absence,
                ..Field::of(element, (declared.0, ElementForm::Qualified))
            };
            let mut more = String::new();
            if rule.required {
                more += " data-required";
            }
            if rule.must_understand {
                more += " data-must-understand";
            }
            self.field_of(element, field, declared, &more);
        }
        put!(self.html, "</fieldset>\n");
    }

    /// The namespace of types, and the form of their elements.
    fn scope_of_types(&self) -> (&'d str, ElementForm) {
        let encoded = self.operation.row().encoded;
        encoded.map_or(self.service.row().scope(), |types| {
            (types, ElementForm::Unqualified)
        })
    }

    fn parameters(&mut self) {
        put!(
            self.html,
            "<fieldset class=\"plain\" id=\"parameters\" data-kind=\"all\"><legend>Parameters</legend>\n"
        );
        let parameters = self.operation.parameters();
        if parameters.elements.is_empty() {
            put!(self.html, "<p class=\"muted\">None.</p>\n");
        }
        let (operation, service) = (self.operation.row(), self.service.row());
        self.style = operation.style;
        self.fields(parameters, operation.declares(parameters.scope, service));
        self.style = Style::Document;
        put!(self.html, "</fieldset>\n");
    }

    /// Writes the fields of each complex type that the form can need.
    fn templates(&mut self) {
        let headers = self.operation.headers().into_iter();
        let headers = headers.flat_map(|headers| headers.fields().elements());
        let parameters = self.operation.parameters().elements();
        for definition in self.types.reach(parameters.chain(headers)).definitions {
            if let TypeAt::Complex(complex) = definition {
                self.template(complex);
            }
        }
    }

    fn template(&mut self, complex: At<'d, ComplexType<'d>>) {
        put!(
            self.html,
            "<template id=\"fields-{}\"",
            escaped(&type_key(complex)),
        );
        let mut known = self.service.script_types();
        if let Some((_, name)) = known.find(|(known, _)| *known == TypeAt::Complex(complex)) {
            put!(self.html, " data-script-type=\"{}\"", escaped(name));
        }
        put!(self.html, ">\n");
        let declared = self.scope_of_types();
        let declared = match self.operation.encoded {
            Some(_) => declared,
            None => complex.scope.within(declared),
        };
        let attributes = complex.attributes();
        for attribute in attributes.filter(|attribute| attribute.wildcard.is_none()) {
            let field = Field {
                namespace: attribute.form.of_attribute(declared.0),
                ..Field::of(attribute, declared)
            };
            self.value(attribute, field, "attribute", "");
        }
        if let Some(text) = complex.text() {
            let field = Field {
                namespace: "",
                ..Field::of(text, declared)
            };
            self.value(text, field, "text", "");
        }
        self.fields(complex, declared);
        put!(self.html, "</template>\n");
    }

    /// Writes the fields of the elements of a type.
    fn fields(&mut self, complex: At<'d, ComplexType<'d>>, declared: Declared<'d>) {
        for particle in complex.particles() {
            self.particle(complex, particle, declared);
        }
    }

    fn particle(
        &mut self,
        complex: At<'d, ComplexType<'d>>,
        particle: Particle<'d>,
        declared: Declared<'d>,
    ) {
        match particle {
            Particle::Element(element) if element.wildcard.is_some() => {}
            Particle::Element(element) if element.characters => {
                self.value(element, Field::of(element, declared), "text", "");
            }
            Particle::Element(element) => self.field(element, declared, ""),
            Particle::Group(group) => self.groups(complex, group, declared),
        }
    }

    fn field(&mut self, element: At<'d, Element<'d>>, declared: Declared<'d>, more: &str) {
        self.field_of(element, Field::of(element, declared), declared, more);
    }

    fn field_of(
        &mut self,
        element: At<'d, Element<'d>>,
        field: Field<'d>,
        declared: Declared<'d>,
        more: &str,
    ) {
        if element.repeated {
            let occurs = element.occurs;
            return self.list(field, occurs, more, |form| form.once(element, field, ""));
        }
        if let TypeAt::List(item) = element.type_at() {
            let more = format!("{more} data-wrapped");
            let declared = self.style.of_lists(declared, self.scope_of_types());
            return self.list(field, item.occurs, &more, |form| {
                let inner = Field::of(item, declared);
                let secret = field.secret || item.secret;
                form.field_of(item, Field { secret, ..inner }, declared, "");
            });
        }
        self.once(element, field, more);
    }

    fn once(&mut self, element: At<'d, Element<'d>>, field: Field<'d>, more: &str) {
        match element.type_at() {
            TypeAt::Complex(complex) => self.object(field, complex, more),
            TypeAt::Simple(_) | TypeAt::Enumeration(_) | TypeAt::Dictionary(_) => {
                self.value(element, field, "value", more);
            }
            TypeAt::List(_) => {}
        }
    }

    /// Writes the start tag of a field.
    fn start(&mut self, tag: &str, kind: &str, field: Field<'_>, more: &str) {
        let absent = match field.absence {
            Absence::Required => "",
            Absence::Omitted => "omit",
            Absence::Nil => "nil",
            Absence::Either => "either",
        };
        let secret = if field.secret { " data-secret" } else { "" };
        put!(
            self.html,
            "<{tag} data-kind=\"{kind}\" data-name=\"{}\"{} data-namespace=\"{}\" data-absent=\"{absent}\"{secret}{more}>",
            escaped(field.name),
            net(field.net),
            escaped(field.namespace),
        );
    }

    fn list(&mut self, field: Field<'d>, occurs: Occurs, more: &str, item: impl FnOnce(&mut Self)) {
        let (limits, hint) = count_of(occurs);
        self.start("fieldset", "list", field, &format!("{more}{limits}"));
        self.legend(field, "list", more);
        if !hint.is_empty() {
            put!(self.html, "<p class=\"hint\">{hint}</p>\n");
        }
        put!(
            self.html,
            "<div class=\"items\" data-items></div>\n<template>"
        );
        item(self);
        put!(
            self.html,
            "</template>\n<button type=\"button\" class=\"small\" data-add>Add an item</button>\n</fieldset>\n"
        );
    }

    fn legend(&mut self, field: Field<'_>, what: &str, more: &str) {
        put!(
            self.html,
            "<legend>{} <span class=\"type\">{}</span>{}</legend>\n",
            escaped(field.name),
            escaped(what),
            marks(more),
        );
        self.html.documentation("hint", field.documentation);
    }

    /// Writes a choice or a sequence, or a list of them if it is repeated. An optional sequence is
    /// a choice between itself and nothing.
    fn groups(
        &mut self,
        complex: At<'d, ComplexType<'d>>,
        group: At<'d, Group<'d>>,
        declared: Declared<'d>,
    ) {
        let field = Field {
            name: group.name,
            documentation: group.documentation(),
            absence: if group.optional {
                Absence::Omitted
            } else {
                Absence::Required
            },
            namespace: svcgen_model::Form::Default.of_element(declared),
            secret: false,
            texts: false,
            net: None,
        };
        let all = |form: &mut Self| {
            for particle in complex.particles_of(group) {
                form.particle(complex, particle, declared);
            }
        };
        let one = |form: &mut Self| {
            form.start("fieldset", "choice", field, "");
            form.legend(field, group.kind.name(), "");
            form.inside(complex, group, declared, all);
        };
        if group.repeated {
            self.list(field, group.occurs, "", one);
        } else {
            one(self);
        }
    }

    /// Writes the content of a choice or a sequence, and ends its field.
    fn inside(
        &mut self,
        complex: At<'d, ComplexType<'d>>,
        group: At<'d, Group<'d>>,
        declared: Declared<'d>,
        all: impl Fn(&mut Self),
    ) {
        if group.is_sequence() && !group.optional {
            all(self);
            put!(self.html, "</fieldset>\n");
            return;
        }
        if group.is_sequence() {
            self.pick([group.row().name].into_iter());
            self.alternative(group.name, all);
        } else {
            let named = || complex.particles_of(group).filter(is_named);
            self.pick(named().map(name_of));
            for particle in named() {
                self.alternative(name_of(particle), |form| {
                    form.particle(complex, particle, declared);
                });
            }
        }
        self.place();
    }

    /// Writes the template that the script inserts when this alternative is picked.
    fn alternative(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        put!(
            self.html,
            "<template data-alternative=\"{}\">",
            escaped(name)
        );
        inside(self);
        put!(self.html, "</template>\n");
    }

    /// Ends a field with the place for picked or included parts.
    fn place(&mut self) {
        put!(
            self.html,
            "<div class=\"inside\" data-place></div>\n</fieldset>\n"
        );
    }

    fn pick<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        let id = self.id();
        put!(
            self.html,
            "<div class=\"field\"><label for=\"{id}\">Which one</label><select id=\"{id}\" data-pick><option value=\"\">none</option>"
        );
        self.options(names);
        put!(self.html, "</select></div>\n");
    }

    fn object(&mut self, field: Field<'d>, complex: At<'d, ComplexType<'d>>, more: &str) {
        let members: Vec<_> = self.types.members(complex).collect();
        let several = members.len() > 1 || complex.is_abstract;
        let name = type_key(complex);
        let name = escaped(&name);
        let of = if several { "declared" } else { "of" };
        self.start(
            "fieldset",
            "object",
            field,
            &format!("{more} data-{of}=\"{name}\""),
        );
        self.legend(field, complex.name, more);
        if several {
            let names: Vec<_> = members.iter().map(|member| type_key(*member)).collect();
            self.pick(names.iter().map(String::as_str));
        } else if field.absence != Absence::Required {
            put!(
                self.html,
                "<label class=\"check\"><input type=\"checkbox\" data-include> Send it</label>\n"
            );
        }
        self.place();
    }

    fn options<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        for name in names {
            put!(self.html, "<option>{}</option>", escaped(name));
        }
    }

    fn id(&mut self) -> String {
        self.count += 1;
        format!("input-{}", self.count)
    }
}

/// Whether it is not a wildcard.
fn is_named(particle: &Particle<'_>) -> bool {
    !matches!(particle, Particle::Element(element) if element.wildcard.is_some())
}

/// The name of an alternative.
fn name_of(particle: Particle<'_>) -> &str {
    match particle {
        Particle::Element(element) => element.row().name,
        Particle::Group(group) => group.row().name,
    }
}

/// The marks of a SOAP header, by its attributes.
fn marks(more: &str) -> String {
    let marks = [
        ("data-required", "required"),
        ("data-must-understand", "must be understood"),
    ];
    let marks = marks
        .into_iter()
        .filter(|(attribute, _)| more.contains(attribute));
    let marks = marks.map(|(_, mark)| format!(" <span class=\"badge\">{mark}</span>"));
    marks.collect()
}
