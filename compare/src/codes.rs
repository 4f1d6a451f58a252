//! The table of changes: one row each, with what `svcgen explain` says of it.

use std::fmt;

use crate::class::{Class, named};

/// A kind of change.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CodeRow {
    /// `operation-removed`; in codes of members, `MEMBER` stands for what the member is.
    pub code: &'static str,
    /// The worst class that such a change can be of.
    pub class: Class,
    /// What changed, in one sentence.
    pub title: &'static str,
    /// Whom it breaks, and why.
    pub why: &'static str,
    /// What would help.
    pub help: Option<&'static str>,
}

macro_rules! codes {
    ($(#[doc = $title:literal] $kind:ident = $code:literal $class:ident, $why:literal $(, help $help:literal)?;)+) => {
        /// The kinds of changes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Kind { $(#[doc = $title] $kind),+ }

        /// All kinds of changes, in the order of their subjects.
        pub const CODES: &[CodeRow] = &[$(CodeRow {
            code: $code,
            class: Class::$class,
            title: $title.trim_ascii(),
            why: $why,
            help: codes!(@ $($help)?),
        }),+];

        const KINDS: &[Kind] = &[$(Kind::$kind),+];
    };
    (@) => { None };
    (@ $help:literal) => { Some($help) };
}

codes! {
    /// A file of types has a service.
    ServiceAdded = "service-added" Compatible, "Types stay as they are; handler, server and client are new beside them.";
    /// A file has no service any more.
    ServiceRemoved = "service-removed" Source, "Handler trait, server and client are gone, and whatever names them does not compile.";
    /// The name in descriptions and help pages is another one.
    ServiceName = "service-name" Compatible, "WSDL, discovery and help pages show the name. Messages do not hold it.",
        help "no message holds the name: it stands in descriptions and help pages";
    /// Module, handler, server and client have other names in Rust.
    ServiceRustName = "service-rust-name" Source, "They are named after the service unless `rust` says otherwise, and code names them.";
    /// The module is documented otherwise.
    ServiceDoc = "service-doc" Documentation, "Only documentation changes.";
    /// The XML namespace is another one.
    Namespace = "namespace" Wire, "SOAP knows elements and actions by their namespace: a request in the old one is refused, and callers do not find the result in the new one. Form posts are read, and their results are not.",
        help "serve the old definition beside the new one: a router takes several services";
    /// The path of the URL is another one.
    Path = "path" Wire, "Callers have the old address, where nothing is served. Paths that differ in letter case alone are the same.",
        help "serve the old path too: a router takes several services, a proxy can rewrite paths";
    /// The elements of types have moved into the namespace, or out of it.
    ElementForm = "element-form" Wire, "Readers look for elements by namespace and name: those of the other form are taken for absent.";

    /// An operation is new.
    OperationAdded = "operation-added" Source, "Handlers lack its method. The old server does not know it: servers go first, then clients.",
        help "the option `default_methods` gives it a body, so that handlers compile without it";
    /// An operation is gone.
    OperationRemoved = "operation-removed" Wire, "Calls of it are refused, and its methods are gone from handler and client.",
        help "keep it until nobody calls it; its handler may answer a fault that says what to call instead";
    /// An operation is gone and one that takes and answers the same has come.
    OperationRenamed = "operation-renamed" Wire, "The name is part of the action, of the elements of SOAP and of the path over HTTP GET and POST: the new server does not know the old one.",
        help "keep the old name on the wire and rename it in Rust only: `rust: …`";
    /// An operation is offered over more bindings.
    BindingsAdded = "bindings-added" Rollout, "Old callers notice nothing. The old server does not serve it there: servers go first.";
    /// An operation is offered over fewer bindings.
    BindingsRemoved = "bindings-removed" Wire, "Whoever calls it over one of those bindings is refused.";
    /// The SOAPAction is another one.
    OperationAction = "operation-action" Wire, "SOAP 1.1 finds the operation by the SOAPAction. SOAP 1.2 goes by the element in the Body if it does not know the action.";
    /// The element of SOAP requests has another name.
    OperationRequestElement = "operation-request-element" Wire, "A request with the old element is refused.";
    /// The element of SOAP answers has another name.
    OperationResponseElement = "operation-response-element" Wire, "Callers look for the old element and do not find it.";
    /// The element of the result in SOAP has another name.
    OperationResultElement = "operation-result-element" Wire, "Callers look for the old element and miss the result.";
    /// Over HTTP GET and POST the element of the result has another name.
    OperationResultRoot = "operation-result-root" Wire, "There the result is named after its type, so another type or name of a type is another element.";
    /// The style of SOAP messages is another one.
    OperationStyle = "operation-style" Wire, "Parameters and results of rpc stand in no namespace, those of document in the service's, unless elements are unqualified: readers do not find the others.";
    /// An operation is answered where it was not, or the other way round.
    OperationOneWay = "operation-one-way" Depends, "Without an answer there is `202 Accepted` and no message: stacks differ in what they make of that, and nobody hears of a fault.";
    /// The methods have another name in Rust.
    OperationRustName = "operation-rust-name" Source, "Handlers implement the method and clients call it by its name; the request struct is named after it.";
    /// The methods take or answer something where they did not, or the other way round.
    OperationSignature = "operation-signature" Source, "A method without parameters takes no request struct, one with headers takes or answers one more value: implementations and calls have to follow.";
    /// The operation is documented with other faults.
    OperationFaults = "operation-faults" Documentation, "The list is for documents and callers to read; any operation may answer any fault.";
    /// The methods are documented otherwise.
    OperationDoc = "operation-doc" Documentation, "Only documentation changes.";

    /// A member is new.
    MemberAdded = "MEMBER-added" Wire, "Old callers do not send it: a handler sees a default, a form without it is refused, a required header too. Callers that hold to the old schema refuse it in answers. Struct literals that list all fields lack one.";
    /// A member is gone.
    MemberRemoved = "MEMBER-removed" Wire, "What old callers say in it is ignored, and those that look for it in answers read a default. Code that names the field does not compile.",
        help "keep it, and say in its `doc` that it is not used any more";
    /// A member is gone and one of the same type has come.
    MemberRenamed = "MEMBER-renamed" Wire, "Readers find elements by their names: what is sent by the old one is ignored, and the new one is taken for absent.",
        help "keep the old name on the wire and rename it in Rust only: `rust: …`";
    /// Members stand in another order.
    MemberOrder = "MEMBER-order" Depends, "Servers read them in any order, as do callers of svcgen and .NET. Stacks that hold to the sequence of the schema do not.",
        help "put new elements at the end and leave the others where they are";
    /// A member is of another type.
    MemberType = "MEMBER-type" Wire, "A text of the one type may be no text of the other, or another value; an object may lack what its reader looks for. Each direction is told by itself.",
        help "give what is of another type another name, and keep the old one for old callers";
    /// A member is a list where it was none, or the other way round.
    MemberList = "MEMBER-list" Wire, "One value reads as a list without an element of its own, and of such a list the first item as one value; anything else is not read.",
        help "give what is of another type another name, and keep the old one for old callers";
    /// A list has an element around its items where it had none, or the other way round.
    MemberWrapping = "MEMBER-wrapping" Wire, "Items in an element of their own do not read as repeated elements, nor the other way round.",
        help "give what is of another type another name, and keep the old one for old callers";
    /// The items of a list have other names.
    MemberItem = "MEMBER-item" Wire, "Readers find items by their name: the list reads as empty. Forms do not hold the name.",
        help "give what is of another type another name, and keep the old one for old callers";
    /// Items may be nil where they could not, or the other way round.
    MemberNilItems = "MEMBER-nil-items" Wire, "A value that .NET holds by value cannot be nil: it is refused. Others read as empty. In Rust the items are an `Option` on one side.",
        help "give what is of another type another name, and keep the old one for old callers";
    /// A member is always there where it could be absent; a header is required.
    MemberRequired = "MEMBER-required" Wire, "Old callers may leave it out: the handler sees a default, or the call is refused. In Rust it is no `Option` any more.";
    /// A member can be absent where it was always there; a header is not required any more.
    MemberOptional = "MEMBER-optional" Wire, "Old callers read a default where it is absent, or refuse `xsi:nil`. In Rust it is an `Option` now.";
    /// An absent value is written otherwise.
    MemberAbsence = "MEMBER-absence" Depends, "It is left out, or there with `xsi:nil`. Servers and callers of svcgen and .NET read both; stacks that hold to the schema may not.";
    /// A header is sent with `mustUnderstand`, or without it.
    MemberMustUnderstand = "MEMBER-must-understand" Compatible, "Both sides know the header and understand it.";
    /// A member is a secret where it was none, or the other way round.
    MemberSecret = "MEMBER-secret" Source, "The wire is the same. Rust keeps secrets in a `Secret`, and code that reads or makes them has to follow.";
    /// The field, or the variant of a choice, has another name in Rust.
    MemberRustName = "MEMBER-rust-name" Source, "Code names it.";
    /// A member is kept in another Rust type.
    MemberRustType = "MEMBER-rust-type" Source, "The wire is the same. An option gives the type, or a `Box` is needed since types hold one another.";
    /// The field is documented otherwise.
    MemberDoc = "MEMBER-doc" Documentation, "Only documentation changes.";

    /// A type is new.
    TypeAdded = "type-added" Compatible, "What uses it is told by itself.";
    /// A type is gone.
    TypeRemoved = "type-removed" Source, "Code that names its struct does not compile. What became of where it was used is told by itself.";
    /// A type is gone and one with the same elements has come.
    TypeRenamed = "type-renamed" Wire, "The name is on the wire as `xsi:type` where types extend one another; as the name of items and of results, which are told by themselves.",
        help "keep the old name on the wire and rename it in Rust only: `rust: …`";
    /// A type is abstract where it was not, or the other way round.
    TypeAbstract = "type-abstract" Wire, "A value of an abstract type says by `xsi:type` which type it is, and is refused without.";
    /// A type holds text where it held elements, or the other way round.
    TypeContent = "type-content" Wire, "Text does not read as elements, nor the other way round.";
    /// The struct has another name in Rust.
    TypeRustName = "type-rust-name" Source, "Code names it.";
    /// The struct is imported where it was emitted, the other way round, or from elsewhere.
    TypeRustType = "type-rust-type" Source, "Code has another type. What an imported one is on the wire is not compared.";
    /// The struct is documented otherwise.
    TypeDoc = "type-doc" Documentation, "Only documentation changes.";
    /// A type may stand where one is asked for that it extends.
    FamilyAdded = "family-added" Wire, "Readers that do not know the type refuse its `xsi:type`, or read it as the one that it extends. In Rust what is asked for is an enum with one more variant.";
    /// A type may not stand any more where one is asked for that it extends.
    FamilyRemoved = "family-removed" Wire, "Old callers may send it, and are refused. In Rust a variant is gone.";

    /// A fault has a detail that it had not.
    FaultAdded = "fault-added" Compatible, "Callers that do not know the detail see the fault.";
    /// A fault is gone.
    FaultRemoved = "fault-removed" Wire, "Callers that look for the detail do not find it, and its type is the detail of nothing in Rust.";
    /// A fault is gone and one with the same detail has come.
    FaultRenamed = "fault-renamed" Wire, "Callers look for the element of the detail by its name.";
    /// The detail of a fault is of another type.
    FaultType = "fault-type" Wire, "Callers that look for the detail read something else.";
    /// The fault is documented otherwise.
    FaultDoc = "fault-doc" Documentation, "Only documentation changes.";

    /// An enumeration is new.
    EnumerationAdded = "enumeration-added" Compatible, "What uses it is told by itself.";
    /// An enumeration is gone.
    EnumerationRemoved = "enumeration-removed" Source, "Code that names its enum does not compile. What became of where it was used is told by itself.";
    /// An enumeration is gone and one with the same values has come.
    EnumerationRenamed = "enumeration-renamed" Compatible, "The name is on the wire as the name of items and of results, which are told by themselves.",
        help "keep the old name on the wire and rename it in Rust only: `rust: …`";
    /// The enum has another name in Rust.
    EnumerationRustName = "enumeration-rust-name" Source, "Code names it.";
    /// An enumeration keeps names that it does not list, or not any more.
    EnumerationOpen = "enumeration-open" Wire, "One that is not open refuses names that it does not list. In Rust there is a variant for them, and the enum is no `Copy`.";
    /// The enum is imported where it was emitted, the other way round, or from elsewhere.
    EnumerationRustType = "enumeration-rust-type" Source, "Code has another type. What an imported one is on the wire is not compared.";
    /// The enum is documented otherwise.
    EnumerationDoc = "enumeration-doc" Documentation, "Only documentation changes.";
    /// A value is new.
    ValueAdded = "value-added" Wire, "Old callers that are answered with it refuse the answer. A `match` that names every variant lacks one.",
        help "answer it only to callers that know it: an operation of its own, or a value that they sent first";
    /// A value is gone.
    ValueRemoved = "value-removed" Wire, "Requests with it are refused. In Rust the variant is gone.",
        help "keep it, and let the handler refuse it with a fault that says why";
    /// A value is gone and another one stands in its place.
    ValueRenamed = "value-renamed" Wire, "Requests with the old name are refused, as are answers with the new one.",
        help "keep the old name on the wire and rename it in Rust only: `- Old: { rust: … }`";
    /// The values have other indexes.
    ValueOrder = "value-order" Depends, "A form may hold the index of a value instead of its name, as .NET allows.",
        help "put new values at the end and leave the others where they are";
    /// The first value is another one.
    ValueDefault = "value-default" Depends, "It is what a missing value is read as.";
    /// The variant has another name in Rust.
    ValueRustName = "value-rust-name" Source, "Code names it.";
    /// The variant is documented otherwise.
    ValueDoc = "value-doc" Documentation, "Only documentation changes.";

    /// The items are for their crate alone.
    OptionVisibility = "option-visibility" Source, "Other crates do not see them any more.";
    /// Types do not have the traits of serde any more.
    OptionSerde = "option-serde" Source, "Code that serializes them does not compile.";
    /// Structs lose their builders.
    OptionBuilders = "option-builders" Source, "`new` and the functions `with_…` are gone.";
    /// Types are `#[non_exhaustive]`.
    OptionNonExhaustive = "option-non-exhaustive" Source, "Other crates cannot write all fields out, and need a `_` beside variants.";
    /// Methods of the handler lose their bodies.
    OptionDefaultMethods = "option-default-methods" Source, "A handler that leaves such a method out does not compile.";
}

named! {
    /// What a member is a member of, or stands for.
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

/// The code of a change: its kind, and of which member it is if rows leave that open. `Display` writes `parameter-added`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    kind: Kind,
    member: Option<MemberKind>,
}

impl Code {
    pub(crate) fn new(kind: Kind, member: Option<MemberKind>) -> Self {
        let member = member.filter(|_| kind.row().of_member().is_some());
        Self { kind, member }
    }

    /// All codes: those of rows, and with each member in place of `MEMBER`.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().flat_map(|kind| {
            let members = kind.row().of_member().map(|_| MemberKind::ALL);
            let members = members.into_iter().flatten().copied().map(Some);
            let codes = members.chain([None]);
            codes.map(|member| Self::new(*kind, member))
        })
    }

    /// The code that is written so, in any letter case.
    pub fn of(text: &str) -> Option<Self> {
        Self::all().find(|code| code.to_string().eq_ignore_ascii_case(text))
    }

    /// Its row of the table.
    pub fn row(self) -> &'static CodeRow {
        self.kind.row()
    }
}

impl Kind {
    fn row(self) -> &'static CodeRow {
        &CODES[self as usize]
    }
}

impl CodeRow {
    /// What follows the member in codes that leave it open.
    fn of_member(&self) -> Option<&'static str> {
        self.code.strip_prefix("MEMBER")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row();
        match self.member.zip(row.of_member()) {
            Some((member, rest)) => write!(f, "{}{rest}", member.name()),
            None => f.write_str(row.code),
        }
    }
}
