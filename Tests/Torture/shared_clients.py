"""What shows whether servers that share a library agree about who may come in: devices, people and links that one
server takes in or turns away, and that all are asked for then."""

import http.cookies
import json
import time
import uuid

import rig
from remote_clients import Client

# What a caller sends who is not the owner.
STRANGER = {"Authorization": None}
DAY_MILLISECONDS = 86_400_000
# How many of those who were turned away last are tried again and again.
TRIED_AGAIN = 6


class Visitor(Client):
    """A client that asks each server by itself."""

    def answer_of(self, machine, method, path, fields=(), value=None):
        """Returns status and body of the answer of one server to one request; None without one, or if it says that
        it is to be asked later."""
        server = machine.server
        body = None if value is None else json.dumps(value)
        head = {"Content-Type": "application/json", **dict(fields)}
        self.asked = time.monotonic()
        try:
            status, _, content = self._exchange(server, method, path, body, head)
        except rig.BROKEN:
            return None
        finally:
            self.slowest, self.asked = self.waits(), None
        # The port of a server that has ended may be another one's by now.
        return None if status == 503 or server.process.poll() is not None else (status, content)

    def expect_everywhere(self, status, who, method, path, fields, value=None):
        """Asks all servers; each that answers has to answer with that status."""
        for machine in self.random.sample(self.studio.machines, len(self.studio.machines)):
            answer = self.answer_of(machine, method, path, fields, value)
            if answer is not None and answer[0] != status:
                self.violation = f"{who} got {answer[0]}, not {status}, from {machine.name}: {answer[1][:200]}"

    def pair(self, name, person=None):
        """Pairs a device by two servers, or by one; returns its id and the header fields of its requests, or None
        if that has to begin anew."""
        made = self.ask_json("POST", "/api/pairings", {"person": person} if person else {}, (201,))
        if made is None:
            return None
        refusals = self.refusals
        answer = self.ask(
            "POST", f"/api/pairings/{made['token']}/claim", json.dumps({"name": name}),
            {**STRANGER, "Content-Type": "application/json"}, (201, 410, 429))
        if answer is None:
            return None
        if answer[0] == 429:
            # Codes that were sent again count as guesses.
            self.halt.wait(1)
            return None
        if answer[0] == 410:
            # The answer that was lost had the cookie, or the code was used before a refusal to be tried again.
            if not self.was_lost and self.refusals == refusals:
                self.violation = f"A new code was used up before: {answer[2][:200]}"
            return None
        return json.loads(answer[2])["id"], {**STRANGER, "Cookie": cookie(answer[1])}

    def turn_away(self, who, path, fields, probe):
        """Asks one server to turn somebody away, and all of them afterwards whether they do. `probe` is what
        those who are let in may ask for."""
        if self.ask("DELETE", path, expects=(204, 404)) is None:
            return False
        self.studio.turned_away.append((who, probe, fields))
        self.expect_everywhere(401, f"{who}, turned away,", "GET", probe, fields)
        return True


class Guest(Visitor):
    """Pairs a device, which then edits, and revokes it."""

    def __init__(self, studio, seed):
        super().__init__(studio, seed)
        self.number = 0x1000_0000 + seed % 0x0FFF_FFFF

    def turn(self):
        device = self.pair("Phone")
        if device is None:
            return
        identifier, fields = device
        self.expect_everywhere(200, "A device that was just paired", "GET", "/api/devices", fields)
        self._edit(fields, expects=(200,))
        if self.turn_away("A device", f"/api/devices/{identifier}", fields, "/api/devices"):
            self._edit(fields, expects=(401,))
            self.count += 1
        self.halt.wait(self.random.uniform(0, 0.3))

    def _edit(self, fields, expects):
        routine = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        edit = rig.change("routine", routine, {"title": "Of a guest"}, self.number)
        value = {"since": 0, "changes": [edit], "library": self.studio.library}
        answer = self.ask(
            "POST", "/api/sync", json.dumps(value), {**fields, "Content-Type": "application/json"}, expects)
        if answer is not None and answer[0] == 200:
            self.studio.acknowledged.edit("routine", routine, edit["fields"])


class Director(Visitor):
    """Adds people to a group that others change at the same time, and removes some of them, with their devices."""

    ROLES = ("owner", "teacher", "performer")
    MOST = 8

    def __init__(self, studio, seed, group):
        super().__init__(studio, seed)
        self.group = group
        # The roles of the people whom this client looks after, as they were acknowledged.
        self.roles = {}

    def turn(self):
        if len(self.roles) < self.MOST and self.random.random() < 0.5:
            self._add()
        elif self.roles and self.random.random() < 0.3:
            self._remove(self.random.choice(sorted(self.roles)))
        elif self.roles:
            self._set(self.random.choice(sorted(self.roles)))
        self._check()
        self.halt.wait(self.random.uniform(0, 0.1))

    def _add(self):
        added = self.ask_json("POST", "/api/people", {"name": "Ana", "colour": "#248f36"}, (201,))
        if added is not None:
            self._set(added["id"])

    def _set(self, person):
        role = self.random.choice(self.ROLES)
        path = f"/api/groups/{self.group}/members/{person}"
        if self.ask_json("PUT", path, {"role": role}) is None:
            return
        # A server that was too slow may set an earlier role only later.
        self.roles[person] = None if self.was_lost or self.roles.get(person, role) is None else role
        self.count += 1

    def _remove(self, person):
        device = self.pair("Tablet", person) if self.random.random() < 0.5 else None
        fields = device[1] if device else {**STRANGER, "Cookie": "none"}
        if device:
            self.expect_everywhere(200, "A person's device that was just paired", "GET", "/api/devices", fields)
        if self.turn_away("A removed person's device", f"/api/people/{person}", fields, "/api/devices"):
            del self.roles[person]
            self.count += 1

    def _check(self):
        """Checks the people at one of the servers."""
        machine = self.random.choice(self.studio.machines)
        answer = self.answer_of(machine, "GET", "/api/groups")
        if answer is None:
            return
        groups = {group["id"]: group for group in json.loads(answer[1])["groups"]}
        found = {member["person"]: member["role"] for member in groups[self.group]["members"]}
        for person, role in self.roles.items():
            if person not in found or (role is not None and found[person] != role):
                self.violation = (
                    f"{machine.name} says that {person} is {found.get(person)} of the group, "
                    f"and {role} was acknowledged.")


class Sharer(Visitor):
    """Makes a link, opens it, and revokes it."""

    def __init__(self, studio, seed, routine):
        super().__init__(studio, seed)
        self.routine = routine

    def turn(self):
        ends = int(time.time() * 1000) + DAY_MILLISECONDS
        link = self.ask_json("POST", "/api/links", {"routine": self.routine, "expiresAt": ends}, (201,))
        if link is None:
            return
        path = f"/api/links/{link['id']}"
        opened = self.ask(
            "POST", f"{path}/open", json.dumps({"secret": link["address"].split("#")[1]}),
            {**STRANGER, "Content-Type": "application/json"})
        if opened is None:
            return
        fields = {**STRANGER, "Cookie": cookie(opened[1])}
        self.expect_everywhere(200, "A visitor", "GET", f"{path}/records", fields)
        self.count += self.turn_away("A visitor", path, fields, f"{path}/records")
        self.halt.wait(self.random.uniform(0, 0.5))


class Stranger(Visitor):
    """Asks again and again as somebody who was turned away."""

    def turn(self):
        if not (last := self.studio.turned_away[-TRIED_AGAIN:]):
            self.halt.wait(0.05)
            return
        who, path, fields = self.random.choice(last)
        machine = self.random.choice(self.studio.machines)
        answer = self.answer_of(machine, "GET", path, fields)
        if answer is not None and answer[0] != 401:
            self.violation = f"{who}, turned away, got {answer[0]} from {machine.name}: {answer[1][:200]}"
        self.count += answer is not None
        self.halt.wait(0.02)


def cookie(head):
    """Returns the cookie that an answer sets, as it is sent."""
    (morsel,) = http.cookies.SimpleCookie(head["Set-Cookie"]).values()
    return f"{morsel.key}={morsel.value}"
