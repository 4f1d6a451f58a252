//! The form that invokes an operation. What can be absent, repeated or chosen is a template that the script stamps when it is asked for,
//! so that types which hold themselves make a form of a few lines.

use crate::description::{Binding, Description, Operation, TypeDefinition};
use crate::escape::escaped;
use crate::html::{Html, binding_name, put};
use crate::schema::{ComplexType, Content, Element};
use crate::types::{Types, elements_of, header_element};

/// Writes the form of an operation, hidden until the script runs it.
pub(super) fn write<'d>(
    html: &mut Html,
    description: &'d Description<'d>,
    operation: &'d Operation<'d>,
    types: &Types<'d>,
) {
    let mut form = Form {
        html,
        description,
        operation,
        types,
        count: 0,
    };
    form.write();
}

struct Form<'f, 'd> {
    html: &'f mut Html,
    description: &'d Description<'d>,
    operation: &'d Operation<'d>,
    types: &'f Types<'d>,
    /// How many inputs there are, for their ids.
    count: usize,
}

/// How an element stands in the one around it.
#[derive(Clone, Copy)]
struct Field<'d> {
    element: &'d Element<'d>,
    /// Whether it is in the namespace of the service.
    qualified: bool,
    /// Whether it may be left out though its type does not say so.
    optional: bool,
    secret: bool,
}

impl<'d> Form<'_, 'd> {
    fn write(&mut self) {
        let operation = self.operation;
        put!(
            self.html,
            "<p class=\"card\" id=\"no-script\">Calls from this page need a script.</p>\n\
             <form class=\"card\" id=\"invoke\" method=\"post\" autocomplete=\"off\" hidden data-operation=\"{}\" data-namespace=\"{}\" data-request=\"{}\" data-action=\"{}\" data-secrets=\"{}\">\n",
            escaped(operation.name),
            escaped(self.description.namespace),
            escaped(operation.request),
            escaped(operation.action),
            escaped(&self.secrets().join(" ")),
        );
        self.bindings();
        self.headers();
        self.parameters();
        self.foot();
        self.templates();
        put!(
            self.html,
            "</form>\n<section id=\"exchange\" class=\"card\" aria-labelledby=\"exchange-heading\" hidden>\n<h3 id=\"exchange-heading\">What went over the wire</h3>\n\
             <h4>Request</h4>\n<pre id=\"sent\" tabindex=\"0\" role=\"region\" aria-label=\"The request\"></pre>\n\
             <h4>Response</h4>\n<pre id=\"received\" tabindex=\"0\" role=\"region\" aria-label=\"The response\"></pre>\n</section>\n"
        );
    }

    fn bindings(&mut self) {
        put!(
            self.html,
            "<fieldset class=\"plain\"><legend>Binding</legend>\n<div class=\"segments\">"
        );
        let in_url = self.has_secret_parameter();
        let offered = Binding::ALL
            .into_iter()
            .filter(|binding| self.operation.bindings.contains(*binding));
        let callable = offered.filter(|binding| *binding != Binding::HttpGet || !in_url);
        for (index, binding) in callable.enumerate() {
            let value = match binding {
                Binding::Soap11 => "soap11",
                Binding::Soap12 => "soap12",
                Binding::HttpGet => "http-get",
                Binding::HttpPost => "http-post",
            };
            let checked = if index == 0 { " checked" } else { "" };
            put!(
                self.html,
                "<label><input type=\"radio\" name=\"binding\" value=\"{value}\"{checked}> {}</label>",
                binding_name(binding)
            );
        }
        put!(self.html, "</div>\n");
        if in_url && self.operation.bindings.http_get {
            put!(
                self.html,
                "<p class=\"hint\">HTTP GET is left out here: it would put secrets into the URL.</p>\n"
            );
        }
        put!(self.html, "</fieldset>\n");
    }

    fn has_secret_parameter(&self) -> bool {
        let reach = self.types.reach(self.operation.parameters);
        reach.elements.iter().any(|element| element.secret)
    }

    /// The names under which secrets stand in messages of the operation.
    fn secrets(&self) -> Vec<&'d str> {
        let reach = self
            .types
            .reach(elements_of(self.description, self.operation));
        let named = reach
            .elements
            .iter()
            .filter(|element| element.secret || self.holds_secret_text(element))
            .map(|element| element.name);
        let root = self
            .operation
            .result
            .iter()
            .filter(|result| result.secret)
            .map(|_| self.operation.root);
        let mut names: Vec<_> = named.chain(root).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn holds_secret_text(&self, element: &Element<'_>) -> bool {
        let Content::Type(name) = element.content else {
            return false;
        };
        match self.types.find(name) {
            Some(TypeDefinition::Complex(complex)) => self
                .types
                .members(complex)
                .into_iter()
                .any(|member| self.types.text(member).is_some_and(|text| text.secret)),
            _ => false,
        }
    }

    fn headers(&mut self) {
        if self.operation.headers.is_empty() {
            return;
        }
        put!(
            self.html,
            "<fieldset class=\"plain\" id=\"headers\" data-kind=\"all\" data-soap><legend>SOAP headers</legend>\n"
        );
        for header in self.operation.headers {
            let Some(element) = header_element(self.description, header) else {
                continue;
            };
            let field = Field {
                element,
                qualified: true,
                optional: !header.required,
                secret: element.secret,
            };
            self.field(
                field,
                if header.must_understand {
                    " data-must-understand"
                } else {
                    ""
                },
            );
        }
        put!(self.html, "</fieldset>\n");
    }

    fn parameters(&mut self) {
        let qualified = self.description.qualified && !self.operation.rpc;
        put!(
            self.html,
            "<fieldset class=\"plain\" id=\"parameters\" data-kind=\"all\"><legend>Parameters</legend>\n"
        );
        if self.operation.parameters.is_empty() {
            put!(self.html, "<p class=\"muted\">None.</p>\n");
        }
        for element in self.operation.parameters {
            self.field(
                Field {
                    element,
                    qualified,
                    optional: false,
                    secret: element.secret,
                },
                "",
            );
        }
        put!(self.html, "</fieldset>\n");
    }

    fn foot(&mut self) {
        put!(
            self.html,
            "<div class=\"row\"><button class=\"main\">Invoke</button>\n<label class=\"check\"><input type=\"checkbox\" id=\"indent\" checked> Indent</label>\n"
        );
        if !self.secrets().is_empty() {
            put!(
                self.html,
                "<label class=\"check\"><input type=\"checkbox\" id=\"reveal\"> Show secrets</label>\n"
            );
        }
        put!(
            self.html,
            "</div>\n<p class=\"status\" id=\"status\" role=\"status\"></p>\n"
        );
    }

    /// The fields of each complex type that a value in the form can be of.
    fn templates(&mut self) {
        let headers = self
            .operation
            .headers
            .iter()
            .filter_map(|header| header_element(self.description, header));
        let reach = self
            .types
            .reach(self.operation.parameters.iter().chain(headers));
        for definition in reach.definitions {
            if let TypeDefinition::Complex(complex) = definition {
                self.template(complex);
            }
        }
    }

    fn template(&mut self, complex: &'d ComplexType<'d>) {
        put!(
            self.html,
            "<template id=\"fields-{}\">\n",
            escaped(complex.name)
        );
        for attribute in self.types.attributes(complex) {
            self.value(
                Field {
                    element: attribute,
                    qualified: false,
                    optional: false,
                    secret: attribute.secret,
                },
                "attribute",
                "",
            );
        }
        if let Some(text) = self.types.text(complex) {
            self.value(
                Field {
                    element: text,
                    qualified: false,
                    optional: false,
                    secret: text.secret,
                },
                "text",
                "",
            );
        }
        for element in self.types.elements(complex) {
            self.inner(element);
        }
        put!(self.html, "</template>\n");
    }

    /// A field of an element in an object or in a list.
    fn inner(&mut self, element: &'d Element<'d>) {
        let qualified = self.description.qualified;
        self.field(
            Field {
                element,
                qualified,
                optional: false,
                secret: element.secret,
            },
            "",
        );
    }

    fn field(&mut self, field: Field<'d>, more: &str) {
        let element = field.element;
        if element.repeated {
            return self.list(field, more, false, |form| {
                form.once(
                    Field {
                        optional: false,
                        ..field
                    },
                    "",
                )
            });
        }
        match element.content {
            Content::List(item) => self.list(field, more, true, |form| {
                let qualified = form.description.qualified;
                form.field(
                    Field {
                        element: item,
                        qualified,
                        optional: false,
                        secret: field.secret || item.secret,
                    },
                    "",
                );
            }),
            _ => self.once(field, more),
        }
    }

    fn once(&mut self, field: Field<'d>, more: &str) {
        match field.element.content {
            Content::Choice(alternatives) => self.choice(field, alternatives),
            Content::List(_) => {}
            Content::Type(name) => match self.types.find(name) {
                Some(TypeDefinition::Complex(complex)) => self.object(field, complex, more),
                _ => self.value(field, "value", more),
            },
        }
    }

    /// The attributes that every field has.
    fn start(&mut self, tag: &str, kind: &str, field: Field<'_>, more: &str) {
        let namespace = if field.qualified {
            self.description.namespace
        } else {
            ""
        };
        let absent = match field.element {
            _ if field.optional => "omit",
            Element { optional: true, .. } => "omit",
            Element { nillable: true, .. } => "nil",
            _ => "",
        };
        put!(
            self.html,
            "<{tag} data-kind=\"{kind}\" data-name=\"{}\" data-namespace=\"{}\" data-absent=\"{absent}\"{more}>",
            escaped(field.element.name),
            escaped(namespace),
        );
    }

    fn list(&mut self, field: Field<'d>, more: &str, wrapped: bool, item: impl FnOnce(&mut Self)) {
        let wrapped = if wrapped { " data-wrapped" } else { "" };
        self.start("fieldset", "list", field, &format!("{more}{wrapped}"));
        self.legend(field, "list");
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

    fn legend(&mut self, field: Field<'_>, what: &str) {
        put!(
            self.html,
            "<legend>{} <span class=\"type\">{}</span></legend>\n",
            escaped(field.element.name),
            escaped(what)
        );
        self.html.documentation("hint", field.element.documentation);
    }

    fn choice(&mut self, field: Field<'d>, alternatives: &'d [Element<'d>]) {
        self.start("fieldset", "choice", field, "");
        self.legend(field, "choice");
        self.pick(alternatives.iter().map(|alternative| alternative.name));
        for alternative in alternatives {
            put!(
                self.html,
                "<template data-alternative=\"{}\">",
                escaped(alternative.name)
            );
            self.field(
                Field {
                    element: alternative,
                    secret: alternative.secret,
                    ..field
                },
                "",
            );
            put!(self.html, "</template>\n");
        }
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

    fn object(&mut self, field: Field<'d>, complex: &'d ComplexType<'d>, more: &str) {
        let members = self.types.members(complex);
        let several = members.len() > 1 || complex.is_abstract;
        let name = escaped(complex.name);
        let of = if several { "declared" } else { "of" };
        self.start(
            "fieldset",
            "object",
            field,
            &format!("{more} data-{of}=\"{name}\""),
        );
        self.legend(field, complex.name);
        if several {
            self.pick(members.iter().map(|member| member.name));
        } else if field.optional || field.element.optional || field.element.nillable {
            put!(
                self.html,
                "<label class=\"check\"><input type=\"checkbox\" data-include> Send it</label>\n"
            );
        }
        put!(
            self.html,
            "<div class=\"inside\" data-place></div>\n</fieldset>\n"
        );
    }

    fn value(&mut self, field: Field<'_>, kind: &str, more: &str) {
        let Content::Type(r#type) = field.element.content else {
            return;
        };
        let id = self.id();
        let documented = self.html.words(field.element.documentation).is_some();
        self.start(
            "div",
            kind,
            field,
            &format!("{more} class=\"field\" data-type=\"{}\"", escaped(r#type)),
        );
        put!(
            self.html,
            "<label for=\"{id}\">{} <span class=\"type\">{}</span></label>",
            escaped(field.element.name),
            escaped(r#type)
        );
        self.input(
            &id,
            field,
            r#type,
            if documented {
                format!(" aria-describedby=\"{id}-hint\"")
            } else {
                String::new()
            },
        );
        if documented {
            put!(self.html, "<div id=\"{id}-hint\">");
            self.html.documentation("hint", field.element.documentation);
            put!(self.html, "</div>");
        }
        put!(self.html, "</div>\n");
    }

    fn input(&mut self, id: &str, field: Field<'_>, r#type: &str, described: String) {
        let optional = field.optional || field.element.optional || field.element.nillable;
        let values: Vec<&str> = match self.types.find(r#type) {
            Some(TypeDefinition::Enumeration(enumeration)) => {
                enumeration.values.iter().map(|value| value.name).collect()
            }
            _ if r#type == "boolean" => vec!["false", "true"],
            _ => Vec::new(),
        };
        if !values.is_empty() {
            put!(self.html, "<select id=\"{id}\" data-value{described}>");
            if optional {
                put!(self.html, "<option value=\"\">none</option>");
            }
            self.options(values.into_iter());
            return put!(self.html, "</select>");
        }
        match (r#type, field.secret) {
            ("any", _) => put!(
                self.html,
                "<textarea id=\"{id}\" data-value rows=\"3\" spellcheck=\"false\"{described}></textarea>"
            ),
            (_, true) => put!(
                self.html,
                "<input type=\"password\" id=\"{id}\" data-value autocomplete=\"off\"{described}>"
            ),
            _ => put!(
                self.html,
                "<input type=\"text\" id=\"{id}\" data-value autocomplete=\"off\" autocapitalize=\"off\" spellcheck=\"false\"{described}>"
            ),
        }
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
