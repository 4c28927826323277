"""Media kept on a device: identical to the server's, only the needed files, and within the cache limit."""

import subprocess

from offline_support import card, choose, create_listed, keep, kept_addresses
from playwright.sync_api import expect
from prepared import has_parts
from studio import eventually, noise, pick_song, song
from test_moves import write

#: Fetches addresses and gives each answer's status and bytes, as text of numbers.
FETCH = """
async (addresses) => Promise.all(addresses.map(async (address) => {
  const response = await fetch(address);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [response.status, bytes.length, Array.from(digest).join()];
}))
"""


def keep_nothing_recent(page):
    """Sets the cache limit for recently created or practised parts to 0."""
    page.evaluate("() => localStorage.setItem('segmance.recentBytes', '0')")


def track_of(server):
    return server.records("track")[0]


@has_parts(("One", 25))
def test_kept_media_are_identical_to_the_servers(parts, device, server):
    page = device.page
    track = track_of(server)
    base = f"/api/tracks/{track['id']}"
    addresses = [f"{base}/chunks/{chunk}" for chunk in range(3)] + [
        f"{base}/peaks?framesPerPixel={resolution}" for resolution in (64, 128, 1_024, 65_536)] + [
        f"{base}/peaks?framesPerPixel=256&start=256000&end=1024000",
        f"{base}/peaks?framesPerPixel=512&start=0&end={-(-25 * 48_000 // 512) * 512}"]
    from_server = page.evaluate(FETCH, addresses)
    assert {status for status, _, _ in from_server} == {200}
    keep(page, "Swan")
    device.cut()
    assert page.evaluate(FETCH, addresses) == from_server


def video_on(server, folder):
    """Uploads a video that is stored in three pieces; returns its record when it is ready."""
    file = folder / "dance.mp4"
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
         "testsrc2=s=640x360:r=25,noise=alls=70:allf=t", "-t", "8", "-c:v", "libx264", "-preset",
         "ultrafast", "-pix_fmt", "yuv420p", "-b:v", "10M", "-movflags", "+faststart", file],
        check=True)
    return server.add("video", file.name, file.read_bytes())


#: Fetches ranges of an address and gives each answer's status, range and bytes, as text of numbers.
RANGES = """
async ([address, ranges]) => Promise.all(ranges.map(async (range) => {
  const response = await fetch(address, { headers: { Range: range }, cache: 'no-store' });
  const bytes = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [response.status, response.headers.get('Content-Range'), bytes.byteLength,
    Array.from(digest).join()];
}))
"""


def test_a_kept_video_plays_and_seeks_without_a_network(device, server, tmp_path):
    page = device.page
    video = video_on(server, tmp_path)
    [routine] = write(server, [("routine", {"title": "Swan"})])
    write(server, [("part", {
        "routine": routine, "title": "One", "position": "V", "video": video["id"]})])
    address = f"/api/videos/{video['id']}/file"
    asked = [address, ["bytes=0-", "bytes=4194300-4194310", "bytes=5000000-9000000", "bytes=-1000"]]
    from_server = page.evaluate(RANGES, asked)
    assert [status for status, _, _, _ in from_server] == [206] * 4
    expect(card(page, "Swan")).to_contain_text("1 part")
    keep(page, "Swan")
    pieces = [one for one in kept_addresses(page) if "?piece=" in one]
    assert len(pieces) == -(-from_server[0][2] // (4 << 20)) >= 3
    device.cut()
    assert page.evaluate(RANGES, asked) == from_server
    seen = page.evaluate(
        """(address) => new Promise((resolve, reject) => {
          const video = document.createElement('video');
          video.muted = true;
          video.src = address;
          video.onerror = () => reject(new Error(video.error.message));
          video.onloadedmetadata = () => { video.currentTime = 5; };
          video.onseeked = () => void video.play();
          video.ontimeupdate = () => {
            if (video.currentTime > 5.2) resolve([video.videoWidth, video.videoHeight]);
          };
        })""", address)
    assert seen == [640, 360]


def test_only_the_chunks_that_parts_play_are_kept_and_removing_frees_them(device, server):
    page = device.page
    page.goto(device.origin + "/clipper")
    pick_song(page, server.folder.parent, "Long.wav", song(65))
    track = eventually(
        lambda: server.records("track"),
        lambda tracks: tracks and tracks[0]["state"] == "ready", 60)[0]
    # Otherwise the page could fetch the routine without its part and show that after a reload.
    page.goto("about:blank")
    [routine] = write(server, [("routine", {"title": "Swan"})])
    write(server, [("part", {
        "routine": routine, "track": track["id"], "title": "Middle", "position": "V",
        "startFrame": 22 * 48_000, "endFrame": 38 * 48_000})])
    page.goto(device.origin)
    expect(card(page, "Swan")).to_contain_text("1 part")
    keep(page, "Swan")
    chunks = [address for address in kept_addresses(page) if "/chunks/" in address]
    assert chunks == [f"/api/tracks/{track['id']}/chunks/{chunk}" for chunk in (2, 3)]
    # A part that is added later is kept automatically.
    write(server, [("part", {
        "routine": routine, "track": track["id"], "title": "End", "position": "W",
        "startFrame": 58 * 48_000, "endFrame": 65 * 48_000})])
    chunks = eventually(
        lambda: [address for address in kept_addresses(page) if "/chunks/" in address],
        lambda seen: len(seen) == 4)
    assert [int(address.rsplit("/", 1)[1]) for address in chunks] == [2, 3, 5, 6]
    choose(page, "Swan", "routine-release")
    expect(page.get_by_test_id("kept-badge")).to_have_count(0)
    assert eventually(lambda: kept_addresses(page), lambda seen: not seen) == []


@has_parts(("One", 65))
def test_keeping_can_be_stopped_and_resumed_and_shows_its_progress(parts, device, server):
    page = device.page
    keep_nothing_recent(page)
    asked = []
    device.context.route("**/chunks/*", lambda route: (asked.append(route), None)[1])
    card(page, "Swan").get_by_test_id("routine-menu").click()
    # The parts are seven chunks and the waveform.
    expect(page.get_by_test_id("routine-keep")).to_have_text("Keep on this device (about 8.5 MB)")
    page.get_by_test_id("routine-keep").click()
    badge = card(page, "Swan").get_by_test_id("kept-badge")
    expect(badge).to_have_attribute("data-state", "keeping")
    # Playwright calls the route's function while the page is asked for something.
    eventually(lambda: page.evaluate("() => null") or len(asked), lambda count: count == 3)
    asked[0].continue_()
    expect(badge).to_contain_text("Saving")
    eventually(
        lambda: [one for one in kept_addresses(page) if "/chunks/" in one], lambda seen: seen)
    choose(page, "Swan", "routine-pause")
    expect(badge).to_have_attribute("data-state", "partly")
    here = [one for one in kept_addresses(page) if "/chunks/" in one]
    assert len(here) == 1
    device.context.unroute("**/chunks/*")
    page = device.restart()
    badge = card(page, "Swan").get_by_test_id("kept-badge")
    expect(badge).to_have_attribute("data-state", "partly")
    choose(page, "Swan", "routine-keep")
    expect(badge).to_have_attribute("data-state", "kept")
    assert len([one for one in kept_addresses(page) if "/chunks/" in one]) == 7


def test_recently_practised_parts_stay_within_the_cache_limit(device, server):
    page = device.page
    keep_nothing_recent(page)
    # Each song takes two megabytes, so only one of them fits.
    create_listed(page, "Swan", [("One.wav", noise(12)), ("Two.wav", noise(12, 2))])
    create_listed(page, "Empty", [("Short.wav", song(1))])
    page.evaluate("() => localStorage.setItem('segmance.recentBytes', '3000000')")
    tracks = eventually(
        lambda: {part["title"]: part["track"] for part in server.records("part")},
        lambda seen: {"One", "Two"} <= set(seen))
    one, two = [
        {f"/api/tracks/{tracks[title]}/chunks/{chunk}" for chunk in (0, 1)} for title in ("One", "Two")]

    def practise(part):
        page.get_by_test_id("jump-button").click()
        page.get_by_test_id("jump-part").nth(part).click()
        # Before the page has turned, the play button belongs to the other part.
        expect(page.get_by_test_id("jump-button")).to_contain_text(("1. One", "2. Two")[part])
        page.get_by_test_id("play").click()
        page.wait_for_function("() => window.loudness() > 0.05")
        page.get_by_test_id("play").click()

    def kept():
        return {address for address in kept_addresses(page) if "/chunks/" in address}

    card(page, "Swan").click()
    practise(0)
    assert eventually(kept, lambda seen: seen == one) == one
    practise(1)
    assert eventually(kept, lambda seen: seen >= two) >= two
    page.get_by_test_id("routine-back").click()
    # Unused files are deleted at the latest when a routine is no longer kept.
    keep(page, "Empty")
    choose(page, "Empty", "routine-release")
    assert eventually(kept, lambda seen: seen == two) == two
    device.cut()
    page = device.restart()
    card(page, "Swan").click()
    practise(1)
    device.join()
    page = device.restart("/settings/storage")
    expect(page.get_by_test_id("storage-total")).to_contain_text("in use")
    page.get_by_role("radio", name="None").check(force=True)
    assert eventually(lambda: kept_addresses(page), lambda seen: not seen) == []


@has_parts(("One", 65))
def test_keeping_does_not_start_without_enough_space(parts, device, server):
    page = device.page
    keep_nothing_recent(page)
    # The browser reports little free space.
    page.evaluate(
        "() => { navigator.storage.estimate = async () => ({ quota: 11e6, usage: 0 }); }")
    choose(page, "Swan", "routine-keep")
    expect(page.get_by_test_id("toast").last).to_contain_text("MB is free")
    expect(page.get_by_test_id("kept-badge")).to_have_count(0)


@has_parts(("One", 65))
def test_a_full_storage_while_keeping_is_reported_and_stored_files_stay(parts, device, server):
    page = device.page
    keep_nothing_recent(page)
    session = device.context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": server.origin, "quotaSize": 1_200_000})
    choose(page, "Swan", "routine-keep")
    badge = card(page, "Swan").get_by_test_id("kept-badge")
    expect(badge).to_have_attribute("data-state", "partly")
    page.get_by_test_id("tab-settings").click()
    page.get_by_test_id("room-storage").click()
    expect(page.get_by_test_id("kept-row")).to_contain_text("no room left")
    session.send("Storage.overrideQuotaForOrigin", {"origin": server.origin})
    page.get_by_test_id("kept-go-on").click()
    expect(page.get_by_test_id("kept-row")).to_have_attribute("data-state", "kept")


@has_parts(("One", 12))
def test_the_storage_settings_show_and_delete_kept_media(parts, device, server):
    page = device.page
    keep_nothing_recent(page)
    keep(page, "Swan")
    page.goto(device.origin + "/settings/storage")
    row = page.get_by_test_id("kept-row")
    expect(row).to_contain_text("Swan")
    expect(row).to_contain_text("On this device")
    expect(page.get_by_test_id("storage-lasting")).to_be_visible()
    row.get_by_test_id("kept-remove").click()
    expect(row).to_have_count(0)
    assert eventually(lambda: kept_addresses(page), lambda seen: not seen) == []


@has_parts(("One", 12))
def test_a_deleted_and_restored_routine_is_still_kept(parts, device, server):
    page = device.page
    keep(page, "Swan")
    before = kept_addresses(page)
    choose(page, "Swan", "routine-delete")
    page.get_by_test_id("confirm-action").click()
    expect(page.get_by_test_id("routine-card")).to_have_count(0)
    page.get_by_test_id("toast-action").click()
    expect(card(page, "Swan").get_by_test_id("kept-badge")).to_have_attribute("data-state", "kept")
    # Results of the song's analysis may have been kept in addition.
    assert set(before) <= set(kept_addresses(page))


def is_kept(page, track):
    return f"/api/tracks/{track['id']}/chunks/0" in kept_addresses(page)


def test_all_parts_of_a_routine_created_on_this_device_play_offline(device, server):
    page = device.page
    create_listed(page, "Swan", [("One.wav", song(3)), ("Two.wav", song(3, 2))])
    tracks = eventually(lambda: server.records("track"), lambda tracks: len(tracks) == 2)
    eventually(lambda: [is_kept(page, track) for track in tracks], all, 30)
    device.cut()
    card(page, "Swan").click()
    expect(page.locator("[data-absent]")).to_have_count(0)
    page.keyboard.press("PageDown")
    expect(page.get_by_test_id("jump-button")).to_contain_text("2. Two")
    page.get_by_test_id("play").click()
    page.wait_for_function("() => window.loudness() > 0.01")


def test_a_part_that_is_not_on_this_device_is_marked_and_reported_at_once(device, server):
    page = device.page
    create_listed(page, "Swan", [("One.wav", song(3))])
    eventually(lambda: server.records("track"), lambda tracks: is_kept(page, tracks[0]), 30)
    # Another device creates the routine, so this device has not practised it.
    [routine] = write(server, [("routine", {"title": "Duck"})])
    write(server, [("part", {
        "routine": routine, "title": "Far", "position": "V", "track": track_of(server)["id"],
        "startFrame": 0, "endFrame": 3 * 48_000})])
    expect(card(page, "Duck")).to_contain_text("1 part")
    page.goto(f"{server.origin}/settings/storage")
    page.get_by_test_id("forget-recent").click()
    eventually(lambda: is_kept(page, track_of(server)), lambda kept: not kept, 30)
    # The browser's own HTTP cache can be emptied at any time.
    device.context.new_cdp_session(page).send("Network.clearBrowserCache")
    device.cut()
    page.get_by_test_id("tab-routines").click()
    card(page, "Duck").click()
    expect(page.locator("[data-testid=part-number][data-absent]")).to_have_count(1)
    expect(page.get_by_role("button", name="1. Far, not on this device")).to_have_count(1)
    play = page.get_by_test_id("play")
    expect(page.get_by_test_id("player")).to_contain_text("This part is not on this device.")
    expect(play).to_have_attribute("data-playing", "false")
    device.join()
    expect(page.locator("[data-absent]")).to_have_count(0)
    play.click()
    expect(play).to_have_attribute("data-playing", "true")
