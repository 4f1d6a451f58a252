//! How to connect to a database.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sqlx::any::AnyConnectOptions;
use sqlx::postgres::PgConnectOptions;

use super::database::Database;
use super::error::StoreError;

/// The options of a connection.
pub(super) fn options(database: &Database) -> Result<AnyConnectOptions, StoreError> {
    sqlx::any::install_default_drivers();
    let url = match database {
        Database::File(path) => {
            let path = path
                .to_str()
                .ok_or_else(|| StoreError::Name(path.to_owned()))?;
            format!("sqlite:{}", utf8_percent_encode(path, NON_ALPHANUMERIC))
        }
        Database::Server(url) => {
            if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
                let (scheme, _) = url.split_once("://").unwrap_or((url, ""));
                return Err(StoreError::Scheme(scheme.to_owned()));
            }
            url.parse::<PgConnectOptions>().map_err(StoreError::Url)?;
            url.clone()
        }
    };
    url.parse().map_err(StoreError::Url)
}
