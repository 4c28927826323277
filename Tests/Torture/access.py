"""Who may come in: every route of the program's own description, asked at a proxy's door and at the
network's by who may not: strangers, devices that were turned away, devices that want what is the
owner's, pages of other sites, and whoever takes this server for another."""

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

# Whoever makes another route open to all, or the owner's alone, says so here too.
EVERYONES = {
    ("GET", "/api/authority.crt"), ("GET", "/api/health"), ("GET", "/api/session"),
    ("POST", "/api/pairings/{token}/claim")}
OWNERS = {("GET", "/metrics"), ("POST", "/api/restore"), ("PUT", "/api/network")}

# The last one is nobody's.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
WRITES = ("POST", "PUT", "PATCH", "DELETE")

# What names a route's address, given by what follows `/api`, in another way: 401.
SAME = (
    "/%61pi{0}", "/%61%70%69{0}", "/api{0}/", "/api{0}.", "/api{0}..", "/api{0};x", "/api{0}%20",
    "/api{0}%252f", "/api{0}%CC%81", "/api/%CC%81{1}", "/api{0}?/api/health",
    "/api{0}?x=/../api/session")
# What no address may look like: 400.
CROOKED = (
    "/api/{0}", "//api{0}", "/./api{0}", "/api/.{0}", "/api/%2e{0}", "/api/health/..{0}",
    "/api/health/%2E%2E{0}", "/api%2f{1}", "/api%5C{1}", "/api{0}/.", "/api{0}/..", "/api{0}%00",
    "/api{0}%", "/api{0}%zz", "/api{0}%ff", "/%ffapi{0}")
# What is no address of the interface: what is answered is what any other address gets.
ELSEWHERE = (
    "/%CC%81api{0}", "/api%CC%81{0}", "/API{0}", "/%2561pi{0}", "/api.{0}", "/api;x{0}",
    "/api%20{0}", "/xapi{0}")

# Seconds until the events of a device that is turned away have ended.
PATIENCE = 20


class Door:
    """One of the server's doors, asked over one connection."""

    def __init__(self, name, connect, host, origin, others):
        self.name, self.connect, self.host, self.origin = name, connect, host, origin
        # Hosts that this door does not answer to.
        self.others = (
            "evil.example", f"{host}.evil.example", f"evil.{host}", f"{host}0", f"{host}@evil",
            *others)
        self.connection = connect()
        self.refusals = 0

    def ask(self, method, path, fields=(), value=None):
        """Asks as a page of the same origin would; returns status, header fields and body."""
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
        """Expects an answer of that status, as the interface words it; returns its body."""
        found, headers, content = self.ask(method, path, fields)
        rig.holds(
            found == status,
            f"{who} got {found}, not {status}, from {method} {path} at the door of {self.name}.")
        if status == 401:
            rig.holds(
                headers["WWW-Authenticate"] == "Pairing", f"{method} {path} asks for no pairing.")
        self.refusals += 1
        return content


class Device:
    """A device that is paired at a door."""

    def __init__(self, door, owner):
        status, _, content = owner.ask("POST", "/api/pairings")
        rig.holds(status == 201, f"No pairing code: {status} {content}")
        code = json.loads(content)["token"]
        status, headers, content = door.ask(
            "POST", f"/api/pairings/{code}/claim", value={"name": "Phone"})
        rig.holds(status == 201, f"No pairing: {status} {content}")
        self.id = json.loads(content)["id"]
        self.token = re.match(rf"{COOKIE}[_\d]*=([^;]+);", headers["Set-Cookie"]).group(1)
        self.fields = cookie(self.token)


class Owner:
    """Who can read the data folder, at the proxy's door."""

    def __init__(self, program, folder, door):
        self.program, self.folder, self.door = program, folder, door
        self.fields = {"Authorization": f"Bearer {key(folder)}"}

    def ask(self, method, path):
        return self.door.ask(method, path, self.fields)

    def revoke(self, device):
        return self.ask("DELETE", f"/api/devices/{device.id}")[0] == 204

    def revoke_from_the_command_line(self, device):
        return subprocess.run(
            [str(self.program), "devices", "revoke", device.id, "--data", str(self.folder)],
            capture_output=True, timeout=60).returncode == 0


def run(program, folder, rounds, seed=1):
    """Asks everything `rounds` times, each time with devices that were paired and turned away."""
    chance, gone = random.Random(seed), []
    folder = folder / f"access-{seed}"
    with rig.Server(program, folder, flags=FLAGS) as server:
        proxy = proxied(server)
        owner = Owner(program, folder, proxy)
        doors = [proxy, network(owner)]
        kept = Device(doors[1], owner)
        routes = described(proxy, kept)
        for _ in range(rounds):
            comes_in(doors, owner, kept, routes)
            turned_away = turn_away(doors, owner, chance)
            gone += turned_away
            for door in doors:
                unknown = strangers(door, owner, turned_away, chance)
                shuts_out(door, routes, kept, unknown)
                knows_no_other_spelling(door, routes, kept, unknown)
                refuses_other_hosts(door, routes, kept)
                refuses_other_sites(door, routes, owner, kept)
            rig.holds(paired(owner) == {kept.id}, "Other devices are listed than are paired.")
    rig.holds(not server.faults(), f"Faults in the log: {server.faults()[:3]}")
    with rig.Server(program, folder, flags=FLAGS) as server:
        door = proxied(server)
        status = door.ask("GET", "/api/devices", kept.fields)[0]
        rig.holds(status == 200, f"A paired device got {status} after a new start.")
        for device in gone:
            door.refuses(
                401, "A device that was turned away before a new start", "GET", "/api/devices",
                device.fields)
    refusals = sum(door.refusals for door in doors)
    return f"{refusals} refusals at {len(routes)} routes, {len(gone)} devices turned away, all gone"


def cookie(token):
    return {"Cookie": f"{COOKIE}={token}"}


def key(folder):
    """The owner's key, which stands in the data folder."""
    return json.loads((folder / "serving.json").read_text())["key"]


def proxied(server):
    """The door behind a proxy, asked by the name that the proxy has."""
    return Door(
        "a proxy", lambda: http.client.HTTPConnection("127.0.0.1", server.port, timeout=60),
        "studio.example", PUBLIC,
        ["studio.example:7700", "localhost", f"localhost:{server.port + 1}"])


def network(owner):
    """The network's door."""
    status, _, content = owner.ask("GET", "/api/network")
    rig.holds(status == 200, f"The network's address: {status} {content}")
    (origin,) = (one for one in json.loads(content)["addresses"] if one.startswith("https://127."))
    port = urllib.parse.urlsplit(origin).port
    context = ssl.create_default_context(
        cafile=str(pathlib.Path(owner.folder) / "tls" / "authority.crt"))
    return Door(
        "the network",
        lambda: http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=60),
        f"127.0.0.1:{port}", origin, ["studio.example", "127.0.0.1", f"127.0.0.1:{port - 1}"])


def described(door, device):
    """Every method and path that the program says it has, with who may use it."""
    status, _, content = door.ask("GET", "/api/openapi.json", device.fields)
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
    # One for reading answers HEAD too.
    for (method, path), access in list(routes.items()):
        if method == "GET":
            routes.setdefault(("HEAD", path), access)
    rig.holds(len(routes) > 40, f"Only {len(routes)} routes are described.")
    return routes


def address(path, device):
    """An address that a path's pattern fits: of that device, or of something that may be there."""
    identifier = device.id if path.startswith("/api/devices/") else str(uuid.UUID(int=7, version=4))
    return re.sub(r"\{\w+\}", identifier, path)


def paired(owner):
    """The ids of the devices that may come in."""
    status, _, content = owner.ask("GET", "/api/devices")
    rig.holds(status == 200, f"The devices were answered with {status}.")
    return {device["id"] for device in json.loads(content)["devices"]}


def comes_in(doors, owner, device, routes):
    """Who may come in does: else refusals would prove nothing."""
    for (method, path), access in routes.items():
        if method in WRITES:
            continue
        for door in doors:
            status = door.ask(method, address(path, device), device.fields)[0]
            rig.holds(
                status == 403 if access == "owner" else is_in(status),
                f"A paired device got {status} from {method} {path} at the door of {door.name}.")
        status = owner.ask(method, address(path, device))[0]
        rig.holds(is_in(status), f"The owner got {status} from {method} {path}.")
    for door in doors:
        status = door.ask("POST", "/api/sync", device.fields, {"since": 0, "changes": []})[0]
        rig.holds(status == 200, f"A paired device could not sync: {status}")


def is_in(status):
    """Whether somebody was let in, though what is asked for may be missing or asked for wrongly."""
    return status in (200, 204, 400, 404, 412)


def turn_away(doors, owner, chance):
    """Pairs devices, and turns each away in another way while it listens; returns them."""
    ways = (
        lambda door, device: owner.revoke(device),
        lambda door, device: owner.revoke_from_the_command_line(device),
        lambda door, device: door.ask("DELETE", "/api/session", device.fields)[0] == 204,
        lambda door, device: door.ask(
            "DELETE", f"/api/devices/{device.id}", device.fields)[0] == 204)
    devices = []
    for way in ways:
        door = chance.choice(doors)
        device = Device(door, owner)
        listener = door.connect()
        listener.request("GET", "/api/events", headers={"Host": door.host, **device.fields})
        events = listener.getresponse()
        rig.holds(events.status == 200, f"A paired device can't listen: {events.status}")
        rig.holds(way(door, device), "A device could not be turned away.")
        ends = time.monotonic() + PATIENCE
        # What comes in between keeps the connection alive, and is no end.
        while is_open(events, listener, ends - time.monotonic()):
            rig.holds(time.monotonic() < ends, "A device that was turned away goes on listening.")
        listener.close()
        devices.append(device)
    return devices


def is_open(events, listener, seconds):
    """Whether a stream goes on: something came, or nothing did for so many seconds."""
    listener.sock.settimeout(max(seconds, 0.1))
    try:
        return events.read1(1 << 16) != b""
    except TimeoutError:
        return True


def strangers(door, owner, turned_away, chance):
    """Who nobody knows at this door: header fields by what they are."""
    made_up = "".join(chance.choice("abcdefgHIJKL0123456789_-") for _ in range(43))
    known = {
        "Nobody": {}, "An empty token": cookie(""), "A made-up token": cookie(made_up),
        "A made-up key": {"Authorization": f"Bearer {made_up}"},
        "The owner's key as a token": cookie(key(owner.folder)),
        "The owner's key through a proxy": {**owner.fields, "X-Forwarded-For": "127.0.0.1"}}
    if door is not owner.door:
        known["The owner's key on the network"] = owner.fields
    for number, device in enumerate(turned_away):
        known[f"Device {number}, which was turned away,"] = device.fields
    return known


def shuts_out(door, routes, device, strangers):
    """Every route but everyone's refuses those, and to two of them the interface does not even say
    what it has; a paired device is refused what is the owner's."""
    paths = {path for _, path in routes if path.startswith("/api")}
    lacking = [
        (method, path) for path in sorted(paths) + ["/api", "/api/", "/api/nothing"]
        for method in METHODS if (method, path) not in routes]
    for who, fields in strangers.items():
        for method, path in guarded(routes):
            door.refuses(401, who, method, address(path, device), fields)
    for who in (list(strangers)[0], list(strangers)[-1]):
        for method, path in lacking:
            door.refuses(401, who, method, address(path, device), strangers[who])
    for method, path in OWNERS:
        content = door.refuses(403, "A paired device", method, path, device.fields)
        rig.holds(b"Only the owner" in content, f"{method} {path} is refused for another reason.")


def guarded(routes):
    """The routes that are not for everyone."""
    return [route for route, access in routes.items() if access != "everyone"]


def knows_no_other_spelling(door, routes, device, strangers):
    """Whatever an address looks like, it opens nothing to strangers, and what is no address of the
    interface opens none of its routes to anybody."""
    gone, gone_fields = list(strangers.items())[-1]
    for method, path in guarded(routes):
        if path == "/metrics":
            door.refuses(401, "Nobody", method, "/metric%73", {})
            continue
        rest = address(path, device).removeprefix("/api")
        words = rest, rest[1:]
        for spelling in SAME:
            door.refuses(401, gone, method, spelling.format(*words), gone_fields)
        for name in (door.host, door.host.upper()):
            door.refuses(401, gone, method, f"http://{name}/api{rest}", gone_fields)
        for spelling in CROOKED:
            door.refuses(400, gone, method, spelling.format(*words), gone_fields)
        nothing = door.ask(method, f"/nothing{rest}", device.fields)
        for spelling in ELSEWHERE:
            status, _, content = door.ask(method, spelling.format(*words), device.fields)
            rig.holds(
                (status, content) == (nothing[0], nothing[2]),
                f"{method} {spelling.format(*words)} got {status}, which no page would.")


def refuses_other_hosts(door, routes, device):
    """No route answers to another host, whoever asks."""
    for method, path in routes:
        place = address(path, device)
        for host in door.others:
            fields = {**device.fields, "Host": host}
            door.refuses(421, f"A paired device that asks {host}", method, place, fields)
        door.refuses(
            421, "A paired device that asks by another's address", method,
            f"https://evil.example{place}", device.fields)


def refuses_other_sites(door, routes, owner, device):
    """No route writes what a page of another site asks for, though the cookie or the key comes
    along, and none but everyone's reads it."""
    other = "http" if door.origin.startswith("https:") else "https"
    writes = [
        {"Origin": None}, {"Origin": "null"}, {"Origin": "https://evil.example"},
        {"Origin": f"{door.origin}.evil.example"}, {"Origin": f"{door.origin}0"},
        {"Origin": f"{other}://{door.host}"}, {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": ""}]
    reads = [{"Sec-Fetch-Site": site} for site in ("cross-site", "same-site", "")]
    for (method, path), access in routes.items():
        # At the network's door nobody is the owner.
        if access == "owner" and door is not owner.door:
            continue
        who = {"owner": owner.fields, "device": device.fields, "everyone": {}}[access]
        if method not in WRITES and access == "everyone":
            continue
        for fields in writes if method in WRITES else reads:
            content = door.refuses(
                403, f"A page of another site ({fields})", method, address(path, device),
                {**who, **fields})
            reasons = b"another site", b"Send the header Origin"
            rig.holds(
                method == "HEAD" or any(reason in content for reason in reasons),
                f"{method} {path} is refused for another reason: {content[:200]}")
