//! Results as text.

use std::io::{IsTerminal, stdout};

use clap::ValueEnum;
use serde_json::Value as Json;
use unicode_width::UnicodeWidthStr;

use crate::json::{escaped, yaml};

/// The format of results.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Format {
    /// YAML
    Yaml,
    /// JSON, indented
    Json,
    /// A table with a row for each object of a list, or a line for each member of an object; one
    /// for each table of a DataSet
    Table,
}

impl Format {
    /// Returns the text of a value; empty for an absent one.
    pub fn text(self, value: &Json) -> String {
        match self {
            Self::Json => escaped(&format!("{value:#}\n")),
            _ if value.is_null() => String::new(),
            Self::Yaml => yaml(value),
            Self::Table => table(value, width()),
        }
    }
}

/// Returns the number of columns of the terminal; `None` if standard output is not a terminal.
fn width() -> Option<usize> {
    let size = terminal_size::terminal_size().filter(|_| stdout().is_terminal())?;
    Some(size.0.0.into())
}

/// Writes a list of objects with a column for each member, or an object with a line for each
/// member. A table that is wider than the terminal is written object by object.
fn table(value: &Json, columns: Option<usize>) -> String {
    let items = match value {
        Json::Array(items) if items.iter().all(Json::is_object) => items,
        Json::Array(items) => {
            return items.iter().map(|item| cell(item) + "\n").collect();
        }
        Json::Object(map) if !map.is_empty() && map.values().all(is_rows) => {
            let each = map.iter();
            let each: Vec<_> = each
                .map(|(name, rows)| {
                    format!("{}\n{}", cell(&Json::from(&**name)), table(rows, columns))
                })
                .collect();
            return each.join("\n");
        }
        Json::Object(_) => return fields(value),
        value => return cell(value) + "\n",
    };
    let mut names: Vec<&str> = Vec::new();
    for name in items
        .iter()
        .filter_map(Json::as_object)
        .flat_map(|map| map.keys())
    {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let head = names.iter().map(|name| (*name).to_owned()).collect();
    let rows = items.iter().map(|item| {
        let cells = names
            .iter()
            .map(|name| item.get(name).map_or_else(String::new, cell));
        cells.collect::<Vec<_>>()
    });
    let rows: Vec<_> = [head].into_iter().chain(rows).collect();
    let is_number = |index: usize| {
        let name = names[index];
        let mut cells = items.iter().filter_map(|item| item.get(name));
        cells.all(Json::is_number)
    };
    let right: Vec<_> = (0..names.len()).map(is_number).collect();
    let text = aligned(&rows, &right);
    let widest = text
        .lines()
        .map(UnicodeWidthStr::width)
        .max()
        .unwrap_or_default();
    if columns.is_some_and(|columns| widest > columns) {
        let each: Vec<_> = items.iter().map(fields).collect();
        return each.join("\n");
    }
    text
}

/// Whether a value is a list of objects, such as the rows of a table in a DataSet.
fn is_rows(value: &Json) -> bool {
    let items = value.as_array();
    items.is_some_and(|items| items.iter().all(Json::is_object))
}

fn fields(object: &Json) -> String {
    let rows = object.as_object().into_iter().flatten();
    let rows: Vec<_> = rows
        .map(|(name, value)| vec![name.clone(), cell(value)])
        .collect();
    aligned(&rows, &[false, false])
}

/// Aligns the columns of rows, two spaces apart.
fn aligned(rows: &[Vec<String>], right: &[bool]) -> String {
    let widths: Vec<_> = (0..right.len())
        .map(|column| rows.iter().map(|row| row[column].width()).max())
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let missing = widths[column].unwrap_or_default() - cell.width();
            let (before, after) = if right[column] {
                (missing, 0)
            } else {
                (0, missing)
            };
            line += &" ".repeat(before + if column > 0 { 2 } else { 0 });
            line += cell;
            line += &" ".repeat(after);
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Writes a value on one line.
fn cell(value: &Json) -> String {
    let text = match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        value => value.to_string(),
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    svcgen_language::diagnostic::sanitize(&line)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tables_are_aligned_by_what_a_terminal_shows() {
        let value = json!([
            { "Name": "Ada", "Count": 7 },
            { "Name": "日本", "Count": 12, "Note": "two\nlines" },
        ]);
        let expected = "Name  Count  Note\nAda       7\n日本     12  two lines\n";
        assert_eq!(table(&value, None), expected);
        assert_eq!(table(&value, Some(24)), expected);
        let narrow = "Name   Ada\nCount  7\n\nName   日本\nCount  12\nNote   two lines\n";
        assert_eq!(table(&value, Some(20)), narrow);
        assert_eq!(
            table(&json!({ "A": [1], "Longer": null }), None),
            "A       [1]\nLonger\n"
        );
        assert_eq!(table(&json!(["a", 1]), None), "a\n1\n");
        assert_eq!(table(&json!([]), None), "\n");
        let set = json!({ "Lines": [{ "Id": 1, "Text": "a" }], "None": [] });
        assert_eq!(table(&set, None), "Lines\nId  Text\n 1  a\n\nNone\n\n");
    }
}
