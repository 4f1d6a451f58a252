use std::sync::Arc;

use svcgen_language::diagnostic::Source;
use svcgen_language::yaml::{self, Node};
use svcgen_wsdl::report::DocumentSpan;

use super::*;
use crate::draft::Content;

/// Creates a draft from YAML. Its places are those in the YAML.
fn draft(node: &Node) -> Draft {
    let byte = |at: usize| u32::try_from(at).unwrap();
    let place = DocumentSpan {
        document: 0,
        start: byte(node.start.byte),
        end: byte(node.start.byte + 1),
    };
    let (content, flow) = match &node.content {
        yaml::Content::Nothing | yaml::Content::Alias { .. } => (Content::Nothing, false),
        yaml::Content::Scalar { text, .. } => (Content::Text(text.clone()), false),
        yaml::Content::Collection(within) => {
            let slots = within.slots.iter();
            let content = if within.is_map {
                let entries = slots.map(|slot| {
                    let yaml::Content::Scalar { text, .. } = &slot.key.as_ref().unwrap().content
                    else {
                        panic!("a key is a text")
                    };
                    (text.clone(), draft(&slot.value))
                });
                Content::Map(entries.collect())
            } else {
                Content::List(slots.map(|slot| draft(&slot.value)).collect())
            };
            (content, within.flow)
        }
    };
    Draft {
        content,
        comments: Vec::new(),
        place: Some(place),
        flow,
    }
}

/// Returns the definitions that are written for drafts, and the messages, a line each.
fn finished(drafts: &[&str]) -> (Vec<(String, String)>, String) {
    let start = "service: Shop\nnamespace: http://example.com/\npath: /Shop.asmx\n";
    let texts: Vec<_> = (drafts.iter().enumerate())
        .map(
            |(number, draft)| match (draft.starts_with("service:"), number) {
                (true, _) => (*draft).to_owned(),
                (false, 0) => format!("{start}{draft}"),
                (false, _) => format!("{start}{draft}").replace("Shop", &format!("Shop{number}")),
            },
        )
        .collect();
    let sources: Vec<_> = (texts.iter())
        .map(|text| Arc::new(Source::new("shop.wsdl", text, 0)))
        .collect();
    let report = Report::new(&sources);
    let trees = texts
        .iter()
        .map(|text| yaml::parse("shop.yaml", text.as_bytes()).unwrap());
    let drafts = trees.map(|tree| draft(&tree.root)).collect();
    let files = finish(
        drafts,
        &Texts::new(),
        &|_| "Imported from shop.wsdl.".to_owned(),
        &report,
    )
    .files;
    let said = report.finish();
    let said: Vec<_> = said
        .iter()
        .map(|one| format!("{} {}", one.code(), one.message()))
        .collect();
    (files, said.join("\n"))
}

/// Returns the only definition for a draft, without its first lines, and the messages.
fn one(draft: &str) -> (String, String) {
    let (files, said) = finished(&[draft]);
    let [(name, text)] = files.as_slice() else {
        panic!("{files:?}\n{said}")
    };
    assert_eq!(name, "shop.yaml");
    let start = "# Imported from shop.wsdl.\n\nservice: Shop\nnamespace: http://example.com/\npath: /Shop.asmx\n";
    (
        text.strip_prefix(start)
            .unwrap_or(text)
            .trim_start()
            .to_owned(),
        said,
    )
}

#[test]
fn types_that_are_named_as_messages_get_other_names() {
    let (text, said) = one("\
operations:
  Find: { parameters: { query: FindRequest }, result: shop, bindings: [soap11, soap12] }
  find: { bindings: [soap11], result: ShopClient }
types:
  FindRequest: { elements: { Text: string, text: string } }
  shop: { elements: { Größe: string, 大小: int, \"_\": int } }
  Shop: { extends: shop }
  ShopClient: { elements: { Kind: Kind } }
enums:
  Kind: [a, A, \"\", +]
");
    assert_eq!(
        text,
        "\
operations:
  Find: { parameters: { query: FindRequest }, result: shop, bindings: [soap11, soap12] }
  find: { rust: find_2, bindings: [soap11], result: ShopClient }

types:
  FindRequest: { rust: FindRequestType, elements: { Text: string, text: { type: string, rust: text_2 } } }
  shop:
    elements:
      Größe: { type: string, rust: grosse }
      大小: { type: int, rust: da_xiao }
      _: { type: int, rust: field_3 }
  Shop: { rust: Shop2, extends: shop }
  ShopClient: { rust: ShopClientType, elements: { Kind: Kind } }

enums:
  Kind:
    - a
    - A: { rust: A2 }
    - \"\": { rust: Empty }
    - +: { rust: Value4 }
"
    );
    assert_eq!(said, "");
}

#[test]
fn what_lowering_refuses_is_loosened_or_left_out() {
    let (text, said) = one("\
operations:
  Get: { result: Order?, bindings: [soap11] }
  Put: { parameters: { order: Encoded }, style: rpc, use: encoded, bindings: [soap11] }
  Twice: { bindings: [soap11], parameters: { one: string }, result: Odd }
  Missing: { bindings: [soap11], result: Nothing? }
types:
  Order:
    attributes: { list: Order }
    elements: { Number: { type: int, default: many }, Next: Order?, Lines: { type: \"Line[]?\", list: unwrapped, min: 5, max: 2 } }
  Line: { elements: { Kind: Kind?, Text: string } }
  Encoded: { elements: { Rest: { any: elements } } }
  Odd: { extends: Line, elements: { Text: string } }
enums:
  Kind: []
");
    assert_eq!(
        text,
        "\
# The operation `Put` is left out: `Put` cannot be encoded: `Rest` of `Encoded` is a wildcard (SVC050).
operations:
  Get: { result: \"Order?\", bindings: [soap11] }
  Twice:
    bindings: [soap11]
    parameters: { one: string }
    # Imported as XML instead of `Odd`: two elements of `Odd` are called `Text` (SVC013).
    result: any
  Missing:
    bindings: [soap11]
    # Imported as XML: unknown type `Nothing` (SVC015).
    result: any?

types:
  Order:
    elements:
      # Imported without `default`: `many` is not a value of `int` (SVC045).
      Number: int
      Next: Order?
      # Imported without `min`: `min` 5 is above `max` 2 (SVC046).
      # Imported as XML: an unwrapped list has no absent form (SVC019).
      Lines: { type: \"any[]\", list: unwrapped }
"
    );
    let mut codes: Vec<_> = said.lines().map(|line| &line[..6]).collect();
    codes.sort_unstable();
    let expected = [
        "SVC073", "SVC073", "SVC073", "SVC074", "SVC075", "SVC076", "SVC076", "SVC076",
    ];
    assert_eq!(codes, expected, "{said}");
}

#[test]
fn secrets_are_marked_and_noted() {
    let (text, said) = one("\
operations:
  Login: { parameters: { name: string?, password: string? }, result: boolean }
  Change: { bindings: [soap11], parameters: { keys: Keys } }
types:
  Keys: { elements: { Secret: { type: base64Binary, doc: It. }, Bytes: \"unsignedByte[]?\" } }
");
    assert_eq!(
        text,
        "\
allow: [SVC028]

operations:
  Login:
    parameters: { name: \"string?\", password: { type: \"string?\", secret: true } }
    result: boolean
    bindings: [soap11, soap12, http-get, http-post]
  Change: { bindings: [soap11], parameters: { keys: Keys } }

types:
  Keys: { elements: { Secret: { type: base64Binary, doc: It., secret: true }, Bytes: \"unsignedByte[]?\" } }
"
    );
    assert_eq!(
        said,
        "SVC077 what is named like a secret is imported with `secret: true`: `password` of the operation `Login`, `Secret` of the type `Keys`"
    );
}

#[test]
fn services_share_types() {
    let (files, said) = finished(&[
        "\
operations: { Get: { bindings: [soap11], result: Order? } }
types:
  Order: { elements: { Line: Line?, Own: Own? } }
  Line: { elements: { Kind: Kind } }
  Own: { elements: { A: int } }
enums: { Kind: [A, B] }
",
        "\
operations: { Put: { bindings: [soap11], parameters: { line: Line?, own: Own? } } }
types:
  Line: { elements: { Kind: Kind } }
  Own: { elements: { B: int } }
enums: { Kind: [A, B] }
",
    ]);
    let text: Vec<_> = files
        .iter()
        .map(|(name, text)| format!("=== {name}\n{text}"))
        .collect();
    assert_eq!(
        text.concat(),
        "\
=== shop.yaml
# Imported from shop.wsdl.

service: Shop
namespace: http://example.com/
path: /Shop.asmx
include: [shop_types.yaml]

operations:
  Get: { bindings: [soap11], result: \"Order?\" }

types:
  Order: { elements: { Line: \"Line?\", Own: \"Own?\" } }
  Own: { elements: { A: int } }
=== shop1.yaml
# Imported from shop.wsdl.

service: Shop1
namespace: http://example.com/
path: /Shop1.asmx
include: [shop_types.yaml]

operations:
  Put: { bindings: [soap11], parameters: { line: \"Line?\", own: \"Own?\" } }

types:
  Own: { elements: { B: int } }
=== shop_types.yaml
# Imported from shop.wsdl.

types:
  Line: { elements: { Kind: Kind } }

enums:
  Kind: [A, B]
"
    );
    assert_eq!(said, "");
}
