// The weights of the beat network, as training wrote them: 32-bit floating-point numbers,
// little-endian.
#ifndef SEGMANCE_BEAT_WEIGHTS_H
#define SEGMANCE_BEAT_WEIGHTS_H

/// The first byte of the weights; they are there as long as the program runs.
const void *segmance_beat_weights(void);

/// How many bytes they have.
unsigned long segmance_beat_weights_size(void);

#endif
