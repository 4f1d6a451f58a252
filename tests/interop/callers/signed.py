"""Python zeep, which signs its requests and checks the signatures of answers: `signed.py WSDL BINDING FOLDER KIND`."""

import datetime
import sys

import xmlsec
import zeep
from zeep.wsse import utils
from zeep.wsse.signature import BinarySignature, Signature, verify_envelope

location, binding, folder, kind = sys.argv[1:]


def stamped(envelope):
    """Adds a Timestamp, which zeep signs if it is there."""
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    timestamp = utils.WSU.Timestamp()
    timestamp.append(utils.WSU.Created(now.strftime("%Y-%m-%dT%H:%M:%SZ")))
    timestamp.append(utils.WSU.Expires((now + datetime.timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M:%SZ")))
    utils.get_security_header(envelope).append(timestamp)
    return envelope


def signing(kind):
    """Signs with the key of the partner, and verifies with that of the service."""
    base = BinarySignature if kind in ("token", "sha1") else Signature
    methods = () if kind == "sha1" else (xmlsec.Transform.RSA_SHA256, xmlsec.Transform.SHA256)

    class Signing(base):
        def apply(self, envelope, headers):
            return super().apply(stamped(envelope), headers)

        def verify(self, envelope):
            verify_envelope(envelope, f"{folder}/service.pem")
            return envelope

    return Signing(f"{folder}/partner.key", f"{folder}/partner.pem", None, *methods)


client = zeep.Client(location, wsse=None if kind == "none" else signing(kind))
service = client.bind("Work", "WorkSoap12" if binding == "soap12" else "WorkSoap")
try:
    print("result", service.Store(text="hello"))
except zeep.exceptions.SignatureVerificationFailed as error:
    print("error", error)
except zeep.exceptions.Fault as fault:
    print("fault", fault.message)
