//! The build script and the derive macro are entry points to the same function; the tests of the
//! command are in `crates/cli/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use svcgen_codegen::Config;

fn definition(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../service-defs")
        .join(name)
}

/// A service in the form that an application writes.
#[derive(svcgen::Service)]
#[service(definition = "../service-defs/authenticator.yaml", client = false)]
struct Authenticator;

/// A service, and the neighbouring files that it includes.
#[derive(svcgen::Service)]
#[service(definition = "definitions/valid/orders.yaml")]
struct Orders;

#[derive(svcgen::Service)]
#[service(definition = "definitions/valid/common.yaml")]
struct Common;

#[derive(svcgen::Service)]
#[service(definition = "definitions/valid/places.yaml")]
struct Places;

/// A service from a WSDL, and the types that it shares with the other service in the WSDL.
#[derive(svcgen::Service)]
#[service(definition = "definitions/wsdl/bureau.wsdl", client = false)]
struct Counter;

#[derive(svcgen::Service)]
#[service(definition = "definitions/wsdl/bureau.wsdl/counter_types.yaml")]
struct CounterTypes;

mod built {
    //! The same services by the build script.
    svcgen::include_service!("counter");
    svcgen::include_service!("counter_types");
    svcgen::include_service!("porter");
}

struct Clerk;

impl counter::CounterHandler for Clerk {
    async fn post(
        &self,
        _context: &svcgen::Context,
        request: counter::PostRequest,
    ) -> Result<i32, svcgen::Fault> {
        Ok(request.parcel.grams)
    }
}

impl built::porter::PorterHandler for Clerk {
    async fn carry(
        &self,
        _context: &svcgen::Context,
        request: built::porter::CarryRequest,
    ) -> Result<Option<built::counter_types::Parcel>, svcgen::Fault> {
        Ok(Some(built::counter_types::Parcel {
            label: None,
            grams: request.number,
        }))
    }
}

#[tokio::test]
async fn services_of_a_wsdl_are_served_and_called() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let services = svcgen::Router::new()
        .with_service(counter::CounterServer::new(Clerk))
        .with_service(built::porter::PorterServer::new(Clerk));
    let server = tokio::spawn(async move { svcgen::serve(listener, services).await });
    let parcel = built::counter_types::Parcel {
        label: Some("fragile".to_owned()),
        grams: 250,
    };
    let client = built::counter::CounterClient::connect(&address).unwrap();
    let request = built::counter::PostRequest { parcel };
    assert_eq!(client.post(&request).await.unwrap(), 250);
    let client = built::porter::PorterClient::connect(&address).unwrap();
    let request = built::porter::CarryRequest { number: 7 };
    let parcel = client.carry(&request).await.unwrap().unwrap();
    assert_eq!((parcel.label, parcel.grams), (None, 7));
    server.abort();
}

struct Polite;

impl authenticator::AuthenticatorHandler for Polite {
    async fn client_auth_with_result(
        &self,
        _context: &svcgen::Context,
        request: authenticator::ClientAuthWithResultRequest,
    ) -> Result<authenticator::LoginResult, svcgen::Fault> {
        Ok(authenticator::LoginResult {
            error_code: authenticator::ErrorCode::None,
            message: request.username,
        })
    }

    async fn login(
        &self,
        _context: &svcgen::Context,
        request: authenticator::LoginRequest,
    ) -> Result<bool, svcgen::Fault> {
        Ok(request.username.as_deref() == Some("alice"))
    }
}

#[tokio::test]
async fn a_derived_service_serves() {
    let server = authenticator::AuthenticatorServer::new(Polite);
    let request =
        http::Request::get("/SvcDotNet/Authenticator.asmx/Login?username=alice&password=x");
    let response = server
        .answer(request.body(bytes::Bytes::new()).unwrap())
        .await;
    assert_eq!(response.status(), 200);
}

/// The build script, when the tests below run this test binary again.
#[test]
fn child_build_script() {
    if let Some(definitions) = env::var_os("SVCGEN_TEST_DEFINITIONS") {
        let config = match env::var_os("SVCGEN_TEST_WITHOUT_IMPORTER") {
            None => svcgen_import::config(),
            Some(_) => Config::new(),
        };
        config.build(env::split_paths(&definitions));
    }
}

/// Returns the command of a build script with these definitions.
fn build_script(out: &Path, definitions: &[PathBuf]) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "entry_points::child_build_script", "--nocapture"])
        .env(
            "SVCGEN_TEST_DEFINITIONS",
            env::join_paths(definitions).unwrap(),
        )
        .env("OUT_DIR", out);
    command
}

/// Runs a build script with these definitions.
fn build(out: &Path, definitions: &[PathBuf]) -> (Output, Vec<String>) {
    let output = build_script(out, definitions).output().unwrap();
    let stdout = String::from_utf8(output.stdout.clone()).unwrap();
    let lines = stdout
        .lines()
        .filter_map(|line| Some(line[line.find("cargo::")?..].to_owned()))
        .collect();
    (output, lines)
}

/// Returns the standard error of a build script, which Cargo shows once, without a prefix on its
/// lines.
fn said(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn a_build_script_gives_the_same_text_as_the_function() {
    let out = tempfile::tempdir().unwrap();
    let definitions = [
        definition("authenticator.yaml"),
        definition("device_login_service.yaml"),
    ];
    let (output, lines) = build(out.path(), &definitions);
    assert!(output.status.success());
    let watched: Vec<_> = definitions
        .iter()
        .map(|path| format!("cargo::rerun-if-changed={}", path.display()))
        .collect();
    assert_eq!(lines, watched);
    let by_service = fs::read_to_string(out.path().join("DeviceLoginService.mod.rs")).unwrap();
    assert!(
        by_service.contains("is called device_login_service"),
        "{by_service}"
    );
    for (path, name) in definitions
        .iter()
        .zip(["authenticator", "device_login_service"])
    {
        let text = fs::read_to_string(path).unwrap();
        let expected = Config::new()
            .generate(path.file_name().unwrap().to_str().unwrap(), &text)
            .unwrap();
        assert_eq!(
            fs::read_to_string(out.path().join(format!("{name}.rs"))).unwrap(),
            expected.code
        );
        assert_eq!(
            fs::read_to_string(out.path().join(format!("{name}.mod.rs"))).unwrap(),
            expected.module
        );
    }
}

#[test]
fn a_build_script_watches_the_file_of_options() {
    let out = tempfile::tempdir().unwrap();
    let package = out.path().canonicalize().unwrap();
    fs::copy(definition("authenticator.yaml"), package.join("a.yaml")).unwrap();
    let options = package.join("svcgen.toml");
    fs::write(&options, "client = false\n").unwrap();
    let (output, lines) = build(&package, &[package.join("a.yaml")]);
    assert!(output.status.success(), "{lines:?}");
    let watched = format!("cargo::rerun-if-changed={}", options.display());
    assert_eq!(lines[1], watched);
    let code = fs::read_to_string(package.join("authenticator.rs")).unwrap();
    assert!(!code.contains("AuthenticatorClient"));
    fs::write(&options, "clint = false\n").unwrap();
    let (output, lines) = build(&package, &[package.join("a.yaml")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(lines[1], watched, "it is watched while it is wrong");
    assert!(
        said(&output).contains("unknown option `clint`"),
        "{output:?}"
    );
}

#[test]
fn derived_modules_find_the_types_of_included_files() {
    let address = common::Address {
        country: places::Country::Be,
        ..common::Address::default()
    };
    let order = orders::Order {
        addresses: vec![address],
        ..orders::Order::default()
    };
    assert_eq!(order.addresses[0].country, places::Country::Be);
}

#[test]
fn a_build_script_generates_what_is_included_once() {
    let out = tempfile::tempdir().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("definitions/valid");
    let path = |name: &str| folder.join(format!("{name}.yaml"));
    let (output, lines) = build(out.path(), &[path("orders"), path("audit"), path("common")]);
    assert!(output.status.success(), "{lines:?}");
    let names = ["orders", "common", "places", "audit", "billing"];
    let watched = names.map(|name| format!("cargo::rerun-if-changed={}", path(name).display()));
    assert_eq!(lines, watched);
    for name in names {
        let expected = Config::new().generate_file(path(name)).unwrap();
        let written = |ending| fs::read_to_string(out.path().join(format!("{name}.{ending}")));
        assert_eq!(written("rs").unwrap(), expected.code);
        assert_eq!(written("mod.rs").unwrap(), expected.module);
    }
}

#[test]
fn a_build_script_says_what_is_wrong_with_an_included_file_once() {
    let out = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = out.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let service =
        "namespace: urn:s\npath: /s\ninclude: [t.yaml]\noperations: { A: { result: T } }\n";
    let first = write("a.yaml", &format!("service: A\n{service}"));
    let second = write("b.yaml", &format!("service: B\n{service}"));
    let types = write("t.yaml", "types: { T: { elements: { x: itn } } }\n");
    let (output, lines) = build(out.path(), &[first, second, types.clone()]);
    assert_eq!(output.status.code(), Some(1));
    let said = said(&output);
    let errors = said.lines().filter(|line| line.contains("error["));
    assert!(errors.eq(["error[SVC015]: unknown type `itn`"]), "{said}");
    let place = format!("--> {}:1:30", types.display());
    assert!(said.contains(&place), "{said}");
    let is_watched = |line: &String| line.starts_with("cargo::rerun-if-changed=");
    assert!(lines.iter().all(is_watched), "{lines:?}");
}

#[test]
fn a_build_script_watches_all_documents_of_a_wsdl() {
    let out = tempfile::tempdir().unwrap();
    let package = out.path().canonicalize().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("definitions/wsdl");
    for name in ["bureau.wsdl", "bureau.xsd"] {
        fs::copy(folder.join(name), package.join(name)).unwrap();
    }
    fs::write(package.join("svcgen.toml"), "client = false\n").unwrap();
    let wsdl = package.join("bureau.wsdl");
    let (output, lines) = build(&package, std::slice::from_ref(&wsdl));
    assert!(output.status.success(), "{lines:?}");
    let watched = ["bureau.wsdl", "svcgen.toml", "bureau.xsd"]
        .map(|name| format!("cargo::rerun-if-changed={}", package.join(name).display()));
    for line in &watched {
        assert!(lines.contains(line), "{lines:?}");
    }
    assert!(lines.iter().all(|line| watched.contains(line)), "{lines:?}");
    for name in ["counter", "porter", "counter_types"] {
        let code = fs::read_to_string(package.join(format!("{name}.rs"))).unwrap();
        assert!(code.contains(" from bureau.wsdl. "), "{code}");
        assert!(!code.contains("Client"), "{name}");
    }
    // Errors have their place in the WSDL, and documents on the network are not requested.
    fs::remove_file(package.join("bureau.xsd")).unwrap();
    let text = fs::read_to_string(&wsdl).unwrap();
    let text = text.replace("\"bureau.xsd\"", "\"http://example.com/bureau.xsd\"");
    fs::write(&wsdl, text).unwrap();
    let (output, _) = build(&package, std::slice::from_ref(&wsdl));
    assert_eq!(output.status.code(), Some(1));
    let place = format!("--> {}:5:", wsdl.display());
    for part in ["error[SVC071]", &place] {
        assert!(said(&output).contains(part), "{output:?}");
    }
}

#[test]
fn a_build_script_that_imports_no_wsdls_says_what_does() {
    let out = tempfile::tempdir().unwrap();
    let wsdl = Path::new(env!("CARGO_MANIFEST_DIR")).join("definitions/wsdl/bureau.wsdl");
    let mut script = build_script(out.path(), &[wsdl]);
    let output = script.env("SVCGEN_TEST_WITHOUT_IMPORTER", "").output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1));
    for part in ["error[SVC001]", "`svcgen_import::build`"] {
        assert!(said(&output).contains(part), "{output:?}");
    }
}

#[test]
fn a_wsdl_reads_files_of_its_workspace_alone() {
    let out = tempfile::tempdir().unwrap();
    let package = out.path().canonicalize().unwrap().join("package");
    fs::create_dir(&package).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("definitions/wsdl");
    fs::copy(folder.join("bureau.xsd"), package.join("../bureau.xsd")).unwrap();
    let text = fs::read_to_string(folder.join("bureau.wsdl")).unwrap();
    let text = text.replace("\"bureau.xsd\"", "\"../bureau.xsd\"");
    let wsdl = package.join("bureau.wsdl");
    fs::write(&wsdl, text).unwrap();
    let (output, _) = build(&package, std::slice::from_ref(&wsdl));
    assert_eq!(output.status.code(), Some(1));
    let outside = "outside of the workspace";
    assert!(said(&output).contains(outside), "{output:?}");
    fs::write(
        package.join("svcgen.toml"),
        format!("allow_include = {:?}\n", out.path()),
    )
    .unwrap();
    let (output, lines) = build(&package, &[wsdl]);
    assert!(output.status.success(), "{lines:?}");
}

#[test]
fn a_build_script_writes_only_what_changed() {
    let out = tempfile::tempdir().unwrap();
    let definitions = [definition("authenticator.yaml")];
    build(out.path(), &definitions);
    let written = out.path().join("authenticator.rs");
    let long_ago =
        std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::options()
        .write(true)
        .open(&written)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    build(out.path(), &definitions);
    assert_eq!(
        fs::metadata(&written).unwrap().modified().unwrap(),
        long_ago
    );
    fs::write(&written, "stale").unwrap();
    build(out.path(), &definitions);
    assert!(
        fs::read_to_string(&written)
            .unwrap()
            .starts_with("// @generated")
    );
}

/// Returns all files in a folder, recursively, with their texts.
fn files_below(folder: &Path) -> BTreeMap<PathBuf, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.flat_map(|entry| match entry.path() {
        path if path.is_dir() => files_below(&path),
        path => BTreeMap::from([(path.clone(), fs::read_to_string(&path).unwrap())]),
    });
    files.collect()
}

#[test]
fn much_code_is_several_files_of_which_a_change_concerns_few() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("large.yaml"), folder.path().join("out"));
    fs::create_dir(&out).unwrap();
    let numbers = 0..200;
    let operations = numbers.clone().map(|number| {
        format!("  Do{number}: {{ parameters: {{ id: int }}, result: Record{number} }}\n")
    });
    let types = numbers
        .map(|number| format!("  Record{number}: {{ elements: {{ Id: int, Name: string? }} }}\n"));
    let (operations, types): (String, String) = (operations.collect(), types.collect());
    let definition = format!(
        "service: Large\nnamespace: urn:large\npath: /Large.asmx\noperations:\n{operations}types:\n{types}"
    );
    let built = |definition: &str| {
        fs::write(&path, definition).unwrap();
        let (output, lines) = build(&out, std::slice::from_ref(&path));
        assert!(output.status.success(), "{lines:?}");
        let files = files_below(&out);
        // The files contain the code in its order; types are in modules.
        let whole = &files[&out.join("large.rs")];
        let (head, pieces) = whole.split_at(whole.find("\nmod types_0 {").unwrap());
        let pieces = pieces.lines().filter_map(|line| {
            let name = line.trim_start().strip_prefix("include!(\"")?;
            Some(&*files[&out.join(name.strip_suffix("\");").unwrap())])
        });
        let joined: String = std::iter::once(head).chain(pieces).collect();
        assert!(
            whole.contains("}\n#[allow(unused_imports)]\npub use types_3::*;\n"),
            "{whole}"
        );
        let expected = Config::new().generate("large.yaml", definition).unwrap();
        assert!(joined == expected.code, "{whole}");
        files
    };
    let before = built(&definition);
    let changes = [
        // Another element in one type.
        (
            "Record100: { elements: { Id: int,",
            "Record100: { elements: { Id: int, More: int,",
            vec!["module.rs", "types_1.rs"],
        ),
        // Another type after all others.
        (
            "  Record199: {",
            "  Zone: { elements: { Id: int } }\n  Record199: {",
            vec!["module.rs", "types_3.rs"],
        ),
    ];
    for (from, to, expected) in changes {
        let after = built(&definition.replace(from, to));
        let changed = after
            .iter()
            .filter(|(path, text)| before.get(*path) != Some(*text));
        let changed: Vec<_> = changed.map(|(path, _)| path.file_name().unwrap()).collect();
        assert_eq!(changed, expected, "{to}");
    }
}

#[test]
fn much_code_with_relative_paths_is_one_module() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("large.yaml"), folder.path().join("out"));
    fs::create_dir(&out).unwrap();
    let types = (0..400).map(|number| {
        let at = if number == 70 { "dateTime" } else { "int" };
        format!("  Record{number}: {{ elements: {{ Id: int, At: {at} }} }}\n")
    });
    fs::write(
        &path,
        format!(
            "namespace: urn:large\ntypes:\n{}",
            types.collect::<String>()
        ),
    )
    .unwrap();
    fs::write(
        folder.path().join("svcgen.toml"),
        "[extern_path]\ndateTime = \"super::Moment\"\n",
    )
    .unwrap();
    let (output, lines) = build(&out, &[path]);
    assert!(output.status.success(), "{lines:?}");
    let whole = fs::read_to_string(out.join("large.rs")).unwrap();
    let own = whole
        .lines()
        .filter(|line| line.starts_with("include!(\"large.parts/types"));
    assert_eq!(
        own.collect::<Vec<_>>(),
        ["include!(\"large.parts/types_1.rs\");"]
    );
}

#[test]
fn a_build_script_reports_what_is_wrong_and_ends() {
    let out = tempfile::tempdir().unwrap();
    let wrong = out.path().join("wrong.yaml");
    fs::write(
        &wrong,
        "service: S\nnamespace: urn:s\npath: /s\noperations: { A: { result: itn } }\n",
    )
    .unwrap();
    let missing = out.path().join("missing.yaml");
    let (output, lines) = build(
        out.path(),
        &[
            wrong.clone(),
            missing.clone(),
            definition("authenticator.yaml"),
        ],
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        lines[0],
        format!("cargo::rerun-if-changed={}", wrong.display())
    );
    let folder = env::current_dir().unwrap();
    let said = said(&output);
    for line in [
        "error[SVC015]: unknown type `itn`",
        "help: did you mean `int`?",
        "error[SVC001]: there is no such definition file",
        &format!(" = help: paths are relative to {}", folder.display()),
    ] {
        assert!(said.lines().any(|one| one == line), "{line}: {said}");
    }
    // A missing file must not be watched, as Cargo would run the build script in every build.
    assert!(!lines.contains(&format!("cargo::rerun-if-changed={}", missing.display())));
    assert!(
        out.path().join("authenticator.rs").exists(),
        "the others are generated all the same"
    );
}

#[test]
fn two_definitions_of_one_module_are_refused() {
    let out = tempfile::tempdir().unwrap();
    let copy = out.path().join("copy.yaml");
    fs::copy(definition("authenticator.yaml"), &copy).unwrap();
    let (output, _) = build(out.path(), &[definition("authenticator.yaml"), copy]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("authenticator.rs"), "{output:?}");
}

#[test]
fn a_build_script_says_why_a_file_is_no_definition() {
    let out = tempfile::tempdir().unwrap();
    let utf16: Vec<u8> = "service: S"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let files: [(&str, &[u8], &str); 6] = [
        ("empty", b"", "error[SVC002]: the definition is empty"),
        (
            "comments",
            b"# none\n",
            "error[SVC002]: the definition is empty",
        ),
        (
            "latin1",
            b"service: Caf\xE9\n",
            "error[SVC001]: the definition is not UTF-8: byte 13 is wrong",
        ),
        (
            "nul",
            &utf16,
            "error[SVC001]: a definition cannot hold the character U+0000",
        ),
        (
            "tab",
            b"operations:\n\tA:\n",
            "error[SVC002]: a tab indents this line",
        ),
        (
            "two",
            b"a: b\n---\nc: d\n",
            "error[SVC002]: the file holds more than one YAML document",
        ),
    ];
    for (name, bytes, message) in files {
        let path = out.path().join(name).with_extension("yaml");
        fs::write(&path, bytes).unwrap();
        let (output, _) = build(out.path(), &[path]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let said = said(&output);
        assert!(said.lines().any(|line| line == message), "{name}: {said}");
    }
    let (output, _) = build(out.path(), &[out.path().to_owned()]);
    assert_eq!(output.status.code(), Some(1));
    let message = "error[SVC001]: the definition is a folder; name the files in it";
    assert!(said(&output).contains(message), "{output:?}");
}

#[test]
fn a_warning_of_a_build_script_is_a_line() {
    let out = tempfile::tempdir().unwrap();
    let path = out.path().join("a.yaml");
    let text = "service: A\nnamespace: urn:a\npath: /a\noperations:\n  A:\n    parameters: { password: { type: string?, secret: true } }\n";
    fs::write(&path, text).unwrap();
    let (output, lines) = build(out.path(), std::slice::from_ref(&path));
    assert!(output.status.success(), "{output:?}");
    let warnings: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("cargo::warning="))
        .collect();
    let [warning] = warnings[..] else {
        panic!("{lines:?}")
    };
    let place = format!("cargo::warning={}:5:3: ", path.display());
    assert!(warning.starts_with(&place), "{warning}");
    assert!(warning.contains(" [SVC020]"), "{warning}");
}
