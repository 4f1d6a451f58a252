//! Example values, for hints.

use svcgen_model::SimpleType;

/// An example of a value of a simple type.
pub(super) fn example(simple: SimpleType) -> &'static str {
    use SimpleType::*;
    match simple {
        Boolean => "`true` or `false`",
        Float | Double => "a number such as `1.5`, `INF`, `-INF` or `NaN`",
        Decimal => "a number such as `2.50`, of up to 28 digits",
        Char => "the number of a UTF-16 code unit: `65` for `A`",
        Guid => "like `6f9619ff-8b86-d011-b42d-00cf4fc964ff`",
        DateTime => "like `2024-02-29T12:30:00`",
        Date => "like `2024-02-29`",
        Time => "like `12:30:00`",
        Duration => "like `P1DT12H`",
        simple if simple.is_text() => "a text without line ends and other control characters",
        _ => "a whole number that the type can hold",
    }
}
