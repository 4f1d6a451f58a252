//! Changes of a service that page scripts call: each has a replacement and the expected changes.

pub(crate) const CHANGES: &[(&str, &str, &[&str])] = &[
    (
        "net: Lab.Scripted",
        "net: Lab.Others",
        &["depends service-net: callers depends json"],
    ),
    (
        "net: Lab.Scripted",
        "net: Other.Scripted",
        &[
            "wire script-type: callers breaks json, new-clients breaks json",
            "wire script-type: callers breaks json, new-clients breaks json",
            "depends service-net: callers depends json",
            "depends script-type: callers depends json, new-clients depends json",
            "depends script-type: callers depends json",
        ],
    ),
    (
        "urn:example:scripted",
        "urn:example:other",
        &["wire namespace: callers breaks soap11, new-clients breaks soap11"],
    ),
    (
        "path: /Scripted.asmx",
        "path: /Scripted.asmx\nelement_form: unqualified",
        &["wire element-form: callers breaks soap11, new-clients breaks soap11"],
    ),
    (
        "path: /Scripted.asmx",
        "path: /Scripted.asmx\ntime_zone: -05:00",
        &[
            "depends time-zone: callers depends soap11 json, callers depends json, callers depends soap11, new-clients depends soap11 json, new-clients depends json, new-clients depends soap11",
        ],
    ),
    (
        "  Ping:\n",
        "  Ping: { bindings: [soap11, http-post, json] }\n",
        &["rollout bindings-added: new-clients breaks http-post"],
    ),
    (
        "words: \"int{}\"",
        "words: \"long{}\"",
        &[
            "source parameter-type: callers works json, new-clients breaks json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "words: \"int{}\"",
        "words: \"int?{}\"",
        &[
            "source parameter-type: callers works json, new-clients breaks json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "words: \"int{}\"",
        "words: \"int[]\"",
        &[
            "wire parameter-list: callers breaks json, new-clients breaks json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "\"string{}?\"",
        "\"Receipt{}?\"",
        &[
            "wire result-type: callers breaks json, new-clients breaks json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Ping:\n",
        "  Ping: { bindings: [soap11] }\n",
        &["wire bindings-removed: callers breaks json"],
    ),
    (
        "  Ping:\n",
        "  Ping: { one_way: true }\n",
        &["depends operation-one-way: callers depends soap11, new-clients works soap11"],
    ),
    (
        "  Ping:\n",
        "  Ping: { result: string }\n",
        &[
            "depends result-added: callers depends soap11, callers works json, new-clients breaks soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Ping:\n",
        "  PING:\n",
        &[
            "wire operation-removed: callers breaks soap11 json, implementors breaks, client-users breaks",
            "source operation-added: new-clients breaks soap11 json, implementors breaks",
        ],
    ),
    (
        "  Ping:\n",
        "  Pong:\n",
        &[
            "wire operation-removed: callers breaks soap11 json, implementors breaks, client-users breaks",
            "source operation-added: new-clients breaks soap11 json, implementors breaks",
        ],
    ),
    (
        "  Last:",
        "  LAST:",
        &[
            "wire operation-renamed: callers breaks soap11, callers depends json, new-clients breaks soap11, new-clients depends json",
        ],
    ),
    (
        ", script_method: { use_http_get: true }",
        "",
        &["wire operation-use-http-get: callers breaks json, new-clients breaks json"],
    ),
    (
        "{ response_format: xml }",
        "{ response_format: json }",
        &["wire operation-response-format: callers breaks json, new-clients breaks json"],
    ),
    (
        "{ response_format: xml }",
        "{ response_format: xml, xml_serialize_string: true }",
        &["wire operation-response-format: callers breaks json, new-clients breaks json"],
    ),
    (
        "{ person: Person, tone: Tone,",
        "{ tone: Tone, person: Person,",
        &[
            "depends parameter-order: callers depends json, callers works soap11, new-clients works soap11 json",
        ],
    ),
    (
        "count: \"int?\" }",
        "count: \"int?\", more: 'int[]' }",
        &[
            "wire parameter-added: callers breaks json, callers depends soap11, new-clients depends soap11 json, client-users breaks",
        ],
    ),
    (
        "count: \"int?\" }",
        "count: \"int?\", more: 'string?' }",
        &[
            "wire parameter-added: callers breaks json, callers works soap11, new-clients depends soap11 json, client-users breaks",
        ],
    ),
    (
        ", count: \"int?\" }",
        " }",
        &[
            "depends parameter-removed: callers depends soap11 json, new-clients breaks json, new-clients works soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "count: \"int?\" }",
        "count: { type: \"int?\", net: Count } }",
        &[
            "wire parameter-net: callers breaks json, callers works soap11, new-clients breaks json, new-clients works soap11",
        ],
    ),
    (
        "count: \"int?\" }",
        "Count: \"int?\" }",
        &[
            "wire parameter-renamed: callers breaks json, callers breaks soap11, new-clients breaks json, new-clients breaks soap11",
        ],
    ),
    (
        "count: \"int?\" }",
        "count: int }",
        &[
            "wire parameter-required: callers breaks json, callers breaks soap11, new-clients works soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "size: int }",
        "size: \"int?\" }",
        &[
            "source parameter-optional: callers works soap11 json, new-clients breaks json, new-clients breaks soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "size: int }",
        "size: long }",
        &[
            "source parameter-type: callers works soap11 json, new-clients breaks soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "size: int }",
        "size: string }",
        &[
            "source parameter-type: callers works soap11 json, new-clients breaks soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "size: int }",
        "size: boolean }",
        &[
            "wire parameter-type: callers breaks soap11 json, new-clients breaks soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "size: int }",
        "size: 'int[]' }",
        &[
            "wire parameter-list: callers breaks soap11 json, new-clients breaks soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "size: int }, result: \"string?\"",
        "size: int }, result: boolean",
        &[
            "wire result-type: callers breaks json, callers works soap11, new-clients breaks soap11 json, implementors breaks, client-users breaks",
            "source result-required: callers works soap11 json, new-clients breaks json, new-clients breaks soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "size: int }, result: \"string?\"",
        "size: int }, result: 'char?'",
        &[
            "wire result-type: callers breaks soap11, callers works json, new-clients breaks soap11 json, implementors breaks, client-users breaks",
            "depends result-absence: callers depends soap11, callers works json, new-clients works json, new-clients works soap11",
        ],
    ),
    (
        "    elements:\n      Name: string?\n",
        "    elements:\n",
        &[
            "depends element-removed: callers depends soap11 json, new-clients works soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "    elements:\n      Name: string?\n",
        "    elements:\n      Name: string?\n      Rank: int\n",
        &[
            "depends element-added: callers depends soap11 json, new-clients depends soap11 json, client-users breaks",
        ],
    ),
    (
        "    elements:\n      Name: string?\n      Age: int?\n",
        "    elements:\n      Age: int?\n      Name: string?\n",
        &["compatible element-order: callers works soap11 json, new-clients works soap11 json"],
    ),
    (
        "    elements:\n      Name: string?\n",
        "    elements:\n      Name: { type: \"string?\", net: name }\n",
        &[
            "compatible element-net: callers works json, callers works soap11, new-clients works json, new-clients works soap11",
        ],
    ),
    (
        "    elements:\n      Name: string?\n",
        "    elements:\n      Name: { type: \"string?\", net: Title }\n",
        &[
            "wire element-net: callers breaks json, callers works soap11, new-clients breaks json, new-clients works soap11",
        ],
    ),
    (
        "    elements:\n      Name: string?\n",
        "    elements:\n      Title: { type: \"string?\", net: Name }\n",
        &[
            "wire element-renamed: callers breaks soap11, callers works json, new-clients breaks soap11, new-clients works json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "      Age: int?\n",
        "      Age: { type: \"int?\", absent: omit }\n",
        &[
            "wire element-absence: callers breaks json, callers works soap11, new-clients breaks json, new-clients works soap11",
        ],
    ),
    (
        "      Born: { type: \"dateTime?\", absent: omit }\n",
        "      Born: dateTime?\n",
        &[
            "wire element-absence: callers breaks json, callers works soap11, new-clients breaks json, new-clients works soap11",
        ],
    ),
    (
        "      Born: { type: \"dateTime?\", absent: omit }\n",
        "      Born: dateTime\n",
        &[
            "depends element-required: callers depends soap11 json, new-clients works soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "      Born: { type: \"dateTime?\", absent: omit }\n",
        "      Born: { type: \"string?\", absent: omit }\n",
        &[
            "wire element-type: callers breaks json, callers works soap11, new-clients breaks soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "      Key: base64Binary?\n",
        "      Key: 'unsignedByte[]?'\n",
        &[
            "wire element-list: callers breaks soap11, callers works json, new-clients breaks soap11, new-clients works json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "      Key: base64Binary?\n",
        "      Key: hexBinary?\n",
        &[
            "wire element-type: callers breaks soap11, callers works json, new-clients breaks soap11, new-clients works json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "      Key: base64Binary?\n",
        "      Key: string?\n",
        &[
            "wire element-type: callers breaks json, callers works soap11, new-clients breaks soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "      Marks: \"int[]\"\n",
        "      Marks: { type: 'int[]', list: unwrapped }\n",
        &[
            "wire element-wrapping: callers breaks soap11, callers works json, new-clients breaks soap11, new-clients works json",
        ],
    ),
    (
        "      Marks: \"int[]\"\n",
        "      Marks: { type: 'int[]', item: mark }\n",
        &[
            "wire element-item: callers breaks soap11, callers works json, new-clients breaks soap11, new-clients works json",
        ],
    ),
    (
        "      Marks: \"int[]\"\n",
        "      Marks: 'int?[]'\n",
        &[
            "source element-nil-items: callers works soap11 json, new-clients breaks json, new-clients breaks soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "      Marks: \"int[]\"\n",
        "      Marks: { type: 'int[]', max: 3 }\n",
        &["compatible element-occurs: callers works soap11 json, new-clients works soap11 json"],
    ),
    (
        "      Marks: \"int[]\"\n",
        "      Marks: int\n",
        &[
            "wire element-list: callers breaks soap11 json, new-clients breaks soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "script_type: true, ",
        "",
        &["wire script-type: callers breaks json, new-clients works json"],
    ),
    (
        "script_type: true, ",
        "script_type: dog, ",
        &["wire script-type: callers breaks json, new-clients breaks json"],
    ),
    (
        "  Pet: { elements",
        "  Pet: { script_type: true, elements",
        &["rollout script-type: callers works json, new-clients breaks json"],
    ),
    (
        "  Pet: { elements: { Name: string } }",
        "  Pet: { abstract: true, elements: { Name: string } }",
        &[
            "wire type-abstract: callers breaks json, callers breaks soap11, new-clients works json, new-clients works soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Dog: { extends: Pet, script_type: true, elements: { Owner: \"string?\" } }\n",
        "",
        &[
            "wire family-removed: callers breaks json, callers depends soap11, new-clients works soap11 json, implementors breaks, client-users breaks",
            "source type-removed: implementors breaks, client-users breaks",
        ],
    ),
    (
        "attributes: { id: int }, elements: { Number: int,",
        "elements: { id: int, Number: int,",
        &[
            "wire attribute-removed: callers breaks soap11 json, callers breaks soap11, callers works json, new-clients works json, new-clients works soap11 json, new-clients works soap11, implementors breaks, client-users breaks",
            "depends element-added: callers depends soap11 json, callers depends soap11, callers works json, new-clients breaks soap11 json, new-clients breaks soap11, new-clients works json, implementors breaks",
        ],
    ),
    (
        "Number: int, Note: \"string?\" }",
        "Number: { type: int, default: 7 }, Note: \"string?\" }",
        &[
            "wire element-default: callers breaks soap11 json, callers breaks soap11, callers works json, new-clients works soap11 json",
        ],
    ),
    (
        "Number: int, Note: \"string?\" }",
        "Number: { type: int, net: No }, Note: \"string?\" }",
        &[
            "wire element-net: callers breaks json, callers works soap11 json, callers works soap11, new-clients breaks json, new-clients works soap11 json, new-clients works soap11",
        ],
    ),
    (
        "Number: int, Note: \"string?\" }",
        "Number: int, Note: \"string?\", More: string }",
        &[
            "depends element-added: callers depends soap11 json, callers depends soap11, callers works json, new-clients breaks soap11 json, implementors breaks",
        ],
    ),
    (
        "Number: int, Note: \"string?\" }",
        "Number: int }",
        &[
            "source element-removed: callers works soap11 json, new-clients works soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Number: int, Note: \"string?\" }",
        "Note: \"string?\" }",
        &[
            "wire element-removed: callers breaks soap11 json, new-clients works soap11 json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Tone: [Plain, Warm, Rude]",
        "  Tone: { net: Lab.Tones.Tone, values: [Plain, Warm, Rude] }",
        &[
            "depends script-type: callers depends json",
            "compatible enumeration-net: callers works soap11 json, new-clients works soap11 json",
        ],
    ),
    (
        "  Tone: [Plain, Warm, Rude]",
        "  Tone: [Plain, Warm, Rude, Odd]",
        &[
            "source value-added: callers works soap11 json, new-clients breaks soap11 json, implementors breaks",
        ],
    ),
    (
        "  Tone: [Plain, Warm, Rude]",
        "  Tone: [Odd, Plain, Warm, Rude]",
        &[
            "wire value-order: callers breaks json, new-clients breaks json",
            "depends value-default: callers depends soap11 json",
            "source value-added: callers works soap11 json, new-clients breaks soap11 json, implementors breaks",
        ],
    ),
    (
        "  Tone: [Plain, Warm, Rude]",
        "  Tone: [Plain, Cold, Rude]",
        &[
            "wire value-renamed: callers breaks soap11, callers works json, new-clients breaks soap11, new-clients works json, implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Tone: [Plain, Warm, Rude]",
        "  Tone: [Plain, Warm: { number: 7 }, Rude: { number: 2 }]",
        &["wire value-order: callers breaks json, new-clients breaks json"],
    ),
    (
        "  Tone: [Plain, Warm, Rude]",
        "  Tone: [Plain, Warm: { net: W }, Rude]",
        &[
            "compatible value-net: callers works soap11, callers works json, new-clients works soap11, new-clients works json",
        ],
    ),
    (
        "  Tone: [Plain, Warm, Rude]",
        "  Tone: [Plain, Warm]",
        &[
            "wire value-removed: callers breaks soap11 json, new-clients works soap11 json, implementors breaks, client-users breaks",
        ],
    ),
];
