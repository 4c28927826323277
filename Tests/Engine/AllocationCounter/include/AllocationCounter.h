// Counts the calling thread's allocations, so that a test can check that rendering allocates nothing.
#ifndef SEGMANCE_ALLOCATION_COUNTER_H
#define SEGMANCE_ALLOCATION_COUNTER_H

/// Returns how often this thread has allocated or freed memory, or -1 if it is not counted: the
/// sanitizers have their own allocator.
long segmance_allocation_count(void);

#endif
