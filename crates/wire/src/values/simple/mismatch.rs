//! Why texts are no values.

/// Why a text is not a value of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mismatch {
    /// Not a number.
    Number,
    /// A number, but none of this type; with its article and name.
    Range(&'static str),
    /// Not in the lexical space of the type, by its name in messages of .NET.
    NotA(&'static str),
    /// A message of .NET that does not quote the text.
    Message(&'static str),
}

impl Mismatch {
    /// What is wrong, in the words of .NET.
    pub fn message(self, text: &str) -> String {
        match self {
            Self::Number => "Input string was not in a correct format.".to_owned(),
            Self::Range(kind) => format!("Value was either too large or too small for {kind}."),
            Self::NotA(kind) => format!("The string '{text}' is not a valid {kind} value."),
            Self::Message(words) => words.to_owned(),
        }
    }
}
