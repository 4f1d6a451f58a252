"""Stacks that speak MTOM or send attachments call svcgen's server, and svcgen's client calls those of JAX-WS RI, gSOAP and Mono's WCF. Then 100 MiB go each way, in bounded memory."""

import os
import re
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import loading
from foreign_callers import CALLERS, NODE
from programs import PYTHON, TARGET, WORK, Server, finished, needs_debian, needs_gsoap, needs_mono, needs_node, needs_perl, needs_python, quietly

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
GSOAP_PROGRAM = WORK / "attached" / "attached"
AXIS_PATH = ":".join([str(WORK), loading.AXIS, *(f"/usr/share/java/{jar}.jar" for jar in ("javax.activation", "javax.mail"))])
AXIS = ["java", "-cp", AXIS_PATH, "AxisAttached"]
WCF = ["mono", WORK / "WcfAttached.exe"]
LONG = 100 << 20
# A part and the value that it becomes are the same bytes; the answer is a copy of them.
MOST_MEMORY = 2.5 * LONG


def needs_java():
    needs_debian("javac -version && test -f /usr/share/java/jaxws-rt.jar", "default-jdk-headless", "libjaxws-java")
    quietly("javac", "-cp", JAVA_PATH, "-d", WORK, CALLERS / "Attached.java")


def needs_axis():
    needs_debian("javac -version && ls /usr/share/java/axis.jar /usr/share/java/javax.mail.jar", "default-jdk-headless", "libaxis-java", "libcommons-discovery-java", "libwsdl4j-java", "libmail-java")
    quietly("javac", "-cp", AXIS_PATH, "-d", WORK, CALLERS / "AxisAttached.java")


def needs_attached_gsoap():
    needs_gsoap("attached", "soapServer.c")


def needs_perl_mime():
    needs_perl()
    needs_debian("perl -MMIME::Entity -e 1", "libmime-tools-perl")


def needs_wcf():
    needs_mono()
    references = [f"-r:{name}.dll" for name in ("System.ServiceModel", "System.Runtime.Serialization", "System.Xml")]
    quietly("mcs", *references, f"-out:{WCF[1]}", CALLERS / "WcfAttached.cs")


class Relay(ThreadingHTTPServer):
    """Sends requests on to the server at a URL. Mono's WCF writes the media type of a package, with its boundary, into the body: the relay moves it into the head. Over SOAP 1.2, WCF reads the action from SOAPAction: the relay repeats it there."""

    daemon_threads = True

    def __init__(self, url):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                head, body = moved(self.headers, self.rfile.read(int(self.headers["Content-Length"])))
                try:
                    answer = urllib.request.urlopen(urllib.request.Request(url + self.path, body, head))
                except urllib.error.HTTPError as error:
                    answer = error
                with answer:
                    head, body = moved(answer.headers, answer.read())
                    self.send_response(answer.status)
                for name, value in {**head, "Content-Length": len(body)}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


def moved(headers, body):
    """The head and the body of a message, as every stack but Mono's WCF writes and reads them."""
    head = {name: headers[name] for name in ("Content-Type", "SOAPAction") if name in headers}
    if body.startswith(b"MIME-Version: "):
        mime, _, body = body.partition(b"\r\n\r\n")
        head["Content-Type"] = re.search(r"(?im)^Content-Type: (.*?)\r?$", mime.decode())[1]
    if action := re.search(r'; action=("[^"]+")', head.get("Content-Type", "")):
        head["SOAPAction"] = action[1]
    return head, body


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
    Caller("gSOAP, attachments", needs_attached_gsoap, [GSOAP_PROGRAM, "call"], ""),
)

# Those that send attachments and read others.
TURNING = (
    ("SAAJ, attachments", needs_java, [*JAVA, "turn"]),
    ("gSOAP, SOAP with Attachments", needs_attached_gsoap, [GSOAP_PROGRAM, "turn"]),
    ("SOAP::Lite, attachments", needs_perl_mime, ["perl", CALLERS / "attached.pl"]),
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


def call_theirs(binding, *command):
    with Server(*command) as theirs:
        results = [compare([PROGRAM, "call", f"{theirs.url}/Files.asmx", binding, packaging], LENGTHS) for packaging in ("mtom", "text")]
        results.append(turn([PROGRAM, "turn", f"{theirs.url}/Scans.asmx", binding, "text"]))
    return sum(passed for passed, _ in results), [failure for _, failures in results for failure in failures]


def call_wcf(binding):
    with Server(*WCF, "serve", binding) as theirs, Relay(theirs.url) as relay:
        return compare([PROGRAM, "call", f"{relay.url}/Files.asmx", binding, "mtom"], LENGTHS)


def run(tally):
    with Server(PROGRAM, "serve") as ours:
        location = f"{ours.url}/Files.asmx"
        for caller in CALLING:
            for binding in BINDINGS if tally.has(caller.name, caller.install) else ():
                tally.count(f"{caller.name}, {binding}", lambda: compare([*caller.command, location + caller.address, binding], LENGTHS))
        name = "Mono's WCF, attachments"
        for binding in BINDINGS if tally.has(name, needs_wcf) else ():
            with Relay(ours.url) as relay:
                tally.count(f"{name}, {binding}", lambda: compare([*WCF, "call", f"{relay.url}/Files.asmx", binding], LENGTHS))
        for name, install, command in TURNING:
            for binding in BINDINGS if tally.has(name, install) else ():
                tally.count(f"{name}, {binding}", lambda: turn([*command, f"{ours.url}/Scans.asmx", binding]))
        if tally.has("Axis, attachments", needs_axis):
            tally.count("Axis, attachments, soap11", lambda: turn([*AXIS, f"{ours.url}/Scans.asmx"]))
        if tally.wants("long attachments"):
            tally.count("long attachments", lambda: long(ours))
    name = "JAX-WS RI server, attachments"
    for binding in BINDINGS if tally.has(name, needs_java) else ():
        tally.count(f"{name}, {binding}", lambda: call_theirs(binding, *JAVA, "serve", binding))
    name = "gSOAP server, attachments"
    for binding in BINDINGS if tally.has(name, needs_attached_gsoap) else ():
        tally.count(f"{name}, {binding}", lambda: call_theirs(binding, GSOAP_PROGRAM, "serve"))
    name = "Mono's WCF server, attachments"
    for binding in BINDINGS if tally.has(name, needs_wcf) else ():
        tally.count(f"{name}, {binding}", lambda: call_wcf(binding))
