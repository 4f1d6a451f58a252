"""The simple types that Python's zeep and XML Schema as lxml has it know alike, there and back; `guid`, `char` and `QName` are not among them.

`check` runs this file in the environment that has both. For each type, values (boundaries, then seeded random ones) are written by zeep, read
and written again by svcgen (the program `simple_types`): what svcgen wrote must be valid by XML Schema and be the same value to zeep.
"""

import datetime
import json
import random
import struct
import subprocess
import sys
from pathlib import Path

COUNT = 400


# What zeep gets wrong itself, by type: texts that it writes and XML Schema does not know, and how they are meant.
WRITES = {
    "double": lambda text: {"inf": "INF", "-inf": "-INF"}.get(text, text),
    "date": lambda text: text.rjust(len("0001-01-01"), "0"),
}
# What a value is, where zeep's own type is wider: its floats are doubles; a time that says no offset is written with one, as .NET does.
READS = {
    "float": lambda value: struct.pack("<f", value),
    "time": lambda value: value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc),
}


def check(python, program):
    """How many values came through, and a line for each that did not."""
    done = subprocess.run([python, __file__, program], capture_output=True, encoding="utf-8", timeout=120)
    if done.returncode != 0:
        return 0, [done.stderr[-2000:]]
    passed, failures = json.loads(done.stdout)
    return passed, failures


def integers(low, high, rng):
    span = [low, high, low + 1, high - 1, 0, 1, 9, 10]
    return [n for n in span if low <= n <= high] + [rng.randint(low, high) for _ in range(COUNT)]


def values(rng):
    """Type name, zeep's class for it, values."""
    import decimal

    import isodate
    import pytz
    from zeep.xsd.types import builtins

    yield "boolean", builtins.Boolean, [True, False]
    for name, bits in (("byte", 8), ("short", 16), ("int", 32), ("long", 64)):
        zeep_type = getattr(builtins, name.capitalize())
        yield name, zeep_type, integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, rng)
        unsigned = getattr(builtins, "Unsigned" + name.capitalize())
        yield "unsigned" + name.capitalize(), unsigned, integers(0, 2**bits - 1, rng)
    yield "integer", builtins.Integer, integers(-(10**60), 10**60, rng)

    doubles = [0.0, 1.0, -1.5, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 1 / 3, 1e15, 1e16, 123456789012345680.0, 1e-5]
    doubles += [float("inf"), float("-inf")]
    while len(doubles) < COUNT:
        value = struct.unpack("<d", rng.randbytes(8))[0]
        if value == value:
            doubles.append(value)
    yield "double", builtins.Double, doubles
    floats = [struct.unpack("<f", struct.pack("<f", value))[0] for value in (0.0, 1.5, -0.1, 3.4028234e38, 1.17549435e-38, 1e-45, 16777217.0)]
    while len(floats) < COUNT:
        value = struct.unpack("<f", rng.randbytes(4))[0]
        if value == value:
            floats.append(value)
    yield "float", builtins.Float, floats

    decimals = [decimal.Decimal(text) for text in ("0", "0.00", "-1.10", "79228162514264337593543950335", "-79228162514264337593543950335", "0.0000000000000000000000000001")]
    decimals += [decimal.Decimal(rng.randint(-(10**20), 10**20)).scaleb(-rng.randint(0, 20)) for _ in range(COUNT)]
    yield "decimal", builtins.Decimal, decimals

    zones = [None, pytz.utc, pytz.FixedOffset(120), pytz.FixedOffset(-330), pytz.FixedOffset(840)]
    moments = [datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999), datetime.datetime(2024, 2, 29, 12)]
    for _ in range(COUNT):
        moments.append(
            datetime.datetime(rng.randint(1, 9999), rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 23), rng.randint(0, 59), rng.randint(0, 59), rng.choice([0, 500000, rng.randint(0, 999999)]))
        )
    yield "dateTime", builtins.DateTime, [moment.replace(tzinfo=rng.choice(zones)) for moment in moments]
    yield "date", builtins.Date, [moment.date() for moment in moments]
    yield "time", builtins.Time, [moment.time().replace(tzinfo=rng.choice(zones[:3])) for moment in moments]

    durations = [isodate.Duration(), isodate.Duration(years=1, months=2), datetime.timedelta(seconds=1.5), datetime.timedelta(days=400, hours=5)]
    durations += [isodate.Duration(years=rng.randint(0, 99), months=rng.randint(0, 11), days=rng.randint(0, 30), seconds=rng.randint(0, 86399)) for _ in range(COUNT)]
    yield "duration", builtins.Duration, durations

    blobs = [b"", b"\x00", bytes(range(256))] + [rng.randbytes(rng.randint(1, 80)) for _ in range(COUNT)]
    yield "base64Binary", builtins.Base64Binary, blobs
    yield "hexBinary", builtins.HexBinary, [blob.hex().upper() for blob in blobs]


def main(program):
    from lxml import etree

    rng = random.Random(20020530)
    rows, lines = [], []
    for name, zeep_type, some in values(rng):
        schema = etree.XMLSchema(
            etree.XML(f'<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema"><s:element name="v" type="s:{name}"/></s:schema>')
        )
        for value in some:
            element = etree.Element("v")
            text = zeep_type().xmlvalue(value)
            element.text = WRITES[name](text) if name in WRITES else text
            rows.append((name, schema, zeep_type(), element.text))
            lines.append(f"{name}\t{etree.tostring(element, encoding='unicode')}\n")
    done = subprocess.run([program], input="".join(lines), capture_output=True, encoding="utf-8", check=True)
    answers = done.stdout.split("\n")[:-1]
    failures = []
    for (name, schema, zeep_type, sent), answer in zip(rows, answers, strict=True):
        if complaint := wrong(schema, zeep_type, READS.get(name), sent, answer):
            failures.append(f"{name} {sent!r}: {complaint}")
    print(json.dumps([len(rows) - len(failures), failures]))


def wrong(schema, zeep_type, reduce, sent, answer):
    """What is wrong with the element that svcgen wrote for the value of the text sent."""
    from lxml import etree

    if answer.startswith("error "):
        return answer
    element = etree.XML(answer)
    if not schema.validate(element):
        return f"{element.text!r} is not valid: {schema.error_log.last_error.message}"
    expected, got = (zeep_type.pythonvalue(text or "") for text in (sent, element.text))
    if reduce:
        expected, got = reduce(expected), reduce(got)
    if expected != got:
        return f"came back as {element.text!r}: {got!r}, not {expected!r}"
    return None


if __name__ == "__main__":
    main(Path(sys.argv[1]))
