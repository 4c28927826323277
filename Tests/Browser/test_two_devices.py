"""Two browsers that edit apart from each other end in the same state, through the real server."""

import json
import os
import subprocess
import time

from studio import ROOT

ROUNDS = int(os.environ.get("SEGMANCE_ROUNDS", "200"))


def test_two_devices_edit_offline_and_come_back_in_either_order(server, tmp_path):
    script = tmp_path / "rounds.mjs"
    subprocess.run(
        ["esbuild", ROOT / "Tests/Browser/sync/rounds.ts", "--bundle", "--platform=node",
         "--format=esm", "--log-level=warning", f"--outfile={script}"], check=True)
    began = time.monotonic()
    done = subprocess.run(
        ["node", script, server.origin, str(ROUNDS), "7"], capture_output=True, text=True,
        timeout=300)
    assert done.returncode == 0, done.stderr[-4_000:]
    told = json.loads(done.stdout)
    print(told, f"{time.monotonic() - began:.1f} s")
    assert told["rounds"] == ROUNDS and told["requests"] > ROUNDS
