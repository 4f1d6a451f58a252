//! The texts of simple types: which type reads all that another one writes, as the same value.

use crate::model::{RustType, SimpleType};

/// For each type of numbers the types that read all its texts as the same number.
const NUMBERS: &[(&str, &[&str])] = &[
    (
        "byte",
        &[
            "short", "int", "long", "integer", "decimal", "float", "double",
        ],
    ),
    (
        "short",
        &["int", "long", "integer", "decimal", "float", "double"],
    ),
    ("int", &["long", "integer", "decimal", "double"]),
    ("long", &["integer", "decimal"]),
    (
        "unsignedByte",
        &[
            "short",
            "int",
            "long",
            "unsignedShort",
            "unsignedInt",
            "unsignedLong",
            "integer",
            "decimal",
            "float",
            "double",
        ],
    ),
    (
        "unsignedShort",
        &[
            "int",
            "long",
            "unsignedInt",
            "unsignedLong",
            "integer",
            "decimal",
            "float",
            "double",
        ],
    ),
    (
        "unsignedInt",
        &["long", "unsignedLong", "integer", "decimal", "double"],
    ),
    ("unsignedLong", &["integer", "decimal"]),
    ("float", &["double"]),
];

/// Whether a reader takes all that a writer writes for the same value. Text takes everything for what it looks like; but the prefix of a
/// QName means nothing outside its element, the text of a
/// char is a number in XML, and bytes in a form are many fields.
pub(super) fn fits(writer: &SimpleType, reader: &SimpleType, form: bool) -> bool {
    if writer == reader {
        return true;
    }
    if reader.rust == RustType::String {
        return match writer.name {
            "any" | "QName" => false,
            "char" => form,
            "base64Binary" => !form,
            _ => true,
        };
    }
    let row = NUMBERS.iter().find(|(name, _)| *name == writer.name);
    row.is_some_and(|(_, wider)| wider.contains(&reader.name))
}
