"""Python zeep: SOAP 1.1, SOAP 1.2, and its HTTP GET and HTTP POST bindings."""

import zeep
from lines import Fault, answer_lines, decoded_bytes
from zeep.helpers import serialize_object

PORTS = {"soap11": "Soap", "soap12": "Soap12", "http-get": "HttpGet", "http-post": "HttpPost"}


def caller(binding, locations):
    services = {}
    for service, location in locations.items():
        client = zeep.Client(location)
        ports = client.wsdl.services[service].ports
        # A service of spyne has one port.
        only, *others = ports
        services[service] = client.bind(service, service + PORTS[binding] if others else only)

    def call(service, operation, arguments):
        write = form_value if binding.startswith("http") else decoded_bytes
        present = {name: write(value) for name, value in arguments.items() if value is not None}
        try:
            return serialize_object(services[service][operation](**present), dict)
        except zeep.exceptions.Fault as fault:
            text = fault.message
            if isinstance(text, bytes):
                # Its HTTP bindings hand over the body of an error as it came.
                return Fault(None, text.decode())
            return Fault(fault.code, text)

    return call


def form_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    value = decoded_bytes(value)
    return [str(byte) for byte in value] if isinstance(value, bytes) else value


answer_lines(caller)
