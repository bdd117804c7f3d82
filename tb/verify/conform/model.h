/* SPDX-License-Identifier: Apache-2.0 */
/* The abstract model of a table of outstanding misses, and the checker of the contract. The checker
 * follows the events of a design and reports which clause they break (docs/conform/README.md). */
#ifndef CONFORM_MODEL_H
#define CONFORM_MODEL_H

#include "verify/conform/iface.h"
#include "verify/contract/contract.h"

enum {
  CONFORM_NONE = 0,
#define CLAUSE(number, id, name, text) CONFORM_##id = number,
#include "verify/conform/clauses.def"
#undef CLAUSE
  CONFORM_CLAUSES = 16
};

/* An undecided read may belong to either of two entries: a list has room for the reads of both. */
enum { CONFORM_LIST = 2 * 64, CONFORM_TAGS = 1 << 12, CONFORM_OPEN = 3 * 256 };

/* What the environment can withhold. */
typedef enum {
#define WITHHELD(id, text) CONFORM_WITHHELD_##id,
#include "verify/conform/withheld.def"
#undef WITHHELD
  CONFORM_WITHHELD
} conform_withheld_t;
const char *conform_withheld_text(conform_withheld_t kind);
/* Whether reads may be undecided and the map shows enough to decide them in the end. */
bool conform_undecided_tells(const conform_has_t *has);
/* Whether the map and the sizes make the environment withhold it. */
bool conform_withheld_may(conform_withheld_t kind, const conform_cfg_t *cfg,
                          const conform_has_t *has);

/* Kinds of reads: all, those of a line that arrives in the same cycle, those of a line that has
 * arrived and is leaving. */
enum { CONFORM_ANY, CONFORM_ARRIVING, CONFORM_LEAVING, CONFORM_READS };

/* What a run has seen so far. */
typedef struct {
  uint64_t offered[CONFORM_READS], accepted[CONFORM_READS];
  uint64_t fills, resets, steady, longest; /* steady: cycles since the last reset */
  uint64_t withheld[CONFORM_WITHHELD];     /* cycles */
} conform_seen_t;
/* Adds what another run has seen. */
void conform_seen_add(conform_seen_t *to, const conform_seen_t *more);

/* An open entry: a line with accepted reads that have not been answered. */
typedef struct {
  uint64_t addr, ticket, age;
  /* Cycles in which answers were taken, since its line arrived or its last answer left. */
  uint32_t waits;
  uint32_t idle;   /* cycles in which its request could have been made */
  uint32_t number; /* serial number of the entry, from 0 */
  uint16_t n, head;
  /* How many of its oldest reads may instead have merged into the line's entry before it. If this
   * is n, the entry may not exist. */
  uint16_t maybe;
  uint16_t tag[CONFORM_LIST]; /* a ring buffer, the oldest at head */
  bool requested, filled;
} conform_entry_t;

typedef struct {
  conform_cfg_t cfg;
  conform_has_t has;
  uint32_t off;      /* bit n: clause n is not promised */
  uint32_t patience; /* cycles after which a required event is overdue */
  uint64_t cycle;
  unsigned n, limit;               /* number of open entries; that of a full table */
  uint32_t reads;                  /* outstanding reads */
  conform_entry_t e[CONFORM_OPEN]; /* the oldest first */
  uint32_t of[CONFORM_TAGS];       /* 1 + number of the tag's entry; 0: no such read */
  uint8_t before[CONFORM_TAGS];    /* outstanding at the last reset, not accepted since */
  uint8_t late[CONFORM_TAGS];      /* merged, or may have, into an entry that had arrived */
  uint32_t fills;                  /* lines requested, not arrived */
  uint32_t refused, unfilled, since_answer, quiet, since_reset, entries_made;
  bool was_fill, was_answer, was_line; /* offered in the last cycle and not taken */
  uint64_t was_ways;                   /* of was_answer: ways whose answers must stay */
  bool closing;                        /* an entry may have become empty */
  conform_seen_t seen;
  conform_in_t last_in;
  conform_out_t last;
  contract_broken_t broken;
} conform_model_t;

/* Sets the model to its state after a reset. */
void conform_model_start(conform_model_t *m, const conform_cfg_t *cfg, const conform_has_t *has,
                         uint32_t off);
/* Plays one cycle, before its clock edge. Returns false if a clause is broken (`broken`). */
bool conform_model_cycle(conform_model_t *m, const conform_in_t *in, const conform_out_t *out);

/* The newest open entry of a line, or NULL. */
conform_entry_t *conform_model_find(conform_model_t *m, uint64_t addr);

/* Changes inputs to those that the contract allows in this state: an illegal input becomes idle, a
 * tag in use becomes the next free one, a fill gets its number, and a fill that was not taken
 * stays. Counts what is withheld. */
void conform_model_legal(conform_model_t *m, conform_in_t *in);

/* Way w of a packed output with `width` bits per way, at most 57. */
uint64_t conform_way(const uint64_t *words, unsigned w, unsigned width);

#endif
