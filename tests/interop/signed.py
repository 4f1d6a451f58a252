"""Stacks that sign with an X.509 certificate call svcgen's server and check its answers, and svcgen's client calls those of gSOAP and WSS4J. xmlsec1 verifies
messages that svcgen signed."""

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from foreign_callers import CALLERS, NODE
from programs import GSOAP, PYTHON, TARGET, WORK, Server, finished, needs_debian, needs_gsoap, needs_node, needs_python, quietly
from secured import BINDINGS

PROGRAM = TARGET / "debug" / "signed"
NAMES = ("partner", "service")
ADMITTED = "result CN=partner: hello"
WEAK = "fault An unsupported signature or encryption algorithm was used: SHA-1 is not accepted here; use SHA-256."
MISSING = "fault An error was discovered processing the <wsse:Security> header: there is no wsse:Security header, which is asked for here."
WRONG = "fault The signature or decryption was invalid."
# Of gSOAP and of WSS4J, for a certificate that they do not trust.
UNTRUSTED = "error Referenced security token could not be retrieved"
UNAUTHENTICATED = "error The security token could not be authenticated or authorized"
REFERENCES = ("token", "number", "identifier", "thumbprint")
REFUSED = "error the answer is not accepted: "
GSOAP_PROGRAM = WORK / "signed" / "signed"
JARS = ("wss4j", "xmlsec", "commons-codec", "commons-logging", "slf4j-api")
JAVA_PATH = ":".join([str(WORK), *(f"/usr/share/java/{jar}.jar" for jar in JARS)])
JAVA = ["java", "-Dfile.encoding=UTF-8", "-cp", JAVA_PATH, "Signed"]
NAMESPACE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-"
ENVELOPES = {"soap11": "http://schemas.xmlsoap.org/soap/envelope/", "soap12": "http://www.w3.org/2003/05/soap-envelope"}
# A type in a namespace that the value alone uses, a comment, a section, a reference.
MESSAGE = """<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="{envelope}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body><Store xmlns="urn:example:work"><text xmlns:q1="urn:a" xsi:type="q1:T">h&#13;ä &lt; \
<!-- c --><![CDATA[<x>]]></text></Store></soap:Body></soap:Envelope>"""


@dataclass(frozen=True)
class Caller:
    name: str
    install: callable
    command: list
    # kind of signature -> how what the caller prints begins
    expected: dict


@dataclass(frozen=True)
class Callee:
    name: str
    install: callable
    command: list
    # how svcgen's client refers to its certificate
    references: tuple
    # how what svcgen's client prints begins if the server does not trust it
    distrust: str


def needs(*others):
    """Others, and openssl, which makes the keys."""

    def install():
        needs_debian("openssl version", "openssl")
        for other in others:
            other()

    return install


def needs_xmlsec1():
    needs_debian("xmlsec1 --version", "xmlsec1")


def needs_wsse():
    plugin = ("plugin/wsseapi.c", "plugin/mecevp.c", "plugin/smdevp.c", "plugin/threads.c", "custom/struct_timeval.c")
    needs_gsoap("signed", "soapServer.c", *(GSOAP / source for source in plugin))


def needs_wss4j():
    needs_debian("javac -version && ls /usr/share/java/wss4j.jar", "default-jdk-headless", "libwss4j-java")
    quietly("javac", "-encoding", "UTF-8", "-cp", JAVA_PATH, "-d", WORK, CALLERS / "Signed.java")


CALLING = (
    Caller("zeep, signed", needs(needs_python), [PYTHON, CALLERS / "signed.py"], {"token": ADMITTED, "data": ADMITTED, "sha1": WEAK, "none": MISSING}),
    Caller("npm soap, signed", needs(needs_node), ["node", CALLERS / "signed.js"], {"token": ADMITTED, "sha1": WEAK, "none": MISSING}),
    Caller(
        "gSOAP, signed",
        needs(needs_wsse),
        [GSOAP_PROGRAM, "call"],
        {"token": f"{ADMITTED} €", "data": f"{ADMITTED} €", "sha1": WEAK, "none": MISSING, "wrong-key": WRONG, "wrong-certificate": UNTRUSTED},
    ),
    Caller(
        "WSS4J, signed",
        needs(needs_wss4j),
        [*JAVA, "call"],
        {
            **dict.fromkeys((*REFERENCES, "path", "certificate"), f"{ADMITTED} €"),
            **{"sha1": WEAK, "none": MISSING, "wrong-key": WRONG, "wrong-certificate": UNAUTHENTICATED},
        },
    ),
)
ANSWERING = (
    # Its faults are not signed.
    Callee("gSOAP server, signed", needs(needs_wsse), [GSOAP_PROGRAM, "serve"], ("token",), REFUSED),
    Callee("WSS4J server, signed", needs(needs_wss4j), [*JAVA, "serve"], REFERENCES, "fault General security error"),
)


def make_key(folder, name):
    key, certificate = folder / f"{name}.key", folder / f"{name}.pem"
    quietly("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", f"/CN={name}")


def make_keys(folder):
    """Keys and certificates of the partner and the service; in the folders `other-partner` and `other-service`, one of the two has another key."""
    for name in NAMES:
        make_key(folder, name)
    for name in NAMES:
        other = shutil.copytree(folder, folder / f"other-{name}", ignore=shutil.ignore_patterns("other-*"))
        make_key(other, name)


def compare(caller, location, binding, folder):
    """How many calls are answered as expected, and the others."""
    failures = []
    for kind, wanted in caller.expected.items():
        done = finished([*caller.command, location, binding, folder, kind], env={**os.environ, **NODE}, timeout=60)
        if not done.stdout.startswith(wanted):
            failures.append(f"{kind}: {done.stdout.strip()!r} {done.stderr.strip()[-300:]!r} instead of {wanted!r}")
    return len(caller.expected) - len(failures), failures


def call_theirs(callee, binding, folder):
    """How often svcgen's client and a server accept each other as they should, with their keys and with another."""
    wanted = [(reference, ".", ADMITTED) for reference in callee.references]
    wanted += [("token", "other-partner", callee.distrust), ("token", "other-service", REFUSED)]
    failures = []
    with Server(*callee.command, folder) as theirs:
        for reference, keys, answer in wanted:
            done = finished([PROGRAM, "call", folder / keys, theirs.url, binding, reference], timeout=60)
            if not done.stdout.startswith(answer):
                failures.append(f"{reference}, {keys}: {done.stdout.strip()!r} {done.stderr.strip()[-300:]!r} instead of {answer!r}")
    return len(wanted) - len(failures), failures


def verify(binding, folder):
    """What xmlsec1 says of messages that svcgen signed, and of the same when their Body is another."""
    envelope = ENVELOPES[binding]
    elements = (f"{envelope}:Body", f"{NAMESPACE}utility-1.0.xsd:Timestamp", f"{NAMESPACE}secext-1.0.xsd:BinarySecurityToken")
    command = ["xmlsec1", "--verify", "--pubkey-cert-pem", folder / "service.pem"]
    # From version 1.3 on.
    if "lax-key-search" in finished(["xmlsec1", "--help-verify"]).stdout:
        command.append("--lax-key-search")
    for element in elements:
        command += ["--id-attr:Id", element]
    passed, failures = 0, []
    for reference in REFERENCES:
        signed = finished([PROGRAM, "sign", folder, reference], input=MESSAGE.format(envelope=envelope)).stdout
        for text, wanted in ((signed, 0), (signed.replace("q1:T", "q1:U"), 1), (signed.replace("urn:a", "urn:b"), 1)):
            message = folder / "message.xml"
            message.write_text(text, encoding="utf-8")
            done = finished([*command, message])
            if done.returncode == wanted and text:
                passed += 1
            else:
                failures.append(f"{reference}: exit status {done.returncode} instead of {wanted}: {done.stderr.strip()[-300:]}")
    return passed, failures


def run(tally):
    wanted = [caller for caller in CALLING if tally.has(caller.name, caller.install)]
    verifies = tally.has("xmlsec1, signed", needs(needs_xmlsec1))
    callees = [callee for callee in ANSWERING if tally.has(callee.name, callee.install)]
    if not wanted and not verifies and not callees:
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        make_keys(folder)
        for binding in BINDINGS if verifies else ():
            tally.count(f"xmlsec1, signed, {binding}", lambda: verify(binding, folder))
        for callee in callees:
            for binding in BINDINGS:
                tally.count(f"{callee.name}, {binding}", lambda: call_theirs(callee, binding, folder))
        with Server(PROGRAM, "serve", folder) as ours:
            for caller in wanted:
                for binding in BINDINGS:
                    tally.count(f"{caller.name}, {binding}", lambda: compare(caller, f"{ours.url}/Work.asmx?wsdl", binding, folder))
