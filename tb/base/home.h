/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the program's own files (Verilog, shim, C models, configurations) and the place where it
 * may keep what it builds: docs/library.md, "Installing". The folder has the layout of the source
 * tree, whether it is the source tree or share/mrpb of an installation. */
#ifndef BASE_HOME_H
#define BASE_HOME_H

#include "base/files.h"
#include "err.h"

/* Finds the folder of the program's files. It is $MRPB_DATA if that is set; otherwise the first of:
 * a folder above the running program, ../share/mrpb beside it, a folder above the working
 * directory, and the place where the program was built or installed. Returns 0, or -1 and a
 * message. */
int home_find(char root[FILES_PATH], mrpb_err_t *err);

/* The folder `name` ("rtl", "estimate/cache") for build results, made if missing: in build/ of a
 * source tree that can be written, otherwise in $XDG_CACHE_HOME/mrpb or ~/.cache/mrpb. `root` is
 * the result of home_find. Returns 0, or -1 and a message. */
int home_build(char dir[FILES_PATH], const char *root, const char *name, mrpb_err_t *err);
/* Gives only the path; makes nothing. */
int home_build_path(char dir[FILES_PATH], const char *root, const char *name, mrpb_err_t *err);

/* Finds the program's own configuration `name`: "configs/base-s.conf", or "base-s" for short;
 * "configs". A program that is carried without its files has them beside it. Returns false if it
 * has none of that name. */
bool home_own_config(char path[FILES_PATH], const char *name);

/* Returns `name` unchanged if such a file or folder exists; otherwise the path of the program's own
 * configuration of that name; otherwise `name`. */
const char *home_config(char path[FILES_PATH], const char *name);

#endif
