//! Changes of the shop: each has a replacement and the expected changes.

pub(crate) const CHANGES: &[(&str, &str, &[&str])] = &[
    // The service.
    (
        "service: Shop",
        "service: Store",
        &[
            "source service-rust-name: implementors breaks, client-users breaks",
            "compatible service-name: ",
        ],
    ),
    (
        "service: Shop",
        "service: Shop\nrust: Store",
        &["source service-rust-name: implementors breaks, client-users breaks"],
    ),
    (
        "namespace: urn:example:shop",
        "namespace: urn:example:store",
        &[
            "wire namespace: callers breaks soap, callers breaks http, new-clients breaks soap, new-clients breaks http",
        ],
    ),
    (
        "path: /Shop.asmx",
        "path: /Store.asmx",
        &[
            "wire path: callers breaks soap, callers breaks, new-clients breaks soap, new-clients breaks",
        ],
    ),
    (
        "path: /Shop.asmx",
        "path: /shop.asmx",
        &[
            "compatible path: callers works soap, callers works, new-clients works soap, new-clients works",
        ],
    ),
    (
        "path: /Shop.asmx",
        "path: /Shop.asmx\nelement_form: unqualified",
        &[
            "wire element-form: callers breaks soap, callers breaks, new-clients breaks soap, new-clients breaks",
        ],
    ),
    (
        "path: /Shop.asmx",
        "path: /Shop.asmx\nrouting: element",
        &["rollout service-routing: callers works soap, new-clients depends soap"],
    ),
    (
        "path: /Shop.asmx",
        "path: /Shop.asmx\ntime_zone: -05:00",
        &[
            "depends time-zone: callers depends soap, callers depends, new-clients depends soap, new-clients depends",
        ],
    ),
    (
        "doc: Sells things.",
        "doc: Sells everything.",
        &["documentation service-doc: "],
    ),
    // Operations.
    (
        "  Ping:\n",
        "  Ping:\n  Pong: { result: int }\n",
        &["source operation-added: new-clients breaks, implementors breaks"],
    ),
    (
        "  Tags: { result: \"string[]\" }\n",
        "",
        &["wire operation-removed: callers breaks, implementors breaks, client-users breaks"],
    ),
    (
        "  Count: { parameters",
        "  Amount: { parameters",
        &[
            "wire operation-renamed: callers breaks, new-clients breaks, implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Count: { parameters",
        "  Amount: { rust: count, parameters",
        &["wire operation-renamed: callers breaks, new-clients breaks"],
    ),
    (
        "  Ping:\n",
        "  Ping: { rust: knock }\n",
        &["source operation-rust-name: implementors breaks, client-users breaks"],
    ),
    (
        "  Ping:\n",
        "  Ping: { action: urn:example:ping }\n",
        &[
            "wire operation-action: callers breaks soap11, callers works soap12, new-clients breaks soap11, new-clients works soap12",
        ],
    ),
    (
        "  Ping:\n",
        "  Ping: { request: Knock }\n",
        &["wire operation-request-element: callers breaks soap, new-clients breaks soap"],
    ),
    (
        "  Ping:\n",
        "  Ping: { response: Pong }\n",
        &["wire operation-response-element: callers breaks soap, new-clients breaks soap"],
    ),
    (
        "  Ping:\n",
        "  Ping: { one_way: true }\n",
        &["depends operation-one-way: callers depends soap, new-clients works soap"],
    ),
    (
        "  Ping:\n",
        "  Ping: { style: rpc }\n",
        &["compatible operation-style: "],
    ),
    (
        "  Ping:\n",
        "  Ping: { bindings: [soap11, http-get] }\n",
        &["wire bindings-removed: callers breaks soap12 http-post"],
    ),
    (
        "  Ping:\n",
        "  Ping: { result: \"string?\" }\n",
        &[
            "depends result-added: callers depends, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Ping:\n",
        "  Ping: { results: { X: int } }\n",
        &[
            "depends result-added: callers depends soap, new-clients breaks soap, implementors breaks",
            "source operation-signature: implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Ping:\n",
        "  Ping: { result: int }\n",
        &[
            "depends result-added: callers depends, new-clients breaks, implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Ping:\n",
        "  Ping: { parameters: { times: int } }\n",
        &[
            "wire parameter-added: callers breaks http, callers depends soap, new-clients depends, client-users breaks",
            "source operation-signature: implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Ping:\n",
        "  Ping: { doc: Answers. }\n",
        &["documentation operation-doc: "],
    ),
    (
        "result: boolean?",
        "result: boolean?\n    style: rpc",
        &["wire operation-style: callers breaks soap, new-clients breaks soap"],
    ),
    (
        "faults: [Locked]",
        "faults: []",
        &["documentation operation-faults: "],
    ),
    // Results.
    (
        "raw: \"base64Binary?\" }, result: int }",
        "raw: \"base64Binary?\" }, result: int, result_element: Number }",
        &["wire operation-result-element: callers breaks soap, new-clients breaks soap"],
    ),
    (
        "raw: \"base64Binary?\" }, result: int }",
        "raw: \"base64Binary?\" }, result: long }",
        &[
            "wire operation-result-root: callers breaks http, new-clients breaks http",
            "wire result-type: callers breaks, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "raw: \"base64Binary?\" }, result: int }",
        "raw: \"base64Binary?\" }, result: \"int?\" }",
        &[
            "wire result-optional: callers breaks, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "raw: \"base64Binary?\" }, result: int }",
        "raw: \"base64Binary?\" } }",
        &[
            "wire result-removed: callers breaks, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Note: { result: \"string?\" }",
        "Note: { result: string }",
        &[
            "source result-required: callers works, new-clients breaks soap, new-clients depends http, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Note: { result: \"string?\" }",
        "Note: { result: { type: \"string?\", absent: nil } }",
        &["depends result-absence: callers depends, new-clients works"],
    ),
    (
        "Note: { result: \"string?\" }",
        "Note: { result: { type: \"string?\", secret: true } }",
        &["source result-secret: implementors breaks, client-users breaks"],
    ),
    (
        "Note: { result: \"string?\" }",
        "Note:",
        &[
            "source result-removed: callers works, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Tags: { result: \"string[]\" }",
        "Tags: { result: { type: \"string[]\", item: tag } }",
        &[
            "wire result-item: callers breaks soap, callers works http, new-clients breaks soap, new-clients works http",
        ],
    ),
    (
        "Tags: { result: \"string[]\" }",
        "Tags: { result: \"string?[]\" }",
        &[
            "wire operation-result-root: callers breaks http, new-clients breaks http",
            "depends result-nil-items: callers depends, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Tags: { result: \"string[]\" }",
        "Tags: { result: string }",
        &[
            "wire operation-result-root: callers breaks http, new-clients breaks http",
            "wire result-list: callers breaks, new-clients breaks, implementors breaks, client-users breaks",
        ],
    ),
    (
        "animal: Animal }, result: Pet }",
        "animal: Animal }, result: Lock }",
        &[
            "wire result-type: callers breaks soap, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    // Parameters.
    (
        "{ name: \"string?\", count: int",
        "{ name: \"string?\", city: \"string?\", count: int",
        &[
            "wire parameter-added: callers breaks http, callers works soap, new-clients depends, client-users breaks",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: \"string?\", size: int, count: int",
        &[
            "wire parameter-added: callers breaks http, callers depends soap, new-clients depends, client-users breaks",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: \"string?\", raw: \"base64Binary?\", count: int",
        &["source parameter-added: callers works, new-clients depends, client-users breaks"],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ count: int",
        &[
            "depends parameter-removed: callers depends, new-clients breaks http, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: \"string?\"",
        &[
            "depends parameter-removed: callers depends, new-clients breaks http, new-clients depends soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ title: \"string?\", count: int",
        &[
            "wire parameter-renamed: callers breaks http, callers breaks soap, new-clients breaks http, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ Name: \"string?\", count: int",
        &[
            "wire parameter-renamed: callers breaks soap, callers works http, new-clients breaks soap, new-clients works http",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ title: { type: \"string?\", rust: name }, count: int",
        &[
            "wire parameter-renamed: callers breaks http, callers breaks soap, new-clients breaks http, new-clients breaks soap",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ count: int, name: string?",
        &["compatible parameter-order: callers works, new-clients works"],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: { type: \"string?\", rust: title }, count: int",
        &["source parameter-rust-name: implementors breaks, client-users breaks"],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: { type: \"string?\", secret: true }, count: int",
        &["source parameter-secret: implementors breaks, client-users breaks"],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: { type: \"string?\", doc: Which one. }, count: int",
        &["documentation parameter-doc: "],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: { type: \"string?\", rust_type: crate::Title }, count: int",
        &["source parameter-rust-type: implementors breaks, client-users breaks"],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: string, count: int",
        &[
            "depends parameter-required: callers depends, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: \"token?\", count: int",
        &["compatible parameter-type: callers works, new-clients works"],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: \"string?\", count: long",
        &[
            "source parameter-type: callers works, new-clients breaks, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: \"string?\", count: short",
        &[
            "wire parameter-type: callers breaks, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: \"string?\", count: string",
        &[
            "source parameter-type: callers works, new-clients breaks, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: \"string?\", count: int?",
        &[
            "source parameter-optional: callers works, new-clients breaks http, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ name: \"string?\", count: int",
        "{ name: \"string[]\", count: int",
        &[
            "wire parameter-list: callers breaks soap, callers works http, new-clients breaks soap, new-clients breaks http, implementors breaks, client-users breaks",
            "depends parameter-required: callers depends, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "tone: Tone, ids: \"int[]\" }",
        "tone: string, ids: \"int[]\" }",
        &[
            "source parameter-type: callers works, new-clients breaks, implementors breaks, client-users breaks",
        ],
    ),
    (
        "tone: Tone, ids: \"int[]\" }",
        "tone: Tone, ids: \"long[]\" }",
        &[
            "wire parameter-type: callers breaks soap, callers works http, new-clients breaks http, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "tone: Tone, ids: \"int[]\" }",
        "tone: Tone, ids: { type: \"int[]\", list: unwrapped } }",
        &[
            "wire parameter-wrapping: callers breaks soap, callers works http, new-clients breaks soap, new-clients works http",
        ],
    ),
    (
        "tone: Tone, ids: \"int[]\" }",
        "tone: Tone, ids: { type: \"int[]\", item: id } }",
        &[
            "wire parameter-item: callers breaks soap, callers works http, new-clients breaks soap, new-clients works http",
        ],
    ),
    (
        "tone: Tone, ids: \"int[]\" }",
        "tone: Tone, ids: \"int?[]\" }",
        &[
            "source parameter-nil-items: callers works, new-clients breaks soap, new-clients breaks http, implementors breaks, client-users breaks",
        ],
    ),
    (
        "tone: Tone, ids: \"int[]\" }",
        "tone: Tone, ids: int }",
        &[
            "wire parameter-list: callers breaks soap, callers breaks http, new-clients breaks soap, new-clients works http, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ from: \"int?\", raw: \"base64Binary?\" }",
        "{ from: int, raw: \"base64Binary?\" }",
        &[
            "wire parameter-required: callers breaks http, callers breaks soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ from: \"int?\", raw: \"base64Binary?\" }",
        "{ from: { type: \"int?\", absent: omit }, raw: \"base64Binary?\" }",
        &["compatible parameter-absence: callers works soap, new-clients works soap"],
    ),
    (
        "{ from: \"int?\", raw: \"base64Binary?\" }",
        "{ from: \"int?\", raw: base64Binary }",
        &[
            "depends parameter-required: callers depends, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ from: \"int?\", raw: \"base64Binary?\" }",
        "{ from: \"int?\", raw: \"hexBinary?\" }",
        &[
            "wire parameter-type: callers breaks, new-clients breaks, implementors breaks, client-users breaks",
        ],
    ),
    (
        "limit: long",
        "limit: int",
        &[
            "wire parameter-type: callers breaks, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    // Elements of types: Item is in requests and answers, Draft in requests, Pet in answers.
    (
        "Body: string, Size: int",
        "Body: string, Extra: \"string?\", Size: int",
        &[
            "source element-added: callers works soap, new-clients depends soap, client-users breaks",
        ],
    ),
    (
        "Body: string, Size: int",
        "Body: string, Extra: int, Size: int",
        &[
            "depends element-added: callers depends soap, new-clients depends soap, client-users breaks",
        ],
    ),
    (
        "Body: string, Size: int",
        "Body: string",
        &[
            "depends element-removed: callers depends soap, new-clients depends soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Body: string, Size: int",
        "Size: int, Body: string",
        &["compatible element-order: callers works soap, new-clients works soap"],
    ),
    (
        "Body: string, Size: int",
        "Body: string, Size: long",
        &[
            "source element-type: callers works soap, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Size: int, Weight: \"double?\"",
        "Size: int, Weight: double",
        &[
            "wire element-required: callers breaks soap, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Size: int, Weight: \"double?\"",
        "Size: int, Weight: { type: \"double?\", absent: omit }",
        &["compatible element-absence: callers works soap, new-clients works soap"],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { elements: { Id: int, Colour: \"string?\" } }",
        &[
            "depends element-added: callers depends soap, new-clients works soap, implementors breaks",
        ],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { elements: { Id: int, Colour: string } }",
        &[
            "depends element-added: callers depends soap, new-clients breaks soap, implementors breaks",
        ],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { elements: { Id: \"int?\" } }",
        &[
            "wire element-optional: callers breaks soap, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { elements: { Id: { type: \"int?\", absent: omit } } }",
        &[
            "wire element-optional: callers breaks soap, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { elements: { Id: long } }",
        &[
            "wire element-type: callers breaks soap, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { elements: { Id: short } }",
        &[
            "source element-type: callers works soap, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { elements: { Number: int } }",
        &[
            "wire element-renamed: callers breaks soap, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { rust: Companion, elements: { Id: int } }",
        &["source type-rust-name: implementors breaks, client-users breaks"],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { doc: At home., elements: { Id: int } }",
        &["documentation type-doc: "],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { rust_type: crate::Pet, elements: { Id: int } }",
        &["source type-rust-type: implementors breaks, client-users breaks"],
    ),
    (
        "Pet: { elements: { Id: int } }",
        "Pet: { elements: { Id: int } }\n  Toy: { elements: { Name: string } }",
        &["compatible type-added: "],
    ),
    (
        "      Price: decimal?\n",
        "",
        &[
            "depends element-removed: callers depends soap, callers depends, new-clients works soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "      Title: string\n",
        "",
        &[
            "wire element-removed: callers breaks, callers depends soap, new-clients depends soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Owner: Owner\n      Tags",
        "Owner: Owner?\n      Tags",
        &[
            "depends element-optional: callers depends, callers works soap, new-clients depends soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Marks: { type: \"int[]\", list: unwrapped }",
        "Marks: \"int[]\"",
        &[
            "wire element-wrapping: callers breaks soap, callers breaks, new-clients breaks soap, new-clients breaks",
        ],
    ),
    (
        "Marks: { type: \"int[]\", list: unwrapped }",
        "Marks: int",
        &[
            "wire element-list: callers breaks soap, callers works, new-clients breaks, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "attributes: { id: int }",
        "attributes: { id: int, size: \"int?\" }",
        &[
            "depends attribute-added: callers depends, callers works soap, new-clients depends soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "attributes: { id: int }",
        "attributes: { id: \"int?\" }",
        &[
            "wire attribute-optional: callers breaks, callers works soap, new-clients depends soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "text: int }",
        "text: decimal }",
        &[
            "source text-type: callers works soap, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Weight: { attributes: { unit: \"string?\" }, text: int }",
        "Weight: { attributes: { unit: \"string?\" }, elements: { Grams: int } }",
        &[
            "wire type-content: callers breaks soap, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    // Choices.
    (
        "choice: { Email: string, Phone: Line }",
        "choice: { Email: string, Phone: Line, Fax: Line }",
        &[
            "wire alternative-added: callers breaks, callers works soap, new-clients breaks soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "choice: { Email: string, Phone: Line }, optional: true",
        "choice: { Email: string, Phone: Line }",
        &[
            "depends element-required: callers depends soap, callers works, new-clients depends, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Contact: { choice: { Email",
        "Reach: { choice: { Email",
        &[
            "source element-renamed: callers works soap, callers works, new-clients works soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "choice: { Email: string, Phone: Line }",
        "choice: { Email: token, Telephone: Line }",
        &[
            "wire alternative-renamed: callers breaks soap, callers breaks, new-clients breaks soap, new-clients breaks, implementors breaks, client-users breaks",
            "compatible alternative-type: callers works soap, callers works, new-clients works soap, new-clients works",
        ],
    ),
    (
        "choice: { Email: string, Phone: Line }",
        "choice: { Email: string, Phone: { type: \"Line[]\", list: unwrapped } }",
        &[
            "wire alternative-list: callers breaks, callers works soap, new-clients breaks soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "choice: { Email: string, Phone: Line }",
        "choice: { Email: string, Phone: Line, Other: { any: element } }",
        &[
            "wire alternative-added: callers breaks, callers works soap, new-clients breaks soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    // Sequences.
    (
        "Stay: { sequence: { From: string, Nights: int }, list: unwrapped }",
        "Stay: { sequence: { From: string, Nights: int, Rooms: \"int?\" }, list: unwrapped }",
        &[
            "depends element-added: callers depends, callers works soap, new-clients depends soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Stay: { sequence: { From: string, Nights: int }, list: unwrapped }",
        "Stay: { sequence: { From: string, Nights: int }, optional: true }",
        &[
            "wire element-list: callers breaks soap, callers works, new-clients breaks, new-clients works soap, implementors breaks, client-users breaks",
            "depends element-optional: callers depends, callers works soap, new-clients depends soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Stay: { sequence: { From: string, Nights: int }, list: unwrapped }",
        "Stay: { choice: { From: string, Nights: int }, list: unwrapped }",
        &[
            "wire element-type: callers breaks soap, callers breaks, new-clients breaks soap, new-clients breaks, implementors breaks, client-users breaks",
        ],
    ),
    // Families.
    (
        "Animal: { abstract: true, elements",
        "Animal: { elements",
        &[
            "source type-abstract: callers works soap, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Cat: {",
        "  Fish: { extends: Animal }\n  Cat: {",
        &[
            "source family-added: callers works soap, new-clients breaks soap, implementors breaks",
            "compatible type-added: ",
        ],
    ),
    (
        "  Cat: { extends: Animal, elements: { Lives: int } }\n",
        "",
        &[
            "wire family-removed: callers breaks soap, new-clients works soap, implementors breaks, client-users breaks",
            "source type-removed: implementors breaks, client-users breaks",
        ],
    ),
    (
        "abstract: true, elements: { Called: string }",
        "abstract: true, elements: { Called: string, Age: int }",
        &[
            "depends element-added: callers depends soap, new-clients depends soap, client-users breaks",
        ],
    ),
    (
        "  Pet: {",
        "  Tame: { extends: Pet }\n  Pet: {",
        &[
            "depends family-added: callers depends soap, new-clients works soap, implementors breaks, client-users breaks",
            "compatible type-added: ",
        ],
    ),
    (
        "  Dog: { extends",
        "  Hound: { extends",
        &[
            "wire type-renamed: callers breaks soap, new-clients breaks soap",
            "source type-rust-name: implementors breaks, client-users breaks",
        ],
    ),
    // Headers and faults.
    (
        "in: [Session, Caller]",
        "in: [Caller]",
        &[
            "depends header-removed: callers depends soap, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "in: [Session, Caller]",
        "in: [Session]",
        &[
            "wire header-removed: callers breaks soap, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "in: [Session, Caller], out: [Trace]",
        "in: [Session, Caller, Trace], out: [Trace]",
        &["source header-added: callers works soap, new-clients depends soap, client-users breaks"],
    ),
    (
        "in: [Session, Caller], out: [Trace]",
        "in: [Session, Caller], out: [Trace, Session]",
        &[
            "source response-header-added: callers works soap, new-clients works soap, implementors breaks",
        ],
    ),
    (
        "in: [Session, Caller], out: [Trace]",
        "in: [Session, Caller], out: [Trace, Caller]",
        &[
            "wire response-header-added: callers breaks soap, new-clients works soap, implementors breaks",
        ],
    ),
    (
        "in: [Session, Caller], out: [Trace]",
        "in: [Session, Caller]",
        &[
            "source operation-signature: implementors breaks, client-users breaks",
            "source response-header-removed: callers works soap, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Session: string?",
        "Session: { type: \"string?\", required: true }",
        &["wire header-required: callers breaks soap, new-clients works soap"],
    ),
    (
        "Caller: { type: Owner, required: true, must_understand: true }",
        "Caller: { type: Owner, must_understand: true }",
        &[
            "source header-optional: callers works soap, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Caller: { type: Owner, required: true, must_understand: true }",
        "Caller: { type: Owner, required: true }",
        &["compatible header-must-understand: callers works soap, new-clients works soap"],
    ),
    (
        "out: [Trace] }",
        "out: [Trace], fault: [Session] }",
        &[
            "source fault-header-added: callers works soap, new-clients works soap, implementors breaks",
        ],
    ),
    (
        "  Trace: string",
        "  Trace: { type: string, soap_attributes: true }",
        &["source response-header-rust-type: implementors breaks, client-users breaks"],
    ),
    (
        "Session: string?",
        "Session: int?",
        &[
            "wire header-type: callers breaks soap, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "  Locked: Lock\n",
        "  Locked: Lock\n  Lost: Pet\n",
        &["compatible fault-added: "],
    ),
    (
        "  Locked: Lock\n",
        "  Locked: Pet\n",
        &["wire fault-type: callers breaks soap, implementors breaks, client-users breaks"],
    ),
    (
        "Lock: { elements: { Minutes: int } }",
        "Lock: { elements: { Hours: int } }",
        &[
            "wire element-renamed: callers breaks soap, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    // Enumerations.
    (
        "[Plain, Friendly, Rude]",
        "[Plain, Friendly, Rude, Kind]",
        &[
            "wire value-added: callers breaks, callers works, new-clients breaks, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "[Plain, Friendly, Rude]",
        "[Plain, Warm, Friendly, Rude]",
        &[
            "wire value-added: callers breaks, callers works, new-clients breaks, new-clients works, implementors breaks, client-users breaks",
            "depends value-order: callers depends http, new-clients depends http",
        ],
    ),
    (
        "[Plain, Friendly, Rude]",
        "[Plain, Friendly]",
        &[
            "wire value-removed: callers breaks, callers works, new-clients breaks, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "[Plain, Friendly, Rude]",
        "[Plain, Friendly, Blunt]",
        &[
            "wire value-renamed: callers breaks, new-clients breaks, implementors breaks, client-users breaks",
        ],
    ),
    (
        "[Plain, Friendly, Rude]",
        "[Friendly, Plain, Rude]",
        &[
            "depends value-order: callers depends http, new-clients depends http",
            "depends value-default: callers depends soap",
        ],
    ),
    (
        "[Plain, Friendly, Rude]",
        "[Plain, Friendly, { Rude: { rust: Blunt } }]",
        &["source value-rust-name: implementors breaks, client-users breaks"],
    ),
    (
        "[Plain, Friendly, Rude]",
        "[Plain, Friendly, { Rude: { doc: Not nice. } }]",
        &["documentation value-doc: "],
    ),
    (
        "Tone: [Plain, Friendly, Rude]",
        "Tone: { rust: Manner, values: [Plain, Friendly, Rude] }",
        &["source enumeration-rust-name: implementors breaks, client-users breaks"],
    ),
    (
        "Kind: [Home, Work]",
        "Kind: [Home, Work, Mobile]",
        &[
            "wire value-added: callers breaks, callers works soap, new-clients breaks soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Kind: [Home, Work]",
        "Kind: [Work, Home]",
        &[
            "depends value-default: callers depends soap",
            "compatible value-order: callers works soap, callers works, new-clients works soap, new-clients works",
        ],
    ),
    (
        "Tone: [Plain, Friendly, Rude]",
        "Tone: { open: true, values: [Plain, Friendly, Rude] }",
        &[
            "depends enumeration-open: callers depends, callers works, new-clients depends, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "Kind: [Home, Work]",
        "Kind: { values: [Home, Work], doc: Which line. }",
        &["documentation enumeration-doc: "],
    ),
    (
        "Kind: [Home, Work]",
        "Kind: { values: [Home, Work], rust_type: crate::Kind }",
        &["source enumeration-rust-type: implementors breaks, client-users breaks"],
    ),
    (
        "Kind: [Home, Work]",
        "Kind: [Home, Work]\n  Size: [Small, Large]",
        &["compatible enumeration-added: "],
    ),
    (
        "Kind: Kind } }",
        "Kind: string } }",
        &[
            "wire element-type: callers breaks, callers works soap, new-clients breaks soap, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    // More changes of faults and parameters.
    (
        "bindings: [soap11, soap12], parameters: { weight: Weight }",
        "parameters: { weight: string }",
        &[
            "wire parameter-type: callers breaks soap, new-clients breaks soap, implementors breaks, client-users breaks",
            "rollout bindings-added: new-clients breaks http",
        ],
    ),
    (
        "  Locked: Lock\n",
        "  Locked: { type: Lock, doc: For a while. }\n",
        &["documentation fault-doc: "],
    ),
];

/// Whole definitions, where one replacement is not enough.
pub(crate) const PAIRS: &[(&str, &str, &[&str])] = &[
    (
        "{ faults: { F: int }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { far: 'urn:f' }, operations: { A: { faults: [F] } } }",
        "{ faults: { F: { type: int, namespace: far } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { far: 'urn:f' }, operations: { A: { faults: [F] } } }",
        &["wire fault-namespace: callers breaks soap11"],
    ),
    (
        "{ types: { T: { elements: { A: int, B: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: T } } }",
        "{ types: { T: { elements: { B: int, A: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: T } } }",
        &["depends element-order: callers depends soap11, new-clients works soap11"],
    ),
    (
        "{ types: { T: { elements: { A: 'int[]' } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: T } } }",
        "{ types: { T: { elements: { A: 'int?[]' } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: T } } }",
        &[
            "wire element-nil-items: callers breaks soap11, new-clients works soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ types: { P: { abstract: true }, D: { extends: P } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: P } } }",
        "{ types: { P: { abstract: true }, D: { extends: P }, E: { extends: P } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: P } } }",
        &[
            "wire family-added: callers breaks soap11, new-clients works soap11, client-users breaks",
            "compatible type-added: ",
        ],
    ),
    (
        "{ types: { P: {}, D: { extends: P } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: P } } } }",
        "{ types: { P: { abstract: true }, D: { extends: P } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: P } } } }",
        &[
            "wire type-abstract: callers breaks soap11, new-clients works soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ types: { T: { elements: { A: E } } }, enums: { E: [X] } }",
        "{ types: { T: { elements: { A: E } } }, enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: T } } }",
        &[
            "source operation-added: new-clients breaks, implementors breaks",
            "compatible service-added: ",
        ],
    ),
    (
        "{ types: { T: { elements: { A: E } } }, enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: T } } }",
        "{ types: { T: { elements: { A: E } } }, enums: { E: [X] } }",
        &[
            "wire operation-removed: callers breaks, implementors breaks, client-users breaks",
            "source service-removed: implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ types: { T: { elements: { A: 'E[]' } } }, enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: T } } }",
        "{ types: { T: { elements: { A: 'F[]' } } }, enums: { F: [X] }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: T } } }",
        &[
            "wire element-item: callers breaks, new-clients breaks",
            "source enumeration-rust-name: implementors breaks, client-users breaks",
            "compatible enumeration-renamed: callers works, new-clients works",
        ],
    ),
    (
        "{ types: { T: { elements: { A: E } } }, enums: { E: [X], F: [Y] }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: T } } }",
        "{ types: { T: { elements: { A: E } } }, enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: T } } }",
        &["source enumeration-removed: implementors breaks, client-users breaks"],
    ),
    (
        "{ types: { T: {} }, faults: { Locked: T }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: int } } }",
        "{ types: { T: {} }, faults: { Blocked: T }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: int } } }",
        &["wire fault-renamed: callers breaks soap"],
    ),
    (
        "{ types: { T: {} }, faults: { Locked: T }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: int } } }",
        "{ types: { T: {} }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: int } } }",
        &["wire fault-removed: callers breaks soap, implementors breaks, client-users breaks"],
    ),
    // Bare messages.
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: int }, result: int } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], style: bare, operations: { A: { parameters: { a: int }, result: int } } }",
        &["wire operation-style: callers breaks soap11, new-clients breaks soap11"],
    ),
    // SOAP encoding.
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], style: rpc, operations: { A: { parameters: { a: int }, result: int } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], style: rpc, operations: { A: { parameters: { a: int }, result: int, use: encoded } } }",
        &["wire operation-use: callers breaks soap11, new-clients breaks soap11"],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11, http-get], operations: { A: { style: rpc, use: encoded, result: int } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11, http-get], style: rpc, use: encoded, operations: { A: { result: int } } }",
        &[
            "wire operation-use: callers breaks soap11, callers breaks http-get, new-clients breaks soap11, new-clients breaks http-get",
        ],
    ),
    // Caches.
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: int, cache: 60 } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: int } } }",
        &["compatible operation-cache: "],
    ),
    // Overloads.
    (
        "{ service: S, namespace: 'urn:s', path: /s, operations: { A: { result: int } } }",
        "{ service: S, namespace: 'urn:s', path: /s, operations: { A: { result: int, wsdl_name: B } } }",
        &["compatible operation-wsdl-name: "],
    ),
    // Sessions.
    (
        "{ service: S, namespace: 'urn:s', path: /s, operations: { A: { session: true } } }",
        "{ service: S, namespace: 'urn:s', path: /s, operations: { A: } }",
        &["depends operation-session: callers depends, new-clients works"],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, operations: { A: } }",
        "{ service: S, namespace: 'urn:s', path: /s, operations: { A: { session: true } } }",
        &["rollout operation-session: callers works, new-clients depends"],
    ),
    // Unknown headers.
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: int, headers: { unknown: true } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: int } } }",
        &["depends operation-unknown-headers: callers depends soap11, new-clients works soap11"],
    ),
    // Routing.
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], routing: element, operations: { A: { result: int } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: int } } }",
        &["depends service-routing: callers depends soap11, new-clients works soap11"],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], routing: element, operations: { A: { result: int } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], routing: element, operations: { A: { action: '', result: int } } }",
        &["compatible operation-action: callers works soap11, new-clients works soap11"],
    ),
    // Namespaces.
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c' }, operations: { A: { parameters: { a: int }, result: T } }, types: { T: { elements: { X: int } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c' }, operations: { A: { parameters: { a: { type: int, namespace: c } }, result: T } }, types: { T: { namespace: c, elements: { X: int } } } }",
        &[
            "wire parameter-namespace: callers breaks soap11, new-clients breaks soap11",
            "wire type-namespace: callers breaks soap11, new-clients breaks soap11",
        ],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c' }, operations: { A: { result: T } }, types: { T: { namespace: c, elements: { X: 'int[]' } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: { uri: 'urn:c', element_form: unqualified }, d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { namespace: c, elements: { X: { type: 'int[]', item: { namespace: d } } } } } }",
        &[
            "wire type-namespace: callers breaks soap11, new-clients breaks soap11",
            "wire element-namespace: callers breaks soap11, new-clients breaks soap11",
        ],
    ),
    // Members, types and enumerations that share a name.
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: int, B: { name: A, type: string, namespace: c } } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { B: { name: A, type: string, namespace: c }, A: int } } } }",
        &["depends element-order: callers depends soap11, new-clients works soap11"],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: int, B: { name: A, type: string, namespace: c } } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: int } } } }",
        &[
            "wire element-removed: callers breaks soap11, new-clients works soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: int, B: { name: A, type: int, namespace: c } } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: int, B: { name: A, type: int, namespace: d } } } } }",
        &["wire element-namespace: callers breaks soap11, new-clients breaks soap11"],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: int, B: { name: A, type: int, namespace: c } } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: { type: int, namespace: c }, B: { name: A, type: int } } } } }",
        &[
            "depends element-order: callers depends soap11, new-clients works soap11",
            "source element-rust-name: implementors breaks, client-users breaks",
            "source element-rust-name: implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: int, B: { type: 'int[]', form: qualified } } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: { type: int, form: qualified }, B: 'int[]' } } } }",
        &[],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { attributes: { a: int, b: { name: a, type: int, namespace: c } } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { attributes: { b: { name: a, type: string, namespace: c } } } } }",
        &[
            "wire attribute-type: callers breaks soap11, new-clients works soap11, implementors breaks, client-users breaks",
            "wire attribute-removed: callers breaks soap11, new-clients works soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { name: X, elements: { A: int } }, U: { name: X, namespace: c, elements: { A: string } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { U: { name: X, elements: { A: int } }, T: { name: X, namespace: c, elements: { A: string } } } }",
        &[
            "wire result-type: callers breaks soap11, new-clients breaks soap11, implementors breaks, client-users breaks",
            "source type-rust-name: implementors breaks, client-users breaks",
            "source type-rust-name: implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: E } } }, enums: { E: [X], F: { name: E, namespace: c, values: [Y] } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: E } } }, enums: { E: [X], F: { name: E, namespace: d, values: [Y] } } }",
        &["compatible enumeration-namespace: "],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { elements: { A: int } } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], namespaces: { c: 'urn:c', d: 'urn:d' }, operations: { A: { result: T } }, types: { T: { name: U, elements: { A: int, B: \"int?\" } } } }",
        &[
            "depends element-added: callers depends soap11, new-clients works soap11, implementors breaks",
            "compatible type-renamed: callers works soap11, new-clients works soap11",
        ],
    ),
    // Several results.
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: int } } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { results: { AResult: int, more: \"string?\" } } } }",
        &[
            "depends result-added: callers depends soap11, new-clients works soap11, implementors breaks",
            "source operation-signature: implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { results: { a: int, b: T } } }, types: { T: {} } }",
        "{ service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { results: { b: T, a: int, c: T } } }, types: { T: {} } }",
        &[
            "depends result-order: callers depends soap11, new-clients works soap11",
            "depends result-added: callers depends soap11, new-clients breaks soap11, implementors breaks",
        ],
    ),
    // The form of lists and absent values.
    (
        "{ types: { P: { elements: { X: int } }, T: { elements: { a: 'int[]', b: 'string?', c: 'int[]?', p: P, t: 'int[]' } } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: T } } }",
        "{ types: { P: { by_value: true, elements: { X: int } }, T: { elements: { a: { type: 'int[]', list: collection }, b: { type: 'string?', absent: either }, c: { type: 'int[]?', absent: nil }, p: P, t: { type: 'int[]', list: text } } } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: T } } }",
        &[
            "wire element-wrapping: callers breaks, new-clients breaks",
            "depends element-absence: callers depends, new-clients works",
            "depends element-absence: callers depends, new-clients works",
            "compatible type-by-value: callers works, new-clients works",
            "compatible element-wrapping: callers works, new-clients works",
        ],
    ),
    // The schema of a set, and a set instead of elements.
    (
        "{ types: { T: { data_set: a }, U: { elements: { a: int } } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: T }, B: { result: U } } }",
        "{ types: { T: { data_set: b }, U: { data_set: b } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { result: T }, B: { result: U } } }",
        &[
            "wire type-content: callers breaks, new-clients breaks, implementors breaks, client-users breaks",
            "depends type-data-set: callers depends, new-clients depends",
        ],
    ),
    // Default and fixed values.
    (
        "{ types: { T: { elements: { a: int, b: { type: int, default: 1 }, c: { type: int, default: 1 }, d: string } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T }, result: T } } }",
        "{ types: { T: { elements: { a: { type: int, default: 1 }, b: int, c: { type: int, default: 2 }, d: { type: string, fixed: x } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T }, result: T } } }",
        &[
            "wire element-default: callers breaks soap11, callers works soap11, new-clients breaks soap11, new-clients works soap11",
            "wire element-default: callers breaks soap11, callers works soap11, new-clients breaks soap11, new-clients works soap11",
            "wire element-default: callers breaks soap11, new-clients breaks soap11",
            "depends element-fixed: callers depends soap11, callers works soap11, new-clients works soap11",
        ],
    ),
    (
        "{ types: { T: { text: int }, U: { text: { type: int, default: 1 } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T, u: U }, result: T } } }",
        "{ types: { T: { text: { type: int, default: 1 } }, U: { text: { type: int, default: 2 } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T, u: U }, result: T } } }",
        &[
            "compatible text-default: callers works soap11, new-clients works soap11",
            "compatible text-default: callers works soap11, new-clients works soap11",
        ],
    ),
    // Whether default values are written.
    (
        "{ types: { T: { elements: { a: { type: int, default: 1 }, b: { type: int, default: 1, min: 1 } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T }, result: T } } }",
        "{ types: { T: { elements: { a: { type: int, default: 1, min: 1 }, b: { type: int, default: 1 } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T }, result: T } } }",
        &[
            "depends element-default: callers depends soap11, callers works soap11, new-clients works soap11",
            "compatible element-default: callers works soap11, new-clients works soap11",
        ],
    ),
    // Numbers of items, and bases of enumerations.
    (
        "{ types: { T: { elements: { a: 'int[]', b: { type: 'int[]', list: unwrapped, min: 1, max: 5 } } } }, enums: { E: [{ 1: { rust: One } }] }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T, e: E }, result: T } } }",
        "{ types: { T: { elements: { a: { type: 'int[]', max: 5 }, b: { type: 'int[]', list: unwrapped, min: 2 } } } }, enums: { E: { base: int, values: [{ 1: { rust: One } }] } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T, e: E }, result: T } } }",
        &[
            "depends element-occurs: callers depends soap11, callers works soap11, new-clients works soap11",
            "compatible element-occurs: callers works soap11, new-clients works soap11",
            "compatible enumeration-base: callers works soap11, new-clients works soap11",
        ],
    ),
    // Facets.
    (
        "{ types: { T: { elements: { a: int, b: { type: string, facets: { max_length: 5 } }, c: { type: int, facets: { min: 1 } } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T }, result: T } } }",
        "{ types: { T: { elements: { a: { type: int, facets: { min: 1 } }, b: { type: string, facets: { max_length: 6 } }, c: { type: int, facets: { max: 1 } } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T }, result: T } } }",
        &[
            "depends element-facets: callers depends soap11, callers works soap11, new-clients works soap11",
            "depends element-facets: callers depends soap11, callers works soap11, new-clients works soap11",
            "compatible element-facets: callers works soap11, new-clients works soap11",
        ],
    ),
    (
        "{ faults: { F: { type: string, facets: { max_length: 5 } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { faults: [F] } } }",
        "{ faults: { F: { type: string, facets: { max_length: 6 } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { faults: [F] } } }",
        &["depends fault-facets: callers depends soap11, new-clients works soap11"],
    ),
    // Unions: another member, a missing member, another order, another value of a member.
    (
        "{ enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: { type: string, facets: { union: [int, E] } } } } } }",
        "{ enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: { type: string, facets: { union: [E, { type: string, facets: { max_length: 5 } }, int] } } } } } }",
        &["compatible parameter-facets: callers works soap11, new-clients works soap11"],
    ),
    (
        "{ enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: { type: string, facets: { union: [int, E], pattern: x } } } } } }",
        "{ enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: { type: string, facets: { union: [E, int], pattern: x } } } } } }",
        &[],
    ),
    (
        "{ enums: { E: [X, Y] }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: { type: string, facets: { union: [int, E] } } } } }",
        "{ enums: { E: [X, Y] }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: string } } }",
        &["depends result-facets: callers depends soap11, new-clients works soap11"],
    ),
    (
        "{ enums: { E: [X, Y] }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: { type: string, facets: { union: [int, E] } } } } }",
        "{ enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: { type: string, facets: { union: [int, E] } } } } }",
        &[
            "compatible result-facets: callers works soap11, new-clients works soap11",
            "compatible value-removed: ",
        ],
    ),
    (
        "{ namespaces: { n: 'urn:n' }, enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E } } } }",
        "{ namespaces: { n: 'urn:n' }, enums: { E: { namespace: n, values: [X] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E } } } }",
        &[
            "depends enumeration-namespace: callers depends soap, callers works http, new-clients depends soap, new-clients works http",
        ],
    ),
    // Names in .NET, and flags.
    (
        "{ enums: { E: { values: [X] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E } }, B: { result: E } } }",
        "{ enums: { E: { net: N.E, values: [{ X: { net: Ex } }] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: { type: E, net: f } } }, B: { result: E } } }",
        &[
            "wire parameter-net: callers breaks http, callers works soap, new-clients breaks http, new-clients works soap",
            "rollout value-net: callers works http, callers works soap, callers works, new-clients breaks http, new-clients works soap, new-clients works",
            "compatible enumeration-net: callers works, new-clients works",
        ],
    ),
    (
        "{ enums: { E: { values: [X, Y] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E } }, B: { result: E } } }",
        "{ enums: { E: { flags: true, values: [X: { number: 0 }, Y] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E } }, B: { result: E } } }",
        &[
            "wire enumeration-flags: callers breaks, callers works, new-clients breaks, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ enums: { E: { flags: true, values: [X] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E } }, B: { result: E } } }",
        "{ enums: { E: { flags: true, values: [X: { number: 2 }] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: 'E?' } }, B: { result: E } } }",
        &[
            "depends value-order: callers depends http, new-clients depends http",
            "source parameter-optional: callers works, new-clients breaks http, new-clients breaks soap, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ enums: { E: { values: [X: { net: A }] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E }, bindings: [http-get] } } }",
        "{ enums: { E: { values: [X: { net: B }] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E }, bindings: [http-get] } } }",
        &["wire value-net: callers breaks http-get, new-clients breaks http-get"],
    ),
    // Open enumerations.
    (
        "{ enums: { E: { open: true, values: [X] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E } }, B: { result: E } } }",
        "{ enums: { E: [X] }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E } }, B: { result: E } } }",
        &[
            "wire enumeration-open: callers breaks, callers works, new-clients breaks, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ enums: { E: { open: true, values: [X] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E } }, B: { result: E } } }",
        "{ enums: { E: { open: true, values: [X, Y] } }, service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { e: E } }, B: { result: E } } }",
        &[
            "depends value-added: callers depends, callers works, new-clients works, implementors breaks, client-users breaks",
        ],
    ),
    // An element that all derived types have moves into their abstract base type, and back.
    (
        "{ types: { Animal: { abstract: true, elements: { Id: int } }, Dog: { extends: Animal, elements: { Name: string } }, Cat: { extends: Animal, elements: { Name: string } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: Animal } } } }",
        "{ types: { Animal: { abstract: true, elements: { Id: int, Name: string } }, Dog: { extends: Animal }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: Animal } } } }",
        &[],
    ),
    (
        "{ types: { Animal: { abstract: true, elements: { Id: int, Name: string } }, Dog: { extends: Animal }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: Animal } } } }",
        "{ types: { Animal: { abstract: true, elements: { Id: int } }, Dog: { extends: Animal, elements: { Name: string } }, Cat: { extends: Animal, elements: { Name: string } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: Animal } } } }",
        &[],
    ),
    // Only one of two derived types had the element; and an element of one has another type now.
    (
        "{ types: { Animal: { abstract: true }, Dog: { extends: Animal, elements: { Name: string } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: Animal } } } }",
        "{ types: { Animal: { abstract: true, elements: { Name: string } }, Dog: { extends: Animal }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: Animal } } } }",
        &[
            "depends element-added: callers depends soap11, new-clients depends soap11, client-users breaks",
        ],
    ),
    (
        "{ types: { Animal: { abstract: true }, Dog: { extends: Animal, elements: { Age: int, Name: string } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: Animal } } } }",
        "{ types: { Animal: { abstract: true, elements: { Name: int } }, Dog: { extends: Animal, elements: { Age: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { a: Animal } } } }",
        &[
            "wire element-type: callers breaks soap11, new-clients works soap11, implementors breaks, client-users breaks",
            "compatible element-order: callers works soap11, new-clients works soap11",
        ],
    ),
    // Into a base type that has values of its own, and back: these values change, and those of
    // derived types that did not have the element.
    (
        "{ types: { Animal: { elements: { Id: int } }, Dog: { extends: Animal, elements: { Name: string, Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { d: Dog }, result: Dog } } }",
        "{ types: { Animal: { elements: { Id: int, Name: string } }, Dog: { extends: Animal, elements: { Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { d: Dog }, result: Dog } } }",
        &["compatible element-added: "],
    ),
    (
        "{ types: { Animal: { elements: { Id: int, Name: string } }, Dog: { extends: Animal, elements: { Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { d: Dog }, result: Dog } } }",
        "{ types: { Animal: { elements: { Id: int } }, Dog: { extends: Animal, elements: { Name: string, Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { d: Dog }, result: Dog } } }",
        &["compatible element-removed: "],
    ),
    (
        "{ types: { Animal: { elements: { Id: int } }, Dog: { extends: Animal, elements: { Name: string, Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { d: Dog } }, B: { result: Cat } } }",
        "{ types: { Animal: { elements: { Id: int, Name: string } }, Dog: { extends: Animal, elements: { Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { d: Dog } }, B: { result: Cat } } }",
        &[
            "depends element-added: callers depends soap11, new-clients breaks soap11, implementors breaks",
        ],
    ),
    (
        "{ types: { Animal: { elements: { Id: int, Name: string } }, Dog: { extends: Animal, elements: { Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { d: Dog } }, B: { result: Cat } } }",
        "{ types: { Animal: { elements: { Id: int } }, Dog: { extends: Animal, elements: { Name: string, Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { d: Dog } }, B: { result: Cat } } }",
        &[
            "wire element-removed: callers breaks soap11, new-clients works soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ types: { Animal: { elements: { Id: int } }, Dog: { extends: Animal, elements: { Name: string, Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { a: Animal } } } }",
        "{ types: { Animal: { elements: { Id: int, Name: string } }, Dog: { extends: Animal, elements: { Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { a: Animal } } } }",
        &[
            "depends element-added: callers depends soap11, new-clients depends soap11, client-users breaks",
        ],
    ),
    (
        "{ types: { Animal: { elements: { Id: int, Name: string } }, Dog: { extends: Animal, elements: { Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { a: Animal } } } }",
        "{ types: { Animal: { elements: { Id: int } }, Dog: { extends: Animal, elements: { Name: string, Age: int } }, Cat: { extends: Animal } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], allow: [SVC026], operations: { A: { parameters: { a: Animal } } } }",
        &[
            "depends element-removed: callers depends soap11, new-clients depends soap11, implementors breaks, client-users breaks",
        ],
    ),
    // Another name with the same messages.
    (
        "{ service: S, namespace: 'urn:s', path: /s, operations: { A: { parameters: { x: int }, result: int } } }",
        "{ service: S, namespace: 'urn:s', path: /s, operations: { B: { action: 'urn:s/A', request: A, response: AResponse, result_element: AResult, parameters: { x: int }, result: int } } }",
        &[
            "wire operation-renamed: callers breaks http, callers works soap, new-clients breaks http, new-clients works soap, implementors breaks, client-users breaks",
        ],
    ),
    // The same two actions, exchanged.
    (
        "{ service: S, namespace: 'urn:s', path: /s, operations: { A: { action: 'urn:1' }, B: { action: 'urn:2' } } }",
        "{ service: S, namespace: 'urn:s', path: /s, operations: { A: { action: 'urn:2' }, B: { action: 'urn:1' } } }",
        &[
            "wire operation-action: callers breaks soap, new-clients breaks soap",
            "wire operation-action: callers breaks soap, new-clients breaks soap",
        ],
    ),
    // Another type that has all elements of the old one.
    (
        "{ types: { T: { elements: { X: int } }, U: { elements: { X: int, Y: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: T }, B: { result: U } } }",
        "{ types: { T: { elements: { X: int } }, U: { elements: { X: int, Y: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { result: U }, B: { result: U } } }",
        &[
            "depends result-type: callers depends soap11, new-clients breaks soap11, implementors breaks, client-users breaks",
        ],
    ),
    // Wildcards.
    (
        "{ types: { T: { elements: { X: { any: elements } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { elements: { Y: { any: elements } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &[
            "source element-renamed: callers works soap11, new-clients works soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ types: { T: { elements: { X: { any: elements } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { elements: { X: { any: elements, namespaces: 'urn:x' } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &["compatible element-type: callers works soap11, new-clients works soap11"],
    ),
    (
        "{ types: { T: { elements: { X: { any: elements } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { elements: { X: 'string[]' } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &[
            "wire element-type: callers breaks soap11, new-clients breaks soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ types: { T: { elements: { X: { any: element } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { elements: { X: { any: elements } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &[
            "depends element-required: callers depends soap11, new-clients works soap11, implementors breaks, client-users breaks",
            "source element-list: callers works soap11, new-clients breaks soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ types: { T: { elements: { X: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { elements: { X: int, Y: { any: elements } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &[
            "depends element-added: callers depends soap11, new-clients depends soap11, client-users breaks",
        ],
    ),
    (
        "{ types: { T: { attributes: { X: { any: attributes } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { attributes: { X: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &[
            "wire attribute-type: callers breaks soap11, new-clients breaks soap11, implementors breaks, client-users breaks",
        ],
    ),
    // Text between elements.
    (
        "{ types: { T: { elements: { X: { choice: { Text: { any: text }, b: int }, list: unwrapped } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { elements: { X: { choice: { Words: { any: text }, b: int }, list: unwrapped } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &[
            "source alternative-renamed: callers works soap11, new-clients works soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ types: { T: { elements: { X: { choice: { Text: { any: text }, b: int }, list: unwrapped } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { elements: { X: { choice: { Text: string, b: int }, list: unwrapped } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &[
            "wire alternative-type: callers breaks soap11, new-clients breaks soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ types: { T: { elements: { X: { choice: { Text: { any: text }, b: int }, list: unwrapped } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { elements: { X: { choice: { Text: { any: text }, b: int, c: { any: element } }, list: unwrapped } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &[
            "source alternative-added: callers works soap11, new-clients breaks soap11, implementors breaks",
        ],
    ),
    // Substitution groups.
    (
        "{ types: { T: { elements: { X: { choice: { a: int, b: int } } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { elements: { X: { choice: { a: int, b: int }, head: h } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &["compatible element-head: callers works soap11, new-clients works soap11"],
    ),
    (
        "{ types: { T: { elements: { X: { choice: { a: int, b: int }, head: h } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        "{ types: { T: { elements: { X: { choice: { a: int, b: int }, head: i } } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T } } } }",
        &["compatible element-head: callers works soap11, new-clients works soap11"],
    ),
    // Elements in any order.
    (
        "{ types: { T: { elements: { X: int, Y: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T }, result: T } } }",
        "{ types: { T: { unordered: true, elements: { X: int, Y: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T }, result: T } } }",
        &["compatible type-unordered: callers works soap11, new-clients works soap11"],
    ),
    (
        "{ types: { T: { unordered: true, elements: { X: int, Y: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T }, result: T } } }",
        "{ types: { T: { elements: { X: int, Y: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { t: T }, result: T } } }",
        &[
            "depends type-unordered: callers depends soap11, callers works soap11, new-clients works soap11",
        ],
    ),
    // A value of `anyType` may be of every type.
    (
        "{ types: { T: { elements: { X: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { o: anyType } } } }",
        "{ types: { T: { elements: { X: string } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { o: anyType } } } }",
        &[
            "source element-type: callers works soap11, new-clients breaks soap11, implementors breaks, client-users breaks",
        ],
    ),
    (
        "{ types: { T: { elements: { X: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { o: T } } } }",
        "{ types: { T: { elements: { X: int } } }, service: S, namespace: 'urn:s', path: /s, bindings: [soap11], operations: { A: { parameters: { o: anyType } } } }",
        &[
            "wire parameter-type: callers breaks soap11, new-clients breaks soap11, implementors breaks, client-users breaks",
        ],
    ),
];

/// Options of the shop in the `svcgen.toml` of each side.
pub(crate) const OPTIONS: &[(&str, &str, &[&str])] = &[
    (
        "",
        "visibility = 'pub(crate)'",
        &["source option-visibility: implementors breaks, client-users breaks"],
    ),
    (
        "serde = true",
        "",
        &["source option-serde: implementors breaks, client-users breaks"],
    ),
    (
        "builders = ['.']",
        "builders = ['*Request']",
        &["source option-builders: implementors breaks, client-users breaks"],
    ),
    (
        "non_exhaustive = ['Pet']",
        "non_exhaustive = ['Pet', 'Tone']",
        &["source option-non-exhaustive: implementors breaks, client-users breaks"],
    ),
    (
        "optional_methods = ['.']",
        "optional_methods = ['Ping']",
        &["source option-default-methods: implementors breaks"],
    ),
    (
        "shared_results = ['Ping']",
        "",
        &["source option-shared-results: implementors breaks"],
    ),
    (
        "",
        "shared_results = ['.']",
        &["source option-shared-results: implementors breaks"],
    ),
    (
        "visibility = 'pub(crate)'\nnon_exhaustive = ['.']",
        "serde = true\nbuilders = ['.']\noptional_methods = ['.']",
        &[],
    ),
];
