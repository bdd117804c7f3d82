/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb run --ptx`: a user's own PTX text, with one launch of one of its kernels, as a program of
 * workload/launch. */
#ifndef CMD_PTX_H
#define CMD_PTX_H

#include "workload/launch/launch.h"

enum { CLI_PTX_ARGS = 64 };

/* The options as given. */
typedef struct {
  const char *file, *grid, *block;
  uint64_t regs, shared; /* 0: the default */
  const char *args[CLI_PTX_ARGS], *dumps[CLI_PTX_ARGS], *textures[CLI_PTX_ARGS];
  unsigned n_args, n_dumps, n_textures;
} cli_ptx_t;

/* Reads the text and builds the program; `kernel` may be NULL if the text has only one. Returns 0,
 * or -1 and a message. */
int cli_ptx_read(const cli_ptx_t *o, const char *kernel, launch_program_t **out, mrpb_err_t *err);

#endif
