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
    for command in ("serve", "import", "peaks", "check"):
        result = segmance(command, "--help")
        assert result.returncode == 0
        assert f"segmance {command}" in result.stdout
        assert command in segmance("--help").stdout
    assert segmance("--version").stdout.startswith("segmance ")


@pytest.mark.parametrize("words", [
    [], ["dance"], ["serve", "--port", "x"], ["serve", "--port", "99999"],
    ["serve", "--host", "0.0.0.0"], ["import"], ["import", "a.wav"], ["peaks", "a.wav"],
    ["import", "a.wav", "--routine", "R", "--cuts", "1:99"],
    ["import", "a.wav", "--routine", "R", "--cuts", "0:20,0:10"],
    ["import", "a.wav", "b.wav", "--routine", "R", "--cuts", "0:10"],
    ["check", "--loudly"],
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
