"""Runs every benchmark, each against its peer in the same run, and prints one table. Ends with 1 where a
benchmark says that its aim is missed.

Use: python3 Benchmarks/bench.py [NAME…]   (names: media video exports sync http read engine worklet start visit scale wave
size onsets cuts align)
"""

import pathlib
import platform
import shutil
import sys
import tempfile

import client_size
import clip_exports
import engine_block
import first_visit
import http_load
import media_import
import onsets
import read_latency
import scale
import start_up
import suggested_cuts
import sync_records
import video_alignment
import video_conversion
import waveform_redraw
import worklet_cost
from studio import Table

SCENARIOS = {
    "media": media_import.run,
    "exports": clip_exports.run,
    "sync": sync_records.run,
    "http": http_load.run,
    "read": read_latency.run,
    "engine": engine_block.run,
    "worklet": worklet_cost.run,
    "start": start_up.run,
    "visit": first_visit.run,
    "scale": scale.run,
    "wave": waveform_redraw.run,
    "size": client_size.run,
    "onsets": onsets.run,
    "cuts": suggested_cuts.run,
    "align": video_alignment.run,
    "video": video_conversion.run,
}


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def main():
    names = sys.argv[1:] or list(SCENARIOS)
    unknown = [name for name in names if name not in SCENARIOS]
    if unknown:
        sys.exit(f"There is no benchmark {unknown[0]}; choose from {', '.join(SCENARIOS)}.")
    table = Table()
    for name in names:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="segmance-bench-"))
        try:
            SCENARIOS[name](folder, table)
        finally:
            shutil.rmtree(folder)
    print(f"\n{platform.system()} {platform.release()}, {processor()}\n")
    print(table)
    if table.missed:
        sys.exit(f"Missed: {'; '.join(table.missed)}")


if __name__ == "__main__":
    main()
