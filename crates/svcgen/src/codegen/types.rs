//! Macros that declare generated types, and implement the traits that follow from a declaration.

/// Names the row of a complex type, and the bytes in the boxes of its default value, if it has any.
///
/// ```
/// use svcgen::codegen::model::{ComplexType, SimpleType, TypeRef, complex_type, element};
/// use svcgen::codegen::{self, Complex};
///
/// static POINT: ComplexType<'static> =
///     complex_type("Point", &[element("X", TypeRef::Simple(SimpleType::Int))]);
///
/// #[derive(Default)]
/// struct Point {
///     x: i32,
/// }
///
/// codegen::complex!(Point = &POINT);
///
/// impl codegen::Fields for Point {
///     fn read_element(&mut self, index: usize, element: &mut codegen::Element<'_>) -> codegen::Read {
///         match index {
///             0 => element.read(&mut self.x),
///             _ => Err(element.unknown_index(index)),
///         }
///     }
///     fn write_elements(&self, out: &mut codegen::Content<'_>) {
///         out.element("X", &self.x);
///     }
/// }
///
/// assert_eq!(Point::TYPE.name, "Point");
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __complex {
    ($item:ident = $row:expr $(, boxes = $boxes:expr)? $(,)?) => {
        impl $crate::codegen::Complex for $item {
            const TYPE: &'static $crate::codegen::model::ComplexType<'static> = $row;
            $(const BOXES: usize = $boxes;)?
        }
    };
}

/// Declares an enumeration with its row, and implements reading, writing and parsing. The name on
/// the wire follows the name of the type, and of each value for which it differs. Methods that set
/// other fields of the row follow that name.
// Rows are in statics, so that rustc does not copy a row for each constant that refers to it.
///
/// ```
/// use svcgen::codegen::{self, Enumeration, Flags, OpenEnumeration};
///
/// codegen::enumeration! {
///     /// How a parcel is sent.
///     #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
///     pub enum Carrier = "ParcelCarrier" {
///         #[default]
///         Post,
///         OverNight = "OVERNIGHT".net("Overnight"),
///     }
/// }
/// assert_eq!(Carrier::OverNight.to_string(), "OVERNIGHT");
/// assert_eq!("Post".parse(), Ok(Carrier::Post));
/// assert_eq!(Carrier::TYPE.values[1].field_name(), "Overnight");
///
/// // An open enumeration keeps the names that it does not have in its first variant.
/// codegen::enumeration! {
///     #[derive(Debug, Clone, PartialEq, Default)]
///     pub enum Colour = "Colour" {
///         Other(String),
///         #[default]
///         Red,
///     }
/// }
/// assert_eq!(Colour::from_name("Teal"), Colour::Other("Teal".to_owned()));
///
/// // The values of flags are sets, with the bits of each. All have a name on the wire.
/// codegen::enumeration! {
///     #[derive(Debug, Clone, Copy, PartialEq, Default)]
///     pub struct Access = "Access" {
///         READ = "Read".bits(1),
///         WRITE = "Write".bits(2),
///     }
/// }
/// assert_eq!((Access::READ | Access::WRITE).to_string(), "Read Write");
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __enumeration {
    (
        $(#[$of_item:meta])*
        $visibility:vis enum $item:ident = $name:literal $(.$column:ident $argument:tt)* {
            $(#[$of_other:meta])*
            Other($text:ty),
            $(
                $(#[$of_value:meta])*
                $value:ident $(= $value_name:literal $(.$value_column:ident $value_argument:tt)*)?,
            )*
        }
    ) => {
        $(#[$of_item])*
        $visibility enum $item {
            $($(#[$of_value])* $value,)*
            $(#[$of_other])*
            Other($text),
        }

        impl $crate::codegen::OpenEnumeration for $item {
            const TYPE: &'static $crate::codegen::model::Enumeration<'static> = {
                use $crate::codegen::model::{Enumeration, enumeration, value};
                static ROW: Enumeration<'static> = enumeration(
                    $name,
                    &[$(value(stringify!($value)) $(.named($value_name) $(.$value_column $value_argument)*)?),*],
                ) $(.$column $argument)*;
                &ROW
            };
            const VALUES: &'static [Self] = &[$(Self::$value),*];
            fn as_str(&self) -> &str {
                match self {
                    $(Self::$value => const { $crate::codegen::model::value(stringify!($value)) $(.named($value_name))? }.name,)*
                    Self::Other(name) => name,
                }
            }
            fn other(name: &str) -> Self {
                Self::Other(::core::convert::From::from(name))
            }
        }

        impl $crate::codegen::Value for $item {
            fn read(&mut self, element: &mut $crate::codegen::Element<'_>) -> $crate::codegen::Read {
                element.open_enumeration(self)
            }
            fn write(&self, name: &str, out: &mut $crate::codegen::Content<'_>) {
                out.open_enumeration(name, self);
            }
        }

        impl ::core::fmt::Display for $item {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad($crate::codegen::OpenEnumeration::as_str(self))
            }
        }

        impl ::core::str::FromStr for $item {
            type Err = ::core::convert::Infallible;
            fn from_str(name: &str) -> ::core::result::Result<Self, ::core::convert::Infallible> {
                Ok($crate::codegen::OpenEnumeration::from_name(name))
            }
        }
    };
    (
        $(#[$of_item:meta])*
        $visibility:vis enum $item:ident = $name:literal $(.$column:ident $argument:tt)* {
            $(
                $(#[$of_value:meta])*
                $value:ident $(= $value_name:literal $(.$value_column:ident $value_argument:tt)*)?,
            )*
        }
    ) => {
        $(#[$of_item])*
        $visibility enum $item {
            $($(#[$of_value])* $value,)*
        }

        impl $crate::codegen::Enumeration for $item {
            const TYPE: &'static $crate::codegen::model::Enumeration<'static> = {
                use $crate::codegen::model::{Enumeration, enumeration, value};
                static ROW: Enumeration<'static> = enumeration(
                    $name,
                    &[$(value(stringify!($value)) $(.named($value_name) $(.$value_column $value_argument)*)?),*],
                ) $(.$column $argument)*;
                &ROW
            };
            const VALUES: &'static [Self] = &[$(Self::$value),*];
            fn index(self) -> usize {
                self as usize
            }
        }

        impl $crate::codegen::Value for $item {
            fn read(&mut self, element: &mut $crate::codegen::Element<'_>) -> $crate::codegen::Read {
                element.enumeration(self)
            }
            fn write(&self, name: &str, out: &mut $crate::codegen::Content<'_>) {
                out.enumeration(name, *self);
            }
        }

        impl ::core::fmt::Display for $item {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad($crate::codegen::Enumeration::as_str(*self))
            }
        }

        impl ::core::str::FromStr for $item {
            type Err = $crate::types::UnknownName;
            fn from_str(name: &str) -> ::core::result::Result<Self, $crate::types::UnknownName> {
                $crate::codegen::Enumeration::parse(name)
            }
        }
    };
    (
        $(#[$of_item:meta])*
        $visibility:vis struct $item:ident = $name:literal $(.$column:ident $argument:tt)* {
            $(
                $(#[$of_value:meta])*
                $value:ident = $value_name:literal.bits($bits:literal) $(.$value_column:ident $value_argument:tt)*,
            )*
        }
    ) => {
        $(#[$of_item])*
        $visibility struct $item(i64);

        impl $item {
            $($(#[$of_value])* pub const $value: Self = Self($bits);)*

            /// Whether all of these values are in the set.
            #[must_use]
            pub const fn contains(self, values: Self) -> bool {
                self.0 & values.0 == values.0
            }
        }

        impl $crate::codegen::Flags for $item {
            const TYPE: &'static $crate::codegen::model::Enumeration<'static> = {
                use $crate::codegen::model::{Enumeration, enumeration, value};
                static ROW: Enumeration<'static> = enumeration(
                    $name,
                    &[$(value($value_name) $(.$value_column $value_argument)*),*],
                ) $(.$column $argument)* .flags();
                &ROW
            };
            fn bits(self) -> i64 {
                self.0
            }
            fn from_bits(bits: i64) -> Self {
                Self(bits)
            }
        }

        impl $crate::codegen::Value for $item {
            fn read(&mut self, element: &mut $crate::codegen::Element<'_>) -> $crate::codegen::Read {
                element.flags(self)
            }
            fn write(&self, name: &str, out: &mut $crate::codegen::Content<'_>) {
                out.flags(name, *self);
            }
        }

        impl ::core::ops::BitOr for $item {
            type Output = Self;
            fn bitor(self, values: Self) -> Self {
                Self(self.0 | values.0)
            }
        }

        impl ::core::fmt::Display for $item {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::codegen::Flags::fmt(*self, f)
            }
        }

        impl ::core::str::FromStr for $item {
            type Err = $crate::types::UnknownName;
            fn from_str(names: &str) -> ::core::result::Result<Self, $crate::types::UnknownName> {
                $crate::codegen::Flags::parse(names)
            }
        }
    };
}
