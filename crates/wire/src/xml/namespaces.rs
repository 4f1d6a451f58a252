//! The namespace declarations in force (Namespaces in XML 1.0).

use std::borrow::Cow;
use std::collections::HashMap;

use super::scan::equal;

/// The namespace of the prefix `xml`.
pub const XML: &str = "http://www.w3.org/XML/1998/namespace";
pub(crate) const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
/// The namespace of XML Schema.
pub const XML_SCHEMA: &str = "http://www.w3.org/2001/XMLSchema";
/// The namespace of attributes of XML Schema in documents, such as `xsi:type`.
pub const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The namespaces of the envelopes of SOAP 1.1 and SOAP 1.2.
pub const ENVELOPES: [&str; 2] = [
    "http://schemas.xmlsoap.org/soap/envelope/",
    "http://www.w3.org/2003/05/soap-envelope",
];

/// Longer names, in bytes, are compared only when they are declared, not in every start tag that
/// uses them.
const SHORT: usize = 256;

/// Up to this number of declarations, a linear search is the fastest.
const FEW: usize = 24;

/// The namespace of a name, identified by its declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Namespace(u32);

impl Namespace {
    pub(crate) const NONE: Self = Self(u32::MAX);
    const XML: Self = Self(u32::MAX - 1);
}

#[derive(Debug, Clone, Default)]
pub struct Namespaces<'i> {
    bindings: Vec<Binding<'i>>,
    /// The innermost declaration of each prefix, once there were more than [`FEW`].
    innermost: Option<HashMap<&'i str, usize>>,
}

#[derive(Debug, Clone)]
struct Binding<'i> {
    /// Empty for the default namespace.
    prefix: &'i str,
    /// Empty if the declaration removes the default namespace.
    name: Cow<'i, str>,
    /// The outer declaration of the same prefix, if there were more than [`FEW`] declarations.
    hidden: Option<usize>,
    /// The outermost declaration of the same name, if the name is not short.
    first: Option<usize>,
}

/// A key that is equal for equal namespaces.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Identity<'n> {
    Name(&'n str),
    Declaration(usize),
}

impl<'i> Namespaces<'i> {
    /// The number of declarations in force.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.bindings.len() as u32
    }

    /// The bytes that a copy takes.
    pub(crate) fn size(&self) -> usize {
        let entry = 3 * size_of::<(&str, usize)>();
        let names = self.bindings.iter().map(|binding| match &binding.name {
            Cow::Borrowed(_) => 0,
            Cow::Owned(name) => name.len(),
        });
        self.bindings.len() * (size_of::<Binding<'_>>() + entry) + names.sum::<usize>()
    }

    /// Reserves space for this many declarations, before the first one.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.bindings = Vec::with_capacity(count);
    }

    /// The bytes that another declaration takes, or 0 if there is space for it.
    pub(crate) fn growth(&self) -> usize {
        let capacity = self.bindings.capacity();
        // An entry of the map, which may be half empty while it grows.
        let entry = 3 * size_of::<(&str, usize)>();
        if self.bindings.len() == capacity {
            capacity.max(4) * (size_of::<Binding<'_>>() + entry)
        } else {
            0
        }
    }

    /// Removes all but the first `count` declarations.
    pub(crate) fn truncate(&mut self, count: u32) {
        if let Some(innermost) = &mut self.innermost {
            for binding in self.bindings[count as usize..].iter().rev() {
                match binding.hidden {
                    Some(hidden) => innermost.insert(binding.prefix, hidden),
                    None => innermost.remove(binding.prefix),
                };
            }
        }
        self.bindings.truncate(count as usize);
    }

    /// Declares a prefix, or the default namespace for an empty one. Returns `false` if the same
    /// start tag already declares it, which is after the first `outer` declarations.
    pub(crate) fn declare(&mut self, outer: u32, prefix: &'i str, name: Cow<'i, str>) -> bool {
        let is_new = match self.innermost {
            None => !self.bindings[outer as usize..]
                .iter()
                .any(|binding| equal(binding.prefix, prefix)),
            Some(_) => self
                .find(prefix)
                .is_none_or(|declared| declared < outer as usize),
        };
        if is_new {
            self.push(prefix, name);
        }
        is_new
    }

    /// Declares a prefix that this start tag does not declare yet.
    #[inline]
    pub(crate) fn push(&mut self, prefix: &'i str, name: Cow<'i, str>) -> Namespace {
        let index = self.bindings.len();
        if index < FEW && name.len() <= SHORT && self.innermost.is_none() {
            self.bindings.push(Binding {
                prefix,
                name,
                hidden: None,
                first: None,
            });
            return Namespace(index as u32);
        }
        self.push_any(prefix, name)
    }

    #[inline(never)]
    fn push_any(&mut self, prefix: &'i str, name: Cow<'i, str>) -> Namespace {
        let index = self.bindings.len();
        if index == FEW && self.innermost.is_none() {
            self.innermost = Some(HashMap::new());
            for index in 0..FEW {
                self.bindings[index].hidden = self.enter(index, self.bindings[index].prefix);
            }
        }
        let hidden = self.enter(index, prefix);
        let first = (name.len() > SHORT).then(|| self.first(&name).unwrap_or(index));
        self.bindings.push(Binding {
            prefix,
            name,
            hidden,
            first,
        });
        Namespace(index as u32)
    }

    fn first(&self, name: &str) -> Option<usize> {
        self.bindings
            .iter()
            .position(|binding| *binding.name == *name)
    }

    fn enter(&mut self, index: usize, prefix: &'i str) -> Option<usize> {
        self.innermost.as_mut()?.insert(prefix, index)
    }

    /// The declaration of a prefix.
    fn find(&self, prefix: &str) -> Option<usize> {
        match &self.innermost {
            None => self
                .bindings
                .iter()
                .rposition(|binding| equal(binding.prefix, prefix)),
            Some(innermost) => innermost.get(prefix).copied(),
        }
    }

    /// The namespace of a prefix, or the default namespace for an empty one; `None` if it is not
    /// declared.
    pub fn resolve(&self, prefix: &str) -> Option<Namespace> {
        match self.find(prefix) {
            Some(index) if self.bindings[index].name.is_empty() => Some(Namespace::NONE),
            Some(index) => Some(Namespace(index as u32)),
            None if prefix.is_empty() => Some(Namespace::NONE),
            None if prefix == "xml" => Some(Namespace::XML),
            None => None,
        }
    }

    /// The name of a namespace, empty for none.
    pub fn name(&self, namespace: Namespace) -> &str {
        match namespace {
            Namespace::NONE => "",
            Namespace::XML => XML,
            Namespace(index) => &self.bindings[index as usize].name,
        }
    }

    /// The declarations in force after the first `after`, innermost last.
    pub(crate) fn declared(&self, after: u32) -> impl Iterator<Item = (&'i str, &Cow<'i, str>)> {
        self.bindings[after as usize..]
            .iter()
            .map(|binding| (binding.prefix, &binding.name))
    }

    /// The key to compare a namespace by.
    pub(crate) fn identity(&self, namespace: Namespace) -> Identity<'_> {
        let binding = self.bindings.get(namespace.0 as usize);
        match binding.and_then(|binding| binding.first) {
            Some(first) => Identity::Declaration(first),
            None => Identity::Name(self.name(namespace)),
        }
    }

    /// Whether two declarations are for the same namespace.
    pub(crate) fn same(&self, one: Namespace, other: Namespace) -> bool {
        one == other || self.identity(one) == self.identity(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_the_same_as_short_ones_are() {
        for length in [SHORT - 1, SHORT, SHORT + 1] {
            let (one, other) = ("n".repeat(length), "n".repeat(length - 1) + "m");
            let mut namespaces = Namespaces::default();
            let outer = namespaces.push("a", one.as_str().into());
            let again = namespaces.push("b", one.clone().into());
            let different = namespaces.push("c", other.as_str().into());
            assert!(namespaces.same(outer, again), "{length}");
            assert!(!namespaces.same(outer, different), "{length}");
            assert!(!namespaces.same(different, Namespace::NONE), "{length}");
            namespaces.truncate(1);
            let again = namespaces.push("c", one.as_str().into());
            assert!(namespaces.same(outer, again), "{length}");
        }
    }

    #[test]
    fn many_declarations_are_found_as_few_are() {
        let prefixes: Vec<String> = (0..3 * FEW).map(|index| format!("p{index}")).collect();
        let mut namespaces = Namespaces::default();
        for (index, prefix) in prefixes.iter().enumerate() {
            assert!(namespaces.declare(index as u32, prefix, "outer".into()));
        }
        let outer = namespaces.count();
        for prefix in &prefixes {
            assert!(namespaces.declare(outer, prefix, "inner".into()));
            assert!(!namespaces.declare(outer, prefix, "twice".into()));
        }
        let name = |namespaces: &Namespaces<'_>, prefix: &str| {
            let found = namespaces.resolve(prefix);
            found.map(|namespace| namespaces.name(namespace).to_owned())
        };
        assert_eq!(name(&namespaces, "p1").as_deref(), Some("inner"));
        assert_eq!(name(&namespaces, "p60").as_deref(), Some("inner"));
        namespaces.truncate(outer);
        assert_eq!(name(&namespaces, "p60").as_deref(), Some("outer"));
        namespaces.truncate(2);
        assert_eq!(name(&namespaces, "p1").as_deref(), Some("outer"));
        assert_eq!(name(&namespaces, "p2"), None);
        assert!(namespaces.declare(0, "p2", "again".into()));
        assert_eq!(name(&namespaces, "p2").as_deref(), Some("again"));
    }
}
