// What Swift's own module of the C library leaves out: the settings of its memory.

#ifndef SEGMANCE_CMALLOC_SHIM_H
#define SEGMANCE_CMALLOC_SHIM_H

#include <malloc.h>

/// Lets all threads share one arena, and gives every allocation from 128 kB on pages of its own, which go
/// back with it; by itself the library would raise that limit to the largest that was freed. Call it
/// before there are threads.
static inline void segmance_share_memory(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}

/// Gives back to the system what lies free between the allocations; locks each arena in turn.
static inline void segmance_return_memory(void) { malloc_trim(0); }

#endif
