//! Typed sets of tables, whose schemas are files next to the definition: imported over HTTP,
//! compared, updated, and in code without a definition.

use std::fs;
use std::path::Path;

use svcgen_codegen::{Generator, read_file};

use super::network::Host;
use super::{assert_checks, import, svcgen_in as svcgen, text};

const DEFINITION: &str = "\
service: Shop
namespace: urn:shop
path: /Shop.asmx
bindings: [soap11]

operations:
  Load: { result: \"StockSet?\" }
  # Once a day.
  Save: { parameters: { changes: \"StockSet?\" } }

types:
  StockSet: { data_set: schemas/stock.xsd }
";

const SCHEMA: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<xs:schema xmlns:msdata="urn:schemas-microsoft-com:xml-msdata" targetNamespace="urn:stock" id="StockSet" xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element msdata:IsDataSet="true" name="StockSet">
    <xs:complexType>
      <xs:choice minOccurs="0" maxOccurs="unbounded">
        <xs:element name="Item"><xs:complexType><xs:sequence><xs:element name="Id" type="xs:int" /></xs:sequence></xs:complexType></xs:element>
      </xs:choice>
    </xs:complexType>
  </xs:element>
</xs:schema>"#;

/// Returns the schema with another type for the column.
fn changed() -> String {
    SCHEMA.replace("xs:int", "xs:long")
}

/// Creates a folder with the definition, and in `new` the WSDL of the definition with replaced
/// texts, as the original writes it.
fn folder(replacements: &[(&str, &str)], schemas: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let newer = replacements
        .iter()
        .fold(DEFINITION.to_owned(), |text, (old, new)| {
            assert!(text.contains(old), "{old}");
            text.replace(old, new)
        });
    for (into, definition) in [("", DEFINITION), ("new", &newer)] {
        let path = folder.path().join(into);
        fs::create_dir_all(path.join("schemas")).unwrap();
        fs::write(path.join("shop.yaml"), definition).unwrap();
        fs::write(path.join("schemas/stock.xsd"), SCHEMA).unwrap();
    }
    let new = folder.path().join("new");
    for (name, schema) in schemas {
        fs::write(new.join("schemas").join(name.to_lowercase()), schema).unwrap();
    }
    let wsdl = [
        "wsdl",
        "--shape",
        "original",
        "--out",
        "shop.wsdl",
        "shop.yaml",
    ];
    let (code, told) = svcgen(&new, &wsdl);
    assert_eq!(code, 0, "{told}");
    // The schemas as `?schema=` returns them.
    let saved = [("StockSet", "stock.xsd"), ("SalesSet", "sales.xsd")];
    for (set, file) in saved {
        let _ = fs::copy(
            new.join("schemas").join(file),
            new.join(format!("{set}.xsd")),
        );
    }
    folder
}

const UPDATE: [&str; 4] = ["import", "--update", "shop.yaml", "new/shop.wsdl"];
const VERIFY: [&str; 5] = [
    "import",
    "--verify",
    "--against",
    "shop.yaml",
    "new/shop.wsdl",
];

#[test]
fn a_set_is_asked_for_at_the_address_of_its_schema() {
    let folder = folder(&[], &[]);
    let wsdl = text(folder.path(), "new/shop.wsdl");
    let host = Host::new(move |path, head| {
        let host = head.split("Host: ").nth(1).or(head.split("host: ").nth(1));
        let host = host.and_then(|rest| rest.split("\r\n").next()).unwrap();
        match path {
            "/Shop.asmx?wsdl" => ("200 OK".to_owned(), wsdl.replace("localhost", host).into()),
            "/Shop.asmx?schema=StockSet" => ("200 OK".to_owned(), SCHEMA.into()),
            _ => ("404 Not Found".to_owned(), Vec::new()),
        }
    });
    let url = host.url("/Shop.asmx");
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let (code, told) = svcgen(folder.path(), &["import", "--out", out, &url]);
    assert_eq!(code, 0, "{told}");
    assert!(
        host.asked()
            .contains(&"/Shop.asmx?schema=StockSet".to_owned())
    );
    let written = text(folder.path(), "out/shop.yaml");
    assert!(written.contains("data_set: stock_set.xsd"), "{written}");
    // Byte for byte.
    assert_eq!(text(folder.path(), "out/stock_set.xsd"), SCHEMA);
    assert_checks(folder.path().join("out/shop.yaml"));
    // A second import changes nothing.
    let (code, told) = svcgen(folder.path(), &["import", "--out", out, &url]);
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("stock_set.xsd"), "{told}");
    let (code, told) = svcgen(folder.path(), &["import", "--verify", &url]);
    assert_eq!(code, 0, "{told}");
}

#[test]
fn a_schema_that_was_edited_is_not_written_over() {
    let folder = folder(&[], &[]);
    let new = folder.path().join("new");
    fs::write(new.join("stock_set.xsd"), "mine").unwrap();
    let (code, told) = svcgen(&new, &["import", "--out", ".", "--force", "shop.wsdl"]);
    assert_eq!(code, 0, "{told}");
    fs::write(new.join("stock_set.xsd"), changed()).unwrap();
    let (code, told) = svcgen(&new, &["import", "--out", ".", "shop.wsdl"]);
    assert_ne!(code, 0, "{told}");
    assert!(
        told.contains("stock_set.xsd exists and differs from the import"),
        "{told}"
    );
    assert_eq!(text(&new, "stock_set.xsd"), changed());
}

#[test]
fn schemas_of_sets_are_compared() {
    let same = folder(&[], &[]);
    let (code, told) = svcgen(same.path(), &VERIFY);
    assert_eq!(code, 0, "{told}");
    // Line ends and layout make no difference.
    let layout = SCHEMA.replace("\n  ", "\r\n\t");
    fs::write(same.path().join("schemas/stock.xsd"), layout).unwrap();
    let (code, told) = svcgen(same.path(), &VERIFY);
    assert_eq!(code, 0, "{told}");
    fs::write(same.path().join("schemas/stock.xsd"), changed()).unwrap();
    let (code, told) = svcgen(same.path(), &VERIFY);
    assert_eq!(code, 1, "{told}");
    let expected =
        "the schema of the set of `Load/response/LoadResult` is another one instead of `StockSet`";
    assert_eq!(told.matches(expected).count(), 1, "{told}");
    assert_eq!(told.matches("[SVC").count(), 1, "{told}");
    let any = DEFINITION.replace("  StockSet: { data_set: schemas/stock.xsd }\n", "");
    let any = any.replace("types:\n", "").replace("StockSet", "dataSet");
    fs::write(same.path().join("shop.yaml"), any).unwrap();
    let (code, told) = svcgen(same.path(), &VERIFY);
    assert_eq!(code, 1, "{told}");
    assert!(
        told.contains("the schema of the set `StockSet` of `Load/"),
        "{told}"
    );
}

#[test]
fn what_changed_in_a_schema_is_written_where_the_definition_has_it() {
    let folder = folder(&[], &[("stock.xsd", &changed())]);
    let path = folder.path();
    let (code, told) = svcgen(path, &[&UPDATE[..], &["--check"]].concat());
    assert_eq!(code, 1, "{told}");
    assert!(
        told.contains("+        <xs:element name=\"Item\">"),
        "{told}"
    );
    assert_eq!(text(path, "schemas/stock.xsd"), SCHEMA);
    let (code, told) = svcgen(path, &UPDATE);
    assert_eq!(code, 0, "{told}");
    assert_eq!(text(path, "schemas/stock.xsd").trim_end(), changed());
    assert_eq!(text(path, "shop.yaml"), DEFINITION);
    let (code, told) = svcgen(path, &UPDATE);
    assert_eq!((code, told.as_str()), (0, "fresh shop.yaml\n"));
}

#[test]
fn a_new_set_comes_with_its_schema() {
    let replacements = [
        (
            "Save: { parameters: { changes: \"StockSet?\" } }",
            "Save: { parameters: { changes: \"StockSet?\", sales: \"SalesSet?\" } }",
        ),
        (
            "  StockSet: {",
            "  SalesSet: { data_set: schemas/sales.xsd }\n  StockSet: {",
        ),
    ];
    let sales = SCHEMA
        .replace("StockSet", "SalesSet")
        .replace("urn:stock", "urn:sales");
    let folder = folder(&replacements, &[("sales.xsd", &sales)]);
    let path = folder.path();
    fs::write(path.join("sales_set.xsd"), "mine").unwrap();
    let (code, told) = svcgen(path, &UPDATE);
    assert_ne!(code, 0, "{told}");
    assert!(told.contains("sales_set.xsd exists"), "{told}");
    assert_eq!(text(path, "shop.yaml"), DEFINITION);
    fs::remove_file(path.join("sales_set.xsd")).unwrap();
    let (code, told) = svcgen(path, &UPDATE);
    assert_eq!(code, 0, "{told}");
    assert_eq!(text(path, "sales_set.xsd").trim_end(), sales);
    assert_eq!(text(path, "schemas/stock.xsd"), SCHEMA);
    let updated = text(path, "shop.yaml");
    assert!(updated.contains("# Once a day."), "{updated}");
    assert!(updated.contains("data_set: schemas/stock.xsd"), "{updated}");
    assert!(updated.contains("data_set: sales_set.xsd"), "{updated}");
    assert_checks(path.join("shop.yaml"));
    let (code, told) = svcgen(path, &UPDATE);
    assert_eq!((code, told.as_str()), (0, "fresh shop.yaml\n"));
}

#[test]
fn code_is_generated_without_a_definition() {
    let folder = folder(&[], &[]);
    let wsdl = folder.path().join("new/shop.wsdl");
    let config = svcgen_import::config();
    let mut generator = Generator::new(&config, |path: &Path| read_file(path)).confined();
    let output = generator.generate(&wsdl).unwrap();
    assert!(
        output.code.contains("pub struct StockSet"),
        "{}",
        output.code
    );
    assert!(output.code.contains(r#"name=\"Item\""#), "{}", output.code);
    // The files that a build watches are on disk.
    assert_eq!(output.sources, [folder.path().join("new/StockSet.xsd")]);
    let imported = import(&folder.path().join("new"), &["shop.wsdl"]);
    assert!(imported.succeeded, "{}", imported.told);
}
