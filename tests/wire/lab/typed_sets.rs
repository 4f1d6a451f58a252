//! Sets of tables whose schemas are in the definition.

use http::{Request, StatusCode};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use svcgen::types::{DataSet, DataTable, RowState};
use svcgen::{Binding, Context, Fault};
use svcgen_tests::lab::replay;
use svcgen_tests::random::text;
use svcgen_tests::raw_http::Running;

svcgen::include_service!("stock");
use stock::*;

/// The handlers of `GWide.cs`.
struct Handlers;

fn stock(rows: impl IntoIterator<Item = (i32, Option<String>)>) -> StockSet {
    let mut stock = StockSet::default();
    for (id, name) in rows {
        let row = [id.into(), name.into()];
        stock.value.table_mut("Item").unwrap().push(row).unwrap();
    }
    stock.value.accept_changes();
    stock
}

impl StockHandler for Handlers {
    async fn get_stock(&self, _: &Context) -> Result<Option<StockSet>, Fault> {
        Ok(Some(stock([(1, Some("a".to_owned()))])))
    }

    async fn count_stock(&self, _: &Context, request: CountStockRequest) -> Result<i32, Fault> {
        let items = |set: &StockSet| set.value.table("Item").map_or(0, DataTable::len);
        Ok(request.s.as_ref().map_or(-1, |set| items(set) as i32))
    }

    async fn echo_shelf(
        &self,
        _: &Context,
        headers: EchoShelfHeaders,
        request: EchoShelfRequest,
    ) -> Result<(Option<Shelf>, EchoShelfResponseHeaders), Fault> {
        let reserve = headers.reserve;
        match request.shelf {
            Some(shelf) => Ok((Some(shelf), EchoShelfResponseHeaders { reserve })),
            None => Err(Fault::client("empty").with_detail(&reserve.unwrap_or_default())),
        }
    }
}

fn client(binding: Binding) -> StockClient<StockServer<Handlers>> {
    let transport = StockServer::new(Handlers);
    let client = StockClient::new(transport, "http://localhost").unwrap();
    client.with_binding(binding)
}

#[test]
fn typed_sets_are_answered_as_recorded() {
    let server = Running::of(StockServer::new(Handlers));
    replay(&server, &["stock"], &[]);
}

#[test]
fn documents_are_as_recorded() {
    super::documents_are_recorded("stock", &["Shelf", "ArrayOfStockSet", "Reserve", "Broken"]);
}

/// Returns the document for a query.
async fn document(query: &str) -> (StatusCode, String) {
    let request = Request::get(format!("http://localhost/GWide.asmx?{query}"));
    let request = request.header("Host", "localhost").body("".into()).unwrap();
    let answer = StockServer::new(Handlers).answer(request).await;
    let (parts, body) = answer.into_parts();
    (parts.status, String::from_utf8(body.to_vec()).unwrap())
}

const SCHEMA: &str = include_str!("../../definitions/schemas/stock.xsd");

/// The original returns the same file.
#[tokio::test]
async fn the_schema_is_a_document() {
    for query in ["schema=StockSet", "Schema=Stock%53et"] {
        assert_eq!(document(query).await, (StatusCode::OK, SCHEMA.to_owned()));
    }
    for query in ["schema=stockset", "schema=", "schema"] {
        let (_, page) = document(query).await;
        assert!(page.contains("<html"), "{query}");
    }
}

/// The original WSDL refers to the schema at the address where its tools look for it; the portable
/// one contains the schema.
#[tokio::test]
async fn the_wsdl_leads_to_the_schema() {
    let (_, original) = document("wsdl=original").await;
    let import = r#"<s:import schemaLocation="http://localhost/GWide.asmx?schema=StockSet" namespace="http://lab.example/g/stock" />"#;
    assert_eq!(original.matches(import).count(), 1, "{original}");
    let (_, portable) = document("wsdl").await;
    let (_, schema) = SCHEMA.split_once('\n').unwrap();
    assert_eq!(portable.matches(schema).count(), 1, "{portable}");
    assert!(!portable.contains("schemaLocation"), "{portable}");
}

#[tokio::test]
async fn an_empty_set_has_the_tables_of_its_schema() {
    let stock = StockSet::default();
    assert_eq!(stock.value.unread(), None);
    assert_eq!(stock.value.namespace(), "http://lab.example/g/stock");
    let items = stock.value.table("Item").unwrap();
    let columns = items.columns().iter();
    let columns: Vec<_> = columns
        .map(|column| {
            (
                column.name(),
                column.column_type().name(),
                column.is_nullable(),
            )
        })
        .collect();
    assert_eq!(columns, [("Id", "int", false), ("Name", "string", true)]);
    assert_eq!(items.primary_key(), ["Id"]);
    // Changes of one value do not affect the others.
    let mut changed = stock.clone();
    changed
        .value
        .table_mut("Item")
        .unwrap()
        .push([1.into()])
        .unwrap();
    assert_eq!(StockSet::default(), stock);
    assert_ne!(changed, stock);
}

#[tokio::test]
async fn typed_sets_are_results_over_every_binding() {
    for binding in Binding::DEFAULT {
        let answer = client(binding).get_stock().await.unwrap();
        assert_eq!(
            answer,
            Some(stock([(1, Some("a".to_owned()))])),
            "{binding}"
        );
    }
}

/// Returns the number of rows that `CountStock` finds in this content of its parameter.
async fn counted(content: &str) -> String {
    let body = format!(
        r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><CountStock xmlns="http://lab.example/g"><s>{content}</s></CountStock></e:Body></e:Envelope>"#
    );
    let request = Request::post("/GWide.asmx").header("Content-Type", "text/xml");
    let request = request.header("SOAPAction", "\"http://lab.example/g/CountStock\"");
    let answer = StockServer::new(Handlers)
        .answer(request.body(body.into()).unwrap())
        .await;
    let text = String::from_utf8(answer.into_body().to_vec()).unwrap();
    let (_, rest) = text
        .split_once("CountStockResult>")
        .unwrap_or_else(|| panic!("{text}"));
    rest.split_once('<').unwrap().0.to_owned()
}

/// Rows that are sent without a schema belong to the declared tables, whatever is around them; with
/// a schema, they belong to its tables.
#[tokio::test]
async fn rows_are_those_of_the_schema_that_is_sent_or_declared() {
    let rows = |rows: &str| {
        format!(
            r#"<d:diffgram xmlns:d="urn:schemas-microsoft-com:xml-diffgram-v1"><Any xmlns="http://lab.example/g/stock">{rows}</Any></d:diffgram>"#
        )
    };
    let one = rows("<Item><Id>1</Id></Item>");
    assert_eq!(counted(&one).await, "1");
    let (_, schema) = SCHEMA.split_once('\n').unwrap();
    assert_eq!(counted(&format!("{schema}{one}")).await, "1");
    let other = schema
        .replace("\"Item\"", "\"Thing\"")
        .replace(":Item", ":Thing");
    assert_eq!(counted(&format!("{other}{one}")).await, "0");
    assert_eq!(
        counted(&one.replace("http://lab.example/g/stock", "")).await,
        "0"
    );
}

#[tokio::test]
async fn changes_go_there_and_back() {
    let mut set = stock([(1, None), (2, None)]);
    let items = set.value.table_mut("Item").unwrap();
    items.set(0, "Name", "one").unwrap();
    items.delete(1).unwrap();
    items.push([3.into()]).unwrap();
    let request = EchoShelfRequest {
        shelf: Some(Shelf {
            one: set.clone(),
            ..Shelf::default()
        }),
    };
    for binding in [Binding::Soap11, Binding::Soap12] {
        let headers = EchoShelfHeaders::default();
        let (answer, _) = client(binding)
            .echo_shelf(&headers, &request)
            .await
            .unwrap();
        let answer = answer.unwrap().one;
        assert_eq!(answer, set);
        let states = answer.value.tables()[0].rows().map(|row| row.state());
        let expected = [RowState::Modified, RowState::Deleted, RowState::Inserted];
        assert_eq!(states.collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn a_fault_carries_a_set() {
    let reserve = Some(stock([(7, None)]));
    let headers = EchoShelfHeaders {
        reserve: reserve.clone(),
    };
    for binding in [Binding::Soap11, Binding::Soap12] {
        let answer = client(binding)
            .echo_shelf(&headers, &EchoShelfRequest { shelf: None })
            .await;
        let fault = answer.unwrap_err();
        let fault = fault.fault().unwrap();
        let detail = fault.read_detail::<StockSet>().unwrap().unwrap();
        assert_eq!(Some(detail), reserve);
    }
}

fn sets() -> BoxedStrategy<StockSet> {
    vec(option::of(text()), 0..4)
        .prop_map(|names| stock((0..).zip(names)))
        .boxed()
}

prop_compose! {
    fn shelves()(
        one in sets(), maybe in option::of(sets()), all in vec(sets(), 0..3), flat in vec(sets(), 0..3),
        last in prop_oneof![sets().prop_map(ShelfLast::Set), any::<i32>().prop_map(ShelfLast::Number)],
    ) -> Shelf {
        Shelf { one, maybe, all: all.into_iter().map(Some).collect(), flat, last }
    }
}

proptest! {
    #[test]
    fn typed_sets_go_there_and_back_everywhere(shelf in shelves(), reserve in option::of(sets())) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let request = EchoShelfRequest { shelf: Some(shelf) };
        let headers = EchoShelfHeaders { reserve };
        for binding in [Binding::Soap11, Binding::Soap12] {
            let answer = runtime.block_on(client(binding).echo_shelf(&headers, &request)).unwrap();
            prop_assert_eq!(&answer.0, &request.shelf);
            prop_assert_eq!(&answer.1.reserve, &headers.reserve);
        }
    }
}

/// A value without rows is borrowed from its schema, so that a message with many of them only takes
/// the memory of references.
#[test]
fn an_empty_set_allocates_nothing() {
    let set = StockSet::default();
    assert!(std::ptr::eq(
        set.value.tables(),
        StockSet::default().value.tables()
    ));
    let mut accepted = set.clone();
    accepted.value.accept_changes();
    assert!(std::ptr::eq(set.value.tables(), accepted.value.tables()));
    let parsed: DataSet = set.value.to_xml().unwrap().parse().unwrap();
    assert_eq!(parsed, set.value);
}
