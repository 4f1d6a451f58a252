//! decimal.

use std::borrow::Cow;

use rust_decimal::Decimal;

use svcgen_model::SimpleType;

use super::invariant::without_commas;
use super::lexical::{rounds_up, take, take_digits};
use super::mismatch::Mismatch;
use super::number::{Digits, split_sign, trim};
use super::text_value::{Simple, simple_values};

simple_values!(Decimal);

/// The greatest mantissa: 96 bits.
const GREATEST: u128 = (1 << 96) - 1;
/// The maximum number of digits after the point.
const GREATEST_SCALE: u32 = 28;

/// Reads `[+-]digits[.digits]`; digits may be missing on one side of the point. Digits that do not
/// fit are rounded half to even, as in .NET; if they are before the point the number is out of
/// range.
fn parse(text: &str) -> Result<Decimal, Mismatch> {
    let (negative, mut rest) = split_sign(text);
    let whole = take_digits(&mut rest);
    let fraction = match take(&mut rest, '.') {
        Some(()) => take_digits(&mut rest),
        None => "",
    };
    if !rest.is_empty() || whole.len() + fraction.len() == 0 {
        return Err(Mismatch::Number);
    }
    let mantissa = whole.bytes().try_fold(0, append_digit);
    let mantissa = mantissa.ok_or(OUT_OF_RANGE)?;
    let (mantissa, scale) = add_fraction(mantissa, fraction);
    // Rounding exceeded 96 bits, and there is no digit to drop.
    if mantissa > GREATEST {
        return Err(OUT_OF_RANGE);
    }
    let mut value =
        Decimal::try_from_i128_with_scale(mantissa as i128, scale).map_err(|_| OUT_OF_RANGE)?;
    value.set_sign_negative(negative && mantissa != 0);
    Ok(value)
}

const OUT_OF_RANGE: Mismatch = Mismatch::Range("a Decimal");

fn append_digit(mantissa: u128, digit: u8) -> Option<u128> {
    Some(mantissa * 10 + u128::from(digit - b'0')).filter(|mantissa| *mantissa <= GREATEST)
}

/// Appends as many digits after the point as fit.
fn add_fraction(mut mantissa: u128, fraction: &str) -> (u128, u32) {
    let mut scale = 0;
    for digit in fraction.bytes() {
        match append_digit(mantissa, digit) {
            Some(longer) if scale < GREATEST_SCALE => mantissa = longer,
            _ => break,
        }
        scale += 1;
    }
    mantissa += u128::from(rounds_up(&fraction[scale as usize..], mantissa % 2 == 1));
    if mantissa > GREATEST && scale > 0 {
        // 2^96 ends in a 6.
        return (mantissa / 10 + 1, scale - 1);
    }
    (mantissa, scale)
}

/// Reads a decimal number that may have a trailing sign, and returns it as XML Schema writes it.
fn without_sign_at_end(text: &str) -> Cow<'_, str> {
    let text = without_commas(text);
    let unsigned = text.strip_suffix(['-', '+']).map(trim);
    match unsigned.filter(|unsigned| unsigned.starts_with(|c: char| c == '.' || c.is_ascii_digit()))
    {
        Some(unsigned) if text.ends_with('-') => Cow::Owned(format!("-{unsigned}")),
        Some(unsigned) => Cow::Owned(unsigned.to_owned()),
        None => text,
    }
}

/// XML Schema decimal, .NET `Decimal`: the same 96 bits and scale, so that `1.10` stays `1.10`.
impl Simple for Decimal {
    const TYPE: SimpleType = SimpleType::Decimal;

    fn read_text(text: &str) -> Result<Self, Mismatch> {
        parse(trim(text))
    }

    fn read_field(text: &str) -> Result<Self, Mismatch> {
        parse(&without_sign_at_end(text))
    }

    fn text(&self, write: impl FnOnce(&[u8])) {
        let mantissa = self.mantissa();
        let mut buffer = itoa::Buffer::new();
        // Most have at most 64 bits, which are faster to write.
        let digits = match u64::try_from(mantissa.unsigned_abs()) {
            Ok(short) => buffer.format(short),
            Err(_) => buffer.format(mantissa.unsigned_abs()),
        };
        let mut text = Digits::new();
        // .NET writes no `-0`.
        if mantissa < 0 {
            text.push(b"-");
        }
        text.push_with_point(digits.as_bytes(), digits.len() as i32 - self.scale() as i32);
        write(text.as_bytes());
    }
}
