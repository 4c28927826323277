"""What a phone has to load: the client's JavaScript and the engine, compressed."""

import gzip

from studio import ROOT


def run(folder, table):
    client = ROOT / "dist" / "client"
    script = sum(size(client / name) for name in ("app.js", "worklet.js"))
    table.add("JavaScript, gzip", f"{script / 1000:.1f} kB", "", "", "≤ 120 kB")
    table.add("engine, gzip", f"{size(client / 'engine.wasm') / 1000:.1f} kB", "", "", "≤ 60 kB")


def size(path):
    return len(gzip.compress(path.read_bytes(), 9))
