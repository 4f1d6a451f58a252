//! Calls of the service `Work` as bytes.

use svcgen::Binding;

/// Returns the body of a call over SOAP 1.1.
pub fn body(operation: &str, text: &str) -> String {
    body_with(operation, text, "")
}

fn body_with(operation: &str, text: &str, more: &str) -> String {
    format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><{operation} xmlns=\"urn:example:work\"><text>{text}</text>{more}</{operation}></s:Body></s:Envelope>"
    )
}

/// Returns a call of the one-way operation over SOAP 1.1.
pub fn notify(text: &str, count: &str) -> Vec<u8> {
    let body = body_with("Notify", text, &format!("<count>{count}</count>"));
    (head("Notify", body.len()) + &body).into_bytes()
}

/// Returns the head of a call over SOAP 1.1 whose body has this length.
pub fn head(operation: &str, length: usize) -> String {
    format!(
        "POST /Work.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"urn:example:work/{operation}\"\r\nContent-Length: {length}\r\n\r\n"
    )
}

/// Returns a call over SOAP 1.1.
pub fn call(operation: &str, text: &str) -> Vec<u8> {
    let body = body(operation, text);
    (head(operation, body.len()) + &body).into_bytes()
}

/// Returns a call over a binding, with a count if the operation has one. In forms, only blanks in
/// the text are escaped.
pub fn call_over(binding: Binding, operation: &str, text: &str) -> Vec<u8> {
    let counts = operation == "Notify";
    let count = if counts { "<count>1</count>" } else { "" };
    let form = || {
        let count = if counts { "&count=1" } else { "" };
        format!("text={}{count}", text.replace(' ', "+"))
    };
    let (head, body) = match binding {
        Binding::Soap11 => {
            let body = body_with(operation, text, count);
            (head(operation, body.len()), body)
        }
        Binding::Soap12 => {
            let body = body_with(operation, text, count).replace(
                "http://schemas.xmlsoap.org/soap/envelope/",
                "http://www.w3.org/2003/05/soap-envelope",
            );
            let length = body.len();
            let head = format!(
                "POST /Work.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: application/soap+xml; charset=utf-8\r\nContent-Length: {length}\r\n\r\n"
            );
            (head, body)
        }
        Binding::HttpGet => {
            let form = form();
            let head = format!("GET /Work.asmx/{operation}?{form} HTTP/1.1\r\nHost: h\r\n\r\n");
            (head, String::new())
        }
        Binding::HttpPost => {
            let body = form();
            let length = body.len();
            let head = format!(
                "POST /Work.asmx/{operation} HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n"
            );
            (head, body)
        }
        Binding::Json => {
            let count = if counts { ",\"count\":1" } else { "" };
            let body = format!("{{\"text\":\"{text}\"{count}}}");
            let length = body.len();
            let head = format!(
                "POST /Work.asmx/{operation} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
            );
            (head, body)
        }
    };
    (head + &body).into_bytes()
}
