"""What a phone has to load: the client's JavaScript and the engine, compressed."""

import gzip

from studio import ROOT


def run(folder, table):
    client = ROOT / "dist" / "client"
    names = ("app.js", "worklet.js", "sortable.js")
    sent = sum((client / f"{name}.br").stat().st_size for name in names)
    plain = sum(size(client / name) for name in names)
    table.add(
        "JavaScript as sent (Brotli)", f"{sent / 1000:.1f} kB", f"gzip: {plain / 1000:.1f} kB", "",
        "≤ 120 kB")
    table.add("engine, gzip", f"{size(client / 'engine.wasm') / 1000:.1f} kB", "", "", "≤ 60 kB")


def size(path):
    return len(gzip.compress(path.read_bytes(), 9))
