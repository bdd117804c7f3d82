/* SPDX-License-Identifier: Apache-2.0 */
/* What is stored and what memory has, byte by byte: docs/conform/path.md, "The abstract model".
 * Lines appear when something first refers to them, with random contents. */
#ifndef PATH_BYTES_H
#define PATH_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/* OFFERED: lines that the environment asks for; the others are for prefetches. */
enum { BYTES_LINES = 1024, BYTES_OFFERED = 768, BYTES_LINE = 128, BYTES_PENDING = 12 };

typedef struct {
  uint8_t stored, memory; /* of the last accepted store; in memory */
  uint8_t was;            /* before another device wrote it; `changed` */
  bool changed;
  bool more; /* older pending values than those in the list: those of `older`, as bits */
  uint8_t n;
  uint8_t pending[BYTES_PENDING]; /* of stores newer than memory's value, the oldest first */
  uint32_t older[8];
  uint32_t ever[8]; /* all values that it has had, as bits */
} bytes_byte_t;

typedef struct {
  uint64_t addr;
  uint32_t flush; /* the number of the flush during which it was last stored to; 0: of none */
  uint32_t open;  /* unanswered requests */
  bytes_byte_t byte[BYTES_LINE];
} bytes_line_t;

typedef struct {
  uint64_t seed;
  unsigned line_bytes, n;
  uint32_t unwritten;              /* bytes whose last store memory does not have */
  uint16_t place[2 * BYTES_LINES]; /* hash table: index + 1 */
  bytes_line_t line[BYTES_LINES];
} bytes_t;

/* `b` is all zeros. */
void bytes_start(bytes_t *b, uint64_t seed, unsigned line_bytes);
/* The line at a multiple of line_bytes; NULL if there is no room for a new one, or if it is new and
 * `make` is false. */
bytes_line_t *bytes_line(bytes_t *b, uint64_t addr, bool make);

/* A store is accepted. */
void bytes_store(bytes_t *b, bytes_byte_t *k, uint8_t value);
/* Memory is written; `rewrite`: also without a store. Returns what that is. */
typedef enum { BYTES_OF_STORE, BYTES_SAME, BYTES_WRONG } bytes_kind_t;
bytes_kind_t bytes_write(bytes_t *b, bytes_byte_t *k, uint8_t value, bool rewrite);
/* Another device writes the byte, of which memory has the last store. */
void bytes_change(bytes_byte_t *k, uint8_t value);
/* Whatever memory does not have is gone. */
void bytes_reset(bytes_t *b);
bool bytes_had(const bytes_byte_t *k, uint8_t value);

/* A number that depends on all of its arguments, for decisions that must be the same whenever a
 * case is played. */
uint64_t bytes_hash(uint64_t a, uint64_t b);

#endif
