//! The documents that are loaded for references.

use std::collections::BTreeMap;

use super::Sources;
use super::address;
use crate::load::{Load, Loaded};

/// Documents by their addresses.
#[derive(Default)]
struct Documents {
    texts: BTreeMap<String, String>,
    allowed: Vec<&'static str>,
    asked: Vec<String>,
}

impl Load for &mut Documents {
    fn load(&mut self, address: &str) -> Result<Loaded, String> {
        self.asked.push(address.to_owned());
        let text = self.texts.get(address);
        let text = text.ok_or("there is no such document")?;
        Ok(text.clone().into_bytes().into())
    }

    fn siblings(&mut self, address: &str) -> Vec<String> {
        let is_beside = |one: &&String| {
            !address::is_url(one) && address::folder(one) == address::folder(address)
        };
        self.texts.keys().filter(is_beside).cloned().collect()
    }

    fn allows(&mut self, address: &str) -> bool {
        self.allowed.iter().any(|start| address.starts_with(start))
    }
}

impl Documents {
    fn with(mut self, address: &str, text: impl Into<String>) -> Self {
        self.texts.insert(address.to_owned(), text.into());
        self
    }

    /// Returns the loaded documents with the namespaces of their schemas, or the messages.
    fn load(&mut self, addresses: &[&str]) -> Vec<String> {
        self.load_with(addresses, &[])
    }

    fn load_with(&mut self, addresses: &[&str], catalogs: &[&str]) -> Vec<String> {
        let owned = |addresses: &[&str]| -> Vec<String> {
            addresses.iter().map(|&one| one.to_owned()).collect()
        };
        let sources = match Sources::load(&owned(addresses), &owned(catalogs), &mut &mut *self) {
            Ok(sources) => sources,
            Err(diagnostics) => {
                let told = diagnostics.iter().map(|one| {
                    let place = one
                        .spans()
                        .next()
                        .map(|span| format!(":{}:{}", span.start.0, span.start.1));
                    format!(
                        "{}{}: {}",
                        one.file(),
                        place.unwrap_or_default(),
                        one.message()
                    )
                });
                return told.collect();
            }
        };
        let documents = sources.parse().expect("they were parsed before");
        let schemas = documents
            .schemas(&sources.groups[0])
            .expect("they are small");
        let told = sources.texts.iter().zip(0..).map(|(source, number)| {
            let schemas = schemas.iter().filter(|one| one.document == number);
            let namespaces: Vec<_> = schemas.map(|one| one.namespace).collect();
            format!("{} {}", source.file, namespaces.join(","))
        });
        told.collect()
    }
}

/// Returns a WSDL with this content of `types`.
fn wsdl(content: &str) -> String {
    format!(
        "<definitions xmlns='http://schemas.xmlsoap.org/wsdl/' xmlns:s='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:s'>{content}</definitions>"
    )
}

/// Returns a schema with a target namespace, in which `t:` is the prefix of `urn:t`.
fn schema(namespace: &str, content: &str) -> String {
    let target = if namespace.is_empty() {
        String::new()
    } else {
        format!(" targetNamespace='{namespace}'")
    };
    format!(
        "<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema' xmlns:t='urn:t'{target}>{content}</s:schema>"
    )
}

/// Returns a WSDL whose schema imports `urn:t`, and refers to an element of it.
fn importing(location: &str) -> String {
    let location = if location.is_empty() {
        String::new()
    } else {
        format!(" schemaLocation='{location}'")
    };
    let content =
        format!("<s:import namespace='urn:t'{location}/><s:element name='a' type='t:A'/>");
    wsdl(&schema("urn:s", &content))
}

const TYPE: &str = "<s:complexType name='A'/>";
const OTHER_TYPE: &str = "<s:complexType name='B'/>";

#[test]
fn imports_and_includes_are_followed_once_and_in_circles() {
    let mut files = Documents::default()
        .with("a/s.wsdl", wsdl("<import namespace='urn:m' location='m.wsdl'/>"))
        .with("a/m.wsdl", importing("../x/t%201.xsd"))
        .with("x/t 1.xsd", schema("urn:t", "<s:include schemaLocation='./u.xsd'/>"))
        .with("x/u.xsd", schema("urn:t", "<s:redefine schemaLocation='t 1.xsd'/><s:import namespace='urn:s' schemaLocation='../a/m.wsdl'/>").replace("<s:import", &format!("{TYPE}<s:import")));
    assert_eq!(
        files.load(&["./a/s.wsdl", "a/s.wsdl"]),
        [
            "a/s.wsdl ",
            "a/m.wsdl urn:s",
            "x/t 1.xsd urn:t",
            "x/u.xsd urn:t"
        ]
    );
}

#[test]
fn bases_count() {
    let text = importing("t.xsd").replace("<s:import", "<s:import xml:base='lib/'");
    let mut files = Documents::default()
        .with("s.wsdl", text)
        .with("lib/t.xsd", schema("urn:t", TYPE));
    assert_eq!(files.load(&["s.wsdl"]), ["s.wsdl urn:s", "lib/t.xsd urn:t"]);
}

#[test]
fn schemas_without_namespace_take_those_of_the_schemas_that_include_them() {
    let include = "<s:include schemaLocation='c.xsd'/>";
    let types = schema("urn:s", include) + &schema("urn:u", include);
    let mut files = Documents::default()
        .with("s.wsdl", wsdl(&types))
        .with("c.xsd", schema("", "<s:include schemaLocation='d.xsd'/>"))
        .with("d.xsd", schema("", include));
    assert_eq!(
        files.load(&["s.wsdl"]),
        [
            "s.wsdl urn:s,urn:u",
            "c.xsd urn:s,urn:u",
            "d.xsd urn:s,urn:u"
        ]
    );
    // A schema that is also imported has components of its own.
    let types = types.replacen(
        "<s:include",
        "<s:import schemaLocation='c.xsd'/><s:include",
        1,
    );
    let mut files = files.with("s.wsdl", wsdl(&types));
    let loaded = files.load(&["s.wsdl"]);
    assert_eq!(loaded[1], "c.xsd ,urn:s,urn:u");
}

#[test]
fn namespaces_are_found_among_documents_and_files() {
    for location in ["", "http://dead/S.svc?xsd=xsd9", "gone.xsd"] {
        let mut inline = Documents::default().with(
            "s.wsdl",
            importing(location).replace(
                "</definitions>",
                &(schema("urn:t", TYPE) + "</definitions>"),
            ),
        );
        assert_eq!(
            inline.load(&["s.wsdl"]),
            ["s.wsdl urn:s,urn:t"],
            "{location}"
        );
        let mut files = Documents::default()
            .with("s.wsdl", importing(location))
            .with("other.xsd", schema("urn:t", OTHER_TYPE))
            .with("page.wsdl", "<html>")
            .with("types.xsd", schema("urn:t", TYPE));
        assert_eq!(
            files.load(&["s.wsdl"]),
            ["s.wsdl urn:s", "types.xsd urn:t"],
            "{location}"
        );
    }
}

#[test]
fn saved_documents_are_found_by_directories_and_names() {
    let files = || {
        Documents::default()
            .with("s.wsdl", importing("http://dead/S.svc?xsd=xsd0"))
            .with("S1.xsd", schema("urn:t", TYPE))
            .with("S2.xsd", schema("urn:t", TYPE))
    };
    let mut with_map = files().with(
        "Reference.svcmap",
        "<ReferenceGroup xmlns='urn:schemas-microsoft-com:xml-wcfservicemap'><Metadata><MetadataFile FileName='S2.xsd' MetadataType='Schema' SourceUrl='http://dead/S.svc?xsd=xsd0'/></Metadata></ReferenceGroup>",
    );
    assert_eq!(with_map.load(&["s.wsdl"]), ["s.wsdl urn:s", "S2.xsd urn:t"]);
    let mut with_name = files().with("XSD0.xsd", schema("urn:t", TYPE));
    assert_eq!(
        with_name.load(&["s.wsdl"]),
        ["s.wsdl urn:s", "XSD0.xsd urn:t"]
    );
    assert_eq!(
        with_name
            .asked
            .iter()
            .filter(|one| one.starts_with("http"))
            .count(),
        0
    );
    // A file of that name with another namespace is not that schema.
    let mut other = files().with("xsd0.xsd", schema("urn:u", TYPE));
    assert_eq!(
        other.load(&["s.wsdl"])[..2],
        ["s.wsdl urn:s", "S1.xsd urn:t"]
    );
}

#[test]
fn directories_name_documents() {
    let map = "<DiscoveryClientResultsFile><Results><DiscoveryClientResult referenceType='System.Web.Services.Discovery.ContractReference' url='http://dead/S.asmx?wsdl' filename='s.wsdl'/></Results></DiscoveryClientResultsFile>";
    let disco = "<discovery xmlns='http://schemas.xmlsoap.org/disco/'><contractRef ref='http://dead/S.asmx?wsdl' xmlns='http://schemas.xmlsoap.org/disco/scl/'/></discovery>";
    let mut files = Documents::default()
        .with("Reference.map", map)
        .with("S.disco", disco)
        .with("s.wsdl", wsdl(""));
    assert_eq!(
        files.load(&["Reference.map"]),
        ["Reference.map ", "s.wsdl "]
    );
    assert_eq!(files.load(&["S.disco"]), ["S.disco ", "s.wsdl "]);
    let mut host = Documents::default()
        .with("http://host/S.asmx?disco", disco.replace("dead", "host"))
        .with("http://host/T.asmx?wsdl", wsdl(""));
    assert_eq!(
        host.load(&["http://host/T.asmx"]),
        ["http://host/T.asmx?wsdl "]
    );
    assert_eq!(
        host.load(&["http://host/S.asmx"]),
        [
            "http://host/S.asmx?disco:1:54: the document at `http://host/S.asmx?wsdl` is missing: there is no such document"
        ]
    );
}

#[test]
fn other_hosts_are_asked_if_that_is_allowed() {
    let elsewhere = "http://other/t.xsd";
    let documents = |from: &str| {
        Documents::default()
            .with(from, importing(elsewhere))
            .with(elsewhere, schema("urn:t", TYPE))
            .with("file.xsd", schema("urn:t", TYPE))
    };
    let refused = "the schema of `urn:t` at `http://other/t.xsd` is missing: documents of http://other are not asked for unless that is allowed";
    for from in ["a/s.wsdl", "http://host/s?wsdl", "http://other:81/s?wsdl"] {
        let mut refusing = documents(from);
        assert!(refusing.load(&[from])[0].ends_with(refused), "{from}");
        assert_eq!(refusing.asked, [from]);
        let mut allowing = documents(from);
        allowing.allowed.push("http://other/");
        assert_eq!(allowing.load(&[from])[1], "http://other/t.xsd urn:t");
    }
    // A document loaded over https cannot refer to one over http, whatever is allowed.
    let from = "https://other/s?wsdl";
    let mut allowing = documents(from);
    allowing.allowed.push("http://other/");
    let told = allowing.load(&[from]);
    assert!(
        told[0].contains("are never asked for because of one over https"),
        "{told:?}"
    );
    assert_eq!(allowing.asked, [from]);
    // Documents from the network cannot refer to files.
    for location in ["file:///file.xsd", "/file.xsd", "c:/file.xsd"] {
        let mut network = Documents::default()
            .with("http://host/s?wsdl", importing(location))
            .with("/file.xsd", schema("urn:t", TYPE));
        let told = network.load(&["http://host/s?wsdl"]);
        assert!(told[0].contains("is missing"), "{told:?}");
        assert!(
            !network
                .asked
                .iter()
                .any(|one| !one.starts_with("http://host/"))
        );
    }
    // A share of another machine, in the notation of Windows.
    let mut share = Documents::default().with("s.wsdl", importing("\\\\host\\share\\t.xsd"));
    assert!(share.load(&["s.wsdl"])[0].contains("another machine"));
    assert_eq!(share.asked, ["s.wsdl"]);
}

#[test]
fn the_machine_behind_a_gateway_is_the_gateway() {
    let mut host = Documents::default()
        .with(
            "https://host/S.svc?wsdl",
            importing("http://machine/S.svc?xsd=xsd0"),
        )
        .with("https://host/S.svc?xsd=xsd0", schema("urn:t", TYPE));
    assert_eq!(
        host.load(&["https://host/S.svc?wsdl"])[1],
        "https://host/S.svc?xsd=xsd0 urn:t"
    );
}

#[test]
fn catalogues_say_where_documents_are() {
    let catalog = "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'><uri name='urn:t' uri='lib/t.xsd'/></catalog>";
    let mut files = Documents::default()
        .with("s.wsdl", importing("http://dead/t.xsd"))
        .with("catalog.xml", catalog)
        .with("lib/t.xsd", schema("urn:t", TYPE));
    assert_eq!(
        files.load_with(&["s.wsdl"], &["catalog.xml"]),
        ["s.wsdl urn:s", "lib/t.xsd urn:t"]
    );
    assert_eq!(
        files.load_with(&["s.wsdl"], &["s.wsdl"]),
        ["s.wsdl:1:1: it is not a catalogue: its root element is `definitions`"]
    );
}

#[test]
fn schemas_of_the_network_are_built_in_and_not_asked_for() {
    let xml = "http://www.w3.org/XML/1998/namespace";
    let types = |location: &str| {
        let import = format!("<s:import namespace='{xml}' schemaLocation='{location}'/>");
        wsdl(&schema(
            "urn:s",
            &(import + "<s:attribute ref='xml:lang'/>"),
        ))
    };
    let mut files = Documents::default()
        .with("s.wsdl", types("http://www.w3.org/2001/xml.xsd"))
        .with(
            "t.wsdl",
            types("http://www.w3.org/2001/xml.xsd").replace("xml:lang", "lang"),
        );
    files.allowed.push("http://");
    assert_eq!(files.load(&["t.wsdl"]), ["t.wsdl urn:s"]);
    files.allowed.clear();
    assert_eq!(
        files.load(&["s.wsdl"]),
        [
            "s.wsdl urn:s".to_owned(),
            format!("(built-in xml.xsd) {xml}")
        ]
    );
    assert!(files.asked.iter().all(|one| !one.contains("xml.xsd")));
    // A local file is used, unless it cannot be read.
    let own = format!(
        "<schema xmlns='http://www.w3.org/2001/XMLSchema' targetNamespace='{xml}'><attribute name='lang'/></schema>"
    );
    let mut files = files
        .with("s.wsdl", types("xml.xsd"))
        .with("xml.xsd", own.clone());
    assert_eq!(files.load(&["s.wsdl"])[1], format!("xml.xsd {xml}"));
    let mut files = files.with("xml.xsd", format!("<!DOCTYPE schema>{own}"));
    assert_eq!(
        files.load(&["s.wsdl"])[1],
        format!("(built-in xml.xsd) {xml}")
    );
}

#[test]
fn what_is_not_used_is_not_missed() {
    let unused = importing("gone.xsd").replace("t:A", "s:string");
    let mut files = Documents::default().with("s.wsdl", unused);
    assert_eq!(files.load(&["s.wsdl"]), ["s.wsdl urn:s"]);
    let mut files = Documents::default().with("s.wsdl", importing("gone.xsd"));
    assert_eq!(
        files.load(&["s.wsdl"]),
        ["s.wsdl:1:215: the schema of `urn:t` at `gone.xsd` is missing: there is no such document"]
    );
    let mut files = Documents::default()
        .with("s.wsdl", importing("t.xsd"))
        .with("t.xsd", "<html><title>Log in</title></html>");
    assert_eq!(
        files.load(&["s.wsdl"]),
        [
            "s.wsdl:1:215: the schema of `urn:t` at `t.xsd` is missing: the document is an HTML page, no WSDL",
        ]
    );
}

#[test]
fn documents_are_bounded() {
    let include = |to: usize| format!("<s:include schemaLocation='{to}.xsd'/>");
    let mut files = Documents::default();
    for at in 0..1001 {
        files = files.with(&format!("{at}.xsd"), schema("urn:t", &include(at + 1)));
    }
    let files = files.with("1000.xsd", schema("urn:t", ""));
    let mut all = files.with("all.wsdl", importing("1.xsd"));
    assert_eq!(all.load(&["1.xsd"]).len(), 1000);
    let told = all.load(&["0.xsd"]);
    assert!(
        told[0].ends_with("there are too many documents: at most 1000 are loaded"),
        "{told:?}"
    );
}
