/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/upset/judge.h"

const char *upset_name(upset_outcome_t outcome) {
  static const char *const names[UPSET_OUTCOMES] = {"masked", "latent", "status", "detected",
                                                    "wrong",  "lost",   "hang"};
  return names[outcome];
}

void upset_judge_start(upset_judge_t *j, const upset_answers_t *answers) {
  *j = (upset_judge_t){.answers = answers, .missing = -1};
}

static bool decide(upset_judge_t *j, upset_outcome_t outcome) {
  j->outcome = outcome;
  return j->decided = true;
}

/* The first cycle in which the outputs differ, or a later one while all answers were equal. */
static bool look(upset_judge_t *j, const uint64_t *in, const uint64_t *c, const uint64_t *rtl) {
  const upset_answers_t *all = j->answers;
  for (unsigned i = 0; i < all->n; i++) {
    const upset_answer_t *a = &all->answer[i];
    const bool of_c = upset_present(a, in, c), of_rtl = upset_present(a, in, rtl);
    if (of_rtl && (!of_c || !upset_same(&a->payload, c, rtl))) return decide(j, UPSET_WRONG);
    if (of_c && !of_rtl && j->missing < 0) j->missing = (int)i;
  }
  j->status = true;
  return false;
}

bool upset_judge_cycle(upset_judge_t *j, const uint64_t *in, const uint64_t *c,
                       const uint64_t *rtl) {
  const upset_answers_t *all = j->answers;
  if (j->missing >= 0) {
    const upset_answer_t *a = &all->answer[j->missing];
    j->awaited += upset_present(a, in, c);
    return upset_present(a, in, rtl) && decide(j, UPSET_LOST);
  }
  if (upset_same(&all->all, c, rtl)) return false;
  if (all->error >= 0 && rtl[all->error] != c[all->error]) return decide(j, UPSET_DETECTED);
  return look(j, in, c, rtl);
}

upset_outcome_t upset_judge_end(const upset_judge_t *j, bool same) {
  if (j->decided) return j->outcome;
  if (j->missing >= 0) return j->awaited >= UPSET_SILENCE ? UPSET_HANG : UPSET_LOST;
  if (j->status) return UPSET_STATUS;
  return same ? UPSET_MASKED : UPSET_LATENT;
}
