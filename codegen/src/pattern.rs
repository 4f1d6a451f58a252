//! Patterns of options, which match types, fields and operations.

/// A name in which `*` stands for any characters; `.` matches every name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Pattern(String);

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// The text is empty or has white space.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() || text.contains(char::is_whitespace) {
            let example = "`LoginResult`, `*Request` or `.`";
            return Err(format!("`{text}` is not a pattern like {example}"));
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the text of the pattern.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it matches a name.
    pub fn matches(&self, name: &str) -> bool {
        let Some((start, rest)) = self.0.split_once('*') else {
            return self.0 == "." || self.0 == name;
        };
        let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
        let Some(name) = name.strip_prefix(start) else {
            return false;
        };
        let Some(mut name) = name.strip_suffix(end) else {
            return false;
        };
        middle.split('*').all(|part| {
            let found = name.split_once(part);
            name = found.map_or(name, |(_, after)| after);
            found.is_some()
        })
    }

    /// Whether it matches a member: its path, `LoginResult.Message`, or the type that contains it.
    pub fn matches_member(&self, owner: &str, member: &str) -> bool {
        self.matches(owner) || self.matches(&format!("{owner}.{member}"))
    }
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
            let found = Pattern(pattern.to_owned()).matches(name);
            assert_eq!(found, expected, "{pattern} {name}");
        }
    }

    #[test]
    fn members_go_by_their_own_path_or_with_their_type() {
        let matches = |pattern: &&str| Pattern((*pattern).to_owned()).matches_member("T", "m");
        let patterns = ["T", "T.m", "*.m", "T.*", ".", "*", "m", "T.n", "U", "U.m"];
        let found: Vec<_> = patterns.into_iter().filter(matches).collect();
        assert_eq!(found, ["T", "T.m", "*.m", "T.*", ".", "*"]);
    }
}
