//! The reader and two independent parsers get the same document: the reader accepts it if and only
//! if they do.

use svcgen::Limits;
use svcgen::codegen::Reader;

pub fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    // The reader gets texts without a byte order mark; whether the others remove it depends on
    // their version.
    let text = text.trim_start_matches('\u{FEFF}');
    let limits = Limits::default()
        .with_elements(usize::MAX)
        .with_depth(100_000)
        .with_attributes(100_000)
        .with_namespaces(100_000)
        .with_name(1 << 20);
    let mut reader = Reader::new(text, &limits);
    let verdict = reader
        .root()
        .and_then(|()| reader.skip().map(drop))
        .and_then(|()| reader.finish());
    let others = [
        ("roxmltree", roxmltree_accepts(text)),
        ("xml", xml_accepts(text)),
        ("quick-xml", quick_xml_accepts(text)),
    ];
    match verdict {
        Ok(()) => {
            assert!(
                !text.contains("<!DOCTYPE")
                    || text.contains("<!--")
                    || text.contains("<![CDATA[")
                    || text.contains("<?"),
                "a document type definition: {text:?}"
            );
            for (parser, accepts) in others {
                assert!(
                    accepts || is_stricter(parser, text),
                    "{parser} refuses {text:?}"
                );
            }
        }
        // quick-xml is not compared here, as it accepts too much.
        Err(error) => assert!(
            !(others[0].1 && others[1].1) || both_are_lax(text),
            "the others accept {text:?}: {error}"
        ),
    }
}

fn roxmltree_accepts(text: &str) -> bool {
    let options = roxmltree::ParsingOptions {
        nodes_limit: u32::MAX,
        ..Default::default()
    };
    roxmltree::Document::parse_with_options(text, options).is_ok()
}

fn xml_accepts(text: &str) -> bool {
    xml::EventReader::from_str(text)
        .into_iter()
        .all(|event| event.is_ok())
}

fn quick_xml_accepts(text: &str) -> bool {
    let mut reader = quick_xml::NsReader::from_str(text);
    reader.config_mut().enable_all_checks(true);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

/// Whether a parser refuses more than the specification: `xml` supports few encodings, and checks
/// the declared encoding even of a text.
fn is_stricter(parser: &str, text: &str) -> bool {
    parser == "xml" && declares_encoding(text)
}

/// Whether both parsers accept more than the specification: neither checks the targets of
/// instructions or declarations in full.
fn both_are_lax(text: &str) -> bool {
    text.contains("<?")
}

fn declares_encoding(text: &str) -> bool {
    let declaration = text
        .strip_prefix("<?xml")
        .and_then(|rest| rest.split("?>").next());
    declaration.is_some_and(|declaration| declaration.contains("encoding"))
}
