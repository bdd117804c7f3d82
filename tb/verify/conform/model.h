/* SPDX-License-Identifier: Apache-2.0 */
/* The abstract model of a table of outstanding misses, and the checker of the contract: it follows the
 * events of a design and says which clause they break (docs/conform/README.md). */
#ifndef CONFORM_MODEL_H
#define CONFORM_MODEL_H

#include "verify/conform/iface.h"

enum {
  CONFORM_NONE = 0,
#define CLAUSE(number, id, name, text) CONFORM_##id = number,
#include "verify/conform/clauses.def"
#undef CLAUSE
  CONFORM_CLAUSES = 16
};

typedef struct {
  const char *name, *text;
} conform_clause_t;
/* Clause 1 to CONFORM_CLAUSES. */
const conform_clause_t *conform_clause(unsigned number);
/* Its number by its name or number as a text; 0: there is none. */
unsigned conform_clause_number(const char *text);

/* Reads that are undecided may be of two entries: a list has room for both. */
enum { CONFORM_LIST = 2 * 64, CONFORM_TAGS = 1 << 12, CONFORM_OPEN = 3 * 256 };

/* What the environment withholds. */
typedef enum {
#define WITHHELD(id, text) CONFORM_WITHHELD_##id,
#include "verify/conform/withheld.def"
#undef WITHHELD
  CONFORM_WITHHELD
} conform_withheld_t;
const char *conform_withheld_text(conform_withheld_t kind);
/* Whether reads may be undecided, and something tells in the end. */
bool conform_undecided_tells(const conform_has_t *has);
/* Whether a map and its sizes make the environment withhold it. */
bool conform_withheld_may(conform_withheld_t kind, const conform_cfg_t *cfg,
                          const conform_has_t *has);

/* Reads: all of them, of a line that arrives in that cycle, of one that has arrived. */
enum { CONFORM_ANY, CONFORM_ARRIVING, CONFORM_LEAVING, CONFORM_READS };

/* What a run has seen. */
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
  uint32_t
      waits; /* cycles since its line arrived, or its last answer left, in which answers were taken */
  uint32_t idle;   /* cycles in which its request could have been made */
  uint32_t number; /* counts the entries, from 0 */
  uint16_t n, head;
  uint16_t
      maybe; /* its oldest reads that may have merged into the line's entry before it instead; n: it may not exist */
  uint16_t tag[CONFORM_LIST]; /* a ring, the oldest at head */
  bool requested, filled;
} conform_entry_t;

typedef struct {
  conform_cfg_t cfg;
  conform_has_t has;
  uint32_t off;      /* bit n: clause n is not promised */
  uint32_t patience; /* cycles after which something that must happen has not */
  uint64_t cycle;
  unsigned n, limit;               /* open entries; room for */
  uint32_t reads;                  /* outstanding */
  conform_entry_t e[CONFORM_OPEN]; /* the oldest first */
  uint32_t of[CONFORM_TAGS];       /* 1 + number of its entry, 0: no such read */
  uint8_t before[CONFORM_TAGS];    /* outstanding at the last reset, not accepted since */
  uint8_t late[CONFORM_TAGS];      /* merged into an entry that had arrived */
  uint32_t fills;                  /* lines awaited and asked for */
  uint32_t refused, unfilled, since_answer, quiet, since_reset, entries_made;
  bool was_fill, was_answer, was_line; /* offered in the last cycle and not taken */
  uint64_t was_ways;                   /* of was_answer: ways whose answers have to stay */
  bool closing;                        /* an entry may be empty */
  conform_seen_t seen;
  conform_in_t last_in;
  conform_out_t last;
  /* What broke: clause and one line. */
  unsigned clause;
  char text[200];
} conform_model_t;

/* In its state after a reset. */
void conform_model_start(conform_model_t *m, const conform_cfg_t *cfg, const conform_has_t *has,
                         uint32_t off);
/* One cycle, before its edge. False if a clause is broken (clause, text). */
bool conform_model_cycle(conform_model_t *m, const conform_in_t *in, const conform_out_t *out);

/* The open entry of a line that is the newest one, or NULL. */
conform_entry_t *conform_model_find(conform_model_t *m, uint64_t addr);

/* Makes inputs such as the contract allows them in this state: what is not legal becomes idle, a tag in
 * use the next free one, a fill gets its number, one that was not taken stays. Counts what is withheld. */
void conform_model_legal(conform_model_t *m, conform_in_t *in);

/* Way w of a packed output of `width` bits a way, at most 57. */
uint64_t conform_way(const uint64_t *words, unsigned w, unsigned width);

#endif
