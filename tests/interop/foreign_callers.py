"""Foreign callers of fixture_server, and what each of them cannot carry."""

import base64
import html
import json
import os
import re
import subprocess
from dataclasses import dataclass, field

import cases
from compare import canonical, differences, shortened, without_emptiness
from fixture import OPERATIONS, PATHS, Boom, answer
from programs import HERE, PYTHON, WORK, finished, needs_mono, needs_node, needs_perl, needs_php, needs_python

CALLERS = HERE / "callers"
SOAP = ("soap11", "soap12")
FORMS = ("http-get", "http-post")
NODE = {"NODE_PATH": str(WORK / "node_modules")}
# Whatever lies beyond this machine cannot be reached.
NOWHERE = "http://127.0.0.1:9"
OFFLINE = {**dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), NOWHERE), "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}
JAVASCRIPT_BLANKS = "\t\n\v\f\r \u00a0\u2028\u2029\ufeff"
SECONDS = 180


@dataclass(frozen=True)
class Stack:
    """A foreign stack. Each limit is the stack's own and stands with its reason."""

    name: str
    install: callable
    command: list
    bindings: tuple
    environment: dict = field(default_factory=dict)
    # reason -> whether a call (binding, operation, arguments) is not made
    skips: dict = field(default_factory=dict)
    # reason -> the text that arrives instead of a text that is sent
    sends: dict = field(default_factory=dict)
    # reason -> what is left of a result once the stack has read it
    reads: dict = field(default_factory=dict)


def has_absent(binding, operation, arguments):
    return binding in FORMS and None in arguments.values()


def has_empty_bytes(binding, operation, arguments):
    return binding in FORMS and arguments.get("encryptedPassword") == b""


def has_no_answer(binding, operation, arguments):
    return binding in FORMS and operation in ("Logout", "NoOp")


def has_angle(binding, operation, arguments):
    return binding == "http-get" and any(">" in value and "^" in value for value in arguments.values() if isinstance(value, str))


def is_fault_beyond_utf16(binding, operation, arguments):
    return arguments.get("username") == "throw" and any(ord(character) > 0xFFFF for character in arguments.get("password") or "")


def is_cdata(binding, operation, arguments):
    return "<![CDATA[x]]>" in arguments.values()


def posts_array(binding, operation, arguments):
    return binding == "http-post" and "encryptedPassword" in arguments


def with_line_feeds(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")


def without_second_escape(text):
    for escape, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        text = text.replace(escape, character)
    return text


def without_noncharacters(text):
    return re.sub("[\ufdd0-\ufdef]", "\ufffd", text)


def without_cdata(text):
    return text[9:-3] if text.startswith("<![CDATA[") and text.endswith("]]>") else text


def rewritten(change):
    """A reduction of results that changes every value that is not an object, and every list, from the inside out."""

    def rewrite(value):
        if isinstance(value, dict):
            return {name: rewrite(item) for name, item in value.items()}
        if isinstance(value, list):
            value = [rewrite(item) for item in value]
        return change(value)

    return rewrite


@rewritten
def with_one_nil(value):
    return [None] if isinstance(value, list) and value and set(map(type, value)) == {type(None)} else value


@rewritten
def without_nil_items(value):
    return [item for item in value if item is not None] if isinstance(value, list) else value


@rewritten
def as_double(value):
    return int(float(value)) if type(value) is int and abs(value) > 2**53 else value


@rewritten
def stripped(value):
    return value.strip(JAVASCRIPT_BLANKS) if isinstance(value, str) else value


@rewritten
def without_white_space(value):
    return "" if isinstance(value, str) and not value.strip(" \t\r\n") else value


FORM_LIMITS = {
    "a form cannot leave a parameter out": has_absent,
    "a form cannot tell an empty array from none": has_empty_bytes,
}

MONO = [PYTHON, CALLERS / "mono_caller.py"]

STACKS = [
    Stack(
        "zeep",
        needs_python,
        [PYTHON, CALLERS / "zeep_caller.py"],
        SOAP + FORMS,
        skips={
            **FORM_LIMITS,
            "zeep fails on an operation without output in its HTTP bindings": has_no_answer,
            "zeep writes an array in a POST form as the text of a Python dict": posts_array,
        },
        reads={"zeep reads empty and nil elements alike": without_emptiness},
    ),
    Stack(
        "suds",
        needs_python,
        [PYTHON, CALLERS / "suds_caller.py"],
        ("soap11",),
        sends={
            "suds writes CR unescaped": with_line_feeds,
            "suds takes a text that holds references as escaped already": without_second_escape,
        },
        reads={
            "suds reads a list of nothing but nil items as one": with_one_nil,
            "suds reads empty and absent elements alike": without_emptiness,
        },
    ),
    Stack(
        "npm soap",
        needs_node,
        ["node", CALLERS / "node_soap.js"],
        SOAP,
        NODE,
        sends={"npm soap takes a text in CDATA brackets as XML": without_cdata},
        reads={
            "a number in JavaScript is a double": as_double,
            "npm soap forgets nil items": without_nil_items,
            "npm soap reads empty and absent objects alike": without_emptiness,
        },
    ),
    Stack(
        "strong-soap",
        needs_node,
        ["node", CALLERS / "strong_soap.js"],
        SOAP,
        NODE,
        skips={"strong-soap takes a text in CDATA brackets as XML and indents it": is_cdata},
        reads={
            "a number in JavaScript is a double": as_double,
            "strong-soap trims every text": stripped,
            "strong-soap reads empty and absent elements alike": without_emptiness,
        },
    ),
    Stack("Mono wsdl", needs_mono, MONO, SOAP, sends={"Mono writes CR unescaped": with_line_feeds}),
    Stack(
        "Mono wsdl",
        needs_mono,
        MONO,
        FORMS,
        skips={
            **FORM_LIMITS,
            "Mono leaves `>` as it is in some URLs (RFC 3986 §3.4 forbids it)": has_angle,
            "Mono reads `&#128512;` in a fault as one UTF-16 unit": is_fault_beyond_utf16,
        },
        reads={"Mono reads a text of white space as empty in the answers to forms": without_white_space},
    ),
    Stack("PHP SoapClient", needs_php, ["php", CALLERS / "soap_client.php"], SOAP),
    Stack(
        "SOAP::Lite",
        needs_perl,
        ["perl", CALLERS / "soap_lite.pl"],
        SOAP,
        sends={"Perl's UTF-8 has no noncharacters": without_noncharacters},
    ),
]


def run(stack, binding, locations):
    """How many calls were answered right, and a line for each that was not; the services' WSDLs are at these places."""
    calls = [call for call in cases.calls() if not any(skip(binding, *call[1:]) for skip in stack.skips.values())]
    answers, complaint = made(stack, binding, calls, locations)
    failures = []
    for call, got in zip(calls, answers):
        if complaints := list(wrong(stack, binding, call, json.loads(got))):
            failures.append(f"{call[1]}({shortened(call[2])}): {'; '.join(complaints)}")
    passed = len(answers) - len(failures)
    if len(answers) < len(calls):
        failures.append(f"{len(calls) - len(answers)} calls were not made: {complaint}")
    return passed, failures


def addresses(url):
    """Where a server answers the WSDLs."""
    return [f"{url}{path}?wsdl" for path in PATHS.values()]


def made(stack, binding, calls, locations):
    """The lines that the stack's program answers with, and what it complained of."""
    lines = [json.dumps(call, default=encoded_bytes) + "\n" for call in calls]
    try:
        done = finished(
            [*stack.command, binding, *locations],
            input="".join(lines),
            env={**os.environ, **OFFLINE, **stack.environment},
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return [], f"no end after {SECONDS} seconds"
    return done.stdout.split("\n")[:-1], done.stderr[-2000:]


def encoded_bytes(value):
    return {"base64": base64.b64encode(value).decode()}


def wrong(stack, binding, call, got):
    """What is wrong with the answer to a call."""
    service, operation, arguments = call
    for change in stack.sends.values():
        arguments = {name: change(value) if isinstance(value, str) else value for name, value in arguments.items()}
    try:
        expected = answer(service, operation, arguments)
    except Boom as boom:
        yield from wrong_fault(binding, str(boom), got)
        return
    if "result" not in got:
        yield f"expected a result, got {shortened(got)}"
        return
    try:
        result = canonical(OPERATIONS[service][operation][1], got["result"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        yield f"{type(error).__name__}: {error}: {shortened(got)}"
        return
    for reduce in stack.reads.values():
        expected, result = reduce(expected), reduce(result)
    yield from differences(expected, result)


def wrong_fault(binding, text, got):
    fault = got.get("fault")
    if fault is None:
        yield f"expected a fault with the text {text!a}, got {shortened(got)}"
        return
    expected = {
        "soap11": ("Server", f"Server was unable to process request. ---> {text}"),
        "soap12": ("Receiver", f"Server was unable to process request. ---> {text}"),
    }.get(binding, (None, text))
    code, got_text = fault["code"], fault["text"]
    if binding in FORMS:
        got_text = html.unescape(got_text).removesuffix("\n")
    # Whether a stack shows the prefix of the code is its own affair.
    got = (code and code.rpartition(":")[2], got_text)
    if got != expected:
        yield f"expected the fault {expected!a}, got {got!a}"
