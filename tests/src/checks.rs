//! The checks of the fixture client: every operation with ordinary and hard values over any transport.
//!
//! Nothing here knows which server answers; what is expected follows from the rules of `wire/README.md` alone.

use std::fmt;

use svcgen::{Binding, CallError, Enumeration, Secret, Transport};

use crate::authenticator::{self, AuthenticatorClient, ClientAuthWithResultRequest, LoginResult};
use crate::device_login_service::{
    self, DeviceLoginResponse, DeviceLoginServiceClient, EmailPasswordRequest, LoginErrorCode,
    LoginWithEncryptedPasswordRequest,
};
use crate::fixture::{self, BYTES, SPECIAL, show, show_bytes};

/// The bindings by the names that the command line gives them.
pub const BINDINGS: [(&str, Binding); 4] = [
    ("soap11", Binding::Soap11),
    ("soap12", Binding::Soap12),
    ("http-get", Binding::HttpGet),
    ("http-post", Binding::HttpPost),
];

/// The error codes of `ClientAuthWithResult`, in order.
pub const ERROR_CODES: [&str; 37] = [
    "InvalidUsername",
    "InvalidPassword",
    "IncorrectIP",
    "MultipleIP",
    "LockedAccount",
    "LogOut",
    "TimedOut",
    "UnknownError",
    "LoginTokenTimedOut",
    "PortalOnlyAccess",
    "DealtrackOnlyAccess",
    "AccountExpired",
    "None",
    "AccountSuspended",
    "MissingCapability",
    "BumpedForSML",
    "MissingGoogleReCaptchaConfirmation",
    "PerformanceTestingBlockage",
    "ValidIDMButInvalidSvcUser",
    "PortalLogOut",
    "UsernameFieldEmpty",
    "PasswordFieldEmpty",
    "UsernameAndPasswordFieldEmpty",
    "LoginRequestIsNull",
    "LoginTypeNotDefined",
    "LoginTypeNotHandled",
    "NoMatchForDefinedProduct",
    "NoMatchForDefinedUserAgentId",
    "LoginInfoIsNull",
    "RestrictedUserSession",
    "RedirectToMI",
    "IPLoginFail",
    "IdpInvalidInteractionCode",
    "IdpInvalidToken",
    "IdpMissingSvcAttributes",
    "IdpSvcAuthenticationFailed",
    "SAMLGenericError",
];

/// The login error codes of the device login service, in order.
pub const LOGIN_ERROR_CODES: [&str; 12] = [
    "OK",
    "Unknown",
    "BadUsername",
    "BadPassword",
    "NotAuthorized",
    "SingleMachineLogin",
    "AccountLocked",
    "Logout",
    "NoCapability",
    "AccountExpired",
    "DeviceReleaseDisabled",
    "AccountSuspended",
];

/// The reasons of a real-time launch, in order.
pub const LAUNCH_REASONS: [&str; 7] = [
    "Ok",
    "AntiCap",
    "NoAddress",
    "IncompleteAddress",
    "NeedAgreement",
    "NoCapability",
    "NoMobileRealTimeCapability",
];

/// The results of `EmailPassword`, in order.
pub const FORGOT_PASSWORD_STATUSES: [&str; 9] = [
    "Success",
    "ValidUserNoPassword",
    "InvalidUser",
    "FunctionalityCapabilityDenied",
    "SuspendedAccount",
    "SelfServiceFunctionalityCapabilityDenied",
    "InactiveAccount",
    "ReadOnlyMode",
    "OtherIDMIssue",
];

/// How a carriage return in an answer may arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnds {
    /// As a carriage return.
    Exact,
    /// Also as XML 1.0 §2.11 reads one that the server wrote unescaped: CR LF and CR as LF.
    AsXmlReads,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Report {
    /// Calls whose answers were right in every field.
    pub passed: usize,
    /// The wrong fields and the wrong kinds of answers, in order of the calls.
    pub failures: Vec<Failure>,
    failed_calls: usize,
}

impl Report {
    /// Calls whose answers were wrong.
    pub fn failed(&self) -> usize {
        self.failed_calls
    }
}

/// One wrong field of an answer, or one answer of the wrong kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The binding of the call.
    pub binding: Binding,
    /// The service, the operation and its arguments.
    pub call: String,
    /// The field's path, empty for the whole answer.
    pub field: String,
    /// What the rules ask for.
    pub expected: String,
    /// What came.
    pub got: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            binding,
            call,
            field,
            expected,
            got,
        } = self;
        let field = if field.is_empty() { "answer" } else { field };
        write!(
            f,
            "{binding} {call}: {field}: expected {}, got {}",
            shortened(expected),
            shortened(got)
        )
    }
}

fn shortened(text: &str) -> String {
    const SHOWN: usize = 300;
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    }
}

/// The clients of both services over one binding.
///
/// # Errors
///
/// When the URL is not a base URL.
pub fn clients<T: Transport + Clone>(
    transport: T,
    base_url: &str,
    binding: Binding,
) -> Result<(AuthenticatorClient<T>, DeviceLoginServiceClient<T>), CallError> {
    let authenticator =
        AuthenticatorClient::new(transport.clone(), base_url)?.with_binding(binding);
    let device = DeviceLoginServiceClient::new(transport, base_url)?.with_binding(binding);
    Ok((authenticator, device))
}

/// Makes every check over each of these bindings.
///
/// # Errors
///
/// When the server cannot be reached at all. A server that stops answering later makes the checks left fail.
pub async fn run<T: Transport + Clone>(
    transport: T,
    base_url: &str,
    bindings: &[Binding],
    line_ends: LineEnds,
) -> Result<Report, CallError> {
    let mut report = Report::default();
    for (index, &binding) in bindings.iter().enumerate() {
        let (authenticator, device) = clients(transport.clone(), base_url, binding)?;
        if index == 0 {
            check_reachable(&device).await?;
        }
        let mut checker = Checker {
            binding,
            authenticator,
            device,
            line_ends,
            report: &mut report,
            unanswered: 0,
        };
        checker.check_authenticator().await;
        checker.check_device_login().await;
    }
    Ok(report)
}

async fn check_reachable<T: Transport>(
    device: &DeviceLoginServiceClient<T>,
) -> Result<(), CallError> {
    match device.test_connection().await {
        Err(error @ CallError::Transport(_)) => Err(error),
        _ => Ok(()),
    }
}

/// Whether a binding tells an absent text from an empty one.
pub fn carries_absence(binding: Binding) -> bool {
    matches!(binding, Binding::Soap11 | Binding::Soap12)
}

/// Texts that are easily lost or changed on the way, as this binding can carry them.
pub fn hard_texts(binding: Binding) -> Vec<String> {
    let mut texts: Vec<String> = [
        "x",
        " ",
        "   ",
        " leading and trailing  ",
        "\t",
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        " \t\r\n x \n\r\t ",
        "a\rb\r\nc\nd\r\r\n\n",
        "a & b < c > d \" e ' f",
        "&amp;&lt;&gt;&quot;&apos;&nbsp;",
        "]]>",
        "a]]]]>>b",
        "--> -- ?> ",
        "%41%u00e9%C3%A9+ %zz%",
        "a=b&c=d;e=f?g#h/i\\j",
        "username=eve&password=x",
        "+1 555 0100",
        "a,b,,c",
        "-_.!*'()~`@$^{}[]|:",
        "\\u00e9 \\n \\\\",
        "{0} {1} %s",
        "null",
        "true",
        "-0",
        "\u{7f}\u{80}\u{85}\u{9f}\u{a0}",
        "\u{e9}\u{c4}\u{df}\u{ff}",
        "e\u{301} \u{200d} \u{202e}abc\u{2028}\u{2029}",
        "\u{65e5}\u{672c}\u{8a9e}",
        "\u{d7ff}\u{e000}\u{fdd0}\u{fffd}",
        "\u{feff}after a mark",
        "\u{1f600}\u{10000}\u{10fffd}",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push(printable_ascii());
    if carries_absence(binding) {
        texts.extend(MARKUP.map(str::to_owned));
    }
    texts.extend(long_texts(binding));
    texts
}

/// Forms go without these: ASP.NET's request validation refuses markup in a form before the service sees it.
const MARKUP: [&str; 8] = [
    SPECIAL,
    "<b>bold</b>",
    "</password><password>eve",
    "<![CDATA[x]]>",
    "<!-- comment -->",
    "<?pi data?>",
    "<!DOCTYPE x [<!ENTITY e 'v'>]>&e;",
    "&#13;&#xD;&#x1F600;&#0;",
];

fn printable_ascii() -> String {
    // A blank after `<` and `&`, for the same reason.
    (' '..='~')
        .map(String::from)
        .collect::<String>()
        .replace('<', "< ")
        .replace('&', "& ")
}

fn long_texts(binding: Binding) -> Vec<String> {
    // Many servers refuse request lines over 8,000 bytes.
    match binding {
        Binding::HttpGet => vec!["x".repeat(1_500), "\u{e9}".repeat(250)],
        _ => vec!["x".repeat(32_000), "y \u{65e5}\u{1f600}\n".repeat(2_000)],
    }
}

/// Byte arrays that this binding can carry in one request.
pub fn hard_bytes(binding: Binding) -> Vec<Vec<u8>> {
    let every: Vec<u8> = (0..=255).collect();
    let mut arrays = vec![
        vec![0],
        vec![255],
        vec![10],
        vec![0, 0],
        vec![65, 66, 67],
        vec![7; 100],
        every,
    ];
    if carries_absence(binding) {
        arrays.extend([Vec::new(), (0..=255).cycle().take(10_000).collect()]);
    }
    arrays
}

/// A field's path and its text.
type Fields = Vec<(String, Text)>;

/// The text of a field: absent, or there.
type Text = Option<String>;

fn login_result_fields(result: &LoginResult) -> Fields {
    vec![
        (
            "ErrorCode".to_owned(),
            Some(result.error_code.as_str().to_owned()),
        ),
        ("Message".to_owned(), result.message.clone()),
    ]
}

fn one_field(value: impl ToString) -> Fields {
    vec![(String::new(), Some(value.to_string()))]
}

/// Every field of a login record by its path.
fn response_fields(response: &DeviceLoginResponse) -> Fields {
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
        self.text(path, &secret.as_ref().map(|secret| String::clone(secret)));
    }

    fn bytes(&mut self, path: &str, bytes: &Option<Secret<Vec<u8>>>) {
        self.text(path, &bytes.as_ref().map(|bytes| show_bytes(Some(bytes))));
    }

    /// Whether an object is there.
    fn object<T>(&mut self, path: &str, object: Option<&T>) {
        self.text(path, &object.map(|_| "present".to_owned()));
    }

    fn real_time_info(&mut self, info: Option<&device_login_service::RealTimeInfo>) {
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

    fn additional_info(&mut self, info: Option<&device_login_service::AdditionalInfo>) {
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

/// XML 1.0 §2.11.
fn as_xml_reads(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

struct Checker<'r, T> {
    binding: Binding,
    authenticator: AuthenticatorClient<T>,
    device: DeviceLoginServiceClient<T>,
    line_ends: LineEnds,
    report: &'r mut Report,
    /// How many calls in a row got no answer.
    unanswered: usize,
}

/// After so many calls in a row without an answer the rest are not made.
const GIVE_UP_AFTER: usize = 3;

impl<T: Transport> Checker<'_, T> {
    fn absence(&self) -> bool {
        carries_absence(self.binding)
    }

    fn fail(
        &mut self,
        call: &str,
        field: &str,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) {
        self.report.failures.push(Failure {
            binding: self.binding,
            call: shortened(call),
            field: field.to_owned(),
            expected: expected.into(),
            got: got.into(),
        });
    }

    fn count(&mut self, passed: bool) {
        if passed {
            self.report.passed += 1;
        } else {
            self.report.failed_calls += 1;
        }
    }

    fn note_answered<R>(&mut self, answer: &Result<R, CallError>) {
        let unanswered = matches!(answer, Err(CallError::Transport(_)));
        self.unanswered = if unanswered { self.unanswered + 1 } else { 0 };
    }

    fn given_up(&mut self, call: &str) -> bool {
        let given_up = self.unanswered >= GIVE_UP_AFTER;
        if given_up {
            self.fail(
                call,
                "",
                "an answer",
                "not called: the server no longer answers",
            );
            self.count(false);
        }
        given_up
    }

    /// Checks that the call was answered with exactly these fields.
    fn check(&mut self, call: &str, expected: &Fields, answer: Result<Fields, CallError>) {
        self.note_answered(&answer);
        let before = self.report.failures.len();
        match answer {
            Ok(got) => self.compare(call, expected, &got),
            Err(error) => self.fail(call, "", "a result", describe_error(&error)),
        }
        self.count(self.report.failures.len() == before);
    }

    fn compare(&mut self, call: &str, expected: &Fields, got: &Fields) {
        for (path, text) in expected {
            match got.iter().find(|(got_path, _)| got_path == path) {
                None => self.fail(call, path, show_text(text), "no such field"),
                Some((_, got)) if self.is_same(text, got) => {}
                Some((_, got)) => self.fail(call, path, show_text(text), show_text(got)),
            }
        }
        for (path, text) in got {
            if !expected
                .iter()
                .any(|(expected_path, _)| expected_path == path)
            {
                self.fail(call, path, "no such field", show_text(text));
            }
        }
    }

    fn is_same(&self, expected: &Text, got: &Text) -> bool {
        let normalised = || expected.as_deref().map(as_xml_reads) == *got;
        expected == got || (self.line_ends == LineEnds::AsXmlReads && normalised())
    }

    /// Checks that the call was answered with a fault whose text holds this.
    fn check_fault<R>(&mut self, call: &str, expected: &str, answer: Result<R, CallError>) {
        self.note_answered(&answer);
        let text = match &answer {
            Ok(_) => Err("a result".to_owned()),
            Err(error) => fault_text(error).ok_or_else(|| describe_error(error)),
        };
        let expected_text = format!("a fault with the text {}", show(Some(expected)));
        let passed = match text {
            Ok(text) if self.is_within(expected, &text) => true,
            Ok(text) => {
                self.fail(
                    call,
                    "",
                    expected_text,
                    format!("a fault with the text {}", show(Some(&text))),
                );
                false
            }
            Err(got) => {
                self.fail(call, "", expected_text, got);
                false
            }
        };
        self.count(passed);
    }

    fn is_within(&self, expected: &str, text: &str) -> bool {
        text.contains(expected)
            || (self.line_ends == LineEnds::AsXmlReads && text.contains(&as_xml_reads(expected)))
    }

    /// Checks that the call was refused on this side, because XML cannot carry an argument.
    fn check_unwritable<R>(&mut self, call: &str, answer: Result<R, CallError>) {
        let got = match answer {
            Ok(_) => Some("a result".to_owned()),
            Err(CallError::Write(_)) => None,
            Err(error) => Some(describe_error(&error)),
        };
        self.count(got.is_none());
        if let Some(got) = got {
            self.fail(call, "", "an error before sending", got);
        }
    }
}

fn show_text(text: &Text) -> String {
    text.as_deref()
        .map_or_else(|| "absent".to_owned(), |text| show(Some(text)))
}

fn describe_error(error: &CallError) -> String {
    format!("the error `{error}`")
}

/// The text of a fault, over any binding: the form bindings have no fault but an error status with a text.
fn fault_text(error: &CallError) -> Option<String> {
    match error {
        CallError::Fault(fault) => Some(fault.text().to_owned()),
        CallError::Status { status, text } if *status == 500 => Some(text.clone()),
        _ => None,
    }
}

/// The arguments of a call as its failures print them.
fn print_call(name: &str, arguments: &[Option<&str>]) -> String {
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| print_argument(*argument))
        .collect();
    format!("{name}({})", arguments.join(", "))
}

fn print_argument(argument: Option<&str>) -> String {
    match argument {
        None => "absent".to_owned(),
        Some(text) if text.len() > 40 => {
            format!("{:?}…", text.chars().take(40).collect::<String>())
        }
        Some(text) => format!("{text:?}"),
    }
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

fn secret(text: Option<&str>) -> Option<Secret<String>> {
    text.map(Into::into)
}

// The authenticator.

impl<T: Transport> Checker<'_, T> {
    async fn check_authenticator(&mut self) {
        self.check_error_codes().await;
        self.check_missing_credentials().await;
        self.check_known_users().await;
        self.check_hard_texts_of_the_authenticator().await;
        self.check_logins().await;
        self.check_faults_of_the_authenticator().await;
        if self.absence() {
            self.check_absent_arguments_of_the_authenticator().await;
            self.check_unwritable_texts_of_the_authenticator().await;
        }
    }

    async fn call_client_auth(
        &self,
        arguments: [Option<&str>; 4],
    ) -> Result<LoginResult, CallError> {
        let [username, password, mac_address, process_name] = arguments;
        let request = ClientAuthWithResultRequest {
            username: owned(username),
            password: secret(password),
            mac_address: owned(mac_address),
            process_name: owned(process_name),
        };
        self.authenticator.client_auth_with_result(request).await
    }

    async fn client_auth(
        &mut self,
        arguments: [Option<&str>; 4],
        code: &str,
        message: Option<&str>,
    ) {
        let call = print_call("ClientAuthWithResult", &arguments);
        if self.given_up(&call) {
            return;
        }
        let expected = vec![
            ("ErrorCode".to_owned(), Some(code.to_owned())),
            ("Message".to_owned(), owned(message)),
        ];
        let answer = self.call_client_auth(arguments).await;
        self.check(
            &call,
            &expected,
            answer.map(|result| login_result_fields(&result)),
        );
    }

    async fn client_auth_of(
        &mut self,
        username: &str,
        password: &str,
        code: &str,
        message: Option<&str>,
    ) {
        self.client_auth(
            [
                Some(username),
                Some(password),
                Some("00-11"),
                Some("proc.exe"),
            ],
            code,
            message,
        )
        .await;
    }

    async fn check_error_codes(&mut self) {
        for code in ERROR_CODES {
            self.client_auth_of(
                &format!("code-{code}"),
                "p",
                code,
                Some(&format!("code {code}")),
            )
            .await;
        }
    }

    async fn check_missing_credentials(&mut self) {
        let texts: &[Option<&str>] = if self.absence() {
            &[None, Some("")]
        } else {
            &[Some("")]
        };
        let part = |name: &str, text: Option<&str>| match text {
            None => format!(" {name}=null"),
            Some("") => format!(" {name}=empty"),
            Some(_) => String::new(),
        };
        for &missing in texts {
            let password = format!("missing:{}", part("password", missing));
            let arguments = [Some("alice"), missing, Some("m"), Some("p")];
            self.client_auth(arguments, "PasswordFieldEmpty", Some(&password))
                .await;
            let username = format!("missing:{}", part("username", missing));
            let arguments = [missing, Some("secret"), Some("m"), Some("p")];
            self.client_auth(arguments, "UsernameFieldEmpty", Some(&username))
                .await;
            for &other in texts {
                let both = format!(
                    "missing:{}{}",
                    part("username", missing),
                    part("password", other)
                );
                let arguments = [missing, other, Some(""), Some("")];
                self.client_auth(arguments, "UsernameAndPasswordFieldEmpty", Some(&both))
                    .await;
            }
        }
        self.client_auth_of(
            "code-LockedAccount",
            "",
            "PasswordFieldEmpty",
            Some("missing: password=empty"),
        )
        .await;
    }

    async fn check_known_users(&mut self) {
        self.client_auth_of("alice", "secret", "None", Some("welcome alice"))
            .await;
        for password in ["Secret", "secret ", " secret", "se\ncret", "\u{455}ecret"] {
            self.client_auth_of("alice", password, "InvalidPassword", Some("bad password"))
                .await;
        }
        self.client_auth_of("nullmsg", "p", "None", None).await;
        self.client_auth_of("emptymsg", "p", "None", Some("")).await;
        self.client_auth_of("special", "p", "None", Some(SPECIAL))
            .await;
        for username in [
            "bob",
            "Alice",
            "alice ",
            " alice",
            "code-",
            "code-Nope",
            "code-none",
            "code- None",
            "Echo",
        ] {
            self.client_auth_of(username, "secret", "InvalidUsername", Some("unknown user"))
                .await;
        }
    }

    async fn check_hard_texts_of_the_authenticator(&mut self) {
        for text in hard_texts(self.binding) {
            let echoed = show(Some(&text)) + "[1:m]" + &show(Some(&text));
            // Three long arguments would make too long a URL.
            let process = if self.binding == Binding::HttpGet && text.len() > 200 {
                ""
            } else {
                &text
            };
            let echoed = if process == text {
                echoed
            } else {
                show(Some(&text)) + "[1:m]" + &show(Some(process))
            };
            let arguments = [Some("echo"), Some(text.as_str()), Some("m"), Some(process)];
            self.client_auth(arguments, "None", Some(&echoed)).await;
            let echoed = "[1:p]".to_owned() + &show(Some(&text)) + "[0:]";
            self.client_auth(
                [Some("echo"), Some("p"), Some(&text), Some("")],
                "None",
                Some(&echoed),
            )
            .await;
            self.client_auth_of("raw", &text, "None", Some(&text)).await;
            self.client_auth_of(
                &format!("{text}?"),
                "p",
                "InvalidUsername",
                Some("unknown user"),
            )
            .await;
        }
    }

    async fn check_absent_arguments_of_the_authenticator(&mut self) {
        for mac_address in [None, Some(""), Some("m")] {
            for process_name in [None, Some(""), Some("p")] {
                let echoed = show(Some("x")) + &show(mac_address) + &show(process_name);
                self.client_auth(
                    [Some("echo"), Some("x"), mac_address, process_name],
                    "None",
                    Some(&echoed),
                )
                .await;
            }
        }
        self.client_auth(
            [Some("alice"), Some("secret"), None, None],
            "None",
            Some("welcome alice"),
        )
        .await;
        self.login(None, None, false).await;
        self.login(Some("alice"), None, false).await;
        self.login(None, Some("secret"), false).await;
    }

    async fn check_unwritable_texts_of_the_authenticator(&mut self) {
        for text in ["\0", "a\u{1}b", "\u{b}", "\u{1f}", "\u{fffe}", "ok\u{ffff}"] {
            let arguments = [Some("echo"), Some(text), Some("m"), Some("p")];
            let answer = self.call_client_auth(arguments).await;
            self.check_unwritable(&print_call("ClientAuthWithResult", &arguments), answer);
            let answer = self.call_login(Some(text), Some("secret")).await;
            self.check_unwritable(
                &print_call("Authenticator Login", &[Some(text), Some("secret")]),
                answer,
            );
        }
    }

    async fn call_login(
        &self,
        username: Option<&str>,
        password: Option<&str>,
    ) -> Result<bool, CallError> {
        let request = authenticator::LoginRequest {
            username: owned(username),
            password: secret(password),
        };
        self.authenticator.login(request).await
    }

    async fn login(&mut self, username: Option<&str>, password: Option<&str>, expected: bool) {
        let call = print_call("Authenticator Login", &[username, password]);
        if self.given_up(&call) {
            return;
        }
        let answer = self.call_login(username, password).await;
        self.check(&call, &one_field(expected), answer.map(one_field));
    }

    async fn check_logins(&mut self) {
        self.login(Some("alice"), Some("secret"), true).await;
        let refused = [
            ("alice", ""),
            ("alice", "Secret"),
            ("", "secret"),
            ("", ""),
            ("bob", "secret"),
            ("ALICE", "secret"),
        ];
        for (username, password) in refused {
            self.login(Some(username), Some(password), false).await;
        }
        for text in hard_texts(self.binding) {
            self.login(Some("alice"), Some(&text), false).await;
        }
    }

    async fn check_faults_of_the_authenticator(&mut self) {
        for password in ["p", "\u{e9}", "\u{65e5} \u{1f600}", "a & b > \" '", " x"] {
            let expected = format!("boom <&> {password}");
            let arguments = [Some("throw"), Some(password), Some("m"), Some("p")];
            let call = print_call("ClientAuthWithResult", &arguments);
            if !self.given_up(&call) {
                let answer = self.call_client_auth(arguments).await;
                self.check_fault(&call, &expected, answer);
            }
            let call = print_call("Authenticator Login", &[Some("throw"), Some(password)]);
            if !self.given_up(&call) {
                let answer = self.call_login(Some("throw"), Some(password)).await;
                self.check_fault(&call, &expected, answer);
            }
        }
    }
}

// The device login service.

impl<T: Transport> Checker<'_, T> {
    async fn check_device_login(&mut self) {
        self.check_answers_by_name().await;
        self.check_device_users().await;
        self.check_hard_texts_of_device_login().await;
        self.check_hard_bytes().await;
        self.check_email_password().await;
        self.check_operations_without_parameters().await;
        self.check_faults_of_device_login().await;
        if self.absence() {
            self.check_absent_arguments_of_device_login().await;
            self.check_unwritable_texts_of_device_login().await;
        }
    }

    async fn call_device_login(
        &self,
        arguments: [Option<&str>; 3],
    ) -> Result<DeviceLoginResponse, CallError> {
        let [username, password, device_pin] = arguments;
        let request = device_login_service::LoginRequest {
            username: owned(username),
            password: secret(password),
            device_pin: secret(device_pin),
        };
        self.device.login(request).await
    }

    async fn device_login(&mut self, arguments: [Option<&str>; 3], expected: &DeviceLoginResponse) {
        let call = print_call("Login", &arguments);
        if self.given_up(&call) {
            return;
        }
        let answer = self.call_device_login(arguments).await;
        self.check(
            &call,
            &response_fields(expected),
            answer.map(|response| response_fields(&response)),
        );
    }

    async fn call_encrypted(
        &self,
        arguments: Encrypted<'_>,
    ) -> Result<DeviceLoginResponse, CallError> {
        let request = LoginWithEncryptedPasswordRequest {
            username: owned(arguments.username),
            encrypted_password: arguments.bytes.map(|bytes| bytes.to_vec().into()),
            device_pin: secret(arguments.device_pin),
            user_initiated: arguments.user_initiated,
        };
        self.device.login_with_encrypted_password(request).await
    }

    async fn encrypted(&mut self, arguments: Encrypted<'_>, expected: &DeviceLoginResponse) {
        let call = arguments.print();
        if self.given_up(&call) {
            return;
        }
        let answer = self.call_encrypted(arguments).await;
        self.check(
            &call,
            &response_fields(expected),
            answer.map(|response| response_fields(&response)),
        );
    }

    /// Both logins with a username on which alone the answer depends.
    async fn both_logins(&mut self, username: &str, expected: &DeviceLoginResponse) {
        self.device_login([Some(username), Some("p"), Some("pin")], expected)
            .await;
        let arguments = Encrypted {
            username: Some(username),
            bytes: Some(&[1, 2]),
            device_pin: Some("pin"),
            user_initiated: false,
        };
        self.encrypted(arguments, expected).await;
    }

    async fn check_answers_by_name(&mut self) {
        for name in LOGIN_ERROR_CODES {
            match LoginErrorCode::from_name(name) {
                Some(code) => {
                    self.both_logins(
                        &format!("code-{name}"),
                        &fixture::bare(code, format!("code {name}")),
                    )
                    .await;
                }
                None => self.fail("LoginErrorCode", name, "a value of the enumeration", "none"),
            }
        }
        for name in LAUNCH_REASONS {
            match device_login_service::RealTimeLaunchReason::from_name(name) {
                Some(reason) => {
                    self.both_logins(&format!("reason-{name}"), &fixture::with_reason(reason))
                        .await
                }
                None => self.fail(
                    "RealTimeLaunchReason",
                    name,
                    "a value of the enumeration",
                    "none",
                ),
            }
        }
        self.both_logins("minimal", &fixture::minimal()).await;
        self.both_logins("empties", &fixture::empties()).await;
        self.both_logins("nilitems", &fixture::nil_items()).await;
        self.both_logins("special", &fixture::special()).await;
        self.both_logins("extremes", &fixture::extremes()).await;
        for username in [
            "",
            " ",
            "bob",
            "Alice",
            "code-Nope",
            "code-ok",
            "reason-",
            "reason-OK",
            "Minimal",
            "minimal ",
        ] {
            self.both_logins(username, &unknown_user()).await;
        }
    }

    async fn check_device_users(&mut self) {
        self.device_login(
            [Some("alice"), Some("secret"), Some("pin-1")],
            &fixture::full("welcome alice"),
        )
        .await;
        self.device_login(
            [Some("alice"), Some("secret"), Some("")],
            &fixture::full("welcome alice"),
        )
        .await;
        for password in ["", "Secret", "secret ", "secret\n"] {
            self.device_login(
                [Some("alice"), Some(password), Some("pin-1")],
                &bad_password(),
            )
            .await;
        }
        for user_initiated in [true, false] {
            let welcome = fixture::full(&format!("welcome alice, userInitiated={user_initiated}"));
            let arguments = Encrypted {
                username: Some("alice"),
                bytes: Some(&BYTES),
                device_pin: Some("pin-1"),
                user_initiated,
            };
            self.encrypted(arguments, &welcome).await;
            self.encrypted(
                Encrypted {
                    bytes: Some(&BYTES[1..]),
                    ..arguments
                },
                &bad_password(),
            )
            .await;
            self.encrypted(
                Encrypted {
                    bytes: Some(&[0]),
                    ..arguments
                },
                &bad_password(),
            )
            .await;
        }
    }

    async fn check_hard_texts_of_device_login(&mut self) {
        for text in hard_texts(self.binding) {
            let shown = show(Some(&text));
            self.device_login(
                [Some("echo"), Some(&text), Some("pin")],
                &echoed(shown.clone() + "[3:pin]"),
            )
            .await;
            self.device_login(
                [Some("echo"), Some(""), Some(&text)],
                &echoed("[0:]".to_owned() + &shown),
            )
            .await;
            self.device_login(
                [Some("raw"), Some(&text), Some("pin")],
                &raw(Some(&text), Some("pin")),
            )
            .await;
            self.device_login(
                [Some("raw"), Some(""), Some(&text)],
                &raw(Some(""), Some(&text)),
            )
            .await;
            self.device_login(
                [Some(&format!("{text}?")), Some("p"), Some("pin")],
                &unknown_user(),
            )
            .await;
            let arguments = Encrypted {
                username: Some("echo"),
                bytes: Some(&[200]),
                device_pin: Some(&text),
                user_initiated: true,
            };
            self.encrypted(arguments, &echoed_bytes(arguments)).await;
        }
    }

    async fn check_hard_bytes(&mut self) {
        for bytes in hard_bytes(self.binding) {
            for user_initiated in [true, false] {
                let arguments = Encrypted {
                    username: Some("echo"),
                    bytes: Some(&bytes),
                    device_pin: Some("pin"),
                    user_initiated,
                };
                self.encrypted(arguments, &echoed_bytes(arguments)).await;
            }
        }
    }

    async fn check_absent_arguments_of_device_login(&mut self) {
        let absent_user = fixture::bare(LoginErrorCode::BadUsername, "username=null");
        self.device_login([None, Some("secret"), Some("pin")], &absent_user)
            .await;
        self.device_login([None, None, None], &absent_user).await;
        self.device_login([Some("alice"), None, None], &bad_password())
            .await;
        for password in [None, Some(""), Some("p")] {
            for device_pin in [None, Some(""), Some("pin")] {
                let expected = echoed(show(password) + &show(device_pin));
                self.device_login([Some("echo"), password, device_pin], &expected)
                    .await;
                self.device_login(
                    [Some("raw"), password, device_pin],
                    &raw(password, device_pin),
                )
                .await;
            }
        }
        for bytes in [None, Some(&[][..]), Some(&BYTES[..])] {
            for device_pin in [None, Some(""), Some("pin")] {
                let arguments = Encrypted {
                    username: Some("echo"),
                    bytes,
                    device_pin,
                    user_initiated: true,
                };
                self.encrypted(arguments, &echoed_bytes(arguments)).await;
                self.encrypted(
                    Encrypted {
                        username: None,
                        ..arguments
                    },
                    &absent_user,
                )
                .await;
            }
        }
        let absent = Encrypted {
            username: Some("alice"),
            bytes: None,
            device_pin: None,
            user_initiated: false,
        };
        self.encrypted(absent, &bad_password()).await;
        self.email_password(None, "InvalidUser").await;
    }

    async fn check_unwritable_texts_of_device_login(&mut self) {
        for text in ["\0", "a\u{1}b", "\u{fffe}", "\u{ffff}"] {
            let arguments = [Some("echo"), Some("p"), Some(text)];
            let answer = self.call_device_login(arguments).await;
            self.check_unwritable(&print_call("Login", &arguments), answer);
        }
    }

    async fn call_email_password(&self, username: Option<&str>) -> Result<String, CallError> {
        let request = EmailPasswordRequest {
            username: owned(username),
        };
        self.device
            .email_password(request)
            .await
            .map(|status| status.as_str().to_owned())
    }

    async fn email_password(&mut self, username: Option<&str>, expected: &str) {
        let call = print_call("EmailPassword", &[username]);
        if self.given_up(&call) {
            return;
        }
        let answer = self.call_email_password(username).await;
        self.check(&call, &one_field(expected), answer.map(one_field));
    }

    async fn check_email_password(&mut self) {
        for status in FORGOT_PASSWORD_STATUSES {
            self.email_password(Some(&format!("code-{status}")), status)
                .await;
        }
        self.email_password(Some("alice"), "Success").await;
        for username in ["", "bob", "Alice", "code-", "code-success"] {
            self.email_password(Some(username), "InvalidUser").await;
        }
        for text in hard_texts(self.binding) {
            self.email_password(Some(&text), "InvalidUser").await;
        }
    }

    async fn check_operations_without_parameters(&mut self) {
        for call in ["TestConnection()", "Logout()", "NoOp()"] {
            if self.given_up(call) {
                continue;
            }
            let (expected, answer) = match call {
                "TestConnection()" => {
                    let answer = self.device.test_connection().await;
                    (Some("connection ok"), answer)
                }
                "Logout()" => (None, self.device.logout().await.map(|()| None)),
                _ => (None, self.device.no_op().await.map(|()| None)),
            };
            let expected = vec![(String::new(), owned(expected))];
            self.check(
                call,
                &expected,
                answer.map(|text| vec![(String::new(), text)]),
            );
        }
    }

    async fn check_faults_of_device_login(&mut self) {
        let arguments = [Some("throw"), Some("p"), Some("pin")];
        let call = print_call("Login", &arguments);
        if !self.given_up(&call) {
            let answer = self.call_device_login(arguments).await;
            self.check_fault(&call, "boom <&>", answer);
        }
        let arguments = Encrypted {
            username: Some("throw"),
            bytes: Some(&[1]),
            device_pin: Some("pin"),
            user_initiated: true,
        };
        if !self.given_up(&arguments.print()) {
            let answer = self.call_encrypted(arguments).await;
            self.check_fault(&arguments.print(), "boom <&>", answer);
        }
        let call = print_call("EmailPassword", &[Some("throw")]);
        if !self.given_up(&call) {
            let answer = self.call_email_password(Some("throw")).await;
            self.check_fault(&call, "boom <&>", answer);
        }
    }
}

/// The arguments of `LoginWithEncryptedPassword`.
#[derive(Clone, Copy)]
struct Encrypted<'a> {
    username: Option<&'a str>,
    bytes: Option<&'a [u8]>,
    device_pin: Option<&'a str>,
    user_initiated: bool,
}

impl Encrypted<'_> {
    fn print(&self) -> String {
        let bytes = match self.bytes {
            None => "absent".to_owned(),
            Some(bytes) if bytes.len() > 8 => format!("{} bytes", bytes.len()),
            Some(bytes) => format!("{bytes:?}"),
        };
        let [username, device_pin] = [self.username, self.device_pin].map(print_argument);
        format!(
            "LoginWithEncryptedPassword({username}, {bytes}, {device_pin}, {})",
            self.user_initiated
        )
    }
}

fn unknown_user() -> DeviceLoginResponse {
    fixture::bare(LoginErrorCode::BadUsername, "unknown user")
}

fn bad_password() -> DeviceLoginResponse {
    fixture::bare(LoginErrorCode::BadPassword, "bad password")
}

fn echoed(message: String) -> DeviceLoginResponse {
    fixture::bare(LoginErrorCode::Ok, message)
}

fn echoed_bytes(arguments: Encrypted<'_>) -> DeviceLoginResponse {
    let shown = show_bytes(arguments.bytes) + &show(arguments.device_pin);
    DeviceLoginResponse {
        encrypted_password: arguments.bytes.map(|bytes| bytes.to_vec().into()),
        ..echoed(format!("{shown}[{}]", arguments.user_initiated))
    }
}

fn raw(password: Option<&str>, device_pin: Option<&str>) -> DeviceLoginResponse {
    DeviceLoginResponse {
        login_error_message: owned(password),
        client_support_phone: owned(device_pin),
        ..fixture::minimal()
    }
}
