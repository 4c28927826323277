"""Random histories of several devices and a crashing server: identical copies, no lost edit.

The devices are the client's own libraries, in Node; `sync/histories.ts` moves them.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess

import rig

SOURCE = pathlib.Path(__file__).parent / "sync" / "histories.ts"


def run(program, folder, count, seed=1):
    """Plays `count` histories; raises at the first different copy or lost edit."""
    script, libraries = folder / "histories.mjs", folder / "histories"
    subprocess.run(
        ["esbuild", SOURCE, "--bundle", "--platform=node", "--format=esm", "--log-level=warning",
         f"--outfile={script}"], check=True)
    libraries.mkdir()
    process = subprocess.Popen(
        ["node", script, str(program), str(libraries), str(count), str(seed)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        said, complaint = process.communicate(timeout=120 + 5 * count)
    except subprocess.TimeoutExpired as error:
        raise rig.Violation("A history never ended.") from error
    finally:
        # The started servers belong to the same process session.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
    rig.holds(process.returncode == 0, complaint[-2000:])
    shutil.rmtree(libraries)
    told = json.loads(said)
    rig.holds(told["histories"] == count, f"Only {told['histories']} histories were played.")
    return (
        f"{count:,} histories, {told['requests']:,} requests, {told['late']:,} of them late, "
        f"{told['falls']:,} falls of the server, {told['fields']:,} fields as last set")
