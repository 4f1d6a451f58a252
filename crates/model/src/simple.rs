//! The simple types, one row per type.

/// The properties of a simple type. Its lexical form is in the runtime, which reads and writes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// The name in XML Schema and in definitions.
    pub name: &'static str,
    /// The name in .NET, which errors about forms contain; the name in XML Schema if .NET
    /// represents the type as a string.
    pub net: &'static str,
    /// Its names in other languages, in lower case.
    pub elsewhere: &'static [&'static str],
    /// The Rust type.
    pub rust: RustType,
    /// The memory of a value of the Rust type, without its part on the heap.
    pub memory: Memory,
    /// Whether it is a value type in .NET: its elements are present or nil, never omitted.
    pub by_value: bool,
    /// The form of its texts in XML according to .NET.
    pub text: TextForm,
    /// The other types that read all its texts as the same value, except for text types: see
    /// [`SimpleType::is_read_as`].
    pub wider: &'static [SimpleType],
    /// The value that a reader assumes if none was sent, for messages.
    pub default: &'static str,
    /// The placeholder in samples.
    pub placeholder: &'static str,
    /// The JSON Schema, for OpenAPI.
    pub json_schema: JsonSchema,
    /// The definition by .NET, if XML Schema has no such type.
    pub microsoft: Option<MicrosoftType>,
}

/// The Rust type of a simple type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RustType {
    /// Text.
    String,
    /// `Vec<u8>`.
    Bytes,
    /// A primitive type.
    Primitive(&'static str),
    /// A type of the runtime.
    Runtime(&'static str),
    /// A type of the runtime that holds XML, which only elements can contain.
    Xml(&'static str),
}

/// The memory of a value of a Rust type by itself, on a machine of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// The size in bytes.
    pub size: usize,
    /// The alignment in bytes.
    pub align: usize,
    /// Whether it has bit patterns to spare, so that an `Option` of it is no larger.
    pub spare: bool,
}

impl Memory {
    /// Nothing.
    pub const NONE: Self = Self::of(0, 1, false);

    /// A pointer, such as a `Box`.
    pub const POINTER: Self = Self::of(8, 8, true);

    /// A `String` or a `Vec`.
    pub const LIST: Self = Self::of(24, 8, true);

    /// An enum of names.
    pub const NAMES: Self = Self::of(1, 1, true);

    const fn of(size: usize, align: usize, spare: bool) -> Self {
        Self { size, align, spare }
    }

    /// A number of this size.
    const fn number(size: usize) -> Self {
        Self::of(size, size, false)
    }

    /// Returns the memory of a struct with this content and a field. Its size is not rounded up to
    /// its alignment: see [`whole`](Self::whole).
    #[must_use]
    pub const fn with(self, field: Self) -> Self {
        let align = if field.align > self.align {
            field.align
        } else {
            self.align
        };
        let size = self.size.saturating_add(field.size);
        Self::of(size, align, self.spare || field.spare)
    }

    /// Returns the memory of the struct, complete with its last field.
    #[must_use]
    pub const fn whole(self) -> Self {
        let rest = self.size % self.align;
        let gap = if rest == 0 { 0 } else { self.align - rest };
        Self::of(self.size.saturating_add(gap), self.align, self.spare)
    }

    /// Returns the memory of an `Option` of it.
    #[must_use]
    pub const fn or_nothing(self) -> Self {
        if self.spare { self } else { self.tagged() }
    }

    /// Returns the larger one, with the alignment of both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        let size = if other.size > self.size {
            other.size
        } else {
            self.size
        };
        let both = Self::of(0, 1, false).with(self).with(other);
        Self::of(size, both.align, false)
    }

    /// Adds a tag, as for an enum whose variants contain nothing else.
    #[must_use]
    pub const fn tagged(self) -> Self {
        self.with(Self::of(1, 1, true)).whole()
    }
}

/// The form of a text in XML according to .NET, for reading and writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextForm {
    /// Unchanged.
    #[default]
    AsIs,
    /// Read without white space around it.
    Trimmed,
    /// Like `Trimmed`, and characters that a name may not have are escaped: `_x0031_` is `1`.
    Name,
    /// A name without a colon.
    LocalName,
    /// A name that may begin with any character of names.
    NameToken,
    /// Such names separated by blanks.
    NameTokens,
}

/// The JSON Schema of a simple type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonSchema {
    /// A `type` and a `format`; no format if it is empty.
    Type(&'static str, &'static str),
    /// An integer in a range, both ends included.
    Range(i64, u64),
    /// A string with a `contentEncoding`.
    Encoded(&'static str),
    /// Anything, with a description.
    Described(&'static str),
}

/// A type that .NET adds to those of XML Schema, as its `XmlSerializer` defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MicrosoftType {
    /// The type of XML Schema that it restricts.
    pub base: &'static str,
    /// The `pattern` facet.
    pub pattern: Option<&'static str>,
}

impl MicrosoftType {
    /// The namespace of these types.
    pub const NAMESPACE: &'static str = "http://microsoft.com/wsdl/types/";
}

macro_rules! simple_types {
    ($($(#[$doc:meta])* $type:ident { $($column:ident: $value:expr),+ $(,)? })+) => {
        /// A simple type of the definition language, or any XML.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum SimpleType {
            $($(#[$doc])* $type),+
        }

        impl SimpleType {
            /// All simple types.
            pub const ALL: &'static [Self] = &[$(Self::$type),+];

            /// Returns the name of the variant: `Int`.
            pub const fn variant(self) -> &'static str {
                match self {
                    $(Self::$type => stringify!($type)),+
                }
            }
        }

        // A row without one of the columns does not compile.
        static ROWS: &[Row] = &[$(Row { $($column: $value),+ }),+];
    };
}

use JsonSchema::{Described, Encoded, Range, Type};
use RustType::{Bytes, Primitive, Runtime, Xml};
use SimpleType::{
    Decimal, Double, Float, Int, Integer, Long, Short, UnsignedInt, UnsignedLong, UnsignedShort,
};
use TextForm::{AsIs, LocalName, NameToken, NameTokens, Trimmed};

simple_types! {
    /// Text.
    String {
        name: "string", net: "System.String", elsewhere: &["str", "text", "varchar"],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: AsIs, wider: &[],
        default: "empty text", placeholder: "string", json_schema: Type("string", ""), microsoft: None,
    }
    /// Text in which tabs and line ends are blanks.
    NormalizedString {
        name: "normalizedString", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: AsIs, wider: &[],
        default: "empty text", placeholder: "normalizedString", json_schema: Type("string", ""), microsoft: None,
    }
    /// Text without blanks at its ends and without runs of them.
    Token {
        name: "token", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "token", json_schema: Type("string", ""), microsoft: None,
    }
    /// A URI.
    AnyUri {
        name: "anyURI", net: "System.String", elsewhere: &["uri", "url"],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "anyURI", json_schema: Type("string", "uri-reference"), microsoft: None,
    }
    /// A name with an optional prefix, as text.
    Name {
        name: "Name", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: TextForm::Name, wider: &[],
        default: "empty text", placeholder: "Name", json_schema: Type("string", ""), microsoft: None,
    }
    /// A name without a colon, as text.
    NcName {
        name: "NCName", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: LocalName, wider: &[],
        default: "empty text", placeholder: "NCName", json_schema: Type("string", ""), microsoft: None,
    }
    /// Characters of names, as text.
    Nmtoken {
        name: "NMTOKEN", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: NameToken, wider: &[],
        default: "empty text", placeholder: "NMTOKEN", json_schema: Type("string", ""), microsoft: None,
    }
    /// Several of them separated by blanks, as one text.
    Nmtokens {
        name: "NMTOKENS", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: NameTokens, wider: &[],
        default: "empty text", placeholder: "NMTOKENS", json_schema: Type("string", ""), microsoft: None,
    }
    /// A name that identifies an element of a document, as text.
    Id {
        name: "ID", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "ID", json_schema: Type("string", ""), microsoft: None,
    }
    /// The name of an element of a document, as text.
    Idref {
        name: "IDREF", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "IDREF", json_schema: Type("string", ""), microsoft: None,
    }
    /// Several of them separated by blanks, as one text.
    Idrefs {
        name: "IDREFS", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "IDREFS", json_schema: Type("string", ""), microsoft: None,
    }
    /// The name of an entity, as text.
    Entity {
        name: "ENTITY", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "ENTITY", json_schema: Type("string", ""), microsoft: None,
    }
    /// Several of them separated by blanks, as one text.
    Entities {
        name: "ENTITIES", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "ENTITIES", json_schema: Type("string", ""), microsoft: None,
    }
    /// The name of a notation, as text.
    Notation {
        name: "NOTATION", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "NOTATION", json_schema: Type("string", ""), microsoft: None,
    }
    /// A language such as `en-GB`, as text.
    Language {
        name: "language", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "language", json_schema: Type("string", ""), microsoft: None,
    }
    /// Bytes in base64; in a form, one decimal field for each byte.
    Base64Binary {
        name: "base64Binary", net: "System.Byte[]", elsewhere: &["bytes", "blob", "binary", "byte[]"],
        rust: Bytes, memory: Memory::LIST, by_value: false, text: AsIs, wider: &[],
        default: "no bytes", placeholder: "base64Binary", json_schema: Encoded("base64"), microsoft: None,
    }
    /// Bytes in hexadecimal digits; in a form, one decimal field for each byte.
    HexBinary {
        name: "hexBinary", net: "System.Byte[]", elsewhere: &[],
        rust: Runtime("HexBinary"), memory: Memory::LIST, by_value: false, text: AsIs, wider: &[],
        default: "no bytes", placeholder: "hexBinary", json_schema: Encoded("base16"), microsoft: None,
    }
    /// `true` or `false`.
    Boolean {
        name: "boolean", net: "System.Boolean", elsewhere: &["bool"],
        rust: Primitive("bool"), memory: Memory::of(1, 1, true), by_value: true, text: AsIs, wider: &[],
        default: "`false`", placeholder: "boolean", json_schema: Type("boolean", ""), microsoft: None,
    }
    /// 32 bits.
    Int {
        name: "int", net: "System.Int32", elsewhere: &["i32", "int32"],
        rust: Primitive("i32"), memory: Memory::number(4), by_value: true, text: AsIs, wider: &[Long, Integer, Decimal, Double],
        default: "`0`", placeholder: "int", json_schema: Type("integer", "int32"), microsoft: None,
    }
    /// 64 bits.
    Long {
        name: "long", net: "System.Int64", elsewhere: &["i64", "int64"],
        rust: Primitive("i64"), memory: Memory::number(8), by_value: true, text: AsIs, wider: &[Integer, Decimal],
        default: "`0`", placeholder: "long", json_schema: Type("integer", "int64"), microsoft: None,
    }
    /// 8 bits with a sign.
    Byte {
        name: "byte", net: "System.SByte", elsewhere: &["i8", "int8", "sbyte"],
        rust: Primitive("i8"), memory: Memory::number(1), by_value: true, text: AsIs, wider: &[Short, Int, Long, Integer, Decimal, Float, Double],
        default: "`0`", placeholder: "byte", json_schema: Range(-128, 127), microsoft: None,
    }
    /// 16 bits.
    Short {
        name: "short", net: "System.Int16", elsewhere: &["i16", "int16"],
        rust: Primitive("i16"), memory: Memory::number(2), by_value: true, text: AsIs, wider: &[Int, Long, Integer, Decimal, Float, Double],
        default: "`0`", placeholder: "short", json_schema: Range(-32_768, 32_767), microsoft: None,
    }
    /// 8 bits without a sign.
    UnsignedByte {
        name: "unsignedByte", net: "System.Byte", elsewhere: &["u8", "uint8"],
        rust: Primitive("u8"), memory: Memory::number(1), by_value: true, text: AsIs,
        wider: &[Short, Int, Long, UnsignedShort, UnsignedInt, UnsignedLong, Integer, Decimal, Float, Double],
        default: "`0`", placeholder: "unsignedByte", json_schema: Range(0, 255), microsoft: None,
    }
    /// 16 bits without a sign.
    UnsignedShort {
        name: "unsignedShort", net: "System.UInt16", elsewhere: &["u16", "uint16", "ushort"],
        rust: Primitive("u16"), memory: Memory::number(2), by_value: true, text: AsIs,
        wider: &[Int, Long, UnsignedInt, UnsignedLong, Integer, Decimal, Float, Double],
        default: "`0`", placeholder: "unsignedShort", json_schema: Range(0, 65_535), microsoft: None,
    }
    /// 32 bits without a sign.
    UnsignedInt {
        name: "unsignedInt", net: "System.UInt32", elsewhere: &["u32", "uint32", "uint"],
        rust: Primitive("u32"), memory: Memory::number(4), by_value: true, text: AsIs, wider: &[Long, UnsignedLong, Integer, Decimal, Double],
        default: "`0`", placeholder: "unsignedInt", json_schema: Range(0, u32::MAX as u64), microsoft: None,
    }
    /// 64 bits without a sign.
    UnsignedLong {
        name: "unsignedLong", net: "System.UInt64", elsewhere: &["u64", "uint64", "ulong"],
        rust: Primitive("u64"), memory: Memory::number(8), by_value: true, text: AsIs, wider: &[Integer, Decimal],
        default: "`0`", placeholder: "unsignedLong", json_schema: Range(0, u64::MAX), microsoft: None,
    }
    /// An integer of any size, which .NET keeps as text.
    Integer {
        name: "integer", net: "integer", elsewhere: &["bigint", "biginteger"],
        rust: Runtime("Integer"), memory: Memory::LIST, by_value: false, text: AsIs, wider: &[],
        default: "`0`", placeholder: "integer", json_schema: Type("integer", ""), microsoft: None,
    }
    /// An integer from 0 on, which .NET keeps as text and does not check.
    NonNegativeInteger {
        name: "nonNegativeInteger", net: "nonNegativeInteger", elsewhere: &[],
        rust: Runtime("Integer"), memory: Memory::LIST, by_value: false, text: AsIs, wider: &[],
        default: "`0`", placeholder: "nonNegativeInteger", json_schema: Type("integer", ""), microsoft: None,
    }
    /// An integer from 1 on, which .NET keeps as text and does not check.
    PositiveInteger {
        name: "positiveInteger", net: "positiveInteger", elsewhere: &[],
        rust: Runtime("Integer"), memory: Memory::LIST, by_value: false, text: AsIs, wider: &[],
        default: "`0`", placeholder: "positiveInteger", json_schema: Type("integer", ""), microsoft: None,
    }
    /// An integer up to 0, which .NET keeps as text and does not check.
    NonPositiveInteger {
        name: "nonPositiveInteger", net: "nonPositiveInteger", elsewhere: &[],
        rust: Runtime("Integer"), memory: Memory::LIST, by_value: false, text: AsIs, wider: &[],
        default: "`0`", placeholder: "nonPositiveInteger", json_schema: Type("integer", ""), microsoft: None,
    }
    /// An integer up to -1, which .NET keeps as text and does not check.
    NegativeInteger {
        name: "negativeInteger", net: "negativeInteger", elsewhere: &[],
        rust: Runtime("Integer"), memory: Memory::LIST, by_value: false, text: AsIs, wider: &[],
        default: "`0`", placeholder: "negativeInteger", json_schema: Type("integer", ""), microsoft: None,
    }
    /// A floating-point number of 32 bits.
    Float {
        name: "float", net: "System.Single", elsewhere: &["f32", "single"],
        rust: Primitive("f32"), memory: Memory::number(4), by_value: true, text: AsIs, wider: &[Double],
        default: "`0`", placeholder: "float", json_schema: Type("number", "float"), microsoft: None,
    }
    /// A floating-point number of 64 bits.
    Double {
        name: "double", net: "System.Double", elsewhere: &["f64"],
        rust: Primitive("f64"), memory: Memory::number(8), by_value: true, text: AsIs, wider: &[],
        default: "`0`", placeholder: "double", json_schema: Type("number", "double"), microsoft: None,
    }
    /// A decimal number of 96 bits.
    Decimal {
        name: "decimal", net: "System.Decimal", elsewhere: &[],
        rust: Runtime("Decimal"), memory: Memory::of(16, 4, false), by_value: true, text: AsIs, wider: &[],
        default: "`0`", placeholder: "decimal", json_schema: Type("number", ""), microsoft: None,
    }
    /// A unit of UTF-16, a number in XML.
    Char {
        name: "char", net: "System.Char", elsewhere: &[],
        rust: Primitive("char"), memory: Memory::of(4, 4, true), by_value: true, text: AsIs, wider: &[],
        default: "the default of `char`", placeholder: "char", json_schema: Range(0, 65_535),
        microsoft: Some(MicrosoftType { base: "s:unsignedShort", pattern: None }),
    }
    /// A `Guid`.
    Guid {
        name: "guid", net: "System.Guid", elsewhere: &["uuid"],
        rust: Runtime("Guid"), memory: Memory::of(16, 1, false), by_value: true, text: AsIs, wider: &[],
        default: "the default of `guid`", placeholder: "guid", json_schema: Type("string", "uuid"),
        microsoft: Some(MicrosoftType {
            base: "s:string",
            pattern: Some("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"),
        }),
    }
    /// A date with a time.
    DateTime {
        name: "dateTime", net: "System.DateTime", elsewhere: &["timestamp", "datetimeoffset", "offsetdatetime"],
        rust: Runtime("DateTime"), memory: Memory::of(20, 4, true), by_value: true, text: AsIs, wider: &[],
        default: "the default of `dateTime`", placeholder: "dateTime", json_schema: Type("string", "date-time"), microsoft: None,
    }
    /// A date.
    Date {
        name: "date", net: "System.DateTime", elsewhere: &[],
        rust: Runtime("Date"), memory: Memory::of(4, 4, true), by_value: true, text: AsIs, wider: &[],
        default: "the default of `date`", placeholder: "date", json_schema: Type("string", "date"), microsoft: None,
    }
    /// A time of the day.
    Time {
        name: "time", net: "System.DateTime", elsewhere: &[],
        rust: Runtime("Time"), memory: Memory::of(16, 4, true), by_value: true, text: AsIs, wider: &[],
        default: "the default of `time`", placeholder: "time", json_schema: Type("string", "time"), microsoft: None,
    }
    /// A year, which .NET keeps as text.
    GYear {
        name: "gYear", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "gYear", json_schema: Type("string", ""), microsoft: None,
    }
    /// A month of a year, which .NET keeps as text.
    GYearMonth {
        name: "gYearMonth", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "gYearMonth", json_schema: Type("string", ""), microsoft: None,
    }
    /// A month of any year, which .NET keeps as text.
    GMonth {
        name: "gMonth", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "gMonth", json_schema: Type("string", ""), microsoft: None,
    }
    /// A day of any year, which .NET keeps as text.
    GMonthDay {
        name: "gMonthDay", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "gMonthDay", json_schema: Type("string", ""), microsoft: None,
    }
    /// A day of any month, which .NET keeps as text.
    GDay {
        name: "gDay", net: "System.String", elsewhere: &[],
        rust: RustType::String, memory: Memory::LIST, by_value: false, text: Trimmed, wider: &[],
        default: "empty text", placeholder: "gDay", json_schema: Type("string", ""), microsoft: None,
    }
    /// A span of time, which .NET keeps as text.
    Duration {
        name: "duration", net: "duration", elsewhere: &["timespan"],
        rust: Runtime("Duration"), memory: Memory::of(56, 8, true), by_value: false, text: AsIs, wider: &[],
        default: "the default of `duration`", placeholder: "duration", json_schema: Type("string", "duration"), microsoft: None,
    }
    /// A name with a namespace.
    QName {
        name: "QName", net: "System.Xml.XmlQualifiedName", elsewhere: &[],
        rust: Runtime("QName"), memory: Memory::of(48, 8, true), by_value: false, text: AsIs, wider: &[],
        default: "the default of `QName`", placeholder: "QName", json_schema: Type("string", ""), microsoft: None,
    }
    /// Any XML.
    Any {
        name: "any", net: "System.Xml.XmlNode", elsewhere: &[],
        rust: Xml("XmlFragment"), memory: Memory::of(48, 8, true), by_value: false, text: AsIs, wider: &[],
        default: "the default of `any`", placeholder: "xml", json_schema: Described("Any XML."), microsoft: None,
    }
    /// A value of any type, which is named by `xsi:type`.
    AnyType {
        name: "anyType", net: "System.Object", elsewhere: &["object"],
        rust: Xml("Object"), memory: Memory::of(56, 8, true), by_value: false, text: AsIs, wider: &[],
        default: "the default of `anyType`", placeholder: "value", json_schema: Described("Any value, whose type `xsi:type` names."), microsoft: None,
    }
    /// Tables with their schema, and the changes of their rows.
    DataSet {
        name: "dataSet", net: "System.Data.DataSet", elsewhere: &[],
        rust: Xml("DataSet"), memory: Memory::of(128, 8, true), by_value: false, text: AsIs, wider: &[],
        default: "an empty set", placeholder: "xml", json_schema: Described("A .NET DataSet: its schema and its rows."), microsoft: None,
    }
    /// One such table.
    DataTable {
        name: "dataTable", net: "System.Data.DataTable", elsewhere: &[],
        rust: Xml("DataTable"), memory: Memory::of(168, 8, true), by_value: false, text: AsIs, wider: &[],
        default: "an empty table", placeholder: "xml", json_schema: Described("A .NET DataTable: its schema and its rows."), microsoft: None,
    }
}

impl SimpleType {
    /// Returns its properties.
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the name in XML Schema and in definitions.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the name of an item of this type in a list: for XML, the name of its class in .NET,
    /// `XmlElement[]`.
    pub const fn item_name(self) -> &'static str {
        match self {
            Self::Any => "XmlElement",
            _ => self.name(),
        }
    }

    /// Returns the type with this name in definitions.
    pub fn of_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter();
        all.find(|simple| simple.name() == name).copied()
    }

    /// Whether a value is text.
    pub fn is_text(self) -> bool {
        self.row().rust == RustType::String
    }

    /// Whether a value is bytes: in a form, a decimal field for each byte.
    pub const fn is_bytes(self) -> bool {
        matches!(self, Self::Base64Binary | Self::HexBinary)
    }

    /// Whether a value is tables with their schema.
    pub const fn is_data_set(self) -> bool {
        matches!(self, Self::DataSet | Self::DataTable)
    }

    /// Returns the name of elements of the type that have no other name: items of lists, and roots
    /// of answers over HTTP GET and POST.
    pub fn element_name(self) -> &'static str {
        match self {
            Self::DataSet => "DataSet",
            Self::DataTable => "DataTable",
            _ => self.name(),
        }
    }

    /// Whether a value is XML, which attributes and forms cannot contain.
    pub const fn is_xml(self) -> bool {
        matches!(self.row().rust, RustType::Xml(_))
    }

    /// Whether a reader of another type reads every text of this type as the same value. A text
    /// type reads the text of any value, as does an integer, which .NET keeps as text, with three
    /// exceptions: the prefix of a QName depends on its element, a char is a number in XML, and
    /// bytes in a form are several fields.
    pub fn is_read_as(self, reader: Self, in_form: bool) -> bool {
        let reads = |written: &Self| written.row().rust == reader.row().rust;
        if reads(&self) {
            return true;
        }
        if reader.is_text() || reader.row().rust == Runtime("Integer") {
            return match self {
                Self::QName => false,
                simple if simple.is_xml() => false,
                Self::Char => in_form,
                Self::Base64Binary | Self::HexBinary => !in_form,
                _ => true,
            };
        }
        self.row().wider.iter().any(reads)
    }
}

#[cfg(test)]
mod tests {
    use super::SimpleType;

    #[test]
    fn bytes_in_a_form_are_not_text() {
        for bytes in SimpleType::ALL.iter().filter(|simple| simple.is_bytes()) {
            assert!(bytes.is_read_as(SimpleType::String, false));
            assert!(!bytes.is_read_as(SimpleType::String, true));
        }
    }

    #[test]
    fn names_are_unique_and_those_of_variants() {
        for simple in SimpleType::ALL {
            assert_eq!(SimpleType::of_name(simple.name()), Some(*simple));
            assert!(simple.variant().eq_ignore_ascii_case(simple.name()));
        }
    }
}
