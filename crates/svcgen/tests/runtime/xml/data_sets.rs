//! Data sets: those that .NET wrote, read and written again; their rows; refusals.

use svcgen::codegen::{Content, Reader, Value};
use svcgen::types::{Cell, ColumnMapping, DataSet, DataTable, RowState};
use svcgen::{Limits, ReadError};

/// Reads the value of an element.
fn read<T: Value + Default>(text: &str) -> Result<T, ReadError> {
    let mut reader = Reader::new(text, &Limits::default());
    reader.root()?;
    let mut value = T::default();
    reader.read(&mut value)?;
    reader.finish()?;
    Ok(value)
}

/// Writes a value as an element of the namespace `urn:svc`.
fn written<T: Value>(value: &T) -> String {
    let mut out = Vec::new();
    let mut content = Content::compact(&mut out);
    content.root("r", false, "urn:svc", value);
    content.finish().unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns the text that .NET wrote for a set, by its name.
fn file(name: &str) -> &'static str {
    let mut sets = include_str!("data_sets.txt").split_terminator("\n== ");
    let found = sets.find_map(|set| {
        let (of, text) = set.trim_start_matches("== ").split_once('\n')?;
        (of == name).then_some(text.trim_end_matches('\n'))
    });
    found.unwrap_or_else(|| panic!("there is no set `{name}`"))
}

/// `data_sets.txt` has the sets that .NET wrote.
#[test]
fn sets_are_written_as_dot_net_does() {
    let names = [
        "attributes",
        "attributes_ns",
        "deleted_only",
        "fk_only",
        "keys",
        "locale",
        "flat_three",
        "mod_ns",
        "names",
        "nested",
        "nested_attributes",
        "nested_changes",
        "nested_deep",
        "nested_deleted",
        "nested_free",
        "nested_moved",
        "nested_ns",
        "nested_order",
        "nested_rows",
        "nested_rules",
        "nested_two",
        "no_columns",
        "props_row",
        "rel_names",
        "same_constraint_name",
        "simple_content",
        "simple_date",
        "simple_guid",
        "space",
        "typed",
    ];
    for name in names {
        let text = file(name);
        let set: DataSet = read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(set.unread(), None, "{name}");
        assert_eq!(written(&set), text, "{name}");
    }
    for name in ["lone", "lone_empty"] {
        let table: DataTable = read(file(name)).unwrap();
        assert_eq!(written(&table), file(name), "{name}");
    }
}

#[test]
fn schemas_say_what_sets_have() {
    let set: DataSet = read(file("props_row")).unwrap();
    let table = set.table("T").unwrap();
    let columns = table.columns().iter().map(|column| {
        let (name, kind) = (column.name(), column.column_type().name());
        let default = column.default_value().as_str();
        (name, kind, column.is_nullable(), default, column.longest())
    });
    let expected = [
        ("A", "int", true, None, None),
        ("B", "dateTime", true, None, None),
        ("C", "dateTime", true, None, None),
        ("C2", "dateTime", true, None, None),
        ("E", "int", true, None, None),
        ("S", "string", false, Some("x<"), Some(5)),
        (
            "G",
            "guid",
            true,
            Some("00000000-0000-0000-0000-000000000000"),
            None,
        ),
    ];
    assert_eq!(columns.collect::<Vec<_>>(), expected);
    assert_eq!(table.unique_keys()[0].columns(), ["A"]);
    assert!(table.primary_key().is_empty());
    let set: DataSet = read(file("keys")).unwrap();
    assert_eq!(set.table("P").unwrap().primary_key(), ["a", "b"]);
    let relations = set.relations().iter();
    let relations: Vec<_> = relations
        .map(|one| (one.name(), one.is_enforced()))
        .collect();
    assert_eq!(relations, [("rel", true), ("free", false)]);
    let set: DataSet = read(file("attributes")).unwrap();
    let mapped = set.tables()[0]
        .columns()
        .iter()
        .map(|column| column.mapped_to());
    let expected = [
        ColumnMapping::Attribute,
        ColumnMapping::Hidden,
        ColumnMapping::Attribute,
        ColumnMapping::Element,
    ];
    assert_eq!(mapped.collect::<Vec<_>>(), expected);
}

// Cells of types without a Rust type in the enabled features keep their texts.
#[cfg(all(feature = "decimal", feature = "guid", feature = "time"))]
#[test]
fn cells_are_values_of_their_column() {
    let mut table = DataTable::new("T");
    let kinds = [
        ("int", " 007 ", Some("7")),
        ("int", "x", None),
        ("unsignedByte", "256", None),
        ("boolean", "1", Some("true")),
        ("double", "01.50E3", Some("1500")),
        ("decimal", "1.50", Some("1.50")),
        (
            "guid",
            "6F9619FF8B86D011B42D00C04FC964FF",
            Some("6f9619ff-8b86-d011-b42d-00c04fc964ff"),
        ),
        ("duration", "PT90M", Some("PT1H30M")),
        ("duration", "P1M", Some("P30D")),
        ("duration", "P100000000000000000Y", None),
        ("dateTime", "2024-02-29", Some("2024-02-29T00:00:00")),
        ("dateTime", "yesterday", None),
        (
            "dateTimeOffset",
            "2024-02-29T01:02:03+02:00",
            Some("2024-02-29T01:02:03+02:00"),
        ),
        ("base64Binary", "AQ I=", Some("AQI=")),
        ("base64Binary", "!", None),
        ("hexBinary", "0aff", Some("0AFF")),
        ("char", "ab", None),
        ("string", " a ", Some(" a ")),
    ];
    for (number, (kind, text, kept)) in kinds.into_iter().enumerate() {
        let name = format!("c{number}");
        table.add_column(&name, svcgen::types::ColumnType::of_name(kind).unwrap());
        let mut row = table.clone();
        row.push(vec![Cell::NULL; number + 1]).unwrap();
        let set = row.set(0, &name, Cell::text(text));
        assert_eq!(set.is_ok(), kept.is_some(), "{kind} {text}");
        assert_eq!(
            row.row(0).unwrap().text(&name).unwrap(),
            kept,
            "{kind} {text}"
        );
    }
    let refused = table.push([Cell::text("x")]).unwrap_err().to_string();
    assert_eq!(
        refused,
        "The column 'c0' of 'T' is of the type int. Input string was not in a correct format."
    );
}

#[test]
fn changes_are_kept_until_they_are_accepted() {
    let mut table = DataTable::new("T");
    table.column::<i32>("a").required();
    table.push([1.into()]).unwrap();
    table.push([2.into()]).unwrap();
    let states = |table: &DataTable| table.rows().map(|row| row.state()).collect::<Vec<_>>();
    assert_eq!(states(&table), [RowState::Inserted, RowState::Inserted]);
    table.accept_changes();
    table.set(0, "a", 7).unwrap();
    table.delete(1).unwrap();
    table.push([3.into()]).unwrap();
    assert_eq!(
        states(&table),
        [RowState::Modified, RowState::Deleted, RowState::Inserted]
    );
    assert!(table.set(1, "a", 1).is_err() && table.set(9, "a", 1).is_err());
    assert!(table.set(0, "b", 1).is_err() && table.set(0, "a", Cell::NULL).is_err());
    let mut before = table.clone();
    before.reject_changes();
    let values = |table: &DataTable| {
        table
            .rows()
            .map(|row| row.get("a").unwrap())
            .collect::<Vec<Option<i32>>>()
    };
    assert_eq!(values(&before), [Some(1), Some(2)]);
    table.delete(2).unwrap();
    table.accept_changes();
    assert_eq!(
        (values(&table), states(&table)),
        (vec![Some(7)], vec![RowState::Unchanged])
    );
    assert!(
        table.row(0).unwrap().get::<f64>("a").is_ok()
            && table.row(0).unwrap().get::<i32>("x").is_err()
    );
}

#[test]
fn sets_are_checked() {
    let mut parents = DataTable::new("P");
    parents.column::<String>("id");
    let mut children = DataTable::new("C");
    children.column::<String>("of");
    let mut set = DataSet::new("S").with_table(parents).with_table(children);
    assert!(set.relate("r", ("P", &["id"]), ("C", &["x"])).is_err());
    set.relate("r", ("P", &["id"]), ("C", &["of"])).unwrap();
    let push = |set: &mut DataSet, table: &str, text: &str| {
        set.table_mut(table).unwrap().push([text.into()]).unwrap();
        set.check().map_err(|error| error.to_string())
    };
    assert_eq!(push(&mut set, "P", "a"), Ok(()));
    assert_eq!(push(&mut set, "C", "A "), Ok(()));
    assert_eq!(
        push(&mut set, "P", "A"),
        Err("The table 'P' has two rows with one key 'Constraint1'.".to_owned())
    );
    set.table_mut("P").unwrap().delete(1).unwrap();
    assert_eq!(
        push(&mut set, "C", "b"),
        Err("A row of 'C' refers to no row of 'P', as the relation 'r' demands.".to_owned())
    );
}

#[test]
fn texts_are_no_longer_than_their_column_says() {
    let mut table = DataTable::new("T");
    table.column::<String>("a").max_length(2);
    assert_eq!(table.push(["\u{e9}\u{e9}".into()]), Ok(()));
    for text in ["abc", "\u{1F600}b"] {
        let refused = table.push([text.into()]).unwrap_err().to_string();
        assert_eq!(refused, "The column 'a' of 'T' holds 2 characters at most.");
    }
}

/// The time is linear: each modified row is looked up by its id.
#[test]
fn many_changed_rows_are_read() {
    let mut table = DataTable::new("T");
    table.column::<i32>("a");
    table.set_primary_key(&["a"]).unwrap();
    for number in 0..20_000 {
        table.push([number.into()]).unwrap();
    }
    table.accept_changes();
    for number in 0..20_000 {
        table.set(number, "a", -1 - number as i32).unwrap();
    }
    let set = DataSet::new("S").with_table(table);
    assert_eq!(read::<DataSet>(&written(&set)).unwrap(), set);
}

#[test]
fn tables_of_a_set_are_written_with_its_name() {
    let mut table = DataTable::new("T");
    table.column::<i32>("a");
    table.push([1.into()]).unwrap();
    let alone = written(&table);
    assert!(alone.contains("<xs:schema id=\"NewDataSet\""), "{alone}");
    assert!(alone.contains("<DocumentElement xmlns=\"\"><T "), "{alone}");
    let of_set = written(&table.clone().with_set_name("My set"));
    let expected = alone
        .replace("NewDataSet", "My_x0020_set")
        .replace("DocumentElement", "My_x0020_set");
    assert_eq!(of_set, expected);
    let read_again: [DataTable; 2] = [&of_set, &alone].map(|text| read(text).unwrap());
    assert_eq!(read_again[0], read_again[1]);
}

/// .NET refuses empty names; as element names they would not be XML.
#[test]
fn names_are_not_empty() {
    let mut table = DataTable::new("T");
    table.column::<i32>("");
    let sets = [
        ("set", DataSet::new("")),
        ("table", DataSet::new("S").with_table(DataTable::new(""))),
        ("column", DataSet::new("S").with_table(table)),
    ];
    for (what, set) in sets {
        let refused = set.to_xml().unwrap_err().to_string();
        assert_eq!(refused, format!("'DataSet' holds a {what} without a name."));
    }
    let nameless = file("names").replacen("xs:element name=\"Chars\"", "xs:element name=\"\"", 1);
    let set: DataSet = read(&nameless).unwrap();
    let why = "its schema has a set without a name";
    assert_eq!(set.unread().unwrap().1, why);
}

fn table(name: &str, columns: &[&str]) -> DataTable {
    let mut table = DataTable::new(name);
    for column in columns {
        match *column {
            "a" | "of" => table.column::<i32>(column),
            _ => table.column::<String>(column),
        };
    }
    table
}

/// Sets that are built here are written as by .NET, like those that are read.
#[test]
fn relations_are_written_as_dot_net_does() {
    let mut parents = table("P", &["a", "n"]);
    parents.push([1.into(), "one".into()]).unwrap();
    parents.push([2.into(), "two".into()]).unwrap();
    parents.push([3.into()]).unwrap();
    let mut children = table("C", &["of", "x"]);
    children.push([2.into(), "2a".into()]).unwrap();
    children.push([1.into(), "1a".into()]).unwrap();
    children.push([2.into(), "2b".into()]).unwrap();
    children.push([Cell::NULL, "orphan".into()]).unwrap();
    let mut set = DataSet::new("Nest")
        .with_table(parents)
        .with_table(children);
    set.relate("rel", ("P", &["a"]), ("C", &["of"])).unwrap();
    set.nest("rel").unwrap();
    set.accept_changes();
    assert_eq!(written(&set), file("nested_rows"));
    let mut flat = DataSet::new("Flat").with_table(table("P", &["a"]));
    for name in ["C", "D", "E"] {
        flat.add(table(name, &["of"]));
    }
    for (name, child) in [("r2", "D"), ("r3", "E"), ("r1", "C")] {
        flat.relate(name, ("P", &["a"]), (child, &["of"])).unwrap();
    }
    let last = flat.table_mut("E").unwrap();
    last.add_unique_key("Constraint1", &["of"]).unwrap();
    assert_eq!(written(&flat), file("flat_three"));
}

#[test]
fn a_table_stands_in_one_other() {
    let mut set = DataSet::new("S");
    for name in ["P", "Q", "C"] {
        set.add(table(name, &["a", "of"]));
    }
    for (name, parent, child) in [
        ("pc", "P", "C"),
        ("qc", "Q", "C"),
        ("cp", "C", "P"),
        ("pp", "P", "P"),
    ] {
        set.relate(name, (parent, &["a"]), (child, &["of"]))
            .unwrap();
    }
    assert!(set.nest("pp").is_err() && set.nest("nothing").is_err());
    set.nest("pc").unwrap();
    let refused = set.nest("cp").unwrap_err().to_string();
    assert_eq!(
        refused,
        "The table 'P' stands in another one already, or would in itself."
    );
    assert!(set.nest("qc").is_err());
    assert!(set.relations()[0].is_nested() && !set.relations()[1].is_nested());
}

/// In .NET, a nested row refers to its parent row, whatever its own cells contain.
#[test]
fn rows_in_rows_refer_to_these() {
    let rows = |markup: &str| {
        let text = file("nested_rows");
        let (start, end) = (
            text.find("<P diffgr").unwrap(),
            text.find("</Nest></").unwrap(),
        );
        let text = format!("{}{markup}{}", &text[..start], &text[end..]);
        let set: DataSet = read(&text).unwrap();
        let cell = |row: svcgen::types::DataRow<'_>| {
            let key = row.text(if row.text("a").is_ok() { "a" } else { "of" });
            key.unwrap().unwrap_or("-").to_owned()
        };
        let tables = set.tables().iter();
        let shown = tables.map(|table| table.rows().map(cell).collect::<Vec<_>>().join(" "));
        shown.collect::<Vec<_>>().join(" | ")
    };
    let cases = [
        ("<P><a>1</a><C><x>q</x></C></P>", "1 | 1"),
        ("<P><a>1</a><C><of>2</of></C></P><P><a>2</a></P>", "1 2 | 1"),
        ("<P><C><x>q</x></C></P>", "- | -"),
        ("<P><C><x>q</x></C><a>1</a></P>", "1 | 1"),
        ("<C><of>1</of><P><a>1</a></P></C>", "1 | 1"),
        ("<P><a>2</a><P><a>1</a></P></P>", "1 2 | "),
    ];
    for (markup, expected) in cases {
        assert_eq!(rows(markup), expected, "{markup}");
    }
}

#[test]
fn the_text_of_a_row_is_a_cell() {
    let set: DataSet = read(file("simple_content")).unwrap();
    let table = set.table("P").unwrap();
    assert_eq!(table.columns()[0].mapped_to(), ColumnMapping::SimpleContent);
    let rows = table.rows().map(|row| row.get::<i32>("a").unwrap());
    assert_eq!(rows.collect::<Vec<_>>(), [Some(9), None, Some(3)]);
    let mut both = DataTable::new("T");
    both.column::<i32>("a")
        .mapping(ColumnMapping::SimpleContent);
    both.column::<i32>("b");
    let refused = DataSet::new("S").with_table(both).to_xml().unwrap_err();
    let message = "The table 'T' has text beside other content.";
    assert_eq!(refused.to_string(), message);
}

/// A schema as Visual Studio saves it: the annotations of its designer are skipped, and its
/// additions to tables and relations are kept.
#[test]
fn schemas_of_the_designer_are_read() {
    let schema = r#"<r><xs:schema id="Shop" targetNamespace="urn:shop" xmlns:mstns="urn:shop" xmlns="urn:shop" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:msdata="urn:schemas-microsoft-com:xml-msdata" xmlns:msprop="urn:schemas-microsoft-com:xml-msprop" attributeFormDefault="qualified" elementFormDefault="qualified">
  <xs:annotation><xs:documentation>Tables.</xs:documentation><xs:appinfo source="urn:schemas-microsoft-com:xml-msdatasource">
    <DataSource DefaultConnectionIndex="0" xmlns="urn:schemas-microsoft-com:xml-msdatasource"><Connections /></DataSource>
  </xs:appinfo></xs:annotation>
  <xs:element name="Shop" msdata:IsDataSet="true" msdata:UseCurrentLocale="true" msprop:Generator_DataSetName="Shop">
    <xs:complexType><xs:choice minOccurs="0" maxOccurs="unbounded">
      <xs:element name="Item" msprop:Generator_TableClassName="ItemDataTable"><xs:complexType><xs:sequence>
        <xs:element name="Id" msdata:ReadOnly="true" msdata:AutoIncrement="true" msprop:Generator_UserColumnName="Id" type="xs:int" />
        <xs:element name="Of" type="xs:int" minOccurs="0" />
      </xs:sequence></xs:complexType></xs:element>
    </xs:choice></xs:complexType>
    <xs:unique name="Constraint1" msdata:PrimaryKey="true"><xs:selector xpath=".//mstns:Item" /><xs:field xpath="mstns:Id" /></xs:unique>
  </xs:element>
  <xs:annotation><xs:appinfo><msdata:Relationship name="Up" msdata:parent="Item" msdata:child="Item" msdata:parentkey="Id" msdata:childkey="Of" msprop:Generator_UserParentTable="Item" /></xs:appinfo></xs:annotation>
</xs:schema></r>"#;
    let set: DataSet = read(schema).unwrap();
    assert_eq!(set.unread(), None);
    assert_eq!(set.table("Item").unwrap().primary_key(), ["Id"]);
    assert_eq!(set.relations()[0].name(), "Up");
    let again: DataSet = read(&written(&set)).unwrap();
    assert_eq!(again, set);
}

/// A set that tables cannot represent is kept as XML.
#[test]
fn sets_with_unknown_schemas_are_kept() {
    let whys = [
        ("nested_self", "its schema does not say that 'P' is a set"),
        (
            "types",
            "the column 'cObject' is of a type that columns cannot have",
        ),
    ];
    for (name, why) in whys {
        let set: DataSet = read(file(name)).unwrap();
        assert_eq!(set.unread().unwrap().1, why);
        assert!(set.tables().is_empty());
        let again: DataSet = read(&written(&set)).unwrap();
        assert_eq!(again, set, "{name}");
    }
}
