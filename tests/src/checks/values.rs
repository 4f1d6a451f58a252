//! The values that the checks send: names of enumerations, and values that are easily lost on the
//! way.

use svcgen::Binding;

use crate::fixture::SPECIAL;

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

/// Whether a binding distinguishes an absent text from an empty one.
pub fn carries_absence(binding: Binding) -> bool {
    matches!(binding, Binding::Soap11 | Binding::Soap12)
}

/// Returns texts that are easily lost or changed on the way, if this binding can carry them.
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

/// Forms do not get these, because ASP.NET's request validation refuses markup in forms before the
/// service gets them.
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
    // A blank is inserted after `<` and `&`, for the same reason.
    (' '..='~')
        .map(String::from)
        .collect::<String>()
        .replace('<', "< ")
        .replace('&', "& ")
}

fn long_texts(binding: Binding) -> Vec<String> {
    // Many servers refuse request lines of more than 8,000 bytes.
    match binding {
        Binding::HttpGet => vec!["x".repeat(1_500), "\u{e9}".repeat(250)],
        _ => vec!["x".repeat(32_000), "y \u{65e5}\u{1f600}\n".repeat(2_000)],
    }
}

/// Returns byte arrays that this binding can carry in one request.
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
