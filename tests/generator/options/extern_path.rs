//! Types of the application in the place of those in the definition.

use svcgen_codegen::Config;

use super::{assert_refused, generate, wait};

#[derive(svcgen::Service)]
#[service(
    definition = "definitions/valid/shop.yaml",
    extern_path = "Line=crate::options::extern_path::mine::Item",
    extern_path = "Kind=crate::options::extern_path::mine::Kind",
    extern_path = "Customer=crate::options::extern_path::mine::Customer",
    extern_path = "decimal=crate::options::extern_path::mine::Cents"
)]
struct Shop;

super::echo!(shop);

/// Types as an application declares them.
mod mine {
    use svcgen::ReadError;
    use svcgen::codegen::model::SimpleType::{String, UnsignedByte};
    use svcgen::codegen::model::TypeRef::Simple;
    use svcgen::codegen::model::{ComplexType, complex_type, element, enumeration, value};
    use svcgen::codegen::{Complex, Content, Element, Enumeration, Fields, Value};

    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Item {
        pub article: std::string::String,
        pub pieces: u8,
    }

    impl Complex for Item {
        const TYPE: &'static ComplexType<'static> = &complex_type(
            "Item",
            &[
                element("Article", Simple(String)),
                element("Pieces", Simple(UnsignedByte)),
            ],
        );
    }

    impl Fields for Item {
        fn read_element(
            &mut self,
            index: usize,
            element: &mut Element<'_>,
        ) -> Result<(), ReadError> {
            match index {
                0 => element.read(&mut self.article),
                _ => element.read(&mut self.pieces),
            }
        }

        fn write_elements(&self, out: &mut Content<'_>) {
            out.element("Article", &self.article);
            out.element("Pieces", &self.pieces);
        }
    }

    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Customer(pub std::string::String);

    impl Complex for Customer {
        const TYPE: &'static ComplexType<'static> =
            &complex_type("Customer", &[element("Name", Simple(String))]);
    }

    impl Fields for Customer {
        fn read_element(&mut self, _: usize, element: &mut Element<'_>) -> Result<(), ReadError> {
            element.read(&mut self.0)
        }

        fn write_elements(&self, out: &mut Content<'_>) {
            out.element("Name", &self.0);
        }
    }

    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum Kind {
        #[default]
        Slow,
        Fast,
    }

    impl Enumeration for Kind {
        const TYPE: &'static svcgen::codegen::model::Enumeration<'static> =
            &enumeration("Kind", &[value("Plain"), value("Express")]);
        const VALUES: &'static [Self] = &[Self::Slow, Self::Fast];

        fn index(self) -> usize {
            self as usize
        }
    }

    impl Value for Kind {
        fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
            element.enumeration(self)
        }

        fn write(&self, name: &str, out: &mut Content<'_>) {
            out.enumeration(name, *self);
        }
    }

    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct Cents(pub i64);

    impl Value for Cents {
        fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> {
            let mut amount = svcgen::types::Decimal::default();
            amount.read(element)?;
            self.0 = (amount.mantissa() * 100 / 10_i128.pow(amount.scale())) as i64;
            Ok(())
        }

        fn write(&self, name: &str, out: &mut Content<'_>) {
            svcgen::types::Decimal::new(self.0, 2).write(name, out);
        }
    }
}

#[test]
fn values_come_and_go_in_types_of_the_application() {
    let client = shop::ShopClient::new(shop::ShopServer::new(Echo), "http://localhost").unwrap();
    let request = shop::OrderRequest {
        customer: mine::Customer("Ada".to_owned()),
        lines: vec![mine::Item {
            article: "tea".to_owned(),
            pieces: 2,
        }],
        kind: Some(mine::Kind::Fast),
        note: None,
    };
    let receipt = wait(client.order(&request.clone())).unwrap();
    assert_eq!(
        (receipt.customer, receipt.lines, receipt.kind),
        (request.customer, request.lines, request.kind)
    );
    let payment = shop::AnyPayment::from(shop::Payment {
        amount: mine::Cents(1250),
    });
    let request = shop::PayRequest {
        payment: payment.clone(),
    };
    assert_eq!(
        wait(client.pay(&shop::PayHeaders::default(), &request)).unwrap(),
        payment
    );
}

/// Parts that only belong to a type that is not emitted are not emitted, either.
#[test]
fn choices_of_imported_types_are_not_emitted() {
    let has_choice = |config: &Config| generate(config).code.contains("enum CustomerContact");
    assert!(has_choice(&Config::new()));
    assert!(!has_choice(
        &Config::new().extern_path("Customer", "crate::Customer")
    ));
    let text = super::SHOP.replace(
        "  Customer:\n",
        "  Customer:\n    rust_type: crate::Customer\n",
    );
    let output = Config::new().generate("shop.yaml", &text).unwrap();
    assert!(output.code.contains("pub use crate::Customer;"));
    assert!(!output.code.contains("CustomerContact"));
    let text = format!("{text}  Unused: [A]\n")
        .replace("enums:", "  Friend: { extends: Customer }\nenums:");
    let output = Config::new().generate("shop.yaml", &text).unwrap();
    assert!(
        output.code.contains("enum CustomerContact"),
        "a type that extends it has the choice"
    );
}

#[test]
fn paths_that_do_not_fit_are_told() {
    let of = |name, path| Config::new().extern_path(name, path);
    assert_refused(
        of("Custmer", "a::B"),
        "SVC030",
        &["there is no type `Custmer`", "did you mean `Customer`?"],
    );
    assert_refused(
        of("datetime", "a::B"),
        "SVC030",
        &["did you mean `dateTime`?"],
    );
    assert_refused(
        of("gopher", "a::B"),
        "SVC030",
        &["`types` and `enums` of the definition, and for simple types"],
    );
    assert_refused(
        of("Line", "Vec<u8>"),
        "SVC031",
        &["`Vec<u8>` for `Line` is not a path that can be imported"],
    );
    assert_refused(
        of("Line", "a b"),
        "SVC031",
        &["`a b` is not the path of a Rust type"],
    );
    let last = of("Line", "a::B").extern_path("Line", "c::D");
    assert!(generate(&last).code.contains("pub use c::D as Line;"));
}
