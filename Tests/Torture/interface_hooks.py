"""What schemathesis has to be told of our interface: how files are sent, and what there is to ask
for. Two of three ids that it makes up give way to one of a thing that is there; what it gets wrong
on purpose stays wrong."""

import itertools
import json
import os
import uuid
import zlib

import schemathesis
from schemathesis.generation.meta import TestPhase

# What is there, made by the trial: ids by the first word of their addresses, and more.
KNOWN = json.loads(os.environ["SEGMANCE_KNOWN"])
# Where the trial reads what was answered, a line each.
ANSWERS = os.environ["SEGMANCE_ANSWERS"]
# Of so many at most something is deleted, so that others stay.
DELETED = 2
TURNS = itertools.count()


@schemathesis.serializer("application/offset+octet-stream", "application/x-tar")
def as_bytes(_context, value):
    """Bytes go as they are."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    return bytes(value) if hasattr(value, "__bytes__") else str(value).encode()


def instead(value, known):
    """One of `known` in two of three cases, the same one for the same value."""
    chance = zlib.crc32(str(value).encode())
    return known[chance // 3 % len(known)] if known and chance % 3 else value


def in_turn(value, known):
    """One of `known` after the other. What is listed has the same few values at each address."""
    return known[next(TURNS) % len(known)] if known else value


def is_id(value):
    """Whether it is an id as the description has them, so that another may stand in its place."""
    try:
        return isinstance(value, str) and str(uuid.UUID(value)) == value
    except ValueError:
        return False


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def fill_path(operation, values, choose):
    """Asks for what is there."""
    word = operation.path.removeprefix("/api/").split("/")[0]
    known = KNOWN.get(word, [])
    if word == "records":
        known = KNOWN["records"].get(values.get("type"), [])
    if operation.method == "delete":
        known = known[:DELETED]
    for name in ("id", "job"):
        if is_id(values.get(name)):
            values[name] = choose(values[name], known)
    if word == "pairings" and isinstance(values.get("token"), str):
        values["token"] = choose(values["token"], known)
    if is_count(values.get("n")):
        values["n"] = choose(values["n"], KNOWN["chunks"])


def fill_stretch(values, choose):
    """Makes a stretch one of a track that is there, where it is a stretch at all."""
    if not isinstance(values, dict) or not is_id(values.get("track")):
        return
    values["track"] = choose(values["track"], KNOWN["stretched"])
    start, end = values.get("start"), values.get("end")
    # A stretch that ends at 0 is none by the description, and stays so.
    if values["track"] in KNOWN["stretched"] and is_count(start) and is_count(end) and end > 0:
        values["start"] = choose(start, [0]) % KNOWN["aligned"]
        values["end"] = KNOWN["aligned"]


def fill_body(operation, body, choose):
    """Speaks of uploads, tracks and pages that are there."""
    if not isinstance(body, dict):
        return
    if is_id(body.get("upload")):
        body["upload"] = choose(body["upload"], KNOWN["complete"])
    if operation.path == "/api/remote" and isinstance(body.get("to"), str):
        body["to"] = choose(body["to"], KNOWN["clients"])
    clips = body.get("clips")
    for one in [body, *(clips if isinstance(clips, list) else [])]:
        fill_stretch(one, choose)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    fill_path(context.operation, path_parameters or {}, instead)
    return path_parameters


@schemathesis.hook
def map_query(context, query):
    fill_stretch(query, instead)
    return query


@schemathesis.hook
def map_body(context, body):
    fill_body(context.operation, body, instead)
    return body


@schemathesis.hook
def before_call(context, case, **_kwargs):
    """The same where examples are not drawn, but listed: there the others are not asked."""
    if case.meta is not None and case.meta.phase.name is TestPhase.COVERAGE:
        fill_path(context.operation, case.path_parameters or {}, in_turn)
        fill_stretch(case.query, in_turn)
        fill_body(context.operation, case.body, in_turn)


@schemathesis.hook
def after_call(context, case, response):
    """Notes what was answered."""
    with open(ANSWERS, "a", encoding="utf-8") as notes:
        print(case.method, case.operation.path, response.status_code, file=notes)
