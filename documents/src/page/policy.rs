//! The `Content-Security-Policy` of pages: their own style sheet and script, by their hashes, and nothing else. A test compares the
//! hashes with the files.

macro_rules! policy {
    ($script:literal, $frames:literal) => {
        concat!(
            "default-src 'none'; style-src 'sha256-Ocs87ayVy7baJbn708VnmodQ5TWiGvqbH16Of6PdPbU='",
            $script,
            "; img-src data:; base-uri 'none'; form-action 'none'",
            $frames
        )
    };
}

/// The policy of a page without a form.
pub(super) const READ_ONLY: &str = policy!("", "; frame-ancestors 'none'");

/// The policy of a page with a form, whose script calls the origin of the page. The browser itself submits no form.
pub(super) const WITH_FORM: &str = policy!(
    "; script-src 'sha256-mt6e9I77K4qQSFFMV4bEX6ez0xtSupxbkY08s9+c+q0='; connect-src 'self'",
    "; frame-ancestors 'none'"
);

/// The policy of a page in a file, in a `meta` element, where `frame-ancestors` is not allowed.
pub(crate) const FILE: &str = policy!("", "");

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, Engine as _};
    use sha2::{Digest as _, Sha256};

    use super::*;

    fn hash(text: &str) -> String {
        format!(
            "'sha256-{}'",
            BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()))
        )
    }

    #[test]
    fn hashes_are_those_of_the_files() {
        let (style, script) = (hash(crate::html::STYLE), hash(super::super::SCRIPT));
        for policy in [READ_ONLY, WITH_FORM, FILE] {
            assert!(policy.contains(&style), "the style sheet's is {style}");
        }
        assert!(WITH_FORM.contains(&script), "the script's is {script}");
    }
}
