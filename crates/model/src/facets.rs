//! The facets of simple types.

macro_rules! facets {
    ($($(#[$doc:meta])+ $facet:ident = $name:literal;)+) => {
        /// A restriction of the values of a simple type in a schema (XML Schema 1.0 Part 2 §4.3).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Facet { $($(#[$doc])+ $facet),+ }

        impl Facet {
            /// Returns the name in XML Schema.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$facet => $name),+ }
            }

            /// Returns the name in Rust.
            pub const fn variant(self) -> &'static str {
                match self { $(Self::$facet => stringify!($facet)),+ }
            }
        }
    };
}

facets! {
    /// A regular expression that the text matches as a whole.
    Pattern = "pattern";
    /// The number of characters or bytes.
    Length = "length";
    /// The minimum number of characters or bytes.
    MinLength = "minLength";
    /// The maximum number of characters or bytes.
    MaxLength = "maxLength";
    /// The minimum value.
    MinInclusive = "minInclusive";
    /// The maximum value.
    MaxInclusive = "maxInclusive";
    /// The exclusive lower limit of values.
    MinExclusive = "minExclusive";
    /// The exclusive upper limit of values.
    MaxExclusive = "maxExclusive";
    /// The maximum number of decimal digits.
    TotalDigits = "totalDigits";
    /// The maximum number of decimal digits after the point.
    FractionDigits = "fractionDigits";
    /// The treatment of white space: `preserve`, `replace` or `collapse`.
    WhiteSpace = "whiteSpace";
}

impl Facet {
    /// Whether every value that this facet allows with `one` is allowed with `other`, too.
    pub fn is_within(self, one: &str, other: &str) -> bool {
        let numbers = one.parse::<f64>().ok().zip(other.parse::<f64>().ok());
        one == other
            || match self {
                Self::MinLength | Self::MinInclusive | Self::MinExclusive => {
                    numbers.is_some_and(|(one, other)| one >= other)
                }
                Self::MaxLength
                | Self::MaxInclusive
                | Self::MaxExclusive
                | Self::TotalDigits
                | Self::FractionDigits => numbers.is_some_and(|(one, other)| one <= other),
                Self::Pattern | Self::Length | Self::WhiteSpace => false,
            }
    }
}
