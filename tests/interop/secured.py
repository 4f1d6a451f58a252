"""Stacks with a UsernameToken of WS-Security call svcgen's server, and svcgen's client calls that of npm soap."""

import os
import urllib.request
from dataclasses import dataclass

from foreign_callers import CALLERS, NODE
from programs import HERE, PYTHON, TARGET, WORK, Server, finished, needs_node, needs_php, needs_python

PROGRAM = TARGET / "debug" / "secured"
BINDINGS = ("soap11", "soap12")
FAILED = "The security token could not be authenticated or authorized."
MISSING = "An error was discovered processing the <wsse:Security> header: it has no wsse:UsernameToken, which this service asks for."
# kind of password, password -> how what the caller prints begins
CALLS = {
    ("text", "s3cret"): "result ann: hello",
    ("digest", "s3cret"): "result ann: hello",
    ("text", "wrong"): f"fault {FAILED}",
    ("digest", "wrong"): f"fault {FAILED}",
    ("none", ""): f"fault {MISSING}",
}


@dataclass(frozen=True)
class Caller:
    name: str
    install: callable
    command: list


CALLING = (
    Caller("zeep, secured", needs_python, [PYTHON, CALLERS / "secured.py"]),
    Caller("npm soap, secured", needs_node, ["node", CALLERS / "secured.js"]),
    Caller("PHP SoapClient, secured", needs_php, ["php", CALLERS / "secured.php"]),
)


def compare(command, expected):
    """How many calls are answered as expected, and the others."""
    failures = []
    for (kind, password), wanted in expected.items():
        done = finished([*command, kind, password], env={**os.environ, **NODE}, timeout=60)
        if not done.stdout.startswith(wanted):
            failures.append(f"{kind} {password}: {done.stdout.strip()!r} {done.stderr.strip()[-300:]!r} instead of {wanted!r}")
    return len(expected) - len(failures), failures


def call_theirs(binding, wsdl):
    """svcgen's client, and the server of npm soap, whose fault has the status 401, which is none of SOAP."""
    refused = "error the server answered 401 Unauthorized"
    expected = {call: wanted if wanted.startswith("result") else refused for call, wanted in CALLS.items()}
    server = HERE / "servers" / "secured_server.js"
    with Server("node", server, binding, wsdl, env={**os.environ, **NODE}) as theirs:
        return compare([PROGRAM, "call", f"{theirs.url}/Work.asmx", binding], expected)


def run(tally):
    with Server(PROGRAM, "serve") as ours:
        location = f"{ours.url}/Work.asmx?wsdl"
        for caller in CALLING:
            for binding in BINDINGS if tally.has(caller.name, caller.install) else ():
                tally.count(f"{caller.name}, {binding}", lambda: compare([*caller.command, location, binding], CALLS))
        name = "npm soap server, secured"
        if tally.has(name, needs_node):
            wsdl = WORK / "secured.wsdl"
            with urllib.request.urlopen(location) as answer:
                wsdl.write_bytes(answer.read())
            for binding in BINDINGS:
                tally.count(f"{name}, {binding}", lambda: call_theirs(binding, wsdl))
