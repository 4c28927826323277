"""Runs a command, and gathers all that it starts: what outlives its parent becomes a child of this process, so that
nothing of a family is left when it ends, and its processor time is known whole. Browsers leave such processes.

Use: gathered.py FILE COMMAND…     FILE gets {"kind": "processor", "seconds": …} (see results.py)
"""

import ctypes
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys

PR_SET_CHILD_SUBREAPER = 36


def children():
    """The processes that are children of this one now."""
    return [int(pid) for pid in pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def end_all():
    """Kills all that is left. What is killed leaves orphans of its own."""
    while left := children():
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        for _ in left:
            os.wait()


def main():
    file, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    process = subprocess.Popen(command)
    try:
        # An orphan that ends is waited for as well.
        while True:
            pid, status = os.wait()
            if pid == process.pid:
                return os.waitstatus_to_exitcode(status) % 256
    finally:
        end_all()
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(file, "a") as events:
            events.write(json.dumps({"kind": "processor", "seconds": usage.ru_utime + usage.ru_stime}) + "\n")


if __name__ == "__main__":
    sys.exit(main())
