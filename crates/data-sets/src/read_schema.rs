//! Reading the schema of a set.

mod attributes;
mod columns;

use std::collections::HashMap;

use svcgen_wire::internals::Tokens;
use svcgen_wire::internals::name_text::decode;

use attributes::{Attributes, kind, no_place};
use columns::{in_order, read_column, read_simple_content};

use crate::column::ColumnMapping;
use crate::keys::{DataRelation, Side, UniqueKey};
use crate::namespaces::MSDATA;
use crate::set::DataSet;
use crate::table::DataTable;
use crate::unknown::{Stop, unknown};

/// The content of a schema as far as it is read, with the indexes of named parts.
#[derive(Default)]
pub(crate) struct Schema {
    pub(crate) set: DataSet,
    /// The name of the table, if the value is a single table.
    pub(crate) main: Option<String>,
    tables: HashMap<String, usize>,
    /// The columns of each table.
    columns: Vec<HashMap<String, usize>>,
    /// The index of each table's column with the text of its rows.
    texts: Vec<Option<usize>>,
    /// The tables whose rows are nested in those of others, with the others.
    inner: Vec<(String, String)>,
    /// The other table for each nested one, and the columns of both that relate them: of the other
    /// one, and of its own.
    nests: HashMap<usize, (usize, Vec<(usize, usize)>)>,
    /// The table and the columns of each key, by its name in the schema.
    keys: HashMap<String, Side>,
    /// The relations that refer to a key, by its name in the schema.
    pending: Vec<(String, DataRelation)>,
}

/// The approximate size of a map entry besides its key, in bytes.
const ENTRY: usize = 64;

/// The name in a path of one step, and whether it is that of an attribute.
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
    /// The schema for values without one: the tables of a set, without its rows.
    pub(crate) fn of(mut set: DataSet) -> Self {
        if set.tables.iter().any(|table| !table.is_empty()) {
            let tables = set.tables.to_mut().iter_mut();
            tables.for_each(|table| table.rows.clear());
        }
        Self {
            set,
            ..Self::default()
        }
    }

    /// Adds the tables of the set for rows without a schema. Returns whether it has any.
    pub(crate) fn declare(&mut self, tokens: &mut Tokens<'_>) -> Result<bool, Stop> {
        if let Some((_, why)) = self.set.unread() {
            return unknown(why);
        }
        if !self.tables.is_empty() {
            return Ok(true);
        }
        tokens.take_room(self.set.tables.iter().map(DataTable::weight).sum())?;
        // Up to here the tables are borrowed.
        let tables = std::mem::take(self.set.tables.to_mut());
        for table in &tables {
            self.index(table, tokens)?;
        }
        self.set.tables = tables.into();
        self.relate(tokens)?;
        Ok(!self.tables.is_empty())
    }

    /// Indexes the next table and its columns.
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

    /// Checks the relations, and indexes the columns of nested ones.
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

    /// Checks that each table in another one has a relation to it.
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

    /// The table in whose rows those of a table are nested, and the columns of both that relate
    /// them.
    pub(crate) fn nest_of(&self, table: usize) -> Option<(usize, &[(usize, usize)])> {
        let (parent, columns) = self.nests.get(&table)?;
        Some((*parent, columns))
    }

    /// The column of a table with the text of its rows.
    pub(crate) fn text_of(&self, table: usize) -> Option<usize> {
        self.texts[table]
    }

    /// The index of a table by the local name of its element.
    pub(crate) fn table_of(&self, local_name: &str) -> Option<usize> {
        self.tables.get(&*decode(local_name)).copied()
    }

    /// The column of a table by the local name of its element or attribute.
    pub(crate) fn column_of(
        &self,
        table: usize,
        local_name: &str,
        mapping: ColumnMapping,
    ) -> Option<usize> {
        let column = *self.columns[table].get(&*decode(local_name))?;
        let found = &self.set.tables[table].columns[column];
        (found.mapping == mapping).then_some(column)
    }

    /// Reads a schema after its start tag.
    pub(crate) fn read(&mut self, tokens: &mut Tokens<'_>) -> Result<(), Stop> {
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
                return unknown(format!("'{refer}' is not a key of its schema"));
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
                    tokens.push(self.set.tables.to_mut(), table)?;
                }
            }
        }
        Ok(())
    }

    /// Reads a table, and then the tables whose rows are nested in its rows.
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
        tokens.push(tables, DataTable::default())?;
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
                            tokens.push(&mut self.inner, names)?;
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

    /// Reads the relations that are not constraints. .NET skips other parts of an annotation.
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
