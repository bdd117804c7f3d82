/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb run --ptx`: a user's own PTX text, one launch of one kernel of it. */
#ifndef CMD_PTX_H
#define CMD_PTX_H

#include "err.h"
#include "workload/workload.h"

enum { CLI_PTX_ARGS = 64 };

typedef struct cli_ptx_host cli_ptx_host_t;

/* The options, as given. */
typedef struct {
  const char *file, *grid, *block;
  uint64_t regs, shared; /* 0: the default */
  const char *args[CLI_PTX_ARGS], *dumps[CLI_PTX_ARGS], *textures[CLI_PTX_ARGS];
  unsigned n_args, n_dumps, n_textures;
  cli_ptx_host_t *host;
} cli_ptx_t;

enum { CLI_PTX_MAX_REGS = 63 };
/* Reads the text and makes the workload; `kernel` may be NULL if the text has only one. -1 and a
 * message. */
int cli_ptx_open(cli_ptx_t *o, const char *kernel, workload_t **w, mrpb_err_t *err);
/* Writes what --dump asks for; after the run, before workload_close. */
int cli_ptx_dump(const cli_ptx_t *o, mrpb_err_t *err);

#endif
