"""Storage that speaks S3, on a port of this machine, which a test can stop, hold and start again: moto's server, or
the one at SEGMANCE_TEST_S3, which has the bucket, and to which the requests are passed on."""

import contextlib
import hashlib
import http.client
import io
import os
import re
import socket
import threading

import boto3
from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

# Else every answer would let the pages of all origins read it. moto looks when it is imported.
os.environ["MOTO_DISABLE_GLOBAL_CORS"] = "1"

from moto.moto_api._internal import moto_api_backend
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

KEY, SECRET = "trial:segmance", "a-secret-of-this-test"
NAME = "songs"


def is_signed(environ, endpoint, body):
    """Whether a request is signed as botocore signs it, with the hash of its body. moto does not look."""
    found = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=[^,]*,SignedHeaders=([^,]*),Signature=([0-9a-f]{64})",
        environ.get("HTTP_AUTHORIZATION", ""))
    if found is None:
        return False
    headers = {name: environ["HTTP_" + name.upper().replace("-", "_")] for name in found[1].split(";")}
    if headers["x-amz-content-sha256"] != hashlib.sha256(body).hexdigest():
        return False
    request = AWSRequest(environ["REQUEST_METHOD"], endpoint + environ["REQUEST_URI"], headers)
    request.context["timestamp"] = headers["x-amz-date"]
    signer = S3SigV4Auth(Credentials(KEY, SECRET), "s3", "us-east-1")
    text = signer.string_to_sign(request, signer.canonical_request(request))
    return signer.signature(text, request) == found[2]


def has_signed_address(environ, endpoint):
    """Whether a request has an address that is signed as botocore signs it, for an hour. moto does not look."""
    address, _, signature = (endpoint + environ["REQUEST_URI"]).partition("&X-Amz-Signature=")
    found = re.search(r"[?&]X-Amz-Date=(\w+)&X-Amz-Expires=3600&", address)
    if found is None:
        return False
    request = AWSRequest("GET", address, {"host": environ["HTTP_HOST"]})
    request.context["timestamp"] = found[1]
    signer = S3SigV4QueryAuth(Credentials(KEY, SECRET), "s3", "us-east-1", expires=3600)
    text = signer.string_to_sign(request, signer.canonical_request(request))
    return signer.signature(text, request) == signature


class Passing:
    """Passes requests on to a server, as they came."""

    def __init__(self, endpoint):
        self.place = endpoint.removeprefix("http://")

    def __call__(self, environ, start_response):
        headers = {
            name[5:].replace("_", "-"): value for name, value in environ.items() if name.startswith("HTTP_")}
        if "CONTENT_TYPE" in environ:
            headers["Content-Type"] = environ["CONTENT_TYPE"]
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        connection = http.client.HTTPConnection(self.place)
        try:
            connection.request(environ["REQUEST_METHOD"], environ["REQUEST_URI"], body, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        start_response(f"{answer.status} {answer.reason}", [
            (name, value) for name, value in answer.getheaders()
            if name.lower() not in ("connection", "transfer-encoding", "date")])
        return [content]


class Bucket:
    """The bucket `songs`. Its objects outlast a stop."""

    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.address = f"s3://{NAME}/studio?endpoint={self.endpoint}"
        self.requests = []
        # What pages ask for, and whether they get it.
        self.asked_by_pages, self.serves_pages = [], True
        self.held, self.passes = threading.Event(), threading.Event()
        self.is_held, self.drops_held = lambda method, path: False, False
        real = os.environ.get("SEGMANCE_TEST_S3")
        self.inner = Passing(real) if real else DomainDispatcherApplication(create_backend_app)
        # moto's memory belongs to this process.
        moto_api_backend.reset()
        self.start()
        if real:
            self.empty()
        else:
            self.client.create_bucket(Bucket=NAME)

    def empty(self):
        """Deletes all objects, and parts of objects: each bucket begins with none."""
        client = self.client
        for page in client.get_paginator("list_objects_v2").paginate(Bucket=NAME):
            for entry in page.get("Contents", []):
                client.delete_object(Bucket=NAME, Key=entry["Key"])
        for upload in client.list_multipart_uploads(Bucket=NAME).get("Uploads", []):
            client.abort_multipart_upload(Bucket=NAME, Key=upload["Key"], UploadId=upload["UploadId"])

    @property
    def client(self):
        return boto3.client(
            "s3", endpoint_url=self.endpoint, region_name="us-east-1", aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
            # A server that knows no checksums of botocore's refuses bodies that have them.
            config=Config(request_checksum_calculation="when_required", response_checksum_validation="when_required"))

    def start(self):
        self.server = make_server("127.0.0.1", self.port, self.app, threaded=True)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def stop(self):
        """From here on nobody answers at the port."""
        self.passes.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def app(self, environ, start_response):
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        self.requests.append((method, path))
        if self.is_held(method, path):
            self.held.set()
            self.passes.wait(60)
            if self.drops_held:
                start_response("503 Service Unavailable", [])
                return []
        if environ.get("HTTP_USER_AGENT") == "Segmance":
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            environ["wsgi.input"] = io.BytesIO(body)
            if not is_signed(environ, self.endpoint, body):
                start_response("403 Forbidden", [("Content-Type", "application/xml")])
                return [b"<Error><Code>SignatureDoesNotMatch</Code></Error>"]
        elif "HTTP_ORIGIN" in environ and method != "OPTIONS":
            self.asked_by_pages.append(path)
            if not self.serves_pages or not has_signed_address(environ, self.endpoint):
                start_response("403 Forbidden", [])
                return []
        return self.inner(environ, start_response)

    def hold(self, method, place="/blobs/"):
        """Lets the next requests of a method wait; returns an event that is set when the first does."""
        self.held.clear()
        self.passes.clear()
        self.drops_held = False
        self.is_held = lambda found, path: found == method and place in path
        return self.held

    def drop_held(self):
        """Lets the requests that wait fail, and do nothing."""
        self.drops_held = True
        self.release()

    def release(self):
        self.is_held = lambda method, path: False
        self.passes.set()

    def let_pages_read(self, *origins):
        """Sets the rule that DEPLOY.md gives."""
        rule = {
            "AllowedOrigins": list(origins), "AllowedMethods": ["GET"], "AllowedHeaders": ["Range"],
            "ExposeHeaders": ["Content-Range"]}
        self.client.put_bucket_cors(Bucket=NAME, CORSConfiguration={"CORSRules": [rule]})

    def blobs(self):
        """The hashes of the stored blobs, with their bytes."""
        client = self.client
        found = {}
        for entry in client.list_objects_v2(Bucket=NAME, Prefix="studio/blobs/").get("Contents", []):
            # One that is deleted meanwhile is not there any more.
            with contextlib.suppress(client.exceptions.NoSuchKey):
                body = client.get_object(Bucket=NAME, Key=entry["Key"])["Body"].read()
                found[entry["Key"].rsplit("/", 1)[1]] = body
        return found

    def uploads(self):
        """The names of the objects of uploads under way."""
        return [name.removeprefix("uploads/") for name in self.names("uploads/")]

    def names(self, start):
        """The names of the objects that begin with `start`."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=NAME, Prefix=f"studio/{start}")
        found = (entry["Key"].removeprefix("studio/") for page in pages for entry in page.get("Contents", []))
        return list(found)

    def derived(self):
        """The sizes of the stored derived files, by record and name."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=NAME, Prefix="studio/derived/")
        entries = [entry for page in pages for entry in page.get("Contents", [])]
        return {entry["Key"].removeprefix("studio/derived/"): entry["Size"] for entry in entries}


@contextlib.contextmanager
def bucket():
    bucket = Bucket()
    try:
        yield bucket
    finally:
        bucket.release()
        bucket.stop()
