/* SPDX-License-Identifier: Apache-2.0 */
/* What is read of a layout: the layers and cells of a LEF file, and outline, cells and routed
 * lengths of a DEF file. Files are read as qflow's tools write them. */
#ifndef ESTIMATE_PLACE_LAYOUT_H
#define ESTIMATE_PLACE_LAYOUT_H

#include "err.h"

#include <stdbool.h>

enum { LAYOUT_LAYERS = 12, LAYOUT_WORD = 64 };

/* A routing layer. */
typedef struct {
  char name[LAYOUT_WORD];
  double width_um;
  double area_ff_um2; /* capacitance of the wire's area */
  double edge_ff_um;  /* and of each of its two edges */
} layout_layer_t;

typedef struct {
  char name[LAYOUT_WORD];
  double um2;
} layout_cell_t;

typedef struct {
  layout_layer_t layer[LAYOUT_LAYERS];
  unsigned n_layers, n_cells;
  layout_cell_t *cell;
} layout_lef_t;

/* Reads the text of a LEF file. Returns 0, or -1 and a message in err. */
int layout_lef(layout_lef_t *lef, const char *text, mrpb_err_t *err);
void layout_lef_close(layout_lef_t *lef);
/* fF per um of a wire of minimum width: its area and both edges. */
double layout_ff_um(const layout_layer_t *layer);

/* The routed wire of net n<number>. */
typedef struct {
  double um, ff;
  unsigned pins; /* that it connects, those at the outline included */
} layout_net_t;

typedef struct {
  double width_um, height_um; /* of the outline */
  double cell_um2, fill_um2;  /* sums of cells, and of fillers */
  unsigned cells;             /* without fillers */
  double layer_um[LAYOUT_LAYERS];
  layout_net_t *net; /* by number */
  int n_nets;
} layout_def_t;

/* Reads the text of a routed DEF file whose nets are n0 to n<n_nets - 1>. */
int layout_def(layout_def_t *def, const char *text, const layout_lef_t *lef, int n_nets,
               mrpb_err_t *err);
void layout_def_close(layout_def_t *def);

#endif
