/* SPDX-License-Identifier: Apache-2.0 */
/* Storage for data that do not fit memory: a file without a name in $TMPDIR (default /tmp), which
 * is gone when it is closed. It holds chains: byte strings, any number of which can grow at the
 * same time, each in pieces. A chain has an entry in a table of the file, so chains that nobody
 * works on need no memory. */
#ifndef SPILL_H
#define SPILL_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/* PIECE: maximum bytes of a piece, unless more was added at once. OPEN: maximum number of chains
 * whose last piece is in memory (64 MB). */
enum { SPILL_PIECE = 4096, SPILL_OPEN = 1 << 14, SPILL_STEP = 24 };

typedef struct spill spill_t;

/* NULL and a message: out of memory, or no file. */
spill_t *spill_open(mrpb_err_t *err);
void spill_close(spill_t *s);

/* Appends bytes to the file; *where is their place. -1 and a message if they cannot be written. */
int spill_write(spill_t *s, const void *bytes, size_t n, uint64_t *where, mrpb_err_t *err);
/* Overwrites or reads bytes that have been written before. */
int spill_patch(spill_t *s, uint64_t where, const void *bytes, size_t n, mrpb_err_t *err);
int spill_read(spill_t *s, uint64_t where, void *to, size_t n, mrpb_err_t *err);

/* ---- chains ---------------------------------------------------------------- */

/* Creates a table of `n` empty chains: *first, and every SPILL_STEP from there on. */
int spill_chains(spill_t *s, uint64_t n, uint64_t *first, mrpb_err_t *err);
/* Adds `n` > 0 bytes to chain `c`; they stay together. `mark` is remembered with the chain. */
int spill_add(spill_t *s, uint64_t c, const void *bytes, size_t n, uint8_t mark, mrpb_err_t *err);
/* The latest mark of the chain; 0: it is empty. -1 and a message on an error. */
int spill_mark(spill_t *s, uint64_t c, mrpb_err_t *err);
/* Writes to the file everything that chains hold in memory, so that they can be read. */
int spill_flush(spill_t *s, mrpb_err_t *err);

/* A position in a chain that is read piece by piece. */
typedef struct {
  uint64_t next; /* place of the next piece, 0: none */
  uint8_t *bytes;
  size_t n, room; /* of the current piece */
} spill_cursor_t;

/* Begins at the first piece; the cursor's memory is reused. */
int spill_seek(spill_t *s, uint64_t c, spill_cursor_t *at, mrpb_err_t *err);
/* Reads the next piece: 1, 0 if there is none, -1 and a message on an error. */
int spill_next(spill_t *s, spill_cursor_t *at, mrpb_err_t *err);

#endif
