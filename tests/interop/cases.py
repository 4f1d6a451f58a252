"""The calls that every foreign caller makes."""

from fixture import AUTHENTICATOR, BYTES, DEVICE, ENUMERATIONS, SPECIAL

TEXTS = [
    "x",
    " ",
    "   ",
    " leading and trailing  ",
    "\t",
    "\n",
    "\r",
    "\r\n",
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
    "{0} {1} %s",
    "null",
    "true",
    "-0",
    "042",
    "\x7f\x80\x85\x9f\xa0",
    "\u00e9\u00c4\u00df\u00ff",
    "e\u0301 \u200d \u202eabc\u2028\u2029",
    "\u65e5\u672c\u8a9e",
    "\ud7ff\ue000\ufdd0\ufffd",
    "\ufeffafter a mark",
    "\U0001f600\U00010000\U0010fffd",
    "".join(map(chr, range(0x20, 0x7F))),
    SPECIAL,
    "<b>bold</b>",
    "</password><password>eve",
    "<![CDATA[x]]>",
    "<!-- comment -->",
    "<?pi data?>",
    "&#13;&#xD;&#x1F600;&#0;",
    "x" * 1500,
    "y \u65e5\U0001f600\n" * 100,
]

ARRAYS = [
    BYTES,
    b"\x00",
    b"\xff",
    b"\n",
    b"\x00\x00",
    b"ABC",
    bytes(range(256)),
    bytes(range(255, -1, -1)) * 2,
]


def calls():
    """(service, operation, arguments); an argument that is None is absent."""
    yield from authenticator_calls()
    yield from device_calls()


def authenticator_calls():
    def auth(username, password, mac="00-11", process="proc.exe"):
        arguments = {"username": username, "password": password, "macAddress": mac, "processName": process}
        return AUTHENTICATOR, "ClientAuthWithResult", arguments

    def login(username, password):
        return AUTHENTICATOR, "Login", {"username": username, "password": password}

    for code in ENUMERATIONS["ErrorCode"]:
        yield auth(f"code-{code}", "p")
    for username in (None, "", "alice"):
        for password in (None, "", "secret"):
            yield auth(username, password)
            yield login(username, password)
    yield auth("echo", "p", None, None)
    yield auth("echo", "p", "", "")
    yield auth("echo", "p", None, "only the last")
    for username in ("alice", "bob", "nullmsg", "emptymsg", "special"):
        yield auth(username, "other")
    yield login("alice", "other")
    yield login("Alice", "secret")
    for text in TEXTS:
        yield auth("echo", text, text, text)
        yield auth("raw", text)
        yield login(text, text)
    for password in ("p", "a & b", "\u65e5\U0001f600"):
        yield auth("throw", password)
        yield login("throw", password)


def device_calls():
    def login(username, password="p", pin="pin"):
        return DEVICE, "Login", {"username": username, "password": password, "devicePin": pin}

    def encrypted(username, array=BYTES, pin="pin", initiated=True):
        arguments = {"username": username, "encryptedPassword": array, "devicePin": pin, "userInitiated": initiated}
        return DEVICE, "LoginWithEncryptedPassword", arguments

    def email(username):
        return DEVICE, "EmailPassword", {"username": username}

    names = [f"code-{code}" for code in ENUMERATIONS["LoginErrorCode"]]
    names += [f"reason-{reason}" for reason in ENUMERATIONS["RealTimeLaunchReason"]]
    names += ["minimal", "empties", "nilitems", "special", "extremes", "throw", "alice", "bob", "", None]
    for name in names:
        yield login(name)
        yield encrypted(name)
    yield login("alice", "secret")
    for password in (None, "", "p"):
        for pin in (None, "", "1"):
            yield login("echo", password, pin)
            yield login("raw", password, pin)
    for text in TEXTS:
        yield login("echo", text, text)
        yield login("raw", text, text)
    for array in [None, b"", *ARRAYS]:
        for initiated in (True, False):
            yield encrypted("echo", array, "1", initiated)
            yield encrypted("alice", array, "1", initiated)
    for pin in (None, "", *TEXTS):
        yield encrypted("echo", BYTES, pin, False)
    for status in ENUMERATIONS["ForgotPasswordStatus"]:
        yield email(f"code-{status}")
    for username in ("alice", "throw", "bob", "", None, "code-success", SPECIAL):
        yield email(username)
    for operation in ("TestConnection", "Logout", "NoOp"):
        yield DEVICE, operation, {}
