//! READ: text → [`Definition`], the YAML as written.
//!
//! These structs are the definition language: a key is a field here and a section in `service-defs/README.md`. Nothing is
//! required and nothing is resolved at this stage; lowering reports what is missing or wrong.

mod forms;
mod mistakes;
mod read;
#[cfg(feature = "schema")]
mod schema;

use crate::sink::Sink;
pub use crate::span::{Located, NodeId};
use crate::yaml::Tree;
pub use read::{Edits, Entries};
use read::{Keys, map};
#[cfg(feature = "schema")]
pub use schema::schema;

map! {
    /// A definition file.
    pub struct Definition {
        /// The service's name in its WSDL. Rust names are made from it: `GreeterHandler`, `GreeterServer`, `GreeterClient`, module `greeter`.
        pub service: Option<Located<String>>,
        /// Another name to make the Rust names from.
        pub rust: Option<Located<String>>,
        /// The full name of the class in the original's .NET code, by which page scripts know it. Types without `net` are in its .NET namespace.
        pub net: Option<Located<String>>,
        /// The XML namespace of elements and types.
        pub namespace: Option<Located<String>>,
        /// Short names of other namespaces, which `namespace` of a type or an element names; of this file alone.
        pub namespaces: Entries<Shape<NamespaceKeys>>,
        /// The path of the service's URL, with `/` at its end and a query if callers send them. The HTTP GET and POST bindings add `/OPERATION`.
        pub path: Option<Located<String>>,
        // The option `bindings` takes from these what one crate does not speak.
        /// The bindings that operations are offered over: `soap11`, `soap12`, `http-get`, `http-post`, `json`.
        pub bindings: Option<Located<Vec<Located<String>>>>,
        /// How the SOAP messages of operations are laid out: `document`, `rpc` (parameters and results in no namespace), or `bare` (parameters and results are themselves elements in the Body).
        pub style: Option<Located<String>>,
        /// How values stand in the SOAP messages of operations: `literal`, or `encoded` (SOAP encoding: objects that refer to each other, with their types).
        pub r#use: Option<Located<String>>,
        /// Whether the elements of types are in the namespace: `qualified` or `unqualified`.
        pub element_form: Option<Located<String>>,
        /// What names the operation of a SOAP request: the `action`, or the `element` in the Body, whatever the action says.
        pub routing: Option<Located<String>>,
        /// The time zone of the server that callers know: `UTC`, an offset, or a name of the IANA database (feature `time-zones`). Dates and times that name an offset are shown in it, as .NET does; without the key they stay as they are written.
        pub time_zone: Option<Located<String>>,
        /// Documentation of the module.
        pub doc: Option<String>,
        /// Files whose types this one uses.
        pub include: Vec<Located<Shape<IncludeKeys>>>,
        /// The codes of warnings that are not wanted in this file. `svcgen explain` lists all.
        pub allow: Vec<Located<String>>,
        /// A map of operations by name. At least one.
        pub operations: Entries<OperationDefinition>,
        /// A map from SOAP headers' names to their types.
        pub headers: Entries<Located<Shape<HeaderKeys>>>,
        /// A map from faults' names to the types of their details.
        pub faults: Entries<Located<Shape<FaultKeys>>>,
        /// A map of complex types by name.
        pub types: Entries<TypeDefinition>,
        /// A map from enumerations' names to their values.
        pub enums: Entries<EnumDefinition>,
    }
}

impl TypeDefinition {
    /// The type that it extends or restricts.
    pub fn base(&self) -> Option<&Located<String>> {
        self.extends.as_ref().or(self.restricts.as_ref())
    }
}

impl Definition {
    /// Reads the definition of a file, and says whether all of it was read: `sink` has what had to be left out.
    pub fn read(tree: &Tree, edits: &Edits, sink: &mut Sink) -> (Self, bool) {
        read::read(tree, edits, sink)
    }

    /// The keys of a file, in canonical order.
    pub fn keys() -> &'static [&'static str] {
        Self::KEYS
    }

    /// Whether a text begins with a key of a definition. One that does not may be anything that its author meant to keep.
    pub fn begins(bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let lines = text.trim_start_matches('\u{FEFF}').lines();
        let lines = lines.filter(|line| !line.trim_start().starts_with(['#', '%']));
        let mut starts = lines.map(|line| line.trim_start_matches([' ', '\t', '-', '?', '{']));
        let start = starts.find(|start| !start.is_empty()).unwrap_or_default();
        let start = start.trim_start_matches(['"', '\'']);
        let end = start.find(|c: char| !c.is_alphanumeric() && c != '_');
        start.is_empty() || Self::KEYS.contains(&&start[..end.unwrap_or(start.len())])
    }

    /// The names of all types and enumerations.
    pub fn names_of_types(&self) -> impl Iterator<Item = &str> {
        let keys = self.types.keys().chain(self.enums.keys());
        keys.map(|key| key.value.as_str())
    }
}

map! {
    /// The map form of a namespace.
    pub struct NamespaceKeys {
        /// The namespace.
        pub uri: Option<Located<String>>,
        /// Whether the elements of its types are in it: `qualified` or `unqualified`.
        pub element_form: Option<Located<String>>,
    }
}

map! {
    /// The map form of a file that is included.
    pub struct IncludeKeys {
        /// The path of the file, relative to the file that includes it.
        pub file: Option<Located<String>>,
        /// The path of its module, as seen from the module of this file.
        pub module: Option<Located<String>>,
    }
}

map! {
    /// An entry of `operations`.
    pub struct OperationDefinition {
        /// The name of the methods in Rust, and of the request struct (`SayHelloRequest`).
        pub rust: Option<Located<String>>,
        /// Its name in the WSDL, which overloads of one method share; the key is then their `MessageName`, by which calls tell them apart. In the style `rpc` it is the name of the `request` element, too, and the names of the parts or the `action` tell overloads apart.
        pub wsdl_name: Option<Located<String>>,
        /// Documentation of the methods.
        pub doc: Option<String>,
        /// A map from parameters' names to types: the child elements of the request, in this order.
        pub parameters: Entries<Located<Shape>>,
        /// The type of the result, or the map form of an element.
        pub result: Option<Located<Shape>>,
        /// A map from results' names to types, instead of `result`: the child elements of the response, in this order. In Rust a struct (`SayHelloResponse`).
        pub results: Entries<Located<Shape>>,
        /// The bindings of this operation. Those over HTTP GET and POST cannot carry objects as parameters, and `json` no choices and no XML.
        pub bindings: Option<Located<Vec<Located<String>>>>,
        /// The SOAPAction. It may be empty, hold blanks, or be that of several operations, which the element in the Body then tells apart.
        pub action: Option<Located<String>>,
        /// The request wrapper element. The parameters are in its namespace.
        pub request: Option<Located<Shape<NameKeys>>>,
        /// The response wrapper element. The results are in its namespace.
        pub response: Option<Located<Shape<NameKeys>>>,
        /// The element of the result in the response wrapper; of several `results`, the return value.
        pub result_element: Option<Located<String>>,
        /// The style of this operation.
        pub style: Option<Located<String>>,
        /// The use of this operation.
        pub r#use: Option<Located<String>>,
        /// How it is called and answered over JSON (`[ScriptMethod]`).
        pub script_method: Option<Located<ScriptMethodKeys>>,
        /// Whether nothing is answered over SOAP: the caller hears that the request was read (`202 Accepted`), not what came of it. No result, no faults. Over HTTP GET and POST it is an operation without a result.
        pub one_way: Option<Located<bool>>,
        /// Whether a call changes nothing, as reading does: the server may cancel it when its caller is gone, clients may try it again, `svcgen shadow` may ask it twice, and `svcgen prove` may ask it thousands of times.
        pub read_only: Option<Located<bool>>,
        /// The seconds for which ASMX keeps an answer (`CacheDuration`). Answers have the headers that say so; no answer is kept.
        pub cache: Option<Located<String>>,
        /// Whether calls are parts of a session (`EnableSession`): a cookie tells the handler which calls are of one caller, `Context::session` (feature `sessions`).
        pub session: Option<Located<bool>>,
        /// The SOAP headers that it takes and answers.
        pub headers: HeadersOfOperation,
        /// The names of the faults that it may answer with, for its documentation.
        pub faults: Vec<Located<String>>,
    }
}

map! {
    /// How an operation is called and answered over JSON.
    pub struct ScriptMethodKeys {
        /// Whether it is called by GET, with parameters in the query, and by nothing else over JSON (`UseHttpGet`).
        pub use_http_get: Option<Located<bool>>,
        /// What is answered: `json`, or `xml`, the result as XML, text as it is (`ResponseFormat`). Errors are JSON in both.
        pub response_format: Option<Located<String>>,
        /// Whether text is answered in an XML element, too (`XmlSerializeString`). With `response_format: xml`.
        pub xml_serialize_string: Option<Located<bool>>,
    }
}

map! {
    /// The SOAP headers of an operation, by their names.
    pub struct HeadersOfOperation {
        /// The headers of requests.
        pub r#in: Vec<Located<String>>,
        /// The headers of answers.
        pub out: Vec<Located<String>>,
        /// The headers of faults: `Fault::with_headers` adds them, `Fault::read_headers` reads them.
        pub fault: Vec<Located<String>>,
        /// Whether the handler gets the headers of requests that are not in `in`: `Context::unknown_headers`.
        pub unknown: Option<Located<bool>>,
    }
}

map! {
    /// The map form of an entry of `headers`.
    pub struct HeaderKeys {
        /// The type of the header: anything but a list.
        pub r#type: Option<Located<String>>,
        /// The name on the wire, if two headers of different namespaces share one.
        pub name: Option<Located<String>>,
        /// Its namespace, by its short name, if that is not the service's.
        pub namespace: Option<Located<String>>,
        /// The name of the field.
        pub rust: Option<Located<String>>,
        /// Documentation of the field.
        pub doc: Option<String>,
        /// Whether the value is hidden.
        pub secret: Option<Located<bool>>,
        /// How an absent header is written, as of elements, but `omit` by default; `either` and `nil` say in the WSDL that it is `nillable`.
        pub absent: Option<Located<String>>,
        /// What values the schema allows, as of elements.
        pub facets: Option<Located<FacetKeys>>,
        /// Whether a request without it is refused; its field is then no `Option`, unless its type is `T?`.
        pub required: Option<Located<bool>>,
        /// Whether it is sent with `soap:mustUnderstand="1"`.
        pub must_understand: Option<Located<bool>>,
        /// Whether handlers and clients read and set the attributes of SOAP of each message: its field is a `SoapHeader`, with `actor`, `must_understand` and `relay`. Instead of `must_understand`.
        pub soap_attributes: Option<Located<bool>>,
    }
}

map! {
    /// The map form of an entry of `faults`.
    pub struct FaultKeys {
        /// The type of the detail.
        pub r#type: Option<Located<String>>,
        /// The namespace of the detail, by its short name, if that is not the service's.
        pub namespace: Option<Located<String>>,
        /// What values the schema allows, as of elements. Details are not checked.
        pub facets: Option<Located<FacetKeys>>,
        /// What the fault says.
        pub doc: Option<String>,
    }
}

map! {
    /// An entry of `types`.
    pub struct TypeDefinition {
        /// The name on the wire, if two types share one.
        pub name: Option<Located<String>>,
        /// Its namespace, by its short name, if that is not the file's.
        pub namespace: Option<Located<String>>,
        /// The element of its namespace that a result of the type is over HTTP GET and POST (`[XmlRoot]`). By default it is an element of the service with the name of the type.
        pub root: Option<Located<String>>,
        /// The name of the struct.
        pub rust: Option<Located<String>>,
        /// Documentation of the struct.
        pub doc: Option<String>,
        /// The full name of the class in the original's .NET code, `Company.Crm.Address`; of a class in a class `Company.Crm.Outer+Address`. Objects in JSON say it as `__type`.
        pub net: Option<Located<String>>,
        /// Whether callers over JSON know the type although it is that of no parameter and no result: `true`, or the name that stands for it in JSON (`[GenerateScriptType]`, `ScriptTypeId`).
        pub script_type: Option<Located<String>>,
        // For all who use the definition; the option `extern_path` is for one crate, and holds over it.
        /// The path, as seen from the emitted module, of a Rust type that another service's module or the crate has already. It is imported instead of emitted, so that services share it; it implements `svcgen::codegen::Complex`.
        pub rust_type: Option<Located<String>>,
        /// The type whose attributes, text and elements come before the own ones; at most 64 in a row.
        pub extends: Option<Located<String>>,
        /// The type in whose place values of this one may stand, of which the schema says that this one restricts it: its whole content is said here again. Instead of `extends`.
        pub restricts: Option<Located<String>>,
        /// Whether no value is of this type, only of types that extend it.
        pub r#abstract: Option<Located<bool>>,
        /// Whether it is a struct in the original's .NET code: its elements are always there, and an absent one says `xsi:nil`.
        pub by_value: Option<Located<bool>>,
        /// The file with the schema of a typed `DataSet`, relative to this file. The type is a set of its tables, and has no other content.
        pub data_set: Option<Located<String>>,
        /// Whether its elements stand in any order, each of them once at most (`xs:all`). Any order is read in any case; strict reading wants this key for it.
        pub unordered: Option<Located<bool>>,
        /// A map from attributes' names to simple types and enumerations. `T?` is left out when it is absent.
        pub attributes: Entries<Located<Shape<SimpleKeys>>>,
        /// The type of the text that stands there instead of elements: a simple type or an enumeration, a list of these with `list: text`, or `any` for text mixed with elements. The field is called `value`. Without text, or with blanks alone, it is its `default` or that of its type, `None` for `T?`; blanks of a `string` that is always there stay.
        pub text: Option<Located<Shape<SimpleKeys>>>,
        /// A map from elements' names to types, in the order of the wire.
        pub elements: Entries<Located<Shape>>,
    }
}

/// What is written as a map of keys, or as a text: the value of the first of them. `string?` stands for `{ type: "string?" }`.
#[derive(Debug, Clone)]
pub struct Shape<K = ElementKeys>(pub K);

map! {
    /// The map form of an attribute or of the text of a type.
    pub struct SimpleKeys {
        /// The type.
        pub r#type: Option<Located<String>>,
        /// The name on the wire, if two attributes of different namespaces share one.
        pub name: Option<Located<String>>,
        /// The namespace of an attribute, by its short name; `xml` for `xml:lang` and its kin.
        pub namespace: Option<Located<String>>,
        /// Whether an attribute is in the namespace of its type: `qualified` or `unqualified`.
        pub form: Option<Located<String>>,
        /// The name of the field.
        pub rust: Option<Located<String>>,
        /// Documentation of the field.
        pub doc: Option<String>,
        /// Whether the value is hidden.
        pub secret: Option<Located<bool>>,
        /// `text` for a list of values in one text, divided by blanks: `1 2 3`. For `T[]`.
        pub list: Option<Located<String>>,
        /// The Rust type of the value, as for elements.
        pub rust_type: Option<Located<String>>,
        /// The name in the original's .NET code.
        pub net: Option<Located<String>>,
        /// What values the schema allows.
        pub facets: Option<Located<FacetKeys>>,
        /// The default value of an attribute, as of elements; of text, what it is without any: it is always written.
        pub default: Option<Located<String>>,
        /// The only value of an attribute, as of elements.
        pub fixed: Option<Located<String>>,
        /// Instead of `type`, `attributes`: all attributes that the type does not name, with their namespaces.
        pub any: Option<Located<String>>,
        /// The namespaces of these attributes, or of the elements in text that is `any`, as for elements.
        pub namespaces: Option<Located<String>>,
        /// The least number of elements that the schema allows in text that is `any`.
        pub min: Option<Located<i64>>,
        /// The greatest number of elements that the schema allows in text that is `any`.
        pub max: Option<Located<i64>>,
    }
}

map! {
    /// The map form of an element.
    pub struct ElementKeys {
        /// The type.
        pub r#type: Option<Located<String>>,
        /// The name on the wire, if two elements of different namespaces share one.
        pub name: Option<Located<String>>,
        /// Another namespace, by its short name, whose schema declares the element.
        pub namespace: Option<Located<String>>,
        /// Whether the element is in the namespace of the type that it is in: `qualified` or `unqualified`. The default is that namespace's `element_form`.
        pub form: Option<Located<String>>,
        /// The name of the field.
        pub rust: Option<Located<String>>,
        /// Documentation of the field.
        pub doc: Option<String>,
        /// Whether `Debug`, errors and traces hide the value. For `string` and `base64Binary`.
        pub secret: Option<Located<bool>>,
        /// How an absent value is written: `omit` leaves the element out, `nil` writes `xsi:nil="true"`, `either` leaves it out and tells callers that they may write both. Reading accepts both.
        pub absent: Option<Located<String>>,
        /// The name of a list's item elements. Of a list of lists, that of the inner items, or both: `[row, cell]`.
        pub item: Option<Located<ItemNames>>,
        /// `unwrapped` repeats the element itself, without one around its items. `collection` is a `List<T>` of the original: of a list that a message holds twice the items of both count, not of the last one. `text` writes the values into one text, divided by blanks: `1 2 3`. For `T[]`.
        pub list: Option<Located<String>>,
        /// The least number of items that the schema allows; checked as `facets` are. For `T[]`, repeated choices and sequences, and wildcards: `min: 1` says that the one of `any: element` must be there. Beside `default`, `min: 1` says that the element is always written.
        pub min: Option<Located<i64>>,
        /// The greatest number of items that the schema allows; checked as `facets` are. For `T[]`, repeated choices and sequences, and `any: elements`.
        pub max: Option<Located<i64>>,
        /// The path of a Rust type of your own for a simple value, as seen from the emitted module. It implements `svcgen::codegen::Value`, `Default`, `Debug`, `Clone` and `PartialEq`.
        pub rust_type: Option<Located<String>>,
        /// The name in the original's .NET code, which names the field of a form and the member in JSON.
        pub net: Option<Located<String>>,
        /// What values the schema allows; of a list, what items. Values are checked on request.
        pub facets: Option<Located<FacetKeys>>,
        /// The text of the default value: what is not there has it, and what has it is not written, but for an alternative of a choice, or with `min: 1`. For simple types and enumerations, in the form `T`.
        pub default: Option<Located<String>>,
        /// The text of the only value that the schema allows. It is always written and need not be there; another one is read as it is.
        pub fixed: Option<Located<String>>,
        /// Elements of which one is there, instead of `type`: a map from elements to types. In Rust an enum named after the type and the choice, `PersonContact`. `rust` of an alternative names the variant. An alternative may be a list: unwrapped, its variant holds all items in a row. It may be nil (`int?`, `{ type: "Phone?", absent: nil }`), and is never left out.
        pub choice: Option<Located<Entries<Located<Shape>>>>,
        /// Elements that are there together, instead of `type`: a map as in `elements`; as an alternative of a choice, with `optional: true`, or repeated with `list: unwrapped`. In Rust a struct named after the type and the sequence, `PersonPair`. Of a repeated one, an element that is there already or that stands before the last one begins the next.
        pub sequence: Option<Located<Entries<Located<Shape>>>>,
        /// The head of a substitution group, an abstract element that the alternatives of a choice stand for. The WSDL declares it and refers to it instead of listing them; it is never on the wire.
        pub head: Option<Located<String>>,
        /// Whether a choice or a sequence may be absent.
        pub optional: Option<Located<bool>>,
        /// Instead of `type`, a wildcard: `elements` for all elements that the type or the request does not name, wherever they stand, `element` for the first of them. They are written at this place. Its name is not on the wire. It may be an alternative of a choice. As an alternative of a repeated choice also `text`, a `String` for the text between elements (mixed content).
        pub any: Option<Located<String>>,
        /// The namespaces of the elements of a wildcard, with blanks between them: URIs, `##other` than that of the service, `##local` for none, `##targetNamespace`. The WSDL says so; when reading, the first wildcard takes what fits none.
        pub namespaces: Option<Located<String>>,
    }
}

map! {
    /// What values of a simple type a schema allows: its facets.
    pub struct FacetKeys {
        /// The types of which one has the value, in their order, if the schema says `s:union`: simple types and enumerations. `pattern` alone may stand beside it.
        pub union: Vec<Located<Shape<MemberKeys>>>,
        /// A regular expression of XML Schema for the whole text, or a list of several that all match it.
        pub pattern: Texts,
        /// The number of characters, or of bytes.
        pub length: Option<Located<String>>,
        /// The least number of characters, or of bytes.
        pub min_length: Option<Located<String>>,
        /// The greatest number of characters, or of bytes.
        pub max_length: Option<Located<String>>,
        /// The least number or time.
        pub min: Option<Located<String>>,
        /// The greatest number or time.
        pub max: Option<Located<String>>,
        /// What numbers and times are above (`minExclusive`).
        pub above: Option<Located<String>>,
        /// What numbers and times are below (`maxExclusive`).
        pub below: Option<Located<String>>,
        /// The greatest number of digits.
        pub total_digits: Option<Located<String>>,
        /// The greatest number of digits after the point.
        pub fraction_digits: Option<Located<String>>,
        /// What becomes of blanks and line ends: `preserve`, `replace` each by a blank, or `collapse`.
        pub white_space: Option<Located<String>>,
    }
}

map! {
    /// The map form of a member of a union.
    pub struct MemberKeys {
        /// The type.
        pub r#type: Option<Located<String>>,
        /// What values of the type are of the union.
        pub facets: Option<Located<FacetKeys>>,
    }
}

/// A text, or a list of texts.
#[derive(Debug, Clone, Default)]
pub struct Texts(pub Vec<Located<String>>);

/// The names of the items of a list: of the innermost ones, or of each level.
#[derive(Debug, Clone)]
pub enum ItemNames {
    /// That of the innermost items.
    Innermost(String),
    /// That of each level, the outer ones first.
    Each(Vec<Located<String>>),
    /// The map form of the first.
    Keys(NameKeys),
}

map! {
    /// The map form of a name.
    pub struct NameKeys {
        /// The name; of a list of lists that of the innermost items.
        pub name: Option<Located<String>>,
        /// Its namespace, by its short name; `""` for none, in the style `rpc`.
        pub namespace: Option<Located<String>>,
    }
}

/// An entry of `enums`: a list of values, or a map that says more.
#[derive(Debug, Clone, Default)]
pub struct EnumDefinition(pub EnumKeys);

map! {
    /// The map form of an enumeration.
    pub struct EnumKeys {
        /// The name on the wire, if two types share one.
        pub name: Option<Located<String>>,
        /// Its namespace, by its short name, if that is not the file's.
        pub namespace: Option<Located<String>>,
        /// The name of the enum.
        pub rust: Option<Located<String>>,
        /// Documentation of the enum.
        pub doc: Option<String>,
        /// The path of a Rust enum that is imported instead of emitted, as for types; it implements `svcgen::codegen::Enumeration` and `svcgen::codegen::Value`.
        pub rust_type: Option<Located<String>>,
        /// The full name in the original's .NET code, as of types. The texts of errors quote it, and page scripts know it.
        pub net: Option<Located<String>>,
        /// Whether page scripts know the enumeration although it is that of no parameter and no result (`[GenerateScriptType]`).
        pub script_type: Option<Located<bool>>,
        /// The simple type whose texts the values are, such as `int`. They are compared as texts.
        pub base: Option<Located<String>>,
        // For all who use the definition; the option `open_enums` is for one crate.
        /// Whether names that are not listed are kept, as `Other(String)`, and written back.
        pub open: Option<Located<bool>>,
        /// Whether a value is a set of the listed ones, as with `[Flags]`. In Rust a struct with a constant for each.
        pub flags: Option<Located<bool>>,
        /// The values: their texts on the wire, or maps from one text to its keys.
        pub values: Vec<Located<NameOrMap>>,
    }
}

/// A value of an enumeration: its text on the wire, or a map from that to its keys.
#[derive(Debug, Clone)]
pub enum NameOrMap {
    /// Its text.
    Name(String),
    /// Its text, and its keys.
    Map(Entries<ValueKeys>),
}

map! {
    /// The keys of a value.
    pub struct ValueKeys {
        /// The name of the variant.
        pub rust: Option<Located<String>>,
        /// The name in the original's .NET code, which forms hold instead of the text on the wire. Servers accept both.
        pub net: Option<Located<String>>,
        /// The number in the original's .NET code, which may stand for the value in a form.
        pub number: Option<Located<i64>>,
        /// Documentation of the variant.
        pub doc: Option<String>,
    }
}
