/* SPDX-License-Identifier: Apache-2.0 */
/* The MSHR table or the PRT of an SM: the clocked modules of cmodel/, their Verilog, or both. */
#include "config/verilog_params.h"
#include "gpu/inorder/checked.h"
#include "gpu/inorder/dcache.h"
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/recorded.h"
#include "parts/offsets.h"
#include "parts/unit_direct.h"

#include <string.h>

int table_create(core_t *c, mrpb_err_t *err) {
  const config_t *cfg = &c->all->cfg;
  core_table_t *t = &c->table;
  const unit_choice_t none = {.sm = -1}, *choice = c->all->choice ? c->all->choice : &none;
  t->is_prt = cfg->table == DEVICE_TABLE_PRT;
  t->watched = choice->watch && choice->watch->sm == c->id;
  t->whole = t->used = t->watched || c->all->shown == (int)c->id;
  if (t->is_prt) {
    prt_cfg_t p = config_prt_params(cfg);
    p.CHECK = 1; /* so that a simulation refuses what hardware would not notice */
    t->in.prt.srst_ni = 1;
    return unit_open(&t->unit, &prt_class, (const uint32_t *)&p, choice, c->id, err);
  }
  mshr_cfg_t m = config_mshr_params(cfg);
  t->in.mshr.srst_ni = 1;
  return unit_open(&t->unit, &mshr_class, (const uint32_t *)&m, choice, c->id, err);
}

void table_destroy(core_t *c) {
  unit_close(&c->table.unit);
}

static void change_count(core_t *c, int by) {
  core_table_t *t = &c->table;
  t->count = (uint32_t)((int)t->count + by);
  if (t->count > c->all->stats.table_most) c->all->stats.table_most = t->count;
  if (by < 0) lsu_changed(c);
}

/* ---- MSHR table ------------------------------------------------------------ */

table_answer_t table_read(core_t *c, uint64_t line, uint32_t load, bool cached, uint32_t *entry) {
  core_table_t *t = &c->table;
  mshr_out_t out;
  t->in.mshr.req_addr_i = bits(line, SM_LINE_ADDR_W);
  t->in.mshr.req_data_i = load;
  unit_mshr_comb(&t->unit, &t->in.mshr, &out);
  if (!out.req_ready_o) return out.req_merge_o ? TABLE_ENTRY_FULL : TABLE_IS_FULL;
  *entry = (uint32_t)out.req_entry_o;
  t->in.mshr.req_valid_i = 1;
  t->used = true;
  if (out.req_merge_o) return TABLE_MERGED;
  t->line[*entry] = cached ? line : NEVER;
  change_count(c, 1);
  return TABLE_OK;
}

/* The data of the line's entry become out of date, in flight or draining. */
void table_store(core_t *c, uint64_t line) {
  core_table_t *t = &c->table;
  if (t->count == 0) return;
  t->in.mshr.store_valid_i = 1;
  t->in.mshr.store_addr_i = bits(line, SM_LINE_ADDR_W);
  t->used = true;
}

/* The line's place is reserved, or is found now. Ways are reserved only for a PRT, so there is a
 * free one. Data that are out of date stay in no line. */
static void fill_l1d(core_t *c, uint32_t entry) {
  const uint64_t line = c->table.line[entry];
  uint32_t place;
  mshr_out_t out;
  unit_mshr_comb(&c->table.unit, &c->table.in.mshr, &out);
  const tag_array_status_t status = tag_array_probe(c->l1d.tags, line, &place);
  if (out.fill_written_o) {
    if (status == TAGS_HIT_RESERVED) tag_array_evict(c->l1d.tags, place);
    return;
  }
  if (status == TAGS_MISS) dcache_reserve(c, place, line);
  tag_array_fill(c->l1d.tags, place);
  if (c->check) core_check_fill(c, entry, place);
}

void table_fill(core_t *c, uint32_t entry) {
  core_table_t *t = &c->table;
  t->in.mshr.fill_valid_i = 1;
  t->in.mshr.fill_entry_i = entry;
  t->used = true;
  t->filled = true;
  if (t->line[entry] != NEVER) fill_l1d(c, entry);
  lsu_changed(c);
}

void table_drain(core_t *c) {
  core_table_t *t = &c->table;
  mshr_out_t out;
  if (t->is_prt || !t->filled) return;
  unit_mshr_comb(&t->unit, &t->in.mshr, &out);
  t->filled = out.out_valid_o || t->in.mshr.fill_valid_i;
  if (!out.out_valid_o) return;
  t->in.mshr.out_ready_i = 1;
  t->used = true;
  if (out.out_last_o) change_count(c, -1);
  if (c->check)
    core_check_drain(c, (uint32_t)out.out_entry_o, (uint32_t)out.out_data_o, out.out_last_o != 0);
  if (c->all->requests) core_recorded_drain(c, (uint32_t)out.out_entry_o, (uint32_t)out.out_data_o);
  core_data(c, (uint32_t)out.out_data_o, 1);
}

/* ---- PRT ------------------------------------------------------------------- */

table_answer_t table_allocate(core_t *c, uint32_t load, uint32_t lanes,
                              const uint8_t offset[WARP_LANES], uint32_t *entry) {
  core_table_t *t = &c->table;
  prt_in_t *in = &t->in.prt;
  prt_out_t out;
  in->alloc_mask_i = lanes;
  in->alloc_tag_i = load;
  unit_prt_control(&t->unit, &t->in.prt, &out);
  if (!out.alloc_ready_o) return TABLE_IS_FULL;
  *entry = (uint32_t)out.alloc_entry_o;
  offsets_pack(in->alloc_offset_i, offset, lanes);
  in->alloc_valid_i = 1;
  t->used = true;
  change_count(c, 1);
  if (c->check) core_check_allocate(c, *entry, load);
  return TABLE_OK;
}

void table_send(core_t *c, uint32_t entry, uint32_t lanes) {
  prt_in_t *in = &c->table.in.prt;
  in->issue_valid_i = 1;
  in->issue_entry_i = entry;
  in->issue_mask_i = lanes;
  c->table.used = true;
}

void table_reply(core_t *c, uint32_t entry, uint32_t lanes) {
  core_table_t *t = &c->table;
  prt_out_t out;
  t->in.prt.reply_valid_i = 1;
  t->in.prt.reply_entry_i = entry;
  t->in.prt.reply_mask_i = lanes;
  t->used = true;
  unit_prt_control(&t->unit, &t->in.prt, &out);
  if (c->check && out.reply_ok_o) core_check_reply(c, entry, (uint32_t)out.reply_tag_o);
  if (c->all->requests && out.reply_ok_o) core_recorded_reply(c, entry, lanes);
  if (out.reply_ok_o) core_data(c, (uint32_t)out.reply_tag_o, 1);
  if (out.release_o) lsu_changed(c); /* room already in this cycle */
}

/* ---- the edge -------------------------------------------------------------- */

static void release(core_t *c) {
  core_table_t *t = &c->table;
  prt_out_t out;
  if (t->count == 0) return;
  unit_prt_control(&t->unit, &t->in.prt, &out);
  if (!out.release_o) return;
  change_count(c, -1);
  t->used = true;
}

/* The inputs of an idle cycle. */
static void rest(core_table_t *t) {
  memset(&t->in, 0, sizeof t->in);
  if (t->is_prt)
    t->in.prt.srst_ni = 1;
  else
    t->in.mshr.srst_ni = 1;
  t->used = true;
}

void table_catch_up(core_t *c, uint64_t to) {
  core_table_t *t = &c->table;
  for (; t->clocked < to; t->clocked++)
    if (unit_edge(&t->unit, (const uint64_t *)&t->in, c->all->err) != 0) c->all->failed = true;
}

/* The cycles since the last one were idle. They are before this one's inputs. */
static void before_edge(core_t *c) {
  core_table_t *t = &c->table;
  inorder_t *d = c->all;
  if (t->watched && t->clocked < d->now) {
    const core_table_t now = *t;
    rest(t);
    table_catch_up(c, d->now);
    t->in = now.in;
  }
  t->clocked = d->now + 1;
  if (d->hook && d->shown == (int)c->id) d->hook(d->hook_ctx, true, NULL);
}

void table_edge(core_t *c) {
  core_table_t *t = &c->table;
  mrpb_err_t *err = c->all->err;
  if (!t->used) return;
  if (t->is_prt) release(c);
  if (t->whole) before_edge(c);
  if (unit_edge(&t->unit, (const uint64_t *)&t->in, err) != 0) c->all->failed = true;
  if (t->is_prt) {
    t->in.prt.alloc_valid_i = t->in.prt.issue_valid_i = t->in.prt.reply_valid_i = 0;
    prt_out_t out;
    unit_prt_control(&t->unit, &t->in.prt, &out); /* in order: the next one may be done as well */
    t->used = t->count > 0 && out.release_o;
  } else {
    t->in.mshr.req_valid_i = t->in.mshr.fill_valid_i = 0;
    t->in.mshr.out_ready_i = t->in.mshr.store_valid_i = 0;
    t->used = false;
  }
  if (t->used || t->filled) core_soon(c, c->all->now + 1);
  if (t->whole) rest(t);
}
