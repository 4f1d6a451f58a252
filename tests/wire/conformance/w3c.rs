//! The W3C's XML conformance files: their verdicts are the expectation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use svcgen::Limits;
use svcgen::codegen::{Reader, declared_encoding};

/// The variable with the folder of the files; without it, `target/xml-conformance` is used if it
/// exists.
const VARIABLE: &str = "XML_CONFORMANCE";

/// Documents for which the reader differs from the catalogue, by reason.
const EXCEPTIONS: [(&str, &[&str]); 2] = [
    (
        "A byte order mark wins over the encoding that is declared.",
        &["hst-lhs-007", "hst-lhs-008"],
    ),
    (
        "Characters U+0080 to U+009F, which XML 1.1 alone refuses.",
        &[
            "ibm-1-1-not-wf-P02-ibm02n32.xml",
            "ibm-1-1-not-wf-P02-ibm02n33.xml",
            "ibm-1-1-not-wf-P02-ibm02n34.xml",
            "ibm-1-1-not-wf-P02-ibm02n35.xml",
            "ibm-1-1-not-wf-P02-ibm02n36.xml",
            "ibm-1-1-not-wf-P02-ibm02n37.xml",
            "ibm-1-1-not-wf-P02-ibm02n38.xml",
            "ibm-1-1-not-wf-P02-ibm02n39.xml",
            "ibm-1-1-not-wf-P02-ibm02n40.xml",
            "ibm-1-1-not-wf-P02-ibm02n41.xml",
            "ibm-1-1-not-wf-P02-ibm02n42.xml",
            "ibm-1-1-not-wf-P02-ibm02n43.xml",
            "ibm-1-1-not-wf-P02-ibm02n44.xml",
            "ibm-1-1-not-wf-P02-ibm02n45.xml",
            "ibm-1-1-not-wf-P02-ibm02n46.xml",
            "ibm-1-1-not-wf-P02-ibm02n47.xml",
            "ibm-1-1-not-wf-P02-ibm02n48.xml",
            "ibm-1-1-not-wf-P02-ibm02n49.xml",
            "ibm-1-1-not-wf-P02-ibm02n50.xml",
            "ibm-1-1-not-wf-P02-ibm02n51.xml",
            "ibm-1-1-not-wf-P02-ibm02n52.xml",
            "ibm-1-1-not-wf-P02-ibm02n53.xml",
            "ibm-1-1-not-wf-P02-ibm02n54.xml",
            "ibm-1-1-not-wf-P02-ibm02n55.xml",
            "ibm-1-1-not-wf-P02-ibm02n56.xml",
            "ibm-1-1-not-wf-P02-ibm02n57.xml",
            "ibm-1-1-not-wf-P02-ibm02n59.xml",
            "ibm-1-1-not-wf-P02-ibm02n60.xml",
            "ibm-1-1-not-wf-P02-ibm02n61.xml",
            "ibm-1-1-not-wf-P02-ibm02n62.xml",
            "ibm-1-1-not-wf-P02-ibm02n63.xml",
        ],
    ),
];

/// Documents that contain `<!DOCTYPE` in a comment, an instruction and a CDATA section.
const MENTIONS: [&str; 3] = ["o-p15pass1", "o-p16pass1", "o-p18pass1"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    WellFormed,
    IllFormed,
}

struct Document {
    id: String,
    text: Option<String>,
    verdict: Verdict,
    doctype: bool,
}

#[test]
fn the_w3c_files_get_their_verdicts() {
    let Some(folder) = folder() else { return };
    let documents = documents(&folder);
    let without: Vec<&Document> = documents
        .iter()
        .filter(|document| !document.doctype)
        .collect();
    let ill_formed = without
        .iter()
        .filter(|document| document.verdict == Verdict::IllFormed)
        .count();
    println!(
        "{} documents, {} of them without a DTD, {ill_formed} of those ill-formed",
        documents.len(),
        without.len()
    );
    assert!(
        without.len() >= 350 && ill_formed >= 300,
        "the catalogue is incomplete"
    );

    let expected: BTreeMap<&str, Verdict> = without
        .iter()
        .filter(|document| verdict_of(document) != document.verdict)
        .map(|document| (&*document.id, document.verdict))
        .collect();
    let known: Vec<&str> = EXCEPTIONS
        .iter()
        .flat_map(|(_, ids)| ids.iter().copied())
        .collect();
    let found: Vec<&str> = expected.keys().copied().collect();
    assert_eq!(found, known, "{expected:#?}");
}

#[test]
fn every_w3c_file_with_a_doctype_is_refused() {
    let Some(folder) = folder() else { return };
    let documents = documents(&folder);
    let with: Vec<&Document> = documents
        .iter()
        .filter(|document| document.doctype)
        .collect();
    assert!(
        with.len() >= 1500,
        "the catalogue is incomplete: {}",
        with.len()
    );
    let accepted: Vec<&str> = with
        .iter()
        .filter(|document| verdict_of(document) == Verdict::WellFormed)
        .map(|document| &*document.id)
        .collect();
    assert_eq!(accepted, MENTIONS);
}

fn folder() -> Option<PathBuf> {
    let folder = match env::var_os(VARIABLE) {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/xml-conformance"),
    };
    let there = folder.join("cleaned/xmlconf-flattened.xml").is_file();
    assert!(
        there || env::var_os(VARIABLE).is_none(),
        "{VARIABLE} is set, but the files are not in {}",
        folder.display()
    );
    if !there {
        println!(
            "NOT CHECKED: the W3C's files are not in {}; tests/conformance/fetch gets them",
            folder.display()
        );
    }
    there.then_some(folder)
}

/// Returns the documents that apply to the fifth edition with namespaces and have a verdict.
fn documents(folder: &Path) -> Vec<Document> {
    let catalogue =
        fs::read_to_string(folder.join("cleaned/xmlconf-flattened.xml")).expect("the catalogue");
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        nodes_limit: u32::MAX,
        ..Default::default()
    };
    let catalogue = roxmltree::Document::parse_with_options(&catalogue, options)
        .expect("a well-formed catalogue");
    let tests = catalogue
        .descendants()
        .filter(|node| node.has_tag_name("TEST"));
    tests.filter_map(|test| document(folder, test)).collect()
}

fn document(folder: &Path, test: roxmltree::Node<'_, '_>) -> Option<Document> {
    let fifth = test
        .attribute("EDITION")
        .is_none_or(|editions| editions.contains('5'));
    let namespaces = test.attribute("NAMESPACE") != Some("no");
    let verdict = match test.attribute("TYPE")? {
        "not-wf" => Verdict::IllFormed,
        "valid" | "invalid" => Verdict::WellFormed,
        _ => return None,
    };
    if !fifth || !namespaces {
        return None;
    }
    let bytes = fs::read(
        folder
            .join("xmlconf")
            .join(base(test))
            .join(test.attribute("URI")?),
    )
    .expect("a document of the catalogue");
    let text = decoded(&bytes);
    let doctype = text.as_ref().is_some_and(|text| text.contains("<!DOCTYPE"));
    Some(Document {
        id: test.attribute("ID")?.to_owned(),
        text,
        verdict,
        doctype,
    })
}

/// Joins the `xml:base` of all ancestors.
fn base(test: roxmltree::Node<'_, '_>) -> String {
    let mut bases: Vec<&str> = test
        .ancestors()
        .filter_map(|node| node.attribute(("http://www.w3.org/XML/1998/namespace", "base")))
        .collect();
    bases.reverse();
    bases.concat()
}

fn verdict_of(document: &Document) -> Verdict {
    match &document.text {
        Some(text) if is_well_formed(text) => Verdict::WellFormed,
        _ => Verdict::IllFormed,
    }
}

fn is_well_formed(text: &str) -> bool {
    let mut reader = Reader::new(text, &Limits::default());
    reader.root().is_ok() && reader.skip().is_ok() && reader.finish().is_ok()
}

/// Returns the text of the document without its byte order mark; `None` if its bytes are not valid
/// in its encoding.
fn decoded(bytes: &[u8]) -> Option<String> {
    let (encoding, start) = match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, length),
        None => (
            encoding_rs::Encoding::for_label(
                declared_encoding(bytes).unwrap_or("utf-8").as_bytes(),
            )?,
            0,
        ),
    };
    encoding
        .decode_without_bom_handling_and_without_replacement(&bytes[start..])
        .map(|text| text.into_owned())
}
