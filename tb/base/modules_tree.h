/* SPDX-License-Identifier: Apache-2.0 */
/* The folder in which a module of one's own has the places that those of cmodel/ have. */
#ifndef BASE_MODULES_TREE_H
#define BASE_MODULES_TREE_H

#include "base/files.h"
#include "err.h"

/* 0, or -1 and a message: a file of the program has a place that `stem`'s would have. */
int modules_tree_room(const char *root, const char *stem, mrpb_err_t *err);

/* Makes it for module `stem` of folder `dir` (absolute) over what home_find gives, in the cache, and
 * has home_find give it. 0, or -1 and a message. */
int modules_tree(const char *dir, const char *stem, mrpb_err_t *err);

/* Which place of the program's folder `text` begins with, of those that a module `stem` has files
 * for ("rtl/NAME.v"): its length, and the file's name there in `name`; 0: none. */
size_t modules_tree_place(const char *text, const char *stem, char name[FILES_PATH]);

#endif
