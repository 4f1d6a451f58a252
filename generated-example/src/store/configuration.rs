//! What a device is told.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row, query};

use super::error::StoreError;
use super::rows::truth;

/// What a device is told, from the configuration and the account's own settings.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "named as in the interface")]
pub struct DeviceConfiguration {
    pub real_time_host: String,
    pub real_time_port: i32,
    pub real_time_protocol: String,
    pub real_time_auth_host: String,
    pub real_time_auth_port: i32,
    pub real_time_auth_protocol: String,
    pub entry_point_url: String,
    pub base_url: String,
    pub client_support_phone: String,
    pub mobile_support_email: String,
    pub max_news_headlines: i32,
    pub min_news_auto_refresh_time: i32,
    pub quotes_data_vendor_id: i32,
    pub idms_mobile_quotes: bool,
    pub idms_security_profile: bool,
    pub news_sources: Vec<NewsSource>,
}

/// A kind of news that a device may search.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "named as in the interface")]
pub struct NewsSource {
    pub id: i32,
    pub name: String,
    pub checked_by_default: bool,
}

/// What a device of that account is told.
///
/// # Errors
///
/// The store cannot be read.
pub async fn device_configuration(
    connection: &mut AnyConnection,
    account: i64,
) -> Result<DeviceConfiguration, StoreError> {
    let sources = query("SELECT id, name, checked_by_default FROM news_sources ORDER BY id")
        .fetch_all(&mut *connection)
        .await?;
    let row = query("SELECT * FROM configuration, accounts WHERE accounts.id = $1")
        .bind(account)
        .fetch_one(connection)
        .await?;
    let news_sources = sources.iter().map(news_source).collect::<Result<_, _>>()?;
    Ok(DeviceConfiguration {
        real_time_host: row.try_get("real_time_host")?,
        real_time_port: row.try_get("real_time_port")?,
        real_time_protocol: row.try_get("real_time_protocol")?,
        real_time_auth_host: row.try_get("real_time_auth_host")?,
        real_time_auth_port: row.try_get("real_time_auth_port")?,
        real_time_auth_protocol: row.try_get("real_time_auth_protocol")?,
        entry_point_url: row.try_get("entry_point_url")?,
        base_url: row.try_get("base_url")?,
        client_support_phone: row.try_get("client_support_phone")?,
        mobile_support_email: row.try_get("mobile_support_email")?,
        max_news_headlines: row.try_get("max_news_headlines")?,
        min_news_auto_refresh_time: row.try_get("min_news_auto_refresh_time")?,
        quotes_data_vendor_id: row.try_get("quotes_data_vendor_id")?,
        idms_mobile_quotes: truth(&row, "idms_mobile_quotes")?,
        idms_security_profile: truth(&row, "idms_security_profile")?,
        news_sources,
    })
}

fn news_source(row: &AnyRow) -> Result<NewsSource, sqlx::Error> {
    Ok(NewsSource {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        checked_by_default: truth(row, "checked_by_default")?,
    })
}
