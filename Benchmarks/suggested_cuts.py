"""Suggested cuts in pieces that were joined at known places."""

import json
import pathlib
import random
import wave

import rendered_music
from studio import PROGRAM, Timed

SEEDS = (11, 12, 13, 14, 15)
GAME_MUSIC = pathlib.Path("/usr/share/games/wesnoth/1.16/data/core/music")


def medley(seed, sections=8, seconds=(18, 38)):
    """Sections, neighbours with other instruments, keys and tempos; and where they join."""
    chance = random.Random(seed)
    score = rendered_music.Score()
    joins = []
    at = 0.0
    last = None
    for number in range(sections):
        last = chance.choice([name for name in rendered_music.PIECES if name != last])
        at = rendered_music.add_section(score, last, f"{seed}.{number}", chance.uniform(*seconds), at)
        joins.append(at)
    return score, joins[:-1]


def game_medley(seed, path):
    """Stretches of seven tracks of Battle for Wesnoth, joined without a gap."""
    chance = random.Random(seed)
    files = [file for file in sorted(GAME_MUSIC.glob("*.ogg")) if file.stat().st_size > 1_500_000]
    samples = b""
    joins = []
    for file in chance.sample(files, 7):
        samples += Timed(
            ["ffmpeg", "-nostdin", "-v", "error", "-ss", f"{chance.uniform(10, 40):.3f}",
             "-t", f"{chance.uniform(20, 40):.3f}", "-i", file, "-ar", "48000", "-ac", "2",
             "-f", "s16le", "-"]).output
        joins.append(len(samples) / 192_000)
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(48_000)
        sound.writeframes(samples)
    return joins[:-1]


def found_within(found, joins, seconds):
    rest = list(found)
    hits = 0
    for join in joins:
        near = [cut for cut in rest if abs(cut - join) <= seconds]
        if near:
            rest.remove(min(near, key=lambda cut: abs(cut - join)))
            hits += 1
    return hits


def measure(table, what, pieces, aims):
    known = hits = exact = found = 0
    length = spent = 0.0
    for path, joins in pieces:
        child = Timed([PROGRAM, "analyse", "--json", path])
        cuts = [change["frame"] / 48_000 for change in json.loads(child.output)["changes"]]
        known += len(joins)
        found += len(cuts)
        hits += found_within(cuts, joins, 1)
        exact += found_within(cuts, joins, 0.05)
        length += path.stat().st_size / 192_000
        spent += child.processor_seconds
    table.add(
        f"{what}: joins found within 1 s", f"{100 * hits / known:.0f} % of {known}", "",
        f"within 50 ms: {100 * exact / known:.0f} %", aims[0])
    table.add(f"{what}: other suggestions", f"{60 * (found - hits) / length:.2f} a minute", "", "", aims[1])
    table.add(f"{what}: processor time as a share of the music", f"{100 * spent / length:.2f} %", "", "", "≤ 0.5 %")


def run(folder, table, short=False):
    if short:
        # Neither fluidsynth nor game music are the tests' packages.
        path = folder / "medley.wav"
        score, joins = medley(SEEDS[0], sections=3, seconds=(8, 12))
        score.render_plainly(path)
        measure(table, "cuts, plain medley", [(path, joins)], ("", ""))
        return
    pieces = []
    for seed in SEEDS:
        path = folder / f"medley-{seed}.wav"
        score, joins = medley(seed)
        score.render(path)
        pieces.append((path, joins))
    measure(table, "cuts, MIDI medleys", pieces, ("≥ 80 %", "≤ 1.5"))
    if not GAME_MUSIC.is_dir():
        print("  Without Debian's wesnoth-1.16-music there is no game music to join.")
        return
    games = []
    for seed in SEEDS:
        path = folder / f"game-{seed}.wav"
        games.append((path, game_medley(seed, path)))
    # These pieces change inside, too: what is found there counts as wrong here.
    measure(table, "cuts, orchestral game music", games, ("", ""))
