/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSTA: its scripts, and what it prints. It always exits with 0, and goes on with a part of the
 * netlist. Therefore any error line counts, and an end mark must be present. */
#include "estimate/sta.h"
#include "base/output.h"

#include "base/files.h"
#include "estimate/gates.h"
#include "estimate/sta_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT = 600 };

static const char done[] = "estimate: done";

void sta_clock(FILE *f, const synth_source_t *s, double period_ns) {
  char clock[512];
  synth_source_clock(s, clock, sizeof clock);
  fprintf(f, "create_clock -name clk -period %.6g", period_ns);
  if (s->falling) fprintf(f, " -waveform {%.6g %.6g}", period_ns / 2, period_ns);
  if (s->n_clocks) fprintf(f, " [get_ports %s]", clock);
  fputs("\nset inputs {}\nforeach port [all_inputs] {\n", f);
  if (s->n_clocks <= 1)
    fprintf(f, "  if {[get_property $port full_name] != \"%s\"} { lappend inputs $port }\n",
            s->text && s->n_clocks == 0 ? "" : s->clock[0]);
  else
    fprintf(
        f,
        "  if {[lsearch -exact %s [get_property $port full_name]] < 0} { lappend inputs $port }\n",
        clock);
  fputs("}\n", f);
}

void sta_ideal_ports(FILE *f, const synth_source_t *s) {
  const char *fall = s->falling ? "-clock_fall " : "";
  fprintf(f,
          "set_input_delay 0 -clock clk %s$inputs\n"
          "set_output_delay 0 -clock clk %s[all_outputs]\n",
          fall, fall);
  /* A layout tool makes the tree of an asynchronous reset, as it makes the clock's. */
  if (s->async_resets) fputs("set_false_path -to [all_registers -async_pins]\n", f);
}

/* The shared beginning of scripts: reads the library `liberty` and net.v, sets the clock, ideal
 * ports, drivers and loads. */
static void sta_design(FILE *f, const synth_job_t *job, const char *liberty, double period_ns) {
  fprintf(f, "read_liberty {%s}\n", liberty);
  for (unsigned i = 0; i < job->n_srams; i++)
    if (!sram_repeats(job->sram, i)) fprintf(f, "read_liberty %s.lib\n", job->sram[i].macro);
  fprintf(f,
          "read_verilog net.v\n"
          "if {[link_design %s] != 1} { puts \"Error: link_design failed\" }\n"
          "set_cmd_units -time ns -capacitance pF\n",
          job->source.top);
  sta_clock(f, &job->source, period_ns);
  sta_ideal_ports(f, &job->source);
  fprintf(f, "set_driving_cell -lib_cell %s $inputs\nset_load %.6g [all_outputs]\n",
          job->lib->buffer->name, synth_load_ff(job->lib) / 1000);
}

/* A module may be memories alone. OpenSTA has no register then, if their access time is not known,
 * and ends at an empty list. */
static const char *if_registers(const synth_job_t *job) {
  return job->n_srams ? "if {[llength [all_registers -clock_pins]] == 0} {\n"
                        "  puts \"No paths found.\"\n} else {\n"
                      : "";
}
static const char *end_registers(const synth_job_t *job) {
  return job->n_srams ? "\n}" : "";
}

void sta_script(FILE *f, const synth_job_t *job, const char *liberty, double period_ns) {
  sta_design(f, job, liberty, period_ns);
  fputs("puts \"estimate: all\"\n"
        "report_checks -path_delay max -digits 6\n",
        f);
  if (job->source.n_clocks)
    fprintf(f,
            "puts \"estimate: reg\"\n"
            "%sreport_checks -path_delay max -digits 6 \\\n"
            "  -from [all_registers -clock_pins] -to [all_registers -data_pins]%s\n",
            if_registers(job), end_registers(job));
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

/* ---- corners and wires ---- */

/* The ports between the MRPB and its L1. */
static bool asks_l1(const synth_job_t *job) {
  return job->cls && strcmp(job->cls->stem, "mrpb") == 0;
}

/* Defines the ends of every kind of path. */
static void put_ends(FILE *f, const synth_job_t *job) {
  fputs("set registers [all_registers -clock_pins]\nset data [all_registers -data_pins]\n"
        "set answers {}\nset others {}\nset requests {}\n",
        f);
  if (!asks_l1(job)) {
    fputs("set others $inputs\n", f);
    return;
  }
  fputs(
      "foreach port $inputs {\n"
      "  if {[string match \"l1_answer_i*\" [get_property $port full_name]]} {\n"
      "    lappend answers $port\n  } else {\n    lappend others $port\n  }\n}\n"
      "foreach port [all_outputs] {\n"
      "  if {[string match \"out_*\" [get_property $port full_name]]} { lappend requests $port }\n"
      "}\n",
      f);
}

/* One line for each kind of path. */
static void put_view(FILE *f, const synth_job_t *job, const char *view) {
  static const char *const ends[STA_KINDS] = {
      "-from $registers -to $data",         "-from $others -to $data",
      "-from $registers -to [all_outputs]", "-from $inputs -to [all_outputs]",
      "-from $registers -to $requests",     "-from $answers -to $data"};
  for (unsigned k = 0; k < STA_KINDS; k++) {
    const bool l1 = k == STA_REQUEST || k == STA_ANSWER, registers = k != STA_ACROSS;
    if ((l1 && !asks_l1(job)) || (registers && job->source.n_clocks == 0)) continue;
    fprintf(f, "puts \"estimate: %s %u\"\n%sreport_checks -path_delay max -digits 6 %s%s\n", view,
            k, registers ? if_registers(job) : "", ends[k], registers ? end_registers(job) : "");
  }
}

/* A capacitance for each sink, as a Liberty file with a wire load: the only way in which OpenSTA
 * 2.0.17 takes one for all nets. */
static int write_wires(const char *folder, double wire_ff, mrpb_err_t *err) {
  FILE *f = output_into(folder, "wires.lib", err);
  if (!f) return -1;
  fprintf(f,
          "library (estimate_wires) {\n"
          "  delay_model : table_lookup; time_unit : \"1ns\"; voltage_unit : \"1V\";\n"
          "  current_unit : \"1mA\"; pulling_resistance_unit : \"1kohm\";\n"
          "  capacitive_load_unit (1, ff);\n"
          "  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;\n"
          "  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;\n"
          "  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80;\n"
          "  slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80;\n"
          "  nom_process : 1; nom_voltage : 1; nom_temperature : 25;\n"
          "  wire_load (\"sinks\") {\n"
          "    resistance : 0; capacitance : %.6g; area : 0; slope : 1; fanout_length (1, 1);\n"
          "  }\n}\n",
          wire_ff);
  return output_into_end(f, false, folder, "wires.lib", err);
}

static int write_corner(const synth_job_t *job, const char *folder, const liberty_t *corner,
                        double derate, double wire_ff, mrpb_err_t *err) {
  char name[SRAM_NAME + 8];
  for (unsigned i = 0; i < job->n_srams; i++) {
    sram_t scaled = job->sram[i];
    scaled.access_ns *= derate;
    snprintf(name, sizeof name, "%s.lib", scaled.macro);
    FILE *f = output_into(folder, name, err);
    if (!f) return -1;
    sram_liberty(f, &scaled, job->lib->nand2_cap_ff);
    if (output_into_end(f, false, folder, name, err) != 0) return -1;
  }
  if (write_wires(folder, wire_ff, err) != 0) return -1;
  FILE *f = output_into(folder, "corner.tcl", err);
  if (!f) return -1;
  sta_design(f, job, corner->written, 1);
  put_ends(f, job);
  put_view(f, job, "bare");
  fputs("read_liberty wires.lib\nset_wire_load_model -library estimate_wires -name sinks\n", f);
  put_view(f, job, "wired");
  fprintf(f, "puts \"%s\"\n", done);
  return output_into_end(f, false, folder, "corner.tcl", err);
}

/* The register, port or memory that a line such as "Startpoint: more_q\[3\]_reg (rising ..." names,
 * searched for between `at` and `end`. */
static void end_of(const char *at, const char *end, const char *mark, char name[STA_END]) {
  size_t n = 0;
  name[0] = '\0';
  const char *line = strstr(at, mark);
  if (!line || line > end) return;
  for (line += strlen(mark); *line > ' ' && n + 1 < STA_END; line++)
    if (*line != '\\') name[n++] = *line;
  if (n > 4 && strncmp(name + n - 4, "_reg", 4) == 0) n -= 4;
  name[n] = '\0';
}

/* Reads one kind of path: its delay, from the slack for a clock of 1 ns, and its ends. */
static void read_kind(const char *text, const char *view, unsigned kind, sta_view_t *v) {
  char mark[32];
  double slack;
  v->ns[kind] = -1;
  v->from[kind][0] = v->to[kind][0] = '\0';
  snprintf(mark, sizeof mark, "estimate: %s %u\n", view, kind);
  const char *at = strstr(text, mark);
  if (!at) return;
  at += strlen(mark);
  const char *end = strstr(at, "estimate: "), *line = strstr(at, " slack (");
  if (!line || (end && line > end)) return;
  end_of(at, line, "Startpoint: ", v->from[kind]);
  end_of(at, line, "Endpoint: ", v->to[kind]);
  while (line > at && line[-1] != '\n') line--;
  if (sscanf(line, "%lf", &slack) == 1) v->ns[kind] = 1 - slack;
}

static int link_netlist(const char *folder, const char *scratch, mrpb_err_t *err) {
  char from[FILES_PATH], to[FILES_PATH];
  if (files_path(from, "%s/net.v", folder) && files_path(to, "%s/net.v", scratch) &&
      symlink(from, to) == 0)
    return 0;
  return mrpb_fail(err, "%s/net.v: %s", scratch, strerror(errno));
}

int sta_corner(const synth_job_t *job, const char *folder, const char *scratch,
               const liberty_t *corner, double derate, double wire_ff, sta_corner_t *r,
               mrpb_err_t *err) {
  if (link_netlist(folder, scratch, err) != 0 ||
      write_corner(job, scratch, corner, derate, wire_ff, err) != 0)
    return -1;
  char *text = run(scratch, "corner.tcl", "corner.log", err);
  if (!text) return -1;
  for (unsigned k = 0; k < STA_KINDS; k++) {
    read_kind(text, "bare", k, &r->bare);
    read_kind(text, "wired", k, &r->wired);
  }
  free(text);
  return 0;
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
          lib->written, done);
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
