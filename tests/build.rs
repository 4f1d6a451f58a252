//! Generates both services of `service-defs/` for the fixture programs.

fn main() {
    svcgen_codegen::build([
        "../service-defs/authenticator.yaml",
        "../service-defs/device_login_service.yaml",
    ]);
}
