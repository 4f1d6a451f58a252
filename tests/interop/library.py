"""A second service, which Mono's ASP.NET serves from C# and svcgen from its definition: callers must not tell them apart.

The proxies that Mono's `wsdl` makes of each server's documents, and svcgen's client, make the same calls of both servers; what they print is compared.
A third server and another client are those of the definition that is imported from the live WSDL of the original.
"""

import collections
import difflib
import tempfile
import urllib.request
from pathlib import Path

from asmx import ZONE
from programs import HERE, TARGET, Server, finished, quietly

PATH = "/Library.asmx"
PROTOCOLS = {"soap11": "Soap", "soap12": "Soap12", "http-get": "HttpGet", "http-post": "HttpPost"}
SECONDS = 120


def check(binding, original, ours, imported):
    """How many lines were alike, and those that were not: of the original, of ours, and of the program of what was imported from the original."""
    passed, failures = 0, []
    with tempfile.TemporaryDirectory() as folder, Server(imported, "serve") as again:
        callers = {
            "svcgen's client": ([TARGET / "debug" / "library_client"], "", [binding]),
            "the imported client": ([imported, "client"], "", [binding]),
            "proxies of ASMX": (proxies(binding, f"{original}{PATH}?wsdl", Path(folder) / "asmx"), PATH, []),
            "proxies of svcgen": (proxies(binding, f"{ours}{PATH}", Path(folder) / "svcgen"), PATH, []),
        }
        expected = {}
        for name, (command, path, more) in callers.items():
            for server in (original, ours, again.url):
                lines = printed(*command, server + path, *more)
                known = expected.setdefault(name.startswith("proxies"), lines)
                differences = [line for line in difflib.ndiff(known, lines) if line[0] in "-+"]
                failures += [f"{name}, called {server}: {line}" for line in differences]
                passed += len(lines) - sum(line[0] == "+" for line in differences)
    return passed, failures


def compare_documents(original, ours):
    """How many lines of the WSDLs in the original's shape were alike, in whatever order, and those that were not."""
    expected = lines_of(f"{original}{PATH}?wsdl")
    lines = lines_of(f"{ours}{PATH}?wsdl=original")
    failures = [f"{sign} {line}" for sign, lines in (("-", expected - lines), ("+", lines - expected)) for line in lines.elements()]
    return (expected & lines).total(), failures


def lines_of(url):
    with urllib.request.urlopen(url, timeout=SECONDS) as answer:
        text = answer.read().decode().replace(url.partition("?")[0], "")
    # Addresses differ, and ASMX declares prefixes in an order of its own.
    lines = (line.strip() for line in text.splitlines())
    return collections.Counter(line for line in lines if not line.startswith(("<wsdl:definitions", "<soap:address", "<soap12:address", "<http:address")))


def proxies(binding, documents, folder):
    """The program that calls the proxies made of these documents; those of SOAP tell the types of the arguments in forms."""
    folder.mkdir()
    for protocol, namespace in (("Soap", "Typed"), (PROTOCOLS[binding], "Called")):
        quietly("wsdl", f"-protocol:{protocol}", f"-namespace:{namespace}", f"-out:{folder}/{namespace}.cs", documents)
    references = "-r:System.Data.dll,System.EnterpriseServices.dll,System.Web.Services.dll"
    sources = (HERE / "callers" / "library_caller.cs", folder / "Typed.cs", folder / "Called.cs")
    quietly("mcs", "-nowarn:0162,0168", references, f"-out:{folder}/caller.exe", *sources)
    return ["mono", folder / "caller.exe"]


def printed(*command):
    done = finished(command, env=ZONE, timeout=SECONDS)
    lines = done.stdout.splitlines()
    return lines if done.returncode == 0 else [*lines, f"exit status {done.returncode}: {done.stderr[-1000:]}"]
