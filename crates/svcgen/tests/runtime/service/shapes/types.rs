//! Attributes, text with attributes, choices, inheritance, lists of lists, arrays in forms.

use svcgen::Binding;
use svcgen::codegen::List;

use super::calls::{SOAP, answer, between, client, form, ready, soap};
use super::service::*;
use super::things::*;

pub fn everything() -> Thing {
    let rex = Dog {
        name: Some("Rex".to_owned()),
        tricks: 3,
    };
    Thing {
        id: 7,
        note: Some("a \"quoted\"\tnote <&>".to_owned()),
        price: Some(Price {
            currency: Some("EUR".to_owned()),
            value: -12,
        }),
        contact: Some(ThingContact::Phone(5)),
        marks: vec![
            ThingMark::Up(1),
            ThingMark::Down(Box::new(Thing {
                pet: Some(AnyAnimal::Animal(Animal::default())),
                ..Thing::default()
            })),
            ThingMark::Up(2),
        ],
        pet: Some(AnyAnimal::Dog(Box::new(rex.clone()))),
        zoo: Some(vec![
            AnyAnimal::Animal(Animal {
                name: Some("It".to_owned()),
            }),
            AnyAnimal::Dog(Box::new(rex)),
        ]),
        matrix: Some(vec![Some(vec![1, 2]), None, Some(vec![])]),
        last: Some("end".to_owned()),
    }
}

#[test]
fn every_shape_comes_back_over_soap() {
    for thing in [Some(everything()), Some(Thing::default()), None] {
        for binding in SOAP {
            let request = MirrorRequest {
                thing: thing.clone(),
            };
            let back: Option<Thing> =
                ready(client::<DOCUMENT>(binding).call(0, &(), &request, |answer| answer.read()))
                    .unwrap();
            assert_eq!(back, thing);
        }
    }
}

#[test]
fn shapes_are_written_as_the_original_writes_them() {
    let request = MirrorRequest {
        thing: Some(everything()),
    };
    let client = client::<DOCUMENT>(Binding::Soap11);
    let request = client.request(0, &(), &request).unwrap();
    let text = String::from_utf8(request.body().to_vec()).unwrap();
    assert_eq!(
        between(&text, "<soap:Body>", "</soap:Body>"),
        concat!(
            r#"<Mirror xmlns="urn:things"><thing id="7" note="a &quot;quoted&quot;&#x9;note &lt;&amp;&gt;">"#,
            r#"<Price currency="EUR">-12</Price><Phone>5</Phone>"#,
            r#"<Up>1</Up><Down id="0"><Pet /></Down><Up>2</Up>"#,
            r#"<Pet xsi:type="Dog"><Name>Rex</Name><Tricks>3</Tricks></Pet>"#,
            r#"<Zoo><AnyAnimal><Name>It</Name></AnyAnimal><AnyAnimal xsi:type="Dog"><Name>Rex</Name><Tricks>3</Tricks></AnyAnimal></Zoo>"#,
            r#"<Matrix><ArrayOfInt><int>1</int><int>2</int></ArrayOfInt><ArrayOfInt xsi:nil="true" /><ArrayOfInt /></Matrix>"#,
            r#"<Last>end</Last></thing></Mirror>"#,
        )
    );
}

fn mirror(thing: &str) -> super::calls::Answer {
    let server = Server::<DOCUMENT>::new(Mirror::default());
    let body = format!("<s:Body><t:Mirror>{thing}</t:Mirror></s:Body>");
    answer(&server, soap(Binding::Soap11, &body))
}

fn mirrored(thing: &str) -> String {
    let answer = mirror(thing);
    assert_eq!(answer.status, 200, "{}", answer.body);
    between(&answer.body, r#"xmlns="urn:things">"#, "</MirrorResponse>").to_owned()
}

#[test]
fn attributes_are_known_by_name_without_a_namespace() {
    assert_eq!(
        mirrored(r#"<t:thing t:id="1" other="x" note="" id=" 4 "/>"#),
        r#"<MirrorResult id="4" note="" />"#
    );
    let wrong = mirror(r#"<t:thing id="x"/>"#);
    assert_eq!(wrong.status, 500);
    assert!(
        wrong
            .body
            .contains("Input string was not in a correct format."),
        "{}",
        wrong.body
    );
}

#[test]
fn text_stands_beside_attributes() {
    assert_eq!(
        mirrored(r#"<t:thing><t:Price>8</t:Price></t:thing>"#),
        r#"<MirrorResult id="0"><Price>8</Price></MirrorResult>"#
    );
    assert_eq!(
        mirrored(r#"<t:thing><t:Price currency="x"><![CDATA[8]]></t:Price></t:thing>"#),
        r#"<MirrorResult id="0"><Price currency="x">8</Price></MirrorResult>"#
    );
    assert_eq!(
        mirrored(r#"<t:thing><t:Price xsi:nil="true"/></t:thing>"#),
        r#"<MirrorResult id="0" />"#
    );
    for (wrong, status) in [("<t:Price/>", 500), ("<t:Price>8<t:x/></t:Price>", 400)] {
        let answer = mirror(&format!("<t:thing>{wrong}</t:thing>"));
        assert_eq!(answer.status, status, "{}", answer.body);
    }
}

#[test]
fn first_alternative_of_a_choice_counts() {
    assert_eq!(
        mirrored(
            "<t:thing><t:Phone>1</t:Phone><t:Email>late</t:Email><t:Phone>2</t:Phone></t:thing>"
        ),
        r#"<MirrorResult id="0"><Phone>1</Phone></MirrorResult>"#
    );
    assert_eq!(
        mirrored("<t:thing><t:Up>1</t:Up><t:Last>x</t:Last><t:Up>2</t:Up></t:thing>"),
        r#"<MirrorResult id="0"><Up>1</Up><Up>2</Up><Last>x</Last></MirrorResult>"#
    );
}

fn adopted(animal: &str) -> Result<String, String> {
    let server = Server::<DOCUMENT>::new(Mirror::default());
    let body = format!("<s:Body><t:Adopt>{animal}</t:Adopt></s:Body>");
    let answer = answer(&server, soap(Binding::Soap12, &body));
    match answer.status {
        200 => Ok(between(&answer.body, r#"xmlns="urn:things">"#, "</AdoptResponse>").to_owned()),
        500 => Err(between(&answer.body, r#"xml:lang="en">"#, "</soap:Text>").to_owned()),
        _ => panic!("{answer:?}"),
    }
}

#[test]
fn types_are_known_by_their_qualified_name() {
    let dog = r#"<AdoptResult xsi:type="Dog"><Name>Rex</Name><Tricks>0</Tricks></AdoptResult>"#;
    for declared in [
        r#"xsi:type="t:Dog""#,
        r#"xsi:type=" q:Dog " xmlns:q="urn:things""#,
    ] {
        let animal = format!("<t:animal {declared}><t:Name>Rex</t:Name></t:animal>");
        assert_eq!(adopted(&animal).unwrap(), dog);
    }
    let in_default = r#"<animal xmlns="urn:things" xsi:type="Dog"><Name>Rex</Name></animal>"#;
    assert_eq!(adopted(in_default).unwrap(), dog);
    assert_eq!(
        adopted(r#"<t:animal xsi:type="t:Animal"><t:Tricks>1</t:Tricks></t:animal>"#).unwrap(),
        "<AdoptResult />"
    );
    assert_eq!(
        adopted(r#"<t:animal xsi:nil="true"/><t:dog xsi:type="t:Dog"/>"#).unwrap(),
        r#"<AdoptResult xsi:type="Dog"><Tricks>0</Tricks></AdoptResult>"#
    );
}

#[test]
fn unknown_and_abstract_types_are_refused() {
    let cause = |animal: &str| {
        let text = adopted(animal).unwrap_err();
        text.rsplit_once("---&gt; ").unwrap().1.to_owned()
    };
    assert_eq!(
        cause(r#"<t:animal xsi:type="t:Cat"/>"#),
        "The specified type was not recognized: name='Cat', namespace='urn:things', at &lt;animal xmlns='urn:things'&gt;."
    );
    assert_eq!(
        cause(r#"<t:animal xsi:type="Dog"/>"#),
        "The specified type was not recognized: name='Dog', namespace='', at &lt;animal xmlns='urn:things'&gt;."
    );
    assert_eq!(
        cause(r#"<t:animal xsi:type="x:Dog"/>"#),
        "Namespace prefix 'x' is not defined."
    );
    for dog in ["<t:dog/>", r#"<t:dog xsi:type="t:Animal"/>"#] {
        assert_eq!(
            cause(dog),
            "The specified type is abstract: name='Animal', namespace='urn:things', at &lt;dog xmlns='urn:things'&gt;."
        );
    }
}

#[test]
fn derived_results_over_every_binding() {
    for binding in Binding::DEFAULT {
        for kind in ["Dog", "Animal", ""] {
            let request = PickRequest {
                kind: Some(kind.to_owned()),
            };
            let picked: Option<AnyAnimal> =
                ready(client::<DOCUMENT>(binding).call(5, &(), &request, |answer| answer.read()))
                    .unwrap();
            let name = match &picked {
                Some(AnyAnimal::Dog(dog)) => dog.name.as_deref(),
                Some(AnyAnimal::Animal(animal)) => animal.name.as_deref(),
                None => None,
            };
            let expected = match kind {
                "Dog" => Some("Rex"),
                "Animal" => Some("It"),
                _ => None,
            };
            assert_eq!(name, expected, "{binding}");
        }
    }
    let server = Server::<DOCUMENT>::new(Mirror::default());
    let picked = answer(&server, form(Binding::HttpGet, "Pick", "kind=Dog"));
    assert_eq!(
        picked.body,
        concat!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n",
            r#"<Animal xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="Dog" xmlns="urn:things">"#,
            "\n  <Name>Rex</Name>\n  <Tricks>2</Tricks>\n</Animal>"
        )
    );
}

#[test]
fn lists_of_lists_over_every_binding() {
    for binding in Binding::DEFAULT {
        type Lists = List<Option<Vec<Option<Vec<i32>>>>, 2>;
        let lists = ready(client::<DOCUMENT>(binding).call(4, &(), &(), |answer| {
            answer.read_into::<Lists>(List::of(["ArrayOfInt", "int"]))
        }))
        .unwrap();
        assert_eq!(
            lists.values,
            Some(vec![Some(vec![1, 2]), None, Some(vec![])]),
            "{binding}"
        );
    }
}

#[test]
fn parameters_that_repeat_over_every_binding() {
    for binding in Binding::DEFAULT {
        for request in [
            ShowRequest::default(),
            ShowRequest {
                numbers: Some(vec![3, 4]),
                tags: vec!["a,b".to_owned(), String::new(), "c".to_owned()],
                contact: Some(ThingContact::Email("a@b".to_owned())),
                id: 1,
            },
            ShowRequest {
                contact: Some(ThingContact::Phone(9)),
                ..ShowRequest::default()
            },
        ] {
            let shown: Thing =
                ready(
                    client::<DOCUMENT>(binding)
                        .call(1, &(), &request, |answer| answer.read::<Thing>()),
                )
                .unwrap();
            assert_eq!(shown.id, request.id);
            assert_eq!(shown.note, Some(request.tags.join("|")), "{binding}");
            assert_eq!(shown.contact, request.contact, "{binding}");
            let numbers = request.numbers.map(|numbers| vec![Some(numbers), None]);
            assert_eq!(shown.matrix, numbers, "{binding}");
        }
    }
}

#[test]
fn arrays_in_forms() {
    for binding in [Binding::HttpGet, Binding::HttpPost] {
        let server = Server::<DOCUMENT>::new(Mirror::default());
        let sum = |fields| answer(&server, form(binding, "Sum", fields));
        assert!(
            sum("numbers=1&NUMBERS=+2+")
                .body
                .contains("<int>3</int>\n  <int>0</int>")
        );
        assert!(sum("").body.contains("<int>0</int>\n  <int>0</int>"));
        let wrong = sum("numbers=1&numbers=x");
        assert_eq!(
            (wrong.status, wrong.body.lines().next()),
            (500, Some("Cannot convert x to System.Int32."))
        );
    }
    let numbers = SumRequest {
        numbers: Some(vec![1, 2]),
    };
    for binding in Binding::DEFAULT {
        let sum = ready(
            client::<DOCUMENT>(binding).call(7, &(), &numbers, |answer| {
                answer.read_into::<List<Vec<i32>>>(List::of(["int"]))
            }),
        )
        .unwrap();
        assert_eq!(sum.values, [1, 2, 3, 0], "{binding}");
    }
}

#[test]
fn objects_have_no_place_in_forms() {
    let mut fields = Vec::new();
    let mut out = svcgen::codegen::Content::form(&mut fields);
    out.list("Matrix", ["ArrayOfInt", "int"], &vec![vec![1]]);
    assert_eq!(
        out.finish().unwrap_err().to_string(),
        "'Matrix' is a list of lists, and a form has no place for one."
    );
    let mut out = svcgen::codegen::Content::form(&mut fields);
    out.derived("Pet", "Dog", &Dog::default());
    assert!(out.finish().is_err());
    let mut out = svcgen::codegen::Content::compact(&mut fields);
    out.start("x", &[]);
    out.attribute("pet", &Dog::default());
    assert_eq!(
        out.finish().unwrap_err().to_string(),
        "'pet' is an object, and an attribute or a text has no place for one."
    );
}
