//! The shape of a WSDL.

/// The shape of a WSDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// The original's shape, with changes for other stacks: it refers to nothing outside of itself,
    /// so `StringArray` does not restrict the `Array` of the SOAP encoding (zeep and Java would
    /// fetch it), empty types have an empty sequence (Perl's SOAP::WSDL cannot call them
    /// otherwise), types are documented, and wildcards have `processContents="lax"`. Arrays of
    /// encoded messages restrict that `Array` in any shape: there is no other way to describe them.
    #[default]
    Portable,
    /// The output of ASMX, byte for byte.
    Original,
}
