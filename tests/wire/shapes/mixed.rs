//! Text between elements.

use std::sync::Mutex;

use bytes::Bytes;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use svcgen::documents::{Documents, InvokeForm};
use svcgen::types::XmlFragment;
use svcgen::{Binding, Context, Fault, ServerOptions, Transport};
use svcgen_codegen::Config;
use svcgen_documents::{Shape, WsdlOptions, wsdl};
use svcgen_tests::random;

use super::{SOAP, URL, check, same, samples, wait};

svcgen::include_service!("mixed_content");
use mixed_content::*;

/// Returns its parameters, and keeps them for `Last` and `LastLines`.
#[derive(Default)]
struct Keeps(Mutex<Note>, Mutex<Vec<AnyLine>>);

impl Keeps {
    fn keep(&self, note: Note) -> Note {
        self.0.lock().unwrap().clone_from(&note);
        note
    }
}

impl MixedContentHandler for Keeps {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Note, Fault> {
        Ok(self.keep(request.note))
    }

    async fn echo_rpc(&self, _: &Context, request: EchoRpcRequest) -> Result<Note, Fault> {
        Ok(self.keep(request.note))
    }

    async fn echo_bare(&self, _: &Context, request: EchoBareRequest) -> Result<Note, Fault> {
        Ok(self.keep(request.note))
    }

    async fn echo_lines(
        &self,
        _: &Context,
        request: EchoLinesRequest,
    ) -> Result<Vec<AnyLine>, Fault> {
        self.1.lock().unwrap().clone_from(&request.lines);
        Ok(request.lines)
    }

    async fn last(&self, _: &Context) -> Result<Note, Fault> {
        Ok(self.0.lock().unwrap().clone())
    }

    async fn last_lines(&self, _: &Context) -> Result<Vec<AnyLine>, Fault> {
        Ok(self.1.lock().unwrap().clone())
    }

    async fn greet(&self, _: &Context, request: GreetRequest) -> Result<Option<AnyNamed>, Fault> {
        Ok(request.greeting)
    }

    async fn say(&self, _: &Context, request: SayRequest) -> Result<SayResponse, Fault> {
        Ok(said(request))
    }
}

/// Returns the answer of `Say`.
fn said(request: SayRequest) -> SayResponse {
    let words = request.words.into_iter().map(|word| match word {
        SayRequestWords::Text(text) => SayResponseWords::Text(text),
        SayRequestWords::B(text) => SayResponseWords::B(text),
        SayRequestWords::I(number) => SayResponseWords::I(number),
    });
    let words: Vec<_> = words.collect();
    SayResponse {
        count: words.len() as i32,
        words,
        after: request.before,
    }
}

/// Text with a character that is not white space, which would be lost between elements.
fn text() -> BoxedStrategy<String> {
    (random::text(), "[a-z<&>]")
        .prop_map(|(text, letter)| text + &letter)
        .boxed()
}

/// Removes parts that are one with the preceding part on the wire.
fn apart<T>(mut parts: Vec<T>, are_one: impl Fn(&T, &T) -> bool) -> Vec<T> {
    parts.dedup_by(|next, last| are_one(last, next));
    parts
}

fn phones() -> BoxedStrategy<Vec<Phone>> {
    let phone = (any::<i32>(), random::text());
    vec(phone.prop_map(|(area, value)| Phone { area, value }), 1..3).boxed()
}

fn foreign() -> BoxedStrategy<XmlFragment> {
    (0..100_u8)
        .prop_map(|number| {
            XmlFragment::parse(&format!("<n xmlns=\"urn:foreign\">{number}</n>")).unwrap()
        })
        .boxed()
}

fn note() -> BoxedStrategy<Note> {
    let part = || option::of(random::text());
    let alone = (part(), part(), part());
    let alone = alone.prop_map(|(lang, title, last)| Note {
        lang,
        title,
        last,
        parts: Vec::new(),
    });
    alone
        .prop_recursive(3, 12, 5, |inner| {
            let part = prop_oneof![
                3 => text().prop_map(NoteParts::Text),
                1 => random::text().prop_map(NoteParts::B),
                1 => phones().prop_map(NoteParts::Phone),
                1 => inner.clone().prop_map(NoteParts::Note),
                1 => foreign().prop_map(NoteParts::Other),
            ];
            (inner, vec(part, 0..6)).prop_map(|(note, parts)| {
                let parts = apart(parts, |last, next| {
                    matches!(
                        (last, next),
                        (NoteParts::Text(_), NoteParts::Text(_))
                            | (NoteParts::Phone(_), NoteParts::Phone(_))
                    )
                });
                Note { parts, ..note }
            })
        })
        .boxed()
}

fn line() -> BoxedStrategy<AnyLine> {
    let word = prop_oneof![
        text().prop_map(LineWords::Text),
        random::text().prop_map(LineWords::B)
    ];
    let words = vec(word, 0..4).prop_map(|words| {
        apart(words, |last, next| {
            matches!((last, next), (LineWords::Text(_), LineWords::Text(_)))
        })
    });
    (words, any::<bool>(), option::of(random::text()))
        .prop_map(|(words, is_reply, by)| {
            if is_reply {
                AnyLine::Reply(Reply { words, by })
            } else {
                AnyLine::Line(Line { words })
            }
        })
        .boxed()
}

fn server() -> MixedContentServer<Keeps> {
    MixedContentServer::new(Keeps::default())
}

fn client(
    server: &MixedContentServer<Keeps>,
    binding: Binding,
) -> MixedContentClient<MixedContentServer<Keeps>> {
    let client = MixedContentClient::new(server.clone(), URL).unwrap();
    client.with_binding(binding)
}

#[test]
fn text_between_elements_comes_back_over_every_binding() {
    let server = server();
    check(note(), |note| {
        for binding in SOAP {
            let client = client(&server, binding);
            let answers = [
                wait(client.echo(&EchoRequest { note: note.clone() })),
                wait(client.echo_rpc(&EchoRpcRequest { note: note.clone() })),
                wait(client.echo_bare(&EchoBareRequest { note: note.clone() })),
            ];
            for answer in answers {
                same(binding, &note, &answer.map_err(|error| error.to_string())?)?;
            }
        }
        for binding in Binding::DEFAULT {
            let answer = wait(client(&server, binding).last());
            same(binding, &note, &answer.map_err(|error| error.to_string())?)?;
        }
        Ok(())
    });
}

#[test]
fn text_between_elements_is_inherited() {
    let server = server();
    check(vec(line(), 0..4), |lines| {
        for binding in SOAP {
            let request = EchoLinesRequest {
                lines: lines.clone(),
            };
            let came = wait(client(&server, binding).echo_lines(&request));
            same(binding, &lines, &came.map_err(|error| error.to_string())?)?;
        }
        for binding in Binding::DEFAULT {
            let came = wait(client(&server, binding).last_lines());
            same(binding, &lines, &came.map_err(|error| error.to_string())?)?;
        }
        Ok(())
    });
}

#[test]
fn text_between_elements_follows_those_of_another_type() {
    let words = vec![
        GreetingWords::Text("Dear ".to_owned()),
        GreetingWords::B("Ada".to_owned()),
        GreetingWords::I(1),
        GreetingWords::Text("!".to_owned()),
    ];
    let name = Some("n".to_owned());
    let greeting = Some(AnyNamed::Greeting(Greeting { name, words }));
    for binding in SOAP {
        let request = GreetRequest {
            greeting: greeting.clone(),
        };
        let came = wait(client(&server(), binding).greet(&request));
        assert_eq!(came.unwrap(), greeting);
    }
}

#[test]
fn text_stands_between_parameters_and_results() {
    let word = prop_oneof![
        text().prop_map(SayRequestWords::Text),
        random::text().prop_map(SayRequestWords::B),
        any::<i32>().prop_map(SayRequestWords::I),
    ];
    let words = vec(word, 0..6).prop_map(|words| {
        apart(words, |last, next| {
            matches!(
                (last, next),
                (SayRequestWords::Text(_), SayRequestWords::Text(_))
            )
        })
    });
    let requests = (option::of(random::text()), words);
    let requests = requests.prop_map(|(before, words)| SayRequest { before, words });
    let server = server();
    check(requests, |request| {
        for binding in SOAP {
            let came = wait(client(&server, binding).say(&request));
            let came = came.map_err(|error| error.to_string())?;
            same(binding, &said(request.clone()), &came)?;
        }
        Ok(())
    });
}

fn body(response: &http::Response<Bytes>) -> String {
    String::from_utf8(response.body().to_vec()).unwrap()
}

/// Returns the content of the result of `Echo` for this content.
fn answered(server: &impl Transport, content: &str) -> String {
    let envelope = format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\
         <Echo xmlns=\"urn:example:mixed-content\"><note>{content}</note></Echo></s:Body></s:Envelope>"
    );
    let request = http::Request::post("/MixedContent.asmx")
        .header("content-type", "text/xml; charset=utf-8")
        .header("soapaction", "urn:example:mixed-content/Echo");
    let response = wait(server.send(request.body(Bytes::from(envelope)).unwrap())).unwrap();
    let text = body(&response);
    let result = text.split_once("<EchoResult");
    let result = result.and_then(|(_, rest)| rest.split_once("</EchoResult>"));
    match result {
        Some((result, _)) => result.trim_start_matches('>').to_owned(),
        None if text.contains("<EchoResult />") => String::new(),
        None => text,
    }
}

/// As read by .NET 4 and Mono (`XmlSerializer` on an `XmlTextReader`).
#[test]
fn text_is_read_as_in_dot_net() {
    let cases = [
        ("one<b>1</b>two", "one<b>1</b>two"),
        (" one <b>1</b> two ", " one <b>1</b> two "),
        // White space alone is not text, even if it is written as hexadecimal references.
        ("\n  <b>1</b>\n  <b>2</b>\n", "<b>1</b><b>2</b>"),
        ("<b>1</b> &#x20;&#x00A;<b>2</b>", "<b>1</b><b>2</b>"),
        (" \n\t", ""),
        ("<b>1</b>&#32;<b>2</b>", "<b>1</b> <b>2</b>"),
        (" &#32;", "  "),
        // CDATA sections are text, and text continues after them.
        ("a<![CDATA[ b<]]>c", "a b&lt;c"),
        (" <![CDATA[ ]]> ", "  "),
        ("<![CDATA[]]><b>1</b>", "<b>1</b>"),
        ("x<![CDATA[]]>", "x"),
        ("a&amp;b&#x41;\r\nc", "a&amp;bA\nc"),
        ("a <!-- c --> b", "a  b"),
        // Text is allowed at any place, also among other elements.
        (
            "a<Title>t</Title>b<b>1</b>c<Last xmlns=\"urn:example:other\">l</Last>d",
            "<Title>t</Title>ab<b>1</b>cd<Last xmlns=\"urn:example:other\">l</Last>",
        ),
        // A text ends a list.
        (
            "<Phone area=\"1\">p</Phone><Phone area=\"2\">q</Phone>t<Phone area=\"3\">r</Phone>",
            "<Phone area=\"1\">p</Phone><Phone area=\"2\">q</Phone>t<Phone area=\"3\">r</Phone>",
        ),
        (
            "a<n xmlns=\"urn:foreign\" />b",
            "a<n xmlns=\"urn:foreign\" />b",
        ),
    ];
    for (sent, expected) in cases {
        assert_eq!(answered(&server(), sent), expected, "{sent}");
    }
}

#[test]
fn texts_that_a_comment_divides_are_two() {
    let server = server();
    answered(&server, "a<!-- -->b<![CDATA[c]]><b>1</b>");
    let note = wait(client(&server, Binding::Soap11).last()).unwrap();
    // The answer has them as a single text.
    let parts = [NoteParts::Text("abc".into()), NoteParts::B("1".into())];
    assert_eq!(note.parts, parts);
    let kept = server.handler().0.lock().unwrap().parts.clone();
    let kept: Vec<_> = kept
        .iter()
        .map(|part| match part {
            NoteParts::Text(text) => text.as_str(),
            _ => "<>",
        })
        .collect();
    assert_eq!(kept, ["a", "bc", "<>"]);
}

#[test]
fn strict_servers_take_text_anywhere() {
    let strict = server().with_options(ServerOptions::new().with_strict(true));
    let last = "<Last xmlns=\"urn:example:other\">l</Last>";
    let sent = format!("a<Title>t</Title>b<b>1</b>c{last}d");
    let expected = format!("<Title>t</Title>ab<b>1</b>cd{last}");
    assert_eq!(answered(&strict, &sent), expected);
    let refused = answered(&strict, &format!("a<b>1</b>{last}t<b>2</b>"));
    assert!(refused.contains("'b'"), "{refused}");
    assert!(!refused.contains("Text"), "{refused}");
}

/// Indented as by `XmlTextWriter`: nothing after a text in its element, nor in the elements that
/// follow.
#[test]
fn answers_are_indented_up_to_the_first_text() {
    let server = server();
    let inner = "<Note><Title>t</Title></Note>";
    answered(&server, &format!("<b>1</b>{inner}x{inner}<b>2</b>"));
    let request = http::Request::get("/MixedContent.asmx/Last");
    let answer = wait(server.answer(request.body(Bytes::new()).unwrap()));
    let answer = body(&answer).replace("\r\n", "\n");
    let expected =
        format!(">\n  <b>1</b>\n  <Note>\n    <Title>t</Title>\n  </Note>x{inner}<b>2</b></Note>");
    assert!(answer.ends_with(&expected), "{answer}");
    answered(&server, "<b>1</b>");
    let request = http::Request::get("/MixedContent.asmx/Last");
    let answer = wait(server.answer(request.body(Bytes::new()).unwrap()));
    let answer = body(&answer).replace("\r\n", "\n");
    assert!(answer.ends_with(">\n  <b>1</b>\n</Note>"), "{answer}");
}

#[test]
fn samples_of_mixed_content_are_what_goes_over_the_wire() {
    // `Note` contains itself, which samples show as a comment.
    let echoes = ["EchoLines", "Greet"];
    samples::hold("valid/mixed_content.yaml", server(), &echoes);
}

#[test]
fn the_wsdl_says_where_text_stands() {
    let definition = include_str!("../../definitions/valid/mixed_content.yaml");
    let described = Config::new().describe("mixed_content.yaml", definition);
    let described = described.unwrap();
    let written = |shape| {
        let options = WsdlOptions {
            shape,
            documentation: true,
            ..WsdlOptions::default()
        };
        let wsdl = described.with(|service| wsdl(service, URL, options));
        let wsdl = wsdl.unwrap();
        let lines: String = wsdl.lines().map(str::trim).collect();
        lines
    };
    // .NET writes these types like this: a single element next to text is not a choice.
    let words = "<s:sequence><s:element minOccurs=\"0\" maxOccurs=\"unbounded\" name=\"b\" type=\"s:string\" /></s:sequence>";
    let base = "<s:extension base=\"tns:Line\"><s:sequence><s:element minOccurs=\"0\" maxOccurs=\"1\" name=\"By\" type=\"s:string\" />";
    let line = format!("<s:complexType name=\"Line\" mixed=\"true\">{words}</s:complexType>");
    let reply = format!(
        "<s:complexType name=\"Reply\"><s:complexContent mixed=\"true\">{base}</s:sequence></s:extension>"
    );
    let words = "<s:extension base=\"tns:Named\"><s:sequence><s:choice minOccurs=\"0\" maxOccurs=\"unbounded\">";
    let greeting = format!(
        "<s:complexType name=\"Greeting\" mixed=\"true\"><s:complexContent mixed=\"false\">{words}"
    );
    // A type is mixed if a derived type is.
    let portable_greeting =
        format!("<s:complexType name=\"Greeting\"><s:complexContent mixed=\"true\">{words}");
    let say = "<s:element name=\"Say\"><s:complexType mixed=\"true\"><s:sequence>";
    let answer = "<s:element name=\"SayResponse\"><s:complexType mixed=\"true\"><s:sequence>";
    let named = "<s:complexType name=\"Named\">";
    let portable_named = "<s:complexType name=\"Named\" mixed=\"true\">";
    for (shape, named, greeting) in [
        (Shape::Original, named, greeting),
        (Shape::Portable, portable_named, portable_greeting),
    ] {
        let wsdl = written(shape);
        for part in [&*line, &reply, named, &*greeting, say, answer] {
            assert!(wsdl.contains(part), "{part}: {wsdl}");
        }
        assert!(!wsdl.contains("\"Text\""), "{wsdl}");
    }
}

#[test]
fn documents_tell_of_text_between_elements() {
    let definition = include_str!("../../definitions/valid/mixed_content.yaml");
    let described = Config::new().describe("mixed_content.yaml", definition);
    let described = described.unwrap();
    let reference = described.with(svcgen_documents::reference::markdown);
    let reference = reference.unwrap();
    let row = "any of Parts, any number, text between elements | What stands between the elements.";
    assert!(reference.contains(row), "{reference}");
    let request = http::Request::get("/MixedContent.asmx?op=Echo").header("host", "localhost");
    let documents = Documents::new().with_invoke_form(InvokeForm::Always);
    let server = server().with_documents(documents);
    let page = body(&wait(server.answer(request.body(Bytes::new()).unwrap())));
    let text = "<template data-alternative=\"Text\"><div data-kind=\"text\" data-name=\"Text\"";
    assert!(page.contains(text), "{page}");
}
