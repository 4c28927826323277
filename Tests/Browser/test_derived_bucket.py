"""What is made of songs and videos in a bucket, through the whole program: moto speaks S3."""

import json
import re
import shutil
import threading
import uuid

import pytest
from studio import Server, eventually, song
from test_bucket import bucket, chunk, files, library, segmance, serve, sha256  # noqa: F401 (two are fixtures)
from test_people import add_person, asked, make_group, share
from video_support import video_file

CHUNKS = "/api/tracks/{}/chunks/{}"


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log"
    path.touch()
    return path


def jobs(log, since=0):
    """The kinds of the jobs that were started."""
    return re.findall(r"job\.started .*kind=(\w+)", log.read_text()[since:])


def add_song(server, bucket, name="swan.wav", seconds=12, seed=1):
    """Adds a song, and waits until it is analysed."""
    track = server.add("track", name, song(seconds, seed=seed))
    address = f"/api/tracks/{track['id']}/analysis"
    eventually(lambda: server.request("GET", address)[0], lambda status: status == 200, 60)
    eventually(
        bucket.derived, lambda found: any(name.startswith(f"{track['id']}/analysis") for name in found))
    return track


def sounds(server, track, count=2):
    return [server.request("GET", CHUNKS.format(track["id"], number)) for number in range(count)]


def forget(library):
    for folder in ("blob-cache", "derived"):
        shutil.rmtree(library / folder)


def test_an_empty_folder_prepares_nothing_again(bucket, library, log):
    clip, name = video_file(2, encoder="mpeg4").read_bytes(), song(1)
    with serve(bucket, library, log=log) as server:
        track = add_song(server, bucket)
        video = server.add("video", "turn.mp4", clip)
        recording = server.add("recording", "turn.wav", name)
        addresses = [CHUNKS.format(track["id"], number) for number in (0, 1)] + [
            f"/api/tracks/{track['id']}/peaks?framesPerPixel=64", f"/api/tracks/{track['id']}/analysis",
            f"/api/videos/{video['id']}/file", f"/api/videos/{video['id']}/poster",
            f"/api/recordings/{recording['id']}/voice"]
        before = [server.request("GET", address) for address in addresses]
        assert {status for status, _ in before} == {200}
        stored = bucket.derived()
        assert {f"{video['id']}/video.mp4", f"{video['id']}/poster.jpg", f"{recording['id']}/voice.wav",
                f"{track['id']}/00000.flac", f"{track['id']}/00001.flac", f"{track['id']}/peaks.dat"} <= set(stored)
    forget(library)
    mark = len(log.read_text())
    with serve(bucket, library, log=log) as server:
        assert [server.request("GET", address) for address in addresses] == before
        tags = [server.request("HEAD", address) for address in addresses]
        # What is here is read without the bucket.
        bucket.stop()
        assert [server.request("GET", address) for address in addresses] == before
        assert tags == [server.request("HEAD", address) for address in addresses]
        bucket.start()
    assert jobs(log, mark) == []
    assert segmance("check", "--deep", "--data", library).stdout.count("damaged") == 0


def test_a_library_whose_folder_has_all_of_it_sends_it_by_itself(bucket, library, log):
    with Server(library) as server:
        tracks = [server.add("track", f"{name}.wav", song(12, seed=seed)) for seed, name in enumerate("ab")]
        before = [sounds(server, track) for track in tracks]
        for track in tracks:
            eventually(lambda: server.request("GET", f"/api/tracks/{track['id']}/analysis")[0], lambda status: status == 200)
    with serve(bucket, library, log=log) as server:
        eventually(lambda: "derived.moved count=2" in log.read_text(), bool)
        made = {str(path.relative_to(library / "derived")): path.stat().st_size
                for path in (library / "derived").rglob("*.*")}
        assert bucket.derived() == made and len(made) == 8
    forget(library)
    with serve(bucket, library, log=log) as server:
        assert [sounds(server, track) for track in tracks] == before
    assert jobs(log) == []


def test_removal_and_sweep_delete_what_has_no_record_and_nothing_else(bucket, library):
    with serve(bucket, library) as server:
        track, other = add_song(server, bucket), add_song(server, bucket, seed=2)
        assert server.request("DELETE", f"/api/tracks/{track['id']}")[0] == 204
        eventually(
            lambda: {name.split("/")[0] for name in bucket.derived()}, lambda found: found == {other["id"]})
    kept = bucket.derived()
    lost = uuid.uuid4()
    for name in (f"derived/{lost}/00000.flac", "derived/notes.txt"):
        bucket.client.put_object(Bucket="songs", Key=f"studio/{name}", Body=b"x")
    with serve(bucket, library):
        eventually(bucket.derived, lambda found: found == {**kept, "notes.txt": 1})


@pytest.mark.parametrize("fault", ["missing", "damaged"])
def test_what_the_bucket_lost_is_told_and_prepared_again(bucket, library, log, fault):
    with serve(bucket, library, log=log) as server:
        track = add_song(server, bucket)
        before = sounds(server, track)
    forget(library)
    key = f"studio/derived/{track['id']}/00001.flac"
    with serve(bucket, library, log=log) as server:
        assert chunk(server, track) == before[0][1]
        mark = len(log.read_text())
        if fault == "missing":
            bucket.client.delete_object(Bucket="songs", Key=key)
        else:
            size = bucket.derived()[f"{track['id']}/00001.flac"]
            bucket.client.put_object(Bucket="songs", Key=key, Body=b"x" * size)
        checked = segmance("check", "--deep", "--data", library)
        assert checked.returncode == 1 and ("lacks 1 of 2" if fault == "missing" else "damaged in the bucket") in checked.stdout
        status, content = server.request("GET", CHUNKS.format(track["id"], 1))
        assert status == 503 and "prepared again" in json.loads(content)["detail"], content
        eventually(lambda: sounds(server, track), lambda found: found == before, 60)
        eventually(lambda: jobs(log, mark), lambda found: found == ["renew", "analyse"])
        assert "derived.lost" in log.read_text()
        # There is no such chunk, and no job is made for it.
        assert server.request("GET", CHUNKS.format(track["id"], 2))[0] == 404
    assert segmance("check", "--deep", "--data", library).returncode == 0


def test_without_the_bucket_what_is_not_here_gets_503_and_comes_later(bucket, library, log):
    with serve(bucket, library, log=log) as server:
        track = add_song(server, bucket)
        before = sounds(server, track)
    forget(library)
    with serve(bucket, library, log=log) as server:
        assert chunk(server, track) == before[0][1]
        bucket.stop()
        assert chunk(server, track) == before[0][1]
        status, content = server.request("GET", CHUNKS.format(track["id"], 1))
        assert status == 503 and "Nothing is lost" in json.loads(content)["detail"]
        bucket.start()
        assert sounds(server, track) == before


def test_a_job_ends_when_the_bucket_is_back(bucket, library, log):
    with serve(bucket, library, log=log) as server:
        held = bucket.hold("PUT", "/derived/")
        upload = server.upload(song(12), "swan.wav")
        assert server.request("POST", "/api/tracks", {"upload": upload})[0] == 202
        assert held.wait(20)
        bucket.stop()
        eventually(lambda: "job.putOff" in log.read_text(), bool)
        [track] = server.records("track")
        assert track["state"] == "importing"
        bucket.release()
        bucket.start()
        eventually(lambda: server.records("track")[0]["state"], lambda state: state == "ready", 60)
        eventually(bucket.derived, lambda found: f"{track['id']}/peaks.dat" in found)
        assert {status for status, _ in sounds(server, track)} == {200}


def test_a_song_that_is_prepared_again_waits_for_the_bucket_too(bucket, library, log):
    with serve(bucket, library, log=log) as server:
        track = add_song(server, bucket)
        before = sounds(server, track)
    forget(library)
    with serve(bucket, library, log=log) as server:
        bucket.client.delete_object(Bucket="songs", Key=f"studio/derived/{track['id']}/00000.flac")
        held = bucket.hold("PUT", "/derived/")
        assert server.request("GET", CHUNKS.format(track["id"], 0))[0] == 503
        assert held.wait(20)
        bucket.stop()
        eventually(lambda: "job.putOff" in log.read_text(), bool)
        bucket.release()
        bucket.start()
        eventually(lambda: sounds(server, track), lambda found: found == before, 60)
    assert "job.failed" not in log.read_text()


def test_a_server_killed_before_the_record_is_ready_leaves_no_record_without_files(bucket, library, log):
    server = serve(bucket, library, log=log)
    held = bucket.hold("PUT", "peaks.dat")
    upload = server.upload(song(12), "swan.wav")
    assert server.request("POST", "/api/tracks", {"upload": upload})[0] == 202
    assert held.wait(20)
    eventually(bucket.derived, lambda found: len(found) == 2)
    server.kill()
    bucket.release()
    shutil.rmtree(library / "derived")
    with serve(bucket, library, log=log) as server:
        [track] = server.records("track")
        eventually(lambda: server.records("track")[0]["state"], lambda state: state == "ready", 60)
        assert {status for status, _ in sounds(server, track)} == {200}
        assert server.request("DELETE", f"/api/tracks/{track['id']}")[0] == 204
        eventually(bucket.derived, lambda found: found == {})


def test_the_copy_on_the_disk_is_bounded(bucket, library):
    def kept():
        return sum(
            path.stat().st_size for name in ("derived", "blob-cache") for path in (library / name).rglob("*.*"))

    # Two of the three.
    limit = 500_000
    with serve(bucket, library, "--blobs-cache", str(limit)) as server:
        tracks = [add_song(server, bucket, f"{seed}.wav", seed=seed) for seed in range(3)]
        for _ in range(2):
            for track in tracks:
                assert {status for status, _ in sounds(server, track)} == {200}
                eventually(kept, lambda size: size <= limit)
        assert sum(bucket.derived().values()) > limit


def test_a_copied_song_is_copied_within_the_bucket(bucket, library, log):
    with serve(bucket, library, log=log) as server:
        track = add_song(server, bucket)
        before = sounds(server, track)
        routines = [str(uuid.uuid4()) for _ in range(2)]
        for routine in routines:
            server.edit("routine", routine, {"title": "Swan"})
            server.edit("part", str(uuid.uuid4()), {
                "routine": routine, "title": "Entrance", "track": track["id"], "startFrame": 0, "endFrame": 480_000,
                "position": "a"})
        group = make_group(server, "Ensemble", **{add_person(server, "Ada"): "performer"})
        mark, since = len(log.read_text()), len(bucket.requests)
        share(server, group, routines[0])
        [copy] = [found for found in server.records("track") if found["id"] != track["id"]]
        names = {name.split("/")[1] for name in bucket.derived() if name.startswith(copy["id"])}
        assert names == {name.split("/")[1] for name in bucket.derived() if name.startswith(track["id"])}
        assert sounds(server, copy) == before
        assert jobs(log, mark) == []
        puts = [path for method, path in bucket.requests[since:] if method == "PUT"]
        assert puts and all(copy["id"] in path for path in puts)


def test_back_into_the_folder(bucket, library):
    with serve(bucket, library) as server:
        track = add_song(server, bucket)
        before = sounds(server, track)
    forget(library)
    for hash, content in bucket.blobs().items():
        (library / "blobs" / hash[:2]).mkdir()
        (library / "blobs" / hash[:2] / hash).write_bytes(content)
    (library / "bucket.json").unlink()
    with Server(library) as server:
        eventually(lambda: sounds(server, track), lambda found: found == before, 60)
    assert segmance("check", "--data", library).returncode == 0
