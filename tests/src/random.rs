//! Random values of every generated type, with characters that are easily lost on the way.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use svcgen::Secret;
use svcgen::codegen::Enumeration;

use crate::authenticator::{self, ClientAuthWithResultRequest, ErrorCode, LoginResult};
use crate::device_login_service::{
    self, AdditionalInfo, AuthInfo, DeviceLoginResponse, EmailPasswordRequest,
    ForgotPasswordStatus, LoginErrorCode, LoginWithEncryptedPasswordRequest, RealTimeInfo,
    RealTimeLaunchReason, SearchSourceType,
};

/// A character that XML can contain; the awkward ones are more frequent.
fn character() -> BoxedStrategy<char> {
    prop_oneof![
        4 => select(vec!['\r', '\n', '\t', ' ']),
        4 => select(vec!['<', '>', '&', '"', '\'', ']', '[', '-', '?', '!', '/', ';', '#']),
        4 => select(vec!['%', '+', '=', ',', '\\', '{', '}', 'u', '0', 'A', '(', ')', '*', '~']),
        6 => prop::char::range(' ', '~'),
        2 => prop::char::range('\u{7f}', '\u{ff}'),
        2 => prop::char::range('\u{100}', '\u{d7ff}'),
        1 => prop::char::range('\u{e000}', '\u{fffd}'),
        2 => prop::char::range('\u{10000}', '\u{10ffff}'),
    ]
    .boxed()
}

/// A text that every binding can contain.
pub fn text() -> BoxedStrategy<String> {
    prop_oneof![
        1 => select(vec!["", " ", "\r\n", "]]>", "<!-- -->", "&#13;", "%u00e9", "null", "true"]).prop_map(str::to_owned),
        5 => vec(character(), 0..24).prop_map(String::from_iter),
    ].boxed()
}

fn optional_text() -> BoxedStrategy<Option<String>> {
    option::of(text()).boxed()
}

fn optional_secret() -> BoxedStrategy<Option<Secret<String>>> {
    option::of(text().prop_map(Secret::from)).boxed()
}

fn optional_bytes() -> BoxedStrategy<Option<Secret<Vec<u8>>>> {
    option::of(vec(any::<u8>(), 0..40).prop_map(Secret::from)).boxed()
}

/// A number; the extreme ones are more frequent.
fn int() -> BoxedStrategy<i32> {
    prop_oneof![2 => select(vec![0, -1, i32::MIN, i32::MAX]), 3 => any::<i32>()].boxed()
}

fn long() -> BoxedStrategy<i64> {
    prop_oneof![2 => select(vec![0, -1, i64::MIN, i64::MAX]), 3 => any::<i64>()].boxed()
}

/// Any value of an enumeration.
pub fn value_of<E: Enumeration + std::fmt::Debug>() -> BoxedStrategy<E> {
    let values = E::VALUES.to_vec();
    select(values).boxed()
}

/// Parameters of `ClientAuthWithResult`.
pub fn client_auth_request() -> BoxedStrategy<ClientAuthWithResultRequest> {
    let texts = (
        optional_text(),
        optional_secret(),
        optional_text(),
        optional_text(),
    );
    texts
        .prop_map(
            |(username, password, mac_address, process_name)| ClientAuthWithResultRequest {
                username,
                password,
                mac_address,
                process_name,
            },
        )
        .boxed()
}

/// Parameters of the authenticator's `Login`.
pub fn login_request() -> BoxedStrategy<authenticator::LoginRequest> {
    (optional_text(), optional_secret())
        .prop_map(|(username, password)| authenticator::LoginRequest { username, password })
        .boxed()
}

/// Parameters of the device login service's `Login`.
pub fn device_login_request() -> BoxedStrategy<device_login_service::LoginRequest> {
    let texts = (optional_text(), optional_secret(), optional_secret());
    texts
        .prop_map(
            |(username, password, device_pin)| device_login_service::LoginRequest {
                username,
                password,
                device_pin,
            },
        )
        .boxed()
}

/// Parameters of `LoginWithEncryptedPassword`.
pub fn encrypted_request() -> BoxedStrategy<LoginWithEncryptedPasswordRequest> {
    let values = (
        optional_text(),
        optional_bytes(),
        optional_secret(),
        any::<bool>(),
    );
    values
        .prop_map(
            |(username, encrypted_password, device_pin, user_initiated)| {
                LoginWithEncryptedPasswordRequest {
                    username,
                    encrypted_password,
                    device_pin,
                    user_initiated,
                }
            },
        )
        .boxed()
}

/// Parameters of `EmailPassword`.
pub fn email_request() -> BoxedStrategy<EmailPasswordRequest> {
    optional_text()
        .prop_map(|username| EmailPasswordRequest { username })
        .boxed()
}

/// A result of `ClientAuthWithResult`.
pub fn login_result() -> BoxedStrategy<LoginResult> {
    (value_of::<ErrorCode>(), optional_text())
        .prop_map(|(error_code, message)| LoginResult {
            error_code,
            message,
        })
        .boxed()
}

/// A result of `EmailPassword`.
pub fn forgot_password_status() -> BoxedStrategy<ForgotPasswordStatus> {
    value_of().boxed()
}

fn auth_info() -> BoxedStrategy<AuthInfo> {
    (optional_secret(), optional_secret())
        .prop_map(|(zid, azid)| AuthInfo { zid, azid })
        .boxed()
}

fn real_time_info() -> BoxedStrategy<RealTimeInfo> {
    let hosts = (optional_text(), int(), optional_text(), int());
    let rest = (
        optional_text(),
        optional_text(),
        option::of(auth_info()),
        value_of::<RealTimeLaunchReason>(),
        optional_text(),
    );
    (hosts, rest)
        .prop_map(|(hosts, rest)| RealTimeInfo {
            real_time_host: hosts.0,
            real_time_port: hosts.1,
            real_time_auth_host: hosts.2,
            real_time_auth_port: hosts.3,
            real_time_protocol: rest.0,
            real_time_auth_protocol: rest.1,
            auth_info: rest.2,
            real_time_launch_reason: rest.3,
            launch_reason_text: rest.4,
        })
        .boxed()
}

fn search_source_type() -> BoxedStrategy<SearchSourceType> {
    (int(), optional_text(), any::<bool>())
        .prop_map(|(id, name, checked_by_default)| SearchSourceType {
            id,
            name,
            checked_by_default,
        })
        .boxed()
}

fn additional_info() -> BoxedStrategy<AdditionalInfo> {
    let lists = (
        option::of(vec(option::of(search_source_type()), 0..4)),
        option::of(vec(int(), 0..4)),
    );
    (int(), int(), any::<bool>(), any::<bool>(), lists)
        .prop_map(|(cap, refresh, quotes, profile, lists)| AdditionalInfo {
            max_news_headlines_cap: cap,
            min_news_auto_refresh_time: refresh,
            enable_idms_mobile_quotes: quotes,
            enable_security_profile_for_idms: profile,
            news_search_source_types: lists.0,
            capabilities: lists.1,
        })
        .boxed()
}

/// A login record.
pub fn device_login_response() -> BoxedStrategy<DeviceLoginResponse> {
    let start = (
        value_of::<LoginErrorCode>(),
        optional_text(),
        optional_bytes(),
        option::of(real_time_info()),
    );
    let texts = (
        optional_text(),
        optional_text(),
        optional_text(),
        optional_text(),
    );
    (start, texts, int(), long(), option::of(additional_info()))
        .prop_map(
            |(start, texts, quotes_data_vendor_id, user_id, additional_info)| DeviceLoginResponse {
                login_error_code: start.0,
                login_error_message: start.1,
                encrypted_password: start.2,
                real_time_info: start.3,
                entry_point_url: texts.0,
                base_url: texts.1,
                quotes_data_vendor_id,
                user_id,
                client_support_phone: texts.2,
                mobile_support_email: texts.3,
                additional_info,
            },
        )
        .boxed()
}
