// Memory for the engine in a browser, and the C functions that the compiler takes for granted.
// The engine allocates a few large blocks when it is made and one for each chunk; it never
// allocates while rendering. So of large blocks there is a list of those that were freed, of which the
// best fit is taken. Counts allocate some arrays for each grid and free them, and the history of practice
// thousands of small ones: their sizes are rounded up to classes, each with a list of its own, so that
// taking one never has to search.

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

enum { largestSmall = 65536, classCount = 44 };

static Block *freed;
static Block *freedSmall[classCount];
static uintptr_t top;

// The class of a size of 16 to `largestSmall` bytes: 16, 32, 48 and 64, then four for each doubling.
static int sizeClass(size_t size) {
  if (size <= 64) return (int)((size - 1) / 16);
  int doubling = 31 - __builtin_clz((unsigned)(size - 1));
  return 4 * (doubling - 5) + (int)((size - 1) >> (doubling - 2)) - 4;
}

// The size of all blocks of a class.
static size_t classSize(int class) {
  if (class < 4) return 16 * ((size_t)class + 1);
  return (size_t)(class % 4 + 5) << (class / 4 + 3);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment > blockAlignment) return 22;  // EINVAL: nothing here needs more.
  size = (size + blockAlignment - 1) & ~(size_t)(blockAlignment - 1);
  Block **best = NULL;
  if (size == 0) size = blockAlignment;
  if (size <= largestSmall) {
    int class = sizeClass(size);
    size = classSize(class);
    if (freedSmall[class]) best = &freedSmall[class];
  } else {
    for (Block **link = &freed; *link; link = &(*link)->next) {
      if ((*link)->size >= size && (!best || (*link)->size < (*best)->size)) best = link;
    }
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
  Block **list = block->size <= largestSmall ? &freedSmall[sizeClass(block->size)] : &freed;
  block->next = *list;
  *list = block;
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
