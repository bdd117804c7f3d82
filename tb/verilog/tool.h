/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which program a name stands for, because a version's text does not identify it. */
#ifndef RTL_TOOL_H
#define RTL_TOOL_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/* The environment variable that names the Verilator to use everywhere, instead of the one in PATH
 * (docs/verify/simulators.md). VERILATOR_ROOT and VERILATOR_BIN, which Verilator itself reads, then
 * do not count (base/process.c). */
#define TOOL_VERILATOR "VERILATOR"
/* The value of that variable; otherwise "verilator", or the program that it starts if both are the
 * same. */
const char *tool_verilator(void);

/* Adds the contents of the program `name` (in PATH, or a path) to `hash`; "verilator_bin" is found
 * as the script `verilator` finds it. The contents of a file are read again only when its
 * description in the file system changes; the folder `cache` keeps this. Returns 0, or -1 and
 * "NAME: not found ..." in err. */
int tool_hash(uint64_t *hash, const char *cache, const char *name, mrpb_err_t *err);
/* Gets the first line that `command` (a program and its option) prints, into `size` bytes of
 * `line`. The command runs once; its answer is kept in `cache` under `programs`, the hash of
 * everything on which it depends. Returns 0, or -1 and a message in err. */
int tool_version(char *line, size_t size, const char *cache, uint64_t programs,
                 const char *const command[2], mrpb_err_t *err);

#endif
