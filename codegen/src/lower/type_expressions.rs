//! Types as they are written, and what was meant where they are not.

use super::Lower;
use crate::definition::{Located, NodeId};
use crate::model::{SimpleType, TypeRef};
use crate::naming;
use crate::rules::Rule;

/// A type as it is written: a name, and a suffix for each level of lists. `T`, `T?`, `T[]`, `T?[]?`, `T[][]`.
pub(super) struct TypeExpression<'t> {
    pub name: &'t str,
    /// Whether each level may be absent, from the inside: the named type first.
    pub optional: Vec<bool>,
}

impl<'t> TypeExpression<'t> {
    /// `None` if a text is not written like a type.
    pub fn parse(text: &'t str) -> Option<Self> {
        let mut optional = Vec::new();
        let mut rest = text.trim();
        let name = loop {
            let (before, mark) = strip_mark(rest);
            optional.insert(0, mark);
            match before.strip_suffix("[]") {
                Some(before) => rest = before,
                None => break before,
            }
        };
        let plain = !name.is_empty()
            && !name.contains(['?', '[', ']'])
            && !name.contains(char::is_whitespace);
        plain.then_some(Self { name, optional })
    }

    /// How many lists are around the named type.
    pub fn lists(&self) -> usize {
        self.optional.len() - 1
    }

    /// Whether the whole may be absent.
    pub fn is_optional(&self) -> bool {
        self.optional[self.lists()]
    }
}

fn strip_mark(text: &str) -> (&str, bool) {
    text.strip_suffix('?')
        .map_or((text, false), |text| (text, true))
}

/// The most lists around a type.
const MOST_LISTS: usize = 2;

/// Types of .NET that are not those which XML Schema has in lower case.
const OF_NET: &[(&str, &str)] = &[
    ("Byte", "unsignedByte"),
    ("Integer", "int"),
    ("Date", "dateTime"),
];

impl Lower<'_> {
    /// A type that is written as types are.
    pub(super) fn type_expression<'t>(
        &mut self,
        written: &'t Located<String>,
    ) -> Option<TypeExpression<'t>> {
        let Some(expression) = TypeExpression::parse(&written.value) else {
            self.refuse_expression(written);
            return None;
        };
        if expression.lists() > MOST_LISTS {
            let message = format!("`{written}` is nested too deep");
            self.error(Rule::TypeSyntax, written.node, message)
                .hint("lists go two deep: `T[][]`; put the inner ones into a type of their own");
            return None;
        }
        Some(expression)
    }

    fn refuse_expression(&mut self, written: &Located<String>) {
        let message = format!("`{written}` is not written like a type");
        let pending = self.error(Rule::TypeSyntax, written.node, message);
        match meant(&written.value) {
            Some(meant) => pending
                .fix(&written.value, quoted(&meant))
                .hint(format!("it is written `{meant}`")),
            None => pending.hint(
                "a type is a name and suffixes: `T`, `T?` may be absent, `T[]` a list, `T?[]` with nil items, `T[]?`",
            ),
        };
    }

    /// The type of a name.
    pub(super) fn named_type(&mut self, name: &str, node: NodeId) -> Option<TypeRef> {
        if let Some(simple) = SimpleType::of_name(name) {
            return Some(TypeRef::Simple(simple));
        }
        if let Some((_, type_ref)) = self.types.get(name) {
            let type_ref = type_ref.clone();
            self.import(name, &type_ref, node);
            return Some(type_ref);
        }
        if !self.may_be_included(name) {
            self.refuse_name(name, node);
        }
        None
    }

    fn refuse_name(&mut self, name: &str, node: NodeId) {
        let mut known = Vec::new();
        if self.sink.may_compare(self.types.len()) {
            known.extend(self.types.keys().copied());
            known.extend(&self.foreign.missing);
            known.sort_unstable();
        }
        known.extend(SimpleType::ALL.iter().map(|simple| simple.name()));
        let hidden = self.foreign.names.get(name);
        let hidden = hidden.map(|(file, _)| file.display().to_string());
        let pending = self.error(Rule::UnknownType, node, format!("unknown type `{name}`"));
        if let Some(file) = hidden {
            pending.hint(format!("it stands in `{file}`: include that here too"));
            return;
        }
        if ["void", "null", "none", "~"].contains(&name.to_ascii_lowercase().as_str()) {
            pending.hint("an operation that answers nothing says no `result`: leave it out");
            return;
        }
        if let Some((_, local)) = name.rsplit_once(':')
            && known.contains(&local)
        {
            pending
                .fix(name, local)
                .hint(format!("types have no prefix here: `{local}`"));
            return;
        }
        if let Some((_, simple)) = OF_NET.iter().find(|(of_net, _)| *of_net == name) {
            let lower = name.to_ascii_lowercase();
            pending.fix(name, &*lower).certain(false).hint(format!(
                "did you mean `{lower}`, or `{simple}`, as .NET's `{name}` is?"
            ));
            return;
        }
        let elsewhere = SimpleType::ALL.iter();
        let elsewhere = elsewhere.map(|simple| (simple.name(), simple.row().elsewhere));
        let is_same = known.iter().any(|known| known.eq_ignore_ascii_case(name));
        if let Some((generic, written)) = generic(name) {
            pending
                .fix(name, quoted(&written))
                .hint(format!("{generic} is written `{written}`"));
        } else if let Some(simple) = naming::called_elsewhere(name, elsewhere).filter(|_| !is_same)
        {
            pending
                .fix(name, simple)
                .hint(format!("`{name}` is called `{simple}` here"));
        } else {
            let else_hint = "define it under `types` or `enums`, or use a simple type such as `string` or `int`";
            pending.nearest(name, known, else_hint);
        }
    }
}

/// A type as it can stand anywhere in YAML.
fn quoted(written: &str) -> String {
    match written.contains('[') {
        true => format!("\"{written}\""),
        false => written.to_owned(),
    }
}

/// The type that was meant by one with blanks.
fn meant(written: &str) -> Option<String> {
    if let Some(item) = written.strip_prefix("list of ") {
        return meant(&format!("{item}[]"));
    }
    let mut parts = written.split_whitespace();
    let name = parts.next()?;
    let suffixes: String = parts.collect();
    let meant = format!("{name}{suffixes}");
    let is_suffix = suffixes.chars().all(|c| "?[]".contains(c));
    (is_suffix && TypeExpression::parse(&meant).is_some()).then_some(meant)
}

/// `List<T>` and `Option<T>`, in words and as they are written here.
fn generic(name: &str) -> Option<(&'static str, String)> {
    let (outer, inner) = name.strip_suffix('>')?.split_once('<')?;
    let (words, suffix) = match outer.to_ascii_lowercase().as_str() {
        "list" | "vec" | "array" | "ienumerable" | "sequence" | "collection" => ("a list", "[]"),
        "option" | "optional" | "nullable" | "maybe" => ("what may be absent", "?"),
        _ => return None,
    };
    let inner = generic(inner).map_or_else(|| inner.to_owned(), |(_, inner)| inner);
    Some((words, format!("{inner}{suffix}")))
}
