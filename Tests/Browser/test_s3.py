"""Songs and videos on a real server that speaks S3 (`make test ONLY=s3`): what moto, in memory, says little about."""

import concurrent.futures
import json
import os
import shutil

import pytest
from studio import Server, eventually, song
from test_bucket import bucket, chunk, files, library, segmance, serve, sha256  # noqa: F401 (two are fixtures)
from test_derived_bucket import add_song, forget
from video_support import video_file

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif("SEGMANCE_TEST_S3" not in os.environ, reason="needs a server: make test ONLY=s3")]


def test_more_objects_than_a_page_has_are_all_listed(bucket, library):
    music = song(12)
    with serve(bucket, library) as server:
        track = add_song(server, bucket)
    client, strays = bucket.client, [sha256(str(number).encode()) for number in range(1_010)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: client.put_object(Bucket="songs", Key=f"studio/blobs/{name}", Body=b"x"), strays))
    checked = segmance("check", "--data", library, "--json")
    found = [problem.split()[2] for problem in json.loads(checked.stdout)["problems"]]
    assert sorted(found) == sorted(strays)
    # The sweep of a start deletes each of them, and spares the song.
    with serve(bucket, library) as server:
        eventually(lambda: bucket.names("blobs/"), lambda names: names == [f"blobs/{sha256(music)}"], 300)
        forget(library)
        assert server.request("GET", f"/api/tracks/{track['id']}/original") == (200, music)
        assert chunk(server, track)[:4] == b"fLaC"


def sent_in_parts(bucket, content):
    """Whether the bucket has bytes that were sent in parts of 32 MiB."""
    path = f"/songs/studio/blobs/{sha256(content)}"
    sent = [method for method, asked in bucket.requests if asked == path and method in ("POST", "PUT")]
    parts = 1 + (len(content) >> 25)
    return sent == ["POST", *["PUT"] * parts, "POST"] and bucket.blobs()[sha256(content)] == content


def test_a_long_video_is_sent_in_parts_and_goes(bucket, library):
    # What follows the last box of a file is no matter to who plays it.
    clip = video_file(2).read_bytes() + (70 << 20).to_bytes(4, "big") + b"free" + os.urandom((70 << 20) - 8)
    with serve(bucket, library) as server:
        video = server.add("video", "turn.mp4", clip)
        assert sent_in_parts(bucket, clip)
        assert server.request("GET", f"/api/videos/{video['id']}/file")[1][4:8] == b"ftyp"
        assert server.request("DELETE", f"/api/videos/{video['id']}")[0] == 204
        eventually(lambda: bucket.names("blobs/") + bucket.names("derived/"), lambda names: names == [])


def test_ranges_of_what_was_sent_in_parts_are_read_without_a_cache(bucket, library):
    music = song(390)
    with serve(bucket, library) as server:
        track = server.add("track", "swan.wav", music)
        assert sent_in_parts(bucket, music)
        for start, end in ((0, 9), ((32 << 20) - 10, (32 << 20) + 10), (len(music) - 10, len(music) - 1)):
            shutil.rmtree(library / "blob-cache")
            found = server.request(
                "GET", f"/api/tracks/{track['id']}/original", headers={"Range": f"bytes={start}-{end}"})
            assert found == (206, music[start:end + 1])
    assert segmance("check", "--deep", "--data", library).returncode == 0


def test_a_library_moves_to_the_bucket_and_back_into_its_folder(bucket, library, tmp_path):
    music, backup = song(12), tmp_path / "backup.tar"
    with Server(library) as server:
        track = server.add("track", "swan.wav", music)
        played = chunk(server, track)
        eventually(
            lambda: server.request("GET", f"/api/tracks/{track['id']}/analysis")[0], lambda status: status == 200, 60)
    with serve(bucket, library) as server:
        assert chunk(server, track) == played
        eventually(bucket.derived, lambda found: f"{track['id']}/peaks.dat" in found)
        made = segmance("backup", "-o", backup, "--data", library)
        assert made.returncode == 0, made.stderr
    # As docs/DEPLOY.md says.
    forget(library)
    for name in bucket.names(""):
        kind, *rest = name.split("/")
        if kind in ("blobs", "derived"):
            path = library / kind / (f"{rest[0][:2]}/{rest[0]}" if kind == "blobs" else "/".join(rest))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(bucket.client.get_object(Bucket="songs", Key=f"studio/{name}")["Body"].read())
    (library / "bucket.json").unlink()
    bucket.empty()
    checked = segmance("check", "--deep", "--data", library)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    with Server(library) as server:
        assert server.request("GET", f"/api/tracks/{track['id']}/original") == (200, music)
        assert chunk(server, track) == played
    assert files(library / "blobs") == [sha256(music)]
    # And the backup of the bucket, into another bucket of another library.
    restored = segmance("restore", backup, "--yes", "--data", tmp_path / "other")
    assert restored.returncode == 0, restored.stderr
    with serve(bucket, tmp_path / "other"):
        assert bucket.blobs() == {sha256(music): music}


def test_what_was_made_of_a_song_is_sent_although_a_job_works_on_it(bucket, library):
    server = Server(library)
    track = server.add("track", "swan.wav", song(240))
    # Its analysis has begun, and begins again at the next start, while that looks for what is to be sent.
    server.kill()
    with serve(bucket, library):
        # It looks again after a minute.
        eventually(bucket.derived, lambda found: f"{track['id']}/peaks.dat" in found, 150)


def test_what_the_server_refuses_is_said_to_the_operator(bucket, library):
    # A bucket that belongs to somebody else, and one that is none: both are the server's own words.
    for name, sentence in (("nothing", "There is no such bucket"), ("no..thing", "")):
        refused = segmance(
            "serve", "--port", "0", "--data", library, "--blobs", bucket.address.replace("songs", name))
        assert refused.returncode == 1 and sentence in refused.stderr, refused.stderr
    refused = segmance(
        "serve", "--port", "0", "--data", library, "--blobs", bucket.address, AWS_ACCESS_KEY_ID="trial:nobody")
    assert refused.returncode == 1 and "The keys are not accepted" in refused.stderr, refused.stderr
