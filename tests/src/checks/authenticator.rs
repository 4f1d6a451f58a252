//! The checks of the authenticator.

use svcgen::{Binding, CallError, Transport};

use super::fields::{login_result_fields, one_field};
use super::values::{ERROR_CODES, hard_texts};
use super::{Checker, owned, print_call, secret};
use crate::authenticator::{ClientAuthWithResultRequest, LoginRequest, LoginResult};
use crate::fixture::{SPECIAL, show};

impl<T: Transport> Checker<'_, T> {
    pub(super) async fn check_authenticator(&mut self) {
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
        self.authenticator.client_auth_with_result(&request).await
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
            // Three long arguments would make the URL too long.
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
        let request = LoginRequest {
            username: owned(username),
            password: secret(password),
        };
        self.authenticator.login(&request).await
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
