// libpq keeps these functions and numbers since its version 5, so that its headers are not needed.
#define _GNU_SOURCE
#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static segmance_pg_functions functions;
static bool isLoaded;

static bool find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  isLoaded = find(library, "PQconnectdbParams", &functions.connectdbParams) &&
             find(library, "PQsetNoticeReceiver", &functions.setNoticeReceiver) &&
             find(library, "PQstatus", &functions.status) &&
             find(library, "PQtransactionStatus", &functions.transactionStatus) &&
             find(library, "PQerrorMessage", &functions.errorMessage) &&
             find(library, "PQfinish", &functions.finish) &&
             find(library, "PQsocket", &functions.socket) &&
             find(library, "PQsetnonblocking", &functions.setNonblocking) &&
             find(library, "PQsendQuery", &functions.sendQuery) &&
             find(library, "PQsendPrepare", &functions.sendPrepare) &&
             find(library, "PQsendQueryPrepared", &functions.sendQueryPrepared) &&
             find(library, "PQflush", &functions.flush) &&
             find(library, "PQconsumeInput", &functions.consumeInput) &&
             find(library, "PQisBusy", &functions.isBusy) &&
             find(library, "PQgetResult", &functions.getResult) &&
             find(library, "PQresultStatus", &functions.resultStatus) &&
             find(library, "PQresultErrorField", &functions.resultErrorField) &&
             find(library, "PQntuples", &functions.ntuples) &&
             find(library, "PQgetvalue", &functions.getvalue) &&
             find(library, "PQgetlength", &functions.getlength) &&
             find(library, "PQgetisnull", &functions.getisnull) &&
             find(library, "PQclear", &functions.clear) &&
             find(library, "PQnotifies", &functions.notifies) &&
             find(library, "PQfreemem", &functions.freemem);
}

const segmance_pg_functions *segmance_pg_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return isLoaded ? &functions : NULL;
}
