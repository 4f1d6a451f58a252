//! The paths of services, and the paths of requests.

use std::borrow::Cow;
use std::fmt;

#[cfg(feature = "axum")]
use axum::extract::OriginalUri;
use http::request;
use svcgen_model::{base_path, path_complaint};

use svcgen_wire::internals::form::{decode, percent_decode};

/// The error for a path that a service cannot have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidPath(String);

impl fmt::Display for InvalidPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidPath {}

/// Checks the paths of a service.
///
/// # Errors
///
/// There is no path, a path is not valid in a definition, or two paths conflict.
pub(crate) fn check_paths(paths: &[String]) -> Result<(), InvalidPath> {
    if paths.is_empty() {
        let none = "a service needs a path, such as `/Greeter.asmx`";
        return Err(InvalidPath(none.to_owned()));
    }
    for (index, path) in paths.iter().enumerate() {
        if let Some(complaint) = path_complaint(path) {
            return Err(InvalidPath(format!(
                "the path `{}` {complaint}; a path is what follows the host in the URL of a service, such as `/Greeter.asmx`",
                path.escape_debug()
            )));
        }
        if let Some((_, other)) = conflict(std::slice::from_ref(path), &paths[..index]) {
            return Err(InvalidPath(format!(
                "the paths `{other}` and `{path}` of a service meet: they are the same without regard to letter case, or one is below the other"
            )));
        }
    }
    Ok(())
}

/// Returns a path of a service in the form that is compared with paths of requests: without its
/// query, and with single slashes.
pub(crate) fn served(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    with_single_slashes(path).into_owned()
}

/// Returns a path of each list that conflict: they are equal without regard to letter case, or one
/// is below the other.
pub(crate) fn conflict<'p>(
    paths: &'p [String],
    others: &'p [String],
) -> Option<(&'p String, &'p String)> {
    paths.iter().find_map(|path| {
        let meets = |other: &&String| {
            path_below(path, other).is_some() || path_below(other, path).is_some()
        };
        Some((path, others.iter().find(meets)?))
    })
}

/// Returns the percent-decoded rest of a caller's path below a service's path, as servers read it;
/// `None` for another path, empty for the path itself.
pub fn below_path<'p>(service: &str, path: &'p str) -> Option<Cow<'p, str>> {
    below_single(service, &with_single_slashes(path))
}

/// Like [`below_path`], for paths with single slashes.
fn below_single<'p>(service: &str, path: &Cow<'p, str>) -> Option<Cow<'p, str>> {
    let Cow::Borrowed(path) = path else {
        return Some(path_below(service, path)?.into_owned().into());
    };
    // Most callers write it like this.
    if let Some(below) = path.strip_prefix(service)
        && (below.is_empty() || below.starts_with('/'))
        && !path.contains('%')
    {
        return Some(Cow::Borrowed(below));
    }
    path_below(service, path)
}

/// Returns the percent-decoded path below a service's path, which is compared without regard to
/// case; `None` for another path, empty for the path itself. If the service's path ends with `/`, a
/// path without it is the same.
///
/// A path with an encoded separator is another path, because proxies that decide by path do not
/// decode it.
fn path_below<'p>(service: &str, path: &'p str) -> Option<Cow<'p, str>> {
    let is_separator = |escape: &str| {
        escape.get(..2).is_some_and(|digits| {
            ["2f", "5c"]
                .iter()
                .any(|separator| digits.eq_ignore_ascii_case(separator))
        })
    };
    let (encoded, has_slash) = (path, service.ends_with('/'));
    let (service, path) = (percent_decode(base_path(service)), percent_decode(path));
    if matches!(path, Cow::Owned(_)) && encoded.split('%').skip(1).any(is_separator) {
        return None;
    }
    let (start, rest) = path.split_at_checked(service.len())?;
    let same = start == service || start.eq_ignore_ascii_case(&service);
    if !same || !(rest.is_empty() || rest.starts_with('/')) {
        return None;
    }
    if has_slash && rest == "/" {
        return Some(Cow::Borrowed(""));
    }
    Some(match path {
        Cow::Borrowed(path) => Cow::Borrowed(&path[service.len()..]),
        Cow::Owned(_) => Cow::Owned(rest.to_owned()),
    })
}

/// Returns a path with single slashes, as IIS reads it. Callers that join URLs may write more
/// slashes.
fn with_single_slashes(path: &str) -> Cow<'_, str> {
    if !path.contains("//") {
        return Cow::Borrowed(path);
    }
    let mut single = String::with_capacity(path.len());
    for character in path.chars() {
        if character != '/' || !single.ends_with('/') {
            single.push(character);
        }
    }
    Cow::Owned(single)
}

/// Returns the form of a path that another server may read, in upper case. Two paths with the same
/// form may be the same there.
///
/// Windows decodes `%XX` and `%uXXXX` once, reads `\` as `/`, resolves `.` and `..`, and drops dots
/// and spaces at the ends of names. ASP.NET drops the ids of sessions without cookies, as in
/// `/(S(id))/Shop.asmx`. Parameters (`;`), streams of files (`:`), encoded queries and text after
/// U+0000 do not change the named file.
fn canonical(path: &str) -> String {
    // In a path, `+` is not a space.
    let encoded = path.replace('+', "%2B");
    let decoded = decode(encoded.as_bytes(), None);
    let mut names: Vec<&str> = Vec::new();
    for name in decoded.split(['/', '\\']) {
        let name = name
            .split([';', ':', '?', '#', '\0'])
            .next()
            .unwrap_or_default();
        match name.trim_end_matches(' ') {
            ".." => drop(names.pop()),
            name => names.push(name.trim_end_matches(['.', ' '])),
        }
    }
    let mut canonical = String::with_capacity(path.len());
    for name in names {
        let after_id = name
            .strip_prefix('(')
            .and_then(|name| name.rsplit_once("))"));
        match after_id {
            Some((_, rest)) if !canonical.is_empty() => canonical.push_str(rest),
            _ => {
                let name = after_id.map_or(name, |(_, rest)| rest);
                if !name.is_empty() {
                    canonical.extend(["/", name]);
                }
            }
        }
    }
    canonical.to_uppercase()
}

/// The path of a request.
///
/// An outer router may have cut off the start of the path, but provides the whole. Then the path of
/// a service begins at the rest, or else at the last possible `/` of the start (`/v1/Greeter.asmx`,
/// all of which was cut off).
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskedPath<'p> {
    /// The whole path, as the caller wrote it.
    whole: &'p str,
    /// The length of the start that was cut off.
    cut: usize,
}

/// A request for a path of a service.
#[derive(Debug)]
pub(crate) struct Found<'p> {
    /// The prefix before the path of the service.
    #[cfg_attr(
        not(feature = "documents"),
        allow(dead_code, reason = "for addresses in documents")
    )]
    pub(crate) mount: &'p str,
    /// The rest of the path, as the caller wrote it but with single slashes.
    #[cfg_attr(
        not(feature = "documents"),
        allow(dead_code, reason = "for addresses in documents")
    )]
    pub(crate) path: Cow<'p, str>,
    /// The part below the path of the service, percent-decoded; empty for the path itself.
    pub(crate) below: Cow<'p, str>,
}

impl<'p> AskedPath<'p> {
    /// Returns the path of a request.
    pub fn of(parts: &'p request::Parts) -> Self {
        let path = parts.uri.path();
        #[cfg(feature = "axum")]
        if let Some(OriginalUri(original)) = parts.extensions.get() {
            let whole = original.path();
            // A router that cuts off everything leaves `/`.
            let start = whole.strip_suffix(path).or((path == "/").then_some(whole));
            if let Some(start) = start {
                return Self {
                    whole,
                    cut: start.len(),
                };
            }
        }
        Self {
            whole: path,
            cut: 0,
        }
    }

    /// Returns the whole path, as the caller wrote it.
    pub(crate) fn whole(self) -> &'p str {
        self.whole
    }

    /// Returns the part that a router has cut off, if at most `/` is left.
    #[cfg(feature = "documents")]
    pub(crate) fn root(self) -> Option<&'p str> {
        let (mount, path) = self.whole.split_at(self.cut);
        matches!(path, "" | "/").then_some(mount)
    }

    /// Returns the first of these services, with their paths, that the request is for.
    pub(crate) fn find<'s, S>(
        self,
        services: impl Iterator<Item = (S, &'s [String])> + Clone,
    ) -> Option<(S, Found<'p>)> {
        self.starts().find_map(|start| {
            let (mount, path) = self.whole.split_at(start);
            let path = with_single_slashes(path);
            services.clone().find_map(|(service, paths)| {
                let below = paths.iter().find_map(|own| below_single(own, &path))?;
                let (mount, path) = (mount.trim_end_matches('/'), path.clone());
                Some((service, Found { mount, path, below }))
            })
        })
    }

    /// Whether another server may read the path as one of these, or as a path below one.
    pub(crate) fn is_alias<'s>(self, mut paths: impl Iterator<Item = &'s String>) -> bool {
        let whole = canonical(self.whole);
        let starts = self.starts().map(|start| canonical(&self.whole[..start]));
        let rests: Vec<_> = starts
            .filter_map(|start| whole.strip_prefix(&*start))
            .collect();
        paths.any(|own| {
            let own = canonical(own);
            let mut below = rests.iter().filter_map(|rest| rest.strip_prefix(&*own));
            below.any(|below| below.is_empty() || below.starts_with('/'))
        })
    }

    /// Returns the offsets where the path of a service may start.
    fn starts(self) -> impl Iterator<Item = usize> {
        let before = self.whole[..self.cut].rmatch_indices('/');
        std::iter::once(self.cut).chain(before.map(|(start, _)| start))
    }
}

impl Found<'_> {
    /// Whether other servers read the part below the path of the service in the same way.
    pub(crate) fn is_canonical(&self) -> bool {
        canonical(&self.below) == self.below.trim_end_matches('/').to_uppercase()
    }
}
