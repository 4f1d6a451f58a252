//! Generates both services from their definitions.

fn main() {
    svcgen_codegen::build([
        "../service-defs/authenticator.yaml",
        "../service-defs/device_login_service.yaml",
    ]);
}
