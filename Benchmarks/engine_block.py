"""The cost of one block of the engine in Node, as a share of the time that it lasts."""

import re
import subprocess

from studio import ROOT


def run(folder, table):
    output = subprocess.run(
        ["node", ROOT / "Tests" / "Engine" / "bench.mjs", ROOT / "dist" / "client" / "engine.wasm"],
        capture_output=True, text=True, check=True).stdout
    for name, median, worst in re.findall(
            r"^(.+?)\s+median\s+(\S+ µs \(\S+ %\)).*worst\s+(\S+ µs \(\S+ %\))$", output, re.M):
        table.add(f"{name}: 128 frames in Node (share of 2.67 ms)", f"median {median}, worst {worst}")
