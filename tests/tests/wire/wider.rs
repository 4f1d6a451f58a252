//! The recorded exchanges under `wider/`, by what they are about.

mod content;
mod documents;
mod lists;
mod messages;
mod namespaces;
mod objects;
