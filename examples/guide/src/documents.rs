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

// ANCHOR: looks
use svcgen::documents::Theme;

/// Makes documents whose pages show the version, the logo and the colours of the program.
///
/// # Errors
///
/// A colour is not a colour of CSS, or the logo is not an image.
pub fn dressed(logo: &str) -> Result<Documents, Box<dyn std::error::Error>> {
    let theme = Theme::new().with("accent", "#8a1538", "#ff9db5")?;
    Ok(Documents::new()
        .with_version(env!("CARGO_PKG_VERSION"))
        .with_health_link("/readyz")
        .with_logo(logo)? // data:image/svg+xml;base64,…
        .with_theme(theme))
}
// ANCHOR_END: looks

#[cfg(test)]
mod tests {
    use svcgen::bytes::Bytes;
    use svcgen::http::Request;

    use super::*;
    use crate::server::Shop;

    #[tokio::test]
    async fn pages_say_the_version_in_the_colours_of_the_program() {
        let documents = dressed("data:image/png;base64,iVBORw0KGgo=").unwrap();
        let server = BasketServer::new(Shop::default()).with_documents(documents);
        let request = Request::get("/Basket.asmx").body(Bytes::new());
        let answer = server.answer(request.unwrap()).await;
        let page = String::from_utf8(answer.into_body().to_vec()).unwrap();
        assert!(page.contains("<dt>Version</dt>"), "{page}");
        assert!(page.contains("--accent:#8a1538;"), "{page}");
        assert!(dressed("https://example.com/logo.png").is_err());
    }

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
