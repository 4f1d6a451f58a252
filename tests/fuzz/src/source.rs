//! Decisions and values from a fuzzer's bytes.

use std::task::{Context, Poll, Waker};

use svcgen::Secret;
use svcgen::codegen::Enumeration;
use svcgen_tests::device_login_service::{
    AdditionalInfo, AuthInfo, DeviceLoginResponse, LoginErrorCode, LoginRequest,
    LoginWithEncryptedPasswordRequest, RealTimeInfo, RealTimeLaunchReason, SearchSourceType,
};

/// Returns the output of a future that never waits.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing waits"),
    }
}

/// Bytes that are consumed from the front; when none are left, every decision is 0.
pub struct Source<'d>(pub &'d [u8]);

impl<'d> Source<'d> {
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    /// Returns a number below `end`, which is at most 256.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    pub fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub fn bytes(&mut self, length: usize) -> &'d [u8] {
        let (bytes, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        bytes
    }

    /// Returns a text: often words of markup, sometimes arbitrary bytes.
    pub fn text(&mut self) -> String {
        const WORDS: [&str; 24] = [
            "",
            "alice",
            " ",
            "\r\n",
            "\r",
            "\n",
            "\t",
            "<",
            ">",
            "&",
            "]]>",
            "\"",
            "'",
            "&amp;",
            "<!--",
            "--",
            "\u{e9}",
            "\u{1f600}",
            "\u{feff}",
            "\u{1}",
            "\u{fffe}",
            "%u00e9+%20",
            "true",
            "-2147483648",
        ];
        let mut text = String::new();
        for _ in 0..self.below(5) {
            match self.below(4) {
                0 => {
                    let length = self.below(40);
                    text.push_str(&String::from_utf8_lossy(self.bytes(length)));
                }
                _ => text.push_str(WORDS[self.below(WORDS.len())]),
            }
        }
        text
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| value(self))
    }

    fn secret(&mut self) -> Secret<String> {
        Secret::new(self.text())
    }

    fn secret_bytes(&mut self) -> Secret<Vec<u8>> {
        let length = self.below(40);
        Secret::new(self.bytes(length).to_vec())
    }

    fn int(&mut self) -> i32 {
        self.long() as i32
    }

    fn long(&mut self) -> i64 {
        const BORDERS: [i64; 8] = [
            0,
            1,
            -1,
            i32::MAX as i64,
            i32::MIN as i64,
            i64::MAX,
            i64::MIN,
            9_007_199_254_740_993,
        ];
        match self.below(10) {
            at @ 0..8 => BORDERS[at],
            _ => self
                .bytes(8)
                .iter()
                .fold(0, |number, byte| number << 8 | i64::from(*byte)),
        }
    }

    fn enumeration<E: Enumeration>(&mut self) -> E {
        E::VALUES[self.below(E::VALUES.len())]
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.below(5)).map(|_| item(self)).collect()
    }

    pub fn login(&mut self) -> LoginRequest {
        LoginRequest {
            username: self.maybe(Self::text),
            password: self.maybe(Self::secret),
            device_pin: self.maybe(Self::secret),
        }
    }

    pub fn encrypted_login(&mut self) -> LoginWithEncryptedPasswordRequest {
        LoginWithEncryptedPasswordRequest {
            username: self.maybe(Self::text),
            encrypted_password: self.maybe(Self::secret_bytes),
            device_pin: self.maybe(Self::secret),
            user_initiated: self.flag(),
        }
    }

    pub fn response(&mut self) -> DeviceLoginResponse {
        DeviceLoginResponse {
            login_error_code: self.enumeration::<LoginErrorCode>(),
            login_error_message: self.maybe(Self::text),
            encrypted_password: self.maybe(Self::secret_bytes),
            real_time_info: self.maybe(Self::real_time_info),
            entry_point_url: self.maybe(Self::text),
            base_url: self.maybe(Self::text),
            quotes_data_vendor_id: self.int(),
            user_id: self.long(),
            client_support_phone: self.maybe(Self::text),
            mobile_support_email: self.maybe(Self::text),
            additional_info: self.maybe(Self::additional_info),
        }
    }

    fn real_time_info(&mut self) -> RealTimeInfo {
        RealTimeInfo {
            real_time_host: self.maybe(Self::text),
            real_time_port: self.int(),
            real_time_auth_host: self.maybe(Self::text),
            real_time_auth_port: self.int(),
            real_time_protocol: self.maybe(Self::text),
            real_time_auth_protocol: self.maybe(Self::text),
            auth_info: self.maybe(|source| AuthInfo {
                zid: source.maybe(Self::secret),
                azid: source.maybe(Self::secret),
            }),
            real_time_launch_reason: self.enumeration::<RealTimeLaunchReason>(),
            launch_reason_text: self.maybe(Self::text),
        }
    }

    fn additional_info(&mut self) -> AdditionalInfo {
        let item = |source: &mut Self| SearchSourceType {
            id: source.int(),
            name: source.maybe(Self::text),
            checked_by_default: source.flag(),
        };
        AdditionalInfo {
            max_news_headlines_cap: self.int(),
            min_news_auto_refresh_time: self.int(),
            enable_idms_mobile_quotes: self.flag(),
            enable_security_profile_for_idms: self.flag(),
            news_search_source_types: self.maybe(|source| source.list(|source| source.maybe(item))),
            capabilities: self.maybe(|source| source.list(Self::int)),
        }
    }
}
