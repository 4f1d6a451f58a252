//! The links in reference documentation and help pages.

use std::collections::HashSet;

use svcgen_documents::page::{About, HelpPage};
use svcgen_documents::reference;

use crate::described::each_service;

/// Returns the texts between two texts.
fn between<'t>(text: &'t str, from: &str, to: &str) -> Vec<&'t str> {
    let parts = text.split(from).skip(1);
    parts
        .filter_map(|part| Some(part.split_once(to)?.0))
        .collect()
}

#[test]
fn every_link_within_a_document_leads_to_one_place() {
    let mut links_to_namespaces = 0;
    each_service(|name, service| {
        let page = HelpPage {
            service,
            address: "http://svc.example/",
            form: true,
            documentation: true,
            about: About::default(),
        };
        let pages = service
            .operations()
            .map(|operation| page.operation(operation.name).unwrap());
        let html = [reference::html(service), page.overview()];
        let html = html.into_iter().chain(pages);
        let html = html.map(|html| (html, " id=\"", "href=\"#", "\""));
        let markdown = (reference::markdown(service), "<a id=\"", "](#", ")");
        for (document, id, start, end) in html.chain([markdown]) {
            let ids = between(&document, id, "\"");
            let places: HashSet<_> = ids.iter().copied().collect();
            assert_eq!(places.len(), ids.len(), "{name}: {ids:?}");
            for id in ids.iter().filter(|id| id.starts_with("type-")) {
                let is_plain = |c: char| c.is_alphanumeric() || "-._:/~".contains(c);
                assert!(id.chars().all(is_plain), "{name}: {id}");
            }
            for link in between(&document, start, end) {
                assert!(places.contains(link), "{name}: {link}");
                links_to_namespaces += usize::from(link.contains(':'));
            }
        }
    });
    assert!(links_to_namespaces > 20, "{links_to_namespaces}");
}

#[test]
fn the_place_of_a_type_does_not_depend_on_others() {
    let definition = |others: &str| {
        format!(
            "{{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: {{ c: 'urn:c', odd: 'urn:(o)d' }}, \
             operations: {{ A: {{ result: T }} }}, \
             types: {{ T: {{ elements: {{ A: Order, B: Odd{others} }} }}, Order: {{ namespace: c, elements: {{ X: int }} }}, \
             Odd: {{ name: Order, namespace: odd, elements: {{ X: int }} }}, Own: {{ name: Order, elements: {{ X: int }} }} }}, allow: [SVC026, SVC037] }}"
        )
    };
    for others in ["", ", C: Own"] {
        let described = svcgen_codegen::Config::new()
            .describe("definition.yaml", definition(others))
            .unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        let markdown = described.with(reference::markdown).unwrap();
        assert!(
            markdown.contains("| `A` | [`Order`](#type-urn:c:Order) |"),
            "{markdown}"
        );
        assert!(
            markdown.contains("| `B` | [`Order`](#type-urn:~28~o~29~d:Order) |"),
            "{markdown}"
        );
        assert_eq!(
            markdown.contains("| `C` | [`Order`](#type-Order) |"),
            !others.is_empty()
        );
        assert!(markdown.contains("<a id=\"type-urn:c:Order\"></a>\n\n### Order\n"));
    }
}
