//! Text in other types than `String`.

use super::{echo, wait};

/// Sends orders over every binding with texts of a type. The password is still a `String`.
macro_rules! text_is {
    ($module:ident, $path:literal, $type:ty) => {
        mod $module {
            use super::*;

            #[derive(svcgen::Service)]
            #[service(definition = "definitions/valid/shop.yaml", extern_path = $path)]
            struct Shop;

            echo!(shop);

            #[test]
            fn text_comes_and_goes() {
                let text: $type = "tea & <milk> ☕ that is longer than what is kept inline".into();
                let client =
                    shop::ShopClient::new(shop::ShopServer::new(Echo), "http://localhost").unwrap();
                let mut request = shop::OrderRequest::default();
                request.note = Some(text.clone());
                request.customer.name = text.clone();
                request.customer.contact = Some(shop::CustomerContact::Phone(shop::Phone {
                    kind: None,
                    value: text.clone(),
                }));
                let receipt = wait(client.order(&request.clone())).unwrap();
                assert_eq!(
                    (receipt.note, receipt.customer),
                    (request.note, request.customer)
                );
                let request = || shop::LoginRequest {
                    username: text.clone(),
                    password: Some("hunter2".into()),
                };
                for binding in [svcgen::Binding::Soap12, svcgen::Binding::HttpPost] {
                    let client = client.clone().with_binding(binding);
                    assert!(wait(client.login(&request())).unwrap(), "{binding}");
                }
            }
        }
    };
}

text_is!(boxed, "string=Box<str>", Box<str>);
text_is!(shared, "string=std::sync::Arc<str>", std::sync::Arc<str>);
text_is!(
    compact,
    "string=svcgen_wire::compact_str::CompactString",
    svcgen_wire::compact_str::CompactString
);
text_is!(own, "string=crate::options::text_types::Upper", Upper);

#[derive(svcgen::Service)]
#[service(
    definition = "definitions/valid/hostile_names.yaml",
    extern_path = "string=Box<str>"
)]
struct Hostile;

#[test]
fn names_of_the_prelude_are_not_the_types_that_a_definition_calls_so() {
    let boxed = self_::Box {
        r#box: Some(Box::default()),
    };
    let text: Box<str> = "text".into();
    let held = self_::Some { some: text.clone() };
    assert_eq!((boxed.r#box.is_some(), held.some), (true, text));
}

/// A text type of the application.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Upper(String);

impl From<&str> for Upper {
    fn from(text: &str) -> Self {
        Self(text.to_uppercase())
    }
}

impl svcgen::codegen::Value for Upper {
    fn read(
        &mut self,
        element: &mut svcgen::codegen::Element<'_>,
    ) -> Result<(), svcgen::ReadError> {
        let mut text = String::new();
        text.read(element)?;
        *self = text.as_str().into();
        Ok(())
    }

    fn write(&self, name: &str, out: &mut svcgen::codegen::Content<'_>) {
        self.0.write(name, out);
    }
}
