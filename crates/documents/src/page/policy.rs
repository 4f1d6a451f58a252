//! The `Content-Security-Policy` of pages: their own style sheet and scripts, by their hashes, and
//! nothing else. A test compares the hashes with the files.

macro_rules! policy {
    (no_script, $frames:literal) => {
        policy!(with "", $frames)
    };
    // The script of every page but the index comes first.
    ($more:literal, $frames:literal) => {
        policy!(with concat!("; script-src 'sha256-KwwIfJGhJ0dKO0QndXxWp4po6OgZsjuifA4hBVNp29A='", $more), $frames)
    };
    (with $scripts:expr, $frames:literal) => {
        concat!(
            "default-src 'none'; style-src 'sha256-LUDH6xqeQv+vURaYMrHFg+kiQngyZx+mMwtiDdllZSQ='",
            $scripts,
            "; img-src data:; base-uri 'none'; form-action 'none'",
            $frames
        )
    };
}

/// The policy of the index page, which has no script.
pub(super) const INDEX: &str = policy!(no_script, "; frame-ancestors 'none'");

/// The policy of a page without a form.
pub(super) const READ_ONLY: &str = policy!("", "; frame-ancestors 'none'");

/// The policy of a page without a form whose script requests the health of the server from the
/// origin of the page.
pub(super) const WITH_HEALTH: &str = policy!("; connect-src 'self'", "; frame-ancestors 'none'");

/// The policy of a page with a form, whose script calls the origin of the page. The browser itself
/// submits no form.
pub(super) const WITH_FORM: &str = policy!(
    " 'sha256-WMREW8vcQDL5WHkf46EsYqZ8sFxJstMOFNTdWgAL6IE='; connect-src 'self'",
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
        let (style, script) = (hash(crate::frame::STYLE), hash(super::super::SCRIPT));
        let page = hash(crate::frame::SCRIPT);
        for policy in [INDEX, READ_ONLY, WITH_HEALTH, WITH_FORM, FILE] {
            assert!(policy.contains(&style), "the style sheet's is {style}");
        }
        for policy in [READ_ONLY, WITH_HEALTH, WITH_FORM, FILE] {
            assert!(
                policy.contains(&page),
                "that of pages with a rail is {page}"
            );
        }
        assert!(WITH_FORM.contains(&script), "that of the form is {script}");
    }
}
