//! The types that are reachable from the operations of a definition.

use std::collections::HashSet;

/// Removes the types that are not reachable from an operation.
pub(super) fn retain_used(lines: &mut Vec<String>, names: &HashSet<String>) {
    let owner = |line: &str| {
        let rest = line
            .strip_prefix("type ")
            .or_else(|| line.strip_prefix("enum "))?;
        Some(rest.split([' ', ':']).next()?.to_owned())
    };
    // A qualified name has a colon in its namespace.
    let owner = |line: &str| match line.find('}') {
        Some(end) if line.starts_with("type {") || line.starts_with("enum {") => {
            let rest = line[end..].split([' ', ':']).next()?;
            Some(format!("{}{rest}", &line["type ".len()..end]))
        }
        _ => owner(line),
    };
    let mut used = HashSet::new();
    loop {
        let before = used.len();
        for line in &*lines {
            let owner = owner(line);
            let value = line.rsplit_once(": ").map_or("", |(_, value)| value);
            let name = value.split(['?', '[']).next().unwrap_or_default();
            let is_used = owner.as_ref().is_none_or(|owner| used.contains(owner));
            if is_used && name == "anyType" {
                used.extend(names.iter().cloned());
            } else if is_used && names.contains(name) {
                used.insert(name.to_owned());
            }
            // A type that extends another may be used in its place.
            if let Some(owner) =
                owner.filter(|_| line.contains(" extends: ") && used.contains(name))
            {
                used.insert(owner);
            }
        }
        if used.len() == before {
            break;
        }
    }
    lines.retain(|line| owner(line).is_none_or(|owner| used.contains(&owner)));
}
