/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSTA: the longest paths of a mapped netlist, and the delay of an inverter with a fanout of
 * four (FO4), by which technologies are compared. */
#ifndef ESTIMATE_STA_H
#define ESTIMATE_STA_H

#include "estimate/synth.h"

enum { STA_NAME = 128, STA_THROUGH = 512 };

/* A longest path. */
typedef struct {
  bool found; /* a path exists */
  double period_ns;
  unsigned depth; /* cells between its ends, macros included */
  /* Source names: registers, ports, "array (SRAM)"; the cell's own name if the source has none. */
  char start[STA_NAME], end[STA_NAME];
  char through[STA_THROUGH]; /* the last named net in each module on the path */
} sta_path_t;

typedef struct {
  sta_path_t all; /* between registers, SRAMs and ports (which have no delay outside) */
  sta_path_t reg; /* between registers and SRAMs only */
} sta_result_t;

/* Writes the Tcl for `sta`, with the Liberty file under the name `liberty`. */
void sta_script(FILE *f, const synth_job_t *job, const char *liberty, double period_ns);

/* Runs OpenSTA on what synth_run left in `folder`. */
int sta_run(const synth_job_t *job, const char *folder, sta_result_t *r, mrpb_err_t *err);

/* Runs `sta script` in `folder`. Returns the text of its log, which the caller frees; or NULL and one
 * line in err, also if the script did not come to its last line, `puts` of sta_done(). */
char *sta_text(const char *folder, const char *script, const char *log, mrpb_err_t *err);
const char *sta_done(void);

/* Measures the FO4 delay of the library's smallest inverter, in ns. */
int sta_fo4(const liberty_t *lib, const char *folder, double *ns, mrpb_err_t *err);

#endif
