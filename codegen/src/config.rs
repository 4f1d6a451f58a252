//! Options: one row each, for the build script, the macro and the command.

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
                Self { $($name: $parse($default).expect("defaults are fine")),+ }
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
        pub const OPTIONS: &[OptionRow] = &[$(
            OptionRow {
                name: stringify!($name),
                about: $about.trim_ascii(),
                default: $default,
                set: |config, value| {
                    config.$name = $parse(value)?;
                    Ok(())
                },
            }
        ),+];
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
