"""Python spyne with both fixture services: `spyne_server.py soap11` or `soap12`."""

import logging
import sys
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from spyne import Application, Array, Boolean, ByteArray, ComplexModel, Enum, Fault, Integer32, Integer64, ServiceBase, Unicode, rpc
from spyne.protocol.soap import Soap11, Soap12
from spyne.server.wsgi import WsgiApplication

from fixture import AUTHENTICATOR, DEVICE, ENUMERATIONS, NAMESPACES, OBJECTS, OPERATIONS, PATHS, Boom, answer

SIMPLE = {"string": Unicode, "boolean": Boolean, "int": Integer32, "long": Integer64, "base64Binary": ByteArray}


def models(namespace):
    """The spyne types of one service by their names."""
    made = {name: kind.customize(min_occurs=0, nillable=True) for name, kind in SIMPLE.items()}
    for name, values in ENUMERATIONS.items():
        made[name] = Enum(*values, type_name=name)
        made[name].__namespace__ = namespace

    def model(kind):
        if isinstance(kind, list):
            # spyne names the items after their type.
            return Array(model(kind[1]), member_name=kind[0]).customize(min_occurs=0)
        if kind not in made:
            fields = [(name, model(field)) for name, field in OBJECTS[kind].items()]
            made[kind] = type(kind, (ComplexModel,), {"__namespace__": namespace, "_type_info": fields})
        return made[kind]

    return model


def service_class(service):
    model = models(NAMESPACES[service])
    methods = {}
    for operation, (parameters, result) in OPERATIONS[service].items():
        options = {"_returns": model(result), "_out_variable_name": f"{operation}Result"} if result else {}
        options["_args"] = list(parameters)
        declared = rpc(*[model(kind) for kind in parameters.values()], **options)
        methods[operation] = declared(handler(service, operation, list(parameters), result, model))
    return type(service, (ServiceBase,), methods)


def handler(service, operation, names, result, model):
    def call(context, *values):
        arguments = dict(zip(names, values))
        if arguments.get("encryptedPassword") is not None:
            arguments["encryptedPassword"] = b"".join(arguments["encryptedPassword"])
        try:
            return written(result, answer(service, operation, arguments), model)
        except Boom as boom:
            raise Fault("Server", str(boom)) from None

    # spyne takes the operation's name from the function.
    call.__name__ = operation
    return call


def written(kind, value, model):
    if value is None or kind is None:
        return None
    if isinstance(kind, list):
        return [written(kind[1], item, model) for item in value]
    if kind in OBJECTS:
        return model(kind)(**{name: written(field, value[name], model) for name, field in OBJECTS[kind].items()})
    return [value] if isinstance(value, bytes) else value


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *_):
        pass


def main():
    logging.disable(logging.CRITICAL)
    protocol = {"soap11": Soap11, "soap12": Soap12}[sys.argv[1]]
    applications = {}
    for service in (AUTHENTICATOR, DEVICE):
        application = Application([service_class(service)], NAMESPACES[service], in_protocol=protocol(), out_protocol=protocol())
        applications[PATHS[service]] = WsgiApplication(application)

    def by_path(environ, start_response):
        return applications[environ["PATH_INFO"]](environ, start_response)

    server = WSGIServer(("127.0.0.1", 0), QuietHandler)
    server.set_app(by_path)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
