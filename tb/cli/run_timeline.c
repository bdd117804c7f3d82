/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_timeline.h"

#include "base/output.h"
#include "workload/ptx/where.h"

#include <inttypes.h>
#include <stdlib.h>

int run_timeline_check(const run_timeline_t *r, mrpb_err_t *err) {
  if (r->from > r->to)
    return mrpb_fail(err, "--timeline-from %" PRIu64 " is after --timeline-to %" PRIu64, r->from,
                     r->to);
  return r->file ? output_try(r->file, err) : 0;
}

/* Reads a number at *at, and goes behind it. */
static bool number(const char **at, unsigned long *n) {
  char *end;
  if (**at < '0' || **at > '9') return false;
  *n = strtoul(*at, &end, 10);
  *at = end;
  return true;
}

/* Numbers and ranges below `n` with a comma between them. */
static bool members(const char *list, unsigned n, set_t *set) {
  unsigned long from, to;
  for (const char *at = list;; at++) {
    if (!number(&at, &from)) return false;
    to = from;
    if (*at == '-' && (at++, !number(&at, &to))) return false;
    if (from > to || to >= n) return false;
    for (; from <= to; from++) set_add(set, (unsigned)from);
    if (*at != ',') return *at == '\0';
  }
}

static void text(const void *ctx, uint32_t pc, char to[TIMELINE_TEXT]) {
  const run_profile_names_t *names = ctx;
  ptx_where_t w;
  if (names->module && ptx_where(names->module, pc, &w))
    snprintf(to, TIMELINE_TEXT, "line %" PRIu32 ": %.*s", w.line,
             (int)(w.bytes < TIMELINE_TEXT ? w.bytes : TIMELINE_TEXT), w.text);
  else
    snprintf(to, TIMELINE_TEXT, "pc 0x%" PRIx32, pc);
}

static const char *array(const void *ctx, uint64_t addr) {
  const run_profile_names_t *names = ctx;
  const named_array_t *a = arrays_at(names->arrays, addr);
  return a ? a->name : NULL;
}

int run_timeline_open(const run_timeline_t *r, const config_t *m, const run_profile_names_t *names,
                      timeline_t **out, mrpb_err_t *err) {
  timeline_setup_t s = {
      .path = r->file, .from = r->from, .to = r->to, .text = text, .array = array, .ctx = names};
  *out = NULL;
  if (!r->file) return 0;
  for (unsigned i = 0; !r->sms && i < m->sms; i++) set_add(&s.sms, i);
  if (r->sms && !members(r->sms, m->sms, &s.sms))
    return mrpb_fail(err,
                     "--timeline-sm %.100s: legal: numbers from 0 to %u and ranges, such as 0,2-3",
                     r->sms, m->sms - 1);
  return timeline_open(out, &s, err);
}
