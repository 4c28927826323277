"""Clients that drip: a new request is answered within a second during hundreds of them."""

import http.client
import subprocess
import time

import rig

# Headers, bodies and readers, each at a pace that keeps a connection alive for ever if it can.
ATTACKS = {
    "headers": ["-H", "-i", "1"],
    "bodies": ["-B", "-i", "1", "-s", "8192", "-t", "POST", "-u"],
    "readers": ["-X", "-w", "512", "-y", "1024", "-n", "1", "-z", "32", "-k", "3", "-u"],
}


def run(program, folder, seconds, seed=1, sockets=400, answer_within=1.0):
    """Attacks a server for `seconds` with each kind of client."""
    worst = {}
    for name, words in ATTACKS.items():
        with rig.Server(program, folder / f"slow-{name}") as server:
            words = [*words] + ([] if "-u" in words else ["-u"])
            path = "/api/sync" if name == "bodies" else "/app.js"
            attack = subprocess.Popen(
                ["slowhttptest", *words, f"{server.origin}{path}", "-c", str(sockets), "-r", "400",
                 "-l", str(seconds + 5), "-p", "3"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                time.sleep(2)
                rig.holds(
                    attack.poll() is None or name == "readers", "The attack did not begin.")
                worst[name] = 0.0
                ends = time.monotonic() + seconds
                while time.monotonic() < ends:
                    worst[name] = max(worst[name], answer(server))
                    time.sleep(0.1)
            finally:
                attack.kill()
                attack.wait()
            rig.holds(
                worst[name] < answer_within,
                f"A request took {worst[name]:.2f} s during {sockets} slow {name}.")
    return "worst answer: " + ", ".join(f"{one * 1000:.0f} ms ({name})" for name, one in worst.items())


def answer(server):
    """Seconds that a new request takes, on a connection of its own."""
    started = time.monotonic()
    connection = http.client.HTTPConnection("localhost", server.port, timeout=20)
    try:
        connection.request("GET", "/api/health")
        rig.holds(connection.getresponse().status == 200, "Health is not well.")
    except (OSError, http.client.HTTPException) as error:
        raise rig.Violation(f"A new request got no answer: {error!r}") from error
    finally:
        connection.close()
    return time.monotonic() - started
