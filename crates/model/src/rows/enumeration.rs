//! Enumerations and their values.

use crate::SimpleType;

/// An enumeration: named values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Enumeration<'a> {
    /// The name.
    pub name: &'a str,
    /// Its namespace; `None` for that of the service.
    pub namespace: Option<&'a str>,
    /// The name in .NET code with its namespace, if known: errors contain it.
    pub net: Option<&'a str>,
    /// The type of the values' texts; `string` in .NET.
    pub base: SimpleType,
    /// Whether a value is a set of the named ones, `[Flags]` in .NET: a list of names on the wire,
    /// the sum of their numbers in .NET.
    pub flags: bool,
    /// The values; the first one is the default, or for flags the empty set is.
    pub values: &'a [Value<'a>],
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// Creates an enumeration with these values.
pub const fn enumeration<'a>(name: &'a str, values: &'a [Value<'a>]) -> Enumeration<'a> {
    Enumeration {
        name,
        namespace: None,
        net: None,
        base: SimpleType::String,
        flags: false,
        values,
        documentation: 0,
    }
}

impl<'a> Enumeration<'a> {
    builders! {
        /// Sets its name in .NET code.
        net(name: &'a str) { net: Some(name) }
        /// Sets the type of the values' texts.
        base(base: SimpleType) { base: base }
        /// Makes its values sets of the named ones.
        flags() { flags: true }
        /// Sets a namespace of its own.
        in_namespace(namespace: &'a str) { namespace: Some(namespace) }
        /// Sets the number of its documentation.
        documented(number: u32) { documentation: number }
    }

    /// Whether forms contain other texts than XML.
    pub fn has_field_names(&self) -> bool {
        self.flags || self.values.iter().any(|value| value.net.is_some())
    }

    /// Returns the numbers of its values in .NET.
    pub fn numbers(&self) -> impl Iterator<Item = i64> {
        numbers(self.flags, self.values.iter().map(|value| value.number))
    }
}

/// Returns the numbers of values in .NET: those in `given`, else one more than the number before,
/// or for flags the lowest bit above all bits before.
pub fn numbers(flags: bool, given: impl Iterator<Item = Option<i64>>) -> impl Iterator<Item = i64> {
    given.scan(i64::from(flags), move |next, given| {
        let number = given.unwrap_or(*next);
        *next = if flags {
            let [number, next] = [number, *next].map(i64::cast_unsigned);
            let above = 1_u64.checked_shl(u64::BITS - number.leading_zeros());
            above.map_or(0, |above| above.max(next)).cast_signed()
        } else {
            number.wrapping_add(1)
        };
        Some(number)
    })
}

/// A value of an enumeration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value<'a> {
    /// The text on the wire.
    pub name: &'a str,
    /// The name in .NET code, if it differs: forms contain it.
    pub net: Option<&'a str>,
    /// The number in .NET code, if it is not the one from [`Enumeration::numbers`].
    pub number: Option<i64>,
    /// The number of its documentation; 0 for none.
    pub documentation: u32,
}

/// Creates a value of an enumeration.
pub const fn value(name: &str) -> Value<'_> {
    Value {
        name,
        net: None,
        number: None,
        documentation: 0,
    }
}

impl<'a> Value<'a> {
    builders! {
        /// Sets the text on the wire.
        named(name: &'a str) { name: name }
        /// Sets its name in .NET code.
        net(name: &'a str) { net: Some(name) }
        /// Sets its number in .NET code.
        number(number: i64) { number: Some(number) }
        /// Sets the number of its documentation.
        documented(number: u32) { documentation: number }
    }

    /// Returns the name in a form: the one in .NET code.
    pub fn field_name(&self) -> &'a str {
        self.net.unwrap_or(self.name)
    }
}
