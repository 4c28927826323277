// Simulates a computer that sleeps while ffmpeg runs. It is loaded with LD_PRELOAD. CLOCK_BOOTTIME,
// which counts sleep, runs a thousand times faster than CLOCK_MONOTONIC, and the shell command in
// $BEFORE_FFMPEG runs before each ffmpeg that reports its progress.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_BOOTTIME && result == 0) {
    now->tv_nsec *= 1000;
    now->tv_sec = now->tv_sec * 1000 + now->tv_nsec / 1000000000;
    now->tv_nsec %= 1000000000;
  }
  return result;
}

int posix_spawn(
    pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const variables[]) {
  int (*spawn)(
      pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
      char *const[], char *const[]) = dlsym(RTLD_NEXT, "posix_spawn");
  size_t count = 0, reports = 0;
  for (; arguments[count]; count++) reports |= strcmp(arguments[count], "-progress") == 0;
  if (!reports) return spawn(process, path, actions, attributes, arguments, variables);
  char *words[count + 5];
  memcpy(words, (char *[]){"sh", "-c", getenv("BEFORE_FFMPEG"), "sh"}, 4 * sizeof *words);
  memcpy(words + 4, arguments, (count + 1) * sizeof *words);
  return spawn(process, "/bin/sh", actions, attributes, words, variables);
}
