"""What schemathesis has to be told of our interface: how files are sent, and what there is to ask for."""

import json
import os

import schemathesis

# Ids by the first word of a path; the trial puts them there.
KNOWN = json.loads(os.environ.get("SEGMANCE_KNOWN", "{}"))


@schemathesis.serializer("application/offset+octet-stream", "application/x-tar")
def as_bytes(_context, value):
    """Bytes go as they are."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    return bytes(value) if hasattr(value, "__bytes__") else str(value).encode()


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Asks for what is there in two of three requests; random ids find nothing."""
    words = context.operation.path.split("/")
    known = KNOWN.get(words[2], []) if len(words) > 2 else []
    for name in ("id", "job"):
        value = str((path_parameters or {}).get(name, ""))
        if known and name in (path_parameters or {}) and sum(map(ord, value)) % 3:
            path_parameters[name] = known[len(value) % len(known)]
    if path_parameters and words[2] == "records" and known:
        if sum(map(ord, str(path_parameters.get("id", "")))) % 3:
            path_parameters.update(type="routine", id=known[0])
    return path_parameters
