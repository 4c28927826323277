// SQLite as Swift sees it: the variadic sqlite3_db_config can't be imported, so it is wrapped here.
#ifndef SEGMANCE_CSQLITE_SHIM_H
#define SEGMANCE_CSQLITE_SHIM_H

#include <sqlite3.h>

// Makes SQLite copy a bound text or blob; the macro's cast can't be imported.
static inline sqlite3_destructor_type segmance_sqlite_transient(void) {
  return SQLITE_TRANSIENT;
}

// Forbids what could damage the file from inside SQL, such as writing to the schema table.
static inline int segmance_sqlite_defend(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

// Keeps a reading connection from checkpointing when it is the last to close.
static inline int segmance_sqlite_never_checkpoint_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
