"""What the Python callers share: calls come in as lines of JSON, answers go out as lines of JSON."""

import base64
import json
import sys


class Fault:
    """What a call returns when the answer was a fault."""

    def __init__(self, code, text):
        self.code, self.text = code, text


def answer_lines(caller):
    binding, authenticator, device = sys.argv[1:4]
    call = caller(binding, {"Authenticator": authenticator, "DeviceLoginService": device})
    for line in sys.stdin:
        print(json.dumps(answer(call, json.loads(line)), default=encoded_bytes), flush=True)


def answer(call, arguments):
    try:
        result = call(*arguments)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    if isinstance(result, Fault):
        return {"fault": {"code": result.code, "text": result.text}}
    return {"result": result}


def decoded_bytes(value):
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


def encoded_bytes(value):
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
