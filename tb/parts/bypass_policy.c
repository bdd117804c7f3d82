/* SPDX-License-Identifier: Apache-2.0 */
/* See bypass_policy.h. */
#include "parts/bypass_policy.h"

void bypass_policy_enter(bypass_policy_t *p, unsigned queue) {
  p->contend += p->held[queue]++ == 0;
}

void bypass_policy_leave(bypass_policy_t *p, unsigned queue) {
  p->contend -= --p->held[queue] == 0;
}

void bypass_policy_hit(bypass_policy_t *p, unsigned queue) {
  p->in_row[queue] = 0;
}

static bool without_hits(bypass_policy_t *p, unsigned queue) {
  if (p->in_row[queue] < p->misses) {
    p->in_row[queue]++;
    return false;
  }
  p->sample[queue] = (uint8_t)((p->sample[queue] + 1) % BYPASS_POLICY_SAMPLE);
  return p->sample[queue] != 0;
}

bool bypass_policy_miss(bypass_policy_t *p, unsigned queue) {
  if (p->policy == BYPASS_POLICY_SIGNATURE) return without_hits(p, queue);
  return p->policy == BYPASS_POLICY_CONTENTION && p->contend > p->lines;
}
