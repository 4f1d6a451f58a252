//! Creates a module that pages load, from the WebAssembly file, in a folder.

use wasm_bindgen_cli_support::Bindgen;

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [file, folder] = &arguments[..] else {
        panic!("two arguments: the file of WebAssembly, the folder of the module");
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(file).typescript(false);
    bindgen.omit_default_module_path(false);
    bindgen.web(true).expect("the only target");
    bindgen.generate(folder).expect("a module");
}
