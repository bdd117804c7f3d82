/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the counts of the C models with those of the Verilog. */
#include "estimate/activity/state.h"

#include <inttypes.h>
#include <string.h>

static int differ(mrpb_err_t *err, const activity_unit_t *u, const char *what, const char *name,
                  uint64_t c, uint64_t rtl) {
  return mrpb_fail(
      err, "activity of %s in %" PRIu64 " cycles: %s%s: C model %" PRIu64 ", Verilog %" PRIu64,
      u->cls->stem, u->cycles, what, name, c, rtl);
}

static int check_bit(const activity_unit_t *u, const activity_bit_t *c, const activity_bit_t *rtl,
                     mrpb_err_t *err) {
  char name[128];
  if (c->toggles == rtl->toggles && c->ones == rtl->ones) return 0;
  if (c->words > 1)
    snprintf(name, sizeof name, "%s[%u][%u]", c->name, c->word, c->bit);
  else
    snprintf(name, sizeof name, "%s[%u]", c->name, c->bit);
  if (c->toggles != rtl->toggles)
    return differ(err, u, "toggles of ", name, c->toggles, rtl->toggles);
  return differ(err, u, "cycles at 1 of ", name, c->ones, rtl->ones);
}

static int check_signals(const activity_unit_t *u, mrpb_err_t *err) {
  activity_signal_t c, rtl;
  for (unsigned i = 0; activity_signal(u, &u->c, i, &c); i++) {
    activity_signal(u, &u->rtl, i, &rtl);
    for (unsigned w = 0; w < c.words; w++)
      for (unsigned b = 0; b < c.width; b++) {
        activity_bit_t of_c = activity_bit(u, &c, w, b), of_rtl = activity_bit(u, &rtl, w, b);
        if (check_bit(u, &of_c, &of_rtl, err) != 0) return -1;
      }
  }
  return 0;
}

static int check_unit(const activity_unit_t *u, mrpb_err_t *err) {
  for (unsigned i = 0; i < u->events->n_events; i++)
    if (u->c.events[i] != u->rtl.events[i])
      return differ(err, u, "event ", u->events->events[i], u->c.events[i], u->rtl.events[i]);
  for (unsigned n = 0; n < ACTIVITY_LEVELS; n++)
    if (u->c.level[n] != u->rtl.level[n])
      return differ(err, u, "cycles at one value of ", u->events->level, u->c.level[n],
                    u->rtl.level[n]);
  return check_signals(u, err);
}

int activity_check(const activity_t *a, mrpb_err_t *err) {
  for (unsigned i = 0; i < a->n_units; i++)
    if (a->unit[i].c.there && a->unit[i].rtl.there && check_unit(&a->unit[i], err) != 0) return -1;
  return 0;
}
