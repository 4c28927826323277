"""What a phone has to load: the client's JavaScript and the engine, compressed."""

import gzip
import re

from studio import ROOT

#: Fetched by the first routine that is opened, whatever is done with it.
SOON = {"worklet.js"}


def run(folder, table, short=False):
    """What is looked at is there already: the short form is the same."""
    client = ROOT / "dist" / "client"
    page = (client / "index.html").read_text()
    first = {name for name in re.findall(r"/([\w-]+\.js)", page)} | SOON
    start = {file for file in client.glob("*.js") if file.name in first}
    later = set(client.glob("*.js")) - start
    for label, files, limit in (
            ("JavaScript at start, as sent (Brotli)", start, "≤ 120 kB"),
            ("JavaScript of all else, one or two seconds later", later, "")):
        sent = sum(file.with_name(f"{file.name}.br").stat().st_size for file in files)
        plain = sum(size(file) for file in files)
        table.add(label, f"{sent / 1000:.1f} kB", f"gzip: {plain / 1000:.1f} kB", "", limit)
    table.add("engine, gzip", f"{size(client / 'engine.wasm') / 1000:.1f} kB", "", "", "≤ 60 kB")
    table.add("counts, gzip", f"{size(client / 'counts.wasm') / 1000:.1f} kB", "", "", "≤ 40 kB")
    table.add(
        "arithmetic of practice, gzip", f"{size(client / 'practice.wasm') / 1000:.1f} kB", "", "", "≤ 45 kB")


def size(path):
    return len(gzip.compress(path.read_bytes(), 9))
