//! Patterns of options: which types, fields, operations they speak of.

/// Whether a pattern speaks of a name: `.` of every one, and `*` stands for any characters.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    if pattern == "." {
        return true;
    }
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(name) = name.strip_prefix(start) else {
        return false;
    };
    let Some(mut name) = name.strip_suffix(end) else {
        return false;
    };
    middle.split('*').all(|part| match name.split_once(part) {
        Some((_, after)) => {
            name = after;
            true
        }
        None => false,
    })
}

/// Whether a pattern speaks of a member: by its own path, `LoginResult.Message`, or as one of all that the type has.
pub(crate) fn matches_member(pattern: &str, owner: &str, member: &str) -> bool {
    matches(pattern, owner) || matches(pattern, &format!("{owner}.{member}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        let cases = [
            (".", "anything", true),
            ("Login", "Login", true),
            ("Login", "LoginResult", false),
            ("*", "", true),
            ("Login*", "Login", true),
            ("*Result", "LoginResult", true),
            ("*Result", "ResultOf", false),
            ("L*R*t", "LoginResult", true),
            ("L*xx*t", "LoginResult", false),
            ("aa*aa", "aaa", false),
            ("a.b", "a.b", true),
            ("a**c", "abc", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn members_go_by_their_own_path_or_with_their_type() {
        for pattern in ["T", "T.m", "*.m", "T.*", ".", "*"] {
            assert!(matches_member(pattern, "T", "m"), "{pattern}");
        }
        for pattern in ["m", "T.n", "U", "U.m"] {
            assert!(!matches_member(pattern, "T", "m"), "{pattern}");
        }
    }
}
