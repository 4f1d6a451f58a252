"""Python zeep with a UsernameToken, a Timestamp and WS-Addressing: `secured.py WSDL BINDING KIND PASSWORD`."""

import datetime
import sys

import zeep
from zeep.wsa import WsAddressingPlugin
from zeep.wsse import utils
from zeep.wsse.username import UsernameToken

location, binding, kind, password = sys.argv[1:]


def stamped():
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    timestamp = utils.WSU.Timestamp()
    timestamp.append(utils.WSU.Created(now.strftime("%Y-%m-%dT%H:%M:%SZ")))
    timestamp.append(utils.WSU.Expires((now + datetime.timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M:%SZ")))
    return timestamp


token = None if kind == "none" else UsernameToken("ann", password, use_digest=kind == "digest", timestamp_token=stamped())
client = zeep.Client(location, wsse=token, plugins=[WsAddressingPlugin()])
service = client.bind("Work", "WorkSoap12" if binding == "soap12" else "WorkSoap")
try:
    print("result", service.Store(text="hello"))
except zeep.exceptions.Fault as fault:
    print("fault", fault.message)
