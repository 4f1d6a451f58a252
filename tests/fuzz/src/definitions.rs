//! Any text as a definition: messages or Rust code, never a panic, and always the same result.

use svcgen_codegen::Config;

pub fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        assert!(Config::new().generate("fuzz.yaml", input).is_err());
        return;
    };
    match Config::new().generate("fuzz.yaml", text) {
        Err(diagnostics) => assert!(!diagnostics.to_string().is_empty()),
        Ok(output) => {
            assert!(syn::parse_file(&output.code).is_ok(), "{}", output.code);
            assert!(syn::parse_file(&output.module).is_ok(), "{}", output.module);
            let again = Config::new()
                .generate("fuzz.yaml", text)
                .expect("the same again");
            assert_eq!(again.code, output.code);
        }
    }
}
