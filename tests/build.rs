//! Generates both services of `service-defs/` for the fixture programs, and those that `tests/generator/` and `tests/wire/` call.

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
        "definitions/valid/time_zone.yaml",
        "definitions/valid/unqualified.yaml",
        "definitions/wider/headers.yaml",
        "definitions/wider/messages.yaml",
        "definitions/wider/namespaces.yaml",
        "definitions/wider/lists.yaml",
        "definitions/wider/library.yaml",
        "definitions/wider/tempuri.yaml",
        "definitions/wider/urn.yaml",
        "definitions/wider/content.yaml",
        "definitions/wider/objects.yaml",
        "definitions/wider/routing.yaml",
        "definitions/wider/shared_actions.yaml",
        "definitions/wider/values.yaml",
        "tests/allocations/memory.yaml",
        "tests/generator/changes/before.yaml",
        "tests/generator/changes/after.yaml",
        "tests/serving/work.yaml",
    ]);
}
