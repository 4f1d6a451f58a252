//! XML names and Rust names: their validity, and conversions between them.

use heck::{ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};

/// Keywords of all editions from 2015 to 2024, including reserved ones. syn only has those of one
/// edition.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Keywords that cannot be raw identifiers.
const NEVER_RAW: &[&str] = &["self", "Self", "super", "crate"];

/// The case of a Rust name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// Types and variants: `LoginResult`.
    Type,
    /// Fields, methods and modules: `mac_address`.
    Value,
    /// Constants: `READ_ONLY`.
    Constant,
}

/// Returns the Rust name for a name on the wire; `None` if it has no ASCII letter or digit, or any
/// letter beyond ASCII.
pub fn rust_name(xml: &str, case: Case) -> Option<String> {
    if !xml.is_ascii() {
        return None;
    }
    let name = match case {
        Case::Type => xml.to_upper_camel_case(),
        Case::Value => xml.to_snake_case(),
        Case::Constant => xml.to_shouty_snake_case(),
    };
    match name.chars().next()? {
        '0'..='9' => Some(format!("_{name}")),
        _ => Some(escape_keyword(name)),
    }
}

/// Returns the identifier for a Rust name in a definition; `None` if Rust or its lints refuse it
/// there.
pub fn asked_rust_name(name: &str, case: Case) -> Option<String> {
    let bare = name.trim_start_matches('_');
    let mut characters = bare.chars();
    let fits = match case {
        Case::Type => {
            bare.starts_with(|c: char| c.is_ascii_uppercase())
                && characters.all(|c| c.is_ascii_alphanumeric())
        }
        Case::Value => {
            bare.starts_with(|c: char| c.is_ascii_lowercase())
                && characters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
                && !bare.contains("__")
        }
        Case::Constant => {
            bare.starts_with(|c: char| c.is_ascii_uppercase())
                && characters.all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        }
    };
    fits.then(|| escape_keyword(name.to_owned()))
}

/// Converts a keyword to an identifier: a raw one where possible, else one with an underscore at
/// its end.
fn escape_keyword(name: String) -> String {
    if NEVER_RAW.contains(&name.as_str()) {
        format!("{name}_")
    } else if KEYWORDS.contains(&name.as_str()) {
        format!("r#{name}")
    } else {
        name
    }
}

/// Whether a Rust name, without `r#`, reveals the name on the wire: it is the same, or its words
/// are in snake case, and the same words in camel case on the wire, where the first letter may be a
/// capital.
pub fn gives_back(rust: &str, xml: &str) -> bool {
    let words = rust.split('_').flat_map(|word| {
        let mut characters = word.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters)
    });
    let mut of_xml = xml.chars();
    let first = of_xml.next().map(|first| first.to_ascii_uppercase());
    rust == xml || words.eq(first.into_iter().chain(of_xml))
}

/// Strips `r#`, for names of files and for longer names.
pub fn unraw(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// Joins the names of a type and of a part of it: `Person` and `home_contact` →
/// `PersonHomeContact`.
pub fn joined(outer: &str, inner: &str) -> String {
    let outer = unraw(outer).trim_end_matches('_');
    let inner = unraw(inner).trim_end_matches('_').to_upper_camel_case();
    format!("{outer}{inner}")
}

/// The maximum number of names and arguments in the path of a Rust type: syn recurses without a
/// limit.
const MOST_PARTS: usize = 64;

/// Whether a text is the path of a Rust type, without arguments: `crate::money::Amount`.
pub fn is_rust_path(text: &str) -> bool {
    let path = text.strip_prefix("::").unwrap_or(text);
    let mut segments = path.split("::").enumerate();
    segments.all(|(index, segment)| {
        let starts = index == 0 && ["crate", "self", "super"].contains(&segment);
        let raw = segment.strip_prefix("r#");
        let name = raw.unwrap_or(segment);
        let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name != "_";
        let keyword = match raw {
            Some(name) => NEVER_RAW.contains(&name),
            None => KEYWORDS.contains(&name) || (NEVER_RAW.contains(&name) && segment != "super"),
        };
        (starts || (named && !keyword)) && index < MOST_PARTS
    })
}

/// Whether a text is the path of a Rust type, perhaps with types as arguments:
/// `std::sync::Arc<str>`.
pub fn is_rust_type(text: &str) -> bool {
    let (path, mut arguments) = type_parts(text);
    let is_closed = !text.contains('<') || text.ends_with('>');
    is_closed
        && text.matches('<').count() < MOST_PARTS
        && is_rust_path(path)
        && arguments.all(is_rust_type)
}

/// Splits a Rust type into its path and the types between its `<` and `>`.
pub fn type_parts(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let (path, arguments) = match text.split_once('<') {
        Some((path, rest)) => (path, Some(rest.strip_suffix('>').unwrap_or(rest))),
        None => (text, None),
    };
    let mut depth = 0_usize;
    let is_end = move |c| {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    let arguments = arguments
        .into_iter()
        .flat_map(move |text| text.split(is_end));
    (path, arguments.map(str::trim))
}

/// Whether a text is an NCName (Namespaces in XML 1.0 §3): the name of an element, without a
/// prefix.
pub fn is_ncname(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(starts_name) && chars.all(continues_name)
}

/// Whether a text is the full name of a class in .NET: `Company.Crm.Address`,
/// `Company.Crm.Outer+Address`.
pub fn is_net_class(text: &str) -> bool {
    let mut parts = text.split(['.', '+']);
    parts.all(|part| is_ncname(part) && !part.contains('-'))
}

fn starts_name(c: char) -> bool {
    matches!(c,
        'A'..='Z' | '_' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

fn continues_name(c: char) -> bool {
    starts_name(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Returns the known name that was most likely intended by a misspelt one.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let known: Vec<_> = known.into_iter().collect();
    let lower = name.to_lowercase();
    let longer = |candidate: &&str| name.len() >= 3 && candidate.to_lowercase().starts_with(&lower);
    if let Some(candidate) = known.iter().copied().find(longer) {
        return Some(candidate);
    }
    let length = name.chars().count();
    let allowed = (length / 3).max(1);
    known
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= allowed)
        .map(|candidate| (distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Whether a name is probably a misspelling of another one. Names that differ only in digits are
/// not: `ShopV1`, `ShopV2`.
pub fn is_misspelt(name: &str, meant: &str) -> bool {
    let without_digits = |name: &str| name.replace(|c: char| c.is_ascii_digit(), "");
    if name == meant || without_digits(name) == without_digits(meant) {
        return false;
    }
    let allowed = (meant.chars().count() / 5).clamp(1, 2);
    name.to_snake_case() == meant.to_snake_case()
        || distance(&name.to_lowercase(), &meant.to_lowercase()) <= allowed
}

/// The restricted Damerau–Levenshtein distance.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before_last = vec![0; to.len() + 1];
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for i in 0..from.len() {
        let mut row = vec![i + 1];
        for j in 0..to.len() {
            let replaced = last[j] + usize::from(from[i] != to[j]);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j] {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_bounded() {
        let path = |names: usize| vec!["a"; names].join("::");
        let nested = |depth: usize| format!("{}B{}", "A<".repeat(depth), ">".repeat(depth));
        assert!(is_rust_path(&path(MOST_PARTS)) && !is_rust_path(&path(MOST_PARTS + 1)));
        assert!(is_rust_type(&nested(MOST_PARTS - 1)) && !is_rust_type(&nested(MOST_PARTS)));
        assert!(!is_rust_type(&nested(100_000)) && !is_rust_type(&path(100_000)));
    }

    #[test]
    fn snake_case_tells_names_in_camel_case() {
        for (rust, xml) in [
            ("mac_address", "macAddress"),
            ("mac_address", "MacAddress"),
            ("error_code_2", "ErrorCode2"),
            ("type", "type"),
            ("TimedOut", "TimedOut"),
            ("x-y", "x-y"),
        ] {
            assert!(gives_back(rust, xml), "{rust} {xml}");
        }
        for (rust, xml) in [
            ("incorrect_ip", "IncorrectIP"),
            ("Ok", "OK"),
            ("mac_address", "mac-address"),
            ("READ", "Read"),
            ("value", "Detail"),
        ] {
            assert!(!gives_back(rust, xml), "{rust} {xml}");
        }
    }

    #[test]
    fn near_names_are_misspelt() {
        for name in ["Authentikator", "authenticator", "Authentcator"] {
            assert!(is_misspelt(name, "Authenticator"), "{name}");
        }
        assert!(is_misspelt("device_login_service", "DeviceLoginService"));
        let others = [
            ("ShopV1", "ShopV2"),
            ("Shop", "ShopAdmin"),
            ("Orders", "Offers"),
        ];
        for (name, other) in others.into_iter().chain([("Shop", "Shop")]) {
            assert!(!is_misspelt(name, other), "{name}");
        }
    }

    #[test]
    fn names_become_rust_names() {
        let names = [
            ("macAddress", "mac_address", "MacAddress"),
            ("AnIDMButNoUser", "an_idm_but_no_user", "AnIdmButNoUser"),
            ("type", "r#type", "Type"),
            ("gen", "r#gen", "Gen"),
            ("self", "self_", "Self_"),
            ("a-b.c", "a_b_c", "ABC"),
            ("_1", "_1", "_1"),
        ];
        for (xml, value, type_name) in names {
            assert_eq!(rust_name(xml, Case::Value).as_deref(), Some(value));
            assert_eq!(rust_name(xml, Case::Type).as_deref(), Some(type_name));
        }
        assert_eq!(rust_name("naïve", Case::Value), None);
        assert_eq!(rust_name("_", Case::Type), None);
    }

    #[test]
    fn asked_names_fit_the_lints() {
        let asked = |name, case| asked_rust_name(name, case);
        assert_eq!(asked("LoginError", Case::Type).unwrap(), "LoginError");
        assert_eq!(asked("type", Case::Value).unwrap(), "r#type");
        for bad in ["bool", "Two_Words", "", "_", "1A", "A b", "Ä"] {
            assert_eq!(asked(bad, Case::Type), None, "{bad}");
        }
        for bad in ["Login", "two__words", "", "_", "a b", "ä"] {
            assert_eq!(asked(bad, Case::Value), None, "{bad}");
        }
    }

    #[test]
    fn names_of_elements_are_ncnames() {
        for name in ["a", "_", "Größe", "a-b.c9", "日本"] {
            assert!(is_ncname(name), "{name}");
        }
        for name in ["", "9a", "-a", "a:b", "a b", "a<", "\u{D7}"] {
            assert!(!is_ncname(name), "{name}");
        }
    }

    #[test]
    fn a_near_name_is_found() {
        let known = ["int", "long", "boolean", "parameters"];
        for (name, meant) in [
            ("paramters", Some("parameters")),
            ("Boolean", Some("boolean")),
            ("itn", Some("int")),
            ("bool", Some("boolean")),
            ("zebra", None),
        ] {
            assert_eq!(nearest(name, known), meant);
        }
    }
}
