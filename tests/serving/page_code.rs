//! What the help page shows as Rust of `browser/definitions/depot.yaml`, from `// OPERATION` to `// end`. That it compiles is the test here;
//! `browser/console.test.js` compares it with the page.
#![expect(dead_code, reason = "no server listens where this code calls")]
#![expect(
    clippy::useless_conversion,
    reason = "the page does not know which objects are boxed"
)]

use std::error::Error;

svcgen::include_service!("warehouse");

#[rustfmt::skip]
async fn store() -> Result<i64, Box<dyn Error>> {
    // StoreHTMLPage
    use warehouse::{Package, PackageTo, Place, Sticker, StoreHeaders, StoreRequest, Ticket, WarehouseClient};

    let client = WarehouseClient::connect("http://localhost/Depot.asmx")?;
    let headers = StoreHeaders {
        pass: Ticket {
            key: "[secret]".into(),
        },
        trace: Some("t".to_owned()),
    };
    let request = StoreRequest {
        r#type: r##"a "b""##.to_owned(),
        mac_i_ds: vec![
            "x".to_owned(),
            "y".to_owned(),
        ],
        parcel: Package {
            id: 7,
            fragile: Some(true),
            name: "k".to_owned(),
            weight: svcgen::types::Decimal::new(150, 2),
            content: Some(vec![0, 1, 255]),
            label: Sticker::BothWays,
            inner: Some(Package {
                id: "".parse()?,
                name: "".to_owned(),
                weight: Default::default(),
                label: Sticker::None,
                marks: vec![],
                to: PackageTo::Mail("".to_owned()),
                ..Default::default()
            }.into()),
            marks: vec![
                -3,
            ],
            to: PackageTo::Shelf(Place {
                row: 2,
                ..Default::default()
            }.into()),
            ..Default::default()
        },
        until: Some("2024-02-29".parse()?),
    };
    let answer = client.store(&headers, &request).await?;
    // end
    Ok(answer)
}

#[rustfmt::skip]
async fn find() -> Result<Vec<warehouse::Package>, Box<dyn Error>> {
    // Find
    use warehouse::{AnyAnimal, Dog, FindRequest, Rights, WarehouseClient};

    let client = WarehouseClient::connect("http://localhost/Depot.asmx")?;
    let request = FindRequest {
        animal: Some(AnyAnimal::from(Dog {
            name: "".to_owned(),
            age: 3,
            number: "[secret]".into(),
        }).into()),
        numbers: vec![],
        rights: Rights::READ | Rights::WRITE_ALL,
        most: Some(5),
    };
    let answer = client.find(&request).await?;
    // end
    Ok(answer)
}

#[rustfmt::skip]
async fn weigh() -> Result<svcgen::types::Decimal, Box<dyn Error>> {
    // Weigh
    use warehouse::{Sticker, WarehouseClient, WeighRequest};

    let client = WarehouseClient::connect("http://localhost/Depot.asmx")?;
    let request = WeighRequest {
        self_: 1.0,
        error2_much: svcgen::types::Decimal::new(1, 1),
        exact: true,
        label: Sticker::IpOnly,
    };
    let answer = client.weigh(&request).await?;
    // end
    Ok(answer)
}
