/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program's own files are (Verilog, shim, C models, configurations), and where it may
 * keep what it builds: docs/library.md, "Installing". The folder has the shape of the source tree,
 * whether it is that or an installation's share/mrpb. */
#ifndef BASE_HOME_H
#define BASE_HOME_H

#include "base/files.h"
#include "err.h"

/* The folder of the program's files: $MRPB_DATA if that is set; else the first of: above the running
 * program, ../share/mrpb beside it, above the working directory, and where the program was built or
 * installed. 0, or -1 and a message. */
int home_find(char root[FILES_PATH], mrpb_err_t *err);

/* The folder `name` ("rtl", "estimate/cache") for what is built, made if it is not there: in build/
 * of a source tree that can be written, else in $XDG_CACHE_HOME/mrpb or ~/.cache/mrpb. 0, or -1 and a
 * message. `root` is what home_find gave. */
int home_build(char dir[FILES_PATH], const char *root, const char *name, mrpb_err_t *err);
/* Its path alone; nothing is made. */
int home_build_path(char dir[FILES_PATH], const char *root, const char *name, mrpb_err_t *err);

/* The program's own configuration `name`: "configs/base-s.conf", or "base-s" for short; "configs".
 * False if it has none of that name. */
bool home_own_config(char path[FILES_PATH], const char *name);

/* `name` as it stands if there is such a file or folder; else that of the program's own
 * configurations; else `name` again. */
const char *home_config(char path[FILES_PATH], const char *name);

#endif
