/* What gnuplot is told: a part of plot. */
#ifndef MICRO_PLOT_SCRIPT_H
#define MICRO_PLOT_SCRIPT_H

#include "micro/plots/plot.h"

#include <stdio.h>

/* Points of a series that can be drawn on its axes. */
size_t micro_script_points(const micro_plot_t *p, size_t series);
void micro_script_lines(const micro_plot_t *p, const char *svg, FILE *f);
void micro_script_bars(const micro_plot_t *p, const char *svg, FILE *f);

#endif
