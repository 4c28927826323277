"""A school with accounts for everybody: Canaille, a provider of OpenID Connect, on a port of this machine."""

import contextlib
import socket
import threading

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from werkzeug.serving import make_server

CLIENT = "studio"
SECRET = "a secret: of the studio"
PASSWORD = "correct horse battery"


class School:
    """The provider; `issuer` is its name for itself."""

    def __init__(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.issuer = f"http://localhost:{listener.getsockname()[1]}"
        self.app = create_app({
            "SECRET_KEY": "of this test alone", "SERVER_NAME": self.issuer.removeprefix("http://"),
            "PREFERRED_URL_SCHEME": "http", "CANAILLE": {"NAME": "Dance School"}, "CANAILLE_OIDC": {}})
        # The port stays this one's from here on.
        self.server = make_server("127.0.0.1", 0, self.app, threaded=True, fd=listener.fileno())
        listener.detach()
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def stop(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def save(self, model):
        with self.app.app_context():
            Backend.instance.save(model())

    def add_account(self, login, name):
        self.save(lambda: models.User(
            user_name=login, formatted_name=name, family_name=name.split()[-1], emails=[f"{login}@school.example"],
            password=PASSWORD))

    def add_studio(self, address):
        """Lets a studio at an address send people here."""
        self.save(lambda: models.Client(
            client_id=CLIENT, client_secret=SECRET, client_name="Segmance", redirect_uris=[f"{address}/sign-in"],
            grant_types=["authorization_code"], response_types=["code"], scope=["openid", "profile"],
            token_endpoint_auth_method="client_secret_basic"))
        self.save(self.told_of_itself)

    def told_of_itself(self):
        """The studio as the receiver of its tokens, which people of the school would tick."""
        studio = Backend.instance.get(models.Client, client_id=CLIENT)
        studio.audience = [studio]
        return studio


@contextlib.contextmanager
def school():
    school = School()
    try:
        yield school
    finally:
        school.stop()
