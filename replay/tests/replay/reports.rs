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

    let junit = report.to_junit(Likeness::Bytes);
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

    let html = report.to_html(Likeness::Bytes);
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
    // What is not void is closed: all but scripts and styles is XML.
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
