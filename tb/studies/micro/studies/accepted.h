/* SPDX-License-Identifier: Apache-2.0 */
/* Plots the curve of loads that a load/store unit has accepted. */
#ifndef MICRO_STUDY_ACCEPTED_H
#define MICRO_STUDY_ACCEPTED_H

#include "studies/micro/kernels/accept.h"
#include "studies/micro/plots/plot.h"

/* Adds a series: loads issued over time. */
static inline void accepted_plot(micro_plot_t *plot, const char *name, const accepted_t *seen) {
  const size_t series = micro_plot_series(plot, name, MICRO_LINES, false);
  for (uint32_t i = 0; i < seen->n; i++) micro_series_add(plot, series, seen->at[i], i + 1);
}

#endif
