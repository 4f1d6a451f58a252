//! Enumerations whose values are sets, `[Flags]` in .NET.

use std::borrow::Cow;
use std::fmt;

use svcgen_model as model;

use super::content::Content;
use super::element::Element;
use super::enumeration::{UnknownName, index_of, read_enumeration, refuse_name};
use super::simple::number::trim;
use crate::xml::error::ReadError;

/// A set of the values of an enumeration: the sum of their numbers in .NET.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for an enumeration of flags",
    label = "does not implement `svcgen::codegen::Flags`"
)]
pub trait Flags: Copy + 'static {
    /// Its name, and the names and numbers of its values.
    const TYPE: &'static model::Enumeration<'static>;

    /// The sum of the numbers.
    fn bits(self) -> i64;

    /// The set with this sum. A set with other bits than those of its values cannot be written.
    fn from_bits(bits: i64) -> Self;

    /// The set with these names, separated by white space.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is not in the enumeration.
    fn parse(names: &str) -> Result<Self, UnknownName> {
        let bits = sum(Self::TYPE, names.split_ascii_whitespace(), index_of);
        bits.map(Self::from_bits)
            .map_err(|_| UnknownName(Self::TYPE))
    }

    /// Writes the names, separated by blanks, or the number if it has no names.
    ///
    /// # Errors
    ///
    /// Returns the error of the formatter.
    fn fmt(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match names_in_xml(Self::TYPE, self.bits()) {
            Some(names) => f.pad(&names),
            None => fmt::Display::fmt(&self.bits(), f),
        }
    }
}

/// The sum of the numbers of the named values. The error is the first unknown name.
fn sum<'t>(
    row: &model::Enumeration<'_>,
    mut names: impl Iterator<Item = &'t str>,
    index: impl Fn(&model::Enumeration<'_>, &str) -> Option<usize>,
) -> Result<i64, &'t str> {
    names.try_fold(0, |bits, name| {
        let number = index(row, name).and_then(|index| row.numbers().nth(index));
        Ok(bits | number.ok_or(name)?)
    })
}

/// The names of a set, as .NET writes them: that of the value with exactly this number, or else
/// those of the values in it, in their order.
pub fn names<'r>(
    row: &model::Enumeration<'r>,
    bits: i64,
    between: &str,
    name: impl Fn(&model::Value<'r>) -> &'r str,
) -> Option<Cow<'r, str>> {
    let values = || row.numbers().zip(row.values);
    if let Some((_, value)) = values().find(|(number, _)| *number == bits) {
        return Some(Cow::Borrowed(name(value)));
    }
    let (mut names, mut left) = (String::new(), bits);
    for (number, value) in values() {
        if number != 0 && bits & number == number && left != 0 {
            left &= !number;
            names.push_str(if names.is_empty() { "" } else { between });
            names.push_str(name(value));
        }
    }
    (left == 0).then_some(Cow::Owned(names))
}

fn names_in_xml<'r>(row: &model::Enumeration<'r>, bits: i64) -> Option<Cow<'r, str>> {
    names(row, bits, " ", |value| value.name)
}

/// Reads a set as its names, or as its sum if it has no names.
fn read_names(
    element: &mut Element<'_>,
    row: &model::Enumeration<'_>,
) -> Result<String, ReadError> {
    let bits = read_bits(element, row)?;
    Ok(names_in_xml(row, bits).map_or_else(|| bits.to_string(), Cow::into_owned))
}

/// The sum that names or a number denote. The error is the first unknown name.
fn bits<'t>(row: &model::Enumeration<'_>, text: &'t str) -> Result<i64, &'t str> {
    let number = text.trim().parse();
    number.or_else(|_| sum(row, text.split_ascii_whitespace(), index_of))
}

impl Element<'_> {
    /// Reads the names of a set, separated by white space; in a form they are separated by commas,
    /// or replaced by the number of the set.
    pub fn flags<F: Flags>(&mut self, value: &mut F) -> Result<(), ReadError> {
        *value = F::from_bits(read_bits(self, F::TYPE)?);
        Ok(())
    }
}

fn read_bits(element: &mut Element<'_>, row: &model::Enumeration<'_>) -> Result<i64, ReadError> {
    let text = match element.source() {
        Some((source, node)) => source.enumeration(node, row, false)?,
        None => element.text_to_check()?,
    };
    let bits = if element.is_form() {
        bits_in_form(row, &text)
    } else {
        sum(row, text.split_ascii_whitespace(), index_of)
    };
    let kind = || match row.net {
        Some(net) if !element.is_form() => format!("global::{net}"),
        net => net.unwrap_or(row.name).to_owned(),
    };
    let bits = bits.map_err(|name| refuse_name(element, name, &kind()))?;
    element.close();
    Ok(bits)
}

/// The sum that a form text denotes; only for sets that can be written.
fn bits_in_form<'t>(row: &model::Enumeration<'_>, text: &'t str) -> Result<i64, &'t str> {
    if let Ok(bits) = trim(text).parse() {
        let known = names(row, bits, "", |value| value.name);
        return known.map(|_| bits).or((bits == 0).then_some(0)).ok_or(text);
    }
    sum(row, text.split(',').map(trim), |row, name| {
        let mut values = row.values.iter();
        let by_net = values.position(|value| value.net == Some(name));
        by_net.or_else(|| index_of(row, name))
    })
    .map_err(|_| text)
}

impl Content<'_> {
    /// Writes the names of a set.
    pub fn flags<F: Flags>(&mut self, name: &str, value: F) {
        self.flag_bits(name, F::TYPE, value.bits());
    }

    fn flag_bits(&mut self, name: &str, row: &model::Enumeration<'_>, bits: i64) {
        if self.is_sink() {
            return self.number(name, Some(bits), "");
        }
        let names = if self.is_form() {
            let number = || (bits == 0).then_some(Cow::Borrowed("0"));
            names(row, bits, ", ", model::Value::field_name)
                .filter(|names| !names.is_empty())
                .or_else(number)
        } else {
            names_in_xml(row, bits)
        };
        match names {
            Some(names) => self.text(name, &names),
            None => {
                let kind = row.net.unwrap_or(row.name);
                self.fail(format!(
                    "Instance validation error: '{bits}' is not a valid value for {kind}."
                ));
            }
        }
    }
}

impl Element<'_> {
    /// Reads the name of a value of an enumeration whose row is only known at run time, as it is in
    /// XML; for flags the names, separated by blanks, or the sum if it has no names. An open
    /// enumeration keeps unknown names.
    ///
    /// # Errors
    ///
    /// Returns an error if the enumeration has no such value.
    pub fn enumeration_name(
        &mut self,
        row: &model::Enumeration<'_>,
        is_open: bool,
    ) -> Result<String, ReadError> {
        if row.flags {
            return read_names(self, row);
        }
        let known = |index: usize| row.values[index].name.to_owned();
        read_enumeration(self, row, is_open, known, |name| {
            is_open.then(|| name.to_owned())
        })
    }
}

impl Content<'_> {
    /// Writes a value of an enumeration whose row is only known at run time, by its name in XML;
    /// flags by their names, separated by blanks, or by their sum.
    pub fn enumeration_name(&mut self, name: &str, row: &model::Enumeration<'_>, text: &str) {
        if !row.flags {
            return self.enumeration_text(name, row, text);
        }
        match bits(row, text) {
            Ok(bits) => self.flag_bits(name, row, bits),
            Err(unknown) => {
                self.fail(format!(
                    "'{name}' holds '{unknown}', which {} does not have.",
                    row.name
                ));
            }
        }
    }
}
