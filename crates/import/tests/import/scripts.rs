//! The facts that only the script proxy of ASP.NET has are not lost: the export of a definition,
//! imported with its script, is the definition.

use svcgen_codegen::Config;
use svcgen_documents::{Proxy, WsdlOptions, wsdl};
use svcgen_import::{Imported, Importer};

const DEFINITION: &str = r#"
service: Greeter
net: Company.Crm.Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
bindings: [soap11, soap12, json]

operations:
  Greet:
    parameters:
      person: Person
    result: Greeting?
  How:
    parameters:
      mood: Mood
      rights: Rights
    result: Level
  Last:
    parameters:
      since: { type: "dateTime?", net: sinceWhen }
    result: Greeting[]?
    script_method: { use_http_get: true }
  Move:
    bindings: [soap11, soap12]
    parameters:
      to: string?
    results:
      MoveResult: int
      left: int

types:
  Person:
    elements:
      Name: string?
      Born: optional dateTime
      Pet: Pet?
  Pet:
    script_type: true
    elements:
      Name: string
      Kind: PetKind
  Dog:
    net: Company.Pets.Dog
    script_type: dog
    extends: Pet
    elements:
      Owner: string?
  Greeting:
    net: Company.Crm.Outer+Greeting
    elements:
      Words: string

enums:
  PetKind:
    net: Company.Pets.PetKind
    script_type: true
    values: [Cat, Dog]
  Mood:
    - Good
    - very bad: { net: Bad, number: 7 }
    - Worse
  Rights:
    flags: true
    values:
      - None: { number: 0 }
      - Read
      - Write
      - All: { number: 7 }
  Level: [Low, High]
"#;

/// Returns the WSDL and the script of a definition.
fn exported(definition: &str) -> (String, String) {
    let described = Config::new().describe("greeter.yaml", definition).unwrap();
    let exported = described.with(|service| {
        let proxy = Proxy::named(service, "js").unwrap();
        (
            wsdl(
                service,
                "http://localhost/Greeter.asmx",
                WsdlOptions::default(),
            ),
            proxy.script(service, service.path),
        )
    });
    exported.unwrap()
}

/// Imports a WSDL from an address, with a script from another address.
fn import(address: &str, wsdl: &str, script: Option<(&str, &str)>) -> Imported {
    let load = |asked: &str| match script {
        _ if asked == address => Ok(wsdl.as_bytes().to_vec()),
        Some((place, script)) if asked == place => Ok(script.as_bytes().to_vec()),
        _ => Err("there is no such file".to_owned()),
    };
    Importer::new(load).import(&[address.to_owned()]).unwrap()
}

fn text(import: &Imported) -> &str {
    let (_, text) = &import.files[0];
    text.split_once('\n').unwrap().1
}

#[test]
fn a_definition_comes_back_from_its_wsdl_and_its_script() {
    let (wsdl, script) = exported(DEFINITION);
    for (address, place) in [
        ("saved/greeter.wsdl", "saved/greeter.js"),
        (
            "http://host/Greeter.asmx?wsdl",
            "http://host/Greeter.asmx/js",
        ),
    ] {
        let import = import(address, &wsdl, Some((place, &script)));
        assert_eq!(text(&import), DEFINITION);
        assert!(import.warnings.is_empty(), "{}", import.warnings);
    }
}

#[test]
fn without_a_script_a_note_says_what_is_unknown() {
    let (wsdl, _) = exported(DEFINITION);
    for script in [None, Some(("greeter.js", "<html>no script</html>"))] {
        let import = import("greeter.wsdl", &wsdl, script);
        assert!(text(&import).contains("bindings: [soap11, soap12]\n"));
        let said = import.warnings.to_string();
        assert!(said.starts_with("note[SVC077]"), "{said}");
        assert!(said.contains("numbers of enumerations"), "{said}");
    }
}

#[test]
fn a_script_that_cannot_be_read_is_passed_over_with_a_note() {
    let (wsdl, script) = exported(DEFINITION);
    let cut = script.split_once("'Greet',").unwrap().0.to_owned() + "'Greet'";
    for (script, why) in [
        (
            "<html>no script</html>",
            "it is not a script proxy of ASP.NET",
        ),
        (&*cut, "a call of `_invoke` in it is of another form"),
    ] {
        let import = import("greeter.wsdl", &wsdl, Some(("greeter.js", script)));
        let said = import.warnings.to_string();
        let note =
            format!("note[SVC077]: `greeter.js` is passed over: {why}\n   --> greeter.wsdl:");
        assert!(said.contains(&note), "{said}");
        assert!(!text(&import).contains("json"), "{}", text(&import));
    }
}

#[test]
fn a_script_of_none_of_several_services_is_passed_over_with_a_note() {
    let (wsdl, script) = exported(DEFINITION);
    let other = DEFINITION.replace("Greeter", "Parter");
    let (other, _) = exported(&other);
    let script = script.replace("Greeter", "Stranger");
    let load = |asked: &str| match asked {
        "greeter.wsdl" => Ok(wsdl.clone().into_bytes()),
        "parter.wsdl" => Ok(other.clone().into_bytes()),
        "parter.js" => Ok(script.clone().into_bytes()),
        _ => Err("there is no such file".to_owned()),
    };
    let addresses = ["greeter.wsdl".to_owned(), "parter.wsdl".to_owned()];
    let import = Importer::new(load).import(&addresses).unwrap();
    let said = import.warnings.to_string();
    let note =
        "`parter.js` is passed over: it is of `Company.Crm.Stranger`, which is another service";
    assert!(said.contains(note), "{said}");
}

#[test]
fn what_the_script_names_and_the_wsdl_does_not_is_said() {
    let (wsdl, script) = exported(DEFINITION);
    let script = script.replace("Company.Crm.Mood", "Company.Crm.Humour");
    let script = script.replace("'Greet'", "'GreetAll'");
    let import = import("greeter.wsdl", &wsdl, Some(("greeter.js", &script)));
    let said = import.warnings.to_string();
    assert!(said.contains("GreetAll, Company.Crm.Humour"), "{said}");
    // The operation is not offered over JSON.
    let greet = "  Greet:\n    bindings: [soap11, soap12]\n";
    assert!(text(&import).contains(greet), "{}", text(&import));
}

#[test]
fn what_json_cannot_carry_is_imported_without_it() {
    let (wsdl, script) = exported(DEFINITION);
    // Over JSON, the original offers a type that no definition can express.
    let wsdl = wsdl.replace(
        r#"name="Pet" type="tns:Pet" />"#,
        r#"name="Pet" type="tns:Pet" /><s:any />"#,
    );
    let import = import("greeter.wsdl", &wsdl, Some(("greeter.js", &script)));
    let said = import.warnings.to_string();
    assert!(
        said.contains("`Greet` is imported without JSON: "),
        "{said}"
    );
    let text = text(&import);
    assert!(
        text.contains("    result: Greeting?\n    bindings: [soap11, soap12]\n"),
        "{text}"
    );
    assert!(
        text.contains("bindings: [soap11, soap12, json]\n"),
        "{text}"
    );
}
