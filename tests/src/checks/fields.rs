//! Results as flat lists of fields, so that messages can name a wrong field.

use svcgen::Secret;
use svcgen::codegen::Enumeration;

use crate::authenticator::LoginResult;
use crate::device_login_service::{AdditionalInfo, DeviceLoginResponse, RealTimeInfo};
use crate::fixture::show_bytes;

/// A field's path and its text.
pub(super) type Fields = Vec<(String, Text)>;

/// The text of a field, which may be absent.
pub(super) type Text = Option<String>;

pub(super) fn login_result_fields(result: &LoginResult) -> Fields {
    vec![
        (
            "ErrorCode".to_owned(),
            Some(result.error_code.as_str().to_owned()),
        ),
        ("Message".to_owned(), result.message.clone()),
    ]
}

pub(super) fn one_field(value: impl ToString) -> Fields {
    vec![(String::new(), Some(value.to_string()))]
}

/// Returns every field of a login record with its path.
pub(super) fn response_fields(response: &DeviceLoginResponse) -> Fields {
    let mut fields = FieldList::default();
    fields.value("LoginErrorCode", response.login_error_code.as_str());
    fields.text("LoginErrorMessage", &response.login_error_message);
    fields.bytes("EncryptedPassword", &response.encrypted_password);
    fields.real_time_info(response.real_time_info.as_ref());
    fields.text("EntryPointUrl", &response.entry_point_url);
    fields.text("BaseUrl", &response.base_url);
    fields.value("QuotesDataVendorId", response.quotes_data_vendor_id);
    fields.value("UserId", response.user_id);
    fields.text("ClientSupportPhone", &response.client_support_phone);
    fields.text("MobileSupportEmail", &response.mobile_support_email);
    fields.additional_info(response.additional_info.as_ref());
    fields.0
}

#[derive(Default)]
struct FieldList(Fields);

impl FieldList {
    fn value(&mut self, path: &str, value: impl ToString) {
        self.text(path, &Some(value.to_string()));
    }

    fn text(&mut self, path: &str, text: &Text) {
        self.0.push((path.to_owned(), text.clone()));
    }

    fn secret(&mut self, path: &str, secret: &Option<Secret<String>>) {
        self.text(
            path,
            &secret.as_ref().map(|secret| secret.as_str().to_owned()),
        );
    }

    fn bytes(&mut self, path: &str, bytes: &Option<Secret<Vec<u8>>>) {
        self.text(path, &bytes.as_ref().map(|bytes| show_bytes(Some(bytes))));
    }

    /// Adds whether an object is present.
    fn object<T>(&mut self, path: &str, object: Option<&T>) {
        self.text(path, &object.map(|_| "present".to_owned()));
    }

    fn real_time_info(&mut self, info: Option<&RealTimeInfo>) {
        self.object("RealTimeInfo", info);
        let Some(info) = info else { return };
        self.text("RealTimeInfo/RealTimeHost", &info.real_time_host);
        self.value("RealTimeInfo/RealTimePort", info.real_time_port);
        self.text("RealTimeInfo/RealTimeAuthHost", &info.real_time_auth_host);
        self.value("RealTimeInfo/RealTimeAuthPort", info.real_time_auth_port);
        self.text("RealTimeInfo/RealTimeProtocol", &info.real_time_protocol);
        self.text(
            "RealTimeInfo/RealTimeAuthProtocol",
            &info.real_time_auth_protocol,
        );
        self.object("RealTimeInfo/AuthInfo", info.auth_info.as_ref());
        if let Some(auth_info) = &info.auth_info {
            self.secret("RealTimeInfo/AuthInfo/Zid", &auth_info.zid);
            self.secret("RealTimeInfo/AuthInfo/Azid", &auth_info.azid);
        }
        self.value(
            "RealTimeInfo/RealTimeLaunchReason",
            info.real_time_launch_reason.as_str(),
        );
        self.text("RealTimeInfo/LaunchReasonText", &info.launch_reason_text);
    }

    fn additional_info(&mut self, info: Option<&AdditionalInfo>) {
        self.object("AdditionalInfo", info);
        let Some(info) = info else { return };
        self.value(
            "AdditionalInfo/MaxNewsHeadlinesCap",
            info.max_news_headlines_cap,
        );
        self.value(
            "AdditionalInfo/MinNewsAutoRefreshTime",
            info.min_news_auto_refresh_time,
        );
        self.value(
            "AdditionalInfo/EnableIdmsMobileQuotes",
            info.enable_idms_mobile_quotes,
        );
        self.value(
            "AdditionalInfo/EnableSecurityProfileForIdms",
            info.enable_security_profile_for_idms,
        );
        self.count(
            "AdditionalInfo/NewsSearchSourceTypes",
            info.news_search_source_types.as_deref(),
        );
        for (index, item) in info.news_search_source_types.iter().flatten().enumerate() {
            let path = format!("AdditionalInfo/NewsSearchSourceTypes/{index}");
            self.object(&path, item.as_ref());
            let Some(item) = item else { continue };
            self.value(&format!("{path}/Id"), item.id);
            self.text(&format!("{path}/Name"), &item.name);
            self.value(&format!("{path}/CheckedByDefault"), item.checked_by_default);
        }
        self.count("AdditionalInfo/Capabilities", info.capabilities.as_deref());
        for (index, item) in info.capabilities.iter().flatten().enumerate() {
            self.value(&format!("AdditionalInfo/Capabilities/{index}"), item);
        }
    }

    fn count<T>(&mut self, path: &str, items: Option<&[T]>) {
        self.text(path, &items.map(|items| format!("{} items", items.len())));
    }
}

/// Replaces line ends as in XML 1.0 §2.11.
pub(super) fn as_xml_reads(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}
