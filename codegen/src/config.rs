//! Options: one row each, for the build script, the macro, the command and `svcgen.toml`.

use std::sync::Arc;

use crate::diagnostic::Source;
use crate::options::{self, List, Pairs, Setting, Switch, Text};
use crate::text::without_mark;

/// What can be chosen about the generated code.
///
/// ```
/// let config = svcgen_codegen::Config::new().client(false).bindings(["soap11", "soap12"]);
/// # let _ = config;
/// ```
///
/// Of a switch or a text the last value holds; lists and pairs add up. [`generate_file`](Self::generate_file) and
/// [`build`](Self::build) take the options of the nearest `svcgen.toml`, too.
/// Generating reports values that an option cannot have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    pub(crate) settings: Vec<Setting>,
    pub(crate) file: Option<Arc<Source>>,
}

/// An option, for entry points that know options by their names.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct OptionRow {
    /// `client`.
    pub name: &'static str,
    /// What the option does, in one line.
    pub about: &'static str,
    /// The value that it has if none is given.
    pub default: &'static str,
    /// A value that it can have.
    pub example: &'static str,
    /// How its values are written.
    pub form: OptionForm,
    /// Says what is wrong with a setting.
    pub(crate) check: fn(&Setting) -> Result<(), String>,
}

/// How the values of an option are written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionForm {
    /// `true` or `false`.
    Switch,
    /// As it stands.
    Text,
    /// Several, with commas between them.
    List,
    /// `KEY=VALUE`.
    Pairs,
}

macro_rules! options {
    ($(
        #[doc = $about:literal] $(#[doc = $more:literal])*
        $name:ident: $kind:ident = $default:literal, $example:literal, $check:path;
    )+) => {
        /// The options with the values that they have.
        #[derive(Debug)]
        pub(crate) struct Options {
            $(pub $name: $kind,)+
        }

        impl Options {
            /// What settings that have been checked come to.
            pub fn of(settings: &[Setting]) -> Self {
                Self { $($name: value!($kind, settings, stringify!($name), $default),)+ }
            }
        }

        impl Config {
            /// The options, all at their defaults.
            pub fn new() -> Self {
                Self::default()
            }

            $(method! {
                $kind $name
                #[doc = $about] $(#[doc = $more])*
                #[doc = ""]
                #[doc = concat!("As text: `", $example, "`.")]
                #[must_use]
            })+
        }

        /// The options by name.
        pub const OPTIONS: &[OptionRow] = &[
            $(OptionRow {
                name: stringify!($name),
                about: $about.trim_ascii(),
                default: $default,
                example: $example,
                form: OptionForm::$kind,
                check: $check,
            },)+
        ];
    };
}

macro_rules! value {
    (Switch, $settings:ident, $name:expr, $default:literal) => {
        options::text($settings, $name, $default) == "true"
    };
    (Text, $settings:ident, $name:expr, $default:literal) => {
        options::text($settings, $name, $default)
    };
    (List, $settings:ident, $name:expr, $default:literal) => {
        options::list($settings, $name)
    };
    (Pairs, $settings:ident, $name:expr, $default:literal) => {
        options::pairs($settings, $name)
    };
}

macro_rules! method {
    (Switch $name:ident $(#[$attribute:meta])+) => {
        $(#[$attribute])+
        pub fn $name(self, $name: bool) -> Self {
            self.with(stringify!($name), "", &$name.to_string())
        }
    };
    (Text $name:ident $(#[$attribute:meta])+) => {
        $(#[$attribute])+
        pub fn $name(self, $name: &str) -> Self {
            self.with(stringify!($name), "", $name)
        }
    };
    (List $name:ident $(#[$attribute:meta])+) => {
        $(#[$attribute])+
        pub fn $name(self, $name: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
            $name.into_iter().fold(self, |config, item| config.with(stringify!($name), "", item.as_ref()))
        }
    };
    (Pairs $name:ident $(#[$attribute:meta])+) => {
        $(#[$attribute])+
        pub fn $name(self, of: &str, value: &str) -> Self {
            self.with(stringify!($name), of, value)
        }
    };
}

options! {
    /// Whether the client is generated.
    client: Switch = "true", "false", options::is_switch;
    /// Whether the handler trait and the server are generated.
    ///
    /// Without the client, too, there are types alone.
    server: Switch = "true", "false", options::is_switch;
    /// Whether the server can write its WSDL and help page.
    documents: Switch = "true", "false", options::is_switch;
    /// Bindings to offer operations over, of those in the definition.
    bindings: List = "", "soap11,soap12", options::is_binding;
    /// Path of the runtime, as seen from the generated code.
    runtime: Text = "svcgen", "crate::svcgen", options::is_path;
    /// Visibility of the generated items: `pub` or `pub(crate)`.
    visibility: Text = "pub", "pub(crate)", options::is_visibility;
    /// Rust type of your own for a type of the definition or a simple type.
    ///
    /// The path is as seen from the emitted module. A type for a complex type implements `svcgen::Complex`, one for an enumeration `svcgen::Enumeration` and `svcgen::Value`;
    /// both are imported instead of emitted. One for a simple type implements `svcgen::Value`. All of them are `Default`, `Debug`,
    /// `Clone` and `PartialEq`. Secrets keep the type that they have, and so does what says `rust_type` in the definition.
    extern_path: Pairs = "", "dateTime=crate::Moment", options::is_rust_type;
    /// Rust type of text.
    ///
    /// `Box<str>`, `std::sync::Arc<str>`, `svcgen::compact_str::CompactString` (feature `compact_str`), or one of your own that
    /// implements `svcgen::Value`, `Default`, `Debug`, `Clone` and `PartialEq`. Secrets are `String`s all the same.
    string_type: Text = "String", "Box<str>", options::is_rust_type;
    /// Attribute to add to types, by a pattern of their names.
    ///
    /// A pattern is `.` for all, a name of the definition (`LoginResult`) or of what is emitted for it (`LoginRequest`,
    /// `AnyAnimal`), and `*` in it stands for any characters. One that matches nothing is an error.
    type_attribute: Pairs = "", "*Request=#[must_use]", options::is_attribute;
    /// Attribute to add to fields and variants, by a pattern of their paths.
    ///
    /// `LoginResult.Message` is the field of an element, `Colour.Red` the variant of a value; `LoginResult` all that it has.
    field_attribute: Pairs = "", "Kind.Gift=#[doc(hidden)]", options::is_attribute;
    /// Traits to derive for types, by a pattern of their names.
    ///
    /// All types derive `Debug`, `Clone` and `PartialEq`; what a type derives already is left out.
    type_derive: Pairs = "", "Kind=PartialOrd, Ord", options::is_derive;
    /// Whether types derive `serde::Serialize` and `serde::Deserialize`.
    ///
    /// Fields and variants have their names on the wire. Secrets are written as nothing.
    serde: Switch = "false", "true", options::is_switch;
    /// Types, by patterns, that are `#[non_exhaustive]`.
    non_exhaustive: List = "", "*Request,Kind", options::is_pattern;
    /// Structs, by patterns, that get `new()` and `with_FIELD(value)`.
    builders: List = "", "*Request", options::is_pattern;
    /// Enumerations, by patterns, that keep unknown names as `Other(String)`.
    ///
    /// As `open: true` in the definition; for enumerations that are emitted.
    open_enums: List = "", "Kind", options::is_pattern;
    /// Operations, by patterns, whose handler methods have a default body: a fault.
    default_methods: List = "", "Ping", options::is_pattern;
}

impl Config {
    /// Takes the options of a `svcgen.toml`, too: `name` is how messages call it. What calls say holds over what it says.
    ///
    /// ```
    /// let config = svcgen_codegen::Config::new().options_file("svcgen.toml", "client = false");
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn options_file(mut self, name: &str, text: &str) -> Self {
        let (text, mark) = without_mark(text);
        self.file = Some(Arc::new(Source::new(name, text, mark)));
        self
    }

    fn with(mut self, option: &'static str, key: &str, value: &str) -> Self {
        self.settings.push(Setting::new(option, key, value));
        self
    }
}
