//! HTTP GET: the parameters stand in the query.

use super::form::{Form, TooManyFields};
use crate::limits::Limits;

/// The parameters of a query.
pub(crate) fn read<'q>(query: &'q [u8], limits: &Limits) -> Result<Form<'q>, TooManyFields> {
    Form::read(query, None, limits.parameters)
}

/// The path and query of a call; no `?` without parameters.
pub(crate) fn target(path: &str, operation: &str, parameters: &str) -> String {
    let question_mark = if parameters.is_empty() { "" } else { "?" };
    format!("{path}/{operation}{question_mark}{parameters}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        assert_eq!(target("/a.asmx", "Login", "u=1"), "/a.asmx/Login?u=1");
        assert_eq!(target("/a.asmx", "NoOp", ""), "/a.asmx/NoOp");
    }
}
