"""The live WSDL of each foreign server, imported: what is imported compiles, its client calls every operation of that server, and its server is
called by that stack's own client, made from the WSDL of that server.

Where the server answers the WSDL of the original, what is imported is also held to the repository's definition: `svcgen import --verify --against`.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import foreign_callers
import foreign_servers
from fixture import OPERATIONS, PATHS
from foreign_callers import FORM_LIMITS, FORMS, Stack, rewritten, with_line_feeds
from programs import HERE, PYTHON, ROOT, TARGET, WORK, Server, finished, needs_python

COMMAND = TARGET / "debug" / "svcgen"
DEFINITIONS = {"Authenticator": "authenticator", "DeviceLoginService": "device_login_service"}
FOLDER = WORK / "imported"
FEATURES = ["data-sets", "decimal", "guid", "json", "serde", "time"]
# What the programs need besides.
DEPENDENCIES = 'rusqlite = { version = "0.40", default-features = false, features = ["bundled"] }\nserde_json = "1"'


class Wrong(Exception):
    """What an import, or a build of what was imported, said."""


@dataclass
class Import:
    """What was imported of a server over a binding: definitions by their files' names, and WSDLs by services; or what was wrong."""

    foreign: foreign_servers.Foreign
    binding: str
    definitions: dict
    wsdls: dict
    wrong: str = ""
    program: Path | None = None

    @property
    def package(self):
        return "imported-from-" + re.sub("[^a-z0-9]+", "-", f"{self.foreign.name} {self.binding}".lower())

    @property
    def has_wrapped_lists(self):
        return "SearchSourceTypeArray" in self.definitions["device_login_service.yaml"]


def run(tally):
    """Counts the servers that answer a WSDL."""
    with foreign_servers.rules() as rules:
        wanted = [foreign for foreign in foreign_servers.FOREIGN if foreign.name in OWN and tally.has(f"imported from {foreign.name}", foreign.install)]
        imports = [imported(foreign, binding, rules) for foreign in wanted for binding in foreign.bindings]
        wrong = build([one for one in imports if not one.wrong])
        for one in imports:
            name, complaint = f"imported from {one.foreign.name}, {one.binding}", one.wrong or wrong
            if complaint:
                tally.count(name, lambda: (0, [complaint]))
                continue
            tally.count(name, lambda: called(one, rules))
            tally.count(f"{name}, served", lambda: served(one, rules))


def said(*command, **options):
    done = finished(command, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(map(str, command))}: {done.stdout[-3000:]}")
    return done.stdout


def imported(foreign, binding, rules):
    """Imports both services of a running server; their secrets are shown, as answers are compared."""
    folder = FOLDER / "definitions"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = Import(foreign, binding, {}, {})
    with foreign.command(binding, rules) as server:
        for service, path in PATHS.items():
            address = f"{server.url}{path}?wsdl"
            with urllib.request.urlopen(address) as answer:
                made.wsdls[service] = answer.read().decode()
            definition = folder / f"{DEFINITIONS[service]}.yaml"
            try:
                said(COMMAND, "import", "--out", folder, address)
                said(COMMAND, "import", "--verify", address)
                if foreign.name != "spyne":
                    said(COMMAND, "import", "--verify", "--against", ROOT / "service-defs" / definition.name, address)
            except Wrong as wrong:
                made.wrong = str(wrong)
                return made
            made.definitions[definition.name] = re.sub(r", secret: true|secret: true, ", "", content(definition))
    return made


def content(definition):
    """The text of an imported definition from its first key on, without comments that name the server."""
    return re.sub("(?m)^#.*\n", "", definition.read_text()).lstrip()


def build(imports):
    """Builds a program with the clients and servers of each import; says what was wrong. Many servers have the same definitions."""
    new_workspace()
    first = []
    try:
        for one in imports:
            same = next((other for other in first if other.definitions == one.definitions), one)
            if same is one:
                first.append(one)
                write_crate(one)
            one.program = TARGET / "debug" / same.package
        if first:
            compile_workspace()
    except Wrong as wrong:
        return str(wrong)
    return ""


def new_workspace():
    """An empty workspace: in the folder of another one, Cargo would make crates members of that."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    (FOLDER / "Cargo.toml").write_text('[workspace]\nresolver = "3"\nmembers = []\n')
    shutil.copy(ROOT / "Cargo.lock", FOLDER / "Cargo.lock")
    return FOLDER


def new_crate(name, files):
    """A member of the workspace with the services of definitions. All have the same features, so that svcgen is compiled once."""
    folder = FOLDER / name
    said(COMMAND, "new", *(part for file in files for part in ("--from", file)), name, "--path", ROOT, "--out", folder)
    manifest = folder / "Cargo.toml"
    needed = f"features = {json.dumps(FEATURES)} }}"
    text = re.sub(r'(svcgen = \{ path = "[^"]*")(?:, features = .*)? \}', rf"\1, {needed}\n{DEPENDENCIES}", manifest.read_text(), count=1)
    manifest.write_text(text)
    return folder


def compile_workspace():
    said("cargo", "build", "--offline", "-q", "--workspace", cwd=FOLDER, env={**os.environ, "CARGO_TARGET_DIR": str(TARGET)})


def write_crate(one):
    sources = FOLDER / "definitions"
    sources.mkdir(exist_ok=True)
    files = [sources / name for name in one.definitions]
    for file in files:
        file.write_text(one.definitions[file.name])
    folder = new_crate(one.package, files)
    with open(folder / "svcgen.toml", "a") as options:
        options.write("serde = true\n")
    main = (HERE / "callers" / "imported.rs").read_text()
    handlers = "\n".join(map(handler, files))
    (folder / "src" / "main.rs").write_text(main.replace("// {{calls}}", calls()).replace("// {{handlers}}", handlers))


def calls():
    """An arm for each operation."""
    arms = []
    for service, operations in OPERATIONS.items():
        for operation, (parameters, result) in operations.items():
            request = f"&read::<{DEFINITIONS[service]}::{operation}Request>(arguments)?" if parameters else ""
            call = f"services.{DEFINITIONS[service]}.{snake(operation)}({request}).await"
            arms.append(f'("{service}", "{operation}") => written({call}),')
    return "\n        ".join(arms)


METHOD = re.compile(r"fn (\w+)\(\s*&self,\s*context: &svcgen::Context,?\s*(request: \w+)?,?\s*\)\s*-> impl codegen::Future<\s*Output = (Result<.*?, svcgen::Fault>),?\s*> \+ Send")


def handler(definition):
    """A handler with the methods of the trait, each of which asks the rules."""
    trait, methods = re.search(r"pub trait (\w+Handler)\b.*?\{\n(.*?)\n\}", said(COMMAND, "generate", definition), re.DOTALL).groups()
    service = trait.removesuffix("Handler")
    operations = {snake(operation): operation for operation in OPERATIONS[service]}
    asks = []
    for method, request, answer in METHOD.findall(methods):
        arguments = "request" if request else "json!({})"
        asks.append(f'async fn {method}(&self, _: &svcgen::Context, {request}) -> {answer} {{ self.ask("{service}", "{operations.pop(method)}", {arguments}).await }}')
    if operations:
        raise Wrong(f"{trait} has no methods for {', '.join(operations.values())}")
    return f"mod {definition.stem}_handler {{\nuse super::{{Rules, json, {definition.stem}::*}};\nimpl {trait} for Rules {{\n" + "\n".join(asks) + "\n}\n}\n"


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def called(one, rules):
    """How many calls of the foreign server were answered right, a line for each that was not, and how many of those a limit explains."""
    command = [PYTHON, HERE / "callers" / "imported_caller.py", one.program]
    skips = FORM_LIMITS if one.binding in FORMS else {}
    caller = Stack("svcgen", needs_python, command, (one.binding,), skips=skips, reads=READS.get(one.foreign.name, {}))
    with one.foreign.command(one.binding, rules) as server:
        passed, failed = foreign_callers.run(caller, one.binding, foreign_callers.addresses(server.url))
    return explained(passed, failed, LIMITS[one.foreign.name])


def served(one, rules):
    """The same of what the stack's own client, made from its own WSDL, calls of ours."""
    lists = "wrapped" if one.has_wrapped_lists else "plain"
    with Server(one.program, "serve", f"{rules}/serde/{lists}") as server, tempfile.TemporaryDirectory() as folder:
        files = []
        for service, wsdl in one.wsdls.items():
            files.append(Path(folder) / f"{service}.wsdl")
            files[-1].write_text(re.sub(r'location="http://[^/"]*', f'location="{server.url}', wsdl))
        own = next(stack for stack in foreign_callers.STACKS if stack.name == OWN[one.foreign.name] and one.binding in stack.bindings)
        passed, failed = foreign_callers.run(own, one.binding, files)
    return explained(passed, failed, {})


def explained(passed, failed, limits):
    failures = [line for line in failed if not any(re.search(known, line) for known in limits.values())]
    return passed, failures, len(failed) - len(failures)


# What is left of a result: reason -> what takes the rest away.
READS = {"ASMX server": {"Mono writes CR unescaped": rewritten(lambda value: with_line_feeds(value) if isinstance(value, str) else value)}}

# Each server that answers a WSDL, and the client of the same stack.
OWN = {"ASMX server": "Mono wsdl", "spyne": "zeep", "npm soap server": "npm soap", "PHP SoapServer": "PHP SoapClient"}

# Of each server its own limits: reason -> the failures that it explains.
LIMITS = {
    "ASMX server": {"Mono's listener drops directions of text from a URL": r"\\u202e"},
    "spyne": {"spyne reads an empty array as none": r"'username': 'echo', 'encryptedPassword': b''"},
    "npm soap server": {
        "npm soap writes a nil item as an empty one": r"NewsSearchSourceTypes/[01]: expected None",
        "npm soap takes a text in CDATA brackets as XML": r"'<!\[CDATA\[x\]\]>'",
    },
    "PHP SoapServer": {"PHP SoapServer drops a text of nothing but white space": r"': '(?: |\\[trn])+'[,}]"},
}
