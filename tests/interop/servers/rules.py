"""The fixture's rules over HTTP, for foreign servers that are not written in Python.

POST [service, operation, arguments] as JSON; the answer is {"result": …} or {"fault": text}. Bytes are {"base64": …}, great
numbers are texts, a field that is absent is null. For Rust, below /serde: bytes are lists of numbers; below /serde/wrapped a list is an object
with its items.
"""

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fixture import OBJECTS, Boom, answer  # noqa: E402


class Handler(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        question = self.rfile.read(int(self.headers["Content-Length"]))
        service, operation, arguments = json.loads(question, object_hook=decoded)
        arguments = {name: bytes(value) if isinstance(value, list) else value for name, value in arguments.items()}
        try:
            reply = {"result": answer(service, operation, arguments)}
        except Boom as boom:
            reply = {"fault": str(boom)}
        form = in_serde if self.path.startswith("/serde") else printable
        body = json.dumps(form(wrapped(reply) if self.path.endswith("/wrapped") else reply)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def decoded(value):
    return base64.b64decode(value["base64"] or "") if "base64" in value else value


def printable(value):
    if isinstance(value, dict):
        return {name: printable(item) for name, item in value.items()}
    if isinstance(value, list):
        return [printable(item) for item in value]
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    # Beyond 2^53 JavaScript would round a number.
    return str(value) if type(value) is int and abs(value) > 2**53 else value


def in_serde(value):
    if isinstance(value, dict):
        return {name: in_serde(item) for name, item in value.items()}
    return list(map(in_serde, value)) if isinstance(value, (list, bytes)) else value


def wrapped(value, name=None):
    if isinstance(value, dict):
        return {name: wrapped(item, name) for name, item in value.items()}
    return {OBJECTS["AdditionalInfo"][name][0]: value} if isinstance(value, list) else value


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
