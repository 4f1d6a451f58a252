//! The messages of .NET for texts that it cannot read and values that it cannot write.

use svcgen_wire::ReadErrorKind;

/// The message of .NET where a required value is missing.
pub const NULL_REFERENCE: &str = "Object reference not set to an instance of an object";

const ARGUMENT: &str = "System.ArgumentException";
const INVALID_OPERATION: &str = "System.InvalidOperationException";

/// The .NET types whose texts a converter of numbers reads, which throws another exception than the
/// other converters.
const NUMBERS: [&str; 11] = [
    "Byte", "Decimal", "Double", "Int16", "Int32", "Int64", "SByte", "Single", "UInt16", "UInt32",
    "UInt64",
];

/// Returns the error for a text with more characters than a limit.
pub fn too_long(limit: usize) -> String {
    format!(
        "Error during serialization or deserialization using the JSON JavaScriptSerializer. The length of the string exceeds the value set on the \
         maxJsonLength property. It is {limit} here; `Limits::with_json_length` of the server allows more."
    )
}

/// Returns the type of the .NET exception for an error.
pub fn exception_type(kind: ReadErrorKind, message: &str) -> &'static str {
    let converted = message.rsplit_once(" is not a valid value for ");
    match converted.map(|(_, class)| class.trim_end_matches('.')) {
        Some(class) if NUMBERS.contains(&class) => "System.Exception",
        Some(_) => "System.FormatException",
        None if message == NULL_REFERENCE => "System.NullReferenceException",
        None if message.starts_with("No parameterless constructor") => {
            "System.MissingMethodException"
        }
        None if message.starts_with("RecursionLimit") => ARGUMENT,
        None => match kind {
            ReadErrorKind::Malformed | ReadErrorKind::Limit => ARGUMENT,
            // A value that does not fit, or a missing one.
            _ => INVALID_OPERATION,
        },
    }
}
