//! The rules of the language, a row each. The texts that `svcgen explain` prints are in the files
//! of `rules/`.
//!
//! Importers, which write definitions from other documents, have rules of their own, in a table of
//! the same form.

/// Whether code can still be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// No code can be generated.
    Error,
    /// Code is generated, and is probably not the intended one.
    Warning,
    /// Nothing is wrong; it is worth knowing.
    Note,
}

impl Severity {
    /// Returns the name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A rule of the language, with a definition that breaks it and a corrected one; or a rule of
/// imports, with a WSDL that breaks it and the definition that is imported from it or, after an
/// error, could be.
///
/// Comments of an example set options: `# option bindings soap11`, `# svcgen.toml: client = false`.
/// A file that it refers to follows it under a comment, `# common.yaml`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RuleRow {
    /// `SVC015`.
    pub code: &'static str,
    /// The rule, in one sentence.
    pub title: &'static str,
    /// The effect of breaking it.
    pub severity: Severity,
    /// The reason for the rule.
    pub why: &'static str,
    /// Whether the rule is about imports: `wrong` is a WSDL.
    pub is_of_wsdl: bool,
    /// A text that breaks this rule and no other.
    pub wrong: &'static str,
    /// The diagnostics of that text.
    pub output: &'static str,
    /// The same definition, corrected.
    pub right: &'static str,
}

/// Declares rules: an enum `Rule` of them, and a table `RULES` with a row for each, in the order of
/// their codes. The rest of a row is in the file with its code, in `rules/` next to `src/`.
#[macro_export]
macro_rules! rules {
    ($($(#[doc = $title:literal])+ $rule:ident = $code:literal $severity:ident;)+) => {
        /// The rules, by subject.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Rule { $($(#[doc = $title])+ $rule),+ }

        /// All rules, in the order of their codes.
        pub const RULES: &[$crate::rules::RuleRow] = &[$($crate::rules::RuleRow::parse(
            $code,
            concat!($($title),+),
            $crate::rules::Severity::$severity,
            include_str!(concat!("../rules/", $code, ".txt")),
        )),+];

        impl Rule {
            /// Returns the row of the rule.
            pub fn row(self) -> &'static $crate::rules::RuleRow {
                &RULES[self as usize]
            }

            /// Returns the rule of a row; `None` if the row is of another table.
            pub fn of(row: &$crate::rules::RuleRow) -> Option<Self> {
                match row.code {
                    $($code => Some(Self::$rule),)+
                    _ => None,
                }
            }
        }

        impl From<Rule> for &'static $crate::rules::RuleRow {
            fn from(rule: Rule) -> Self {
                rule.row()
            }
        }
    };
}

impl RuleRow {
    /// Parses the row of a rule with the text of its file: the reason, a wrong example, its
    /// diagnostics, and the corrected example, under a heading each.
    #[doc(hidden)]
    pub const fn parse(
        code: &'static str,
        title: &'static str,
        severity: Severity,
        text: &'static str,
    ) -> Self {
        let (why, text) = split(text, "\n==== wrong.");
        let (form, text) = split(text, "\n");
        let (wrong, text) = split(text, "\n==== output\n");
        let (output, right) = split(text, "\n==== right.yaml\n");
        Self {
            code,
            title: title.trim_ascii(),
            severity,
            why: why.trim_ascii_end(),
            is_of_wsdl: matches!(form.as_bytes(), b"wsdl\n"),
            wrong,
            output: output.trim_ascii_end(),
            right,
        }
    }
}

/// Splits a text at a heading into the text before it, including the end of its last line, and the
/// text after it. A file without the heading does not compile.
const fn split(text: &'static str, heading: &str) -> (&'static str, &'static str) {
    let (bytes, wanted) = (text.as_bytes(), heading.as_bytes());
    let mut start = 0;
    while start + wanted.len() <= bytes.len() {
        let mut same = 0;
        while same < wanted.len() && bytes[start + same] == wanted[same] {
            same += 1;
        }
        if same == wanted.len() {
            return (text.split_at(start + 1).0, text.split_at(start + same).1);
        }
        start += 1;
    }
    panic!("a file of rules/ lacks a heading")
}

rules! {
    /// The file can be read and contains UTF-8 text.
    File = "SVC001" Error;
    /// The file is one YAML document of a sensible size.
    Yaml = "SVC002" Error;
    /// Every key belongs to the definition language.
    UnknownKey = "SVC003" Error;
    /// A map contains each key only once.
    RepeatedKey = "SVC004" Error;
    /// Each key has the kind of value that it takes: a text, a list or a map.
    WrongKind = "SVC005" Error;
    /// Keys without a default are present.
    MissingKey = "SVC006" Error;
    /// Namespaces contain no white space, and SOAPActions have none around them.
    Namespace = "SVC007" Error;
    /// A path is the part of a service's URL after the host.
    Path = "SVC008" Error;
    /// Bindings have known names.
    UnknownBinding = "SVC009" Error;
    /// Names on the wire are XML names.
    XmlName = "SVC010" Error;
    /// Rust names are valid in Rust, in the usual letter case.
    RustName = "SVC011" Error;
    /// No two items have the same Rust name.
    RustNameClash = "SVC012" Error;
    /// No two items have the same name on the wire.
    XmlNameClash = "SVC013" Error;
    /// Types are written as `T`, `T?`, `T[]` and so on.
    TypeSyntax = "SVC014" Error;
    /// Types are defined.
    UnknownType = "SVC015" Error;
    /// Services have operations, enumerations have values, and lists of bindings are not empty.
    Empty = "SVC016" Error;
    /// HTTP GET and POST carry only simple values and lists of them.
    FormParameter = "SVC017" Error;
    /// No type must contain a value of its own.
    InfiniteType = "SVC018" Error;
    /// Each key applies to the item that has it.
    KeyDoesNotFit = "SVC019" Error;
    /// Secrets stay out of URLs.
    SecretInUrl = "SVC020" Warning;
    /// Types extend complex types, and not themselves; abstract types are extended.
    Inheritance = "SVC021" Error;
    /// A choice has two or more alternatives, and a sequence an element.
    Group = "SVC022" Error;
    /// Headers, faults and namespaces that are used are declared.
    Undeclared = "SVC023" Error;
    /// Included files can be read, are named once, and do not include themselves.
    Include = "SVC024" Error;
    /// Included files fit the file that includes them.
    Included = "SVC025" Error;
    /// Every type, enumeration and header is used.
    Unused = "SVC026" Warning;
    /// Values that are named like secrets are marked as secret or not.
    SecretByName = "SVC027" Warning;
    /// Bytes are `base64Binary`.
    ListOfBytes = "SVC028" Warning;
    /// A list names each item only once.
    RepeatedItem = "SVC029" Warning;
    /// Options refer to items of the definition.
    OptionMatchesNothing = "SVC030" Error;
    /// Options have valid values.
    OptionValue = "SVC031" Error;
    /// The option `bindings` leaves each operation at least one binding.
    NoBindingLeft = "SVC032" Error;
    /// `svcgen.toml` is a TOML file.
    OptionsFile = "SVC033" Error;
    /// The keys of `svcgen.toml` are options.
    UnknownOption = "SVC034" Error;
    /// The tables of `svcgen.toml` are named after services.
    MisspeltService = "SVC035" Warning;
    /// Empty values take little memory.
    LargeType = "SVC036" Error;
    /// A namespace is an absolute URI.
    RelativeNamespace = "SVC037" Warning;
    /// Keys have their current names.
    FormerKey = "SVC038" Warning;
    /// Values in a definition are valid for their types.
    ValueText = "SVC045" Error;
    /// Limits can be met: no minimum is above its maximum.
    Limits = "SVC046" Error;
    /// Patterns are regular expressions of XML Schema.
    Pattern = "SVC047" Warning;
    /// SOAP encoding carries objects, arrays and simple values.
    Encoded = "SVC050" Error;
    /// Text between elements is in one repeated choice of a type.
    TextBetween = "SVC051" Error;
    /// Heads and members of substitution groups are elements that are declared once.
    Substitution = "SVC052" Error;
    /// Elements in any order occur at most once, in one type.
    Unordered = "SVC053" Error;
    /// The file of a set of tables is its schema.
    DataSet = "SVC054" Error;
    /// JSON carries objects, lists and simple values.
    Script = "SVC055" Error;
    /// Secrets stay out of the URLs of calls over JSON.
    SecretInScriptUrl = "SVC056" Error;
    /// Names reserved by JSON and page scripts are not used.
    ScriptName = "SVC057" Error;
    /// Dictionaries are only in messages over JSON.
    Dictionary = "SVC058" Error;
    /// Nested lists of included files have the names that the service gives them.
    OtherListName = "SVC060" Warning;
}
