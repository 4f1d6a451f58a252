//! How a service answers what goes wrong, over each binding.

/// A way to fail.
pub(crate) struct Outcome {
    pub case: &'static str,
    pub soap11: &'static str,
    pub soap12: &'static str,
    pub form: &'static str,
}

const fn outcome(
    case: &'static str,
    soap11: &'static str,
    soap12: &'static str,
    form: &'static str,
) -> Outcome {
    Outcome {
        case,
        soap11,
        soap12,
        form,
    }
}

/// The ways to fail, as the runtime answers them: status, and fault code or what the body is.
pub(crate) const ERRORS: &[Outcome] = &[
    outcome(
        "The operation failed",
        "500, soap:Server",
        "500, soap:Receiver",
        "500, a line of text",
    ),
    outcome(
        "A value is wrong, or no operation is named",
        "500, soap:Client",
        "500, soap:Sender",
        "500, a line of text",
    ),
    outcome(
        "The message is no XML, or has a DTD",
        "400, soap:Client",
        "400, soap:Sender",
        "",
    ),
    outcome(
        "A header that must be understood is not",
        "500, soap:MustUnderstand",
        "500, soap:MustUnderstand",
        "",
    ),
    outcome(
        "The envelope is of no known version",
        "500, soap:VersionMismatch",
        "the same, in SOAP 1.1",
        "",
    ),
    outcome(
        "The body is too long",
        "500, soap:Server",
        "500, soap:Receiver",
        "500, a line of text",
    ),
    outcome(
        "The media type is another one",
        "415, a line of text",
        "415, a line of text",
        "500, a line of text",
    ),
    outcome("The method is another one", "405", "405", "405"),
];
