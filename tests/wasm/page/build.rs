fn main() {
    svcgen_codegen::Config::new()
        .server(false)
        .build(["../../../service-defs/authenticator.yaml"]);
}
