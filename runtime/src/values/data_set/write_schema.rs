//! The schema of a set or a table, as .NET writes it.

use std::borrow::Cow;
use std::collections::HashSet;

use super::column::{ColumnMapping, DataColumn};
use super::column_type::ColumnType;
use super::date_time_mode::DateTimeMode;
use super::keys::DataRelation;
use super::names::encode;
use super::namespaces::{MSDATA, MSPROP};
use super::set::DataSet;
use super::table::DataTable;
use crate::values::content::Content;
use crate::xml::namespaces::XML_SCHEMA;

/// What is written of a set, or of a table by itself.
pub(super) struct View<'s> {
    pub(super) name: &'s str,
    pub(super) namespace: &'s str,
    pub(super) tables: &'s [DataTable],
    relations: &'s [DataRelation],
    properties: Cow<'s, [(String, String)]>,
    /// The table, if it is written by itself.
    pub(super) main: Option<&'s DataTable>,
}

impl<'s> View<'s> {
    pub(super) fn of_set(set: &'s DataSet) -> Self {
        Self {
            name: &set.name,
            namespace: &set.namespace,
            tables: &set.tables,
            relations: &set.relations,
            properties: Cow::Borrowed(&set.properties),
            main: None,
        }
    }

    pub(super) fn of_table(table: &'s DataTable) -> Self {
        Self {
            name: "NewDataSet",
            namespace: &table.namespace,
            tables: std::slice::from_ref(table),
            relations: &[],
            properties: DataSet::default().properties,
            main: Some(table),
        }
    }

    /// What has no name and so cannot be written.
    pub(super) fn unnamed(&self) -> Option<&'static str> {
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

    fn all_properties(&self) -> impl Iterator<Item = &(String, String)> {
        let tables = self.tables.iter().flat_map(|table| {
            let columns = table.columns.iter().flat_map(|column| &column.properties);
            table.properties.iter().chain(columns)
        });
        self.properties.iter().chain(tables)
    }

    /// Writes the schema.
    pub(super) fn write_schema(&self, out: &mut Content<'_>) {
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
        for table in self.tables {
            self.write_table(table, out);
        }
        out.end("xs:choice");
        out.end("xs:complexType");
        self.write_keys(out);
        out.end("xs:element");
        self.write_free_relations(out);
        out.end("xs:schema");
    }

    fn write_table(&self, table: &DataTable, out: &mut Content<'_>) {
        let name = encode(&table.name);
        let mut attributes = vec![("name", &*name)];
        attributes.extend(pairs(&table.properties));
        out.start("xs:element", &attributes);
        if table.columns.is_empty() {
            // .NET writes the end tag of this empty element.
            out.raw("<xs:complexType></xs:complexType>");
            return out.end("xs:element");
        }
        out.start("xs:complexType", &[]);
        let is_element = |column: &DataColumn| column.mapping == ColumnMapping::Element;
        let has_ordinals = !table.columns.iter().all(is_element);
        if table.columns.iter().any(is_element) {
            out.start("xs:sequence", &[]);
            for (index, column) in table.columns.iter().enumerate() {
                if is_element(column) {
                    self.write_column(column, has_ordinals.then_some(index), out);
                }
            }
            out.end("xs:sequence");
        }
        for column in table.columns.iter().filter(|column| !is_element(column)) {
            self.write_column(column, None, out);
        }
        out.end("xs:complexType");
        out.end("xs:element");
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
        attributes.extend(data_type.as_deref().map(|full| ("msdata:DataType", full)));
        attributes.extend(pairs(&column.properties));
        if column.mode != DateTimeMode::default() {
            attributes.push(("msdata:DateTimeMode", column.mode.name()));
        }
        if !restricts {
            attributes.push(("type", &in_schema));
        }
        // XML Schema has defaults for optional attributes only.
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

    /// Writes the unique keys of all tables, and the relations that are constraints.
    fn write_keys(&self, out: &mut Content<'_>) {
        let mut names = HashSet::new();
        // The name of each key in the schema, where names of different tables differ.
        let mut keys = Vec::new();
        for table in self.tables {
            for key in &table.keys {
                let (own, shown) = (encode(&key.name), free(&key.name, &table.name, &mut names));
                let mut attributes = vec![("name", shown.as_str())];
                if shown != *own {
                    attributes.push(("msdata:ConstraintName", &own));
                }
                if key.primary {
                    attributes.push(("msdata:PrimaryKey", "true"));
                }
                out.start("xs:unique", &attributes);
                self.write_fields(table, &key.columns, out);
                out.end("xs:unique");
                keys.push((table.name.as_str(), key.columns.as_slice(), shown));
            }
        }
        for relation in self.relations {
            let Some(constraint) = &relation.constraint else {
                continue;
            };
            let (parent, child) = (&relation.parent, &relation.child);
            let referred = keys
                .iter()
                .find(|(table, columns, _)| *table == parent.table && *columns == parent.columns);
            let child_table = self.tables.iter().find(|table| table.name == child.table);
            let (Some((.., refer)), Some(child_table)) = (referred, child_table) else {
                return out.fail(format!(
                    "The relation '{}' refers to no unique key of '{}'.",
                    relation.name, parent.table
                ));
            };
            let (own, shown) = (
                encode(constraint),
                free(constraint, &child.table, &mut names),
            );
            let name = encode(&relation.name);
            let mut attributes = vec![("name", shown.as_str()), ("refer", refer)];
            if shown != *own {
                attributes.push(("msdata:ConstraintName", &own));
            }
            if name != own {
                attributes.push(("msdata:RelationName", &name));
            }
            attributes.extend(pairs(&relation.properties));
            out.start("xs:keyref", &attributes);
            self.write_fields(child_table, &child.columns, out);
            out.end("xs:keyref");
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

    /// Writes the relations that are no constraints.
    fn write_free_relations(&self, out: &mut Content<'_>) {
        let is_free = |relation: &&DataRelation| relation.constraint.is_none();
        let mut free = self.relations.iter().filter(is_free).peekable();
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
            let attributes = [
                ("name", &*name),
                ("msdata:parent", &*parent),
                ("msdata:child", &*child),
                ("msdata:parentkey", &parent_key),
                ("msdata:childkey", &child_key),
            ];
            out.start("msdata:Relationship", &attributes);
            out.end("msdata:Relationship");
        }
        out.end("xs:appinfo");
        out.end("xs:annotation");
    }
}

impl DataColumn {
    /// The facet that restricts its type, and its value.
    fn restriction(&self) -> Option<(&'static str, u32)> {
        if self.kind == ColumnType::CHAR {
            return Some(("xs:length", 1));
        }
        let length = self.max_length.filter(|_| self.kind.is_text())?;
        Some(("xs:maxLength", length))
    }
}

/// The name of a constraint in the schema, where names are those of one space: with the table's before it if it is taken.
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
