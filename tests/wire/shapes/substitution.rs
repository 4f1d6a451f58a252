//! Substitution groups, which are choices on the wire.

use std::sync::Mutex;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use svcgen::{Binding, Context, Fault};
use svcgen_codegen::Config;
use svcgen_documents::{Shape, WsdlOptions, wsdl};
use svcgen_tests::random::text;

use super::{SOAP, URL, check, same, samples, wait};

svcgen::include_service!("drawings");
use drawings::*;

/// Returns the first and the last shape exchanged, and keeps the drawing for `Last`.
#[derive(Default)]
struct Keeps(Mutex<Drawing>);

impl DrawingsHandler for Keeps {
    async fn draw(&self, _: &Context, request: DrawRequest) -> Result<DrawResponse, Fault> {
        self.0.lock().unwrap().clone_from(&request.drawing);
        Ok(DrawResponse {
            drawing: request.drawing,
            last: request.first.map(|first| match first {
                DrawRequestFirst::Circle(circle) => DrawResponseLast::Circle(circle),
                DrawRequestFirst::Square(square) => DrawResponseLast::Square(square),
                DrawRequestFirst::Label(label) => DrawResponseLast::Label(label),
            }),
        })
    }

    async fn last(&self, _: &Context) -> Result<Drawing, Fault> {
        Ok(self.0.lock().unwrap().clone())
    }
}

fn drawing() -> BoxedStrategy<Drawing> {
    let shape = prop_oneof![
        any::<i32>().prop_map(|radius| DrawingShapes::Circle(Circle { radius })),
        any::<i32>().prop_map(|side| DrawingShapes::Square(Square { side })),
        text().prop_map(DrawingShapes::Label),
    ];
    let height = (option::of(text()), any::<i32>());
    let height = height.prop_map(|(unit, value)| DrawingSize::Height(Length { unit, value }));
    let size = prop_oneof![any::<i32>().prop_map(DrawingSize::Width), height];
    let parts = (option::of(text()), vec(shape, 0..5), size);
    let alone = parts.prop_map(|(title, shapes, size)| Drawing {
        title,
        shapes,
        size,
        under: None,
    });
    let alone = alone.boxed();
    (alone.clone(), option::of(alone))
        .prop_map(|(drawing, under)| Drawing {
            under: under.map(Box::new),
            ..drawing
        })
        .boxed()
}

fn server() -> DrawingsServer<Keeps> {
    DrawingsServer::new(Keeps::default())
}

#[test]
fn members_of_substitution_groups_come_back_over_every_binding() {
    let server = server();
    let client = |binding| {
        let client = DrawingsClient::new(server.clone(), URL).unwrap();
        client.with_binding(binding)
    };
    check(
        (drawing(), option::of(any::<i32>())),
        |(drawing, radius)| {
            for binding in SOAP {
                let request = DrawRequest {
                    drawing: drawing.clone(),
                    first: radius.map(|radius| DrawRequestFirst::Circle(Circle { radius })),
                };
                let came = wait(client(binding).draw(&request));
                let came = came.map_err(|error| error.to_string())?;
                let last = radius.map(|radius| DrawResponseLast::Circle(Circle { radius }));
                same(
                    binding,
                    &(drawing.clone(), last),
                    &(came.drawing, came.last),
                )?;
            }
            for binding in Binding::DEFAULT {
                let came = wait(client(binding).last());
                same(binding, &drawing, &came.map_err(|error| error.to_string())?)?;
            }
            Ok(())
        },
    );
}

#[test]
fn samples_of_substitution_groups_are_what_goes_over_the_wire() {
    samples::hold("valid/drawings.yaml", server(), &[]);
}

#[test]
fn the_wsdl_refers_to_the_head() {
    let definition = include_str!("../../definitions/valid/drawings.yaml");
    let described = Config::new().describe("drawings.yaml", definition);
    let described = described.unwrap();
    for shape in [Shape::Original, Shape::Portable] {
        let options = WsdlOptions {
            shape,
            documentation: false,
            ..WsdlOptions::default()
        };
        let wsdl = described.with(|service| wsdl(service, URL, options));
        let wsdl: String = wsdl.unwrap().lines().map(str::trim).collect();
        for part in [
            "<s:element minOccurs=\"0\" maxOccurs=\"unbounded\" ref=\"tns:shape\" />\
             <s:element minOccurs=\"1\" maxOccurs=\"1\" ref=\"tns:size\" />",
            "<s:element minOccurs=\"0\" maxOccurs=\"1\" ref=\"tns:shape\" />",
            "<s:element abstract=\"true\" name=\"shape\" />\
             <s:element name=\"circle\" substitutionGroup=\"tns:shape\" type=\"tns:Circle\" />",
            "<s:element name=\"label\" substitutionGroup=\"tns:shape\" type=\"s:string\" />",
            "<s:element name=\"height\" substitutionGroup=\"tns:size\" type=\"s1:Length\" />",
        ] {
            assert!(wsdl.contains(part), "{part}: {wsdl}");
        }
        assert!(!wsdl.contains("s:choice"), "{wsdl}");
        for element in ["\"shape\"", "\"circle\"", "\"size\""] {
            let declared = wsdl.matches(&format!("name={element}")).count();
            assert_eq!(declared, 1, "{element}: {wsdl}");
        }
    }
}
