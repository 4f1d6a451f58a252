//! Failures as one line of text.

use std::fmt::Write;

/// The separator between a message and its cause.
const CAUSE: &str = " ---> ";

/// Escapes a message and its causes as HTML text, except for the arrows between them.
pub(crate) fn escape(message: &str) -> String {
    let mut text = String::with_capacity(message.len() + 16);
    for (index, cause) in message.split(CAUSE).enumerate() {
        text.push_str(if index > 0 { CAUSE } else { "" });
        push_escaped(&mut text, cause);
    }
    text
}

/// Appends HTML text as `HttpUtility.HtmlEncode` writes it: `'` as `&#39;`, U+00A0 to U+00FF and
/// everything above U+FFFF by number.
fn push_escaped(text: &mut String, message: &str) {
    for character in message.chars() {
        match character {
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            '"' => text.push_str("&quot;"),
            '\'' => text.push_str("&#39;"),
            '\u{A0}'..='\u{FF}' | '\u{10000}'.. => {
                let _ = write!(text, "&#{};", u32::from(character));
            }
            other => text.push(other),
        }
    }
}

/// The length of the longest reference, `&#1114111;`, in bytes. Searching further for the end of
/// each reference would be quadratic.
const LONGEST: usize = 10;

/// Returns the message of an error text. Text that is not a reference stays as it is.
pub(crate) fn unescape(text: &str) -> String {
    let mut message = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        message.push_str(&rest[..start]);
        rest = &rest[start..];
        match rest
            .bytes()
            .take(LONGEST)
            .position(|byte| byte == b';')
            .and_then(|end| Some((referenced(&rest[1..end])?, end)))
        {
            Some((character, end)) => {
                message.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                message.push('&');
                rest = &rest[1..];
            }
        }
    }
    message + rest
}

fn referenced(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        // Other stacks write `&apos;`, and numbers in hexadecimal.
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_as_html_encode_does() {
        let message = "boom <&> \"it's\" é\u{A0} 日 😀 \u{9F}";
        let text = "boom &lt;&amp;&gt; &quot;it&#39;s&quot; &#233;&#160; 日 &#128512; \u{9F}";
        assert_eq!(escape(message), text);
        assert_eq!(unescape(text), message);
    }

    #[test]
    fn arrows_to_causes_stay() {
        let message = "a > b ---> c -> d ---> <e>";
        let text = "a &gt; b ---> c -&gt; d ---> &lt;e&gt;";
        assert_eq!(escape(message), text);
        assert_eq!(unescape(text), message);
    }

    #[test]
    fn reads_what_other_stacks_escape() {
        assert_eq!(unescape("&#x27;&apos;&#xE9;&#X1F600;"), "''é😀");
        assert_eq!(unescape("&#1114111;&#x10FFFF;"), "\u{10FFFF}\u{10FFFF}");
    }

    #[test]
    fn leaves_what_is_no_reference() {
        for text in [
            "a & b",
            "&#01114111;",
            "&;",
            "&#xyz;",
            "&nbsp;",
            "&",
            "&amp",
        ] {
            assert_eq!(unescape(text), text);
        }
    }
}
