"""Trains the network on the material of a folder, and writes its weights.

Use: python -m beats.train FOLDER WEIGHTS [--steps N | --until SECONDS] [--device cuda]

All pieces lie in the memory of the accelerator, where stretches of them are cut, played faster or slower, filtered
and covered by noise.
"""

import argparse
import math
import pathlib
import time

import numpy
import torch

from .features import BANDS, FRAMES_PER_SECOND
from .material import CHECK_COUNT, PIECE_COUNT, of_seed
from .network import CHANNELS, DROPOUT, FIRST, SECOND, BeatNetwork

FRAMES = 2_400  # 48 s
BATCH = 48
STEPS = 14_800
#: The network that is kept is a mean of the last ones; each step counts so much less than the next.
MEMORY = 0.999
RATE = 0.004
#: The share of the pieces that is used at the first step; all are from half of the steps on.
FIRST_SHARE = 0.1


class Material:
    """Pieces in memory: their bands one after the other, and the times of their beats."""

    def __init__(self, folder, seeds, device):
        self.folder, self.seeds, self.device = folder, list(seeds), device
        self.count, self.end = 0, 0
        self.bands = torch.zeros((1, BANDS), dtype=torch.float16, device=device)
        self.starts, self.lengths = [], []
        self.beats, self.downbeats = [], []

    def use(self, count, waits=True):
        """Has the first `count` pieces in memory; what is not rendered yet is waited for, or left for later."""
        added = []
        before = self.count
        while self.count < min(count, len(self.seeds)):
            path = self.folder / f"{self.seeds[self.count]:06}.npz"
            if not path.exists():
                if not waits:
                    break
                time.sleep(0.5)
                continue
            with numpy.load(path) as piece:
                added.append(piece["bands"])
                self.beats.append(piece["beats"].astype(numpy.float32))
                self.downbeats.append(piece["beats"][piece["places"] == 1].astype(numpy.float32))
            self.starts.append(self.end)
            self.lengths.append(len(added[-1]))
            self.end += len(added[-1])
            self.count += 1
        if self.count > before:
            self._append(numpy.concatenate(added))

    def _append(self, bands):
        if self.end > len(self.bands):
            larger = torch.zeros((max(self.end, 2 * len(self.bands)), BANDS), dtype=torch.float16, device=self.device)
            larger[:len(self.bands)] = self.bands
            self.bands = larger
        self.bands[self.end - len(bands):self.end] = torch.from_numpy(bands).to(self.device)
        longest = max(map(len, self.beats))

        def table(rows):
            result = numpy.full((len(rows), longest), -1e6, numpy.float32)
            for row, times in zip(result, rows):
                row[:len(times)] = times
            return torch.from_numpy(result).to(self.device)
        self.times = table(self.beats), table(self.downbeats)
        self.places = torch.tensor([self.starts, self.lengths], device=self.device)

    def piece(self, index):
        """The bands of a piece, its beats and its downbeats."""
        start = self.starts[index]
        return self.bands[start:start + self.lengths[index]].float(), self.beats[index], self.downbeats[index]

    def batch(self, random, strength):
        """Random stretches, as other players would have recorded them."""
        index = torch.from_numpy(random.integers(0, self.count, BATCH)).to(self.device)
        start, length = self.places[0][index], self.places[1][index]
        # Faster or slower by up to a sixth: frames between two are their mixture.
        rate = numpy.where(random.random(BATCH) < 0.7, numpy.exp(random.uniform(-0.16, 0.16, BATCH)), 1.0)
        rate = torch.from_numpy(rate.astype(numpy.float32)).to(self.device)
        room = length - FRAMES * rate
        # Some stretches begin before the piece does, or end after it.
        share = torch.from_numpy(random.uniform(-0.05, 1.05, BATCH).astype(numpy.float32)).to(self.device)
        first = torch.where(room > 0, share * room, share.clamp(0, 1) * room).round()
        at = first[:, None] + rate[:, None] * torch.arange(FRAMES, device=self.device)
        low = at.floor()
        mixture = (at - low)[:, :, None]
        inside = ((low >= 0) & (low < length[:, None] - 1))[:, :, None]
        low = (start[:, None] + torch.minimum(low.clamp(min=0).long(), length[:, None] - 2))
        stretch = (1 - mixture) * self.bands[low].float() + mixture * self.bands[low + 1].float()
        stretch = self.recorded(stretch * inside, random, strength)
        wanted = torch.stack([self.curve(times[index], first, rate) for times in self.times], 1)
        return stretch, wanted

    def curve(self, times, first, rate):
        """A curve that is 1 at each time, and 0.5 beside it."""
        frames = ((times * FRAMES_PER_SECOND - first[:, None]) / rate[:, None]).round().long()
        curve = torch.zeros((len(times), FRAMES + 2), device=self.device)
        for offset, value in ((-1, 0.5), (1, 0.5), (0, 1.0)):
            # What lies outside falls on the two frames more.
            places = (frames + offset).clamp(-1, FRAMES) + 1
            curve.scatter_reduce_(1, places, torch.full(places.shape, value, device=self.device), "amax")
        return curve[:, 1:-1]

    def moved(self, bands, random, strength):
        """Now and then on other bands, as if played higher or lower on larger or smaller instruments."""
        happens = random.random((BATCH, 1)) < 0.4 * strength
        wider = numpy.where(happens, numpy.exp(random.uniform(-0.06, 0.06, (BATCH, 1))), 1)
        at = (numpy.arange(BANDS) - 20) * wider + 20 + numpy.where(happens, random.uniform(-2.5, 2.5, (BATCH, 1)), 0)
        low = numpy.clip(numpy.floor(at), 0, BANDS - 2)
        share = torch.from_numpy(numpy.clip(at - low, 0, 1).astype(numpy.float32)[:, None]).to(self.device)
        low = torch.from_numpy(low.astype(numpy.int64)[:, None]).to(self.device).expand(bands.shape)
        return (1 - share) * bands.gather(2, low) + share * bands.gather(2, low + 1)

    def recorded(self, bands, random, strength):
        """On other bands, louder or softer, filtered, squeezed, faded, covered by noise, with gaps."""

        def drawn(share, values):
            """Values for the stretches to which this happens, and 0 for the others."""
            happens = random.random(BATCH) < share * strength
            values = numpy.where(happens.reshape((BATCH,) + (1,) * (values.ndim - 1)), values, 0).astype(numpy.float32)
            return torch.from_numpy(values).to(self.device)
        bands = self.moved(bands, random, strength)
        count = bands.shape[1]
        # Decibels for each band: the level, a curve of a few points, and another one along the time.
        level = torch.from_numpy(random.uniform(-14, 6, (BATCH, 1, 1)).astype(numpy.float32)).to(self.device)
        filtered = torch.nn.functional.interpolate(
            drawn(0.6, random.normal(0, 5, (BATCH, 1, 7))), BANDS, mode="linear", align_corners=True)
        cut = drawn(0.15, random.uniform(3, 30, (BATCH, 1, 1)))
        slope = torch.arange(BANDS, device=self.device).reshape(1, 1, -1).float()
        cut = -1.5 * (cut - slope).clamp(min=0) * (cut > 0)
        other = drawn(0.1, random.uniform(5, 30, (BATCH, 1, 1)))
        cut = cut - 1.5 * (slope - (BANDS - other)).clamp(min=0) * (other > 0)
        faded = torch.nn.functional.interpolate(
            drawn(0.3, random.normal(0, 4, (BATCH, 1, 8))), count, mode="linear", align_corners=True).transpose(1, 2)
        power = torch.expm1(bands) * 10 ** ((level + filtered + cut + faded) / 10)
        # Noise: a level for each band, and exponential from frame to frame.
        noise = drawn(0.3, 10 ** (random.uniform(-3, 1.2, (BATCH, 1, 1)) + random.normal(0, 0.3, (BATCH, 1, BANDS))))
        if self.device.type == "cuda":
            power = power + noise * torch.empty_like(bands).exponential_()
        else:
            power = power + noise * torch.from_numpy(random.exponential(1, bands.shape).astype(numpy.float32))
        bands = torch.log1p(power)
        # A gap in the sound, and a range of bands that is silent.
        begin, size = random.integers(0, count, BATCH), random.integers(15, 150, BATCH)
        gap = drawn(0.25, size[:, None].astype(float))
        begin = torch.from_numpy(begin[:, None]).to(self.device)
        frames = torch.arange(count, device=self.device)[None]
        bands = bands * ~((frames >= begin) & (frames < begin + gap))[:, :, None]
        begin = torch.from_numpy(random.integers(0, BANDS, (BATCH, 1))).to(self.device)
        size = drawn(0.25, random.integers(2, 16, (BATCH, 1)).astype(float))
        lines = torch.arange(BANDS, device=self.device)[None]
        return bands * ~((lines >= begin) & (lines < begin + size))[:, None, :]


def loss_of(logits, wanted):
    """Cross-entropy; frames with a beat are few and count more."""
    weight = 1 + wanted * torch.tensor([4.0, 12.0]).reshape(1, 2, 1).to(wanted)
    return torch.nn.functional.binary_cross_entropy_with_logits(logits.float(), wanted, weight)


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
def scores(network, material, is_tuned):
    """The means of F for beats and downbeats, by plain peaks, over the pieces in styles of the training or in others."""
    network.eval()
    torch.backends.cudnn.benchmark = False
    result = []
    for index, seed in enumerate(material.seeds):
        if of_seed(seed)[3] == is_tuned:
            bands, beats, downbeats = material.piece(index)
            curves = torch.sigmoid(network(bands[None]))[0].cpu().numpy()
            result.append([
                f_measure(peaks(curve, 0.3) / FRAMES_PER_SECOND, truth) for curve, truth in zip(curves, (beats, downbeats))])
    torch.backends.cudnn.benchmark = True
    return numpy.mean(result, axis=0)


def share_of_rate(share):
    """The share of the highest rate: a rise within the first thirtieth, then a fall along a cosine to nothing."""
    return min(1, 30 * share, (1 + math.cos(math.pi * min(1, share))) / 2)


class Training:
    """A network, its mean, and how far its training is."""

    def __init__(self, shape, device, seed=1, dropout=DROPOUT):
        torch.manual_seed(seed)
        self.random = numpy.random.default_rng(seed)
        self.device = device
        self.network = BeatNetwork(*shape, dropout).to(device)
        self.mean = BeatNetwork(*shape).to(device)
        self.mean.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.AdamW(self.network.parameters(), RATE, weight_decay=0.01, betas=(0.9, 0.98))
        self.step_count, self.loss = 0, None

    def begin_with(self, weights):
        """Takes weights that were trained before."""
        self.network.load_state_dict(weights)
        self.mean.load_state_dict(weights)

    def step(self, rate, material, strength):
        """One step at a rate of learning."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        inputs, wanted = material.batch(self.random, strength)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            logits = self.network(inputs)
        loss = loss_of(logits, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1)
        self.optimizer.step()
        self.step_count += 1
        memory = min(MEMORY, self.step_count / (self.step_count + 10))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.mean.parameters()), list(self.network.parameters()), 1 - memory)
            loss = loss.detach()
            self.loss = loss if self.loss is None else self.loss + 0.02 * (loss - self.loss)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("weights", type=pathlib.Path)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--first", type=int, default=FIRST, help="channels after the first convolution")
    parser.add_argument("--channels", type=int, default=CHANNELS)
    parser.add_argument("--strength", type=float, default=1.0, help="how often sound is changed")
    parser.add_argument("--after", type=pathlib.Path, help="weights to begin with, instead of random ones")
    parser.add_argument("--rate", type=float, default=RATE, help="the highest rate of learning")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--until", type=float, help="the moment at which to end, in seconds since 1970, instead of steps")
    parser.add_argument("--skip", type=int, default=CHECK_COUNT, help="the first piece to learn from")
    parser.add_argument("--pieces", type=int, default=PIECE_COUNT, help="the one at which to stop")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the order")
    parser.add_argument("--dropout", type=float, default=DROPOUT, help="the share of what layers say that is left out")
    parser.add_argument("--all", action="store_true", help="use all pieces from the first step on")
    given = parser.parse_args()
    device = torch.device(given.device)
    torch.backends.cudnn.benchmark = True
    checked = Material(given.folder, range(CHECK_COUNT), device)
    trained = Material(given.folder, range(given.skip, given.pieces), device)
    training = Training((given.first, SECOND, given.channels), device, given.seed, given.dropout)
    if given.after:
        training.begin_with(torch.load(given.after, weights_only=True))
    print(f"{sum(each.numel() for each in training.network.parameters())} weights", flush=True)
    began = reported = looked = time.time()
    trained.use(len(trained.seeds) if given.all else 100)
    share = 0.0
    while share < 1:
        now = time.time()
        if given.until:
            share = min(1, (now - began) / (given.until - began))
            if now - looked > 4:
                trained.use(trained.count + 400, waits=False)
                looked = time.time()
        else:
            share = training.step_count / given.steps
            wanted = len(trained.seeds) * min(1, FIRST_SHARE + (1 - FIRST_SHARE) * 2 * share)
            if wanted > trained.count + 50 or wanted == len(trained.seeds):
                trained.use(int(wanted))
        training.step(given.rate * share_of_rate(share), trained, given.strength)
        if time.time() - reported > 60 or share >= 1:
            reported = time.time()
            checked.use(CHECK_COUNT)
            own, other = (scores(training.mean, checked, is_tuned) for is_tuned in (False, True))
            print(
                f"step {training.step_count}, {trained.count} pieces, loss {training.loss.item():.4f}, {reported - began:.0f} s; "
                f"F of beats and downbeats: {own[0]:.3f} {own[1]:.3f}, other styles {other[0]:.3f} {other[1]:.3f}", flush=True)
            part = given.weights.with_suffix(".part")
            torch.save({name: value.cpu() for name, value in training.mean.state_dict().items()}, part)
            part.rename(given.weights)


if __name__ == "__main__":
    main()
