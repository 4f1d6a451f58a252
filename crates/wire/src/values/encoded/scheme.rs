//! The names of an encoded message.

use svcgen_model::{At, Element, MicrosoftType, Module, Operation, Service, SimpleType, TypeAt};

use crate::xml::namespaces::XML_SCHEMA;

/// The namespaces of the encodings of SOAP 1.1 and SOAP 1.2.
pub(super) const ENCODINGS: [&str; 2] = [
    "http://schemas.xmlsoap.org/soap/encoding/",
    "http://www.w3.org/2003/05/soap-encoding",
];

/// The namespaces of the drafts of XML Schema, which .NET also reads.
const DRAFTS: [&str; 2] = [
    "http://www.w3.org/1999/XMLSchema",
    "http://www.w3.org/2000/10/XMLSchema",
];

/// The side that writes a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// A client, such as a .NET proxy.
    Client,
    /// A server.
    Server,
}

/// The encoding of the messages of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Scheme<'m> {
    /// The operation, with its module.
    pub(super) operation: At<'m, Operation<'m>>,
    /// The namespace of the service.
    pub(super) service: &'m str,
    /// The namespace of types.
    pub(super) types: &'m str,
    /// Whether objects are written where they are first used (SOAP 1.2), not after the element of
    /// the operation.
    pub(super) is_inline: bool,
}

impl<'m> Scheme<'m> {
    /// The encoding of an operation; `None` if its messages are literal.
    pub fn of(
        operation: At<'m, Operation<'m>>,
        service: &Service<'m>,
        is_inline: bool,
    ) -> Option<Self> {
        Some(Self {
            operation,
            service: service.namespace,
            types: operation.encoded?,
            is_inline,
        })
    }

    /// The namespace of the encoding.
    pub fn encoding(&self) -> &'static str {
        ENCODINGS[usize::from(self.is_inline)]
    }

    /// The namespace and name of the element that one side sends.
    pub fn element(&self, side: Side) -> (&'m str, &'m str) {
        let operation = self.operation.row();
        let part = match side {
            Side::Client => &operation.parameters,
            Side::Server => &operation.response,
        };
        (part.scope.namespace.unwrap_or(self.service), part.name)
    }

    /// The elements in the element that one side sends.
    pub(super) fn elements(&self, side: Side) -> &'m [Element<'m>] {
        let operation = self.operation.row();
        match side {
            Side::Client => operation.parameters.elements,
            Side::Server => operation.results(),
        }
    }

    /// The index of the header with this namespace and name. .NET names headers after their types.
    pub fn header(&self, rows: &[Element<'_>], namespace: &str, name: &str) -> Option<usize> {
        let mut rows = rows.iter();
        rows.position(|row| namespace == self.types && row.name == name)
    }

    /// The prefixes that the envelope declares, with their namespaces. A .NET proxy never assumes
    /// that the types are in the namespace of the service.
    pub fn prefixes(&self, side: Side) -> [(&'static str, String); 3] {
        let types = match side {
            Side::Server => self.types.to_owned(),
            Side::Client => svcgen_model::encoded_types(self.service),
        };
        [
            ("soapenc", self.encoding().to_owned()),
            ("tns", self.service.to_owned()),
            ("types", types),
        ]
    }

    /// The type that `xsi:type` names.
    pub(super) fn named(&self, namespace: &str, name: &str) -> Named<'m> {
        let simple = || SimpleType::of_name(name).filter(|simple| !simple.is_xml());
        let known = match namespace {
            MicrosoftType::NAMESPACE => simple().filter(|simple| simple.row().microsoft.is_some()),
            _ if namespace == XML_SCHEMA || DRAFTS.contains(&namespace) => match name {
                "anyType" | "ur-type" => return Named::Any,
                _ => simple().filter(|simple| simple.row().microsoft.is_none()),
            },
            _ if ENCODINGS.contains(&namespace) => match name {
                "Struct" | "anyType" => return Named::Any,
                "Array" => return Named::Array,
                "base64" => Some(SimpleType::Base64Binary),
                _ => simple().filter(|simple| simple.row().microsoft.is_none()),
            },
            _ if namespace == self.types => {
                let module = self.operation.module();
                return definition(module, name).map_or(Named::Unknown, Named::Own);
            }
            _ => None,
        };
        known.map_or(Named::Unknown, Named::Simple)
    }
}

impl<'m> Scheme<'m> {
    /// Whether elements of values may be in this namespace. They are in none; SOAP::Lite puts them
    /// into that of the operation.
    pub(super) fn is_own(&self, namespace: &str) -> bool {
        let messages = [
            self.operation.parameters.scope,
            self.operation.response.scope,
        ];
        namespace.is_empty()
            || [self.types, self.service].contains(&namespace)
            || messages
                .iter()
                .any(|scope| scope.namespace == Some(namespace))
    }

    /// Whether .NET can assign a value of one type to a place of another type.
    pub(super) fn fits(&self, named: Named<'m>, expected: TypeAt<'m>) -> bool {
        match (named, expected) {
            (_, TypeAt::Simple(SimpleType::AnyType)) | (Named::Any, _) => true,
            (Named::Simple(named), TypeAt::Simple(expected)) => {
                let is_hexadecimal = |simple| simple == SimpleType::HexBinary;
                is_hexadecimal(named) == is_hexadecimal(expected)
                    && net_name(TypeAt::Simple(named)) == net_name(TypeAt::Simple(expected))
            }
            (Named::Own(TypeAt::Complex(named)), TypeAt::Complex(expected)) => named.is_a(expected),
            (Named::Own(named), _) => named == expected,
            _ => false,
        }
    }
}

/// The type that `xsi:type` names.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Named<'m> {
    /// A type without any information.
    Any,
    /// The array of the encoding, whose items have a type.
    Array,
    Simple(SimpleType),
    /// A type of the service.
    Own(TypeAt<'m>),
    Unknown,
}

/// The type with a name in a module, or in one that it includes.
fn definition<'m>(module: At<'m, Module<'m>>, name: &str) -> Option<TypeAt<'m>> {
    let types = module.types().map(TypeAt::Complex);
    let enumerations = module.enumerations().map(TypeAt::Enumeration);
    let own = types.chain(enumerations).find(|one| one.name() == name);
    own.or_else(|| {
        module
            .includes()
            .find_map(|module| definition(module, name))
    })
}

impl Named<'_> {
    /// The name of the type in .NET; types of the service have no namespace.
    pub(super) fn net_name(&self) -> String {
        match self {
            Self::Any => "System.Object".to_owned(),
            Self::Array => "System.Array".to_owned(),
            Self::Simple(simple) => net_name(TypeAt::Simple(*simple)),
            Self::Own(own) => net_name(*own),
            Self::Unknown => "System.Xml.XmlNode[]".to_owned(),
        }
    }
}

/// The name of a type in .NET.
pub(super) fn net_name(type_at: TypeAt<'_>) -> String {
    match type_at {
        // Types that .NET does not have are text there.
        TypeAt::Simple(simple) => match simple.row().net {
            known if known.starts_with("System.") => known.to_owned(),
            _ => "System.String".to_owned(),
        },
        TypeAt::Complex(complex) => complex.row().name.to_owned(),
        TypeAt::Enumeration(enumeration) => {
            let row = enumeration.row();
            row.net.unwrap_or(row.name).to_owned()
        }
        TypeAt::List(item) => format!("{}[]", net_name(item.type_at())),
        TypeAt::Dictionary(_) => "System.Collections.IDictionary".to_owned(),
    }
}
