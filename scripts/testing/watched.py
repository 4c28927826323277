"""What `make test` runs only if something that it watches has changed since `make test-long` last passed.

These tests are expensive, and what they would find is rarely there: short forms of benchmarks prove that scripts
run, some trials and the bucket's tests look at a few folders, the thread sanitizer at HTTP. The file
Tests/last-long-run names the commit at which `make test-long` has run all of them; it stands in the tree, so that
a fresh clone decides as this one. Without history, or where that commit is no ancestor, everything runs.
"""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAST_LONG_RUN = "Tests/last-long-run"

HTTP = ("Sources/HTTP", "Sources/HTTPTesting", "Sources/Logging", "Sources/Text", "Sources/CMicrohttpd", "Sources/CZlib")
RECORDS = ("Sources/Database", "Sources/CSQLite", "Sources/CPostgreSQL", "Sources/Locking")
STORES = ("Sources/Storage", "Sources/HTTPClient", "Sources/CCurl", "Sources/CNettle")
SHARED = ("Sources/Server/Sharing", "Sources/Server/Standby")
LIBRARY = ("Sources/Server/Library", "Sources/Server/Upkeep", "Sources/Server/Jobs")
SOUND = ("Sources/Analysis", "Sources/CBeatWeights")
ENGINE = ("Sources/PracticeEngine", "Sources/PracticeEngineWasm", "Sources/Counts", "client/src/worklet", "client/src/audio")
RIG = ("Tests/Torture/rig.py", "Tests/Torture/torture.py", "Tests/Torture/test_trials.py")

BUCKET = (*STORES, *SHARED, *RECORDS, "Sources/Server/Library", "Tests/Browser/bucket_support.py",
          "Tests/Browser/servers_support.py", "Tests/Torture/object_server.py")


def bench(*paths):
    """What a benchmark's short form watches: the scripts, and what it measures."""
    return ("Benchmarks", "Tests/Benchmarks", *paths)


def trial(*paths):
    """What a trial's short form watches besides its own files."""
    return (*RIG, *paths)


TRIALS = {
    "remote_stores": trial(*STORES, *RECORDS, *LIBRARY, "Tests/Torture/remote", "Tests/Torture/object_server.py",
                           "Tests/Torture/postgresql_cluster.py", "Tests/Torture/network_proxy.py"),
    "shared_servers": trial(*SHARED, *STORES, *RECORDS, *LIBRARY, "Tests/Torture/shared", "Tests/Torture/remote",
                            "Tests/Torture/object_server.py", "Tests/Torture/postgresql_cluster.py"),
    "disk_full": trial("Sources/Storage", "Sources/Database", *LIBRARY, "Tests/Torture/disk_full.py"),
    "disk_faults": trial("Sources/Storage", "Sources/Database", *LIBRARY, "Tests/Torture/disk_faults.py"),
    "soak": trial(*HTTP, *LIBRARY, "Sources/Server/Routes", "Sources/Server/SegmanceServer.swift", "Tests/Torture/soak.py"),
}

BENCHMARKS = {
    "media": bench("Sources/Media", *SOUND),
    "exports": bench("Sources/Media", "Sources/Server/Export", "Sources/Storage/ZipArchive.swift"),
    "sync": bench("Sources/Database", "Sources/Model", "Sources/Server/Routes"),
    "database": bench(*RECORDS),
    "federation": bench(*RECORDS, "Sources/Server/People"),
    "federation-largest": bench(*RECORDS, "Sources/Server/People"),
    "federation-servers": bench(*RECORDS, *SHARED, "Sources/Server/People"),
    "http": bench(*HTTP),
    "read": bench(*HTTP, "Sources/Server/Routes", "Sources/Database"),
    "engine": bench(*ENGINE, "Tests/Engine"),
    "worklet": bench(*ENGINE),
    "start": bench("Sources/Server/SegmanceServer.swift", "Sources/segmance"),
    "visit": bench("client/src/app", "client/src/serviceWorker", "client/build.mjs"),
    "scale": bench("client/src/sync", "client/src/routines", "client/src/routinePage"),
    "log": bench("client/src/practiceLog", "client/src/practice", "Sources/Practice"),
    "wave": bench("client/src/clipper"),
    "size": bench("client/build.mjs", "Makefile"),
    "onsets": bench(*SOUND),
    "cuts": bench(*SOUND),
    "beats": bench(*SOUND, "Training"),
    "practice": bench("Sources/Practice", "Tests/PracticeTrial"),
    "align": bench(*SOUND),
    "video": bench("Sources/Media"),
    "lead": bench("client/src/lead", "Sources/Server/Remote"),
}

#: The beginning of a test's name, or a family's name, and the paths (or beginnings of paths) that it watches.
WATCHED = {
    "runner": ("scripts/testing", "Tests/Runner", "Tests/conftest.py"),
    "sanitized": (*HTTP, "Sources/TestSupport", "Tests/HTTPTests", "Tests/LoggingTests", "Tests/Sanitizers"),
    "postgresql-routes": (*RECORDS, "Sources/Server/People", "Sources/Server/Links", "Sources/Server/Jobs",
                          "Sources/Server/Backup", "scripts/with-postgresql"),
    **{f"Tests/Browser/test_{name}.py": (*BUCKET, f"Tests/Browser/test_{name}.py")
       for name in ("bucket", "derived_bucket", "shared", "standby")},
    **{f"Tests/Torture/test_trials.py::test_a_trial_holds[{name}]": paths for name, paths in TRIALS.items()},
    **{f"Tests/Benchmarks/test_short_forms.py::test_short_form[{name}]": paths for name, paths in BENCHMARKS.items()},
}


def git(root, *words):
    """Returns what git says, or None where it fails or is missing."""
    try:
        ended = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return ended.stdout if ended.returncode == 0 else None


def long_run(root=ROOT):
    """Returns the commit at which `make test-long` last passed, if it is an ancestor of this one; None otherwise."""
    file = root / LAST_LONG_RUN
    if not file.exists():
        return None
    commit = file.read_text().split()[0]
    return commit if git(root, "merge-base", "--is-ancestor", commit, "HEAD") is not None else None


def changed_since(commit, root=ROOT):
    """Returns the files that differ from a commit, uncommitted and new ones too."""
    differing = git(root, "diff", "--name-only", "--no-renames", commit)
    new = git(root, "ls-files", "--others", "--exclude-standard")
    return {*differing.splitlines(), *new.splitlines()} - {LAST_LONG_RUN}


def left_out(root=ROOT, watched=None):
    """Returns what needs not run: the keys of `WATCHED` of which nothing has changed."""
    commit = long_run(root)
    if commit is None:
        return []
    changed = changed_since(commit, root)
    return [key for key, paths in (watched or WATCHED).items()
            if not any(file.startswith(paths) for file in changed)]
