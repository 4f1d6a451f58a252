//! The kinds of differences.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::likeness::Likeness;

/// Declares the kinds, with their names, the likeness of answers with such a difference, and a text
/// that describes them.
macro_rules! kinds {
    ($($variant:ident $name:literal $likeness:ident $about:literal;)+) => {
        /// The kind of a difference. Names are stable.
        ///
        /// | name | likeness of answers that differ only in this | what differs |
        /// |---|---|---|
        $(#[doc = concat!("| `", $name, "` | ", stringify!($likeness), " | ", $about, " |")])+
        ///
        /// A difference of a kind with `Differs` is of `SameValues` where a definition reads equal
        /// values.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum DifferenceKind {
            $(#[doc = $about] $variant,)+
        }

        impl DifferenceKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The stable name, such as `missing-element`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// Describes the difference.
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)+ }
            }

            /// Returns the likeness of answers that differ only in this, without a definition.
            pub fn likeness(self) -> Likeness {
                match self { $(Self::$variant => Likeness::$likeness,)+ }
            }
        }
    };
}

kinds! {
    ByteOrderMark "byte-order-mark" SameDocument "Whether the body begins with a byte order mark.";
    Encoding "encoding" SameDocument "The encoding of the body.";
    Declaration "declaration" SameDocument "The XML declaration.";
    Prefix "prefix" SameDocument "The prefix of an element or an attribute.";
    NamespaceDeclaration "namespace-declaration" SameDocument "Which namespaces an element declares.";
    AttributeOrder "attribute-order" SameDocument "The order of attributes.";
    Quotes "quotes" SameDocument "The quotes around the value of an attribute.";
    TagSpace "tag-space" SameDocument "White space within a tag.";
    EmptyElementForm "empty-element-form" SameDocument "`<a/>` or `<a></a>`.";
    WhiteSpace "white-space" SameDocument "White space between elements, or around values of JSON.";
    CharacterReference "character-reference" SameDocument "How a character is written: `&gt;`, `&#62;` or `>`; in JSON `\\u003c` or `<`.";
    Cdata "cdata" SameDocument "Whether text is a CDATA section.";
    LineEnd "line-end" SameDocument "Whether lines of text end with CR LF or LF, which XML reads as LF.";
    Comment "comment" SameDocument "A comment.";
    Instruction "instruction" SameDocument "A processing instruction.";
    MemberOrder "member-order" SameDocument "The order of the members of an object in JSON.";
    Markup "markup" SameDocument "Something else that documents do not tell apart.";
    ContentTypeForm "content-type-form" SameDocument "How the same media type and charset are written.";
    ContentCoding "content-coding" SameDocument "The compression of the body.";
    LexicalForm "lexical-form" SameValues "Two forms of one value: `1.0` and `1`, `true` and `1`, a moment in two time zones.";
    Reference "reference" SameValues "Where an encoded element stands: its id, what refers to it, its name there, or its order among others.";
    UnknownElement "unknown-element" SameValues "An element that the definition does not describe.";
    UnknownAttribute "unknown-attribute" SameValues "An attribute that the definition does not describe.";
    Status "status" Differs "The HTTP status.";
    MediaType "media-type" Differs "The media type of the body.";
    Charset "charset" Differs "The charset of the media type.";
    Header "header" Differs "The value of an HTTP header.";
    MissingHeader "missing-header" Differs "An HTTP header is missing.";
    ExtraHeader "extra-header" Differs "There is one more HTTP header.";
    MissingBody "missing-body" Differs "The body is empty.";
    ExtraBody "extra-body" Differs "There is a body where none was expected.";
    Body "body" Differs "A body that is neither XML nor JSON.";
    Attachment "attachment" Differs "An attachment beside the message: whether there is one, its media type, or its bytes.";
    CutOff "cut-off" Differs "The recorded body is cut off; the rest cannot be compared.";
    Malformed "malformed" Differs "A body is not well-formed.";
    Unreadable "unreadable" Differs "The definition cannot read a body.";
    SoapVersion "soap-version" Differs "The version of SOAP.";
    SoapHeader "soap-header" Differs "A SOAP header is missing, or there is one more.";
    FaultForResult "fault-for-result" Differs "A fault where a result was expected.";
    ResultForFault "result-for-fault" Differs "A result where a fault was expected.";
    FaultCode "fault-code" Differs "The code of a fault.";
    FaultText "fault-text" Differs "The text of a fault.";
    FaultActor "fault-actor" Differs "The actor, the role or the node of a fault.";
    FaultDetail "fault-detail" Differs "Whether a fault has a detail, its text, or which elements it has.";
    ElementName "element-name" Differs "The name of an element.";
    NameCase "name-case" Differs "The letter case of a name.";
    Namespace "namespace" Differs "The namespace of an element or an attribute.";
    MissingElement "missing-element" Differs "An element, or a member of an object in JSON, is missing.";
    ExtraElement "extra-element" Differs "There is one more element, or member.";
    MissingItem "missing-item" Differs "An item of a list is missing.";
    ExtraItem "extra-item" Differs "A list has one more item.";
    ElementOrder "element-order" Differs "The order of elements.";
    Nil "nil" Differs "`xsi:nil`, or `null` in JSON, on one side alone.";
    NilForAbsent "nil-for-absent" Differs "A nil element where none was expected.";
    AbsentForNil "absent-for-nil" Differs "No element where a nil one was expected.";
    EmptyForAbsent "empty-for-absent" Differs "An empty element where none was expected.";
    AbsentForEmpty "absent-for-empty" Differs "No element where an empty one was expected.";
    Type "type" Differs "The type that an object says: `xsi:type`, `__type`, or the kind of a value in JSON.";
    Attribute "attribute" Differs "The value of an attribute.";
    MissingAttribute "missing-attribute" Differs "An attribute is missing.";
    ExtraAttribute "extra-attribute" Differs "There is one more attribute.";
    Value "value" Differs "A value.";
    TextSpace "text-space" Differs "White space in a text, or around it.";
    TextCase "text-case" Differs "The letter case of a text.";
    CarriageReturn "carriage-return" Differs "A carriage return in a text (`&#xD;`).";
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for DifferenceKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
