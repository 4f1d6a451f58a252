//! A service whose callers log in by a SOAP header, and a client of it.

// ANCHOR: handler
use std::collections::HashMap;

use svcgen::{Context, Fault, Secret};

use crate::accounts::{AccountsHandler, AuthHeader, BalanceHeaders, BalanceRequest};

/// The handler, with the passwords of its users.
#[derive(Debug, Default)]
pub struct Bank {
    /// The passwords by the names of users.
    pub passwords: HashMap<String, Secret<String>>,
}

impl Bank {
    /// The user whose login is in a header. Without a header, and with a wrong one, the fault is the same.
    fn user(&self, header: Option<AuthHeader>) -> Result<String, Fault> {
        let header = header.unwrap_or_default();
        let name = header.user_name.unwrap_or_default();
        let known = self.passwords.get(&name);
        if known.is_some() && known == header.password.as_ref() {
            Ok(name)
        } else {
            Err(Fault::client("The user name or the password is wrong."))
        }
    }
}

impl AccountsHandler for Bank {
    async fn balance(
        &self,
        _: &Context,
        headers: BalanceHeaders,
        request: BalanceRequest,
    ) -> Result<i64, Fault> {
        let user = self.user(headers.auth_header)?;
        balance_of(&user, request.account).ok_or_else(|| Fault::client("You have no such account."))
    }
}
// ANCHOR_END: handler

/// Returns the balance of an account that belongs to the user.
fn balance_of(user: &str, account: i32) -> Option<i64> {
    (user == "ann" && account == 7).then_some(129_900)
}

// ANCHOR: client
use svcgen::CallError;

use crate::accounts::AccountsClient;

/// Asks for a balance, with a login in the header.
///
/// # Errors
///
/// The error of the call; a wrong login is a fault.
pub async fn balance(url: &str, login: AuthHeader, account: i32) -> Result<i64, CallError> {
    let client = AccountsClient::connect(url)?;
    let headers = BalanceHeaders {
        auth_header: Some(login),
    };
    client.balance(&headers, &BalanceRequest { account }).await
}
// ANCHOR_END: client

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::AccountsServer;
    use tokio::net::TcpListener;

    fn login(name: &str, password: &str) -> AuthHeader {
        AuthHeader {
            user_name: Some(name.to_owned()),
            password: Some(password.into()),
        }
    }

    #[tokio::test]
    async fn callers_log_in_by_a_header() {
        let bank = Bank {
            passwords: [("ann".to_owned(), "s3cret".into())].into(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async { svcgen::serve(listener, AccountsServer::new(bank)).await });
        assert_eq!(
            balance(&url, login("ann", "s3cret"), 7).await.unwrap(),
            129_900
        );
        for login in [
            AuthHeader::default(),
            login("ann", "guess"),
            login("bob", "s3cret"),
            AuthHeader {
                password: None,
                ..login("bob", "")
            },
        ] {
            let error = balance(&url, login, 7).await.unwrap_err();
            let fault = error.fault().unwrap().to_string();
            assert!(
                fault.contains("The user name or the password is wrong."),
                "{fault}"
            );
        }
        let client = AccountsClient::connect(&url).unwrap();
        let without = client.balance(&BalanceHeaders::default(), &BalanceRequest { account: 7 });
        let error = without.await.unwrap_err();
        assert!(
            error.fault().unwrap().text().contains("is wrong"),
            "{error}"
        );
    }
}
