// Tells the thread sanitizer what Swift's Mutex does where threads meet.
//
// On Linux the sanitizer sees a Mutex that is free being taken and given back, as that is compiled
// into the caller. Where a thread has to wait, the library Synchronization goes on, which is not
// instrumented: it spins, or leaves the rest to the kernel. The order that the lock gives is lost
// there, and whatever it protects is reported as a race. So the three functions stand here under the
// library's names, in the test programs and under this sanitizer only. They add that order and
// call the library; nothing is suppressed, and a race beside the lock is found as before.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZED 1
#endif
#endif

#if defined(__linux__) && defined(THREAD_SANITIZED)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Of the sanitizer's runtime library (tsan_interface.h).
extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

// `_MutexHandle._lockSlow(_:)`, `._tryLockSlow()` and `._unlockSlow()`.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void annotated_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool annotated_try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void annotated_unlock(SELF) __asm__(UNLOCK);

static SWIFT void (*lock)(uint32_t thread, SELF);
static SWIFT bool (*try_lock)(SELF);
static SWIFT void (*unlock)(SELF);

static void *find(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) {
    fprintf(stderr, "Swift's Mutex is made otherwise now, see MutexAnnotations.c: no %s\n", name);
    abort();
  }
  return found;
}

__attribute__((constructor)) static void find_library(void) {
  lock = find(LOCK);
  try_lock = find(TRY_LOCK);
  unlock = find(UNLOCK);
}

SWIFT void annotated_lock(uint32_t thread, SELF) {
  lock(thread, handle);
  __tsan_acquire(handle);
}

SWIFT bool annotated_try_lock(SELF) {
  if (!try_lock(handle)) return false;
  __tsan_acquire(handle);
  return true;
}

SWIFT void annotated_unlock(SELF) {
  __tsan_release(handle);
  unlock(handle);
}

#endif
