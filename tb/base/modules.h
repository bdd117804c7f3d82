/* SPDX-License-Identifier: Apache-2.0 */
/* All modules: the eight of cmodel/module_list.c, and the one that -m DIR has loaded (docs/kit.md). Who
 * holds the loaded one is the dynamic linker: it is asked for the object's symbol, and this program
 * keeps nothing. Its files get their places by a folder in which they lie as those of the eight do,
 * beside links to everything else; home_find gives that folder from then on. */
#ifndef BASE_MODULES_H
#define BASE_MODULES_H

#include "module.h"

/* The environment's name for the loaded folder: what a child must load, too. */
#define MODULES_VARIABLE "MRPB_MODULE"

/* As module_class and module_class_at, the loaded one behind the others. */
const module_class_t *modules_class(const char *stem);
const module_class_t *modules_at(unsigned i);

/* A symbol of the loaded object, NULL without one: KIT_STIMULUS_SYMBOL for `stem`'s stimulus. */
const void *modules_symbol(const char *stem, const char *symbol);

/* The folder that was loaded, as the user wrote it; NULL: none. */
const char *modules_folder(void);

/* Names the files of the loaded module in a message of `size` bytes as the user has them: DIR/NAME.v
 * for the place in the folder of links. */
void modules_plain(char *text, size_t size);

/* Loads DIR/NAME.so, NAME being the last part of DIR. Called once, from main, before any thread or
 * child. 0, or an exit code and a message: 2, or 4 for an object that does not come back. */
int modules_load(const char *dir, mrpb_err_t *err);

/* Before the program ends: an end without it is the module's doing. */
void modules_end(void);

/* 0, or -1 and a message: a module of this name may be made. */
int modules_check_name(const char *name, mrpb_err_t *err);

enum { MODULES_NAME = 32 }; /* most characters of a name */

#endif
