//! The programs in pages, and those of `svcgen new`, are the programs in `examples/`, which are
//! compiled and tested there. `follow/` runs all commands of the pages.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::original::{HOST, original};
use crate::shell::shell;
use crate::svcgen_in;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap()
}

/// Returns the paths of the book's pages.
fn pages() -> impl Iterator<Item = PathBuf> {
    let files = repository().join("docs").read_dir().unwrap();
    let files = files.map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "md"))
}

/// Returns the code for the comment before a block: a file, or the part of a file between
/// `ANCHOR: call` and `ANCHOR_END: call`, as `examples/guide/src/clients.rs:call`.
fn named(name: &str) -> String {
    let (path, anchor) = name.split_once(':').unwrap_or((name, ""));
    let text = text(path);
    let code = if anchor.is_empty() {
        &text
    } else {
        let part = text.split_once(&format!("// ANCHOR: {anchor}\n"));
        let part =
            part.and_then(|(_, rest)| rest.split_once(&format!("// ANCHOR_END: {anchor}\n")));
        part.unwrap_or_else(|| panic!("there is no part {name}")).0
    };
    let indented = code.len() - code.trim_start().len();
    let lines = code.trim_end().lines();
    let lines = lines.map(|line| line.get(indented..).unwrap_or_default());
    let shown: String = lines.flat_map(|line| [line, "\n"]).collect();
    // The examples share a folder of definitions; a reader's crate has its own.
    shown.replace("\"../service-defs/", "\"service-defs/")
}

/// Returns a page in which each block holds the code that the comment before it names:
/// `<!-- examples/axum/src/main.rs:routes -->`.
fn with_code(page: &str) -> String {
    let mut parts = page.split("```");
    let mut written = parts.next().unwrap().to_owned();
    while let Some(block) = parts.next() {
        let (language, shown) = block.split_once('\n').unwrap();
        let comment = written.lines().last().unwrap_or_default();
        let name = comment
            .strip_prefix("<!-- ")
            .and_then(|name| name.strip_suffix(" -->"));
        let code = name.map_or_else(|| shown.to_owned(), named);
        let is_compiled =
            name.is_some() || shown.starts_with("impl orders::OrdersHandler for Application ");
        assert!(
            language != "rust" || is_compiled,
            "name the file of examples/ that compiles this:\n{shown}"
        );
        written += &format!("```{language}\n{code}```{}", parts.next().unwrap());
    }
    written
}

/// Returns a definition of the examples, which refers to the schema of this repository, as in a
/// separate crate.
fn of_crate(definition: &str) -> String {
    let text = text(&format!("examples/service-defs/{definition}"));
    let (_, rest) = text.split_once("svcgen.schema.json\n").unwrap();
    format!("# yaml-language-server: $schema=svcgen.schema.json\n{rest}")
}

/// Creates a crate in a folder. Returns a function that reads its files.
fn made(folder: &Path, arguments: &[&str]) -> impl Fn(&str) -> String + use<> {
    let mut call: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"new"];
    call.extend(arguments.iter().map(|argument| argument as &dyn AsRef<_>));
    let made = svcgen_in(folder, &call, b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let folder = folder.join(arguments.last().unwrap());
    move |path| fs::read_to_string(folder.join(path)).unwrap()
}

/// `INSTA_UPDATE=always` updates the pages.
#[test]
fn pages_show_code_that_is_compiled() {
    for path in pages().chain([repository().join("README.md")]) {
        let page = fs::read_to_string(&path).unwrap();
        let written = with_code(&page);
        if env::var_os("INSTA_UPDATE").is_some_and(|how| how == "always") {
            fs::write(path, written).unwrap();
        } else {
            assert_eq!(
                page,
                written,
                "{}: `INSTA_UPDATE=always cargo test -p svcgen-cli --test command pages::` writes it anew",
                path.display()
            );
        }
    }
}

#[test]
fn the_manifest_of_the_readme_is_that_of_the_smallest_example() {
    let readme = text("README.md");
    let (_, shown) = readme.split_once("```toml\n# Cargo.toml\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    // In the repository the dependencies come from the workspace, elsewhere from git.
    let from_git = "{ git = \"https://github.com/svcgen/svcgen\" }";
    let (package, dependencies) = shown.split_once("\n\n").unwrap();
    assert_eq!(
        package,
        "[package]\nname = \"greeter\"\nversion = \"0.1.0\"\nedition = \"2024\""
    );
    let manifest = text("examples/greeter/Cargo.toml");
    let (_, manifest) = manifest.split_once("\n\n").unwrap();
    let (manifest, _) = manifest.split_once("\n[lints]").unwrap();
    let manifest = manifest
        .replace("svcgen.workspace = true", &format!("svcgen = {from_git}"))
        .replace(
            "svcgen-codegen.workspace = true",
            &format!("svcgen-codegen = {from_git}"),
        )
        .replace(
            "{ workspace = true, features",
            "{ version = \"1\", features",
        );
    assert_eq!(dependencies, manifest);
}

#[test]
fn pages_name_the_oldest_rust_that_is_supported() {
    let manifest = text("Cargo.toml");
    let (_, version) = manifest.split_once("\nrust-version = \"").unwrap();
    let (version, _) = version.split_once('"').unwrap();
    for page in ["README.md", "docs/quick-start.md"] {
        let page = text(page);
        let named = page.match_indices("Rust 1.");
        let named: Vec<_> = named
            .map(|(at, _)| &page[at + 5..at + 5 + version.len()])
            .collect();
        assert!(
            !named.is_empty() && named.iter().all(|one| *one == version),
            "{named:?}"
        );
    }
}

#[test]
fn a_new_crate_is_tested_as_an_example() {
    let folder = tempfile::tempdir().unwrap();
    let file = made(folder.path(), &["weather-station"]);
    assert_eq!(file("src/main.rs"), text("examples/guide/src/bin/new.rs"));
    let definition = file("service-defs/weather_station.yaml");
    assert_eq!(definition, of_crate("weather_station.yaml"));
    assert!(file("build.rs").ends_with(
        "\n\nfn main() {\n    svcgen_codegen::build([\"service-defs/weather_station.yaml\"]);\n}\n"
    ));
    assert_eq!(file(".gitignore"), "/target\n");
    let version = env!("CARGO_PKG_VERSION");
    let package =
        "[package]\nname = \"weather-station\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n";
    let dependencies = text("crates/cli/templates/dependencies.template")
        .replace("{{svcgen}}", &format!("version = \"{version}\""))
        .replace("{{svcgen-observe}}", &format!("version = \"{version}\""))
        .replace("{{svcgen-codegen}}", &format!("version = \"{version}\""))
        .replace("{{time}}", "# ")
        .replace("{{decimal}}", "# ")
        .replace("{{guid}}", "# ");
    let manifest = package.to_owned() + &dependencies;
    let manifest = manifest + &text("crates/cli/templates/profile.template");
    assert_eq!(file("Cargo.toml"), manifest);
}

#[test]
fn a_crate_of_a_service_is_tested_as_an_example_with_what_the_guide_writes() {
    let folder = tempfile::tempdir().unwrap();
    let host = original();
    let url = format!("{host}/Orders.asmx?wsdl");
    let file = made(folder.path(), &["--from", &url, "shop"]);
    let definition = file("service-defs/orders.yaml").replace(&host, HOST);
    assert_eq!(definition, of_crate("imported/orders.yaml"));
    assert!(file("svcgen.toml").ends_with("\noptional_methods = [\"*\"]\n"));
    assert!(file("build.rs").ends_with(
        "\n\nfn main() {\n    svcgen_codegen::build([\"service-defs/orders.yaml\"]);\n}\n"
    ));
    // The last handler of the guide; the one before has another answer.
    let page = text("docs/replace.md");
    let start = "impl orders::OrdersHandler for Application {";
    let handlers = page.match_indices(start);
    let handlers: Vec<_> = handlers
        .map(|(at, _)| page[at..].split_once("```").unwrap().0)
        .collect();
    let [first, last] = handlers[..] else {
        panic!("{handlers:?}")
    };
    let (line, moved) = page
        .split_once("```diff\n ")
        .unwrap()
        .1
        .split_once("\n+")
        .unwrap();
    let (moved, _) = moved.split_once("\n```").unwrap();
    let moved = moved.replace("\n+", "\n");
    let main = file("src/main.rs")
        .replace(&format!("{start}}}\n"), last)
        .replace(line, &format!("{line}\n{moved}"));
    let tested = text("examples/guide/src/bin/new_from.rs");
    assert_eq!(main, tested);
    assert_eq!(
        last.replace(
            "        let is_known = request.number == 7;\n        Ok(is_known.then(|| orders::Order {",
            "        Ok(Some(orders::Order {"
        ),
        first
    );
}

#[test]
fn the_calls_of_pages_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let mut known = 0;
    for path in pages() {
        let page = fs::read_to_string(path).unwrap();
        for line in page.lines().filter(|line| line.starts_with("$ svcgen ")) {
            // The options before `--help` are parsed.
            let call = line.split(" | ").next().unwrap().trim_start_matches("$ ");
            let (code, said) = shell(folder.path(), 0, &format!("{call} --help"));
            assert_eq!(code, 0, "{call}: {said}");
            known += 1;
        }
    }
    assert!(known > 10, "{known}");
}
