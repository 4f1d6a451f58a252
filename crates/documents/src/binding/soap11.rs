//! SOAP 1.1.

use super::soap::{FAULT_TEXT, Version};
use crate::markup::Markup;

pub(super) static VERSION: Version = Version {
    port: "Soap",
    prefix: "soap",
    content_type: "text/xml; charset=utf-8",
    namespace: "http://schemas.xmlsoap.org/soap/envelope/",
    encoding: "http://schemas.xmlsoap.org/soap/encoding/",
    has_action_header: true,
    rpc: None,
    write_fault,
};

fn write_fault<'d>(markup: &mut Markup<'d>, detail: &mut dyn FnMut(&mut Markup<'d>)) {
    markup.line("faultcode", &[], "soap:Server", "");
    markup.line("faultstring", &[], FAULT_TEXT, "string");
    markup.around("detail", &[], detail);
}
