/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/place/timing.h"

#include "base/files.h"
#include "base/output.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 600 };

static const char done[] = "place: done";

static void put_reports(FILE *f, const char *what, bool clock) {
  fprintf(f, "puts \"place: %s\"\nreport_checks -path_delay max -digits 6\n", what);
  if (clock)
    fprintf(f,
            "puts \"place: %s, registers\"\nreport_checks -path_delay max -digits 6 \\\n"
            "  -from [all_registers -clock_pins] -to [all_registers -data_pins]\n",
            what);
}

/* Writes the script. */
static void timing_script(FILE *f, const synth_job_t *job, const place_netlist_t *n) {
  fputs("read_liberty cells.lib\n", f);
  for (unsigned i = 0; i < job->n_srams; i++)
    fprintf(f, "read_liberty %s.lib\n", job->sram[i].macro);
  fprintf(f,
          "read_verilog placed.v\n"
          "if {[link_design %s] != 1} { puts \"Error: link_design failed\" }\n"
          "set_cmd_units -time ns -capacitance pF\n"
          "create_clock -name clk -period 1",
          n->top);
  if (n->clock >= 0) fprintf(f, " [get_ports n%d]", n->clock);
  fprintf(f,
          "\nset inputs {}\nforeach port [all_inputs] {\n"
          "  if {[get_property $port full_name] != \"n%d\"} { lappend inputs $port }\n}\n"
          "set_input_delay 0 -clock clk $inputs\n"
          "set_output_delay 0 -clock clk [all_outputs]\n"
          "set_driving_cell -lib_cell %s $inputs\nset_load %.6g [all_outputs]\n",
          n->clock, job->lib->buffer->name, synth_load_ff(job->lib) / 1000);
  put_reports(f, "without wires", n->clock >= 0);
  fprintf(f, "read_spef %s.spef\n", n->top);
  put_reports(f, "with wires", n->clock >= 0);
  fprintf(f, "puts \"%s\"\n", done);
}

/* Reads the period of the report behind `mark`: the slack is that of a clock of 1 ns. 0 if there is
 * no such report or no path. */
static int read_period(const char *text, const char *mark, double *period, mrpb_err_t *err) {
  *period = 0;
  const char *at = strstr(text, mark);
  if (!at) return 0;
  at += strlen(mark);
  const char *end = strstr(at, "\nplace: ");
  const char *none = strstr(at, "No paths found"), *slack = strstr(at, " slack (");
  if (!end) return mrpb_fail(err, "sta: a report without its end, behind '%.40s'", mark + 1);
  if (none && none < end) return 0;
  if (!slack || slack > end) return mrpb_fail(err, "sta: no slack behind '%.40s'", mark + 1);
  while (slack > at && slack[-1] != '\n') slack--;
  double v;
  if (sscanf(slack, "%lf", &v) != 1)
    return mrpb_fail(err, "sta: a slack that is no number: %.40s", slack);
  *period = 1 - v;
  return 0;
}

int timing_read(const char *text, place_times_t *without, place_times_t *with, mrpb_err_t *err) {
  char line[200];
  const char *bad = strncmp(text, "Error", 5) == 0 ? text : strstr(text, "\nError");
  if (bad) {
    bad += *bad == '\n';
    snprintf(line, sizeof line, "%.*s", (int)strcspn(bad, "\r\n"), bad);
    return mrpb_fail(err, "sta: %s", line);
  }
  /* A net of the SPEF file that the netlist does not have would be left out with a warning. */
  const char *warning = strstr(text, ".spef, line ");
  if (warning) {
    snprintf(line, sizeof line, "%.*s", (int)strcspn(warning, "\r\n"), warning);
    return mrpb_fail(err, "sta: the wires are not those of the netlist: %s", line);
  }
  if (!strstr(text, done)) return mrpb_fail(err, "sta: ended with exit code 0 before its end");
  if (read_period(text, "\nplace: without wires\n", &without->all, err) != 0 ||
      read_period(text, "\nplace: without wires, registers\n", &without->registers, err) != 0 ||
      read_period(text, "\nplace: with wires\n", &with->all, err) != 0)
    return -1;
  return read_period(text, "\nplace: with wires, registers\n", &with->registers, err);
}

int timing_run(const synth_job_t *job, const place_netlist_t *n, const char *folder,
               place_times_t *without, place_times_t *with, mrpb_err_t *err) {
  static const char *const argv[] = {"sta", "-no_splash", "-exit", "sta.tcl", NULL};
  char path[FILES_PATH];
  FILE *f = output_into(folder, "sta.tcl", err);
  if (!f) return -1;
  fputs("puts \"\"\n", f); /* every mark then begins a line */
  timing_script(f, job, n);
  if (output_into_end(f, false, folder, "sta.tcl", err) != 0) return -1;
  if (tools_run(folder, argv, "sta.log", LIMIT, err) != 0) return -1;
  char *text = files_path(path, "%s/sta.log", folder) ? files_read(path, NULL) : NULL;
  if (!text) return mrpb_fail(err, "%s/sta.log: cannot read", folder);
  const int rc = timing_read(text, without, with, err);
  free(text);
  return rc;
}
