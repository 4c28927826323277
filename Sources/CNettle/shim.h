// Nettle's SHA-256, which names every stored file after its bytes.
#pragma once
#include <nettle/sha2.h>
