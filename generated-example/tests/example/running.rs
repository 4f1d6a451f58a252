//! A running server on a port and a store of its own.

use std::time::Duration;

use generated_example::passwords::HashCost;
use generated_example::proxies::Proxies;
use generated_example::router;
use generated_example::services::authenticator::{
    AuthenticatorClient, ClientAuthWithResultRequest, ErrorCode, LoginRequest,
};
use generated_example::services::device_login_service::{
    self, DeviceLoginResponse, DeviceLoginServiceClient, EmailPasswordRequest,
    ForgotPasswordStatus, LoginErrorCode, LoginWithEncryptedPasswordRequest,
};
use generated_example::store::{Connection, Store, StoreOptions};
use svcgen::{Binding, HttpTransport, Secret};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::database::TestDatabase;

pub const BINDINGS: [Binding; 4] = [
    Binding::Soap11,
    Binding::Soap12,
    Binding::HttpGet,
    Binding::HttpPost,
];

/// Hashes that cost next to nothing: these tests are about everything else.
pub const OPTIONS: StoreOptions = StoreOptions {
    cost: HashCost {
        memory: 8,
        passes: 1,
    },
    busy_timeout: Duration::from_secs(30),
    queue_timeout: Duration::from_secs(30),
    connections: 8,
};

pub struct Running {
    pub host: String,
    pub store: Store,
    pub database: TestDatabase,
    stop: oneshot::Sender<()>,
    server: JoinHandle<std::io::Result<svcgen::serve::Stopped>>,
}

impl Running {
    pub async fn start() -> Self {
        Self::start_with(OPTIONS).await
    }

    pub async fn start_with(options: StoreOptions) -> Self {
        Self::on(TestDatabase::new().await, options).await
    }

    pub async fn on(database: TestDatabase, options: StoreOptions) -> Self {
        Self::behind(Proxies::default(), database, options).await
    }

    /// Behind proxies.
    pub async fn behind(proxies: Proxies, database: TestDatabase, options: StoreOptions) -> Self {
        let store = Store::open(&database.database, options).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let (stop, stopped) = oneshot::channel();
        let serve = svcgen::serve(listener, router(&store, &proxies)).with_shutdown(async move {
            let _ = stopped.await;
        });
        let server = tokio::spawn(async move { serve.await });
        Self {
            host,
            store,
            database,
            stop,
            server,
        }
    }

    /// Stops, and starts again on the same database.
    pub async fn restart(self) -> Self {
        self.stop.send(()).unwrap();
        self.server.await.unwrap().unwrap();
        drop(self.store);
        Self::on(self.database, OPTIONS).await
    }

    /// Another instance on the same database.
    pub async fn another(&self) -> Self {
        Self::on(self.database.clone(), OPTIONS).await
    }

    /// A connection beside the server's own.
    pub async fn sql(&self) -> Connection {
        self.database.connect().await
    }

    /// Executes statements beside the server.
    pub async fn execute(&self, statements: &str) {
        self.sql().await.batch(statements).await.unwrap();
    }

    /// The number that a query answers.
    pub async fn number(&self, query: &str) -> i64 {
        let mut sql = self.sql().await;
        sql.value(query, vec![]).await.unwrap().unwrap()
    }

    pub fn authenticator(&self, binding: Binding) -> AuthenticatorClient<HttpTransport> {
        let url = format!("http://{}", self.host);
        AuthenticatorClient::new(HttpTransport::new(), &url)
            .unwrap()
            .with_binding(binding)
    }

    pub fn device_login(&self, binding: Binding) -> DeviceLoginServiceClient<HttpTransport> {
        let url = format!("http://{}", self.host);
        DeviceLoginServiceClient::new(HttpTransport::new(), &url)
            .unwrap()
            .with_binding(binding)
    }

    pub async fn check(&self, binding: Binding, username: &str, password: &str) -> ErrorCode {
        self.check_on(binding, username, password, "").await
    }

    pub async fn check_on(
        &self,
        binding: Binding,
        username: &str,
        password: &str,
        mac_address: &str,
    ) -> ErrorCode {
        let request = ClientAuthWithResultRequest {
            username: Some(username.to_owned()),
            password: Some(password.into()),
            mac_address: Some(mac_address.to_owned()),
            process_name: Some("test".to_owned()),
        };
        self.authenticator(binding)
            .client_auth_with_result(&request)
            .await
            .unwrap()
            .error_code
    }

    pub async fn admitted(&self, binding: Binding, username: &str, password: &str) -> bool {
        let request = LoginRequest {
            username: Some(username.to_owned()),
            password: Some(password.into()),
        };
        self.authenticator(binding).login(&request).await.unwrap()
    }

    pub async fn login(
        &self,
        binding: Binding,
        username: &str,
        password: &str,
        pin: &str,
    ) -> DeviceLoginResponse {
        let request = device_login_service::LoginRequest {
            username: Some(username.to_owned()),
            password: Some(password.into()),
            device_pin: Some(pin.into()),
        };
        self.device_login(binding).login(&request).await.unwrap()
    }

    /// The token that a device login hands out.
    pub async fn token(&self, binding: Binding, username: &str, pin: &str) -> Secret<Vec<u8>> {
        let record = self.login(binding, username, "secret", pin).await;
        record.encrypted_password.expect("a token")
    }

    pub async fn login_with_token(
        &self,
        binding: Binding,
        username: &str,
        token: &Secret<Vec<u8>>,
        pin: &str,
    ) -> DeviceLoginResponse {
        let request = LoginWithEncryptedPasswordRequest {
            username: Some(username.to_owned()),
            encrypted_password: Some(token.clone()),
            device_pin: Some(pin.into()),
            user_initiated: true,
        };
        self.device_login(binding)
            .login_with_encrypted_password(&request)
            .await
            .unwrap()
    }

    pub async fn token_code(
        &self,
        username: &str,
        token: &Secret<Vec<u8>>,
        pin: &str,
    ) -> LoginErrorCode {
        self.login_with_token(Binding::Soap11, username, token, pin)
            .await
            .login_error_code
    }

    pub async fn mail(&self, binding: Binding, username: &str) -> ForgotPasswordStatus {
        let request = EmailPasswordRequest {
            username: Some(username.to_owned()),
        };
        self.device_login(binding)
            .email_password(&request)
            .await
            .unwrap()
    }

    /// Sends text as it is and returns the head and the body of the answer.
    pub async fn raw(&self, start: &str, headers: &[(&str, &str)], body: &str) -> (String, String) {
        let mut request = format!(
            "{start} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n",
            self.host
        );
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let mut stream = TcpStream::connect(&self.host).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }
}
