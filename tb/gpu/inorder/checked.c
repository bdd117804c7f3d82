/* SPDX-License-Identifier: Apache-2.0 */
/* The data of an in-order SM, for the checking mode: docs/check.md. Ports say at once when data will
 * arrive, so they also give them at once: a read takes its bytes when it is requested, and a store is
 * performed when its line leaves for the memory. Otherwise requests and replies carry the data. */
#include "gpu/inorder/checked.h"
#include "gpu/inorder/dcache.h"

#include <stdlib.h>

enum { PRT_ENTRIES = 512 };

struct core_check {
  check_t *check;
  check_sm_t *sm;
  /* What each line of each instruction in the load/store unit writes. */
  check_data_t *(*writes)[COALESCER_LANES];
  unsigned room;
  check_data_t *issued[COALESCER_MOST]; /* the same of the instruction that is being issued */
  unsigned next;
  packet_t asked;             /* what ports have brought, and nobody has taken */
  uint32_t load[PRT_ENTRIES]; /* the load to which each entry was given */
};

int core_check_create(core_t *c, mrpb_err_t *err) {
  if (!c->all->check) return 0;
  core_check_t *k = c->check = calloc(1, sizeof *k);
  if (!k) return mrpb_fail(err, "cores: out of memory");
  k->check = c->all->check;
  k->sm = check_sm(k->check, c->id);
  for (uint32_t place = 0; place < c->l1d.places; place++) check_l1_drop(k->sm, place);
  return 0;
}

void core_check_destroy(core_t *c) {
  if (c->check) free(c->check->writes);
  free(c->check);
}

/* ---- warps ------------------------------------------------------------------- */

void core_check_start(core_t *c, unsigned w) {
  check_warp_starts(c->check->sm, w, c->block[c->warp[w].block].number);
}

void core_check_end(core_t *c, unsigned w) {
  check_warp_ends(c->check->sm, w);
}

/* The register whose bytes are checked; 0: none. Those of textures are not, but they fill lines. */
static unsigned reg_of(const core_load_t *l) {
  return l->inst->space == WARP_TEX ? 0 : l->inst->dst[0];
}

/* ---- issue ------------------------------------------------------------------- */

/* The lines in the order of the passes and within each as lsu.c has them. */
void core_check_issue(core_t *c, unsigned w, const warp_inst_t *i, const uint64_t addr[WARP_LANES],
                      uint32_t mask) {
  core_check_t *k = c->check;
  coalesced_t t[COALESCER_MOST];
  uint64_t at[WARP_LANES];
  unsigned n = 0;
  for (unsigned part = 0; part < warp_inst_parts(i); part++) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      at[lane] = addr[lane] + (uint64_t)part * WARP_LOCAL_STEP;
    n += lsu_lines(c, i, at, mask, t + n);
  }
  for (unsigned line = 0; line < n; line++) k->issued[line] = NULL;
  k->next = 0;
  if (i->space != WARP_TEX)
    check_issue(k->sm, w, c->warp[w].stream, i, addr, mask, t, n, k->issued);
}

static unsigned number_of(const core_t *c, const core_inst_t *x) {
  return (unsigned)(x - c->lsu.pool);
}

void core_check_pass(core_t *c, const core_inst_t *x) {
  core_check_t *k = c->check;
  const unsigned number = number_of(c, x);
  if (number >= k->room) {
    const unsigned room = number + CORE_INSTS;
    void *more = realloc(k->writes, room * sizeof *k->writes);
    if (!more) {
      check_broken(k->sm, "out of memory");
      return;
    }
    k->writes = more;
    k->room = room;
  }
  for (unsigned line = 0; line < x->n; line++) k->writes[number][line] = k->issued[k->next++];
}

/* ---- the memory -------------------------------------------------------------- */

/* The load to which the line belongs; NULL if nothing waits for its bytes: a store, or an atomic,
 * whose value is not checked. */
static const core_load_t *load_of(const core_t *c, const core_inst_t *x) {
  return x->load == CORE_NONE || x->atomic ? NULL : &c->load[x->load];
}

/* An MSHR entry serves every read of the line that merges, so its data are the whole line. */
void core_check_ask(core_t *c, const core_inst_t *x, unsigned k, unsigned sectors, packet_t *p) {
  core_check_t *check = c->check;
  if (x->load == CORE_NONE || x->atomic) {
    check_data_t **d = &check->writes[number_of(c, x)][k];
    p->data = *d;
    *d = NULL;
  } else {
    if (!c->table.is_prt) sectors = CORE_ALL_SECTORS;
    p->data = check_wanted(check->check, p->addr, sectors);
  }
  if (!c->all->ports) return;
  check_drop(check->sm, &check->asked);
  check_at_once(check->check, p);
  check->asked.data = p->data;
  p->data = NULL;
}

void core_check_bring(core_t *c, const event_t *v, const packet_t *p, unsigned sectors,
                      bool fetched) {
  core_check_t *check = c->check;
  if (!p->data || p->atomic) return;
  if (v->kind == EVENT_FILL) check_sectors_entry(check->sm, v->id, p->data);
  if (v->kind != EVENT_REPLY && v->kind != EVENT_DATA) return;
  const uint32_t id = v->kind == EVENT_DATA ? v->id : check->load[v->id % PRT_ENTRIES];
  const core_load_t *l = &c->load[id];
  if (l->parts > 0) check_sectors_arrive(check->sm, l->warp, reg_of(l), p->data, sectors, fetched);
}

void core_check_bring_line(core_t *c, uint32_t place, const packet_t *p, unsigned sectors) {
  if (p->data && !p->atomic && sectors) check_sectors_fill(c->check->sm, place, p->data, sectors);
}

void core_check_update(core_t *c, const core_inst_t *x, unsigned k, uint32_t place) {
  const check_data_t *d = c->check->writes[number_of(c, x)][k];
  if (d) check_sectors_fill(c->check->sm, place, d, CORE_ALL_SECTORS);
}

static uint64_t line_at(const core_inst_t *x, unsigned k) {
  return x->line[k].addr & ~(uint64_t)(CORE_LINE - 1);
}

static void hit(core_t *c, const core_inst_t *x, unsigned k, uint32_t place) {
  const core_load_t *l = load_of(c, x);
  if (l) check_l1_hit(c->check->sm, place, l->warp, reg_of(l), line_at(x, k), CORE_LINE);
}

void core_check_forget(core_t *c, uint32_t place) {
  check_l1_drop(c->check->sm, place);
}

/* ---- MSHR table -------------------------------------------------------------- */

static void wait(core_t *c, const core_inst_t *x, unsigned k, uint32_t entry, bool first) {
  const core_check_t *check = c->check;
  const core_load_t *l = load_of(c, x);
  if (!l) return;
  check_l1_wait(check->sm, entry, first, l->warp, reg_of(l), line_at(x, k), CORE_LINE);
  if (first && check->asked.data) check_sectors_entry(check->sm, entry, check->asked.data);
}

void core_check_drain(core_t *c, uint32_t entry, uint32_t load, bool last) {
  if (load >= CORE_LOADS || c->load[load].parts == 0) {
    check_broken(c->check->sm, "the MSHR table answers load %u, which is not outstanding", load);
    return;
  }
  const core_load_t *l = &c->load[load];
  if (!l->inst->atomic) check_l1_drain(c->check->sm, entry, l->warp, reg_of(l), last);
}

void core_check_fill(core_t *c, uint32_t entry, uint32_t place) {
  check_l1_fill(c->check->sm, entry, place);
}

/* ---- PRT --------------------------------------------------------------------- */

void core_check_enter(core_t *c, const core_inst_t *x) {
  uint32_t place;
  for (unsigned k = 0; k < x->n; k++)
    if (!(x->line[k].lanes & x->missing) &&
        dcache_has(c, x->line[k].addr >> CORE_LINE_LOG2, &place))
      hit(c, x, k, place);
}

/* Line `k` gets the data of `place`: with what ports have brought for it; without what replies will
 * bring. */
static void take(core_t *c, const core_inst_t *x, unsigned k, uint32_t place) {
  const core_check_t *check = c->check;
  const core_load_t *l = load_of(c, x);
  if (!l) return;
  if (check->asked.data) check_sectors_fill(check->sm, place, check->asked.data, CORE_ALL_SECTORS);
  for (unsigned s = 0; s < CORE_SECTORS; s++)
    if (x->sectors[k] >> s & 1 && c->l1d.line[place].when[s] != NEVER)
      check_l1_hit(check->sm, place, l->warp, reg_of(l), line_at(x, k) + s * CORE_SECTOR,
                   CORE_SECTOR);
}

static void take_past(core_t *c, const core_inst_t *x) {
  const core_check_t *check = c->check;
  const core_load_t *l = load_of(c, x);
  if (l && check->asked.data)
    check_sectors_arrive(check->sm, l->warp, reg_of(l), check->asked.data, CORE_ALL_SECTORS, false);
}

void core_check_allocate(core_t *c, uint32_t entry, uint32_t load) {
  if (entry < PRT_ENTRIES) c->check->load[entry] = load;
}

void core_check_reply(core_t *c, uint32_t entry, uint32_t load) {
  if (entry >= PRT_ENTRIES || c->check->load[entry] != load)
    check_broken(c->check->sm, "PRT entry %u answers load %u, to which it was not given", entry,
                 load);
}

/* ---- both -------------------------------------------------------------------- */

void core_check_leave(core_t *c, const core_inst_t *x, unsigned k, leave_t leave) {
  switch (leave.how) {
  case LEAVE_HIT:
    hit(c, x, k, leave.to);
    break;
  case LEAVE_FIRST:
  case LEAVE_MERGED:
    wait(c, x, k, leave.to, leave.how == LEAVE_FIRST);
    break;
  case LEAVE_LINE:
    take(c, x, k, leave.to);
    break;
  case LEAVE_PAST:
    take_past(c, x);
    break;
  case LEAVE_NOT:
  case LEAVE_DONE:
    break;
  }
  check_drop(c->check->sm, &c->check->asked);
}

void core_check_refused(core_t *c) {
  const config_t *cfg = &c->all->cfg;
  const bool prt = c->table.is_prt;
  check_refused(c->check->sm, prt ? "PRT" : "MSHR table", c->table.count,
                prt ? cfg->prt_loads : cfg->mshr_entries);
}

bool core_check_data(core_t *c, uint32_t id, uint32_t n) {
  const core_load_t *l = id < CORE_LOADS ? &c->load[id] : NULL;
  if (!l || l->parts < n) {
    check_broken(c->check->sm, "load %u is answered more often than it has asked", id);
    return false;
  }
  if (l->parts == n && !l->inst->atomic) check_load_ends(c->check->sm, l->warp, reg_of(l));
  return true;
}
