"""Saved copies of the WSDL, from a server whose address is not reachable, as every stack at hand loads them: nothing else helps it.

Each stack prints the operations that it found, or writes them into its folder.
"""

import os
import subprocess
import tempfile
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from fixture import PATHS
from foreign_callers import NODE, NOWHERE, OFFLINE
from programs import PYTHON, ROOT, Missing, finished, needs_debian, needs_mono, needs_node, needs_perl, needs_php, needs_python

HOST = "nowhere.invalid"
OPERATIONS = {"Authenticator": "ClientAuthWithResult", "DeviceLoginService": "LoginWithEncryptedPassword"}
SECONDS = 120

JAVA = Path("/usr/share/java")
AXIS = ":".join(str(JAVA / f"{name}.jar") for name in ("axis", "jaxrpc", "saaj", "commons-logging", "commons-discovery", "wsdl4j"))
PROXY, PORT = NOWHERE.removeprefix("http://").split(":")
JAVA_OFFLINE = f"-Dhttp.proxyHost={PROXY} -Dhttp.proxyPort={PORT} -Dhttps.proxyHost={PROXY} -Dhttps.proxyPort={PORT} -Dhttp.nonProxyHosts="

ZEEP = "import sys, zeep; zeep.Client(sys.argv[1]).wsdl.dump()"
SUDS = "import pathlib, sys, suds.client; print(suds.client.Client(pathlib.Path(sys.argv[1]).as_uri(), cache=None))"
NPM_SOAP = "require('soap').createClient(process.argv[1], { disableCache: true }, (error, client) => { if (error) throw error; console.log(JSON.stringify(client.describe())) })"
STRONG_SOAP = NPM_SOAP.replace("require('soap')", "require('strong-soap').soap")
PHP = "print_r((new SoapClient($argv[1], ['cache_wsdl' => WSDL_CACHE_NONE]))->__getFunctions());"
LITE = "my $service = ref(SOAP::Lite->service('file://' . $ARGV[0])); no strict 'refs'; print join ' ', keys %{$service . '::'}"
SOAP4R = "$VERBOSE = nil; require 'logger-application'; require 'soap/wsdlDriver'; puts SOAP::WSDLDriverFactory.new(ARGV[0]).create_rpc_driver.methods(false)"


@dataclass(frozen=True)
class Loader:
    """What a stack needs, and the command that loads a file, given its path and a folder to write into."""

    name: str
    install: callable
    command: callable
    environment: dict = field(default_factory=dict)


def debian(check, *packages):
    return lambda: needs_debian(check, *packages)


def mono(protocol):
    return Loader(f"Mono wsdl, {protocol}", needs_mono, lambda file, folder: ["wsdl", f"-protocol:{protocol}", f"-out:{folder}/proxy.cs", file])


LOADERS = [
    Loader("zeep", needs_python, lambda file, _: [PYTHON, "-c", ZEEP, file]),
    Loader("suds", needs_python, lambda file, _: [PYTHON, "-c", SUDS, file]),
    Loader("npm soap", needs_node, lambda file, _: ["node", "-e", NPM_SOAP, file], NODE),
    Loader("strong-soap", needs_node, lambda file, _: ["node", "-e", STRONG_SOAP, file], NODE),
    *map(mono, ("Soap", "Soap12", "HttpGet", "HttpPost")),
    Loader("PHP", needs_php, lambda file, _: ["php", "-r", PHP, file]),
    Loader("SOAP::Lite", needs_perl, lambda file, _: ["perl", "-MSOAP::Lite", "-e", LITE, file]),
    Loader(
        "SOAP::WSDL",
        debian("perl -MSOAP::WSDL -e 1", "libsoap-wsdl-perl"),
        lambda file, folder: ["wsdl2perl", "-b", folder, f"file://{file}"],
    ),
    Loader("gSOAP", debian("wsdl2h -h", "gsoap"), lambda file, folder: ["wsdl2h", "-o", f"{folder}/service.h", file]),
    Loader("KDSoap", debian("kdwsdl2cpp -v", "libkdsoap-bin"), lambda file, folder: ["kdwsdl2cpp", "-o", f"{folder}/service.h", file]),
    Loader(
        "wsimport",
        debian("wsimport -version", "jaxws"),
        lambda file, folder: ["wsimport", "-keep", "-extension", "-Xnocompile", "-s", folder, file],
        {"JAVA_TOOL_OPTIONS": JAVA_OFFLINE},
    ),
    Loader(
        "Axis",
        debian(f"java -version && ls {JAVA}/axis.jar", "libaxis-java", "libcommons-discovery-java", "libwsdl4j-java", "default-jre-headless"),
        lambda file, folder: ["java", "-cp", AXIS, "org.apache.axis.wsdl.WSDL2Java", "-o", folder, file],
        {"JAVA_TOOL_OPTIONS": JAVA_OFFLINE},
    ),
    Loader(
        "soap4r",
        debian("ruby -rlogger-application -e 'require \"soap/wsdlDriver\"'", "ruby-soap4r", "ruby-logger-application"),
        lambda file, _: ["ruby", "-e", SOAP4R, file],
    ),
]


def check(base_url, command):
    """How many copies were loaded, and a line for each that was not."""
    passed, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for service, path in PATHS.items():
            file = Path(folder) / f"{service}.wsdl"
            file.write_bytes(served(base_url + path))
            if complaint := differs(command, service, file.read_bytes()):
                failures.append(complaint)
            for loader in LOADERS:
                try:
                    loader.install()
                except Missing as missing:
                    print(f"saved copy, {loader.name}: skipped: {missing}", flush=True)
                    continue
                complaint = loaded(loader, file, OPERATIONS[service])
                failures += [f"{loader.name}, {service}: {complaint}"] if complaint else []
                passed += not complaint
    return passed, failures


def served(url):
    """The WSDL that a server behind a proxy answers, to which the proxy says another host."""
    request = urllib.request.Request(f"{url}?wsdl", headers={"Host": HOST})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as response:
        return response.read()


def differs(command, service, copy):
    names = {"Authenticator": "authenticator", "DeviceLoginService": "device_login_service"}
    definition = ROOT / "service-defs" / f"{names[service]}.yaml"
    done = subprocess.run([command, "wsdl", "--url", f"http://{HOST}", definition], capture_output=True)
    return "" if done.stdout == copy else f"{service}: the command writes another WSDL than is served"


def loaded(loader, file, operation):
    """What went wrong, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, **OFFLINE, **loader.environment}
        try:
            done = finished(
                loader.command(file, folder),
                errors="replace",
                env=environment,
                cwd=folder,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            return f"no end after {SECONDS} seconds"
        printed = done.stdout + done.stderr
        if done.returncode != 0:
            return f"exit status {done.returncode}: {printed[-500:]}"
        files = (path.read_text(errors="replace") for path in Path(folder).rglob("*") if path.is_file())
        found = operation in done.stdout or any(operation in text for text in files)
        return "" if found else f"no operation {operation}: {printed[-500:]}"
