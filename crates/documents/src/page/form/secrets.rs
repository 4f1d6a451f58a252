//! Names that the script hides in messages: those of secrets, except at places where the same name
//! is not secret.

use std::collections::BTreeMap;

use svcgen_model::{At, Element, Shown, TypeAt};

use super::Form;
use crate::binding::documented;

impl<'d> Form<'_, 'd> {
    /// The names of elements and attributes with secrets in messages of the operation.
    pub(super) fn secrets(&self, elements: &[At<'d, Element<'d>>]) -> Vec<&'d str> {
        let named = elements
            .iter()
            .filter(|element| self.is_secret(**element))
            .flat_map(|element| [element.row().name, element.row().field_name()]);
        let has_secret_result = self.operation.result().is_some_and(|result| result.secret);
        let bindings = self.operation.bindings.iter().filter(|_| has_secret_result);
        let roots = bindings.filter_map(|binding| documented(binding).root(self.operation.row()));
        let mut names: Vec<_> = named.chain(roots).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The places `AROUND/NAME` with the name of a secret that are not secret: in all types of
    /// elements named `AROUND`, the part named `NAME` contains no secret. Parameters of forms and
    /// JSON are in an object with an empty name, the content of the result in JSON also in `d`. The
    /// list is empty if the messages may contain values of any type or XML, whose elements may have
    /// any name.
    pub(super) fn shown(
        &self,
        secrets: &[&'d str],
        elements: &[At<'d, Element<'d>>],
    ) -> Vec<String> {
        let operation = self.operation;
        let is_open = |element: &At<'d, Element<'d>>| {
            matches!(element.shown(), Shown::AnyType | Shown::Undescribed)
        };
        if secrets.is_empty() || operation.encoded.is_some() || elements.iter().any(is_open) {
            return Vec::new();
        }
        let mut places: BTreeMap<(&str, &str), bool> = BTreeMap::new();
        let mut add = |around: &[&'d str], part: At<'d, Element<'d>>| {
            let names = [part.row().name, part.row().field_name()];
            for name in names.into_iter().filter(|name| secrets.contains(name)) {
                for around in around {
                    *places.entry((around, name)).or_default() |= self.is_secret(part);
                }
            }
        };
        for element in elements {
            let around = [element.row().name, element.row().field_name()];
            for part in self.parts(*element) {
                add(&around, part);
            }
        }
        let (request, response) = (operation.parameters(), operation.response());
        for parameter in request.elements() {
            add(&[request.row().name, ""], parameter);
        }
        for result in operation.results() {
            add(&[response.row().name], result);
            for part in self.parts(result) {
                add(&["d", "", operation.row().root], part);
            }
        }
        let shown = places.into_iter().filter(|(_, is_secret)| !is_secret);
        shown
            .map(|((around, name), _)| format!("{around}/{name}"))
            .collect()
    }

    /// The possible content of an element: attributes, text, elements, items, and the content of
    /// items.
    fn parts(&self, element: At<'d, Element<'d>>) -> Vec<At<'d, Element<'d>>> {
        match element.type_at() {
            // A page does not know the keys, and hides the values under them.
            TypeAt::Simple(_) | TypeAt::Enumeration(_) | TypeAt::Dictionary(_) => Vec::new(),
            TypeAt::List(item) => {
                let mut parts = self.parts(item);
                parts.push(item);
                parts
            }
            TypeAt::Complex(complex) => {
                let members = self.types.members(complex);
                let parts = members.flat_map(|member| {
                    let simple = member.attributes().chain(member.text());
                    simple.chain(member.elements())
                });
                parts.collect()
            }
        }
    }

    /// Whether it is a secret, or an object whose text may be one.
    fn is_secret(&self, element: At<'d, Element<'d>>) -> bool {
        match element.shown() {
            Shown::Object(complex) => {
                let mut members = self.types.members(complex);
                members.any(|member| member.shown_text() == Shown::Secret)
            }
            shown => shown == Shown::Secret,
        }
    }
}
