//! Checks of facets: a message is read a second time by its rows, after its values were. Without the feature `facets` there is nothing here.

#[cfg(feature = "facets")]
mod known;
#[cfg(feature = "facets")]
mod text;
#[cfg(feature = "facets")]
pub(super) mod walk;

#[cfg(feature = "facets")]
use std::borrow::Cow;
#[cfg(feature = "facets")]
use std::fmt;
#[cfg(not(feature = "facets"))]
use std::marker::PhantomData;
#[cfg(feature = "facets")]
use std::sync::Arc;

use svcgen_model::{At, Operation};
#[cfg(feature = "facets")]
use svcgen_model::{Element, Service, SimpleType};

#[cfg(feature = "facets")]
use known::Known;

/// The facets that a server or a client checks: none, or those of its service.
#[derive(Clone, Default, Debug)]
pub struct Facets {
    #[cfg(feature = "facets")]
    known: Option<Arc<Known>>,
}

impl Facets {
    /// Those of a service, if they are checked.
    ///
    /// # Panics
    ///
    /// A pattern is no regular expression of XML Schema.
    #[cfg(feature = "facets")]
    pub fn of(service: At<'_, Service<'_>>, checked: bool) -> Self {
        let known = checked.then(|| Arc::new(Known::of(service)));
        Self { known }
    }
}

/// The facets of a service, for texts that are no part of a message.
#[cfg(feature = "facets")]
pub struct FacetRules(Known);

#[cfg(feature = "facets")]
impl FacetRules {
    /// Those of a service.
    ///
    /// # Panics
    ///
    /// A pattern is no regular expression of XML Schema.
    pub fn of(service: At<'_, Service<'_>>) -> Self {
        Self(Known::of(service))
    }

    /// The first facet of a row of the service that a text in XML does not have: its name and its limit.
    ///
    /// ```
    /// use svcgen::codegen::FacetRules;
    /// use svcgen::codegen::model::{At, Facet, Module, Service, SimpleType, TypeRef};
    /// use svcgen::codegen::model::{complex_type, element, operation};
    ///
    /// static MODULE: Module<'static> = Module::new(&[], &[]).with_service(Service::new(
    ///     "Codes",
    ///     "urn:x",
    ///     "/Codes.asmx",
    ///     &[operation(
    ///         "Find",
    ///         "urn:x/Find",
    ///         complex_type("Find", &[element("code", TypeRef::Simple(SimpleType::String))
    ///             .facets(&[(Facet::Pattern, "[A-Z]{2}")])]),
    ///         "FindResponse",
    ///     )],
    /// ));
    ///
    /// let service = At::service(&MODULE, None).unwrap();
    /// let parameters = service.operations().next().unwrap().parameters();
    /// let code = parameters.elements().next().unwrap();
    /// let rules = FacetRules::of(service);
    /// assert!(rules.violated(code, SimpleType::String, "AB").is_none());
    /// let (facet, limit) = rules.violated(code, SimpleType::String, "abc").unwrap();
    /// assert_eq!((facet, &*limit), ("pattern", "[A-Z]{2}"));
    /// ```
    pub fn violated<'f>(
        &self,
        row: At<'f, Element<'f>>,
        simple: SimpleType,
        text: &str,
    ) -> Option<(&'static str, Cow<'f, str>)> {
        self.0.violated(row, simple, text)
    }
}

#[cfg(feature = "facets")]
impl fmt::Debug for FacetRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FacetRules").finish_non_exhaustive()
    }
}

/// The part of a call that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The parameters.
    Parameters,
    /// The results in SOAP.
    Results,
    /// The result that HTTP GET and POST answer.
    Returned,
}

/// What is checked of the message that is being read.
#[derive(Clone, Copy, Default, Debug)]
pub struct Checks<'i> {
    #[cfg(feature = "facets")]
    known: Option<&'i Known>,
    #[cfg(feature = "facets")]
    part: Option<(At<'i, Operation<'i>>, Part)>,
    #[cfg(not(feature = "facets"))]
    nothing: PhantomData<&'i ()>,
}

#[cfg(feature = "facets")]
impl<'i> Checks<'i> {
    /// By the facets of a service.
    pub fn new(facets: &'i Facets) -> Self {
        let known = facets.known.as_deref();
        Self { known, part: None }
    }

    /// Says which part of which call is read.
    pub fn expect(&mut self, operation: At<'i, Operation<'i>>, part: Part) {
        self.part = Some((operation, part));
    }

    /// What is read, if it is to be checked.
    pub(super) fn expected(self) -> Option<(&'i Known, At<'i, Operation<'i>>, Part)> {
        let (known, (operation, part)) = (self.known?, self.part?);
        Some((known, operation, part))
    }
}

#[cfg(not(feature = "facets"))]
impl<'i> Checks<'i> {
    pub fn new(_: &'i Facets) -> Self {
        let nothing = PhantomData;
        Self { nothing }
    }

    pub fn expect(&mut self, _: At<'i, Operation<'i>>, _: Part) {}
}
