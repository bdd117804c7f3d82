/* SPDX-License-Identifier: Apache-2.0 */
/* The module as a cell of a Liberty file: capacitances, setup and hold times, and delays, measured
 * on the netlist at each corner with several slews and loads. */
#include "estimate/export/state.h"

#include "base/output.h"

#include <stdlib.h>
#include <string.h>

enum { SLEWS = 2, LOADS = 3 };

/* What the tables span, in FO4 delays and in loads of the estimate (four NAND2 inputs). A table over
 * slews holds for the middle load, one over loads for the first slew. */
static const double slew_fo4[SLEWS] = {0.5, 4}, load_parts[LOADS] = {0.25, 1, 4};

typedef struct {
  export_t *e;
  flow_t flow;     /* of this corner */
  logic_job_t job; /* its memories have this corner's access time */
  char folder[FILES_PATH];
  char name[EXPORT_NAME]; /* of the library, as the file names it */
  double slew[SLEWS], load[LOADS];
  arcs_t arcs[SLEWS][LOADS];
  FILE *f;
} model_t;

/* ---- measuring ---- */

/* A folder with the netlist and this corner's memories. */
static int make_folder(model_t *m, unsigned number, mrpb_err_t *err) {
  char from[FILES_PATH];
  size_t n;
  if (!files_path(m->folder, "%s/corner%u", m->e->scratch, number) ||
      !files_path(from, "%s/net.v", m->e->logic.folder))
    return mrpb_fail(err, "path too long");
  if (output_folder(m->folder, err) != 0 || synth_write(&m->job.synth, m->folder, err) != 0)
    return -1;
  char *text = files_read(from, &n);
  FILE *f = text ? output_into(m->folder, "net.v", err) : NULL;
  if (!text) mrpb_fail(err, "%s: cannot read", from);
  const bool bad = f && fwrite(text, 1, n, f) != n;
  free(text);
  return f ? output_into_end(f, bad, m->folder, "net.v", err) : -1;
}

static int measure(model_t *m, mrpb_err_t *err) {
  const double load = synth_load_ff(&m->flow.lib);
  for (unsigned s = 0; s < SLEWS; s++) m->slew[s] = slew_fo4[s] * m->flow.fo4_ns;
  for (unsigned l = 0; l < LOADS; l++) m->load[l] = load_parts[l] * load;
  for (unsigned s = 0; s < SLEWS; s++)
    for (unsigned l = 0; l < LOADS; l++) {
      const arcs_outside_t outside = {.slew_ns = m->slew[s], .load_ff = m->load[l]};
      if (m->e->opt->logic.stop && m->e->opt->logic.stop())
        return mrpb_fail(err, "interrupted"), LOGIC_STOPPED;
      if (arcs_run(&m->job.synth, m->folder, m->flow.lib.written, &outside, &m->arcs[s][l], err) !=
          0)
        return -1;
    }
  return 0;
}

/* ---- tables ---- */

/* A value for one slew and one load. */
typedef double (*value_t)(const model_t *m, unsigned s, unsigned l, const char *from,
                          const char *to);

static double delay(const model_t *m, unsigned s, unsigned l, const char *from, const char *to) {
  return arcs_find(&m->arcs[s][l], from, to)->max_ns;
}
static double transition(const model_t *m, unsigned s, unsigned l, const char *from,
                         const char *to) {
  (void)from;
  return arcs_slew(&m->arcs[s][l], to);
}
static double setup(const model_t *m, unsigned s, unsigned l, const char *from, const char *to) {
  (void)to;
  return arcs_find(&m->arcs[s][l], from, "")->max_ns;
}
static double hold(const model_t *m, unsigned s, unsigned l, const char *from, const char *to) {
  (void)to;
  return -arcs_find(&m->arcs[s][l], from, "")->min_ns;
}

static void put_row(const model_t *m, value_t value, unsigned s, const char *from, const char *to) {
  fprintf(m->f, "\"");
  for (unsigned l = 0; l < LOADS; l++)
    fprintf(m->f, "%s%.6f", l ? ", " : "", value(m, s, l, from, to));
  fprintf(m->f, "\"");
}

/* The same for both edges: an arc's worse edge. */
static void put_table(const model_t *m, const char *name, const char *template, value_t value,
                      const char *from, const char *to) {
  static const char *const edges[] = {"rise", "fall"};
  for (unsigned i = 0; i < 2; i++) {
    if (strcmp(name, "constraint") == 0 || strcmp(name, "transition") == 0)
      fprintf(m->f, "        %s_%s (%s) { values (", edges[i], name, template);
    else
      fprintf(m->f, "        %s_%s (%s) { values (", name, edges[i], template);
    if (strcmp(template, "by_slew") == 0) {
      fprintf(m->f, "\"%.6f, %.6f\"", value(m, 0, 1, from, to), value(m, 1, 1, from, to));
    } else if (strcmp(template, "by_load") == 0) {
      put_row(m, value, 0, from, to);
    } else {
      put_row(m, value, 0, from, to);
      fprintf(m->f, ", ");
      put_row(m, value, 1, from, to);
    }
    fprintf(m->f, "); }\n");
  }
}

/* ---- pins ---- */

static void put_check(const model_t *m, const module_port_t *p, const char *type, value_t value) {
  fprintf(m->f, "      timing () {\n        related_pin : \"clk_q\"; timing_type : %s;\n", type);
  put_table(m, "constraint", "by_slew", value, p->name, "");
  fprintf(m->f, "      }\n");
}

static void put_arc(const model_t *m, const module_port_t *from, const module_port_t *to) {
  const char *const side = from ? from->name : "";
  if (!arcs_find(&m->arcs[0][0], side, to->name)) return;
  fprintf(m->f, "      timing () {\n");
  if (!from)
    fprintf(m->f, "        related_pin : \"clk_i\"; timing_type : rising_edge;\n");
  else
    fprintf(m->f, "        %s : \"%s\"; timing_sense : non_unate;\n",
            from->width > 1 || to->width > 1 ? "related_bus_pins" : "related_pin", from->name);
  put_table(m, "cell", from ? "by_both" : "by_load", delay, side, to->name);
  put_table(m, "transition", from ? "by_both" : "by_load", transition, side, to->name);
  fprintf(m->f, "      }\n");
}

/* Opens a port: a bus of its width with all of its pins alike, or a pin. */
static void open_port(const model_t *m, const module_port_t *p, const char *direction) {
  if (p->width > 1)
    fprintf(m->f,
            "    bus (%s) {\n      bus_type : bits_%u; direction : %s;\n      pin (%s[%u:0]) {\n",
            p->name, p->width, direction, p->name, p->width - 1);
  else
    fprintf(m->f, "    pin (%s) {\n", p->name);
  fprintf(m->f, "      direction : %s;\n", direction);
}

static void close_port(const model_t *m, const module_port_t *p) {
  fprintf(m->f, p->width > 1 ? "      }\n    }\n" : "    }\n");
}

static void put_input(const model_t *m, const module_port_t *p) {
  const arcs_t *a = &m->arcs[0][1];
  open_port(m, p, "input");
  fprintf(m->f, "      capacitance : %.6f;\n", arcs_load(a, p->name) / 1000);
  if (arcs_find(a, p->name, "")) {
    put_check(m, p, "setup_rising", setup);
    if (!arcs_find(a, p->name, "")->no_hold) put_check(m, p, "hold_rising", hold);
  }
  close_port(m, p);
}

static void put_output(const model_t *m, const module_port_t *p) {
  const export_t *e = m->e;
  open_port(m, p, "output");
  fprintf(m->f, "      capacitance : 0.0; max_capacitance : %.6f;\n", m->load[LOADS - 1] / 1000);
  if (export_clocked(e)) put_arc(m, NULL, p);
  for (unsigned i = 0; i < e->cls->n_in; i++) put_arc(m, &e->in[i], p);
  close_port(m, p);
}

/* ---- the file ---- */

static void put_types(const model_t *m) {
  const export_t *e = m->e;
  unsigned done[2 * MODULE_MAX_PORTS], n = 0;
  for (unsigned i = 0; i < e->cls->n_in + e->cls->n_out; i++) {
    const unsigned width = i < e->cls->n_in ? e->in[i].width : e->out[i - e->cls->n_in].width;
    bool seen = width == 1;
    for (unsigned k = 0; k < n; k++) seen = seen || done[k] == width;
    if (seen) continue;
    done[n++] = width;
    fprintf(m->f,
            "  type (bits_%u) { base_type : array; data_type : bit; bit_width : %u; "
            "bit_from : %u; bit_to : 0; downto : true; }\n",
            width, width, width - 1);
  }
}

/* Slews are those of the cells, so they are measured between the same thresholds. */
static void put_thresholds(const model_t *m) {
  static const struct {
    const char *name;
    double usual;
  } attribute[] = {{"input_threshold_pct_rise", 50},      {"input_threshold_pct_fall", 50},
                   {"output_threshold_pct_rise", 50},     {"output_threshold_pct_fall", 50},
                   {"slew_lower_threshold_pct_rise", 20}, {"slew_upper_threshold_pct_rise", 80},
                   {"slew_lower_threshold_pct_fall", 20}, {"slew_upper_threshold_pct_fall", 80},
                   {"slew_derate_from_library", 1}};
  char *text = files_read(m->flow.lib.written, NULL);
  for (unsigned i = 0; i < sizeof attribute / sizeof *attribute; i++) {
    const char *at = text ? strstr(text, attribute[i].name) : NULL;
    double value = attribute[i].usual;
    if (at) at += strlen(attribute[i].name) + strspn(at + strlen(attribute[i].name), " \t:\"");
    if (at && sscanf(at, "%lf", &value) != 1) value = attribute[i].usual;
    fprintf(m->f, "  %s : %g;\n", attribute[i].name, value);
  }
  free(text);
}

static void put_head(const model_t *m) {
  const liberty_t *l = &m->flow.lib;
  fprintf(m->f,
          "/* %s at %s, timed by OpenSTA with the cells of\n"
          "   library %s, corner %s: process %g, %g V, %g C. An arc is the worst of its\n"
          "   bits and edges. Paths between registers are not in it. */\n"
          "library (%s_%s) {\n"
          "  delay_model : table_lookup;\n"
          "  time_unit : \"1ns\"; voltage_unit : \"1V\"; current_unit : \"1uA\";\n"
          "  pulling_resistance_unit : \"1kohm\"; leakage_power_unit : \"1nW\";\n"
          "  capacitive_load_unit (1, pf);\n",
          m->e->cls->stem, m->e->sizes, l->name, l->corner, l->process, l->voltage, l->temperature,
          m->e->cls->stem, m->name);
  put_thresholds(m);
  fprintf(m->f,
          "  nom_process : %g; nom_voltage : %g; nom_temperature : %g;\n"
          "  operating_conditions (%s) { process : %g; voltage : %g; temperature : %g; }\n"
          "  default_operating_conditions : %s;\n",
          l->process, l->voltage, l->temperature, m->name, l->process, l->voltage, l->temperature,
          m->name);
  fprintf(m->f,
          "  lu_table_template (by_slew) {\n    variable_1 : constrained_pin_transition;\n"
          "    index_1 (\"%.6f, %.6f\");\n  }\n"
          "  lu_table_template (by_load) {\n    variable_1 : total_output_net_capacitance;\n"
          "    index_1 (\"%.6f, %.6f, %.6f\");\n  }\n"
          "  lu_table_template (by_both) {\n    variable_1 : input_net_transition;\n"
          "    variable_2 : total_output_net_capacitance;\n"
          "    index_1 (\"%.6f, %.6f\");\n    index_2 (\"%.6f, %.6f, %.6f\");\n  }\n",
          m->slew[0], m->slew[1], m->load[0] / 1000, m->load[1] / 1000, m->load[2] / 1000,
          m->slew[0], m->slew[1], m->load[0] / 1000, m->load[1] / 1000, m->load[2] / 1000);
  put_types(m);
}

/* Inputs are checked against an internal pin behind the clock. Were it the clock itself, OpenSTA
 * would take an input with a check and an arc to an output for a latch. */
static void put_clock(const model_t *m) {
  fprintf(m->f,
          "    pin (clk_i) {\n      direction : input; clock : true;\n      capacitance : %.6f;\n"
          "    }\n"
          "    pin (clk_q) {\n      direction : internal; clock : true;\n      timing () {\n"
          "        related_pin : \"clk_i\"; timing_sense : positive_unate;\n",
          arcs_load(&m->arcs[0][1], "clk_i") / 1000);
  static const char *const zero[] = {"cell_rise", "cell_fall", "rise_transition",
                                     "fall_transition"};
  for (unsigned i = 0; i < 4; i++)
    fprintf(m->f, "        %s (scalar) { values (\"0.0\"); }\n", zero[i]);
  fprintf(m->f, "      }\n    }\n");
}

static void put_cell(const model_t *m) {
  const export_t *e = m->e;
  fprintf(m->f, "  cell (%s) {\n    area : %.6g;\n    dont_touch : true; is_macro_cell : true;\n",
          e->cls->stem, e->logic.synth.area_um2 + e->logic.macro_area_um2);
  if (export_clocked(e)) put_clock(m);
  for (unsigned i = 0; i < e->cls->n_in; i++) put_input(m, &e->in[i]);
  for (unsigned i = 0; i < e->cls->n_out; i++) put_output(m, &e->out[i]);
  fprintf(m->f, "  }\n}\n");
}

/* A name of letters, digits and underscores that no earlier corner has. */
static void name_corner(model_t *m) {
  char file[EXPORT_NAME];
  const char *path = strrchr(m->flow.lib.path, '/');
  snprintf(m->name, 64, "%.63s", path ? path + 1 : m->flow.lib.path);
  m->name[strcspn(m->name, ".")] = '\0';
  for (char *c = m->name; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *c)) *c = '_';
  for (bool again = true; again;) {
    again = false;
    snprintf(file, sizeof file, "lib/%.48s_%.64s.lib", m->e->cls->stem, m->name);
    for (unsigned i = 0; i < m->e->n_files; i++) again = again || strcmp(m->e->file[i], file) == 0;
    if (again) strncat(m->name, "_2", sizeof m->name - strlen(m->name) - 1);
  }
}

static int put_corner(export_t *e, const logic_options_t *opt, unsigned number, mrpb_err_t *err) {
  char file[EXPORT_NAME];
  model_t *m = calloc(1, sizeof *m);
  if (!m) return mrpb_fail(err, "out of memory");
  m->e = e;
  int rc = flow_open(&m->flow, opt, 0, err);
  const bool open = rc == 0;
  if (rc == 0 && number > 0) rc = flow_same_cells(&e->flow, &m->flow.lib, err);
  if (rc == 0) rc = flow_job(&m->flow, e->cls, e->cfg, &m->job, err);
  for (unsigned i = 0; rc == 0 && i < m->job.synth.n_srams; i++)
    m->job.synth.sram[i].access_ns *= m->flow.fo4_ns / e->flow.fo4_ns;
  if (rc == 0) rc = make_folder(m, number, err);
  if (rc == 0) rc = measure(m, err);
  if (rc == 0) {
    name_corner(m);
    snprintf(file, sizeof file, "lib/%.48s_%.64s.lib", e->cls->stem, m->name);
    m->f = export_open(e, file, err);
    rc = m->f ? 0 : -1;
  }
  if (rc == 0) {
    put_head(m);
    put_cell(m);
    rc = export_close(e, m->f, file, err);
  }
  for (unsigned s = 0; s < SLEWS; s++)
    for (unsigned l = 0; l < LOADS; l++) arcs_free(&m->arcs[s][l]);
  if (open) flow_close(&m->flow);
  free(m);
  return rc;
}

int export_models(export_t *e, mrpb_err_t *err) {
  logic_options_t opt = e->opt->logic;
  int rc = put_corner(e, &opt, 0, err);
  for (unsigned i = 0; i < e->opt->n_corners && rc == 0; i++) {
    opt.liberty[0] = e->opt->corner[i];
    opt.n_liberties = 1;
    rc = put_corner(e, &opt, i + 1, err);
  }
  return rc;
}
