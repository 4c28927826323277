"""The interface against its own description: schemathesis sends what the description allows and
what it does not; nothing may end in a server's fault or in an answer that is not described."""

import json
import os
import pathlib
import subprocess
import sys
import uuid

import rig

CHECKS = ("not_a_server_error,status_code_conformance,content_type_conformance,"
          "response_schema_conformance")
# So few examples are for what fuzzing alone tells.
FEW = 5


def run(program, folder, examples, seed=1):
    """Tries `examples` requests at each operation, most of them at things that are there."""
    with rig.Server(program, folder / f"interface-{seed}") as server:
        phases = "fuzzing" if examples < FEW else "coverage,fuzzing,stateful"
        result = subprocess.run(
            [str(pathlib.Path(sys.executable).parent / "schemathesis"), "run",
             f"{server.origin}/api/openapi.json", "--checks", CHECKS, "--phases", phases,
             "--header", f"Origin: {server.origin}", "--max-examples", str(examples),
             "--seed", str(seed), "--exclude-path", "/api/events", "--request-timeout", "20",
             "--suppress-health-check", "all", "--no-color", "--generation-database", "none"],
            capture_output=True, text=True, cwd=folder,
            env={**os.environ, "SCHEMATHESIS_HOOKS": "interface_hooks",
                 "SEGMANCE_KNOWN": json.dumps(known(server)),
                 "PYTHONPATH": str(pathlib.Path(__file__).parent)})
        rig.holds(server.process.poll() is None, "The server ended.")
    faults = server.faults()
    rig.holds(not faults, f"Faults in the log: {faults[:3]}")
    report = result.stdout.split("=== WARNINGS ===")[0].split("=== FAILURES ===")[-1]
    if result.returncode != 0 and "=== FAILURES ===" not in result.stdout:
        raise SystemExit(f"Schemathesis could not do its work: {result.stdout}{result.stderr}")
    rig.holds(result.returncode == 0, report[-3000:])
    return next(
        line.strip() for line in reversed(result.stdout.splitlines()) if "generated" in line)


def known(server):
    """Makes one of everything; returns the ids by the first word of their addresses."""
    status, content = server.request("POST", "/api/sample")
    rig.holds(status == 202, f"The sample was answered with {status}.")
    sample = json.loads(content)
    rig.wait_for_jobs(server)
    part = str(uuid.UUID(int=7, version=4))
    edit = rig.change(
        "part", part, {"routine": sample["routine"], "title": "Part", "position": "V"})
    server.request("POST", "/api/sync", {"since": 0, "changes": [edit]})
    status, content = server.request(
        "POST", "/api/exports",
        {"clips": [{"track": sample["track"], "start": 0, "end": 48_000}], "format": "wav"})
    rig.holds(status == 202, f"The export was answered with {status}.")
    return {
        "tracks": [sample["track"]], "routines": [sample["routine"]], "jobs": [sample["job"]],
        "exports": [json.loads(content)["job"]], "records": [sample["routine"]]}
