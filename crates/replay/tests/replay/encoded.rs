//! Encoded answers, whose elements have references.

#[path = "../../../../tests/src/recorded/file.rs"]
mod file;

use std::path::Path;

use bytes::Bytes;
use http::Response;
use svcgen_messages::Service;
use svcgen_replay::{Comparer, Likeness, Rules};
use svcgen_testing::RecordedExchange;

use crate::answers::{TREE, service, told, tree_request, xml};

fn changed(response: &Response<Bytes>, from: &str, to: &str) -> Response<Bytes> {
    let text = std::str::from_utf8(response.body()).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    response.clone().map(|_| text.replace(from, to).into())
}

/// Fails unless the differences of two answers are the expected ones, in both directions.
fn both(one: &Response<Bytes>, other: &Response<Bytes>, expected: &[(&str, &str)]) {
    for service in [Some(service()), None] {
        let comparer = Comparer::new(service, Rules::new());
        for answers in [[one, other], [other, one]] {
            let comparison = comparer.compare(&tree_request(), answers[0], answers[1]);
            assert_eq!(told(&comparison), expected, "{comparison:#?}");
        }
    }
}

#[test]
fn recorded_answers_are_told_from_those_with_other_ids_and_other_values() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let service = Service::open(tests.join("definitions/lab/rpc.yaml")).unwrap();
    let mut compared = Vec::new();
    let folder = tempfile::tempdir().unwrap();
    let recorded = file::exchanges(tests.join("recorded/lab/rpc.txt"));
    file::write_folders(&recorded, folder.path());
    for exchange in RecordedExchange::in_folder(folder.path().join("rpc")).unwrap() {
        let request = exchange.request().unwrap();
        let response = exchange.response(request.method()).unwrap();
        let text = String::from_utf8_lossy(response.body()).into_owned();
        if !text.contains("href=") || request.uri().path() != "/GRpc.asmx" {
            continue;
        }
        compared.push(exchange.name().to_owned());
        let renamed = response.clone().map(|_| {
            let renamed = text.replace("\"#id", "\"#ref-");
            renamed.replace(" id=\"id", " id=\"ref-").into()
        });
        for service in [Some(service), None] {
            let comparer = Comparer::new(service, Rules::new());
            for [one, other] in [[&response, &renamed], [&renamed, &response]] {
                let comparison = comparer.compare(&request, one, other);
                assert_eq!(comparison.likeness, Likeness::SameValues, "{comparison:#?}");
                let mut kinds = told(&comparison).into_iter();
                assert!(
                    kinds.all(|(kind, _)| kind == "reference"),
                    "{comparison:#?}"
                );
            }
        }
        let of = |from: &str, to: &str| {
            let comparer = Comparer::new(Some(service), Rules::new());
            let found = changed(&renamed, from, to);
            let comparison = comparer.compare(&request, &response, &found);
            let mut told = told(&comparison);
            told.retain(|(kind, _)| *kind != "reference");
            let told = told
                .iter()
                .map(|(kind, place)| format!("{kind} at {place}"));
            told.collect::<Vec<_>>()
        };
        match exchange.name() {
            "outref" => assert_eq!(of(">1</X>", ">2</X>"), ["value at c.X"]),
            "pts-href" => assert_eq!(of(">2</X>", ">3</X>"), ["value at EchoPtsResult[1].X"]),
            // An element with two references to it.
            "tree-out" => assert_eq!(
                of(">shared<", ">other<"),
                [
                    "value at GetTreeResult.Left.Name",
                    "value at GetTreeResult.Right.Name"
                ]
            ),
            _ => {}
        }
    }
    for name in ["outref", "pts-href", "tree-out"] {
        assert!(compared.iter().any(|one| one == name), "{compared:?}");
    }
}

#[test]
fn elements_are_compared_with_those_that_stand_in_their_place() {
    let target = r#"<types:Tree id="id4" xsi:type="types:Tree"><Name>right</Name></types:Tree>"#;
    let inline = TREE.replace(target, "").replace(
        r##"<Right href="#id4" />"##,
        r#"<Right xsi:type="types:Tree"><Name>right</Name></Right>"#,
    );
    let one = xml(TREE);
    let other = xml(inline);
    both(&one, &other, &[("reference", "GetTreeResult.Right")]);
    let other = changed(&other, ">right<", ">wrong<");
    let expected = [
        ("reference", "GetTreeResult.Right"),
        ("value", "GetTreeResult.Right.Name"),
    ];
    both(&one, &other, &expected);

    // An element is no longer referred to.
    let comparer = Comparer::new(Some(service()), Rules::new());
    let reference = r##"<Right href="#id4" />"##;
    let missing = changed(&one, reference, "");
    let nil = changed(&one, reference, r#"<Right xsi:nil="true" />"#);
    let place = "GetTreeResult.Right";
    for (found, kinds) in [
        (missing, ["missing-element", "extra-element"]),
        (nil, ["nil", "nil"]),
    ] {
        for (answers, kind) in [([&one, &found], kinds[0]), ([&found, &one], kinds[1])] {
            let comparison = comparer.compare(&tree_request(), answers[0], answers[1]);
            let mut told = told(&comparison);
            assert_eq!(told.pop(), Some((kind, place)), "{comparison:#?}");
            assert_eq!(told.first(), Some(&("reference", "Tree")), "{told:?}");
            assert_eq!(comparison.likeness, Likeness::Differs);
        }
    }

    // One element with two references, instead of two elements.
    let shared = changed(&one, ">right<", ">left<");
    let twice = changed(&shared, r##"href="#id4""##, r##"href="#id2""##);
    let twice = changed(
        &twice,
        r#"<types:Tree id="id4" xsi:type="types:Tree"><Name>left</Name></types:Tree>"#,
        "",
    );
    both(&shared, &twice, &[("reference", "GetTreeResult.Right")]);
}

#[test]
fn rules_and_secrets_are_of_the_places_that_refer() {
    let one = changed(&xml(TREE), "<Key>k-1</Key>", r##"<Key href="#id5" />"##);
    let one = changed(
        &one,
        "</soap:Body>",
        r#"<soapenc:string id="id5">k-1</soapenc:string></soap:Body>"#,
    );
    let other = changed(&one, "k-1", "k-2");
    let comparer = Comparer::new(Some(service()), Rules::new());
    let comparison = comparer.compare(&tree_request(), &one, &other);
    assert_eq!(comparison.likeness, Likeness::Identical, "{comparison:#?}");
    let [learned] = comparison.learned.as_slice() else {
        panic!("{comparison:#?}");
    };
    assert_eq!((&*learned.name, &*learned.now), ("Key", "k-2"));

    // A difference that a rule ignores at one of two places is reported at the other.
    let one = changed(&xml(TREE), r##"href="#id4""##, r##"href="#id2""##);
    let other = changed(&one, ">left<", ">other<");
    for service in [Some(service()), None] {
        let rules = Rules::new().ignore("GetTreeResult.Left.Name").unwrap();
        let comparer = Comparer::new(service, rules);
        let comparison = comparer.compare(&tree_request(), &one, &other);
        let expected = [("value", "GetTreeResult.Right.Name")];
        assert_eq!(told(&comparison), expected, "{comparison:#?}");
        assert_eq!(comparison.likeness, Likeness::Differs);
    }
}

#[test]
fn references_in_circles_and_hostile_ones_end() {
    let circle = changed(&xml(TREE), r##"href="#id2""##, r##"href="#id1""##);
    let other = changed(&circle, ">root<", ">ROOT<");
    both(&circle, &other, &[("text-case", "GetTreeResult.Name")]);

    // Each element of a chain is referred to twice, which makes more places than can be visited.
    let chain = |count: usize, last: &str| {
        let links = (0..count).map(|link| {
            let next = link + 1;
            format!(r##"<t id="n{link}"><Left href="#n{next}" /><Right href="#n{next}" /></t>"##)
        });
        let links: String = links.collect();
        let body = format!(r##"<GetTreeResult href="#n0" /></tns:GetTreeResponse>{links}{last}"##);
        let (before, rest) = TREE.split_once("<GetTreeResult").unwrap();
        assert!(rest.contains("</soap:Body>"));
        xml(format!("{before}{body}</soap:Body></soap:Envelope>"))
    };
    for count in [60, 1500] {
        let last = |name: &str| format!(r#"<t id="n{count}"><Name>{name}</Name></t>"#);
        let answers = [chain(count, &last("a")), chain(count, &last("b"))];
        for service in [Some(service()), None] {
            let comparer = Comparer::new(service, Rules::new());
            let comparison = comparer.compare(&tree_request(), &answers[0], &answers[1]);
            assert_eq!(comparison.likeness, Likeness::Differs);
        }
    }
    // A long list with single references can be visited.
    let list = |value: &str| {
        let links = (0..1000).map(|link| {
            let next = link + 1;
            format!(r##"<t id="n{link}"><Name>a</Name><Right href="#n{next}" /></t>"##)
        });
        let last = format!(r#"<t id="n1000"><Name>{value}</Name></t>"#);
        chain(0, &(links.collect::<String>() + &last))
    };
    let comparer = Comparer::new(None, Rules::new());
    let comparison = comparer.compare(&tree_request(), &list("a"), &list("b"));
    assert_eq!(comparison.differences.len(), 1, "{comparison:#?}");
    assert_eq!(comparison.differences[0].kind.name(), "value");

    // Elements that refer to themselves or to each other have no content.
    let empty = chain(0, r##"<t id="n0" href="#n1" /><t id="n1" href="#n0" />"##);
    let other = changed(&empty, "n1", "n2");
    Comparer::new(None, Rules::new()).compare(&tree_request(), &empty, &other);
}
