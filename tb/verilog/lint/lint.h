/* SPDX-License-Identifier: Apache-2.0 */
/* What every Verilog must pass before it is simulated or proved (docs/verify/lint.md): rules under
 * which all tools read it alike, no complaint from Verilator, Icarus and Yosys, and one driver for
 * each net. */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include "err.h"
#include "module.h"

#include <stdint.h>
#include <stdio.h>

enum { LINT_FILES = 32, LINT_NAME = 64, LINT_PATH = 1024, LINT_PARAM = 48 };

/* How the tools' complaints about a user's design are treated. At every level, hardware that is not
 * cycle-based (latches, loops, two drivers) is refused. */
typedef enum { LINT_ERROR, LINT_WARN, LINT_OFF } lint_level_t;

typedef struct {
  const char *cache;     /* folder for what has passed: build/rtl */
  const char *dir;       /* folder of Verilog as given, for messages */
  const char *tools_dir; /* the same folder without blanks, for tools (rtl_tool_dir) */
  const char *stem;
  char param[MODULE_MAX_PARAMS][LINT_PARAM]; /* "QUEUES=48" */
  unsigned n_params;
  bool
      design; /* made by verilog/design: one SystemVerilog file; the rules for texts do not apply */
  lint_level_t level; /* of a design */
  FILE *notes;        /* gets a line for each tool with a complaint that is no refusal, or NULL */
} lint_job_t;

typedef struct {
  char file[LINT_FILES][LINT_NAME]; /* stems of the files that belong to it, its own first */
  unsigned n_files;
  char header[LINT_FILES][LINT_NAME]; /* included files, with their ending */
  unsigned n_headers;
  bool conditional; /* the text depends on SYNTHESIS */
  bool checks;      /* more than initial blocks depends on it */
  char hardware[LINT_PATH +
                64]; /* "file:line" where hardware does, "" if only checks and initial values do */
  uint64_t hash;     /* of all texts */
} lint_t;

/* The folder for verilated modules and for what has passed (base/home.h), created if missing.
 * Returns 0, or -1 and a message in err. */
int lint_cache(char cache[LINT_PATH], const char *root, mrpb_err_t *err);

/* Fills in the job of a module at a size. */
void lint_job(lint_job_t *job, const module_class_t *cls, const uint32_t *cfg);

/* Returns RTL_OK, or RTL_BAD_INPUT or RTL_BAD_TOOL (verilog/load/lib.h) and a message of one line.
 * `one` is for users of a single reading of the Verilog: hardware that depends on SYNTHESIS is then
 * refused, too. */
int lint_check(const lint_job_t *job, bool one, lint_t *out, mrpb_err_t *err);
/* The two halves of lint_check: the rules, and the tools on what has passed the rules. What the
 * tools said of the same text and size is kept; the rules are checked every time. */
int lint_text(const lint_job_t *job, bool one, lint_t *out, mrpb_err_t *err);
int lint_tools(const lint_job_t *job, const lint_t *lint, mrpb_err_t *err);

/* Writes into a path of FILES_PATH bytes where the cache keeps what the `what` tools have made of
 * these texts at this size. Other texts, another size or other programs have another path. Returns
 * RTL_OK, or RTL_BAD_INPUT or RTL_BAD_TOOL and a message in err. */
int lint_kept(const lint_job_t *job, const lint_t *lint, const char *what, char *path,
              mrpb_err_t *err);

/* Copies the files into the folder `to` for Yosys, which keeps running through a check: $stop,
 * $finish and $fatal become $display. LINT_COPY_DRIVERS also removes the loops of initial blocks.
 * Returns 0, or -1 and a message in err. */
typedef enum { LINT_COPY_ALL, LINT_COPY_DRIVERS } lint_copy_t;
int lint_copy(const lint_job_t *job, const lint_t *lint, lint_copy_t what, const char *to,
              mrpb_err_t *err);
/* Writes one such text. */
void lint_yosys_text(const char *text, FILE *f);
/* Writes Yosys' commands that read such copies in one reading and elaborate them at the job's size.
 * Returns their length, which is at least `size` if they do not fit. */
size_t lint_yosys(const lint_job_t *job, const lint_t *lint, bool synthesis, const char *dir,
                  char *script, size_t size);

/* An output that is 0 with SYNTHESIS because it is a check and not hardware, and the instance that
 * makes it. NULL if the module has none. */
typedef struct {
  const char *stem, *output, *instance;
} lint_checker_t;
const lint_checker_t *lint_checker(const char *stem);

#endif
