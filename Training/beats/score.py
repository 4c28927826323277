"""Scores of found beats, by mir_eval, and the beats that essentia finds.

Use: python -m beats.score FOLDER <FOUND
     python -m beats.score --essentia FILE

FOUND is JSON, {"NN": {"beats": [s…], "downbeats": [s…]}}, for pieces that `beats.heldout` made in FOLDER. Prints
{"NN": [F, CMLt, AMLt, F of downbeats, the same where two bars of two beats may be one of four]}.
"""

import json
import pathlib
import sys

import numpy


def scores(found, truth):
    """F within 70 ms, CMLt, AMLt, F of the downbeats, and the same where two bars of two may be one of four; the
    first five seconds don't count."""
    import mir_eval.beat

    def times(values):
        return mir_eval.beat.trim_beats(numpy.array(values, float))
    beats, places = numpy.array(truth["beats"]), numpy.array(truth["places"])
    mine, theirs = times(found["beats"]), times(beats)
    if not len(mine):
        return [0.0] * 5
    _, cmlt, _, amlt = mir_eval.beat.continuity(theirs, mine)
    downbeats = times(found["downbeats"])

    def downbeat_score(truth):
        return mir_eval.beat.f_measure(times(truth), downbeats) if len(downbeats) else 0.0
    bars = beats[places == 1]
    whole = downbeat_score(bars)
    pairs = max(downbeat_score(bars[::2]), downbeat_score(bars[1::2])) if places.max() == 2 else 0.0
    return [mir_eval.beat.f_measure(theirs, mine), cmlt, amlt, whole, max(whole, pairs)]


def essentia_beats(path):
    """The beats by essentia's "multifeature" method."""
    import essentia.standard
    audio = essentia.standard.MonoLoader(filename=path, sampleRate=44_100)()
    beats, _ = essentia.standard.BeatTrackerMultiFeature()(audio)
    return [float(at) for at in beats]


def main():
    if sys.argv[1] == "--essentia":
        print(json.dumps(essentia_beats(sys.argv[2])))
        return
    folder = pathlib.Path(sys.argv[1])
    print(json.dumps({
        name: scores(found, json.loads((folder / f"{name}.json").read_text()))
        for name, found in json.load(sys.stdin).items()}))


if __name__ == "__main__":
    main()
