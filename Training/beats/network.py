"""The network: a temporal convolutional network over bands, with one output for beats and one for downbeats.

After Davies & Böck, "Temporal convolutional networks for musical audio beat tracking" (EUSIPCO 2019), and Böck &
Davies, "Deconstruct, analyse, reconstruct" (ISMIR 2020): three small convolutions that shrink the bands, then layers
whose dilation doubles, each with a residual. Two more look again at what lies about a beat and about a bar away, when
the whole is known. Frames pass in both directions; one output sees 47 s around it.
"""

import torch
from torch import nn

from .features import BANDS

#: Channels after the first and the second convolution, and in all others.
FIRST, SECOND, CHANNELS = 16, 32, 32
#: Frames between the taps of each layer.
DILATIONS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 16, 128)
KERNEL = 5
DROPOUT = 0.1


class Front(nn.Module):
    """Frames × BANDS to channels × frames × 1."""

    def __init__(self, first, second, channels, dropout):
        super().__init__()
        self.first = nn.Conv2d(1, first, (3, 3), padding=(1, 0))
        self.second = nn.Conv2d(first, second, (1, 6))
        self.third = nn.Conv2d(second, channels, (3, 7), padding=(1, 0))
        self.dropout = nn.Dropout(dropout)

    def forward(self, bands):
        # 80 bands → 78 → 26 → 21 → 7 → 1
        x = bands.unsqueeze(1).contiguous(memory_format=torch.channels_last)
        x = nn.functional.elu(nn.functional.max_pool2d(self.first(x), (1, 3)))
        x = nn.functional.elu(nn.functional.max_pool2d(self.second(x), (1, 3)))
        return self.dropout(nn.functional.elu(self.third(x)))


class Layer(nn.Module):
    """One dilated convolution with its residual."""

    def __init__(self, channels, dilation, dropout):
        super().__init__()
        self.wide = nn.Conv2d(channels, channels, (KERNEL, 1), dilation=(dilation, 1), padding=(dilation * (KERNEL // 2), 0))
        self.mix = nn.Conv2d(channels, channels, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return x + self.mix(self.dropout(nn.functional.elu(self.wide(x))))


class BeatNetwork(nn.Module):
    """Batch × frames × BANDS to batch × 2 × frames: the logits of beats and of downbeats."""

    def __init__(self, first=FIRST, second=SECOND, channels=CHANNELS, dropout=DROPOUT):
        super().__init__()
        self.front = Front(first, second, channels, dropout)
        self.layers = nn.ModuleList(Layer(channels, dilation, dropout) for dilation in DILATIONS)
        self.end = nn.Conv2d(channels, 2, 1)
        # With the channels side by side, a step of training takes a third less.
        self.to(memory_format=torch.channels_last)

    def forward(self, bands):
        assert bands.shape[2] == BANDS
        x = self.front(bands)
        for layer in self.layers:
            x = layer(x)
        return self.end(nn.functional.elu(x)).squeeze(3)
