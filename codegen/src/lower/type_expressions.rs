//! Type expressions, and corrections of wrong ones.

use svcgen_language::definition::Located;
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;

use super::context::Context;
use crate::model::SimpleType;

/// A type expression, a name and a suffix for each level of lists: `T`, `T?`, `T[]`, `T?[]?`,
/// `T[][]`; or that of a dictionary, `T{}`, `T?{}?`; or `optional T`.
pub(super) struct TypeExpression<'t> {
    pub name: &'t str,
    /// Whether each level may be absent; the named type is first.
    pub optional: Vec<bool>,
    /// Whether it is a dictionary with values of the named type.
    pub is_dictionary: bool,
    /// Whether it is `optional T`: an absent value is left out, while that of `T?` is nil.
    pub is_left_out: bool,
}

/// The prefix of a type whose absent value is left out.
const LEFT_OUT: &str = "optional";

impl<'t> TypeExpression<'t> {
    /// Parses a type expression; `None` if a text is not one.
    pub fn parse(text: &'t str) -> Option<Self> {
        let mut optional = Vec::new();
        let mut rest = text.trim();
        let mut is_dictionary = false;
        let left_out = rest.strip_prefix(LEFT_OUT).and_then(|rest| {
            let name = rest.trim_start();
            (name.len() < rest.len() && !name.contains(SUFFIXES)).then_some(name)
        });
        let name = loop {
            if let Some(name) = left_out {
                optional.push(true);
                break name;
            }
            let before = rest.strip_suffix('?');
            optional.insert(0, before.is_some());
            let before = before.unwrap_or(rest);
            if let Some(before) = before.strip_suffix("[]") {
                rest = before;
            } else if let (Some(before), false) = (before.strip_suffix("{}"), is_dictionary) {
                (rest, is_dictionary) = (before, true);
            } else {
                break before;
            }
        };
        // A dictionary contains single values, and cannot be in a list.
        if is_dictionary && optional.len() > 2 {
            return None;
        }
        let plain =
            !name.is_empty() && !name.contains(SUFFIXES) && !name.contains(char::is_whitespace);
        plain.then_some(Self {
            name,
            optional,
            is_dictionary,
            is_left_out: left_out.is_some(),
        })
    }

    /// Returns the number of lists around the named type.
    pub fn lists(&self) -> usize {
        if self.is_dictionary {
            0
        } else {
            self.optional.len() - 1
        }
    }

    /// Whether a value may be absent.
    pub fn is_optional(&self) -> bool {
        self.optional[self.optional.len() - 1]
    }
}

/// The characters of suffixes.
const SUFFIXES: [char; 5] = ['?', '[', ']', '{', '}'];

/// The maximum number of lists around a type.
const MOST_LISTS: usize = 2;

/// Names in lower case that could be any of several types or no type of the language, with the
/// nearest type and a hint.
const UNSURE: &[(&[&str], &str, &str)] = &[
    (
        &["byte"],
        "byte",
        "did you mean `byte`, or `unsignedByte`, as .NET's `Byte` is?",
    ),
    (
        &["integer"],
        "integer",
        "did you mean `integer`, or `int`, as .NET's `Integer` is?",
    ),
    (
        &["date"],
        "date",
        "did you mean `date`, or `dateTime`, as .NET's `Date` is?",
    ),
    (
        &["number"],
        "double",
        "numbers are `int`, `long`, `decimal` or `double`",
    ),
    (
        &["xml", "xmldocument", "xmlelement", "xmlnode"],
        "any",
        "XML as it stands is `any`; not for attributes, headers and HTTP GET and POST",
    ),
];

/// The row of [`UNSURE`] for a name.
fn unsure(name: &str) -> Option<&'static (&'static [&'static str], &'static str, &'static str)> {
    let name = name.to_ascii_lowercase();
    UNSURE
        .iter()
        .find(|(names, ..)| names.contains(&name.as_str()))
}

/// Parses a type expression and reports one that is wrong.
pub(super) fn type_expression<'t>(
    written: &'t Located<String>,
    context: &Context<'_>,
    sink: &mut Sink,
) -> Option<TypeExpression<'t>> {
    let Some(expression) = TypeExpression::parse(&written.value) else {
        refuse_expression(written, context, sink);
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

fn refuse_expression(written: &Located<String>, context: &Context<'_>, sink: &mut Sink) {
    let meant = meant(&written.value).map(|(name, suffixes)| {
        let here = name_here(name, context);
        let meant = format!("{}{suffixes}", here.unwrap_or(name));
        let is_certain = here.is_some() && is_type(&meant);
        (meant, is_certain)
    });
    let message = format!("`{written}` is not written like a type");
    let pending = sink.add(Rule::TypeSyntax, written.node, message);
    match meant {
        Some((meant, is_certain)) => pending
            .fix(&written.value, quoted(&meant))
            .certain(is_certain)
            .hint(format!("it is written `{meant}`")),
        None => pending.hint(
            "a type is a name and suffixes: `T`, `T?` may be absent, `T[]` a list, `T?[]` with nil items, `T[]?`, `T{}` a dictionary of single values, over JSON; or `optional T`, left out where `T?` is nil",
        ),
    };
}

/// The name in the language of a type that other languages may name differently.
fn name_here<'n>(name: &'n str, context: &Context<'_>) -> Option<&'n str> {
    let is_known =
        |name: &&str| context.types.contains_key(*name) || SimpleType::of_name(name).is_some();
    let local = local(name);
    if let Some(known) = [name, local].into_iter().find(is_known) {
        return Some(known);
    }
    let lower = local.to_ascii_lowercase();
    let is_alias = |simple: &&SimpleType| simple.row().elsewhere.contains(&lower.as_str());
    let mut simple_types = SimpleType::ALL.iter();
    let same = simple_types.find(|simple| simple.name().eq_ignore_ascii_case(local));
    let here = same.or_else(|| SimpleType::ALL.iter().find(is_alias));
    here.map(|simple| simple.name())
        .filter(|_| unsure(local).is_none())
}

/// Reports a name that no type has, with the name that was probably intended.
pub(super) fn refuse_name(
    name: &str,
    written: &Located<String>,
    context: &Context<'_>,
    sink: &mut Sink,
) {
    let mut known = Vec::new();
    if sink.may_compare(context.types.len()) {
        known.extend(context.types.keys().copied());
        known.extend(&context.included.missing);
        known.sort_unstable();
    }
    let is_own = known.iter().any(|known| known.eq_ignore_ascii_case(name));
    known.extend(SimpleType::ALL.iter().map(|simple| simple.name()));
    let hidden = context.included.file_of(name);
    let hidden = hidden.map(|file| file.display().to_string());
    let here = name_here(name, context);
    let generic = generic(name);
    let base_here = generic
        .as_ref()
        .and_then(|(_, base, _)| name_here(base, context));
    let generic = generic.filter(|_| base_here.is_some() || name.ends_with('>'));
    let pending = sink.add(
        Rule::UnknownType,
        written.node,
        format!("unknown type `{name}`"),
    );
    if let Some(file) = hidden {
        pending.hint(format!("it stands in `{file}`: include that here too"));
        return;
    }
    if ["void", "null", "none", "~"].contains(&name.to_ascii_lowercase().as_str()) {
        pending.hint("an operation that answers nothing says no `result`: leave it out");
        return;
    }
    if let Some(here) = here.filter(|_| local(name) != name) {
        pending
            .fix(name, here)
            .hint(format!("types have no prefix here: `{here}`"));
    } else if let Some((words, base, suffixes)) = generic {
        let meant = format!("{}{suffixes}", base_here.unwrap_or(base));
        let text = written.value.trim();
        // `optional` cannot precede a list or a type whose values may be absent already.
        let after = text.strip_prefix(name);
        let whole = format!("{meant}{}", after.unwrap_or_default());
        pending
            .fix(text, quoted(&whole))
            .certain(base_here.is_some() && after.is_some() && is_type(&whole))
            .hint(format!("{words} is written `{meant}`"));
    } else if let Some((_, nearest, hint)) = unsure(name).filter(|_| !is_own) {
        pending.fix(name, *nearest).certain(false).hint(*hint);
    } else if let Some(here) = here.filter(|here| !is_own && !here.eq_ignore_ascii_case(name)) {
        pending
            .fix(name, here)
            .hint(format!("`{name}` is called `{here}` here"));
    } else {
        let else_hint =
            "define it under `types` or `enums`, or use a simple type such as `string` or `int`";
        pending.nearest(name, known, else_hint);
    }
}

/// A name without its prefix, as in XML Schema, or its namespace, as in .NET.
fn local(name: &str) -> &str {
    name.rsplit([':', '.']).next().unwrap_or(name)
}

/// Whether a text is a type expression with few enough lists.
fn is_type(text: &str) -> bool {
    TypeExpression::parse(text).is_some_and(|expression| expression.lists() <= MOST_LISTS)
}

/// A type expression in quotes, if YAML needs them somewhere.
fn quoted(written: &str) -> String {
    if written.contains(['[', '{']) {
        format!("\"{written}\"")
    } else {
        written.to_owned()
    }
}

/// The intended name and suffixes of a type expression that contains blanks.
fn meant(written: &str) -> Option<(&str, String)> {
    if let Some(item) = written.strip_prefix("list of ") {
        return meant(item).map(|(name, suffixes)| (name, suffixes + "[]"));
    }
    let mut parts = written.split_whitespace();
    let (name, rest): (_, String) = (parts.next()?, parts.collect());
    let base = name.trim_end_matches(SUFFIXES);
    let suffixes = format!("{}{rest}", &name[base.len()..]);
    let is_written_so = suffixes.chars().all(|c| SUFFIXES.contains(&c))
        && TypeExpression::parse(&format!("{base}{suffixes}")).is_some();
    is_written_so.then_some((base, suffixes))
}

/// Translates `List<T>`, `Dictionary<string,T>`, `Option<T>` or `ArrayOfT` of WSDL: a description,
/// `T`, and the suffixes of the language.
fn generic(name: &str) -> Option<(&'static str, &str, String)> {
    let outer_and_inner = name.strip_suffix('>').and_then(|name| name.split_once('<'));
    let (words, inner, suffix) = match (outer_and_inner, local(name).strip_prefix("ArrayOf")) {
        (Some((outer, inner)), _) => match local(outer).to_ascii_lowercase().as_str() {
            "list" | "vec" | "array" | "ienumerable" | "sequence" | "collection" => {
                ("a list", inner, "[]")
            }
            "option" | "optional" | "nullable" | "maybe" => ("what may be absent", inner, "?"),
            "dictionary" | "idictionary" => ("a dictionary", inner.strip_prefix("string,")?, "{}"),
            _ => return None,
        },
        (None, Some(item)) => ("a list", item, "[]"),
        (None, None) => return None,
    };
    let (_, base, suffixes) = generic(inner).unwrap_or(("", inner, String::new()));
    let suffixes = suffixes + suffix;
    let is_written = !suffixes.contains('{') || is_type(&format!("{base}{suffixes}"));
    is_written.then_some((words, base, suffixes))
}
