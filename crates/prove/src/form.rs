//! Forms (queries, and bodies of HTTP POST) as JSON objects, the form in which they are changed.
//! Repeated fields are lists.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value as Json};

pub(crate) fn to_json(form: &str) -> Json {
    let decoded = |text: &str| {
        percent_decode_str(&text.replace('+', " "))
            .decode_utf8_lossy()
            .into_owned()
    };
    let mut fields = Map::new();
    for field in form.split('&').filter(|field| !field.is_empty()) {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        let value = Json::from(decoded(value));
        match fields.entry(decoded(name)).or_insert(Json::Null) {
            Json::Array(values) => values.push(value),
            one if one.is_null() => *one = value,
            one => *one = Json::from(vec![one.take(), value]),
        }
    }
    Json::Object(fields)
}

pub(crate) fn of_json(json: &Json) -> String {
    let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let mut fields = Vec::new();
    for (name, value) in json.as_object().into_iter().flatten() {
        let values = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice);
        for value in values.iter().filter(|value| !value.is_null()) {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            fields.push(format!("{}={}", encoded(name), encoded(&text)));
        }
    }
    fields.join("&")
}
