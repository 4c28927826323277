// libarchive for Swift: the type of an ordinary file is a macro with a cast, which Swift does not see.

#ifndef SEGMANCE_CARCHIVE_SHIM_H
#define SEGMANCE_CARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>

/// Says that `entry` is an ordinary file.
static inline void segmance_archive_entry_set_regular(struct archive_entry *entry) {
  archive_entry_set_filetype(entry, AE_IFREG);
}

/// Returns whether `entry` is an ordinary file.
static inline int segmance_archive_entry_is_regular(struct archive_entry *entry) {
  return archive_entry_filetype(entry) == AE_IFREG;
}

#endif
