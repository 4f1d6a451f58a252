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
        /// The name of the service in its WSDL. Rust names derive from it: `GreeterHandler`, `GreeterServer`, `GreeterClient`, module `greeter`.
        pub service: Option<Located<String>>,
        /// Another name from which Rust names derive.
        pub rust: Option<Located<String>>,
        /// The full name of the class in the original's .NET code, which page scripts use. Types without `net` are in its .NET namespace.
        pub net: Option<Located<String>>,
        /// The XML namespace of elements and types.
        pub namespace: Option<Located<String>>,
        /// Short names of other namespaces, for the key `namespace` of types and elements in this file.
        pub namespaces: Entries<Shape<NamespaceKeys>>,
        /// The path of the service's URL, including a final `/` and a query if callers send them. HTTP GET and POST add `/OPERATION`.
        pub path: Option<Located<String>>,
        // The option `bindings` removes those that a crate does not support.
        /// The bindings over which operations are offered: `soap11`, `soap12`, `http-get`, `http-post`, `json`.
        pub bindings: Option<Located<Vec<Located<String>>>>,
        /// The layout of SOAP messages: `document`, `rpc` (parameters and results in no namespace), or `bare` (parameters and results are elements directly in the Body).
        pub style: Option<Located<String>>,
        /// The encoding of values in SOAP messages: `literal`, or `encoded` (SOAP encoding: objects that refer to each other, with their types).
        pub r#use: Option<Located<String>>,
        /// Whether the elements of types are in the namespace: `qualified` or `unqualified`.
        pub element_form: Option<Located<String>>,
        /// What determines the operation of a SOAP request: the `action`, or the `element` in the Body regardless of the action.
        pub routing: Option<Located<String>>,
        /// The time zone that callers expect of the server: `UTC`, an offset, or a name of the IANA database (feature `time-zones`). Dates and times with an offset are converted to it, as in .NET; without the key they stay as written.
        pub time_zone: Option<Located<String>>,
        /// Documentation of the module.
        pub doc: Option<String>,
        /// Files whose types this file uses.
        pub include: Vec<Located<Shape<IncludeKeys>>>,
        /// Codes of warnings to silence in this file. `svcgen explain` lists all codes.
        pub allow: Vec<Located<String>>,
        /// A map from operations' names to operations; at least one.
        pub operations: Entries<OperationDefinition>,
        /// A map from SOAP headers' names to their types.
        pub headers: Entries<Located<Shape<HeaderKeys>>>,
        /// A map from faults' names to the types of their details.
        pub faults: Entries<Located<Shape<FaultKeys>>>,
        /// A map from complex types' names to types.
        pub types: Entries<TypeDefinition>,
        /// A map from enumerations' names to their values.
        pub enums: Entries<EnumDefinition>,
    }
}

impl TypeDefinition {
    /// Returns the type that it extends or restricts.
    pub fn base(&self) -> Option<&Located<String>> {
        self.extends.as_ref().or(self.restricts.as_ref())
    }
}

impl Definition {
    /// Reads the definition of a file, and says whether all of it was read: `sink` has what had to be left out.
    pub fn read(tree: &Tree, edits: &Edits, sink: &mut Sink) -> (Self, bool) {
        read::read(tree, edits, sink)
    }

    /// Returns the keys of a file, in canonical order.
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

    /// Returns the names of all types and enumerations.
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
        /// Whether elements of its types are in the namespace: `qualified` or `unqualified`.
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
        /// The name in the WSDL, which overloads of one method share; the key is then the `MessageName`, which distinguishes their calls. In the style `rpc`, this is also the name of the `request` element, and the names of the parts or the `action` distinguish overloads.
        pub wsdl_name: Option<Located<String>>,
        /// Documentation of the methods.
        pub doc: Option<String>,
        /// A map from parameters' names to types: the child elements of the request, in this order.
        pub parameters: Entries<Located<Shape>>,
        /// The type of the result, or the map form of an element.
        pub result: Option<Located<Shape>>,
        /// A map from results' names to types, instead of `result`: the child elements of the response, in this order. In Rust a struct (`SayHelloResponse`).
        pub results: Entries<Located<Shape>>,
        /// The bindings of this operation. HTTP GET and POST cannot carry objects as parameters; `json` cannot carry choices and XML.
        pub bindings: Option<Located<Vec<Located<String>>>>,
        /// The SOAPAction. It may be empty or contain blanks. If several operations share it, the element in the Body distinguishes them.
        pub action: Option<Located<String>>,
        /// The wrapper element of the request. Parameters are in its namespace.
        pub request: Option<Located<Shape<NameKeys>>>,
        /// The wrapper element of the response. Results are in its namespace.
        pub response: Option<Located<Shape<NameKeys>>>,
        /// The element of the result in the response wrapper; with several `results`, of the return value.
        pub result_element: Option<Located<String>>,
        /// The style of this operation.
        pub style: Option<Located<String>>,
        /// The use of this operation.
        pub r#use: Option<Located<String>>,
        /// How the operation is called and answered over JSON (`[ScriptMethod]`).
        pub script_method: Option<Located<ScriptMethodKeys>>,
        /// Whether callers get no answer over SOAP, only `202 Accepted` once the request has been read: no result, no faults. Over HTTP GET and POST, this is an operation without a result.
        pub one_way: Option<Located<bool>>,
        /// Whether a call changes nothing. Then the server may cancel it when the caller is gone, clients may retry it, `svcgen shadow` may send it twice, and `svcgen prove` thousands of times.
        pub read_only: Option<Located<bool>>,
        /// The seconds for which ASMX caches an answer (`CacheDuration`). Answers get the same caching headers; the server itself caches nothing.
        pub cache: Option<Located<String>>,
        /// Whether calls belong to a session (`EnableSession`): a cookie identifies the caller, and the handler reads `Context::session` (feature `sessions`).
        pub session: Option<Located<bool>>,
        /// The SOAP headers of its requests, answers and faults.
        pub headers: HeadersOfOperation,
        /// The names of faults that the operation may answer, for documentation.
        pub faults: Vec<Located<String>>,
    }
}

map! {
    /// How an operation is called and answered over JSON.
    pub struct ScriptMethodKeys {
        /// Whether the operation is called by GET, with parameters in the query, instead of POST over JSON (`UseHttpGet`).
        pub use_http_get: Option<Located<bool>>,
        /// The format of answers: `json`, or `xml` for the result as XML and text as it is (`ResponseFormat`). Errors are JSON in both.
        pub response_format: Option<Located<String>>,
        /// Whether text, too, is answered in an XML element (`XmlSerializeString`). Needs `response_format: xml`.
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
        /// The headers of faults. `Fault::with_headers` adds them, `Fault::read_headers` reads them.
        pub fault: Vec<Located<String>>,
        /// Whether the handler gets the request headers that are not in `in`, by `Context::unknown_headers`.
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
        /// The namespace, by its short name, if it is not the service's.
        pub namespace: Option<Located<String>>,
        /// The name of the field.
        pub rust: Option<Located<String>>,
        /// Documentation of the field.
        pub doc: Option<String>,
        /// Whether the value is hidden.
        pub secret: Option<Located<bool>>,
        /// How an absent header is written, as for elements, but `omit` by default; `either` and `nil` make it `nillable` in the WSDL.
        pub absent: Option<Located<String>>,
        /// The values that the schema allows, as for elements.
        pub facets: Option<Located<FacetKeys>>,
        /// Whether requests without this header are refused. Its field is then not an `Option`, unless its type is `T?`.
        pub required: Option<Located<bool>>,
        /// Whether clients send it with `soap:mustUnderstand="1"`.
        pub must_understand: Option<Located<bool>>,
        /// Whether handlers and clients can read and set the SOAP attributes of the header in each message: its field is a `SoapHeader`, with `actor`, `must_understand` and `relay`. Instead of `must_understand`.
        pub soap_attributes: Option<Located<bool>>,
    }
}

map! {
    /// The map form of an entry of `faults`.
    pub struct FaultKeys {
        /// The type of the detail.
        pub r#type: Option<Located<String>>,
        /// The namespace of the detail, by its short name, if it is not the service's.
        pub namespace: Option<Located<String>>,
        /// The values that the schema allows, as for elements. Details are not checked.
        pub facets: Option<Located<FacetKeys>>,
        /// Documentation of the fault.
        pub doc: Option<String>,
    }
}

map! {
    /// An entry of `types`.
    pub struct TypeDefinition {
        /// The name on the wire, if two types share one.
        pub name: Option<Located<String>>,
        /// The namespace, by its short name, if it is not the file's.
        pub namespace: Option<Located<String>>,
        /// The element, in the type's namespace, of a result over HTTP GET and POST (`[XmlRoot]`). By default, the element is in the service's namespace and has the name of the type.
        pub root: Option<Located<String>>,
        /// The name of the struct.
        pub rust: Option<Located<String>>,
        /// Documentation of the struct.
        pub doc: Option<String>,
        /// The full name of the class in the original's .NET code, `Company.Crm.Address`; for a nested class `Company.Crm.Outer+Address`. Objects in JSON contain it as `__type`.
        pub net: Option<Located<String>>,
        /// Whether callers over JSON know the type even if no parameter or result uses it: `true`, or its name in JSON (`[GenerateScriptType]`, `ScriptTypeId`).
        pub script_type: Option<Located<String>>,
        // For all who use the definition; the option `extern_path` is for one crate, and holds over it.
        /// The path, as seen from the generated module, of an existing Rust type in the crate or in another service's module. It is imported instead of generated, so that services can share it; it must implement `svcgen::codegen::Complex`.
        pub rust_type: Option<Located<String>>,
        /// The base type, whose attributes, text and elements come before the type's own; at most 64 levels.
        pub extends: Option<Located<String>>,
        /// The base type that this type restricts, instead of `extends`. Values of this type may stand in its place. Repeat its whole content here.
        pub restricts: Option<Located<String>>,
        /// Whether values can only be of types that extend this one.
        pub r#abstract: Option<Located<bool>>,
        /// Whether the type is a struct in the original's .NET code: its elements are always there, and an absent one has `xsi:nil`.
        pub by_value: Option<Located<bool>>,
        /// The file with the schema of a typed `DataSet`, relative to this file. The type is a set of these tables and has no other content.
        pub data_set: Option<Located<String>>,
        /// Whether its elements may come in any order, each at most once (`xs:all`). Only strict reading needs this key; otherwise any order is accepted anyway.
        pub unordered: Option<Located<bool>>,
        /// A map from attributes' names to simple types and enumerations. An absent `T?` is left out.
        pub attributes: Entries<Located<Shape<SimpleKeys>>>,
        /// The type of the text that the type contains instead of elements: a simple type or enumeration, a list of these with `list: text`, or `any` for text mixed with elements. The field is called `value`. If the text is missing or blank, the value is its `default`, else that of its type, or `None` for `T?`; a required `string` keeps its blanks.
        pub text: Option<Located<Shape<SimpleKeys>>>,
        /// A map from elements' names to types, in their order on the wire.
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
        /// The namespace of an attribute, by its short name; `xml` for `xml:lang` and the like.
        pub namespace: Option<Located<String>>,
        /// Whether the attribute is in the namespace of its type: `qualified` or `unqualified`.
        pub form: Option<Located<String>>,
        /// The name of the field.
        pub rust: Option<Located<String>>,
        /// Documentation of the field.
        pub doc: Option<String>,
        /// Whether the value is hidden.
        pub secret: Option<Located<bool>>,
        /// `text` for a list of values in one text, separated by blanks: `1 2 3`. For `T[]`.
        pub list: Option<Located<String>>,
        /// The Rust type of the value, as for elements.
        pub rust_type: Option<Located<String>>,
        /// The name in the original's .NET code.
        pub net: Option<Located<String>>,
        /// The values that the schema allows.
        pub facets: Option<Located<FacetKeys>>,
        /// The default value of an attribute, as for elements; for text, the value of an empty one: it is always written.
        pub default: Option<Located<String>>,
        /// The only value of an attribute, as for elements.
        pub fixed: Option<Located<String>>,
        /// `attributes`, instead of `type`: all attributes that the type does not name, with their namespaces.
        pub any: Option<Located<String>>,
        /// The namespaces of these attributes, or of the elements in text of type `any`, as for elements.
        pub namespaces: Option<Located<String>>,
        /// The least number of elements that the schema allows in text of type `any`.
        pub min: Option<Located<i64>>,
        /// The greatest number of elements that the schema allows in text of type `any`.
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
        /// The namespace whose schema declares the element, by its short name, if it is another one.
        pub namespace: Option<Located<String>>,
        /// Whether the element is in the namespace of its type: `qualified` or `unqualified`. The default is that namespace's `element_form`.
        pub form: Option<Located<String>>,
        /// The name of the field.
        pub rust: Option<Located<String>>,
        /// Documentation of the field.
        pub doc: Option<String>,
        /// Whether `Debug`, errors and traces hide the value. For `string` and `base64Binary`.
        pub secret: Option<Located<bool>>,
        /// How an absent value is written: `omit` leaves the element out, `nil` writes `xsi:nil="true"`, `either` leaves it out and allows callers both. Reading accepts both.
        pub absent: Option<Located<String>>,
        /// The name of a list's item elements. For a list of lists, the name of the inner items, or both names: `[row, cell]`.
        pub item: Option<Located<ItemNames>>,
        /// `unwrapped` repeats the element itself, without an element around the items. `collection` is a `List<T>` in the original: if a message contains the list twice, the items of both count, not only of the last. `text` writes the values into one text, separated by blanks: `1 2 3`. For `T[]`.
        pub list: Option<Located<String>>,
        /// The least number of items that the schema allows; checked like `facets`. For `T[]`, repeated choices and sequences, and wildcards; with `any: element`, `min: 1` requires the element. With `default`, `min: 1` means that the element is always written.
        pub min: Option<Located<i64>>,
        /// The greatest number of items that the schema allows; checked like `facets`. For `T[]`, repeated choices and sequences, and `any: elements`.
        pub max: Option<Located<i64>>,
        /// The path of your own Rust type for a simple value, as seen from the generated module. It must implement `svcgen::codegen::Value`, `Default`, `Debug`, `Clone` and `PartialEq`.
        pub rust_type: Option<Located<String>>,
        /// The name in the original's .NET code, which is the name in forms and in JSON.
        pub net: Option<Located<String>>,
        /// The values, or items of a list, that the schema allows. Values are checked on request.
        pub facets: Option<Located<FacetKeys>>,
        /// The text of the default value. An absent element has this value, and an element with this value is not written, except as an alternative of a choice or with `min: 1`. For simple types and enumerations in the form `T`.
        pub default: Option<Located<String>>,
        /// The text of the only value that the schema allows. It is always written. When reading, it may be absent, and another value is accepted.
        pub fixed: Option<Located<String>>,
        /// Instead of `type`, elements of which exactly one is present: a map from elements to types. In Rust, an enum named after the type and the choice, `PersonContact`. `rust` of an alternative names the variant. An alternative may be a list; the variant of an unwrapped list holds all its consecutive items. It may be nil (`int?`, `{ type: "Phone?", absent: nil }`), but is never left out.
        pub choice: Option<Located<Entries<Located<Shape>>>>,
        /// Instead of `type`, elements that occur together: a map as in `elements`. It may be an alternative of a choice, have `optional: true`, or be repeated with `list: unwrapped`. In Rust, a struct named after the type and the sequence, `PersonPair`. In a repeated sequence, an element that already occurred, or that belongs before the previous one, starts the next struct.
        pub sequence: Option<Located<Entries<Located<Shape>>>>,
        /// The head of a substitution group: an abstract element that the alternatives of a choice replace. The WSDL declares it and refers to it instead of listing the alternatives; it never appears on the wire.
        pub head: Option<Located<String>>,
        /// Whether a choice or a sequence may be absent.
        pub optional: Option<Located<bool>>,
        /// Instead of `type`, a wildcard: `elements` reads all elements that the type or request does not name, wherever they are, `element` only the first of them. They are written at this place. The key is not on the wire. A wildcard may be an alternative of a choice. In a repeated choice, it may also be `text`, a `String` for the text between elements (mixed content).
        pub any: Option<Located<String>>,
        /// The namespaces of a wildcard's elements, separated by blanks: URIs, `##other` for any other than the service's, `##local` for none, `##targetNamespace` for the service's. The WSDL contains them; when reading, the first wildcard takes elements that fit none.
        pub namespaces: Option<Located<String>>,
    }
}

map! {
    /// What values of a simple type a schema allows: its facets.
    pub struct FacetKeys {
        /// The member types of an `s:union`, in order: simple types and enumerations. Of the other facets, only `pattern` may be used with it.
        pub union: Vec<Located<Shape<MemberKeys>>>,
        /// A regular expression of XML Schema that matches the whole text, or a list of several that must all match.
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
        /// The exclusive lower limit of numbers and times (`minExclusive`).
        pub above: Option<Located<String>>,
        /// The exclusive upper limit of numbers and times (`maxExclusive`).
        pub below: Option<Located<String>>,
        /// The greatest number of digits.
        pub total_digits: Option<Located<String>>,
        /// The greatest number of digits after the point.
        pub fraction_digits: Option<Located<String>>,
        /// The treatment of blanks and line ends: `preserve`, `replace` each by a blank, or `collapse`.
        pub white_space: Option<Located<String>>,
    }
}

map! {
    /// The map form of a member of a union.
    pub struct MemberKeys {
        /// The type.
        pub r#type: Option<Located<String>>,
        /// The values of the type that belong to the union.
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
        /// The name; for a list of lists, the name of the innermost items.
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
        /// The namespace, by its short name, if it is not the file's.
        pub namespace: Option<Located<String>>,
        /// The name of the enum.
        pub rust: Option<Located<String>>,
        /// Documentation of the enum.
        pub doc: Option<String>,
        /// The path of a Rust enum that is imported instead of generated, as for types; it must implement `svcgen::codegen::Enumeration` and `svcgen::codegen::Value`.
        pub rust_type: Option<Located<String>>,
        /// The full name in the original's .NET code, as for types. Error texts quote it, and page scripts use it.
        pub net: Option<Located<String>>,
        /// Whether page scripts know the enumeration even if no parameter or result uses it (`[GenerateScriptType]`).
        pub script_type: Option<Located<bool>>,
        /// The simple type of the values, such as `int`. Values are compared as texts.
        pub base: Option<Located<String>>,
        // For all who use the definition; the option `open_enums` is for one crate.
        /// Whether unlisted names are kept as `Other(String)` and written back.
        pub open: Option<Located<bool>>,
        /// Whether a value is a set of listed values, as with `[Flags]`. In Rust, a struct with a constant for each value.
        pub flags: Option<Located<bool>>,
        /// The values: their texts on the wire, or maps from a text to its keys.
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
        /// The name in the original's .NET code, which forms contain instead of the text on the wire. Servers accept both.
        pub net: Option<Located<String>>,
        /// The number in the original's .NET code, which a form may contain instead of the name.
        pub number: Option<Located<i64>>,
        /// Documentation of the variant.
        pub doc: Option<String>,
    }
}
