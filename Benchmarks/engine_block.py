"""The cost of one block of the engine in Node, as a share of the time that it lasts."""

import re
import subprocess

from studio import ROOT


def run(folder, table, short=False):
    output = subprocess.run(
        ["node", ROOT / "Tests" / "Engine" / "bench.mjs", ROOT / "dist" / "client" / "engine.wasm",
         "2000" if short else "100000"],
        capture_output=True, text=True, check=True).stdout
    cell = r"\s+(\S+ µs \(\S+ %\))"
    line = rf"^(.+?)\s+median{cell}\s+mean{cell}\s+99\.9 %{cell}\s+worst{cell}$"
    for name, median, mean, late, worst in re.findall(line, output, re.M):
        table.add(
            f"{name}: 128 frames in Node (share of 2.67 ms)",
            f"median {median}, mean {mean}, 99.9 % {late}, worst {worst}")
