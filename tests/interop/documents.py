"""Documents, held against the schemas of what they are: every WSDL by the schema of WSDL 1.1, the types in it by XML Schema; and loaded by zeep.

`check` runs this file in the environment that has lxml, zeep, and xmlschema with the schemas of WSDL, its SOAP extension and SOAP encoding.
Each definition gives a WSDL of each shape.
"""

import io
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DEFINITIONS = [path for folder in ("service-defs", "tests/definitions/valid", "tests/definitions/public", "tests/definitions/lab") for path in ROOT.glob(f"{folder}/*.yaml")]
SCHEMA = "{http://www.w3.org/2001/XMLSchema}"
# What schemas import from nowhere, as every processor knows it or fetches it: the file, and the URL at which zeep looks for it.
KNOWN = {
    "http://www.w3.org/XML/1998/namespace": ("XML/xml.xsd", "https://www.w3.org/2001/xml.xsd"),
    "http://schemas.xmlsoap.org/soap/encoding/": ("WSDL/soap-encoding.xsd", "http://schemas.xmlsoap.org/soap/encoding/"),
}
# What is wrong with the original's own schemas: it puts wildcards for any namespace beside elements, which XML Schema 1.0 §3.8.6 forbids;
# it extends types without text by types with text between elements (§3.4.6); a bare parameter that is `any` is a part without an element.
WILDCARD = "The content model is not determinist."
MIXED = "The content type of both, the type and its base type, must either 'mixed' or 'element-only'."
OF_THE_ORIGINAL = {
    "checked.yaml": [WILDCARD],
    "content.yaml": [WILDCARD],
    "library.yaml": [WILDCARD],
    "mixed_content.yaml": [MIXED],
    "xml_results.yaml": [WILDCARD],
    "named_messages.yaml": ["zeep: The wsdl:message for '{http://lab.example/g}AnyBare", "zeep: The wsdl:operation 'AnyBare'"],
}


def check(python, command):
    """How many documents are valid, and a line for each that is not."""
    done = subprocess.run([python, __file__, command], capture_output=True, encoding="utf-8", timeout=300)
    if done.returncode != 0:
        return 0, [done.stderr[-2000:]]
    passed, failures = json.loads(done.stdout)
    return passed, failures


def main(command):
    import xmlschema
    from lxml import etree

    folder = Path(xmlschema.__file__).parent / "schemas"
    known = {namespace: (url, (folder / file).read_bytes()) for namespace, (file, url) in KNOWN.items()}
    validators = [etree.XMLSchema(file=str(folder / "WSDL" / "wsdl.xsd"))]
    passed, failures = 0, []
    for definition in sorted(DEFINITIONS):
        for shape in ("portable", "original"):
            done = subprocess.run([command, "wsdl", "--shape", shape, definition], capture_output=True)
            if done.returncode == 2 and b"holds only types" in done.stderr:
                continue
            wrong = [*complaints(etree, validators, known, done.stdout), *unloaded(known, sets(definition), done.stdout)] if done.returncode == 0 else [done.stderr.decode()]
            expected = OF_THE_ORIGINAL.get(definition.name, []) if shape == "original" else []
            wrong = [complaint for complaint in wrong if not any(words in complaint for words in expected)]
            failures += [f"{definition.name}, {shape}: {complaint}" for complaint in wrong]
            passed += not wrong
    print(json.dumps([passed, failures]))


def sets(definition):
    """The schemas of typed DataSets, which the server answers at `?schema=NAME`."""
    typed = re.findall(r"(\w+): \{ data_set: (\S+) \}", definition.read_text())
    return {name: (definition.parent / file).read_bytes() for name, file in typed}


def complaints(etree, validators, known, text):
    document = etree.fromstring(text)
    for validator in validators:
        if not validator.validate(document):
            yield str(validator.error_log.last_error)
    schemas = {schema.get("targetNamespace"): schema for schema in document.iter(SCHEMA + "schema")}
    places = {namespace: f"mem:{number}" for number, namespace in enumerate([*schemas, *known])}
    texts = {places[namespace]: placed(etree, places, schema) for namespace, schema in schemas.items()}
    texts |= {places[namespace]: text for namespace, (_, text) in known.items()}
    for namespace in schemas:
        try:
            compile_schema(etree, texts, places[namespace])
        except etree.XMLSchemaParseError as error:
            yield str(error)


def compile_schema(etree, texts, place):
    class Resolver(etree.Resolver):
        def resolve(self, url, _, context):
            return self.resolve_string(texts[url], context) if url in texts else None

    parser = etree.XMLParser(no_network=True)
    parser.resolvers.add(Resolver())
    etree.XMLSchema(etree.parse(io.BytesIO(texts[place]), parser, base_url=place))


def placed(etree, places, schema):
    """A schema whose imports say where what they import is."""
    copy = etree.fromstring(etree.tostring(schema))
    for item in copy.iter(SCHEMA + "import"):
        if item.get("namespace") in places:
            item.set("schemaLocation", places[item.get("namespace")])
    return etree.tostring(copy)


def unloaded(known, sets, text):
    """What zeep says of a document that it does not load whole."""
    import zeep

    url = "http://nowhere.invalid/Service.asmx?wsdl"
    texts = {url: text, **dict(known.values())}

    class Texts(zeep.Transport):
        def load(self, url):
            return texts.get(url) or sets[url.rpartition("?schema=")[2]]

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            loaded = zeep.Client(url, transport=Texts()).wsdl
        except Exception as error:
            yield f"zeep: {error!r}"
            return
        operations = [operation for binding in loaded.bindings.values() for operation in binding.all().values()]
        # A service over JSON alone has none that a WSDL can tell of.
        if not all(map(str, operations)) or bool(operations) != (b"<wsdl:operation " in text):
            yield "zeep: there is no operation"
    yield from (f"zeep: {warning.message}" for warning in warned)


if __name__ == "__main__":
    main(sys.argv[1])
