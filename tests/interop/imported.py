"""The live WSDL of each foreign server, imported: what is imported compiles, and its client calls every operation of that server.

Where the server answers the WSDL of the original, what is imported is also held to the repository's definition: `svcgen import --verify --against`.
"""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import foreign_callers
import foreign_servers
import library
from fixture import OPERATIONS, PATHS
from foreign_callers import Stack
from programs import HERE, PYTHON, ROOT, TARGET, WORK, needs_python

COMMAND = TARGET / "debug" / "svcgen"
DEFINITIONS = {"Authenticator": "authenticator", "DeviceLoginService": "device_login_service"}


class Wrong(Exception):
    """What an import, or a build of what was imported, said."""


def said(*command, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(map(str, command))}: {done.stdout[-3000:]}")
    return done.stdout


def check(foreign, binding, rules, is_original):
    """How many calls were answered right, a line for each that was not, and how many of those a limit explains."""
    with foreign.command(binding, rules) as server:
        try:
            definitions = imported(foreign, binding, server.url, is_original)
            program = built(f"{foreign.name} {binding}", definitions)
        except Wrong as wrong:
            return 0, [str(wrong)]
        caller = Stack("svcgen", needs_python, [PYTHON, HERE / "callers" / "imported_caller.py", program], (binding,))
        passed, failed = foreign_callers.run(caller, binding, server.url)
    limits = LIMITS[foreign.name].values()
    failures = [line for line in failed if not any(re.search(known, line) for known in limits)]
    return passed, failures, len(failed) - len(failures)


def imported(foreign, binding, url, is_original):
    """The definitions of both services, in files; their secrets are shown, as answers are compared."""
    folder = WORK / "imported" / slug(f"{foreign.name} {binding}") / "definitions"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    definitions = []
    for service, path in PATHS.items():
        address = f"{url}{path}?wsdl"
        said(COMMAND, "import", "--out", folder, address)
        said(COMMAND, "import", "--verify", address)
        definition = folder / f"{DEFINITIONS[service]}.yaml"
        if is_original:
            said(COMMAND, "import", "--verify", "--against", ROOT / "service-defs" / definition.name, address)
        text = re.sub(r", secret: true|secret: true, ", "", definition.read_text())
        definition.write_text(text)
        definitions.append(definition)
    return definitions


def built(name, definitions):
    """A program with the clients of definitions, which answers lines of JSON."""
    package = f"imported-{slug(name)}"
    named = [part for definition in definitions for part in ("--from", definition)]
    # In a folder of this workspace, Cargo would make it one of its members.
    with tempfile.TemporaryDirectory() as folder:
        crate = Path(folder) / package
        said(COMMAND, "new", *named, package, "--path", ROOT, "--out", crate)
        shutil.copy(ROOT / "Cargo.lock", crate / "Cargo.lock")
        manifest = crate / "Cargo.toml"
        text = re.sub(r'(svcgen = \{ path = "[^"]*")(?:, features = \[(.*?)\])?', r'serde_json = "1"\n\1, features = ["serde", \2]', manifest.read_text(), count=1)
        manifest.write_text(text)
        with open(crate / "svcgen.toml", "a") as options:
            options.write("serde = true\n")
        main = (HERE / "callers" / "imported.rs").read_text()
        (crate / "src" / "main.rs").write_text(main.replace("// {{calls}}", calls()))
        said("cargo", "build", "--offline", "-q", cwd=crate, env={**os.environ, "CARGO_TARGET_DIR": str(TARGET)})
    return TARGET / "debug" / package


def calls():
    """An arm for each operation."""
    arms = []
    for service, operations in OPERATIONS.items():
        for operation, (parameters, result) in operations.items():
            request = f"&read::<{DEFINITIONS[service]}::{operation}Request>(arguments)?" if parameters else ""
            call = f"services.{DEFINITIONS[service]}.{snake(operation)}({request}).await"
            arms.append(f'("{service}", "{operation}") => written({call}),')
    return "\n        ".join(arms)


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def slug(name):
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")


# Of each server that answers a WSDL its own limits: reason -> the failures that it explains.
LIMITS = {
    "spyne": {"spyne reads an empty array as none": r"'username': 'echo', 'encryptedPassword': b''"},
    "npm soap server": {
        "npm soap writes a nil item as an empty one": r"NewsSearchSourceTypes/[01]: expected None",
        "npm soap takes a text in CDATA brackets as XML": r"'<!\[CDATA\[x\]\]>'",
    },
    "PHP SoapServer": {"PHP SoapServer drops a text of nothing but white space": r"': '(?: |\\[trn])+'[,}]"},
}


def compare_library(url):
    """Whether the WSDL of the library says the same as its definition, whose client calls it beside this: how many messages and types."""
    address = f"{url}{library.PATH}?wsdl"
    definition = ROOT / "tests" / "definitions" / "wider" / "library.yaml"
    try:
        same = said(COMMAND, "import", "--verify", "--against", definition, address)
    except Wrong as wrong:
        return 0, [str(wrong)]
    return sum(map(int, re.findall(r"(\d+) (?:message|type)", same))), []


def run(tally):
    """Counts the servers that answer a WSDL."""
    with foreign_servers.rules() as rules:
        for foreign in foreign_servers.FOREIGN:
            if foreign.name in LIMITS:
                stack = f"imported from {foreign.name}"
                is_original = foreign.name != "spyne"
                tally.stack(replace(foreign, name=stack), lambda _, binding: check(foreign, binding, rules, is_original))
