//! SOAP faults.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use svcgen_model::ElementForm;

use svcgen_wire::{
    Content, Limits, ReadError, Reader, Value, WriteError,
    internals::{Levels, Scopes, TimeZone, bounded, no_rows, printable},
    types::{QName, XmlFragment},
};

/// The reason of a failed call, for its caller.
///
/// Handlers return faults; clients find them in [`CallError::Fault`](crate::CallError::Fault). As
/// in ASMX, there are two kinds:
///
/// - [`client`](Self::client), [`server`](Self::server) and [`new`](Self::new) correspond to a
///   `SoapException`, which is meant for callers: they get its code and text unchanged.
/// - [`exception`](Self::exception) corresponds to any other exception, a failure of the server.
///   Over SOAP, a sentence precedes its text, and it is logged as an error.
///
/// ```
/// use svcgen::{Fault, FaultCode};
///
/// let fault = Fault::new(FaultCode::Client, "No such account.").with_actor("http://example.com/accounts");
/// assert_eq!(fault.to_string(), "No such account.");
/// ```
///
/// # Errors become faults
///
/// `?` turns anything that converts into a `Box<dyn Error + Send + Sync>`, including
/// `anyhow::Error`, into an exception. Rust errors are not written for callers. So callers get
/// `There was an error processing the request.` over every binding, as page scripts do from ASMX
/// with `customErrors` on. (Over SOAP, ASMX sends the text of every exception unless
/// `suppressReturningExceptions` is set.) The error becomes the [cause](Self::cause), which is
/// logged.
///
/// ```
/// use svcgen::Fault;
///
/// fn price(text: &str) -> Result<i32, Fault> {
///     Ok(text.parse()?)
/// }
///
/// let fault = price("dear").unwrap_err();
/// assert_eq!(fault.text(), "There was an error processing the request.");
/// assert_eq!(fault.cause().unwrap().to_string(), "invalid digit found in string");
///
/// // Send the text to callers, as ASMX does.
/// let fault = "dear".parse::<i32>().map_err(Fault::exception).unwrap_err();
/// assert_eq!(fault.text(), "invalid digit found in string");
///
/// // Send a text of your own, and log the error.
/// let fault = "dear".parse::<i32>().map_err(|error| Fault::client("A price is a number.").with_cause(error)).unwrap_err();
/// assert_eq!(fault.text(), "A price is a number.");
/// ```
///
/// A fault is not an [`Error`] itself. A layer returns it as a [`Refusal`](crate::layer::Refusal).
#[derive(Debug, Clone, PartialEq)]
pub struct Fault(Box<Parts>);

#[derive(Debug, Clone, PartialEq)]
struct Parts {
    code: FaultCode,
    subcodes: Vec<QName>,
    stage: Stage,
    text: String,
    actor: Option<String>,
    role: Option<String>,
    detail: Option<XmlFragment>,
    /// The class of the .NET exception.
    exception_type: Option<Cow<'static, str>>,
    /// Whether the detail has the element of SOAP 1.1 in SOAP 1.2, too.
    plain_detail: bool,
    /// Whether the innermost subcode is the code in SOAP 1.1.
    leads_with_subcode: bool,
    /// The SOAP headers of the fault, as markup.
    headers: Option<XmlFragment>,
    cause: Cause,
}

/// The error that a fault was created from. Callers do not get it, so faults are equal regardless
/// of it.
#[derive(Debug, Clone, Default)]
struct Cause(Option<Arc<dyn Error + Send + Sync>>);

impl PartialEq for Cause {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The text for callers instead of the text of an error.
const UNTOLD: &str = "There was an error processing the request.";

/// The stage in which the server failed. Only over SOAP, the text starts with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Unsaid,
    Reading,
    Processing,
    /// The call of a method that is not implemented.
    Unwritten,
}

/// A value that can be written into the detail of a fault, as an element with this name.
pub trait FaultDetail: Value + Default {
    /// The namespace of the element.
    const NAMESPACE: &'static str;
    /// The name of the element.
    const NAME: &'static str;
    /// The namespace of the service, and the form of the elements of its types, if not all elements
    /// are in the namespace of the detail.
    const SCOPE: Option<(&'static str, ElementForm)> = None;
    /// The time zone of the service, in which its times are shown.
    const TIME_ZONE: Option<&'static str> = None;
}

/// The element of a fault's detail, for services that are known only at run time. It has the same
/// facts as the constants of [`FaultDetail`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DetailElement<'d> {
    /// The namespace of the element.
    pub namespace: &'d str,
    /// The name of the element.
    pub name: &'d str,
    /// The namespace of the service, and the form of the elements of its types, if not all elements
    /// are in the namespace of the detail.
    pub scope: Option<(&'d str, ElementForm)>,
    /// The time zone of the service, in which its times are shown.
    pub time_zone: Option<&'d str>,
}

impl DetailElement<'_> {
    const fn of<D: FaultDetail>() -> DetailElement<'static> {
        DetailElement {
            namespace: D::NAMESPACE,
            name: D::NAME,
            scope: D::SCOPE,
            time_zone: D::TIME_ZONE,
        }
    }
}

fn read_detail<V: Value>(
    reader: &mut Reader<'_>,
    element: &DetailElement<'_>,
    detail: &mut V,
) -> Result<bool, ReadError> {
    let mut found = false;
    reader.root()?;
    while reader.child()? {
        if !found && reader.is(element.namespace, element.name) {
            found = true;
            reader.read(detail)?;
        } else {
            reader.skip()?;
        }
    }
    reader.finish()?;
    Ok(found)
}

/// Returns the text of the fault for an answer that cannot be written.
pub(crate) fn unwritable(error: &WriteError) -> String {
    format!("There was an error generating the XML document. ---> {error}")
}

/// The code of a fault, with its name in SOAP 1.1. In SOAP 1.2, `Client` is `Sender` and `Server`
/// is `Receiver`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultCode {
    /// The caller is at fault: the message must change before it can succeed.
    Client,
    /// The server is at fault: the same message may succeed later.
    Server,
    /// The server does not support the version of the envelope.
    VersionMismatch,
    /// The server does not understand a `mustUnderstand` header.
    MustUnderstand,
    /// A code of the service's own.
    Other(QName),
}

impl FaultCode {
    /// Creates a code of the service's own.
    ///
    /// # Panics
    ///
    /// `name` is not an NCName of XML, a name without a prefix.
    #[track_caller]
    pub fn other(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self::Other(QName::new(namespace, name))
    }

    /// Returns the names in SOAP 1.1 and SOAP 1.2, or the service's own name as the error.
    pub(crate) fn soap_names(&self) -> Result<[&'static str; 2], &QName> {
        match self {
            Self::Client => Ok(["Client", "Sender"]),
            Self::Server => Ok(["Server", "Receiver"]),
            Self::VersionMismatch => Ok(["VersionMismatch"; 2]),
            Self::MustUnderstand => Ok(["MustUnderstand"; 2]),
            Self::Other(name) => Err(name),
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.soap_names() {
            Ok([name, _]) => f.write_str(name),
            Err(name) => f.write_str(&printable(&name.to_string())),
        }
    }
}

impl Fault {
    /// Creates a fault with this text over every binding.
    pub fn new(code: FaultCode, text: impl fmt::Display) -> Self {
        Self::at(Stage::Unsaid, code, text)
    }

    /// Creates a fault with the code `Server` for a failure of the handler, like an ASMX exception
    /// that is not a `SoapException`. Over SOAP, the text follows `Server was unable to process
    /// request. ---> `.
    pub fn exception(text: impl fmt::Display) -> Self {
        Self::at(Stage::Processing, FaultCode::Server, text)
    }

    /// Creates a fault with the code `Client` and this text over every binding.
    pub fn client(text: impl fmt::Display) -> Self {
        Self::new(FaultCode::Client, text)
    }

    /// Creates a fault with the code `Server` and this text over every binding. For unexpected
    /// failures, use [`exception`](Self::exception).
    pub fn server(text: impl fmt::Display) -> Self {
        Self::new(FaultCode::Server, text)
    }

    pub(crate) fn at(stage: Stage, code: FaultCode, text: impl fmt::Display) -> Self {
        let text = text.to_string();
        Self(Box::new(Parts {
            code,
            subcodes: Vec::new(),
            stage,
            text,
            actor: None,
            role: None,
            detail: None,
            exception_type: None,
            plain_detail: false,
            leads_with_subcode: false,
            headers: None,
            cause: Cause::default(),
        }))
    }

    /// Creates a fault that a caller received. Drops a detail that is only white space.
    pub(crate) fn received(
        code: FaultCode,
        text: String,
        [actor, role]: [Option<String>; 2],
        detail: XmlFragment,
    ) -> Self {
        let mut fault = Self::new(code, text);
        (fault.0.actor, fault.0.role) = (actor, role);
        fault.0.detail = Some(detail).filter(|detail| !detail.as_str().trim().is_empty());
        fault
    }

    /// Adds a subcode, nested in the one added before it. Only SOAP 1.2 has subcodes.
    #[must_use]
    pub fn with_subcode(mut self, subcode: QName) -> Self {
        self.0.subcodes.push(subcode);
        self
    }

    /// Sets who failed: `faultactor` of SOAP 1.1, `Node` of SOAP 1.2.
    #[must_use]
    pub fn with_actor(mut self, actor: impl Into<String>) -> Self {
        self.0.actor = Some(actor.into());
        self
    }

    /// Sets the role in which the node failed: `Role` of SOAP 1.2.
    #[must_use]
    pub fn with_role(mut self, role: impl Into<String>) -> Self {
        self.0.role = Some(role.into());
        self
    }

    /// Sets the class of the .NET exception, which callers over JSON get as `ExceptionType`. Other
    /// bindings have no place for it.
    ///
    /// By default, a fault of [`exception`](Self::exception) is a `System.Exception`, and any other
    /// a `System.Web.Services.Protocols.SoapException`, as handlers throw in ASMX.
    ///
    /// ```
    /// use svcgen::Fault;
    ///
    /// let fault = Fault::exception("There is no such order.").with_exception_type("Shop.OrderException");
    /// assert_eq!(fault.exception_type(), Some("Shop.OrderException"));
    /// ```
    #[must_use]
    pub fn with_exception_type(mut self, class: impl Into<Cow<'static, str>>) -> Self {
        self.0.exception_type = Some(class.into());
        self
    }

    /// Sets the error that caused the fault. It is only logged; callers do not see it.
    #[must_use]
    pub fn with_cause(mut self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.cause = Cause(Some(cause.into().into()));
        self
    }

    /// Adds an element to the detail. If XML cannot represent the value, the fault is replaced by a
    /// fault of the server.
    #[must_use]
    pub fn with_detail<D: FaultDetail>(self, detail: &D) -> Self {
        self.with_detail_element(&DetailElement::of::<D>(), detail)
    }

    /// Adds an element to the detail, as [`with_detail`](Self::with_detail) does.
    #[must_use]
    pub fn with_detail_element<V: Value>(self, element: &DetailElement<'_>, detail: &V) -> Self {
        let (namespace, name) = (element.namespace, element.name);
        let mut inner = Vec::new();
        let levels = element.scope;
        let levels = levels.map(|service| Levels::new(service, no_rows(namespace), 1));
        let mut out = Content::compact(&mut inner).with_levels(levels);
        out.time_zone = TimeZone::named(element.time_zone);
        let write = &mut |out: &mut Content<'_>| detail.write(name, out);
        out.write_root(name, true, namespace, write);
        match out.finish() {
            Ok(()) => {
                let markup = String::from_utf8_lossy(&inner).into_owned();
                self.with_detail_xml(XmlFragment::trusted(markup))
            }
            Err(error) => self.replaced(&error),
        }
    }

    /// Names the element around the detail `detail` in SOAP 1.2 as well, like .NET services that
    /// create it by `SoapException.DetailElementName`. The standard name is `soap:Detail`.
    #[must_use]
    pub fn with_plain_detail(mut self) -> Self {
        self.0.plain_detail = true;
        self
    }

    /// Uses the innermost subcode as the `faultcode` in SOAP 1.1, which has no subcodes, as
    /// WS-Security and WS-Addressing do. By default, SOAP 1.1 gets only the code.
    ///
    /// ```
    /// use svcgen::Fault;
    /// use svcgen::types::QName;
    ///
    /// let expired = QName::new("http://example.com/leases", "Expired");
    /// let fault = Fault::client("The lease has expired.").with_subcode(expired).with_leading_subcode();
    /// ```
    #[must_use]
    pub fn with_leading_subcode(mut self) -> Self {
        self.0.leads_with_subcode = true;
        self
    }

    /// Returns the code in SOAP 1.1, or the subcode that replaces it.
    pub(crate) fn leading_code(&self) -> Cow<'_, FaultCode> {
        match self.0.subcodes.last() {
            Some(subcode) if self.0.leads_with_subcode => {
                Cow::Owned(FaultCode::Other(subcode.clone()))
            }
            _ => Cow::Borrowed(&self.0.code),
        }
    }

    /// Whether the element around the detail is `detail` in SOAP 1.2, too.
    pub(crate) fn has_plain_detail(&self) -> bool {
        self.0.plain_detail
    }

    /// Sets the SOAP headers, as a caller received them.
    pub(crate) fn receive_headers(&mut self, headers: XmlFragment) {
        self.0.headers = Some(headers);
    }

    /// Sets the markup of the SOAP headers, or replaces the fault by one of the server if XML
    /// cannot represent them.
    pub(crate) fn with_header_markup(mut self, markup: Result<Vec<u8>, WriteError>) -> Self {
        match markup {
            Ok(markup) => {
                let markup = String::from_utf8_lossy(&markup).into_owned();
                self.0.headers = Some(XmlFragment::trusted(markup));
                self
            }
            Err(error) => self.replaced(&error),
        }
    }

    /// Returns the fault that replaces one that cannot be written.
    fn replaced(self, error: &WriteError) -> Self {
        let mut fault = Self::exception(unwritable(error));
        fault.0.cause = self.0.cause;
        fault
    }

    pub(crate) fn with_text(mut self, text: String) -> Self {
        self.0.text = text;
        self
    }

    /// Returns the markup of the SOAP headers.
    pub(crate) fn headers(&self) -> Option<&str> {
        let headers = self.0.headers.as_ref();
        headers
            .map(XmlFragment::as_str)
            .filter(|markup| !markup.is_empty())
    }

    /// Adds XML to the detail.
    ///
    /// ```
    /// use svcgen::Fault;
    /// use svcgen::types::XmlFragment;
    ///
    /// let minutes = XmlFragment::element("Minutes").with_namespace("http://example.com/svc").with_text("5").build()?;
    /// let fault = Fault::client("The account is locked.").with_detail_xml(minutes);
    /// assert_eq!(fault.detail(), Some(r#"<Minutes xmlns="http://example.com/svc">5</Minutes>"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_detail_xml(mut self, detail: XmlFragment) -> Self {
        self.0.detail = Some(match self.0.detail {
            None => detail,
            Some(before) => XmlFragment::trusted(format!("{before}{detail}")),
        });
        self
    }

    /// Returns the code.
    pub fn code(&self) -> &FaultCode {
        &self.0.code
    }

    /// Returns the subcodes of SOAP 1.2, outermost first.
    pub fn subcodes(&self) -> &[QName] {
        &self.0.subcodes
    }

    /// Returns the text, without the sentence that SOAP adds to it.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns who failed.
    pub fn actor(&self) -> Option<&str> {
        self.0.actor.as_deref()
    }

    /// Returns the role in which the node failed.
    pub fn role(&self) -> Option<&str> {
        self.0.role.as_deref()
    }

    /// Returns the class of the .NET exception, as set on the server or received over JSON.
    pub fn exception_type(&self) -> Option<&str> {
        self.0.exception_type.as_deref()
    }

    /// Returns the error that caused the fault, on the server.
    pub fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.0.cause.0.as_deref()
    }

    /// Returns whether the handler failed, like an ASMX exception that is not a `SoapException`.
    pub fn is_exception(&self) -> bool {
        matches!(self.0.stage, Stage::Processing | Stage::Unwritten)
    }

    /// Whether the method of the handler is not implemented.
    pub(crate) fn is_unwritten(&self) -> bool {
        self.0.stage == Stage::Unwritten
    }

    /// Returns the XML inside the detail element, or `None` if there is no detail or it is empty.
    /// The outermost elements have all namespace declarations.
    pub fn detail(&self) -> Option<&str> {
        self.detail_xml().map(XmlFragment::as_str)
    }

    /// Returns the detail as a fragment.
    pub fn detail_xml(&self) -> Option<&XmlFragment> {
        self.0.detail.as_ref()
    }

    /// Reads the detail of type `D`, if the fault has one.
    ///
    /// # Errors
    ///
    /// The detail is not a value of the type.
    pub fn read_detail<D: FaultDetail>(&self) -> Option<Result<D, ReadError>> {
        let mut detail = D::default();
        match self.read_detail_element(&DetailElement::of::<D>(), &mut detail) {
            Ok(true) => Some(Ok(detail)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// Reads an element of the detail, and returns whether the fault has it.
    ///
    /// # Errors
    ///
    /// The same as for [`read_detail`](Self::read_detail).
    pub fn read_detail_element<V: Value>(
        &self,
        element: &DetailElement<'_>,
        detail: &mut V,
    ) -> Result<bool, ReadError> {
        let Some(inside) = self.detail() else {
            return Ok(false);
        };
        let document = format!("<detail>{inside}</detail>");
        let reader = Reader::new(&document, &Limits::default());
        let reader = reader.in_time_zone(TimeZone::named(element.time_zone));
        let mut reader = reader.with_scopes(element.scope.map(Scopes::new));
        read_detail(&mut reader, element, detail)
    }

    /// Limits the length of the text.
    pub(crate) fn bounded(mut self) -> Self {
        let text = std::mem::take(&mut self.0.text);
        self.with_text(bounded(text).into_owned())
    }

    /// Returns the sentence before the text over SOAP.
    pub(crate) fn preamble(&self) -> &'static str {
        match self.0.stage {
            Stage::Unsaid => "",
            Stage::Reading => "Server was unable to read request. ---> ",
            Stage::Processing | Stage::Unwritten => "Server was unable to process request. ---> ",
        }
    }
}

/// Writes the text on one line, without control characters, and shortened in the middle to 1,000
/// bytes. [`Fault::text`] returns all of it.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(self.text()))
    }
}

/// Turns an error into a failure of the handler. Callers learn only that there was an error.
impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for Fault {
    fn from(error: E) -> Self {
        let fault = Self::exception(UNTOLD).with_exception_type("");
        fault.with_cause(error)
    }
}
