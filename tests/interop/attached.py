"""Stacks that speak MTOM or send attachments call svcgen's server, and svcgen's client calls that of JAX-WS RI. Then 100 MiB go each way, in bounded memory."""

import os
from dataclasses import dataclass
from pathlib import Path

import loading
from foreign_callers import CALLERS, NODE
from programs import PYTHON, TARGET, WORK, Server, finished, needs_debian, needs_gsoap, needs_node, needs_python, quietly

PROGRAM = TARGET / "debug" / "attached"
BINDINGS = ("soap11", "soap12")
# At least as many bytes as servers answer as a part.
LENGTHS = (2000, 100_000)
# Those of Debian's libjaxws-java: other packages put other versions of the same classes beside them.
JARS = """FastInfoset gmbal glassfish-management-api glassfish-pfl-asm glassfish-pfl-basic glassfish-pfl-dynamic glassfish-pfl-tf istack-commons-runtime
javax.activation jaxb-api jaxb-core jaxb-impl jaxb-runtime jaxws-api jaxws-ri-runtime jaxws-rt jws-api metro-policy mimepull saaj saaj-impl stax-ex stax2-api
streambuffer txw2 woodstox-core-asl""".split()
JAVA_PATH = ":".join([str(WORK), *(f"/usr/share/java/{jar}.jar" for jar in JARS)])
JAVA = ["java", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", JAVA_PATH, "Attached"]
AXIS_PATH = ":".join([str(WORK), loading.AXIS, *(f"/usr/share/java/{jar}.jar" for jar in ("javax.activation", "javax.mail"))])
AXIS = ["java", "-cp", AXIS_PATH, "AxisAttached"]
LONG = 100 << 20
# A part and the value that it becomes are the same bytes; the answer is a copy of them.
MOST_MEMORY = 2.5 * LONG


def needs_java():
    needs_debian("javac -version && test -f /usr/share/java/jaxws-rt.jar", "default-jdk-headless", "libjaxws-java")
    quietly("javac", "-cp", JAVA_PATH, "-d", WORK, CALLERS / "Attached.java")


def needs_axis():
    needs_debian("javac -version && ls /usr/share/java/axis.jar /usr/share/java/javax.mail.jar", "default-jdk-headless", "libaxis-java", "libcommons-discovery-java", "libwsdl4j-java", "libmail-java")
    quietly("javac", "-cp", AXIS_PATH, "-d", WORK, CALLERS / "AxisAttached.java")


@dataclass(frozen=True)
class Caller:
    name: str
    install: callable
    command: list
    # What the caller is given of the service.
    address: str = "?wsdl"


CALLING = (
    Caller("zeep, attachments", needs_python, [PYTHON, CALLERS / "attached.py"]),
    Caller("npm soap, attachments", needs_node, ["node", CALLERS / "attached.js"]),
    Caller("JAX-WS RI, attachments", needs_java, [*JAVA, "call"]),
    Caller("gSOAP, attachments", lambda: needs_gsoap("attached"), [WORK / "attached" / "attached"], ""),
)


def compare(command, lengths, right="result kept {}\nresult echoed\n"):
    """How many calls come back as they were sent, and the others."""
    failures = []
    for length in lengths:
        done = finished([*command, length], env={**os.environ, **NODE}, timeout=120)
        if right.format(length) not in done.stdout:
            failures.append(f"{length} bytes: {done.stdout.strip()[-300:]!r} {done.stderr.strip()[-300:]!r}")
    return len(lengths) - len(failures), failures


def peak(process):
    """The most memory that a process had, in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) << 10


def long(server):
    """100 MiB each way, three times."""
    passed, failures = compare([PROGRAM, "call", f"{server.url}/Files.asmx", "soap11", "mtom"], [LONG] * 3)
    if (most := peak(server.process)) > MOST_MEMORY:
        failures.append(f"the server took {most >> 20} MiB")
    return passed, failures


def turn(command):
    """Calls whose attachments are answered with others."""
    return compare(command, LENGTHS, "result turned {}\n")


def call_theirs(binding):
    with Server(*JAVA, "serve", binding) as theirs:
        results = [compare([PROGRAM, "call", f"{theirs.url}/Files.asmx", binding, packaging], LENGTHS) for packaging in ("mtom", "text")]
        results.append(turn([PROGRAM, "turn", f"{theirs.url}/Scans.asmx", binding, "text"]))
    return sum(passed for passed, _ in results), [failure for _, failures in results for failure in failures]


def run(tally):
    with Server(PROGRAM, "serve") as ours:
        location = f"{ours.url}/Files.asmx"
        for caller in CALLING:
            for binding in BINDINGS if tally.has(caller.name, caller.install) else ():
                tally.count(f"{caller.name}, {binding}", lambda: compare([*caller.command, location + caller.address, binding], LENGTHS))
        name = "SAAJ, attachments"
        for binding in BINDINGS if tally.has(name, needs_java) else ():
            tally.count(f"{name}, {binding}", lambda: turn([*JAVA, "turn", f"{ours.url}/Scans.asmx", binding]))
        if tally.has("Axis, attachments", needs_axis):
            tally.count("Axis, attachments, soap11", lambda: turn([*AXIS, f"{ours.url}/Scans.asmx"]))
        if tally.wants("long attachments"):
            tally.count("long attachments", lambda: long(ours))
    name = "JAX-WS RI server, attachments"
    for binding in BINDINGS if tally.has(name, needs_java) else ():
        tally.count(f"{name}, {binding}", lambda: call_theirs(binding))
