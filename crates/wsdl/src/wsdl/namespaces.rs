//! The namespaces of extensions to WSDL 1.1.

pub(super) const SOAP11: &str = "http://schemas.xmlsoap.org/wsdl/soap/";
pub(super) const SOAP12: &str = "http://schemas.xmlsoap.org/wsdl/soap12/";
pub(super) const HTTP: &str = "http://schemas.xmlsoap.org/wsdl/http/";
pub(super) const MIME: &str = "http://schemas.xmlsoap.org/wsdl/mime/";
pub(super) const DIME: &str = "http://schemas.xmlsoap.org/ws/2002/04/dime/wsdl/";
