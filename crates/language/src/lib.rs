//! The definition language of svcgen, for what reads definitions and what writes them: the generator, the importer of WSDLs, the layout of the command.
//!
//! A text becomes a [tree](yaml::Tree) with the places of its nodes, and that a [`Definition`](definition::Definition), the file as it is written. What breaks a
//! [rule](rules::Rule) is collected in a [`Sink`](sink::Sink), and becomes [`Diagnostics`](diagnostic::Diagnostics) with places.
#![forbid(unsafe_code)]

pub mod data_set_schema;
pub mod definition;
pub mod diagnostic;
pub mod naming;
pub mod rules;
pub mod secret_names;
pub mod sink;
pub mod span;
pub mod text;
pub mod yaml;
