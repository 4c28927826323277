"""Backup and restore on the command line and in the settings, also when killed half-way."""

import contextlib
import http.client
import json
import os
import pathlib
import pty
import random
import shutil
import signal
import sqlite3
import subprocess
import tarfile
import threading
import time

import pytest
from playwright.sync_api import expect
from studio import PROGRAM, Server, eventually, last_seen, noise, song


def segmance(*words):
    return subprocess.run(
        [str(PROGRAM), *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def in_terminal(*words):
    """Runs the program with a terminal as standard error; returns its status and the terminal's text."""
    main, terminal = pty.openpty()
    with open(main, "rb", buffering=0) as screen:
        with open(terminal, "wb", buffering=0) as errors:
            process = subprocess.Popen(
                [str(PROGRAM), *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=errors)
        shown = b""
        # Reading fails after the last writer has closed the terminal.
        with contextlib.suppress(OSError):
            while piece := screen.read(4096):
                shown += piece
        return process.wait(60), shown.decode()


def routines(server):
    return sorted(routine["title"] for routine in server.records("routine"))


@pytest.fixture(scope="module")
def swan(tmp_path_factory):
    """A library with the routine Swan, and a backup of it."""
    folder = tmp_path_factory.mktemp("swan")
    for name, seconds in (("one", 40), ("two", 25)):
        (folder / f"{name}.wav").write_bytes(song(seconds, seed=len(name) + seconds))
    made = segmance(
        "import", folder / "one.wav", folder / "two.wav", "--routine", "Swan",
        "--data", folder / "library")
    assert made.returncode == 0, made.stderr
    done = segmance("backup", "-o", folder / "swan.tar", "--data", folder / "library")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def duck(tmp_path_factory):
    """Another library, with the routine Duck."""
    folder = tmp_path_factory.mktemp("duck")
    (folder / "song.wav").write_bytes(song(2))
    made = segmance(
        "import", folder / "song.wav", "--routine", "Duck", "--data", folder / "library")
    assert made.returncode == 0, made.stderr
    return folder / "library"


def test_a_backup_is_a_plain_tar_archive_and_can_be_restored_elsewhere(swan, tmp_path):
    with tarfile.open(swan / "swan.tar") as archive:
        names = archive.getnames()
        manifest = json.load(archive.extractfile("manifest.json"))
    assert names[0] == "manifest.json" and names[-1] == "end.json" and len(names) == 5
    assert [file["path"] for file in manifest["files"]] == names[1:-1]
    restored = segmance("restore", swan / "swan.tar", "--data", tmp_path / "new")
    assert restored.returncode == 0, restored.stderr
    assert "1 routine, 2 tracks" in restored.stdout
    checked = segmance("check", "--data", tmp_path / "new")
    assert checked.returncode == 0 and "The next start of the server prepares again: “" in checked.stdout
    with Server(tmp_path / "new") as server:
        assert routines(server) == ["Swan"]
        eventually(
            lambda: server.records("track"), lambda all: {t["state"] for t in all} == {"ready"}, 60)
        checked = segmance("check", "--deep", "--data", tmp_path / "new", "--json")
        assert json.loads(checked.stdout) == {"problems": [], "unprepared": []}


def test_a_running_server_allows_a_backup_and_prevents_a_restore(swan, duck, tmp_path):
    library = tmp_path / "library"
    shutil.copytree(duck, library)
    with Server(library):
        assert segmance("backup", "-o", tmp_path / "a.tar", "--data", library).returncode == 0
        refused = segmance("restore", swan / "swan.tar", "--data", library, "--yes")
        assert refused.returncode == 1 and "already running" in refused.stderr
    again = segmance("backup", "-o", tmp_path / "a.tar", "--data", library)
    assert again.returncode == 1 and "--force" in again.stderr
    assert segmance("backup", "-o", tmp_path / "a.tar", "--data", library, "--force").returncode == 0
    assert sorted(os.listdir(tmp_path)) == ["a.tar", "library"]


def test_progress_is_shown_only_in_a_terminal(swan, tmp_path):
    for doing, words in [
            ("Backing up", ["backup", "-o", tmp_path / "a.tar", "--data", swan / "library"]),
            ("Restoring", ["restore", swan / "swan.tar", "--data", tmp_path / "library"])]:
        status, shown = in_terminal(*words)
        assert status == 0
        *steps, last = shown.split("\r")
        shares = [int(step.removeprefix(f"{doing}: ").removesuffix(" %")) for step in steps if step]
        assert len(shares) > 3 and shares == sorted(shares) and shares[-1] == 100, shown
        assert last == "\x1b[K", "the line is taken away"
    assert segmance("backup", "-o", tmp_path / "b.tar", "--data", swan / "library").stderr == ""


def test_an_incomplete_backup_is_written_and_ends_with_an_error(swan, tmp_path):
    library = tmp_path / "library"
    shutil.copytree(swan / "library", library)
    assert segmance("backup", "-o", tmp_path / "kept.tar", "--data", library).returncode == 0
    complete = (tmp_path / "kept.tar").read_bytes()
    lost, damaged = sorted(library.glob("blobs/*/*"))
    lost.unlink()
    content = bytearray(damaged.read_bytes())
    content[-1] ^= 1
    damaged.write_bytes(content)
    done = segmance("backup", "-o", tmp_path / "a.tar", "--data", library)
    assert done.returncode == 1
    assert "what is left of the library, verified" in done.stdout
    assert "1 were lost before, 1 damaged" in done.stderr
    told = segmance("backup", "-o", tmp_path / "a.tar", "--data", library, "--force", "--json")
    report = json.loads(told.stdout)
    assert told.returncode == 1
    assert (report["missing"], report["damaged"]) == ([lost.name], [damaged.name])
    assert segmance("restore", tmp_path / "a.tar", "--data", tmp_path / "new").returncode == 0
    # A script that overwrites the last backup every night keeps the complete one.
    nightly = segmance("backup", "-o", tmp_path / "kept.tar", "--data", library, "--force")
    assert nightly.returncode == 1 and "kept-incomplete.tar holds what is left" in nightly.stdout
    assert (tmp_path / "kept.tar").read_bytes() == complete
    assert (tmp_path / "kept-incomplete.tar").exists()


def test_a_restore_replaces_a_used_library_only_with_force_and_keeps_it(swan, duck, tmp_path):
    library = tmp_path / "library"
    shutil.copytree(duck, library)
    refused = segmance("restore", swan / "swan.tar", "--data", library)
    assert refused.returncode == 2 and "--yes" in refused.stderr
    result = segmance("restore", swan / "swan.tar", "--data", library, "--yes", "--json")
    summary = json.loads(result.stdout)
    assert (summary["routines"], summary["tracks"], summary["lost"]) == (1, 2, [])
    with Server(library) as server:
        assert routines(server) == ["Swan"]
    # The folder that was set aside is a complete library.
    shutil.copytree(summary["aside"], tmp_path / "before")
    with Server(tmp_path / "before") as server:
        assert routines(server) == ["Duck"]
    assert segmance("restore", duck / "segmance.sqlite", "--data", library, "--yes").returncode == 1


def test_a_deep_check_finds_a_damaged_chunk(swan, tmp_path):
    library = tmp_path / "library"
    shutil.copytree(swan / "library", library)
    chunk = next(library.glob("derived/*/00001.flac"))
    content = bytearray(chunk.read_bytes())
    content[len(content) // 2] ^= 1
    chunk.write_bytes(content)
    assert segmance("check", "--data", library).returncode == 0
    result = segmance("check", "--deep", "--data", library)
    assert result.returncode == 1 and "Chunk 1" in result.stdout


def killed(words, after):
    """Starts a program and kills it after `after` seconds, unless it has ended before."""
    process = subprocess.Popen(
        [str(PROGRAM), *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()


def moments(whole):
    """Returns the seconds after which to kill a command that took `whole` seconds.

    The first is 0, since a faster run could otherwise end before every kill. The last lets it end.
    """
    chosen = [0, *(random.uniform(0, whole * 1.1) for _ in range(18)), 60]
    print("Killed after", chosen)
    return chosen


def seconds_of(words):
    start = time.monotonic()
    assert segmance(*words).returncode == 0
    return time.monotonic() - start


def test_a_backup_that_is_killed_is_whole_or_absent(swan, tmp_path):
    words = ["backup", "-o", tmp_path / "x.tar", "--data", swan / "library"]
    there = []
    for moment, after in enumerate(moments(seconds_of(words))):
        file = tmp_path / f"{moment}.tar"
        killed(["backup", "-o", file, "--data", swan / "library"], after)
        if file.exists():
            assert file.stat().st_size == (tmp_path / "x.tar").stat().st_size
            there.append(file)
    assert 0 < len(there) < 20
    library = tmp_path / "again.tar"
    # Reads every file of the backup and compares the hashes.
    assert segmance("restore", there[0], "--data", library, "--yes").returncode == 0
    assert segmance("check", "--data", swan / "library").returncode == 0
    left = {path.name for path in tmp_path.iterdir() if not path.name.endswith(".tar")}
    assert all(name.startswith(".") and name.endswith(".partial") for name in left)


def test_a_restore_that_is_killed_leaves_one_library_whole(swan, duck, tmp_path):
    first = tmp_path / "first"
    shutil.copytree(duck, first)
    whole = seconds_of(["restore", swan / "swan.tar", "--data", first, "--yes"])
    seen = set()
    for moment, after in enumerate(moments(whole)):
        library = tmp_path / str(moment)
        shutil.copytree(duck, library)
        killed(["restore", swan / "swan.tar", "--data", library, "--yes"], after)
        with Server(library) as server:
            seen.update(routines(server))
            assert len(routines(server)) == 1
        problems = json.loads(segmance("check", "--data", library, "--json").stdout)["problems"]
        assert [p for p in problems if "rendition" not in p and "waveform" not in p] == []
        assert not {"restoring", "restored"} & set(os.listdir(library))
        shutil.rmtree(library)
    assert seen == {"Duck", "Swan"}


def in_small_disk(folder, megabytes, script, **values):
    """Runs a shell script with a small file system mounted at `folder`."""
    inner = f"mount -t tmpfs -o size={megabytes}m x {folder} && {{ {script}; }}"
    return subprocess.run(
        ["unshare", "-Urm", "sh", "-c", inner], capture_output=True, text=True,
        env={**os.environ, "SEGMANCE": str(PROGRAM), **{k: str(v) for k, v in values.items()}})


def test_a_full_disk_ends_a_backup_with_a_message_and_leaves_no_file(swan, tmp_path):
    result = in_small_disk(
        tmp_path, 6, f'"$SEGMANCE" backup -o {tmp_path}/x.tar --data "$FROM"; echo $?; '
        f"ls -A {tmp_path}", FROM=swan / "library")
    assert result.stdout.split() == ["1"], result
    assert "not enough room" in result.stderr


def test_a_backup_on_the_librarys_own_disk_keeps_the_disk_reserve(swan, tmp_path):
    # The reserve is a twentieth of 100 MB. The backup fits on the disk only without the reserve.
    result = in_small_disk(
        tmp_path, 100, f'mkdir {tmp_path}/l; cp -r "$FROM"/segmance.sqlite* "$FROM"/blobs {tmp_path}/l; '
        f"free=$(($(stat -f -c '%a*%S' {tmp_path}))); "
        f'fallocate -l $((free - $(stat -c %s "$BACKUP") - 3000000)) {tmp_path}/filler; '
        f'"$SEGMANCE" backup -o {tmp_path}/x.tar --data {tmp_path}/l; echo $?; ls -A {tmp_path}; '
        f'truncate -s -4M {tmp_path}/filler; '
        f'"$SEGMANCE" backup -o {tmp_path}/x.tar --data {tmp_path}/l >&2; echo $?',
        FROM=swan / "library", BACKUP=swan / "swan.tar")
    assert result.stdout.split() == ["1", "filler", "l", "0"], result
    assert "not enough room" in result.stderr


def test_a_full_disk_ends_a_restore_and_changes_nothing(swan, duck, tmp_path):
    result = in_small_disk(
        tmp_path, 8, f'cp -r "$DUCK" {tmp_path}/l; "$SEGMANCE" restore "$BACKUP" --yes '
        f'--data {tmp_path}/l >&2; echo $?; "$SEGMANCE" check --data {tmp_path}/l; ls {tmp_path}/l',
        DUCK=duck, BACKUP=swan / "swan.tar")
    assert result.stdout.startswith("1\nThe library in"), result
    assert "rest" not in result.stdout.split("sound.")[1]
    assert "not enough room" in result.stderr


def test_a_server_whose_backup_disk_is_full_reports_it_and_keeps_running(swan, tmp_path):
    library, disk = tmp_path / "library", tmp_path / "disk"
    shutil.copytree(swan / "library", library)
    disk.mkdir()
    # The program replaces the shell, in a namespace where the folder is a separate file system.
    before = ("unshare", "-Urm", "sh", "-c", f'mount -t tmpfs -o size=5m x {disk} && exec "$0" "$@"')
    words = ("--no-sandbox", "--backup-dir", str(disk))
    with Server(library, options=words, before=before) as server:
        health = eventually(
            lambda: json.loads(server.request("GET", "/api/health")[1]),
            lambda health: health["status"] != "ok", 30)
        assert health["status"] == "degraded"
        assert "not enough room" in health["problems"][0]
        scheduled = json.loads(server.request("GET", "/api/backups")[1])["scheduled"]
        assert "not enough room" in scheduled["problem"] and scheduled["count"] == 0
        assert os.listdir(f"/proc/{server.process.pid}/root{disk}") == []
        assert routines(server) == ["Swan"]


def test_a_server_starts_without_its_backup_disk(swan, tmp_path):
    library, kept = tmp_path / "library", tmp_path / "disk" / "backups"
    shutil.copytree(swan / "library", library)
    with Server(library, options=("--backup-dir", str(kept))) as server:
        assert json.loads(server.request("GET", "/api/health")[1])["problems"] == [
            "No backup can be begun: The folder for backups is not there. Is its disk connected?"]
        assert routines(server) == ["Swan"]
    assert not kept.parent.exists()


def old_backup(library, day=1):
    """Returns the name of a scheduled backup of that library from January 2023."""
    with contextlib.closing(sqlite3.connect(library / "segmance.sqlite")) as database:
        [lineage] = database.execute("SELECT value FROM counter WHERE name = 'lineage'").fetchone()
    return f"segmance-{lineage:016x}"[:17] + f"-2023-01-{day:02}T00-00-00Z.tar"


def size_of_partial(folder):
    """Returns the size of a backup that is being written, or 0 if there is none."""
    try:
        return sum(file.stat().st_size for file in folder.glob(".*.partial"))
    except FileNotFoundError:
        # The backup was renamed to its final name.
        return 0


def hold_while_it_writes(server, folder, whole, old):
    """Stops the server process while its backup is half written. Retries with another backup if needed."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        # Polls without a pause, because writing takes only a tenth of a second on a fast machine.
        if size_of_partial(folder) > 0:
            server.process.send_signal(signal.SIGSTOP)
            os.waitpid(server.process.pid, os.WUNTRACED)
            if 0 < size_of_partial(folder) < whole:
                return
            server.process.send_signal(signal.SIGCONT)
        elif any(file.name != old for file in folder.glob("*.tar")):
            eventually(
                lambda: json.loads(server.request("GET", "/api/backups")[1])["scheduled"],
                lambda scheduled: "job" not in scheduled, 30)
            for file in folder.glob("*.tar"):
                file.unlink()
            (folder / old).touch()
            assert server.request("POST", "/api/backups")[0] == 202
    pytest.fail("The server was never seen with half a backup.")


def test_a_disk_that_fills_up_during_a_scheduled_backup_keeps_the_earlier_one(tmp_path):
    library, disk = tmp_path / "library", tmp_path / "disk"
    (tmp_path / "long.wav").write_bytes(noise(250))
    made = segmance(
        "import", tmp_path / "long.wav", "--routine", "Long", "--data", library)
    assert made.returncode == 0, made.stderr
    disk.mkdir()
    old = old_backup(library)
    # The disk has room when the backup begins. Another program fills it meanwhile.
    before = ("unshare", "-Urm", "sh", "-c", f"mount -t tmpfs -o size=65m x {disk} && "
              f'touch {disk}/{old} && exec "$0" "$@"')
    words = ("--no-sandbox", "--backup-dir", str(disk), "--backup-keep", "1")
    with Server(library, options=words, before=before) as server:
        seen = pathlib.Path(f"/proc/{server.process.pid}/root{disk}")
        # The server is stopped while the disk is filled.
        hold_while_it_writes(server, seen, whole=48_000_000, old=old)
        filler = os.open(seen / "filler", os.O_CREAT | os.O_WRONLY)
        for step in (1 << 22, 1 << 16, 1 << 12):
            try:
                while True:
                    os.posix_fallocate(filler, os.fstat(filler).st_size, step)
            except OSError:
                pass
        server.process.send_signal(signal.SIGCONT)

        def health():
            return json.loads(server.request("GET", "/api/health")[1])
        assert eventually(health, lambda health: health["status"] != "ok", 30)["status"] == "degraded"
        assert "not enough room" in health()["problems"][0]
        assert sorted(os.listdir(seen)) == ["filler", old]
        assert [path.name for path in (library / "tmp").glob("backup-*")] == []
        assert routines(server) == ["Long"]
        # With free space the next backup succeeds, and only then the earlier one is deleted.
        os.close(filler)
        (seen / "filler").unlink()
        job = json.loads(server.request("POST", "/api/backups")[1])["job"]
        done = eventually(
            lambda: json.loads(server.request("GET", f"/api/jobs/{job}")[1])["state"],
            lambda state: state in ("done", "failed"), 30)
        assert done == "done" and health()["status"] == "ok"
        (kept,) = seen.iterdir()
        assert "2023" not in kept.name and kept.stat().st_size > 48_000_000


def test_a_server_killed_during_a_restore_leaves_one_library_whole(swan, duck, tmp_path):
    backup = (swan / "swan.tar").read_bytes()

    def restore(server):
        """Requests the restore and ignores the response."""
        connection = http.client.HTTPConnection("localhost", server.port, timeout=20)
        try:
            connection.request("POST", "/api/restore", body=backup, headers={
                "Origin": server.origin, "Content-Type": "application/x-tar"})
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            pass

    def begun(library):
        shutil.copytree(duck, library)
        log = tmp_path / f"{library.name}.log"
        server = Server(library, log=log)
        thread = threading.Thread(target=restore, args=[server])
        start = time.monotonic()
        thread.start()
        return server, log, thread, start

    server, log, thread, start = begun(tmp_path / "first")
    eventually(lambda: log.read_text(), lambda text: "library.restored" in text, 30)
    whole = time.monotonic() - start
    thread.join()
    eventually(lambda: log.read_text().count("server.started"), lambda count: count == 2)
    assert routines(server) == ["Swan"]
    server.stop()
    seen = set()
    for moment in range(6):
        library = tmp_path / str(moment)
        server, log, thread, start = begun(library)
        # Kills at the start, at random moments, and after the restored library is open.
        if moment == 5:
            eventually(log.read_text, lambda text: "library.restored" in text, 30)
        elif moment > 0:
            at = start + whole * 1.1 * (moment + random.random()) / 6
            time.sleep(max(0, at - time.monotonic()))
        server.kill()
        thread.join()
        with Server(library) as server:
            assert routines(server) in (["Swan"], ["Duck"])
            seen.update(routines(server))
        problems = json.loads(segmance("check", "--data", library, "--json").stdout)["problems"]
        assert [p for p in problems if "rendition" not in p and "waveform" not in p] == []
        assert not {"restoring", "restored"} & set(os.listdir(library))
        assert os.listdir(library / "tmp") == []
        shutil.rmtree(library)
    assert seen == {"Swan", "Duck"}


def test_scheduled_backups_are_written_and_the_oldest_are_deleted(swan, tmp_path):
    library, kept = tmp_path / "library", tmp_path / "kept"
    shutil.copytree(swan / "library", library)
    words = ("--backup-dir", str(kept), "--backup-every", "24", "--backup-keep", "2")
    with Server(library, options=words) as server:
        # A request during a backup would not start a second one.
        eventually(
            lambda: json.loads(server.request("GET", "/api/backups")[1])["scheduled"],
            lambda scheduled: scheduled["count"] == 1 and "job" not in scheduled, 30)
        [today] = [path.name for path in kept.iterdir()]
        # A second backup in the same second gets the name of the next second, which is in the future.
        written = (kept / today).stat().st_mtime
        eventually(time.time, lambda now: now >= int(written) + 1)
        for day in (1, 2):
            (kept / old_backup(library, day)).write_bytes(b"")
        status, answer = server.request("POST", "/api/backups")
        assert status == 202
        job = json.loads(answer)["job"]
        state = eventually(
            lambda: json.loads(server.request("GET", f"/api/jobs/{job}")[1])["state"],
            lambda state: state in ("done", "failed"), 30)
        assert state == "done"
        names = sorted(path.name for path in kept.iterdir())
        # The other backup of today was deleted first, then the oldest one.
        assert len(names) == 2 and names[0] == old_backup(library, 2)
        assert names[1] > today
    # No backup is due, so a restart writes none.
    with Server(library, options=(*words[:-1], "3")):
        now = last_seen(
            lambda: sorted(path.name for path in kept.iterdir()), lambda now: now != names, 2)
    assert now == names
    newest = segmance("restore", kept / names[-1], "--data", tmp_path / "new")
    assert newest.returncode == 0, newest.stderr


def test_settings_download_a_backup_and_restore_it(chromium, swan, duck, tmp_path):
    library = tmp_path / "library"
    shutil.copytree(swan / "library", library)
    with Server(library, options=("--backup-dir", str(tmp_path / "kept"))) as server:
        server.skip_welcome()
        context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        page = context.new_page()
        page.goto(f"{server.origin}/settings")
        row = page.get_by_test_id("backup")
        expect(row).to_contain_text("MB")
        expect(page.get_by_test_id("backup-standing")).to_contain_text("Last backup", timeout=30_000)
        page.route("**/api/backups", lambda route: route.abort())
        page.get_by_test_id("backup-now").click()
        expect(page.get_by_test_id("toast")).to_contain_text("The server can’t be reached.")
        page.unroute("**/api/backups")
        with page.expect_download() as download:
            row.click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert file.name.startswith("segmance-") and file.name.endswith(".tar")

        # The restore removes later records, on this device too.
        server.set("theme", "light")
        page.goto(server.origin)
        expect(page.get_by_text("Swan")).to_be_visible()
        other = segmance("backup", "-o", tmp_path / "duck.tar", "--data", duck)
        assert other.returncode == 0
        page.goto(f"{server.origin}/settings")
        page.get_by_test_id("restore").click()
        page.get_by_test_id("restore-file").set_input_files(str(tmp_path / "duck.tar"))
        expect(page.get_by_test_id("restore-name")).to_contain_text("duck.tar")
        sent = []
        page.on("request", lambda asked: asked.url.endswith("/api/restore") and sent.append(asked))
        page.get_by_test_id("restore-replace").click()
        page.get_by_test_id("confirm-cancel").click()
        assert routines(server) == ["Swan"]
        page.get_by_test_id("restore-replace").click()
        page.get_by_test_id("confirm-action").click()
        outcome = page.get_by_test_id("restore-outcome")
        expect(outcome).to_contain_text("is kept in", timeout=60_000)
        # A cancelled restore would have sent a request before this one.
        assert len(sent) == 1
        expect(outcome).to_contain_text(f"{library}/before-restore-")
        page.get_by_test_id("restore-done").click()
        page.get_by_test_id("tab-routines").click()
        expect(page.get_by_text("Duck")).to_be_visible()
        expect(page.get_by_text("Swan")).to_have_count(0)
        assert routines(server) == ["Duck"]

        page.goto(f"{server.origin}/settings")
        page.get_by_test_id("restore").click()
        page.get_by_test_id("restore-file").set_input_files(
            {"name": "song.tar", "mimeType": "application/x-tar", "buffer": b"no backup"})
        page.get_by_test_id("restore-replace").click()
        page.get_by_test_id("confirm-action").click()
        expect(outcome).to_contain_text("no backup")
        assert routines(server) == ["Duck"]
        context.close()
