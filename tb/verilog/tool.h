/* SPDX-License-Identifier: Apache-2.0 */
/* Which program it is that a name stands for: a version's text does not say it. */
#ifndef RTL_TOOL_H
#define RTL_TOOL_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/* The environment's name for the Verilator that is used everywhere, in the place of the one of PATH
 * (docs/verify/simulators.md); what Verilator itself takes from VERILATOR_ROOT and VERILATOR_BIN does not count
 * then (base/process.c). */
#define TOOL_VERILATOR "VERILATOR"
/* What stands there; else "verilator", or the program behind it where that is the same. */
const char *tool_verilator(void);

/* Adds the contents of the program `name` (of PATH, or a path) to `hash` ("verilator_bin" is found as the script
 * `verilator` finds it). Contents are read once for each file as the file system describes it;
 * `cache` (a folder) keeps that. 0, or -1 and "NAME: not found ...". */
int tool_hash(uint64_t *hash, const char *cache, const char *name, mrpb_err_t *err);
/* The first line that `command` (a program and its option) prints, into `size` bytes of `line`. It is
 * asked once and kept in `cache` under `programs`, the hash of all that it depends on. 0, or -1 and a
 * message. */
int tool_version(char *line, size_t size, const char *cache, uint64_t programs,
                 const char *const command[2], mrpb_err_t *err);

#endif
