//! The definition language of svcgen, shared by the programs that read and write definitions: the
//! generator, the importer of WSDLs, and `svcgen fmt`.
//!
//! A text becomes a [tree](yaml::Tree) whose nodes know their places. The tree becomes a
//! [`Definition`](definition::Definition), the file as its author wrote it. Violations of a
//! [rule](rules::Rule) are collected in a [`Sink`](sink::Sink), and become
//! [`Diagnostics`](diagnostic::Diagnostics) with places.
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
