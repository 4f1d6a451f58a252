//! The kinds of changes, a row each, as `svcgen explain` shows them. The files in `changes/` say what each breaks, and why.

use std::fmt;

use crate::change::{Class, named};

/// A kind of change.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CodeRow {
    /// The code, such as `operation-removed`. In `MEMBER-removed`, `MEMBER` stands for the kind of member.
    pub code: &'static str,
    /// The worst class of such changes.
    pub class: Class,
    /// What changed, in one sentence.
    pub title: &'static str,
    /// What it breaks, and why.
    pub why: &'static str,
    /// What would help.
    pub help: Option<&'static str>,
}

/// What codes of members have in place of the kind of member.
const MEMBER: &str = "MEMBER";

macro_rules! codes {
    ($(#[doc = $title:literal] $kind:ident = $code:literal $class:ident $(, help $help:expr)?;)+) => {
        /// The kinds of changes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Kind { $(#[doc = $title] $kind),+ }

        /// All kinds of changes, in the order of their subjects.
        pub const CODES: &[CodeRow] = &[$(CodeRow {
            code: $code,
            class: Class::$class,
            title: $title.trim_ascii(),
            why: include_str!(concat!("../changes/", $code, ".txt")).trim_ascii_end(),
            help: codes!(@ $($help)?),
        }),+];

        const KINDS: &[Kind] = &[$(Kind::$kind),+];
    };
    (@) => { None };
    (@ $help:expr) => { Some($help) };
}

const NEW_NAME: &str =
    "give what is of another type another name, and keep the old one for old callers";
const RUST_NAME: &str = "keep the old name on the wire and rename it in Rust only: `rust: …`";

codes! {
    /// A file of types has a service.
    ServiceAdded = "service-added" Compatible;
    /// A file has no service any more.
    ServiceRemoved = "service-removed" Source;
    /// The name in descriptions and help pages is another one.
    ServiceName = "service-name" Compatible,
        help "no message holds the name: it stands in descriptions and help pages";
    /// Module, handler, server and client have other names in Rust.
    ServiceRustName = "service-rust-name" Source;
    /// The module is documented otherwise.
    ServiceDoc = "service-doc" Documentation;
    /// The XML namespace is another one.
    Namespace = "namespace" Wire,
        help "serve the old definition beside the new one: a router takes several services";
    /// The path of the URL is another one.
    Path = "path" Wire,
        help "serve the old path too: a router takes several services, a proxy can rewrite paths";
    /// The elements of types have moved into the namespace, or out of it.
    ElementForm = "element-form" Wire;

    /// An operation is new.
    OperationAdded = "operation-added" Source,
        help "the option `default_methods` gives it a body, so that handlers compile without it";
    /// An operation is gone.
    OperationRemoved = "operation-removed" Wire,
        help "keep it until nobody calls it; its handler may answer a fault that says what to call instead";
    /// An operation is gone and one that takes and answers the same has come.
    OperationRenamed = "operation-renamed" Wire,
        help RUST_NAME;
    /// An operation is offered over more bindings.
    BindingsAdded = "bindings-added" Rollout;
    /// An operation is offered over fewer bindings.
    BindingsRemoved = "bindings-removed" Wire;
    /// The SOAPAction is another one.
    OperationAction = "operation-action" Wire;
    /// The element of SOAP requests has another name.
    OperationRequestElement = "operation-request-element" Wire;
    /// The element of SOAP answers has another name.
    OperationResponseElement = "operation-response-element" Wire;
    /// The element of the result in SOAP has another name.
    OperationResultElement = "operation-result-element" Wire;
    /// Over HTTP GET and POST the element of the result has another name.
    OperationResultRoot = "operation-result-root" Wire;
    /// The style of SOAP messages is another one.
    OperationStyle = "operation-style" Wire;
    /// An operation is answered where it was not, or the other way round.
    OperationOneWay = "operation-one-way" Depends;
    /// The methods have another name in Rust.
    OperationRustName = "operation-rust-name" Source;
    /// The methods take or answer something where they did not, or the other way round.
    OperationSignature = "operation-signature" Source;
    /// The operation is documented with other faults.
    OperationFaults = "operation-faults" Documentation;
    /// The methods are documented otherwise.
    OperationDoc = "operation-doc" Documentation;

    /// A member is new.
    MemberAdded = "MEMBER-added" Wire;
    /// A member is gone.
    MemberRemoved = "MEMBER-removed" Wire,
        help "keep it, and say in its `doc` that it is not used any more";
    /// A member is gone and one of the same type has come.
    MemberRenamed = "MEMBER-renamed" Wire,
        help RUST_NAME;
    /// Members stand in another order.
    MemberOrder = "MEMBER-order" Depends,
        help "put new elements at the end and leave the others where they are";
    /// A member is of another type.
    MemberType = "MEMBER-type" Wire,
        help NEW_NAME;
    /// A member is a list where it was none, or the other way round.
    MemberList = "MEMBER-list" Wire,
        help NEW_NAME;
    /// A list has an element around its items where it had none, or the other way round.
    MemberWrapping = "MEMBER-wrapping" Wire,
        help NEW_NAME;
    /// The items of a list have other names.
    MemberItem = "MEMBER-item" Wire,
        help NEW_NAME;
    /// Items may be nil where they could not, or the other way round.
    MemberNilItems = "MEMBER-nil-items" Wire,
        help NEW_NAME;
    /// A member is always there where it could be absent; a header is required.
    MemberRequired = "MEMBER-required" Wire;
    /// A member can be absent where it was always there; a header is not required any more.
    MemberOptional = "MEMBER-optional" Wire;
    /// An absent value is written otherwise.
    MemberAbsence = "MEMBER-absence" Depends;
    /// A header is sent with `mustUnderstand`, or without it.
    MemberMustUnderstand = "MEMBER-must-understand" Compatible;
    /// A member is a secret where it was none, or the other way round.
    MemberSecret = "MEMBER-secret" Source;
    /// The field, or the variant of a choice, has another name in Rust.
    MemberRustName = "MEMBER-rust-name" Source;
    /// A member is kept in another Rust type.
    MemberRustType = "MEMBER-rust-type" Source;
    /// The field is documented otherwise.
    MemberDoc = "MEMBER-doc" Documentation;

    /// A type is new.
    TypeAdded = "type-added" Compatible;
    /// A type is gone.
    TypeRemoved = "type-removed" Source;
    /// A type is gone and one with the same elements has come.
    TypeRenamed = "type-renamed" Wire,
        help RUST_NAME;
    /// A type is abstract where it was not, or the other way round.
    TypeAbstract = "type-abstract" Wire;
    /// A type holds text where it held elements, or the other way round.
    TypeContent = "type-content" Wire;
    /// The struct has another name in Rust.
    TypeRustName = "type-rust-name" Source;
    /// The struct is imported where it was emitted, the other way round, or from elsewhere.
    TypeRustType = "type-rust-type" Source;
    /// The struct is documented otherwise.
    TypeDoc = "type-doc" Documentation;
    /// A type may stand where one is asked for that it extends.
    FamilyAdded = "family-added" Wire;
    /// A type may not stand any more where one is asked for that it extends.
    FamilyRemoved = "family-removed" Wire;

    /// A fault has a detail that it had not.
    FaultAdded = "fault-added" Compatible;
    /// A fault is gone.
    FaultRemoved = "fault-removed" Wire;
    /// A fault is gone and one with the same detail has come.
    FaultRenamed = "fault-renamed" Wire;
    /// The detail of a fault is of another type.
    FaultType = "fault-type" Wire;
    /// The fault is documented otherwise.
    FaultDoc = "fault-doc" Documentation;

    /// An enumeration is new.
    EnumerationAdded = "enumeration-added" Compatible;
    /// An enumeration is gone.
    EnumerationRemoved = "enumeration-removed" Source;
    /// An enumeration is gone and one with the same values has come.
    EnumerationRenamed = "enumeration-renamed" Compatible,
        help RUST_NAME;
    /// The enum has another name in Rust.
    EnumerationRustName = "enumeration-rust-name" Source;
    /// An enumeration keeps names that it does not list, or not any more.
    EnumerationOpen = "enumeration-open" Wire;
    /// The enum is imported where it was emitted, the other way round, or from elsewhere.
    EnumerationRustType = "enumeration-rust-type" Source;
    /// The enum is documented otherwise.
    EnumerationDoc = "enumeration-doc" Documentation;
    /// A value is new.
    ValueAdded = "value-added" Wire,
        help "answer it only to callers that know it: an operation of its own, or a value that they sent first";
    /// A value is gone.
    ValueRemoved = "value-removed" Wire,
        help "keep it, and let the handler refuse it with a fault that says why";
    /// A value is gone and another one stands in its place.
    ValueRenamed = "value-renamed" Wire,
        help "keep the old name on the wire and rename it in Rust only: `- Old: { rust: … }`";
    /// The values have other indexes.
    ValueOrder = "value-order" Depends,
        help "put new values at the end and leave the others where they are";
    /// The first value is another one.
    ValueDefault = "value-default" Depends;
    /// The variant has another name in Rust.
    ValueRustName = "value-rust-name" Source;
    /// The variant is documented otherwise.
    ValueDoc = "value-doc" Documentation;

    /// The items are for their crate alone.
    OptionVisibility = "option-visibility" Source;
    /// Types do not have the traits of serde any more.
    OptionSerde = "option-serde" Source;
    /// Structs lose their builders.
    OptionBuilders = "option-builders" Source;
    /// Types are `#[non_exhaustive]`.
    OptionNonExhaustive = "option-non-exhaustive" Source;
    /// Methods of the handler lose their bodies.
    OptionDefaultMethods = "option-default-methods" Source;
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
        /// An alternative of a choice:
        Alternative = "alternative",
    }
}

/// The code of a change. `Display` writes it: `parameter-added`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    kind: Kind,
    /// What stands for `MEMBER`, in codes that have it.
    member: Option<MemberKind>,
}

impl Code {
    pub(crate) fn new(kind: Kind, member: Option<MemberKind>) -> Self {
        let member = member.filter(|_| CODES[kind as usize].code.starts_with(MEMBER));
        Self { kind, member }
    }

    /// All codes: those of the table, and those with a kind of member in place of `MEMBER`.
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

    /// Its row of the table.
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
