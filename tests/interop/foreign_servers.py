"""Foreign servers for fixture_client, and what each of them cannot carry."""

import contextlib
import os
import re
import socket
import subprocess
import sys
from dataclasses import dataclass, field

import asmx
from fixture import PATHS
from programs import HERE, PYTHON, TARGET, WORK, Server, needs_mono, needs_node, needs_php, needs_python, recorded_wsdl
from servers.styles import STYLES

SERVERS = HERE / "servers"
SOAP = ("soap11", "soap12")
SECONDS = 180

# Arguments as fixture_client prints them.
ONLY_BLANKS = r'\(.*"(?: |\\[trn])+".*\): '
NIL_ITEMS = r'"nilitems".*\): AdditionalInfo/NewsSearchSourceTypes/[01]|"alice".*\): AdditionalInfo/NewsSearchSourceTypes/1'


@dataclass(frozen=True)
class Foreign:
    """A foreign server: its command by binding and rules' address, and its own limits: reason -> the failures that it explains."""

    name: str
    install: callable
    bindings: tuple
    command: callable
    limits: dict = field(default_factory=dict)


def nothing():
    """What the styles need is Python, which runs this."""


def php(binding, rules):
    environment = {**os.environ, "RULES": rules, "WSDLS": str(wsdls())}
    return Server("php", "-q", "-S", f"127.0.0.1:{free_port()}", SERVERS / "soap_server.php", env=environment)


def node(binding, rules):
    environment = {**os.environ, "NODE_PATH": str(WORK / "node_modules")}
    return Server("node", SERVERS / "node_server.js", binding, rules, wsdls(), env=environment)


def spyne(binding, rules):
    return Server(PYTHON, SERVERS / "spyne_server.py", binding)


def style(name):
    return Foreign(
        f"the style {name}",
        nothing,
        (*SOAP, "http-get", "http-post"),
        lambda binding, rules: Server(sys.executable, SERVERS / "styles.py", name),
    )


FOREIGN = [
    Foreign(
        "spyne",
        needs_python,
        SOAP,
        spyne,
        {"spyne reads an empty array as none": r'LoginWithEncryptedPassword\("echo", \[\],'},
    ),
    Foreign(
        "npm soap server",
        needs_node,
        SOAP,
        node,
        {
            "npm soap writes a nil item as an empty one": NIL_ITEMS,
            "npm soap takes a text in CDATA brackets as XML": r'"<!\[CDATA\[x\]\]>"',
        },
    ),
    Foreign("PHP SoapServer", needs_php, SOAP, php, {"PHP SoapServer drops a text of nothing but white space": ONLY_BLANKS}),
    Foreign(
        "ASMX server",
        needs_mono,
        (*SOAP, "http-get", "http-post"),
        lambda _, rules: asmx.served(rules),
        {
            "Mono writes CR unescaped": r"expected \[\d+:.*\\u000d",
            "Mono's listener drops directions of text from a URL": r"^HTTP GET .*\\u\{202e\}",
        },
    ),
    *map(style, STYLES),
]


@contextlib.contextmanager
def rules():
    """The address of the rules, for servers that are not written in Python."""
    with Server(sys.executable, SERVERS / "rules.py") as server:
        yield server.url


def run(foreign, binding, rules_url):
    """How many fields that fixture_client read were right, a line for each failure, and how many failures a limit explains."""
    with foreign.command(binding, rules_url) as server:
        try:
            done = subprocess.run(
                [TARGET / "debug" / "fixture_client", server.url, "--binding", binding, "--exact-line-ends"],
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            return 0, [f"no end after {SECONDS} seconds"], 0
    passed = re.search(r"^(\d+) passed", done.stdout, re.MULTILINE)
    if not passed:
        return 0, [done.stdout + done.stderr], 0
    failed = [line.removeprefix("FAILED ") for line in done.stdout.split("\n") if line.startswith("FAILED ")]
    failures = [line for line in failed if not any(re.search(known, line) for known in foreign.limits.values())]
    return int(passed[1]), failures, len(failed) - len(failures)


def wsdls():
    folder = WORK / "wsdl"
    folder.mkdir(parents=True, exist_ok=True)
    for service, path in PATHS.items():
        (folder / f"{service}.wsdl").write_bytes(recorded_wsdl(service, f"http://127.0.0.1{path}"))
    return folder


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
