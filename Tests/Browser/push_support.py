"""Helpers for the tests of notifications: a push service, and a desktop that shows notifications and presses them."""

import base64
import contextlib
import json
import os
import queue
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jeepney import DBusAddress, HeaderFields, MessageType, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
from studio import eventually

#: The browser's way to a push service, which needs that of its maker: replaced by one that knows the subscription that
#: the test has made. `asked` are the keys with which the page subscribed.
SUBSCRIBE = """(given) => {
  const kept = () => JSON.parse(localStorage.getItem('stub.subscription'));
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
  const made = () => {
    const has = kept();
    return has && {
      endpoint: has.endpoint, options: { userVisibleOnly: true, applicationServerKey: bytes(has.key).buffer },
      toJSON: () => ({ endpoint: has.endpoint, keys: has.keys }),
      unsubscribe: async () => { localStorage.removeItem('stub.subscription'); return true; },
    };
  };
  PushManager.prototype.subscribe = async function (options) {
    localStorage.setItem('stub.subscription', JSON.stringify({ ...given, key: options.applicationServerKey }));
    return made();
  };
  PushManager.prototype.getSubscription = async function () { return made(); };
}"""


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def claims(authorization, audience):
    """The claims of a token of RFC 8292, whose signature is verified, and the key that signed it."""
    scheme, rest = authorization.split(" ", 1)
    assert scheme == "vapid"
    fields = dict(field.strip().split("=", 1) for field in rest.split(","))
    head, body, signature = fields["t"].split(".")
    assert json.loads(bytes_of(head)) == {"typ": "JWT", "alg": "ES256"}
    numbers = bytes_of(signature)
    der = utils.encode_dss_signature(int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(fields["k"]))
    try:
        key.verify(der, f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise AssertionError("the token is not signed by its key") from None
    content = json.loads(bytes_of(body))
    assert content["aud"] == audience
    return content, fields["k"]


class PushService:
    """A push service on this machine, which opens the messages as the browsers would."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.authentication = os.urandom(16)
        self.status = 201
        self.arrived = queue.Queue()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.arrived.put((self.path, dict(self.headers), body))
                self.send_response(service.status)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def options(self):
        """The options of a server that sends here."""
        return ["--push-contact", "mailto:you@school.example", "--push-service", self.origin]

    @property
    def script(self):
        """What a page needs to subscribe here."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        given = {"endpoint": f"{self.origin}/ben", "keys": {"p256dh": base64url(point), "auth": base64url(self.authentication)}}
        return f"({SUBSCRIBE})({json.dumps(given)})"

    def next(self):
        """The next message: its path, header fields, and text."""
        path, fields, body = self.arrived.get(timeout=20)
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.authentication, version="aes128gcm")
        return path, fields, json.loads(text)


class Desktop:
    """A desktop without a picture, as far as notifications go (org.freedesktop.Notifications)."""

    NAME = "org.freedesktop.Notifications"
    ADDRESS = DBusAddress("/org/freedesktop/Notifications", NAME, NAME)

    def __init__(self):
        self.daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True)
        self.address = self.daemon.stdout.readline().strip()
        self.connection = open_dbus_connection(self.address)
        self.connection.send_and_get_reply(message_bus.RequestName(self.NAME))
        #: The notifications that appear: id, title, text.
        self.shown = queue.Queue()
        self.count = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(ConnectionResetError, OSError, ValueError):
            while True:
                message = self.connection.receive()
                if message.header.message_type is not MessageType.method_call:
                    continue
                self.answer(message)

    def answer(self, message):
        match message.header.fields[HeaderFields.member]:
            case "GetCapabilities":
                reply = ("as", (["actions", "body"],))
            case "GetServerInformation":
                reply = ("ssss", ("stub", "segmance", "1", "1.2"))
            case "Notify":
                _, replaced, _, title, text, *_ = message.body
                self.count += 1
                identifier = replaced or self.count
                self.shown.put((identifier, title, text))
                reply = ("u", (identifier,))
            case _:
                reply = (None, ())
        with self.lock:
            self.connection.send(new_method_return(message, *reply))

    def press(self, identifier):
        """Presses a notification."""
        with self.lock:
            self.connection.send(new_signal(self.ADDRESS, "ActionInvoked", "us", (identifier, "default")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.daemon.terminate()
        self.daemon.wait(timeout=20)


class Receiver:
    """Gives a page's service worker what the browser would give it when a message has come."""

    def __init__(self, page):
        registrations = []
        self.session = page.context.new_cdp_session(page)
        self.session.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: registrations.extend(each for each in event["registrations"] if not each["isDeleted"]))
        self.session.send("ServiceWorker.enable")
        # Events arrive while something is asked for.
        eventually(lambda: page.evaluate("() => null") or registrations, bool)
        self.registration = registrations[0]

    def deliver(self, text):
        self.session.send("ServiceWorker.deliverPushMessage", {
            "origin": self.registration["scopeURL"].rstrip("/"),
            "registrationId": self.registration["registrationId"], "data": json.dumps(text)})
