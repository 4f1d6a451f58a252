//! Reading the schema of a set.

use std::collections::HashMap;

use super::cell::Cell;
use super::column::{ColumnMapping, DataColumn};
use super::column_type::ColumnType;
use super::date_time_mode::DateTimeMode;
use super::keys::{DataRelation, Side, UniqueKey};
use super::namespaces::{MSDATA, MSPROP};
use super::set::DataSet;
use super::table::DataTable;
use super::unknown::{Stop, unknown};
use crate::values::name_text::decode;
use crate::values::time_zone::TimeZone;
use crate::xml::namespaces::XML_SCHEMA;
use crate::xml::tokens::Tokens;

/// What was read of a schema, with the numbers of what has a name.
#[derive(Default)]
pub(super) struct Schema {
    pub(super) set: DataSet,
    /// The table that the value is, if it is one by itself.
    pub(super) main: Option<String>,
    tables: HashMap<String, usize>,
    /// The columns of each table.
    columns: Vec<HashMap<String, usize>>,
    /// The column of each table that is the text of its rows.
    texts: Vec<Option<usize>>,
    /// The tables whose rows stand in those of others, with these.
    inner: Vec<(String, String)>,
    /// For each of them the columns of either table that relate them: of the other one, and of its own.
    nests: HashMap<usize, (usize, Vec<(usize, usize)>)>,
    /// The table and the columns of each key, by its name in the schema.
    keys: HashMap<String, Side>,
    /// The relations that name a key, by its name in the schema.
    pending: Vec<(String, DataRelation)>,
}

/// About what an entry of a map takes besides its key.
const ENTRY: usize = 64;

/// The attributes of an element: those without a namespace, and those of .NET's namespaces with their usual prefixes.
#[derive(Default)]
struct Attributes(Vec<(String, String)>);

impl Attributes {
    fn of(tokens: &Tokens<'_>) -> Self {
        let attributes = tokens.attributes.iter().filter_map(|attribute| {
            let local = attribute.local_name;
            let name = match tokens.namespaces.name(attribute.namespace) {
                "" => local.to_owned(),
                MSDATA => format!("msdata:{local}"),
                MSPROP => format!("msprop:{local}"),
                _ => return None,
            };
            Some((name, attribute.value.clone().into_owned()))
        });
        Self(attributes.collect())
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// Takes a name, decoded; an empty one is none.
    fn take_name(&mut self, name: &str) -> Option<String> {
        let name = self.take(name).filter(|name| !name.is_empty())?;
        Some(decode(&name).into_owned())
    }

    /// Those of .NET that are left.
    fn rest(mut self, tokens: &mut Tokens<'_>) -> Result<Vec<(String, String)>, Stop> {
        self.0.retain(|(name, _)| name.contains(':'));
        tokens.take_room(self.0.len() * size_of::<(String, String)>())?;
        Ok(self.0)
    }
}

/// The name of the current element, if it is one of XML Schema.
fn kind<'i>(tokens: &Tokens<'i>) -> Option<&'i str> {
    (tokens.namespace() == XML_SCHEMA).then(|| tokens.local_name())
}

fn no_place<T>(tokens: &Tokens<'_>, parent: &str) -> Result<T, Stop> {
    unknown(format!("its schema has '{}' in {parent}", tokens.name()))
}

/// The name that a path of one step names, and whether it is that of an attribute.
fn step(path: &str) -> (bool, String) {
    let path = path.trim();
    let path = path.strip_prefix(".//").unwrap_or(path);
    let (is_attribute, name) = match path.strip_prefix('@') {
        Some(name) => (true, name),
        None => (false, path),
    };
    (is_attribute, local(name))
}

/// A name without its prefix, decoded.
fn local(name: &str) -> String {
    let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
    decode(local).into_owned()
}

impl Schema {
    /// The schema of values that bring none: the tables of a set, without its rows.
    pub(super) fn of(mut set: DataSet) -> Self {
        if set.tables.iter().any(|table| !table.is_empty()) {
            let tables = set.tables.to_mut().iter_mut();
            tables.for_each(|table| table.rows.clear());
        }
        Self {
            set,
            ..Self::default()
        }
    }

    /// Makes the tables of the set those of rows without a schema. Returns whether it has any.
    pub(super) fn declare(&mut self, tokens: &mut Tokens<'_>) -> Result<bool, Stop> {
        if let Some((_, why)) = self.set.unread() {
            return unknown(why);
        }
        if !self.tables.is_empty() {
            return Ok(true);
        }
        tokens.take_room(self.set.tables.iter().map(DataTable::weight).sum())?;
        // The tables are borrowed until then.
        let tables = std::mem::take(self.set.tables.to_mut());
        for table in &tables {
            self.index(table, tokens)?;
        }
        self.set.tables = tables.into();
        self.relate(tokens)?;
        Ok(!self.tables.is_empty())
    }

    /// Numbers a table, the next one, and its columns.
    fn index(&mut self, table: &DataTable, tokens: &mut Tokens<'_>) -> Result<(), Stop> {
        tokens.take_room((table.columns.len() + 1) * 2 * ENTRY)?;
        let names = table.columns.iter().enumerate();
        let names: HashMap<_, _> = names
            .map(|(index, column)| (column.name.clone(), index))
            .collect();
        let number = self.columns.len();
        let is_new = self.tables.insert(table.name.clone(), number).is_none();
        if !is_new || names.len() < table.columns.len() {
            return unknown(format!(
                "the table '{}', or a column of it, is there twice",
                table.name
            ));
        }
        let mut columns = table.columns.iter();
        self.texts
            .push(columns.position(|column| column.mapping == ColumnMapping::SimpleContent));
        self.columns.push(names);
        Ok(())
    }

    /// Checks the relations, and numbers the columns of those by which rows stand in others.
    fn relate(&mut self, tokens: &mut Tokens<'_>) -> Result<(), Stop> {
        for relation in self.set.relations.iter() {
            let (parent, child) = (&relation.parent, &relation.child);
            if !self.has(parent) || !self.has(child) {
                return unknown(format!(
                    "the relation '{}' is between no tables",
                    relation.name
                ));
            }
            if !relation.nested {
                continue;
            }
            let (parent_number, number) = (self.tables[&parent.table], self.tables[&child.table]);
            let columns = parent.columns.iter().zip(&child.columns);
            let columns = columns.map(|(key, column)| {
                let (keys, columns) = (&self.columns[parent_number], &self.columns[number]);
                (keys[key], columns[column])
            });
            let columns: Vec<_> = columns.collect();
            tokens.take_room(2 * ENTRY + columns.len() * size_of::<(usize, usize)>())?;
            self.nests.insert(number, (parent_number, columns));
        }
        Ok(())
    }

    /// Checks that a relation says of each table in another one why it is there.
    fn check_nests(&self) -> Result<(), Stop> {
        let nested = self.set.relations.iter().filter(|one| one.nested);
        let is_said = |(child, parent): &(String, String)| {
            let nest = self
                .tables
                .get(child)
                .and_then(|child| self.nests.get(child));
            nest.is_some_and(|(number, _)| self.tables.get(parent) == Some(number))
        };
        if nested.count() != self.inner.len() || !self.inner.iter().all(is_said) {
            return unknown(
                "its schema has a table in another one without a relation, or the other way round",
            );
        }
        Ok(())
    }

    /// The table in whose rows those of a table stand, and the columns of both that relate them.
    pub(super) fn nest_of(&self, table: usize) -> Option<(usize, &[(usize, usize)])> {
        let (parent, columns) = self.nests.get(&table)?;
        Some((*parent, columns))
    }

    /// The column of a table that is the text of its rows.
    pub(super) fn text_of(&self, table: usize) -> Option<usize> {
        self.texts[table]
    }

    /// Whether there is a table or a schema without any.
    pub(super) fn table_of(&self, local_name: &str) -> Option<usize> {
        self.tables.get(&*decode(local_name)).copied()
    }

    /// The column of a table by the local name of its element or attribute.
    pub(super) fn column_of(
        &self,
        table: usize,
        local_name: &str,
        mapping: ColumnMapping,
    ) -> Option<usize> {
        let column = *self.columns[table].get(&*decode(local_name))?;
        let found = &self.set.tables[table].columns[column];
        (found.mapping == mapping).then_some(column)
    }

    /// Reads a schema, whose start tag is read.
    pub(super) fn read(&mut self, tokens: &mut Tokens<'_>) -> Result<(), Stop> {
        let mut attributes = Attributes::of(tokens);
        self.set.namespace = attributes
            .take("targetNamespace")
            .unwrap_or_default()
            .into();
        let mut has_set = false;
        while tokens.child()? {
            match kind(tokens) {
                Some("element") if !has_set => {
                    has_set = true;
                    self.read_set(tokens)?;
                }
                Some("element") => return unknown("its schema has tables beside the set"),
                Some("annotation") => self.read_annotation(tokens, false)?,
                _ => return no_place(tokens, "the schema"),
            }
        }
        if !has_set {
            return unknown("its schema has no set");
        }
        let relations = self.set.relations.to_mut();
        let free = std::mem::take(relations);
        // The last one comes first.
        for (refer, mut relation) in std::mem::take(&mut self.pending).into_iter().rev() {
            let Some(parent) = self.keys.get(&refer) else {
                return unknown(format!("'{refer}' is no key of its schema"));
            };
            relation.parent = parent.clone();
            relations.push(relation);
        }
        relations.extend(free);
        self.set.set_default_locale();
        self.relate(tokens)?;
        self.check_nests()
    }

    /// Reads the element of the set.
    fn read_set(&mut self, tokens: &mut Tokens<'_>) -> Result<(), Stop> {
        let mut attributes = Attributes::of(tokens);
        let Some(name) = attributes.take_name("name") else {
            return unknown("its schema has a set without a name");
        };
        if attributes.take("msdata:IsDataSet").as_deref() != Some("true") {
            return unknown(format!("its schema does not say that '{name}' is a set"));
        }
        self.set.name = name.into();
        self.main = attributes.take_name("msdata:MainDataTable");
        self.set.properties = attributes.rest(tokens)?.into();
        while tokens.child()? {
            match kind(tokens) {
                Some("complexType") => self.read_tables(tokens)?,
                Some("unique" | "key") => self.read_key(tokens)?,
                Some("keyref") => self.read_reference(tokens)?,
                _ => return no_place(tokens, "the set"),
            }
        }
        Ok(())
    }

    fn read_tables(&mut self, tokens: &mut Tokens<'_>) -> Result<(), Stop> {
        while tokens.child()? {
            if !matches!(kind(tokens), Some("choice" | "sequence")) {
                return no_place(tokens, "the type of the set");
            }
            while tokens.child()? {
                if kind(tokens) != Some("element") {
                    return no_place(tokens, "the set");
                }
                let attributes = Attributes::of(tokens);
                let mut tables = Vec::new();
                self.read_table(tokens, attributes, &mut tables)?;
                for table in tables {
                    self.index(&table, tokens)?;
                    let pushed = tokens.room.push(self.set.tables.to_mut(), table);
                    pushed.map_err(|error| tokens.here(error))?;
                }
            }
        }
        Ok(())
    }

    /// Reads a table, and then those whose rows stand in its rows.
    fn read_table(
        &mut self,
        tokens: &mut Tokens<'_>,
        mut attributes: Attributes,
        tables: &mut Vec<DataTable>,
    ) -> Result<(), Stop> {
        let Some(name) = attributes.take_name("name") else {
            return unknown("its schema refers to tables elsewhere in it");
        };
        if attributes.take("type").is_some() {
            return unknown(format!(
                "the table '{name}' is of a type elsewhere in its schema"
            ));
        }
        let is_nillable = attributes.take("nillable").as_deref() == Some("true");
        let mut table = DataTable::new(name);
        table.properties = attributes.rest(tokens)?;
        let number = tables.len();
        let pushed = tokens.room.push(tables, DataTable::default());
        pushed.map_err(|error| tokens.here(error))?;
        let mut columns = Vec::new();
        let mut has_type = false;
        while tokens.child()? {
            match kind(tokens) {
                Some("annotation") => {
                    self.read_annotation(tokens, true)?;
                    continue;
                }
                Some("complexType") => has_type = true,
                _ => return no_place(tokens, "a table"),
            }
            while tokens.child()? {
                match kind(tokens) {
                    Some("sequence" | "all") => {
                        while tokens.child()? {
                            if kind(tokens) != Some("element") {
                                return no_place(tokens, "the columns of a table");
                            }
                            let mut attributes = Attributes::of(tokens);
                            let most = attributes.take("maxOccurs");
                            if most.is_none_or(|most| most == "1") {
                                read_column(
                                    tokens,
                                    attributes,
                                    &mut columns,
                                    ColumnMapping::Element,
                                )?;
                                continue;
                            }
                            let inner = tables.len();
                            self.read_table(tokens, attributes, tables)?;
                            let names = (tables[inner].name.clone(), table.name.clone());
                            tokens.take_room(names.0.len() + names.1.len())?;
                            let pushed = tokens.room.push(&mut self.inner, names);
                            pushed.map_err(|error| tokens.here(error))?;
                        }
                    }
                    Some("attribute") => {
                        let attributes = Attributes::of(tokens);
                        let mapping = ColumnMapping::Attribute;
                        read_column(tokens, attributes, &mut columns, mapping)?;
                    }
                    Some("simpleContent") => {
                        read_simple_content(tokens, is_nillable, &mut columns)?;
                    }
                    _ => return no_place(tokens, "the type of a table"),
                }
            }
        }
        if !has_type {
            return unknown(format!(
                "the table '{}' has no type in its schema",
                table.name
            ));
        }
        table.columns = in_order(columns)?;
        tables[number] = table;
        Ok(())
    }

    /// Reads `xs:unique` or `xs:key`.
    fn read_key(&mut self, tokens: &mut Tokens<'_>) -> Result<(), Stop> {
        let is_required = kind(tokens) == Some("key");
        let mut attributes = Attributes::of(tokens);
        let in_schema = attributes.take("name").unwrap_or_default();
        let own = attributes.take_name("msdata:ConstraintName");
        let primary = attributes.take("msdata:PrimaryKey").as_deref() == Some("true");
        if !attributes.rest(tokens)?.is_empty() {
            return unknown(format!("the key '{in_schema}' has properties"));
        }
        let (table, columns) = self.read_fields(tokens)?;
        let known = &mut self.set.tables.to_mut()[table];
        let names: Vec<_> = columns
            .iter()
            .map(|at| known.columns[*at].name.clone())
            .collect();
        if primary || is_required {
            columns
                .iter()
                .for_each(|at| known.columns[*at].nullable = false);
        }
        known.keys.push(UniqueKey {
            name: own.unwrap_or_else(|| decode(&in_schema).into_owned()),
            columns: names.clone(),
            primary,
        });
        let side = Side {
            table: known.name.clone(),
            columns: names,
        };
        tokens.take_room(ENTRY + size_of::<Side>() + size_of::<UniqueKey>())?;
        self.keys.insert(in_schema, side);
        Ok(())
    }

    /// Reads `xs:keyref`.
    fn read_reference(&mut self, tokens: &mut Tokens<'_>) -> Result<(), Stop> {
        let mut attributes = Attributes::of(tokens);
        let in_schema = attributes.take_name("name").unwrap_or_default();
        let constraint = attributes
            .take_name("msdata:ConstraintName")
            .unwrap_or(in_schema);
        let relation = attributes.take_name("msdata:RelationName");
        let refer = attributes.take("refer").unwrap_or_default();
        let refer = refer.rsplit_once(':').map_or(&*refer, |(_, local)| local);
        let nested = attributes.take("msdata:IsNested").as_deref() == Some("true");
        let properties = attributes.rest(tokens)?;
        let (table, columns) = self.read_fields(tokens)?;
        let child = &self.set.tables[table];
        let child = Side {
            table: child.name.clone(),
            columns: columns
                .iter()
                .map(|at| child.columns[*at].name.clone())
                .collect(),
        };
        tokens.take_room(2 * size_of::<DataRelation>())?;
        let relation = DataRelation {
            name: relation.unwrap_or_else(|| constraint.clone()),
            constraint: Some(constraint),
            parent: child.clone(),
            child,
            nested,
            properties,
        };
        self.pending.push((refer.to_owned(), relation));
        Ok(())
    }

    /// Reads the selector and the fields of a key: a table and its columns.
    fn read_fields(&mut self, tokens: &mut Tokens<'_>) -> Result<(usize, Vec<usize>), Stop> {
        let (mut table, mut columns) = (None, Vec::new());
        while tokens.child()? {
            let path = tokens.attribute_of("", "xpath").unwrap_or_default();
            let (_, name) = step(path);
            match (kind(tokens), table) {
                (Some("selector"), None) => table = self.tables.get(&name).copied(),
                (Some("field"), Some(table)) => {
                    let known: &HashMap<_, _> = &self.columns[table];
                    let Some(column) = known.get(&name).copied() else {
                        return unknown(format!("a key of its schema is of '{path}'"));
                    };
                    tokens.take_room(2 * size_of::<(usize, String)>())?;
                    columns.push(column);
                }
                _ => return unknown(format!("a key of its schema is of '{path}'")),
            }
            tokens.skip()?;
        }
        match table {
            Some(table) if !columns.is_empty() => Ok((table, columns)),
            _ => unknown("a key of its schema is of no table or no columns"),
        }
    }

    /// Reads the relations that are no constraints. .NET skips what else is in an annotation.
    fn read_annotation(&mut self, tokens: &mut Tokens<'_>, nested: bool) -> Result<(), Stop> {
        while tokens.child()? {
            if kind(tokens) != Some("appinfo") {
                tokens.skip()?;
                continue;
            }
            while tokens.child()? {
                if tokens.namespace() != MSDATA || tokens.local_name() != "Relationship" {
                    tokens.skip()?;
                    continue;
                }
                let mut attributes = Attributes::of(tokens);
                let name = attributes.take_name("name").unwrap_or_default();
                let mut side = |table: &str, key: &str| {
                    let columns = attributes.take(key).unwrap_or_default();
                    Side {
                        table: attributes.take_name(table).unwrap_or_default(),
                        columns: columns.split_whitespace().map(local).collect(),
                    }
                };
                let parent = side("msdata:parent", "msdata:parentkey");
                let child = side("msdata:child", "msdata:childkey");
                let properties = attributes.rest(tokens)?;
                let columns = parent.columns.len() + child.columns.len();
                tokens
                    .take_room(2 * size_of::<DataRelation>() + 2 * columns * size_of::<String>())?;
                self.set.relations.to_mut().push(DataRelation {
                    name,
                    constraint: None,
                    parent,
                    child,
                    nested,
                    properties,
                });
                tokens.skip()?;
            }
        }
        Ok(())
    }

    fn has(&self, side: &Side) -> bool {
        let table = self.tables.get(&side.table);
        table.is_some_and(|table| {
            let known = &self.columns[*table];
            side.columns.iter().all(|column| known.contains_key(column))
        })
    }
}

/// Columns with their ordinals.
type Columns = Vec<(Option<usize>, DataColumn)>;

/// Reads the column that is the text of its rows, and those that are attributes.
fn read_simple_content(
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

/// Reads a column with its ordinal, whose start tag is read.
fn read_column(
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
            let why = format!("the column '{name}' is no simple value in its schema");
            return unknown(why);
        }
        base = facets.read(tokens)?;
    }
    add_column(tokens, &name, attributes, (base, facets), mapping, columns)
}

/// Adds a column of a type and its facets.
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
    let pushed = tokens.room.push(columns, (ordinal, column));
    pushed.map_err(|error| tokens.here(error))?;
    Ok(())
}

/// The restrictions of a simple type that .NET keeps.
#[derive(Default)]
struct Facets {
    length: Option<u32>,
    max_length: Option<u32>,
}

impl Facets {
    /// Reads a simple type, whose start tag is read, and returns the type that it restricts.
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

/// The name of a type of XML Schema that an attribute names.
fn schema_type(tokens: &Tokens<'_>, written: &str) -> Result<String, Stop> {
    let (prefix, local) = written.split_once(':').unwrap_or(("", written));
    let namespace = tokens.namespaces.resolve(prefix);
    match namespace.map(|namespace| tokens.namespaces.name(namespace)) {
        Some(XML_SCHEMA) => Ok(local.to_owned()),
        _ => unknown(format!("'{written}' is no type of XML Schema")),
    }
}

/// The columns by their ordinals; those without one take the places that are left.
fn in_order(columns: Vec<(Option<usize>, DataColumn)>) -> Result<Vec<DataColumn>, Stop> {
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
