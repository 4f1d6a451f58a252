//! Reads and writes messages of a service as plain values, using only its definition or WSDL,
//! without generated code.
//!
//! A [`Service`] reads and writes requests, answers, SOAP headers, and details and headers of
//! faults as [`serde_json::Value`], over every binding. It uses the reader, the writer and the
//! bindings of the runtime, so bytes, errors and limits are the same as with generated code.
//!
//! ```
//! use serde_json::json;
//! use svcgen::Binding;
//! use svcgen_messages::Service;
//!
//! let service = Service::of_definition("greeter.yaml", "
//! service: Greeter
//! namespace: http://example.com/greeter
//! path: /Greeter.asmx
//! operations:
//!   Greet:
//!     parameters: { name: 'string?', times: int }
//!     result: string
//! ")?;
//! let greet = service.operation("Greet")?;
//! let request = greet.request(&json!({ "name": "Ada", "times": 2 }), Binding::HttpPost)?;
//! assert_eq!(request.body(), "name=Ada&times=2");
//!
//! let read = service.read_request(request)?;
//! assert_eq!(read.parameters, json!({ "name": "Ada", "times": 2 }));
//!
//! let wrong = greet.request(&json!({ "name": "Ada", "times": "often" }), Binding::HttpPost);
//! assert!(wrong.unwrap_err().to_string().contains("Greet.times: an integer of the range of Rust's i32 is expected, not a string."));
//! # Ok::<(), svcgen::Fault>(())
//! ```
//!
//! # Values
//!
//! | in a message | in JSON |
//! |---|---|
//! | the parameters, several results, SOAP headers | an object with a member for each |
//! | a single result | its value; `null` if there is none |
//! | an object | an object; members have their names on the wire and are in the order of the definition |
//! | its text, an attribute with the name of an element | the members `$text` and `@name` |
//! | elements or attributes of several namespaces with one name | the members `{NAMESPACE}NAME` or `@{NAMESPACE}NAME`; `NAME` for the one in the namespace of its type, or for the attribute in none |
//! | an absent value | no member; `null` as an item of a list. A member that is `null` is written as absent, too |
//! | a list, wrapped or not, values in one text | an array |
//! | a dictionary | an object of its entries, in their order |
//! | text, `char` | a string |
//! | numbers | a number; `integer` and `decimal`, whose digits JSON may lose, a string; `"NaN"`, `"INF"`, `"-INF"` |
//! | `boolean` | `true`, `false` |
//! | `base64Binary` | a string in base64; `hexBinary` one of hexadecimal digits |
//! | dates, times, durations, GUIDs, QNames | a string, as in XML |
//! | an enumeration | its name in XML; for flags the names, separated by blanks |
//! | a type that others extend | an object with the name of the type as the only key; `{NAMESPACE}NAME` if several of them have the name |
//! | a choice | an object with the name of the alternative as the only key |
//! | a sequence | an object |
//! | `any`, elements of a wildcard | a string of XML; with attributes `{"attributes": …, "content": …}` |
//! | `anyType` | `"Empty"`, or an object with the kind of value as the only key: `{"Int": 7}`, `{"Own": {"Person": {…}}}`, `{"List": […]}`, `{"Array": ["int", […]]}`, `{"Dictionary": {…}}` (over JSON), `{"Xml": …}` |
//! | sets of tables | a string of XML with schema and rows; [`Place::with_rows`] turns it into lists of rows, and [`Place::value_of_yaml`] takes such lists |
//! | a SOAP header with the attributes of SOAP | `{"value": …, "actor": …, "must_understand": …, "relay": …}` |
//!
//! Types with the option `serde` have the same form, except for absent values, which they write as
//! `null`, and for bytes, flags and secrets. Secrets are shown, because they are part of the
//! message; [`Place::mask`] hides them.
//!
//! When a message is written, a required member without a default must be present. An error
//! contains the place of a wrong value, the expected kind of value, and the known names.
//!
//! # Memory
//!
//! Values in JSON take more memory than values of generated types.
//! [`Limits::values`](svcgen::Limits::values) bounds both.
//!
//! The rows of a service refer to each other and live as long as the program. Opening a service
//! takes about thirty times the size of its definition, and this memory is never freed: a program
//! should open a definition once.
#![forbid(unsafe_code)]

mod error;
mod initial;
mod layouts;
mod mask;
mod operation;
mod place;
mod read;
mod rows;
mod sample;
mod serve;
mod service;
mod simple;
mod value_path;
mod write;
mod yaml;

pub use error::{NoOperation, OpenError};
pub use operation::{Answer, Operation, Request, UnknownFault};
pub use place::Place;
pub use service::Service;
pub use yaml::YamlError;
