//! `svcgen openapi`; `crates/documents/tests/openapi` compares it with the specification.

use std::path::Path;

use serde_json::{Value, json};

use crate::{definition, svcgen};

fn openapi() -> Value {
    openapi_of(&definition("device_login_service.yaml"))
}

fn openapi_of(file: &Path) -> Value {
    let ended = svcgen(&[&"openapi", &file, &"--url", &"https://example.com/"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

const PATH: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx/LoginWithEncryptedPassword";

#[test]
fn a_query_has_the_parameters() {
    let document = openapi();
    assert_eq!(document["openapi"], "3.1.1");
    assert_eq!(document["servers"][0]["url"], "https://example.com");
    let get = &document["paths"][PATH]["get"];
    assert_eq!(get["operationId"], "LoginWithEncryptedPasswordGet");
    let bytes = json!({
        "name": "encryptedPassword",
        "in": "query",
        "required": false,
        "schema": {
            "type": "array",
            "items": { "type": "integer", "minimum": 0, "maximum": 255, "format": "password" },
        },
        "style": "form",
        "explode": true,
        "example": [1],
    });
    assert_eq!(get["parameters"][1], bytes);
    assert_eq!(get["parameters"][3]["schema"], json!({ "type": "boolean" }));
}

#[test]
fn a_form_has_the_parameters_and_hides_secrets() {
    let document = openapi();
    let form = &document["paths"][PATH]["post"]["requestBody"]["content"]["application/x-www-form-urlencoded"];
    let pin =
        json!({ "type": "string", "format": "password", "description": "Identifies the device." });
    assert_eq!(form["schema"]["properties"]["devicePin"], pin);
    assert_eq!(
        form["schema"]["required"],
        json!(["username", "devicePin", "userInitiated"])
    );
    assert_eq!(form["encoding"]["encryptedPassword"]["explode"], true);
}

#[test]
fn an_answer_is_xml_of_its_type() {
    let document = openapi();
    let answer =
        &document["paths"][PATH]["get"]["responses"]["200"]["content"]["text/xml"]["schema"];
    assert_eq!(answer["$ref"], "#/components/schemas/DeviceLoginResponse");
    assert_eq!(answer["xml"]["namespace"], "http://example.com/svc/device");
    let schemas = &document["components"]["schemas"];
    let list = &schemas["AdditionalInfo"]["properties"]["NewsSearchSourceTypes"];
    assert_eq!(list["xml"]["wrapped"], true);
    assert_eq!(list["items"]["xml"]["name"], "SearchSourceType");
    assert_eq!(schemas["ForgotPasswordStatus"]["enum"][0], "Success");
}

#[test]
fn fields_have_the_names_of_net() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/definitions/lab");
    let document = openapi_of(&folder.join("lists.yaml"));
    let get = &document["paths"]["/GWide.asmx/EchoOdd"]["get"];
    assert_eq!(get["parameters"][0]["schema"]["enum"][0], "Two");
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["Odd"]["enum"][0], "two words");
    let one = "None|Read|Write|del|All";
    let pattern = format!("^(({one})( ({one}))*)?$");
    assert_eq!(schemas["Access"]["pattern"], pattern);
}

#[test]
fn defaults_and_fixed_values_are_in_the_schemas() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = openapi_of(&root.join("tests/definitions/lab/values.yaml"));
    let schema = &document["components"]["schemas"]["Presets"];
    let properties = &schema["properties"];
    assert_eq!(properties["Byte"]["default"], -128);
    assert_eq!(properties["Most"]["default"], u64::MAX);
    assert_eq!(properties["Never"]["default"], "NaN");
    assert_eq!(properties["Sign"]["const"], true);
    assert_eq!(properties["version"]["const"], "1.0");
    assert_eq!(schema["required"], json!(["version", "Sign"]));
    let team = &document["components"]["schemas"]["Team"]["properties"];
    assert_eq!(team["Member"]["minItems"], 2);
    assert_eq!(team["Member"]["maxItems"], 5);
    assert_eq!(team["Marks"]["minItems"], 1);
    assert_eq!(team["Others"].get("minItems"), None);
    let level = &document["components"]["schemas"]["Level"];
    assert_eq!(
        *level,
        json!({ "type": "integer", "format": "int32", "enum": [1, -1, 10] })
    );
    let parcel = &document["components"]["schemas"]["Parcel"]["properties"];
    assert_eq!(parcel["Zip"]["pattern"], "^(?:[0-9]{5})$");
    assert_eq!(parcel["Zips"]["items"]["pattern"], "^(?:[0-9]{5})$");
    assert_eq!(parcel["Price"]["exclusiveMinimum"], 0);
    assert_eq!(parcel["Sizes"]["items"]["maximum"], 200);
    assert_eq!(parcel["Until"]["anyOf"][0].get("maximum"), None);
    let grams = &document["paths"]["/GWide.asmx/Weigh"]["get"]["parameters"][0]["schema"];
    let minimum =
        json!({ "type": "integer", "format": "int32", "minimum": 1, "exclusiveMaximum": 1000 });
    assert_eq!(*grams, minimum);
    // In forms, every parameter is required.
    let get = &document["paths"]["/GWide.asmx/Fill"]["get"];
    assert_eq!(get["parameters"][0]["required"], true);
}

#[test]
fn elements_of_choices_and_sequences_are_properties_that_may_be_absent() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/definitions/valid");
    let document = openapi_of(&folder.join("content_models.yaml"));
    let trip = &document["components"]["schemas"]["Trip"];
    assert_eq!(trip["required"], json!(["Title"]));
    let properties = &trip["properties"];
    for name in ["From", "Stop"] {
        assert_eq!(properties[name]["type"], "array");
        assert_eq!(properties[name]["items"]["type"], "string");
    }
    assert_eq!(properties["Number"]["type"], "string");
}

#[test]
fn bounds_of_choices_and_sequences_are_those_of_what_is_in_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/definitions/lab");
    let document = openapi_of(&folder.join("checked.yaml"));
    let properties = &document["components"]["schemas"]["Trip"]["properties"];
    for (name, least, most) in [
        ("From", json!(2), json!(3)),
        ("Via", json!(null), json!(6)),
        ("To", json!(null), json!(3)),
        ("Text", json!(null), json!(4)),
        ("Marks", json!(null), json!(12)),
        ("Day", json!(null), json!(2)),
        ("Towns", json!(null), json!(4)),
        ("Meal", json!(null), json!(4)),
    ] {
        assert_eq!(properties[name]["type"], "array", "{name}");
        assert_eq!(properties[name]["minItems"], least, "{name}");
        assert_eq!(properties[name]["maxItems"], most, "{name}");
    }
}
