/* SPDX-License-Identifier: Apache-2.0 */
/* Writes GTKWave save files: groups of signals, without dates and without absolute paths, so that
 * equal set-ups give equal files. A file appears under its own name when it is complete; one that
 * GTKWave itself has saved there is somebody's work and stays. */
#ifndef GTKW_H
#define GTKW_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gtkw gtkw_t;

/* Where GTKWave opens, in units of the dump's time. `visible` is what a window's width shows;
 * `marked`: with the marker, and the named markers A and B. */
typedef struct {
  uint64_t start, visible, marker, a, b;
  bool marked;
} gtkw_view_t;

typedef enum { GTKW_PLAIN = 0, GTKW_RED = 1, GTKW_ORANGE = 2 } gtkw_colour_t;

enum { GTKW_KEPT = 1 };

/* Opens `path` for writing; `dump` is the wave file's name as GTKWave is to find it, or NULL to
 * leave it out; `view` NULL begins at time 0. 0, or -1 and a message. */
int gtkw_open(gtkw_t **out, const char *path, const char *dump, const gtkw_view_t *view,
              mrpb_err_t *err);

/* Where GTKWave opens, if that is known at the end only. */
void gtkw_set_view(gtkw_t *g, const gtkw_view_t *view);

/* Starts a group, open or folded; ends the ones before. */
void gtkw_group(gtkw_t *g, const char *title, int folded);
/* Starts a folded group within the present one; ends the subgroup before, or with title NULL only
 * that. */
void gtkw_subgroup(gtkw_t *g, const char *title);

/* A signal of the dump by its full name ("run.sm1.mshr.count_o"); shown in hexadecimal if wider
 * than 1 bit. */
void gtkw_signal(gtkw_t *g, const char *name, unsigned width);
void gtkw_coloured(gtkw_t *g, const char *name, unsigned width, gtkw_colour_t colour);
/* In decimal. */
void gtkw_number(gtkw_t *g, const char *name, unsigned width);

/* Writes all of it, under another name yet: after this gtkw_close has but to give it its own. 0, or
 * -1 and a message; gtkw_discard is then the caller's. */
int gtkw_finish(gtkw_t *g, mrpb_err_t *err);
/* Finishes the file; 0, GTKW_KEPT if GTKWave's own file was left in its place, or -1 and a message.
 * gtkw_close(NULL) is 0. */
int gtkw_close(gtkw_t *g, mrpb_err_t *err);
/* Gives the file up; whatever was there before stays. */
void gtkw_discard(gtkw_t *g);

#endif
