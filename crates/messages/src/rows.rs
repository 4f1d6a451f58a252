//! Sets of tables in a readable form: lists of rows.

use serde_json::{Map, Value as Json};
use svcgen::codegen::EmptySet;
use svcgen::types::{Cell, ColumnType, DataColumn, DataRow, DataSet, DataTable, Decimal, RowState};
use svcgen_language::yaml::{Content, Node, ScalarStyle};
use svcgen_model::{SimpleType, TypeAt};

use crate::error::unknown_name;
use crate::layouts::Type;
use crate::place::{Kind, Place};
use crate::yaml::Refused;

/// The kind of tables at a place.
#[derive(Clone, Copy)]
pub(crate) enum Tables {
    /// A `DataSet` of any tables.
    Set,
    /// A `DataTable`.
    Table,
    /// A set whose schema is in the definition.
    Typed(Type),
}

/// The member of a row with its state, if it was modified or deleted.
const STATE: &str = "$state";

/// The member of a typed set with its XML.
const XML: &str = "$text";

impl Place {
    /// The kind of tables at this place, if any.
    pub(crate) fn tables(self) -> Option<Tables> {
        match self.resolved() {
            Kind::One(row) if row.wildcard.is_none() => match row.type_at() {
                TypeAt::Simple(SimpleType::DataSet) => Some(Tables::Set),
                TypeAt::Simple(SimpleType::DataTable) => Some(Tables::Table),
                _ => None,
            },
            Kind::Object(complex) => complex.data_set.map(|_| Tables::Typed(complex)),
            _ => None,
        }
    }

    /// Whether the value is a `DataSet` or a `DataTable`, which may be rows in YAML.
    pub fn is_tables(self) -> bool {
        self.tables().is_some()
    }

    /// The value for the XML of a set whose schema is in the definition.
    pub(crate) fn typed_set_of_text(self, text: &str) -> Option<Json> {
        let is_typed = matches!(self.tables(), Some(Tables::Typed(_)));
        let is_set = is_typed && text.parse::<DataSet>().is_ok();
        is_set.then(|| typed_set(text.to_owned()))
    }

    /// Returns a value of this place with rows instead of the XML of tables: a set is an object
    /// with a list for each table, a table is a list, and a row is an object with a member for each
    /// column that is not null. The member `$state` of a row is present if it was modified or
    /// deleted.
    ///
    /// Schemas, and the original values of modified rows, are omitted. Tables that cannot be read
    /// remain XML.
    pub fn with_rows(self, value: Json) -> Json {
        if let Some(tables) = self.tables() {
            let xml = match (tables, &value) {
                (Tables::Typed(_), value) => value.get(XML),
                (_, value) => Some(value),
            };
            let rows = xml.and_then(Json::as_str).and_then(|xml| match tables {
                Tables::Table => Some(rows_of_table(&xml.parse().ok()?)),
                Tables::Set | Tables::Typed(_) => rows_of_set(&xml.parse().ok()?),
            });
            return rows.unwrap_or(value);
        }
        match value {
            Json::Object(map) => {
                let members = map.into_iter().map(|(name, value)| {
                    let value = match self.member(&name) {
                        Some(member) => member.with_rows(value),
                        None => value,
                    };
                    (name, value)
                });
                Json::Object(members.collect())
            }
            Json::Array(items) => match self.item() {
                Some(item) => items.into_iter().map(|one| item.with_rows(one)).collect(),
                None => Json::Array(items),
            },
            value => value,
        }
    }

    /// Converts rows to a value of this place, if it is one of tables. A table that the definition
    /// does not describe has the columns of its rows, each with the type of its values: `boolean`,
    /// `int`, `long`, `decimal` or `string`.
    ///
    /// # Errors
    ///
    /// There is no such table or column, a value is not of the type of its column, or the rows are
    /// not rows.
    pub(crate) fn value_of_rows(self, tables: Tables, node: &Node) -> Result<Json, Refused> {
        let refused = |error: svcgen::WriteError| Refused::at(node, None, error);
        match tables {
            Tables::Table => {
                let mut table = DataTable::new("Table");
                fill_any(&mut table, node)?;
                table.to_xml().map(Json::String).map_err(refused)
            }
            Tables::Set => {
                let mut set = DataSet::new("NewDataSet");
                for (name, rows) in members(node, "a list of rows for each table is expected")? {
                    let mut table = DataTable::new(name);
                    fill_any(&mut table, rows)?;
                    set.add(table);
                }
                set.to_xml().map(Json::String).map_err(refused)
            }
            Tables::Typed(complex) => {
                let empty = self.known.layout(complex).empty_set.as_ref();
                let mut set = empty.map(EmptySet::get).unwrap_or_default();
                for (name, rows) in members(node, "a list of rows for each table is expected")? {
                    let Some(table) = set.table_mut(name) else {
                        let known: Vec<_> = set.tables().iter().map(DataTable::name).collect();
                        let message = unknown_name("table", name, &known);
                        return Err(Refused::at(rows, None, message));
                    };
                    fill(table, rows)?;
                }
                let xml = set.to_xml().map_err(refused)?;
                Ok(typed_set(xml))
            }
        }
    }
}

fn typed_set(xml: String) -> Json {
    Json::Object(Map::from_iter([(XML.to_owned(), Json::String(xml))]))
}

fn rows_of_set(set: &DataSet) -> Option<Json> {
    if set.unread().is_some() {
        return None;
    }
    let tables = set.tables().iter();
    Some(Json::Object(
        tables
            .map(|table| (table.name().to_owned(), rows_of_table(table)))
            .collect(),
    ))
}

fn rows_of_table(table: &DataTable) -> Json {
    table.rows().map(|row| row_of(table, &row)).collect()
}

fn row_of(table: &DataTable, row: &DataRow<'_>) -> Json {
    let state = match row.state() {
        RowState::Modified => Some("Modified"),
        RowState::Deleted => Some("Deleted"),
        _ => None,
    };
    let state = state.map(|state| (STATE.to_owned(), Json::from(state)));
    let cells = table.columns().iter().filter_map(|column| {
        let text = row.text(column.name()).ok()??;
        Some((
            column.name().to_owned(),
            value_of_cell(column.column_type(), text),
        ))
    });
    Json::Object(state.into_iter().chain(cells).collect())
}

/// The value of a cell: a number or a boolean if JSON preserves it exactly, otherwise its text.
fn value_of_cell(column: ColumnType, text: &str) -> Json {
    let value = match column.name() {
        "boolean" => text.parse().ok().map(Json::Bool),
        "byte" | "short" | "int" | "long" | "unsignedByte" | "unsignedShort" | "unsignedInt"
        | "unsignedLong" => serde_json::from_str(text).ok().filter(Json::is_number),
        "float" | "double" => text
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .map(Json::from),
        _ => None,
    };
    value.unwrap_or_else(|| Json::from(text))
}

/// The members of a map, by their names.
fn members<'n>(node: &'n Node, expected: &str) -> Result<Vec<(&'n str, &'n Node)>, Refused> {
    let Content::Collection(map) = &node.target().content else {
        return Err(Refused::at(node, None, expected));
    };
    let mut members = Vec::with_capacity(map.slots.len());
    for slot in &map.slots {
        let key = slot.first();
        let Content::Scalar { text: name, .. } = &key.target().content else {
            return Err(Refused::at(key, None, expected));
        };
        if !map.is_map || members.iter().any(|(known, _)| known == name) {
            let message = format!("'{name}' is there twice");
            return Err(Refused::at(
                key,
                None,
                if map.is_map { &message } else { expected },
            ));
        }
        members.push((&**name, &*slot.value));
    }
    Ok(members)
}

/// The cells of each row of a list, by their columns.
fn rows_of(node: &Node) -> Result<Vec<Vec<(&str, &Node)>>, Refused> {
    let rows = match &node.target().content {
        Content::Collection(list) if !list.is_map => list.slots.iter(),
        Content::Nothing => [].iter(),
        _ => return Err(Refused::at(node, None, "a list of rows is expected")),
    };
    rows.map(|slot| members(&slot.value, "a row is expected: columns and their values"))
        .collect()
}

/// The text of a cell and whether it is written without quotes; `None` for null.
fn text_of(node: &Node) -> Result<Option<(&str, bool)>, Refused> {
    match &node.target().content {
        Content::Nothing => Ok(None),
        Content::Scalar { text, style } => {
            let is_plain = *style == ScalarStyle::Plain;
            let is_null = is_plain && matches!(&**text, "null" | "~");
            Ok((!is_null).then_some((&**text, is_plain)))
        }
        _ => Err(Refused::at(
            node,
            None,
            "a text, a number or a boolean is expected",
        )),
    }
}

/// Adds rows to a table, with the columns that they have.
fn fill_any(table: &mut DataTable, node: &Node) -> Result<(), Refused> {
    let rows = rows_of(node)?;
    let mut columns = Vec::<(&str, Option<ColumnType>)>::new();
    for (name, value) in rows.iter().flatten() {
        let at = columns.iter().position(|(known, _)| known == name);
        let at = at.unwrap_or_else(|| {
            columns.push((name, None));
            columns.len() - 1
        });
        if let Some((text, is_plain)) = text_of(value)? {
            let known = &mut columns[at].1;
            *known = Some(wider(*known, text, is_plain));
        }
    }
    for (name, kind) in columns {
        table.add_column(name, kind.unwrap_or(ColumnType::STRING));
    }
    fill(table, node)
}

/// The column types for values without a schema; each but the first and the last contains the
/// values of the one before it.
const WIDER: [&str; 5] = ["boolean", "int", "long", "decimal", "string"];

/// The column type that contains this value, too.
fn wider(known: Option<ColumnType>, text: &str, is_plain: bool) -> ColumnType {
    let is_decimal = || {
        text.trim_start_matches(['+', '-'])
            .starts_with(|c: char| c.is_ascii_digit())
            && text.parse::<Decimal>().is_ok()
    };
    let own = match () {
        () if !is_plain => 4,
        () if matches!(text, "true" | "false") => 0,
        // A number has no leading zero.
        () if text.len() > 1 && text.starts_with('0') && !text.starts_with("0.") => 4,
        () if text.parse::<i32>().is_ok() => 1,
        () if text.parse::<i64>().is_ok() => 2,
        () if is_decimal() => 3,
        () => 4,
    };
    let before = known.and_then(|known| WIDER.iter().position(|name| *name == known.name()));
    let both = match before {
        None => own,
        Some(before) if before == own => own,
        // Numbers and booleans have only `string` in common.
        Some(before) if before == 0 || own == 0 => 4,
        Some(before) => before.max(own),
    };
    ColumnType::of_name(WIDER[both]).unwrap_or(ColumnType::STRING)
}

/// Adds rows to a table.
fn fill(table: &mut DataTable, node: &Node) -> Result<(), Refused> {
    for row in rows_of(node)? {
        let mut cells: Vec<_> = table
            .columns()
            .iter()
            .map(|column| column.default_value().clone())
            .collect();
        for (name, value) in &row {
            let Some(index) = table
                .columns()
                .iter()
                .position(|column| column.name() == *name)
            else {
                let known: Vec<_> = table.columns().iter().map(DataColumn::name).collect();
                let message = unknown_name("column", name, &known);
                return Err(Refused::at(value, None, message));
            };
            cells[index] = Cell::from(text_of(value)?.map(|(text, _)| text));
        }
        let at = row.first().map_or(node, |(_, value)| value);
        table
            .push(cells)
            .map_err(|error| Refused::at(at, None, error))?;
    }
    Ok(())
}
