/* SPDX-License-Identifier: Apache-2.0 */
/* The folder in which a user's module has the places that the modules of cmodel/ have. */
#ifndef BASE_MODULES_TREE_H
#define BASE_MODULES_TREE_H

#include "base/files.h"
#include "err.h"

/* Checks that the program has no file where `stem` would have one. Returns 0, or -1 and a
 * message. */
int modules_tree_room(const char *root, const char *stem, mrpb_err_t *err);

/* Makes the folder in the cache, for module `stem` of folder `dir` (absolute), on top of the folder
 * that home_find gives, and makes home_find give the new one. Returns 0, or -1 and a message. */
int modules_tree(const char *dir, const char *stem, mrpb_err_t *err);

/* Tests whether `text` begins with the place of a file of module `stem` in the program's folder
 * ("rtl/NAME.v"). Returns the length of that place, with the file's own name in `name`; 0 if it
 * does not. */
size_t modules_tree_place(const char *text, const char *stem, char name[FILES_PATH]);

#endif
