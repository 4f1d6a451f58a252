//! A server with a public URL, whose help page calls operations.

// ANCHOR: documents
use svcgen::Documents;
use svcgen::documents::{InvalidUrl, InvokeForm};

use crate::basket::{BasketHandler, BasketServer};

/// A server whose WSDL names the address that callers use.
///
/// # Errors
///
/// `url` is not the URL of a server.
pub fn documented<H: BasketHandler>(handler: H, url: &str) -> Result<BasketServer<H>, InvalidUrl> {
    let documents = Documents::new()
        .with_public_url(url)?
        .with_invoke_form(InvokeForm::FromLoopback);
    Ok(BasketServer::new(handler).with_documents(documents))
}
// ANCHOR_END: documents

#[cfg(test)]
mod tests {
    use svcgen::bytes::Bytes;
    use svcgen::http::Request;

    use super::*;
    use crate::server::Shop;

    #[tokio::test]
    async fn the_wsdl_names_the_public_address() {
        let server = documented(Shop::default(), "https://shop.example.com").unwrap();
        let request = Request::get("http://10.0.0.7/Basket.asmx?wsdl").body(Bytes::new());
        let answer = server.answer(request.unwrap()).await;
        let wsdl = String::from_utf8(answer.into_body().to_vec()).unwrap();
        let address = "location=\"https://shop.example.com/Basket.asmx\"";
        assert!(wsdl.contains(address), "{wsdl}");
        assert!(documented(Shop::default(), "shop").is_err());
    }
}
