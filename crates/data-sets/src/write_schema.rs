//! The schema of a set or a table, as .NET writes it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use svcgen_wire::Content;
use svcgen_wire::internals::XML_SCHEMA;
use svcgen_wire::internals::name_text::encode;

use crate::column::{ColumnMapping, DataColumn};
use crate::column_type::ColumnType;
use crate::constraints::ignores_case;
use crate::date_time_mode::DateTimeMode;
use crate::keys::DataRelation;
use crate::namespaces::{MSDATA, MSPROP};
use crate::set::DataSet;
use crate::table::DataTable;

/// The parts of a set, or of a table by itself, to write.
#[derive(Default)]
pub(crate) struct View<'s> {
    pub(crate) name: &'s str,
    pub(crate) namespace: &'s str,
    pub(crate) tables: &'s [DataTable],
    pub(crate) relations: &'s [DataRelation],
    properties: Cow<'s, [(String, String)]>,
    /// The table, if it is written by itself.
    pub(crate) main: Option<&'s DataTable>,
    /// The index of each table, by its name.
    numbers: HashMap<&'s str, usize>,
    /// The relations by their referenced tables, and by their referring ones.
    by_parent: HashMap<&'s str, Vec<&'s DataRelation>>,
    by_child: HashMap<&'s str, Vec<&'s DataRelation>>,
}

impl<'s> View<'s> {
    pub(crate) fn of_set(set: &'s DataSet) -> Self {
        Self {
            name: &set.name,
            namespace: &set.namespace,
            tables: &set.tables,
            relations: &set.relations,
            properties: Cow::Borrowed(&set.properties),
            ..Self::default()
        }
        .numbered()
    }

    pub(crate) fn of_table(table: &'s DataTable) -> Self {
        Self {
            name: table.set_name.as_deref().unwrap_or("NewDataSet"),
            namespace: &table.namespace,
            tables: std::slice::from_ref(table),
            relations: &[],
            properties: DataSet::default().properties,
            main: Some(table),
            ..Self::default()
        }
        .numbered()
    }

    fn numbered(mut self) -> Self {
        let tables = self.tables.iter().map(|table| table.name.as_str());
        self.numbers = tables.zip(0..).collect();
        for relation in self.relations {
            let (parent, child) = (&*relation.parent.table, &*relation.child.table);
            self.by_parent.entry(parent).or_default().push(relation);
            self.by_child.entry(child).or_default().push(relation);
        }
        self
    }

    /// A part without a name, which cannot be written.
    pub(crate) fn unnamed(&self) -> Option<&'static str> {
        let mut columns = self.tables.iter().flat_map(|table| &table.columns);
        if self.name.is_empty() {
            Some("set")
        } else if self.tables.iter().any(|table| table.name.is_empty()) {
            Some("table")
        } else {
            columns
                .any(|column| column.name.is_empty())
                .then_some("column")
        }
    }

    /// The relations by which the rows of tables are nested in those of a table.
    pub(crate) fn inner(&self, table: &str) -> impl Iterator<Item = &'s DataRelation> {
        let relations = self.by_parent.get(table).into_iter().flatten().copied();
        relations.filter(|one| one.nested)
    }

    /// The relations of a table to others.
    fn relations_of(&self, table: &str) -> impl Iterator<Item = &'s DataRelation> {
        self.by_child.get(table).into_iter().flatten().copied()
    }

    /// The relation by which the rows of a table are nested in others.
    pub(crate) fn nesting(&self, table: &str) -> Option<&'s DataRelation> {
        self.relations_of(table).find(|one| one.nested)
    }

    pub(crate) fn number_of(&self, table: &str) -> Option<usize> {
        self.numbers.get(table).copied()
    }

    /// Whether keys ignore the case of letters.
    pub(crate) fn ignores_case(&self) -> bool {
        ignores_case(&self.properties)
    }

    fn all_properties(&self) -> impl Iterator<Item = &(String, String)> {
        let tables = self.tables.iter().flat_map(|table| {
            let columns = table.columns.iter().flat_map(|column| &column.properties);
            table.properties.iter().chain(columns)
        });
        let relations = self.relations.iter().flat_map(|one| &one.properties);
        self.properties.iter().chain(tables).chain(relations)
    }

    /// Writes the schema.
    pub(crate) fn write_schema(&self, out: &mut Content<'_>) {
        let is_qualified = !self.namespace.is_empty();
        let name = encode(self.name);
        let mut attributes = vec![("id", &*name)];
        if is_qualified {
            attributes.push(("targetNamespace", self.namespace));
            attributes.push(("xmlns:mstns", self.namespace));
        }
        attributes.push(("xmlns", self.namespace));
        attributes.push(("xmlns:xs", XML_SCHEMA));
        attributes.push(("xmlns:msdata", MSDATA));
        if self
            .all_properties()
            .any(|(name, _)| name.starts_with("msprop:"))
        {
            attributes.push(("xmlns:msprop", MSPROP));
        }
        if is_qualified {
            attributes.push(("attributeFormDefault", "qualified"));
            attributes.push(("elementFormDefault", "qualified"));
        }
        out.start("xs:schema", &attributes);
        let main = self.main.map(|table| match self.namespace {
            "" => encode(&table.name).into_owned(),
            namespace => encode(&format!("{namespace}:{}", table.name)).into_owned(),
        });
        let mut attributes = vec![("name", &*name), ("msdata:IsDataSet", "true")];
        attributes.extend(main.as_deref().map(|main| ("msdata:MainDataTable", main)));
        attributes.extend(pairs(&self.properties));
        out.start("xs:element", &attributes);
        out.start("xs:complexType", &[]);
        out.start(
            "xs:choice",
            &[("minOccurs", "0"), ("maxOccurs", "unbounded")],
        );
        let mut written = Vec::new();
        for (number, table) in self.tables.iter().enumerate() {
            if self.nesting(&table.name).is_none() {
                self.write_table(number, None, &mut written, out);
            }
        }
        out.end("xs:choice");
        out.end("xs:complexType");
        self.write_keys(&written, out);
        out.end("xs:element");
        let is_free = |one: &&DataRelation| one.constraint.is_none() && !one.nested;
        write_free_relations(self.relations.iter().filter(is_free), out);
        out.end("xs:schema");
    }

    /// Writes a table, by its index, and the tables whose rows are nested in its rows. Adds them to
    /// `written`, the nested ones first.
    fn write_table(
        &self,
        number: usize,
        within: Option<&DataRelation>,
        written: &mut Vec<usize>,
        out: &mut Content<'_>,
    ) {
        let table = &self.tables[number];
        let name = encode(&table.name);
        let mut attributes = vec![("name", &*name)];
        attributes.extend(pairs(&table.properties));
        let of = |mapping| move |column: &&DataColumn| column.mapping == mapping;
        let text = table.columns.iter().find(of(ColumnMapping::SimpleContent));
        if text.is_some_and(|column| column.nullable) {
            attributes.push(("nillable", "true"));
        }
        if within.is_some() {
            attributes.extend([("minOccurs", "0"), ("maxOccurs", "unbounded")]);
        }
        out.start("xs:element", &attributes);
        let free = within.filter(|one| one.constraint.is_none());
        write_free_relations(free.into_iter(), out);
        let mut inner = self.inner(&table.name).peekable();
        if table.columns.is_empty() && inner.peek().is_none() {
            // .NET writes the end tag of this empty element.
            out.raw("<xs:complexType></xs:complexType>");
            written.push(number);
            return out.end("xs:element");
        }
        if text.is_some_and(|text| {
            let is_other = |column: &DataColumn| {
                let mapping = column.mapping;
                matches!(
                    mapping,
                    ColumnMapping::Element | ColumnMapping::SimpleContent
                ) && column.name != text.name
            };
            table.columns.iter().any(is_other) || inner.peek().is_some()
        }) {
            let name = &table.name;
            return out.fail(format!("The table '{name}' has text beside other content."));
        }
        out.start("xs:complexType", &[]);
        let is_element = |column: &&DataColumn| of(ColumnMapping::Element)(column);
        let has_ordinals = !table.columns.iter().all(|column| is_element(&column));
        let has_elements = table.columns.iter().any(|column| is_element(&column));
        if has_elements || inner.peek().is_some() {
            out.start("xs:sequence", &[]);
            for (index, column) in table.columns.iter().enumerate() {
                if is_element(&column) {
                    self.write_column(column, has_ordinals.then_some(index), out);
                }
            }
            for relation in inner {
                if let Some(number) = self.number_of(&relation.child.table) {
                    self.write_table(number, Some(relation), written, out);
                }
            }
            out.end("xs:sequence");
        }
        self.write_attributes(table, text, out);
        out.end("xs:complexType");
        out.end("xs:element");
        written.push(number);
    }

    /// Writes the columns of a table that are attributes, in the type of its text, if it has any.
    fn write_attributes(
        &self,
        table: &DataTable,
        text: Option<&DataColumn>,
        out: &mut Content<'_>,
    ) {
        let attributes = table.columns.iter().filter(|column| {
            matches!(
                column.mapping,
                ColumnMapping::Attribute | ColumnMapping::Hidden
            )
        });
        match text {
            None => attributes.for_each(|column| self.write_column(column, None, out)),
            Some(text) => {
                let ordinal = table.index_of(&text.name).unwrap_or_default();
                start_simple_content(text, ordinal, out);
                let base = format!("xs:{}", text.kind.in_schema());
                let mut attributes = attributes.peekable();
                if attributes.peek().is_none() {
                    // .NET writes the end tag of this empty element.
                    out.raw(&format!("<xs:extension base=\"{base}\"></xs:extension>"));
                } else {
                    out.start("xs:extension", &[("base", &base)]);
                    attributes.for_each(|column| self.write_column(column, None, out));
                    out.end("xs:extension");
                }
                out.end("xs:simpleContent");
            }
        }
    }

    fn write_column(&self, column: &DataColumn, ordinal: Option<usize>, out: &mut Content<'_>) {
        let is_element = column.mapping == ColumnMapping::Element;
        let tag = if is_element {
            "xs:element"
        } else {
            "xs:attribute"
        };
        let (name, data_type) = (encode(&column.name), column.kind.data_type());
        let in_schema = format!("xs:{}", column.kind.in_schema());
        let restricts = column.restriction().is_some();
        let ordinal = ordinal.map(|ordinal| ordinal.to_string());
        let mut attributes = vec![("name", &*name)];
        if column.mapping == ColumnMapping::Attribute && !self.namespace.is_empty() {
            attributes.push(("form", "unqualified"));
        }
        attributes.extend(column.net_attributes(data_type.as_deref()));
        if !restricts {
            attributes.push(("type", &in_schema));
        }
        // XML Schema has defaults only for optional attributes.
        let usage = match column.mapping {
            ColumnMapping::Hidden => Some("prohibited"),
            ColumnMapping::Attribute if !column.nullable => Some("required"),
            _ => None,
        };
        if let Some(default) = column.default.as_str() {
            let key = if usage.is_some() {
                "msdata:DefaultValue"
            } else {
                "default"
            };
            attributes.push((key, default));
        }
        attributes.extend(usage.map(|usage| ("use", usage)));
        if is_element && column.nullable {
            attributes.push(("minOccurs", "0"));
        }
        attributes.extend(
            ordinal
                .as_deref()
                .map(|ordinal| ("msdata:Ordinal", ordinal)),
        );
        out.start(tag, &attributes);
        if let Some((facet, value)) = column.restriction() {
            out.start("xs:simpleType", &[]);
            out.start("xs:restriction", &[("base", &in_schema)]);
            out.start(facet, &[("value", &value.to_string())]);
            out.end(facet);
            out.end("xs:restriction");
            out.end("xs:simpleType");
        }
        out.end(tag);
    }

    /// The relations of a table to others that are constraints, with their names.
    fn constraints(
        &self,
        table: &DataTable,
    ) -> impl Iterator<Item = (&'s DataRelation, &'s String)> {
        let relations = self.relations_of(&table.name);
        relations.filter_map(|one| Some((one, one.constraint.as_ref()?)))
    }

    /// Writes the unique keys of tables in this order, and the relations that are constraints.
    fn write_keys(&self, order: &[usize], out: &mut Content<'_>) {
        let mut taken = HashSet::new();
        // The names of each table's keys and of its relations in the schema, which differ between
        // tables.
        let mut names = Vec::new();
        for table in self.tables {
            let keys = table.keys.iter().map(|key| &key.name);
            let own = keys.chain(self.constraints(table).map(|(_, name)| name));
            let own = own.map(|name| free(name, &table.name, &mut taken));
            names.push(own.collect::<Vec<_>>());
        }
        let named = |number: usize| {
            let keys = self.tables[number].keys.iter();
            keys.zip(&names[number])
        };
        for number in order.iter().copied() {
            let table = &self.tables[number];
            for (key, shown) in named(number) {
                let own = encode(&key.name);
                let mut attributes = vec![("name", shown.as_str())];
                if *shown != *own {
                    attributes.push(("msdata:ConstraintName", &own));
                }
                if key.primary {
                    attributes.push(("msdata:PrimaryKey", "true"));
                }
                out.start("xs:unique", &attributes);
                self.write_fields(table, &key.columns, out);
                out.end("xs:unique");
            }
        }
        // .NET inserts each one before those that it has already.
        for number in order.iter().rev().copied() {
            let table = &self.tables[number];
            let shown = names[number].iter().skip(table.keys.len());
            let relations: Vec<_> = self.constraints(table).zip(shown).collect();
            for ((relation, constraint), shown) in relations.into_iter().rev() {
                let parent = &relation.parent;
                let refer = self.number_of(&parent.table).and_then(|number| {
                    let mut keys = named(number);
                    keys.find(|(key, _)| key.columns == parent.columns)
                });
                let Some((_, refer)) = refer else {
                    return out.fail(format!(
                        "The relation '{}' refers to no unique key of '{}'.",
                        relation.name, parent.table
                    ));
                };
                let (own, name) = (encode(constraint), encode(&relation.name));
                let mut attributes = vec![("name", shown.as_str()), ("refer", refer)];
                if *shown != *own {
                    attributes.push(("msdata:ConstraintName", &own));
                }
                if name != own {
                    attributes.push(("msdata:RelationName", &name));
                }
                if relation.nested {
                    attributes.push(("msdata:IsNested", "true"));
                }
                attributes.extend(pairs(&relation.properties));
                out.start("xs:keyref", &attributes);
                self.write_fields(table, &relation.child.columns, out);
                out.end("xs:keyref");
            }
        }
    }

    fn write_fields(&self, table: &DataTable, columns: &[String], out: &mut Content<'_>) {
        let prefix = if self.namespace.is_empty() {
            ""
        } else {
            "mstns:"
        };
        let selector = format!(".//{prefix}{}", encode(&table.name));
        out.start("xs:selector", &[("xpath", &selector)]);
        out.end("xs:selector");
        for name in columns {
            let mapping = table
                .index_of(name)
                .map(|index| table.columns[index].mapping);
            let path = match mapping {
                Some(ColumnMapping::Attribute) => format!("@{}", encode(name)),
                Some(ColumnMapping::Hidden) => format!("@{prefix}{}", encode(name)),
                _ => format!("{prefix}{}", encode(name)),
            };
            out.start("xs:field", &[("xpath", &path)]);
            out.end("xs:field");
        }
    }
}

/// Writes relations that are not constraints, if there are any.
fn write_free_relations<'r>(
    relations: impl Iterator<Item = &'r DataRelation>,
    out: &mut Content<'_>,
) {
    let mut free = relations.peekable();
    if free.peek().is_none() {
        return;
    }
    out.start("xs:annotation", &[]);
    out.start("xs:appinfo", &[]);
    for relation in free {
        let names = [
            &relation.name,
            &relation.parent.table,
            &relation.child.table,
        ];
        let [name, parent, child] = names.map(|name| encode(name));
        let keys = [&relation.parent.columns, &relation.child.columns];
        let [parent_key, child_key] = keys.map(|columns| {
            let columns: Vec<_> = columns.iter().map(|column| encode(column)).collect();
            columns.join(" ")
        });
        let mut attributes = vec![
            ("name", &*name),
            ("msdata:parent", &*parent),
            ("msdata:child", &*child),
            ("msdata:parentkey", &parent_key),
            ("msdata:childkey", &child_key),
        ];
        attributes.extend(pairs(&relation.properties));
        out.start("msdata:Relationship", &attributes);
        out.end("msdata:Relationship");
    }
    out.end("xs:appinfo");
    out.end("xs:annotation");
}

/// Starts the type of rows with text, which is in this column.
fn start_simple_content(column: &DataColumn, ordinal: usize, out: &mut Content<'_>) {
    let (name, data_type) = (column.name.as_str(), column.kind.data_type());
    let ordinal = ordinal.to_string();
    let mut attributes = Vec::new();
    attributes.extend(column.net_attributes(data_type.as_deref()));
    if let Some(default) = column.default.as_str() {
        attributes.push(("msdata:DefaultValue", default));
    }
    attributes.extend([("msdata:ColumnName", name), ("msdata:Ordinal", &*ordinal)]);
    out.start("xs:simpleContent", &attributes);
}

impl DataColumn {
    /// The attributes that .NET adds to its schema, with the name of this .NET type.
    fn net_attributes<'c>(
        &'c self,
        data_type: Option<&'c str>,
    ) -> impl Iterator<Item = (&'c str, &'c str)> {
        let data_type = data_type.map(|full| ("msdata:DataType", full));
        let has_mode = self.mode != DateTimeMode::default();
        let mode = has_mode.then(|| ("msdata:DateTimeMode", self.mode.name()));
        let own = data_type.into_iter().chain(pairs(&self.properties));
        own.chain(mode)
    }

    /// The facet that restricts its type, and its value.
    fn restriction(&self) -> Option<(&'static str, u32)> {
        if self.kind == ColumnType::CHAR {
            return Some(("xs:length", 1));
        }
        let length = self.max_length.filter(|_| self.kind.is_text())?;
        Some(("xs:maxLength", length))
    }
}

/// A free name for a constraint in the schema, where all names are in one space: with the table's
/// name before it if it is taken.
fn free(name: &str, table: &str, taken: &mut HashSet<String>) -> String {
    let mut shown = encode(name).into_owned();
    while !taken.insert(shown.clone()) {
        shown = format!("{}_{shown}", encode(table));
    }
    shown
}

fn pairs(properties: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    let pairs = properties.iter();
    pairs.map(|(name, value)| (name.as_str(), value.as_str()))
}
