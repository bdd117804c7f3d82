/* SPDX-License-Identifier: Apache-2.0 */
/* Quiet points: before a launch and at the end every request of the SMs is answered. The fetches
 * and write-backs of the L2s themselves are still in flight, because a launch does not wait for
 * them. They count as if they had arrived. */
#include "gpu/check/check_state.h"

#include <inttypes.h>

/* ---- what is compared ------------------------------------------------------ */

/* The byte was changed only by one operation whose order does not matter: every such change must be
 * in it. */
static void compare_sum(check_t *c, const image_line_t *m, unsigned i, uint8_t has, uint32_t got) {
  if (has == m->last_byte[i] || !c->workload->ops->values) return;
  (void)mrpb_fail(&c->err,
                  "memory at 0x%" PRIx64 " ends with 0x%02x, but the atomics that issued make it "
                  "0x%02x; last there: %s",
                  m->line + i, has, m->last_byte[i], check_describe(c, got).text);
}

/* `m`, in the L2 as `d` (NULL: in the DRAM), must hold the last store of every byte: the one issued
 * last, or another thread's that was performed after it. */
static void compare_last(check_t *c, image_line_t *m, const check_data_t *d) {
  for (unsigned i = 0; i < LINE; i++) {
    uint32_t last = m->last_store[i], got = d ? d->store[i] : m->store[i];
    const bool pure = m->pure[i] && m->pure[i] != CHECK_MIXED;
    m->pure[i] = 0;
    if (pure) compare_sum(c, m, i, d ? d->byte[i] : m->byte[i], got);
    if (pure || last == got) {
      m->last_store[i] = got;
      continue;
    }
    const store_t *a = check_store(c, last), *b = check_store(c, got);
    if (a->performed && a->performed < b->performed &&
        (a->warp != b->warp || !(a->lanes & b->lanes))) {
      c->stats.raced++;
      m->last_store[i] = got;
      continue;
    }
    (void)mrpb_fail(&c->err, "memory at 0x%" PRIx64 " ends with %s, but %s came after it",
                    m->line + i, check_describe(c, got).text, check_describe(c, last).text);
  }
}

/* An unmodified line of the L2 must equal the DRAM's. */
static void compare_clean(check_t *c, const check_data_t *d) {
  const image_line_t *m = check_image(c, d->line);
  for (unsigned i = 0; m && i < LINE; i++)
    if (m->store[i] != d->store[i])
      (void)mrpb_fail(&c->err,
                      "0x%" PRIx64 ": the L2 has %s in a line that is not modified, the "
                      "DRAM %s",
                      d->line + i, check_describe(c, d->store[i]).text,
                      check_describe(c, m->store[i]).text);
}

static void report_waiting(check_t *c) {
  for (unsigned s = 0; s < c->cfg.sms; s++)
    for (unsigned w = 0; w < MAX_WARPS; w++) {
      const check_load_t *l = c->sm[s].warp[w].loads;
      if (l)
        (void)mrpb_fail(&c->err,
                        "sm%u warp %u: the load at pc 0x%" PRIx32 ", cycle %" PRIu64
                        ", has no data for lanes 0x%08" PRIx32,
                        s, w, l->pc, l->cycle, check_pending(l));
    }
}

/* For local memory the L1D may hold the last store; no one will read it any more. */
static void compare_memory(check_t *c) {
  size_t lines = (size_t)c->cfg.slices * c->cfg.l2_lines;
  report_waiting(c);
  for (size_t i = 0; i < lines; i++) {
    const check_data_t *d = c->l2_line[i];
    if (d && !d->modified) compare_clean(c, d);
    image_line_t *m = d && d->modified ? check_image(c, d->line) : NULL;
    if (!m) continue;
    if (!warp_is_local(m->line)) compare_last(c, m, d);
    m->cached = true;
  }
  for (uint32_t i = 0; i < c->room_image; i++) {
    image_line_t *m = c->image[i];
    if (m && !m->cached && !warp_is_local(m->line)) compare_last(c, m, NULL);
    if (m) m->cached = false;
  }
}

/* ---- what is in flight ----------------------------------------------------- */

/* A write that the DRAM will serve counts as done: its bytes are already in the DRAM. No request of
 * an SM is left that could see the difference. */
static void settle(check_t *c, check_data_t *d) {
  if (d->way != CHECK_TO_DRAM) return;
  check_image_write(c, d, true);
  d->way = CHECK_SETTLED;
}

/* A read that the DRAM has served returns the DRAM's present bytes. */
static void fetch_again(check_t *c, check_data_t *d) {
  if (d->way == CHECK_FETCHED) check_image_read(c, d);
}

/* ---- what the host wrote since the last launch ----------------------------- */

/* Writes the host's bytes over those that the L2 holds or will put over a line of its own. */
static void host_over(check_t *c, check_data_t *d) {
  uint8_t now[LINE];
  if (!check_functional(c, d->line, now, LINE)) return;
  const image_line_t *m = check_image(c, d->line);
  const uint8_t *was = m ? m->last_byte : d->byte;
  for (unsigned k = 0; k < LINE; k++) {
    if (now[k] == was[k]) continue;
    d->byte[k] = now[k];
    d->store[k] = m ? c->host_store : 0;
  }
}

static void host_over_merged(check_t *c, check_data_t *d) {
  if (d->way == CHECK_MERGED) host_over(c, d);
}

static void host_over_image(check_t *c, image_line_t *m) {
  uint8_t now[LINE];
  if (!check_functional(c, m->line, now, LINE)) return;
  for (unsigned k = 0; k < LINE; k++) {
    if (now[k] == m->last_byte[k]) continue;
    m->byte[k] = m->last_byte[k] = now[k];
    m->store[k] = m->last_store[k] = c->host_store;
    c->stats.host_bytes++;
  }
}

static void take_host_writes(check_t *c) {
  const size_t lines = (size_t)c->cfg.slices * c->cfg.l2_lines;
  const size_t entries = (size_t)c->cfg.slices * c->cfg.l2_mshr_entries;
  c->host_store = check_new_store(c, 0, 0, 0);
  check_perform(c, c->host_store);
  for (size_t i = 0; i < lines; i++)
    if (c->l2_line[i]) host_over(c, c->l2_line[i]);
  for (size_t i = 0; i < entries; i++)
    if (c->l2_entry[i]) host_over(c, c->l2_entry[i]);
  check_data_each(c, host_over_merged);
  for (uint32_t i = 0; i < c->room_image; i++)
    if (c->image[i]) host_over_image(c, c->image[i]);
}

/* ---- the points ------------------------------------------------------------ */

void check_launch(check_t *c, workload_t *w) {
  c->workload = w;
  if (c->launch++ == 0) return;
  check_end(c);
  take_host_writes(c);
  check_data_each(c, fetch_again);
}

void check_end(check_t *c) {
  check_data_each(c, settle);
  compare_memory(c);
}
