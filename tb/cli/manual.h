/* SPDX-License-Identifier: Apache-2.0 */
/* Made from the tables of commands and options, like --help: the manual page, and the shell
 * completion. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "cli/options.h"

#include <stdio.h>

/* Writes mrpb(1) for man: the `n` commands in their order. */
void manual_page(FILE *out, const cli_command_t *const *commands, unsigned n);

/* Writes a script for bash that completes commands, options, and values whose kinds the tables
 * know: files, folders, modules, kernels, words "a|b". */
void manual_completion(FILE *out, const cli_command_t *const *commands, unsigned n);

#endif
