"""Runs every benchmark, each against its peer in the same run, prints one table and writes it to
.build/bench.md, from where renew_docs.py takes it into the documents. Ends with 1 where a benchmark says
that its aim is missed.

Use: python3 Benchmarks/bench.py [--short] [--output FILE] [NAME…]
Names: media exports sync database federation federation-largest federation-servers http read engine worklet start visit scale log wave size onsets cuts beats practice align video lead
--short: tiny inputs, one round and only peers that the tests install too: whether each benchmark runs, in
seconds. Its figures mean nothing.
"""

import argparse
import datetime
import pathlib
import platform
import shutil
import sys
import tempfile

import beats
import client_size
import clip_exports
import database_engines
import engine_block
import federation
import federation_servers
import first_visit
import http_load
import lead
import media_import
import onsets
import practice
import practice_log
import read_latency
import scale
import start_up
import suggested_cuts
import sync_records
import video_alignment
import video_conversion
import waveform_redraw
import worklet_cost
from studio import ROOT, Table

#: Each takes a folder of its own, the table, and whether it is to run in its short form.
SCENARIOS = {
    "media": media_import.run,
    "exports": clip_exports.run,
    "sync": sync_records.run,
    "database": database_engines.run,
    "federation": federation.run,
    "federation-largest": federation.run_largest,
    "federation-servers": federation_servers.run,
    "http": http_load.run,
    "read": read_latency.run,
    "engine": engine_block.run,
    "worklet": worklet_cost.run,
    "start": start_up.run,
    "visit": first_visit.run,
    "scale": scale.run,
    "log": practice_log.run,
    "wave": waveform_redraw.run,
    "size": client_size.run,
    "onsets": onsets.run,
    "cuts": suggested_cuts.run,
    "beats": beats.run,
    "practice": practice.run,
    "align": video_alignment.run,
    "video": video_conversion.run,
    "lead": lead.run,
}


def machine():
    """The date, the system and the processor, as the documents name them."""
    model = platform.processor()
    cores = 0
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model, cores = line.split(":", 1)[1].strip(), cores + 1
    today = datetime.datetime.now(datetime.timezone.utc).date()
    return f"{today}, {platform.system()} {platform.release()}, {cores} × {model}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / ".build" / "bench.md")
    options = parser.parse_args()
    names = options.names or list(SCENARIOS)
    if unknown := [name for name in names if name not in SCENARIOS]:
        sys.exit(f"There is no benchmark {unknown[0]}; choose from {', '.join(SCENARIOS)}.")
    tables = {name: Table() for name in names}
    for name, table in tables.items():
        folder = pathlib.Path(tempfile.mkdtemp(prefix="segmance-bench-"))
        try:
            SCENARIOS[name](folder, table, short=options.short)
        finally:
            shutil.rmtree(folder)
        write(options.output, tables)
    print(f"\n{options.output.read_text()}")
    if missed := [what for table in tables.values() for what in table.missed]:
        sys.exit(f"Missed: {'; '.join(missed)}")


def write(path, tables):
    """Writes the tables that have rows, each under the name of its benchmark."""
    where = machine()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(
        f"## {name}\n\n{where}\n\n{table}\n" for name, table in tables.items() if table.rows))


if __name__ == "__main__":
    main()
