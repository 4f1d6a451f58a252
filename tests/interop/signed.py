"""Stacks that sign with an X.509 certificate call svcgen's server and check its answers, and xmlsec1 verifies messages that svcgen signed."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from foreign_callers import CALLERS, NODE
from programs import PYTHON, TARGET, Server, finished, needs_debian, needs_node, needs_python, quietly
from secured import BINDINGS

PROGRAM = TARGET / "debug" / "signed"
ADMITTED = "result CN=partner: hello"
WEAK = "fault An unsupported signature or encryption algorithm was used: SHA-1 is not accepted here; use SHA-256."
MISSING = "fault An error was discovered processing the <wsse:Security> header: there is no wsse:Security header, which is asked for here."
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


def needs(*others):
    """Others, and openssl, which makes the keys."""

    def install():
        needs_debian("openssl version", "openssl")
        for other in others:
            other()

    return install


def needs_xmlsec1():
    needs_debian("xmlsec1 --version", "xmlsec1")


CALLING = (
    Caller("zeep, signed", needs(needs_python), [PYTHON, CALLERS / "signed.py"], {"token": ADMITTED, "data": ADMITTED, "sha1": WEAK, "none": MISSING}),
    Caller("npm soap, signed", needs(needs_node), ["node", CALLERS / "signed.js"], {"token": ADMITTED, "sha1": WEAK, "none": MISSING}),
)


def make_keys(folder):
    """Keys and certificates of the partner and the service."""
    for name in ("partner", "service"):
        key, certificate = folder / f"{name}.key", folder / f"{name}.pem"
        quietly("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", f"/CN={name}")


def compare(caller, location, binding, folder):
    """How many calls are answered as expected, and the others."""
    failures = []
    for kind, wanted in caller.expected.items():
        done = finished([*caller.command, location, binding, folder, kind], env={**os.environ, **NODE}, timeout=60)
        if not done.stdout.startswith(wanted):
            failures.append(f"{kind}: {done.stdout.strip()!r} {done.stderr.strip()[-300:]!r} instead of {wanted!r}")
    return len(caller.expected) - len(failures), failures


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
    for reference in ("token", "number", "identifier", "thumbprint"):
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
    if not wanted and not verifies:
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        make_keys(folder)
        for binding in BINDINGS if verifies else ():
            tally.count(f"xmlsec1, signed, {binding}", lambda: verify(binding, folder))
        with Server(PROGRAM, "serve", folder) as ours:
            for caller in wanted:
                for binding in BINDINGS:
                    tally.count(f"{caller.name}, {binding}", lambda: compare(caller, f"{ours.url}/Work.asmx?wsdl", binding, folder))
