"""Storage that speaks S3: moto's server on a port of this machine, which a test can stop, hold and start again."""

import contextlib
import hashlib
import io
import re
import socket
import threading

import boto3
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.moto_api._internal import moto_api_backend
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

KEY, SECRET = "of-this-test", "a-secret-of-this-test"
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


class Bucket:
    """The bucket `songs`. Its objects outlast a stop."""

    def __init__(self):
        # moto's memory belongs to this process: each bucket begins with none.
        moto_api_backend.reset()
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.address = f"s3://{NAME}/studio?endpoint={self.endpoint}"
        self.requests = []
        self.held, self.passes = threading.Event(), threading.Event()
        self.is_held, self.drops_held = lambda method, path: False, False
        self.inner = DomainDispatcherApplication(create_backend_app)
        self.start()
        self.client.create_bucket(Bucket=NAME)

    @property
    def client(self):
        return boto3.client(
            "s3", endpoint_url=self.endpoint, region_name="us-east-1", aws_access_key_id=KEY,
            aws_secret_access_key=SECRET)

    def start(self):
        self.server = make_server("127.0.0.1", self.port, self.app, threaded=True)
        self.thread = threading.Thread(target=self.server.serve_forever)
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
        found = self.client.list_objects_v2(Bucket=NAME, Prefix="studio/uploads/").get("Contents", [])
        return [entry["Key"].removeprefix("studio/uploads/") for entry in found]


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
