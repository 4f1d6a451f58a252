//! Options: a table of rows for the build script, the macro, the command and `svcgen.toml`, and the
//! resolved values for a service.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use svcgen_language::diagnostic::Source;
use svcgen_language::sink::PendingSpan;
use svcgen_language::text::without_mark;

use crate::imported::Import;
use crate::model::{Binding, Bindings};
use crate::option_values::{self as values, Attributes, Layer, Setting, Values, Visibility};
use crate::pattern::Pattern;

/// Options of the generated code.
///
/// ```
/// use svcgen_codegen::{Binding, Config};
/// let config = Config::new().client(false).bindings([Binding::Soap11, Binding::Soap12]);
/// # let _ = config;
/// ```
///
/// If a switch or text is set again, the last value counts; lists and pairs add up.
/// [`generate_file`](Self::generate_file) and [`build`](Self::build) also read the nearest
/// `svcgen.toml`. Invalid values are reported when code is generated.
#[derive(Debug, Clone, Default)]
pub struct Config {
    pub(crate) settings: Settings,
    /// Options that were set to an invalid value, with the reason in a sentence.
    pub(crate) refused: Vec<(&'static str, String)>,
    pub(crate) file: Option<Arc<Source>>,
    pub(crate) importer: Option<&'static dyn Import>,
}

/// Configurations are equal if their options are equal; the importer does not count.
impl PartialEq for Config {
    fn eq(&self, other: &Self) -> bool {
        self.settings == other.settings && self.refused == other.refused && self.file == other.file
    }
}

impl Eq for Config {}

/// An option, for entry points that set options by name.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct OptionRow {
    /// `client`.
    pub name: &'static str,
    /// The effect of the option, in one line.
    pub about: &'static str,
    /// The default value.
    pub default: &'static str,
    /// A valid value.
    pub example: &'static str,
    /// The form of its values as text.
    pub form: OptionForm,
    /// Parses and adds a value; the first text is the pattern or key of a pair.
    pub(crate) add: fn(&mut Settings, &str, &str, Layer, PendingSpan) -> Result<(), String>,
}

/// The form of an option's values as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionForm {
    /// `true` or `false`.
    Switch,
    /// The text itself.
    Text,
    /// The path of a folder; the option may be set repeatedly.
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

/// The items of a list in one text, separated by commas.
pub(crate) fn listed(text: &str) -> impl Iterator<Item = &str> {
    let items = text.split(',').map(str::trim);
    items.filter(|item| !item.is_empty())
}

macro_rules! options {
    ($(
        #[doc = $about:literal] $(#[doc = $more:literal])*
        $name:ident: $kind:ident<$type:ty> = $parse:path, $default:literal, $example:literal;
    )+) => {
        /// The settings of options, as they were made.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub(crate) struct Settings {
            $(pub $name: Values<$type>,)+
        }

        /// The resolved values of options.
        #[derive(Debug)]
        pub(crate) struct Options {
            $(pub $name: option!($kind $type),)+
        }

        impl Settings {
            /// Adds the settings of a later layer.
            pub fn extend(&mut self, later: Self) {
                $(self.$name.0.extend(later.$name.0);)+
            }

            /// Resolves the values of the options: their settings, or their defaults.
            pub fn options(self) -> Options {
                Options { $($name: resolve!($kind self.$name, $parse, $default),)+ }
            }
        }

        impl Config {
            /// Creates the options, all at their defaults.
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
        // Only the values of pairs have a pattern or key.
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

// Kinds of options. Setters of `Switch`, `Word`, `Set` and `Folder` take typed values; those of
// `Text`, `List` and `Pairs` take texts, which they parse.

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
    /// Generates the client.
    client: Switch<bool> = values::switch, "true", "false";
    /// Generates the handler trait and the server.
    ///
    /// Without client and server, only types are generated.
    server: Switch<bool> = values::switch, "true", "false";
    /// Lets the server answer its WSDL and help page.
    documents: Switch<bool> = values::switch, "true", "false";
    /// Generates a mock of each service, for tests.
    ///
    /// The mock is a handler, `MockGreeter`, so it needs `server`. It is compiled only in tests of
    /// the crate, or with its feature `mocks`.
    mocks: Switch<bool> = values::switch, "false", "true";
    /// Keeps only these of the definition's bindings.
    bindings: Set<Binding> = values::binding, "", "soap11,soap12";
    /// Sets the path of the runtime, as seen from the generated code.
    runtime: Text<String> = values::rust_path, "svcgen", "crate::svcgen";
    /// Sets the visibility of the generated items: `pub` or `pub(crate)`.
    visibility: Word<Visibility> = values::visibility, "pub", "pub(crate)";
    /// Uses your own Rust type for a type of the definition or a simple type.
    ///
    /// Give the path as seen from the emitted module. The type must implement
    /// `svcgen::codegen::Complex` for a complex type, `svcgen::codegen::Enumeration` and
    /// `svcgen::codegen::Value` for an enumeration, and `svcgen::codegen::Value` for a simple type,
    /// each with `Default`, `Debug`, `Clone` and `PartialEq`. It is imported instead of emitted.
    /// Secrets, and elements with `rust_type` in the definition, keep their types.
    extern_path: Pairs<String> = values::rust_type, "", "dateTime=crate::Moment";
    /// Adds an attribute to the types that match a pattern.
    ///
    /// A pattern is `.` for all types, a name from the definition (`LoginResult`) or the name of an
    /// emitted item (`LoginRequest`, `AnyAnimal`); `*` in it matches any characters. A pattern that
    /// matches nothing is an error.
    type_attribute: Pairs<Attributes> = values::attributes, "", "*Request=#[must_use]";
    /// Adds an attribute to the fields and variants that match a pattern.
    ///
    /// `LoginResult.Message` matches the field of an element, `Colour.Red` the variant of a value,
    /// and `LoginResult` all fields of the type.
    field_attribute: Pairs<Attributes> = values::attributes, "", "Kind.Gift=#[doc(hidden)]";
    /// Derives traits for the types that match a pattern.
    ///
    /// All types derive `Debug`, `Clone`, `PartialEq` and, if all fields do, `Eq` and `Hash`.
    /// Traits that a type derives already are skipped.
    type_derive: Pairs<Vec<String>> = values::derives, "", "Kind=PartialOrd, Ord";
    /// Derives `serde::Serialize` and `serde::Deserialize` for all types.
    ///
    /// Fields and variants keep their names on the wire. A secret serializes as `null`.
    serde: Switch<bool> = values::switch, "false", "true";
    /// Makes the types that match a pattern `#[non_exhaustive]`.
    non_exhaustive: List<()> = Pattern::parse, "", "*Request,Kind";
    /// Adds `new()` and `with_FIELD(value)` to the structs that match a pattern.
    builders: List<()> = Pattern::parse, "", "*Request";
    /// Lets the enumerations that match a pattern keep unknown names as `Other(String)`.
    ///
    /// `open: true` in the definition does the same. This option works only for enumerations that
    /// are emitted.
    open_enums: List<()> = Pattern::parse, "", "Kind";
    /// Gives the handler methods of matching operations a default body that returns a fault.
    ///
    /// If the server has a fallback (`with_fallback`), calls of these operations go to the original
    /// instead.
    optional_methods: List<()> = Pattern::parse, "", "Ping";
    /// Lets the handler methods of matching operations return results in an `Arc`.
    ///
    /// Many answers can then share one value without copying it.
    shared_results: List<()> = Pattern::parse, "", "Login";
    /// Allows a folder outside of the workspace for included definitions.
    ///
    /// Files of one workspace can include each other without this option. A relative path starts
    /// from the current folder; in a build script, that is the folder of the package.
    allow_include: Folder<PathBuf> = values::folder, "", "../company";
}

impl Config {
    /// Adds the options of a `svcgen.toml`; diagnostics call the file `name`. Options set by method
    /// calls override it.
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

    /// Accepts WSDLs in place of definitions and reads them with `importer`.
    /// `svcgen_import::config()` sets the importer of `svcgen import`.
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
    /// Restricts the bindings of a definition to those of the option `bindings`.
    pub fn restrict(&self, offered: Bindings) -> Bindings {
        if self.bindings.0.is_empty() {
            return offered;
        }
        offered.and(self.bindings.of(|_| true).copied().collect())
    }

    /// Returns the folders of `allow_include`.
    pub fn include_folders(&self) -> Vec<&Path> {
        let folders = self.allow_include.of(|_| true);
        folders.map(PathBuf::as_path).collect()
    }

    /// Returns the Rust type that `extern_path` sets for a type or a simple type.
    pub fn extern_path(&self, name: &str) -> Option<&str> {
        let mut paths = self.extern_path.of(|pattern| pattern.as_str() == name);
        paths.next_back().map(String::as_str)
    }
}
