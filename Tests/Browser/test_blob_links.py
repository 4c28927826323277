"""Songs and videos that browsers fetch from the bucket itself (`--blob-links`): moto speaks S3."""

import re
import urllib.error
import urllib.request

import pytest
from studio import DESKTOP, first_screen, song
from test_bucket import bucket, library, serve  # noqa: F401 (two are fixtures)
from video_support import video_file


def links(bucket):
    return ["--blob-links", bucket.endpoint]


def answer(server, path, **headers):
    """The status, headers and body of an answer that sends nobody elsewhere."""
    class Stays(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None
    request = urllib.request.Request(server.origin + path, headers=headers)
    try:
        with urllib.request.build_opener(Stays).open(request) as found:
            return found.status, found.headers, found.read()
    except urllib.error.HTTPError as found:
        return found.code, found.headers, found.read()


def fetched(address, **headers):
    headers.setdefault("Origin", "http://localhost")
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as found:
        return found.headers["Content-Type"], found.read()


# What a page gets for a request: status, headers that it looks at, and how many bytes.
ASK = """async ([path, range]) => {
  const answer = await fetch(path, { cache: 'no-store', headers: range === null ? {} : { Range: range } });
  const bytes = (await answer.arrayBuffer()).byteLength;
  return [answer.status, answer.headers.get('Content-Type'), answer.headers.get('Content-Range'), bytes];
}"""


def test_an_address_gives_the_same_bytes_for_an_hour(bucket, library):
    bucket.let_pages_read("*")
    with serve(bucket, library, *links(bucket)) as server:
        track = server.add("track", "swan.wav", song(12))
        clip = video_file(2).read_bytes()
        video = server.add("video", "turn.mp4", clip)
        chunk = f"/api/tracks/{track['id']}/chunks/"
        played = answer(server, chunk + "0")[2]
        status, headers, content = answer(server, chunk + "0?direct=1")
        assert (status, headers["Cache-Control"], content) == (307, "no-store", b"")
        assert fetched(headers["Location"]) == ("audio/flac", played)
        # Another object, or another time, needs another signature.
        for altered in (
                headers["Location"].replace("/00000.flac", "/00001.flac"),
                headers["Location"].replace("Expires=3600", "Expires=36000")):
            assert altered != headers["Location"]
            with pytest.raises(urllib.error.HTTPError, match="403"):
                fetched(altered)
        status, headers, _ = answer(server, f"/api/videos/{video['id']}/file?direct=1")
        assert status == 307 and fetched(headers["Location"]) == ("video/mp4", clip)
        assert fetched(headers["Location"], Range="bytes=10-19") == ("video/mp4", clip[10:20])
        assert answer(server, chunk + "2?direct=1")[0] == 404
        assert answer(server, chunk + "0?direct=2")[0] == 400
        assert answer(server, f"/api/videos/{track['id']}/file?direct=1")[0] == 404
        # Who may not see the song gets no address: nobody here is let in under another name.
        assert answer(server, chunk + "0?direct=1", Host="elsewhere.example")[0] == 421


def test_a_bucket_that_no_page_may_read_is_said_and_not_used(bucket, library, tmp_path):
    bucket.let_pages_read("https://studio.example")
    log = tmp_path / "log"
    with serve(bucket, library, *links(bucket), log=log) as server:
        track = server.add("track", "swan.wav", song(1))
        assert answer(server, f"/api/tracks/{track['id']}/chunks/0?direct=1")[0] == 200
        script = answer(server, "/sw.js")
        assert b"fetchesDirectly = true" not in script[2] and bucket.endpoint not in script[1]["Content-Security-Policy"]
    [said] = re.findall(r".*blobLinks.unused.*", log.read_text())
    assert "CORS rule" in said and "Content-Range" in said


def test_a_page_plays_from_the_bucket_and_from_the_server_when_it_can_not(bucket, library, chromium):
    bucket.let_pages_read("http://localhost:*")
    with serve(bucket, library, *links(bucket)) as server:
        track = server.add("track", "swan.wav", song(12))
        clip = video_file(2).read_bytes()
        video = server.add("video", "turn.mp4", clip)
        with first_screen(chromium, server, service_workers="allow", **DESKTOP) as page:
            page.wait_for_function("() => navigator.serviceWorker.controller !== null")
            chunk, file = f"/api/tracks/{track['id']}/chunks/0", f"/api/videos/{video['id']}/file"
            size = len(answer(server, chunk)[2])

            def get_all():
                assert page.evaluate(ASK, [chunk, None]) == [200, "audio/flac", None, size]
                assert page.evaluate(ASK, [file, "bytes=10-19"]) == [
                    206, "video/mp4", f"bytes 10-19/{len(clip)}", 10]
                asked = bucket.asked_by_pages
                bucket.asked_by_pages = []
                return [path.removeprefix("/songs/studio/").split("/")[0] for path in asked]
            assert get_all() == ["derived", "blobs"]
            # A video element asks for ranges as it likes.
            duration = page.evaluate(
                """(address) => new Promise((resolve, reject) => {
                  const video = document.createElement('video');
                  video.addEventListener('loadeddata', () => resolve(video.duration));
                  video.addEventListener('error', () => reject(video.error));
                  video.muted = true;
                  video.preload = 'auto';
                  video.src = address;
                  document.body.append(video);
                })""", file)
            assert duration == pytest.approx(2, abs=0.1)
            assert set(bucket.asked_by_pages) == {f"/songs/studio/blobs/{video['sha256']}"}
            # One that is refused is fetched from the server, and for a minute the bucket is not asked again.
            bucket.asked_by_pages, bucket.serves_pages = [], False
            assert get_all() == ["derived"]
            assert get_all() == []
