/* SPDX-License-Identifier: Apache-2.0 */
/* See share.h. */
#include "gpu/windows/share.h"

enum { WINDOWS = 16 }; /* after which shares may change */

/* Parts of the time in which the calling thread waits: an SM more for it; an SM less. */
static const double MUCH = 0.08, LITTLE = 0.02;

share_t share_begin(unsigned sms, unsigned threads) {
  const unsigned each = sms / threads;
  return (share_t){.sms = sms, .threads = threads, .mine = each, .theirs = each};
}

unsigned share_of(const share_t *s, unsigned i) {
  if (i < s->mine || s->threads == 1) return 0;
  if (i < s->mine + s->theirs || s->threads == 2) return 1;
  return 2 + (i - s->mine - s->theirs) % (s->threads - 2);
}

/* Of two threads, what one does not run the other one runs. */
void share_window(share_t *s, double whole, double for_sms, double for_replies) {
  s->whole += whole;
  s->for_sms += for_sms;
  s->for_replies += for_replies;
  if (++s->windows < WINDOWS) return;
  const double sms = s->for_sms / s->whole, replies = s->for_replies / s->whole;
  const double mine = s->threads == 2 ? sms + replies : sms;
  if (mine > MUCH && s->mine + s->theirs < s->sms) s->mine++;
  if (mine < LITTLE && s->mine > 0) s->mine--;
  if (s->threads > 2 && replies > MUCH && s->theirs > 0) s->theirs--;
  if (s->threads > 2 && replies < LITTLE && s->mine + s->theirs < s->sms) s->theirs++;
  if (s->threads == 2) s->theirs = 0;
  s->windows = 0;
  s->whole = s->for_sms = s->for_replies = 0;
}
