/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSTA: the longest paths of a mapped netlist, and the delay of an inverter with a fanout of
 * four (FO4), by which technologies are compared. */
#ifndef ESTIMATE_STA_H
#define ESTIMATE_STA_H

#include "estimate/synth.h"

enum { STA_NAME = 128, STA_WAY = 512, STA_END = 64 };

/* A longest path. */
typedef struct {
  bool found; /* a path exists */
  double period_ns;
  unsigned depth; /* cells between its ends, macros included */
  /* Source names: registers, ports, "array (SRAM)"; the cell's own name if the source has none. */
  char start[STA_NAME], end[STA_NAME];
  char through[STA_WAY]; /* the last named net in each module on the path */
} sta_path_t;

typedef struct {
  sta_path_t all; /* between registers, SRAMs and ports (which have no delay outside) */
  sta_path_t reg; /* between registers and SRAMs only */
} sta_result_t;

/* What a path begins and ends at. The last two kinds belong to a module that presents requests to
 * an L1 (the MRPB): to its request ports, and from the port of the L1's answer. Such a module has
 * no STA_IN from that port. */
typedef enum {
  STA_REG,    /* register to register, macros included */
  STA_IN,     /* input to register */
  STA_OUT,    /* register to output */
  STA_ACROSS, /* input to output */
  STA_REQUEST,
  STA_ANSWER,
  STA_KINDS
} sta_kind_t;

/* The longest path of each kind in ns, and its ends by the names of the Verilog; below 0: there is
 * none. The ports have no delay outside. */
typedef struct {
  double ns[STA_KINDS];
  char from[STA_KINDS][STA_END], to[STA_KINDS][STA_END];
} sta_view_t;

/* A corner without wires, and with a capacitance for each sink of a net. */
typedef struct {
  sta_view_t bare, wired;
} sta_corner_t;

/* Writes the clock, and the list `inputs` of all other inputs. */
void sta_clock(FILE *f, const synth_source_t *s, double period_ns);
/* Writes that nothing is outside the ports, which belong to the edge at which the registers
 * change. */
void sta_ideal_ports(FILE *f, const synth_source_t *s);
/* Writes the Tcl that repeats a result's paths. */
void sta_script(FILE *f, const synth_job_t *job, const char *liberty, double period_ns);

/* Runs OpenSTA on what synth_run left in `folder`. */
int sta_run(const synth_job_t *job, const char *folder, sta_result_t *r, mrpb_err_t *err);

/* Times the netlist net.v of `folder` with the library `corner`, in the folder `scratch`. A macro's
 * access time is `derate` times its own. */
int sta_corner(const synth_job_t *job, const char *folder, const char *scratch,
               const liberty_t *corner, double derate, double wire_ff, sta_corner_t *r,
               mrpb_err_t *err);

/* Runs `sta script` in `folder`. Returns the text of its log, which the caller frees; or NULL and one
 * line in err, also if the script did not come to its last line, `puts` of sta_done(). */
char *sta_text(const char *folder, const char *script, const char *log, mrpb_err_t *err);
const char *sta_done(void);

/* Measures the FO4 delay of the library's smallest inverter, in ns. */
int sta_fo4(const liberty_t *lib, const char *folder, double *ns, mrpb_err_t *err);

#endif
