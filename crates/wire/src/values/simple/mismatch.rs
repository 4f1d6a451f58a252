//! The reasons why texts are not values.

/// The reason why a text is not a value of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mismatch {
    /// Not a number.
    Number,
    /// A number that is out of the range of the type, with its article and name.
    Range(&'static str),
    /// Not in the lexical space of the type, given by its name in .NET's messages.
    NotA(&'static str),
    /// A message of .NET that does not quote the text.
    Message(&'static str),
}

impl Mismatch {
    /// Describes the error in the words of .NET.
    pub fn message(self, text: &str) -> String {
        match self {
            Self::Number => "Input string was not in a correct format.".to_owned(),
            Self::Range(kind) => format!("Value was either too large or too small for {kind}."),
            Self::NotA(kind) => format!("The string '{text}' is not a valid {kind} value."),
            Self::Message(words) => words.to_owned(),
        }
    }
}
