"""Clients that drip: a new request is answered within a second during hundreds of them."""

import http.client
import os
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
    worst, most = {}, {}
    for name, words in ATTACKS.items():
        with rig.Server(program, folder / f"slow-{name}") as server:
            words = [*words] + ([] if "-u" in words else ["-u"])
            path = "/api/sync" if name == "bodies" else "/app.js"
            attack = subprocess.Popen(
                ["slowhttptest", *words, f"{server.origin}{path}", "-c", str(sockets), "-r", "400",
                 "-l", str(seconds + 25), "-p", "3"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                most[name] = rig.studio.last_seen(
                    lambda: open_sockets(server), lambda seen: seen >= sockets * 0.9, 8)
                worst[name] = 0.0
                ends = time.monotonic() + seconds
                while time.monotonic() < ends:
                    worst[name] = max(worst[name], answer(server))
                    most[name] = max(most[name], open_sockets(server))
                    time.sleep(0.1)
            finally:
                attack.kill()
                attack.wait()
            rig.holds(
                worst[name] < answer_within,
                f"A request took {worst[name]:.2f} s during {most[name]} slow {name}.")
            rig.holds(
                most[name] >= sockets * 0.9, f"Only {most[name]} slow {name} were there at once.")
    return "worst answer: " + ", ".join(
        f"{worst[name] * 1000:.0f} ms during {most[name]} {name}" for name in ATTACKS)


def open_sockets(server):
    """How many sockets the server holds."""
    folder, count = f"/proc/{server.process.pid}/fd", 0
    for name in os.listdir(folder):
        try:
            count += os.readlink(f"{folder}/{name}").startswith("socket:")
        except FileNotFoundError:
            pass
    return count


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
