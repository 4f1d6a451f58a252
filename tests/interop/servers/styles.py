"""Servers of the fixture services that put the same answers on the wire in other styles, over all four bindings.

`styles.py NAME` serves one of STYLES and prints its address. It shares nothing with the Rust code: requests are read with expat.
"""

import base64
import html
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fixture import NAMESPACES, OBJECTS, OPERATIONS, PATHS, Boom, answer  # noqa: E402

ENVELOPES = {"1.1": "http://schemas.xmlsoap.org/soap/envelope/", "1.2": "http://www.w3.org/2003/05/soap-envelope"}
MEDIA = {"1.1": "text/xml", "1.2": "application/soap+xml"}
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
XSI = f'xmlns:xsi="{INSTANCE}"'


@dataclass(frozen=True)
class Style:
    envelope: str = "soap"  # prefix of the envelope; empty: default namespace
    payload: str = ""  # prefix of everything of the service; empty: default namespace
    declaration: str = '<?xml version="1.0" encoding="utf-8"?>'
    end: str = ""  # what follows the root element
    between: str = ""  # what stands between elements
    header: str = ""  # what stands before the Body
    charset: str = "; charset=utf-8"
    encoding: str = "utf-8"
    action: bool = False  # an action parameter in the Content-Type of a SOAP 1.2 answer
    framing: str = "length"  # or "chunked", or "close": HTTP/1.0 without a length
    fault_status: int = 500
    carriage_return: str = "&#xD;"
    references: bool = False  # non-ASCII characters as references
    cdata: bool = False
    typed: bool = False  # xsi:type on every simple value
    nil_for_absent: bool = False
    nil_declares: bool = False  # xmlns:xsi on the nil element itself, nowhere else
    backwards: bool = False  # fields in reverse order
    strangers: bool = False  # elements and attributes that the WSDL does not name
    empty_pairs: bool = False  # <X></X> for an empty element


STYLES = {
    "gsoap": Style(
        envelope="SOAP-ENV",
        payload="ns1",
        declaration='<?xml version="1.0" encoding="UTF-8"?>\n',
        framing="chunked",
        end="\n",
        carriage_return="&#xD;",
        empty_pairs=True,
        action=True,
    ),
    "php": Style(
        envelope="SOAP-ENV",
        payload="ns1",
        declaration='<?xml version="1.0" encoding="UTF-8"?>\n',
        end="\n",
        carriage_return="&#13;",
        nil_declares=True,
    ),
    "axis": Style(
        envelope="soapenv",
        declaration="<?xml version='1.0' encoding='utf-8'?>",
        charset=";charset=utf-8",
        framing="close",
        typed=True,
        nil_for_absent=True,
        fault_status=500,
    ),
    "indented": Style(
        envelope="env",
        payload="tns",
        declaration='<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n\n',
        charset='; charset="UTF-8"',
        between="\n\t<!-- between - \u00e9lements >-->\n  <?instruction <here> ?>\r\n",
        header='<env:Header><h:Trace xmlns:h="urn:trace" env:mustUnderstand="0">&lt;<b/>1</h:Trace></env:Header>',
        end="\n<!-- end -->\n",
        framing="chunked",
        fault_status=200,
        cdata=True,
        backwards=True,
    ),
    "default-envelope": Style(
        envelope="",
        payload="soap",
        declaration="",
        charset="",
        fault_status=400,
        references=True,
        strangers=True,
        action=True,
    ),
    "utf-16": Style(
        declaration='<?xml version="1.0" encoding="utf-16"?>',
        charset="; charset=utf-16",
        encoding="utf-16",
        framing="close",
    ),
    "byte-order-mark": Style(encoding="utf-8-sig", declaration="<?xml version='1.0'?>", charset="", end="\r\n", fault_status=400),
    "latin-1": Style(
        declaration='<?xml version="1.0" encoding="iso-8859-1"?>',
        charset="; charset=iso-8859-1",
        encoding="iso-8859-1",
        payload="ns1",
    ),
}


class Writer:
    def __init__(self, style, service):
        self.style, self.service = style, service
        self.namespace = NAMESPACES[service]

    def tag(self, name):
        return f"{self.style.payload}:{name}" if self.style.payload else name

    def declares(self):
        return f'xmlns{":" if self.style.payload else ""}{self.style.payload}="{self.namespace}"'

    def element(self, name, kind, value, attributes=""):
        style = self.style
        if value is None:
            return self.nil(name) if style.nil_for_absent else ""
        if isinstance(kind, list):
            item, item_kind = kind
            inner = [self.nil(item) if one is None else self.element(item, item_kind, one) for one in value]
            return self.wrapped(name, inner, attributes)
        if kind in OBJECTS:
            fields = [self.element(field, field_kind, value[field]) for field, field_kind in OBJECTS[kind].items()]
            if style.strangers:
                fields.insert(1, '<stranger xmlns="urn:strange" a="&lt;" a2=\'"\'><Message>no</Message></stranger>')
                fields.append(f"<{self.tag('Stranger')}>{fields[0]}</{self.tag('Stranger')}>")
            return self.wrapped(name, fields[::-1] if style.backwards else fields, attributes)
        if style.typed:
            attributes += f' xsi:type="xsd:{kind}"'
        return self.pair(name, self.text(simple(value)), attributes)

    def wrapped(self, name, inner, attributes=""):
        between = self.style.between
        inner = "".join(between + one for one in inner if one)
        return self.pair(name, inner + between if inner else "", attributes)

    def pair(self, name, inner, attributes=""):
        if self.style.strangers:
            attributes += ' strange="1&#10;"'
        tag = self.tag(name)
        if not inner and not self.style.empty_pairs:
            return f"<{tag}{attributes}/>"
        return f"<{tag}{attributes}>{inner}</{tag} >"

    def nil(self, name):
        declares = f" {XSI}" if self.style.nil_declares else ""
        return f'<{self.tag(name)}{declares} xsi:nil="true"/>'

    def text(self, value):
        style = self.style
        if style.cdata and value and "\r" not in value:
            return f"<![CDATA[{value.replace(']]>', ']]]]><![CDATA[>')}]]>"
        value = escape(value).replace("\r", style.carriage_return)
        if style.references:
            value = "".join(one if one < "\x80" else f"&#x{ord(one):X};" for one in value)
        return value

    def envelope(self, version, body):
        style = self.style
        colon = ":" if style.envelope else ""
        prefix = style.envelope + colon
        declared = "" if style.nil_declares else f' {XSI} xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
        parts = [f'<{prefix}Envelope xmlns{colon}{style.envelope}="{ENVELOPES[version]}"{declared}>']
        parts += [style.header, f"<{prefix}Body>", body, f"</{prefix}Body>", f"</{prefix}Envelope>"]
        return style.declaration + style.between.join(part for part in parts if part) + style.end

    def response(self, version, operation, result):
        kind = OPERATIONS[self.service][operation][1]
        inner = self.element(f"{operation}Result", kind, result) if kind else ""
        return self.envelope(version, self.wrapped(f"{operation}Response", [inner], f" {self.declares()}"))

    def fault(self, version, text):
        colon = ":" if self.style.envelope else ""
        prefix = self.style.envelope + colon
        if version == "1.1":
            # SOAP 1.1 section 4.4: the children of Fault are in no namespace.
            local = "" if colon else ' xmlns=""'
            code = "Server" if colon else "s:Server"
            declared = "" if colon else f' xmlns:s="{ENVELOPES[version]}"'
            inner = f"<faultcode{local}{declared}>{prefix if colon else ''}{code}</faultcode><faultstring{local}>{self.text(text)}</faultstring>"
        else:
            qualified = f"{prefix}Receiver" if colon else "s:Receiver"
            declared = "" if colon else f' xmlns:s="{ENVELOPES[version]}"'
            inner = f"<{prefix}Code><{prefix}Value{declared}>{qualified}</{prefix}Value></{prefix}Code>"
            inner += f'<{prefix}Reason><{prefix}Text xml:lang="en">{self.text(text)}</{prefix}Text></{prefix}Reason>'
        return self.envelope(version, f"<{prefix}Fault>{inner}</{prefix}Fault>")

    def document(self, operation, result):
        kind = OPERATIONS[self.service][operation][1]
        xsd = ' xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
        attributes = f" {self.declares()}{xsd}" + ("" if self.style.nil_declares else f" {XSI}")
        return self.style.declaration + self.element(kind, kind, result, attributes) + self.style.end


def simple(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)


def parameter(kind, text):
    if kind == "boolean":
        return text.strip().lower() in ("true", "1")
    return base64.b64decode(text, validate=True) if kind == "base64Binary" else text


class Handler(BaseHTTPRequestHandler):
    style = Style()
    disable_nagle_algorithm = True

    def do_GET(self):
        path, _, query = self.path.partition("?")
        self.form(path, query)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get_content_type() == "application/x-www-form-urlencoded":
            self.form(self.path, body.decode("ascii"))
        elif service := next((name for name, path in PATHS.items() if self.path == path), None):
            self.soap(service, ElementTree.fromstring(body))
        else:
            self.reply(404, "text/plain", f"no service at {self.path}")

    def soap(self, service, envelope):
        version = next(version for version, namespace in ENVELOPES.items() if envelope.tag == f"{{{namespace}}}Envelope")
        call = envelope.find(f"{{{ENVELOPES[version]}}}Body")[0]
        namespace = f"{{{NAMESPACES[service]}}}"
        operation = call.tag.removeprefix(namespace)
        parameters = OPERATIONS[service][operation][0]
        arguments = {}
        for element in call:
            name = element.tag.removeprefix(namespace)
            if element.get(f"{{{INSTANCE}}}nil") not in ("true", "1"):
                arguments[name] = parameter(parameters[name], element.text or "")
        writer = Writer(self.style, service)
        media = MEDIA[version] + self.style.charset
        if self.style.action and version == "1.2":
            media += f'; action="{NAMESPACES[service]}/{operation}Response"'
        try:
            self.reply(200, media, writer.response(version, operation, answer(service, operation, arguments)))
        except Boom as boom:
            self.reply(self.style.fault_status, media, writer.fault(version, str(boom)))

    def form(self, path, query):
        service = next((name for name, prefix in PATHS.items() if path.startswith(f"{prefix}/")), None)
        operation = service and path.removeprefix(f"{PATHS[service]}/")
        if operation not in OPERATIONS.get(service, {}):
            self.reply(404, "text/plain", f"no operation at {path}")
            return
        sent = urllib.parse.parse_qs(query, keep_blank_values=True, strict_parsing=bool(query), errors="strict")
        arguments = {}
        for name, kind in OPERATIONS[service][operation][0].items():
            if kind == "base64Binary":
                if name in sent:
                    arguments[name] = bytes(int(value) for value in sent[name] if value)
            elif len(sent.get(name, [])) != 1:
                self.reply(500, "text/plain; charset=utf-8", f"Missing parameter: {name}.")
                return
            else:
                arguments[name] = parameter(kind, sent[name][0])
        try:
            result = answer(service, operation, arguments)
        except Boom as boom:
            self.reply(500, "text/plain; charset=utf-8", html.escape(str(boom)) + "\n", "utf-8")
            return
        if result is None:
            self.reply(200, None, "", "ascii")
        else:
            self.reply(200, "text/xml" + self.style.charset, Writer(self.style, service).document(operation, result))

    def reply(self, status, media, text, encoding=None):
        encoding = encoding or self.style.encoding
        body = text.encode(encoding, "xmlcharrefreplace" if encoding == "iso-8859-1" else "strict")
        chunked, closing = self.style.framing == "chunked", self.style.framing == "close"
        self.send_response(status)
        if media:
            self.send_header("Content-Type", media)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        elif not closing:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        # Three bytes at a time split characters, tags and references.
        pieces = [body[at : at + 3] for at in range(0, len(body), 3)] if len(body) < 900 else [body[:333], body[333:]]
        if chunked:
            body = b"".join(b"%x;note=1\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    style = STYLES[sys.argv[1]]
    Handler.style = style
    Handler.protocol_version = "HTTP/1.0" if style.framing == "close" else "HTTP/1.1"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
