//! OpenAPI.

use serde_json::{Value, json};
use svcgen_documents::openapi;
use svcgen_model::Module;

use crate::services::{COUNTS, SPOTS, STAFF, service};

fn document(module: &'static Module<'static>) -> Value {
    openapi(service(module), "http://localhost")
}

#[test]
fn bodies_and_answers_are_forms_and_json() {
    let document = document(&STAFF);
    let put = &document["paths"]["/Staff.asmx/Put"]["post"];
    let body = &put["requestBody"];
    assert!(body["content"]["application/x-www-form-urlencoded"].is_object());
    let body = &body["content"]["application/json"]["schema"];
    assert_eq!(body["required"], json!(["p", "s"]));
    let person = json!({ "$ref": "#/components/schemas/Person.json" });
    let person = json!({ "anyOf": [person, { "type": "null" }] });
    assert_eq!(body["properties"]["p"], person);
    let answer = &put["responses"]["200"]["content"];
    assert!(answer["text/xml"].is_object());
    assert_eq!(
        answer["application/json"]["schema"]["properties"]["d"],
        person
    );
    let failure = "#/components/responses/FailureOrJsonFailure";
    assert_eq!(put["responses"]["500"]["$ref"], failure);
    let failure = &document["components"]["responses"]["FailureOrJsonFailure"];
    assert_eq!(failure["headers"]["jsonerror"]["schema"]["const"], "true");
}

#[test]
fn parameters_of_a_query_are_json_unless_a_form_has_them() {
    let plain = document(&SPOTS);
    let get = &plain["paths"]["/GPlain.asmx/GetEcho"]["get"];
    let schema = json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] });
    let parameter = json!({
        "name": "s", "in": "query", "required": true,
        "content": { "application/json": { "schema": schema, "example": "text" } },
    });
    assert_eq!(get["parameters"], json!([parameter]));
    assert_eq!(get["operationId"], "GetEchoJson");
    let keys = plain["components"]["responses"].as_object().unwrap().keys();
    assert_eq!(keys.collect::<Vec<_>>(), ["JsonFailure"]);
    let both = &document(&STAFF)["paths"]["/Staff.asmx/Find"]["get"];
    assert!(both["parameters"][0]["schema"].is_object());
    assert_eq!(both["parameters"][1]["example"], "text");
    assert_eq!(both["parameters"][0].get("content"), None);
    let remark = both["description"].as_str().unwrap();
    assert!(remark.contains("Content-Type: application/json"));
}

#[test]
fn types_are_as_json_has_them() {
    let document = document(&STAFF);
    let schemas = &document["components"]["schemas"];
    let person = &schemas["Person.json"]["properties"];
    let date = &person["Born"]["anyOf"][0]["pattern"];
    let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
    assert_eq!(person["__type"]["enum"], json!(["Lab.Person", "boss"]));
    assert_eq!(person["Id"], json!({ "type": "string", "maxLength": 1 }));
    assert_eq!(person["AgeSpecified"]["type"], "boolean");
    assert_eq!(date, "^/Date\\(-?[0-9]+\\)/$");
    assert_eq!(person["Photo"]["anyOf"][0]["items"], byte);
    assert_eq!(person["Size"]["anyOf"][0]["type"], "string");
    let colour = json!({
        "type": "integer", "enum": [0, 5, 6], "x-enum-varnames": ["Red", "Green", "Blue"],
    });
    assert_eq!(schemas["Colour.json"], colour);
    let manager = &schemas["Manager.json"]["allOf"];
    assert_eq!(manager[0]["$ref"], "#/components/schemas/Person.json");
    assert_eq!(manager[1]["properties"].as_object().unwrap().len(), 2);
}

#[test]
fn dictionaries_are_objects_of_additional_properties() {
    let document = document(&COUNTS);
    let count = &document["paths"]["/Counts.asmx/Count"]["post"];
    let content = &count["requestBody"]["content"]["application/json"];
    let number = json!({ "type": "integer", "format": "int32" });
    let words = json!({ "type": "object", "additionalProperties": number });
    assert_eq!(content["schema"]["properties"]["words"], words);
    let spot = json!({ "$ref": "#/components/schemas/Spot" });
    let spot = json!({ "anyOf": [spot, { "type": "null" }] });
    let spots = json!({ "type": "object", "additionalProperties": spot });
    let spots = json!({ "anyOf": [spots, { "type": "null" }] });
    assert_eq!(content["schema"]["properties"]["spots"], spots);
    let example = json!({ "words": { "key": 1 }, "spots": { "key": { "X": 1, "Y": 1 } } });
    assert_eq!(content["example"], example);
}
