//! The kinds of changes, a row each, as `svcgen explain` shows them. `changes.txt` explains what
//! each breaks, and why.

use std::fmt;

use crate::class::{Class, named};

/// A kind of change.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CodeRow {
    /// The code, such as `operation-removed`. In `MEMBER-removed`, `MEMBER` stands for the kind of
    /// member.
    pub code: &'static str,
    /// The worst class of such changes.
    pub class: Class,
    /// The change, in one sentence.
    pub title: &'static str,
    /// The effects of the change, and their reasons.
    pub why: &'static str,
    /// A hint.
    pub help: Option<&'static str>,
}

/// The placeholder for the kind of member in codes of members.
const MEMBER: &str = "MEMBER";

macro_rules! codes {
    ($($kind:ident $code:literal $class:ident $title:literal $(, help $help:expr)?;)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Kind { $(#[doc = $title] $kind),+ }

        /// All kinds of changes, in the order of their subjects.
        pub const CODES: &[CodeRow] = &[$(CodeRow {
            code: $code,
            class: Class::$class,
            title: $title,
            why: WHY[Kind::$kind as usize],
            help: codes!(@ $($help)?),
        }),+];

        const KINDS: &[Kind] = &[$(Kind::$kind),+];

        const WHY: [&str; KINDS.len()] = sections([$($code),+]);
    };
    (@) => { None };
    (@ $help:expr) => { Some($help) };
}

/// The text in `changes.txt` for each code. It does not compile unless the file has the codes in
/// the order of the table.
const fn sections<const N: usize>(codes: [&str; N]) -> [&'static str; N] {
    let mut sections = [""; N];
    let mut rest = include_str!("../changes.txt");
    let mut index = 0;
    while index < N {
        rest = after(after(after(rest, "==== "), codes[index]), "\n");
        let bytes = rest.as_bytes();
        let mut end = 0;
        while end < bytes.len() && !(bytes[end] == b'=' && bytes[end - 1] == b'\n') {
            end += 1;
        }
        let (section, others) = rest.split_at(end);
        sections[index] = section.trim_ascii_end();
        rest = others;
        index += 1;
    }
    assert!(rest.is_empty(), "changes.txt says more than the table");
    sections
}

/// The text after the prefix `start`.
const fn after(text: &'static str, start: &str) -> &'static str {
    let (found, rest) = text.split_at(start.len());
    let (found, start) = (found.as_bytes(), start.as_bytes());
    let mut index = 0;
    while index < start.len() {
        assert!(
            found[index] == start[index],
            "changes.txt is not in the order of the table"
        );
        index += 1;
    }
    rest
}

const NEW_NAME: &str =
    "give what is of another type another name, and keep the old one for old callers";
const RUST_NAME: &str = "keep the old name on the wire and rename it in Rust only: `rust: …`";

codes! {
    ServiceAdded "service-added" Compatible "A file of types has a service.";
    ServiceRemoved "service-removed" Source "A file no longer has a service.";
    ServiceName "service-name" Compatible "The service has another name in descriptions and help pages.",
        help "messages do not contain the name; only descriptions and help pages do";
    ServiceRustName "service-rust-name" Source "Module, handler, server and client have other names in Rust.";
    ServiceDoc "service-doc" Documentation "The module has other documentation.";
    Namespace "namespace" Wire "The service has another XML namespace.",
        help "serve the old definition beside the new one: a router takes several services";
    Path "path" Wire "The URL of the service has another path.",
        help "serve the old path too: a router takes several services, a proxy can rewrite paths";
    ElementForm "element-form" Wire "The elements of types have moved into the namespace, or out of it.";
    ServiceRouting "service-routing" Depends "The element determines the operation of SOAP requests instead of the action, or the other way round.";
    ServiceNet "service-net" Depends "The class of the service has another name in .NET, by which page scripts know it.";
    TimeZone "time-zone" Depends "Dates and times are in another time zone.";

    OperationAdded "operation-added" Source "An operation is new.",
        help "the option `optional_methods` gives it a body, so that handlers compile without it";
    OperationRemoved "operation-removed" Wire "An operation is gone.",
        help "keep it until nobody calls it; its handler may answer a fault that says what to call instead";
    OperationRenamed "operation-renamed" Wire "An operation is replaced by one with the same parameters and results.",
        help RUST_NAME;
    BindingsAdded "bindings-added" Rollout "An operation is offered over more bindings.";
    BindingsRemoved "bindings-removed" Wire "An operation is offered over fewer bindings.";
    OperationAction "operation-action" Wire "The operation has another SOAPAction.";
    OperationRequestElement "operation-request-element" Wire "The element of SOAP requests has another name.";
    OperationResponseElement "operation-response-element" Wire "The element of SOAP answers has another name.";
    OperationResultElement "operation-result-element" Wire "The element of the result in SOAP has another name.";
    OperationResultRoot "operation-result-root" Wire "Over HTTP GET and POST the element of the result has another name.";
    OperationStyle "operation-style" Wire "SOAP messages have another style.";
    OperationUse "operation-use" Wire "SOAP messages are encoded instead of literal, or the other way round, or their types are in another namespace.";
    OperationOneWay "operation-one-way" Depends "An operation becomes one-way, or is no longer one-way.";
    OperationByGet "operation-use-http-get" Wire "An operation is called over JSON by GET instead of POST, or the other way round.";
    OperationResponseFormat "operation-response-format" Wire "Over JSON, an operation answers XML instead of JSON, or the other way round.";
    OperationRustName "operation-rust-name" Source "The methods have another name in Rust.";
    OperationSignature "operation-signature" Source "The methods take or return values that they did not before, or the other way round.";
    OperationCache "operation-cache" Compatible "The caching headers of answers have changed.";
    OperationWsdlName "operation-wsdl-name" Compatible "An operation has another name in the WSDL.";
    OperationSession "operation-session" Depends "An operation starts or stops using sessions.";
    OperationUnknownHeaders "operation-unknown-headers" Depends "The handler starts or stops getting headers that the operation does not declare.";
    OperationFaults "operation-faults" Documentation "The operation lists other faults in its documentation.";
    OperationDoc "operation-doc" Documentation "The methods have other documentation.";

    MemberAdded "MEMBER-added" Wire "A member is new.";
    MemberRemoved "MEMBER-removed" Wire "A member is gone.",
        help "keep it, and say in its `doc` that it is not used any more";
    MemberRenamed "MEMBER-renamed" Wire "A member is replaced by one of the same type.",
        help RUST_NAME;
    MemberOrder "MEMBER-order" Depends "Members are in another order.",
        help "put new elements at the end and leave the others where they are";
    MemberType "MEMBER-type" Wire "A member is of another type.",
        help NEW_NAME;
    MemberList "MEMBER-list" Wire "A member becomes a list, or is no longer a list.",
        help NEW_NAME;
    MemberWrapping "MEMBER-wrapping" Wire "A list gains or loses the element around its items.",
        help NEW_NAME;
    MemberItem "MEMBER-item" Wire "The items of a list have other names.",
        help NEW_NAME;
    MemberNamespace "MEMBER-namespace" Wire "A member, or the items of a list, are in another namespace.",
        help NEW_NAME;
    MemberNilItems "MEMBER-nil-items" Wire "Items may now be nil, or no longer.",
        help NEW_NAME;
    MemberRequired "MEMBER-required" Wire "A member can no longer be absent; a header becomes required.";
    MemberOptional "MEMBER-optional" Wire "A member can now be absent; a header is no longer required.";
    MemberAbsence "MEMBER-absence" Wire "An absent value is written in another way.";
    MemberOccurs "MEMBER-occurs" Depends "The schema allows other numbers of items in a list.";
    MemberHead "MEMBER-head" Compatible "The alternatives of a choice are in another substitution group, or in none.";
    MemberFacets "MEMBER-facets" Depends "The schema allows other values.";
    MemberDefault "MEMBER-default" Wire "A missing value stands for another default.",
        help "keep the old default: callers that know it leave the value out";
    MemberFixed "MEMBER-fixed" Depends "The schema fixes another value, or no longer fixes one.";
    MemberNet "MEMBER-net" Wire "A member has another name in .NET, and so in forms and JSON.";
    MemberMustUnderstand "MEMBER-must-understand" Compatible "A header is now sent with `mustUnderstand`, or without it.";
    MemberSecret "MEMBER-secret" Source "A member becomes a secret, or is no longer one.";
    MemberRustName "MEMBER-rust-name" Source "The field, or the variant of a choice, has another name in Rust.";
    MemberRustType "MEMBER-rust-type" Source "A member has another Rust type.";
    MemberDoc "MEMBER-doc" Documentation "The field has other documentation.";

    TypeAdded "type-added" Compatible "A type is new.";
    TypeRemoved "type-removed" Source "A type is gone.";
    TypeRenamed "type-renamed" Wire "A type is replaced by one with the same elements.",
        help RUST_NAME;
    TypeNamespace "type-namespace" Wire "A type is in another namespace, or its elements have another form.";
    TypeAbstract "type-abstract" Wire "A type becomes abstract, or is no longer abstract.";
    TypeContent "type-content" Wire "A type contains text instead of elements, or the other way round.";
    TypeByValue "type-by-value" Compatible "A type is a struct in .NET instead of a class, or the other way round.";
    TypeDataSet "type-data-set" Depends "A set of tables has another schema.";
    ScriptType "script-type" Wire "Callers over JSON know a type by another name, or start or stop knowing it.",
        help "keep the name that callers know: `script_type: …`, or the `net` that it had";
    TypeUnordered "type-unordered" Depends "The elements of a type may come in any order, or no longer.";
    TypeRustName "type-rust-name" Source "The struct has another name in Rust.";
    TypeRustType "type-rust-type" Source "The struct is imported instead of generated, or the other way round, or from elsewhere.";
    TypeDoc "type-doc" Documentation "The struct has other documentation.";
    FamilyAdded "family-added" Wire "A type can now replace a type that it extends.";
    FamilyRemoved "family-removed" Wire "A type can no longer replace a type that it extends.";

    FaultAdded "fault-added" Compatible "A fault has a new detail.";
    FaultRemoved "fault-removed" Wire "A fault is gone.";
    FaultRenamed "fault-renamed" Wire "A fault is replaced by one with the same detail.";
    FaultType "fault-type" Wire "The detail of a fault is of another type.";
    FaultFacets "fault-facets" Depends "The schema allows other values of the detail of a fault.";
    FaultNamespace "fault-namespace" Wire "The detail of a fault is in another namespace.";
    FaultDoc "fault-doc" Documentation "The fault has other documentation.";

    EnumerationAdded "enumeration-added" Compatible "An enumeration is new.";
    EnumerationRemoved "enumeration-removed" Source "An enumeration is gone.";
    EnumerationRenamed "enumeration-renamed" Compatible "An enumeration is replaced by one with the same values.",
        help RUST_NAME;
    EnumerationRustName "enumeration-rust-name" Source "The enum has another name in Rust.";
    EnumerationOpen "enumeration-open" Wire "An enumeration starts or stops keeping unlisted names.";
    EnumerationFlags "enumeration-flags" Wire "Values become sets of listed values, or single values again.";
    EnumerationNamespace "enumeration-namespace" Depends "An enumeration is in another namespace.";
    EnumerationBase "enumeration-base" Compatible "In the schema, the values are of another simple type.";
    EnumerationNet "enumeration-net" Compatible "An enumeration has another name in .NET, which errors quote.";
    EnumerationRustType "enumeration-rust-type" Source "The enum is imported instead of generated, or the other way round, or from elsewhere.";
    EnumerationDoc "enumeration-doc" Documentation "The enum has other documentation.";
    ValueAdded "value-added" Wire "A value is new.",
        help "answer it only to callers that know it: an operation of its own, or a value that they sent first";
    ValueRemoved "value-removed" Wire "A value is gone.",
        help "keep it, and let the handler refuse it with a fault that says why";
    ValueRenamed "value-renamed" Wire "A value is replaced by another in its place.",
        help "keep the old name on the wire and rename it in Rust only: `- Old: { rust: … }`";
    ValueOrder "value-order" Wire "The values have other numbers.",
        help "put new values at the end and leave the others where they are, or give them their `number`";
    ValueNet "value-net" Wire "A value has another name in forms.";
    ValueDefault "value-default" Depends "Another value is the first.";
    ValueRustName "value-rust-name" Source "The variant has another name in Rust.";
    ValueDoc "value-doc" Documentation "The variant has other documentation.";

    OptionVisibility "option-visibility" Source "The generated items are visible only in their crate.";
    OptionSerde "option-serde" Source "Types no longer implement serde's traits.";
    OptionBuilders "option-builders" Source "Structs lose their builders.";
    OptionNonExhaustive "option-non-exhaustive" Source "Types become `#[non_exhaustive]`.";
    OptionDefaultMethods "option-default-methods" Source "Methods of the handler lose their default bodies.";
    OptionSharedResults "option-shared-results" Source "Methods of the handler start or stop returning results in an `Arc`.";
}

named! {
    /// The kind of a member.
    MemberKind {
        /// A parameter of an operation:
        Parameter = "parameter",
        /// An element of a type:
        Element = "element",
        /// An attribute of a type:
        Attribute = "attribute",
        /// The text of a type:
        Text = "text",
        /// The result of an operation:
        Result = "result",
        /// A SOAP header of requests:
        Header = "header",
        /// A SOAP header of answers:
        ResponseHeader = "response-header",
        /// A SOAP header of faults:
        FaultHeader = "fault-header",
        /// An alternative of a choice:
        Alternative = "alternative",
    }
}

/// The code of a change. `Display` writes it: `parameter-added`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    kind: Kind,
    /// The kind of member in place of `MEMBER`, for codes that contain it.
    member: Option<MemberKind>,
}

impl Code {
    pub(crate) fn new(kind: Kind, member: Option<MemberKind>) -> Self {
        let member = member.filter(|_| CODES[kind as usize].code.starts_with(MEMBER));
        Self { kind, member }
    }

    /// Returns all codes: those of the table, and those with a kind of member in place of `MEMBER`.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().flat_map(|kind| {
            let members = MemberKind::ALL
                .iter()
                .map(|member| Self::new(*kind, Some(*member)));
            let members = members.filter(|code| code.member.is_some());
            members.chain([Self::new(*kind, None)])
        })
    }

    /// Parses a code, in any letter case.
    pub fn of(text: &str) -> Option<Self> {
        Self::all().find(|code| code.to_string().eq_ignore_ascii_case(text))
    }

    /// Returns its row of the table.
    pub fn row(self) -> &'static CodeRow {
        &CODES[self.kind as usize]
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.member.map_or(MEMBER, MemberKind::name);
        f.write_str(&self.row().code.replacen(MEMBER, name, 1))
    }
}
