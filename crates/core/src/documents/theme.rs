//! The colours of pages.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest as _, Sha256};
use svcgen_documents::page::Style;

/// The colours of the help page in light and dark mode. Colours that you do not set keep their
/// defaults.
///
/// | property | coloured parts |
/// |---|---|
/// | `accent`, `on-accent` | links, the button that invokes, tags; the text on that button |
/// | `ground`, `surface`, `code` | the page, cards on it, messages |
/// | `text`, `muted` | text, and less important text |
/// | `line`, `edge` | lines between parts, and around inputs |
/// | `soft` | the selection |
///
/// ```
/// use svcgen::Documents;
/// use svcgen::documents::Theme;
///
/// let theme = Theme::new().with("accent", "#8a1538", "#ff9db5")?.with("soft", "#f9e8ee", "#3a1a24")?;
/// let documents = Documents::new().with_theme(theme);
/// # let _ = documents;
/// # Ok::<(), svcgen::documents::InvalidTheme>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Theme {
    colours: Vec<(&'static str, String, String)>,
    css: String,
    hash: String,
}

/// The error for an unknown property, or a text that is not a colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidTheme(String);

impl std::fmt::Display for InvalidTheme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(text) = self;
        let known = Theme::PROPERTIES.join(", ");
        write!(
            f,
            "{text:?} is neither a colour of CSS, as #0a5cc2 or rgb(10 92 194), nor one of {known}"
        )
    }
}

impl std::error::Error for InvalidTheme {}

impl Theme {
    /// The properties.
    pub const PROPERTIES: [&'static str; 10] = [
        "accent",
        "on-accent",
        "ground",
        "surface",
        "code",
        "text",
        "muted",
        "line",
        "edge",
        "soft",
    ];

    /// Creates a theme with the default colours.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a colour for light and dark mode.
    ///
    /// # Errors
    ///
    /// The property is unknown, or a text is not a colour.
    pub fn with(mut self, property: &str, light: &str, dark: &str) -> Result<Self, InvalidTheme> {
        let known = Self::PROPERTIES
            .into_iter()
            .find(|known| *known == property);
        let known = known.ok_or_else(|| InvalidTheme(property.to_owned()))?;
        for colour in [light, dark] {
            if !is_colour(colour) {
                return Err(InvalidTheme(colour.to_owned()));
            }
        }
        self.colours
            .push((known, light.to_owned(), dark.to_owned()));
        let [mut of_light, mut of_dark] = [String::new(), String::new()];
        for (name, light, dark) in &self.colours {
            of_light += &format!("--{name}:{light};");
            of_dark += &format!("--{name}:{dark};");
        }
        self.css =
            format!(":root{{{of_light}}}@media (prefers-color-scheme: dark){{:root{{{of_dark}}}}}");
        self.hash = BASE64_STANDARD.encode(Sha256::digest(self.css.as_bytes()));
        Ok(self)
    }

    pub(super) fn style(&self) -> Style<'_> {
        Style {
            css: &self.css,
            hash: &self.hash,
        }
    }
}

/// Whether a text can only be a colour in CSS, and nothing else.
fn is_colour(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "#()., %/-".contains(c);
    !text.is_empty() && text.len() <= 64 && text.chars().all(is_part) && !text.contains("url")
}
