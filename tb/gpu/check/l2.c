/* SPDX-License-Identifier: Apache-2.0 */
/* Data in the L2 slices and the DRAM. */
#include "gpu/check/check_state.h"

static uint64_t line_of(const packet_t *p) {
  return p->addr & ~(uint64_t)(LINE - 1);
}

static check_data_t **l2_line(check_t *c, uint32_t slice, uint32_t line) {
  return &c->l2_line[(size_t)slice * c->cfg.l2_lines + line];
}

static check_data_t **l2_entry(check_t *c, uint32_t slice, uint32_t entry) {
  return &c->l2_entry[(size_t)slice * c->cfg.l2_mshr_entries + entry];
}

static void no_data(check_t *c, const char *what, uint64_t line) {
  (void)mrpb_fail(&c->err, "0x%llx: %s without data", (unsigned long long)line, what);
}

/* The reply `p` takes what it asked for out of `d`. */
static void answer(check_t *c, packet_t *p, const check_data_t *d) {
  if (!d || d->line != line_of(p)) {
    no_data(c, "an L2 reply", p->addr);
    return;
  }
  check_data_answer(c, p, check_data_copy(c, d));
}

/* The reply to an atomic needs no bytes: its load got its value from the executor. */
void check_l2_read(check_t *c, uint32_t slice, uint32_t line, packet_t *p) {
  if (p->atomic)
    check_perform_atomic(c, p, *l2_line(c, slice, line));
  else
    answer(c, p, *l2_line(c, slice, line));
}

void check_l2_write(check_t *c, uint32_t slice, uint32_t line, packet_t *p) {
  check_data_t *d = *l2_line(c, slice, line);
  if (!p->data || !d || d->line != p->data->line) {
    no_data(c, "an L2 write", p->addr);
    return;
  }
  check_perform(c, p->data->id);
  check_data_over(d, p->data);
  d->modified = true;
  check_data_drop(c, p->data);
  p->data = NULL;
}

void check_l2_write_miss(check_t *c, packet_t *p, packet_t *alloc) {
  if (!p->data) {
    no_data(c, "an L2 write", p->addr);
    return;
  }
  check_perform(c, p->data->id);
  alloc->data = check_data_copy(c, p->data);
  alloc->data->way = CHECK_MERGED;
  p->data->way = CHECK_TO_DRAM;
}

/* The position of a misplaced write-back in the DRAM's queues says nothing about its line. */
void check_l2_evict(check_t *c, uint32_t slice, uint32_t line, packet_t *write_back) {
  check_data_t **at = l2_line(c, slice, line), *d = *at;
  *at = NULL;
  if (write_back && d && c->cfg.misplaced && !(c->cfg.hazards & HAZARD_L2_WRITE_BACK)) {
    check_image_write(c, d, true);
    check_data_drop(c, d);
  } else if (write_back) {
    if (!d) no_data(c, "a write-back", write_back->addr);
    if (d) d->way = CHECK_TO_DRAM;
    write_back->data = d;
  } else {
    check_data_drop(c, d);
  }
}

void check_l2_returned(check_t *c, uint32_t slice, uint32_t entry, packet_t *p) {
  check_data_t **e = l2_entry(c, slice, entry);
  check_data_drop(c, *e);
  *e = p->data;
  if (!*e) {
    no_data(c, "a DRAM read", p->addr);
    *e = check_data_new(c, line_of(p));
  }
  p->data = (*e)->carried;
  (*e)->carried = NULL;
  (*e)->way = CHECK_ELSEWHERE;
}

/* The allocate read that fetched the line itself needs nothing: the DRAM had its store before. */
void check_l2_serve(check_t *c, uint32_t slice, uint32_t entry, packet_t *p) {
  check_data_t *e = *l2_entry(c, slice, entry);
  if (!e) {
    no_data(c, "an L2 MSHR entry", p->addr);
  } else if (p->atomic) {
    check_perform_atomic(c, p, e);
  } else if (p->kind == PACKET_READ) {
    answer(c, p, e);
  } else if (p->data) {
    check_data_over(e, p->data);
    check_data_drop(c, p->data);
    p->data = NULL;
  }
}

void check_l2_fill(check_t *c, uint32_t slice, uint32_t entry, uint32_t line) {
  check_data_t **at = l2_line(c, slice, line), *e = *l2_entry(c, slice, entry);
  check_data_drop(c, *at);
  *at = e ? check_data_copy(c, e) : NULL;
}

void check_dram(check_t *c, packet_t *p) {
  if (packet_is_write(p)) {
    if (!p->data) return;
    bool newer = c->cfg.misplaced && !(c->cfg.hazards & HAZARD_L2_WRITE_BACK);
    if (p->data->way != CHECK_SETTLED) check_image_write(c, p->data, newer);
    check_data_drop(c, p->data);
    p->data = NULL;
    return;
  }
  check_data_t *d = check_data_new(c, line_of(p));
  if (p->kind == PACKET_READ)
    d->carried = p->data;
  else
    check_data_drop(c, p->data);
  p->data = d;
  d->way = CHECK_FETCHED;
  check_image_read(c, d);
}
