/* SPDX-License-Identifier: Apache-2.0 */
/* Data in the L1D of an SM: lines, and MSHR entries with their waiting reads. */
#include "gpu/check/check_state.h"

#include <inttypes.h>

void check_l1_hit(check_sm_t *s, uint32_t index, unsigned warp, unsigned reg, uint64_t addr,
                  uint32_t bytes) {
  check_arrived(s, warp, reg, addr, bytes, s->line[index], FROM_HIT);
}

void check_l1_wait(check_sm_t *s, uint32_t entry, bool first, unsigned warp, unsigned reg,
                   uint64_t addr, uint32_t bytes) {
  if (entry >= s->check->cfg.mshr_entries) {
    (void)mrpb_fail(&s->check->err, "sm%u: the MSHR table has no entry %" PRIu32, s->id, entry);
    return;
  }
  check_entry_t *e = &s->entry[entry];
  if (first && e->count > 0)
    (void)mrpb_fail(&s->check->err,
                    "sm%u: MSHR entry %" PRIu32 " is allocated while %u of its reads wait", s->id,
                    entry, e->count);
  if (e->count == MAX_MERGES) {
    (void)mrpb_fail(&s->check->err, "sm%u: MSHR entry %" PRIu32 " lists too many reads", s->id,
                    entry);
    return;
  }
  e->read[(e->first + e->count++) % MAX_MERGES] =
      (waiting_t){addr, (uint16_t)warp, (uint16_t)reg, bytes};
}

void check_l1_reply(check_sm_t *s, uint32_t entry, packet_t *p) {
  check_data_drop(s->check, s->entry[entry].data);
  s->entry[entry].data = p->data;
  p->data = NULL;
}

void check_l1_drop(check_sm_t *s, uint32_t index) {
  check_data_drop(s->check, s->line[index]);
  s->line[index] = NULL;
}

/* Local memory: no other thread can see the store, so it counts as performed. */
void check_l1_write(check_sm_t *s, uint32_t index, check_data_t *data) {
  check_data_t *line = s->line[index];
  if (!line || !data || line->line != data->line) {
    (void)mrpb_fail(&s->check->err, "sm%u: an L1D line is written that has no data", s->id);
    return;
  }
  check_perform(s->check, data->id);
  check_data_over(line, data);
  line->id = data->id;
  check_data_drop(s->check, data);
}

check_data_t *check_l1_written_back(check_sm_t *s, uint32_t index) {
  check_data_t *line = s->line[index];
  s->line[index] = NULL;
  return line;
}

void check_l1_fill(check_sm_t *s, uint32_t entry, uint32_t index) {
  check_l1_drop(s, index);
  if (s->entry[entry].data) s->line[index] = check_data_copy(s->check, s->entry[entry].data);
}

void check_l1_silent(check_sm_t *s) {
  for (uint32_t i = 0; i < s->check->cfg.mshr_entries; i++)
    if (s->entry[i].data && s->entry[i].count > 0)
      (void)mrpb_fail(&s->check->err,
                      "sm%u: MSHR entry %" PRIu32 " has its line, but none of its %u reads leaves",
                      s->id, i, s->entry[i].count);
}

void check_refused(check_sm_t *s, const char *table, uint32_t used, uint32_t entries) {
  if (used >= entries) return;
  (void)mrpb_fail(&s->check->err,
                  "sm%u: the %s has no entry for a read, but only %" PRIu32 " of %" PRIu32
                  " are in use",
                  s->id, table, used, entries);
}

void check_l1_drain(check_sm_t *s, uint32_t entry, unsigned warp, unsigned reg, bool last) {
  check_entry_t *e = entry < s->check->cfg.mshr_entries ? &s->entry[entry] : NULL;
  if (!e || e->count == 0) {
    (void)mrpb_fail(&s->check->err,
                    "sm%u: MSHR entry %" PRIu32 " drains a read that it never received", s->id,
                    entry);
    return;
  }
  waiting_t r = e->read[e->first];
  if (r.warp != warp || r.reg != reg || last != (e->count == 1))
    (void)mrpb_fail(&s->check->err,
                    "sm%u: MSHR entry %" PRIu32 " drains warp %u register %u%s; expected warp %u "
                    "register %u%s",
                    s->id, entry, warp, reg, last ? ", the last" : "", r.warp, r.reg,
                    e->count == 1 ? ", the last" : "");
  e->first = (uint8_t)((e->first + 1) % MAX_MERGES);
  check_arrived(s, r.warp, r.reg, r.addr, r.bytes, e->data, FROM_FILL);
  if (--e->count > 0) return;
  check_data_drop(s->check, e->data);
  e->data = NULL;
}

void check_bypass_sent(check_sm_t *s, bool prt, unsigned warp, unsigned reg, uint64_t addr,
                       uint32_t bytes, const packet_t *p) {
  check_t *c = s->check;
  for (const bypass_t *o = s->bypasses; prt && o; o = o->next)
    if (o->prt && o->p->entry == p->entry)
      (void)mrpb_fail(&c->err, "sm%u: PRT entry %" PRIu32 " is allocated while it is in use", s->id,
                      p->entry);
  bypass_t *b = c->free_bypasses;
  if (b)
    c->free_bypasses = b->next;
  else if (!(b = check_block(c, sizeof *b)))
    return;
  *b = (bypass_t){s->bypasses, p, prt, {addr, (uint16_t)warp, (uint16_t)reg, bytes}};
  s->bypasses = b;
}

void check_prt_reply(check_sm_t *s, uint32_t entry, bool released) {
  if (released) return;
  (void)mrpb_fail(&s->check->err,
                  "sm%u: PRT entry %" PRIu32 " has all its replies but is not released", s->id,
                  entry);
}

void check_bypass(check_sm_t *s, unsigned warp, unsigned reg, const packet_t *p) {
  bypass_t **link = &s->bypasses;
  while (*link && (*link)->p != p) link = &(*link)->next;
  bypass_t *b = *link;
  if (!b || b->read.warp != warp || b->read.reg != reg) {
    (void)mrpb_fail(&s->check->err,
                    "sm%u: the reply to a bypassed read of 0x%" PRIx64
                    " is delivered to warp %u register %u, which did not send it",
                    s->id, p->addr, warp, reg);
    return;
  }
  check_arrived(s, warp, reg, b->read.addr, b->read.bytes, p->data, FROM_BYPASS);
  *link = b->next;
  b->next = s->check->free_bypasses;
  s->check->free_bypasses = b;
}

void check_drop(check_sm_t *s, packet_t *p) {
  check_data_drop(s->check, p->data);
  p->data = NULL;
}
