//! `svcgen new`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use heck::{ToKebabCase, ToSnakeCase, ToUpperCamelCase};
use svcgen_codegen::Config;

use crate::console::Console;
use crate::exit::Exit;
use crate::{files, schema};

const EXAMPLES: &str = "\
Examples:
  svcgen new weather-station             the crate weather-station with the service WeatherStation
  svcgen new Weather --path services/w   in another folder than ./weather";

/// Makes a crate with a commented definition, a server that runs, and a test
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What the service and its crate are called: letters, digits, - and _
    #[arg(value_parser = Name::read)]
    name: Name,

    /// The folder to make; nothing may be in it
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
}

/// The files of the crate, with `{{…}}` where names stand.
const TEMPLATES: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        include_str!("../templates/Cargo.toml.template"),
    ),
    ("build.rs", include_str!("../templates/build.rs.template")),
    (
        "src/main.rs",
        include_str!("../templates/src/main.rs.template"),
    ),
    (
        "service-defs/{{module}}.yaml",
        include_str!("../templates/service-defs/service.yaml.template"),
    ),
    (
        ".gitignore",
        include_str!("../templates/gitignore.template"),
    ),
];

/// Names that Cargo or the edition keeps for itself, those of crates that the new one needs, and of what stands in its `main.rs`.
const TAKEN: [&str; 15] = [
    "alloc",
    "build",
    "core",
    "deps",
    "env",
    "examples",
    "gen",
    "incremental",
    "io",
    "proc-macro",
    "std",
    "svcgen",
    "test",
    "tests",
    "tokio",
];

/// Makes the crate.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Exit {
    let name = &arguments.name;
    let folder = arguments
        .path
        .clone()
        .unwrap_or_else(|| PathBuf::from(&name.package));
    if let Err(complaint) = check_empty(&folder) {
        return console.error(complaint);
    }
    let filled = TEMPLATES.iter();
    let filled = filled.map(|(file, template)| (name.fill(file), name.fill(template)));
    let schema = ("service-defs/svcgen.schema.json".to_owned(), schema::text());
    files::write_all(&folder, filled.chain([schema]), console)
}

fn check_empty(folder: &Path) -> Result<(), String> {
    let name = folder.display();
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("{name} is not empty; nothing is overwritten")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(format!("{name} cannot be written to: {error}")),
    }
}

/// A name in its three forms: `weather-station`, `weather_station`, `WeatherStation`.
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
        if TAKEN.contains(&name.package.as_str())
            || syn::parse_str::<syn::Ident>(&name.module).is_err()
        {
            return Err("Rust or Cargo has something else of that name".to_owned());
        }
        name.check_module().map(|()| name)
    }

    /// Holds that the generator calls the module as the templates do.
    fn check_module(&self) -> Result<(), String> {
        let definition = format!(
            "service: {}\nnamespace: urn:s\npath: /s\noperations: {{ A: }}",
            self.service
        );
        match Config::new().generate("new.yaml", &definition) {
            Ok(output) if output.name == self.module => Ok(()),
            Ok(output) => Err(format!(
                "its module would be called `{}`: use that",
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
            .replace("{{version}}", env!("CARGO_PKG_VERSION"))
    }
}
