// libFLAC's encoder for Swift.

#ifndef SEGMANCE_CFLAC_SHIM_H
#define SEGMANCE_CFLAC_SHIM_H

#include <FLAC/metadata.h>
#include <FLAC/stream_encoder.h>

#endif
