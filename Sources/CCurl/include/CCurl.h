// One HTTP request over libcurl, which is loaded when it is first asked for. A server that asks nobody
// pays nothing for it: libcurl brings some thirty libraries into the memory.
#ifndef SEGMANCE_CURL_H
#define SEGMANCE_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Fills a buffer with the next bytes of a request's body, and returns how many. SEGMANCE_CURL_STOP ends
/// the request.
typedef size_t (*segmance_curl_source)(void *context, uint8_t *bytes, size_t room);

#define SEGMANCE_CURL_STOP SIZE_MAX

/// A request. The texts end with a zero.
typedef struct {
  const char *method;
  const char *url;
  /// "Name: value", each.
  const char *const *headers;
  size_t headerCount;
  const uint8_t *body;
  size_t bodyLength;
  /// Supplies `bodyLength` bytes in place of `body`; NULL if there is no such body.
  segmance_curl_source source;
  /// Whether http is allowed besides https.
  bool allowsHTTP;
  /// The most milliseconds for all of it (0: no limit), and for connecting.
  long timeout;
  long connectTimeout;
  /// After so many seconds without a byte the request ends; 0: never.
  long stallSeconds;
} segmance_curl_request;

/// Takes a piece of the response: a line of its head, or bytes of its body. False ends the request.
typedef bool (*segmance_curl_sink)(void *context, bool isHead, const uint8_t *bytes, size_t count);

/// How a request ended.
typedef enum {
  SEGMANCE_CURL_DONE,
  /// libcurl is not installed.
  SEGMANCE_CURL_ABSENT,
  SEGMANCE_CURL_TIMEOUT,
  SEGMANCE_CURL_FAILED,
} segmance_curl_end;

/// The room for what failed, in bytes.
enum { SEGMANCE_CURL_PROBLEM_SIZE = 256 };

/// Sends a request and waits for the response. Redirects are not followed.
segmance_curl_end segmance_curl_send(
    const segmance_curl_request *request, segmance_curl_sink sink, void *context, long *status,
    char *problem);

#endif
