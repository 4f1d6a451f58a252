"""Brings what a foreign stack made of an answer into the form of fixture.py, by the types of the interface."""

import base64

from fixture import ENUMERATIONS, OBJECTS


def canonical(kind, value):
    """The value as fixture.py writes it. Raises ValueError or TypeError if it cannot be one of this type."""
    if kind is None and value not in (None, "", {}):
        raise ValueError(f"{value!r} where no result is")
    if value is None or kind is None:
        return None
    if isinstance(kind, list):
        return [canonical(kind[1], item) for item in items(kind[0], value)]
    if kind in OBJECTS:
        if value == "":
            # An element with nothing in it: an object with nothing in it.
            value = {}
        known = {name: item for name, item in value.items() if not name.startswith("$")}
        if strange := known.keys() - OBJECTS[kind].keys():
            raise ValueError(f"{kind} has no {', '.join(sorted(strange))}")
        return {name: canonical(field, known.get(name)) for name, field in OBJECTS[kind].items()}
    if kind in ("int", "long"):
        return int(value)
    if kind == "boolean":
        return {"true": True, "1": True, "false": False, "0": False}[str(value).lower()]
    if kind == "base64Binary":
        return base64.b64decode(text(value), validate=True)
    if kind in ENUMERATIONS and text(value) not in ENUMERATIONS[kind]:
        raise ValueError(f"{value!r} is no {kind}")
    return text(value)


def items(name, value):
    """Stacks hold a list as a list, or as an object with one field, which holds the only item itself or the items."""
    if isinstance(value, dict):
        value = value.get(name, [])
    if value == "":
        return []
    return value if isinstance(value, list) else [value]


def text(value):
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def without_emptiness(value):
    """With all that holds nothing as absent, for stacks that do not tell one from the other."""
    if isinstance(value, dict):
        value = {name: without_emptiness(item) for name, item in value.items()}
        return value if any(item is not None for item in value.values()) else None
    if isinstance(value, list):
        return [without_emptiness(item) for item in value] or None
    return None if value in ("", b"") and not isinstance(value, bool) else value


def differences(expected, got, path=""):
    """One line for each field that differs."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for name in expected:
            yield from differences(expected[name], got[name], f"{path}/{name}")
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for index, (left, right) in enumerate(zip(expected, got)):
            yield from differences(left, right, f"{path}/{index}")
    elif expected != got or type(expected) is not type(got):
        yield f"{path or '/'}: expected {shortened(expected)}, got {shortened(got)}"


def shortened(value):
    shown = ascii(value)
    return shown if len(shown) <= 300 else f"{shown[:300]}…"
