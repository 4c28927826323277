// Memory for the engine in a browser, and the C functions that the compiler takes for granted.
// The engine allocates a few large blocks when it is made and one for each chunk; it never
// allocates while rendering. Counts allocate some arrays for each grid and free them. So a list of
// freed blocks, of which the best fit is taken, is all the allocator there is.

#include "CFreestanding.h"

#include <stdint.h>

extern unsigned char __heap_base;

enum { pageSize = 65536, blockAlignment = 16 };

// Stands right before each block that was handed out.
typedef struct Block {
  size_t size;
  struct Block *next;
  uint64_t padding;
} Block;

_Static_assert(sizeof(Block) == blockAlignment, "blocks must stay aligned");

static Block *freed;
static uintptr_t top;

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment > blockAlignment) return 22;  // EINVAL: nothing here needs more.
  size = (size + blockAlignment - 1) & ~(size_t)(blockAlignment - 1);
  Block **best = NULL;
  for (Block **link = &freed; *link; link = &(*link)->next) {
    if ((*link)->size >= size && (!best || (*link)->size < (*best)->size)) best = link;
  }
  if (best) {
    Block *block = *best;
    *best = block->next;
    *result = block + 1;
    return 0;
  }
  if (!top) {
    top = ((uintptr_t)&__heap_base + blockAlignment - 1) & ~(uintptr_t)(blockAlignment - 1);
  }
  uintptr_t end = top + sizeof(Block) + size;
  if (end < top) return 12;  // ENOMEM
  uintptr_t have = (uintptr_t)__builtin_wasm_memory_size(0) * pageSize;
  if (end > have) {
    size_t pages = (end - have + pageSize - 1) / pageSize;
    if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 12;
  }
  Block *block = (Block *)top;
  block->size = size;
  top = end;
  *result = block + 1;
  return 0;
}

void free(void *pointer) {
  if (!pointer) return;
  Block *block = (Block *)pointer - 1;
  block->next = freed;
  freed = block;
}

// With -mbulk-memory these three become one instruction each.
void *memcpy(void *restrict target, const void *restrict source, size_t count) {
  return __builtin_memcpy(target, source, count);
}

void *memmove(void *target, const void *source, size_t count) {
  return __builtin_memmove(target, source, count);
}

void *memset(void *target, int value, size_t count) {
  return __builtin_memset(target, value, count);
}

int memcmp(const void *first, const void *second, size_t count) {
  const unsigned char *a = first;
  const unsigned char *b = second;
  for (size_t index = 0; index < count; index++) {
    if (a[index] != b[index]) return a[index] < b[index] ? -1 : 1;
  }
  return 0;
}

// Only seeds hash tables, of which nothing here has one.
void arc4random_buf(void *buffer, size_t count) { memset(buffer, 0x5a, count); }

uintptr_t __stack_chk_guard = 0x5e6d616e;

void __stack_chk_fail(void) { __builtin_trap(); }
