//! Reading columns.

use svcgen_wire::internals::{TimeZone, Tokens, XML_SCHEMA};

use super::attributes::{Attributes, kind, no_place};
use crate::cell::Cell;
use crate::column::{ColumnMapping, DataColumn};
use crate::column_type::ColumnType;
use crate::date_time_mode::DateTimeMode;
use crate::unknown::{Stop, unknown};

/// Columns with their ordinals.
pub(super) type Columns = Vec<(Option<usize>, DataColumn)>;

/// Reads the column with the text of its rows, and the columns that are attributes.
pub(super) fn read_simple_content(
    tokens: &mut Tokens<'_>,
    is_nullable: bool,
    columns: &mut Columns,
) -> Result<(), Stop> {
    let mut own = Attributes::of(tokens);
    let name = own.take_name("msdata:ColumnName").unwrap_or_default();
    if is_nullable {
        own.0.push(("minOccurs".to_owned(), "0".to_owned()));
    }
    while tokens.child()? {
        if kind(tokens) != Some("extension") {
            return no_place(tokens, "the type of a table");
        }
        let base = tokens
            .attribute_of("", "base")
            .unwrap_or_default()
            .to_owned();
        let base = Some(schema_type(tokens, &base)?);
        let own = std::mem::take(&mut own);
        let mapping = ColumnMapping::SimpleContent;
        add_column(
            tokens,
            &name,
            own,
            (base, Facets::default()),
            mapping,
            columns,
        )?;
        while tokens.child()? {
            if kind(tokens) != Some("attribute") {
                return no_place(tokens, "the type of a table");
            }
            let attributes = Attributes::of(tokens);
            read_column(tokens, attributes, columns, ColumnMapping::Attribute)?;
        }
    }
    Ok(())
}

/// Reads a column with its ordinal, after its start tag.
pub(super) fn read_column(
    tokens: &mut Tokens<'_>,
    mut attributes: Attributes,
    columns: &mut Columns,
    mapping: ColumnMapping,
) -> Result<(), Stop> {
    let name = attributes.take_name("name").unwrap_or_default();
    let written = attributes.take("type");
    let mut base = match &written {
        Some(written) => Some(schema_type(tokens, written)?),
        None => None,
    };
    let mut facets = Facets::default();
    while tokens.child()? {
        if kind(tokens) != Some("simpleType") || base.is_some() {
            let why = format!("the column '{name}' is not a simple value in its schema");
            return unknown(why);
        }
        base = facets.read(tokens)?;
    }
    add_column(tokens, &name, attributes, (base, facets), mapping, columns)
}

/// Adds a column with a type and its facets.
fn add_column(
    tokens: &mut Tokens<'_>,
    name: &str,
    mut attributes: Attributes,
    (base, facets): (Option<String>, Facets),
    mapping: ColumnMapping,
    columns: &mut Columns,
) -> Result<(), Stop> {
    let refuse = |why: &str| unknown(format!("the column '{name}' {why}"));
    if name.is_empty() {
        return refuse("is defined elsewhere in its schema");
    }
    let ordinal = attributes.take("msdata:Ordinal");
    let ordinal = ordinal.map(|ordinal| ordinal.parse().unwrap_or(usize::MAX));
    let data_type = attributes.take("msdata:DataType");
    let default = attributes.take("default");
    let default = attributes.take("msdata:DefaultValue").or(default);
    let least = attributes.take("minOccurs");
    let usage = attributes.take("use");
    let mode = attributes.take("msdata:DateTimeMode");
    let properties = attributes.rest(tokens)?;
    let is_char = facets.length == Some(1);
    let kind = match base {
        Some(_) if is_char => Some(ColumnType::CHAR),
        Some(base) => ColumnType::of_schema(&base, data_type.as_deref()),
        None => None,
    };
    let is_other_length = facets.length.is_some() && !is_char;
    let (Some(kind), false) = (kind, is_other_length) else {
        return refuse("is of a type that columns cannot have");
    };
    let mut column = DataColumn::new(name, kind);
    column.mapping = match (mapping, usage.as_deref()) {
        (ColumnMapping::Attribute, Some("prohibited")) => ColumnMapping::Hidden,
        (mapping, _) => mapping,
    };
    column.nullable = if mapping == ColumnMapping::Attribute {
        usage.as_deref() != Some("required")
    } else {
        least.as_deref() == Some("0")
    };
    column.max_length = facets.max_length;
    column.properties = properties;
    if let Some(mode) = mode {
        match DateTimeMode::of_name(&mode) {
            Some(mode) => column.mode = mode,
            None => return refuse("has an unknown DateTimeMode"),
        }
    }
    if let Some(default) = default {
        let Ok(read) = column.read(&default, TimeZone::AsWritten) else {
            return refuse("has a default of another type");
        };
        column.default = Cell::text(&*read);
    }
    tokens.push(columns, (ordinal, column))?;
    Ok(())
}

/// The restrictions of a simple type that .NET keeps.
#[derive(Default)]
struct Facets {
    length: Option<u32>,
    max_length: Option<u32>,
}

impl Facets {
    /// Reads a simple type after its start tag, and returns the type that it restricts.
    fn read(&mut self, tokens: &mut Tokens<'_>) -> Result<Option<String>, Stop> {
        let mut base = None;
        while tokens.child()? {
            if kind(tokens) != Some("restriction") {
                return no_place(tokens, "the type of a column");
            }
            let written = tokens
                .attribute_of("", "base")
                .unwrap_or_default()
                .to_owned();
            base = Some(schema_type(tokens, &written)?);
            while tokens.child()? {
                let value = tokens.attribute_of("", "value").unwrap_or_default();
                let value = value.trim().parse().ok();
                match kind(tokens) {
                    Some("length") if value.is_some() => self.length = value,
                    Some("maxLength") if value.is_some() => self.max_length = value,
                    _ => return no_place(tokens, "the type of a column"),
                }
                tokens.skip()?;
            }
        }
        Ok(base)
    }
}

/// The name of the XML Schema type in an attribute.
fn schema_type(tokens: &Tokens<'_>, written: &str) -> Result<String, Stop> {
    let (prefix, local) = written.split_once(':').unwrap_or(("", written));
    let namespace = tokens.namespaces.resolve(prefix);
    match namespace.map(|namespace| tokens.namespaces.name(namespace)) {
        Some(XML_SCHEMA) => Ok(local.to_owned()),
        _ => unknown(format!("'{written}' is not a type of XML Schema")),
    }
}

/// The columns by their ordinals; those without one take the remaining places.
pub(super) fn in_order(columns: Vec<(Option<usize>, DataColumn)>) -> Result<Vec<DataColumn>, Stop> {
    if columns.iter().all(|(ordinal, _)| ordinal.is_none()) {
        return Ok(columns.into_iter().map(|(_, column)| column).collect());
    }
    let mut places: Vec<Option<DataColumn>> = columns.iter().map(|_| None).collect();
    let mut others = Vec::new();
    for (ordinal, column) in columns {
        match ordinal {
            None => others.push(column),
            Some(ordinal) => match places.get_mut(ordinal) {
                Some(place @ None) => *place = Some(column),
                _ => return unknown("its schema has two columns of one ordinal"),
            },
        }
    }
    let mut others = others.into_iter();
    let placed = places
        .into_iter()
        .filter_map(|place| place.or_else(|| others.next()));
    Ok(placed.collect())
}
