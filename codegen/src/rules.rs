//! The rules of the language: one row each, with what `svcgen explain` says of it.

use std::io;
use std::path::Path;

use crate::diagnostic::{Diagnostics, Severity};
use crate::{Config, Generator, OPTIONS};

/// A rule of the language, and an example that breaks it beside one that keeps it.
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
    /// A definition that breaks this rule and no other.
    pub wrong: &'static str,
    /// The same definition put right.
    pub right: &'static str,
}

impl RuleRow {
    /// What is said of an example, with the options that its comments ask for: `# option bindings soap11`,
    /// `# svcgen.toml: client = false`. A file that it includes follows it under the comment `# common.yaml`.
    pub fn diagnose(example: &str) -> Diagnostics {
        let asked = example
            .lines()
            .filter_map(|line| line.strip_prefix("# option ")?.split_once(' '));
        let file = example.lines();
        let file = file.filter_map(|line| line.strip_prefix("# svcgen.toml: "));
        let file = file.collect::<Vec<_>>().join("\n");
        let mut config = Config::new().options_file("svcgen.toml", &file);
        for (name, value) in asked {
            for option in OPTIONS.iter().filter(|option| option.name == name) {
                if let Err(complaint) = (option.set)(&mut config, value) {
                    return Diagnostics::unreadable("example.yaml", complaint, None);
                }
            }
        }
        let (example, common) = match example.split_once("# common.yaml\n") {
            Some((example, common)) => (example, Some(common)),
            None => (example, None),
        };
        let load = |path: &Path| {
            let common = common.filter(|_| path == Path::new("common.yaml"));
            let text = common.ok_or(io::ErrorKind::NotFound)?;
            Ok(text.as_bytes().to_vec())
        };
        match Generator::new(&config, load).generate_bytes("example.yaml", example.as_bytes()) {
            Ok(output) => output.warnings,
            Err(diagnostics) => diagnostics,
        }
    }
}

macro_rules! rules {
    ($(
        #[doc = $title:literal]
        $rule:ident = $code:literal $severity:ident
        why $why:literal
        wrong $wrong:literal
        right $right:literal
    )+) => {
        /// The rules of the language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Rule { $(#[doc = $title] $rule),+ }

        /// All rules, in the order of their codes.
        pub const RULES: &[RuleRow] = &[$(RuleRow {
            code: $code,
            title: $title.trim_ascii(),
            severity: Severity::$severity,
            why: $why,
            wrong: $wrong,
            right: $right,
        }),+];
    };
}

impl Rule {
    /// What is said of the rule.
    pub fn row(self) -> &'static RuleRow {
        &RULES[self as usize]
    }
}

rules! {
    /// The file can be read and holds text in UTF-8.
    File = "SVC001" Error
    why "\
A definition is a text file. A folder, a file without permission to read, bytes in another encoding
and control characters are refused before anything is read. Editors save UTF-16 or Latin-1 on
request only: choose UTF-8."
    wrong "\
service: Greeter\0
namespace: http://example.com/greeter
path: /Greeter.asmx
operations: { Greet: { result: string } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations: { Greet: { result: string } }
"

    /// The file is one YAML document of a sensible size.
    Yaml = "SVC002" Error
    why "\
A definition is YAML. What trips most people: indentation is of spaces, never of tabs; what belongs
together starts in the same column; `key: value` has a blank after the colon; and text with
brackets, braces, `: `, ` #` or a leading `*`, `&`, `!`, `@`, `%` or a backtick stands in quotes.
Tags such as `!!binary` mean nothing here. Nesting, aliases and the number of nodes are bounded."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { result: string[] }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { result: \"string[]\" }
"

    /// Every key is one of the language.
    UnknownKey = "SVC003" Error
    why "\
A key that means nothing would be a wish that nobody hears. Keys are spelt as in the language's
tables, in lower case."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet:
    paramters: { name: string }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet:
    parameters: { name: string }
"

    /// A key stands once in its map.
    RepeatedKey = "SVC004" Error
    why "\
Of two values one would be lost without a word. Operations cannot be overloaded either: each has a
name of its own on the wire."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { result: string }
  Greet: { parameters: { name: string }, result: string }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { result: string }
  GreetByName: { parameters: { name: string }, result: string }
"

    /// Lists, maps and texts stand where they are expected.
    WrongKind = "SVC005" Error
    why "\
Each key takes one kind of value: a text, a list (`[a, b]`, or lines that start with `- `), or a map
(`{ a: b }`, or lines of `a: b`)."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet:
    parameters:
      - name: string
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet:
    parameters:
      name: string
"

    /// Keys without a default are there.
    MissingKey = "SVC006" Error
    why "\
A service has a name, an XML namespace and a path, and an element has a type: nothing sensible can
be assumed for them."
    wrong "\
service: Greeter
path: /Greeter.asmx
operations: { Greet: { result: string } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations: { Greet: { result: string } }
"

    /// A namespace is an absolute URI.
    Namespace = "SVC007" Error
    why "\
An XML namespace, and a SOAPAction, is a URI that callers compare letter for letter: a scheme, `:`,
and something after it, without white space. Nothing is ever fetched from it. A service that exists
already has one in its WSDL: `targetNamespace`."
    wrong "\
service: Greeter
namespace: example.com/greeter
path: /Greeter.asmx
operations: { Greet: { result: string } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations: { Greet: { result: string } }
"

    /// A path is the path of a URL and nothing more.
    Path = "SVC008" Error
    why "\
The path says where beneath its host the service is found. It starts with `/`, has no host, query or
fragment, and does not end with `/`: the HTTP GET and POST bindings add `/OPERATION`."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: http://example.com/Greeter.asmx
operations: { Greet: { result: string } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations: { Greet: { result: string } }
"

    /// Bindings are the four that there are.
    UnknownBinding = "SVC009" Error
    why "\
An operation is offered over `soap11`, `soap12`, `http-get` and `http-post`, or some of them."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
bindings: [soap, http-get]
operations: { Greet: { result: string } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
bindings: [soap11, http-get]
operations: { Greet: { result: string } }
"

    /// Names on the wire are XML names.
    XmlName = "SVC010" Error
    why "\
Names become XML elements. An XML name starts with a letter or `_` and goes on with letters, digits,
`-`, `.` and `_`; a prefix with `:` is not part of it."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { parameters: { 1st name: string } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { parameters: { firstName: string } }
"

    /// Rust names are Rust names.
    RustName = "SVC011" Error
    why "\
Rust names are made of ASCII letters and digits, `LoginResult` for types and values and
`mac_address` for fields and methods. From a name in other letters none is made by guessing: say
with the key `rust` what it is in Rust. The name on the wire stays what it is."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Grüße: { result: string }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Grüße: { rust: greet, result: string }
"

    /// Two things do not have one Rust name.
    RustNameClash = "SVC012" Error
    why "\
Names that differ on the wire can become one in Rust, which writes `userName` and `UserName` alike
`user_name`; and svcgen makes items of its own, such as `GreetRequest` and `GreeterClient`. Which of
the two gets another name is for the author to say, with the key `rust`, since programs will be
written against it."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
bindings: [soap11]
operations:
  Greet: { parameters: { userName: string, UserName: string } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
bindings: [soap11]
operations:
  Greet: { parameters: { userName: string, UserName: { type: string, rust: display_name } } }
"

    /// Two things do not have one name on the wire.
    XmlNameClash = "SVC013" Error
    why "\
A reader tells elements, types and messages apart by their names on the wire. Over HTTP GET and
POST, where letter case does not count, parameters that differ in nothing else are the same."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { result: string }
  Wave: { request: Greet }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { result: string }
  Wave: { request: WaveIn }
"

    /// Types are written as C# writes them.
    TypeSyntax = "SVC014" Error
    why "\
A type is a name and suffixes, without blanks: `T` is there, `T?` may be absent, `T[]` is a list,
`T?[]` a list whose items may be nil, `T[]?` a list that may be absent, `T[][]` a list of lists."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { parameters: { name: string ? } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { parameters: { name: string? } }
"

    /// Types are defined.
    UnknownType = "SVC015" Error
    why "\
A type is one of the simple types of XML Schema (`string`, `int`, `boolean`, `dateTime`, …), in
their own letter case, or one that stands under `types` or `enums`."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { result: String }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { result: string }
"

    /// Services have operations, enumerations values, lists of bindings bindings.
    Empty = "SVC016" Error
    why "\
A service without operations cannot be called, an enumeration without values has no value, and
without a binding nothing is reached."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations: { Greet: { parameters: { tone: Tone } } }
enums:
  Tone: []
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations: { Greet: { parameters: { tone: Tone } } }
enums:
  Tone: [Plain, Friendly]
"

    /// The form bindings carry simple values and lists of them.
    FormParameter = "SVC017" Error
    why "\
Over HTTP GET and POST parameters are fields of a form, which are flat. Objects, XML, choices, lists
of lists and required SOAP headers need SOAP: say so for the operation that takes them, or for the
whole file."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { parameters: { person: Person } }
types:
  Person: { elements: { Name: string } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { parameters: { person: Person }, bindings: [soap11, soap12] }
types:
  Person: { elements: { Name: string } }
"

    /// No type holds itself.
    InfiniteType = "SVC018" Error
    why "\
A value that must hold a value of its own type never ends. An element that can be absent ends it,
and so does a list."
    wrong "\
service: Family
namespace: http://example.com/family
path: /Family.asmx
operations: { Find: { result: Person } }
types:
  Person: { elements: { Name: string, Mother: Person } }
"
    right "\
service: Family
namespace: http://example.com/family
path: /Family.asmx
operations: { Find: { result: Person } }
types:
  Person: { elements: { Name: string, Mother: Person? } }
"

    /// A key fits what it is said about.
    KeyDoesNotFit = "SVC019" Error
    why "\
Some keys make sense for some types only: `item` and `list` for lists, `absent` for what can be
absent, `secret` for text and bytes; and some keys take one of a few words."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { parameters: { name: { type: string, absent: nil } } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { parameters: { name: { type: string?, absent: nil } } }
"

    /// Secrets stay out of URLs.
    SecretInUrl = "SVC020" Warning
    why "\
Over HTTP GET parameters are part of the URL, which servers, proxies and browsers write into logs
and histories. Leave `http-get` out of `bindings`. Where an existing service has to offer it, a list
of bindings with `http-get` in it, of the operation or of the file, says that this is wanted."
    wrong "\
service: Door
namespace: http://example.com/door
path: /Door.asmx
operations:
  Open: { parameters: { password: { type: string, secret: true } } }
"
    right "\
service: Door
namespace: http://example.com/door
path: /Door.asmx
bindings: [soap11, soap12, http-post]
operations:
  Open: { parameters: { password: { type: string, secret: true } } }
"

    /// Types extend complex types, and not themselves; abstract types are extended.
    Inheritance = "SVC021" Error
    why "\
`extends` names a type of the same service that does not lead back to this one. Text cannot stand
beside elements, and an abstract type that nothing extends has no values."
    wrong "\
service: Zoo
namespace: http://example.com/zoo
path: /Zoo.asmx
operations: { Find: { result: Dog } }
types:
  Animal: { elements: { Name: string } }
  Dog: { extends: Dog }
"
    right "\
service: Zoo
namespace: http://example.com/zoo
path: /Zoo.asmx
operations: { Find: { result: Dog } }
types:
  Animal: { elements: { Name: string } }
  Dog: { extends: Animal }
"

    /// A choice is between two or more objects or simple values.
    Choice = "SVC022" Error
    why "\
Of a choice exactly one alternative is there: so an alternative is never absent or a list, and there
are at least two."
    wrong "\
service: People
namespace: http://example.com/people
path: /People.asmx
operations: { Find: { result: Person } }
types:
  Person:
    elements:
      Contact: { choice: { Email: string?, Phone: string } }
"
    right "\
service: People
namespace: http://example.com/people
path: /People.asmx
operations: { Find: { result: Person } }
types:
  Person:
    elements:
      Contact: { choice: { Email: string, Phone: string }, optional: true }
"

    /// Operations speak of headers and faults that the service has.
    Undeclared = "SVC023" Error
    why "\
Headers and faults are declared once for the service, with their types, and named by operations."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { faults: [TooShy] }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations:
  Greet: { faults: [TooShy] }
faults:
  TooShy: Shyness
types:
  Shyness: { elements: { Reason: string } }
"

    /// Files that are included can be read, are named once, and do not include themselves.
    Include = "SVC024" Error
    why "The path of an included file is relative to the file that includes it. Each file is a module of its own, and types that need each other \
         are of one module: so no file includes itself, not by way of others either."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
include: [missing.yaml]
operations: { Greet: { result: string } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
include: [common.yaml]
operations: { Greet: { result: Greeting } }
# common.yaml
types: { Greeting: { elements: { Text: string } } }
"

    /// Included files fit the file that includes them.
    Included = "SVC025" Error
    why "On the wire a service has one namespace, for its own types and for those that it includes: a file of types without `namespace` is in that \
         of each service that includes it. A type is extended in its own file only, whose module knows everything that may stand for it; and \
         the detail of a fault is a type of the service's own file, since it is bound to one fault of one service."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
include: [common.yaml]
operations: { Greet: { result: Greeting } }
# common.yaml
namespace: http://example.com/common
types: { Greeting: { elements: { Text: string } } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
include: [common.yaml]
operations: { Greet: { result: Greeting } }
# common.yaml
types: { Greeting: { elements: { Text: string } } }
"

    /// What is defined is used.
    Unused = "SVC026" Warning
    why "\
A type, an enumeration or a header that no operation leads to is emitted and compiled for nobody;
often an operation was to speak of it and does not. Where others take it from the module, or from
the WSDL, `allow: [SVC026]` in the file says that this is wanted."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations: { Greet: { result: string } }
enums:
  Tone: [Plain, Friendly]
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
operations: { Greet: { parameters: { tone: Tone }, result: string } }
enums:
  Tone: [Plain, Friendly]
"

    /// What is named like a secret is marked as one.
    SecretByName = "SVC027" Warning
    why "\
`Debug` output, error messages and traces show values, and land in logs. `secret: true` hides the
value there; over the wire nothing changes. `secret: false` says that everyone may see it."
    wrong "\
service: Door
namespace: http://example.com/door
path: /Door.asmx
bindings: [soap11, soap12]
operations:
  Open: { parameters: { password: string } }
"
    right "\
service: Door
namespace: http://example.com/door
path: /Door.asmx
bindings: [soap11, soap12]
operations:
  Open: { parameters: { password: { type: string, secret: true } } }
"

    /// Bytes are base64Binary.
    ListOfBytes = "SVC028" Warning
    why "\
`byte[]` is a list of numbers from -128 to 127, on the wire an element each: ten times the size. What C#
calls `byte[]` is `base64Binary` in XML Schema, and `Vec<u8>` in Rust. Where a service really has such
a list, `allow: [SVC028]` says so."
    wrong "\
service: Files
namespace: http://example.com/files
path: /Files.asmx
operations:
  Save: { parameters: { content: \"byte[]\" } }
"
    right "\
service: Files
namespace: http://example.com/files
path: /Files.asmx
operations:
  Save: { parameters: { content: base64Binary } }
"

    /// An item stands once in a list.
    RepeatedItem = "SVC029" Warning
    why "\
A binding or a fault that is named twice is no more offered than one that is named once; perhaps
another was meant."
    wrong "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
bindings: [soap11, soap11]
operations: { Greet: { result: string } }
"
    right "\
service: Greeter
namespace: http://example.com/greeter
path: /Greeter.asmx
bindings: [soap11, soap12]
operations: { Greet: { result: string } }
"

    /// Options speak of what the definition has.
    OptionMatchesNothing = "SVC030" Error
    why "A name in an option that the definition does not have is a slip, and would change nothing. The examples say their options in a \
         comment; they are said in a build script, an attribute, a flag or svcgen.toml."
    wrong "\
# option extern_path Adress=crate::Address
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations: { Find: { result: Address } }
types:
  Address: { elements: { City: string } }
"
    right "\
# option extern_path Address=crate::Address
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations: { Find: { result: Address } }
types:
  Address: { elements: { City: string } }
"

    /// Options have values that they can have.
    OptionValue = "SVC031" Error
    why "A type that takes the place of another is imported under that one's name, and Rust imports no types with arguments. Values that \
         no definition could have a use for, like `client = \"perhaps\"`, are refused as well."
    wrong "\
# option extern_path Address=Box<crate::Address>
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations: { Find: { result: Address } }
types:
  Address: { elements: { City: string } }
"
    right "\
# option extern_path Address=crate::BoxedAddress
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations: { Find: { result: Address } }
types:
  Address: { elements: { City: string } }
"

    /// The option `bindings` leaves every operation one.
    NoBindingLeft = "SVC032" Error
    why "An operation is offered over the bindings that both the definition and the option have. One without any could not be called."
    wrong "\
# option bindings http-post
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations:
  Send: { bindings: [soap11, soap12] }
"
    right "\
# option bindings soap12,http-post
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations:
  Send: { bindings: [soap11, soap12] }
"

    /// `svcgen.toml` is a file in TOML.
    OptionsFile = "SVC033" Error
    why "Options for all definitions of a package stand in svcgen.toml, as `KEY = VALUE` and in tables. The examples show its lines in \
         comments of a definition."
    wrong "\
# svcgen.toml: client: false
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations: { Collect: }
"
    right "\
# svcgen.toml: client = false
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations: { Collect: }
"

    /// The keys of `svcgen.toml` are options.
    UnknownOption = "SVC034" Error
    why "A mistyped option would be left out silently. The file has the options that build scripts and the command have, by the same names, \
         and a table for each of `services` with options for that one."
    wrong "\
# svcgen.toml: [services.Post]
# svcgen.toml: clent = false
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations: { Collect: }
"
    right "\
# svcgen.toml: [services.Post]
# svcgen.toml: client = false
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations: { Collect: }
"

    /// The tables of `svcgen.toml` are named after services.
    MisspeltService = "SVC035" Warning
    why "A table under `services` is for the definition that says `service:` with its name, letter for letter; those of other services are \
         passed over, and so would be one whose name is mistyped. Of two services whose names are that near, give both a table, \
         which may be empty, or say `allow: [SVC035]` in the definition."
    wrong "\
# svcgen.toml: [services.Psot]
# svcgen.toml: client = false
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations: { Collect: }
"
    right "\
# svcgen.toml: [services.Post]
# svcgen.toml: client = false
service: Post
namespace: http://example.com/post
path: /Post.asmx
operations: { Collect: }
"
}

/// The rule of a code; letter case and leading `SVC` and zeros may be left out.
pub fn rule(code: &str) -> Option<&'static RuleRow> {
    let digits = code
        .trim()
        .trim_start_matches(['S', 's', 'V', 'v', 'C', 'c']);
    let number: u16 = digits.parse().ok()?;
    let code = format!("SVC{number:03}");
    RULES.iter().find(|row| row.code == code)
}
