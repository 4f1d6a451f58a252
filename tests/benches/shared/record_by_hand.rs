//! The record of `Login` written as XML by hand: tags are literals, every value is pushed onto one
//! text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use svcgen::codegen::Enumeration;
use svcgen_tests::device_login_service::{
    AdditionalInfo, AuthInfo, DeviceLoginResponse, RealTimeInfo,
};

const SOAP_OPEN: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><soap:Body>";
const SOAP_CLOSE: &str = "</soap:Body></soap:Envelope>";
const RESULT_OPEN: &str = "<LoginResponse xmlns=\"http://example.com/svc/device\"><LoginResult>";
const RESULT_CLOSE: &str = "</LoginResult></LoginResponse>";
const ROOT_OPEN: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<DeviceLoginResponse xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns=\"http://example.com/svc/device\">";
const ROOT_CLOSE: &str = "\n</DeviceLoginResponse>";
const LINE: &str = "\n        ";

/// Room for an answer with the record of all benches, so that the text never grows.
const ROOM: usize = 4096;

/// A SOAP 1.1 envelope around a fault.
pub fn fault(code: &str, message: &str, escape: impl Fn(&str, &mut String)) -> String {
    let mut text =
        format!("{SOAP_OPEN}<soap:Fault><faultcode>soap:{code}</faultcode><faultstring>");
    escape(message, &mut text);
    text.push_str("</faultstring><detail /></soap:Fault>");
    text.push_str(SOAP_CLOSE);
    text
}

/// The answer over SOAP 1.1.
#[inline]
pub fn envelope(record: &DeviceLoginResponse, escape: impl Fn(&str, &mut String)) -> String {
    let mut text = String::with_capacity(ROOM);
    text.push_str(SOAP_OPEN);
    text.push_str(RESULT_OPEN);
    Writer::<_, false> {
        text: &mut text,
        escape,
    }
    .record(record);
    text.push_str(RESULT_CLOSE);
    text.push_str(SOAP_CLOSE);
    text
}

/// The answer over HTTP GET and POST, an element a line.
#[inline]
pub fn document(record: &DeviceLoginResponse, escape: impl Fn(&str, &mut String)) -> String {
    let mut text = String::with_capacity(ROOM);
    text.push_str(ROOT_OPEN);
    Writer::<_, true> {
        text: &mut text,
        escape,
    }
    .record(record);
    text.push_str(ROOT_CLOSE);
    text
}

/// The tags of an element at a level.
struct Tags {
    level: usize,
    start: &'static str,
    end: &'static str,
}

macro_rules! tags {
    ($level:literal, $name:literal) => {
        &const {
            Tags {
                level: $level,
                start: concat!("<", $name, ">"),
                end: concat!("</", $name, ">"),
            }
        }
    };
}

struct Writer<'t, E, const INDENTED: bool> {
    text: &'t mut String,
    escape: E,
}

impl<E: Fn(&str, &mut String), const INDENTED: bool> Writer<'_, E, INDENTED> {
    #[inline(always)]
    fn start(&mut self, tags: &Tags) {
        if INDENTED {
            self.text.push_str(&LINE[..1 + 2 * tags.level]);
        }
        self.text.push_str(tags.start);
    }

    #[inline(always)]
    fn end(&mut self, tags: &Tags) {
        if INDENTED {
            self.text.push_str(&LINE[..1 + 2 * tags.level]);
        }
        self.text.push_str(tags.end);
    }

    /// An element whose text needs no escaping.
    #[inline(always)]
    fn plain(&mut self, tags: &Tags, value: &str) {
        self.start(tags);
        self.text.push_str(value);
        self.text.push_str(tags.end);
    }

    #[inline(always)]
    fn number(&mut self, tags: &Tags, value: impl itoa::Integer) {
        self.plain(tags, itoa::Buffer::new().format(value));
    }

    #[inline(always)]
    fn boolean(&mut self, tags: &Tags, value: bool) {
        self.plain(tags, if value { "true" } else { "false" });
    }

    #[inline(always)]
    fn text(&mut self, tags: &Tags, value: Option<&str>) {
        let Some(value) = value else { return };
        self.start(tags);
        (self.escape)(value, self.text);
        self.text.push_str(tags.end);
    }

    fn record(&mut self, record: &DeviceLoginResponse) {
        let code = record.login_error_code.as_str();
        self.plain(tags!(1, "LoginErrorCode"), code);
        let message = record.login_error_message.as_deref();
        self.text(tags!(1, "LoginErrorMessage"), message);
        if let Some(password) = &record.encrypted_password {
            let tags = tags!(1, "EncryptedPassword");
            self.start(tags);
            STANDARD.encode_string(password.as_slice(), self.text);
            self.text.push_str(tags.end);
        }
        if let Some(info) = &record.real_time_info {
            self.real_time_info(info);
        }
        self.text(tags!(1, "EntryPointUrl"), record.entry_point_url.as_deref());
        self.text(tags!(1, "BaseUrl"), record.base_url.as_deref());
        self.number(tags!(1, "QuotesDataVendorId"), record.quotes_data_vendor_id);
        self.number(tags!(1, "UserId"), record.user_id);
        let phone = record.client_support_phone.as_deref();
        self.text(tags!(1, "ClientSupportPhone"), phone);
        let email = record.mobile_support_email.as_deref();
        self.text(tags!(1, "MobileSupportEmail"), email);
        if let Some(info) = &record.additional_info {
            self.additional_info(info);
        }
    }

    fn real_time_info(&mut self, info: &RealTimeInfo) {
        let tags = tags!(1, "RealTimeInfo");
        self.start(tags);
        self.text(tags!(2, "RealTimeHost"), info.real_time_host.as_deref());
        self.number(tags!(2, "RealTimePort"), info.real_time_port);
        let auth_host = info.real_time_auth_host.as_deref();
        self.text(tags!(2, "RealTimeAuthHost"), auth_host);
        self.number(tags!(2, "RealTimeAuthPort"), info.real_time_auth_port);
        let protocol = info.real_time_protocol.as_deref();
        self.text(tags!(2, "RealTimeProtocol"), protocol);
        let auth_protocol = info.real_time_auth_protocol.as_deref();
        self.text(tags!(2, "RealTimeAuthProtocol"), auth_protocol);
        if let Some(info) = &info.auth_info {
            self.auth_info(info);
        }
        let reason = info.real_time_launch_reason.as_str();
        self.plain(tags!(2, "RealTimeLaunchReason"), reason);
        self.text(
            tags!(2, "LaunchReasonText"),
            info.launch_reason_text.as_deref(),
        );
        self.end(tags);
    }

    fn auth_info(&mut self, info: &AuthInfo) {
        let tags = tags!(2, "AuthInfo");
        self.start(tags);
        self.text(tags!(3, "Zid"), info.zid.as_deref().map(String::as_str));
        self.text(tags!(3, "Azid"), info.azid.as_deref().map(String::as_str));
        self.end(tags);
    }

    fn additional_info(&mut self, info: &AdditionalInfo) {
        let tags = tags!(1, "AdditionalInfo");
        self.start(tags);
        self.number(tags!(2, "MaxNewsHeadlinesCap"), info.max_news_headlines_cap);
        self.number(
            tags!(2, "MinNewsAutoRefreshTime"),
            info.min_news_auto_refresh_time,
        );
        self.boolean(
            tags!(2, "EnableIdmsMobileQuotes"),
            info.enable_idms_mobile_quotes,
        );
        let secured = info.enable_security_profile_for_idms;
        self.boolean(tags!(2, "EnableSecurityProfileForIdms"), secured);
        if let Some(types) = &info.news_search_source_types {
            let tags = tags!(2, "NewsSearchSourceTypes");
            self.start(tags);
            for one in types {
                let tags = tags!(3, "SearchSourceType");
                let Some(one) = one else {
                    self.start(tags!(3, "SearchSourceType xsi:nil=\"true\" /"));
                    continue;
                };
                self.start(tags);
                self.number(tags!(4, "Id"), one.id);
                self.text(tags!(4, "Name"), one.name.as_deref());
                self.boolean(tags!(4, "CheckedByDefault"), one.checked_by_default);
                self.end(tags);
            }
            self.end(tags);
        }
        if let Some(capabilities) = &info.capabilities {
            let tags = tags!(2, "Capabilities");
            self.start(tags);
            for capability in capabilities {
                self.number(tags!(3, "int"), *capability);
            }
            self.end(tags);
        }
        self.end(tags);
    }
}
