"""Requests a second at 64 connections against nginx serving the same bytes."""

import contextlib
import http.client
import re
import subprocess
import time
import urllib.parse

from studio import Server, alternately, free_port

CONNECTIONS = 64
SECONDS = 4
#: How often the short form asks.
TIMES_ALONE = 20

NGINX = """
daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; tcp_nopush off; tcp_nodelay on; keepalive_requests 1000000000;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location = /health {{ default_type application/json; return 200 '{health}'; }}
    location / {{ root {root}; }}
  }}
}}
"""


def run(folder, table, short=False):
    with Server(folder / "library") as server:
        sample = server.json("POST", "/api/sample")
        server.wait_for_job(sample["job"])
        track = sample["track"]
        root = folder / "library" / "derived" / track
        chunk = (root / "00001.flac").stat().st_size
        health = server.request("GET", "/api/health").decode()
        cases = [
            ("health", "/api/health", "/health", {}),
            (f"a chunk of {chunk // 1000} kB", f"/api/tracks/{track}/chunks/1", "/00001.flac", {}),
            ("a range of 64 kB", f"/api/tracks/{track}/chunks/1", "/00001.flac",
             {"Range": "bytes=100000-165535"}),
        ]
        if short:
            # Neither wrk nor nginx are the tests' packages.
            for name, ours, _, headers in cases:
                times = seconds_alone(f"{server.origin}{ours}", headers, TIMES_ALONE)
                table.add(f"GET {name}, one connection", f"{TIMES_ALONE / sum(times):,.0f}/s")
            return
        with nginx_serving(folder, root, health) as origin:
            for name, ours, theirs, headers in cases:
                mine, peer = alternately(
                    5,
                    lambda: load(f"{server.origin}{ours}", headers),
                    lambda: load(f"{origin}{theirs}", headers))
                table.add(
                    f"GET {name}, {CONNECTIONS} connections", f"{mine:,.0f}/s",
                    f"nginx: {peer:,.0f}/s", f"{mine / peer:.2f}", "≥ 0.6")


@contextlib.contextmanager
def nginx_serving(folder, root, health=""):
    """An nginx with the files of `root` and the same answer about its health; gives its origin."""
    port = free_port()
    configuration = folder / "nginx.conf"
    # As root nginx serves as another user, who must be able to walk to the files.
    user = "user root;" if subprocess.run(["id", "-u"], capture_output=True, text=True
                                          ).stdout.strip() == "0" else ""
    configuration.write_text(
        user + NGINX.format(folder=folder, port=port, root=root, health=health))
    nginx = subprocess.Popen(["/usr/sbin/nginx", "-c", configuration])
    try:
        time.sleep(0.5)
        yield f"http://127.0.0.1:{port}"
    finally:
        nginx.terminate()
        nginx.wait()


def seconds_alone(url, headers, times, method="GET", body=None):
    """How long each of some requests takes, one after another on one connection, without wrk; refuses to
    count any that is not a success."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    seconds = []
    for _ in range(times):
        started = time.monotonic()
        connection.request(method, url[url.index(parts.path, len(parts.scheme) + 3):], body, headers)
        answer = connection.getresponse()
        answer.read()
        seconds.append(time.monotonic() - started)
        if not 200 <= answer.status < 300:
            raise SystemExit(f"{url}: {answer.status}")
    connection.close()
    return seconds


def load(url, headers):
    """Answers a second; refuses to count any that is not a success."""
    options = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
    result = subprocess.run(
        # wrk counts what takes longer as an error, which a busy machine is not.
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--timeout", "60s", *options, url],
        capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in result or "Socket errors" in result:
        raise SystemExit(f"{url}: {result}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", result).group(1))
