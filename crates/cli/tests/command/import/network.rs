//! `svcgen import` of addresses over HTTP: the requests, their hosts, and the messages for
//! failures.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{calculator as wsdl, import, svcgen_in};

/// A host on this machine that answers until it is dropped.
pub struct Host {
    #[doc(hidden)]
    pub port: u16,
    /// The heads of the requests.
    asked: Arc<Mutex<Vec<String>>>,
    stops: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// An answer: a status line with headers, and a body.
pub type Answer = (String, Vec<u8>);

impl Host {
    /// Starts a host that answers requests by their paths with queries.
    pub fn new(answer: impl Fn(&str, &str) -> Answer + Send + 'static) -> Self {
        Self::with(answer, |stream| stream)
    }

    fn with<S: Read + Write>(
        answer: impl Fn(&str, &str) -> Answer + Send + 'static,
        accept: impl Fn(TcpStream) -> S + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let heads = Arc::clone(&asked);
        let stops = Arc::<AtomicBool>::default();
        let stopping = Arc::clone(&stops);
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if stopping.load(Ordering::SeqCst) {
                    return;
                }
                let mut stream = accept(stream.unwrap());
                let mut head = String::new();
                let mut reader = BufReader::new(&mut stream);
                // A failed handshake has no head.
                while !head.ends_with("\r\n\r\n") {
                    if !reader.read_line(&mut head).is_ok_and(|read| read > 0) {
                        break;
                    }
                }
                let Some(path) = head.split(' ').nth(1).map(str::to_owned) else {
                    continue;
                };
                let (status, body) = answer(&path, &head);
                heads.lock().unwrap().push(head);
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
                );
                // A caller that refuses the answer closes the connection.
                let _ = stream
                    .write_all(head.as_bytes())
                    .and_then(|()| stream.write_all(&body));
                let _ = stream.flush();
            }
        });
        Self {
            port,
            asked,
            stops,
            thread: Some(thread),
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked
            .iter()
            .map(|head| head.split(' ').nth(1).unwrap().to_owned())
            .collect()
    }

    pub fn heads(&self) -> String {
        self.asked.lock().unwrap().concat().to_lowercase()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stops.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Returns the WSDL and its schema, which the WSDL imports from a location.
fn wsdl_and_schema(location: &str) -> (String, String) {
    let wsdl = wsdl();
    let start = wsdl.find("<s:schema").unwrap();
    let end = wsdl.find("</s:schema>").unwrap() + "</s:schema>".len();
    let import = format!(
        "<s:schema><s:import namespace=\"http://example.com/calculator\" schemaLocation=\"{location}\" /></s:schema>"
    );
    let schema = wsdl[start..end].replacen(
        "<s:schema",
        "<s:schema xmlns:s=\"http://www.w3.org/2001/XMLSchema\" xmlns:tns=\"http://example.com/calculator\"",
        1,
    );
    (wsdl[..start].to_owned() + &import + &wsdl[end..], schema)
}

pub fn ok(body: impl Into<Vec<u8>>) -> Answer {
    (
        "200 OK\r\nContent-Type: text/xml; charset=utf-8".to_owned(),
        body.into(),
    )
}

fn status(status: &str, body: &str) -> Answer {
    (status.to_owned(), body.as_bytes().to_vec())
}

/// Imports in an empty folder. Returns the output without the port of a host.
fn told(host: &Host, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    import(folder.path(), arguments)
        .told
        .replace(&host.port.to_string(), "PORT")
}

#[test]
fn a_service_is_imported_with_the_schemas_of_its_host() {
    let (wsdl, schema) = wsdl_and_schema("?xsd=xsd0");
    let host = Host::new(move |path, head| match path {
        "/S.asmx?wsdl" => {
            assert!(head.to_lowercase().contains("accept-encoding: gzip"));
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(wsdl.as_bytes()).unwrap();
            let (status, body) = ok(gzip.finish().unwrap());
            (status + "\r\nContent-Encoding: gzip", body)
        }
        "/S.asmx?xsd=xsd0" => ok(schema.clone()),
        _ => status("404 Not Found", ""),
    });
    for address in ["/S.asmx?wsdl", "/S.asmx"] {
        let told = told(&host, &[&host.url(address)]);
        assert!(told.starts_with("exit code 0\n"), "{told}");
        assert!(told.contains("service: Calculator"), "{told}");
    }
    assert_eq!(host.asked()[..2], ["/S.asmx?wsdl", "/S.asmx?xsd=xsd0"]);
}

#[test]
fn redirects_are_shown_on_a_host_and_refused_to_another() {
    let other = Host::new(|_, _| ok(wsdl()));
    let target = other.url("/there");
    let host = Host::new(move |path, head| match path {
        "/moved" => status("301 Moved Permanently\r\nLocation: /S.asmx?wsdl", ""),
        "/login" => {
            let port = head.split("Host: 127.0.0.1:").nth(1).unwrap();
            let port = port.lines().next().unwrap();
            let to = format!("http://ann:4711@127.0.0.1:{port}/S.asmx?wsdl");
            status(&format!("302 Found\r\nLocation: {to}"), "")
        }
        "/circle" => status("302 Found\r\nLocation: /circle", ""),
        "/away" => status(&format!("302 Found\r\nLocation: {target}"), ""),
        "/file" => status("302 Found\r\nLocation: file:///etc/passwd", ""),
        _ => ok(wsdl()),
    });
    let moved = told(&host, &[&host.url("/moved")]);
    let note = "note: http://127.0.0.1:PORT/moved redirects to http://127.0.0.1:PORT/S.asmx?wsdl\n";
    assert!(
        moved.starts_with(&format!("exit code 0\n{note}")),
        "{moved}"
    );
    let login = told(&host, &[&host.url("/login")]);
    assert!(
        login.starts_with(&format!(
            "exit code 0\n{}",
            note.replace("/moved", "/login")
        )),
        "{login}"
    );
    let circle = told(&host, &[&host.url("/circle")]);
    assert!(
        circle.contains("the host redirects more than 10 times"),
        "{circle}"
    );
    let file = told(&host, &[&host.url("/file")]);
    assert!(
        file.contains("the host redirects to something that is not an HTTP URL"),
        "{file}"
    );

    let secret = ["--header", "X-Key: secret", "--user", "me:secret"];
    let away = host.url("/away");
    let refused = told(&host, &[&secret[..], &[&away]].concat());
    let origin = format!("http://127.0.0.1:{}", other.port);
    assert!(
        refused.contains(&format!("allow it with `--allow-host {origin}`")),
        "{refused}"
    );
    assert_eq!(other.asked().len(), 0);
    let allowed = told(
        &host,
        &[&secret[..], &["--allow-host", &origin, &away]].concat(),
    );
    assert!(allowed.starts_with("exit code 0\n"), "{allowed}");
    // Secrets are sent only to the host that they were given for.
    assert!(host.heads().contains("x-key: secret"));
    assert!(host.heads().contains("authorization: basic bwu6c2vjcmv0"));
    assert!(!other.heads().contains("x-key"));
    assert!(!other.heads().contains("authorization"));
}

#[test]
fn no_document_makes_another_host_be_asked() {
    let (wsdl, schema) = wsdl_and_schema("SCHEMA");
    let other = Host::new(move |_, _| ok(schema.clone()));
    let wsdl = wsdl.replace("SCHEMA", &other.url("/s.xsd"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.wsdl"), &wsdl).unwrap();
    let host = Host::new(move |_, _| ok(wsdl.clone()));
    for address in ["s.wsdl", &host.url("/S.asmx?wsdl")] {
        let refused = import(folder.path(), &[address]).told;
        assert!(
            refused.contains("are not asked for unless that is allowed"),
            "{refused}"
        );
        let name = format!("127.0.0.1:{}", other.port);
        for arguments in [
            ["--allow-host", "127.0.0.1", address],
            ["--allow-host", "localhost", address],
        ] {
            assert!(!import(folder.path(), &arguments).succeeded);
        }
        let offline = import(
            folder.path(),
            &["--offline", "--allow-host", &name, address],
        );
        assert!(!offline.succeeded);
        assert_eq!(other.asked().len(), 0);
        let allowed = import(folder.path(), &["--allow-host", &name, address]);
        assert!(allowed.succeeded, "{}", allowed.told);
        assert_eq!(other.asked.lock().unwrap().drain(..).count(), 1);
    }
    let asked = host.asked().len();
    let offline = import(folder.path(), &["--offline", &host.url("/S.asmx?wsdl")]).told;
    assert!(
        offline.contains("it is not loaded because of --offline"),
        "{offline}"
    );
    assert_eq!(host.asked().len(), asked);
}

#[test]
fn hosts_that_ask_for_a_login_get_one() {
    let host = Host::new(|path, head| {
        let head = head.to_lowercase();
        match path {
            "/basic" if head.contains("authorization: basic bwu6c2vjcmv0") => ok(wsdl()),
            "/basic" => status(
                "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"",
                "",
            ),
            "/bearer" if head.contains("authorization: bearer token") => ok(wsdl()),
            "/bearer" => status("401 Unauthorized\r\nWWW-Authenticate: Bearer", ""),
            _ => status(
                "401 Unauthorized\r\nWWW-Authenticate: Negotiate\r\nWWW-Authenticate: NTLM",
                "",
            ),
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("password");
    std::fs::write(&file, "secret\n").unwrap();
    let in_file = format!("me:file:{}", file.display());
    for (path, arguments, expected) in [
        ("/basic", &[][..], "pass `--user NAME:PASSWORD` (401)"),
        (
            "/basic",
            &["--user", "me:wrong"],
            "the host refuses the login (401)",
        ),
        ("/basic", &["--user", "me:secret"], "exit code 0\n"),
        ("/basic", &["--user", &in_file], "exit code 0\n"),
        (
            "/basic",
            &["--user", "me:env:SVCGEN_NO_SUCH"],
            "the password of me (--user) should be in the environment variable SVCGEN_NO_SUCH, which is not set",
        ),
        (
            "/basic",
            &["--user", "me"],
            "there is no terminal to ask for the password of me (--user) on",
        ),
        ("/bearer", &[], "pass `--bearer TOKEN` (401)"),
        ("/bearer", &["--bearer", "token"], "exit code 0\n"),
        (
            "/windows",
            &["--user", "me:secret"],
            "`--ntlm DOMAIN\\NAME:PASSWORD` and `--negotiate`; or save the WSDL with a browser, and import the file (401)",
        ),
    ] {
        let address = host.url(path);
        let told = told(&host, &[arguments, &[&address]].concat());
        assert!(told.contains(expected), "{told}");
        assert!(!told.contains("secret"), "{told}");
    }
    let (first, second) = (host.url("/basic"), "http://127.0.0.1:1/");
    let several = told(&host, &["--user", "me:secret", &first, second]);
    assert!(
        several.contains(
            "are for one host, and the addresses have http://127.0.0.1:1, http://127.0.0.1:PORT"
        ),
        "{several}"
    );
}

#[test]
fn failures_say_what_would_help() {
    let host = Host::new(|path, _| match path {
        "/asmx" => status(
            "500 Internal Server Error",
            "<html><head><title>Request format is\r\n unrecognized.</title></head></html>",
        ),
        "/plain" => status(
            "500 Internal Server Error",
            "System.Exception: no database\r\n   at Orders",
        ),
        "/forbidden" => status("403 Forbidden", ""),
        "/login" => ok("<!DOCTYPE html><html><head><title>Sign in</title></head></html>"),
        "/json" => ok("{}"),
        _ => status("404 Not Found", "<html><title>404</title></html>"),
    });
    for (path, expected) in [
        (
            "/asmx",
            "the host answers 500 Internal Server Error, `Request format is unrecognized.`",
        ),
        (
            "/plain",
            "the host answers 500 Internal Server Error, `System.Exception: no database`",
        ),
        (
            "/forbidden",
            "the host answers 403 Forbidden: the WSDL may be open to some callers alone",
        ),
        (
            "/login",
            "the document is an HTML page, no WSDL: its title is `Sign in`",
        ),
        ("/json", "the document is JSON, no WSDL"),
        (
            "/gone",
            "the host answers 404 Not Found, `404`: there is no such page at this host",
        ),
    ] {
        let told = told(&host, &[&host.url(path)]);
        assert!(told.contains(expected), "{told}");
        assert!(told.starts_with("exit code 1\nerror[SVC070]"), "{told}");
        assert!(
            told.contains(&format!("http://127.0.0.1:PORT{path}")),
            "{told}"
        );
    }
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let refused = told(&host, &[&format!("http://127.0.0.1:{port}/")]);
    assert!(refused.contains("the connection is refused"), "{refused}");
    let unknown = told(&host, &["http://host.invalid/S.asmx?wsdl"]);
    assert!(unknown.contains("there is no such host"), "{unknown}");
    let json = told(&host, &["--message-format", "json", &host.url("/gone")]);
    assert!(json.contains("\"code\":{\"code\":\"SVC070\""), "{json}");
}

#[test]
fn documents_have_a_size_and_a_time() {
    let host = Host::new(|path, head| match path {
        "/large" => {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            let block = vec![b' '; 1 << 20];
            for _ in 0..65 {
                gzip.write_all(&block).unwrap();
            }
            let (status, body) = ok(gzip.finish().unwrap());
            (status + "\r\nContent-Encoding: gzip", body)
        }
        _ => {
            assert!(head.starts_with("GET "));
            ok("")
        }
    });
    let large = told(&host, &[&host.url("/large")]);
    assert!(
        large.contains("the document is too large: at most 64 MiB are read"),
        "{large}"
    );
    // It accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", silent.local_addr().unwrap());
    let late = told(&host, &["--timeout", "1", &address]);
    assert!(
        late.contains("did not answer within 1 seconds: `--timeout` waits longer"),
        "{late}"
    );
}

/// A connection over TLS that records whether the caller presented a certificate.
struct Encrypted {
    stream: rustls::StreamOwned<rustls::ServerConnection, TcpStream>,
    has_certificate: Arc<Mutex<Vec<bool>>>,
}

impl Read for Encrypted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl Write for Encrypted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.stream.flush()
    }
}

impl Drop for Encrypted {
    fn drop(&mut self) {
        if !self.stream.conn.is_handshaking() {
            let certificates = self.stream.conn.peer_certificates();
            self.has_certificate
                .lock()
                .unwrap()
                .push(certificates.is_some());
        }
    }
}

impl Host {
    /// Starts a host over TLS that also accepts its own certificate from callers. Returns, for each
    /// connection, whether the caller presented the certificate.
    fn encrypted(
        certified: &rcgen::CertifiedKey<rcgen::KeyPair>,
        answer: impl Fn(&str, &str) -> Answer + Send + 'static,
    ) -> (Self, Arc<Mutex<Vec<bool>>>) {
        let rcgen::CertifiedKey { cert, signing_key } = certified;
        let key = rustls::pki_types::PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut roots = rustls::RootCertStore::empty();
        roots.add(cert.der().clone()).unwrap();
        let verifier = rustls::server::WebPkiClientVerifier::builder_with_provider(
            Arc::new(roots),
            Arc::clone(&provider),
        );
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(verifier.allow_unauthenticated().build().unwrap())
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        let config = Arc::new(config);
        let has_certificate = Arc::<Mutex<Vec<bool>>>::default();
        let seen = Arc::clone(&has_certificate);
        let accept = move |stream| {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            Encrypted {
                stream: rustls::StreamOwned::new(connection, stream),
                has_certificate: Arc::clone(&seen),
            }
        };
        (Self::with(answer, accept), has_certificate)
    }

    fn encrypted_url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }
}

fn certified() -> rcgen::CertifiedKey<rcgen::KeyPair> {
    rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap()
}

#[test]
fn nothing_leads_from_https_to_http() {
    let certified = certified();
    let (wsdl, schema) = wsdl_and_schema("SCHEMA");
    let other = Host::new(move |_, _| ok(schema.clone()));
    let (target, wsdl) = (
        other.url("/s.wsdl"),
        wsdl.replace("SCHEMA", &other.url("/s.xsd")),
    );
    let (host, _) = Host::encrypted(&certified, move |path, _| match path {
        "/away" => status(&format!("302 Found\r\nLocation: {target}"), ""),
        _ => ok(wsdl.clone()),
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("root.pem"), certified.cert.pem()).unwrap();
    let origin = format!("127.0.0.1:{}", other.port);
    for allowed in [&origin, &format!("http://{origin}")] {
        for (path, why) in [
            (
                "/S.asmx?wsdl",
                "are never asked for because of one over https",
            ),
            ("/away", "redirects from https to http://127.0.0.1"),
        ] {
            let address = host.encrypted_url(path);
            let arguments = ["--ca", "root.pem", "--allow-host", allowed, &address];
            let refused = import(folder.path(), &arguments);
            assert!(
                !refused.succeeded && refused.told.contains(why),
                "{}",
                refused.told
            );
        }
    }
    assert_eq!(other.asked().len(), 0);
}

#[test]
fn a_certificate_is_shown_to_the_hosts_that_were_given() {
    let certified = certified();
    let (wsdl, schema) = wsdl_and_schema("SCHEMA");
    let (other, seen_by_other) = Host::encrypted(&certified, move |_, _| ok(schema.clone()));
    let wsdl = wsdl.replace("SCHEMA", &other.encrypted_url("/s.xsd"));
    let (host, seen) = Host::encrypted(&certified, move |_, _| ok(wsdl.clone()));
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, pem: String| std::fs::write(folder.path().join(name), pem).unwrap();
    write("root.pem", certified.cert.pem());
    write("key.pem", certified.signing_key.serialize_pem());
    let (address, allowed) = (
        host.encrypted_url("/S.asmx?wsdl"),
        format!("127.0.0.1:{}", other.port),
    );
    let who = [
        "--client-certificate",
        "root.pem",
        "--client-key",
        "key.pem",
    ];
    let trust = ["--ca", "root.pem", "--allow-host", &allowed, &address];
    let imported = import(folder.path(), &[&who[..], &trust].concat());
    assert!(imported.succeeded, "{}", imported.told);
    drop((host, other));
    // The second request is for its script.
    assert_eq!(*seen.lock().unwrap(), [true, true]);
    assert_eq!(*seen_by_other.lock().unwrap(), [false]);

    let several = import(
        folder.path(),
        &[&who[..], &["https://a/", "https://b/"]].concat(),
    );
    assert!(
        several.told.contains("are for one host"),
        "{}",
        several.told
    );
}

#[test]
fn certificates_are_checked() {
    let certified = certified();
    let (host, _) = Host::encrypted(&certified, |_, _| ok(wsdl()));
    let cert = &certified.cert;
    let address = host.encrypted_url("/S.asmx?wsdl");
    let refused = told(&host, &[&address]);
    assert!(refused.contains("add its root by `--ca FILE`"), "{refused}");
    assert_eq!(host.asked().len(), 0);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("root.pem"), cert.pem()).unwrap();
    let trusted = import(folder.path(), &["--ca", "root.pem", &address]);
    assert!(trusted.succeeded, "{}", trusted.told);
    let missing = import(folder.path(), &["--ca", "gone.pem", &address]).told;
    assert!(missing.contains("cannot read gone.pem"), "{missing}");
}

#[test]
fn proxies_are_asked_instead_of_hosts() {
    let proxy = Host::new(|_, _| status("502 Bad Gateway", "down"));
    let told = told(
        &proxy,
        &[
            "--proxy",
            &proxy.url(""),
            "http://example.invalid/S.asmx?wsdl",
        ],
    );
    assert!(told.starts_with("exit code 1\n"), "{told}");
    assert!(proxy.heads().contains("example.invalid"), "{told}");
}

#[test]
fn a_host_that_cannot_be_reached_is_told_by_the_exit_code() {
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/S.asmx?wsdl", listener.local_addr().unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("calculator.yaml"),
        "service: S\nnamespace: urn:s\npath: /s\noperations: { A: {} }\n",
    )
    .unwrap();
    for arguments in [
        &["import"][..],
        &["import", "--verify"],
        &["import", "--verify", "--against", "calculator.yaml"],
        &["import", "--update", "calculator.yaml"],
        &["call", "--list"],
    ] {
        let (code, told) = svcgen_in(folder.path(), &[arguments, &[&closed]].concat());
        assert_eq!(code, 4, "{arguments:?}: {told}");
        assert!(told.contains("the connection is refused"), "{told}");
    }
    // A host that answers with an error was reached.
    let host = Host::new(|_, _| status("404 Not Found", ""));
    let (code, told) = svcgen_in(folder.path(), &["import", &host.url("/S.asmx?wsdl")]);
    assert_eq!(code, 1, "{told}");
}

#[test]
fn the_charset_of_an_answer_is_for_documents_that_name_none() {
    let latin = |text: &str| -> Vec<u8> {
        let text = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap());
        text.collect()
    };
    let documented = wsdl().replacen(
        "<wsdl:service name=\"Calculator\">",
        "<wsdl:service name=\"Calculator\"><wsdl:documentation>Zählt für alle.</wsdl:documentation>",
        1,
    );
    let start = documented.find("<wsdl:definitions").unwrap();
    let undeclared = latin(&documented[start..]);
    let host = Host::new(move |_, _| {
        let (_, body) = ok(undeclared.clone());
        (
            "200 OK\r\nContent-Type: text/xml; Charset=\"ISO-8859-1\"".to_owned(),
            body,
        )
    });
    let told = told(&host, &[&host.url("/S.asmx?wsdl")]);
    assert!(told.contains("doc: Zählt für alle."), "{told}");
}

#[test]
fn packed_documents_are_read_and_cut_ones_are_called_cut() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(wsdl().as_bytes()).unwrap();
    let packed = gzip.finish().unwrap();
    write("service.wsdl.gz", &packed);
    for address in ["service.wsdl.gz", "."] {
        let told = import(folder.path(), &[address]).told;
        assert!(told.contains("service: Calculator"), "{told}");
    }
    let (code, told) = svcgen_in(folder.path(), &["call", "--list", "service.wsdl.gz"]);
    assert_eq!((code, told.starts_with("Add(")), (0, true), "{told}");
    write("service.wsdl.gz", &packed[..packed.len() / 2]);
    let told = import(folder.path(), &["service.wsdl.gz"]).told;
    assert!(told.contains("it cannot be unpacked from gzip"), "{told}");

    let text = wsdl();
    for end in [text.len() / 2, text.find("</wsdl:types>").unwrap() + 5] {
        write("cut.wsdl", &text.as_bytes()[..end]);
        let told = import(folder.path(), &["cut.wsdl"]).told;
        assert!(
            told.starts_with(
                "exit code 1\nerror[SVC070]: the document is cut: it ends in the middle\n"
            ),
            "{told}"
        );
    }
}
