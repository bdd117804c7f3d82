/* SPDX-License-Identifier: Apache-2.0 */
/* What every Verilog must pass before it is simulated, proved or estimated, docs/verify/lint.md:
 * rules under which all tools read it alike, Verilator, Icarus and Yosys without a complaint, one
 * driver for each net. */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include "err.h"
#include "module.h"

#include <stdint.h>
#include <stdio.h>

enum { LINT_FILES = 32, LINT_NAME = 64, LINT_PATH = 1024, LINT_PARAM = 48 };

/* What becomes of the tools' complaints about a design of the user's own. Hardware without cycles (latches,
 * loops, two drivers) is refused by all. */
typedef enum { LINT_ERROR, LINT_WARN, LINT_OFF } lint_level_t;

typedef struct {
  const char *cache;     /* folder for what has passed: build/rtl */
  const char *dir;       /* folder of Verilog as it was given, for messages */
  const char *tools_dir; /* the same without blanks, for tools (rtl_tool_dir) */
  const char *stem;
  char param[MODULE_MAX_PARAMS][LINT_PARAM]; /* "QUEUES=48" */
  unsigned n_params;
  bool
      design; /* made by verilog/design: SystemVerilog, one file, the rules for texts are not for it */
  lint_level_t level; /* of a design */
  FILE *notes;        /* gets a line for each tool whose complaint refuses nothing; NULL: nobody */
} lint_job_t;

typedef struct {
  char file[LINT_FILES][LINT_NAME]; /* stems of the files that belong to it, its own first */
  unsigned n_files;
  char header[LINT_FILES][LINT_NAME]; /* what they include, with its ending */
  unsigned n_headers;
  bool conditional; /* the text depends on SYNTHESIS */
  bool checks;      /* by more than initial blocks */
  char hardware[LINT_PATH +
                64]; /* "file:line" where hardware does, "" if only checks and initial values do */
  uint64_t hash;     /* of all texts */
} lint_t;

/* The folder for Verilated modules and what has passed (base/home.h), made if it is not there. 0, or -1 and a message. */
int lint_cache(char cache[LINT_PATH], const char *root, mrpb_err_t *err);

/* Job of a module at a size. */
void lint_job(lint_job_t *job, const module_class_t *cls, const uint32_t *cfg);

/* RTL_OK, RTL_BAD_INPUT or RTL_BAD_TOOL (verilog/load/lib.h) and a message of one line. `one`: for
 * users of one reading of the Verilog; hardware that depends on SYNTHESIS is refused, too. */
int lint_check(const lint_job_t *job, bool one, lint_t *out, mrpb_err_t *err);
/* Its two halves: the rules, and the tools on what has passed them. What the tools said of the same
 * text and size is kept; the rules are checked every time. */
int lint_text(const lint_job_t *job, bool one, lint_t *out, mrpb_err_t *err);
int lint_tools(const lint_job_t *job, const lint_t *lint, mrpb_err_t *err);

/* Where `what` tools have made of these texts at this size is kept in the cache, into a path of
 * FILES_PATH bytes: other texts, another size or other programs have another path. RTL_OK, or
 * RTL_BAD_INPUT or RTL_BAD_TOOL and a message. */
int lint_kept(const lint_job_t *job, const lint_t *lint, const char *what, char *path,
              mrpb_err_t *err);

/* Copies of the files into the folder `to`, for Yosys, which takes the text of a check but not its
 * end: $stop, $finish and $fatal are $display there. LINT_COPY_DRIVERS: without the
 * loops of initial blocks.
 * 0, or -1 and a message. */
typedef enum { LINT_COPY_ALL, LINT_COPY_DRIVERS } lint_copy_t;
int lint_copy(const lint_job_t *job, const lint_t *lint, lint_copy_t what, const char *to,
              mrpb_err_t *err);
/* Yosys' commands that read such copies in one reading and elaborate them at the job's size. Their
 * length, which is `size` at least if they do not fit. */
size_t lint_yosys(const lint_job_t *job, const lint_t *lint, bool synthesis, const char *dir,
                  char *script, size_t size);

/* An output that is 0 with SYNTHESIS, because it is a check and no hardware, and the instance that
 * makes it; NULL if the module has none. */
typedef struct {
  const char *stem, *output, *instance;
} lint_checker_t;
const lint_checker_t *lint_checker(const char *stem);

#endif
