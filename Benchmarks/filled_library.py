"""A library of any size, filled over HTTP with made-up routines on one synthesized track."""

import time
import uuid

from studio import Server, sample_song

QUALITIES = ("Quiet", "Silver", "Burning", "Paper", "Early", "Northern", "Hidden")
THINGS = ("Lantern", "River", "Swan", "Harbour", "Winter", "Parade", "Garden", "Clock")
SECTIONS = ("Intro", "Verse", "Chorus", "Bridge", "Finale")
STEPS = ("Side step", "Half turn", "Slide", "Look back", "Jump", "Walk the circle")
MOVE_TYPES = (("Step", "ST", "#a5730d"), ("Turn", "TU", "#248f36"), ("Freeze", "FR", "#8863de"))
FRAMES_PER_SECOND = 48_000
# The most changes that one request may bring.
BATCH = 5_000
# Beyond every sequence number, so that the answers bring no records back.
NOTHING_NEW = 10**9


def fill(folder, library, routines, parts, moves):
    """Makes `library` with these counts in all, spread evenly; returns the seconds that the records
    took, without the song."""
    song = sample_song(folder)
    with Server(library) as server:
        upload = server.upload(song.read_bytes(), "First Light.wav")
        track = server.json("POST", "/api/tracks", {"upload": upload})
        state = server.wait_for_job(track["job"])
        if state != "done":
            raise SystemExit(f"the song's import ended as {state}")
        started = time.monotonic()
        changes = list(records(track["id"], routines, parts, moves))
        for first in range(0, len(changes), BATCH):
            answer = server.json(
                "POST", "/api/sync", {"since": NOTHING_NEW, "changes": changes[first:first + BATCH]})
            if answer.get("rejected"):
                raise SystemExit(f"not taken: {answer['rejected'][0]}")
        return time.monotonic() - started


def records(track, routines, parts, moves):
    """The changes that make the records, each with a later stamp than the one before."""
    clock = int(time.time() * 1000) - 600_000

    def change(kind, record, fields):
        nonlocal clock
        clock += 1
        return {
            "id": str(uuid.uuid4()), "type": kind, "record": record, "fields": fields,
            "at": f"{clock:013d}-0000-0000beef"}

    types = [str(uuid.uuid4()) for _ in MOVE_TYPES]
    for record, (name, abbreviation, colour) in zip(types, MOVE_TYPES):
        yield change(
            "moveType", record, {"name": name, "abbreviation": abbreviation, "colour": colour})
    for number in range(routines):
        routine = str(uuid.uuid4())
        title = f"{pick(QUALITIES, number)} {pick(THINGS, number // 7)} {number + 1}"
        yield change(
            "routine", routine, {"title": title, "subtitle": "A performance to measure with"})
        for place, part in enumerate(share(number, parts, routines)):
            record = str(uuid.uuid4())
            start = part % 50 * FRAMES_PER_SECOND
            yield change("part", record, {
                "routine": routine, "track": track, "position": position(place),
                "title": f"{pick(SECTIONS, part)} {place + 1}",
                "startFrame": start, "endFrame": start + 8 * FRAMES_PER_SECOND})
            for row, move in enumerate(share(part, moves, parts)):
                fields = {
                    "part": record, "position": position(row),
                    "title": f"{pick(STEPS, move)} {row + 1}",
                    "moveType": types[move % len(types)]}
                if move % 3 == 0:
                    fields["notes"] = "Eight slow counts, eyes on the far corner."
                yield change("move", str(uuid.uuid4()), fields)


def share(index, total, owners):
    """Which of `total` things belong to the one of this index among `owners`."""
    return range(index * total // owners, (index + 1) * total // owners)


def position(place):
    """A fractional position: digits in order, of which the last is not 0."""
    return f"V{place:05d}V"


def pick(words, number):
    return words[number % len(words)]
