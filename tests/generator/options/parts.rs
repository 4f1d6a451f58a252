//! Client, server and types; the path of the runtime; the visibility of the items.

use svcgen_codegen::{Config, Visibility};

use super::{echo, generate, wait};

mod types_alone {
    #[derive(svcgen::Service)]
    #[service(
        definition = "definitions/valid/shop.yaml",
        client = false,
        server = false
    )]
    struct Shop;

    #[test]
    fn types_need_no_handler() {
        let line = shop::Line {
            article: "tea".to_owned(),
            pieces: 2,
            of: None,
        };
        assert_eq!(
            line,
            shop::Line {
                pieces: 2,
                article: "tea".into(),
                ..shop::Line::default()
            }
        );
    }
}

/// The runtime under another name, as a crate that wraps it reexports it.
pub(crate) mod toolbox {
    pub(crate) use svcgen as soap;
}

mod elsewhere {
    #[derive(svcgen::Service)]
    #[service(
        definition = "definitions/valid/shop.yaml",
        runtime = "crate::options::parts::toolbox::soap",
        visibility = "pub(crate)"
    )]
    struct Shop;

    super::echo!(shop);

    #[test]
    fn another_path_of_the_runtime_serves() {
        use super::wait;
        let server = shop::ShopServer::new(Echo);
        let client = shop::ShopClient::new(server, "http://localhost").unwrap();
        let request = shop::KindsRequest {
            like: shop::Kind::Gift,
            all: vec![shop::Kind::Express],
        };
        let kinds = wait(client.kinds(&request)).unwrap();
        assert_eq!(kinds, [shop::Kind::Express, shop::Kind::Gift]);
    }
}

#[test]
fn each_part_can_be_left_out() {
    let has = |config: Config| {
        let code = generate(&config).code;
        [
            "trait ShopHandler",
            "struct ShopClient",
            "struct LoginRequest",
        ]
        .map(|item| code.contains(item))
    };
    assert_eq!(has(Config::new()), [true; 3]);
    assert_eq!(has(Config::new().client(false)), [true, false, true]);
    assert_eq!(has(Config::new().server(false)), [false, true, true]);
    let types = Config::new().client(false).server(false);
    assert_eq!(has(types), [false, false, true]);
}

#[test]
fn items_are_as_visible_as_they_are_asked_to_be() {
    let output = generate(&Config::new().visibility(Visibility::Crate));
    let exported = |text: &str| {
        let lines = text.lines();
        lines.filter(|line| line.starts_with("pub ")).count()
    };
    assert_eq!((exported(&output.code), exported(&output.module)), (0, 0));
    assert!(output.module.contains("pub(crate) mod shop;"));
}
