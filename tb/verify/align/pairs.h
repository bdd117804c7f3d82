/* SPDX-License-Identifier: Apache-2.0 */
/* Two sides of requests, aligned; where they differ first; how they differ by kind. docs/align.md */
#ifndef ALIGN_PAIRS_H
#define ALIGN_PAIRS_H

#include "verify/align/rows.h"

/* What differs first of a pair. */
typedef enum {
  ALIGN_SAME,
  ALIGN_KIND,
  ALIGN_END,
  ALIGN_WAITED,
  ALIGN_BEGIN,
  ALIGN_ALONE /* a request without a partner */
} align_difference_t;

typedef struct {
  size_t row[2];
} align_pair_t;

/* Which requests are taken. NULL: all. */
typedef struct {
  const char *kinds; /* of these kinds: a list with commas */
  const char *who;   /* of those whose name begins so, or is not known */
  bool accepted;     /* a request begins when it is accepted */
} align_choice_t;

typedef struct {
  const align_rows_t *side[2];
  align_choice_t choice;
  int64_t shift; /* cycles added to the second side */
  align_pair_t *pair;
  size_t n, only[2]; /* pairs; requests without a partner */
  /* The earliest request without a partner, if there is one. */
  struct {
    unsigned side;
    size_t row;
    uint64_t moment;
  } alone;
  /* The last cycle in which a side says that something happened; 0: it knows no answers. */
  uint64_t last[2];
  bool *common_kind;             /* by word: it is a kind of both sides */
  uint64_t differ;               /* pairs that differ */
  size_t first;                  /* the pair that differs first; n: none */
  align_difference_t difference; /* ALIGN_ALONE: before any pair differs */
  uint64_t moment;               /* when */
  size_t first_latency;          /* the pair whose latency differs first; n: none */
} align_pairs_t;

/* Aligns the sides. Returns 0, or -1 and a message in err. */
int align_pairs(align_pairs_t *p, const align_rows_t *a, const align_rows_t *b, int64_t shift,
                const align_choice_t *choice, mrpb_err_t *err);
void align_pairs_close(align_pairs_t *p);

/* A row of a pair, or of a side, with its times shifted. */
align_row_t align_pairs_row(const align_pairs_t *p, size_t pair, unsigned side);
align_row_t align_pairs_of_side(const align_pairs_t *p, unsigned side, size_t row);

#endif
