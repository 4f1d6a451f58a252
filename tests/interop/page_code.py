"""What the help page shows as C#, with the proxies that Mono's `wsdl` makes of the WSDL: it compiles."""

import subprocess
import tempfile
from pathlib import Path

from programs import HERE, ROOT, finished, quietly

DEFINITION = ROOT / "tests" / "browser" / "definitions" / "depot.yaml"
REFERENCES = "-r:System.Web.Services.dll,System.Data.dll,System.EnterpriseServices.dll"


def check(command):
    with tempfile.TemporaryDirectory() as folder:
        wsdl = Path(folder) / "depot.wsdl"
        wsdl.write_bytes(subprocess.run([command, "wsdl", DEFINITION], check=True, capture_output=True).stdout)
        quietly("wsdl", "-protocol:Soap", f"-out:{folder}/Depot.cs", wsdl)
        sources = (HERE / "callers" / "page_code.cs", f"{folder}/Depot.cs")
        done = finished(["mcs", "-t:library", REFERENCES, f"-out:{folder}/code.dll", *sources])
        return (1, []) if done.returncode == 0 else (0, (done.stdout + done.stderr).splitlines())
