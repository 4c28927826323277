#include "CBeatWeights.h"

static const unsigned char weights[] = {
#embed "beats.weights"
};

const void *segmance_beat_weights(void) { return weights; }

unsigned long segmance_beat_weights_size(void) { return sizeof weights; }
