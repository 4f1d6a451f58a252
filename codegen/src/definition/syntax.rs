//! Text that is no YAML: libyaml's complaints, in words for those who wrote the text.

use std::ops::Range;

use crate::locate::token_length;

/// The most characters that YAML looks for the `:` behind.
const MOST_IN_KEY: usize = 1024;

/// Why a text cannot be read as YAML.
#[derive(Debug, Default)]
pub(crate) struct Complaint {
    pub message: String,
    /// The bytes that are wrong.
    pub place: Range<usize>,
    /// Other bytes that matter, with words for them.
    pub other: Option<(Range<usize>, String)>,
    pub hint: Option<String>,
    /// What of the place would be better written how, and whether that is certain.
    pub fix: Option<(String, String, bool)>,
}

/// What libyaml says: a problem at a byte, and what it was reading since another byte.
struct Trouble<'t> {
    text: &'t str,
    problem: &'t str,
    at: usize,
    context: &'t str,
    since: Option<usize>,
}

/// What is wrong with a text that cannot be read.
pub(crate) fn complaint(text: &str, error: &serde_yaml::Error) -> Complaint {
    let said = error.to_string();
    let (problem, context) = said.split_once(", while ").unwrap_or((&said, ""));
    let place = error.location();
    let trouble = Trouble {
        text,
        problem: problem
            .rsplit_once(" at line ")
            .map_or(problem, |(problem, _)| problem),
        at: place.map_or(0, |place| offset(text, (place.line(), place.column()))),
        context,
        // libyaml does not tell the place if that is the very start.
        since: line_column(context)
            .map(|place| offset(text, place))
            .or((!context.is_empty()).then_some(0)),
    };
    trouble.complaint()
}

impl Complaint {
    fn new(message: impl Into<String>, place: Range<usize>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            place,
            hint: Some(hint.into()),
            ..Self::default()
        }
    }

    fn fix(mut self, wrong: &str, right: impl Into<String>, is_certain: bool) -> Self {
        self.fix = Some((wrong.to_owned(), right.into(), is_certain));
        self
    }

    fn other(mut self, place: Option<Range<usize>>, label: &str) -> Self {
        self.other = place.map(|place| (place, label.to_owned()));
        self
    }
}

impl Trouble<'_> {
    fn complaint(&self) -> Complaint {
        let says = |words: &str| self.problem.contains(words);
        let found = self.text[self.at..].chars().next();
        if found == Some('\t') && self.line_before().trim().is_empty() {
            self.tab()
        } else if let Some(complaint) = self.long_key() {
            complaint
        } else if says("cannot start any token") {
            self.indicator()
        } else if self.context.contains("a quoted scalar") {
            self.quotes()
        } else if says("mapping values are not allowed") {
            self.second_colon()
        } else if says("could not find expected ':'") {
            self.missing_colon(self.since.unwrap_or(self.at))
        } else if says("did not find expected key") {
            self.block_map()
        } else if ["a flow mapping", "a flow sequence"].contains(
            &self
                .context
                .split(" at ")
                .next()
                .unwrap_or_default()
                .trim_start_matches("parsing "),
        ) {
            self.flow()
        } else {
            self.other_complaint()
        }
    }

    fn other_complaint(&self) -> Complaint {
        let token = self.token(self.at);
        let written = &self.text[token.clone()];
        let rows: [(&str, String, &str); 8] = [
            (
                "expected node content",
                format!("`{written}` stands here for nothing"),
                "text that starts with it stands in quotes",
            ),
            (
                "block sequence entries are not allowed",
                "a list cannot start here".to_owned(),
                "start its items on lines of their own, beneath the key, or write them as `[a, b]`",
            ),
            (
                "expected '-' indicator",
                "this line is no item of the list above".to_owned(),
                "the lines of a list start with `- `, those of a map with `key:`; a value is one of both",
            ),
            (
                "unknown anchor",
                format!("there is nothing before this that `{written}` could repeat"),
                "`&name` before a value gives it a name, `*name` repeats it; text that starts with `*` stands in quotes",
            ),
            (
                "recursion limit",
                "the definition is nested too deep".to_owned(),
                "lists and maps go 128 deep at most",
            ),
            (
                "repetition limit",
                "the aliases of the definition repeat too much".to_owned(),
                "write out what `*name` repeats",
            ),
            (
                "is empty",
                "the definition is empty".to_owned(),
                "every definition says `service: NAME`, `namespace: URI`, `path: /PATH` and its `operations`",
            ),
            (
                "nodes",
                format!("a definition has at most {} nodes", super::MOST_NODES),
                "each key, each value and each item is one; an alias repeats all that it names",
            ),
        ];
        let said = rows.into_iter().find(|row| self.problem.contains(row.0));
        match said {
            Some((_, message, hint)) => Complaint::new(message, token, hint),
            None if self.problem.contains("more than one document") => self.second_document(),
            None => Complaint {
                message: self.problem.to_owned(),
                place: token,
                ..Complaint::default()
            },
        }
    }

    fn tab(&self) -> Complaint {
        let line = self.line(self.at);
        let indent = self.text[line.clone()].trim_start_matches([' ', '\t']);
        let place = line.start..line.end - indent.len();
        Complaint::new(
            "a tab indents this line",
            place,
            "YAML is indented with spaces: replace all tabs that start lines",
        )
    }

    fn indicator(&self) -> Complaint {
        let rest = &self.text[self.at..self.line(self.at).end];
        let end = rest.find([',', '}', ']']).unwrap_or(rest.len());
        let value = rest[..end].trim_end();
        let first = value.chars().next().unwrap_or_default();
        let complaint = Complaint::new(
            format!("a text cannot start with `{}`", first.escape_default()),
            self.at..self.at + value.len(),
            "put it in quotes",
        );
        match value.contains(['"', '\\']) || first.is_whitespace() {
            true => complaint,
            false => complaint.fix(value, format!("\"{value}\""), true),
        }
    }

    fn quotes(&self) -> Complaint {
        let opening = self.token(self.since.unwrap_or(self.at));
        if self.problem.contains("end of stream") || self.problem.contains("document indicator") {
            let quote = self.text[opening.start..].chars().next().unwrap_or('"');
            return Complaint::new(
                "the quotes that open here are never closed",
                opening,
                format!("close them with `{quote}`"),
            );
        }
        let place = self.at
            ..self.at
                + self.text[self.at..]
                    .chars()
                    .next()
                    .map_or(0, char::len_utf8);
        Complaint::new(
            "`\\` starts an escape that YAML does not have",
            place,
            "in single quotes `\\` stands for itself: `'a\\b'`; in double quotes write `\\\\`",
        )
        .other(Some(opening), "in these quotes")
    }

    /// A `: ` where no key is expected: behind another one, or because the line before is no map.
    fn second_colon(&self) -> Complaint {
        let line = self.line(self.at);
        let written = &self.text[line.clone()];
        if let Some(first) = self.text[line.start..self.at].find(": ") {
            let value = written[first + 2..].trim();
            let start = line.start + written.find(value).unwrap_or_default();
            return two_values(value, start..start + value.len());
        }
        let before = self.text[..line.start].trim_end();
        let line_before = self.line(before.len());
        match self.text[line_before.clone()].contains(':') || before.is_empty() {
            false => self.missing_colon(line_before.start),
            true => Complaint::new(
                "this line belongs beneath a key, and the line before has its value already",
                self.content(line.start),
                "lines of one map start in the same column",
            ),
        }
    }

    /// A `:` that comes too late to make a key of what is before it.
    fn long_key(&self) -> Option<Complaint> {
        let is_known = self.text[self.at..].starts_with(':');
        let line = self.line(match is_known {
            true => self.at,
            false => self.since?,
        });
        let start = line.start;
        let line = &self.text[line];
        let colon = match is_known {
            true => self.at - start,
            false => line.find(": ").or(line.strip_suffix(':').map(str::len))?,
        };
        let before = line[..colon].trim_end();
        let opening = before
            .strip_suffix(['"', '\''])
            .and_then(|quoted| quoted.rfind(&before[quoted.len()..]));
        let in_flow = self.context.contains(" flow ");
        let key_start = match opening {
            Some(quotes) => quotes,
            None if in_flow => before.rfind(['[', '{', ',']).map_or(0, |at| at + 1),
            None => 0,
        };
        let key = before[key_start..].trim_start_matches(['-', ' ']);
        let length = line[before.len() - key.len()..colon].chars().count();
        let is_key = length > MOST_IN_KEY && (opening.is_some() || !key.contains(": "));
        is_key.then(|| {
            let end = start + before.len();
            Complaint::new(
                format!("a key has at most {MOST_IN_KEY} characters, and this has {length}"),
                end - key.len()..end,
                "give it a shorter name; text that holds `: ` stands in quotes",
            )
        })
    }

    fn missing_colon(&self, at: usize) -> Complaint {
        let place = self.content(at);
        let written = &self.text[place.clone()];
        let key = &written[..token_length(written).min(written.len())];
        Complaint::new(
            format!("`{key}` has no `:` behind it"),
            place.clone(),
            format!("a key is written `{key}:`, its value behind a blank or on the lines beneath"),
        )
        .fix(key, format!("{key}:"), false)
    }

    /// Something that does not start where the lines of its map do, or goes on behind a value.
    fn block_map(&self) -> Complaint {
        if self.line_before().trim().is_empty() {
            return Complaint::new(
                "this line starts in a column of its own",
                self.content(self.at),
                "lines of one map start in the same column, those beneath a key in a deeper one",
            )
            .other(
                self.since.map(|since| self.token(since)),
                "the map around it starts here",
            );
        }
        let line = self.line(self.at);
        let value_start =
            (self.line_before().find(": ")).map_or(line.start, |at| line.start + at + 2);
        let value = self.text[value_start..line.end].trim_start();
        let start = line.end - value.len();
        let value = value.trim_end();
        let complaint = Complaint::new(
            "nothing can stand behind closing quotes",
            self.at..line.end.max(self.at),
            "take all of it into the quotes",
        );
        let inner: String = value.chars().filter(|c| *c != '"').collect();
        match value.starts_with('"') && !value.contains('\\') {
            true => Complaint {
                place: start..start + value.len(),
                ..complaint
            }
            .fix(value, format!("\"{inner}\""), true),
            false => complaint,
        }
    }

    /// Between brackets and braces.
    fn flow(&self) -> Complaint {
        let opening = self.since.map(|since| self.character(since));
        let found = self.text[self.at..].chars().next();
        if found == Some('[') {
            let before = self.line_before();
            let start = before
                .rfind([' ', ',', '{', '[', ':'])
                .map_or(0, |at| at + 1);
            let start = self.at - (before.len() - start);
            let end = self.text[self.at..].find(|c| !"[]?".contains(c));
            let place = start..end.map_or(self.text.len(), |end| self.at + end);
            let written = &self.text[place.clone()];
            return Complaint::new(
                "brackets start a list here",
                place.clone(),
                "between `{` and `}` a type with brackets stands in quotes",
            )
            .fix(written, format!("\"{written}\""), true);
        }
        let here = self
            .since
            .is_some_and(|since| self.line(since) == self.line(self.at));
        match found {
            Some(':') if here => Complaint::new(
                "there is a second `:` in this entry",
                self.at..self.at + 1,
                "between `{` and `}` entries are separated by commas, and text with `: ` stands in quotes",
            ),
            Some(closing @ ('}' | ']')) if here => Complaint::new(
                format!("`{closing}` does not close what was opened last"),
                self.at..self.at + 1,
                "brackets and braces close in the order in which they were opened",
            )
            .other(opening, "opened here"),
            _ if here && found.is_some_and(|c| !c.is_control()) => Complaint::new(
                "a comma is missing before this",
                self.token(self.at),
                "entries are separated by commas; text with blanks and brackets stands in quotes",
            ),
            _ => self.unclosed(opening.unwrap_or(self.at..self.at)),
        }
    }

    fn unclosed(&self, opening: Range<usize>) -> Complaint {
        let bracket = &self.text[opening.clone()];
        let closing = if bracket == "[" { "]" } else { "}" };
        Complaint::new(
            format!("the `{bracket}` that opens here is not closed"),
            opening,
            format!("close it with `{closing}`"),
        )
    }

    fn second_document(&self) -> Complaint {
        let mut lines = self.text.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some((*at - line.len(), line))
        });
        let starts_content =
            |line: &str| !line.trim().is_empty() && !line.starts_with(['#', '%', '-']);
        lines.find(|(_, line)| starts_content(line));
        let second = lines.find(|(_, line)| line.starts_with("---") || line.starts_with("..."));
        let at = second.map_or(0, |(at, _)| at);
        Complaint::new(
            "the file holds more than one YAML document",
            self.token(at),
            "a definition is one document: put what follows into a file of its own",
        )
    }

    fn character(&self, at: usize) -> Range<usize> {
        at..at + self.text[at..].chars().next().map_or(0, char::len_utf8)
    }

    fn token(&self, at: usize) -> Range<usize> {
        at..at + token_length(&self.text[at..])
    }

    /// The line that a byte is on, without its end.
    fn line(&self, at: usize) -> Range<usize> {
        let start = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[at..]
            .find('\n')
            .map_or(self.text.len(), |end| at + end);
        start..end
    }

    /// What stands on a line from a byte on, without white space around it and without a comment.
    fn content(&self, at: usize) -> Range<usize> {
        let rest = &self.text[at..self.line(at).end];
        let blanks = rest.len() - rest.trim_start().len();
        let content = rest.split(" #").next().unwrap_or_default().trim();
        at + blanks..at + blanks + content.len()
    }

    fn line_before(&self) -> &str {
        &self.text[self.line(self.at).start..self.at]
    }
}

/// `key: value: more`.
fn two_values(value: &str, place: Range<usize>) -> Complaint {
    let list = value.split_once(':').filter(|(word, item)| {
        let word = word.trim().to_ascii_lowercase();
        ["list", "array"].contains(&word.as_str()) && !item.trim().contains(char::is_whitespace)
    });
    match list {
        Some((_, item)) => {
            let list = format!("{}[]", item.trim());
            Complaint::new(
                "one line takes one `key: value`",
                place,
                format!("a list is written `{list}`"),
            )
            .fix(value, list, true)
        }
        None => Complaint::new(
            "one line takes one `key: value`",
            place,
            "text that holds `: ` stands in quotes; a map goes on the lines beneath, or between `{` and `}`",
        ),
    }
}

/// The line and column that a text ends with.
pub(crate) fn line_column(said: &str) -> Option<(usize, usize)> {
    let (_, place) = said.rsplit_once(" at line ")?;
    let (line, column) = place.split_once(" column ")?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

/// The byte at a line and a column as YAML counts them: both from 1, columns in characters.
fn offset(text: &str, place: (usize, usize)) -> usize {
    Lines::of(text).offset(place)
}

/// The lines of a text as YAML counts them.
pub(crate) struct Lines<'t> {
    text: &'t str,
    /// The byte that each line starts with.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn of(text: &'t str) -> Self {
        let mut starts = vec![0];
        for (at, end) in text.match_indices(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
            let is_half = end == "\r" && text[at + 1..].starts_with('\n');
            if !is_half {
                starts.push(at + end.len());
            }
        }
        Self { text, starts }
    }

    /// The byte at a line and a column, both from 1, columns in characters.
    pub fn offset(&self, (line, column): (usize, usize)) -> usize {
        let last = self.starts.len() - 1;
        let start = self.starts[line.saturating_sub(1).min(last)];
        let rest = &self.text[start..];
        let in_line = rest.char_indices().nth(column.saturating_sub(1));
        start + in_line.map_or(rest.len(), |(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_yaml_ends_them() {
        let text = "a\nb\r\nc\rd\u{85}é😀x\u{2028}f\n";
        let lines = Lines::of(text);
        for (place, rest) in [
            ((1, 1), "a\n"),
            ((2, 1), "b\r"),
            ((3, 1), "c\r"),
            ((4, 1), "d\u{85}"),
            ((5, 3), "x\u{2028}"),
            ((6, 1), "f\n"),
            ((7, 1), ""),
            ((6, 99), ""),
            ((99, 1), ""),
        ] {
            assert!(text[lines.offset(place)..].starts_with(rest), "{place:?}");
        }
    }
}
