//! Other ways to do the same work.

use base64::Engine;
use quick_xml::NsReader;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use serde::{Deserialize, Serialize};
use svcgen::codegen::Enumeration;
use svcgen_tests::device_login_service as ours;

/// Reads every token of a document, without resolving or keeping anything.
pub fn tokens(document: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(document);
    let mut count = 0;
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Eof => return count,
            _ => count += 1,
        }
    }
}

/// Reads every token, and resolves the namespaces of elements.
pub fn resolved_tokens(document: &str) -> usize {
    let mut reader = NsReader::from_str(document);
    let mut count = 0;
    loop {
        match reader.read_resolved_event().expect("well-formed") {
            (_, Event::Eof) => return count,
            _ => count += 1,
        }
    }
}

/// Builds a tree of the whole document.
pub fn tree(document: &str) -> roxmltree::Document<'_> {
    roxmltree::Document::parse(document).expect("well-formed")
}

/// Reads a document with a pull reader written by hand with quick-xml, which checks names and
/// namespaces, and keeps every value.
pub fn pull(document: &str) -> ours::DeviceLoginResponse {
    let mut puller = Puller {
        reader: NsReader::from_str(document),
    };
    puller.find("LoginResult");
    puller.response()
}

struct Puller<'d> {
    reader: NsReader<&'d [u8]>,
}

impl Puller<'_> {
    fn find(&mut self, name: &str) {
        while self.start(&[name]) != Some(0) {}
    }

    /// Returns which of these names the next start tag in the service's namespace has; `None` at an
    /// end tag.
    fn start(&mut self, names: &[&str]) -> Option<usize> {
        loop {
            match self.reader.read_resolved_event().expect("well-formed") {
                (ResolveResult::Bound(_), Event::Start(tag)) => {
                    let found = tag.local_name();
                    let index = names.iter().position(|name| *name == found.as_ref());
                    return Some(index.unwrap_or(usize::MAX));
                }
                (_, Event::End(_) | Event::Eof) => return None,
                _ => {}
            }
        }
    }

    fn text(&mut self) -> String {
        let mut text = String::new();
        loop {
            match self.reader.read_event().expect("well-formed") {
                Event::Text(part) => text.push_str(&part),
                Event::CData(part) => text.push_str(&part),
                Event::GeneralRef(reference) => {
                    match reference.resolve_char_ref().expect("a reference") {
                        Some(character) => text.push(character),
                        None => text.push_str(
                            quick_xml::escape::resolve_predefined_entity(&reference)
                                .expect("an entity"),
                        ),
                    }
                }
                Event::End(_) => return text,
                _ => panic!("markup in a text"),
            }
        }
    }

    fn parsed<T: std::str::FromStr>(&mut self) -> T {
        self.text().parse().unwrap_or_else(|_| panic!("a value"))
    }

    fn enumeration<E: Enumeration>(&mut self) -> E {
        E::from_name(&self.text()).expect("a name")
    }

    fn skip(&mut self) {
        let mut level = 1;
        while level > 0 {
            match self.reader.read_event().expect("well-formed") {
                Event::Start(_) => level += 1,
                Event::End(_) => level -= 1,
                _ => {}
            }
        }
    }

    fn response(&mut self) -> ours::DeviceLoginResponse {
        let mut value = ours::DeviceLoginResponse::default();
        while let Some(index) = self.start(&[
            "LoginErrorCode",
            "LoginErrorMessage",
            "EncryptedPassword",
            "RealTimeInfo",
            "EntryPointUrl",
            "BaseUrl",
            "QuotesDataVendorId",
            "UserId",
            "ClientSupportPhone",
            "MobileSupportEmail",
            "AdditionalInfo",
        ]) {
            match index {
                0 => value.login_error_code = self.enumeration(),
                1 => value.login_error_message = Some(self.text()),
                2 => value.encrypted_password = Some(base64(&self.text()).into()),
                3 => value.real_time_info = Some(self.real_time_info()),
                4 => value.entry_point_url = Some(self.text()),
                5 => value.base_url = Some(self.text()),
                6 => value.quotes_data_vendor_id = self.parsed(),
                7 => value.user_id = self.parsed(),
                8 => value.client_support_phone = Some(self.text()),
                9 => value.mobile_support_email = Some(self.text()),
                10 => value.additional_info = Some(self.additional_info()),
                _ => self.skip(),
            }
        }
        value
    }

    fn real_time_info(&mut self) -> ours::RealTimeInfo {
        let mut value = ours::RealTimeInfo::default();
        while let Some(index) = self.start(&[
            "RealTimeHost",
            "RealTimePort",
            "RealTimeAuthHost",
            "RealTimeAuthPort",
            "RealTimeProtocol",
            "RealTimeAuthProtocol",
            "AuthInfo",
            "RealTimeLaunchReason",
            "LaunchReasonText",
        ]) {
            match index {
                0 => value.real_time_host = Some(self.text()),
                1 => value.real_time_port = self.parsed(),
                2 => value.real_time_auth_host = Some(self.text()),
                3 => value.real_time_auth_port = self.parsed(),
                4 => value.real_time_protocol = Some(self.text()),
                5 => value.real_time_auth_protocol = Some(self.text()),
                6 => value.auth_info = Some(self.auth_info()),
                7 => value.real_time_launch_reason = self.enumeration(),
                8 => value.launch_reason_text = Some(self.text()),
                _ => self.skip(),
            }
        }
        value
    }

    fn auth_info(&mut self) -> ours::AuthInfo {
        let mut value = ours::AuthInfo::default();
        while let Some(index) = self.start(&["Zid", "Azid"]) {
            match index {
                0 => value.zid = Some(self.text().into()),
                1 => value.azid = Some(self.text().into()),
                _ => self.skip(),
            }
        }
        value
    }

    fn additional_info(&mut self) -> ours::AdditionalInfo {
        let mut value = ours::AdditionalInfo::default();
        while let Some(index) = self.start(&[
            "MaxNewsHeadlinesCap",
            "MinNewsAutoRefreshTime",
            "EnableIdmsMobileQuotes",
            "EnableSecurityProfileForIdms",
            "NewsSearchSourceTypes",
            "Capabilities",
        ]) {
            match index {
                0 => value.max_news_headlines_cap = self.parsed(),
                1 => value.min_news_auto_refresh_time = self.parsed(),
                2 => value.enable_idms_mobile_quotes = self.parsed(),
                3 => value.enable_security_profile_for_idms = self.parsed(),
                4 => value.news_search_source_types = Some(self.source_types()),
                5 => value.capabilities = Some(self.capabilities()),
                _ => self.skip(),
            }
        }
        value
    }

    fn source_types(&mut self) -> Vec<Option<ours::SearchSourceType>> {
        let mut values = Vec::new();
        while self.start(&[]).is_some() {
            let mut value = ours::SearchSourceType::default();
            while let Some(index) = self.start(&["Id", "Name", "CheckedByDefault"]) {
                match index {
                    0 => value.id = self.parsed(),
                    1 => value.name = Some(self.text()),
                    2 => value.checked_by_default = self.parsed(),
                    _ => self.skip(),
                }
            }
            values.push(Some(value));
        }
        values
    }

    fn capabilities(&mut self) -> Vec<i32> {
        let mut values = Vec::new();
        while self.start(&[]).is_some() {
            values.push(self.parsed());
        }
        values
    }
}

fn base64(text: &str) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .expect("base64")
}

/// The same types for serde.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename = "soap:Envelope")]
pub struct Envelope<B> {
    #[serde(rename(deserialize = "Body", serialize = "soap:Body"))]
    pub body: B,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct RequestBody {
    #[serde(rename = "Login")]
    pub login: Login,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Login {
    pub username: Option<String>,
    pub password: Option<String>,
    #[serde(rename = "devicePin")]
    pub device_pin: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct ResponseBody {
    #[serde(rename = "LoginResponse")]
    pub response: LoginResponse,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct LoginResponse {
    #[serde(rename = "LoginResult")]
    pub result: Option<Response>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Response {
    pub login_error_code: String,
    pub login_error_message: Option<String>,
    pub encrypted_password: Option<String>,
    pub real_time_info: Option<RealTimeInfo>,
    pub entry_point_url: Option<String>,
    pub base_url: Option<String>,
    pub quotes_data_vendor_id: i32,
    pub user_id: i64,
    pub client_support_phone: Option<String>,
    pub mobile_support_email: Option<String>,
    pub additional_info: Option<AdditionalInfo>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct RealTimeInfo {
    pub real_time_host: Option<String>,
    pub real_time_port: i32,
    pub real_time_auth_host: Option<String>,
    pub real_time_auth_port: i32,
    pub real_time_protocol: Option<String>,
    pub real_time_auth_protocol: Option<String>,
    pub auth_info: Option<AuthInfo>,
    pub real_time_launch_reason: String,
    pub launch_reason_text: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct AuthInfo {
    pub zid: Option<String>,
    pub azid: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct AdditionalInfo {
    pub max_news_headlines_cap: i32,
    pub min_news_auto_refresh_time: i32,
    pub enable_idms_mobile_quotes: bool,
    pub enable_security_profile_for_idms: bool,
    pub news_search_source_types: Option<SourceTypes>,
    pub capabilities: Option<Capabilities>,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct SourceTypes {
    #[serde(rename = "SearchSourceType", default)]
    pub items: Vec<SourceType>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct SourceType {
    pub id: i32,
    pub name: Option<String>,
    pub checked_by_default: bool,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Capabilities {
    #[serde(rename = "int", default)]
    pub items: Vec<i32>,
}

pub fn serde_request(document: &str) -> Envelope<RequestBody> {
    quick_xml::de::from_str(document).expect("a request")
}

pub fn serde_response(document: &str) -> Envelope<ResponseBody> {
    quick_xml::de::from_str(document).expect("a response")
}

pub fn serde_write<B: Serialize>(envelope: &Envelope<B>, out: &mut String) {
    quick_xml::se::to_writer(out, envelope).expect("a document");
}
