//! Generates the services of the page that a browser looks at, and those of attachments.

fn main() {
    svcgen_codegen::build([
        "../definitions/valid/help_page.yaml",
        "../definitions/valid/help_page_encoded.yaml",
        "../definitions/valid/help_page_namespaces.yaml",
        "../../crates/attachments/tests/attachments/archive.yaml",
        "../../crates/attachments/tests/attachments/files.yaml",
        "../../crates/attachments/tests/attachments/scans.yaml",
    ]);
}
