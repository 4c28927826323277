"""What is kept on a device: the very bytes of the server, only what is needed, and within the budget."""

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
    """Sets the room for what was made or practised lately to nothing."""
    page.evaluate("() => localStorage.setItem('segmance.recentBytes', '0')")


def track_of(server):
    return server.records("track")[0]


@has_parts(("One", 25))
def test_what_is_kept_is_byte_for_byte_what_the_server_gives(parts, device, server):
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
    """Uploads a video of three pieces and gives its record once it is ready."""
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
    # Or the page would take the routine without its part, and show that when it is opened anew.
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
    # A part that is added later is kept by itself.
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
def test_keeping_can_be_stopped_goes_on_where_it_was_and_shows_how_far_it_is(parts, device, server):
    page = device.page
    keep_nothing_recent(page)
    asked = []
    device.context.route("**/chunks/*", lambda route: (asked.append(route), None)[1])
    card(page, "Swan").get_by_test_id("routine-menu").click()
    # Seven chunks and the waveform.
    expect(page.get_by_test_id("routine-keep")).to_have_text("Keep on this device (about 8.5 MB)")
    page.get_by_test_id("routine-keep").click()
    badge = card(page, "Swan").get_by_test_id("kept-badge")
    expect(badge).to_have_attribute("data-state", "keeping")
    eventually(lambda: page.wait_for_timeout(50) or len(asked), lambda count: count == 3)
    asked[0].continue_()
    expect(badge).to_contain_text("Keeping")
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


def test_what_was_practised_stays_within_the_budget(device, server):
    page = device.page
    keep_nothing_recent(page)
    # Two megabytes each: there is room for one of them, not for both.
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
        # Until the page has turned, play is the other part's.
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
    # What nobody needs is let go of at the latest when something is no longer to be kept.
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
def test_a_routine_for_which_there_is_no_room_says_so_and_is_not_begun(parts, device, server):
    page = device.page
    keep_nothing_recent(page)
    # Browsers may tell of more room than there is; this one tells of less.
    page.evaluate(
        "() => { navigator.storage.estimate = async () => ({ quota: 11e6, usage: 0 }); }")
    choose(page, "Swan", "routine-keep")
    expect(page.get_by_test_id("toast").last).to_contain_text("there is room for")
    expect(page.get_by_test_id("kept-badge")).to_have_count(0)


@has_parts(("One", 65))
def test_room_that_ends_while_keeping_is_said_and_what_is_here_stays(parts, device, server):
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
def test_the_storage_room_shows_and_frees_what_is_kept(parts, device, server):
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
def test_a_deleted_routine_that_is_brought_back_is_still_kept(parts, device, server):
    page = device.page
    keep(page, "Swan")
    before = kept_addresses(page)
    choose(page, "Swan", "routine-delete")
    page.get_by_test_id("confirm-action").click()
    expect(page.get_by_test_id("routine-card")).to_have_count(0)
    page.get_by_test_id("toast-action").click()
    expect(card(page, "Swan").get_by_test_id("kept-badge")).to_have_attribute("data-state", "kept")
    # What the analysis of the song gave meanwhile may have been kept as well.
    assert set(before) <= set(kept_addresses(page))


def is_kept(page, track):
    return f"/api/tracks/{track['id']}/chunks/0" in kept_addresses(page)


def test_all_parts_of_a_routine_that_was_made_here_play_without_a_network(device, server):
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


def test_a_part_that_is_not_here_is_marked_and_says_so_at_once(device, server):
    page = device.page
    create_listed(page, "Swan", [("One.wav", song(3))])
    eventually(lambda: server.records("track"), lambda tracks: is_kept(page, tracks[0]), 30)
    # Made elsewhere: nothing here has practised it.
    [routine] = write(server, [("routine", {"title": "Duck"})])
    write(server, [("part", {
        "routine": routine, "title": "Far", "position": "V", "track": track_of(server)["id"],
        "startFrame": 0, "endFrame": 3 * 48_000})])
    expect(card(page, "Duck")).to_contain_text("1 part")
    page.goto(f"{server.origin}/settings/storage")
    page.get_by_test_id("forget-recent").click()
    eventually(lambda: is_kept(page, track_of(server)), lambda kept: not kept, 30)
    # What only the browser's own cache has may be gone at any time.
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
