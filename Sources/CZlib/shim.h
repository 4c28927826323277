// zlib for Swift: its initialisers are macros, which Swift does not see.

#ifndef SEGMANCE_CZLIB_SHIM_H
#define SEGMANCE_CZLIB_SHIM_H

#include <zlib.h>

/// Prepares a stream that writes the gzip format (window bits 15 plus 16) at `level`.
static inline int segmance_gzip_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// Prepares a stream that reads the gzip format.
static inline int segmance_gunzip_init(z_stream *stream) {
  return inflateInit2(stream, 15 + 16);
}

#endif
