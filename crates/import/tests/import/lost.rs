//! The known differences after a round trip, with their reasons.

/// The lost facts, most of which a WSDL of the definition cannot express: the definition, the
/// shape, the starts of the lines in the difference, and the reason.
pub const LOST: &[(&str, &str, &[&str], &str)] = &[
    (
        "content_models.yaml",
        "Original",
        &["type Trip elements "],
        "of a sequence that may be absent ASMX says so of each of its elements, which then stand alone",
    ),
    (
        "help_page_encoded.yaml",
        "Original",
        &["type Ticket attributes", "type Tree attributes"],
        ENCODED_ATTRIBUTES,
    ),
    (
        "head.yaml",
        "Original",
        &["type Pass attributes"],
        ENCODED_ATTRIBUTES,
    ),
    (
        "GHead.wsdl",
        "Original",
        &["type Pass attributes"],
        ENCODED_ATTRIBUTES,
    ),
    (
        "rpc.yaml",
        "Original",
        &["type Tree attributes"],
        ENCODED_ATTRIBUTES,
    ),
    (
        "GRpc.wsdl",
        "Original",
        &["type Tree attributes"],
        ENCODED_ATTRIBUTES,
    ),
    (
        "help_page_namespaces.yaml",
        "Portable",
        &["type Order attributes"],
        "a wildcard stands for `xml:lang`, after the other attributes, and it may be absent",
    ),
    (
        "help_page_namespaces.yaml",
        "Original",
        &["type Order attributes 0 lang:"],
        "ASMX says of all attributes in the namespace of XML that they may be absent",
    ),
    (
        "checked.yaml",
        "",
        &[
            "operation Sum parameters 0 values facets",
            "operation Sum result facets",
        ],
        "parts of messages and items of arrays are of named types, which have no facets",
    ),
    (
        "checked.yaml",
        "Original",
        &[
            "type Trip elements 1  min",
            "type Trip elements 2  sequence 2  min",
        ],
        "of a choice ASMX says of each text in it that it may be absent, so that nothing is an alternative",
    ),
    (
        "library.yaml",
        "Original",
        &["type Lists attributes 1 genres"],
        FLAGS,
    ),
    (
        "lists.yaml",
        "Original",
        &["type Arrays attributes 1 enums"],
        FLAGS,
    ),
    (
        "messages.yaml",
        "",
        &["operation OnlyOut:", "operation OutNull:"],
        SEVERAL_RESULTS,
    ),
    (
        "namespaces.yaml",
        "",
        &[
            "operation EchoAddress result",
            "operation GetAddress result",
        ],
        "one global element is nillable everywhere or nowhere",
    ),
    (
        "rpc.yaml",
        "",
        &["operation Renamed response"],
        RPC_RESPONSE,
    ),
    (
        "GRpc.wsdl",
        "Original",
        &["operation Renamed response"],
        RPC_RESPONSE,
    ),
    (
        "values.yaml",
        "Portable",
        &["type Names elements 8 NOTATION"],
        "XML Schema has no elements of this type, which is written as a string",
    ),
    (
        "values.yaml",
        "",
        &[
            "type Mode text default",
            "type Motto text default",
            "type Pack text default",
        ],
        "a schema has no default of text beside attributes",
    ),
    (
        "values.yaml",
        "",
        &[
            "operation Weigh parameters 1 tags facets",
            "type Parcel elements",
        ],
        "lists of one type of items are of one type, which says what they have in common",
    ),
    (
        "library.yaml",
        "Portable",
        &[
            "operation CountStock",
            "operation EchoStock",
            "operation GetStock",
            "type Stock",
        ],
        ANY_SET,
    ),
    (
        "stock.yaml",
        "Portable",
        &[
            "faults Broken",
            "headers Reserve",
            "operation CountStock",
            "operation GetStock",
            "type ArrayOfStockSet",
            "type Shelf",
            "type StockSet",
        ],
        ANY_SET,
    ),
];

const ENCODED_ATTRIBUTES: &str = "ASMX does not describe the attributes of encoded types";
const ANY_SET: &str = "typed sets are described as sets of any tables";
const FLAGS: &str = "ASMX describes a list of enumeration values in an attribute as one value";
const SEVERAL_RESULTS: &str = "ASMX offers operations with several results over HTTP GET and POST, and does not describe them there";
const RPC_RESPONSE: &str =
    "callers read any name of the element of a response in rpc style, which no WSDL says";

/// Returns the differences of a definition that have no known reason.
pub fn unexplained(lines: &str, name: &str, shape: &str, used: &mut [bool]) -> String {
    let mut left = String::new();
    for line in lines.lines() {
        let said = line.trim_start_matches(['-', '+', ' ']);
        let known = LOST.iter().position(|(of, in_shape, starts, _)| {
            *of == name
                && (in_shape.is_empty() || *in_shape == shape)
                && starts.iter().any(|start| said.starts_with(start))
        });
        match known {
            Some(known) => used[known] = true,
            None => left += &format!("{line}\n"),
        }
    }
    left
}

/// Fails if a reason is no longer needed.
pub fn assert_needed(used: &[bool], of_recorded: bool) {
    for ((name, shape, starts, why), used) in LOST.iter().zip(used) {
        let is_of_these = name.ends_with(".wsdl") == of_recorded;
        assert!(
            *used || !is_of_these,
            "{name} {shape} {starts:?} differs no more: {why}"
        );
    }
}
