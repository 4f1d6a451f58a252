//! Calls every operation of both services over one binding and prints the answers.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use generated_example::services::authenticator::{
    self, AuthenticatorClient, ClientAuthWithResultRequest, ErrorCode,
};
use generated_example::services::device_login_service::{
    self, AdditionalInfo, DeviceLoginResponse, DeviceLoginServiceClient, EmailPasswordRequest,
    ForgotPasswordStatus, LoginErrorCode, LoginWithEncryptedPasswordRequest, RealTimeInfo,
};
use generated_example::store::demo;
use svcgen::codegen::Enumeration;
use svcgen::{Binding, CallError, HttpTransport, Secret};

/// Calls every operation of both services and prints the answers; exits with 1 if one fails or is
/// refused.
#[derive(Debug, Parser)]
#[command(name = "client", version)]
struct Flags {
    /// The binding of the calls
    #[arg(long, value_enum, default_value_t = BindingFlag::Soap11)]
    binding: BindingFlag,
    /// Scheme, host and port of the server
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    url: String,
    /// The user to sign in
    #[arg(long, default_value = "alice")]
    username: String,
    /// The password; better given in the environment, where other users of the machine do not see
    /// it
    #[arg(long, env = "SVCGEN_EXAMPLE_PASSWORD", hide_env_values = true, default_value = demo::PASSWORD)]
    password: Secret<String>,
    /// devicePin of the device login
    #[arg(long, default_value = "first-device")]
    device_pin: Secret<String>,
    /// macAddress of ClientAuthWithResult
    #[arg(long, default_value = "02-00-00-00-00-01")]
    mac_address: String,
    /// Print secrets as they are
    #[arg(long)]
    show_secrets: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum BindingFlag {
    Soap11,
    Soap12,
    HttpGet,
    HttpPost,
}

impl From<BindingFlag> for Binding {
    fn from(flag: BindingFlag) -> Self {
        match flag {
            BindingFlag::Soap11 => Self::Soap11,
            BindingFlag::Soap12 => Self::Soap12,
            BindingFlag::HttpGet => Self::HttpGet,
            BindingFlag::HttpPost => Self::HttpPost,
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let flags = Flags::parse();
    let mut report = Report {
        show_secrets: flags.show_secrets,
        failures: 0,
        text: String::new(),
    };
    let result = call_everything(&flags, &mut report).await;
    // The reader may have closed the pipe; the exit code still says whether all calls succeeded.
    let _ = io::stdout().lock().write_all(report.text.as_bytes());
    match result {
        Ok(()) if report.failures == 0 => ExitCode::SUCCESS,
        Ok(()) => {
            eprintln!(
                "error: {} of the calls failed or were refused",
                report.failures
            );
            ExitCode::FAILURE
        }
        Err(text) => {
            eprintln!("error: {text}");
            ExitCode::FAILURE
        }
    }
}

async fn call_everything(flags: &Flags, report: &mut Report) -> Result<(), String> {
    let binding = Binding::from(flags.binding);
    let bad_url = |error: CallError| format!("--url {}: {error}", flags.url);
    let authenticator = AuthenticatorClient::new(HttpTransport::new(), &flags.url)
        .map_err(bad_url)?
        .with_binding(binding);
    let device_login = DeviceLoginServiceClient::new(HttpTransport::new(), &flags.url)
        .map_err(bad_url)?
        .with_binding(binding);
    // The cheapest call goes first: without a server there is one error, not eight.
    let connection = device_login.test_connection().await;
    if let Err(CallError::Transport(error)) = &connection {
        return Err(format!(
            "no answer from {}: {}; start the server with `cargo run -p generated-example`, or name another with --url",
            flags.url,
            with_causes(error)
        ));
    }
    report.title(&format!("Authenticator at {} over {binding}", flags.url));
    call_authenticator(flags, &authenticator, report).await;
    report.title(&format!(
        "DeviceLoginService at {} over {binding}",
        flags.url
    ));
    report.answer("TestConnection", connection, |report, text| {
        report.field("text", Shown(&text));
        true
    });
    call_device_login(flags, &device_login, report).await;
    Ok(())
}

/// An error and its causes.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let causes: Vec<_> = causes.map(ToString::to_string).collect();
    causes.join(": ")
}

async fn call_authenticator(
    flags: &Flags,
    client: &AuthenticatorClient<HttpTransport>,
    report: &mut Report,
) {
    let request = ClientAuthWithResultRequest {
        username: Some(flags.username.clone()),
        password: Some(flags.password.clone()),
        mac_address: Some(flags.mac_address.clone()),
        process_name: Some("client".to_owned()),
    };
    report.answer(
        "ClientAuthWithResult",
        client.client_auth_with_result(&request).await,
        |report, result| {
            report.field("ErrorCode", result.error_code.as_str());
            report.field("Message", Shown(&result.message));
            result.error_code == ErrorCode::None
        },
    );
    let request = authenticator::LoginRequest {
        username: Some(flags.username.clone()),
        password: Some(flags.password.clone()),
    };
    report.answer("Login", client.login(&request).await, |report, admitted| {
        report.field("admitted", admitted);
        admitted
    });
}

async fn call_device_login(
    flags: &Flags,
    client: &DeviceLoginServiceClient<HttpTransport>,
    report: &mut Report,
) {
    let request = device_login_service::LoginRequest {
        username: Some(flags.username.clone()),
        password: Some(flags.password.clone()),
        device_pin: Some(flags.device_pin.clone()),
    };
    let answer = client.login(&request).await;
    let encrypted_password = answer
        .as_ref()
        .ok()
        .and_then(|record| record.encrypted_password.clone());
    report.answer("Login", answer, print_record);
    let request = LoginWithEncryptedPasswordRequest {
        username: Some(flags.username.clone()),
        encrypted_password,
        device_pin: Some(flags.device_pin.clone()),
        user_initiated: true,
    };
    report.answer(
        "LoginWithEncryptedPassword",
        client.login_with_encrypted_password(&request).await,
        print_record,
    );
    let request = EmailPasswordRequest {
        username: Some(flags.username.clone()),
    };
    report.answer(
        "EmailPassword",
        client.email_password(&request).await,
        |report, status| {
            report.field("status", status.as_str());
            status == ForgotPasswordStatus::Success
        },
    );
    report.answer("NoOp", client.no_op().await, |_, ()| true);
    report.answer("Logout", client.logout().await, |_, ()| true);
}

fn print_record(report: &mut Report, record: DeviceLoginResponse) -> bool {
    report.field("LoginErrorCode", record.login_error_code.as_str());
    report.field("LoginErrorMessage", Shown(&record.login_error_message));
    let admitted = record.login_error_code == LoginErrorCode::Ok;
    if !admitted {
        return false;
    }
    let token = record
        .encrypted_password
        .map(|token| Secret::from(generated_example::passwords::hex(&token)));
    report.secret("EncryptedPassword", token.as_ref());
    if let Some(info) = &record.real_time_info {
        print_real_time(report, info);
    }
    report.field("EntryPointUrl", Shown(&record.entry_point_url));
    report.field("BaseUrl", Shown(&record.base_url));
    report.field("QuotesDataVendorId", record.quotes_data_vendor_id);
    report.field("UserId", record.user_id);
    report.field("ClientSupportPhone", Shown(&record.client_support_phone));
    report.field("MobileSupportEmail", Shown(&record.mobile_support_email));
    if let Some(info) = &record.additional_info {
        print_additional(report, info);
    }
    true
}

fn print_real_time(report: &mut Report, info: &RealTimeInfo) {
    report.field(
        "RealTimeHost",
        format_args!("{}:{}", Shown(&info.real_time_host), info.real_time_port),
    );
    report.field("RealTimeProtocol", Shown(&info.real_time_protocol));
    report.field(
        "RealTimeAuthHost",
        format_args!(
            "{}:{}",
            Shown(&info.real_time_auth_host),
            info.real_time_auth_port
        ),
    );
    report.field("RealTimeAuthProtocol", Shown(&info.real_time_auth_protocol));
    if let Some(auth) = &info.auth_info {
        report.secret("Zid", auth.zid.as_ref());
        report.secret("Azid", auth.azid.as_ref());
    }
    report.field(
        "RealTimeLaunchReason",
        info.real_time_launch_reason.as_str(),
    );
    report.field("LaunchReasonText", Shown(&info.launch_reason_text));
}

fn print_additional(report: &mut Report, info: &AdditionalInfo) {
    report.field("MaxNewsHeadlinesCap", info.max_news_headlines_cap);
    report.field("MinNewsAutoRefreshTime", info.min_news_auto_refresh_time);
    report.field("EnableIdmsMobileQuotes", info.enable_idms_mobile_quotes);
    report.field(
        "EnableSecurityProfileForIdms",
        info.enable_security_profile_for_idms,
    );
    for source in info.news_search_source_types.iter().flatten().flatten() {
        let checked = if source.checked_by_default {
            ", checked"
        } else {
            ""
        };
        report.field(
            "SearchSourceType",
            format_args!("{} {}{checked}", source.id, Shown(&source.name)),
        );
    }
    let capabilities: Vec<_> = info
        .capabilities
        .iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    report.field("Capabilities", capabilities.join(" "));
}

/// The output, and the number of calls that failed.
struct Report {
    show_secrets: bool,
    failures: u32,
    text: String,
}

impl Report {
    fn title(&mut self, title: &str) {
        let gap = if self.text.is_empty() { "" } else { "\n" };
        self.line(format_args!("{gap}{title}"));
    }

    /// Prints an answer with `print`, which returns whether the call was granted.
    fn answer<T>(
        &mut self,
        operation: &str,
        answer: Result<T, CallError>,
        print: impl FnOnce(&mut Self, T) -> bool,
    ) {
        self.line(format_args!("\n{operation}"));
        let granted = match answer {
            Ok(value) => print(self, value),
            Err(error) => {
                self.field("error", with_causes(&error));
                false
            }
        };
        if granted {
            self.line(format_args!("  -> ok"));
        } else {
            self.failures += 1;
            self.line(format_args!("  -> not ok"));
        }
    }

    fn field(&mut self, name: &str, value: impl Display) {
        self.line(format_args!("  {name:<30}{value}"));
    }

    fn secret(&mut self, name: &str, value: Option<&Secret<String>>) {
        match value {
            Some(secret) if self.show_secrets => self.field(name, secret.as_str()),
            Some(secret) => self.field(name, secret),
            None => self.field(name, "(absent)"),
        }
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        self.text.push_str(&line.to_string());
        self.text.push('\n');
    }
}

/// A text that may be absent.
struct Shown<'a>(&'a Option<String>);

impl Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.as_deref().unwrap_or("(absent)"))
    }
}
