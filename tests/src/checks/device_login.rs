//! The checks of the device login service.

use svcgen::codegen::Enumeration;
use svcgen::{CallError, Transport};

use super::fields::{one_field, response_fields};
use super::values::{
    FORGOT_PASSWORD_STATUSES, LAUNCH_REASONS, LOGIN_ERROR_CODES, hard_bytes, hard_texts,
};
use super::{Checker, owned, print_argument, print_call, secret};
use crate::device_login_service::{
    DeviceLoginResponse, EmailPasswordRequest, LoginErrorCode, LoginRequest,
    LoginWithEncryptedPasswordRequest, RealTimeLaunchReason,
};
use crate::fixture::{self, BYTES, show, show_bytes};

impl<T: Transport> Checker<'_, T> {
    pub(super) async fn check_device_login(&mut self) {
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
        let request = LoginRequest {
            username: owned(username),
            password: secret(password),
            device_pin: secret(device_pin),
        };
        self.device.login(&request).await
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
        self.device.login_with_encrypted_password(&request).await
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

    /// Checks both logins with a username that alone determines the answer.
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
            match RealTimeLaunchReason::from_name(name) {
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
            .email_password(&request)
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
