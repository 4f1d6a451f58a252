"""The fixture services by the rules of ../recorded/README.md, independently of the Rust code.

A result is a tree of str, int, bool, bytes, list, dict and None (absent). An object holds all its fields.
"""

SPECIAL = "  a<b>c&d\"e'f\tTAB\r\nCRLF\nLF\rCR \u00e9\u65e5\u672c\U0001f600 ]]> end  "
BYTES = bytes([0, 1, 2, 0xFD, 0xFE, 0xFF])

AUTHENTICATOR = "Authenticator"
DEVICE = "DeviceLoginService"
PATHS = {
    AUTHENTICATOR: "/SvcDotNet/Authenticator.asmx",
    DEVICE: "/SvcDotNet/Mobile/Services/DeviceLoginService.asmx",
}
NAMESPACES = {
    AUTHENTICATOR: "http://example.com/svc/auth",
    DEVICE: "http://example.com/svc/device",
}

# service -> operation -> (parameters, result type)
OPERATIONS = {
    AUTHENTICATOR: {
        "ClientAuthWithResult": (
            {"username": "string", "password": "string", "macAddress": "string", "processName": "string"},
            "LoginResult",
        ),
        "Login": ({"username": "string", "password": "string"}, "boolean"),
    },
    DEVICE: {
        "Login": ({"username": "string", "password": "string", "devicePin": "string"}, "DeviceLoginResponse"),
        "LoginWithEncryptedPassword": (
            {"username": "string", "encryptedPassword": "base64Binary", "devicePin": "string", "userInitiated": "boolean"},
            "DeviceLoginResponse",
        ),
        "EmailPassword": ({"username": "string"}, "ForgotPasswordStatus"),
        "TestConnection": ({}, "string"),
        "Logout": ({}, None),
        "NoOp": ({}, None),
    },
}

# Objects with their fields in wire order; a list is ["item element", type]
OBJECTS = {
    "LoginResult": {"ErrorCode": "ErrorCode", "Message": "string"},
    "DeviceLoginResponse": {
        "LoginErrorCode": "LoginErrorCode",
        "LoginErrorMessage": "string",
        "EncryptedPassword": "base64Binary",
        "RealTimeInfo": "RealTimeInfo",
        "EntryPointUrl": "string",
        "BaseUrl": "string",
        "QuotesDataVendorId": "int",
        "UserId": "long",
        "ClientSupportPhone": "string",
        "MobileSupportEmail": "string",
        "AdditionalInfo": "AdditionalInfo",
    },
    "RealTimeInfo": {
        "RealTimeHost": "string",
        "RealTimePort": "int",
        "RealTimeAuthHost": "string",
        "RealTimeAuthPort": "int",
        "RealTimeProtocol": "string",
        "RealTimeAuthProtocol": "string",
        "AuthInfo": "AuthInfo",
        "RealTimeLaunchReason": "RealTimeLaunchReason",
        "LaunchReasonText": "string",
    },
    "AuthInfo": {"Zid": "string", "Azid": "string"},
    "AdditionalInfo": {
        "MaxNewsHeadlinesCap": "int",
        "MinNewsAutoRefreshTime": "int",
        "EnableIdmsMobileQuotes": "boolean",
        "EnableSecurityProfileForIdms": "boolean",
        "NewsSearchSourceTypes": ["SearchSourceType", "SearchSourceType"],
        "Capabilities": ["int", "int"],
    },
    "SearchSourceType": {"Id": "int", "Name": "string", "CheckedByDefault": "boolean"},
}

ENUMERATIONS = {
    "ErrorCode": """
        InvalidUsername InvalidPassword IncorrectIP MultipleIP LockedAccount LogOut TimedOut UnknownError LoginTokenTimedOut
        PortalOnlyAccess DealtrackOnlyAccess AccountExpired None AccountSuspended MissingCapability BumpedForSML
        MissingGoogleReCaptchaConfirmation PerformanceTestingBlockage ValidIDMButInvalidSvcUser PortalLogOut UsernameFieldEmpty
        PasswordFieldEmpty UsernameAndPasswordFieldEmpty LoginRequestIsNull LoginTypeNotDefined LoginTypeNotHandled
        NoMatchForDefinedProduct NoMatchForDefinedUserAgentId LoginInfoIsNull RestrictedUserSession RedirectToMI IPLoginFail
        IdpInvalidInteractionCode IdpInvalidToken IdpMissingSvcAttributes IdpSvcAuthenticationFailed SAMLGenericError""".split(),
    "LoginErrorCode": """
        OK Unknown BadUsername BadPassword NotAuthorized SingleMachineLogin AccountLocked Logout NoCapability AccountExpired
        DeviceReleaseDisabled AccountSuspended""".split(),
    "RealTimeLaunchReason": """
        Ok AntiCap NoAddress IncompleteAddress NeedAgreement NoCapability NoMobileRealTimeCapability""".split(),
    "ForgotPasswordStatus": """
        Success ValidUserNoPassword InvalidUser FunctionalityCapabilityDenied SuspendedAccount
        SelfServiceFunctionalityCapabilityDenied InactiveAccount ReadOnlyMode OtherIDMIssue""".split(),
}


class Boom(Exception):
    """The handler failed with this text."""


def answer(service, operation, arguments):
    """The result of a call, or Boom. An argument that is missing or None is absent."""
    username = arguments.get("username")
    if service == AUTHENTICATOR and operation == "ClientAuthWithResult":
        return client_auth(username, arguments.get("password"), arguments.get("macAddress"), arguments.get("processName"))
    if service == AUTHENTICATOR:
        password = arguments.get("password")
        if username == "throw":
            raise Boom("boom <&> " + (password or ""))
        return username == "alice" and password == "secret"
    if operation == "Login":
        return device_login(username, arguments.get("password"), arguments.get("devicePin"))
    if operation == "LoginWithEncryptedPassword":
        encrypted = arguments.get("encryptedPassword")
        return encrypted_login(username, encrypted, arguments.get("devicePin"), bool(arguments.get("userInitiated")))
    if operation == "EmailPassword":
        return email_password(username)
    return "connection ok" if operation == "TestConnection" else None


def show(text):
    if text is None:
        return "[null]"
    units = text.encode("utf-16-be")
    units = [units[i] << 8 | units[i + 1] for i in range(0, len(units), 2)]
    shown = "".join(chr(unit) if 0x20 <= unit <= 0x7E and unit != 0x5C else f"\\u{unit:04x}" for unit in units)
    return f"[{len(units)}:{shown}]"


def named(username, prefix, enumeration):
    name = username[len(prefix):] if username is not None and username.startswith(prefix) else None
    return name if name in ENUMERATIONS[enumeration] else None


def client_auth(username, password, mac_address, process_name):
    parts = "".join(missing_part(name, text) for name, text in (("username", username), ("password", password)))
    if not username and not password:
        return login_result("UsernameAndPasswordFieldEmpty", "missing:" + parts)
    if not username:
        return login_result("UsernameFieldEmpty", "missing:" + parts)
    if not password:
        return login_result("PasswordFieldEmpty", "missing:" + parts)
    if code := named(username, "code-", "ErrorCode"):
        return login_result(code, f"code {code}")
    if username == "alice":
        right = password == "secret"
        return login_result("None" if right else "InvalidPassword", "welcome alice" if right else "bad password")
    if username == "throw":
        raise Boom("boom <&> " + password)
    messages = {
        "echo": show(password) + show(mac_address) + show(process_name),
        "raw": password,
        "nullmsg": None,
        "emptymsg": "",
        "special": SPECIAL,
    }
    if username in messages:
        return login_result("None", messages[username])
    return login_result("InvalidUsername", "unknown user")


def missing_part(name, text):
    return f" {name}=null" if text is None else "" if text else f" {name}=empty"


def login_result(code, message):
    return {"ErrorCode": code, "Message": message}


def device_login(username, password, pin):
    if (named_answer := answer_by_name(username)) is not None:
        return named_answer
    if username == "alice":
        return full("welcome alice") if password == "secret" else bare("BadPassword", "bad password")
    if username == "echo":
        return bare("OK", show(password) + show(pin))
    if username == "raw":
        return {**bare("OK", password), "ClientSupportPhone": pin}
    return bare("BadUsername", "unknown user")


def encrypted_login(username, encrypted, pin, initiated):
    if (named_answer := answer_by_name(username)) is not None:
        return named_answer
    initiated = "true" if initiated else "false"
    if username == "alice":
        right = encrypted == BYTES
        return full(f"welcome alice, userInitiated={initiated}") if right else bare("BadPassword", "bad password")
    if username == "echo":
        shown = "null" if encrypted is None else encrypted.hex()
        return {**bare("OK", f"[{shown}]{show(pin)}[{initiated}]"), "EncryptedPassword": encrypted}
    return bare("BadUsername", "unknown user")


def email_password(username):
    if username == "throw":
        raise Boom("boom <&>")
    return named(username, "code-", "ForgotPasswordStatus") or ("Success" if username == "alice" else "InvalidUser")


def answer_by_name(username):
    """The answers that depend on the username alone, the same for both logins."""
    if username is None:
        return bare("BadUsername", "username=null")
    if username == "throw":
        raise Boom("boom <&>")
    if code := named(username, "code-", "LoginErrorCode"):
        return bare(code, f"code {code}")
    if reason := named(username, "reason-", "RealTimeLaunchReason"):
        return {**bare("OK", None), "RealTimeInfo": real_time_info(RealTimeLaunchReason=reason)}
    make = {"minimal": minimal, "empties": empties, "nilitems": nil_items, "special": special, "extremes": extremes}.get(username)
    return make and make()


def bare(code, message):
    return {
        **dict.fromkeys(OBJECTS["DeviceLoginResponse"]),
        "LoginErrorCode": code,
        "LoginErrorMessage": message,
        "QuotesDataVendorId": 0,
        "UserId": 0,
    }


def real_time_info(**fields):
    zeros = {"RealTimePort": 0, "RealTimeAuthPort": 0, "RealTimeLaunchReason": "Ok"}
    return {**dict.fromkeys(OBJECTS["RealTimeInfo"]), **zeros, **fields}


def additional_info(**fields):
    zeros = {
        "MaxNewsHeadlinesCap": 0,
        "MinNewsAutoRefreshTime": 0,
        "EnableIdmsMobileQuotes": False,
        "EnableSecurityProfileForIdms": False,
    }
    return {**dict.fromkeys(OBJECTS["AdditionalInfo"]), **zeros, **fields}


def source(number, name, checked):
    return {"Id": number, "Name": name, "CheckedByDefault": checked}


def minimal():
    return bare("OK", None)


def empties():
    return {
        **bare("OK", ""),
        "EncryptedPassword": b"",
        "RealTimeInfo": real_time_info(RealTimeHost="", AuthInfo={"Zid": None, "Azid": None}),
        "EntryPointUrl": "",
        "BaseUrl": "",
        "ClientSupportPhone": "",
        "MobileSupportEmail": "",
        "AdditionalInfo": additional_info(NewsSearchSourceTypes=[], Capabilities=[]),
    }


def nil_items():
    return {**bare("OK", None), "AdditionalInfo": additional_info(NewsSearchSourceTypes=[None, None], Capabilities=[0])}


def special():
    return {
        **bare("OK", SPECIAL),
        "EncryptedPassword": SPECIAL.encode(),
        "RealTimeInfo": real_time_info(RealTimeHost=" ", LaunchReasonText="\n"),
        "AdditionalInfo": additional_info(NewsSearchSourceTypes=[source(0, SPECIAL, True), source(0, "", False)]),
    }


def extremes():
    return {
        **bare("OK", None),
        "QuotesDataVendorId": -(2**31),
        "UserId": -(2**63),
        "RealTimeInfo": real_time_info(RealTimePort=2**31 - 1, RealTimeAuthPort=-(2**31)),
        "AdditionalInfo": additional_info(Capabilities=[-(2**31), 2**31 - 1, 0]),
    }


def full(message):
    return {
        "LoginErrorCode": "OK",
        "LoginErrorMessage": message,
        "EncryptedPassword": BYTES,
        "RealTimeInfo": {
            "RealTimeHost": "rt.example.com",
            "RealTimePort": 8443,
            "RealTimeAuthHost": "rtauth.example.com",
            "RealTimeAuthPort": 9443,
            "RealTimeProtocol": "https",
            "RealTimeAuthProtocol": "tcp",
            "AuthInfo": {"Zid": "zid-1", "Azid": "azid-1"},
            "RealTimeLaunchReason": "Ok",
            "LaunchReasonText": "launch",
        },
        "EntryPointUrl": "https://entry.example.com/start?a=1&b=2",
        "BaseUrl": "https://base.example.com/",
        "QuotesDataVendorId": 7,
        "UserId": 9007199254740993,
        "ClientSupportPhone": "+1 555 0100",
        "MobileSupportEmail": "support@example.com",
        "AdditionalInfo": {
            "MaxNewsHeadlinesCap": 100,
            "MinNewsAutoRefreshTime": 30,
            "EnableIdmsMobileQuotes": True,
            "EnableSecurityProfileForIdms": False,
            "NewsSearchSourceTypes": [source(1, "Wire", True), None, source(-2, "Blogs & <More>", False), source(3, None, True)],
            "Capabilities": [1, 0, -5, 2**31 - 1],
        },
    }
