// libxcrypt for Swift: hashes of passcodes.
#pragma once
#include <crypt.h>
