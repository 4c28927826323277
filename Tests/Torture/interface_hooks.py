"""Hooks for schemathesis: how files are sent, and the ids of existing records. Two of three generated
ids are replaced by the id of an existing record. Intentionally invalid values stay invalid."""

import itertools
import json
import os
import uuid
import zlib

import schemathesis
from schemathesis.generation.meta import TestPhase

# The existing records: ids by the first word of their addresses, and more.
KNOWN = json.loads(os.environ["SEGMANCE_KNOWN"])
# The file with one line per response, which the trial reads.
ANSWERS = os.environ["SEGMANCE_ANSWERS"]
# The maximum number of ids for deletions, so that other records stay.
DELETED = 2
TURNS = itertools.count()


@schemathesis.serializer("application/offset+octet-stream", "application/x-tar")
def as_bytes(_context, value):
    """Sends bytes unchanged."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    return bytes(value) if hasattr(value, "__bytes__") else str(value).encode()


def instead(value, known):
    """Returns one of `known` in two of three cases, the same one for the same value."""
    chance = zlib.crc32(str(value).encode())
    return known[chance // 3 % len(known)] if known and chance % 3 else value


def in_turn(value, known):
    """Returns the items of `known` in turn, because listed examples have the same few values everywhere."""
    return known[next(TURNS) % len(known)] if known else value


def is_id(value):
    """Whether a value is a valid id, which can be replaced by another one."""
    try:
        return isinstance(value, str) and str(uuid.UUID(value)) == value
    except ValueError:
        return False


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def fill_path(operation, values, choose):
    """Replaces ids in the path by existing ones."""
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
    """Changes a valid stretch to a stretch of an existing track."""
    if not isinstance(values, dict) or not is_id(values.get("track")):
        return
    values["track"] = choose(values["track"], KNOWN["stretched"])
    start, end = values.get("start"), values.get("end")
    # A stretch that ends at 0 is invalid by the description, and stays invalid.
    if values["track"] in KNOWN["stretched"] and is_count(start) and is_count(end) and end > 0:
        values["start"] = choose(start, [0]) % KNOWN["aligned"]
        values["end"] = KNOWN["aligned"]


def fill_body(operation, body, choose):
    """Replaces uploads, tracks and pages in the body by existing ones."""
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
    """Does the same for listed examples, for which the map hooks are not called."""
    if case.meta is not None and case.meta.phase.name is TestPhase.COVERAGE:
        fill_path(context.operation, case.path_parameters or {}, in_turn)
        fill_stretch(case.query, in_turn)
        fill_body(context.operation, case.body, in_turn)


@schemathesis.hook
def after_call(context, case, response):
    """Records the response."""
    with open(ANSWERS, "a", encoding="utf-8") as notes:
        print(case.method, case.operation.path, response.status_code, file=notes)
