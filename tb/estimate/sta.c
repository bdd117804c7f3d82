/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSTA: its scripts, and what it prints. It always exits with 0, and goes on with a part of the
 * netlist. Therefore any error line counts, and an end mark must be present. */
#include "estimate/sta.h"
#include "base/output.h"

#include "base/files.h"
#include "estimate/gates.h"
#include "estimate/sta_path.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 600 };

static const char done[] = "estimate: done";

static bool has_clock(const module_class_t *cls) {
  return cls->n_regs > 0;
}

void sta_script(FILE *f, const synth_job_t *job, const char *liberty, double period_ns) {
  fprintf(f, "read_liberty {%s}\n", liberty);
  for (unsigned i = 0; i < job->n_srams; i++)
    fprintf(f, "read_liberty %s.lib\n", job->sram[i].macro);
  fprintf(f,
          "read_verilog net.v\n"
          "if {[link_design %s] != 1} { puts \"Error: link_design failed\" }\n"
          "set_cmd_units -time ns -capacitance pF\n"
          "create_clock -name clk -period %.6g%s\n",
          job->cls->stem, period_ns, has_clock(job->cls) ? " [get_ports clk_i]" : "");
  fputs("set inputs {}\n"
        "foreach port [all_inputs] {\n"
        "  if {[get_property $port full_name] != \"clk_i\"} { lappend inputs $port }\n"
        "}\n"
        "set_input_delay 0 -clock clk $inputs\n"
        "set_output_delay 0 -clock clk [all_outputs]\n",
        f);
  fprintf(f, "set_driving_cell -lib_cell %s $inputs\nset_load %.6g [all_outputs]\n",
          job->lib->buffer->name, synth_load_ff(job->lib) / 1000);
  fputs("puts \"estimate: all\"\n"
        "report_checks -path_delay max -digits 6\n",
        f);
  if (has_clock(job->cls))
    fputs("puts \"estimate: reg\"\n"
          "report_checks -path_delay max -digits 6 \\\n"
          "  -from [all_registers -clock_pins] -to [all_registers -data_pins]\n",
          f);
  fprintf(f, "puts \"%s\"\n", done);
}

/* Runs `sta script` in `folder`. Returns the text of its log, which the caller frees. */
static char *run(const char *folder, const char *script, const char *log, mrpb_err_t *err) {
  const char *const argv[] = {"sta", "-no_splash", "-exit", script, NULL};
  char path[FILES_PATH], line[200];
  if (tools_run(folder, argv, log, LIMIT, err) != 0) return NULL;
  char *text = files_path(path, "%s/%s", folder, log) ? files_read(path, NULL) : NULL;
  if (!text) {
    mrpb_fail(err, "%s/%s: cannot read", folder, log);
    return NULL;
  }
  const char *bad = strncmp(text, "Error", 5) == 0 ? text : strstr(text, "\nError");
  if (bad) {
    bad += *bad == '\n';
    snprintf(line, sizeof line, "%.*s", (int)strcspn(bad, "\r\n"), bad);
    mrpb_fail(err, "sta: %s", line);
  } else if (!strstr(text, done)) {
    mrpb_fail(err, "sta: ended with exit code 0 before its end (%s/%s)", folder, log);
  } else {
    return text;
  }
  free(text);
  return NULL;
}

int sta_run(const synth_job_t *job, const char *folder, sta_result_t *r, mrpb_err_t *err) {
  static const double period = 1;
  FILE *f = output_into(folder, "sta.tcl", err);
  if (!f) return -1;
  sta_script(f, job, "cells.lib", period);
  if (output_into_end(f, false, folder, "sta.tcl", err) != 0) return -1;
  char *text = run(folder, "sta.tcl", "sta.log", err);
  if (!text) return -1;
  sta_names_t *names = sta_names_open(job, folder, err);
  *r = (sta_result_t){.all = {.found = false}};
  const char *reg = strstr(text, "\nestimate: reg\n");
  int rc = names ? sta_path_read(strstr(text, "estimate: all\n"), period, names, &r->all, err) : -1;
  if (rc == 0 && reg) rc = sta_path_read(reg, period, names, &r->reg, err);
  sta_names_close(names);
  free(text);
  return rc;
}

/* ---- FO4 ---- */

enum { STAGES = 8, SKIP = 3, FANOUT = 4 };

static void put_chain(FILE *f, const liberty_t *lib) {
  const liberty_cell_t *inv = lib->inverter;
  fprintf(f, "module fo4 (in, out);\n  input in;\n  output out;\n  wire");
  for (unsigned i = 0; i < STAGES; i++) fprintf(f, " n%u,", i);
  for (unsigned i = 0; i < STAGES; i++)
    for (unsigned k = 1; k < FANOUT; k++) fprintf(f, " x%u_%u,", i, k);
  fprintf(f, " last;\n");
  for (unsigned i = 0; i < STAGES; i++) {
    fprintf(f, "  %s stage%u (.%s(", inv->name, i, inv->in);
    if (i)
      fprintf(f, "n%u", i - 1);
    else
      fputs("in", f);
    fprintf(f, "), .%s(n%u));\n", inv->out, i);
    for (unsigned k = 1; k < FANOUT; k++)
      fprintf(f, "  %s load%u_%u (.%s(n%u), .%s(x%u_%u));\n", inv->name, i, k, inv->in, i, inv->out,
              i, k);
  }
  fprintf(f, "  %s end_ (.%s(n%u), .%s(out));\nendmodule\n", inv->name, inv->in, STAGES - 1,
          inv->out);
}

/* Arrival at the output of stage `stage`, ns. */
static double arrival(const char *text, unsigned stage) {
  char pin[32];
  double delay, at = -1;
  snprintf(pin, sizeof pin, " stage%u/", stage);
  const char *found = strstr(text, pin);
  while (found && found > text && found[-1] != '\n') found--;
  return found && sscanf(found, "%lf %lf", &delay, &at) == 2 ? at : -1;
}

int sta_fo4(const liberty_t *lib, const char *folder, double *ns, mrpb_err_t *err) {
  FILE *f = output_into(folder, "fo4.v", err);
  if (!f) return -1;
  put_chain(f, lib);
  if (output_into_end(f, false, folder, "fo4.v", err) != 0) return -1;
  if (!(f = output_into(folder, "fo4.tcl", err))) return -1;
  fprintf(f,
          "read_liberty {%s}\nread_verilog fo4.v\n"
          "if {[link_design fo4] != 1} { puts \"Error: link_design failed\" }\n"
          "set_cmd_units -time ns -capacitance pF\n"
          "create_clock -name clk -period 1\n"
          "set_input_delay 0 -clock clk [get_ports in]\n"
          "set_output_delay 0 -clock clk [get_ports out]\n"
          "report_checks -path_delay max -digits 6\nputs \"%s\"\n",
          lib->path, done);
  if (output_into_end(f, false, folder, "fo4.tcl", err) != 0) return -1;
  char *text = run(folder, "fo4.tcl", "fo4.log", err);
  if (!text) return -1;
  double first = arrival(text, SKIP), last = arrival(text, STAGES - 1);
  free(text);
  *ns = (last - first) / (STAGES - 1 - SKIP);
  if (first < 0 || last < 0 || *ns <= 0)
    return mrpb_fail(err, "sta: no delay through %s of %s (%s/fo4.log)", lib->inverter->name,
                     lib->path, folder);
  return 0;
}

/* ---- other scripts ---- */

char *sta_text(const char *folder, const char *script, const char *log, mrpb_err_t *err) {
  return run(folder, script, log, err);
}

const char *sta_done(void) {
  return done;
}
