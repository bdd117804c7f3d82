/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables of commands and options make besides --help: the page of the manual, and what a
 * shell completes. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "cli/options.h"

#include <stdio.h>

/* mrpb(1), for man: the commands in their order, `n` of them. */
void manual_page(FILE *out, const cli_command_t *const *commands, unsigned n);

/* A script for bash that completes commands, options, and values whose kinds the tables know: files,
 * folders, modules, kernels, words "a|b". */
void manual_completion(FILE *out, const cli_command_t *const *commands, unsigned n);

#endif
