/* SPDX-License-Identifier: Apache-2.0 */
/* The log is a list of chunks that can be read separately: each begins from inputs of 0. A record
 * is the mask of the words that change, the XOR of each of these with its previous value, and the
 * number of following cycles with the same inputs. All of them are base-128 numbers, low digits
 * first. */
#include "cosim/vectors/stimlog.h"

#include "cosim/stim/sources.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, NUMBER = 10, RECORD = NUMBER * (MODULE_MAX_WORDS + 2) };

typedef struct chunk chunk_t;
struct chunk {
  chunk_t *next;
  uint64_t cycles;
  size_t used;
  uint8_t data[CHUNK];
};

struct stimlog {
  const module_class_t *cls;
  chunk_t *first, *last; /* oldest and newest; both NULL: empty */
  size_t chunks, most;
  uint64_t cycles, given;
  uint64_t same; /* cycles that repeat the newest record, not yet written */
  uint64_t before[MODULE_MAX_WORDS];
};

stimlog_t *stimlog_create(const module_class_t *cls, size_t limit) {
  stimlog_t *log = calloc(1, sizeof *log);
  if (!log) return NULL;
  log->cls = cls;
  log->most = limit / sizeof(chunk_t) > 2 ? limit / sizeof(chunk_t) : 2;
  return log;
}

static void drop_first(stimlog_t *log) {
  chunk_t *old = log->first;
  log->first = old->next;
  if (!log->first) log->last = NULL;
  log->cycles -= old->cycles;
  log->chunks--;
  free(old);
}

void stimlog_destroy(stimlog_t *log) {
  if (!log) return;
  while (log->first) drop_first(log);
  free(log);
}

static void put(chunk_t *c, uint64_t value) {
  for (; value >= 128; value >>= 7) c->data[c->used++] = (uint8_t)(value | 128);
  c->data[c->used++] = (uint8_t)value;
}

static uint64_t get(const uint8_t **at) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t digit = *(*at)++;
    value |= (uint64_t)(digit & 127) << shift;
    if (!(digit & 128)) return value;
  }
}

/* Returns a chunk with room for a record. The state before the record is the state at the end of
 * the chunk. */
static chunk_t *room(stimlog_t *log) {
  if (log->last && log->last->used + RECORD <= CHUNK) return log->last;
  if (log->chunks == log->most) drop_first(log);
  chunk_t *c = malloc(sizeof *c);
  if (!c) { /* the next record does not continue the existing ones */
    while (log->first) drop_first(log);
    return NULL;
  }
  c->next = NULL;
  c->cycles = 0;
  c->used = 0;
  if (log->last)
    log->last->next = c;
  else
    log->first = c;
  log->last = c;
  log->chunks++;
  memset(log->before, 0, sizeof log->before);
  return c;
}

void stimlog_add(stimlog_t *log, const uint64_t *in) {
  const unsigned words = log->cls->in_words;
  log->given++;
  if (log->last && memcmp(in, log->before, words * sizeof *in) == 0) {
    log->same++;
  } else {
    if (log->last) put(log->last, log->same);
    log->same = 0;
    chunk_t *c = room(log);
    if (!c) return;
    uint64_t mask = 0;
    for (unsigned w = 0; w < words; w++) mask |= (uint64_t)(in[w] != log->before[w]) << w;
    put(c, mask);
    for (unsigned w = 0; w < words; w++)
      if (mask >> w & 1) put(c, in[w] ^ log->before[w]);
    memcpy(log->before, in, words * sizeof *in);
  }
  log->last->cycles++;
  log->cycles++;
}

uint64_t stimlog_cycles(const stimlog_t *log) {
  return log->cycles;
}
uint64_t stimlog_given(const stimlog_t *log) {
  return log->given;
}
size_t stimlog_bytes(const stimlog_t *log) {
  return log->chunks * sizeof(chunk_t) + sizeof *log;
}

/* Reads a chunk's cycles except the first `skip`. */
static int read_chunk(const stimlog_t *log, const chunk_t *c, uint64_t skip, vectors_t *v,
                      mrpb_err_t *err) {
  const uint8_t *at = c->data, *end = c->data + c->used;
  uint64_t in[MODULE_MAX_WORDS] = {0};
  while (at < end) {
    uint64_t mask = get(&at);
    for (unsigned w = 0; w < log->cls->in_words; w++)
      if (mask >> w & 1) in[w] ^= get(&at);
    uint64_t n = 1 + (at < end ? get(&at) : log->same); /* the newest record is still open */
    uint64_t left_out = n < skip ? n : skip;
    skip -= left_out;
    for (n -= left_out; n > 0; n--)
      if (vectors_add(v, in, err) != 0) return -1;
  }
  return 0;
}

int stimlog_read(const stimlog_t *log, uint64_t n, vectors_t *v, mrpb_err_t *err) {
  uint64_t skip = n < log->cycles ? log->cycles - n : 0;
  for (const chunk_t *c = log->first; c; c = c->next) {
    uint64_t here = c->cycles < skip ? c->cycles : skip;
    if (here < c->cycles && read_chunk(log, c, here, v, err) != 0) return -1;
    skip -= here;
  }
  return 0;
}
