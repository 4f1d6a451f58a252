"""Requests as the stacks that are not at hand put them on the wire, byte by byte."""

import http.client
import socket
from urllib.parse import urlsplit

from fixture import AUTHENTICATOR, DEVICE, NAMESPACES, PATHS

AUTH, PHONE = NAMESPACES[AUTHENTICATOR], NAMESPACES[DEVICE]
ENV11 = "http://schemas.xmlsoap.org/soap/envelope/"
ENV12 = "http://www.w3.org/2003/05/soap-envelope"
ENC11 = "http://schemas.xmlsoap.org/soap/encoding/"
ENC12 = "http://www.w3.org/2003/05/soap-encoding"
XS = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

XML = ("Content-Type", "text/xml; charset=utf-8")
SOAP12 = ("Content-Type", "application/soap+xml; charset=utf-8")
ACTION = ("SOAPAction", f'"{AUTH}/Login"')
FORM = ("Content-Type", "application/x-www-form-urlencoded")

LOGIN = f'<Login xmlns="{AUTH}"><username>alice</username><password>secret</password></Login>'
TRUE = f'<LoginResponse xmlns="{AUTH}"><LoginResult>true</LoginResult></LoginResponse>'
NO_OP = f'<NoOpResponse xmlns="{PHONE}" />'


def envelope(body, namespace=ENV11, prefix="soap"):
    return f'{DECLARATION}<{prefix}:Envelope xmlns:{prefix}="{namespace}" {XS}><{prefix}:Body>{body}</{prefix}:Body></{prefix}:Envelope>'


def answered(result, namespace=ENV11):
    """The whole body of an answer."""
    return f'<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="{namespace}" {XS}><soap:Body>{result}</soap:Body></soap:Envelope>'


def request(body, *headers, service=AUTHENTICATOR, suffix="", method="POST", version="HTTP/1.1", framing="length"):
    body = body if isinstance(body, bytes) else body.encode()
    lines = [f"{method} {PATHS[service]}{suffix} {version}", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in headers]
    if framing == "chunked":
        lines.append("Transfer-Encoding: chunked")
        body = b"".join(b"%x\r\n%s\r\n" % (len(body[at : at + 7]), body[at : at + 7]) for at in range(0, len(body), 7)) + b"0\r\n\r\n"
    elif framing == "length":
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


GSOAP = f"""{DECLARATION}
<SOAP-ENV:Envelope xmlns:SOAP-ENV="{ENV11}" xmlns:SOAP-ENC="{ENC11}" {XS} xmlns:ns2="{AUTH}/AuthenticatorSoap12" xmlns:ns1="{AUTH}"><SOAP-ENV:Body><ns1:Login><ns1:username>alice</ns1:username><ns1:password>secret</ns1:password></ns1:Login></SOAP-ENV:Body></SOAP-ENV:Envelope>
"""
GSOAP12 = GSOAP.replace(ENV11, ENV12).replace(ENC11, ENC12)
PHP = f"""{DECLARATION}
<env:Envelope xmlns:env="{ENV12}" xmlns:ns1="{AUTH}"><env:Body><ns1:Login><ns1:username>alice</ns1:username><ns1:password>secret</ns1:password></ns1:Login></env:Body></env:Envelope>
"""
SUDS = f"""{DECLARATION}<SOAP-ENV:Envelope xmlns:ns0="{AUTH}" xmlns:ns1="{ENV11}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:SOAP-ENV="{ENV11}"><SOAP-ENV:Header/><ns1:Body><ns0:Login><ns0:username>alice</ns0:username><ns0:password>secret</ns0:password></ns0:Login></ns1:Body></SOAP-ENV:Envelope>"""
SOAP4R = f"""<?xml version="1.0" encoding="utf-8" ?>
<env:Envelope xmlns:xsd="http://www.w3.org/2001/XMLSchema"
    xmlns:env="{ENV11}"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <env:Body>
    <n1:Login xmlns:n1="{AUTH}">
      <n1:username>alice</n1:username>
      <n1:password>secret</n1:password>
    </n1:Login>
  </env:Body>
</env:Envelope>
"""
STRONG_SOAP = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<soap:Envelope xmlns:soap="{ENV12}">
  <soap:Header/>
  <soap:Body>
    <ns1:Login xmlns:ns1="{AUTH}">
      <ns1:username>alice</ns1:username>
      <ns1:password>secret</ns1:password>
    </ns1:Login>
  </soap:Body>
</soap:Envelope>"""
AXIS = f"<?xml version='1.0' encoding='utf-8'?><soapenv:Envelope xmlns:soapenv='{ENV11}' {XS}><soapenv:Body><Login xmlns='{AUTH}'><username>alice</username><password>secret</password></Login></soapenv:Body></soapenv:Envelope>"
JAX_WS = f"""<?xml version="1.0" ?><S:Envelope xmlns:S="{ENV11}"><S:Body><Login xmlns="{AUTH}" xmlns:ns2="{ENC11}"><username>alice</username><password>secret</password></Login></S:Body></S:Envelope>"""
KSOAP = f"""<v:Envelope xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns:d="http://www.w3.org/2001/XMLSchema" xmlns:c="{ENC11}" xmlns:v="{ENV11}"><v:Header /><v:Body><Login xmlns="{AUTH}" id="o0" c:root="1"><username i:type="d:string">alice</username><password i:type="d:string">secret</password></Login></v:Body></v:Envelope>\r\n"""
SOAP_LITE = f"""{DECLARATION}<soap:Envelope soap:encodingStyle="{ENC12}" xmlns:soap="{ENV12}" xmlns:soapenc="{ENC12}" {XS}><soap:Body><Login xmlns="{AUTH}"><username xsi:type="xsd:string">alice</username><password xsi:type="xsd:string">secret</password></Login></soap:Body></soap:Envelope>"""
SOAP_LITE_NO_OP = f"""{DECLARATION}<soap:Envelope soap:encodingStyle="{ENC11}" xmlns:soap="{ENV11}" xmlns:soapenc="{ENC11}" {XS}><soap:Body><NoOp xmlns="{PHONE}" xsi:nil="true" /></soap:Body></soap:Envelope>"""

LOGIN11 = envelope(LOGIN)
LOGIN12 = envelope(LOGIN, ENV12, "env")
TRUE11 = (200, "text/xml; charset=utf-8", answered(TRUE))
TRUE12 = (200, "application/soap+xml; charset=utf-8", answered(TRUE, ENV12))
TRUE_FORM = (200, "text/xml; charset=utf-8", f'<?xml version="1.0" encoding="utf-8"?>\n<boolean xmlns="{AUTH}">true</boolean>')
CREDENTIALS = "username=alice&password=secret"


def with_action(action):
    return "Content-Type", f"application/soap+xml; charset=utf-8; action={action}"


# What a stack sends -> the request and its answer (status, Content-Type, body)
ROWS = {
    "gSOAP, SOAP 1.1": (request(GSOAP, XML, ACTION, ("Connection", "close")), TRUE11),
    "gSOAP, SOAP 1.2: action and SOAPAction": (request(GSOAP12, with_action(f'"{AUTH}/Login"'), ACTION), TRUE12),
    "PHP: SOAP 1.2 action, a line break at the end": (request(PHP, with_action(f'"{AUTH}/Login"')), TRUE12),
    "suds: two prefixes for one namespace, an empty Header": (request(SUDS, XML, ACTION), TRUE11),
    "soap4r: indented": (request(SOAP4R, XML, ACTION), TRUE11),
    "strong-soap: SOAP 1.2 without any action, standalone": (request(STRONG_SOAP, SOAP12), TRUE12),
    "Axis: HTTP/1.0, single quotes, Accept": (
        request(AXIS, XML, ACTION, ("Accept", "application/soap+xml, application/dime, multipart/related, text/*"), version="HTTP/1.0"),
        TRUE11,
    ),
    "JAX-WS: the SOAP encoding namespace on the element": (request(JAX_WS, XML, ACTION, ("Accept", "text/xml, multipart/related")), TRUE11),
    "kSOAP: no declaration, id and root attributes": (request(KSOAP, ("Content-Type", "text/xml;charset=utf-8"), ("SOAPAction", f"{AUTH}/Login")), TRUE11),
    "SOAP::Lite, SOAP 1.2: SOAPAction alone, encodingStyle, xsi:type": (
        request(SOAP_LITE, SOAP12, ACTION, ("TE", "deflate,gzip;q=0.3"), ("Connection", "TE, close"), ("Accept", "application/soap")),
        TRUE12,
    ),
    "SOAP::Lite: a nil operation element": (
        request(SOAP_LITE_NO_OP, XML, ("SOAPAction", f'"{PHONE}/NoOp"'), ("Accept", "text/xml"), service=DEVICE),
        (200, "text/xml; charset=utf-8", answered(NO_OP)),
    ),
    "a parameterless operation as Microsoft writes it": (
        request(envelope(f'<NoOp xmlns="{PHONE}" />'), XML, ("SOAPAction", f'"{PHONE}/NoOp"'), service=DEVICE),
        (200, "text/xml; charset=utf-8", answered(NO_OP)),
    ),
    "SOAP 1.2: an action without quotes": (request(LOGIN12, with_action(f"{AUTH}/Login")), TRUE12),
    "SOAP 1.2: an empty action": (request(LOGIN12, with_action('""')), TRUE12),
    "SOAP 1.1 without SOAPAction": (request(LOGIN11, XML), TRUE11),
    "media type without charset": (request(LOGIN11, ("Content-Type", "text/xml"), ACTION), TRUE11),
    "media type in upper case, quoted charset": (request(LOGIN11, ("content-type", 'TEXT/XML;Charset="UTF-8"'), ("soapaction", ACTION[1])), TRUE11),
    "UTF-8 byte order mark": (request(b"\xef\xbb\xbf" + LOGIN11.encode(), XML, ACTION), TRUE11),
    "UTF-16": (request(LOGIN11.replace("UTF-8", "utf-16").encode("utf-16"), ("Content-Type", "text/xml; charset=utf-16"), ACTION), TRUE11),
    "chunked": (request(LOGIN11, XML, ACTION, framing="chunked"), TRUE11),
    "path in lower case, with a query": (request(LOGIN11, XML, ACTION).replace(b"SvcDotNet/Authenticator.asmx", b"svcdotnet/authenticator.asmx?x=1"), TRUE11),
    "zeep: HTTP GET with a Content-Type": (request("", XML, suffix=f"/Login?{CREDENTIALS}", method="GET", framing="none"), TRUE_FORM),
    "HTTP GET over HTTP/1.0": (request("", suffix=f"/Login?{CREDENTIALS}", method="GET", version="HTTP/1.0", framing="none"), TRUE_FORM),
    "Microsoft: HTTP POST without charset": (request(CREDENTIALS, FORM, suffix="/Login"), TRUE_FORM),
    "a browser: HTTP POST with charset, parameters in another order and case": (
        request("PASSWORD=secret&UserName=alice&submit=", ("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8"), suffix="/Login"),
        TRUE_FORM,
    ),
    "Microsoft: %u escapes": (
        request("", service=DEVICE, suffix="/EmailPassword?username=%u0061lic%u0065", method="GET", framing="none"),
        (200, "text/xml; charset=utf-8", f'<?xml version="1.0" encoding="utf-8"?>\n<ForgotPasswordStatus xmlns="{PHONE}">Success</ForgotPasswordStatus>'),
    ),
    "HTTP POST with nothing": (request("", FORM, service=DEVICE, suffix="/Logout"), (200, None, "")),
    "CR in an answer": (
        request(envelope(f'<ClientAuthWithResult xmlns="{AUTH}"><username>raw</username><password>&#13;\u00e9&#xD;&#xA;</password></ClientAuthWithResult>'), XML),
        (
            200,
            "text/xml; charset=utf-8",
            answered(
                f'<ClientAuthWithResultResponse xmlns="{AUTH}"><ClientAuthWithResultResult><ErrorCode>None</ErrorCode><Message>&#xD;\u00e9&#xD;\n</Message>'
                "</ClientAuthWithResultResult></ClientAuthWithResultResponse>"
            ),
        ),
    ),
}


class Raw:
    """One connection to the server."""

    def __init__(self, base_url):
        at = urlsplit(base_url)
        self.socket = socket.create_connection((at.hostname, at.port), timeout=10)

    def send(self, data):
        self.socket.sendall(data)

    def answer(self):
        """(status, headers, body) of the next answer."""
        response = http.client.HTTPResponse(self.socket)
        response.begin()
        return response.status, response.headers, response.read().decode()

    def closed(self):
        return self.socket.recv(1) == b""


def run(base_url):
    """How many requests were answered right, and a line for each that was not."""
    checks = {name: lambda row=row: row_is_answered(base_url, *row) for name, row in ROWS.items()}
    checks["Expect: 100-continue"] = lambda: waits_for_continue(base_url)
    checks["Connection: close is echoed and done"] = lambda: closes(base_url)
    checks["HTTP/1.0 is closed"] = lambda: closes_old(base_url)
    checks["one connection, many requests"] = lambda: stays_open(base_url)
    failures = []
    for name, check in checks.items():
        try:
            check()
        except (AssertionError, OSError, http.client.HTTPException) as error:
            failures.append(f"{name}: {type(error).__name__}: {error}")
    return len(checks) - len(failures), failures


def row_is_answered(base_url, data, expected):
    connection = Raw(base_url)
    connection.send(data)
    is_same(connection.answer(), expected)


def is_same(answer, expected):
    status, headers, body = answer
    got = status, headers["Content-Type"], body
    assert got == expected, f"expected {expected!a}, got {got!a}"


def waits_for_continue(base_url):
    head, _, body = request(LOGIN11, XML, ACTION, ("Expect", "100-continue")).partition(b"\r\n\r\n")
    connection = Raw(base_url)
    connection.send(head + b"\r\n\r\n")
    first = connection.socket.recv(1024)
    assert first == b"HTTP/1.1 100 Continue\r\n\r\n", f"got {first!a}"
    connection.send(body)
    is_same(connection.answer(), TRUE11)


def closes(base_url):
    connection = Raw(base_url)
    connection.send(request(LOGIN11, XML, ACTION, ("Connection", "close")))
    answer = connection.answer()
    is_same(answer, TRUE11)
    assert answer[1]["Connection"] == "close", f"Connection: {answer[1]['Connection']}"
    assert connection.closed(), "the connection stays open"


def closes_old(base_url):
    connection = Raw(base_url)
    connection.send(request(LOGIN11, XML, ACTION, version="HTTP/1.0"))
    is_same(connection.answer(), TRUE11)
    assert connection.closed(), "the connection stays open"


def stays_open(base_url):
    connection = Raw(base_url)
    connection.send(request(LOGIN11, XML, ACTION))
    is_same(connection.answer(), TRUE11)
    connection.send(request(LOGIN12, SOAP12, framing="chunked"))
    is_same(connection.answer(), TRUE12)
    connection.send(request("", suffix=f"/Login?{CREDENTIALS}", method="GET", framing="none"))
    is_same(connection.answer(), TRUE_FORM)
