//! `svcgen import --update` and `--verify`: definitions that were edited by hand.

use std::fs;

use super::{svcgen_in as svcgen, text};

const SHOP: &str = r#"# What we replace.
service: Shop
namespace: http://example.com/shop
path: /Shop.asmx
bindings: [soap11, soap12]

operations:
  # Asked once a minute.
  Find:
    parameters: { name: string?,   count: int }   # as it is written
    result: Order?
    cache: 60
  # Gone with what it is about.
  Old:
    rust: ancient
  Save: { parameters: { order: Order?, pin: { type: string?, secret: true } }, result: Tone }

types:
  Order:
    doc: An order.
    elements:
      Number: int
      # Who buys.
      Buyer: { type: string?, rust: purchaser }
      Gone: string?
  Line: { name: OrderLine, elements: { Text: string?, Next: Line? } }
  Basket:
    elements: { Lines: "Line[]?" }

enums:
  Tone: [Plain, Friendly]
"#;

/// Creates a folder with the definition, and the WSDL of the definition with replaced texts.
fn folder(replacements: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let shop = SHOP.replace("result: Tone", "result: Basket");
    let mut newer = shop.clone();
    for (old, new) in replacements {
        assert!(newer.contains(old), "{old}");
        newer = newer.replacen(old, new, 1);
    }
    let path = folder.path();
    fs::write(path.join("shop.yaml"), shop).unwrap();
    fs::write(path.join("newer.yaml"), newer).unwrap();
    let wsdl = [
        "wsdl",
        "--no-documentation",
        "--out",
        "shop.wsdl",
        "newer.yaml",
    ];
    let (code, told) = svcgen(path, &wsdl);
    assert_eq!(code, 0, "{told}");
    folder
}

/// The merged definition.
const MERGED: &str = r#"# What we replace.
service: Shop
namespace: http://example.com/shop
path: /Shop.asmx
bindings: [soap11, soap12]

operations:
  # Asked once a minute.
  Find:
    parameters: { name: string?,   count: long, more: "Extra?" }   # as it is written
    result: Order?
    cache: 60
  Fresh:
    parameters:
      at: dateTime
  Save: { parameters: { order: Order?, pin: { type: string?, secret: true } }, result: Basket }

types:
  Extra:
    elements:
      Tone: Tone
  Order:
    doc: An order.
    elements:
      Number: { type: int, default: 5 }
      # Who buys.
      Buyer: { type: string?, rust: purchaser }
      Zip: { type: string, default: x }
  Line: { name: OrderLine, elements: { Text: string?, Unit: "string?", Next: Line? } }
  Basket:
    elements: { Lines: "Line[]?" }

enums:
  Tone: [Plain, Warm, Friendly]
"#;

const UPDATE: [&str; 4] = ["import", "--update", "shop.yaml", "shop.wsdl"];

#[test]
fn what_did_not_change_stays_byte_for_byte() {
    let folder = folder(&[]);
    let before = text(folder.path(), "shop.yaml");
    let (code, told) = svcgen(folder.path(), &UPDATE);
    assert_eq!((code, told.as_str()), (0, "fresh shop.yaml\n"));
    assert_eq!(text(folder.path(), "shop.yaml"), before);
}

#[test]
fn what_changed_is_merged_into_what_was_edited() {
    let folder = folder(&[
        ("count: int }", "count: long, more: Extra? }"),
        (
            "  # Gone with what it is about.\n  Old:\n    rust: ancient\n",
            "  Fresh: { parameters: { at: dateTime } }\n",
        ),
        ("Gone: string?", "Zip: { type: string, default: x }"),
        ("Number: int", "Number: { type: int, default: 5 }"),
        (
            "  Line: {",
            "  Extra: { elements: { Tone: Tone } }\n  Line: {",
        ),
        ("Text: string?", "Text: string?, Unit: string?"),
        ("[Plain, Friendly]", "[Plain, Warm, Friendly]"),
    ]);
    let path = folder.path();
    let before = text(path, "shop.yaml");
    let mut check = UPDATE.to_vec();
    check.push("--check");
    let (code, told) = svcgen(path, &check);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("stale shop.yaml"), "{told}");
    assert_eq!(text(path, "shop.yaml"), before);

    let (code, told) = svcgen(path, &UPDATE);
    assert_eq!(code, 0, "{told}");
    assert!(
        told.contains("the operation `Old` is gone  [operation-removed]"),
        "{told}"
    );
    assert!(told.contains("wrote shop.yaml"), "{told}");
    assert_eq!(text(path, "shop.yaml"), MERGED);
    let (code, told) = svcgen(path, &UPDATE);
    assert_eq!((code, told.as_str()), (0, "fresh shop.yaml\n"));
    let verify = ["import", "--verify", "--against", "shop.yaml", "shop.wsdl"];
    let (code, told) = svcgen(path, &verify);
    assert_eq!(code, 0, "{told}");
}

#[test]
fn what_is_left_out_is_merged_in_either_form() {
    let shop = SHOP.replace("result: Tone", "result: Basket");
    let with = |elements: &str| shop.replace("Text: string?", elements);
    let elements = "A: optional int, B: { type: int?, absent: omit }, C: { type: int?, absent: omit, rust: sea }, D: optional int";
    let folder = folder(&[(
        "Text: string?",
        "A: optional long, B: optional long, C: int?, D: int?",
    )]);
    let path = folder.path();
    fs::write(path.join("shop.yaml"), with(elements)).unwrap();
    let (code, told) = svcgen(path, &UPDATE);
    assert_eq!(code, 0, "{told}");
    let merged = "A: optional long, B: { type: \"long?\", absent: omit }, C: { type: \"int?\", rust: sea }, D: \"int?\"";
    assert_eq!(
        text(path, "shop.yaml").replace('"', ""),
        with(merged).replace('"', "")
    );
    let (code, told) = svcgen(path, &UPDATE);
    assert_eq!((code, told.as_str()), (0, "fresh shop.yaml\n"));
}

#[test]
fn types_of_included_files_are_changed_where_they_are() {
    let folder = folder(&[("Gone: string?", "Gone: int")]);
    let path = folder.path();
    let (service, types) = SHOP.split_once("types:\n").unwrap();
    let service = service
        .replace("result: Tone", "result: Basket")
        .replace("path:", "include: [common.yaml]\npath:");
    fs::write(path.join("shop.yaml"), &service).unwrap();
    fs::write(
        path.join("common.yaml"),
        format!("# Shared.\ntypes:\n{types}"),
    )
    .unwrap();
    let (code, told) = svcgen(path, &UPDATE);
    assert_eq!(code, 0, "{told}");
    assert_eq!(text(path, "shop.yaml"), service);
    let expected = format!("# Shared.\ntypes:\n{types}").replace("Gone: string?", "Gone: int");
    assert_eq!(text(path, "common.yaml"), expected);
}

#[test]
fn another_service_is_refused() {
    let folder = folder(&[("service: Shop", "service: Other"), ("  Find:", "  Found:")]);
    let before = text(folder.path(), "shop.yaml");
    let (code, told) = svcgen(folder.path(), &UPDATE);
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("error: the WSDL describes no service `Shop`\n"),
        "{told}"
    );
    assert_eq!(text(folder.path(), "shop.yaml"), before);
}

#[test]
fn verifying_shows_each_difference_in_the_wsdl() {
    let folder = folder(&[("count: int", "count: long")]);
    let (code, told) = svcgen(folder.path(), &["import", "--verify", "shop.wsdl"]);
    assert_eq!(
        (code, told.as_str()),
        (0, "6 messages and 4 types are the same as in shop.wsdl\n")
    );
    let verify = ["import", "--verify", "--against", "shop.yaml", "shop.wsdl"];
    let (code, told) = svcgen(folder.path(), &verify);
    assert_eq!(code, 1);
    assert!(
        told.starts_with(
            "error[SVC078]: the type of `Find/request/count` is `int` instead of `long`\n"
        ),
        "{told}"
    );
    assert!(told.contains("--> shop.wsdl:"), "{told}");
}
