//! The fixture services: handlers that follow the rules of `recorded/README.md`.

use svcgen::codegen::Enumeration;
use svcgen::{Context, Fault, Secret};

use crate::authenticator::{
    self, AuthenticatorHandler, AuthenticatorServer, ClientAuthWithResultRequest, ErrorCode,
    LoginResult,
};
use crate::device_login_service::{
    self, AdditionalInfo, AuthInfo, DeviceLoginResponse, DeviceLoginServiceHandler,
    DeviceLoginServiceServer, EmailPasswordRequest, ForgotPasswordStatus, LoginErrorCode,
    LoginWithEncryptedPasswordRequest, RealTimeInfo, RealTimeLaunchReason, SearchSourceType,
};

/// The hardest text of the fixture: blanks, markup, every line end, quotes, non-ASCII and astral
/// characters.
pub const SPECIAL: &str =
    "  a<b>c&d\"e'f\tTAB\r\nCRLF\nLF\rCR \u{e9}\u{65e5}\u{672c}\u{1f600} ]]> end  ";

/// The encrypted password that the fixture accepts.
pub const BYTES: [u8; 6] = [0, 1, 2, 0xfd, 0xfe, 0xff];

/// Both services, with the same behaviour as the recorded server.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fixture;

/// Returns both services, at their recorded paths.
pub fn router() -> svcgen::Router {
    svcgen::Router::new()
        .with_service(authenticator_server())
        .with_service(device_login_server())
}

/// Returns the authenticator.
pub fn authenticator_server() -> AuthenticatorServer<Fixture> {
    AuthenticatorServer::new(Fixture)
}

/// Returns the device login service.
pub fn device_login_server() -> DeviceLoginServiceServer<Fixture> {
    DeviceLoginServiceServer::new(Fixture)
}

/// Formats an argument as in the answers of the fixture's `echo`: its length in UTF-16 units and
/// its text in ASCII.
pub fn show(text: Option<&str>) -> String {
    let Some(text) = text else {
        return "[null]".to_owned();
    };
    let mut shown = format!("[{}:", text.encode_utf16().count());
    for unit in text.encode_utf16() {
        match char::from_u32(unit.into()) {
            Some(plain @ ' '..='~') if plain != '\\' => shown.push(plain),
            _ => shown.push_str(&format!("\\u{unit:04x}")),
        }
    }
    shown.push(']');
    shown
}

/// Formats bytes as in the answers of the fixture's `echo`: lower-case hex, or `null`.
pub fn show_bytes(bytes: Option<&[u8]>) -> String {
    match bytes {
        None => "[null]".to_owned(),
        Some(bytes) => format!(
            "[{}]",
            bytes
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        ),
    }
}

impl AuthenticatorHandler for Fixture {
    async fn client_auth_with_result(
        &self,
        _context: &Context,
        request: ClientAuthWithResultRequest,
    ) -> Result<LoginResult, Fault> {
        let username = request.username.as_deref();
        let password = revealed(&request.password);
        if is_blank(username) || is_blank(password) {
            return Ok(missing_credentials(username, password));
        }
        if let Some(code) = named_value::<ErrorCode>(username, "code-") {
            return Ok(login_result(code, format!("code {}", code.as_str())));
        }
        let password = password.unwrap_or_default();
        match username.unwrap_or_default() {
            "alice" if password == "secret" => Ok(login_result(ErrorCode::None, "welcome alice")),
            "alice" => Ok(login_result(ErrorCode::InvalidPassword, "bad password")),
            "echo" => {
                let shown = [
                    Some(password),
                    request.mac_address.as_deref(),
                    request.process_name.as_deref(),
                ]
                .map(show);
                Ok(login_result(ErrorCode::None, shown.concat()))
            }
            "raw" => Ok(login_result(ErrorCode::None, password)),
            "nullmsg" => Ok(LoginResult {
                error_code: ErrorCode::None,
                message: None,
            }),
            "emptymsg" => Ok(login_result(ErrorCode::None, "")),
            "special" => Ok(login_result(ErrorCode::None, SPECIAL)),
            "throw" => Err(boom_with(password)),
            _ => Ok(login_result(ErrorCode::InvalidUsername, "unknown user")),
        }
    }

    async fn login(
        &self,
        _context: &Context,
        request: authenticator::LoginRequest,
    ) -> Result<bool, Fault> {
        let password = revealed(&request.password);
        match request.username.as_deref() {
            Some("throw") => Err(boom_with(password.unwrap_or_default())),
            username => Ok(username == Some("alice") && password == Some("secret")),
        }
    }
}

fn revealed(secret: &Option<Secret<String>>) -> Option<&str> {
    secret.as_ref().map(|secret| secret.as_str())
}

fn is_blank(text: Option<&str>) -> bool {
    text.is_none_or(str::is_empty)
}

fn boom_with(password: &str) -> Fault {
    Fault::exception(format!("boom <&> {password}"))
}

/// Returns the enumeration value X for a username such as `code-X`.
fn named_value<E: Enumeration>(username: Option<&str>, prefix: &str) -> Option<E> {
    E::from_name(username?.strip_prefix(prefix)?)
}

fn login_result(error_code: ErrorCode, message: impl Into<String>) -> LoginResult {
    LoginResult {
        error_code,
        message: Some(message.into()),
    }
}

fn missing_credentials(username: Option<&str>, password: Option<&str>) -> LoginResult {
    let error_code = match (is_blank(username), is_blank(password)) {
        (true, true) => ErrorCode::UsernameAndPasswordFieldEmpty,
        (true, false) => ErrorCode::UsernameFieldEmpty,
        _ => ErrorCode::PasswordFieldEmpty,
    };
    let parts = missing_part("username", username) + &missing_part("password", password);
    login_result(error_code, format!("missing:{parts}"))
}

fn missing_part(name: &str, value: Option<&str>) -> String {
    match value {
        None => format!(" {name}=null"),
        Some("") => format!(" {name}=empty"),
        Some(_) => String::new(),
    }
}

impl DeviceLoginServiceHandler for Fixture {
    async fn login(
        &self,
        _context: &Context,
        request: device_login_service::LoginRequest,
    ) -> Result<DeviceLoginResponse, Fault> {
        let username = request.username.as_deref();
        if let Some(answer) = answer_by_name(username) {
            return answer;
        }
        let password = revealed(&request.password);
        let device_pin = revealed(&request.device_pin);
        Ok(match username {
            Some("alice") if password == Some("secret") => full("welcome alice"),
            Some("alice") => bare(LoginErrorCode::BadPassword, "bad password"),
            Some("echo") => bare(LoginErrorCode::Ok, show(password) + &show(device_pin)),
            Some("raw") => DeviceLoginResponse {
                login_error_code: LoginErrorCode::Ok,
                login_error_message: password.map(str::to_owned),
                client_support_phone: device_pin.map(str::to_owned),
                ..Default::default()
            },
            _ => bare(LoginErrorCode::BadUsername, "unknown user"),
        })
    }

    async fn login_with_encrypted_password(
        &self,
        _context: &Context,
        request: LoginWithEncryptedPasswordRequest,
    ) -> Result<DeviceLoginResponse, Fault> {
        let username = request.username.as_deref();
        if let Some(answer) = answer_by_name(username) {
            return answer;
        }
        let bytes = request
            .encrypted_password
            .as_ref()
            .map(|secret| secret.as_slice());
        let initiated = request.user_initiated;
        Ok(match username {
            Some("alice") if bytes == Some(&BYTES) => {
                full(&format!("welcome alice, userInitiated={initiated}"))
            }
            Some("alice") => bare(LoginErrorCode::BadPassword, "bad password"),
            Some("echo") => DeviceLoginResponse {
                encrypted_password: bytes.map(|bytes| bytes.to_vec().into()),
                ..bare(
                    LoginErrorCode::Ok,
                    format!(
                        "{}{}[{initiated}]",
                        show_bytes(bytes),
                        show(revealed(&request.device_pin))
                    ),
                )
            },
            _ => bare(LoginErrorCode::BadUsername, "unknown user"),
        })
    }

    async fn email_password(
        &self,
        _context: &Context,
        request: EmailPasswordRequest,
    ) -> Result<ForgotPasswordStatus, Fault> {
        let username = request.username.as_deref();
        match (named_value(username, "code-"), username) {
            (Some(status), _) => Ok(status),
            (None, Some("alice")) => Ok(ForgotPasswordStatus::Success),
            (None, Some("throw")) => Err(Fault::exception("boom <&>")),
            _ => Ok(ForgotPasswordStatus::InvalidUser),
        }
    }

    async fn test_connection(&self, _context: &Context) -> Result<Option<String>, Fault> {
        Ok(Some("connection ok".to_owned()))
    }

    async fn logout(&self, _context: &Context) -> Result<(), Fault> {
        Ok(())
    }

    async fn no_op(&self, _context: &Context) -> Result<(), Fault> {
        Ok(())
    }
}

/// Returns an answer that depends only on the username, the same for both logins.
fn answer_by_name(username: Option<&str>) -> Option<Result<DeviceLoginResponse, Fault>> {
    if let Some(code) = named_value::<LoginErrorCode>(username, "code-") {
        return Some(Ok(bare(code, format!("code {}", code.as_str()))));
    }
    if let Some(reason) = named_value(username, "reason-") {
        return Some(Ok(with_reason(reason)));
    }
    Some(Ok(match username {
        None => bare(LoginErrorCode::BadUsername, "username=null"),
        Some("minimal") => minimal(),
        Some("empties") => empties(),
        Some("nilitems") => nil_items(),
        Some("special") => special(),
        Some("extremes") => extremes(),
        Some("throw") => return Some(Err(Fault::exception("boom <&>"))),
        Some(_) => return None,
    }))
}

/// Returns a code and a message; everything else is absent or 0.
pub fn bare(login_error_code: LoginErrorCode, message: impl Into<String>) -> DeviceLoginResponse {
    DeviceLoginResponse {
        login_error_message: Some(message.into()),
        ..with_code(login_error_code)
    }
}

fn with_code(login_error_code: LoginErrorCode) -> DeviceLoginResponse {
    DeviceLoginResponse {
        login_error_code,
        ..Default::default()
    }
}

/// Returns success without further values.
pub fn minimal() -> DeviceLoginResponse {
    with_code(LoginErrorCode::Ok)
}

/// Returns success with a launch reason and ports 0.
pub fn with_reason(real_time_launch_reason: RealTimeLaunchReason) -> DeviceLoginResponse {
    DeviceLoginResponse {
        real_time_info: Some(RealTimeInfo {
            real_time_launch_reason,
            ..Default::default()
        }),
        ..minimal()
    }
}

/// Returns a record in which everything is present but empty.
pub fn empties() -> DeviceLoginResponse {
    let empty = || Some(String::new());
    DeviceLoginResponse {
        login_error_message: empty(),
        encrypted_password: Some(Vec::new().into()),
        real_time_info: Some(RealTimeInfo {
            real_time_host: empty(),
            auth_info: Some(AuthInfo::default()),
            real_time_launch_reason: RealTimeLaunchReason::Ok,
            ..Default::default()
        }),
        entry_point_url: empty(),
        base_url: empty(),
        client_support_phone: empty(),
        mobile_support_email: empty(),
        additional_info: Some(AdditionalInfo {
            news_search_source_types: Some(Vec::new()),
            capabilities: Some(Vec::new()),
            ..Default::default()
        }),
        ..minimal()
    }
}

/// Returns a list of objects with nil items.
pub fn nil_items() -> DeviceLoginResponse {
    DeviceLoginResponse {
        additional_info: Some(AdditionalInfo {
            news_search_source_types: Some(vec![None, None]),
            capabilities: Some(vec![0]),
            ..Default::default()
        }),
        ..minimal()
    }
}

/// Returns [`SPECIAL`] in every text, bytes and item.
pub fn special() -> DeviceLoginResponse {
    let items = vec![
        Some(SearchSourceType {
            id: 0,
            name: Some(SPECIAL.to_owned()),
            checked_by_default: true,
        }),
        Some(SearchSourceType {
            id: 0,
            name: Some(String::new()),
            checked_by_default: false,
        }),
    ];
    DeviceLoginResponse {
        login_error_message: Some(SPECIAL.to_owned()),
        encrypted_password: Some(SPECIAL.as_bytes().to_vec().into()),
        real_time_info: Some(RealTimeInfo {
            real_time_host: Some(" ".to_owned()),
            real_time_launch_reason: RealTimeLaunchReason::Ok,
            launch_reason_text: Some("\n".to_owned()),
            ..Default::default()
        }),
        additional_info: Some(AdditionalInfo {
            news_search_source_types: Some(items),
            ..Default::default()
        }),
        ..minimal()
    }
}

/// Returns the least and greatest numbers.
pub fn extremes() -> DeviceLoginResponse {
    DeviceLoginResponse {
        real_time_info: Some(RealTimeInfo {
            real_time_port: i32::MAX,
            real_time_auth_port: i32::MIN,
            real_time_launch_reason: RealTimeLaunchReason::Ok,
            ..Default::default()
        }),
        quotes_data_vendor_id: i32::MIN,
        user_id: i64::MIN,
        additional_info: Some(AdditionalInfo {
            capabilities: Some(vec![i32::MIN, i32::MAX, 0]),
            ..Default::default()
        }),
        ..minimal()
    }
}

/// Returns a full login record with this message.
pub fn full(message: &str) -> DeviceLoginResponse {
    let text = |text: &str| Some(text.to_owned());
    let items = vec![
        Some(SearchSourceType {
            id: 1,
            name: text("Wire"),
            checked_by_default: true,
        }),
        None,
        Some(SearchSourceType {
            id: -2,
            name: text("Blogs & <More>"),
            checked_by_default: false,
        }),
        Some(SearchSourceType {
            id: 3,
            name: None,
            checked_by_default: true,
        }),
    ];
    DeviceLoginResponse {
        login_error_code: LoginErrorCode::Ok,
        login_error_message: text(message),
        encrypted_password: Some(BYTES.to_vec().into()),
        real_time_info: Some(RealTimeInfo {
            real_time_host: text("rt.example.com"),
            real_time_port: 8443,
            real_time_auth_host: text("rtauth.example.com"),
            real_time_auth_port: 9443,
            real_time_protocol: text("https"),
            real_time_auth_protocol: text("tcp"),
            auth_info: Some(AuthInfo {
                zid: Some("zid-1".into()),
                azid: Some("azid-1".into()),
            }),
            real_time_launch_reason: RealTimeLaunchReason::Ok,
            launch_reason_text: text("launch"),
        }),
        entry_point_url: text("https://entry.example.com/start?a=1&b=2"),
        base_url: text("https://base.example.com/"),
        quotes_data_vendor_id: 7,
        user_id: 9_007_199_254_740_993,
        client_support_phone: text("+1 555 0100"),
        mobile_support_email: text("support@example.com"),
        additional_info: Some(AdditionalInfo {
            max_news_headlines_cap: 100,
            min_news_auto_refresh_time: 30,
            enable_idms_mobile_quotes: true,
            enable_security_profile_for_idms: false,
            news_search_source_types: Some(items),
            capabilities: Some(vec![1, 0, -5, i32::MAX]),
        }),
    }
}
