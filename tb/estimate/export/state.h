/* SPDX-License-Identifier: Apache-2.0 */
/* An export that is under way, and the functions that write its parts. Internal to tb/estimate/export. Each
 * returns 0, or -1 and one line in err. */
#ifndef EXPORT_STATE_H
#define EXPORT_STATE_H

#include "estimate/export/export.h"

#include "base/sizes.h"
#include "estimate/arcs.h"

enum { EXPORT_SIZES = SIZES_TEXT, EXPORT_NAME = 128, EXPORT_FILES = 256, EXPORT_SOURCES = 64 };

typedef struct {
  const module_class_t *cls;
  const export_options_t *opt;
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  char sizes[EXPORT_SIZES];
  char root[FILES_PATH], rtl[FILES_PATH]; /* of the project */
  char work[FILES_PATH];                  /* the unfinished folder, absolute */
  char scratch[FILES_PATH];               /* for tools; removed at the end */
  char file[EXPORT_FILES][EXPORT_NAME];   /* what was written, relative to the folder */
  unsigned n_files;
  char source[EXPORT_SOURCES][EXPORT_NAME]; /* Verilog files without .v: the module's is first */
  unsigned n_sources;
  double clock_ghz;
  /* With opt->logic.on only. */
  flow_t flow;
  bool flow_is_open;
  logic_job_t job;
  logic_result_t logic;
} export_t;

/* Whether the module has a clock. */
static inline bool export_clocked(const export_t *e) {
  return e->cls->n_regs > 0;
}

/* folder.c: begin makes the unfinished folder; commit gives it its name; discard removes it.
 * `export_open` opens a file of it ("lib/mshr.lib", with the folder made) and notes it;
 * `export_close` completes it. */
int export_begin(export_t *e, mrpb_err_t *err);
int export_commit(export_t *e, mrpb_err_t *err);
void export_discard(export_t *e);
FILE *export_open(export_t *e, const char *name, mrpb_err_t *err);
int export_close(export_t *e, FILE *f, const char *name, mrpb_err_t *err);
/* Copies the file `from` into the folder. */
int export_copy(export_t *e, const char *from, const char *name, mrpb_err_t *err);
/* The same for a name with the module's: ("lib/%s.lib", in `name`). */
#define EXPORT_NAMED(e, name, format) snprintf(name, EXPORT_NAME, format, (e)->cls->stem)

/* sources.c: the Verilog, with the module's parameters at this size by default, and its lists. */
int export_sources(export_t *e, mrpb_err_t *err);
/* netlist.c: the mapped netlist, its cells and macros as Verilog, the list of macros. */
int export_netlist(export_t *e, mrpb_err_t *err);
/* model.c: the Liberty models, one for each corner. */
int export_models(export_t *e, mrpb_err_t *err);
/* outline.c: black box, LEF, SDC. */
int export_outline(export_t *e, mrpb_err_t *err);
/* bench.c: a test bench with stimulus, its runs at RTL and at gates, and their SAIF. */
int export_bench(export_t *e, mrpb_err_t *err);
/* saif.c: writes the SAIF of the instance `scope` in the VCD `vcd`. */
int export_saif(const char *vcd, const char *scope, const char *design, FILE *f, mrpb_err_t *err);
/* formal.c: the Verilog with its properties, and a .sby file. */
int export_formal(export_t *e, mrpb_err_t *err);
/* sva.c: the properties as concurrent assertions in a module that is bound to ours. */
int export_sva(export_t *e, mrpb_err_t *err);
/* readme.c: README.md and manifest.json. */
int export_readme(export_t *e, mrpb_err_t *err);

#endif
