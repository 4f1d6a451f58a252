//! The canonical layout of a YAML text: the same nodes in the same order, its comments and anchors, and one way to write them.
//!
//! Kept from the author: what is written in blocks and what in braces, blank lines that separate (one at most), the order of
//! everything but the keys of the file. Decided here: order of the keys of the file, indentation, spaces, quotes, and where
//! braces do not fit on a line.

mod comments;
mod order;
mod print;
mod same;
mod scalar;
mod tree;

/// The longest line that braces are written in.
const WIDTH: usize = 120;

/// Lays a text out. `keys` are those of the file, in their order; others stay behind the key that they follow.
///
/// # Errors
///
/// The text has something that no definition has, or is no YAML: what, and where.
pub(crate) fn lay_out(text: &str, keys: &[String]) -> Result<String, String> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let (mut file, comments) = tree::read(text)?;
    comments::place(&mut file, comments);
    let header = order::sort(&mut file, keys);
    let laid_out = print::print(&file, &header);
    match same::holds(text, &laid_out) {
        true => Ok(laid_out),
        false => Err(
            "laid out, it would say something else. Please report this with the definition"
                .to_owned(),
        ),
    }
}
