/* SPDX-License-Identifier: Apache-2.0 */
/* Launch files (docs/launch.md): what a host program does around its kernels, in a text of one
 * statement a line: buffers and their contents, launches in a row that share memory, copies,
 * comparisons, files. A program is read, or put together by calls, and becomes a workload. */
#ifndef WORKLOAD_LAUNCH_H
#define WORKLOAD_LAUNCH_H

#include "workload/simt/simt.h"

enum {
  LAUNCH_REGS = 20,            /* registers of a thread, unless told */
  LAUNCH_MOST_REGS = 255,      /* most of them, on any GPU */
  LAUNCH_MOST_TEXT = 1 << 24,  /* bytes of a PTX text */
  LAUNCH_MOST_BYTES = 1 << 30, /* of a file of values, of the host's arrays together */
  LAUNCH_MOST_BLOCK = 1024,    /* threads */
  LAUNCH_MOST_GRID = INT32_MAX /* blocks in a dimension */
};

typedef struct launch_program launch_program_t;

/* What a buffer holds at first. */
typedef enum {
  LAUNCH_ZEROS,
  LAUNCH_RANDOM, /* floats of 32 bits in [0, 1) */
  LAUNCH_COUNT,  /* integers of 32 bits from 0 */
  LAUNCH_FILE    /* of as many bytes */
} launch_contents_t;

/* A value set on the command line in place of what `let` says. */
typedef struct {
  const char *const *text; /* "NAME=VALUE" */
  unsigned n;
  uint64_t steps; /* most steps of the host between two launches; 0: the default */
} launch_options_t;

/* Reads the launch file and the PTX text that it names. -1 and a message: "file:line: what; what is
 * legal". */
int launch_read(launch_program_t **out, const char *path, const launch_options_t *options,
                mrpb_err_t *err);

/* A program of one launch, by calls: the PTX text, the launch's shape, its arguments in order, what
 * is written afterwards. `name` stands for the file in messages. */
int launch_new(launch_program_t **out, const char *name, mrpb_err_t *err);
/* Behind those that were taken before. NULL and a message if it cannot be read. Belongs to the program. */
ptx_module_t *launch_take_text(launch_program_t *p, const char *path, mrpb_err_t *err);
/* The only launch, to be filled in; its kernel is set. */
simt_launch_t *launch_only(launch_program_t *p, const ptx_kernel_t *kernel, mrpb_err_t *err);
/* A buffer, allocated and filled: its number. `bytes` is that of the file for LAUNCH_FILE. `align`
 * 0: none. -1 and a message without the program's name. */
int launch_add_buffer(launch_program_t *p, uint64_t bytes, launch_contents_t contents,
                      uint64_t seed, const char *file, uint64_t align, mrpb_err_t *err);
uint64_t launch_address(const launch_program_t *p, int buffer);
/* Buffer number `buffer` goes to a file when the run has ended well. */
int launch_add_write(launch_program_t *p, int buffer, const char *path, mrpb_err_t *err);

/* Makes the workload, after all that stands before the first launch has been done; it takes the
 * program over. -1 and a message; the program is then still the caller's. */
int launch_open(workload_t **out, launch_program_t *p, mrpb_err_t *err);
void launch_free(launch_program_t *p);

/* While the workload is open. Comparisons that held so far; of those in a repeat each counts. */
uint64_t launch_compared(const launch_program_t *p);
/* Memory on the GPU that is `loose`: the i-th place of it, 0 bytes for none at present; false behind
 * the last. */
bool launch_loose(const launch_program_t *p, unsigned i, uint64_t *addr, uint64_t *bytes);
/* The i-th file that was read, the launch file the first; NULL behind the last. */
const char *launch_input(const launch_program_t *p, unsigned i);
/* The i-th file that is written; NULL behind the last. */
const char *launch_output(const launch_program_t *p, unsigned i);
/* Writes the files, after a run that has ended well. -1 and a message. */
int launch_write(const launch_program_t *p, mrpb_err_t *err);

/* Rows of the table, for the page: NULL behind the last. */
typedef struct {
  const char *word, *rest, *doc;
} launch_row_t;
const launch_row_t *launch_statement_row(unsigned i);
const launch_row_t *launch_function_row(unsigned i);
const char *launch_type_row(unsigned i);

#endif
