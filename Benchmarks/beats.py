"""Beats found in music whose every beat is known, against aubio's and essentia's trackers.

The pieces are rendered by `Training/beats/heldout.py` from styles, scores and, two of three, a sound font that the
network was not trained on.
"""

import collections
import json
import subprocess
import wave

import rendered_music
from studio import PROGRAM, ROOT, Timed

PYTHON = ROOT / ".training-venv" / "bin" / "python"
TRAINING = ROOT / "Training"
PIECES = 200
MEASURES = ("F within 70 ms", "CMLt", "AMLt", "F of downbeats")
AIMS = (0.88, 0.80, 0.92, 0.80)
#: Seconds of music for one second of one core.
SPEED_AIM = 150


def ours(path):
    child = Timed([PROGRAM, "beats", "--json", path])
    found = json.loads(child.output)
    seconds = [beat["frame"] / 48_000 for beat in found["beats"]]
    downbeats = [at for at, beat in zip(seconds, found["beats"]) if beat["beat"] == 1]
    return {"beats": seconds, "downbeats": downbeats, "confidence": found["confidence"]}, child.processor_seconds


def aubio(path):
    child = Timed(["aubiotrack", path])
    return {"beats": [float(line) for line in child.output.split()], "downbeats": []}, child.processor_seconds


def essentia(path):
    # What starting Python and loading the library takes is no part of it.
    idle = Timed([PYTHON, "-c", "import essentia.standard"]).processor_seconds
    child = Timed(["env", f"PYTHONPATH={TRAINING}", PYTHON, "-m", "beats.score", "--essentia", path])
    return {"beats": json.loads(child.output), "downbeats": []}, child.processor_seconds - idle


def run(folder, table, short=False):
    if short:
        # mma, fluidsynth and mir_eval are not the tests' packages: whether beats are found, and how fast.
        path = folder / "00.wav"
        rendered_music.piece("drums", 1, 20).render_plainly(path)
        found, processor = ours(path)
        table.add("beats found", len(found["beats"]))
        table.add("beats, seconds of music for one of a core", f"{seconds_of(path) / processor:.0f}")
        return
    subprocess.run([PYTHON, "-m", "beats.heldout", folder, "--pieces", str(PIECES)], cwd=TRAINING, check=True)
    paths = sorted(folder.glob("*.wav"))
    truth = {path.stem: json.loads(path.with_suffix(".json").read_text()) for path in paths}
    scores, found, speeds = {}, {}, {}
    for name, tracker in (("ours", ours), ("aubio", aubio), ("essentia", essentia)):
        results = {path.stem: tracker(path) for path in paths}
        found[name] = {piece: result[0] for piece, result in results.items()}
        speeds[name] = sum(map(seconds_of, paths)) / sum(result[1] for result in results.values())
        scores[name] = json.loads(subprocess.run(
            [PYTHON, "-m", "beats.score", folder], cwd=TRAINING, check=True, text=True, stdout=subprocess.PIPE,
            input=json.dumps(found[name])).stdout)
    for index, (measure, aim) in enumerate(zip(MEASURES, AIMS)):
        means = {name: mean(piece[index] for piece in pieces.values()) for name, pieces in scores.items()}
        has_peer = index < 3
        table.add(
            f"{measure}, mean of {len(paths)} pieces", f"{means['ours']:.3f}",
            has_peer and f"aubio: {means['aubio']:.3f}; essentia: {means['essentia']:.3f}" or "",
            has_peer and f"{means['ours'] / max(means['aubio'], means['essentia']):.2f}" or "",
            f"≥ {aim:.2f}", missed=means["ours"] < aim)
    by_kind(scores["ours"], truth)
    for least, aim in ((0.9, 0.95), (0.7, 0.7), (0.5, 0.5)):
        sure = [piece for piece, result in found["ours"].items() if result["confidence"] >= least]
        right = [piece for piece in sure if is_right(scores["ours"][piece])]
        table.add(
            f"pieces with a confidence of {least} or more that are right", f"{len(right)} of {len(sure)}",
            aim=f"≥ {aim:.0%}", missed=len(right) < aim * len(sure))
    table.add(
        "attacks, cuts and beats, seconds of music for one of a core", f"{speeds['ours']:.0f}",
        f"aubio: {speeds['aubio']:.0f}; essentia: {speeds['essentia']:.0f} (beats alone)", "", f"≥ {SPEED_AIM}",
        missed=speeds["ours"] < SPEED_AIM)


def is_right(piece):
    """Whether a dancer could count to it: nearly every beat, at the metrical level of the truth or twice or
    half of it, and so are the downbeats at that level. Two bars of two may be one of four: eights are the same."""
    _, cmlt, amlt, _, downbeats = piece
    return amlt >= 0.9 and (cmlt < 0.9 or downbeats >= 0.8)


def by_kind(scores, truth):
    """Prints the means by kind of piece, and the pieces that went wrong."""
    kinds = collections.defaultdict(list)
    for piece, values in scores.items():
        style = truth[piece]["style"]
        kinds[style.split(" ")[0] if style.startswith(("mma ", "score ")) else "own styles"].append(values)
    for kind, values in sorted(kinds.items()):
        print(f"  {kind} ({len(values)}): " + ", ".join(
            f"{measure} {mean(column):.3f}" for measure, column in zip(MEASURES, zip(*values))))
    weak = {truth[piece]["style"]: [round(value, 2) for value in values] for piece, values in scores.items() if values[2] < 0.8}
    print(f"  AMLt below 0.8: {weak}")


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def seconds_of(path):
    with wave.open(str(path)) as file:
        return file.getnframes() / file.getframerate()
