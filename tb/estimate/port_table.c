/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/port_table.h"

#include "base/files.h"
#include "base/output.h"
#include "estimate/arcs.h"

#include <string.h>

/* The longest arc of a port to or from registers, and to or from other ports. */
typedef struct {
  const char *port;
  bool input;
  double registers, ports; /* below 0: none */
  const char *other;       /* the other end of the longest arc between ports */
} row_t;

static row_t row_of(const arcs_t *arcs, const char *port, bool input) {
  row_t row = {port, input, -1, -1, ""};
  for (unsigned i = 0; i < arcs->n; i++) {
    const arc_t *a = &arcs->arc[i];
    const char *other = input ? a->to : a->from;
    if (strcmp(input ? a->from : a->to, port) != 0) continue;
    if (other[0] == '\0') {
      row.registers = a->max_ns;
    } else if (a->max_ns > row.ports) {
      row.ports = a->max_ns;
      row.other = other;
    }
  }
  return row;
}

static void put_ns(FILE *f, double ns) {
  if (ns >= 0)
    fprintf(f, " %.3f |", ns);
  else
    fputs(" - |", f);
}

static void put_row(FILE *f, const row_t *r) {
  if (r->registers < 0 && r->ports < 0) return; /* the clock, or a port that nothing needs */
  fprintf(f, "| `%s` |", r->port);
  put_ns(f, r->input ? r->registers : -1);
  put_ns(f, r->input ? -1 : r->registers);
  put_ns(f, r->ports);
  if (r->ports >= 0)
    fprintf(f, " `%s` |\n", r->other);
  else
    fputs(" |\n", f);
}

static void put_table(FILE *f, const arcs_t *arcs) {
  fputs("| port | input to register ns | register to output ns | to or from a port ns | which |\n"
        "| --- | ---: | ---: | ---: | --- |\n",
        f);
  for (unsigned i = 0; i < arcs->n_loads; i++) {
    const row_t row = row_of(arcs, arcs->load[i].port, true);
    put_row(f, &row);
  }
  for (unsigned i = 0; i < arcs->n_slews; i++) {
    const row_t row = row_of(arcs, arcs->slew[i].port, false);
    put_row(f, &row);
  }
}

static void put_csv(FILE *f, const arcs_t *arcs) {
  fputs("from,to,max_ns,min_ns\n", f);
  for (unsigned i = 0; i < arcs->n; i++) {
    const arc_t *a = &arcs->arc[i];
    fprintf(f, "%s,%s,%.6f,", a->from[0] ? a->from : "registers", a->to[0] ? a->to : "registers",
            a->max_ns);
    if (!a->no_hold) fprintf(f, "%.6f", a->min_ns);
    fputs("\n", f);
  }
}

static int write(const char *folder, const char *name, void (*put)(FILE *, const arcs_t *),
                 const arcs_t *arcs, mrpb_err_t *err) {
  char path[FILES_PATH], temp[OUTPUT_NAME];
  if (!files_path(path, "%s/%s", folder, name)) return mrpb_fail(err, "%s: path too long", folder);
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  put(f, arcs);
  return output_close(f, ferror(f) != 0, path, temp, err);
}

int port_table_make(const synth_job_t *job, const char *folder, mrpb_err_t *err) {
  static const arcs_outside_t ideal;
  char path[FILES_PATH];
  arcs_t arcs;
  if (!files_path(path, "%s/ports.md", folder)) return mrpb_fail(err, "%s: path too long", folder);
  if (files_exists(path)) return 0;
  if (arcs_run(job, folder, job->lib->written, &ideal, &arcs, err) != 0) return -1;
  int rc = write(folder, "ports.csv", put_csv, &arcs, err);
  if (rc == 0) rc = write(folder, "ports.md", put_table, &arcs, err);
  arcs_free(&arcs);
  return rc;
}
