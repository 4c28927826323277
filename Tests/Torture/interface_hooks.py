"""What schemathesis has to be told of our interface: how a piece of an upload is sent."""

import schemathesis


@schemathesis.serializer("application/offset+octet-stream")
def piece(_context, value):
    """Bytes go as they are."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    return bytes(value) if hasattr(value, "__bytes__") else str(value).encode()
