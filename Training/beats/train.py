"""Trains the network on the material of a folder, and writes its weights.

Use: python -m beats.train FOLDER WEIGHTS [--threads N] [--after WEIGHTS --phases N…]
"""

import argparse
import math
import pathlib
import time

import numpy
import torch

from .features import FRAMES_PER_SECOND, targets
from .material import all_seeds, of_seed
from .network import BeatNetwork

FRAMES = 1_500  # 30 s
BATCH = 8


class Material:
    """Pieces in memory, of which more are used the longer it trains: what is not rendered yet is waited for."""

    def __init__(self, folder, seeds):
        self.folder, self.seeds, self.pieces = folder, seeds, []

    def use(self, count):
        """Has the first `count` pieces in memory."""
        while len(self.pieces) < min(count, len(self.seeds)):
            path = self.folder / f"{self.seeds[len(self.pieces)]:06}.npz"
            while not path.exists():
                time.sleep(1)
            with numpy.load(path) as piece:
                self.pieces.append((piece["bands"], piece["beats"], piece["beats"][piece["places"] == 1]))

    def batch(self, random):
        """Random stretches, louder or softer, faster or slower, some without a few bands."""
        inputs, wanted = [], []
        for index in random.integers(0, len(self.pieces), BATCH):
            bands, beats, downbeats = self.pieces[index]
            # Faster or slower by up to an eighth: frames between two are their mixture.
            rate = random.uniform(0.88, 1.14) if random.random() < 0.6 else 1.0
            first = int(random.integers(0, max(1, len(bands) - int(FRAMES * rate))))
            at = first + rate * numpy.arange(FRAMES)
            at = at[at < len(bands) - 1]
            low = at.astype(int)
            share = (at - low).astype(numpy.float32)[:, None]
            stretch = numpy.zeros((FRAMES, bands.shape[1]), numpy.float32)
            stretch[:len(at)] = (1 - share) * bands[low] + share * bands[low + 1]
            # A gain in the power, as the logarithm would have it: ln(1 + g (e^x - 1)).
            gain = 10 ** (random.uniform(-12, 6) / 10)
            stretch = numpy.log1p(gain * numpy.expm1(stretch))
            if random.random() < 0.2:
                band = int(random.integers(0, bands.shape[1]))
                stretch[:, band:band + int(random.integers(1, 8))] = 0
            inputs.append(stretch)
            wanted.append(numpy.stack([
                targets((times - first / FRAMES_PER_SECOND) / rate, FRAMES) for times in (beats, downbeats)]))
        return torch.from_numpy(numpy.stack(inputs)), torch.from_numpy(numpy.stack(wanted))


def loss_of(logits, wanted):
    """Cross-entropy; frames with a beat are few and count more."""
    weight = 1 + wanted * torch.tensor([4.0, 12.0]).reshape(1, 2, 1).to(wanted)
    return torch.nn.functional.binary_cross_entropy_with_logits(logits, wanted, weight)


def peaks(curve, least):
    """Frames at which a curve is highest within 7 frames and at least `least`."""
    padded = numpy.pad(curve, 3, constant_values=-1)
    highest = numpy.max(numpy.lib.stride_tricks.sliding_window_view(padded, 7), axis=1)
    return numpy.flatnonzero((curve == highest) & (curve >= least))


def f_measure(found, truth, tolerance=0.07):
    """The F-measure of times within 70 ms, each matched once; times before 5 s don't count, as in mir_eval."""
    found, truth = (numpy.asarray(times)[numpy.asarray(times) >= 5] for times in (found, truth))
    matched, at = 0, 0
    for time_found in found:
        while at < len(truth) and truth[at] < time_found - tolerance:
            at += 1
        if at < len(truth) and abs(truth[at] - time_found) <= tolerance:
            matched += 1
            at += 1
    return 2 * matched / max(1, len(found) + len(truth))


@torch.no_grad()
def scores(network, material):
    """The means of F for beats and downbeats, by plain peaks."""
    network.eval()
    result = []
    for bands, beats, downbeats in material.pieces:
        curves = torch.sigmoid(network(torch.from_numpy(bands.astype(numpy.float32))[None]))[0].numpy()
        result.append([
            f_measure(peaks(curve, 0.3) / FRAMES_PER_SECOND, truth) for curve, truth in zip(curves, (beats, downbeats))])
    network.train()
    return numpy.mean(result, axis=0)


class Phase:
    """A part of the training: its steps, its rate of learning by step, and how many pieces it uses."""

    def __init__(self, seed, steps, rate, pieces):
        self.seed, self.steps, self.rate, self.pieces = seed, steps, rate, pieces


def warm_up(step):
    """A rise to 0.004 within 2,400 steps, along a cosine; then it begins to fall, as if to 0 at step 8,000."""
    if step < 2_400:
        return 0.00016 + (0.004 - 0.00016) * (1 - math.cos(math.pi * step / 2_400)) / 2
    return 0.002 * (1 + math.cos(math.pi * (step - 2_400) / 5_600))


#: First the rates rise, then they fall to nothing.
PHASES = (
    Phase(1, 3_000, warm_up, lambda step: 700 + int(0.08 * step)),
    Phase(2, 2_800, lambda step: 0.003 * (1 - step / 2_800), lambda step: 1_100 + int(0.1 * step)))


def train(network, phase, trained, report):
    """Trains through one phase."""
    torch.manual_seed(phase.seed)
    random = numpy.random.default_rng(phase.seed)
    optimizer = torch.optim.AdamW(network.parameters(), phase.rate(0), weight_decay=1e-4)
    average = None
    for step in range(1, phase.steps + 1):
        trained.use(phase.pieces(step))
        for group in optimizer.param_groups:
            group["lr"] = phase.rate(step - 1)
        inputs, wanted = trained.batch(random)
        loss = loss_of(network(inputs), wanted)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1)
        optimizer.step()
        average = loss.item() if average is None else 0.99 * average + 0.01 * loss.item()
        if step % 400 == 0 or step == phase.steps:
            report(f"phase {phase.seed}, step {step}, loss {average:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("weights", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--after", type=pathlib.Path, help="weights to begin with, instead of random ones")
    parser.add_argument("--phases", type=int, nargs="*", default=[1, 2], help="which phases to train")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.use_deterministic_algorithms(True)
    seeds = all_seeds()
    seen = [seed for seed in seeds if not of_seed(seed)[2]]
    held_out = Material(given.folder, [seed for seed in seeds if of_seed(seed)[2]][:60])
    checked, trained = Material(given.folder, seen[:60]), Material(given.folder, seen[60:])
    checked.use(60)
    held_out.use(60)
    torch.manual_seed(0)
    network = BeatNetwork()
    print(f"{len(trained.seeds)} pieces; {sum(each.numel() for each in network.parameters())} weights", flush=True)
    began = time.time()

    def report(text):
        own, other = scores(network, checked), scores(network, held_out)
        print(
            f"{text}, {time.time() - began:.0f} s; F of beats and downbeats: {own[0]:.3f} {own[1]:.3f}, "
            f"held out {other[0]:.3f} {other[1]:.3f}", flush=True)
        torch.save(network.state_dict(), given.weights)
    if given.after:
        network.load_state_dict(torch.load(given.after, weights_only=True))
    for phase in [phase for phase in PHASES if phase.seed in given.phases]:
        train(network, phase, trained, report)


if __name__ == "__main__":
    main()
