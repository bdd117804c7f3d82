/* SPDX-License-Identifier: Apache-2.0 */
/* How OpenSTA counts a cell's internal energy, measured with a library of one inverter. */
#include "estimate/activity/run.h"

#include "base/files.h"
#include "base/output.h"
#include "estimate/tools.h"

#include <string.h>

enum { SECONDS = 60 };

/* A rise takes 1 fJ and a fall takes 1 fJ, at every slew and load: one toggle a nanosecond is
 * 1 uW. */
static const char library[] =
    "library (probe) { time_unit : \"1ns\"; voltage_unit : \"1V\"; current_unit : \"1mA\";\n"
    " leakage_power_unit : \"1nW\"; capacitive_load_unit (1, ff); nom_voltage : 1; nom_process : "
    "1;\n"
    " nom_temperature : 25; operating_conditions (typical) { process : 1; voltage : 1;\n"
    " temperature : 25; } default_operating_conditions : typical;\n"
    " cell (PROBE) { area : 1;\n"
    "  pin (A) { direction : input; capacitance : 1; }\n"
    "  pin (Y) { direction : output; function : \"!A\";\n"
    "   timing () { related_pin : \"A\"; timing_sense : negative_unate;\n"
    "    cell_rise (scalar) { values (\"0.1\"); } cell_fall (scalar) { values (\"0.1\"); }\n"
    "    rise_transition (scalar) { values (\"0.1\"); }\n"
    "    fall_transition (scalar) { values (\"0.1\"); } }\n"
    "   internal_power () { related_pin : \"A\"; rise_power (scalar) { values (\"1\"); }\n"
    "    fall_power (scalar) { values (\"1\"); } } } } }\n";

static const char netlist[] = "module probe(input a, output y); PROBE u(.A(a), .Y(y)); endmodule\n";

static const char script[] =
    "read_liberty probe.lib\nread_verilog probe.v\nlink_design probe\n"
    "create_clock -name clk -period 1\nset_input_delay 0 -clock clk [get_ports a]\n"
    "set_power_activity -input_ports [get_ports a] -activity 1 -duty 0.5\n"
    "report_power -digits 9\n";

static int put(const char *folder, const char *name, const char *text, mrpb_err_t *err) {
  FILE *f = output_into(folder, name, err);
  if (!f) return -1;
  fputs(text, f);
  return output_into_end(f, false, folder, name, err);
}

static int measure(const char *folder, double *factor, mrpb_err_t *err) {
  static const char *const sta[] = {"sta", "-no_splash", "-exit", "probe.tcl", NULL};
  char line[256];
  double internal = 0;
  if (put(folder, "probe.lib", library, err) != 0 || put(folder, "probe.v", netlist, err) != 0 ||
      put(folder, "probe.tcl", script, err) != 0 ||
      tools_run(folder, sta, "probe.log", SECONDS, err) != 0)
    return -1;
  tools_find_line(folder, "probe.log", "Combinational ", line, sizeof line);
  if (sscanf(line, "Combinational %lf", &internal) != 1 || internal < 0.5e-6 || internal > 4e-6)
    return mrpb_fail(err, "sta: 1 uW of internal power is reported as %g W", internal);
  *factor = internal / 1e-6;
  return 0;
}

int activity_internal(const char *scratch, double *factor, mrpb_err_t *err) {
  char folder[FILES_PATH];
  if (files_temp_folder(folder, scratch, err) != 0) return -1;
  const int rc = measure(folder, factor, err);
  files_remove_tree(folder, NULL);
  return rc;
}
