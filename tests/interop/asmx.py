"""Mono's ASP.NET with services in C#: the library, and both services of the fixture."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from fixture import PATHS
from programs import HERE, Server, quietly

SOURCES = HERE / "servers" / "asmx"
CLASSES = {"Authenticator": "Fixture.Auth.Authenticator", "DeviceLoginService": "Fixture.Device.DeviceLoginService"}
# The zone decides how .NET writes times.
ZONE = {**os.environ, "TZ": "UTC", "MONO_ENV_OPTIONS": ""}


@contextlib.contextmanager
def served(rules=""):
    """The server; the fixture's services ask the rules at this address."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("Library.asmx", "web.config"):
            shutil.copy(SOURCES / name, folder)
        for service, path in PATHS.items():
            page = Path(folder + path)
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(f'<%@ WebService Class="{CLASSES[service]}" %>')
        programs = Path(folder) / "bin"
        programs.mkdir()
        host = programs / "host.exe"
        quietly("mcs", "-r:System.Web.dll", f"-out:{host}", SOURCES / "host.cs")
        references = "-r:System.Web.Extensions.dll,System.Web.Services.dll"
        quietly("mcs", "-t:library", references, f"-out:{programs}/fixture.dll", SOURCES / "Fixture.cs")
        with Server("mono", host, folder, env={**ZONE, "RULES": rules}) as server:
            yield server
