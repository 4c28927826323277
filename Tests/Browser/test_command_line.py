"""The command line: exit codes, messages and files."""

import json
import os
import re
import signal
import struct
import subprocess
import time
import wave

import numpy
import pytest
from studio import PROGRAM, RATE, Server, noise, song, wav_file


def segmance(*words):
    return subprocess.run([str(PROGRAM), *map(str, words)], capture_output=True, text=True)


def test_no_foreign_text_steers_the_terminal(tmp_path):
    steering = "\x1b]52;c;c3dhbg==\x07\x9b2J\u202e"
    notebook = {"format": "segmance", "version": 1, "moveTypes": [], "tracks": [], "routines": [
        {"id": "x", "title": "a", f"Swan{steering}": 1}]}
    (tmp_path / "swan.json").write_text(json.dumps(notebook))
    (tmp_path / f"Swan{steering}.mp3").write_bytes(b"no audio at all")
    for words in (["swan.json"], [f"Swan{steering}.mp3", "--routine", "Swan"]):
        done = subprocess.run(
            [str(PROGRAM), "import", *words, "--data", str(tmp_path / "library")], cwd=tmp_path,
            capture_output=True, text=True)
        assert done.returncode == 1
        assert "Swan\ufffd]52;c;" in done.stderr, done.stderr
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", done.stdout + done.stderr)


@pytest.fixture
def wav(tmp_path):
    path = tmp_path / "song.wav"
    path.write_bytes(song(12))
    return path


def test_help_explains_every_command():
    commands = {
        "serve", "import", "export", "peaks", "align", "analyse", "beats", "clip", "split", "stretch",
        "devices", "backup", "restore", "migrate", "check"}
    assert set(re.findall(r"^  ([a-z]+) ", segmance("--help").stdout, re.M)) == commands
    for command in commands:
        result = segmance(command, "--help")
        assert result.returncode == 0
        assert f"segmance {command}" in result.stdout
    assert segmance("--version").stdout.startswith("segmance ")


@pytest.mark.parametrize("words", [
    [], ["dance"], ["serve", "--port", "x"], ["serve", "--port", "99999"],
    ["serve", "--host", "0.0.0.0"], ["import"], ["import", "a.wav"], ["peaks", "a.wav"],
    ["import", "a.wav", "--routine", "R", "--cuts", "1:99"],
    ["import", "a.wav", "--routine", "R", "--cuts", "0:20,0:10"],
    ["import", "a.wav", "b.wav", "--routine", "R", "--cuts", "0:10"],
    ["check", "--loudly"], ["beats"], ["beats", "a.wav", "b.wav"], ["beats", "a.wav", "--json", "--labels"],
    ["export"], ["export", "--format", "pdf"], ["export", "a.json", "--format", "json"],
    ["export", "--format", "cuesheet", "--paper", "a0"],
    ["import", "a.json", "--routine", "R"],
    ["clip", "a.wav"], ["clip", "a.wav", "0:01", "0:02"],
    ["clip", "a.wav", "0:02", "0:01", "-o", "b.wav"], ["clip", "a.wav", "x", "2", "-o", "b.wav"],
    ["clip", "a.wav", "frames:-1", "2", "-o", "b.wav"], ["clip", "a.wav", "1", "2", "-o", "b.exe"],
    ["clip", "a.wav", "1", "2", "-o", "b.wav", "--fade-in", "x"],
    ["stretch", "a.wav"], ["stretch", "a.wav", "b.wav", "c.wav"], ["stretch", "a.wav", "b.exe"],
    ["stretch", "a.wav", "b.wav", "--rate", "0.24"], ["stretch", "a.wav", "b.wav", "--rate", "2.01"],
    ["stretch", "a.wav", "b.wav", "--rate", "0.755"], ["stretch", "a.wav", "b.wav", "--rate", "fast"],
    ["stretch", "a.wav", "b.wav", "--rate", "-1"], ["stretch", "a.wav", "b.wav", "--rate", ""],
    ["stretch", "a.wav", "b.wav", "--voice", "deep"],
    ["stretch", "a.wav", "b.wav", "--semitones", "13"], ["stretch", "a.wav", "b.wav", "--semitones", "x"],
    ["split", "a.wav", "-o", "d"], ["split", "a.wav", "--cuts", "1"],
    ["split", "a.wav", "--cuts", "2,1", "-o", "d"],
    ["split", "a.wav", "--cuts", "1", "--labels", "l.txt", "-o", "d"],
    ["split", "a.wav", "--cuts", "1", "-o", "d", "--format", "exe"],
    ["align"], ["align", "a.mp4"], ["align", "a.mp4", "b.wav", "c.wav"],
    ["align", "a.mp4", "b.wav", "--loudly"],
    ["backup"], ["backup", "a.tar"], ["restore"], ["restore", "a.tar", "b.tar"],
    ["serve", "--backup-every", "2"], ["serve", "--backup-keep", "2"],
    ["serve", "--backup-dir", "d", "--backup-keep", "0"],
    ["serve", "--otlp-sample", "0.5"],
    *(["serve", "--otlp-traces", "http://127.0.0.1:9", "--otlp-sample", share]
      for share in ("1.5", "-0.1", "nan", "inf", "much", "", "10%")),
    ["import", "a.wav", "--routine", "--data", "d"], ["clip", "a.wav", "1", "2", "-o", "--force"],
    ["clip", "a.wav", "1", "2", "--start", "1", "-o", "b.wav"],
    ["clip", "a.wav", "2", "--end", "3", "-o", "b.wav"],
    ["clip", "a.wav", "--start", "1", "-o", "b.wav"],
    ["clip", "--start", "1", "--end", "2", "-o", "b.wav"],
    ["clip", "a.wav", "--start", "1", "--start", "2", "--end", "3", "-o", "b.wav"],
])
def test_wrong_arguments_exit_with_code_2_and_a_message(words):
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


def test_an_option_is_no_value_but_after_a_sign_it_is(tmp_path, wav):
    library = tmp_path / "library"
    refused = segmance("import", wav, "--routine", "--data", library)
    assert refused.returncode == 2 and refused.stderr.startswith("--routine needs a value."), refused.stderr
    assert segmance("import", wav, "--routine=--data", "--data", library).returncode == 0
    out = tmp_path / "out.json"
    exported = segmance("export", "--routine=--data", "--format", "json", "-o", out, "--data", library)
    assert exported.returncode == 0 and json.loads(out.read_text())["routines"][0]["title"] == "--data"


def test_of_identical_files_one_becomes_a_part_and_the_other_is_named(tmp_path, wav):
    copy, library = tmp_path / "copy.wav", tmp_path / "library"
    copy.write_bytes(wav.read_bytes())
    result = segmance("import", wav, copy, "--routine", "Swan", "--data", library)
    assert result.returncode == 0
    assert result.stderr.strip() == f"“{copy}” is the same song as “{wav}”, so it was skipped."
    assert result.stdout.strip() == "“Swan”: 1 part."
    outcome = json.loads(segmance(
        "import", wav, copy, "--routine", "Duck", "--data", library, "--json").stdout)
    assert (outcome["parts"], outcome["skipped"]) == (
        1, [{"file": str(copy), "sameAs": str(wav)}])


@pytest.mark.parametrize("time", ["3.5", "0:03.5", "00:00:03.500", "frames:168000"])
def test_every_command_reads_a_time_alike(tmp_path, wav, time):
    library, labels, whole = tmp_path / "library", tmp_path / "labels.txt", frames(wav)
    labels.write_text(f"{time}\tframes:240000\tTurn\n")
    split = segmance("split", wav, "--labels", labels, "-o", tmp_path / "labelled", "--json")
    assert [(clip["startFrame"], clip["endFrame"]) for clip in json.loads(split.stdout)["clips"]] == [
        (168_000, 240_000)]
    split = segmance("split", wav, "--cuts", f"{time},0:05", "-o", tmp_path / "cut", "--json")
    assert [clip["startFrame"] for clip in json.loads(split.stdout)["clips"]] == [0, 168_000, 240_000]
    for index, words in enumerate(([time, "5"], ["--start", time, "--end=0:05"])):
        out = tmp_path / f"{index}.wav"
        assert segmance("clip", wav, *words, "-o", out).returncode == 0
        assert frames(out) == whole[168_000 * 4:240_000 * 4]
    assert segmance("import", wav, "--routine", "Swan", "--cuts", time, "--data", library).returncode == 0
    with Server(library) as server:
        assert sorted(part["startFrame"] for part in server.records("part")) == [0, 168_000]


def test_check_lists_the_problems_of_a_library(tmp_path, wav):
    library = tmp_path / "library"
    assert segmance("check", "--data", library).returncode == 1
    segmance("import", wav, "--routine", "Swan", "--data", library)
    assert segmance("check", "--data", library).returncode == 0
    blob = next(path for path in (library / "blobs").rglob("*") if path.is_file())
    blob.write_bytes(b"something else")
    result = segmance("check", "--data", library, "--json")
    assert result.returncode == 1
    assert blob.name in json.loads(result.stdout)["problems"][0]


def test_peaks_are_written_in_the_audiowaveform_format(tmp_path, wav):
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


def drums(seconds, beat_frames):
    """A low thump on each first and third beat, noise on the others, a short tone between them."""
    sound = numpy.zeros(seconds * RATE)
    burst = numpy.random.default_rng(3).uniform(-1, 1, RATE // 5) * numpy.exp(-numpy.arange(RATE // 5) / 1_500)
    time = numpy.arange(RATE // 5) / RATE
    thump = numpy.sin(2 * numpy.pi * 60 * time) * numpy.exp(-time * 15)
    tone = 0.3 * numpy.sin(2 * numpy.pi * 3_000 * time) * numpy.exp(-time * 60)
    for index, at in enumerate(range(0, len(sound) - RATE // 2, beat_frames // 2)):
        sound[at:at + RATE // 5] += (thump, tone, burst, tone)[index % 4]
    samples = (sound * 0.6 * 32_767).astype("<i2")
    return numpy.column_stack([samples, samples])


def test_beats_are_printed_as_text_labels_and_json(tmp_path):
    path = tmp_path / "drums.wav"
    path.write_bytes(wav_file(drums(30, 24_000)))
    told = json.loads(segmance("beats", "--json", path).stdout)
    assert set(told) == {"tempo", "metre", "confidence", "beats", "eights"}
    assert abs(told["tempo"] - 120) < 1, told["tempo"]
    frames = [beat["frame"] for beat in told["beats"]]
    inner = [frame for frame in frames if 5 * RATE < frame < 25 * RATE]
    assert len(inner) in (39, 40, 41)
    # Within 20 ms of a beat.
    assert all(min(frame % 24_000, -frame % 24_000) < 960 for frame in inner), inner
    assert {beat["beat"] for beat in told["beats"]} <= set(range(1, told["metre"] + 1))
    assert set(told["eights"]) <= set(frames)
    labels = [line.split("\t") for line in segmance("beats", "--labels", path).stdout.splitlines()]
    assert [round(float(start) * RATE) for start, _, _ in labels] == frames
    assert sum("eight" in text for _, _, text in labels) == len(told["eights"])
    text = segmance("beats", path).stdout.splitlines()
    assert text[0].startswith("120") and "beats a minute" in text[0]
    assert len(text) == 1 + len(frames)


def test_a_file_without_beats_says_so(tmp_path):
    path = tmp_path / "silence.wav"
    path.write_bytes(wav_file(numpy.zeros((10 * RATE, 2), "<i2")))
    told = segmance("beats", path)
    assert told.returncode == 1 and told.stdout == ""
    assert told.stderr.startswith("No beats were found in ")


def test_no_command_replaces_a_file_without_force_or_its_own_input(tmp_path, wav):
    library, link = tmp_path / "library", tmp_path / "link.wav"
    segmance("import", wav, "--routine", "Swan", "--data", library)
    link.symlink_to(wav)
    there = tmp_path / "there"
    there.write_text("mine")
    before = wav.read_bytes()
    for words in (["peaks", wav, "-o", there], ["clip", wav, "0", "1", "-o", link],
                  ["export", "--format", "json", "-o", there, "--data", library]):
        refused = segmance(*words)
        assert refused.returncode == 1 and "--force" in refused.stderr, words
    for words in (["peaks", wav, "-o", wav], ["peaks", link, "-o", wav],
                  ["clip", wav, "0", "1", "-o", link], ["clip", wav, "0", "1", "-o", wav]):
        refused = segmance(*words, "--force")
        assert refused.returncode == 1 and "read and written" in refused.stderr, words
    assert there.read_text() == "mine" and wav.read_bytes() == before
    assert segmance("peaks", wav, "-o", there, "--force").returncode == 0
    exported = segmance(
        "export", "--format", "json", "-o", there, "--force", "--data", library)
    assert exported.returncode == 0 and json.loads(there.read_text())["format"] == "segmance"


def test_an_unreadable_file_is_reported_before_any_work(tmp_path, wav):
    library = tmp_path / "library"
    folder = tmp_path / "folder.wav"
    folder.mkdir()
    odd = os.fsencode(tmp_path) + b"/caf\xe9.wav"
    with open(odd, "wb") as file:
        file.write(wav.read_bytes())
    for name, sentence in (
            (tmp_path / "typo.wav", "typo.wav"), (folder, "is a folder"), (odd, "not UTF-8")):
        for words in (["import", wav, name, "--routine", "Swan", "--data", library],
                      ["peaks", name, "-o", tmp_path / "x"], ["analyse", name], ["align", wav, name]):
            refused = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
            assert refused.returncode == 1 and sentence in refused.stderr, (words, refused.stderr)
    assert not library.exists()


def test_an_export_can_be_imported_again(tmp_path, wav):
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
        "routines": 1, "parts": 2, "moves": 0, "spots": 0, "gridCorrections": 0, "moveTypes": 0, "partsWithoutAudio": 0,
        "partsWithoutBorders": 0}
    with Server(second) as server:
        assert sorted(routine["title"] for routine in server.records("routine")) == ["Duck", "Swan"]
        assert len({part["track"] for part in server.records("part")}) == 1
    without = segmance("import", file, "--data", tmp_path / "third")
    assert without.returncode == 0
    assert "Without audio: 2 parts" in without.stdout
    exported = json.loads(file.read_text())
    exported["routines"][0]["parts"][0]["endFrame"] = 0
    file.write_text(json.dumps(exported))
    assert "Without borders: 1 part," in segmance("import", file, "--data", second).stdout


def test_an_export_reports_wrong_arguments(tmp_path, wav):
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


def frames(path):
    """Returns the frames of a WAV file, or of another file decoded by ffmpeg."""
    if path.suffix != ".wav":
        return subprocess.run(
            ["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-ac", "2", "-ar", "48000", "-"],
            capture_output=True, check=True).stdout
    with wave.open(str(path)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (48_000, 2, 2)
        return file.readframes(file.getnframes())


@pytest.mark.parametrize("words", [
    ("1.5", "0:02.250"), ("frames:72000", "frames:108000"), ("00:01.500", "2.25")])
@pytest.mark.parametrize("ending", ["wav", "flac"])
def test_a_clip_has_exactly_the_given_frames(tmp_path, wav, words, ending):
    out = tmp_path / f"clip.{ending}"
    result = segmance("clip", wav, *words, "-o", out)
    assert result.returncode == 0, result.stderr
    assert frames(out) == frames(wav)[72_000 * 4:108_000 * 4]
    assert sorted(path.name for path in tmp_path.iterdir()) == [out.name, "song.wav"]


def test_a_clip_fades_and_replaces_a_file_only_with_force(tmp_path, wav):
    out = tmp_path / "clip.wav"
    out.write_bytes(b"mine")
    refused = segmance("clip", wav, "1", "2", "-o", out)
    assert refused.returncode == 1
    assert "--force" in refused.stderr
    assert out.read_bytes() == b"mine"
    words = ["-o", out, "--fade-in", "0.5", "--fade-out", "0.5", "--force"]
    assert segmance("clip", wav, "1", "2", *words).returncode == 0
    faded, plain = memoryview(frames(out)).cast("h"), memoryview(frames(wav)).cast("h")[96_000:]
    assert len(faded) == 96_000
    assert faded[0] == faded[-1] == 0
    loudest = max(range(47_000, 49_000), key=lambda index: abs(plain[index]))
    assert abs(faded[loudest] - plain[loudest] * min(loudest // 2, 47_999 - loudest // 2) / 24_000) < 2


def test_clips_in_other_formats_have_the_right_length(tmp_path, wav):
    for ending in ("mp3", "opus"):
        out = tmp_path / f"clip.{ending}"
        assert segmance("clip", wav, "1", "2", "-o", out).returncode == 0
        assert len(frames(out)) == 48_000 * 4
    assert segmance("clip", wav, "1", "2", "-o", tmp_path / "clip.m4a").returncode == 0
    # The length is a whole number of AAC frames of 1,024 samples.
    assert 0 <= len(frames(tmp_path / "clip.m4a")) // 4 - 48_000 < 1_024


def test_a_clip_outside_the_track_is_refused_and_leaves_no_file(tmp_path, wav):
    out, list_ = tmp_path / "clip.wav", tmp_path / "list.mp3"
    list_.write_text("This is a shopping list, not a song.\n")
    for words, sentence in [
        ([wav, "11", "12.001"], "frames:576000"), ([tmp_path / "none.wav", "1", "2"], "no file"),
        ([list_, "1", "2"], "."),
    ]:
        refused = segmance("clip", *words, "-o", out)
        assert refused.returncode == 1
        assert sentence in refused.stderr and refused.stderr.strip().endswith(".")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["list.mp3", "song.wav"]


def test_split_at_cuts_loses_no_frame(tmp_path, wav):
    out = tmp_path / "parts"
    result = segmance(
        "split", wav, "--cuts", "0:04,0:08.5", "-o", out, "--format", "wav", "--json", "--cue")
    assert result.returncode == 0, result.stderr
    outcome = json.loads(result.stdout)
    assert [(clip["startFrame"], clip["endFrame"]) for clip in outcome["clips"]] == [
        (0, 192_000), (192_000, 408_000), (408_000, 576_000)]
    files = sorted(out.glob("*.wav"))
    assert [file.name for file in files] == ["01 song.wav", "02 song.wav", "03 song.wav"]
    assert [clip["file"] for clip in outcome["clips"]] == [str(file) for file in files]
    assert b"".join(map(frames, files)) == frames(wav)
    cue = (out / "song.cue").read_text()
    assert 'FILE "song.wav" WAVE' in cue
    assert [line.split()[-1] for line in cue.splitlines() if "INDEX" in line] == [
        "00:00:00", "00:04:00", "00:08:38"]
    again = segmance("split", wav, "--cuts", "0:04", "-o", out, "--format", "wav")
    assert again.returncode == 1
    assert "--force" in again.stderr
    assert len(list(out.iterdir())) == 4


def test_split_by_labels_names_the_files_after_the_labels(tmp_path, wav):
    labels, out = tmp_path / "labels.txt", tmp_path / "parts"
    labels.write_text("1,000000\t2,500000\tÉté/سماء\r\n\\\t100\t200\r\n11\t12.0004\tEnd\r\n"
                      "5\t5\tFrom here\r\n")
    result = segmance("split", wav, "--labels", labels, "-o", out)
    assert result.returncode == 0, result.stderr
    assert [os.path.basename(line) for line in result.stdout.splitlines()] == [
        "01 Été-سماء.flac", "02 From here.flac", "03 End.flac"]
    whole = frames(wav)
    for name, start, end in [("01 Été-سماء", 48_000, 120_000), ("02 From here", 240_000, 528_000),
                             ("03 End", 528_000, 576_000)]:
        assert frames(out / f"{name}.flac") == whole[start * 4:end * 4], name
    for text, sentence in [("1\t2\tA\nB\n", "Line 2"), ("", "no label"), ("13\t14\tA", "“A”")]:
        labels.write_text(text)
        refused = segmance("split", wav, "--labels", labels, "-o", out, "--force")
        assert refused.returncode == 1
        assert sentence in refused.stderr
    assert len(list(out.iterdir())) == 3


def tone(hertz, frame_count):
    """Returns a WAV file with a sine on the left and its fifth on the right."""
    at = numpy.arange(frame_count) / RATE
    both = [numpy.sin(2 * numpy.pi * hertz * ratio * at) for ratio in (1, 1.5)]
    return wav_file((numpy.column_stack(both) * 10_000).astype("<i2"))


def hertz_of(samples):
    """Returns the strongest frequency in the middle second, interpolated between spectrum bins."""
    middle = len(samples) // 2
    window = samples[middle - RATE // 2:middle + RATE // 2] * numpy.hanning(RATE)
    line = numpy.log(numpy.abs(numpy.fft.rfft(window)) + 1)
    top = int(line.argmax())
    before, at, after = line[top - 1:top + 2]
    return top + 0.5 * (before - after) / (before - 2 * at + after)


def channels(path):
    return numpy.frombuffer(frames(path), "<i2").reshape(-1, 2)


@pytest.fixture
def sine(tmp_path):
    """A sine with an odd number of frames, so that no speed divides it evenly."""
    path = tmp_path / "sine.wav"
    path.write_bytes(tone(440, 144_007))
    return path


@pytest.mark.parametrize("rate", ["0.25", "0.5", "0.75", "0.9", "1.25", "1.5", "2", "2.0", "1.37"])
def test_stretched_audio_has_the_exact_length(tmp_path, sine, rate):
    out = tmp_path / "out.wav"
    result = segmance("stretch", sine, out, "--rate", rate)
    assert result.returncode == 0, result.stderr
    stretched = channels(out)
    assert abs(len(stretched) - 144_007 / float(rate)) <= 0.5
    # A cent is 0.06 %. The engine keeps the pitch well below that.
    for channel, hertz in enumerate((440, 660)):
        assert abs(hertz_of(stretched[:, channel]) / hertz - 1) < 0.000_6
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.wav", "sine.wav"]


@pytest.mark.parametrize("words", [[], ["--rate", "1"], ["--rate", "1.00", "--semitones", "0"]])
@pytest.mark.parametrize("ending", ["wav", "flac"])
def test_at_the_original_speed_and_pitch_the_output_is_bit_identical(tmp_path, wav, words, ending):
    out = tmp_path / f"out.{ending}"
    assert segmance("stretch", wav, out, *words).returncode == 0
    assert frames(out) == frames(wav)


@pytest.mark.parametrize("semitones", [-12, -5, -1, 1, 7, 12])
@pytest.mark.parametrize("rate", ["1", "0.5"])
def test_semitones_change_the_pitch_and_keep_the_length(tmp_path, sine, semitones, rate):
    out = tmp_path / "out.wav"
    result = segmance("stretch", sine, out, "--semitones", semitones, "--rate", rate)
    assert result.returncode == 0, result.stderr
    moved = channels(out)
    assert abs(len(moved) - 144_007 / float(rate)) <= 0.5
    for channel, hertz in enumerate((440, 660)):
        wanted = hertz * 2 ** (semitones / 12)
        assert abs(hertz_of(moved[:, channel]) / wanted - 1) < 0.000_6


def test_a_voice_is_natural_from_three_semitones_on_unless_told_otherwise(tmp_path, wav):
    def moved(semitones, *words):
        out = tmp_path / "out.wav"
        result = segmance("stretch", wav, out, "--semitones", semitones, *words, "--force")
        assert result.returncode == 0, result.stderr
        return frames(out)
    for semitones in (2, 3):
        natural, plain = (moved(semitones, "--voice", voice) for voice in ("natural", "moved"))
        assert natural != plain
        assert moved(semitones) == (natural if semitones == 3 else plain)
        assert moved(semitones, "--voice", "auto") == moved(semitones)


def test_stretching_reports_wrong_arguments_and_leaves_no_file(tmp_path, wav):
    text, empty = tmp_path / "list.mp3", tmp_path / "empty.wav"
    text.write_text("This is a shopping list, not a song.\n")
    empty.write_bytes(b"")
    link = tmp_path / "link.wav"
    link.symlink_to(wav)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    out = tmp_path / "out.wav"
    for words, sentence in [
        ([tmp_path / "none.wav", out], "no file"), ([text, out], "."), ([empty, out], "."),
        ([tmp_path, out], "folder"), ([wav, tmp_path / "none" / "out.wav"], "no folder"),
        ([wav, wav], "there already"), ([wav, wav, "--force"], "read and written"),
        ([link, wav, "--force"], "read and written"), ([wav, link, "--force"], "read and written"),
        ([wav, tmp_path / "." / "song.wav", "--force"], "read and written"),
    ]:
        refused = segmance("stretch", *words, "--rate", "0.5")
        assert refused.returncode == 1, words
        assert sentence in refused.stderr and refused.stderr.strip().endswith("."), refused.stderr
        assert refused.stdout == ""
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before, words


def test_stretching_over_another_file_needs_force(tmp_path, sine):
    out = tmp_path / "out.wav"
    out.write_bytes(b"mine")
    refused = segmance("stretch", sine, out)
    assert refused.returncode == 1
    assert "--force" in refused.stderr
    assert out.read_bytes() == b"mine"
    assert segmance("stretch", sine, out, "--force").returncode == 0
    assert frames(out) == frames(sine)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_stretch_leaves_no_file(tmp_path, number):
    long = tmp_path / "long.wav"
    long.write_bytes(noise(600))
    process = subprocess.Popen(
        [str(PROGRAM), "stretch", str(long), str(tmp_path / "out.wav"), "--rate", "0.25"],
        stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20
    while not any(file.stat().st_size > 1_000_000 for file in tmp_path.glob(".segmance-*/clip.wav")):
        assert process.poll() is None and time.monotonic() < deadline
    process.send_signal(number)
    assert process.wait(timeout=20) == 1
    assert "Cancelled" in process.stderr.read()
    assert [path.name for path in tmp_path.iterdir()] == ["long.wav"]


@pytest.fixture
def film(tmp_path):
    """A song without repetition, and a video that begins 1.5 s before it."""
    notes = numpy.random.default_rng(6).uniform(110, 880, 60)
    times = numpy.arange(12_000) / 48_000
    tone = numpy.concatenate(
        [numpy.sin(2 * numpy.pi * hertz * times) * numpy.exp(-8 * times) for hertz in notes])
    tone += numpy.random.default_rng(7).normal(0, 0.05, len(tone)) * (numpy.abs(tone) > 0.1)
    path = tmp_path / "notes.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(48_000)
        sound.writeframes((10_000 * tone).astype("<i2").tobytes())
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=17", "-i", path,
         "-af", "adelay=1500,highpass=f=200,aecho=0.8:0.7:41:0.4", "-c:a", "aac",
         tmp_path / "film.mp4"], check=True)
    return tmp_path / "film.mp4", path


def test_align_finds_the_offset_of_a_video(tmp_path, film, wav):
    video, notes = film
    result = segmance("align", video, notes, "--json")
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert abs(answer["offset"] + 72_000) <= 480
    assert answer["isCertain"] is True
    assert 0.5 <= answer["confidence"] <= 1
    words = segmance("align", video, notes)
    assert "00:01.500 before the song" in words.stdout
    assert "This is certain" in words.stdout
    other = segmance("align", video, wav)
    assert other.returncode == 0
    assert "not certain" in other.stdout
    silence = tmp_path / "silence.wav"
    with wave.open(str(silence), "wb") as sound:
        sound.setparams((1, 2, 48_000, 0, "NONE", ""))
        sound.writeframes(bytes(480_000))
    for words in [(video, silence), (silence, notes), (tmp_path / "none.mp4", notes)]:
        refused = segmance("align", *words)
        assert refused.returncode == 1
        assert refused.stdout == ""
        assert refused.stderr.strip().endswith(".")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_clip_leaves_no_file(tmp_path, number):
    long = tmp_path / "long.wav"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=900:r=48000", "-ac", "2", long],
        check=True)
    process = subprocess.Popen(
        [str(PROGRAM), "clip", str(long), "1", "2", "-o", str(tmp_path / "clip.wav")],
        stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20
    while not list(tmp_path.glob(".segmance-*/tmp/import-*/cut/*.flac")):
        assert process.poll() is None and time.monotonic() < deadline
    process.send_signal(number)
    assert process.wait(timeout=20) == 1
    assert "Cancelled" in process.stderr.read()
    assert [path.name for path in tmp_path.iterdir()] == ["long.wav"]


def test_without_a_sandbox_nothing_starts_unless_no_sandbox_is_given(tmp_path, wav):
    # Runs in a separate mount namespace, where bubblewrap always fails.
    without = (
        "unshare", "-Urm", "sh", "-c", 'mount --bind /bin/false /usr/bin/bwrap && exec "$@"', "sh")
    library = tmp_path / "library"
    for words in [("serve", "--port", "0", "--data", library), ("peaks", wav, "-o", tmp_path / "p")]:
        refused = subprocess.run(
            [*without, PROGRAM, *words], capture_output=True, text=True, timeout=20)
        assert refused.returncode == 1
        assert "--no-sandbox" in refused.stderr
        assert refused.stdout == ""
    assert not (tmp_path / "p").exists()
    log = tmp_path / "log"
    with Server(library, before=without, options=["--no-sandbox"], log=log) as server:
        assert "sandbox.off" in log.read_text()
        _, health = server.request("GET", "/api/health")
        assert "without a sandbox" in str(json.loads(health)["problems"])
