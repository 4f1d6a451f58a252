//! Services that share the types of included files: compiled and run.

use std::any::TypeId;
use std::collections::HashMap;
use std::io;
use std::path::Path;

use svcgen::{Binding, Context, Fault, Secret};
use svcgen_codegen::{Config, Generator, Output, Visibility};

use crate::common::{Address, AddressReach, AnyParty, Company, Person, Phone, PhoneKind};
use crate::places::{Country, Point};
use crate::{audit, billing, orders};

struct Echo;

impl orders::OrdersHandler for Echo {
    async fn order(
        &self,
        _: &Context,
        request: orders::OrderRequest,
    ) -> Result<orders::Order, Fault> {
        Ok(orders::Order {
            to: Some(request.to),
            at: request.all[0].r#where.clone().unwrap_or_default(),
            addresses: request.all,
        })
    }

    async fn countries(
        &self,
        _: &Context,
        request: orders::CountriesRequest,
    ) -> Result<Vec<Country>, Fault> {
        Ok(vec![request.country; 2])
    }
}

impl billing::BillingHandler for Echo {
    async fn bill(
        &self,
        _: &Context,
        request: billing::BillRequest,
    ) -> Result<billing::Bill, Fault> {
        let AnyParty::Company(company) = request.to else {
            return Err(Fault::client("companies only"));
        };
        let address = company.address.unwrap_or_default();
        Ok(billing::Bill {
            address,
            ..request.bill
        })
    }
}

impl audit::AuditHandler for Echo {
    async fn check(
        &self,
        _: &Context,
        request: audit::CheckRequest,
    ) -> Result<Option<billing::Bill>, Fault> {
        Ok(request.bills.into_iter().max_by_key(|bill| bill.amount))
    }
}

fn address() -> Address {
    Address {
        street: "Lange Gasse 1".to_owned(),
        country: Country::No,
        r#where: Some(Point { x: 3, y: -4 }),
        reach: Some(AddressReach::Phone(Phone {
            kind: Some(PhoneKind::Mobile),
            value: "+47 1".to_owned(),
        })),
    }
}

fn company() -> AnyParty {
    let contact = Person {
        address: None,
        name: "Ada".to_owned(),
    };
    AnyParty::Company(Company {
        address: Some(address()),
        contact: Some(contact),
        key: Some(Secret::new("hush".to_owned())),
    })
}

#[test]
fn a_shared_type_is_one_type() {
    assert_eq!(
        TypeId::of::<orders::Address>(),
        TypeId::of::<billing::Address>()
    );
    assert_eq!(TypeId::of::<audit::Bill>(), TypeId::of::<billing::Bill>());
    assert_eq!(TypeId::of::<orders::Point>(), TypeId::of::<Point>());
}

#[tokio::test]
async fn shared_types_travel_in_the_namespace_of_each_service() {
    for binding in [Binding::Soap11, Binding::Soap12] {
        let server = orders::OrdersServer::new(Echo);
        let client = orders::OrdersClient::new(server, "http://localhost")
            .unwrap()
            .with_binding(binding);
        let request = orders::OrderRequest {
            to: company(),
            all: vec![address(), Address::default()],
            kinds: vec![Some(PhoneKind::Home), None],
        };
        let order = client.order(&request.clone()).await.unwrap();
        assert_eq!(order.to, Some(request.to));
        assert_eq!(order.at, Point { x: 3, y: -4 });
        assert_eq!(order.addresses, request.all);

        let server = billing::BillingServer::new(Echo);
        let client = billing::BillingClient::new(server, "http://localhost")
            .unwrap()
            .with_binding(binding);
        let request = billing::BillRequest {
            to: company(),
            bill: billing::Bill {
                amount: 7,
                ..billing::Bill::default()
            },
        };
        let bill = client.bill(&request).await.unwrap();
        assert_eq!(
            bill,
            billing::Bill {
                address: address(),
                amount: 7
            }
        );

        let server = audit::AuditServer::new(Echo);
        let client = audit::AuditClient::new(server, "http://localhost")
            .unwrap()
            .with_binding(binding);
        let bills = vec![billing::Bill::default(), bill.clone()];
        let found = client.check(&audit::CheckRequest { bills }).await.unwrap();
        assert_eq!(found, Some(bill));
    }
}

#[tokio::test]
async fn forms_carry_included_enumerations() {
    for binding in [Binding::HttpGet, Binding::HttpPost] {
        let server = orders::OrdersServer::new(Echo);
        let client = orders::OrdersClient::new(server, "http://localhost")
            .unwrap()
            .with_binding(binding);
        let request = orders::CountriesRequest {
            country: Country::Be,
            kind: Some(PhoneKind::Mobile),
        };
        assert_eq!(client.countries(&request).await.unwrap(), [Country::Be; 2]);
    }
}

/// Generates the code of the first of these files. There are no other files.
fn generate(files: &[(&str, &str)]) -> Result<Output, String> {
    let config = Config::new();
    let texts: HashMap<_, _> = files.iter().copied().collect();
    let load = |path: &Path| match texts.get(path.to_str().unwrap()) {
        Some(text) => Ok(text.as_bytes().to_vec()),
        None => Err(io::Error::from(io::ErrorKind::NotFound)),
    };
    let generated = Generator::new(&config, load).generate(files[0].0);
    generated.map_err(|diagnostics| diagnostics.to_string())
}

const HEAD: &str = "service: S\nnamespace: urn:s\npath: /s\n";

#[test]
fn paths_are_relative_to_the_file_that_includes() {
    let service = format!(
        "{HEAD}include: [../parts/./a.yaml, /abs/c.yaml]\noperations: {{ O: {{ result: A }}, P: {{ result: C }} }}\n"
    );
    let a = "include: [more/b.yaml]\ntypes: { A: { elements: { B: B } } }\n";
    let output = generate(&[
        ("defs/s.yaml", &service),
        ("parts/a.yaml", a),
        ("parts/more/b.yaml", "types: { B: {} }\n"),
        ("/abs/c.yaml", "types: { C: {} }\n"),
    ])
    .unwrap();
    let included: Vec<_> = output
        .included
        .iter()
        .map(|path| path.to_str().unwrap())
        .collect();
    assert_eq!(
        included,
        ["parts/a.yaml", "parts/more/b.yaml", "/abs/c.yaml"]
    );
    assert!(output.code.contains("pub use super::a::A;"));
    assert!(output.code.contains("pub use super::c::C;"));
    assert!(!output.code.contains("super::b"), "{}", output.code);
}

#[test]
fn only_what_is_spoken_of_is_imported_once() {
    let service = format!(
        "{HEAD}include: [c.yaml]\noperations: {{ O: {{ parameters: {{ b: A?, c: \"A[]\" }}, result: A }} }}\n"
    )
    .replace("path: /s\n", "path: /s\nbindings: [soap11]\n");
    let common = "types: { A: { elements: { Hidden: B } }, B: {}, C: {} }\n";
    let code = generate(&[("s.yaml", &service), ("c.yaml", common)])
        .unwrap()
        .code;
    assert_eq!(code.matches("pub use ").count(), 1, "{code}");
    assert!(!code.contains("struct A ") && !code.contains("struct B"));
}

#[test]
fn a_service_refers_to_types_in_the_modules_of_their_files() {
    let config = Config::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("definitions/valid");
    let mut generator = Generator::new(&config, |path| std::fs::read(path));
    let described = generator.describe(folder.join("orders.yaml")).unwrap();
    let names = described.with(|service| {
        let types = |module: svcgen_model::At<'_, svcgen_model::Module<'_>>| {
            let types = module.types().map(|complex| complex.name);
            types.collect::<Vec<_>>().join(" ")
        };
        let mut includes = service.module().includes();
        let (common, places) = (includes.next().unwrap(), includes.next().unwrap());
        let shared = common.includes().next().unwrap();
        assert!(std::ptr::eq(shared.row(), places.row()));
        let order = service.operations().next().unwrap();
        let parameters = order.parameters();
        let parameters = parameters.elements().map(|each| each.type_name());
        let parameters: Vec<_> = parameters.collect();
        assert_eq!(parameters, ["Party", "", ""]);
        [types(service.module()), types(common), types(places)]
    });
    assert_eq!(
        names.unwrap(),
        [
            "Order",
            "Address Phone Party Person Company Unused",
            "Point"
        ]
    );
}

#[test]
fn objects_are_of_types_of_all_files_that_are_included() {
    let service = |types: &str| {
        format!(
            "{HEAD}bindings: [soap11]\ninclude: [{{ file: a.yaml, module: \"crate::shared::a\" }}]\noperations: {{ O: {{ result: anyType }} }}\n{types}"
        )
    };
    let generate = |types: &str| {
        let (service, deeper) = (
            service(types),
            "types: { Deep: { elements: { X: int } } }\n",
        );
        let between = "include: [b.yaml]\ntypes: { Between: {} }\n";
        generate(&[
            ("s.yaml", &service),
            ("a.yaml", between),
            ("b.yaml", deeper),
        ])
    };
    let code = generate("").unwrap().code;
    for item in [
        "Between(Box<crate::shared::a::Between>)",
        "Deep(Box<crate::shared::b::Deep>)",
    ] {
        assert!(code.contains(item), "{item}: {code}");
    }
    let clash = generate("types: { Other: { rust: Deep } }\n").unwrap_err();
    let expected =
        "two types that a value of the type `anyType` may have are called `Deep` in Rust";
    assert!(
        clash.contains(expected) && clash.contains("s.yaml:5:19"),
        "{clash}"
    );
}

#[test]
fn a_circle_is_told_from_where_it_closes() {
    let files = [
        (
            "a.yaml",
            "include: [b.yaml]\ntypes: { A: { elements: { b: B } } }\n",
        ),
        (
            "b.yaml",
            "include: [c.yaml]\ntypes: { B: { elements: { c: C } } }\n",
        ),
        (
            "c.yaml",
            "include: [a.yaml]\ntypes: { C: { elements: { a: A } } }\n",
        ),
    ];
    let said = generate(&files).unwrap_err();
    assert!(said.contains("a.yaml → b.yaml → c.yaml → a.yaml"), "{said}");
    assert!(said.contains("c.yaml:1:11"), "{said}");
    let itself = [("a.yaml", "include: [./x/../a.yaml]\ntypes: { A: {} }\n")];
    let said = generate(&itself).unwrap_err();
    assert!(said.contains("a.yaml → a.yaml"), "{said}");
}

#[test]
fn a_row_of_files_without_end_is_refused() {
    let config = Config::new();
    let load = |path: &Path| {
        let number: u32 = path.file_stem().unwrap().to_str().unwrap()[1..]
            .parse()
            .unwrap();
        let text = format!(
            "include: [t{}.yaml]\ntypes: {{ T{number}: {{}} }}\n",
            number + 1
        );
        Ok(text.into_bytes())
    };
    let said = Generator::new(&config, load)
        .generate("t0.yaml")
        .unwrap_err();
    assert!(
        said.to_string()
            .contains("more than 64 files include one another"),
        "{said}"
    );
}

#[test]
fn what_is_wrong_is_said_once_and_where_it_stands() {
    let config = Config::new();
    let load = |path: &Path| {
        Ok(match path.to_str().unwrap() {
            "wrong.yaml" => "types: { A: { elements: { x: itn } } }\n".to_owned(),
            name => format!("{HEAD}include: [wrong.yaml]\noperations: {{ O: {{ result: A }} }}\n")
                .replace("service: S", &format!("service: {}", &name[..1])),
        }
        .into_bytes())
    };
    let mut generator = Generator::new(&config, load);
    let said = generator.generate("a.yaml").unwrap_err();
    let one = said.iter().next().unwrap();
    assert_eq!(
        (
            said.len(),
            one.file(),
            one.spans().next().map(|span| span.start)
        ),
        (1, "wrong.yaml", Some((1, 30)))
    );
    assert!(generator.generate("b.yaml").unwrap_err().is_empty());
    assert!(generator.generate("wrong.yaml").unwrap_err().is_empty());
}

#[test]
fn imports_of_results_are_no_warning_where_there_are_types_alone() {
    let config = Config::new().client(false).server(false);
    let config = config.visibility(Visibility::Crate);
    let load = |path: &Path| {
        Ok(match path.to_str().unwrap() {
            "c.yaml" => "types: { A: {} }\n".to_owned(),
            _ => format!("{HEAD}include: [c.yaml]\noperations: {{ O: {{ result: A }} }}\n"),
        }
        .into_bytes())
    };
    let code = Generator::new(&config, load).generate("s.yaml").unwrap();
    let import = "#[allow(unused_imports)]\npub(crate) use super::c::A;";
    assert!(code.code.contains(import), "{}", code.code);
}

#[test]
fn a_definition_that_is_a_text_alone_includes_nothing() {
    let text = format!("{HEAD}include: [c.yaml]\noperations: {{ O: {{ result: A }} }}\n");
    let said = Config::new()
        .generate("s.yaml", &text)
        .unwrap_err()
        .to_string();
    assert!(said.contains("its text is all that there is"), "{said}");
}

#[test]
fn what_is_left_of_wrong_files_still_fits_together() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    write(
        "wrong.yaml",
        "types: { A: { elements: { x: itn, y: nothing } }, B: {} }\n",
    );
    let service = format!(
        "{HEAD}include: [wrong.yaml, missing.yaml]\noperations: {{ O: {{ result: A }}, P: {{ result: Missing }} }}\n"
    );
    let path = write("s.yaml", &service);
    let code = Config::new().recover_file(path).unwrap().code;
    assert!(code.contains("use super::wrong::A;"), "{code}");
    assert!(code.contains("Output = Result<A, svcgen::Fault>"), "{code}");
    assert!(
        code.contains("trait SHandler") && !code.contains("Missing"),
        "{code}"
    );
}
