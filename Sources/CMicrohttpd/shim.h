// libmicrohttpd for Swift: what is variadic or a macro there, as plain functions and constants.

#ifndef SEGMANCE_CMICROHTTPD_SHIM_H
#define SEGMANCE_CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

/// A URI callback runs when the request line is there; it makes the request's context.
typedef void *(*segmance_mhd_uri_callback)(void *context, const char *uri,
                                           struct MHD_Connection *connection);

struct segmance_mhd_settings {
  int listen_socket;
  unsigned int threads;
  unsigned int connection_limit;
  unsigned int timeout_seconds;
  size_t connection_memory;
  /// PEM texts for TLS, or null. libmicrohttpd wants them only while it starts.
  const char *certificate;
  const char *certificate_key;
  void *context;
  MHD_AcceptPolicyCallback accept;
  MHD_AccessHandlerCallback access;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  segmance_mhd_uri_callback uri;
};

/// Leaves percent-encoding alone: the path is decoded once, elsewhere, where it is also checked.
static inline size_t segmance_mhd_keep_escapes(void *context, struct MHD_Connection *connection,
                                               char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

static inline struct MHD_Daemon *
segmance_mhd_start(const struct segmance_mhd_settings *settings) {
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->certificate_key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, (void *)0}};
  struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, (void *)0}};
  const int has_tls = settings->certificate != 0;
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO |
          (has_tls ? MHD_USE_TLS : 0), 0,
      settings->accept, settings->context, settings->access, settings->context,
      MHD_OPTION_ARRAY, has_tls ? tls : none,
      MHD_OPTION_LISTEN_SOCKET, settings->listen_socket,
      MHD_OPTION_THREAD_POOL_SIZE, settings->threads,
      MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_UNESCAPE_CALLBACK, &segmance_mhd_keep_escapes, (void *)0,
      MHD_OPTION_URI_LOG_CALLBACK, settings->uri, settings->context,
      MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
      MHD_OPTION_NOTIFY_CONNECTION, settings->connection, settings->context,
      MHD_OPTION_END);
}

/// The socket of a connection, or -1.
static inline int segmance_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// What the connection callback stored for a connection.
static inline void *segmance_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : (void *)0;
}

/// The address at the other end of a connection.
static inline const struct sockaddr *
segmance_mhd_client_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : (const struct sockaddr *)0;
}

/// Writes an address as the 16 bytes at `bytes`, IPv4 mapped into IPv6; returns 0 for other families.
static inline int segmance_address_bytes(const struct sockaddr *address, void *bytes) {
  if (!address) return 0;
  if (address->sa_family == AF_INET6) {
    memcpy(bytes, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
    return 1;
  }
  if (address->sa_family != AF_INET) return 0;
  memset(bytes, 0, 10);
  memset((char *)bytes + 10, 0xff, 2);
  memcpy((char *)bytes + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
  return 1;
}

static const uint64_t segmance_mhd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t segmance_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t segmance_mhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

#endif
