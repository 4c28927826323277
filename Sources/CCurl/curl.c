// The options of libcurl take values of any type, which Swift can't pass. So this file is in C.
#define _GNU_SOURCE
#define CURL_DISABLE_TYPECHECK
#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo

static struct {
  bool isLoaded;
  CURLcode (*global_init)(long);
  CURL *(*easy_init)(void);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_perform)(CURL *);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  void (*easy_cleanup)(CURL *);
  const char *(*easy_strerror)(CURLcode);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
} curl;

static bool find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

static void load(void) {
  // Debian's two builds, with OpenSSL and with GnuTLS. Either will do.
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  curl.isLoaded = find(library, "curl_global_init", &curl.global_init) &&
                  find(library, "curl_easy_init", &curl.easy_init) &&
                  find(library, "curl_easy_setopt", &curl.easy_setopt) &&
                  find(library, "curl_easy_perform", &curl.easy_perform) &&
                  find(library, "curl_easy_getinfo", &curl.easy_getinfo) &&
                  find(library, "curl_easy_cleanup", &curl.easy_cleanup) &&
                  find(library, "curl_easy_strerror", &curl.easy_strerror) &&
                  find(library, "curl_slist_append", &curl.slist_append) &&
                  find(library, "curl_slist_free_all", &curl.slist_free_all) &&
                  curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

typedef struct {
  segmance_curl_sink sink;
  segmance_curl_source source;
  void *context;
} receiver;

static size_t pass(const receiver *to, bool isHead, const char *bytes, size_t count) {
  // Another number than was given makes libcurl stop.
  return to->sink(to->context, isHead, (const uint8_t *)bytes, count) ? count : count + 1;
}

static size_t receive_head(char *bytes, size_t size, size_t count, void *to) {
  return pass(to, true, bytes, size * count);
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *to) {
  return pass(to, false, bytes, size * count);
}

static size_t send_body(char *bytes, size_t size, size_t count, void *from) {
  const receiver *to = from;
  size_t filled = to->source(to->context, (uint8_t *)bytes, size * count);
  return filled == SEGMANCE_CURL_STOP ? CURL_READFUNC_ABORT : filled;
}

static CURLcode configure(
    CURL *handle, const segmance_curl_request *request, struct curl_slist *headers, receiver *to,
    char *problem) {
  CURLcode code = CURLE_OK;
#define set(option, value) \
  if (code == CURLE_OK) code = curl.easy_setopt(handle, option, value)
  set(CURLOPT_ERRORBUFFER, problem);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, request->allowsHTTP ? "https,http" : "https");
  set(CURLOPT_URL, request->url);
  set(CURLOPT_CUSTOMREQUEST, request->method);
  set(CURLOPT_NOBODY, strcmp(request->method, "HEAD") == 0 ? 1L : 0L);
  set(CURLOPT_HTTPHEADER, headers);
  if (request->source != NULL) {
    set(CURLOPT_UPLOAD, 1L);
    set(CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->bodyLength);
    set(CURLOPT_READFUNCTION, send_body);
    set(CURLOPT_READDATA, to);
    set(CURLOPT_CUSTOMREQUEST, request->method);
  } else if (request->body != NULL) {
    set(CURLOPT_POSTFIELDS, request->body);
    set(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->bodyLength);
    // POSTFIELDS would otherwise say POST to a server that is asked again.
    set(CURLOPT_CUSTOMREQUEST, request->method);
  }
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_TIMEOUT_MS, request->timeout);
  set(CURLOPT_CONNECTTIMEOUT_MS, request->connectTimeout);
  if (request->stallSeconds > 0) {
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, request->stallSeconds);
  }
  // Otherwise the end of a lookup is waited for beyond both limits, which where no name server answers
  // is ten seconds for each. libcurl knows this from 7.87 on; without it a request only takes longer.
  if (code == CURLE_OK) curl.easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
  set(CURLOPT_USERAGENT, "Segmance");
  set(CURLOPT_HEADERFUNCTION, receive_head);
  set(CURLOPT_HEADERDATA, to);
  set(CURLOPT_WRITEFUNCTION, receive_body);
  set(CURLOPT_WRITEDATA, to);
#undef set
  return code;
}

static segmance_curl_end failed(CURLcode code, char *problem) {
  if (problem[0] == 0) {
    snprintf(problem, SEGMANCE_CURL_PROBLEM_SIZE, "%s", curl.easy_strerror(code));
  }
  return code == CURLE_OPERATION_TIMEDOUT ? SEGMANCE_CURL_TIMEOUT : SEGMANCE_CURL_FAILED;
}

segmance_curl_end segmance_curl_send(
    const segmance_curl_request *request, segmance_curl_sink sink, void *context, long *status,
    char *problem) {
  _Static_assert(SEGMANCE_CURL_PROBLEM_SIZE >= CURL_ERROR_SIZE, "libcurl writes so much");
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  problem[0] = 0;
  *status = 0;
  if (!curl.isLoaded) return SEGMANCE_CURL_ABSENT;
  CURL *handle = curl.easy_init();
  if (handle == NULL) return failed(CURLE_OUT_OF_MEMORY, problem);
  // Otherwise libcurl would wait for a word before it sends a large body.
  struct curl_slist *headers = curl.slist_append(NULL, "Expect:");
  bool isComplete = headers != NULL;
  for (size_t index = 0; isComplete && index < request->headerCount; index++) {
    isComplete = curl.slist_append(headers, request->headers[index]) != NULL;
  }
  receiver to = {sink, request->source, context};
  CURLcode code = isComplete ? configure(handle, request, headers, &to, problem) : CURLE_OUT_OF_MEMORY;
  if (code == CURLE_OK) code = curl.easy_perform(handle);
  if (code == CURLE_OK) code = curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
  curl.slist_free_all(headers);
  curl.easy_cleanup(handle);
  return code == CURLE_OK ? SEGMANCE_CURL_DONE : failed(code, problem);
}
