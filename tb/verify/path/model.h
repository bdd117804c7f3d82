/* SPDX-License-Identifier: Apache-2.0 */
/* The abstract model of a path, and the checker of the contract. The checker follows the events of
 * a design and reports which clause they break (docs/conform/path.md). */
#ifndef PATH_MODEL_H
#define PATH_MODEL_H

#include "verify/contract/contract.h"
#include "verify/path/bytes.h"
#include "verify/path/iface.h"
#include "verify/path/owed.h"

enum {
  PATH_NONE = 0,
#define CLAUSE(number, id, name, text) PATH_##id = number,
#include "verify/path/clauses.def"
#undef CLAUSE
  PATH_CLAUSES = 15
};

enum { PATH_LANES = 32, PATH_WORD = 8, PATH_TAGS = 1 << 12, PATH_BEATS = 512 };

typedef enum {
#define WITHHELD(id, text) PATH_WITHHELD_##id,
#include "verify/path/withheld.def"
#undef WITHHELD
  PATH_WITHHELD
} path_withheld_t;

/* What a run has seen so far. */
typedef struct {
  uint64_t loads, stores, partial, again, refused; /* again: loads of a word just stored */
  uint64_t reads, writes, most, overtaken;         /* memory's; most: outstanding */
  uint64_t flushes, changed, resets, steady, longest;
  uint64_t withheld[PATH_WITHHELD]; /* cycles */
} path_seen_t;

/* A request in one lane, as its ports say. */
typedef struct {
  bool write, bypass;
  uint64_t addr, tag, mask, data;
} path_request_t;

/* An unanswered request. */
typedef struct {
  bool open, write;
  bool before;     /* unanswered at the last reset, not accepted since */
  uint8_t foreign; /* bytes to which another thread stores, as bits */
  uint8_t want[PATH_WORD];
  uint64_t addr, steps; /* steps: when it was accepted */
} path_open_t;

/* A beat of AXI write data. */
typedef struct {
  uint8_t data[64];
  uint64_t strobe;
  bool last;
} path_beat_t;

typedef struct {
  path_cfg_t cfg;
  path_has_t has;
  uint32_t off, patience;
  uint64_t seed, cycle;
  bytes_t bytes;
  owed_list_t memory;
  path_open_t of[PATH_LANES][PATH_TAGS];
  unsigned n_open;
  uint32_t open[PATH_LANES * PATH_TAGS]; /* lane * PATH_TAGS + tag, the oldest first */
  /* AXI: write addresses whose data are not complete, and data. */
  owed_list_t addresses;
  unsigned n_beats;
  path_beat_t beat[PATH_BEATS];
  uint64_t steps, answered, refused, stored; /* steps; when something last happened */
  uint64_t flush_steps;
  uint32_t flushes; /* begun */
  bool flushing;
  bool went_on;       /* the last cycle's instruction: some lanes are accepted, others are not */
  uint64_t remaining; /* lanes that were offered and refused in the last cycle */
  path_in_t last_in;
  path_out_t last;
  bool offered, offered_b; /* an answer of memory was offered and not taken; AXI: r, b */
  path_seen_t seen;
  contract_broken_t broken;
} path_model_t;

void path_model_start(path_model_t *m, const path_cfg_t *cfg, const path_has_t *has, uint32_t off,
                      uint64_t seed);
/* Plays one cycle, before its clock edge. Returns false if a clause is broken (`broken`). */
bool path_model_cycle(path_model_t *m, const path_in_t *in, const path_out_t *out);
/* Changes inputs to those that the contract allows in this state (legal.c). Counts what is
 * withheld. */
void path_model_legal(path_model_t *m, path_in_t *in);

/* The request of a lane. */
path_request_t path_request(const path_cfg_t *c, const path_in_t *in, unsigned lane);
/* Writes a lane's request. */
void path_request_put(const path_cfg_t *c, path_in_t *in, unsigned lane, const path_request_t *r);
/* The thread that stores to a word, of cfg.THREADS. */
unsigned path_owner(const path_model_t *m, uint64_t addr);

#endif
