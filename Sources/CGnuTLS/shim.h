// GnuTLS for Swift: certificates, and the macros among its constants.

#ifndef SEGMANCE_CGNUTLS_SHIM_H
#define SEGMANCE_CGNUTLS_SHIM_H

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

static const unsigned int segmance_key_cert_sign = GNUTLS_KEY_KEY_CERT_SIGN;
static const unsigned int segmance_key_digital_signature = GNUTLS_KEY_DIGITAL_SIGNATURE;
static const char *const segmance_oid_common_name = GNUTLS_OID_X520_COMMON_NAME;
static const char *const segmance_oid_organization = GNUTLS_OID_X520_ORGANIZATION_NAME;
static const char *const segmance_purpose_server = GNUTLS_KP_TLS_WWW_SERVER;

/// The curve P-256, where GnuTLS takes a number of bits.
static inline unsigned int segmance_curve_bits(void) {
  return GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1);
}

/// The same of P-384.
static inline unsigned int segmance_curve_bits_384(void) {
  return GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP384R1);
}

/// Frees what GnuTLS allocated: its own name for this is a variable.
static inline void segmance_gnutls_free(void *memory) { gnutls_free(memory); }

#endif
