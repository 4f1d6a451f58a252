//! Types as they are written, and what was meant where they are not.

use super::context::Context;
use crate::definition::{Located, NodeId};
use crate::model::SimpleType;
use crate::naming;
use crate::rules::Rule;
use crate::sink::Sink;

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

/// A type that is written as types are.
pub(super) fn type_expression<'t>(
    written: &'t Located<String>,
    sink: &mut Sink,
) -> Option<TypeExpression<'t>> {
    let Some(expression) = TypeExpression::parse(&written.value) else {
        refuse_expression(written, sink);
        return None;
    };
    if expression.lists() > MOST_LISTS {
        let message = format!("`{written}` is nested too deep");
        sink.add(Rule::TypeSyntax, written.node, message)
            .hint("lists go two deep: `T[][]`; put the inner ones into a type of their own");
        return None;
    }
    Some(expression)
}

fn refuse_expression(written: &Located<String>, sink: &mut Sink) {
    let message = format!("`{written}` is not written like a type");
    let pending = sink.add(Rule::TypeSyntax, written.node, message);
    match meant(&written.value) {
        Some(meant) => pending
            .fix(&written.value, quoted(&meant))
            .hint(format!("it is written `{meant}`")),
        None => pending.hint(
            "a type is a name and suffixes: `T`, `T?` may be absent, `T[]` a list, `T?[]` with nil items, `T[]?`",
        ),
    };
}

/// Reports a name that no type has, with what it may have been meant to be.
pub(super) fn refuse_name(name: &str, node: NodeId, context: &Context<'_>, sink: &mut Sink) {
    let mut known = Vec::new();
    if sink.may_compare(context.types.len()) {
        known.extend(context.types.keys().copied());
        known.extend(&context.included.missing);
        known.sort_unstable();
    }
    known.extend(SimpleType::ALL.iter().map(|simple| simple.name()));
    let hidden = context.included.names.get(name);
    let hidden = hidden.map(|(file, _)| file.display().to_string());
    let pending = sink.add(Rule::UnknownType, node, format!("unknown type `{name}`"));
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
    let aliases = SimpleType::ALL.iter();
    let aliases = aliases.map(|simple| (simple.name(), simple.row().elsewhere));
    let is_same = known.iter().any(|known| known.eq_ignore_ascii_case(name));
    if let Some((generic, written)) = generic(name) {
        pending
            .fix(name, quoted(&written))
            .hint(format!("{generic} is written `{written}`"));
    } else if let Some(simple) = naming::by_alias(name, aliases).filter(|_| !is_same) {
        pending
            .fix(name, simple)
            .hint(format!("`{name}` is called `{simple}` here"));
    } else {
        let else_hint =
            "define it under `types` or `enums`, or use a simple type such as `string` or `int`";
        pending.nearest(name, known, else_hint);
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
