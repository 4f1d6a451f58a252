//! `svcgen new`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use clap::{Args, ValueHint};
use heck::{ToKebabCase, ToSnakeCase, ToUpperCamelCase};
use svcgen_codegen::Config;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::import::Reading;
use crate::{files, schema};
use from::CrateFiles;

mod from;

/// Creates a crate with a definition, a server and a test
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen new weather-station           service WeatherStation
  svcgen new Weather --out services/w  in another folder than ./weather
  svcgen new weather --path ../svcgen  with svcgen from a checkout
  svcgen new --from orders.yaml shop   the service of a definition
  svcgen new --from https://example.com/Orders.asmx?wsdl shop")]
pub(crate) struct Arguments {
    /// Name of the crate (letters, digits, - and _); without --from, also of its service
    #[arg(value_parser = Name::read)]
    name: Name,

    /// Folder to create [default: the name of the crate]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Serves the service of this definition, or of any WSDL that `svcgen import` takes; operations
    /// answer faults until you write their methods
    #[arg(long, value_name = "ADDRESS", value_hint = ValueHint::AnyPath)]
    from: Vec<String>,

    /// Depends on this checkout of svcgen instead of the published version
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

/// Paths of files, each with its template in the folder of templates.
macro_rules! templates {
    ($($file:literal: $template:literal,)*) => {
        &[$(($file, include_str!(concat!("../templates/", $template, ".template")))),*]
    };
}

/// The files of the crate, with `{{…}}` for names.
const TEMPLATES: &[(&str, &str)] = templates! {
    "build.rs": "build.rs",
    "src/main.rs": "src/main.rs",
    "service-defs/{{module}}.yaml": "service-defs/service.yaml",
    ".gitignore": "gitignore",
};

/// The files of a crate with the service of a definition, besides the definition.
const FROM: &[(&str, &str)] = templates! {
    "build.rs": "from/build.rs",
    "src/main.rs": "from/main.rs",
    "svcgen.toml": "from/svcgen.toml",
    ".gitignore": "gitignore",
};

/// The dependencies of its manifest.
const DEPENDENCIES: &str = include_str!("../templates/dependencies.template");

/// The profiles of a crate that is not in a workspace; for members they are in the workspace's
/// manifest.
const PROFILE: &str = include_str!("../templates/profile.template");

/// Modules that Cargo allows but that collide with crates or with names in `main.rs`.
const TAKEN: [&str; 15] = [
    "alloc",
    "chrono",
    "core",
    "env",
    "gen",
    "proc_macro",
    "process",
    "rust_decimal",
    "std",
    "svcgen",
    "tests",
    "tokio",
    "tracing",
    "tracing_subscriber",
    "uuid",
];

/// Creates the crate.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let package = PathBuf::from(&arguments.name.package);
    let folder = arguments.out.as_ref().unwrap_or(&package);
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        let folder = folder.display();
        return Err(format!("{folder} is not empty; nothing is overwritten").into());
    }
    let from = match arguments.from.as_slice() {
        [] => None,
        addresses => Some(from::read(addresses, &arguments.reading, console)?),
    };
    Ok(create(arguments, from, folder, console)?)
}

fn create(
    arguments: &Arguments,
    from: Option<CrateFiles>,
    folder: &Path,
    console: &Console,
) -> Result<Exit, String> {
    let name = &arguments.name;
    let features = from.iter().flat_map(|from| &from.features);
    let features: BTreeSet<_> = features.copied().collect();
    let mut svcgen = source(arguments, "crates/svcgen")?;
    if !features.is_empty() {
        let listed: Vec<_> = features.iter().collect();
        svcgen += &format!(", features = {listed:?}");
    }
    let mut dependencies = DEPENDENCIES
        .replace("{{svcgen}}", &svcgen)
        .replace("{{svcgen-observe}}", &source(arguments, "crates/observe")?)
        .replace("{{svcgen-codegen}}", &source(arguments, "codegen")?);
    for feature in ["time", "decimal", "guid"] {
        let start = if features.contains(feature) { "" } else { "# " };
        dependencies = dependencies.replace(&format!("{{{{{feature}}}}}"), start);
    }
    // `cargo init` adds the crate to a surrounding workspace and inherits its settings.
    let init = ["init", "--quiet", "--vcs", "none", "--name"];
    cargo(&[&init[..], &[&name.package]].concat(), folder)?;
    let path = folder.join("Cargo.toml");
    let manifest = fs::read_to_string(&path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let mut manifest = manifest.replace("[dependencies]\n", &dependencies);
    // If the crate is not a member, Cargo explains what to add.
    let locate = ["locate-project", "--message-format", "plain", "--workspace"];
    let root = cargo(&[&locate[..], &["--manifest-path"]].concat(), &path);
    let is_own = root.as_ref().is_ok_and(|root| {
        let both = [Path::new(root), &path].map(Path::canonicalize);
        matches!(both, [Ok(root), Ok(own)] if root == own)
    });
    if is_own {
        manifest.push_str(PROFILE);
    }
    let filled = match from {
        Some(from) => from.files,
        None => TEMPLATES
            .iter()
            .map(|(file, template)| (name.fill(file), name.fill(template)))
            .collect(),
    };
    let schema = (format!("{}/{}", from::FOLDER, schema::FILE), schema::text());
    let first = ("Cargo.toml".to_owned(), manifest);
    let written = [first].into_iter().chain(filled).chain([schema]);
    let exit = files::write_all(folder, written, console);
    let root = root?;
    if is_own {
        return Ok(exit);
    }
    Ok(exit.max(console.print(format!("joined the workspace of {root}\n"))))
}

/// Returns the source of a dependency on svcgen, as a key of the manifest.
fn source(arguments: &Arguments, folder: &str) -> Result<String, String> {
    let Some(checkout) = &arguments.path else {
        return Ok(format!("version = {:?}", env!("CARGO_PKG_VERSION")));
    };
    let folder = checkout.join(folder);
    match folder.canonicalize() {
        Ok(folder) => Ok(format!("path = {folder:?}")),
        Err(error) => Err(format!(
            "{} is not a checkout of svcgen: {}: {error}",
            checkout.display(),
            folder.display()
        )),
    }
}

/// Runs Cargo for a path and returns its output.
fn cargo(arguments: &[&str], path: &Path) -> Result<String, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let ran = Command::new(cargo).args(arguments).arg(path).output();
    let ran = ran.map_err(|error| format!("cargo cannot be run: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if ran.status.success() {
        return Ok(text(&ran.stdout));
    }
    let complaint = text(&ran.stderr);
    let complaint = complaint.split("\nhelp: ").next().unwrap_or_default();
    Err(complaint.trim_start_matches("error: ").to_owned())
}

/// A name in three forms: `weather-station`, `weather_station`, `WeatherStation`.
#[derive(Debug, Clone)]
struct Name {
    package: String,
    module: String,
    service: String,
}

impl Name {
    fn read(text: &str) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) || !text.chars().all(fits) {
            return Err(
                "a name has ASCII letters, digits, - and _, and starts with a letter".to_owned(),
            );
        }
        let name = Self {
            package: text.to_kebab_case(),
            module: text.to_snake_case(),
            service: text.to_upper_camel_case(),
        };
        if TAKEN.contains(&name.module.as_str()) {
            return Err("the crate uses something else of that name".to_owned());
        }
        name.check_module().map(|()| name)
    }

    /// Checks that the generator and the templates agree on the name of the module.
    fn check_module(&self) -> Result<(), String> {
        let definition = format!(
            "service: {}\nnamespace: urn:s\npath: /s\noperations: {{ A: }}",
            self.service
        );
        match Config::new().generate("new.yaml", &definition) {
            Ok(output) if output.name == self.module => Ok(()),
            Ok(output) => Err(format!(
                "its module would be called `{}`: use that name",
                output.name
            )),
            Err(diagnostics) => Err(diagnostics.to_string()),
        }
    }

    fn fill(&self, template: &str) -> String {
        template
            .replace("{{crate}}", &self.package)
            .replace("{{module}}", &self.module)
            .replace("{{Service}}", &self.service)
    }
}
