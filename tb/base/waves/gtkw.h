/* SPDX-License-Identifier: Apache-2.0 */
/* Writes GTKWave save files: groups of signals, without dates and without absolute paths, so that
 * equal setups give equal files. A file appears under its own name when it is complete. A file that
 * GTKWave itself saved there is a user's work and is not replaced. */
#ifndef GTKW_H
#define GTKW_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gtkw gtkw_t;

/* Where GTKWave opens, in units of the dump's time. `visible` is the time that a window shows;
 * `marked`: with the marker, and the named markers A and B. */
typedef struct {
  uint64_t start, visible, marker, a, b;
  bool marked;
} gtkw_view_t;

typedef enum { GTKW_PLAIN = 0, GTKW_RED = 1, GTKW_ORANGE = 2 } gtkw_colour_t;

enum { GTKW_KEPT = 1 };

/* Opens `path` for writing. `dump` is the wave file's name as GTKWave is to find it, or NULL to
 * leave it out; with `view` NULL the waves begin at time 0. Returns 0, or -1 and a message. */
int gtkw_open(gtkw_t **out, const char *path, const char *dump, const gtkw_view_t *view,
              mrpb_err_t *err);

/* Sets where GTKWave opens, for callers that know it only at the end. */
void gtkw_set_view(gtkw_t *g, const gtkw_view_t *view);

/* Starts a group, open or folded, and ends the previous one. */
void gtkw_group(gtkw_t *g, const char *title, int folded);
/* Starts a folded group within the present one and ends the previous subgroup; with title NULL it
 * only ends that. */
void gtkw_subgroup(gtkw_t *g, const char *title);

/* Adds a signal of the dump by its full name ("run.sm1.mshr.count_o"); shown in hexadecimal if
 * wider than 1 bit. */
void gtkw_signal(gtkw_t *g, const char *name, unsigned width);
/* The same, with a name of its own: GTKWave shows only the last part of a full name. */
void gtkw_named(gtkw_t *g, const char *name, const char *shown, unsigned width,
                gtkw_colour_t colour);
/* The same, shown in decimal. */
void gtkw_number(gtkw_t *g, const char *name, unsigned width);

/* Writes the whole file, still under another name, so that gtkw_close only has to rename it.
 * Returns 0, or -1 and a message; the caller must then call gtkw_discard. */
int gtkw_finish(gtkw_t *g, mrpb_err_t *err);
/* Finishes the file. Returns 0, GTKW_KEPT if GTKWave's own file was left in its place, or -1 and a
 * message. gtkw_close(NULL) returns 0. */
int gtkw_close(gtkw_t *g, mrpb_err_t *err);
/* Discards the file; whatever was there before stays. */
void gtkw_discard(gtkw_t *g);

#endif
