"""The command line as a person meets it: exit codes, sentences, files."""

import json
import struct
import subprocess

import pytest
from studio import PROGRAM, Server, song


def segmance(*words):
    return subprocess.run([str(PROGRAM), *map(str, words)], capture_output=True, text=True)


@pytest.fixture
def wav(tmp_path):
    path = tmp_path / "song.wav"
    path.write_bytes(song(12))
    return path


def test_help_explains_every_command():
    for command in ("serve", "import", "export", "peaks", "check"):
        result = segmance(command, "--help")
        assert result.returncode == 0
        assert f"segmance {command}" in result.stdout
        assert command in segmance("--help").stdout
    assert "fill" not in segmance("--help").stdout, "only measurements need it"
    assert segmance("--version").stdout.startswith("segmance ")


@pytest.mark.parametrize("words", [
    [], ["dance"], ["serve", "--port", "x"], ["serve", "--port", "99999"],
    ["serve", "--host", "0.0.0.0"], ["import"], ["import", "a.wav"], ["peaks", "a.wav"],
    ["import", "a.wav", "--routine", "R", "--cuts", "1:99"],
    ["import", "a.wav", "--routine", "R", "--cuts", "0:20,0:10"],
    ["import", "a.wav", "b.wav", "--routine", "R", "--cuts", "0:10"],
    ["check", "--loudly"],
    ["export"], ["export", "--format", "pdf"], ["export", "a.json", "--format", "json"],
    ["export", "--format", "cuesheet", "--paper", "a0"], ["fill"],
    ["import", "a.json", "--routine", "R"],
])
def test_wrong_use_is_exit_code_2_with_a_sentence(words):
    result = segmance(*words)
    assert result.returncode == 2
    assert result.stderr.strip().endswith(("--help", "version."))
    assert result.stdout == ""


def test_import_cuts_a_song_and_the_server_shows_it(tmp_path, wav):
    library = tmp_path / "library"
    result = segmance(
        "import", wav, "--routine", "Swan", "--cuts", "0:04,0:08.5", "--data", library, "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["parts"] == 3
    with Server(library) as server:
        parts = sorted(server.records("part"), key=lambda part: part["position"])
        assert [(part["startFrame"], part["endFrame"]) for part in parts] == [
            (0, 192_000), (192_000, 408_000), (408_000, 576_000)]
        refused = segmance("import", wav, "--routine", "Swan", "--data", library)
        assert refused.returncode == 1
        assert "already running" in refused.stderr
        assert segmance("check", "--data", library).returncode == 0


def test_check_lists_what_is_wrong(tmp_path, wav):
    library = tmp_path / "library"
    assert segmance("check", "--data", library).returncode == 1
    segmance("import", wav, "--routine", "Swan", "--data", library)
    assert segmance("check", "--data", library).returncode == 0
    blob = next(path for path in (library / "blobs").rglob("*") if path.is_file())
    blob.write_bytes(b"something else")
    result = segmance("check", "--data", library, "--json")
    assert result.returncode == 1
    assert blob.name in json.loads(result.stdout)["problems"][0]


def test_peaks_are_audiowaveforms_format(tmp_path, wav):
    out = tmp_path / "song.dat"
    assert segmance("peaks", wav, "-o", out, "--frames-per-pixel", 480).returncode == 0
    content = out.read_bytes()
    assert struct.unpack("<iIiiIi", content[:24]) == (2, 1, 48_000, 480, 1_200, 1)
    assert len(content) == 24 + 2 * 1_200
    nothing = tmp_path / "nothing.wav"
    nothing.write_bytes(b"")
    refused = segmance("peaks", nothing, "-o", tmp_path / "none.dat")
    assert refused.returncode == 1
    assert refused.stderr.strip().endswith(".")
    assert not (tmp_path / "none.dat").exists()


def test_what_is_exported_is_imported_again(tmp_path, wav):
    first, second, file = tmp_path / "first", tmp_path / "second", tmp_path / "swan.json"
    segmance("import", wav, "--routine", "Swan", "--cuts", "0:04", "--data", first)
    segmance("import", wav, "--routine", "Duck", "--data", second)
    with Server(first):
        result = segmance(
            "export", "--routine", "Swan", "--format", "json", "-o", file, "--data", first)
        assert result.returncode == 0, "a running server is no hindrance"
    assert json.loads(file.read_text())["format"] == "segmance"
    result = segmance("import", file, "--data", second, "--json")
    assert json.loads(result.stdout) == {
        "routines": 1, "parts": 2, "moves": 0, "moveTypes": 0, "partsWithoutAudio": 0}
    with Server(second) as server:
        assert sorted(routine["title"] for routine in server.records("routine")) == ["Duck", "Swan"]
        assert len({part["track"] for part in server.records("part")}) == 1
    without = segmance("import", file, "--data", tmp_path / "third")
    assert without.returncode == 0
    assert "Without audio: 2 parts" in without.stdout


def test_an_export_says_what_it_can_not_do(tmp_path, wav):
    library = tmp_path / "library"
    refused = segmance("export", "--format", "html", "--data", library)
    assert refused.returncode == 1
    assert "no library" in refused.stderr
    assert not library.exists()
    for _ in range(2):
        segmance("import", wav, "--routine", "Swan", "--data", library)
    for words, sentence in [
        (["--routine", "Duck", "--format", "html"], "no routine “Duck”"),
        (["--routine", "Swan", "--format", "html"], "2 routines are called"),
        (["--format", "labels"], "by itself"),
    ]:
        refused = segmance("export", *words, "--data", library)
        assert refused.returncode == 1
        assert sentence in refused.stderr
    broken = tmp_path / "broken.json"
    broken.write_text('{"format":"segmance","version":1,"routines":[')
    refused = segmance("import", broken, "--data", library)
    assert refused.returncode == 1
    assert "incomplete" in refused.stderr
