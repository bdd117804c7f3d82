/* SPDX-License-Identifier: Apache-2.0 */
/* Checking mode as a whole: creation, stores, launches, quiet points, reports. See check.h. */
#include "gpu/check/check_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------- */

/* The tables of one SM. */
static bool create_sm(check_t *c, unsigned i) {
  check_sm_t *s = &c->sm[i];
  s->check = c;
  s->id = i;
  s->line = calloc(c->cfg.l1d_lines, sizeof(check_data_t *));
  s->entry = calloc(c->cfg.mshr_entries, sizeof *s->entry);
  return s->line && s->entry;
}

static bool create_tables(check_t *c) {
  const check_cfg_t *cfg = &c->cfg;
  void *warps = NULL;
  c->sm = calloc(cfg->sms, sizeof *c->sm);
  c->l2_line = calloc((size_t)cfg->slices * cfg->l2_lines + 1, sizeof(check_data_t *));
  c->l2_entry = calloc((size_t)cfg->slices * cfg->l2_mshr_entries + 1, sizeof(check_data_t *));
  if (!c->sm || !c->l2_line || !c->l2_entry) return false;
  for (unsigned i = 0; i < cfg->sms; i++)
    if (!create_sm(c, i)) return false;
  /* Number 0 of stores and warps: the initial contents, the host. */
  if (check_new_store(c, 0, 0, 0) != 0 || check_failed(c)) return false;
  if (!check_grow(c, &warps, &c->room_warps, sizeof *c->warps)) return false;
  c->warps = warps;
  c->warps[c->n_warps++] = (warp_id_t){0};
  return true;
}

int check_create(check_t **out, const check_cfg_t *cfg, mrpb_err_t *err) {
  check_t *c = calloc(1, sizeof *c);
  *out = NULL;
  if (c) c->cfg = *cfg;
  if (!c || !create_tables(c)) {
    check_destroy(c);
    return mrpb_fail(err, "check: out of memory");
  }
  *out = c;
  return 0;
}

void check_destroy(check_t *c) {
  if (!c) return;
  for (unsigned i = 0; c->sm && i < c->cfg.sms; i++) {
    free(c->sm[i].line);
    free(c->sm[i].entry);
    for (unsigned w = 0; w < MAX_WARPS; w++) free(c->sm[i].warp[w].own);
  }
  for (uint32_t i = 0; i < c->n_chunks; i++) free(c->stores[i]);
  for (uint32_t i = 0; i < c->n_blocks; i++) free(c->blocks[i]);
  free(c->stores);
  free(c->blocks);
  free(c->warps);
  free(c->image);
  free(c->l2_line);
  free(c->l2_entry);
  free(c->sm);
  free(c);
}

void check_no_memory(check_t *c) {
  (void)mrpb_fail(&c->err, "check: out of memory");
}

bool check_grow(check_t *c, void **array, uint32_t *room, size_t item) {
  uint32_t n = *room ? 2 * *room : 64;
  void *more = realloc(*array, n * item);
  if (!more || n < *room) {
    if (more) *array = more;
    check_no_memory(c);
    return false;
  }
  *array = more;
  *room = n;
  return true;
}

check_sm_t *check_sm(check_t *c, unsigned sm) {
  return &c->sm[sm];
}

void check_cycle(check_t *c, uint64_t now) {
  c->now = now;
}

const mrpb_err_t *check_failed(const check_t *c) {
  return c->err.text[0] ? &c->err : NULL;
}

const check_stats_t *check_stats(const check_t *c) {
  return &c->stats;
}

/* ---- stores ---------------------------------------------------------------- */

uint32_t check_new_store(check_t *c, uint32_t warp, uint32_t lanes, uint32_t pc) {
  if (c->n_stores == c->n_chunks * STORES_CHUNK) {
    store_t **more = realloc(c->stores, (c->n_chunks + 1) * sizeof(store_t *));
    if (more) c->stores = more;
    store_t *chunk = more ? malloc(STORES_CHUNK * sizeof *chunk) : NULL;
    if (!chunk || c->n_chunks + 1 > UINT32_MAX / STORES_CHUNK) {
      free(chunk);
      check_no_memory(c);
      return 0;
    }
    c->stores[c->n_chunks++] = chunk;
  }
  *check_store(c, c->n_stores) = (store_t){c->now, 0, warp, lanes, pc};
  return c->n_stores++;
}

void check_perform(check_t *c, uint32_t id) {
  check_store(c, id)->performed = ++c->performed;
}

check_text_t check_describe(const check_t *c, uint32_t id) {
  check_text_t t;
  const store_t *s = check_store(c, id);
  const warp_id_t *w = &c->warps[s->warp];
  if (id == 0)
    snprintf(t.text, sizeof t.text, "the initial contents");
  else if (s->warp == 0)
    snprintf(t.text, sizeof t.text, "the host's write before cycle %" PRIu64, s->cycle);
  else
    snprintf(t.text, sizeof t.text,
             "store #%" PRIu32 " (sm%u warp %u pc 0x%" PRIx32 " cycle %" PRIu64 "%s)", id, w->sm,
             w->warp, s->pc, s->cycle, s->performed ? "" : ", not performed");
  return t;
}

/* ---- quiet points ---------------------------------------------------------- */

/* Only one operation whose order does not matter has changed the byte: every one must be in it. */
static void compare_sum(check_t *c, const image_line_t *m, unsigned i, uint8_t has, uint32_t got) {
  if (has == m->last_byte[i] || !c->workload->ops->values) return;
  (void)mrpb_fail(&c->err,
                  "memory at 0x%" PRIx64 " ends with 0x%02x, but the atomics that issued make it "
                  "0x%02x; last there: %s",
                  m->line + i, has, m->last_byte[i], check_describe(c, got).text);
}

/* `m`, in the L2 as `d` (NULL: in the DRAM), holds the last store of every byte: the one issued
 * last, or another thread's that was performed after that. */
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

/* A line of the L2 that is not modified is what the DRAM holds. */
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

/* Of local memory the L1D may hold what was stored last; nobody will ever ask for it. */
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

/* What the host wrote since the last launch, in the DRAM and the L2. */
static void take_host_writes(check_t *c) {
  size_t lines = (size_t)c->cfg.slices * c->cfg.l2_lines;
  uint32_t id = check_new_store(c, 0, 0, 0);
  uint8_t now[LINE];
  check_perform(c, id);
  for (size_t i = 0; i < lines; i++) {
    check_data_t *d = c->l2_line[i];
    if (!d || !check_functional(c, d->line, now, LINE)) continue;
    const image_line_t *m = check_image(c, d->line);
    const uint8_t *was = m ? m->last_byte : d->byte;
    for (unsigned k = 0; k < LINE; k++) {
      if (now[k] == was[k]) continue;
      d->byte[k] = now[k];
      d->store[k] = m ? id : 0;
    }
  }
  for (uint32_t i = 0; i < c->room_image; i++) {
    image_line_t *m = c->image[i];
    if (!m || !check_functional(c, m->line, now, LINE)) continue;
    for (unsigned k = 0; k < LINE; k++) {
      if (now[k] == m->last_byte[k]) continue;
      m->byte[k] = m->last_byte[k] = now[k];
      m->store[k] = m->last_store[k] = id;
      c->stats.host_bytes++;
    }
  }
}

void check_launch(check_t *c, workload_t *w) {
  c->workload = w;
  if (c->launch++ == 0) return;
  compare_memory(c);
  take_host_writes(c);
}

void check_end(check_t *c) {
  compare_memory(c);
}

void check_dump(const check_t *c, FILE *out) {
  for (unsigned s = 0; s < c->cfg.sms; s++)
    for (unsigned w = 0; w < MAX_WARPS; w++)
      for (const check_load_t *l = c->sm[s].warp[w].loads; l; l = l->next)
        fprintf(out,
                "check: sm%u warp %u: load at pc 0x%" PRIx32 ", cycle %" PRIu64
                ": no data for lanes 0x%08" PRIx32 "\n",
                s, w, l->pc, l->cycle, check_pending(l));
}
