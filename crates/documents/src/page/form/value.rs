//! The fields of single values, with their limits.

use svcgen_model::{Absence, At, Element, Facet, Occurs, SimpleType, TypeAt};

use super::{Field, Form, marks, net};
use crate::escape::escaped;
use crate::html::{put, type_text};

impl Form<'_, '_> {
    pub(super) fn value(
        &mut self,
        element: At<'_, Element<'_>>,
        field: Field<'_>,
        kind: &str,
        more: &str,
    ) {
        let id = self.id();
        let is_documented = self.html.words(field.documentation).is_some();
        let (limits, hint) = limits_of(element);
        let type_name = match element.type_at() {
            TypeAt::Dictionary(_) => type_text(element).trim_end_matches('?').to_owned(),
            other => other.name().to_owned(),
        };
        let type_name = escaped(&type_name);
        let texts = if field.texts { " data-texts" } else { "" };
        let is_described = is_documented || !hint.is_empty();
        self.start(
            "div",
            kind,
            field,
            &format!("{more} class=\"field\" data-type=\"{type_name}\"{limits}{texts}"),
        );
        put!(
            self.html,
            "<label for=\"{id}\">{} <span class=\"type\">{type_name}</span>{}</label>",
            escaped(field.name),
            marks(more),
        );
        let described = is_described.then(|| format!(" aria-describedby=\"{id}-hint\""));
        let described = described.unwrap_or_default();
        self.input(&id, element.type_at(), field, &described);
        if is_described {
            put!(self.html, "<div id=\"{id}-hint\">");
            self.html.documentation("hint", field.documentation);
            if !hint.is_empty() {
                put!(self.html, "<p class=\"hint\">{}</p>", escaped(&hint));
            }
            put!(self.html, "</div>");
        }
        put!(self.html, "</div>\n");
    }

    fn input(&mut self, id: &str, type_at: TypeAt<'_>, field: Field<'_>, described: &str) {
        let is_set = matches!(type_at, TypeAt::Enumeration(each) if each.flags);
        let values: Vec<_> = match type_at {
            TypeAt::Enumeration(each) if !field.texts => {
                let values = each.values();
                let values =
                    values.map(|value| (value.row().name, net(value.net), value.documentation()));
                values.collect()
            }
            _ if field.texts => Vec::new(),
            TypeAt::Simple(SimpleType::Boolean) => {
                let names = ["false", "true"].into_iter();
                names.map(|name| (name, String::new(), None)).collect()
            }
            _ => Vec::new(),
        };
        if !values.is_empty() {
            let multiple = if is_set { " multiple" } else { "" };
            put!(
                self.html,
                "<select id=\"{id}\" data-value{multiple}{described}>"
            );
            match field.absence {
                _ if is_set => {}
                Absence::Required => {}
                Absence::Omitted => put!(self.html, "<option value=\"\">left out</option>"),
                Absence::Nil => put!(self.html, "<option value=\"\">nil</option>"),
                Absence::Either => put!(
                    self.html,
                    "<option value=\"\">left out</option><option value=\"\" data-nil>nil</option>"
                ),
            }
            for (name, names, words) in values {
                put!(self.html, "<option{names}");
                if let Some(words) = self.html.words(words) {
                    put!(self.html, " title=\"{}\"", escaped(words.trim()));
                }
                put!(self.html, ">{}</option>", escaped(name));
            }
            return put!(self.html, "</select>");
        }
        match (type_at, field.secret) {
            (TypeAt::Simple(simple), _) if simple.is_xml() => put!(
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
}

/// The limits of a value: attributes that the script checks, and their description.
fn limits_of(element: At<'_, Element<'_>>) -> (String, String) {
    let (mut attributes, mut words) = (String::new(), Vec::new());
    let (mut range, mut patterns) = ([None, None], 0);
    let counted = match element.type_at() {
        TypeAt::Simple(simple) if simple.is_bytes() => "byte",
        _ => "character",
    };
    for (facet, text) in element.facets {
        let said = match facet {
            Facet::MinInclusive => {
                range[0] = Some(*text);
                None
            }
            Facet::MaxInclusive => {
                range[1] = Some(*text);
                None
            }
            Facet::MinLength => Some(format!("at least {}", several(text, counted))),
            Facet::MaxLength => Some(format!("at most {}", several(text, counted))),
            Facet::Length => Some(several(text, counted)),
            Facet::MinExclusive => Some(format!("above {text}")),
            Facet::MaxExclusive => Some(format!("below {text}")),
            Facet::TotalDigits => Some(format!("at most {}", several(text, "digit"))),
            Facet::FractionDigits => {
                let digits = several(text, "digit");
                Some(format!("at most {digits} after the point"))
            }
            Facet::Pattern => Some(format!("like {text}")),
            Facet::WhiteSpace => None,
        };
        words.extend(said);
        let mut name = facet.name().to_lowercase();
        if *facet == Facet::Pattern {
            // The attributes are numbered, as several patterns may have to match.
            name += &patterns.to_string();
            patterns += 1;
        }
        attributes += &format!(" data-{name}=\"{}\"", escaped(text));
    }
    match range {
        [Some(least), Some(most)] => words.insert(0, format!("{least} to {most}")),
        [Some(least), None] => words.insert(0, format!("{least} or more")),
        [None, Some(most)] => words.insert(0, format!("{most} or less")),
        [None, None] => {}
    }
    (attributes, sentence(&words.join(", ")))
}

/// The limits of a list's length: attributes that the script checks, and their description.
pub(super) fn count_of(occurs: Occurs) -> (String, String) {
    let Occurs { least, most } = occurs;
    let attributes = match most {
        Some(most) => format!(" data-least=\"{least}\" data-most=\"{most}\""),
        None => format!(" data-least=\"{least}\""),
    };
    match (least, most) {
        (0, None) => Default::default(),
        (_, None) => (
            attributes,
            format!("{} or more.", several(&least.to_string(), "item")),
        ),
        (_, Some(most)) => {
            let items = several(&most.to_string(), "item");
            let words = match least {
                0 => format!("At most {items}."),
                least if least == most => format!("{items}."),
                least => format!("{least} to {items}."),
            };
            (attributes, words)
        }
    }
}

/// A number and a noun, in the plural if necessary.
fn several(number: &str, what: &str) -> String {
    let ending = if number == "1" { "" } else { "s" };
    format!("{number} {what}{ending}")
}

/// Formats words as a sentence; empty if there are none.
fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    let first = characters.next().map(char::to_uppercase);
    first.map_or_else(String::new, |first| {
        format!("{first}{}.", characters.as_str())
    })
}
