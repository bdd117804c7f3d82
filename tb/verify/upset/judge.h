/* SPDX-License-Identifier: Apache-2.0 */
/* Decides the outcome of one upset from the outputs of both sides (docs/verify/upset.md). */
#ifndef UPSET_JUDGE_H
#define UPSET_JUDGE_H

#include "verify/upset/answers.h"

typedef enum {
  UPSET_MASKED,
  UPSET_LATENT,
  UPSET_STATUS,
  UPSET_DETECTED,
  UPSET_WRONG,
  UPSET_LOST,
  UPSET_HANG,
  UPSET_OUTCOMES
} upset_outcome_t;

/* UPSET_SILENCE: answers that the C model must give, and the Verilog must not, after the first one
 * that is missing, to call it a hang. */
enum { UPSET_SILENCE = 8 };

typedef struct {
  const upset_answers_t *answers;
  bool decided, status; /* status: an output differed that is no answer */
  upset_outcome_t outcome;
  int missing;      /* the kind of the first answer that is missing; -1: none */
  unsigned awaited; /* answers of this kind that the C model has given since */
} upset_judge_t;

const char *upset_name(upset_outcome_t outcome);

void upset_judge_start(upset_judge_t *j, const upset_answers_t *answers);
/* Compares the outputs of a cycle. Returns true once the outcome is decided. */
bool upset_judge_cycle(upset_judge_t *j, const uint64_t *in, const uint64_t *c,
                       const uint64_t *rtl);
/* Returns the outcome at the end of the window. `same`: the registers are equal. */
upset_outcome_t upset_judge_end(const upset_judge_t *j, bool same);

#endif
