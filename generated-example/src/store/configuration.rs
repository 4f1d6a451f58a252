//! The configuration that a device gets.

use super::connection::Connection;
use super::error::StoreError;
use super::values::{Row, values};

/// The configuration of a device, and the settings of its account.
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

/// A news source that a device may search.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "named as in the interface")]
pub struct NewsSource {
    pub id: i32,
    pub name: String,
    pub checked_by_default: bool,
}

/// Reads the configuration for a device of an account.
///
/// # Errors
///
/// The store cannot be read.
pub async fn device_configuration(
    connection: &mut Connection,
    account: i64,
) -> Result<DeviceConfiguration, StoreError> {
    let statement = "SELECT id, name, checked_by_default FROM news_sources ORDER BY id";
    let sources = connection.rows(statement, values![]).await?;
    let statement = "SELECT * FROM configuration, accounts WHERE accounts.id = $1";
    let row = connection.row(statement, values![account]).await?;
    let row = row.ok_or_else(|| StoreError::Sql("there is no configuration".into()))?;
    let news_sources = sources.iter().map(news_source).collect::<Result<_, _>>()?;
    Ok(DeviceConfiguration {
        real_time_host: row.get("real_time_host")?,
        real_time_port: row.get("real_time_port")?,
        real_time_protocol: row.get("real_time_protocol")?,
        real_time_auth_host: row.get("real_time_auth_host")?,
        real_time_auth_port: row.get("real_time_auth_port")?,
        real_time_auth_protocol: row.get("real_time_auth_protocol")?,
        entry_point_url: row.get("entry_point_url")?,
        base_url: row.get("base_url")?,
        client_support_phone: row.get("client_support_phone")?,
        mobile_support_email: row.get("mobile_support_email")?,
        max_news_headlines: row.get("max_news_headlines")?,
        min_news_auto_refresh_time: row.get("min_news_auto_refresh_time")?,
        quotes_data_vendor_id: row.get("quotes_data_vendor_id")?,
        idms_mobile_quotes: row.get("idms_mobile_quotes")?,
        idms_security_profile: row.get("idms_security_profile")?,
        news_sources,
    })
}

fn news_source(row: &Row) -> Result<NewsSource, StoreError> {
    Ok(NewsSource {
        id: row.get("id")?,
        name: row.get("name")?,
        checked_by_default: row.get("checked_by_default")?,
    })
}
