"""The interface against its own description: schemathesis sends what the description allows and
what it does not; nothing may end in a server's fault or in an answer that is not described."""

import os
import pathlib
import subprocess
import sys

import rig


def run(program, folder, examples, seed=1):
    """Tries `examples` requests at each operation."""
    with rig.Server(program, folder / f"interface-{seed}") as server:
        result = subprocess.run(
            [str(pathlib.Path(sys.executable).parent / "schemathesis"), "run",
             f"{server.origin}/api/openapi.json", "--checks",
             "not_a_server_error,status_code_conformance,content_type_conformance,"
             "response_schema_conformance",
             "--header", f"Origin: {server.origin}", "--max-examples", str(examples),
             "--seed", str(seed), "--exclude-path", "/api/events", "--request-timeout", "20",
             "--suppress-health-check", "all", "--no-color", "--generation-database", "none"],
            capture_output=True, text=True, cwd=folder,
            env={**os.environ, "SCHEMATHESIS_HOOKS": "interface_hooks",
                 "PYTHONPATH": str(pathlib.Path(__file__).parent)})
        rig.holds(server.process.poll() is None, "The server ended.")
    rig.holds(result.returncode == 0, result.stdout[-6000:] + result.stderr[-500:])
    return next(
        (line.strip() for line in reversed(result.stdout.splitlines()) if "generated" in line), "")
