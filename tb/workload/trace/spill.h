/* SPDX-License-Identifier: Apache-2.0 */
/* What does not fit memory: a file without a name in $TMPDIR (/tmp unless told), gone when it is
 * closed, and in it chains: byte strings, of which any number grow at once, each in pieces. A chain
 * has a place in a table of the file, so that no memory is needed for those that nobody works on. */
#ifndef SPILL_H
#define SPILL_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/* PIECE: bytes that a piece has at most, unless what was added at once is longer; OPEN: chains whose
 * last piece is in memory, at most (64 MB). */
enum { SPILL_PIECE = 4096, SPILL_OPEN = 1 << 14, SPILL_STEP = 24 };

typedef struct spill spill_t;

/* NULL and a message: no memory, or no file. */
spill_t *spill_open(mrpb_err_t *err);
void spill_close(spill_t *s);

/* Bytes at the end of the file, and where they are. -1 and a message if they cannot be written. */
int spill_write(spill_t *s, const void *bytes, size_t n, uint64_t *where, mrpb_err_t *err);
/* Writes over bytes of the file, or reads some that have been written. */
int spill_patch(spill_t *s, uint64_t where, const void *bytes, size_t n, mrpb_err_t *err);
int spill_read(spill_t *s, uint64_t where, void *to, size_t n, mrpb_err_t *err);

/* ---- chains ---------------------------------------------------------------- */

/* A table of `n` empty chains: `*first`, and every SPILL_STEP from there on. */
int spill_chains(spill_t *s, uint64_t n, uint64_t *first, mrpb_err_t *err);
/* Adds `n` > 0 bytes to chain `c`, which stay together. `mark` is remembered of the chain. */
int spill_add(spill_t *s, uint64_t c, const void *bytes, size_t n, uint8_t mark, mrpb_err_t *err);
/* The mark that the chain got last; 0: it is empty. -1 and a message. */
int spill_mark(spill_t *s, uint64_t c, mrpb_err_t *err);
/* Everything that chains have in memory goes to the file: they can be read. */
int spill_flush(spill_t *s, mrpb_err_t *err);

/* A place in a chain that is read piece by piece. */
typedef struct {
  uint64_t next; /* place of the next piece, 0: none */
  uint8_t *bytes;
  size_t n, room; /* of the piece that is read */
} spill_cursor_t;

/* Begins at the first piece; keeps the cursor's memory. */
int spill_seek(spill_t *s, uint64_t c, spill_cursor_t *at, mrpb_err_t *err);
/* Reads the next piece: 1, 0 if there is none, -1 and a message. */
int spill_next(spill_t *s, spill_cursor_t *at, mrpb_err_t *err);

#endif
