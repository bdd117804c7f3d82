/* SPDX-License-Identifier: Apache-2.0 */
/* The module as a box: a Verilog black box, a LEF macro, and the constraints at its ports. The pins
 * of all of them, and of the Liberty models, come from one list of ports. */
#include "estimate/export/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- black box ---- */

static void put_port(FILE *f, const char *direction, const module_port_t *p, bool first) {
  fprintf(f, "%s\n  %s wire ", first ? "" : ",", direction);
  if (p->width > 1) fprintf(f, "[%u:0] ", p->width - 1);
  fprintf(f, "%s", p->name);
}

static int put_box(export_t *e, mrpb_err_t *err) {
  static const module_port_t clock = {.name = "clk_i", .width = 1};
  char name[EXPORT_NAME];
  EXPORT_NAMED(e, name, "%s_bb.v");
  FILE *f = export_open(e, name, err);
  if (!f) return -1;
  fprintf(f,
          "// SPDX-License-Identifier: Apache-2.0\n"
          "// %s at %s, without its contents\n"
          "(* blackbox *)\n"
          "module %s (",
          e->cls->stem, e->sizes, e->cls->stem);
  bool first = true;
  if (export_clocked(e)) {
    put_port(f, "input ", &clock, true);
    first = false;
  }
  for (unsigned i = 0; i < e->cls->n_in; i++, first = false)
    put_port(f, "input ", &e->in[i], first);
  for (unsigned i = 0; i < e->cls->n_out; i++, first = false)
    put_port(f, "output", &e->out[i], first);
  fprintf(f, "\n);\nendmodule\n");
  return export_close(e, f, name, err);
}

/* ---- LEF ---- */

typedef enum { WEST, EAST, SOUTH } edge_t;

typedef struct {
  FILE *f;
  const char *layer;
  double side, pin;     /* of the outline and of a pin, um */
  unsigned on[3], n[3]; /* pins placed on each edge, and all of them */
} lef_t;

static unsigned all_bits(const module_port_t *p, unsigned n) {
  unsigned bits = 0;
  for (unsigned i = 0; i < n; i++) bits += p[i].width;
  return bits;
}

/* Multiples of a nanometre, which is the file's unit. */
static double grid(double um) {
  return floor(um * 1000 + 0.5) / 1000;
}

/* Pins are squares on the edge, at equal distances. */
static void put_pin(lef_t *l, const char *name, int bit, const char *direction, bool clock,
                    edge_t edge) {
  char full[EXPORT_NAME];
  const double step = l->side / (l->n[edge] + 1), at = grid(step * ++l->on[edge] - l->pin / 2);
  const double low = edge == EAST ? l->side - l->pin : 0;
  const double x = edge == SOUTH ? at : low, y = edge == SOUTH ? 0 : at;
  snprintf(full, sizeof full, bit < 0 ? "%s" : "%s[%d]", name, bit);
  fprintf(l->f,
          "  PIN %s\n    DIRECTION %s ;\n    USE %s ;\n    PORT\n      LAYER %s ;\n"
          "        RECT %.3f %.3f %.3f %.3f ;\n    END\n  END %s\n",
          full, direction, clock ? "CLOCK" : "SIGNAL", l->layer, x, y, x + l->pin, y + l->pin,
          full);
}

static void put_pins(lef_t *l, const module_port_t *p, unsigned n, const char *direction,
                     edge_t edge) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned b = 0; b < p[i].width; b++)
      put_pin(l, p[i].name, p[i].width > 1 ? (int)b : -1, direction, false, edge);
}

/* The outline is a square of the area that cells and memories take at the utilisation, or larger if
 * its pins need more room: every second place of an edge stays free. */
static void size_outline(const export_t *e, lef_t *l) {
  const double area = e->logic.synth.area_um2 + e->logic.macro_area_um2;
  unsigned most = 0;
  l->pin = grid(sqrt(e->flow.lib.nand2->area) / 10);
  l->n[WEST] = all_bits(e->in, e->cls->n_in);
  l->n[EAST] = all_bits(e->out, e->cls->n_out);
  l->n[SOUTH] = export_clocked(e);
  for (unsigned i = 0; i < 3; i++)
    if (l->n[i] > most) most = l->n[i];
  l->side = sqrt(area / e->opt->utilisation);
  if (l->side < 2 * l->pin * (most + 1)) l->side = 2 * l->pin * (most + 1);
  l->side = grid(l->side);
}

static int put_lef(export_t *e, mrpb_err_t *err) {
  char name[EXPORT_NAME];
  EXPORT_NAMED(e, name, "%s.lef");
  FILE *f = export_open(e, name, err);
  if (!f) return -1;
  lef_t l = {.f = f, .layer = e->opt->layer};
  size_outline(e, &l);
  fprintf(f,
          "# %s at %s: %.0f um2 of cells and %.0f um2 of memories, at a utilisation of %g\n"
          "VERSION 5.7 ;\nBUSBITCHARS \"[]\" ;\nDIVIDERCHAR \"/\" ;\n"
          "UNITS\n  DATABASE MICRONS 1000 ;\nEND UNITS\n\n"
          "MACRO %s\n  CLASS BLOCK ;\n  FOREIGN %s 0.000 0.000 ;\n  ORIGIN 0.000 0.000 ;\n"
          "  SIZE %.3f BY %.3f ;\n  SYMMETRY X Y R90 ;\n",
          e->cls->stem, e->sizes, e->logic.synth.area_um2, e->logic.macro_area_um2,
          e->opt->utilisation, e->cls->stem, e->cls->stem, l.side, l.side);
  if (export_clocked(e)) put_pin(&l, "clk_i", -1, "INPUT", true, SOUTH);
  put_pins(&l, e->in, e->cls->n_in, "INPUT", WEST);
  put_pins(&l, e->out, e->cls->n_out, "OUTPUT", EAST);
  fprintf(f, "END %s\n\nEND LIBRARY\n", e->cls->stem);
  return export_close(e, f, name, err);
}

/* ---- SDC ---- */

/* Numbers are in the library's units: SDC has no others. */
static int put_sdc(export_t *e, mrpb_err_t *err) {
  const liberty_t *lib = e->opt->logic.on ? &e->flow.lib : NULL;
  const double per_ns = lib && strstr(lib->time_unit, "ps") ? 1000 / atof(lib->time_unit) : 1;
  char name[EXPORT_NAME];
  EXPORT_NAMED(e, name, "%s.sdc");
  FILE *f = export_open(e, name, err);
  if (!f) return -1;
  fprintf(f,
          "# %s at %s: a clock of %g GHz; no delay outside, no uncertainty.\n"
          "# Times in %s%s. No path is false, and none has more than one cycle.\n",
          e->cls->stem, e->sizes, e->clock_ghz, lib ? lib->time_unit : "1ns",
          lib ? ", loads in the library's unit" : "");
  fprintf(f, "create_clock -name clk -period %.6g%s\n", per_ns / e->clock_ghz,
          export_clocked(e) ? " [get_ports clk_i]" : "");
  for (unsigned i = 0; i < e->cls->n_in; i++)
    fprintf(f, "set_input_delay 0 -clock clk [get_ports %s]\n", e->in[i].name);
  for (unsigned i = 0; i < e->cls->n_out; i++)
    fprintf(f, "set_output_delay 0 -clock clk [get_ports %s]\n", e->out[i].name);
  for (unsigned i = 0; lib && i < e->cls->n_in; i++)
    fprintf(f, "set_driving_cell -lib_cell %s [get_ports %s]\n", lib->buffer->name, e->in[i].name);
  if (lib) fprintf(f, "set_load %.6g [all_outputs]\n", synth_load_ff(lib) / lib->load_ff);
  return export_close(e, f, name, err);
}

int export_outline(export_t *e, mrpb_err_t *err) {
  if (put_box(e, err) != 0 || put_sdc(e, err) != 0) return -1;
  return e->opt->logic.on ? put_lef(e, err) : 0;
}
