// The public-key half of nettle, on which GnuTLS stands: points on elliptic curves. GnuTLS itself has
// no agreement of keys before 3.8.2.
#pragma once
#include <nettle/bignum.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
