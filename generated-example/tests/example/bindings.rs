//! All four bindings, byte for byte.

use crate::running::Running;

const AUTHENTICATOR: &str = "/SvcDotNet/Authenticator.asmx";
const DEVICE_LOGIN: &str = "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx";
const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

fn login_envelope(namespace: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:soap=\"{namespace}\"><soap:Body>\
         <Login xmlns=\"http://example.com/svc/auth\"><username>alice</username><password>secret</password></Login>\
         </soap:Body></soap:Envelope>"
    )
}

fn login_answer(namespace: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"{namespace}\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><soap:Body>\
         <LoginResponse xmlns=\"http://example.com/svc/auth\"><LoginResult>true</LoginResult></LoginResponse>\
         </soap:Body></soap:Envelope>"
    )
}

#[tokio::test]
async fn login_over_soap_11() {
    let running = Running::start().await;
    let namespace = "http://schemas.xmlsoap.org/soap/envelope/";
    let headers = [
        ("Content-Type", "text/xml; charset=utf-8"),
        ("SOAPAction", "\"http://example.com/svc/auth/Login\""),
    ];
    let (head, body) = running
        .raw(
            &format!("POST {AUTHENTICATOR}"),
            &headers,
            &login_envelope(namespace),
        )
        .await;
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(
        head.to_lowercase()
            .contains("content-type: text/xml; charset=utf-8"),
        "{head}"
    );
    assert_eq!(body, login_answer(namespace));
}

#[tokio::test]
async fn login_over_soap_12() {
    let running = Running::start().await;
    let namespace = "http://www.w3.org/2003/05/soap-envelope";
    let headers = [("Content-Type", "application/soap+xml; charset=utf-8")];
    let (head, body) = running
        .raw(
            &format!("POST {AUTHENTICATOR}"),
            &headers,
            &login_envelope(namespace),
        )
        .await;
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(
        head.to_lowercase()
            .contains("content-type: application/soap+xml; charset=utf-8"),
        "{head}"
    );
    assert_eq!(body, login_answer(namespace));
}

#[tokio::test]
async fn login_over_get_and_post() {
    let running = Running::start().await;
    let answer = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<boolean xmlns=\"http://example.com/svc/auth\">true</boolean>";
    let fields = "username=alice&password=secret";
    let (head, body) = running
        .raw(&format!("GET {AUTHENTICATOR}/Login?{fields}"), &[], "")
        .await;
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert_eq!(body, answer);
    // A character that neither XML nor PostgreSQL knows is a character of no user.
    let (_, body) = running
        .raw(
            &format!(
                "GET {AUTHENTICATOR}/ClientAuthWithResult?username=alice%00&password=secret&macAddress=&processName="
            ),
            &[],
            "",
        )
        .await;
    assert!(
        body.contains("<ErrorCode>InvalidUsername</ErrorCode>"),
        "{body}"
    );
    let (head, body) = running
        .raw(&format!("POST {AUTHENTICATOR}/Login"), &[FORM], fields)
        .await;
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert_eq!(body, answer);
}

#[tokio::test]
async fn a_refused_device_gets_a_bare_record() {
    let running = Running::start().await;
    let fields = "username=alice&password=wrong&devicePin=1";
    let (_, body) = running
        .raw(&format!("POST {DEVICE_LOGIN}/Login"), &[FORM], fields)
        .await;
    assert_eq!(
        body,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <DeviceLoginResponse xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns=\"http://example.com/svc/device\">\n  \
         <LoginErrorCode>BadPassword</LoginErrorCode>\n  \
         <LoginErrorMessage>The password is wrong.</LoginErrorMessage>\n  \
         <QuotesDataVendorId>0</QuotesDataVendorId>\n  \
         <UserId>0</UserId>\n\
         </DeviceLoginResponse>"
    );
}

#[tokio::test]
async fn the_paths_have_no_letter_case_and_empty_answers_no_body() {
    let running = Running::start().await;
    let path = DEVICE_LOGIN.to_lowercase();
    let (_, body) = running
        .raw(&format!("GET {path}/TestConnection"), &[], "")
        .await;
    assert!(body.ends_with(">connection ok</string>"), "{body}");
    for operation in ["Logout", "NoOp"] {
        let (head, body) = running
            .raw(&format!("POST {path}/{operation}"), &[], "")
            .await;
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
        assert_eq!(body, "");
    }
}

#[tokio::test]
async fn a_token_comes_back_as_decimals_and_as_base64() {
    use base64::Engine;
    let running = Running::start().await;
    let token = running.token(svcgen::Binding::Soap11, "alice", "pin").await;
    let decimals: Vec<_> = token
        .iter()
        .map(|byte| format!("&encryptedPassword={byte}"))
        .collect();
    let base64 = base64::engine::general_purpose::STANDARD
        .encode(&**token)
        .replace('+', "%2B");
    for bytes in [decimals.concat(), format!("&encryptedPassword={base64}")] {
        let query = format!("username=alice{bytes}&devicePin=pin&userInitiated=False");
        let (_, body) = running
            .raw(
                &format!("GET {DEVICE_LOGIN}/LoginWithEncryptedPassword?{query}"),
                &[],
                "",
            )
            .await;
        assert!(
            body.contains("<LoginErrorCode>OK</LoginErrorCode>"),
            "{body}"
        );
    }
}
