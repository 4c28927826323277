"""A small server that speaks S3 and keeps each object as a synced file, so that what it acknowledged survives
`kill -9`. A trial starts it as a process of its own, kills it, and lets it be sick for a while.

Use: object_server.py PORT FOLDER
"""

import contextlib
import hashlib
import http.client
import http.server
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import urllib.parse
import uuid
from xml.etree import ElementTree
from xml.sax.saxutils import escape

KEYS = {"AWS_ACCESS_KEY_ID": "trial:segmance", "AWS_SECRET_ACCESS_KEY": "a-secret-of-this-test"}
NAME = "songs"
# Short pages, so that lists have several.
PAGE = 20


class ObjectServer:
    """The process, and a look at its files."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "objects").mkdir(parents=True)
        (folder / "uploads").mkdir()
        (folder / "hashes").mkdir()
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        self.process = None
        self.heal()

    def start(self):
        """Starts it, and waits until it answers."""
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(self.port), str(self.folder)], stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("The object server did not start.")

    def kill(self):
        """Ends it at once, in the middle of whatever it does."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def ail(self, share):
        """Answers a share of the requests with 500 or 503, or breaks off, until `heal`."""
        (self.folder / "share.new").write_text(str(share))
        os.replace(self.folder / "share.new", self.folder / "share")

    def heal(self):
        self.ail(0)

    def names(self, prefix):
        """Returns the names of all objects that begin with `prefix`, without it."""
        found = (urllib.parse.unquote(path.name) for path in (self.folder / "objects").iterdir())
        return {name.removeprefix(prefix) for name in found if name.startswith(prefix)}

    def content(self, name):
        """Returns the bytes of an object; None if there is none."""
        with contextlib.suppress(FileNotFoundError):
            return (self.folder / "objects" / quoted(name)).read_bytes()
        return None

    def clear(self, prefix):
        """Deletes all objects that begin with `prefix`."""
        for name in self.names(prefix):
            (self.folder / "objects" / quoted(prefix + name)).unlink(missing_ok=True)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


def quoted(name):
    """The name of an object's file."""
    return urllib.parse.quote(name, safe="")


def sync_folder(folder):
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers one request. Whatever is acknowledged is synced."""

    protocol_version = "HTTP/1.1"
    folder = None
    chance = random.Random()

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer(self.read)

    def do_HEAD(self):
        self.answer(self.read)

    def do_PUT(self):
        self.answer(self.put)

    def do_POST(self):
        self.answer(self.post)

    def do_DELETE(self):
        self.answer(self.delete)

    def answer(self, act):
        address = urllib.parse.urlsplit(self.path)
        _, bucket, *rest = address.path.split("/", 2)
        self.name = urllib.parse.unquote(rest[0]) if rest else ""
        self.query = dict(urllib.parse.parse_qsl(address.query, keep_blank_values=True))
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        if len(self.body) < length:
            self.close_connection = True
            return
        if urllib.parse.unquote(bucket) != NAME:
            self.fail(404, "NoSuchBucket")
        elif hashlib.sha256(self.body).hexdigest() != self.headers.get("x-amz-content-sha256"):
            self.fail(400, "XAmzContentSHA256Mismatch")
        elif self.chance.random() < float((self.folder / "share").read_text()):
            self.ail(act)
        else:
            act()

    def ail(self, act):
        """Fails before anything is done, after all is done, or in the middle of the answer."""
        manner = self.chance.choice(("refuse", "refuse", "lose", "break"))
        if manner != "refuse":
            whole, self.wfile = self.wfile, Half()
            act()
            said, self.wfile = self.wfile.content, whole
            if manner == "break":
                self.wfile.write(said[:len(said) // 2])
                self.close_connection = True
                return
        if self.chance.random() < 0.5:
            self.fail(500, "InternalError")
        else:
            self.fail(503, "SlowDown")

    def say(self, status, content=b"", headers=()):
        self.send_response(status)
        sent = dict(headers)
        for name, value in {"Content-Length": str(len(content)), **sent}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def document(self, name, content):
        self.say(200, f'<?xml version="1.0" encoding="UTF-8"?>\n<{name}>{content}</{name}>'.encode(),
                 {"Content-Type": "application/xml"})

    def fail(self, status, code):
        self.say(status, f"<Error><Code>{code}</Code></Error>".encode(), {"Content-Type": "application/xml"})

    def path_of(self, name):
        return self.folder / "objects" / quoted(name)

    def describe(self, path):
        """Stores the hash that a request names beside an object, before it is there."""
        if said := self.headers.get("x-amz-meta-sha256"):
            self.store(self.folder / "hashes" / path.name, said.encode())

    def store(self, path, content):
        """Stores a file, whole or not at all."""
        scrap = self.folder / f"scrap-{uuid.uuid4().hex}"
        with scrap.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(scrap, path)
        sync_folder(path.parent)

    def read(self):
        if not self.name:
            self.list()
            return
        try:
            content = self.path_of(self.name).read_bytes()
        except FileNotFoundError:
            self.fail(404, "NoSuchKey")
            return
        headers = {"ETag": tag(content), "Content-Type": "application/octet-stream"}
        with contextlib.suppress(FileNotFoundError):
            headers["x-amz-meta-sha256"] = (self.folder / "hashes" / self.path_of(self.name).name).read_text()
        if wanted := self.headers.get("Range"):
            start, end = wanted.removeprefix("bytes=").split("-")
            start, end = int(start), min(int(end or len(content)), len(content) - 1)
            headers["Content-Range"] = f"bytes {start}-{end}/{len(content)}"
            self.say(206, content[start:end + 1], headers)
        else:
            self.say(200, content, headers)

    def list(self):
        prefix = self.query.get("prefix", "")
        if "uploads" in self.query:
            found = []
            for folder in (self.folder / "uploads").iterdir():
                with contextlib.suppress(FileNotFoundError):
                    found.append((folder.name, (folder / "key").read_text()))
            self.document("ListMultipartUploadsResult", "".join(
                f"<Upload><Key>{escape(key)}</Key><UploadId>{id_}</UploadId></Upload>"
                for id_, key in found if key.startswith(prefix)))
            return
        after = self.query.get("continuation-token", "")
        names = sorted(urllib.parse.unquote(path.name) for path in (self.folder / "objects").iterdir())
        names = [name for name in names if name.startswith(prefix) and name > after]
        entries = []
        for name in names[:PAGE]:
            # One that is deleted meanwhile is not there any more.
            with contextlib.suppress(FileNotFoundError):
                entries.append(
                    f"<Contents><Key>{escape(name)}</Key>"
                    f"<Size>{self.path_of(name).stat().st_size}</Size></Contents>")
        more = len(names) > PAGE
        self.document(
            "ListBucketResult", f"<IsTruncated>{str(more).lower()}</IsTruncated>"
            + (f"<NextContinuationToken>{escape(names[PAGE - 1])}</NextContinuationToken>" if more else "")
            + "".join(entries))

    def put(self):
        path = self.path_of(self.name)
        if upload := self.query.get("uploadId"):
            folder = self.folder / "uploads" / upload
            if not folder.is_dir():
                self.fail(404, "NoSuchUpload")
                return
            path = folder / f"{int(self.query['partNumber']):05}"
        else:
            self.describe(path)
        self.store(path, self.body)
        self.say(200, headers={"ETag": tag(self.body)})

    def post(self):
        if "uploads" in self.query:
            upload = uuid.uuid4().hex
            folder = self.folder / "uploads" / upload
            folder.mkdir()
            self.describe(self.path_of(self.name))
            self.store(folder / "key", self.name.encode())
            sync_folder(folder.parent)
            self.document("InitiateMultipartUploadResult", f"<UploadId>{upload}</UploadId>")
            return
        folder = self.folder / "uploads" / self.query["uploadId"]
        content = b""
        try:
            for part in ElementTree.fromstring(self.body).iter("Part"):
                piece = (folder / f"{int(part.findtext('PartNumber')):05}").read_bytes()
                if part.findtext("ETag") != tag(piece):
                    self.fail(400, "InvalidPart")
                    return
                content += piece
        except FileNotFoundError:
            self.fail(404, "NoSuchUpload")
            return
        self.store(self.path_of(self.name), content)
        shutil.rmtree(folder)
        self.document("CompleteMultipartUploadResult", f"<ETag>{tag(content)}</ETag>")

    def delete(self):
        if upload := self.query.get("uploadId"):
            shutil.rmtree(self.folder / "uploads" / upload, ignore_errors=True)
        else:
            self.path_of(self.name).unlink(missing_ok=True)
            sync_folder(self.folder / "objects")
        self.say(204)


class Half:
    """Keeps an answer back, of which a half is sent."""

    def __init__(self):
        self.content = b""

    def write(self, content):
        self.content += content

    def flush(self):
        pass


def tag(content):
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 200

    def handle_error(self, request, client_address):
        # A client that is gone is no fault of this server's.
        if not isinstance(sys.exception(), (OSError, http.client.HTTPException)):
            super().handle_error(request, client_address)


def main():
    Handler.folder = pathlib.Path(sys.argv[2])
    with Server(("127.0.0.1", int(sys.argv[1])), Handler) as server:
        print("ready", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
