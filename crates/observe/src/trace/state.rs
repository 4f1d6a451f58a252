//! The header `tracestate` (W3C Trace Context 1 §3.3).

use http::HeaderValue;
use http::header::GetAll;

/// The largest number of members of a list.
const MOST_MEMBERS: usize = 32;
/// The number of bytes that are passed on, the recommended minimum (§3.3.1.5).
const LONGEST: usize = 512;
/// Members longer than this are dropped first.
const LONG_MEMBER: usize = 128;

/// Returns the list in all these headers; `None` if it is not valid or empty.
pub(super) fn trace_state(headers: GetAll<'_, HeaderValue>) -> Option<HeaderValue> {
    let mut members = Vec::new();
    for header in headers {
        for member in header.to_str().ok()?.split(',') {
            let member = member.trim_matches([' ', '\t']);
            if member.is_empty() {
                continue;
            }
            if !is_member(member) || members.len() == MOST_MEMBERS {
                return None;
            }
            members.push(member);
        }
    }
    let length = |members: &[&str]| members.iter().map(|member| member.len() + 1).sum::<usize>();
    if length(&members) > LONGEST + 1 {
        members.retain(|member| member.len() <= LONG_MEMBER);
    }
    while length(&members) > LONGEST + 1 {
        members.pop();
    }
    let list = members.join(",");
    HeaderValue::try_from(list)
        .ok()
        .filter(|list| !list.is_empty())
}

/// Whether a member is a valid key and value (§3.3.1.3).
fn is_member(member: &str) -> bool {
    let Some((key, value)) = member.split_once('=') else {
        return false;
    };
    let is_key =
        |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'*' | b'/' | b'@');
    let is_value = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b',' | b'=');
    let starts_well = key
        .bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    starts_well
        && key.len() <= 256
        && key.bytes().all(is_key)
        && !value.is_empty()
        && value.len() <= 256
        && value.bytes().all(is_value)
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    fn passed_on(list: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert("tracestate", HeaderValue::from_str(list).unwrap());
        let state = trace_state(headers.get_all("tracestate"))?;
        Some(state.to_str().unwrap().to_owned())
    }

    #[test]
    fn lists_are_valid_or_ignored() {
        assert_eq!(
            passed_on("rojo=00f067aa0ba902b7,t@v-_*/=x y").as_deref(),
            Some("rojo=00f067aa0ba902b7,t@v-_*/=x y")
        );
        assert_eq!(passed_on(" a=1\t,, b=2 ,").as_deref(), Some("a=1,b=2"));
        for refused in [
            "",
            ",",
            "a",
            "a=",
            "=b",
            "A=1",
            "_a=1",
            "a=b=c",
            "a=1,b",
            &format!("{}=1", "a".repeat(257)),
            &format!("a={}", "1".repeat(257)),
        ] {
            assert_eq!(passed_on(refused), None, "{refused}");
        }
        let members: Vec<_> = (0..33).map(|number| format!("a{number}=1")).collect();
        assert_eq!(
            passed_on(&members[..32].join(",")),
            Some(members[..32].join(","))
        );
        assert_eq!(passed_on(&members.join(",")), None);
    }

    #[test]
    fn long_lists_lose_long_members_and_then_the_last() {
        let long = format!("long={}", "x".repeat(200));
        let members: Vec<_> = (0..10)
            .map(|number| format!("a{number}={}", "x".repeat(47)))
            .collect();
        let list = format!("{long},{}", members.join(","));
        assert_eq!(passed_on(&list), Some(members.join(",")));
        let members: Vec<_> = (0..12)
            .map(|number| format!("a{}={}", number % 10, "x".repeat(47)))
            .collect();
        let passed = passed_on(&members.join(",")).unwrap();
        assert_eq!(passed, members[..10].join(","));
        assert!(passed.len() <= LONGEST);
    }
}
