"""A service over JSON, which svcgen serves: imported from its live WSDL and the script beside it, its definition is the same again, with the names
of .NET and the numbers that no WSDL holds.
"""

import difflib

from imported import COMMAND, Wrong, compile_workspace, content, new_crate, new_workspace, said
from programs import HERE, TARGET, Server

DEFINITION = HERE / "servers" / "scripted.yaml"


def check():
    """How many lines of the definition came back, and those that differ."""
    try:
        folder = new_workspace() / "definitions"
        new_crate("imported-scripted", [DEFINITION])
        compile_workspace()
        with Server(TARGET / "debug" / "imported-scripted", "127.0.0.1:0") as server:
            said(COMMAND, "import", "--strict", "--out", folder, f"{server.url}/Scripted.asmx?wsdl")
    except Wrong as wrong:
        return 0, [str(wrong)]
    expected = DEFINITION.read_text().splitlines()
    got = content(folder / "scripted.yaml").splitlines()
    return len(expected), [line for line in difflib.ndiff(expected, got) if line[0] in "-+"]
