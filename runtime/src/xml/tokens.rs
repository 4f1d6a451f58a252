//! skeleton
use std::borrow::Cow;
use super::error::{ReadError, ReadErrorKind};
use crate::limits::Limits;
pub(super) struct Tokens<'i> { pub(super) encoding: Option<&'i str>, input: &'i str }
impl<'i> Tokens<'i> {
    pub(super) fn new(input: &'i str, _limits: &Limits) -> Self { Self { encoding: None, input } }
    pub(super) fn root(&mut self) -> Result<(), ReadError> { todo!() }
    pub(super) fn child(&mut self) -> Result<bool, ReadError> { todo!() }
    pub(super) fn finish(&mut self) -> Result<(), ReadError> { todo!() }
    pub(super) fn local_name(&self) -> &'i str { todo!() }
    pub(super) fn name(&self) -> &'i str { self.input }
    pub(super) fn namespace(&self) -> &str { todo!() }
    pub(super) fn attribute(&self, _namespace: &str, _local_name: &str) -> Option<&str> { todo!() }
    pub(super) fn enter_value(&mut self) -> usize { todo!() }
    pub(super) fn leave_value(&mut self, _outer: usize) { todo!() }
    pub(super) fn text(&mut self) -> Result<Cow<'i, str>, ReadError> { todo!() }
    pub(super) fn qualified_name(&mut self) -> Result<(String, String), ReadError> { todo!() }
    pub(super) fn skip(&mut self) -> Result<&'i str, ReadError> { todo!() }
    pub(super) fn error_at_element(&self, _kind: ReadErrorKind, _message: String) -> ReadError { todo!() }
    pub(super) fn element_position(&self) -> (usize, usize) { todo!() }
    pub(super) fn path(&self) -> String { todo!() }
}
