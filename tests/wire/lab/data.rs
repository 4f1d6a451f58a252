//! Sets of tables.

use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use svcgen::types::{
    Cell, ColumnMapping, ColumnType, DataSet, DataTable, DateTime, Decimal, Duration, Guid,
    RowState,
};
use svcgen::{Binding, CallError, Context, Fault};
use svcgen_codegen::Config;
use svcgen_documents::samples::Samples;
use svcgen_tests::lab::replay;
use svcgen_tests::random::text;
use svcgen_tests::raw_http::Running;

svcgen::include_service!("data_sets");
use data_sets::*;

/// The handlers of `GWide.cs`.
struct Handlers;

fn shop() -> DataSet {
    let mut items = DataTable::new("Item");
    items.column::<i32>("Id");
    items.column::<String>("Name").max_length(20);
    items.column::<DateTime>("When");
    items.column::<Decimal>("Price");
    items.column::<bool>("Ok");
    items.column::<Vec<u8>>("Raw");
    items.column::<Guid>("G");
    items.column::<String>("Two Words");
    let attribute = items.column::<i32>("Att");
    attribute.mapping(ColumnMapping::Attribute);
    items.column::<i32>("Hid").mapping(ColumnMapping::Hidden);
    items.column::<Duration>("Span");
    items.column::<i32>("Def").default(9);
    items.set_primary_key(&["Id"]).unwrap();
    let row = [
        1.into(),
        "a <b>".into(),
        Cell::text("2024-02-29T12:34:56"),
        Cell::text("1.50"),
        true.into(),
        vec![1, 2].into(),
        Cell::text("6F9619FF-8B86-D011-B42D-00C04FC964FF"),
        "tw".into(),
        3.into(),
        4.into(),
        Cell::text("PT60M"),
        10.into(),
    ];
    items.push(row).unwrap();
    items.push([2.into()]).unwrap();
    let mut set = DataSet::new("Shop").with_table(items).with_table(lines());
    let relation = set.relate("lines", ("Item", &["Id"]), ("Line", &["Item"]));
    relation.unwrap();
    set.accept_changes();
    set
}

fn lines() -> DataTable {
    let mut lines = DataTable::new("Line");
    lines.column::<i32>("Item");
    lines.column::<f64>("Qty");
    lines.push([1.into(), 1.5.into()]).unwrap();
    lines.accept_changes();
    lines
}

fn changes() -> DataSet {
    let mut items = DataTable::new("Item");
    items.column::<i32>("Id");
    items.column::<String>("Name");
    for (id, name) in [(1, "one"), (2, "two"), (3, "three")] {
        items.push([id.into(), name.into()]).unwrap();
    }
    items.accept_changes();
    items.set(0, "Name", "uno").unwrap();
    items.delete(1).unwrap();
    items.push([4.into(), "four".into()]).unwrap();
    items.set_error(2, "bad row").unwrap();
    items.set_cell_error(2, "Name", "bad name").unwrap();
    DataSet::new("Shop").with_table(items)
}

/// Returns the name of a type in the answer of `ShowSet` of `GWide.cs`.
fn net(kind: ColumnType) -> &'static str {
    match kind.name() {
        "int" => "Int32",
        "string" => "String",
        other => other,
    }
}

fn show(set: &DataSet) -> String {
    let mut shown = format!("{}:", set.name());
    for table in set.tables() {
        write!(shown, "{}(", table.name()).unwrap();
        for column in table.columns() {
            write!(shown, "{} {},", column.name(), net(column.column_type())).unwrap();
        }
        shown.push_str(")[");
        for row in table.rows() {
            let state = match row.state() {
                RowState::Inserted => "Added".to_owned(),
                state => format!("{state:?}"),
            };
            write!(shown, "{state} ").unwrap();
            let columns = table.columns().iter();
            for column in columns.filter(|_| row.state() != RowState::Deleted) {
                let text = row.text(column.name()).unwrap();
                write!(shown, "{}|", text.unwrap_or("NULL")).unwrap();
            }
            shown.push(';');
        }
        shown.push(']');
    }
    shown
}

impl DataSetsHandler for Handlers {
    async fn get_set(&self, _: &Context) -> Result<Option<DataSet>, Fault> {
        Ok(Some(shop()))
    }

    async fn get_empty_set(&self, _: &Context) -> Result<Option<DataSet>, Fault> {
        Ok(Some(DataSet::default()))
    }

    async fn get_null_set(&self, _: &Context) -> Result<Option<DataSet>, Fault> {
        Ok(None)
    }

    async fn get_changes(&self, _: &Context) -> Result<Option<DataSet>, Fault> {
        Ok(Some(changes()))
    }

    async fn echo_set(
        &self,
        _: &Context,
        request: EchoSetRequest,
    ) -> Result<Option<DataSet>, Fault> {
        Ok(request.d)
    }

    async fn show_set(
        &self,
        _: &Context,
        request: ShowSetRequest,
    ) -> Result<Option<String>, Fault> {
        let null = || "null".to_owned();
        Ok(Some(request.d.as_ref().map_or_else(null, show)))
    }

    async fn echo_holder(
        &self,
        _: &Context,
        request: EchoHolderRequest,
    ) -> Result<Option<Holder>, Fault> {
        Ok(request.h)
    }

    async fn get_table(&self, _: &Context) -> Result<Option<DataTable>, Fault> {
        Ok(Some(lines()))
    }

    async fn get_table_ns(&self, _: &Context) -> Result<Option<DataTable>, Fault> {
        let mut table = DataTable::new("Row").with_namespace("urn:row");
        table.column::<String>("V");
        table.push(["x".into()]).unwrap();
        Ok(Some(table))
    }

    async fn show_table(
        &self,
        _: &Context,
        request: ShowTableRequest,
    ) -> Result<Option<String>, Fault> {
        let shown = request.t.map_or_else(
            || "null".to_owned(),
            |table| {
                let (name, columns, rows) = (table.name(), table.columns(), table.len());
                let first = table.row(0).and_then(|row| {
                    let text = row.text(columns[0].name()).unwrap();
                    text.map(|text| format!(" {text}"))
                });
                format!(
                    "{name} {} {rows}{}",
                    columns.len(),
                    first.unwrap_or_default()
                )
            },
        );
        Ok(Some(shown))
    }
}

#[test]
fn sets_are_answered_as_recorded() {
    let server = Running::of(DataSetsServer::new(Handlers));
    replay(&server, &["data"], &[]);
}

#[test]
fn documents_are_as_recorded() {
    super::documents_are_recorded("data", &[]);
}

/// The samples are like those of ASMX.
#[test]
fn samples_show_a_schema_and_xml() {
    let text = include_str!("../../definitions/lab/data.yaml");
    let described = Config::new().describe("data.yaml", text).unwrap();
    let shown = described.with(|service| {
        let samples = Samples::new(service);
        let mut operations = service.operations();
        let echo = operations.find(|operation| operation.name == "EchoSet");
        samples.of(echo.unwrap(), "localhost")
    });
    for sample in shown.unwrap() {
        for message in [sample.request, sample.response] {
            let set = r#"><schema xmlns="http://www.w3.org/2001/XMLSchema">schema</schema>xml</"#;
            assert!(message.as_str().contains(set), "{}", message.as_str());
        }
    }
}

fn client(binding: Binding) -> DataSetsClient<DataSetsServer<Handlers>> {
    let server = DataSetsServer::new(Handlers);
    let client = DataSetsClient::new(server, "http://localhost").unwrap();
    client.with_binding(binding)
}

#[tokio::test]
async fn sets_are_results_over_every_binding() {
    // The server is in UTC, so the client reads UTC.
    let mut expected = shop();
    let items = expected.table_mut("Item").unwrap();
    let when = Cell::text("2024-02-29T12:34:56+00:00");
    items.set(0, "When", when).unwrap();
    expected.accept_changes();
    for binding in Binding::DEFAULT {
        let client = client(binding);
        assert_eq!(client.get_set().await.unwrap(), Some(expected.clone()));
        assert_eq!(client.get_changes().await.unwrap(), Some(changes()));
        let empty = client.get_empty_set().await.unwrap();
        assert_eq!(empty, Some(DataSet::default()), "{binding}");
        assert_eq!(client.get_table().await.unwrap(), Some(lines()));
        let table = client.get_table_ns().await.unwrap().unwrap();
        assert_eq!((table.namespace(), table.len()), ("urn:row", 1));
    }
}

#[tokio::test]
async fn null_sets_are_absent() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let client = client(binding);
        assert_eq!(client.get_null_set().await.unwrap(), None);
        let shown = client.show_set(&ShowSetRequest { d: None }).await;
        assert_eq!(shown.unwrap().as_deref(), Some("null"));
    }
}

/// Returns the answer to `ShowSet` with this content of the parameter.
async fn shown(parameter: &str) -> String {
    let body = format!(
        r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><e:Body><ShowSet xmlns="http://lab.example/g">{parameter}</ShowSet></e:Body></e:Envelope>"#
    );
    let request = http::Request::post("/GWide.asmx").header("Content-Type", "text/xml");
    let request = request.header("SOAPAction", "\"http://lab.example/g/ShowSet\"");
    let request = request.body(body.into()).unwrap();
    let answer = DataSetsServer::new(Handlers).answer(request).await;
    let text = String::from_utf8(answer.into_body().to_vec()).unwrap();
    let inside = |start: &str, end: &str| {
        let (_, rest) = text.split_once(start)?;
        Some(rest.split_once(end)?.0.to_owned())
    };
    let result = inside("<ShowSetResult>", "</ShowSetResult>");
    let result = result.or_else(|| inside("<faultstring>", "</faultstring>"));
    result.unwrap_or_else(|| panic!("{text}"))
}

const SCHEMA: &str = r#"<xs:schema id="D" xmlns="" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:msdata="urn:schemas-microsoft-com:xml-msdata"><xs:element name="D" msdata:IsDataSet="true"><xs:complexType><xs:choice minOccurs="0" maxOccurs="unbounded"><xs:element name="R"><xs:complexType><xs:sequence><xs:element name="Id" type="xs:int" minOccurs="0"/><xs:element name="N" type="xs:string" minOccurs="0"/><xs:element name="F" type="xs:int" default="9" minOccurs="0"/><xs:element name="W" type="xs:dateTime" minOccurs="0"/></xs:sequence></xs:complexType></xs:element></xs:choice></xs:complexType></xs:element></xs:schema>"#;

fn diffgram(rows: &str) -> String {
    format!(
        r#"<diffgr:diffgram xmlns:msdata="urn:schemas-microsoft-com:xml-msdata" xmlns:diffgr="urn:schemas-microsoft-com:xml-diffgram-v1">{rows}</diffgr:diffgram>"#
    )
}

/// The results of .NET for these rows.
#[tokio::test]
async fn rows_are_read_as_by_dot_net() {
    let of_rows = [
        (
            r#"<D xmlns=""><R diffgr:id="R1"><Id> 01 </Id><N> a </N></R></D>"#,
            "Unchanged 1| a |NULL|NULL|;",
        ),
        (
            r#"<D xmlns=""><R><Zz>1</Zz><Id>2</Id><Id>3</Id></R><Q><a/></Q></D>"#,
            "Unchanged 2|NULL|NULL|NULL|;",
        ),
        (
            r#"<Other xmlns=""><R><N/><Id>2</Id></R></Other>"#,
            "Unchanged 2||NULL|NULL|;",
        ),
        ("<D><R><Id>2</Id></R></D>", ""),
        (
            r#"<D xmlns=""><R diffgr:id="R1" diffgr:hasChanges="modified"><Id>2</Id></R></D>"#,
            "Added 2|NULL|NULL|NULL|;",
        ),
        (
            r#"<D xmlns=""><R diffgr:id="R1" diffgr:hasChanges="modified"><Id>2</Id></R></D><diffgr:before><R diffgr:id="R1" xmlns=""><Id>1</Id></R></diffgr:before>"#,
            "Modified 2|NULL|NULL|NULL|;",
        ),
        (
            r#"<D xmlns=""><R diffgr:id="R1"><Id>2</Id></R></D><diffgr:before><R diffgr:id="R1" xmlns=""><Id>1</Id></R></diffgr:before>"#,
            "Unchanged 2|NULL|NULL|NULL|;Deleted ;",
        ),
        (
            r#"<D xmlns=""><R diffgr:id="R1" msdata:rowOrder="0"><Id>1</Id></R><R diffgr:id="R3" msdata:rowOrder="2"><Id>3</Id></R></D><diffgr:before><R diffgr:id="R2" msdata:rowOrder="1" xmlns=""><Id>2</Id></R></diffgr:before>"#,
            "Unchanged 1|NULL|NULL|NULL|;Deleted ;Unchanged 3|NULL|NULL|NULL|;",
        ),
        (
            r#"<D xmlns=""><R msdata:rowOrder="5"><Id>2</Id></R><R msdata:rowOrder="0"><Id>1</Id></R></D>"#,
            "Unchanged 1|NULL|NULL|NULL|;Unchanged 2|NULL|NULL|NULL|;",
        ),
        (
            r#"<D xmlns=""><R><N> </N></R><R><N xml:space="preserve"> </N></R><R><N><![CDATA[ ]]></N></R></D>"#,
            "Unchanged NULL||NULL|NULL|;Unchanged NULL| |NULL|NULL|;Unchanged NULL| |NULL|NULL|;",
        ),
        (
            r#"<diffgr:before><R diffgr:id="R2" xmlns=""><Id/><N/></R></diffgr:before>"#,
            "Deleted ;",
        ),
        (
            r#"<diffgr:before><R diffgr:id="R2" msdata:rowOrder="0" xmlns=""><Id>2</Id></R></diffgr:before>"#,
            "Deleted ;",
        ),
        (
            r#"<D xmlns=""><R><Id xsi:nil="true"/><W>2024-02-29T12:34:56+02:00</W></R><R><W>2024-02-29T12:34:56Z</W></R></D>"#,
            "Unchanged NULL|NULL|NULL|2024-02-29T10:34:56+00:00|;Unchanged NULL|NULL|NULL|2024-02-29T12:34:56|;",
        ),
    ];
    for (rows, expected) in of_rows {
        let set = shown(&format!("<d>{SCHEMA}{}</d>", diffgram(rows))).await;
        let head = "D:R(Id Int32,N String,F Int32,W dateTime,)";
        assert_eq!(set, format!("{head}[{expected}]"), "{rows}");
    }
    let rows = diffgram(r#"<D xmlns=""><R><Id>1</Id></R></D>"#);
    let (empty, schema) = (
        "NewDataSet:",
        "D:R(Id Int32,N String,F Int32,W dateTime,)[]",
    );
    let others = [
        ("", "null"),
        ("<d/>", empty),
        (r#"<d xsi:nil="true"/>"#, empty),
        ("<d><D xmlns=''><R><Id>1</Id></R></D></d>", empty),
        (&format!("<d>{rows}</d>"), empty),
        (&format!("<d>{SCHEMA}</d>"), schema),
        (&format!("<d>{rows}{SCHEMA}</d>"), schema),
    ];
    for (parameter, expected) in others {
        assert_eq!(shown(parameter).await, expected, "{parameter}");
    }
}

#[tokio::test]
async fn wrong_rows_are_refused() {
    let broken = "Failed to enable constraints. One or more rows contain values violating non-null, unique, or foreign-key constraints.";
    let key = r#"<xs:unique name="k" msdata:PrimaryKey="true"><xs:selector xpath=".//R"/><xs:field xpath="Id"/></xs:unique></xs:element></xs:schema>"#;
    let keyed = SCHEMA.replace("</xs:element></xs:schema>", key);
    let short = r#"name="N" minOccurs="0"><xs:simpleType><xs:restriction base="xs:string"><xs:maxLength value="1"/></xs:restriction></xs:simpleType></xs:element>"#;
    let short = SCHEMA.replace(r#"name="N" type="xs:string" minOccurs="0"/>"#, short);
    let number = "Input string was not in a correct format.";
    let rows = [
        (SCHEMA, "<R><Id>x</Id></R>", number),
        (SCHEMA, "<R><Id/></R>", number),
        (&keyed, "<R><Id>1</Id></R><R><Id>1</Id></R>", broken),
        (&keyed, "<R><N>a</N></R>", broken),
        (&short, "<R><N>ab</N></R>", broken),
    ];
    for (schema, rows, expected) in rows {
        let rows = diffgram(&format!(r#"<D xmlns="">{rows}</D>"#));
        let fault = shown(&format!("<d>{schema}{rows}</d>")).await;
        assert!(fault.ends_with(expected), "{fault}");
        let loose = schema.replace(
            "msdata:IsDataSet",
            r#"msdata:EnforceConstraints="False" msdata:IsDataSet"#,
        );
        let set = shown(&format!("<d>{loose}{rows}</d>")).await;
        assert_eq!(set.ends_with(expected), expected == number, "{set}");
    }
}

fn cell(kind: ColumnType) -> BoxedStrategy<Cell> {
    match kind.name() {
        "int" => any::<i32>().prop_map(Cell::from).boxed(),
        "double" => any::<i32>()
            .prop_map(|half| Cell::from(f64::from(half) / 2.0))
            .boxed(),
        "base64Binary" => vec(any::<u8>(), 1..9).prop_map(Cell::from).boxed(),
        "dateTime" => select(vec![
            "2024-02-29T12:34:56+00:00",
            "0001-01-01T00:00:00+00:00",
        ])
        .prop_map(Cell::from)
        .boxed(),
        "decimal" => any::<i64>()
            .prop_map(|cents| Cell::from(Decimal::new(cents, 2)))
            .boxed(),
        _ => prop_oneof![3 => text(), 1 => select(vec![" ".to_owned(), "\t\n".to_owned()])]
            .prop_map(Cell::from)
            .boxed(),
    }
}

fn column() -> BoxedStrategy<(String, ColumnType, ColumnMapping)> {
    let names = ["a", "a b", "_x0041_", "é", "1", "x:y"];
    let kinds = [
        "int",
        "string",
        "double",
        "base64Binary",
        "dateTime",
        "decimal",
    ];
    let mappings = [
        ColumnMapping::Element,
        ColumnMapping::Attribute,
        ColumnMapping::Hidden,
    ];
    (
        select(names.to_vec()),
        select(kinds.to_vec()),
        select(mappings.to_vec()),
    )
        .prop_map(|(name, kind, mapping)| {
            (name.to_owned(), ColumnType::of_name(kind).unwrap(), mapping)
        })
        .boxed()
}

/// A table with rows, some of which are changed.
fn table(name: &'static str) -> BoxedStrategy<DataTable> {
    let columns = vec(column(), 1..6);
    let tables = columns.prop_map(move |columns| {
        let mut table = DataTable::new(name);
        for (name, kind, mapping) in columns {
            table.add_column(&name, kind).mapping(mapping);
        }
        table
    });
    let rows = tables.prop_flat_map(|table| {
        let cells: Vec<_> = table
            .columns()
            .iter()
            .map(|column| prop_oneof![3 => cell(column.column_type()), 1 => Just(Cell::NULL)])
            .collect();
        (Just(table), vec((cells.clone(), cells, 0..5), 0..8))
    });
    rows.prop_map(|(mut table, rows)| {
        for (before, _, _) in &rows {
            table.push(before.clone()).unwrap();
        }
        table.accept_changes();
        for (index, (before, after, what)) in rows.into_iter().enumerate() {
            match what {
                0 => table.delete(index).unwrap(),
                1 => {
                    for (column, value) in after.into_iter().enumerate() {
                        let name = table.columns()[column].name().to_owned();
                        table.set(index, &name, value).unwrap();
                    }
                }
                2 => table.push(before).unwrap(),
                3 => table.set_error(index, "wrong").unwrap(),
                _ => {}
            }
        }
        table
    })
    .boxed()
}

proptest! {
    #[test]
    fn sets_go_there_and_back((first, second) in (table("First"), table("Second T")), namespace in select(vec!["", "urn:n"])) {
        let set = DataSet::new("Random Set").with_namespace(namespace);
        let set = set.with_table(first).with_table(second.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for binding in [Binding::Soap11, Binding::Soap12] {
            let request = EchoSetRequest { d: Some(set.clone()) };
            let answer = runtime.block_on(client(binding).echo_set(&request)).unwrap();
            prop_assert_eq!(answer.as_ref(), Some(&set));
        }
        prop_assert_eq!(&set.to_xml().unwrap().parse::<DataSet>().unwrap(), &set);
        let table = second.with_namespace(namespace);
        prop_assert_eq!(&table.to_xml().unwrap().parse::<DataTable>().unwrap(), &table);
    }
}

/// Rows with children, each of which has a text.
fn families() -> BoxedStrategy<Vec<Vec<String>>> {
    vec(vec(text(), 0..4), 0..4).boxed()
}

proptest! {
    #[test]
    fn rows_in_rows_go_there_and_back(families in families(), namespace in select(vec!["", "urn:n"]), change in any::<bool>()) {
        let mut parents = DataTable::new("Parent");
        parents.column::<i32>("Id");
        let mut children = DataTable::new("Child of");
        children.column::<i32>("Of").mapping(ColumnMapping::Hidden);
        children.column::<String>("Text");
        let mut notes = DataTable::new("Note");
        notes.column::<i32>("Of").mapping(ColumnMapping::Attribute);
        notes.column::<String>("Text").mapping(ColumnMapping::SimpleContent);
        for (id, texts) in (0..).zip(families) {
            parents.push([id.into()]).unwrap();
            for text in texts {
                // An empty text is null.
                let note = Some(text.as_str()).filter(|text| !text.is_empty());
                notes.push([id.into(), note.into()]).unwrap();
                children.push([id.into(), text.into()]).unwrap();
            }
        }
        let mut set = DataSet::new("Families").with_namespace(namespace);
        set = set.with_table(parents).with_table(children).with_table(notes);
        for (relation, table) in [("children", "Child of"), ("notes", "Note")] {
            set.relate(relation, ("Parent", &["Id"]), (table, &["Of"])).unwrap();
            set.nest(relation).unwrap();
        }
        set.accept_changes();
        if change && !set.tables()[1].is_empty() {
            set.table_mut("Child of").unwrap().delete(0).unwrap();
            set.table_mut("Note").unwrap().set(0, "Text", "changed").unwrap();
        }
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for binding in [Binding::Soap11, Binding::Soap12] {
            let request = EchoSetRequest { d: Some(set.clone()) };
            let answer = runtime.block_on(client(binding).echo_set(&request)).unwrap();
            prop_assert_eq!(answer.as_ref(), Some(&set));
        }
    }
}

/// A set that tables cannot represent is kept as it is, and a set without a name cannot be written.
#[tokio::test]
async fn other_sets_are_kept() {
    let nested = r#"<DataSet><xs:schema xmlns="" xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="T" type="xs:int" /></xs:schema></DataSet>"#;
    let set: DataSet = nested.parse().unwrap();
    assert_eq!(
        set.unread().unwrap().1,
        "its schema does not say that 'T' is a set"
    );
    let request = EchoSetRequest {
        d: Some(set.clone()),
    };
    let answer = client(Binding::Soap11).echo_set(&request).await.unwrap();
    assert_eq!(answer, Some(set));
    let nameless = ShowTableRequest {
        t: Some(DataTable::default()),
    };
    let refused = client(Binding::Soap11).show_table(&nameless).await;
    let Err(CallError::Write(error)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(error.to_string(), "'t' holds a table without a name.");
}
