/* SPDX-License-Identifier: Apache-2.0 */
/* See share.h. */
#include "gpu/windows/share.h"

enum { ROUNDS = 16 }; /* after which shares may change */

share_t share_begin(unsigned sms, unsigned threads) {
  const unsigned each = sms / threads;
  return (share_t){.sms = sms, .threads = threads, .mine = each, .theirs = each};
}

unsigned share_of(const share_t *s, unsigned i) {
  if (i < s->mine || s->threads == 1) return 0;
  if (i < s->mine + s->theirs || s->threads == 2) return 1;
  return 2 + (i - s->mine - s->theirs) % (s->threads - 2);
}

/* One SM more for a thread that would still be the faster one with it; one less for the slower one. */
static void move(const share_t *s, unsigned *share, double took, double others, double sm) {
  if (took + sm < others && s->mine + s->theirs < s->sms)
    ++*share;
  else if (took > others && *share > 0)
    --*share;
}

/* Of two threads, what one does not run the other one runs. */
void share_round(share_t *s, double from, const double *ended) {
  double others = 0;
  for (unsigned i = 2; i < s->threads; i++)
    if (ended[i] - from > others) others = ended[i] - from;
  s->own += ended[0] - from;
  s->first += s->threads > 1 ? ended[1] - from : 0;
  s->others += others;
  if (++s->rounds < ROUNDS) return;
  const double sm = (s->own + s->first + s->others * (s->threads - 2)) / s->sms;
  if (s->threads == 2) {
    s->theirs = 0;
    move(s, &s->mine, s->own, s->first, 2 * sm);
  } else if (s->threads > 2) {
    move(s, &s->mine, s->own, s->others, sm);
    move(s, &s->theirs, s->first, s->others, sm);
  }
  s->rounds = 0;
  s->own = s->first = s->others = 0;
}
