"""Writes the weights of a trained network, or the mean of several, as `Sources/CBeatWeights/beats.weights`.

The order is that of the network, each with the outputs last: convolution (times × bands × inputs × outputs), bias.

With them goes what the network makes of a known signal, with which a test compares the one in Swift.

Use: python -m beats.export TRAINED… WEIGHTS REFERENCE
"""

import argparse
import json
import pathlib

import numpy
import torch

from .features import RATE, features
from .network import BeatNetwork

REFERENCE_FRAMES = 200


def numbers_of(network):
    """All weights as one array of little-endian 16-bit numbers."""
    parts = []
    for name, value in network.state_dict().items():
        value = value.detach().numpy()
        # From outputs × inputs × times × bands.
        is_convolution = value.ndim == 4 and name != "end.weight"
        parts.append(value.transpose(2, 3, 1, 0) if is_convolution else value)
    return numpy.concatenate([part.reshape(-1) for part in parts]).astype("<f2")


def reference_samples():
    """Four seconds: a tone whose loudness pulses, above a rising sweep; 16 bits, full scale 1."""
    time = numpy.arange(4 * RATE) / RATE
    pulse = numpy.exp(-12 * (2 * time - numpy.floor(2 * time)))
    samples = 0.5 * pulse * numpy.sin(2 * numpy.pi * 220 * time) + 0.1 * numpy.sin(2 * numpy.pi * 400 * time * time)
    return (numpy.round(samples * 32_767) / 32_768).astype(numpy.float32)


@torch.no_grad()
def reference(network):
    """The bands of the signal and the activations of the network."""
    bands = features(reference_samples())[:REFERENCE_FRAMES]
    network.eval()
    activations = torch.sigmoid(network(torch.from_numpy(bands)[None]))[0].numpy().T

    def rounded(rows):
        return [[round(float(value), 4) for value in row] for row in rows]
    return {"bands": rounded(bands), "activations": rounded(activations)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trained", type=pathlib.Path, nargs="+")
    parser.add_argument("weights", type=pathlib.Path)
    parser.add_argument("reference", type=pathlib.Path)
    given = parser.parse_args()
    network = BeatNetwork()
    trained = [torch.load(path, weights_only=True) for path in given.trained]
    mean = {name: torch.stack([each[name] for each in trained]).mean(0) for name in trained[0]}
    network.load_state_dict({name: value.half().float() for name, value in mean.items()})
    given.weights.write_bytes(numbers_of(network).tobytes())
    given.reference.write_text(json.dumps(reference(network), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
