/* SPDX-License-Identifier: Apache-2.0 */
/* Checking mode as a whole: creation, stores, reports. See check.h. */
#include "gpu/check/check_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------- */

/* Creates the tables of one SM. */
static bool create_sm(check_t *c, unsigned i) {
  check_sm_t *s = &c->sm[i];
  s->check = c;
  s->id = i;
  s->line = calloc(c->cfg.l1d_lines + 1, sizeof(check_data_t *));
  s->entry = calloc(c->cfg.mshr_entries + 1, sizeof *s->entry);
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
  /* Number 0 of stores: the initial contents. Number 0 of warps: the host. */
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
    check_path_close(&c->sm[i]);
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

/* ---- reports -------------------------------------------------------------- */

void check_dump(const check_t *c, FILE *out) {
  for (unsigned s = 0; s < c->cfg.sms; s++)
    for (unsigned w = 0; w < MAX_WARPS; w++)
      for (const check_load_t *l = c->sm[s].warp[w].loads; l; l = l->next)
        fprintf(out,
                "check: sm%u warp %u: load at pc 0x%" PRIx32 ", cycle %" PRIu64
                ": no data for lanes 0x%08" PRIx32 "\n",
                s, w, l->pc, l->cycle, check_pending(l));
}
