//! The rules of the importer, a row each. The text that `svcgen explain` prints about them is in
//! the files of `rules/`: a WSDL that breaks the rule, next to the definition that it is converted
//! to or, after an error, could be.

svcgen_language::rules! {
    /// WSDL and schemas can be read.
    Wsdl = "SVC070" Error;
    /// Everything that documents refer to is found.
    WsdlReference = "SVC071" Error;
    /// Security that a WSDL requires is supported.
    Policy = "SVC072" Error;
    /// A definition expresses all restrictions of a schema.
    Loosened = "SVC073" Warning;
    /// A definition has everything that a WSDL describes.
    LeftOut = "SVC074" Warning;
    /// A definition has all operations of a WSDL.
    OperationLeftOut = "SVC075" Warning;
    /// The language has a type for every element.
    AsAny = "SVC076" Warning;
    /// Facts that no WSDL contains are added by hand.
    NotInWsdl = "SVC077" Note;
    /// A definition means the same as the WSDL that it was imported from.
    Differs = "SVC078" Error;
    /// A definition can express an operation of the WSDL.
    NothingImported = "SVC079" Error;
}
