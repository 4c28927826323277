// Counts what the calling thread allocates, so that a test can show that rendering allocates nothing.
#ifndef SEGMANCE_ALLOCATION_COUNTER_H
#define SEGMANCE_ALLOCATION_COUNTER_H

/// Returns how often this thread has allocated or freed memory, or -1 when that is not counted:
/// under the sanitizers, which have an allocator of their own.
long segmance_allocation_count(void);

#endif
