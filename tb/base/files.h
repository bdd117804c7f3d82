/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders: paths that are never truncated, whole texts, folders that appear only when
 * they are complete. Output for users goes through base/output.h. */
#ifndef FILES_H
#define FILES_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
  FILES_PATH = 1024,   /* bytes of a path, including its final 0 */
  FILES_MOST = 1 << 26 /* most bytes of a file that is read whole */
};

/* snprintf into a path of FILES_PATH bytes; false if it does not fit. */
bool files_path(char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool files_exists(const char *path);
bool files_is_folder(const char *path);

/* Reads the whole of a file of at most FILES_MOST bytes, adds a final 0, and gives its length
 * (`size` may be NULL). Returns NULL, with the reason in errno, if the file cannot be read. The
 * caller frees the text. */
char *files_read(const char *path, size_t *size);

/* Makes the folder `path` and its parents if they are missing. Returns false on failure: errno says
 * why (ENOTDIR: a file is in the way), and `path` is cut after the folder that could not be
 * made. */
bool files_make_folders(char *path);

/* Makes a new folder `cache`/tmp.<pid>.<n>; `path` has FILES_PATH bytes. Removes such folders of
 * processes that have ended. Returns 0, or -1 and a message. */
int files_temp_folder(char *path, const char *cache, mrpb_err_t *err);
/* Renames the finished folder `temp` to `final`. If another process was faster, its folder is used
 * and `temp` is removed. Returns 0, or -1 and a message; `temp` is then removed. */
int files_publish(const char *temp, const char *final, mrpb_err_t *err);

/* Removes a file, or a folder with its contents. An entry named `keep` (may be NULL) in the folder
 * stays, and so does the folder then. Whatever cannot be removed stays. */
void files_remove_tree(const char *path, const char *keep);
/* Removes the entries of `folder` whose names begin with `prefix`. */
void files_remove_named(const char *folder, const char *prefix);

#endif
