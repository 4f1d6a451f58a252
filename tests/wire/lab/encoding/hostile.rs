//! Messages whose values take more memory than their bytes.

use std::fmt::Write;
use std::time::{Duration, Instant};

use svcgen_tests::few_or_all;

use super::{answered, post, refused};

#[test]
fn references_are_bounded() {
    // Each object has two references to the next one.
    let levels = |count: usize| {
        let mut body = "<tns:EchoTree><t href=\"#t0\"/></tns:EchoTree>".to_owned();
        for level in 0..count {
            let (id, next) = (format!("t{level}"), format!("#t{}", level + 1));
            write!(
                body,
                "<t id=\"{id}\"><Left href=\"{next}\"/><Right href=\"{next}\"/></t>"
            )
            .unwrap();
        }
        body + &format!("<t id=\"t{count}\"><Name>end</Name></t>")
    };
    answered("EchoTree", &levels(4), "href=\"#id31\"");
    refused(
        "EchoTree",
        &levels(30),
        "bytes of memory for each byte of the message",
    );
    // Content that is skipped at a reference is read again each time, too.
    let waste = "<!-- -->".repeat(20_000);
    let uses = "<i href=\"#p\"/>".repeat(20_000);
    let array = format!(
        "<tns:ShowPts><p soapenc:arrayType=\"tns:Pt[]\">{uses}</p></tns:ShowPts><p id=\"p\">{waste}</p>"
    );
    refused(
        "ShowPts",
        &array,
        "bytes of memory for each byte of the message",
    );
    for cycle in [
        "<tns:EchoTree><t href=\"#a\"/></tns:EchoTree><t id=\"a\"><Left href=\"#a\"/></t>",
        "<tns:EchoTree><t href=\"#a\"/></tns:EchoTree><t id=\"a\" href=\"#b\"/><t id=\"b\" href=\"#a\"/>",
        "<tns:EchoTree><t id=\"a\"><Right><Left href=\"#a\"/></Right></t></tns:EchoTree>",
    ] {
        refused(
            "EchoTree",
            cycle,
            "The element with ID 'a' refers to itself",
        );
    }
    let deep = "<Left>".repeat(70) + &"</Left>".repeat(70);
    refused(
        "EchoTree",
        &format!("<tns:EchoTree><t>{deep}</t></tns:EchoTree>"),
        "levels of elements",
    );
    let chain: String = (0..100)
        .map(|level| format!("<t id=\"c{level}\"><Left href=\"#c{}\"/></t>", level + 1))
        .collect();
    let chain = format!("<tns:EchoTree><t href=\"#c0\"/></tns:EchoTree>{chain}<t id=\"c100\"/>");
    refused("EchoTree", &chain, "levels of values");
    for malformed in [
        "<tns:EchoTree><t href=\"#a\"></tns:EchoTree>",
        "<tns:EchoTree><t/></tns:EchoTree><t id=\"a\"><Left></t>",
        "<tns:EchoTree><Name>",
    ] {
        let (status, _) = post("EchoTree", malformed);
        assert_eq!(status, 400, "{malformed}");
    }
}

#[test]
fn many_references_take_linear_time() {
    let count = few_or_all(20_000, 100_000);
    let mut body = "<tns:ShowPts><p soapenc:arrayType=\"tns:Pt[]\">".to_owned();
    (0..count).for_each(|index| write!(body, "<i href=\"#{index}\"/>").unwrap());
    body += "</p></tns:ShowPts>";
    let objects = (0..count).rev();
    objects.for_each(|index| write!(body, "<p id=\"{index}\"/>").unwrap());
    let started = Instant::now();
    answered("ShowPts", &body, &format!(">{count}:Pt0,Pt0"));
    // A debug build on a busy machine takes one or two seconds; if each of 20,000 references
    // searched the others, it would take minutes.
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn declarations_that_are_copied_are_bounded() {
    // A target inside of further declarations than those of the Body is read with these.
    let long = format!("urn:&amp;{}", "x".repeat(50_000));
    let declared: String = (0..40)
        .map(|index| format!(" xmlns:n{index}=\"{long}\""))
        .collect();
    let uses = "<i href=\"#p\"/>".repeat(50_000);
    let body = format!(
        "<tns:ShowPts><o{declared}><i id=\"p\"/></o><p soapenc:arrayType=\"tns:Pt[]\">{uses}</p></tns:ShowPts>"
    );
    refused(
        "ShowPts",
        &body,
        "bytes of memory for each byte of the message",
    );
    let few = "<i href=\"#p\"/>".repeat(3);
    let declared = " xmlns:n=\"urn:n\"";
    let body = format!(
        "<tns:ShowPts><o{declared}><i id=\"p\" xsi:type=\"tns:Pt\"><X>4</X></i></o><p soapenc:arrayType=\"tns:Pt[]\">{few}</p></tns:ShowPts>"
    );
    answered("ShowPts", &body, ">3:Pt4,Pt4,Pt4</");
}

#[test]
fn ids_and_references_may_hold_anything() {
    for id in ["", "#", "a&amp;b", "\u{1F600}", "a b"] {
        let body = format!("<tns:Sum><a href=\"#{id}\"/><b>2</b></tns:Sum><i id=\"{id}\">1</i>");
        answered("Sum", &body, ">3</SumResult>");
    }
    // Of several elements with the same id, the first counts.
    let body = "<tns:Sum><a href=\"#i\"/><b>2</b></tns:Sum><i id=\"i\">1</i><i id=\"i\">5</i>";
    answered("Sum", body, ">3</SumResult>");
    refused(
        "Sum",
        "<tns:Sum><a href=\"#\"/></tns:Sum>",
        "with ID '' was not found",
    );
    // References to other documents are refused, also those of objects.
    let elsewhere = "The referenced element with ID 'http://h/' was not found in the document.";
    refused(
        "Sum",
        "<tns:Sum><a href=\"http://h/\"/></tns:Sum>",
        elsewhere,
    );
    let tree = "<tns:EchoTree><t href=\"http://h/\"/></tns:EchoTree>";
    refused("EchoTree", tree, elsewhere);
}
