//! Regular expressions of XML Schema (XML Schema 1.0 Part 2 §F), which differ from those of other
//! languages.

mod blocks;

use std::fmt::{self, Write as _};

use blocks::BLOCKS;

/// Translates the value of the facet `pattern` into the syntax of the crate `regex`. The result
/// matches whole texts.
///
/// The extensions of .NET to the recommendation are accepted as well: `\` before any punctuation.
///
/// # Errors
///
/// It is not a regular expression of XML Schema, names an unknown block of characters, or stands for
/// more than [`PATTERN_SIZE`] single characters.
///
/// ```
/// assert_eq!(svcgen_model::translate_pattern("[a-z-[x]]+").unwrap(), r"\A(?:[[a-z]--[x]]+)\z");
/// assert!(svcgen_model::translate_pattern("(?i)a").is_err());
/// ```
pub fn translate_pattern(pattern: &str) -> Result<String, PatternError> {
    let mut translator = Translator {
        rest: pattern,
        out: String::from(r"\A(?:"),
        groups: Vec::new(),
        size: 0,
        last: None,
    };
    match translator.run() {
        Ok(()) => Ok(translator.out + r")\z"),
        Err(message) => Err(PatternError {
            character: pattern[..pattern.len() - translator.rest.len()]
                .chars()
                .count()
                + 1,
            message,
        }),
    }
}

/// The maximum number of characters and classes of characters in a pattern when it is written
/// without counts: `(ab){10}` has 20. A class with a category or a block counts as 10. A text takes
/// at most this many steps for each of its characters.
pub const PATTERN_SIZE: usize = 5_000;

/// The maximum depth of nested groups and classes.
const DEPTH: usize = 50;

/// The reason why a text is not a regular expression of XML Schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    /// The position of the mistake in characters, from 1.
    pub character: usize,
    message: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {}", self.message, self.character)
    }
}

impl std::error::Error for PatternError {}

type Result<T, E = String> = std::result::Result<T, E>;

/// The size of a class of a category or a block.
const CLASS: usize = 10;

/// The characters that begin a name, and those that may follow (XML 1.0 §2.3), as ranges in a
/// class.
const NAME_START: &str = r":A-Z_a-z\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{2FF}\x{370}-\x{37D}\x{37F}-\x{1FFF}\x{200C}-\x{200D}\x{2070}-\x{218F}\x{2C00}-\x{2FEF}\x{3001}-\x{D7FF}\x{F900}-\x{FDCF}\x{FDF0}-\x{FFFD}\x{10000}-\x{EFFFF}";
const NAME_MORE: &str = r"\-.0-9\x{B7}\x{300}-\x{36F}\x{203F}-\x{2040}";

/// The general categories of Unicode that patterns can name.
const CATEGORIES: [&str; 36] = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc",
    "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Z", "Zs", "Zl", "Zp", "S", "Sm", "Sc", "Sk", "So", "C",
    "Cc", "Cf", "Co", "Cn",
];

struct Translator<'p> {
    rest: &'p str,
    out: String,
    /// The sizes before each open group.
    groups: Vec<usize>,
    /// The size of the innermost group.
    size: usize,
    /// The size of the part that a quantifier would repeat.
    last: Option<usize>,
}

impl Translator<'_> {
    fn run(&mut self) -> Result<()> {
        while let Some(character) = self.rest.chars().next() {
            match character {
                '|' => {
                    self.pass();
                    self.out.push('|');
                    self.last = None;
                }
                '(' => {
                    if self.groups.len() == DEPTH {
                        return Err(format!("more than {DEPTH} nested groups"));
                    }
                    self.pass();
                    self.out.push_str("(?:");
                    self.groups.push(std::mem::take(&mut self.size));
                    self.last = None;
                }
                ')' => {
                    let Some(before) = self.groups.pop() else {
                        return Err("`)` without `(`".to_owned());
                    };
                    self.pass();
                    self.out.push(')');
                    let group = std::mem::replace(&mut self.size, before);
                    self.add(group)?;
                }
                '?' | '*' | '+' | '{' => self.quantifier(character)?,
                ']' | '}' => return Err(format!("`{character}` without a `\\` before it")),
                '[' => {
                    let (class, size) = self.class()?;
                    self.out.push_str(&class);
                    self.add(size)?;
                }
                '.' => {
                    self.pass();
                    self.out.push_str(r"[^\n\r]");
                    self.add(1)?;
                }
                '\\' => {
                    let (escape, size) = self.escape()?.in_class();
                    let _ = write!(self.out, "[{escape}]");
                    self.add(size)?;
                }
                _ => {
                    self.pass();
                    push(&mut self.out, character);
                    self.add(1)?;
                }
            }
        }
        if self.groups.is_empty() {
            return Ok(());
        }
        Err("a `)` is missing".to_owned())
    }

    fn pass(&mut self) -> Option<char> {
        let character = self.rest.chars().next()?;
        self.rest = &self.rest[character.len_utf8()..];
        Some(character)
    }

    fn take(&mut self, character: char) -> bool {
        let found = self.rest.starts_with(character);
        if found {
            self.pass();
        }
        found
    }

    /// Adds a part of this size, which the next quantifier repeats.
    fn add(&mut self, size: usize) -> Result<()> {
        self.size = self.size.saturating_add(size);
        self.last = Some(size);
        if self.size > PATTERN_SIZE {
            return Err(format!(
                "with its counts it stands for more than {PATTERN_SIZE} characters; `max_length` counts those of a text,"
            ));
        }
        Ok(())
    }

    fn quantifier(&mut self, kind: char) -> Result<()> {
        let Some(size) = self.last else {
            return Err(format!("nothing before `{kind}` to repeat"));
        };
        self.pass();
        self.out.push(kind);
        if kind == '{' {
            let least = self.number()?;
            let most = if !self.take(',') {
                Some(least)
            } else if self.rest.starts_with('}') {
                None
            } else {
                Some(self.number()?)
            };
            if !self.take('}') {
                return Err("a count is like `{2}`, `{2,}` or `{2,5}`".to_owned());
            }
            if most.is_some_and(|most| least > most) {
                return Err("the first of two counts is above the second".to_owned());
            }
            let _ = match most {
                None => write!(self.out, "{least},}}"),
                Some(most) => write!(self.out, "{least},{most}}}"),
            };
            let times = most.unwrap_or(least + 1).max(1);
            self.add(size.saturating_mul(times - 1))?;
        }
        self.last = None;
        Ok(())
    }

    fn number(&mut self) -> Result<usize> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit());
        let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let number = digits.parse().ok();
        let number = number.filter(|number| *number <= PATTERN_SIZE);
        let number = number
            .ok_or_else(|| format!("a count is a number of up to {PATTERN_SIZE}: `{{2,5}}`"))?;
        self.rest = rest;
        Ok(number)
    }

    /// Reads `[…]` with the classes that it subtracts, `[a-z-[aeiou]]`.
    fn class(&mut self) -> Result<(String, usize)> {
        let (mut classes, mut size) = (Vec::new(), 1);
        loop {
            self.pass();
            let mut class = String::from(if self.take('^') { "[^" } else { "[" });
            let (is_last, items) = self.class_items(&mut class)?;
            class.push(']');
            classes.push(class);
            size = size.max(items);
            if is_last {
                break;
            }
            if classes.len() == DEPTH {
                return Err(format!("more than {DEPTH} nested classes"));
            }
        }
        for _ in 1..classes.len() {
            if !self.take(']') {
                return Err("a `]` is missing after a class that is subtracted".to_owned());
            }
        }
        let subtract = |other: String, class: &String| format!("[{class}--{other}]");
        let innermost = classes.pop().unwrap_or_default();
        Ok((classes.iter().rev().fold(innermost, subtract), size))
    }

    /// Reads the items of a class, through its `]`, or up to the class that it subtracts. Returns
    /// whether the class ends without a subtraction, and the size.
    fn class_items(&mut self, out: &mut String) -> Result<(bool, usize)> {
        let (mut size, mut is_first) = (1, true);
        loop {
            if self.rest.is_empty() {
                return Err("a `]` is missing".to_owned());
            }
            if self.rest.starts_with(']') {
                if is_first {
                    return Err("a class is empty".to_owned());
                }
                self.pass();
                return Ok((true, size));
            }
            if !is_first && self.rest.starts_with("-[") {
                self.pass();
                return Ok((false, size));
            }
            is_first = false;
            let item = self.class_item()?;
            let is_range = self.rest.starts_with('-') && !self.rest[1..].starts_with([']', '[']);
            match (item, is_range) {
                (Item::Character(first), true) => {
                    self.pass();
                    let Item::Character(last) = self.class_item()? else {
                        return Err("a range ends with a class of characters".to_owned());
                    };
                    if first > last {
                        return Err("the first character of a range is behind the last".to_owned());
                    }
                    push(out, first);
                    out.push('-');
                    push(out, last);
                }
                (item, _) => {
                    let (text, more) = item.in_class();
                    out.push_str(&text);
                    size = size.max(more);
                }
            }
        }
    }

    fn class_item(&mut self) -> Result<Item> {
        match self.rest.chars().next() {
            Some('\\') => self.escape(),
            Some('[') => Err("`[` in a class without a `\\` before it".to_owned()),
            Some(character) => {
                self.pass();
                Ok(Item::Character(character))
            }
            None => Err("a `]` is missing".to_owned()),
        }
    }

    fn escape(&mut self) -> Result<Item> {
        let before = self.rest;
        self.pass();
        let refuse = |translator: &mut Self, message: String| {
            translator.rest = before;
            Err(message)
        };
        let Some(kind) = self.pass() else {
            return refuse(self, "nothing after `\\`".to_owned());
        };
        let class = |text: &str, is_negated: bool, size| {
            let not = if is_negated { "^" } else { "" };
            Ok(Item::Class(format!("[{not}{text}]"), size))
        };
        match kind {
            'n' => Ok(Item::Character('\n')),
            'r' => Ok(Item::Character('\r')),
            't' => Ok(Item::Character('\t')),
            's' | 'S' => class(r"\x20\t\n\r", kind == 'S', 1),
            'd' | 'D' => class(r"\p{Nd}", kind == 'D', CLASS),
            'w' | 'W' => class(r"\p{P}\p{Z}\p{C}", kind == 'w', CLASS),
            'i' | 'I' => class(NAME_START, kind == 'I', CLASS),
            'c' | 'C' => class(&format!("{NAME_START}{NAME_MORE}"), kind == 'C', CLASS),
            'p' | 'P' => {
                let name = self.rest.strip_prefix('{');
                let Some((name, rest)) = name.and_then(|name| name.split_once('}')) else {
                    return refuse(self, format!("`\\{kind}` has a name after it: `\\p{{Lu}}`"));
                };
                self.rest = rest;
                match set(name) {
                    Some(set) => class(&set, kind == 'P', CLASS),
                    None => refuse(
                        self,
                        format!("`{name}` is not a category or block of characters"),
                    ),
                }
            }
            kind if kind.is_ascii_punctuation() => Ok(Item::Character(kind)),
            kind => refuse(self, format!("`\\{kind}` is not known")),
        }
    }
}

/// A part of a class.
enum Item {
    Character(char),
    /// A class, in the syntax for use within another one, and its size.
    Class(String, usize),
}

impl Item {
    fn in_class(self) -> (String, usize) {
        match self {
            Self::Class(text, size) => (text, size),
            Self::Character(character) => {
                let mut text = String::new();
                push(&mut text, character);
                (text, 1)
            }
        }
    }
}

/// A category, or a block whose name begins with `Is`, in a class.
fn set(name: &str) -> Option<String> {
    if CATEGORIES.contains(&name) {
        return Some(format!(r"\p{{{name}}}"));
    }
    let block = name.strip_prefix("Is")?;
    let mut blocks = BLOCKS.iter();
    let (_, first, last) = blocks.find(|(known, ..)| *known == block)?;
    Some(format!(r"\x{{{first:X}}}-\x{{{last:X}}}"))
}

/// Writes a literal character.
fn push(out: &mut String, character: char) {
    if character.is_ascii_alphanumeric() {
        out.push(character);
    } else {
        let _ = write!(out, r"\x{{{:X}}}", u32::from(character));
    }
}

#[cfg(test)]
mod tests {
    use super::{PATTERN_SIZE, translate_pattern};

    #[test]
    fn patterns_become_those_of_regex() {
        for (pattern, expected) in [
            ("", ""),
            ("[0-9]{5}", "[0-9]{5,5}"),
            ("a|b?|(c)*", "a|b?|(?:c)*"),
            ("^a$", r"\x{5E}a\x{24}"),
            (r"\d+", r"[[\p{Nd}]]+"),
            (r"[\w-]", r"[[^\p{P}\p{Z}\p{C}]\x{2D}]"),
            ("[^a-c-[b]]", "[[^a-c]--[b]]"),
            ("[a-z-[b-y-[m]]]{2,}", "[[a-z]--[[b-y]--[m]]]{2,}"),
            (r"\P{IsBasicLatin}", r"[[^\x{0}-\x{7F}]]"),
            (r"\.\/[\-\]]", r"[\x{2E}][\x{2F}][\x{2D}\x{5D}]"),
            (".", r"[^\n\r]"),
            ("[-a]", r"[\x{2D}a]"),
            ("[a&&b]", r"[a\x{26}\x{26}b]"),
        ] {
            let expected = format!(r"\A(?:{expected})\z");
            assert_eq!(translate_pattern(pattern), Ok(expected), "{pattern}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_its_place() {
        for (pattern, expected) in [
            ("(?i)a", "nothing before `?` to repeat at character 2"),
            ("a*?", "nothing before `?` to repeat at character 3"),
            ("a)", "`)` without `(` at character 2"),
            ("(a", "a `)` is missing at character 3"),
            ("a]", "`]` without a `\\` before it at character 2"),
            ("[]", "a class is empty at character 2"),
            ("[a", "a `]` is missing at character 3"),
            (
                "[a-[b]",
                "a `]` is missing after a class that is subtracted at character 7",
            ),
            (
                "[z-a]",
                "the first character of a range is behind the last at character 5",
            ),
            (
                r"[a-\d]",
                "a range ends with a class of characters at character 6",
            ),
            (
                "a{2",
                "a count is like `{2}`, `{2,}` or `{2,5}` at character 4",
            ),
            (
                "a{3,2}",
                "the first of two counts is above the second at character 7",
            ),
            (r"é\b", "`\\b` is not known at character 2"),
            (
                r"\p{IsKlingon}",
                "`IsKlingon` is not a category or block of characters at character 1",
            ),
            (
                r"\pL",
                "`\\p` has a name after it: `\\p{Lu}` at character 1",
            ),
            ("\\", "nothing after `\\` at character 1"),
        ] {
            let refused = translate_pattern(pattern).unwrap_err();
            assert_eq!(refused.to_string(), expected, "{pattern}");
        }
    }

    #[test]
    fn patterns_are_bounded() {
        assert!(translate_pattern(&format!("a{{{PATTERN_SIZE}}}")).is_ok());
        for large in ["(a{200}){26}", "((a{1,200}){1,200}){1,200}", r"\w{501}"] {
            let refused = translate_pattern(large).unwrap_err().to_string();
            assert!(refused.contains("more than 5000 characters"), "{refused}");
        }
        let deep = format!("{}a{}", "(".repeat(51), ")".repeat(51));
        let refused = translate_pattern(&deep).unwrap_err().to_string();
        assert!(refused.contains("more than 50 nested groups"), "{refused}");
        assert!(translate_pattern(&format!("a{{{}}}", "9".repeat(30))).is_err());
    }
}
