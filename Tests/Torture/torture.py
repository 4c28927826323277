"""Runs the trials: `make torture` (long). Each trial first runs against programs with a planted bug,
and must catch every bug before its result about the real program counts.

Use: torture.py [--only NAME…] [--share PERCENT] [--without-planted]
"""

import argparse
import importlib
import pathlib
import sys
import tempfile
import time
from dataclasses import dataclass

import planted
import rig

PROGRAM = rig.ROOT / "dist" / "segmance"


@dataclass(frozen=True)
class Trial:
    """A trial, with its number of runs in `make torture`, in `make test` (0: none), and until a bug must be caught."""
    name: str
    promise: str
    long: int
    short: int
    until_caught: int = 0
    bugs: tuple = ()


TRIALS = [
    Trial("kills", "nothing acknowledged is lost by kill -9, no record lacks its file",
          1000, 4, 30, ("answer-before-commit", "record-before-blob")),
    Trial("remote_stores",
          "nothing acknowledged is lost by faults of PostgreSQL, the bucket and the networks, nor by a failover",
          300, 6, 20, ("answer-before-commit", "commit-not-awaited", "second-server-let-in",
                       "record-before-object", "object-kept")),
    Trial("swift_stores", "the same, with OpenStack Swift as the bucket's server (never short: it needs a package)",
          60, 0, 20, ("record-before-object", "object-kept")),
    Trial("shared_servers",
          "servers that share a library lose nothing acknowledged, answer alike, and let nobody in who was turned away",
          300, 2, 40, ("others-not-awaited",)),
    # It builds a program, which takes minutes.
    Trial("rolling_upgrade",
          "servers that share a library are replaced by a later version without a gap, and lose nothing",
          10, 0, 2, ("later-schema-let-in", "all-columns-read")),
    Trial("system_calls", "bytes, folders and records are synced before anything speaks of them",
          200, 3, 6, ("upload-not-synced", "blob-not-synced", "shelf-not-synced",
                      "row-not-synced", "answer-before-commit", "unlink-before-commit")),
    Trial("disk_full", "a full disk is a clear error, and all works again once there is room",
          100, 1, 10, ("swallowed-failure", "scraps-kept", "refused-for-good", "wordless-end")),
    Trial("disk_faults", "a failing disk gets no false acknowledgement",
          500, 1, 10,
          ("swallowed-failure", "write-failure-swallowed", "sync-failure-swallowed")),
    Trial("hostile_media", "mangled songs and videos are taken or refused with a sentence",
          10_000, 12, 60, ("crash-on-refusal", "half-a-video-kept")),
    Trial("interface", "no request gets a server's fault or an answer that is not described",
          100, 2, 10, ("undescribed-answer", "fault-for-nothing", "anything-is-a-number")),
    Trial("access", "no stranger, no device that was turned away and no other site comes in",
          50, 1, 1, ("route-left-open", "methods-told", "raw-path", "mark-hides-slash",
                     "device-as-owner", "revoked-comes-in", "revoked-after-restart",
                     "revoked-listens", "host-by-prefix", "write-from-elsewhere",
                     "read-from-elsewhere")),
    Trial("slow_clients", "400 slow sockets hold no request up for 1 s, and are closed (seconds)",
          100, 2, 85, ("few-connections", "no-share-for-others", "patient-with-headers",
                       "patient-with-bodies", "patient-with-streams", "patient-with-silence")),
    Trial("sync_histories", "devices and a server that fall end in the same copies, no edit lost",
          10_000, 40, 200, ("first-of-a-millisecond", "one-change-a-record", "news-untold")),
    Trial("soak", "mixed load leaves nothing open or lying about, nor grows or slows (seconds)",
          7200, 5, 90, ("descriptor-kept", "answer-kept")),
]


def attempt(trial, program, count, seed=1):
    """Runs a trial in a new folder; returns its summary."""
    with tempfile.TemporaryDirectory(prefix=f"{trial.name}-") as folder:
        try:
            return importlib.import_module(trial.name).run(
                program, pathlib.Path(folder), count, seed)
        except rig.BROKEN as error:
            raise rig.Violation(f"The server gave no answer any more: {error!r}") from error


def catches(trial, bug):
    """Returns the violation that a trial reports for a planted bug, otherwise None. With the bug None, the
    program is built in the same way without a bug."""
    program = planted.build(bug)
    try:
        attempt(trial, program, trial.until_caught)
    except rig.Violation as violation:
        lines = [line for line in str(violation).splitlines() if any(map(str.isalpha, line))]
        return lines[-1].strip()[:160]
    return None


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--only", nargs="+", choices=[trial.name for trial in TRIALS])
    words.add_argument("--share", type=float, default=100, help="percent of the long form")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--without-planted", action="store_true")
    chosen = words.parse_args()
    failures = 0
    for trial in TRIALS:
        if chosen.only and trial.name not in chosen.only:
            continue
        print(f"{trial.name}: {trial.promise}", flush=True)
        if not chosen.without_planted and trial.bugs:
            # A violation without a planted bug would make the other results worthless.
            mistaken = catches(trial, None)
            print(f"  nothing planted: {'BROKEN: ' + mistaken if mistaken else 'holds'}", flush=True)
            failures += mistaken is not None
        for bug in () if chosen.without_planted else trial.bugs:
            caught = catches(trial, bug)
            print(f"  planted {bug}: {'caught: ' + caught if caught else 'NOT CAUGHT'}", flush=True)
            failures += caught is None
        started = time.monotonic()
        try:
            said = attempt(trial, PROGRAM, max(1, round(trial.long * chosen.share / 100)),
                           chosen.seed)
        except rig.Violation as violation:
            said = f"BROKEN: {violation}"
            failures += 1
        print(f"  {said} ({time.monotonic() - started:.0f} s)", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
