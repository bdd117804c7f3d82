/* SPDX-License-Identifier: Apache-2.0 */
/* The input of gnuplot: a part of plot.c. */
#ifndef MICRO_PLOT_SCRIPT_H
#define MICRO_PLOT_SCRIPT_H

#include "studies/micro/plots/plot.h"
#include "base/gnuplot.h"

/* The number of points of a series that can be drawn on its axes. */
size_t micro_script_points(const micro_plot_t *p, size_t series);
/* `plot` is a micro_plot_t. */
void micro_script_lines(plot_script_t *s, const void *plot, const char *svg);
void micro_script_bars(plot_script_t *s, const void *plot, const char *svg);

#endif
