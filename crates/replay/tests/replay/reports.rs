//! Reports in all formats.

use std::fs;

use svcgen_replay::{Likeness, Replay};

use crate::recording::{Recording, Server, get, in_xml, order, service, xml};

#[tokio::test]
async fn reports_hold_hostile_values() {
    let mut recording = Recording::new();
    let hostile = "&lt;script&gt;alert('x')&lt;/script&gt;&amp;\u{202e}\"]]&gt;";
    recording.add(&get("GetOrder?token=t&id=1"), &xml(&order("1", "nut")));
    recording.add(&get("GetOrder?token=t&id=1"), &xml(&order("1", "nut")));
    fs::rename(
        recording.path().join("00000002"),
        recording.path().join("<b>&'\""),
    )
    .unwrap();
    let server = Server::new().answering(|_| in_xml(order("1", hostile)));
    let report = Replay::new(recording.path())
        .with_service(service())
        .run(&server)
        .await
        .unwrap();

    let junit = report.to_junit(Likeness::Identical);
    let document = roxmltree::Document::parse(&junit).unwrap();
    let root = document.root_element();
    assert_eq!(
        (root.attribute("tests"), root.attribute("failures")),
        (Some("2"), Some("2"))
    );
    let cases: Vec<_> = document
        .descendants()
        .filter(|one| one.has_tag_name("testcase"))
        .collect();
    assert_eq!(cases[1].attribute("name"), Some("<b>&'\""));
    let told = cases[0].first_element_child().unwrap().text().unwrap();
    assert!(
        told.contains("value at GetOrderResult.Name: expected nut, found <script>"),
        "{told}"
    );

    let json = report.to_json();
    assert_eq!(json["summary"]["GetOrder"]["differs"], 2);
    let differences = &json["exchanges"][0]["differences"];
    assert_eq!(differences[0]["kind"], "value");
    assert_eq!(differences[0]["place"], "GetOrderResult.Name");
    assert_eq!(differences[0]["likeness"], "differs");
    assert_eq!(json["exchanges"][0]["binding"], "http-get");

    let html = report.to_html(Likeness::Identical);
    assert_eq!(html.matches("<script>").count(), 1, "only its own");
    for wrong in [
        "alert('x')",
        "\u{202e}",
        "<b>&",
        "http://",
        "https://",
        " src=",
        "@import",
        "url(",
    ] {
        assert!(!html.contains(wrong), "{wrong}");
    }
    assert!(
        html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;\\u{202e}"),
        "{html}"
    );
    // Elements that are not void are closed: everything except scripts and styles is XML.
    let body = html
        .split_once("<main>")
        .unwrap()
        .1
        .split_once("</main>")
        .unwrap()
        .0;
    let body = format!(
        "<main>{}</main>",
        body.replace(" hidden>", ">").replace(" open>", ">")
    );
    let page = roxmltree::Document::parse(&body).unwrap();
    assert_eq!(
        page.descendants()
            .filter(|one| one.has_tag_name("details"))
            .count(),
        2
    );
}

#[tokio::test]
async fn equal_findings_are_told_once() {
    let mut recording = Recording::new();
    for id in 1..=12 {
        recording.add(
            &get(&format!("GetOrder?token=t&id={id}")),
            &xml(&order(&id.to_string(), "nut")),
        );
        let login = get("Login?user=ada&password=[secret]");
        recording.add(&login, &xml("<a/>"));
    }
    let server = Server::new().answering(|request| {
        let id = request.uri().query().unwrap().rsplit('=').next().unwrap();
        in_xml(order(id, if id == "12" { "bolt" } else { "Nut" }))
    });
    let report = Replay::new(recording.path())
        .with_service(service())
        .run(&server)
        .await
        .unwrap();
    let text = report.to_text(Likeness::Identical, 20);
    let (_, told) = text.split_once("\n\n").unwrap();
    let expected = "\
GetOrder: differs
  text-case at GetOrderResult.Name
    expected  nut
    found     Nut
  11 exchanges: 00000001, 00000003, 00000005, 00000007, 00000009, 00000011, 00000013, 00000015, 00000017, 00000019 and 1 more

Login: unsent
  the request holds masked values: give them by name (--secret NAME=VALUE), or let an earlier answer hold them: password
  12 exchanges: 00000002, 00000004, 00000006, 00000008, 00000010, 00000012, 00000014, 00000016, 00000018, 00000020 and 2 more

GetOrder: differs
  value at GetOrderResult.Name
    expected  nut
    found     bolt
  1 exchange: 00000023
";
    assert_eq!(told, expected);
    let text = report.to_text(Likeness::Identical, 1);
    assert!(text.ends_with("\n… and 2 more\n"), "{text}");

    let json = report.to_json();
    let groups = json["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 3);
    assert_eq!(groups[1]["exchanges"].as_array().unwrap().len(), 12);
    assert_eq!(groups[2]["found"], "bolt");
    let html = report.to_html(Likeness::Identical);
    let (_, table) = html.split_once("<h2>What differs</h2>").unwrap();
    let (table, _) = table.split_once("</table>").unwrap();
    assert_eq!(table.matches("<tr><td>").count(), 3);
    assert!(table.contains("12 exchanges: 00000002"), "{table}");
}

#[tokio::test]
async fn items_of_a_list_are_one_place() {
    const LIST: &str = "
service: Orders
namespace: http://example.com/orders
path: /Orders.asmx
operations:
  GetPrices: { parameters: { id: int }, result: 'Price[]' }
types:
  Price: { elements: { Amount: int } }
";
    let service = svcgen_messages::Service::of_definition("orders.yaml", LIST).unwrap();
    let list = |amounts: [i32; 3]| {
        let each = amounts.map(|amount| format!("<Price><Amount>{amount}</Amount></Price>"));
        format!(
            r#"<ArrayOfPrice xmlns="http://example.com/orders">{}</ArrayOfPrice>"#,
            each.concat()
        )
    };
    let mut recording = Recording::new();
    recording.add(&get("GetPrices?id=1"), &xml(&list([1, 2, 3])));
    recording.add(&get("GetPrices?id=2"), &xml(&list([1, 2, 3])));
    let server = Server::new().answering(move |request| {
        let is_first = request.uri().query() == Some("id=1");
        in_xml(list(if is_first { [7, 8, 3] } else { [1, 2, 9] }))
    });
    let replay = Replay::new(recording.path()).with_service(service);
    let report = replay.run(&server).await.unwrap();
    let text = report.to_text(Likeness::Identical, 20);
    let (_, told) = text.split_once("\n\n").unwrap();
    assert_eq!(
        told,
        "GetPrices: differs\n  value at GetPricesResult[0].Amount\n    expected  1\n    found     7\n  2 exchanges, with other values in 1: 00000001, 00000002\n"
    );
}
