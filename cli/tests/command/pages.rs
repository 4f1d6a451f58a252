//! Programs that pages show, and those that `svcgen new` writes, are the ones of `examples/`, which are compiled and tested there.
//! `follow/` follows the pages with all their commands.

use std::fs;
use std::path::{Path, PathBuf};

use crate::original::{HOST, original};
use crate::shell::shell;
use crate::svcgen_in;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap()
}

/// A file of the examples, without the comment in its first lines, which says what it is.
fn program(path: &str) -> String {
    let text = text(path);
    text.split_once("\n\n").unwrap().1.to_owned()
}

/// The block of a page that is a file of a crate: its first line is a comment with the path.
fn file_of(page: &str, path: &str) -> String {
    let page = text(page);
    let blocks = page.split("```").skip(1).step_by(2);
    let mut files = blocks.filter_map(|block| {
        let (name, text) = block.split_once('\n')?.1.split_once('\n')?;
        name.ends_with(&format!(" {path}")).then_some(text)
    });
    files.next().unwrap().to_owned()
}

/// Makes a crate in a folder; the text of a file of it.
fn made(folder: &Path, arguments: &[&str]) -> impl Fn(&str) -> String + use<> {
    let mut call: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"new"];
    call.extend(arguments.iter().map(|argument| argument as &dyn AsRef<_>));
    let made = svcgen_in(folder, &call, b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let folder = folder.join(arguments.last().unwrap());
    move |path| fs::read_to_string(folder.join(path)).unwrap()
}

#[test]
fn the_program_of_the_readme_is_the_smallest_example() {
    let shown = |path| file_of("README.md", path);
    assert_eq!(
        shown("service-defs/greeter.yaml"),
        text("examples/service-defs/greeter.yaml")
    );
    let build = program("examples/greeter/build.rs").replace("../service-defs", "service-defs");
    assert_eq!(shown("build.rs"), build);
    let main = program("examples/greeter/src/main.rs");
    let (main, _) = main.split_once("\n#[cfg(test)]").unwrap();
    assert_eq!(shown("src/main.rs"), main);
    // In the repository the dependencies are those of the workspace; others take them from it.
    let from_git = "{ git = \"https://github.com/svcgen/svcgen\" }";
    let shown = shown("Cargo.toml");
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
fn the_program_that_calls_is_compiled() {
    let main = program("examples/guide/src/bin/call.rs");
    assert_eq!(file_of("docs/call.md", "src/main.rs"), main);
}

#[test]
fn a_new_crate_is_tested_as_an_example() {
    let folder = tempfile::tempdir().unwrap();
    let file = made(folder.path(), &["weather-station"]);
    assert_eq!(file("src/main.rs"), text("examples/guide/src/bin/new.rs"));
    let schema = "svcgen.schema.json";
    let definition = text("examples/service-defs/weather_station.yaml")
        .replace(&format!("../../service-defs/{schema}"), schema);
    assert_eq!(file("service-defs/weather_station.yaml"), definition);
    assert!(file("build.rs").ends_with(
        "\n\nfn main() {\n    svcgen_codegen::build([\"service-defs/weather_station.yaml\"]);\n}\n"
    ));
    assert_eq!(file(".gitignore"), "/target\n");
    let version = env!("CARGO_PKG_VERSION");
    let package =
        "[package]\nname = \"weather-station\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n";
    let dependencies = text("cli/templates/dependencies.template")
        .replace(
            "{{svcgen}}",
            &format!("version = \"{version}\", features = [\"signals\", \"tracing\"]"),
        )
        .replace("{{svcgen-codegen}}", &format!("version = \"{version}\""))
        .replace("{{time}}", "# ")
        .replace("{{decimal}}", "# ")
        .replace("{{guid}}", "# ");
    let manifest = package.to_owned() + &dependencies;
    let manifest = manifest + &text("cli/templates/profile.template");
    assert_eq!(file("Cargo.toml"), manifest);
}

#[test]
fn a_crate_of_a_service_is_tested_as_an_example_with_what_the_guide_writes() {
    let folder = tempfile::tempdir().unwrap();
    let host = original();
    let url = format!("{host}/Orders.asmx?wsdl");
    let file = made(folder.path(), &["--from", &url, "shop"]);
    let definition = file("service-defs/orders.yaml").replace(&host, HOST);
    assert_eq!(
        definition,
        text("examples/service-defs/imported/orders.yaml")
    );
    assert!(file("svcgen.toml").ends_with("\noptional_methods = [\"*\"]\n"));
    assert!(file("build.rs").ends_with(
        "\n\nfn main() {\n    svcgen_codegen::build([\"service-defs/orders.yaml\"]);\n}\n"
    ));
    // The last one of the guide; the one before differs in what it answers.
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
    for page in repository().join("docs").read_dir().unwrap() {
        let path = page.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let page = fs::read_to_string(path).unwrap();
        for line in page.lines().filter(|line| line.starts_with("$ svcgen ")) {
            // Options are looked at up to this one.
            let call = line.split(" | ").next().unwrap().trim_start_matches("$ ");
            let (code, said) = shell(folder.path(), 0, &format!("{call} --help"));
            assert_eq!(code, 0, "{call}: {said}");
            known += 1;
        }
    }
    assert!(known > 10, "{known}");
}
