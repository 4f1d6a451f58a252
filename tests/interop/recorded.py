"""What Mono's proxies ask ASMX, recorded on the way and asked of svcgen again: it answers with the same bytes, but for what is listed here.

Documents, which differ in the wording of the original's tools, have checks of their own.
"""

import json
import tempfile
from pathlib import Path

import asmx
import foreign_callers
import foreign_servers
from foreign_callers import with_line_feeds
from imported import COMMAND, DEFINITIONS
from programs import ROOT, TARGET, Server, finished, needs_mono

MONO = next(stack for stack in foreign_callers.STACKS if stack.name == "Mono wsdl")
BINDINGS = tuple(binding for stack in foreign_callers.STACKS if stack.name == MONO.name for binding in stack.bindings)


def writes_cr_unescaped(difference):
    """Its text is that of svcgen with other line ends, as CR in XML is LF for readers."""
    if difference["kind"] not in ("text-space", "carriage-return"):
        return False
    return json.loads(difference["expected"]) == with_line_feeds(json.loads(difference["found"]))


def reads_no_unicode(difference):
    """Its service got the escapes of its proxies, or nothing that is a character."""
    return any(mark in difference["expected"] for mark in ("%u", "\ufffd", "\\ufffd"))


# The limits of Mono: reason -> whether it explains a difference.
KNOWN = {
    "Mono writes CR unescaped": writes_cr_unescaped,
    "Mono's server reads other escapes of forms than its proxies write": reads_no_unicode,
}


def run(tally):
    for binding in BINDINGS if tally.has("recorded calls of ASMX", needs_mono) else ():
        tally.count(f"recorded calls of ASMX, {binding}", lambda: check(binding))


def check(binding):
    """How many answers were the same bytes, a line for each other one, and how many others a limit explains."""
    mono = next(stack for stack in foreign_callers.STACKS if stack.name == MONO.name and binding in stack.bindings)
    with tempfile.TemporaryDirectory() as folder:
        recorded = Path(folder) / "recorded"
        with foreign_servers.rules() as rules, asmx.served(rules) as original:
            with Server(COMMAND, "record", "--upstream", original.url, "--address", "127.0.0.1:0", "--out", recorded) as recorder:
                # What Mono makes of Mono's answers is not the question.
                foreign_callers.run(mono, binding, foreign_callers.addresses(recorder.url))
        return replayed(recorded, Path(folder) / "report.json")


def replayed(recorded, report):
    passed, failures, known = 0, [], 0
    with Server(TARGET / "debug" / "fixture_server") as ours:
        for definition in DEFINITIONS.values():
            done = finished([COMMAND, "replay", recorded, "--against", ours.url, ROOT / "service-defs" / f"{definition}.yaml", "--report", report])
            for exchange in json.loads(report.read_text())["exchanges"]:
                # Documents, and calls of the other service.
                if not exchange["operation"]:
                    continue
                differences = exchange["differences"]
                if exchange["result"] == "identical":
                    passed += 1
                elif differences and all(any(explains(one) for explains in KNOWN.values()) for one in differences):
                    known += 1
                else:
                    failures.append(f"{exchange['name']} {exchange['operation']}: {exchange['result']}: {exchange['why'] or differences}")
            report.unlink()
    return passed, failures or ([] if passed else [done.stdout + done.stderr]), known
