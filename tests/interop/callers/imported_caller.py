"""svcgen's client of an imported definition: a program that is built of it, which has bytes as lists of numbers."""

import base64
import json
import subprocess
import sys

from lines import decoded_bytes

PREFIX = "Server was unable to process request. ---> "


def main():
    program, binding, location = sys.argv[1:4]
    with subprocess.Popen([program, "client", binding, location.partition("/SvcDotNet")[0]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8") as client:
        for line in sys.stdin:
            service, operation, arguments = json.loads(line)
            present = {name: as_list(decoded_bytes(value)) for name, value in arguments.items() if value is not None}
            print(json.dumps([service, operation, present]), file=client.stdin, flush=True)
            print(json.dumps(answer(binding, json.loads(client.stdout.readline()))), flush=True)


def as_list(value):
    return list(value) if isinstance(value, bytes) else value


def answer(binding, answer):
    fault = answer.get("fault")
    if fault and not binding.startswith("soap"):
        # An answer to a form has none.
        fault["code"] = None
    elif fault:
        # Foreign servers say the text alone.
        fault["text"] = PREFIX + fault["text"].removeprefix(PREFIX)
        fault["code"] = {"soap12": "Receiver"}.get(binding, "Server") if fault["code"] == "Server" else fault["code"]
    result = answer.get("result")
    if isinstance(result, dict) and isinstance(result.get("EncryptedPassword"), list):
        result["EncryptedPassword"] = base64.b64encode(bytes(result["EncryptedPassword"])).decode()
    return answer


main()
