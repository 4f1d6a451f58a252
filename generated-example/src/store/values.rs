//! Values of statements and results, the same for both databases.

use super::error::StoreError;

/// A value of a type that both databases have; `None` is NULL of that type.
#[derive(Clone)]
#[expect(missing_docs, reason = "as it says")]
pub enum Value {
    Number(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

/// Hides the value, which may be a secret.
impl std::fmt::Debug for Value {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Number(None) | Self::Text(None) | Self::Bytes(None) => "NULL",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
        })
    }
}

macro_rules! into_value {
    ($($from:ty, $value:ident => $to:expr;)*) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $to
            }
        })*
    };
}

into_value! {
    i64, number => Self::Number(Some(number));
    i32, number => Self::Number(Some(number.into()));
    // Truth values are 0 and 1, because SQLite's tables have no type for them.
    bool, truth => Self::Number(Some(truth.into()));
    Option<i64>, number => Self::Number(number);
    &str, text => Self::Text(Some(text.to_owned()));
    String, text => Self::Text(Some(text));
    &[u8; 32], bytes => Self::Bytes(Some(bytes.to_vec()));
}

/// The parameters of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => { vec![$($crate::store::Value::from($value)),*] };
}
pub(crate) use values;

/// A type as which values are read.
pub trait FromValue: Sized {
    /// The value, if it is of that type.
    fn from_value(value: &Value) -> Option<Self>;
}

impl FromValue for i64 {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => *number,
            _ => None,
        }
    }
}

impl FromValue for i32 {
    fn from_value(value: &Value) -> Option<Self> {
        i64::from_value(value)?.try_into().ok()
    }
}

impl FromValue for bool {
    fn from_value(value: &Value) -> Option<Self> {
        Some(i64::from_value(value)? != 0)
    }
}

impl FromValue for String {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => text.clone(),
            _ => None,
        }
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Bytes(bytes) => bytes.clone(),
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Number(None) | Value::Text(None) | Value::Bytes(None) => Some(None),
            value => Some(Some(T::from_value(value)?)),
        }
    }
}

/// A row of a result.
#[derive(Debug)]
pub struct Row(pub(super) Vec<(String, Value)>);

impl Row {
    /// Returns the column of a name.
    ///
    /// # Errors
    ///
    /// There is no such column, or its value has another type.
    pub fn get<T: FromValue>(&self, column: &str) -> Result<T, StoreError> {
        let found = self.0.iter().position(|(name, _)| name == column);
        self.at(found.unwrap_or(usize::MAX))
    }

    pub(super) fn at<T: FromValue>(&self, index: usize) -> Result<T, StoreError> {
        let found = self.0.get(index);
        found
            .and_then(|(_, value)| T::from_value(value))
            .ok_or_else(|| {
                let what = found.map_or_else(
                    || "a column is missing".to_owned(),
                    |(name, value)| format!("{name} is {value:?}"),
                );
                StoreError::Sql(what.into())
            })
    }
}
