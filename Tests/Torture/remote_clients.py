"""What uses a library whose records and files are on other servers: devices that edit, add, open and remove, and
one that follows the sequence. Each sends what was not answered again."""

import base64
import collections
import contextlib
import hashlib
import http.client
import json
import random
import threading
import time
import uuid

import numpy
import rig


class Acknowledged(rig.Acknowledged):
    """Acknowledged changes that are read while others come in, and songs that come and go."""

    def __init__(self):
        super().__init__()
        # Songs whose removal was asked for, and songs that are removed as long as nobody adds them again.
        self.going, self.removed = set(), set()
        # How often each song was asked to be removed or added again.
        self.turns = collections.Counter()

    def copy(self):
        copy = Acknowledged()
        with self.lock:
            copy.fields, copy.tracks = dict(self.fields), dict(self.tracks)
            copy.going, copy.removed = set(self.going), set(self.removed)
            copy.turns = self.turns.copy()
        return copy

    def track(self, identifier, sha256):
        super().track(identifier, sha256)
        with self.lock:
            self.going.discard(identifier)

    def begin_removal(self, identifier):
        with self.lock:
            self.going.add(identifier)
            self.turns[identifier] += 1

    def removal(self, identifier):
        with self.lock:
            self.removed.add(identifier)

    def begin_return(self, identifier):
        with self.lock:
            self.removed.discard(identifier)
            self.turns[identifier] += 1

    def staying(self):
        """Returns the songs that nobody asked to remove, with their hashes."""
        with self.lock:
            return {one: sha256 for one, sha256 in self.tracks.items() if one not in self.going}

    def unmoved(self, later):
        """Returns the songs that nobody asked to remove or to add since: those that stay, with their hashes, and
        those that are removed. `later` is a copy made after this one."""
        same = {one for one in self.tracks if self.turns[one] == later.turns[one]}
        return (
            {one: sha256 for one, sha256 in self.staying().items() if one in same},
            self.removed & same)

    def __len__(self):
        return super().__len__() + len(self.removed)


class Client(threading.Thread):
    """Sends requests until it is stopped. Those that find no server or no database are sent again."""

    def __init__(self, studio, seed=0):
        super().__init__(daemon=True)
        self.studio = studio
        self.random = random.Random(seed)
        self.halt = threading.Event()
        self.violation = None
        # How many of its requests were acknowledged, and how many answered that it is to try again later.
        self.count = self.refusals = 0
        # How long the slowest answer took, in seconds, and since when one is waited for.
        self.slowest, self.asked = 0, None
        # Whether an answer to the last request was not waited for any longer, or broke off. A server may still do
        # what it was asked for.
        self.was_lost = False

    def run(self):
        while not self.halt.is_set() and self.violation is None:
            self.turn()

    def waits(self):
        """Returns how long an answer is waited for, or the slowest one took, in seconds."""
        asked = self.asked
        return max(self.slowest, 0 if asked is None else time.monotonic() - asked)

    def ask(self, method, path, body=None, headers=(), expects=(200,)):
        """Returns status, head and body of the answer; None if the client was stopped before there is one.
        Any other status than those expected, or 503, is a violation."""
        self.was_lost = False
        while not self.halt.is_set():
            server = self.studio.choose(self.random)
            self.asked = time.monotonic()
            try:
                status, head, content = self._exchange(server, method, path, body, dict(headers))
                self.slowest = self.waits()
                self.asked = None
                self.refusals += status == 503
                if status == 503 and "Retry-After" not in head:
                    self.violation = f"{method} {path} does not say when to come again: {content[:300]}"
                    return None
                if status in expects:
                    return status, head, content
                # 409: the port of a killed server may be another trial's by now.
                if status not in (409, 503) and server.process.poll() is None:
                    self.violation = f"{method} {path} answered {status}: {content[:300]}"
                    return None
            except rig.BROKEN:
                self.was_lost = True
            self.asked = None
            # A moment, so that refused requests do not take the processor.
            self.halt.wait(0.05)
        return None

    def _exchange(self, server, method, path, body, headers):
        connection = http.client.HTTPConnection("localhost", server.port, timeout=self.studio.answer_seconds)
        fields = {**server.fields, **headers}
        try:
            connection.request(
                method, path, body=body,
                headers={name: value for name, value in fields.items() if value is not None})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def ask_json(self, method, path, value, expects=(200,)):
        """Sends JSON, and returns the value of the answer, or None."""
        answer = self.ask(
            method, path, json.dumps(value), {"Content-Type": "application/json"}, expects)
        return answer and json.loads(answer[2])

    def sync(self, since, changes):
        """Returns the answer to a request, or None if the client was stopped before there is one."""
        return self.ask_json(
            "POST", "/api/sync", {"since": since, "changes": changes, "library": self.studio.library})


class Device(Client):
    """Makes changes, each of which it sends until it is acknowledged."""

    def __init__(self, studio, seed):
        super().__init__(studio, seed)
        self.number = 0x1000_0000 + seed % 0x0FFF_FFFF

    def turn(self):
        edits = []
        for _ in range(self.random.randint(1, 5)):
            routine = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
            fields = {"title": f"Routine {self.random.randint(0, 9999)}"}
            edits.append(rig.change("routine", routine, fields, self.number))
        answer = self.sync(0, edits)
        if answer is None:
            return
        if answer["rejected"]:
            self.violation = f"Rejected: {answer['rejected'][:1]}"
            return
        for edit in edits:
            self.studio.acknowledged.edit(edit["type"], edit["record"], edit["fields"])
        self.count += 1


class Follower(Client):
    """Asks for what is new, from the number that the last answer ended with."""

    def __init__(self, studio):
        super().__init__(studio)
        self.since = 0
        # The number of each record in the last answer that had it.
        self.seen = {}

    def turn(self):
        answer = self.sync(self.since, [])
        if answer is None:
            return
        if answer["seq"] < self.since:
            self.violation = f"The sequence went back from {self.since} to {answer['seq']}."
        for record in answer["records"]:
            self.seen[record["type"], record["id"]] = record["seq"]
        self.since = answer["seq"]
        if not answer["more"]:
            self.halt.wait(0.01)


class Uploader(Client):
    """Adds songs, and removes some of its own, one of which it adds again at times."""

    TUS = {"Tus-Resumable": "1.0.0"}

    def __init__(self, studio, seed, adds_long=False):
        super().__init__(studio, seed)
        # Whether it still is to add a song that is sent to the bucket in parts.
        self.adds_long = adds_long
        self.own = []
        self.gone = []
        # How often it had to send a whole file again, as the upload had gone without a song.
        self.sent_again = 0

    def turn(self):
        chance = self.random.random()
        if self.adds_long and chance < 0.1:
            self.adds_long = False
            self.add(long_song(self.random.randint(1, 1 << 20)))
        elif self.own and chance < 0.35:
            self.remove(self.own.pop(self.random.randrange(len(self.own))))
        elif self.gone and chance < 0.45:
            # The same bytes come back as the same song.
            identifier, content = self.gone.pop()
            self.studio.acknowledged.begin_return(identifier)
            self.add(content)
        else:
            self.add(rig.studio.song(self.random.uniform(0.2, 2), self.random.randint(1, 1 << 20)))
        self.halt.wait(self.random.uniform(0, self.studio.upload_rest_seconds))

    def add(self, content):
        while (upload := self.upload(content)) is not None:
            answer = self.ask(
                "POST", "/api/tracks", json.dumps({"upload": upload}), {"Content-Type": "application/json"},
                (200, 202, 404))
            if answer is None:
                return
            if answer[0] == 404:
                # As a browser does, which has kept the file.
                self.sent_again += 1
                continue
            identifier = json.loads(answer[2])["id"]
            self.studio.acknowledged.track(identifier, hashlib.sha256(content).hexdigest())
            self.own.append((identifier, content))
            self.count += 1
            return

    def upload(self, content):
        """Uploads bytes with tus in two pieces, each from where the server says that it is; returns the id, or
        None if the client was stopped."""
        encoded = base64.b64encode(b"song.wav").decode()
        created = self.ask("POST", "/api/uploads", headers={
            **self.TUS, "Upload-Length": str(len(content)), "Upload-Metadata": f"filename {encoded}"},
            expects=(201,))
        if created is None:
            return None
        address = created[1]["Location"]
        done = sent = 0
        while done < len(content):
            end = len(content) // 2 if done < len(content) // 2 else len(content)
            # 409: an earlier request, whose answer was lost, has moved the offset.
            answer = self.ask(
                "PATCH", address, content[done:end],
                {**self.TUS, "Upload-Offset": str(done), "Content-Type": "application/offset+octet-stream"},
                expects=(204, 409))
            if answer is None:
                return None
            if answer[0] == 204:
                sent = end
            head = self.ask("HEAD", address, headers=self.TUS)
            if head is None:
                return None
            done = int(head[1]["Upload-Offset"])
            if done < sent:
                self.violation = f"{sent} bytes of an upload were acknowledged, and {done} are there."
                return None
        return address.rsplit("/", 1)[1]

    def remove(self, song):
        identifier, _ = song
        self.studio.acknowledged.begin_removal(identifier)
        # 404: an earlier request, whose answer was lost, has removed it.
        if self.ask("DELETE", f"/api/tracks/{identifier}", expects=(204, 404)) is not None:
            self.studio.acknowledged.removal(identifier)
            # A server that was too slow may remove it only later.
            if not self.was_lost:
                self.gone.append(song)
            self.count += 1


def long_song(seed):
    """Returns a WAV file that is too long for one request to the bucket."""
    seconds, wanted = 7, 1 + (64 << 20)
    samples = numpy.frombuffer(rig.studio.song(seconds, seed)[44:], "<i2").reshape(-1, 2)
    return rig.studio.wav_file(numpy.tile(samples, (1 + wanted // samples.nbytes, 1)))


class Opener(Client):
    """Opens songs that were added, as they were uploaded."""

    def turn(self):
        before = self.studio.acknowledged.copy()
        staying = before.staying()
        if not staying:
            self.halt.wait(0.05)
            return
        identifier = self.random.choice(sorted(staying))
        answer = self.ask("GET", f"/api/tracks/{identifier}/original", expects=(200, 404))
        if answer is None:
            return
        status, _, content = answer
        if status == 200 and hashlib.sha256(content).hexdigest() != staying[identifier]:
            self.violation = f"The song {identifier} has other bytes."
        elif status == 404 and identifier in before.unmoved(self.studio.acknowledged.copy())[0]:
            self.violation = f"The song {identifier} is gone."
        self.count += status == 200
        self.halt.wait(0.02)
