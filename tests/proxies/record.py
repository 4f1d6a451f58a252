"""Records what proxies make of a browser's request: PROXY.http for each, from browser.http.

Needs nginx, haproxy and caddy (Debian: nginx-light haproxy caddy), or records those that are there. Everything listens on the loopback address.
"""

import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
# Fixed, as it stands in recorded Host headers.
UPSTREAM = 18080
PROXY = 18081

NGINX = """
daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{proxy}; location / {{ proxy_pass http://127.0.0.1:{upstream}; {extra} }} }}
}}
"""
HAPROXY = """
defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
frontend in
  bind 127.0.0.1:{proxy}
  {extra}
  default_backend out
backend out
  server one 127.0.0.1:{upstream}
"""
CADDY = """
{{
  admin off
  auto_https off
}}
http://:{proxy} {{
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:{upstream} {{
    {extra}
  }}
}}
"""

USUAL = (
    "proxy_set_header Host $host; proxy_set_header X-Real-IP $remote_addr; "
    "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme;"
)
# Name of the recording, configuration, what its reader adds, command.
RECORDINGS = [
    ("nginx-default", NGINX, "", ["nginx", "-p", "{folder}", "-c", "{file}"]),
    ("nginx-usual", NGINX, USUAL, ["nginx", "-p", "{folder}", "-c", "{file}"]),
    ("nginx-keepalive", NGINX, 'proxy_http_version 1.1; proxy_set_header Connection "";', ["nginx", "-p", "{folder}", "-c", "{file}"]),
    ("haproxy-default", HAPROXY, "", ["haproxy", "-db", "-f", "{file}"]),
    ("haproxy-forwardfor", HAPROXY, "option forwardfor", ["haproxy", "-db", "-f", "{file}"]),
    ("caddy-default", CADDY, "", ["caddy", "run", "--adapter", "caddyfile", "--config", "{file}"]),
    ("caddy-upstream-host", CADDY, "header_up Host {upstream_hostport}", ["caddy", "run", "--adapter", "caddyfile", "--config", "{file}"]),
]


def head_of(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        data = connection.recv(4096)
        if not data:
            break
        head += data
    return head


def record(name, template, extra, command):
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", UPSTREAM)) as upstream:
        Path(folder).chmod(0o755)
        file = Path(folder) / "configuration"
        file.write_text(template.format(folder=folder, proxy=PROXY, upstream=UPSTREAM, extra=extra))
        command = [part.format(folder=folder, file=file) for part in command]
        seen = []

        def answer():
            while not seen:
                connection, _ = upstream.accept()
                with connection:
                    head = head_of(connection)
                    if head:
                        seen.append(head)
                        connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")

        upstream.settimeout(20)
        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        with open(Path(folder) / "log", "wb") as log:
            proxy = subprocess.Popen(command, stdout=log, stderr=log, env={"HOME": folder, "PATH": "/usr/sbin:/usr/bin:/bin"})
            try:
                send(name)
                thread.join(20)
            finally:
                proxy.terminate()
                proxy.wait(10)
        if not seen:
            raise SystemExit(f"{name}: nothing came through: {(Path(folder) / 'log').read_text()}")
        (HERE / f"{name}.http").write_bytes(seen[0])


def send(name):
    for _ in range(100):
        try:
            with socket.create_connection(("127.0.0.1", PROXY), timeout=10) as connection:
                connection.sendall((HERE / "browser.http").read_bytes())
                head_of(connection)
                return
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise SystemExit(f"{name} does not listen")


for name, template, extra, command in RECORDINGS:
    if shutil.which(command[0], path="/usr/sbin:/usr/bin:/bin"):
        record(name, template, extra, command)
        print(name)
    else:
        print(f"{name}: there is no {command[0]}")
