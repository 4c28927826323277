// The few C functions that Embedded Swift calls, for WebAssembly without a C library.
#ifndef SEGMANCE_FREESTANDING_H
#define SEGMANCE_FREESTANDING_H

#include <stddef.h>

int posix_memalign(void **result, size_t alignment, size_t size);
void free(void *pointer);
void *memcpy(void *restrict target, const void *restrict source, size_t count);
void *memmove(void *target, const void *source, size_t count);
void *memset(void *target, int value, size_t count);
int memcmp(const void *first, const void *second, size_t count);
void arc4random_buf(void *buffer, size_t count);

#endif
