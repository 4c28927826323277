"""Servers that share a library, through the whole program: PostgreSQL, and moto that speaks S3."""

import json
import subprocess
import threading

import pytest
from servers_support import CHUNKS, shared_library, titles, write
from studio import PROGRAM, eventually, noise, song

LAN = ["--lan", "--lan-host", "127.0.0.1", "--lan-port", "0"]


@pytest.fixture
def library(tmp_path, postgresql, monkeypatch):
    with shared_library(tmp_path, postgresql, monkeypatch, "--shared") as library:
        yield library


def errors(server):
    return [entry for entry in map(json.loads, server.log.read_text().splitlines()) if entry["level"] == "error"]


def test_each_of_two_servers_serves_what_the_other_one_took(library):
    first, second = library.start(), library.start()
    routine = write(first, "Swan")
    assert titles(second) == {routine: "Swan"}
    music = song(12)
    track = first.add("track", "swan.wav", music)
    played = first.request("GET", CHUNKS.format(track["id"]))
    assert played[0] == 200
    assert second.request("GET", CHUNKS.format(track["id"])) == played
    assert second.request("GET", f"/api/tracks/{track['id']}/original") == (200, music)
    other = second.add("track", "lake.wav", song(9))
    assert first.request("GET", f"/api/tracks/{other['id']}/original") == (200, song(9))
    first.stop()
    second.stop()
    assert errors(first) == errors(second) == []


def test_an_upload_goes_on_at_whichever_server_is_asked(library):
    servers = [library.start(), library.start()]
    music = song(12, seed=2)
    location = servers[0].begin_upload(len(music), "swan.wav")
    step = len(music) // 5 + 1
    for number, offset in enumerate(range(0, len(music), step)):
        server = servers[number % 2]
        assert server.uploaded(location) == offset
        assert server.send_piece(location, music[offset:offset + step], offset).status == 204
    status, content = servers[1].request("POST", "/api/tracks", {"upload": location.rsplit("/", 1)[1]})
    assert status == 202, content
    track = json.loads(content)["id"]
    eventually(lambda: servers[0].records("track")[0]["state"], lambda state: state == "ready", 60)
    assert servers[0].request("GET", f"/api/tracks/{track}/original") == (200, music)
    # A repeated request, whose answer was lost, finds the same song at the other server.
    status, again = servers[0].request("POST", "/api/tracks", {"upload": location.rsplit("/", 1)[1]})
    assert (status, json.loads(again)["id"]) == (202, track)


def test_the_job_of_a_killed_server_is_done_by_another_one(library):
    first, second = library.start(), library.start()
    upload = first.upload(noise(240), "long.wav")
    status, content = first.request("POST", "/api/tracks", {"upload": upload})
    assert status == 202
    job = json.loads(content)["job"]
    runs = "SELECT count(*) FROM job WHERE state = 'running'"
    eventually(lambda: library.query(runs), lambda count: count == "1")
    runner = next(server for server in (first, second) if server.events("job.started"))
    other = second if runner is first else first
    runner.kill()
    eventually(lambda: other.records("track")[0]["state"], lambda state: state == "ready", 90)
    assert [entry["fields"]["job"] for entry in other.events("job.done")][0] == job


def test_a_code_of_one_server_pairs_at_the_other_one_and_people_are_known_at_both(library):
    first, second = library.start(*LAN), library.start(*LAN)
    person = json.loads(first.request("POST", "/api/people", {"name": "Ana", "colour": "#248f36"})[1])["id"]
    people = json.loads(second.request("GET", "/api/people")[1])["people"]
    assert "Ana" in [known["name"] for known in people]
    code = json.loads(first.request("POST", "/api/pairings", {"person": person})[1])["token"]
    assert json.loads(second.request("GET", f"/api/pairings/{code}")[1])["person"]["name"] == "Ana"


def test_one_server_after_the_other_is_replaced_without_a_gap(library):
    first, second = library.start(), library.start()
    routine = write(first, "Swan")
    over, refused = threading.Event(), []

    def ask():
        while not over.is_set():
            if (seen := titles(second)) != {routine: "Swan"}:
                refused.append(seen)

    asking = threading.Thread(target=ask)
    asking.start()
    first.stop()
    third = library.start(folder=first.folder)
    assert titles(third) == {routine: "Swan"}
    over.set()
    asking.join()
    assert refused == []
    second.stop()
    write(third, "Lake")


def test_what_one_exports_the_other_one_sends(library):
    first, second = library.start(), library.start()
    track = first.add("track", "swan.wav", song(9))
    order = {"format": "wav", "clips": [{"track": track["id"], "start": 0, "end": 48_000, "title": "A"}]}
    status, content = first.request("POST", "/api/exports", order)
    assert status == 202, content
    job = json.loads(content)["job"]
    state = lambda: json.loads(second.request("GET", f"/api/jobs/{job}")[1])["state"]
    eventually(state, lambda state: state == "done")
    zips = [server.request("GET", f"/api/exports/{job}") for server in (first, second)]
    assert zips[0] == zips[1] and zips[0][0] == 200 and zips[0][1].startswith(b"PK")


def test_a_song_that_is_removed_at_one_and_added_at_the_other_is_there(library):
    first, second = library.start(), library.start()
    music = song(9, seed=3)
    for number in range(6):
        (first if number % 2 else second).add("track", "swan.wav", music)
        track = first.records("track")[0]["id"]
        remover = (second if number % 2 else first)
        assert remover.request("DELETE", f"/api/tracks/{track}")[0] in (200, 204)
    track = second.add("track", "swan.wav", music)
    for server in (first, second):
        assert server.request("GET", f"/api/tracks/{track['id']}/original") == (200, music)


def test_who_wants_the_library_alone_is_refused_while_others_share_it(library, tmp_path):
    library.start()
    addresses = ["--database", library.database, "--blobs", library.bucket.address]
    alone = subprocess.run(
        [PROGRAM, "serve", "--port", "0", "--data", tmp_path / "alone", *addresses],
        capture_output=True, text=True, timeout=60)
    assert alone.returncode == 1 and "has this library open" in alone.stderr
    for options, words in [
        (["--shared"], "--database"), (["--shared", "--standby", *addresses], "exclude each other"),
    ]:
        refused = subprocess.run(
            [PROGRAM, "serve", "--port", "0", "--data", tmp_path / "wrong", *options],
            capture_output=True, text=True, timeout=60)
        assert refused.returncode != 0 and words in refused.stderr
