/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/place/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

typedef struct {
  const char *at;
  char word[LAYOUT_WORD];
  unsigned line;
} words_t;

/* Reads the next word between blanks; a longer one is cut. Returns false at the end. */
static bool next(words_t *w) {
  for (; *w->at == ' ' || *w->at == '\t' || *w->at == '\n' || *w->at == '\r'; w->at++)
    w->line += *w->at == '\n';
  const size_t n = strcspn(w->at, " \t\n\r");
  snprintf(w->word, sizeof w->word, "%.*s", (int)(n < LAYOUT_WORD ? n : LAYOUT_WORD - 1), w->at);
  w->at += n;
  return n > 0;
}

static bool is(const words_t *w, const char *word) {
  return strcmp(w->word, word) == 0;
}

/* Reads a number as the next word. */
static bool number(words_t *w, double *v) {
  char *end;
  if (!next(w)) return false;
  *v = strtod(w->word, &end);
  return end != w->word && *end == '\0';
}

static int bad(const words_t *w, const char *file, const char *wanted, mrpb_err_t *err) {
  return mrpb_fail(err, "%s:%u: %.40s where %s was expected", file, w->line,
                   w->word[0] ? w->word : "the end", wanted);
}

/* ---- LEF ---- */

/* Reads a layer up to its END; a layer that is not for routing is dropped. */
static int read_layer(words_t *w, layout_lef_t *lef, mrpb_err_t *err) {
  layout_layer_t l = {.width_um = 0};
  bool routing = false;
  if (!next(w)) return bad(w, "LEF", "a layer", err);
  snprintf(l.name, sizeof l.name, "%s", w->word);
  while (next(w)) {
    double v;
    if (is(w, "END")) {
      if (!next(w)) return bad(w, "LEF", l.name, err);
      if (!routing) return 0;
      if (lef->n_layers == LAYOUT_LAYERS || l.width_um <= 0)
        return mrpb_fail(err, "LEF:%u: layer %s: more than %d layers, or no WIDTH", w->line, l.name,
                         LAYOUT_LAYERS);
      lef->layer[lef->n_layers++] = l;
      return 0;
    }
    if (is(w, "ROUTING")) routing = true;
    if (is(w, "WIDTH") && l.width_um == 0 && number(w, &v)) l.width_um = v;
    if (is(w, "CPERSQDIST") && number(w, &v)) l.area_ff_um2 = 1000 * v;
    if (is(w, "EDGECAPACITANCE") && number(w, &v)) l.edge_ff_um = 1000 * v;
  }
  return bad(w, "LEF", "END of a layer", err);
}

/* Skips to "END name": in between are other ENDs, and words such as LAYER. */
static int skip(words_t *w, const char *name, mrpb_err_t *err) {
  bool end = false;
  while (next(w)) {
    if (end && is(w, name)) return 0;
    end = is(w, "END");
  }
  return bad(w, "LEF", "END of a cell or a via", err);
}

static int read_macro(words_t *w, layout_lef_t *lef, mrpb_err_t *err) {
  layout_cell_t c = {.um2 = 0};
  double x, y;
  if (!next(w)) return bad(w, "LEF", "a cell", err);
  snprintf(c.name, sizeof c.name, "%s", w->word);
  while (next(w) && !is(w, "SIZE"))
    ;
  if (!number(w, &x) || !next(w) || !is(w, "BY") || !number(w, &y))
    return bad(w, "LEF", "SIZE x BY y", err);
  c.um2 = x * y;
  layout_cell_t *all = realloc(lef->cell, (lef->n_cells + 1) * sizeof *all);
  if (!all) return mrpb_fail(err, "out of memory");
  lef->cell = all;
  all[lef->n_cells++] = c;
  return skip(w, c.name, err);
}

int layout_lef(layout_lef_t *lef, const char *text, mrpb_err_t *err) {
  words_t w = {.at = text, .line = 1};
  int rc = 0;
  *lef = (layout_lef_t){.n_layers = 0};
  while (rc == 0 && next(&w)) {
    if (is(&w, "LAYER"))
      rc = read_layer(&w, lef, err);
    else if (is(&w, "MACRO"))
      rc = read_macro(&w, lef, err);
    else if (is(&w, "VIA") || is(&w, "VIARULE")) { /* they name layers, too */
      char name[LAYOUT_WORD] = "";
      if (next(&w)) snprintf(name, sizeof name, "%s", w.word);
      rc = skip(&w, name, err);
    }
  }
  if (rc == 0 && (lef->n_layers == 0 || lef->n_cells == 0))
    rc = mrpb_fail(err, "LEF: no routing layer or no cell in it");
  if (rc != 0) layout_lef_close(lef);
  return rc;
}

void layout_lef_close(layout_lef_t *lef) {
  free(lef->cell);
  *lef = (layout_lef_t){.n_layers = 0};
}

double layout_ff_um(const layout_layer_t *l) {
  return l->width_um * l->area_ff_um2 + 2 * l->edge_ff_um;
}

/* ---- DEF ---- */

typedef struct {
  words_t w;
  layout_def_t *def;
  const layout_lef_t *lef;
  double unit; /* DEF units of a um */
  mrpb_err_t *err;
} reader_t;

static int read_units(reader_t *r) {
  double v;
  if (!next(&r->w) || !next(&r->w) || !number(&r->w, &v) || v <= 0)
    return bad(&r->w, "DEF", "units", r->err);
  r->unit = v;
  return 0;
}

/* "( x y )": a word "*" keeps the coordinate. The "(" is read. */
static bool point(words_t *w, double p[2]) {
  for (unsigned i = 0; i < 2; i++) {
    char *end;
    if (!next(w)) return false;
    if (is(w, "*")) continue;
    p[i] = strtod(w->word, &end);
    if (end == w->word || *end) return false;
  }
  while (next(w) && !is(w, ")"))
    ; /* a third number is an extension */
  return is(w, ")");
}

static int read_outline(reader_t *r) {
  double a[2] = {0, 0}, b[2] = {0, 0};
  if (!next(&r->w) || !point(&r->w, a) || !next(&r->w) || !point(&r->w, b) || r->unit <= 0)
    return bad(&r->w, "DEF", "DIEAREA ( x y ) ( x y ) behind the units", r->err);
  r->def->width_um = (b[0] - a[0]) / r->unit;
  r->def->height_um = (b[1] - a[1]) / r->unit;
  return 0;
}

static int read_components(reader_t *r) {
  words_t *w = &r->w;
  while (next(w)) {
    if (is(w, "END")) return next(w) ? 0 : -1;
    if (!is(w, "-")) continue;
    unsigned k = 0;
    if (!next(w) || !next(w)) break;
    for (; k < r->lef->n_cells && !is(w, r->lef->cell[k].name); k++)
      ;
    if (k == r->lef->n_cells) return bad(w, "DEF", "a cell of the LEF file", r->err);
    if (strncmp(w->word, "FILL", 4) == 0) {
      r->def->fill_um2 += r->lef->cell[k].um2;
      continue;
    }
    r->def->cell_um2 += r->lef->cell[k].um2;
    r->def->cells++;
  }
  return w->at[0] ? 0 : bad(w, "DEF", "END COMPONENTS", r->err);
}

static const layout_layer_t *find_layer(const layout_lef_t *lef, const char *name, unsigned *at) {
  for (*at = 0; *at < lef->n_layers; (*at)++)
    if (strcmp(lef->layer[*at].name, name) == 0) return &lef->layer[*at];
  return NULL;
}

/* Reads the routes of one net, up to its ";". Its pins come first, then ROUTED and NEW. */
static int read_net(reader_t *r, layout_net_t *net) {
  words_t *w = &r->w;
  const layout_layer_t *layer = NULL;
  unsigned at = 0, points = 0;
  double last[2] = {0, 0}, p[2] = {0, 0};
  while (next(w) && !is(w, ";")) {
    if (is(w, "ROUTED") || is(w, "NEW")) {
      if (!next(w) || !(layer = find_layer(r->lef, w->word, &at)))
        return bad(w, "DEF", "a routing layer of the LEF file", r->err);
      points = 0;
    } else if (is(w, "(") && !layer) {
      net->pins++;
    } else if (is(w, "(")) {
      if (!point(w, p)) return bad(w, "DEF", "( x y )", r->err);
      const double um = points ? (fabs(p[0] - last[0]) + fabs(p[1] - last[1])) / r->unit : 0;
      net->um += um;
      net->ff += um * layout_ff_um(layer);
      r->def->layer_um[at] += um;
      memcpy(last, p, sizeof last);
      points++;
    }
  }
  return is(w, ";") ? 0 : bad(w, "DEF", "; behind a net", r->err);
}

static int read_nets(reader_t *r) {
  words_t *w = &r->w;
  while (next(w)) {
    int number = -1;
    if (is(w, "END")) return next(w) ? 0 : bad(w, "DEF", "END NETS", r->err);
    if (!is(w, "-")) continue;
    if (!next(w) || sscanf(w->word, "n%d", &number) != 1 || number < 0 || number >= r->def->n_nets)
      return bad(w, "DEF", "a net of the netlist", r->err);
    if (read_net(r, &r->def->net[number]) != 0) return -1;
  }
  return bad(w, "DEF", "END NETS", r->err);
}

int layout_def(layout_def_t *def, const char *text, const layout_lef_t *lef, int n_nets,
               mrpb_err_t *err) {
  reader_t r = {.w = {.at = text, .line = 1}, .def = def, .lef = lef, .err = err};
  bool nets = false;
  int rc = 0;
  *def = (layout_def_t){.n_nets = n_nets};
  def->net = calloc((size_t)n_nets + 1, sizeof *def->net);
  if (!def->net) return mrpb_fail(err, "out of memory");
  while (rc == 0 && next(&r.w)) {
    if (is(&r.w, "UNITS")) rc = read_units(&r);
    if (is(&r.w, "DIEAREA")) rc = read_outline(&r);
    if (is(&r.w, "COMPONENTS")) rc = read_components(&r);
    if (is(&r.w, "NETS")) {
      rc = read_nets(&r);
      nets = true;
    }
    if (is(&r.w, "SPECIALNETS"))
      while (next(&r.w) && !(is(&r.w, "END") && next(&r.w)))
        ;
  }
  if (rc == 0 && (!nets || def->cells == 0 || def->width_um <= 0 || def->height_um <= 0))
    rc = mrpb_fail(err, "DEF: no outline, no cell or no net in it");
  if (rc != 0) layout_def_close(def);
  return rc;
}

void layout_def_close(layout_def_t *def) {
  free(def->net);
  def->net = NULL;
}
