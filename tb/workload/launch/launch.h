/* SPDX-License-Identifier: Apache-2.0 */
/* Launch files (docs/launch.md): what a host program does around its kernels, as a text with one
 * statement per line: buffers and their contents, a sequence of launches that share memory, copies,
 * comparisons, files. A program is read from a file or built by calls, and becomes a workload. */
#ifndef WORKLOAD_LAUNCH_H
#define WORKLOAD_LAUNCH_H

#include "workload/simt/simt.h"

enum {
  LAUNCH_REGS = 20,            /* default registers per thread */
  LAUNCH_MOST_REGS = 255,      /* maximum registers per thread, on any GPU */
  LAUNCH_MOST_TEXT = 1 << 24,  /* maximum bytes of a PTX text */
  LAUNCH_MOST_BYTES = 1 << 30, /* maximum bytes of a file of values, and of all host arrays */
  LAUNCH_MOST_BLOCK = 1024,    /* maximum threads per block */
  LAUNCH_MOST_GRID = INT32_MAX /* maximum blocks in a dimension */
};

typedef struct launch_program launch_program_t;

/* Initial contents of a buffer. */
typedef enum {
  LAUNCH_ZEROS,
  LAUNCH_RANDOM, /* 32-bit floats in [0, 1) */
  LAUNCH_COUNT,  /* 32-bit integers from 0 */
  LAUNCH_FILE    /* contents of a file */
} launch_contents_t;

/* Values set on the command line, which replace those of `let`, and a limit on the host's work. */
typedef struct {
  const char *const *text; /* n times "NAME=VALUE" */
  unsigned n;
  uint64_t steps; /* maximum host steps between two launches; 0: the default */
} launch_options_t;

/* Reads the launch file and the PTX text that it names. Returns 0, or -1 and a message "file:line:
 * what; what is legal". */
int launch_read(launch_program_t **out, const char *path, const launch_options_t *options,
                mrpb_err_t *err);

/* A program of one launch, built by calls: the PTX text, the launch's shape, its arguments in
 * order, and what is written afterwards. Messages call the file `name`. Returns 0, or -1 and a
 * message. */
int launch_new(launch_program_t **out, const char *name, mrpb_err_t *err);
/* Reads another PTX text, behind those read before. Returns the module, which belongs to the
 * program, or NULL and a message. */
ptx_module_t *launch_take_text(launch_program_t *p, const char *path, mrpb_err_t *err);
/* The only launch, to be filled in by the caller; its kernel is set. NULL and a message on an
 * error. */
simt_launch_t *launch_only(launch_program_t *p, const ptx_kernel_t *kernel, mrpb_err_t *err);
/* Allocates and fills a buffer; returns its number. For LAUNCH_FILE the file determines the number
 * of bytes. `align` 0: none. -1 and a message without the program's name on an error. */
int launch_add_buffer(launch_program_t *p, uint64_t bytes, launch_contents_t contents,
                      uint64_t seed, const char *file, uint64_t align, mrpb_err_t *err);
uint64_t launch_address(const launch_program_t *p, int buffer);
/* Writes buffer number `buffer` to a file when the run has ended well. */
int launch_add_write(launch_program_t *p, int buffer, const char *path, mrpb_err_t *err);

/* Creates the workload, after executing everything before the first launch; it takes ownership of
 * the program. Returns 0, or -1 and a message; the program then still belongs to the caller. */
int launch_open(workload_t **out, launch_program_t *p, mrpb_err_t *err);
void launch_free(launch_program_t *p);

/* Valid while the workload is open. The number of comparisons that have held so far; in a repeat,
 * each execution counts. */
uint64_t launch_compared(const launch_program_t *p);
/* Memory on the GPU that is `loose`: its i-th range, 0 bytes if there is none at present; false
 * after the last. */
bool launch_loose(const launch_program_t *p, unsigned i, uint64_t *addr, uint64_t *bytes);
/* The i-th file that is read, beginning with the launch file; NULL after the last. */
const char *launch_input(const launch_program_t *p, unsigned i);
/* The i-th file that is written; NULL after the last. */
const char *launch_output(const launch_program_t *p, unsigned i);
/* Writes the files after a run that has ended well. Returns 0, or -1 and a message. */
int launch_write(const launch_program_t *p, mrpb_err_t *err);

/* Rows of the tables, for the page; NULL after the last. */
typedef struct {
  const char *word, *rest, *doc;
} launch_row_t;
const launch_row_t *launch_statement_row(unsigned i);
const launch_row_t *launch_function_row(unsigned i);
const char *launch_type_row(unsigned i);

#endif
