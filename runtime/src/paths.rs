//! The paths at which services stand, and which of them a request asks for.

use std::borrow::Cow;
use std::fmt;

#[cfg(feature = "axum")]
use axum::extract::OriginalUri;
use http::request;
use svcgen_model::path_complaint;

use crate::form::decode::percent_decode;

/// The error for a path at which no service can stand.
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
/// There is none, one is not a path as a definition has it, or two of them meet.
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

/// A path of each that a request can be for: they are the same without regard to letter case, or one is below the other.
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

/// The percent-decoded path below a service's path, which is compared without regard to case. `None` for another path, empty for the path itself.
///
/// An encoded separator makes another path: proxies that decide by path do not decode it.
fn path_below<'p>(service: &str, path: &'p str) -> Option<Cow<'p, str>> {
    let is_separator = |escape: &str| {
        escape.get(..2).is_some_and(|digits| {
            ["2f", "5c"]
                .iter()
                .any(|separator| digits.eq_ignore_ascii_case(separator))
        })
    };
    let encoded = path;
    let (service, path) = (percent_decode(service), percent_decode(path));
    if matches!(path, Cow::Owned(_)) && encoded.split('%').skip(1).any(is_separator) {
        return None;
    }
    let (start, rest) = path.split_at_checked(service.len())?;
    let same = start == service || start.eq_ignore_ascii_case(&service);
    if !same || !(rest.is_empty() || rest.starts_with('/')) {
        return None;
    }
    Some(match path {
        Cow::Borrowed(path) => Cow::Borrowed(&path[service.len()..]),
        Cow::Owned(_) => Cow::Owned(rest.to_owned()),
    })
}

/// The path of a request.
///
/// A router around may have cut off the start of the path, and tells the whole: then a service stands at the rest, or else at
/// the longest of the paths that end the start (`/v1/Greeter.asmx`, of which nothing is left).
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskedPath<'p> {
    /// As its caller wrote it.
    whole: &'p str,
    /// The length of the start that was cut off.
    cut: usize,
}

/// A request for a path of a service.
#[derive(Debug)]
pub(crate) struct Found<'p> {
    /// What stands before the path of the service.
    #[cfg_attr(
        not(feature = "documents"),
        allow(dead_code, reason = "for addresses in documents")
    )]
    pub(crate) mount: &'p str,
    /// The rest, as its caller wrote it.
    #[cfg_attr(
        not(feature = "documents"),
        allow(dead_code, reason = "for addresses in documents")
    )]
    pub(crate) path: &'p str,
    /// What is below the path of the service, percent-decoded; empty for the path itself.
    pub(crate) below: Cow<'p, str>,
}

impl<'p> AskedPath<'p> {
    /// The path that a request asks for.
    pub(crate) fn of(parts: &'p request::Parts) -> Self {
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

    /// As its caller wrote it.
    #[cfg(feature = "fallback")]
    pub(crate) fn whole(self) -> &'p str {
        self.whole
    }

    /// What a router has cut off, if nothing but `/` is left.
    #[cfg(feature = "documents")]
    pub(crate) fn root(self) -> Option<&'p str> {
        let (mount, path) = self.whole.split_at(self.cut);
        matches!(path, "" | "/").then_some(mount)
    }

    /// The first of these services, with their paths, that the request is for.
    pub(crate) fn find<'s, S>(
        self,
        services: impl Iterator<Item = (S, &'s [String])> + Clone,
    ) -> Option<(S, Found<'p>)> {
        let at = |start| {
            let (mount, path) = self.whole.split_at(start);
            services.clone().find_map(|(service, paths)| {
                let below = paths.iter().find_map(|own| path_below(own, path))?;
                Some((service, Found { mount, path, below }))
            })
        };
        let mut starts = self.whole[..self.cut].rmatch_indices('/');
        at(self.cut).or_else(|| starts.find_map(|(start, _)| at(start)))
    }
}
