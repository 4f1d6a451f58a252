//! Messages over each binding, compared with recordings, specifications and each other.

mod bindings_agree;
mod checks_notice;
mod conformance;
mod depth;
mod facets;
mod fuzz_finds;
mod json_alone;
mod lab;
mod limits;
mod public;
mod quoted;
mod recorded;
mod refused;
mod replay;
mod round_trip;
mod rules;
mod shapes;
mod time_zones;
