"""The families of tests: what each needs built, which tool runs it, and how much of the machine it takes."""

import os
from dataclasses import dataclass

from tools import Node, Pytest, SwiftTesting

#: Memory that a lane of browser tests may take: a browser, a server and ffmpeg.
LANE_BYTES = 1.5 * 2**30


def seats():
    """How much may run at once: a lane more than cores, as each waits at times, but no more than memory holds."""
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return int(os.environ.get("LANES") or max(1, min(cores + 1, memory // LANE_BYTES)))


@dataclass(frozen=True)
class Family:
    """Tests that one command runs. `builds` are targets of the Makefile, `seats` its share of the machine."""
    name: str
    tool: object
    builds: tuple = ()
    seats: int = 1


LANES = seats()
DETERMINISTIC = "not timed and not long"
# The database itself, and what relies on how it orders and locks.
DATABASE = "DatabaseTests|LibraryMigration|Histories|SharedServers|ServingWatch"
# What of the server asks the database most, besides.
DATABASE_ROUTES = "SyncRoutesTests|People|Link|JobRunner|TransactionSpan|Device|SignIn|Account|BackupTests"


def on_postgresql(chosen):
    """Tests whose libraries are in a PostgreSQL server, which is started for them."""
    return SwiftTesting(
        filter=chosen, before=("scripts/with-postgresql",), environment=(("SEGMANCE_LINK_HISTORIES", "200"),))


SWIFT = Family(
    "swift", SwiftTesting(sources=("Tests/*Tests/**/*.swift", "Tests/Fuzz/ShortForm/*.swift")), ("build-tests",))
POSTGRESQL = Family("postgresql", on_postgresql(DATABASE), ("build-tests",))
POSTGRESQL_ROUTES = Family("postgresql-routes", on_postgresql(DATABASE_ROUTES), ("build-tests",))
# HTTP, where requests meet threads: a data race shows in no other test.
SANITIZED = Family("sanitized", SwiftTesting(build=".build/http-tsan/debug"), ("build-sanitized",))
CLIENT = Family("client", Node("client", ("client/tests/**/*.test.ts",)), ("build-client-tests",))
ENGINE = Family(
    "engine", Node("engine", ("Tests/Engine/*", "Tests/Counts/*", "Tests/Practice/*")), ("vectors", "wasm"))
TRIALS = Family("trials", Pytest(("Tests/Torture", "Tests/Benchmarks"), DETERMINISTIC), ("build",))
RUNNER = Family("runner", Pytest(("Tests/Runner",)))
# All others run beside it, one after the other, and together they take about as long.
SHARE = max(1, LANES - 1)
BROWSER = Family(
    "browser", Pytest(("Tests/Browser",), DETERMINISTIC, lanes=SHARE, has_screen=True), ("build",), SHARE)

#: In the order in which they begin.
FAMILIES = [BROWSER, SWIFT, POSTGRESQL, CLIENT, ENGINE, TRIALS, POSTGRESQL_ROUTES, SANITIZED, RUNNER]

# One after the other: they share the bucket.
BUCKET = [f"Tests/Browser/test_{name}.py" for name in ("s3", "bucket", "derived_bucket", "shared", "standby")]
ON_SWIFT = (".venv/bin/python", "Tests/Torture/swift_server.py", "run")

#: What `make test-long` runs besides, one after the other.
LONG = [
    Family("long", Pytest(("Tests/Browser", "Tests/Torture"), "long", has_screen=True), ("setup-long", "build"), LANES),
    Family("s3", Pytest(tuple(BUCKET), "not timed", has_screen=True, before=ON_SWIFT), ("setup-long", "build"), LANES),
]


def chosen(only):
    """Returns families and, for each, the part of names that is looked for, None for all of its tests.

    ONLY is a family, a part of tests' names or files, or both: `postgresql: SharedServersTests`.
    """
    everything = {family.name: family for family in FAMILIES + LONG}
    if only in everything:
        return [(everything[only], None)]
    name, _, part = only.partition(": ")
    if name in everything and part:
        return [(everything[name], part)]
    parts = [(family, family.tool.part(only)) for family in FAMILIES + LONG[1:]]
    return [(family, part) for family, part in parts if part]
