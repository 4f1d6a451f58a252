//! Options: one row each, for the build script, the macro and the command.

use std::collections::BTreeMap;

use crate::model::SIMPLE_TYPES;
use crate::naming;

/// What can be chosen about the generated code.
///
/// ```
/// let config = svcgen_codegen::Config::new().client(false);
/// # let _ = config;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    pub(crate) client: bool,
    pub(crate) server: bool,
    pub(crate) runtime: String,
    /// Rust types by the names of the simple types that they hold.
    pub(crate) simple_types: BTreeMap<String, String>,
}

/// An option, for doors that know options by their names.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct OptionRow {
    /// `client`.
    pub name: &'static str,
    /// What the option does, in one line.
    pub about: &'static str,
    /// The value that it has unless another is given.
    pub default: &'static str,
    /// Sets the option from text.
    pub set: fn(&mut Config, &str) -> Result<(), String>,
}

macro_rules! options {
    ($(#[doc = $about:literal] $name:ident: $kind:ty = $default:literal, $parse:path;)+) => {
        impl Default for Config {
            fn default() -> Self {
                Self {
                    $($name: $parse($default).expect("defaults are fine"),)+
                    simple_types: BTreeMap::new(),
                }
            }
        }

        impl Config {
            /// The options, all at their defaults.
            pub fn new() -> Self {
                Self::default()
            }

            $(
                #[doc = $about]
                #[doc = ""]
                #[doc = concat!("Default: `", $default, "`.")]
                #[must_use]
                pub fn $name(mut self, $name: $kind) -> Self {
                    self.$name = $name.into();
                    self
                }
            )+
        }

        /// The options by name.
        pub const OPTIONS: &[OptionRow] = &[
            $(OptionRow {
                name: stringify!($name),
                about: $about.trim_ascii(),
                default: $default,
                set: |config, value| {
                    config.$name = $parse(value)?;
                    Ok(())
                },
            },)+
            OptionRow {
                name: "simple_type",
                about: "The Rust type of all values of a simple type: `dateTime=crate::Moment`. May be given for several types.",
                default: "",
                set: |config, value| config.add_simple_type(value),
            },
        ];
    };
}

options! {
    /// Whether the client is generated.
    client: bool = "true", parse_bool;
    /// Whether the handler and the server are generated.
    server: bool = "true", parse_bool;
    /// The path of the runtime in the crate that the code is for.
    runtime: &str = "svcgen", parse_path;
}

impl Config {
    /// The Rust type of all values of a simple type, by its path as seen from the emitted module. It implements `svcgen::Value`,
    /// `Default`, `Debug`, `Clone` and `PartialEq`. Secrets keep the type that they have.
    ///
    /// ```
    /// let config = svcgen_codegen::Config::new().simple_type("dateTime", "crate::Moment");
    /// # let _ = config;
    /// ```
    ///
    /// Default: the types of `service-defs/README.md`. Generating reports a name that is no simple type, and a path that is none.
    #[must_use]
    pub fn simple_type(mut self, name: &str, path: &str) -> Self {
        self.simple_types.insert(name.to_owned(), path.to_owned());
        self
    }

    fn add_simple_type(&mut self, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Ok(());
        }
        let (name, path) = value
            .split_once('=')
            .ok_or_else(|| format!("`{value}` is not written like `dateTime=crate::Moment`"))?;
        check_simple_type(name, path)?;
        self.simple_types.insert(name.to_owned(), path.to_owned());
        Ok(())
    }
}

/// Holds that a simple type can be kept in a Rust type.
pub(crate) fn check_simple_type(name: &str, path: &str) -> Result<(), String> {
    if !SIMPLE_TYPES.iter().any(|simple| simple.name == name) {
        let near = naming::nearest(name, SIMPLE_TYPES.iter().map(|simple| simple.name));
        let near = near.map(|near| format!("; did you mean `{near}`?"));
        return Err(format!(
            "`{name}` is no simple type{}",
            near.unwrap_or_default()
        ));
    }
    match naming::is_rust_path(path) {
        true => Ok(()),
        false => Err(format!("`{path}` is not the path of a Rust type")),
    }
}

fn parse_bool(value: &str) -> Result<bool, String> {
    value
        .parse()
        .map_err(|_| format!("`{value}` is neither `true` nor `false`"))
}

fn parse_path(value: &str) -> Result<String, String> {
    match syn::parse_str::<syn::Path>(value) {
        Ok(_) => Ok(value.to_owned()),
        Err(_) => Err(format!(
            "`{value}` is not a path like `svcgen` or `crate::svcgen`"
        )),
    }
}
