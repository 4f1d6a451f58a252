//! Whom changes concern, and how bad they are.

/// An enumeration whose values have names.
macro_rules! named {
    ($(#[$about:meta])* $enumeration:ident {
        $($(#[$doc:meta])* $value:ident = $name:literal,)+
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $enumeration {
            $($(#[$doc])* #[doc = concat!("`", $name, "`.")] $value,)+
        }

        impl $enumeration {
            /// All of them, in this order.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// The name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }
    };
}

pub(crate) use named;

named! {
    /// Whom a change concerns.
    Audience {
        /// Whoever calls the service today, with whatever stack, and will call the new server:
        Callers = "callers",
        /// A client of the new definition that calls a server of the old one:
        NewClients = "new-clients",
        /// Who implements the handler trait:
        Implementors = "implementors",
        /// Who uses the generated client in Rust:
        ClientUsers = "client-users",
    }
}

named! {
    /// Whether a change breaks somebody.
    Verdict {
        /// It does not:
        Works = "works",
        /// It does if they rely on what the reason says, such as a schema that is held to the letter:
        Depends = "depends",
        /// It does, a message is refused or read as something else, or code does not compile:
        Breaks = "breaks",
    }
}

named! {
    /// What a change is on the whole: the worst that it does, the worst first.
    Class {
        /// It breaks today's callers:
        Wire = "wire",
        /// It breaks today's callers if they rely on what the effect says:
        Depends = "depends",
        /// It breaks Rust code, of those who implement the service or of those who use its client:
        Source = "source",
        /// It breaks new clients for as long as the server is the old one:
        Rollout = "rollout",
        /// It breaks nobody:
        Compatible = "compatible",
        /// Nothing but documentation changes:
        Documentation = "documentation",
    }
}
