// The one entry of libFuzzer that a program with a `main` of its own needs. The toolchain has the
// library, but no header for it.

#include <stddef.h>
#include <stdint.h>

/// Fuzzes as the words in `argv` say, with `callback` taking each input.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));
