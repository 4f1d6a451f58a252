//! SOAP 1.2.

use super::soap::{FAULT_TEXT, Version};
use crate::markup::Markup;

pub(super) static VERSION: Version = Version {
    port: "Soap12",
    prefix: "soap12",
    content_type: "application/soap+xml; charset=utf-8",
    namespace: "http://www.w3.org/2003/05/soap-envelope",
    encoding: "http://www.w3.org/2003/05/soap-encoding",
    has_action_header: false,
    rpc: Some(("xmlns:rpc", "http://www.w3.org/2003/05/soap-rpc")),
    write_fault,
};

fn write_fault<'d>(markup: &mut Markup<'d>, detail: &mut dyn FnMut(&mut Markup<'d>)) {
    markup.around("soap:Code", &[], |markup| {
        markup.line("soap:Value", &[], "soap:Receiver", "");
    });
    markup.around("soap:Reason", &[], |markup| {
        markup.line("soap:Text", &[("xml:lang", "en")], FAULT_TEXT, "string");
    });
    markup.around("soap:Detail", &[], detail);
}
