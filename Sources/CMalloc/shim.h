// What Swift's own module of the C library leaves out: the settings of its memory.

#ifndef SEGMANCE_CMALLOC_SHIM_H
#define SEGMANCE_CMALLOC_SHIM_H

#include <malloc.h>

/// Lets all threads share this many arenas. Call it before there are threads.
static inline void segmance_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

/// Gives back to the system what lies free between the allocations; locks each arena in turn.
static inline void segmance_return_memory(void) { malloc_trim(0); }

#endif
