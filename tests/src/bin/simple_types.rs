//! Reads and writes simple values for `interop/simple_types.py`.
//!
//! The answer to a line `TYPE<tab><v>text</v>` is the element that is written for the value, or
//! `error` and the reason why the text is not a value.

use std::io::{BufRead as _, Write as _};

use svcgen::Limits;
use svcgen::codegen::{Content, Reader, Value};
use svcgen::types::{Date, DateTime, Decimal, Duration, Guid, HexBinary, Integer, QName, Time};

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (kind, document) = line.split_once('\t').unwrap_or_default();
        match answer(kind, document) {
            Ok(document) => writeln!(out, "{document}")?,
            Err(why) => writeln!(out, "error {why}")?,
        }
    }
    out.flush()
}

fn answer(kind: &str, document: &str) -> Result<String, String> {
    match kind {
        "double" => echo::<f64>(document),
        "float" => echo::<f32>(document),
        "decimal" => echo::<Decimal>(document),
        "integer" => echo::<Integer>(document),
        "long" => echo::<i64>(document),
        "int" => echo::<i32>(document),
        "short" => echo::<i16>(document),
        "byte" => echo::<i8>(document),
        "unsignedLong" => echo::<u64>(document),
        "unsignedInt" => echo::<u32>(document),
        "unsignedShort" => echo::<u16>(document),
        "unsignedByte" => echo::<u8>(document),
        "boolean" => echo::<bool>(document),
        "dateTime" => echo::<DateTime>(document),
        "date" => echo::<Date>(document),
        "time" => echo::<Time>(document),
        "duration" => echo::<Duration>(document),
        "guid" => echo::<Guid>(document),
        "hexBinary" => echo::<HexBinary>(document),
        "base64Binary" => echo::<Vec<u8>>(document),
        "QName" => echo::<QName>(document),
        "char" => echo::<char>(document),
        _ => Err(format!("no type is called '{kind}'")),
    }
}

fn echo<T: Value + Default>(document: &str) -> Result<String, String> {
    let value: T = read(document).map_err(|error| error.to_string())?;
    let mut written = Vec::new();
    let mut content = Content::compact(&mut written);
    content.element("v", &value);
    content.finish().map_err(|error| error.to_string())?;
    String::from_utf8(written).map_err(|error| error.to_string())
}

fn read<T: Value + Default>(document: &str) -> Result<T, svcgen::ReadError> {
    let limits = Limits::default();
    let mut reader = Reader::new(document, &limits);
    let mut value = T::default();
    reader.root()?;
    reader.read(&mut value)?;
    reader.finish()?;
    Ok(value)
}
