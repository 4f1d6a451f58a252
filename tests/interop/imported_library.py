"""The library as it is imported from the live WSDL of ASMX, with what no WSDL holds written by hand: it is generated and compiled with the handler
and the calls of the hand-written definition.
"""

import re
import shutil

from imported import COMMAND, Wrong, compile_workspace, new_crate, new_workspace, said
from library import PATH
from programs import HERE, ROOT, TARGET

PROGRAM = TARGET / "debug" / "imported-library"
SOURCES = ROOT / "tests" / "src"
DEFINITION = ROOT / "tests" / "definitions" / "lab" / "library.yaml"

# What is written by hand: what was imported, what it becomes, and why.
EDITS = [
    ("namespace: http://example.com/library\n", "namespace: http://example.com/library\ntime_zone: UTC\n", "where the server is"),
    ('  Card: { type: "Card?", namespace: common }', '  Card: { type: "Card?", namespace: common, soap_attributes: true }', "attributes of messages"),
    ("      Choice: { choice: { Email", "      Contact: { choice: { Email", "the name of a choice"),
    ("      Items: { choice: { word", "      Parts: { choice: { word", "the name of a choice"),
    ("      Any: { any: elements }", "      Rest: { any: elements }", "the name of a wildcard"),
    ("      AnyAttributes: { any: attributes }", "      Others: { any: attributes }", "the name of a wildcard"),
    ("      More: int[]?", '      More: { type: "int[]", list: collection }', "a collection, which is never null"),
    ("      genres: Genre\n", '      genres: { type: "Genre[]", list: text }\n', "a list of enumeration values in an attribute, of which ASMX describes one"),
    ("  AddressType:\n", "  AddressType:\n    rust: Address\n", "a name in Rust"),
    ("[on loan, 1st, Kept]", "[on loan: { net: OnLoan, rust: OnLoan }, 1st: { net: First, rust: First }, Kept]", "names in .NET"),
    ("[None, Read, Copy, lend-out, All]", "[None: { number: 0 }, Read, Copy, lend-out: { net: Lend, rust: LEND }, All: { number: 7 }]", "numbers, and a name in .NET"),
]


def check(url):
    """Imports the library of a server and compiles it: how many messages and types say the same as the definition, and what was wrong."""
    try:
        return imported(f"{url}{PATH}?wsdl"), []
    except Wrong as wrong:
        return 0, [str(wrong)]


def imported(address):
    folder = new_workspace() / "definitions"
    said(COMMAND, "import", "--verify", address)
    said(COMMAND, "import", "--update", DEFINITION, "--check", address)
    same = said(COMMAND, "import", "--verify", "--against", DEFINITION, address)
    said(COMMAND, "import", "--strict", "--out", folder, address)
    definition = folder / "library.yaml"
    text = definition.read_text()
    for written, edited, _ in EDITS:
        if text.count(written) != 1:
            raise Wrong(f"{text.count(written)} of {written!r} in what was imported")
        text = text.replace(written, edited)
    definition.write_text(text)
    crate = new_crate(PROGRAM.name, [definition])
    for name in ("echo.rs", "shelf.rs"):
        shutil.copy(SOURCES / name, crate / "src" / name)
    shutil.copy(HERE / "callers" / "imported_library.rs", crate / "src" / "main.rs")
    compile_workspace()
    return sum(map(int, re.findall(r"(\d+) (?:message|type)", same)))
