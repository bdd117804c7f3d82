/* SPDX-License-Identifier: Apache-2.0 */
/* tags: crosses. */
#include "cosim/cross/cross.h"

#include "tags.h"

enum { DECISION, FILL, STAGES };
enum { HERE, AWAITED, INVALID, REPLACE, FULL };

static const cross_t crosses[] = {
    [DECISION] = {"decision",
                  "the answer and what is decided on it",
                  {{"answer", {"hit", "pending", "miss invalid", "miss valid", "full"}},
                   {"decision", {"none", "touch", "evict", "reserve", "reserve with others"}},
                   {"behind it", {"none", "the same line", "another line"}}}},
    [FILL] = {"fill",
              "a fill beside an answer",
              {{"place", {"of the answer", "of its set", "of another set"}},
               {"answer", {"hit", "pending", "miss invalid", "miss valid", "full"}},
               {"fill", {"good", "ignored"}}}},
    [STAGES] = {"stages",
                "the decisions that the reading of the tags has not seen",
                {{"now", {"none of the set", "of the line", "of another line"}},
                 {"before", {"none of the set", "of the line", "of another line"}}}},
};

static const cross_gap_t gaps[] = {
    {"fill", "of the answer, hit|miss invalid|miss valid, good",
     "the answer's place is not reserved"},
    {"fill", "of the answer, pending, ignored", "the answer's place is reserved"},
    {"fill", "of the answer, full, *", "a full set gives no place"},
    {"fill", "of its set, full, ignored", "every place of the set is reserved"},
};

static uint32_t set_of(const cross_cycle_t *c, uint64_t x) {
  const tags_cfg_t *p = tags_sizes(c->cfg);
  if (p->HASH) {
    const uint64_t upper = (x >> 6 & 7) | (x >> 10 & 1) << 3 | (x >> 12 & 1) << 4;
    x = ((x ^ upper) & 31) | (p->SETS > 32 ? x & 32 : 0);
  }
  return (uint32_t)(x % p->SETS);
}

static int8_t answer(const cross_cycle_t *c, uint32_t set) {
  const tags_regs_t *r = tags_regs(c->model);
  const tags_out_t *o = (const tags_out_t *)(const void *)c->out;
  const uint32_t used = r->valid_q[set] | r->reserved_q[set];
  if (o->hit_o) return HERE;
  if (o->pending_o) return AWAITED;
  if (o->full_o) return FULL;
  return used == bits_mask(tags_sizes(c->cfg)->WAYS) ? REPLACE : INVALID;
}

static int8_t decision(const tags_in_t *i) {
  if (i->reserve_i) return i->touch_i || i->evict_i ? 4 : 3;
  return i->evict_i ? 2 : i->touch_i ? 1 : 0;
}

static void stages(const cross_cycle_t *c, int8_t value[CROSS_AXES]) {
  const tags_regs_t *r = tags_regs(c->model);
  const tags_in_t *i = (const tags_in_t *)(const void *)c->in;
  const tags_out_t *o = (const tags_out_t *)(const void *)c->out;
  const uint64_t line = r->d_line_q;
  const uint32_t set = set_of(c, line);
  const bool reserve = r->a_valid_q && i->reserve_i && !o->pending_o && !o->full_o;
  const bool now = reserve && set_of(c, r->a_line_q) == set;
  const bool before = r->last_valid_q && set_of(c, r->last_line_q) == set;
  value[0] = !now ? 0 : r->a_line_q == line ? 1 : 2;
  value[1] = !before ? 0 : r->last_line_q == line ? 1 : 2;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const tags_regs_t *r = tags_regs(c->model);
  const tags_in_t *i = (const tags_in_t *)(const void *)c->in;
  const tags_out_t *o = (const tags_out_t *)(const void *)c->out;
  const uint32_t ways = tags_sizes(c->cfg)->WAYS, sets = tags_sizes(c->cfg)->SETS;
  if (!i->srst_ni) return;
  if (r->d_valid_q) stages(c, value[STAGES]);
  if (!r->a_valid_q) return;
  const uint32_t set = set_of(c, r->a_line_q);
  value[DECISION][0] = answer(c, set);
  value[DECISION][1] = decision(i);
  value[DECISION][2] = !r->d_valid_q ? 0 : r->d_line_q == r->a_line_q ? 1 : 2;
  if (!i->fill_valid_i || i->fill_place_i >= sets * ways) return;
  const uint32_t at = (uint32_t)i->fill_place_i / ways, way = (uint32_t)i->fill_place_i % ways;
  value[FILL][0] = i->fill_place_i == o->place_o && !o->full_o ? 0 : at == set ? 1 : 2;
  value[FILL][1] = answer(c, set);
  value[FILL][2] = !(r->reserved_q[at] >> way & 1);
}

const cross_class_t cross_tags = {.stem = "tags",
                                  .n = sizeof crosses / sizeof *crosses,
                                  .n_gaps = sizeof gaps / sizeof *gaps,
                                  .crosses = crosses,
                                  .gaps = gaps,
                                  .sample = sample};
