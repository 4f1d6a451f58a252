//! The corpus of `tests/planted`: requests with a secret in them, which must not appear in any
//! place that shows or keeps the contents of messages.

use serde_json::Value;

/// A request that contains the secret.
pub struct Planted {
    /// The place of the secret.
    pub place: String,
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The quotation of the secret in the fault that answers it.
    pub quotation: String,
}

fn corpus() -> Value {
    serde_json::from_str(include_str!("../planted/exchanges.json")).unwrap()
}

fn text(json: &Value) -> String {
    json.as_str().unwrap().to_owned()
}

fn texts(json: &Value) -> Vec<String> {
    json.as_array().unwrap().iter().map(text).collect()
}

/// Returns the secret.
pub fn secret() -> String {
    text(&corpus()["secret"])
}

/// Returns all requests.
pub fn planted() -> Vec<Planted> {
    let corpus = corpus();
    let quotations = texts(&corpus["quotations"]).into_iter().cycle();
    let exchanges = corpus["exchanges"].as_array().unwrap().iter();
    let each = exchanges.zip(quotations).map(|(one, quotation)| {
        let body = text(&one["body"]);
        let headers = one["headers"].as_array().unwrap().iter();
        let headers = headers.map(|header| (text(&header[0]), text(&header[1])));
        Planted {
            place: text(&one["where"]),
            method: text(&one["method"]),
            target: text(&one["target"]),
            headers: headers.collect(),
            body: match one["encoding"].as_str() {
                Some("utf-16") => {
                    let units = body.encode_utf16().flat_map(u16::to_le_bytes);
                    [0xFF, 0xFE].into_iter().chain(units).collect()
                }
                _ => body.into_bytes(),
            },
            quotation,
        }
    });
    each.collect()
}

impl Planted {
    /// Returns the bytes of the request.
    pub fn bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\nHost: svc\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !self.body.is_empty() {
            head += &format!("Content-Length: {}\r\n", self.body.len());
        }
        [head.as_bytes(), b"\r\n", &self.body].concat()
    }

    /// Returns the bytes of an answer that quotes the secret in its status line, in a header and in
    /// a fault, after a word.
    pub fn answer(&self, word: &str) -> Vec<u8> {
        let (secret, quoted) = (secret(), &self.quotation);
        let body = format!(
            r#"<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault><faultcode>soap:Server</faultcode><faultstring>{word} {quoted}</faultstring><faultactor>urn:{quoted}</faultactor></soap:Fault></soap:Body></soap:Envelope>"#
        );
        let length = body.len();
        let head = format!(
            "HTTP/1.1 500 no {secret}\r\nContent-Type: text/xml\r\nX-Token: {secret}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        (head + &body).into_bytes()
    }
}

/// Returns the list of places that show or keep contents, with the files of their tests.
pub fn sinks() -> Vec<(String, String)> {
    let sinks: Value = serde_json::from_str(include_str!("../planted/sinks.json")).unwrap();
    let sinks = sinks.as_object().unwrap().iter();
    sinks
        .map(|(sink, file)| (sink.clone(), text(file)))
        .collect()
}

/// Checks that the output of a sink in the list has the secret in no form, and contains this text,
/// so that it is not empty.
pub fn check(sink: &str, written: &[u8], holds: &str) {
    assert!(sinks().iter().any(|(known, _)| known == sink), "{sink}");
    let written = String::from_utf8_lossy(written);
    for form in texts(&corpus()["forms"]) {
        for line in written.lines() {
            assert!(!line.contains(&form), "{sink}: {form} in {line}");
        }
    }
    assert!(written.contains(holds), "{sink}: {written}");
}
