//! The audiences that a change breaks, and its severity.

/// Declares an enum whose variants have names.
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
            /// All variants, in order.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// Returns the name.
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
    /// The audience of a change.
    Audience {
        /// Existing callers, on any SOAP stack, that will call the new server:
        Callers = "callers",
        /// Clients generated from the new definition that call a server of the old one:
        NewClients = "new-clients",
        /// Rust code that implements the handler trait:
        Implementors = "implementors",
        /// Rust code that uses the generated client:
        ClientUsers = "client-users",
    }
}

named! {
    /// Whether a change breaks an audience.
    Verdict {
        /// It does not:
        Works = "works",
        /// It does if they rely on what the reason names, such as strict validation against the
        /// schema:
        Depends = "depends",
        /// It does: a message is refused or misread, or code does not compile:
        Breaks = "breaks",
    }
}

named! {
    /// The class of a change is that of its worst effect. The worst class comes first.
    Class {
        /// It breaks existing callers:
        Wire = "wire",
        /// It breaks existing callers if they rely on what the effect names:
        Depends = "depends",
        /// It breaks Rust code that implements the handler trait or uses the client:
        Source = "source",
        /// It breaks new clients while the server is still the old one:
        Rollout = "rollout",
        /// It breaks nobody:
        Compatible = "compatible",
        /// It changes documentation alone:
        Documentation = "documentation",
    }
}
