//! The import of the runtime's module for emitted code, which shortens its paths. Items of the
//! module are not imported, as their names could clash with items of the definition.

use crate::config::Options;
use crate::model::Model;

/// The name of the module.
const CODEGEN: &str = "codegen";

/// Whether a file imports the module: if nothing else may have its name, neither an item of the
/// definition nor a crate in a path of the application.
pub(super) fn is_imported(model: &Model, options: &Options) -> bool {
    let elements = model.emitted_elements();
    let custom = elements.filter_map(|element| element.type_ref.custom_path());
    let types = model.complex_types.iter().map(|complex| &complex.rust_type);
    let enumerations = model.enumerations.iter().map(|one| &one.rust_type);
    let types = types.chain(enumerations).flatten();
    let imports = model.imports.iter().map(|import| &import.path);
    let includes = model.includes.iter().chain(&model.nested);
    let includes = includes.map(|include| &include.module);
    let derives = options.type_derive.of(|_| true).flatten();
    let attributes = [&options.type_attribute, &options.field_attribute];
    let attributes = attributes
        .into_iter()
        .flat_map(|options| options.of(|_| true))
        .map(|attributes| attributes.text());
    let paths = types.chain(imports).chain(includes).chain(derives);
    let paths = paths.map(String::as_str).chain(custom).chain(attributes);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let named = |text: &str| text.split(|c| !is_part(c)).any(|word| word == CODEGEN);
    !model.items.contains(CODEGEN) && !paths.chain([&*options.runtime]).any(named)
}
