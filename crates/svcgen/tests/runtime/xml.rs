//! Reading and writing XML: documents, values, forms, and the texts of simple types.

#[cfg(feature = "data-sets")]
mod data_sets;
mod differential;
mod forms;
mod ill_formed;
mod lexical;
mod limits;
mod simple_types;
mod types;
mod values;
mod well_formed;
mod wildcards;
mod writing;
