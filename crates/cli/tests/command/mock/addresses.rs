//! Services at addresses that do not end with `.asmx`.

use super::*;

/// Returns the head of the answer to a call of `Ping`, posted to a target.
fn posted(mock: &Mock, target: &str) -> String {
    let body = "<Envelope xmlns=\"http://schemas.xmlsoap.org/soap/envelope/\"><Body><Ping xmlns=\"http://example.com/shop\"/></Body></Envelope>";
    let mut stream = TcpStream::connect(&mock.address).unwrap();
    let request = format!(
        "POST {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.lines().next().unwrap().to_owned()
}

#[test]
fn a_service_is_called_at_the_whole_address_of_its_definition() {
    for (path, targets, others) in [
        (
            "/soap.do?SOAP",
            &["/soap.do?SOAP", "/soap.do"][..],
            &["/soap", "/"][..],
        ),
        ("/shop/", &["/shop/", "/shop", "/SHOP//"], &["/shop/x", "/"]),
        ("/shop", &["/shop"], &["/shop/"]),
        ("/Shop.asmx", &["/Shop.asmx"], &["/Shop.asmx/"]),
        ("/a//b", &["/a//b", "/a/b"], &["/a"]),
        ("/", &["/", "//"], &["/shop"]),
    ] {
        let text = SHOP.replace("/Shop.asmx", path);
        let mock = Mock::start(&[("shop.yaml", &text)], &["shop.yaml"]);
        for target in targets {
            assert_eq!(posted(&mock, target), "HTTP/1.1 200 OK", "{path}: {target}");
        }
        for target in others {
            assert_ne!(posted(&mock, target), "HTTP/1.1 200 OK", "{path}: {target}");
        }
        let host = format!("http://{}", mock.address);
        for url in [host.clone(), format!("{host}{path}")] {
            for operation in [&["Ping"][..], &["Add", "amount=1", "--binding", "http-get"]] {
                let mut call = command(&[&"call", &"--show", &"--url", &url, &"shop.yaml"]);
                let called = call
                    .args(operation)
                    .current_dir(&mock.folder)
                    .output()
                    .unwrap();
                let told = String::from_utf8_lossy(&called.stderr);
                assert!(called.status.success(), "{path}, {url}: {told}");
                let shown = operation.len() > 1 || told.contains(path);
                assert!(shown, "{path}, {url}: {told}");
            }
        }
        let base = path.split('?').next().unwrap();
        let wsdl = mock.get(&format!("{base}?wsdl"));
        let wsdl = String::from_utf8_lossy(wsdl.body()).into_owned();
        let single = path.replace("//", "/");
        let address = format!("location=\"http://localhost{single}\"");
        assert!(wsdl.contains(&address), "{path}: {wsdl}");
    }
}

/// Returns the WSDL for a caller of this host, who sends this header.
fn wsdl_of(mock: &Mock, host: &str, header: &str) -> String {
    let mut stream = TcpStream::connect(&mock.address).unwrap();
    let request = format!(
        "GET /Shop.asmx?wsdl HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{header}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn behind_a_proxy_documents_have_the_addresses_of_callers() {
    let forwarded = "X-Forwarded-Proto: https\r\nX-Forwarded-Host: api.example.com\r\n";
    let public = "location=\"https://api.example.com/Shop.asmx\"";
    for (arguments, host, header, expected) in [
        (
            &[][..],
            "localhost",
            forwarded,
            "location=\"http://localhost/Shop.asmx\"",
        ),
        (
            &["--trusted-proxy", "127.0.0.1"],
            "localhost",
            forwarded,
            public,
        ),
        (
            &["--trusted-proxy", "10.0.0.1"],
            "localhost",
            forwarded,
            "location=\"http://localhost/Shop.asmx\"",
        ),
        (
            &["--public-url", "https://api.example.com"],
            "localhost",
            "",
            public,
        ),
        (
            &["--public-url", "https://api.example.com"],
            "api.example.com",
            "",
            public,
        ),
        (
            &["--public-url", "https://api.example.com"],
            "other.example.com",
            "",
            "HTTP/1.1 403 ",
        ),
    ] {
        let mock = Mock::start(&[], &[arguments, &["shop.yaml"]].concat());
        let wsdl = wsdl_of(&mock, host, header);
        assert!(wsdl.contains(expected), "{arguments:?}, {host}: {wsdl}");
    }
    let refused = svcgen(&[&"mock", &"--public-url", &"api.example.com", &"shop.yaml"]);
    assert!(
        refused
            .stderr
            .contains("--public-url: \"api.example.com\" is not a URL"),
        "{refused:?}"
    );
}
