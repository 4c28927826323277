"""Helpers for the tests of the network: TLS, pairing and QR codes, with other programs as clients."""

import http.client
import json
import os
import pathlib
import pty
import re
import socket
import ssl
import subprocess

from studio import PROGRAM, Server

LAN = ["--lan", "--lan-host", "127.0.0.1", "--lan-port", "0"]


def segmance(*words):
    return subprocess.run(
        [str(PROGRAM), *map(str, words)], capture_output=True, text=True, timeout=60)


def failed_start(folder, *options):
    """Starts a server that is expected to fail, in a terminal; returns its standard error."""
    main, terminal = pty.openpty()
    try:
        ended = subprocess.run(
            [str(PROGRAM), "serve", "--port", "0", "--data", str(folder), *options],
            stdout=terminal, stderr=subprocess.PIPE, text=True, timeout=60)
    finally:
        os.close(main)
        os.close(terminal)
    assert ended.returncode == 1
    return ended.stderr


class Studio(Server):
    """A server with its network switched on; `lan` is its origin on the network."""

    def __init__(self, folder, options=LAN, log=None):
        super().__init__(folder, options=options, log=log)
        addresses = self.network()["addresses"]
        self.lan = addresses[0] if addresses else None

    def network(self):
        status, content = self.request("GET", "/api/network")
        assert status == 200, content
        return json.loads(content)

    def switch(self, is_on):
        status, content = self.request("PUT", "/api/network", {"isOn": is_on})
        return status, json.loads(content)

    @property
    def lan_port(self):
        return int(self.lan.rsplit(":", 1)[1])

    @property
    def authority(self):
        return pathlib.Path(self.folder) / "tls" / "authority.crt"

    def code(self):
        """Makes a pairing code.""" 
        status, content = self.request("POST", "/api/pairings")
        assert status == 201, content
        return json.loads(content)

    def tls(self):
        """A TLS context that trusts only this installation's certificate authority."""
        return ssl.create_default_context(cafile=str(self.authority))

    def ask(self, method, path, token=None, body=None, headers=None, context=None):
        """Sends a request over the network with the headers of a page; returns status, headers and body."""
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.lan_port, context=context or self.tls(), timeout=60)
        fields = {"Origin": self.lan, **(headers or {})}
        if token:
            fields["Cookie"] = f"__Host-segmance_device={token}"
        if isinstance(body, dict):
            body = json.dumps(body)
            fields["Content-Type"] = "application/json"
        connection.request(method, path, body=body, headers=fields)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content

    def pair(self, name="Phone"):
        """Pairs a device and returns its token and id."""
        status, headers, content = self.ask(
            "POST", f"/api/pairings/{self.code()['token']}/claim", body={"name": name})
        assert status == 201, content
        token = re.match(r"__Host-segmance_device_\d+=([^;]+);", headers["Set-Cookie"]).group(1)
        return token, json.loads(content)["id"]


def bare_socket(port):
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def openssl(*words, folder):
    return subprocess.run(
        ["openssl", *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=60)


def make_certificate(folder, name, subject, names, signer=None, days=90):
    """Makes name.crt and name.key, self-signed or signed by the authority in `signer`.

    With `days=-1` the certificate has expired.
    """
    folder = pathlib.Path(folder)
    (folder / f"{name}.ext").write_text(f"subjectAltName={names}\nextendedKeyUsage=serverAuth\n")
    made = openssl(
        "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={subject}", folder=folder)
    assert made.returncode == 0, made.stderr
    by = (["-CA", signer / "authority.crt", "-CAkey", signer / "authority.key", "-CAcreateserial",
           "-CAserial", f"{name}.srl"] if signer else ["-signkey", f"{name}.key"])
    made = openssl(
        "x509", "-req", "-in", f"{name}.csr", "-days", str(days), "-extfile", f"{name}.ext", *by,
        "-out", f"{name}.crt", folder=folder)
    assert made.returncode == 0, made.stderr
    return folder / f"{name}.crt", folder / f"{name}.key"


def read_terminal_code(text, folder):
    """Decodes a QR code that was drawn with half blocks, from a rendered image."""
    rows = []
    for line in re.findall(r"\x1b\[30;107m(.*?)\x1b\[0m", text):
        rows.append([character in "█▀" for character in line])
        rows.append([character in "█▄" for character in line])
    assert rows, text
    scale = 8
    pixels = bytearray()
    for row in rows:
        line = bytes(0 if dark else 255 for dark in row for _ in range(scale))
        pixels += line * scale
    image = pathlib.Path(folder) / "code.pgm"
    image.write_bytes(
        f"P5 {len(rows[0]) * scale} {len(rows) * scale} 255\n".encode() + bytes(pixels))
    return read_code(image)


def read_code(image):
    result = subprocess.run(
        ["zbarimg", "--quiet", "--raw", str(image)], capture_output=True, text=True, timeout=60)
    return result.stdout.strip()
