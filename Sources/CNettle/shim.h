// Nettle's SHA-256, which names every stored file after its bytes, and SHA-1, which senders of
// uploads may use.
#pragma once
#include <nettle/sha2.h>
