// The functions of libpq that Segmance calls. The library is loaded when a server is first asked for its
// records: without PostgreSQL nothing of it is in the memory, and it need not be installed.
#ifndef SEGMANCE_POSTGRESQL_H
#define SEGMANCE_POSTGRESQL_H

/// A connection of libpq.
typedef struct segmance_pg_connection segmance_pg_connection;
/// A result of libpq.
typedef struct segmance_pg_result segmance_pg_result;

/// What libpq answers, by its own numbers.
enum {
  SEGMANCE_PG_CONNECTION_OK = 0,
  SEGMANCE_PG_COMMAND_OK = 1,
  SEGMANCE_PG_TUPLES_OK = 2,
  SEGMANCE_PG_IDLE = 0,
  SEGMANCE_PG_UNKNOWN = 4,
  /// The field of an error that holds its code, SQLSTATE.
  SEGMANCE_PG_SQLSTATE = 'C',
  /// The field of an error that holds its sentence.
  SEGMANCE_PG_MESSAGE = 'M',
};

/// A notification: the beginning of libpq's `PGnotify`.
typedef struct {
  char *channel;
  int sender;
  char *payload;
} segmance_pg_notification;

/// The functions, by libpq's names without their prefix.
typedef struct {
  segmance_pg_connection *(*connectdbParams)(
      const char *const *names, const char *const *values, int expandsName);
  void *(*setNoticeReceiver)(
      segmance_pg_connection *, void (*receive)(void *argument, const segmance_pg_result *),
      void *argument);
  int (*status)(const segmance_pg_connection *);
  int (*transactionStatus)(const segmance_pg_connection *);
  char *(*errorMessage)(const segmance_pg_connection *);
  void (*finish)(segmance_pg_connection *);
  int (*socket)(const segmance_pg_connection *);
  int (*setNonblocking)(segmance_pg_connection *, int isNonblocking);
  int (*sendQuery)(segmance_pg_connection *, const char *sql);
  int (*sendPrepare)(
      segmance_pg_connection *, const char *name, const char *sql, int count,
      const unsigned int *types);
  int (*flush)(segmance_pg_connection *);
  int (*consumeInput)(segmance_pg_connection *);
  int (*isBusy)(segmance_pg_connection *);
  segmance_pg_result *(*getResult)(segmance_pg_connection *);
  int (*sendQueryPrepared)(
      segmance_pg_connection *, const char *name, int count, const char *const *values,
      const int *lengths, const int *formats, int resultFormat);
  int (*resultStatus)(const segmance_pg_result *);
  char *(*resultErrorField)(const segmance_pg_result *, int field);
  int (*ntuples)(const segmance_pg_result *);
  char *(*getvalue)(const segmance_pg_result *, int row, int column);
  int (*getlength)(const segmance_pg_result *, int row, int column);
  int (*getisnull)(const segmance_pg_result *, int row, int column);
  void (*clear)(segmance_pg_result *);
  segmance_pg_notification *(*notifies)(segmance_pg_connection *);
  void (*freemem)(void *);
} segmance_pg_functions;

/// Returns the functions, or NULL where libpq is not installed.
const segmance_pg_functions *segmance_pg_load(void);

#endif
