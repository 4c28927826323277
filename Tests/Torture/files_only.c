// Limits libfiu's faults in read() and write() to files. The server also uses both calls to wake its
// threads and to communicate with ffmpeg and the log, where a disk error cannot occur. It is loaded
// before libfiu.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_file(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  if (!is_file(descriptor)) return syscall(SYS_read, descriptor, bytes, count);
  ssize_t (*faulty)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
  return faulty(descriptor, bytes, count);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (!is_file(descriptor)) return syscall(SYS_write, descriptor, bytes, count);
  ssize_t (*faulty)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  return faulty(descriptor, bytes, count);
}

// jemalloc allocates memory with these calls and must not call libfiu: debug builds crashed without
// any fault.
void *mmap(void *at, size_t size, int access, int flags, int descriptor, off_t offset) {
  return (void *)syscall(SYS_mmap, at, size, access, flags, descriptor, offset);
}

void *mmap64(void *at, size_t size, int access, int flags, int descriptor, off64_t offset) {
  return mmap(at, size, access, flags, descriptor, offset);
}

int munmap(void *at, size_t size) { return syscall(SYS_munmap, at, size); }

int madvise(void *at, size_t size, int advice) { return syscall(SYS_madvise, at, size, advice); }

int mprotect(void *at, size_t size, int access) { return syscall(SYS_mprotect, at, size, access); }
