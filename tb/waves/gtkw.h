/* Writes GTKWave save files: groups of signals, without dates and without absolute paths, so that
 * equal set-ups give equal files. */
#ifndef GTKW_H
#define GTKW_H

#include "err.h"

typedef struct gtkw gtkw_t;

/* Opens `path` for writing; `dump` is the wave file's name as GTKWave is to find it, or NULL to
 * leave it out. 0, or -1 and a message. */
int gtkw_open(gtkw_t **out, const char *path, const char *dump, mrpb_err_t *err);

/* Starts a group, open or folded; ends the one before. */
void gtkw_group(gtkw_t *g, const char *title, int folded);

/* A signal of the dump by its full name ("run.sm1.mshr.count_o"); shown in hexadecimal if wider
 * than 1 bit. */
void gtkw_signal(gtkw_t *g, const char *name, unsigned width);

/* Finishes the file; 0, or -1 and a message. gtkw_close(NULL) is 0. */
int gtkw_close(gtkw_t *g, mrpb_err_t *err);

#endif
