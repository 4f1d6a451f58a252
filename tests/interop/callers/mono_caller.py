"""ASMX's own proxies: what Mono's `wsdl` makes of the WSDL, over SOAP 1.1, SOAP 1.2, HTTP GET and HTTP POST."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROTOCOLS = {"soap11": "Soap", "soap12": "Soap12", "http-get": "HttpGet", "http-post": "HttpPost"}


def quietly(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")


binding, *locations = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    proxies = []
    for service, location in zip(("Authenticator", "DeviceLoginService"), locations):
        proxies.append(f"{folder}/{service}.cs")
        # A namespace each: both services have types of the same names. From the help page, as users paste it: its link leads to the WSDL.
        page = location.removesuffix("?wsdl")
        quietly("wsdl", f"-protocol:{PROTOCOLS[binding]}", f"-namespace:{service}Proxy", f"-out:{proxies[-1]}", page)
    program = f"{folder}/caller.exe"
    caller = Path(__file__).with_name("mono_caller.cs")
    references = "-r:System.EnterpriseServices.dll,System.Web.Extensions.dll,System.Web.Services.dll"
    quietly("mcs", "-nowarn:0162,0168", references, f"-out:{program}", caller, *proxies)
    sys.exit(subprocess.run(["mono", program], env={**os.environ, "MONO_ENV_OPTIONS": ""}).returncode)
