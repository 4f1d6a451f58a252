//! The information about a server on its pages, and their appearance.

use svcgen_documents::page;

#[cfg(feature = "theme")]
use super::theme::Theme;
use svcgen_wire::Limits;

/// The parts of pages that a server sets.
#[derive(Debug, Clone, Default)]
pub(super) struct About {
    pub(super) version: Option<String>,
    pub(super) health: Option<String>,
    pub(super) logo: Option<String>,
    #[cfg(feature = "theme")]
    pub(super) theme: Option<Theme>,
}

impl About {
    /// Returns the information for a page, with the limits of messages and whether messages may be
    /// in MTOM.
    pub(super) fn shown<'s>(
        &'s self,
        limits: &'s [(&'static str, String)],
        mtom: bool,
    ) -> page::About<'s> {
        page::About {
            version: self.version.as_deref(),
            health: self.health.as_deref(),
            logo: self.logo.as_deref(),
            openapi: cfg!(feature = "openapi"),
            limits,
            mtom,
            style: self.style(),
        }
    }

    #[cfg(feature = "theme")]
    fn style(&self) -> Option<page::Style<'_>> {
        self.theme.as_ref().map(Theme::style)
    }

    #[cfg(not(feature = "theme"))]
    fn style(&self) -> Option<page::Style<'_>> {
        None
    }
}

/// Returns the limits that callers are most likely to reach.
pub(super) fn limits(limits: &Limits) -> [(&'static str, String); 3] {
    [
        ("body", bytes(limits.body)),
        ("levels of elements", limits.depth.to_string()),
        ("characters of JSON", limits.json_length.to_string()),
    ]
}

fn bytes(count: usize) -> String {
    let units = [(1 << 20, "MiB"), (1 << 10, "KiB")];
    let mut units = units.into_iter();
    match units.find(|(unit, _)| count >= *unit && count.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{} {name}", count / unit),
        None => format!("{count} bytes"),
    }
}

/// Whether a text is the `data:` URL of an image, which a page can contain.
pub(super) fn is_image(url: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte);
    url.starts_with("data:image/") && url.bytes().all(is_allowed)
}
