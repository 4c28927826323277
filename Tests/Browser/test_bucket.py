"""Songs and videos in a bucket, through the whole program: moto speaks S3."""

import hashlib
import http.client
import json
import os
import shutil
import subprocess
import threading
import uuid

import pytest
from bucket_support import KEY, SECRET, bucket as a_bucket
from studio import PROGRAM, Server, eventually, song
from video_support import video_file

CHUNKS = "/api/tracks/{}/chunks/0"


def segmance(*words, **environment):
    return subprocess.run(
        [str(PROGRAM), *map(str, words)], capture_output=True, text=True,
        env={**os.environ, **environment})


@pytest.fixture
def bucket(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with a_bucket() as one:
        yield one


@pytest.fixture
def library(tmp_path):
    return tmp_path / "library"


def serve(bucket, library, *options, **more):
    return Server(library, options=["--blobs", bucket.address, *options], **more)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def files(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def blobs_under_way(library):
    """The files of `tmp` that hold blobs. A job may have others there."""
    return [name for name in files(library / "tmp") if name.startswith(("blob", "taken", "fetched", "sent", "upload"))]


def chunk(server, track):
    status, content = server.request("GET", CHUNKS.format(track["id"]))
    assert status == 200
    return content


def test_a_song_is_in_the_bucket_is_played_and_goes(bucket, library):
    music = song(12)
    with serve(bucket, library) as server:
        track = server.add("track", "swan.wav", music)
        assert bucket.blobs() == {sha256(music): music}
        assert files(library / "blobs") == [] and files(library / "blob-cache") == [sha256(music)]
        assert chunk(server, track)[:4] == b"fLaC"
        status, content = server.request("GET", f"/api/tracks/{track['id']}/original")
        assert (status, content) == (200, music)
        status, content = server.request(
            "GET", f"/api/tracks/{track['id']}/original", headers={"Range": "bytes=10-19"})
        assert (status, content) == (206, music[10:20])
        assert server.request("DELETE", f"/api/tracks/{track['id']}")[0] == 204
        assert files(library / "blob-cache") == []
        eventually(bucket.blobs, lambda blobs: blobs == {})
        assert blobs_under_way(library) == []


def test_a_video_plays_from_the_bucket(bucket, library):
    clip = video_file(2).read_bytes()
    with serve(bucket, library) as server:
        video = server.add("video", "turn.mp4", clip)
        assert video["plays"] == "original"
        address = f"/api/videos/{video['id']}/file"
        for _ in range(2):
            shutil.rmtree(library / "blob-cache")
            assert server.request("HEAD", address)[0] == 200
            assert server.request("GET", address) == (200, clip)
            assert server.request("GET", address, headers={"Range": "bytes=-10"}) == (206, clip[-10:])
            # A copy that was fetched again is the same file to a browser.
            tag = f'"{sha256(clip)}"'
            assert server.request("GET", address, headers={"If-None-Match": tag})[0] == 304
        assert blobs_under_way(library) == []


def test_a_long_song_is_sent_in_parts(bucket, library):
    music = song(390)
    assert len(music) > 64 << 20
    with serve(bucket, library) as server:
        track = server.add("track", "swan.wav", music)
        assert bucket.blobs() == {sha256(music): music}
        blob = f"/songs/studio/blobs/{sha256(music)}"
        assert [method for method, path in bucket.requests if path == blob and method in ("POST", "PUT")] == [
            "POST", "PUT", "PUT", "PUT", "POST"]
        shutil.rmtree(library / "blob-cache")
        assert server.request("GET", f"/api/tracks/{track['id']}/original") == (200, music)


def test_another_machine_takes_over_from_the_database_and_the_bucket(bucket, tmp_path, postgresql):
    schema = uuid.uuid4().hex
    database = ["--database", f"{postgresql}&options=-csearch_path%3Dtaken_{schema}"]
    music = song(12)
    with serve(bucket, tmp_path / "lost", *database, is_embedded=True) as server:
        track = server.add("track", "swan.wav", music)
        played = chunk(server, track)
    shutil.rmtree(tmp_path / "lost")
    with serve(bucket, tmp_path / "new", *database, is_embedded=True) as server:
        [found] = server.records("track")
        assert found["id"] == track["id"] and bucket.blobs() == {sha256(music): music}
        assert chunk(server, track) == played
    # A copy of the records elsewhere is another library: its sweep would delete what it does not know.
    copy = ["--database", f"{postgresql}&options=-csearch_path%3Dcopy_{schema}"]
    assert segmance("migrate", "--to", "folder", "--data", tmp_path / "new").returncode == 0
    shutil.copytree(tmp_path / "new", tmp_path / "copy")
    (tmp_path / "copy" / "bucket.json").unlink()
    assert segmance("migrate", "--to", copy[1], "--data", tmp_path / "copy").returncode == 0
    refused = segmance("serve", "--port", "0", "--data", tmp_path / "copy", "--blobs", bucket.address)
    assert refused.returncode != 0 and "Another library uses" in refused.stderr, refused.stderr


def test_with_wrong_keys_nothing_starts(bucket, library):
    refused = segmance(
        "serve", "--port", "0", "--data", library, "--blobs", bucket.address, AWS_SECRET_ACCESS_KEY="another")
    assert refused.returncode == 1 and "The keys are not accepted" in refused.stderr
    assert "another" not in refused.stderr


def test_a_restart_without_a_cache_fetches_what_it_needs(bucket, library):
    music = song(12)
    with serve(bucket, library) as server:
        track = server.add("track", "swan.wav", music)
    for folder in ("blob-cache", "derived"):
        shutil.rmtree(library / folder)
    # The address is known by now, so commands and a start find it.
    checked = segmance("check", "--data", library)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    with Server(library) as server:
        assert chunk(server, track)[:4] == b"fLaC"
        assert server.request("GET", f"/api/tracks/{track['id']}/original") == (200, music)
        assert files(library / "blob-cache") == [sha256(music)]


def test_what_has_no_record_is_swept_and_nothing_else(bucket, library):
    music, lost = song(12), b"a song without a record"
    with serve(bucket, library) as server:
        server.add("track", "swan.wav", music)
    bucket.client.put_object(Bucket="songs", Key="studio/blobs/" + sha256(lost), Body=lost)
    bucket.client.put_object(Bucket="songs", Key="studio/blobs/notes.txt", Body=b"not ours")
    bucket.client.put_object(Bucket="songs", Key="other/blobs/" + sha256(lost), Body=lost)
    bucket.client.create_multipart_upload(Bucket="songs", Key="studio/blobs/" + sha256(lost))
    with serve(bucket, library):
        eventually(lambda: set(bucket.blobs()), lambda names: names == {sha256(music), "notes.txt"})
        eventually(
            lambda: bucket.client.list_multipart_uploads(Bucket="songs").get("Uploads", []),
            lambda uploads: uploads == [])
    assert bucket.client.get_object(Bucket="songs", Key="other/blobs/" + sha256(lost))


def test_without_the_bucket_songs_play_and_an_upload_waits(bucket, library, tmp_path):
    music, more, log = song(12), song(12, seed=2), tmp_path / "log"
    with serve(bucket, library, log=log) as server:
        track = server.add("track", "swan.wav", music)
        before = chunk(server, track)
        upload = server.upload(more, "duck.wav")
        bucket.stop()
        assert chunk(server, track) == before
        status, content = server.request("POST", "/api/tracks", {"upload": upload})
        assert status == 503, content
        assert "Nothing is lost" in json.loads(content)["detail"]
        health = json.loads(server.request("GET", "/api/health")[1])
        assert health["status"] == "degraded"
        assert len(server.records("track")) == 1
        # A deletion is the record's; the object goes when the bucket is back.
        assert server.request("DELETE", f"/api/tracks/{track['id']}")[0] == 204
        bucket.start()
        status, content = server.request("POST", "/api/tracks", {"upload": upload})
        assert status == 202, content
        assert json.loads(server.request("GET", "/api/health")[1])["status"] == "ok"
        eventually(lambda: server.records("track"), lambda found: found[0]["state"] == "ready", 60)
    with serve(bucket, library, log=log):
        eventually(lambda: set(bucket.blobs()), lambda names: names == {sha256(more)})
    said = log.read_text()
    assert "bucket.unreachable" in said and "bucket.answers" in said
    assert SECRET not in said and KEY not in said


def test_an_upload_is_in_the_bucket_and_goes_on_after_a_kill(bucket, library):
    music = song(60)
    server = serve(bucket, library)
    location = server.begin_upload(len(music), "swan.wav")
    assert server.send_piece(location, music[:9_000_000], 0).status == 204
    upload = location.rsplit("/", 1)[1]
    # Two pieces, as one is at most 8 MiB, and what says how long the file is.
    assert len(bucket.uploads()) == 3 and all(name.startswith(f"{upload}/") for name in bucket.uploads())
    assert files(library / "uploads") == []
    # While a piece is on its way, nothing of it is acknowledged.
    held = bucket.hold("PUT", "/uploads/")

    def send():
        try:
            server.send_piece(location, music[9_000_000:], 9_000_000)
        except OSError:
            pass  # The server is killed while it answers.

    sending = threading.Thread(target=send)
    sending.start()
    assert held.wait(20)
    server.kill()
    sending.join()
    bucket.release()
    with serve(bucket, library) as server:
        arrived = server.uploaded(location)
        # The bucket may have stored what the killed server did not acknowledge.
        assert arrived >= 9_000_000
        if arrived < len(music):
            assert server.send_piece(location, music[arrived:], arrived).status == 204
        status, content = server.request("POST", "/api/tracks", {"upload": upload})
        assert status == 202, content
        eventually(lambda: server.records("track")[0]["state"], lambda state: state == "ready", 60)
        assert bucket.blobs() == {sha256(music): music}
        eventually(bucket.uploads, lambda names: names == [])
        assert blobs_under_way(library) == []
        # A repeated request, whose answer was lost, finds the same song.
        status, again = server.request("POST", "/api/tracks", {"upload": upload})
        assert (status, json.loads(again)) == (202, json.loads(content))


def test_a_piece_that_the_bucket_does_not_take_is_sent_again(bucket, library, tmp_path):
    music, log = song(12), tmp_path / "log"
    with serve(bucket, library, log=log) as server:
        location = server.begin_upload(len(music), "swan.wav")
        assert server.send_piece(location, music[:500_000], 0).status == 204
        bucket.stop()
        refused = server.send_piece(location, music[500_000:], 500_000)
        assert (refused.status, refused.headers["Retry-After"]) == (503, "30")
        assert "Nothing is lost" in json.loads(refused.content)["detail"]
        asked = server.tus("HEAD", location)
        assert asked.status == 503
        begun = server.tus("POST", "/api/uploads", Upload_Length="5")
        assert begun.status == 503
        assert json.loads(server.request("GET", "/api/health")[1])["status"] == "degraded"
        bucket.start()
        # The sweep of the start may be failing at the same time.
        eventually(
            lambda: (server.uploaded(location), json.loads(server.request("GET", "/api/health")[1])["status"]),
            lambda found: found == (500_000, "ok"))
        assert server.send_piece(location, music[500_000:], 500_000).status == 204
        status, content = server.request("POST", "/api/tracks", {"upload": location.rsplit("/", 1)[1]})
        assert status == 202, content
        eventually(bucket.blobs, lambda blobs: blobs == {sha256(music): music})
        eventually(bucket.uploads, lambda names: names == [])


def test_what_arrived_before_a_connection_broke_is_in_the_bucket(bucket, library):
    music = song(12)
    with serve(bucket, library) as server:
        location = server.begin_upload(len(music), "swan.wav")
        connection = http.client.HTTPConnection("localhost", server.port)
        connection.putrequest("PATCH", location)
        for name, value in {
                "Origin": server.origin, "Tus-Resumable": "1.0.0", "Upload-Offset": "0",
                "Content-Type": "application/offset+octet-stream", "Content-Length": str(len(music))}.items():
            connection.putheader(name, value)
        connection.endheaders(music[:700_000])
        # A connection that breaks off is seen when its bytes are read.
        connection.close()
        arrived = eventually(lambda: server.uploaded(location), bool)
        assert arrived <= 700_000
        assert len(bucket.uploads()) == 2
        assert server.tus("DELETE", location).status == 204
        assert bucket.uploads() == []


def test_pieces_of_a_song_go_also_if_the_server_ends_before(bucket, library):
    music = song(12)
    server = serve(bucket, library)
    upload = server.upload(music, "swan.wav")
    held = bucket.hold("DELETE", "/uploads/")
    status, content = server.request("POST", "/api/tracks", {"upload": upload})
    assert status == 202, content
    assert held.wait(20)
    server.kill()
    bucket.release()
    with serve(bucket, library) as server:
        eventually(bucket.uploads, lambda names: names == [])
        assert len(server.records("track")) == 1
        assert set(bucket.blobs()) == {sha256(music)}


def test_uploads_of_a_folder_move_to_the_bucket(bucket, library, tmp_path):
    music, log = song(12), tmp_path / "log"
    with Server(library) as server:
        location = server.begin_upload(len(music), "swan.wav")
        assert server.send_piece(location, music[:500_000], 0).status == 204
        assert len(files(library / "uploads")) == 2
    with serve(bucket, library, log=log) as server:
        assert "uploads.moved count=1" in log.read_text()
        assert files(library / "uploads") == []
        assert server.uploaded(location) == 500_000
        assert server.send_piece(location, music[500_000:], 500_000).status == 204
        assert server.request("POST", "/api/tracks", {"upload": location.rsplit("/", 1)[1]})[0] == 202
        eventually(bucket.blobs, lambda blobs: blobs == {sha256(music): music})


def test_without_the_bucket_or_its_keys_nothing_starts_and_the_reason_is_said(bucket, library):
    refused = segmance(
        "serve", "--port", "0", "--data", library, "--blobs", bucket.address, AWS_ACCESS_KEY_ID="",
        HOME="/nowhere")
    assert refused.returncode == 1 and "AWS_ACCESS_KEY_ID" in refused.stderr
    missing = bucket.address.replace("songs", "nothing")
    refused = segmance("serve", "--port", "0", "--data", library, "--blobs", missing)
    assert refused.returncode == 1 and "There is no such bucket" in refused.stderr
    bucket.stop()
    refused = segmance("serve", "--port", "0", "--data", library, "--blobs", bucket.address)
    assert refused.returncode == 1 and "Nothing is lost" in refused.stderr
    assert SECRET not in refused.stderr
    bucket.start()
    with serve(bucket, library):
        pass


def test_a_server_killed_while_it_sends_a_song_has_neither_half(bucket, library):
    music = song(12)
    server = serve(bucket, library)
    upload = server.upload(music, "swan.wav")
    held = bucket.hold("PUT")

    def ask():
        try:
            server.request("POST", "/api/tracks", {"upload": upload})
        except OSError:
            pass  # The server is killed while it answers.

    asking = threading.Thread(target=ask)
    asking.start()
    assert held.wait(20)
    server.kill()
    asking.join()
    bucket.release()
    with serve(bucket, library) as server:
        assert server.records("track") == []
        eventually(bucket.blobs, lambda blobs: blobs == {})
        status, content = server.request("POST", "/api/tracks", {"upload": upload})
        assert status == 202, content
        eventually(lambda: server.records("track")[0]["state"], lambda state: state == "ready", 60)
        assert bucket.blobs() == {sha256(music): music}
        assert blobs_under_way(library) == []


def test_a_backup_reads_the_bucket_and_a_restore_fills_it(bucket, library, tmp_path):
    music, more, backup = song(12), song(12, seed=2), tmp_path / "backup.tar"
    with serve(bucket, library) as server:
        track = server.add("track", "swan.wav", music)
        shutil.rmtree(library / "blob-cache")
        done = segmance("backup", "-o", backup, "--data", library)
        assert done.returncode == 0, done.stderr
        # The library goes on after the backup.
        assert server.request("DELETE", f"/api/tracks/{track['id']}")[0] == 204
        server.add("track", "duck.wav", more)
        eventually(lambda: set(bucket.blobs()), lambda names: names == {sha256(more)})
    restored = segmance("restore", backup, "--yes", "--data", library)
    assert restored.returncode == 0, restored.stderr
    with serve(bucket, library) as server:
        # The song of the library that was put aside stays as long as that folder does.
        eventually(lambda: set(bucket.blobs()), lambda names: names == {sha256(music), sha256(more)})
        eventually(
            lambda: server.request("GET", CHUNKS.format(track["id"]))[0], lambda status: status == 200, 60)
        assert files(library / "blobs") == []
    (aside,) = library.glob("before-restore-*")
    assert json.loads((aside / "blobs.json").read_text()) == sorted([sha256(music), sha256(more)])
    shutil.rmtree(aside)
    with serve(bucket, library):
        eventually(lambda: set(bucket.blobs()), lambda names: names == {sha256(music)})
    assert segmance("check", "--deep", "--data", library).returncode == 0


def test_a_library_moves_from_its_folder_to_a_bucket(bucket, library, tmp_path):
    music, log = song(12), tmp_path / "log"
    with Server(library) as server:
        track = server.add("track", "swan.wav", music)
    assert files(library / "blobs") == [sha256(music)]
    with serve(bucket, library, log=log) as server:
        assert f"blobs.moving count=1 bytes={len(music)}" in log.read_text()
        assert bucket.blobs() == {sha256(music): music}
        assert files(library / "blobs") == []
        assert chunk(server, track)[:4] == b"fLaC"


def test_check_names_what_the_bucket_lost_or_changed(bucket, library):
    music = song(12)
    with serve(bucket, library) as server:
        server.add("track", "swan.wav", music)
    key = "studio/blobs/" + sha256(music)
    bucket.client.put_object(Bucket="songs", Key=key, Body=music[:-1] + b"x")
    assert segmance("check", "--data", library).returncode == 0
    deep = segmance("check", "--deep", "--data", library)
    assert deep.returncode == 1 and "damaged" in deep.stdout
    bucket.client.put_object(Bucket="songs", Key=key, Body=music[:-1])
    short = segmance("check", "--data", library)
    assert short.returncode == 1 and "damaged" in short.stdout
    bucket.client.delete_object(Bucket="songs", Key=key)
    lost = segmance("check", "--data", library)
    assert lost.returncode == 1 and "is missing" in lost.stdout
    bucket.stop()
    away = segmance("check", "--data", library)
    assert away.returncode == 1 and "Nothing is lost" in away.stderr
    bucket.start()


def test_another_library_can_not_use_the_same_bucket(bucket, library, tmp_path):
    with serve(bucket, library):
        pass
    other = segmance("serve", "--port", "0", "--data", tmp_path / "other", "--blobs", bucket.address)
    assert other.returncode == 1 and "Another library uses" in other.stderr
    moved = segmance(
        "serve", "--port", "0", "--data", library, "--blobs", bucket.address.replace("studio", "elsewhere"))
    assert moved.returncode == 1 and "keeps its songs and videos in s3://songs/studio/?" in moved.stderr


def test_the_cache_is_bounded(bucket, library):
    songs = [song(6, seed=seed) for seed in (1, 2, 3)]
    # The three would fit, but not with what is made of them.
    with serve(bucket, library, "--blobs-cache", str(3 * len(songs[0]))) as server:
        tracks = [server.add("track", f"{name}.wav", music) for name, music in zip("abc", songs)]
        for track, music in zip(tracks, songs):
            assert server.request("GET", f"/api/tracks/{track['id']}/original") == (200, music)
            assert len(files(library / "blob-cache")) <= 2


@pytest.mark.parametrize("words", [
    ["--blobs", "songs"], ["--blobs", "s3://key:secret@songs"], ["--blobs", "s3://songs?key=x"],
    ["--blobs-cache", "1GB"], ["--blobs", "s3://songs", "--blobs-cache", "much"],
])
def test_a_wrong_address_exits_with_code_2_and_a_message(words):
    refused = segmance("serve", *words)
    assert refused.returncode == 2
    assert "--blobs" in refused.stderr
