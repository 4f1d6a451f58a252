//! The kinds of requests.

use bytes::Bytes;
use http::{Request, Uri};
use percent_encoding::percent_decode_str;
use svcgen::Binding;
use svcgen::codegen::below_path;
use svcgen::mask::{SCRIPTS, USUAL_FILES};
use svcgen_messages::{Operation, Service};
use svcgen_model::names_document;

/// The kind of a request to a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// A call of an operation, over a binding.
    Call(Operation, Binding),
    /// A call of an unknown operation: there is no definition, or the request fits none of its
    /// operations.
    UnknownCall,
    /// Not a call: a request for a document such as the WSDL or the help page, a request to another
    /// service, or a health check.
    NotACall,
}

impl Asked {
    /// Classifies a request to a service, or to a server without a definition.
    pub fn of(service: Option<Service>, request: &Request<Bytes>) -> Self {
        if !is_call(service, request.method().as_str(), request.uri()) {
            return Self::NotACall;
        }
        let called = service.and_then(|service| service.operation_of(request.clone()).ok());
        called.map_or(Self::UnknownCall, |(operation, binding)| {
            Self::Call(operation, binding)
        })
    }

    /// Returns the operation that is called, and the binding, if they are known.
    pub fn called(self) -> Option<(Operation, Binding)> {
        match self {
            Self::Call(operation, binding) => Some((operation, binding)),
            Self::UnknownCall | Self::NotACall => None,
        }
    }
}

/// Whether a request is a call, as far as its request line shows.
///
/// Calls of a service are POST requests to its path, and GET or POST requests to a name below it
/// except the scripts `js` and `jsdebug`. Without a definition the path is unknown: then every POST
/// is a call, and every GET except for documents (`?wsdl`, the page of an `.asmx` or `.svc`, its
/// scripts), icons and the usual health checks.
pub fn is_call(service: Option<Service>, method: &str, uri: &Uri) -> bool {
    let (is_get, is_post) = (method == "GET", method == "POST");
    let Some(service) = service else {
        let path = percent_decode_str(uri.path()).decode_utf8_lossy();
        return is_post || is_get && !is_usual_document(&path, uri.query().unwrap_or_default());
    };
    let below = below_path(service.row().row().path, uri.path());
    match below.as_deref().map(|below| below.trim_start_matches('/')) {
        None => false,
        Some("") => is_post,
        Some(name) => (is_get || is_post) && !is_script(name),
    }
}

/// Whether a name below a service is the name of a script for pages, which no operation has.
fn is_script(name: &str) -> bool {
    SCRIPTS
        .iter()
        .any(|script| name.eq_ignore_ascii_case(script))
}

/// Whether a GET is for a document that is not a call on most servers.
fn is_usual_document(path: &str, query: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let is_service = |path: &str| path.ends_with(".asmx") || path.ends_with(".svc");
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let mut words = query
        .split('&')
        .map(|field| field.split('=').next().unwrap_or_default());
    is_service(path.trim_end_matches('/'))
        || is_service(parent) && is_script(name)
        || USUAL_FILES.contains(&name)
        || words.any(names_document)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOP: &str = "
service: Shop
namespace: urn:shop
path: /Svc/Shop.asmx
bindings: [soap11, http-get]
operations:
  Price: { parameters: { article: int }, result: int }
";

    fn asked(service: Option<Service>, line: &str) -> Asked {
        let (method, target) = line.split_once(' ').unwrap();
        let request = Request::builder().method(method).uri(target);
        Asked::of(service, &request.body(Bytes::new()).unwrap())
    }

    #[test]
    fn a_definition_tells_calls_from_all_else() {
        let shop = Some(Service::of_definition("shop.yaml", SHOP).unwrap());
        for call in [
            "GET /Svc/Shop.asmx/Price?article=7",
            "GET /svc/shop.ASMX/Price?article=7",
            "GET /Svc/Shop%2Easmx/Price?article=7",
            // Sent by callers that join URLs.
            "GET //Svc/Shop.asmx/Price?article=7",
            "GET /Svc//Shop.asmx//Price?article=7",
        ] {
            let (operation, binding) = asked(shop, call).called().unwrap();
            assert_eq!((operation.name(), binding), ("Price", Binding::HttpGet));
        }
        for unknown in [
            "POST /Svc/Shop.asmx",
            "POST /Svc/Shop.asmx?wsdl",
            "GET /Svc/Shop.asmx/Gone",
            "POST /Svc/Shop.asmx/Price",
        ] {
            assert_eq!(asked(shop, unknown), Asked::UnknownCall, "{unknown}");
        }
        for other in [
            "GET /Svc/Shop.asmx?wsdl",
            "GET /Svc/Shop.asmx",
            "GET /Svc/Shop.asmx/",
            "GET /Svc/Shop.asmx?op=Price",
            "GET /Svc/Shop.asmx/js",
            "GET /Svc/Shop.asmx/jsdebug",
            "HEAD /Svc/Shop.asmx/Price?article=7",
            "OPTIONS /Svc/Shop.asmx/Price",
            "OPTIONS *",
            "GET /favicon.ico",
            "GET /livez",
            "POST /Svc/Other.asmx",
            "POST /Svc%2FShop.asmx",
            "GET /Svc/Shop.asmxx/Price",
        ] {
            assert_eq!(asked(shop, other), Asked::NotACall, "{other}");
        }
    }

    #[test]
    fn without_a_definition_only_what_is_usual_is_no_call() {
        for call in [
            "POST /Shop.asmx",
            "POST /health",
            "GET /Shop.asmx/Price?article=7",
            "GET /shop?op=price&schema=new",
            "GET /",
        ] {
            assert_eq!(asked(None, call), Asked::UnknownCall, "{call}");
        }
        for other in [
            "GET /Shop.asmx",
            "GET /Shop.asmx?op=Price",
            "GET /Shop.svc?singleWsdl",
            "GET /services/shop?WSDL",
            "GET /shop?openapi",
            "GET /Shop.asmx/js",
            "GET /favicon.ico",
            "GET /app/readyz",
            "HEAD /shop",
            "OPTIONS /Shop.asmx",
        ] {
            assert_eq!(asked(None, other), Asked::NotACall, "{other}");
        }
    }
}
