//! The paths of the modules of nested includes.

/// Resolves a path that is relative to a module, as seen from where that module has the path
/// `module`.
pub(super) fn path_through(module: &str, path: &str) -> String {
    let names: Vec<_> = path.split("::").collect();
    if !["self", "super"].contains(&names[0]) {
        return path.to_owned();
    }
    let mut segments: Vec<_> = module.split("::").collect();
    for name in names {
        match (name, segments.last().copied()) {
            ("self", _) => {}
            ("super", Some("self")) => {
                segments.pop();
                segments.push("super");
            }
            ("super", Some(last)) if last != "super" => {
                segments.pop();
            }
            _ => segments.push(name),
        }
    }
    segments.join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_through_modules() {
        for (module, path, expected) in [
            ("super::common", "super::places", "super::places"),
            (
                "super::common",
                "super::super::places",
                "super::super::places",
            ),
            ("super::a::common", "super::places", "super::a::places"),
            ("crate::common", "super::places", "crate::places"),
            ("self::common", "super::super::places", "super::places"),
            ("common", "super::places", "places"),
            ("super::common", "self::places", "super::common::places"),
            ("super::common", "crate::places", "crate::places"),
            ("super::common", "::company::places", "::company::places"),
            ("super::common", "company::places", "company::places"),
        ] {
            assert_eq!(path_through(module, path), expected, "{module}, {path}");
        }
    }
}
