//! Lexical forms.
use super::content::Content;
use super::element::Element;
use super::error::ReadError;
use super::value::Value;
impl Value for String {
    fn read(&mut self, element: &mut Element<'_>) -> Result<(), ReadError> { *self = element.text()?.into_owned(); Ok(()) }
    fn write(&self, name: &str, out: &mut Content<'_>) { out.text(name, self); }
}
macro_rules! x { ($($t:ty)*) => {$(impl Value for $t {
    fn read(&mut self, _element: &mut Element<'_>) -> Result<(), ReadError> { todo!() }
    fn write(&self, name: &str, out: &mut Content<'_>) { out.plain(name, self.to_string().as_bytes()); }
})*}}
x!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
impl Value for Vec<u8> {
    const REPEATED: bool = true;
    fn read(&mut self, _element: &mut Element<'_>) -> Result<(), ReadError> { todo!() }
    fn write(&self, name: &str, out: &mut Content<'_>) { out.bytes(name, self); }
}
