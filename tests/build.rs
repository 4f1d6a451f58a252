//! Generates both services of `service-defs/` for the fixture programs, those with every shape for `tests/shapes.rs`, one of many operations,
//! two that differ for `tests/changes.rs`, and those that share types for `tests/includes.rs`.

fn main() {
    svcgen_codegen::build([
        "../service-defs/authenticator.yaml",
        "../service-defs/device_login_service.yaml",
        "definitions/valid/audit.yaml",
        "definitions/valid/help_page.yaml",
        "definitions/valid/many_operations.yaml",
        "definitions/valid/messages.yaml",
        "definitions/valid/objects.yaml",
        "definitions/valid/orders.yaml",
        "definitions/valid/recorded_shapes.yaml",
        "definitions/valid/simple_types.yaml",
        "definitions/valid/unqualified.yaml",
        "tests/changes/before.yaml",
        "tests/changes/after.yaml",
    ]);
}
