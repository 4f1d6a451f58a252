"""Installing the foreign stacks and starting programs."""

import functools
import hashlib
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

from fixture import PATHS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
WORK = TARGET / "interop"
PYTHON = WORK / "venv" / "bin" / "python"
RECORDED = {"Authenticator": "auth-q-wsdl", "DeviceLoginService": "device-q-wsdl"}
STARTING = 60
GSOAP = Path("/usr/share/gsoap")


class Missing(Exception):
    """What a stack needs is not on this machine and cannot be installed here."""


def finished(command, **options):
    """Runs a command to its end, with what it printed. Again if Mono's runtime broke down by itself, which it does at times when its threads begin."""
    for _ in range(3):
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, **{"stderr": subprocess.PIPE, "encoding": "utf-8", **options})
        if "mono-threads.c" not in done.stdout + (done.stderr or ""):
            break
    return done


def quietly(*command, **options):
    """Runs a command; shows what it printed only if it failed."""
    done = finished(command, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        print(done.stdout)
        raise SystemExit(f"{' '.join(map(str, command))}: exit status {done.returncode}")


def build():
    quietly(ROOT / ".ci" / "build", cwd=ROOT)


def needs_python():
    def install():
        quietly(sys.executable, "-m", "venv", "--clear", WORK / "venv")
        quietly(PYTHON, "-m", "pip", "install", "-q", "--no-deps", "-r", HERE / "requirements.txt")

    once("requirements.txt", install)


def needs_node():
    if not shutil.which("npm"):
        raise Missing("npm is not installed")

    def install():
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, WORK / name)
        quietly("npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", cwd=WORK)

    once("package-lock.json", install)


def needs_php():
    needs_debian("php -r 'exit(class_exists(\"SoapClient\") ? 0 : 1);'", "php-cli", "php-soap")


def needs_perl():
    needs_debian("perl -MSOAP::Lite -MJSON::PP -e 1", "libsoap-lite-perl")


def needs_mono():
    needs_python()
    needs_debian("wsdl -? && mcs --version && mono --version", "mono-devel", "mono-mcs")


@functools.cache
def needs_gsoap(name, *sources):
    """Compiles `callers/NAME.c`, with what soapcpp2 makes of `callers/NAME.h` and other sources of gSOAP."""
    checks = ["command -v soapcpp2", "pkg-config --exists gsoapssl", "test -f /usr/include/openssl/x509.h", "test -f /usr/include/zlib.h"]
    needs_debian(" && ".join(checks), "gsoap", "libgsoap-dev", "libssl-dev", "zlib1g-dev", "pkg-config")
    folder, callers = WORK / name, HERE / "callers"
    folder.mkdir(parents=True, exist_ok=True)
    quietly("soapcpp2", "-c", "-x", "-L", f"-I{GSOAP / 'import'}", f"-I{GSOAP}", callers / f"{name}.h", cwd=folder)
    options = finished(["pkg-config", "--cflags", "--libs", "gsoapssl"]).stdout.split()
    sources = [callers / f"{name}.c", "soapC.c", "soapClient.c", *sources]
    quietly("cc", "-w", "-I.", f"-I{GSOAP}", f"-I{GSOAP / 'plugin'}", "-o", name, *sources, *options, "-lcrypto", cwd=folder)


def needs_debian(check, *packages):
    if shell(check):
        return
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise Missing(f"needs the Debian packages {' '.join(packages)}, which only root can install")
    install = f"apt-get install -y -q --no-install-recommends {' '.join(packages)}"
    if not shell(install) and not shell(f"apt-get update -q && {install}"):
        raise Missing(f"apt-get could not install {' '.join(packages)}")
    if not shell(check):
        raise Missing(f"{' '.join(packages)} are installed, but `{check}` fails")


def shell(command):
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, shell=True, capture_output=True, env=environment).returncode == 0


def once(pinned, install):
    """Installs again only when the pinned list has changed."""
    WORK.mkdir(parents=True, exist_ok=True)
    stamp = WORK / f"{pinned}.installed"
    digest = hashlib.sha256((HERE / pinned).read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    install()
    stamp.write_text(digest)


class Server:
    """A program that prints its address as `listening on http://…`; stopped at the end of the `with` block."""

    def __init__(self, *command, **options):
        self.command, self.options = [str(part) for part in command], options

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **self.options
        )
        # A program that says nothing at all must not hold the run up.
        guard = threading.Timer(STARTING, self.process.kill)
        guard.start()
        printed = []
        for line in self.process.stdout:
            printed.append(line)
            if found := re.search(r"http://[0-9A-Za-z.\[\]:]+:\d+", line):
                guard.cancel()
                threading.Thread(target=self.process.stdout.read, daemon=True).start()
                self.url = found.group()
                return self
        raise SystemExit(f"{' '.join(self.command)} did not start:\n{''.join(printed)}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def recorded_wsdl(service, url):
    recorded = (ROOT / "tests" / "recorded" / "login" / "doc.txt").read_text(encoding="utf-8")
    _, _, exchange = recorded.partition(f"== {RECORDED[service]}\n")
    _, _, answer = exchange.partition("\n== ")[0].partition("\n--\n")
    _, _, body = answer.partition("\n\n")
    return re.sub('location="http://[^"]*"', f'location="{url}"', body).encode()
