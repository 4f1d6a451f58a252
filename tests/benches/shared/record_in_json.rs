//! The record of `Login` as JSON, written by hand: structs for serde that borrow from it, and the
//! escapes of ASP.NET.

use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;
use svcgen_tests::device_login_service as service;

/// Returns the answer in JSON.
pub fn answer(record: &service::DeviceLoginResponse) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4096);
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, ScriptEscapes);
    let answer = Answer {
        d: DeviceLoginResponse::of(record),
    };
    answer.serialize(&mut serializer).expect("JSON");
    bytes
}

/// A page may contain the JSON in a script, so these characters are escaped, too.
struct ScriptEscapes;

impl Formatter for ScriptEscapes {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment.as_bytes();
        while let Some(at) = rest.iter().position(|byte| b"&'<>".contains(byte)) {
            writer.write_all(&rest[..at])?;
            write!(writer, "\\u{:04x}", rest[at])?;
            rest = &rest[at + 1..];
        }
        writer.write_all(rest)
    }
}

#[derive(Serialize)]
struct Answer<'r> {
    d: DeviceLoginResponse<'r>,
}

#[derive(Serialize)]
#[serde(tag = "__type", rename_all = "PascalCase")]
struct DeviceLoginResponse<'r> {
    login_error_code: i32,
    login_error_message: Option<&'r str>,
    encrypted_password: Option<&'r [u8]>,
    real_time_info: Option<RealTimeInfo<'r>>,
    entry_point_url: Option<&'r str>,
    base_url: Option<&'r str>,
    quotes_data_vendor_id: i32,
    user_id: i64,
    client_support_phone: Option<&'r str>,
    mobile_support_email: Option<&'r str>,
    additional_info: Option<AdditionalInfo<'r>>,
}

impl<'r> DeviceLoginResponse<'r> {
    fn of(record: &'r service::DeviceLoginResponse) -> Self {
        Self {
            login_error_code: record.login_error_code as i32,
            login_error_message: record.login_error_message.as_deref(),
            encrypted_password: record.encrypted_password.as_ref().map(|it| it.as_slice()),
            real_time_info: record.real_time_info.as_ref().map(RealTimeInfo::of),
            entry_point_url: record.entry_point_url.as_deref(),
            base_url: record.base_url.as_deref(),
            quotes_data_vendor_id: record.quotes_data_vendor_id,
            user_id: record.user_id,
            client_support_phone: record.client_support_phone.as_deref(),
            mobile_support_email: record.mobile_support_email.as_deref(),
            additional_info: record.additional_info.as_ref().map(AdditionalInfo::of),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct RealTimeInfo<'r> {
    real_time_host: Option<&'r str>,
    real_time_port: i32,
    real_time_auth_host: Option<&'r str>,
    real_time_auth_port: i32,
    real_time_protocol: Option<&'r str>,
    real_time_auth_protocol: Option<&'r str>,
    auth_info: Option<AuthInfo<'r>>,
    real_time_launch_reason: i32,
    launch_reason_text: Option<&'r str>,
}

impl<'r> RealTimeInfo<'r> {
    fn of(info: &'r service::RealTimeInfo) -> Self {
        Self {
            real_time_host: info.real_time_host.as_deref(),
            real_time_port: info.real_time_port,
            real_time_auth_host: info.real_time_auth_host.as_deref(),
            real_time_auth_port: info.real_time_auth_port,
            real_time_protocol: info.real_time_protocol.as_deref(),
            real_time_auth_protocol: info.real_time_auth_protocol.as_deref(),
            auth_info: info.auth_info.as_ref().map(|info| AuthInfo {
                zid: info.zid.as_ref().map(|it| it.as_str()),
                azid: info.azid.as_ref().map(|it| it.as_str()),
            }),
            real_time_launch_reason: info.real_time_launch_reason as i32,
            launch_reason_text: info.launch_reason_text.as_deref(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct AuthInfo<'r> {
    zid: Option<&'r str>,
    azid: Option<&'r str>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct AdditionalInfo<'r> {
    max_news_headlines_cap: i32,
    min_news_auto_refresh_time: i32,
    enable_idms_mobile_quotes: bool,
    enable_security_profile_for_idms: bool,
    news_search_source_types: Option<Vec<Option<SearchSourceType<'r>>>>,
    capabilities: Option<&'r [i32]>,
}

impl<'r> AdditionalInfo<'r> {
    fn of(info: &'r service::AdditionalInfo) -> Self {
        let types = info.news_search_source_types.as_ref();
        let type_of = |one: &'r Option<service::SearchSourceType>| {
            one.as_ref().map(|one| SearchSourceType {
                id: one.id,
                name: one.name.as_deref(),
                checked_by_default: one.checked_by_default,
            })
        };
        Self {
            max_news_headlines_cap: info.max_news_headlines_cap,
            min_news_auto_refresh_time: info.min_news_auto_refresh_time,
            enable_idms_mobile_quotes: info.enable_idms_mobile_quotes,
            enable_security_profile_for_idms: info.enable_security_profile_for_idms,
            news_search_source_types: types.map(|types| types.iter().map(type_of).collect()),
            capabilities: info.capabilities.as_deref(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct SearchSourceType<'r> {
    id: i32,
    name: Option<&'r str>,
    checked_by_default: bool,
}
