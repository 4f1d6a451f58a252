//! Options: a row each, for the build script, the macro, the command and `svcgen.toml`, and the values that hold for a service.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use svcgen_language::diagnostic::Source;
use svcgen_language::sink::PendingSpan;
use svcgen_language::text::without_mark;

use crate::imported::Import;
use crate::model::{Binding, Bindings};
use crate::option_values::{self as values, Attributes, Layer, Setting, Values, Visibility};
use crate::pattern::Pattern;

/// What can be chosen about the generated code.
///
/// ```
/// use svcgen_codegen::{Binding, Config};
/// let config = Config::new().client(false).bindings([Binding::Soap11, Binding::Soap12]);
/// # let _ = config;
/// ```
///
/// A later switch or text replaces an earlier one; lists and pairs add up. [`generate_file`](Self::generate_file) and
/// [`build`](Self::build) also read the nearest `svcgen.toml`. Generating reports invalid values.
#[derive(Debug, Clone, Default)]
pub struct Config {
    pub(crate) settings: Settings,
    /// Options that were set to an invalid value, with the reason in a sentence.
    pub(crate) refused: Vec<(&'static str, String)>,
    pub(crate) file: Option<Arc<Source>>,
    pub(crate) importer: Option<&'static dyn Import>,
}

/// Configurations are equal if their options are, whatever imports WSDLs.
impl PartialEq for Config {
    fn eq(&self, other: &Self) -> bool {
        self.settings == other.settings && self.refused == other.refused && self.file == other.file
    }
}

impl Eq for Config {}

/// An option, for entry points that know options by their names.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct OptionRow {
    /// `client`.
    pub name: &'static str,
    /// What the option does, in one line.
    pub about: &'static str,
    /// The default value.
    pub default: &'static str,
    /// A valid value.
    pub example: &'static str,
    /// How its values are written.
    pub form: OptionForm,
    /// Parses and adds a value; the first text is what a pair applies to.
    pub(crate) add: fn(&mut Settings, &str, &str, Layer, PendingSpan) -> Result<(), String>,
}

/// How the values of an option are written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionForm {
    /// `true` or `false`.
    Switch,
    /// The text itself.
    Text,
    /// The path of a folder; several are several values.
    Folder,
    /// Several, separated by commas.
    List,
    /// `KEY=VALUE`.
    Pairs,
}

impl OptionRow {
    /// Sets the option from text.
    ///
    /// # Errors
    ///
    /// The value is invalid: the reason, in a sentence.
    pub fn set(&self, config: &mut Config, text: &str) -> Result<(), String> {
        let mut add = |of, value| self.add_of_call(&mut config.settings, of, value);
        match self.form {
            OptionForm::Folder | OptionForm::Pairs if text.is_empty() => Ok(()),
            OptionForm::Switch | OptionForm::Text | OptionForm::Folder => add("", text),
            OptionForm::List => listed(text).try_for_each(|item| add("", item)),
            OptionForm::Pairs => match text.split_once('=') {
                Some((of, value)) => add(of, value),
                None => Err(format!("`{text}` is not written like `{}`", self.example)),
            },
        }
    }

    fn add_of_call(&self, settings: &mut Settings, of: &str, value: &str) -> Result<(), String> {
        (self.add)(settings, of, value, Layer::Call, PendingSpan::Nowhere)
    }
}

/// The items of a list that is written as one text, separated by commas.
pub(crate) fn listed(text: &str) -> impl Iterator<Item = &str> {
    let items = text.split(',').map(str::trim);
    items.filter(|item| !item.is_empty())
}

macro_rules! options {
    ($(
        #[doc = $about:literal] $(#[doc = $more:literal])*
        $name:ident: $kind:ident<$type:ty> = $parse:path, $default:literal, $example:literal;
    )+) => {
        /// What the options were set to.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub(crate) struct Settings {
            $(pub $name: Values<$type>,)+
        }

        /// The values of the options.
        #[derive(Debug)]
        pub(crate) struct Options {
            $(pub $name: option!($kind $type),)+
        }

        impl Settings {
            /// Adds the settings of a later layer.
            pub fn extend(&mut self, later: Self) {
                $(self.$name.0.extend(later.$name.0);)+
            }

            /// The values of the options: what they were set to, or their defaults.
            pub fn options(self) -> Options {
                Options { $($name: resolve!($kind self.$name, $parse, $default),)+ }
            }
        }

        impl Config {
            /// The options, all at their defaults.
            pub fn new() -> Self {
                Self::default()
            }

            $(method! {
                $kind $name $type,
                #[doc = $about] $(#[doc = $more])*
                #[doc = ""]
                #[doc = concat!("As text: `", $example, "`.")]
                #[must_use]
            })+
        }

        /// The options by name.
        // Only pairs have something that they apply to.
        #[allow(unused_variables)]
        pub const OPTIONS: &[OptionRow] = &[
            $(OptionRow {
                name: stringify!($name),
                about: $about.trim_ascii(),
                default: $default,
                example: $example,
                form: form!($kind),
                add: |settings, of, text, layer, span| {
                    let (pattern, value) = parse!($kind $parse, of.trim(), text.trim());
                    settings.$name.0.push(Setting { pattern, value, layer, span });
                    Ok(())
                },
            },)+
        ];
    };
}

// Kinds of options. Setters of `Switch`, `Word`, `Set` and `Folder` take typed values; those of `Text`, `List` and `Pairs` take texts, which they parse.

macro_rules! form {
    (Word) => {
        OptionForm::Text
    };
    (Set) => {
        OptionForm::List
    };
    ($kind:ident) => {
        OptionForm::$kind
    };
}

macro_rules! option {
    (Switch $type:ty) => { $type };
    (Word $type:ty) => { $type };
    (Text $type:ty) => { $type };
    ($kind:ident $type:ty) => { Values<$type> };
}

macro_rules! resolve {
    (List $values:expr, $parse:path, $default:literal) => {
        $values.of_last_layer()
    };
    (Set $values:expr, $parse:path, $default:literal) => {
        $values.of_last_layer()
    };
    (Folder $values:expr, $parse:path, $default:literal) => {
        $values
    };
    (Pairs $values:expr, $parse:path, $default:literal) => {
        $values
    };
    ($kind:ident $values:expr, $parse:path, $default:literal) => {
        $values
            .last()
            .unwrap_or_else(|| $parse($default).expect("an option can have its default"))
    };
}

macro_rules! parse {
    (List $parse:path, $of:expr, $text:expr) => {
        ($parse($text)?, ())
    };
    (Pairs $parse:path, $of:expr, $text:expr) => {
        (Pattern::parse($of)?, $parse($text)?)
    };
    ($kind:ident $parse:path, $of:expr, $text:expr) => {
        (Pattern::default(), $parse($text)?)
    };
}

macro_rules! method {
    (Set $name:ident $type:ty, $(#[$attribute:meta])+) => {
        $(#[$attribute])+
        pub fn $name(mut self, $name: impl IntoIterator<Item = $type>) -> Self {
            $name.into_iter().for_each(|value| self.settings.$name.push(value));
            self
        }
    };
    (Folder $name:ident $type:ty, $(#[$attribute:meta])+) => {
        $(#[$attribute])+
        pub fn $name(mut self, $name: impl Into<$type>) -> Self {
            self.settings.$name.push($name.into());
            self
        }
    };
    (Text $name:ident $type:ty, $(#[$attribute:meta])+) => {
        $(#[$attribute])+
        pub fn $name(self, $name: &str) -> Self {
            self.with(stringify!($name), "", $name)
        }
    };
    (List $name:ident $type:ty, $(#[$attribute:meta])+) => {
        $(#[$attribute])+
        pub fn $name(self, $name: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
            $name.into_iter().fold(self, |config, item| config.with(stringify!($name), "", item.as_ref()))
        }
    };
    (Pairs $name:ident $type:ty, $(#[$attribute:meta])+) => {
        $(#[$attribute])+
        pub fn $name(self, of: &str, value: &str) -> Self {
            self.with(stringify!($name), of, value)
        }
    };
    ($kind:ident $name:ident $type:ty, $(#[$attribute:meta])+) => {
        $(#[$attribute])+
        pub fn $name(mut self, $name: $type) -> Self {
            self.settings.$name.push($name);
            self
        }
    };
}

options! {
    /// Whether the client is generated.
    client: Switch<bool> = values::switch, "true", "false";
    /// Whether the handler trait and the server are generated.
    ///
    /// Without the client, too, there are types alone.
    server: Switch<bool> = values::switch, "true", "false";
    /// Whether the server can write its WSDL and help page.
    documents: Switch<bool> = values::switch, "true", "false";
    /// Whether a mock of each service is generated, for tests.
    ///
    /// It is a handler, `MockGreeter`, so there is none without the server. It is compiled in tests of the crate and where its feature `mocks` is on.
    mocks: Switch<bool> = values::switch, "false", "true";
    /// Bindings to offer operations over, of those in the definition.
    bindings: Set<Binding> = values::binding, "", "soap11,soap12";
    /// Path of the runtime, as seen from the generated code.
    runtime: Text<String> = values::rust_path, "svcgen", "crate::svcgen";
    /// Visibility of the generated items: `pub` or `pub(crate)`.
    visibility: Word<Visibility> = values::visibility, "pub", "pub(crate)";
    /// Rust type of your own for a type of the definition or a simple type.
    ///
    /// The path is as seen from the emitted module. A type for a complex type implements `svcgen::codegen::Complex`, one for an enumeration `svcgen::codegen::Enumeration` and `svcgen::codegen::Value`;
    /// both are imported instead of emitted. One for a simple type implements `svcgen::codegen::Value`. All of them are `Default`, `Debug`,
    /// `Clone` and `PartialEq`. Secrets keep the type that they have, and so does what says `rust_type` in the definition.
    extern_path: Pairs<String> = values::rust_type, "", "dateTime=crate::Moment";
    /// Attribute to add to types, by a pattern of their names.
    ///
    /// A pattern is `.` for all, a name of the definition (`LoginResult`) or of what is emitted for it (`LoginRequest`,
    /// `AnyAnimal`), and `*` in it stands for any characters. One that matches nothing is an error.
    type_attribute: Pairs<Attributes> = values::attributes, "", "*Request=#[must_use]";
    /// Attribute to add to fields and variants, by a pattern of their paths.
    ///
    /// `LoginResult.Message` is the field of an element, `Colour.Red` the variant of a value; `LoginResult` all that it has.
    field_attribute: Pairs<Attributes> = values::attributes, "", "Kind.Gift=#[doc(hidden)]";
    /// Traits to derive for types, by a pattern of their names.
    ///
    /// All types derive `Debug`, `Clone`, `PartialEq` and, where all fields have them, `Eq` and `Hash`; what a type derives already is left out.
    type_derive: Pairs<Vec<String>> = values::derives, "", "Kind=PartialOrd, Ord";
    /// Whether types derive `serde::Serialize` and `serde::Deserialize`.
    ///
    /// Fields and variants have their names on the wire. Secrets are written as nothing.
    serde: Switch<bool> = values::switch, "false", "true";
    /// Types, by patterns, that are `#[non_exhaustive]`.
    non_exhaustive: List<()> = Pattern::parse, "", "*Request,Kind";
    /// Structs, by patterns, that get `new()` and `with_FIELD(value)`.
    builders: List<()> = Pattern::parse, "", "*Request";
    /// Enumerations, by patterns, that keep unknown names as `Other(String)`.
    ///
    /// As `open: true` in the definition; for enumerations that are emitted.
    open_enums: List<()> = Pattern::parse, "", "Kind";
    /// Operations, by patterns, whose handler methods have a default body: a fault.
    ///
    /// With `with_fallback` of a server, calls of those that are not written go to the original instead.
    optional_methods: List<()> = Pattern::parse, "", "Ping";
    /// Operations, by patterns, whose handler methods return results in an `Arc`.
    ///
    /// Many answers share one value then, which nobody copies.
    shared_results: List<()> = Pattern::parse, "", "Login";
    /// Folder outside of the workspace whose definitions may be included.
    ///
    /// Files of a workspace include each other without it. A relative path starts from the current folder, which is that of the package for a build script.
    allow_include: Folder<PathBuf> = values::folder, "", "../company";
}

impl Config {
    /// Adds the options of a `svcgen.toml`, which messages call `name`. Options that are set by calls override them.
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

    /// Imports WSDLs that stand in the place of definitions: `svcgen_import::config()` has the importer of `svcgen import`.
    #[must_use]
    pub fn with_importer(mut self, importer: &'static dyn Import) -> Self {
        self.importer = Some(importer);
        self
    }

    fn with(mut self, option: &'static str, of: &str, value: &str) -> Self {
        let mut rows = OPTIONS.iter().filter(|row| row.name == option);
        let added = rows.try_for_each(|row| row.add_of_call(&mut self.settings, of, value));
        self.refused
            .extend(added.err().map(|complaint| (option, complaint)));
        self
    }
}

impl Options {
    /// The bindings of a definition that the option `bindings` leaves.
    pub fn restrict(&self, offered: Bindings) -> Bindings {
        if self.bindings.0.is_empty() {
            return offered;
        }
        offered.and(self.bindings.of(|_| true).copied().collect())
    }

    /// The folders of `allow_include`.
    pub fn include_folders(&self) -> Vec<&Path> {
        let folders = self.allow_include.of(|_| true);
        folders.map(PathBuf::as_path).collect()
    }

    /// The Rust type that `extern_path` gives a type or a simple type.
    pub fn extern_path(&self, name: &str) -> Option<&str> {
        let mut paths = self.extern_path.of(|pattern| pattern.as_str() == name);
        paths.next_back().map(String::as_str)
    }
}
