"""Access control: every route of the OpenAPI description, requested at the proxied and the network
listener without permission: by strangers, revoked devices, devices at the owner's routes, pages of
other sites, and requests for other hosts."""

import http.client
import json
import pathlib
import random
import re
import ssl
import subprocess
import time
import urllib.parse
import uuid

import rig

PUBLIC = "https://studio.example"
FLAGS = ("--public-url", PUBLIC, "--metrics", "--lan", "--lan-host", "127.0.0.1", "--lan-port", "0")
COOKIE = "__Host-segmance_device"

# The expected routes for everyone and for the owner only. A change of these routes must change this too.
EVERYONES = {
    ("GET", "/api/authority.crt"), ("GET", "/api/health"), ("GET", "/api/session"),
    ("GET", "/api/pairings/{token}"), ("GET", "/robots.txt"), ("POST", "/api/links/{id}/open"),
    ("POST", "/api/pairings/{token}/claim"), ("GET", "/api/sign-in"), ("POST", "/api/sign-in/challenge"),
    ("POST", "/api/sign-in/passkey"), ("POST", "/api/sign-in/password"), ("POST", "/api/sign-in/provider"),
    ("POST", "/api/sign-in/provider/departure")}
OWNERS = {("GET", "/metrics"), ("POST", "/api/restore"), ("PUT", "/api/network")}

# The last one is no HTTP method.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
WRITES = ("POST", "PUT", "PATCH", "DELETE")

# Other spellings of a route's address, given the part after `/api`: 401.
SAME = (
    "/%61pi{0}", "/%61%70%69{0}", "/api{0}/", "/api{0}.", "/api{0}..", "/api{0};x", "/api{0}%20",
    "/api{0}%252f", "/api{0}%CC%81", "/api/%CC%81{1}", "/api{0}?/api/health",
    "/api{0}?x=/../api/session")
# Invalid addresses: 400.
CROOKED = (
    "/api/{0}", "//api{0}", "/./api{0}", "/api/.{0}", "/api/%2e{0}", "/api/health/..{0}",
    "/api/health/%2E%2E{0}", "/api%2f{1}", "/api%5C{1}", "/api{0}/.", "/api{0}/..", "/api{0}%00",
    "/api{0}%", "/api{0}%zz", "/api{0}%ff", "/%ffapi{0}")
# Addresses outside the interface, which are answered like any unknown address.
ELSEWHERE = (
    "/%CC%81api{0}", "/api%CC%81{0}", "/API{0}", "/%2561pi{0}", "/api.{0}", "/api;x{0}",
    "/api%20{0}", "/xapi{0}")

# Seconds until the event stream of a revoked device must have ended.
PATIENCE = 20


class Listener:
    """One of the server's listeners, with one connection to it."""

    def __init__(self, name, connect, host, origin, others):
        self.name, self.connect, self.host, self.origin = name, connect, host, origin
        # Hosts that this listener refuses.
        self.others = (
            "evil.example", f"{host}.evil.example", f"evil.{host}", f"{host}0", f"{host}@evil",
            *others)
        self.connection = connect()
        self.refusals = 0

    def ask(self, method, path, fields=(), value=None):
        """Sends a request like a same-origin page; returns status, header fields and body."""
        body = None if value is None else json.dumps(value)
        headers = {"Host": self.host, "Origin": self.origin, **dict(fields)}
        headers = {name: value for name, value in headers.items() if value is not None}
        self.connection.request(method, path, body=body, headers=headers)
        answer = self.connection.getresponse()
        content = b""
        if answer.headers.get_content_type() == "text/event-stream":
            self.connection.close()
        else:
            content = answer.read()
        return answer.status, answer.headers, content

    def refuses(self, status, who, method, path, fields):
        """Expects a response with that status; returns its body."""
        found, headers, content = self.ask(method, path, fields)
        rig.holds(
            found == status,
            f"{who} got {found}, not {status}, from {method} {path} at the listener of {self.name}.")
        if status == 401:
            rig.holds(
                headers["WWW-Authenticate"] == "Pairing", f"{method} {path} asks for no pairing.")
        self.refusals += 1
        return content


class Device:
    """A device that was paired at a listener."""

    def __init__(self, listener, owner):
        status, _, content = owner.ask("POST", "/api/pairings")
        rig.holds(status == 201, f"No pairing code: {status} {content}")
        code = json.loads(content)["token"]
        status, headers, content = listener.ask(
            "POST", f"/api/pairings/{code}/claim", value={"name": "Phone"})
        rig.holds(status == 201, f"No pairing: {status} {content}")
        self.id = json.loads(content)["id"]
        self.token = re.match(rf"{COOKIE}[_\d]*=([^;]+);", headers["Set-Cookie"]).group(1)
        self.fields = cookie(self.token)


class Owner:
    """The owner: a client of the proxied listener with the key of the data folder."""

    def __init__(self, program, folder, listener):
        self.program, self.folder, self.listener = program, folder, listener
        self.fields = {"Authorization": f"Bearer {key(folder)}"}

    def ask(self, method, path):
        return self.listener.ask(method, path, self.fields)

    def revoke(self, device):
        return self.ask("DELETE", f"/api/devices/{device.id}")[0] == 204

    def revoke_from_the_command_line(self, device):
        return subprocess.run(
            [str(self.program), "devices", "revoke", device.id, "--data", str(self.folder)],
            capture_output=True, timeout=60).returncode == 0


def run(program, folder, rounds, seed=1):
    """Sends all requests `rounds` times, each time with newly revoked devices."""
    chance, gone = random.Random(seed), []
    folder = folder / f"access-{seed}"
    with rig.Server(program, folder, flags=FLAGS) as server:
        proxy = proxied(server)
        owner = Owner(program, folder, proxy)
        listeners = [proxy, network(owner)]
        kept = Device(listeners[1], owner)
        routes = described_routes(proxy, kept)
        for _ in range(rounds):
            check_access(listeners, owner, kept, routes)
            revoked = revoke_devices(listeners, owner, chance)
            gone += revoked
            for listener in listeners:
                unknown = strangers(listener, owner, revoked, chance)
                check_refusals(listener, routes, kept, unknown)
                check_other_spellings(listener, routes, kept, unknown)
                check_other_hosts(listener, routes, kept)
                check_other_sites(listener, routes, owner, kept)
            rig.holds(paired(owner) == {kept.id}, "Other devices are listed than are paired.")
    rig.holds(not server.faults(), f"Faults in the log: {server.faults()[:3]}")
    with rig.Server(program, folder, flags=FLAGS) as server:
        listener = proxied(server)
        status = listener.ask("GET", "/api/devices", kept.fields)[0]
        rig.holds(status == 200, f"A paired device got {status} after a new start.")
        for device in gone:
            listener.refuses(
                401, "A device that was turned away before a new start", "GET", "/api/devices",
                device.fields)
    refusals = sum(listener.refusals for listener in listeners)
    return f"{refusals} refusals at {len(routes)} routes, {len(gone)} devices turned away, all gone"


def cookie(token):
    return {"Cookie": f"{COOKIE}={token}"}


def key(folder):
    """Returns the owner's key from the data folder."""
    return json.loads((folder / "serving.json").read_text())["key"]


def proxied(server):
    """Returns the listener behind a proxy, requested with the proxy's host name."""
    return Listener(
        "a proxy", lambda: http.client.HTTPConnection("127.0.0.1", server.port, timeout=60),
        "studio.example", PUBLIC,
        ["studio.example:7700", "localhost", f"localhost:{server.port + 1}"])


def network(owner):
    """Returns the network listener."""
    status, _, content = owner.ask("GET", "/api/network")
    rig.holds(status == 200, f"The network's address: {status} {content}")
    (origin,) = (one for one in json.loads(content)["addresses"] if one.startswith("https://127."))
    port = urllib.parse.urlsplit(origin).port
    context = ssl.create_default_context(
        cafile=str(pathlib.Path(owner.folder) / "tls" / "authority.crt"))
    return Listener(
        "the network",
        lambda: http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=60),
        f"127.0.0.1:{port}", origin, ["studio.example", "127.0.0.1", f"127.0.0.1:{port - 1}"])


def described_routes(listener, device):
    """Returns every described method and path with its access."""
    status, _, content = listener.ask("GET", "/api/openapi.json", device.fields)
    rig.holds(status == 200, f"The description was answered with {status}.")
    routes = {
        (method.upper(), path): operation["x-access"]
        for path, operations in json.loads(content)["paths"].items()
        for method, operation in operations.items()}
    for access, wanted in (("everyone", EVERYONES), ("owner", OWNERS)):
        found = {route for route, who in routes.items() if who == access}
        rig.holds(
            found == wanted,
            f"Other routes are for {access} than should be: {sorted(found ^ wanted)}")
    # A GET route also answers HEAD.
    for (method, path), access in list(routes.items()):
        if method == "GET":
            routes.setdefault(("HEAD", path), access)
    rig.holds(len(routes) > 40, f"Only {len(routes)} routes are described.")
    return routes


def address(path, device):
    """Returns an address that matches the path's pattern, with the device's id or another one."""
    identifier = device.id if path.startswith("/api/devices/") else str(uuid.UUID(int=7, version=4))
    return re.sub(r"\{\w+\}", identifier, path)


def paired(owner):
    """Returns the ids of the paired devices."""
    status, _, content = owner.ask("GET", "/api/devices")
    rig.holds(status == 200, f"The devices were answered with {status}.")
    return {device["id"] for device in json.loads(content)["devices"]}


def check_access(listeners, owner, device, routes):
    """Permitted requests succeed. Otherwise the refusals would prove nothing."""
    for (method, path), access in routes.items():
        # The one answers ten times a minute.
        if method in WRITES or path == "/api/pairings/{token}":
            continue
        for listener in listeners:
            status = listener.ask(method, address(path, device), device.fields)[0]
            rig.holds(
                status == 403 if access == "owner" else has_access(status),
                f"A paired device got {status} from {method} {path} at the listener of {listener.name}.")
        status = owner.ask(method, address(path, device))[0]
        rig.holds(has_access(status), f"The owner got {status} from {method} {path}.")
    for listener in listeners:
        status = listener.ask("POST", "/api/sync", device.fields, {"since": 0, "changes": []})[0]
        rig.holds(status == 200, f"A paired device could not sync: {status}")


def has_access(status):
    """Whether a status means that access was granted, even if the request was wrong or nothing was found."""
    return status in (200, 204, 400, 404, 412)


def revoke_devices(listeners, owner, chance):
    """Pairs devices, and revokes each in a different way during its event stream; returns them."""
    ways = (
        lambda listener, device: owner.revoke(device),
        lambda listener, device: owner.revoke_from_the_command_line(device),
        lambda listener, device: listener.ask("DELETE", "/api/session", device.fields)[0] == 204,
        lambda listener, device: listener.ask(
            "DELETE", f"/api/devices/{device.id}", device.fields)[0] == 204)
    devices = []
    for way in ways:
        listener = chance.choice(listeners)
        device = Device(listener, owner)
        event_connection = listener.connect()
        event_connection.request("GET", "/api/events", headers={"Host": listener.host, **device.fields})
        events = event_connection.getresponse()
        rig.holds(events.status == 200, f"A paired device can't listen: {events.status}")
        rig.holds(way(listener, device), "A device could not be turned away.")
        ends = time.monotonic() + PATIENCE
        # Keep-alive messages do not count as the end.
        while is_open(events, event_connection, ends - time.monotonic()):
            rig.holds(time.monotonic() < ends, "A device that was turned away goes on listening.")
        event_connection.close()
        devices.append(device)
    return devices


def is_open(events, event_connection, seconds):
    """Whether a stream is open: data arrived, or nothing arrived for `seconds`."""
    event_connection.sock.settimeout(max(seconds, 0.1))
    try:
        return events.read1(1 << 16) != b""
    except TimeoutError:
        return True
    except (ConnectionResetError, http.client.IncompleteRead):
        # The server's check of its connections may cut the stream before it ends in order.
        return False


def strangers(listener, owner, revoked, chance):
    """Returns the header fields of callers without access to this listener, by description."""
    made_up = "".join(chance.choice("abcdefgHIJKL0123456789_-") for _ in range(43))
    known = {
        "Nobody": {}, "An empty token": cookie(""), "A made-up token": cookie(made_up),
        "A made-up key": {"Authorization": f"Bearer {made_up}"},
        "The owner's key as a token": cookie(key(owner.folder)),
        "The owner's key through a proxy": {**owner.fields, "X-Forwarded-For": "127.0.0.1"}}
    if listener is not owner.listener:
        known["The owner's key on the network"] = owner.fields
    for number, device in enumerate(revoked):
        known[f"Device {number}, which was turned away,"] = device.fields
    return known


def check_refusals(listener, routes, device, strangers):
    """Every guarded route refuses strangers. Unknown routes refuse two of them in the same way, and the
    owner's routes refuse a paired device."""
    paths = {path for _, path in routes if path.startswith("/api")}
    lacking = [
        (method, path) for path in sorted(paths) + ["/api", "/api/", "/api/nothing"]
        for method in METHODS if (method, path) not in routes]
    for who, fields in strangers.items():
        for method, path in guarded(routes):
            listener.refuses(401, who, method, address(path, device), fields)
    for who in (list(strangers)[0], list(strangers)[-1]):
        for method, path in lacking:
            listener.refuses(401, who, method, address(path, device), strangers[who])
    for method, path in OWNERS:
        content = listener.refuses(403, "A paired device", method, path, device.fields)
        rig.holds(b"Only the owner" in content, f"{method} {path} is refused for another reason.")


def guarded(routes):
    """Returns the routes that are not for everyone."""
    return [route for route, access in routes.items() if access != "everyone"]


def check_other_spellings(listener, routes, device, strangers):
    """No other spelling of an address gives strangers access, and an address outside the interface
    reaches none of its routes."""
    gone, gone_fields = list(strangers.items())[-1]
    for method, path in guarded(routes):
        if path == "/metrics":
            listener.refuses(401, "Nobody", method, "/metric%73", {})
            continue
        rest = address(path, device).removeprefix("/api")
        words = rest, rest[1:]
        for spelling in SAME:
            listener.refuses(401, gone, method, spelling.format(*words), gone_fields)
        for name in (listener.host, listener.host.upper()):
            listener.refuses(401, gone, method, f"http://{name}/api{rest}", gone_fields)
        for spelling in CROOKED:
            listener.refuses(400, gone, method, spelling.format(*words), gone_fields)
        nothing = listener.ask(method, f"/nothing{rest}", device.fields)
        for spelling in ELSEWHERE:
            status, _, content = listener.ask(method, spelling.format(*words), device.fields)
            rig.holds(
                (status, content) == (nothing[0], nothing[2]),
                f"{method} {spelling.format(*words)} got {status}, which no page would.")


def check_other_hosts(listener, routes, device):
    """No route answers a request for another host."""
    for method, path in routes:
        place = address(path, device)
        for host in listener.others:
            fields = {**device.fields, "Host": host}
            listener.refuses(421, f"A paired device that asks {host}", method, place, fields)
        listener.refuses(
            421, "A paired device that asks by another's address", method,
            f"https://evil.example{place}", device.fields)


def check_other_sites(listener, routes, owner, device):
    """No route accepts a write from a page of another site, even with the cookie or the key, and only
    the routes for everyone accept a read."""
    other = "http" if listener.origin.startswith("https:") else "https"
    writes = [
        {"Origin": None}, {"Origin": "null"}, {"Origin": "https://evil.example"},
        {"Origin": f"{listener.origin}.evil.example"}, {"Origin": f"{listener.origin}0"},
        {"Origin": f"{other}://{listener.host}"}, {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": ""}]
    reads = [{"Sec-Fetch-Site": site} for site in ("cross-site", "same-site", "")]
    for (method, path), access in routes.items():
        # At the network listener no caller is the owner.
        if access == "owner" and listener is not owner.listener:
            continue
        # What visitors of a link or other people may do, the owner's devices may do too.
        who = {"owner": owner.fields, "everyone": {}}.get(access, device.fields)
        if method not in WRITES and access == "everyone":
            continue
        for fields in writes if method in WRITES else reads:
            content = listener.refuses(
                403, f"A page of another site ({fields})", method, address(path, device),
                {**who, **fields})
            reasons = b"another site", b"Send the header Origin"
            rig.holds(
                method == "HEAD" or any(reason in content for reason in reasons),
                f"{method} {path} is refused for another reason: {content[:200]}")
