/* SPDX-License-Identifier: Apache-2.0 */
/* A wave together with its save file, as a user names it (wave_file.h). */
#ifndef SAVED_WAVE_H
#define SAVED_WAVE_H

#include "base/output.h"
#include "base/waves/gtkw.h"
#include "sim/vcd.h"

typedef struct {
  vcd_t *vcd;
  gtkw_t *gtkw; /* NULL: the wave is not a file, so it gets no save file */
  const char *path;
  char temp[OUTPUT_NAME];
} saved_wave_t;

/* Opens both; `path` must outlive them. Returns 0, or -1 and a message. Close it in either case. */
int saved_wave_open(saved_wave_t *w, const char *path, const gtkw_view_t *view, mrpb_err_t *err);
/* Declares a variable, and shows it. Returns 0, or -1 and a message. */
int saved_wave_var(saved_wave_t *w, const char *name, unsigned width, mrpb_err_t *err);
void saved_wave_group(saved_wave_t *w, const char *title);
/* Closes both; they appear if `good`. Returns 0, or -1 and a message; neither is then left. */
int saved_wave_close(saved_wave_t *w, bool good, mrpb_err_t *err);

#endif
