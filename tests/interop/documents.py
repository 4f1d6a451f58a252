"""Documents, held against the schemas of what they are: every WSDL by the schema of WSDL 1.1, the types in it by XML Schema.

`check` runs this file in the environment that has lxml, and xmlschema with the schemas of WSDL and its SOAP extension. Each definition gives a
WSDL of each shape. Schemas with arrays of SOAP encoding, whose own schema is in no WSDL, are not compiled.
"""

import io
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DEFINITIONS = [path for folder in ("service-defs", "tests/definitions/valid", "tests/definitions/public", "tests/definitions/wider") for path in ROOT.glob(f"{folder}/*.yaml")]
WSDL = "http://schemas.xmlsoap.org/wsdl/"
SCHEMA = "{http://www.w3.org/2001/XMLSchema}"
ENCODING = "http://schemas.xmlsoap.org/soap/encoding/"
XML = "http://www.w3.org/XML/1998/namespace"
# What schemas import from nowhere, as every processor knows it.
XML_SCHEMA = f'''<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="{XML}">
<s:attribute name="lang" type="s:language"/><s:attribute name="base" type="s:anyURI"/><s:attribute name="space" type="s:NCName"/></s:schema>'''
# What is wrong with the original's own schemas: it puts wildcards for any namespace beside elements, which XML Schema 1.0 §3.8.6 forbids.
WILDCARD = "The content model is not determinist."
OF_THE_ORIGINAL = {("content.yaml", "original"): WILDCARD, ("library.yaml", "original"): WILDCARD}


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

    folder = Path(xmlschema.__file__).parent / "schemas" / "WSDL"
    validators = [etree.XMLSchema(file=str(folder / "wsdl.xsd"))]
    passed, failures = 0, []
    for definition in sorted(DEFINITIONS):
        for shape in ("portable", "original"):
            done = subprocess.run([command, "wsdl", "--shape", shape, definition], capture_output=True)
            if done.returncode == 2 and b"types alone" in done.stderr:
                continue
            wrong = list(complaints(etree, validators, done.stdout)) if done.returncode == 0 else [done.stderr.decode()]
            known = OF_THE_ORIGINAL.get((definition.name, shape))
            wrong = [complaint for complaint in wrong if not (known and known in complaint)]
            failures += [f"{definition.name}, {shape}: {complaint}" for complaint in wrong]
            passed += not wrong
    print(json.dumps([passed, failures]))


def complaints(etree, validators, text):
    document = etree.fromstring(text)
    for validator in validators:
        if not validator.validate(document):
            yield str(validator.error_log.last_error)
    schemas = {schema.get("targetNamespace"): schema for schema in document.iter(SCHEMA + "schema")}
    texts = {f"mem:{number}": schema for number, schema in enumerate(schemas.values())}
    places = {schema.get("targetNamespace"): place for place, schema in texts.items()}
    places[XML] = "mem:xml"
    for namespace, schema in schemas.items():
        if any(item.get("namespace") == ENCODING for item in schema.iter(SCHEMA + "import")):
            del texts[places[namespace]]
    for place, schema in texts.items():
        try:
            compile_schema(etree, places, schemas, place, schema)
        except etree.XMLSchemaParseError as error:
            yield str(error)


def compile_schema(etree, places, schemas, place, schema):
    class Resolver(etree.Resolver):
        def resolve(self, url, _, context):
            if url == places[XML]:
                return self.resolve_string(XML_SCHEMA, context)
            found = next((namespace for namespace, place in places.items() if place == url), None)
            return found and self.resolve_string(placed(etree, places, schemas[found]), context)

    parser = etree.XMLParser(no_network=True)
    parser.resolvers.add(Resolver())
    etree.XMLSchema(etree.parse(io.BytesIO(placed(etree, places, schema)), parser, base_url=place))


def placed(etree, places, schema):
    """A schema whose imports say where what they import is."""
    copy = etree.fromstring(etree.tostring(schema))
    for item in copy.iter(SCHEMA + "import"):
        if item.get("namespace") in places:
            item.set("schemaLocation", places[item.get("namespace")])
    return etree.tostring(copy)


if __name__ == "__main__":
    main(sys.argv[1])
