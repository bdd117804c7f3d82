/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders: paths that are never cut off, whole texts, folders that appear complete. What
 * is written for somebody to read goes through base/output.h. */
#ifndef FILES_H
#define FILES_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
  FILES_PATH = 1024,   /* bytes of a path, its 0 included */
  FILES_MOST = 1 << 26 /* bytes of a file that is read as a whole */
};

/* snprintf into a path of FILES_PATH bytes; false if it does not fit. */
bool files_path(char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool files_exists(const char *path);
bool files_is_folder(const char *path);

/* The whole of a file of at most FILES_MOST bytes, with a 0 behind, and its length (`size` may be
 * NULL); NULL, and errno says why, if it cannot be read. The caller frees it. */
char *files_read(const char *path, size_t *size);

/* Makes the folder `path` and those above it, where they are missing. False if it cannot: errno says
 * why (ENOTDIR: a file is in the way), and `path` is cut behind the one that could not be made. */
bool files_make_folders(char *path);

/* A new folder `cache`/tmp.<pid>.<n>, of FILES_PATH bytes; those of processes that are gone are
 * removed. 0, or -1 and a message. */
int files_temp_folder(char *path, const char *cache, mrpb_err_t *err);
/* Makes the finished folder `temp` visible as `final`; if somebody else was faster, theirs is used
 * and `temp` is removed. 0, or -1 and a message, and no `temp`. */
int files_publish(const char *temp, const char *final, mrpb_err_t *err);

/* Removes a folder and what is in it, or a file; not what is called `keep` (may be NULL) in it, nor
 * the folder, then. What cannot be removed stays. */
void files_remove_tree(const char *path, const char *keep);
/* Removes what in `folder` has a name that begins with `prefix`. */
void files_remove_named(const char *folder, const char *prefix);

#endif
