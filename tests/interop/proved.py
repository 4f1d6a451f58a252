"""What the definitions let callers ask ASMX, asked of svcgen as well: the answers are the same, but for what `proved.yaml` lists. A candidate in another stack gives a report that people can read.

The calls are those of `svcgen prove`: samples and what the fixture's services know, each with a change in its values or its form, and wrong ones.
"""

import json
import tempfile
from pathlib import Path

import asmx
import foreign_servers
from imported import COMMAND, DEFINITIONS
from programs import HERE, ROOT, TARGET, Server, finished, needs_mono, needs_python

# Users that the fixture's services know; their values are at the edges of all that there is.
USERS = ("alice", "special", "extremes", "minimal", "nilitems", "echo")
CALLS = 3000
# What people read, and how many findings of another stack they may have.
LINES, FINDINGS = 400, 150


def run(tally):
    if tally.has("proof of svcgen by ASMX", needs_mono):
        for definition in DEFINITIONS.values():
            tally.count(f"proof of svcgen by ASMX, {definition}", lambda: check(definition))
    if tally.has("proof of spyne by svcgen", needs_python):
        tally.count("proof of spyne by svcgen", spyne)


def check(definition):
    """How many answers were the same or differ as listed, and the findings."""
    with foreign_servers.rules() as rules, asmx.served(rules) as original, Server(TARGET / "debug" / "fixture_server") as ours:
        report, text = proved(definition, original.url, ours.url, "--rules", HERE / "proved.yaml", "--calls", CALLS)
    fine = [exchange for exchange in report["exchanges"] if exchange["result"] == "identical"]
    others = [f"{one['asks']}: {one['result']}: {one['why'] or one['differences']}" for one in report["exchanges"] if one not in fine]
    return len(fine), others or ([] if len(fine) == CALLS else [text])


def spyne():
    """How many findings its other prefixes, faults and headers make, which thousands of differences come down to."""
    foreign = next(foreign for foreign in foreign_servers.FOREIGN if foreign.name == "spyne")
    with foreign_servers.rules() as rules, Server(TARGET / "debug" / "fixture_server") as ours, foreign.command("soap11", rules) as candidate:
        report, text = proved("authenticator", ours.url, candidate.url, "--binding", "soap11", "--accept", "same-values", "--calls", 1000)
    findings = [one for one in report["exchanges"] if one["result"] == "differs"]
    lines = text.splitlines()
    failures = [] if 0 < len(findings) <= FINDINGS else [f"{len(findings)} findings"]
    failures += [] if len(lines) <= LINES else [f"{len(lines)} lines"]
    return len(findings), failures


def proved(definition, original, candidate, *more):
    with tempfile.TemporaryDirectory() as folder:
        values = []
        for user in USERS:
            file = Path(folder) / f"{user}.yaml"
            file.write_text(f"username: {user}\npassword: secret\n")
            values += ["--values", f"Login={file}"]
        report = Path(folder) / "report.json"
        servers = ["--original", original, "--candidate", candidate]
        path = ROOT / "service-defs" / f"{definition}.yaml"
        done = finished([COMMAND, "prove", path, "--all", *servers, *values, *more, "--report", report])
        if not report.exists():
            raise SystemExit(done.stdout + done.stderr)
        return json.loads(report.read_text()), done.stdout
