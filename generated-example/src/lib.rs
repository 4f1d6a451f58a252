//! Both services of `service-defs/`, served on an account store in an SQLite file or, with the
//! feature `postgres`, on a PostgreSQL server.
//!
//! | part | what it holds |
//! |---|---|
//! | [`services`] | the generated code |
//! | [`accounts`] | accounts, and the rules by which they sign in |
//! | [`passwords`] | hashes, tokens, fingerprints |
//! | [`store`] | the database, and its errors |
//! | [`store::demo`] | the accounts of a new store |
//! | [`sign_in`] | the rules applied to the store, as both services use them |
//! | [`sessions`] | the states of sessions in the database |
//! | [`proxies`] | the caller's address behind proxies |
//! | [`authenticator`], [`device_login`] | the handlers |

pub mod accounts;
pub mod authenticator;
pub mod device_login;
pub mod passwords;
pub mod proxies;
pub mod sessions;
pub mod sign_in;
pub mod store;

/// The code generated from `service-defs/`.
pub mod services {
    svcgen::include_service!("authenticator");
    svcgen::include_service!("device_login_service");
}

use authenticator::Authenticator;
use device_login::DeviceLogin;
use proxies::Proxies;
use services::authenticator::AuthenticatorServer;
use services::device_login_service::DeviceLoginServiceServer;
use store::Store;
use svcgen::documents::InvokeForm;
use svcgen::{Documents, Router, ServerOptions};

/// Makes both services on one store, behind proxies. Browsers on the same machine can call them
/// from their help pages.
pub fn router(store: &Store, proxies: &Proxies) -> Router {
    let documents = Documents::new().with_invoke_form(InvokeForm::FromLoopback);
    let options = ServerOptions::new().with_documents(documents);
    let authenticator =
        AuthenticatorServer::new(Authenticator::new(store.clone(), proxies.clone()));
    let device_login =
        DeviceLoginServiceServer::new(DeviceLogin::new(store.clone(), proxies.clone()));
    Router::new()
        .with_service(authenticator.with_options(options.clone()))
        .with_service(device_login.with_options(options))
}
