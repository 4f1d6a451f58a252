"""Python suds (suds-community): SOAP 1.1."""

import logging

import suds.client
from lines import Fault, answer_lines
from suds.sudsobject import asdict

logging.getLogger("suds").setLevel(logging.CRITICAL)


def caller(binding, locations):
    services = {}
    for service, location in locations.items():
        location = location if "://" in location else "file://" + location
        services[service] = suds.client.Client(location, cache=None).service[service + "Soap"]

    def call(service, operation, arguments):
        present = {name: written(value) for name, value in arguments.items() if value is not None}
        try:
            return plain(getattr(services[service], operation)(**present))
        except suds.WebFault as error:
            return Fault(str(error.fault.faultcode), str(error.fault.faultstring))

    return call


def written(value):
    # suds knows no base64Binary: its users write the text.
    return value["base64"] if isinstance(value, dict) else value


def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    if hasattr(value, "__keylist__"):
        return {name: plain(item) for name, item in asdict(value).items()}
    return str(value) if isinstance(value, str) else value


answer_lines(caller)
