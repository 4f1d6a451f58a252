"""zeep, which accepts answers in MTOM: `attached.py WSDL BINDING LENGTH`."""

import sys

import zeep

location, binding, length = sys.argv[1:]
data = bytes(at * 7 % 251 for at in range(int(length)))
client = zeep.Client(location, port_name="FilesSoap12" if binding == "soap12" else "FilesSoap")
client.transport.session.headers["Accept"] = "text/xml, multipart/related"
try:
    print("result kept", client.service.Keep(data))
    echoed = client.service.Echo({"First": data})
    print("result echoed" if echoed.First == data else f"error other bytes came back: {echoed}")
except Exception as error:
    print("error", repr(error))
