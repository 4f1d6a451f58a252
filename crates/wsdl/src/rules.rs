//! The rules of what is imported, a row each. What `svcgen explain` prints of them is in the files of `rules/`: a WSDL that breaks the rule, beside the definition that is made of
//! it or, after an error, could be.

svcgen_language::rules! {
    /// WSDL and schemas can be read.
    Wsdl = "SVC070" Error;
    /// What documents refer to is there.
    WsdlReference = "SVC071" Error;
    /// Security that a WSDL requires is spoken.
    Policy = "SVC072" Error;
    /// A definition says all that a schema says of values.
    Loosened = "SVC073" Warning;
    /// A definition has all that a WSDL describes.
    LeftOut = "SVC074" Warning;
    /// A definition has all operations of a WSDL.
    OperationLeftOut = "SVC075" Warning;
    /// What no type of the language can say is XML.
    AsAny = "SVC076" Warning;
    /// What no WSDL holds is said by hand.
    NotInWsdl = "SVC077" Note;
    /// A definition means the same as the WSDL that it was imported from.
    Differs = "SVC078" Error;
    /// A definition can say an operation of a WSDL.
    NothingImported = "SVC079" Error;
}
