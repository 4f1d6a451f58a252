//! Facts about the facets of a service, computed once.

use std::collections::HashMap;

use regex::{Regex, RegexBuilder};
use svcgen_model::{
    At, ComplexType, Element, Facet, Module, Service, TypeAt, elements_of, translate_pattern,
};

/// The maximum size of a compiled pattern in bytes: enough for every pattern that is translated.
const COMPILED: usize = 32 << 20;

/// The facets of a service, for its messages and for texts outside of messages.
#[derive(Debug)]
pub struct FacetRules {
    /// The compiled patterns, by their text.
    patterns: HashMap<String, Regex>,
    /// The complex types by name.
    types: HashMap<String, Vec<TypePath>>,
}

/// A complex type, with its own namespace if it is not the service's: the indexes of the modules on
/// the path to it, each included by the one before, and its index.
#[derive(Debug)]
struct TypePath {
    namespace: Option<String>,
    modules: Vec<usize>,
    index: usize,
}

impl FacetRules {
    /// Collects the facets of a service.
    ///
    /// # Panics
    ///
    /// Panics if a pattern is not a regular expression of XML Schema.
    pub fn of(service: At<'_, Service<'_>>) -> Self {
        let mut rules = Self {
            patterns: HashMap::new(),
            types: HashMap::new(),
        };
        for operation in service.operations() {
            for element in elements_of(service, operation) {
                rules.compile(element);
            }
        }
        rules.collect(service.module(), &mut Vec::new(), &mut Vec::new());
        rules
    }

    fn collect<'m>(
        &mut self,
        module: At<'m, Module<'m>>,
        path: &mut Vec<usize>,
        seen: &mut Vec<At<'m, Module<'m>>>,
    ) {
        if seen.contains(&module) {
            return;
        }
        seen.push(module);
        for (index, complex) in module.types().enumerate() {
            let parts = complex.attributes().chain(complex.text());
            parts
                .chain(complex.elements())
                .for_each(|element| self.compile(element));
            let paths = self.types.entry(complex.name.to_owned()).or_default();
            paths.push(TypePath {
                namespace: complex.scope.namespace.map(str::to_owned),
                modules: path.clone(),
                index,
            });
        }
        for (number, included) in module.includes().enumerate() {
            path.push(number);
            self.collect(included, path, seen);
            path.pop();
        }
    }

    /// Compiles the patterns of an element, including those of its items, values or union members.
    fn compile<'m>(&mut self, mut element: At<'m, Element<'m>>) {
        while let TypeAt::List(item) | TypeAt::Dictionary(item) = element.type_at() {
            element = item;
        }
        element.union().for_each(|member| self.compile(member));
        let patterns = element.row().facets.iter();
        let patterns = patterns.filter(|(facet, _)| *facet == Facet::Pattern);
        for (_, pattern) in patterns {
            if !self.patterns.contains_key(*pattern) {
                self.patterns
                    .insert((*pattern).to_owned(), compiled(pattern));
            }
        }
    }

    /// Whether a text matches a pattern.
    pub(super) fn is_match(&self, pattern: &str, text: &str) -> bool {
        let compiled = self.patterns.get(pattern);
        compiled.is_some_and(|compiled| compiled.is_match(text))
    }

    /// The complex type with a name, in the module of the service or one that it includes.
    pub(crate) fn complex<'m>(
        &self,
        module: At<'m, Module<'m>>,
        namespace: Option<&str>,
        name: &str,
    ) -> Option<At<'m, ComplexType<'m>>> {
        let mut paths = self.types.get(name)?.iter();
        let path = paths.find(|path| path.namespace.as_deref() == namespace)?;
        let mut numbers = path.modules.iter();
        let module = numbers.try_fold(module, |module, number| module.includes().nth(*number))?;
        module.types().nth(path.index)
    }
}

fn compiled(pattern: &str) -> Regex {
    let translated = translate_pattern(pattern).unwrap_or_else(|error| {
        panic!("`{pattern}` is not a regular expression of XML Schema: {error}")
    });
    let regex = RegexBuilder::new(&translated).size_limit(COMPILED).build();
    regex.unwrap_or_else(|error| panic!("`{pattern}` cannot be checked: {error}"))
}

#[cfg(test)]
mod tests {
    use super::compiled;

    #[test]
    fn patterns_match_as_in_xml_schema() {
        let rows: &[(&str, &[&str], &[&str])] = &[
            ("[0-9]{5}", &["12345"], &["1234", "123456", "12345\n", ""]),
            ("", &[""], &["a"]),
            ("a|", &["a", ""], &["b"]),
            ("^a$", &["^a$"], &["a"]),
            (r"\i\c*", &["_a-1", "\u{E9}.", ":"], &["1a", "", "-"]),
            (r"\I", &["1", "-"], &["a"]),
            (r"\C", &[" "], &["-", "1"]),
            ("[a-z-[aeiou]]+", &["xyz"], &["xaz", "A"]),
            ("[^a-z-[A-Z]]", &["1"], &["a", "A"]),
            ("[a-z-[b-y-[m]]]+", &["amz"], &["b"]),
            (r"\p{IsBasicLatin}*", &["az"], &["\u{E9}"]),
            (r"\P{IsGreek}", &["a"], &["\u{3B1}"]),
            (r"\p{Lu}\p{Ll}", &["Az", "\u{C9}\u{E9}"], &["aZ"]),
            (r"\d", &["7", "\u{0667}"], &["a"]),
            (r"\D", &["a"], &["7"]),
            (r"\w", &["a", "1", "\u{E9}", "+"], &[" ", ".", "-"]),
            (r"\W", &[".", " "], &["a"]),
            (r"\s\S", &["\ta"], &["aa", "\u{A0}a"]),
            (".", &["a", "\u{2028}", "\u{1F600}"], &["\n", "\r", ""]),
            (r"\-\.\\\{", &[r"-.\{"], &["-a"]),
            ("a{2,}b{0,1}", &["aa", "aaab"], &["a", "aabb"]),
            ("(ab|c){2}", &["abc", "cc"], &["ab"]),
            ("#a b", &["#a b"], &["#ab"]),
        ];
        for (pattern, right, wrong) in rows {
            let compiled = compiled(pattern);
            for text in *right {
                assert!(compiled.is_match(text), "{pattern} {text:?}");
            }
            for text in *wrong {
                assert!(!compiled.is_match(text), "{pattern} {text:?}");
            }
        }
    }

    #[test]
    fn whatever_is_translated_is_compiled() {
        for category in [
            "L",
            "Lu",
            "Ll",
            "Lt",
            "Lm",
            "Lo",
            "M",
            "Mn",
            "Mc",
            "Me",
            "N",
            "Nd",
            "Nl",
            "No",
            "P",
            "Pc",
            "Pd",
            "Ps",
            "Pe",
            "Pi",
            "Pf",
            "Po",
            "Z",
            "Zs",
            "Zl",
            "Zp",
            "S",
            "Sm",
            "Sc",
            "Sk",
            "So",
            "C",
            "Cc",
            "Cf",
            "Co",
            "Cn",
            "IsSpecials",
            "IsTags",
            "IsPrivateUse",
        ] {
            compiled(&format!(r"\p{{{category}}}"));
            compiled(&format!(r"\P{{{category}}}{{50}}"));
        }
        for large in [
            r"\w{500}",
            r"[^\w-[\i]]{0,500}",
            r"[\i\c]{500}",
            "[^a]{5000}",
            ".{0,5000}",
        ] {
            compiled(large);
        }
        let deep = format!("{}a{}", "(".repeat(50), ")".repeat(50));
        compiled(&deep);
        compiled(&format!("{}b{}", "[a-".repeat(49) + "[", "]".repeat(50)));
    }
}
