//! The rules of the language, a row each. What `svcgen explain` prints of them is in the files of `rules/`.
//!
//! What makes definitions of other documents has rules of its own, in a table of the same form.

/// Whether code can still be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// No code can be generated.
    Error,
    /// Code is generated, and is probably not what was meant.
    Warning,
    /// Nothing is wrong; it is worth knowing.
    Note,
}

impl Severity {
    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A rule of the language, and an example that breaks it beside one that keeps it; or a rule of what is imported, and a WSDL that breaks it
/// beside the definition that is made of it or, after an error, could be.
///
/// Comments of an example set options: `# option bindings soap11`, `# svcgen.toml: client = false`. A file that it names
/// follows it under a comment, `# common.yaml`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RuleRow {
    /// `SVC015`.
    pub code: &'static str,
    /// What holds, in one sentence.
    pub title: &'static str,
    /// What happens where it does not hold.
    pub severity: Severity,
    /// Why it has to hold.
    pub why: &'static str,
    /// Whether it is about what is imported: `wrong` is a WSDL.
    pub is_of_wsdl: bool,
    /// What breaks this rule and no other.
    pub wrong: &'static str,
    /// The diagnostics of that.
    pub output: &'static str,
    /// The same definition put right.
    pub right: &'static str,
}

/// Declares rules: an enum `Rule` of them, and a table `RULES` with a row for each, in the order of their codes. The rest of a row is in the file of its code, in `rules/` beside `src/`.
#[macro_export]
macro_rules! rules {
    ($($(#[doc = $title:literal])+ $rule:ident = $code:literal $severity:ident;)+) => {
        /// The rules, by what they are about.
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
            /// The row of the rule.
            pub fn row(self) -> &'static $crate::rules::RuleRow {
                &RULES[self as usize]
            }

            /// The rule of a row; `None` if the row is of another table.
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
    /// The row of a rule with the text of its file: why it is there, what breaks it, what is said of that, and the same put right, under a heading each.
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

/// The text before a heading, with the end of its last line, and the text after it. A file without it does not compile.
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
    /// The file can be read and holds text in UTF-8.
    File = "SVC001" Error;
    /// The file is one YAML document of a sensible size.
    Yaml = "SVC002" Error;
    /// Every key is one of the language.
    UnknownKey = "SVC003" Error;
    /// A key stands once in its map.
    RepeatedKey = "SVC004" Error;
    /// Lists, maps and texts stand where they are expected.
    WrongKind = "SVC005" Error;
    /// Keys without a default are there.
    MissingKey = "SVC006" Error;
    /// Namespaces are texts without white space, SOAPActions without any around them.
    Namespace = "SVC007" Error;
    /// A path is what follows the host in the URL of a service.
    Path = "SVC008" Error;
    /// Bindings are those that there are.
    UnknownBinding = "SVC009" Error;
    /// Names on the wire are XML names.
    XmlName = "SVC010" Error;
    /// Rust names are Rust names.
    RustName = "SVC011" Error;
    /// Two things do not have one Rust name.
    RustNameClash = "SVC012" Error;
    /// Two things do not have one name on the wire.
    XmlNameClash = "SVC013" Error;
    /// Types are written as C# writes them.
    TypeSyntax = "SVC014" Error;
    /// Types are defined.
    UnknownType = "SVC015" Error;
    /// Services have operations, enumerations values, lists of bindings bindings.
    Empty = "SVC016" Error;
    /// The form bindings carry simple values and lists of them.
    FormParameter = "SVC017" Error;
    /// No type holds itself.
    InfiniteType = "SVC018" Error;
    /// A key fits what it is said about.
    KeyDoesNotFit = "SVC019" Error;
    /// Secrets stay out of URLs.
    SecretInUrl = "SVC020" Warning;
    /// Types extend complex types, and not themselves; abstract types are extended.
    Inheritance = "SVC021" Error;
    /// A choice is between two or more objects or simple values.
    Group = "SVC022" Error;
    /// Headers, faults and namespaces that are named are declared.
    Undeclared = "SVC023" Error;
    /// Files that are included can be read, are named once, and do not include themselves.
    Include = "SVC024" Error;
    /// Included files fit the file that includes them.
    Included = "SVC025" Error;
    /// What is defined is used.
    Unused = "SVC026" Warning;
    /// What is named like a secret is marked as one.
    SecretByName = "SVC027" Warning;
    /// Bytes are base64Binary.
    ListOfBytes = "SVC028" Warning;
    /// An item stands once in a list.
    RepeatedItem = "SVC029" Warning;
    /// Options speak of what the definition has.
    OptionMatchesNothing = "SVC030" Error;
    /// Options have values that they can have.
    OptionValue = "SVC031" Error;
    /// The option `bindings` leaves every operation one.
    NoBindingLeft = "SVC032" Error;
    /// `svcgen.toml` is a file in TOML.
    OptionsFile = "SVC033" Error;
    /// The keys of `svcgen.toml` are options.
    UnknownOption = "SVC034" Error;
    /// The tables of `svcgen.toml` are named after services.
    MisspeltService = "SVC035" Warning;
    /// Empty values take little memory.
    LargeType = "SVC036" Error;
    /// A namespace is an absolute URI.
    RelativeNamespace = "SVC037" Warning;
    /// Keys stand by the names that they have now.
    FormerKey = "SVC038" Warning;
    /// Values that a definition gives are values of their types.
    ValueText = "SVC045" Error;
    /// Limits can be met: a minimum is not above its maximum.
    Limits = "SVC046" Error;
    /// Patterns are regular expressions of XML Schema.
    Pattern = "SVC047" Warning;
    /// SOAP encoding carries objects, arrays and simple values.
    Encoded = "SVC050" Error;
    /// Text stands between elements in one repeated choice of a type.
    TextBetween = "SVC051" Error;
    /// Heads of substitution groups and their members are elements that are declared once.
    Substitution = "SVC052" Error;
    /// Elements in any order are there once at most, in one type.
    Unordered = "SVC053" Error;
    /// The file of a set of tables is its schema.
    DataSet = "SVC054" Error;
    /// JSON carries objects, lists and simple values.
    Script = "SVC055" Error;
    /// Secrets stay out of the URLs of calls over JSON.
    SecretInScriptUrl = "SVC056" Error;
    /// Names that JSON and page scripts keep for themselves are not used.
    ScriptName = "SVC057" Error;
    /// Dictionaries are in messages over JSON alone.
    Dictionary = "SVC058" Error;
    /// Lists in lists of included files are called as the service calls them.
    OtherListName = "SVC060" Warning;
}
