//! The recorded exchanges under `wider/`, by what they are about.

mod documents;
mod lists;
mod messages;
mod namespaces;
