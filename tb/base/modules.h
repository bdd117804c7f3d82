/* SPDX-License-Identifier: Apache-2.0 */
/* All modules: those of cmodel/module_list.c, and the one that -m DIR has loaded (docs/kit.md).
 * The dynamic linker holds the loaded one: this program keeps no reference but asks it for the
 * object's symbol. A folder is made in which the loaded module's files have the same places as
 * those of the others, beside links to everything else; from then on home_find gives that folder. */
#ifndef BASE_MODULES_H
#define BASE_MODULES_H

#include "module.h"

/* The environment variable that names the loaded folder, so that children load it too. */
#define MODULES_VARIABLE "MRPB_MODULE"

/* Like module_class and module_class_at, with the loaded module after the others. */
const module_class_t *modules_class(const char *stem);
const module_class_t *modules_at(unsigned i);

/* A symbol of the loaded object, or NULL if there is none: KIT_STIMULUS_SYMBOL gives the stimulus
 * of `stem`. */
const void *modules_symbol(const char *stem, const char *symbol);

/* The loaded folder as the user wrote it; NULL if none was loaded. */
const char *modules_folder(void);

/* Rewrites a message of `size` bytes so that it names the loaded module's files as the user does:
 * DIR/NAME.v instead of the place in the folder of links. */
void modules_plain(char *text, size_t size);

/* Loads DIR/NAME.so, where NAME is the last part of DIR. Call it once, from main, before starting
 * any thread or child. Returns 0, or an exit code and a message: 2, or 4 for an object that
 * hangs. */
int modules_load(const char *dir, mrpb_err_t *err);

/* Call it before the program ends: an exit without it is taken to be the module's doing. */
void modules_end(void);

/* Checks that a new module may have this name. Returns 0, or -1 and a message. */
int modules_check_name(const char *name, mrpb_err_t *err);

enum { MODULES_NAME = 32 }; /* most characters of a name */

#endif
