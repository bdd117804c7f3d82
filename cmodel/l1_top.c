/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_top_priv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ID_BITS = L1_TOP_ID_W, EVENTS = 8, WORDS_OF_LANES = 16 };

typedef l1_top_parity_t parity_t;

/* The inputs and outputs of all parts in a cycle, and what the top decides itself. */
typedef struct {
#define PART(stem, inst)                                                                           \
  stem##_in_t inst##_in;                                                                           \
  stem##_out_t inst;
  PARTS(PART)
#undef PART
  bool sent, store_ends, store_enters, barrier, may_enter;
  uint64_t write, warp, block, block_warp, entry; /* fields of the coalescer's out_info_o */
} wires_t;

#define COMB(stem, inst) stem##_comb(self->inst, &w->inst##_in, &w->inst)

static parity_t parity_of(const l1_top_t *self) {
  parity_t p = {.state = (uint16_t)(self->r.store_open_q << EVENTS)};
  for (unsigned e = 0; e < EVENTS; e++) p.state |= (uint16_t)(bits_odd(self->r.event_q[e]) << e);
  for (uint32_t s = 0; s < self->cfg.STORES; s++)
    p.warp |= (uint32_t)bits_odd(self->r.store_warp_q[s]) << s;
  return p;
}

static void parity_edge(l1_top_t *self) {
  const parity_t now = parity_of(self);
  self->parity->state = now.state;
  self->parity->warp = now.warp;
}

static void reset(l1_top_t *self) {
  memset(&self->r, 0, sizeof self->r);
  if (self->parity) parity_edge(self);
}

int l1_top_create(l1_top_t **self, const l1_top_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (l1_top_check(cfg, err)) return -1;
  l1_top_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "l1_top: out of memory");
  made->cfg = *cfg;
  if (l1_top_parts_create(made, err)) {
    l1_top_destroy(made);
    return -1;
  }
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    l1_top_destroy(made);
    return mrpb_fail(err, "l1_top: out of memory");
  }
  reset(made);
  *self = made;
  return 0;
}

void l1_top_destroy(l1_top_t *self) {
  if (!self) return;
  l1_top_parts_destroy(self);
  free(self->parity);
  free(self);
}

static void l1_top_copy(l1_top_t *to, const l1_top_t *from) {
  l1_top_parts_copy(to, from);
  to->r = from->r;
  if (to->parity) *to->parity = *from->parity;
}

/* ---- a cycle -------------------------------------------------------------------------------- */

/* Outputs that depend on registers only, of the parts that are asked again below. */
static void registers(const l1_top_t *self, wires_t *w) {
  COMB(coalescer, u_coalescer);
  COMB(mrpb, u_mrpb);
  COMB(store_buffer, u_store_buffer);
  COMB(tags, u_tags);
  COMB(mshr, u_mshr);
  COMB(mshr, u_bypass);
  COMB(reg_fifo, u_read);
  COMB(reg_fifo, u_miss);
  COMB(reg_fifo, u_flight);
  COMB(axi_port, u_axi);
  COMB(line_data, u_data);
  COMB(l1_reply, u_reply);
  const uint64_t info = w->u_coalescer.out_info_o;
  w->entry = bits(info, self->prt_w);
  w->block_warp = bits(info >> self->prt_w, ID_BITS);
  w->block = bits(info >> (self->prt_w + ID_BITS), ID_BITS);
  w->warp = bits(info >> (self->prt_w + 2 * ID_BITS), ID_BITS);
  w->write = bits(info >> (self->prt_w + 3 * ID_BITS), 1);
}

/* From the lines that have been read to the core: backwards, as the handshakes go. */
static void answer_core(const l1_top_t *self, const l1_top_in_t *in, wires_t *w) {
  const uint32_t lanes = self->cfg.LANES;
  w->u_response_in.out_ready_i = in->out_ready_i;
  COMB(reg_fifo, u_response);
  w->u_align_in.out_ready_i = w->u_response.in_ready_o;
  COMB(line_align, u_align);
  const bool start = w->u_reply.out_valid_o && w->u_align.in_ready_o;
  const uint64_t entry = bits(w->u_reply.entry_o, self->prt_w);
  w->u_lane_table_in.read_valid_i = w->u_prt_in.reply_valid_i = start;
  w->u_lane_table_in.read_entry_i = w->u_prt_in.reply_entry_i = entry;
  w->u_lane_table_in.read_number_i = w->u_reply.number_o;
  COMB(lane_table, u_lane_table);
  w->u_prt_in.reply_mask_i = w->u_lane_table.read_lanes_o;
  w->u_prt_in.alloc_mask_i = in->in_mask_i;
  w->u_prt_in.alloc_tag_i = in->in_tag_i << ID_BITS | in->in_warp_i;
  memcpy(w->u_prt_in.alloc_offset_i, in->in_word_i, sizeof in->in_word_i);
  COMB(prt, u_prt);
  w->u_align_in.in_valid_i = w->u_reply.out_valid_o;
  w->u_align_in.in_mask_i = w->u_lane_table.read_lanes_o;
  w->u_align_in.in_info_i = w->u_prt.last_o << (self->cfg.TAG_W + ID_BITS) | w->u_prt.reply_tag_o;
  memcpy(w->u_align_in.in_word_i, w->u_prt.reply_offset_o, sizeof w->u_align_in.in_word_i);
  memcpy(w->u_align_in.in_line_i, w->u_data.data_o, sizeof w->u_data.data_o);
  COMB(line_align, u_align);
  w->u_response_in.in_valid_i = w->u_align.out_valid_o;
  uint64_t *data = w->u_response_in.in_data_i;
  memcpy(data, w->u_align.out_data_o, sizeof w->u_align.out_data_o);
  words_put(data, 32 * lanes, lanes, w->u_align.out_mask_o);
  words_put(data, 33 * lanes, 1 + self->cfg.TAG_W + ID_BITS, w->u_align.out_info_o);
  COMB(reg_fifo, u_response);
}

/* What comes from memory, and which line is read next. */
static void from_memory(const l1_top_t *self, const l1_top_in_t *in, wires_t *w) {
  w->u_fill_in.r_valid_i = in->r_valid_i;
  w->u_fill_in.r_id_i = in->r_id_i;
  w->u_fill_in.r_last_i = in->r_last_i;
  memcpy(w->u_fill_in.r_data_i, in->r_data_i, sizeof in->r_data_i);
  w->u_fill_in.drain_entry_i = w->u_mshr.out_entry_o;
  COMB(line_fill, u_fill);
  l1_reply_in_t *r = &w->u_reply_in;
  r->read_valid_i = w->u_read.out_valid_o;
  r->read_data_i = w->u_read.out_data_o[0];
  r->mshr_valid_i = w->u_mshr.out_valid_o;
  r->mshr_data_i = w->u_mshr.out_data_o;
  r->mshr_place_i = w->u_fill.drain_place_o;
  r->mshr_last_i = w->u_mshr.out_last_o;
  r->bypass_valid_i = w->u_bypass.out_valid_o;
  r->bypass_data_i = w->u_bypass.out_data_o;
  r->bypass_entry_i = w->u_bypass.out_entry_o;
  r->out_ready_i = w->u_align.in_ready_o;
  r->line_done_i = w->u_align.line_done_o;
  COMB(l1_reply, u_reply);
  w->u_data_in.read_valid_i = w->u_reply.data_read_o;
  w->u_data_in.read_place_i = w->u_reply.data_place_o;
  w->u_data_in.write_valid_i = w->u_fill.write_valid_o;
  w->u_data_in.write_place_i = w->u_fill.write_place_o;
  w->u_data_in.write_beat_i = w->u_fill.write_beat_o;
  memcpy(w->u_data_in.write_data_i, w->u_fill.write_data_o, sizeof w->u_fill.write_data_o);
}

/* What the control sees of the presented request and of the tags. */
static void ask_control(const l1_top_t *self, const l1_top_in_t *in, wires_t *w) {
  const l1_top_cfg_t *c = &self->cfg;
  const uint64_t data = w->u_mrpb.out_data_o;
  l1_control_in_t *i = &w->u_control_in;
  i->req_valid_i = w->u_mrpb.out_valid_o;
  i->req_write_i = w->u_mrpb.out_write_o;
  i->req_line_i = bits(data, c->ADDR_W);
  i->req_entry_i = bits(data >> c->ADDR_W, self->entry_w);
  i->req_number_i = bits(data >> (c->ADDR_W + self->entry_w), self->number_w);
  i->req_sectors_i = bits(data >> (c->ADDR_W + self->req_w), c->SECTORS);
  i->byp_valid_i = w->u_mrpb.byp_valid_o;
  i->hit_i = w->u_tags.hit_o;
  i->pending_i = w->u_tags.pending_o;
  i->have_i = w->u_tags.have_o;
  i->full_i = w->u_tags.full_o;
  i->place_i = w->u_tags.place_o;
  i->read_ready_i = w->u_read.in_ready_o;
  i->miss_ready_i = w->u_miss.in_ready_o;
  i->flush_i = in->flush_i;
  COMB(l1_control, u_control);
}

static bool idle(const wires_t *w) {
  return w->u_coalescer.idle_o && !w->u_mrpb.held_o && w->u_store_buffer.empty_o &&
         !w->u_prt.count_o && !w->u_mshr.count_o && !w->u_bypass.count_o &&
         !w->u_read.out_valid_o && !w->u_miss.out_valid_o && !w->u_flight.out_valid_o &&
         w->u_axi.idle_o && w->u_reply.idle_o && !w->u_align.out_valid_o &&
         !w->u_response.out_valid_o;
}

/* The tables answer the control, which then decides. */
static void decide(const l1_top_t *self, wires_t *w) {
  l1_control_in_t *i = &w->u_control_in;
  const l1_control_out_t *o = &w->u_control;
  w->u_mshr_in.req_addr_i = w->u_mshr_in.store_addr_i = w->u_bypass_in.store_addr_i =
      o->mshr_line_o;
  w->u_mshr_in.req_data_i = o->mshr_data_o;
  w->u_mshr_in.out_ready_i = w->u_reply.mshr_ready_o;
  w->u_mshr_in.fill_valid_i = w->u_fill.fill_valid_o;
  w->u_mshr_in.fill_entry_i = bits(w->u_fill.fill_entry_o, bits_index_w(self->cfg.MSHRS));
  COMB(mshr, u_mshr);
  w->u_bypass_in.req_addr_i = o->bypass_line_o;
  w->u_bypass_in.req_data_i = o->bypass_data_o;
  w->u_bypass_in.out_ready_i = w->u_reply.bypass_ready_o;
  w->u_bypass_in.fill_valid_i = w->u_fill.bypass_fill_valid_o;
  w->u_bypass_in.fill_entry_i = bits(w->u_fill.fill_entry_o, bits_index_w(self->cfg.BYPASSES));
  COMB(mshr, u_bypass);
  w->u_flight_in.find_i = o->find_line_o;
  COMB(reg_fifo, u_flight);
  w->u_read_in.find_i = w->u_tags.place_o;
  COMB(reg_fifo, u_read);
  i->mshr_ready_i = w->u_mshr.req_ready_o;
  i->mshr_merge_i = w->u_mshr.req_merge_o;
  i->mshr_entry_i = w->u_mshr.req_entry_o;
  i->mshr_store_hit_i = w->u_mshr.store_hit_o;
  i->bypass_ready_i = w->u_bypass.req_ready_o;
  i->bypass_entry_i = w->u_bypass.req_entry_o;
  i->bypass_store_hit_i = w->u_bypass.store_hit_o;
  i->find_i = w->u_flight.find_o;
  i->flight_ready_i = w->u_flight.in_ready_o;
  i->read_find_i = w->u_read.find_o;
  i->idle_i = idle(w);
  COMB(l1_control, u_control);
}

/* The decision goes to the tables and queues. */
static void spread(const l1_top_t *self, wires_t *w) {
  const l1_control_out_t *o = &w->u_control;
  const uint64_t warp =
      o->send_entry_o < self->cfg.STORES ? self->r.store_warp_q[o->send_entry_o] : 0;
  w->u_mshr_in.req_valid_i = o->mshr_valid_o;
  w->u_bypass_in.req_valid_i = o->bypass_valid_o;
  w->u_tags_in.look_valid_i = o->look_valid_o;
  w->u_tags_in.look_line_i = o->look_line_o;
  w->u_tags_in.touch_i = o->touch_o;
  w->u_tags_in.reserve_i = o->reserve_o;
  w->u_tags_in.reserve_sectors_i = o->reserve_sectors_o;
  w->u_tags_in.evict_i = o->evict_o;
  w->u_tags_in.clear_i = o->clear_o;
  w->u_tags_in.fill_valid_i = w->u_reply.release_valid_o;
  w->u_tags_in.fill_place_i = w->u_reply.release_place_o;
  w->u_flight_in.in_valid_i = o->send_valid_o;
  w->u_flight_in.in_data_i[0] = warp << self->cfg.ADDR_W | o->mshr_line_o;
  w->u_read_in.in_valid_i = o->read_valid_o;
  w->u_read_in.in_data_i[0] = o->read_data_o;
  w->u_read_in.out_ready_i = w->u_reply.read_ready_o;
  w->u_miss_in.in_valid_i = o->miss_valid_o;
  w->u_miss_in.in_data_i[0] = o->miss_data_o;
  w->u_fill_in.start_valid_i = o->start_valid_o;
  w->u_fill_in.start_id_i = o->start_id_o;
  w->u_fill_in.start_place_i = o->start_place_o;
  w->u_fill_in.start_beat_i = o->start_beat_o;
}

static void to_memory(const l1_top_t *self, const l1_top_in_t *in, wires_t *w) {
  axi_port_in_t *a = &w->u_axi_in;
  a->req_valid_i = w->u_miss.out_valid_o;
  a->req_data_i = w->u_miss.out_data_o[0];
  a->ar_ready_i = in->ar_ready_i;
  a->aw_ready_i = in->aw_ready_i;
  a->w_ready_i = in->w_ready_i;
  w->u_store_buffer_in.beat_entry_i = w->u_axi.beat_entry_o;
  w->u_store_buffer_in.beat_number_i = w->u_axi.beat_number_o;
  COMB(store_buffer, u_store_buffer);
  memcpy(a->beat_data_i, w->u_store_buffer.beat_data_o, sizeof a->beat_data_i);
  memcpy(a->beat_strobe_i, w->u_store_buffer.beat_strobe_o, sizeof a->beat_strobe_i);
  COMB(axi_port, u_axi);
  w->u_miss_in.out_ready_i = w->u_axi.req_ready_o;
  w->u_flight_in.out_ready_i = in->b_valid_i;
  w->u_store_buffer_in.free_valid_i = w->u_axi.free_valid_o;
  w->u_store_buffer_in.free_entry_i = w->u_axi.free_entry_o;
}

/* The offered request or barrier enters the MRPB, which has the answer to an earlier one. */
static void into_mrpb(const l1_top_t *self, const l1_top_in_t *in, wires_t *w) {
  const l1_top_cfg_t *c = &self->cfg;
  const coalescer_out_t *o = &w->u_coalescer;
  const bool offer = o->out_valid_o && (!w->write || w->u_store_buffer.put_ready_o);
  const uint64_t entry = w->write ? w->u_store_buffer.put_entry_o : w->entry;
  mrpb_in_t *i = &w->u_mrpb_in;
  w->barrier = in->barrier_valid_i && o->idle_o;
  i->in_valid_i = offer || w->barrier;
  i->in_kind_i = w->barrier ? MRPB_KIND_BARRIER : w->write;
  i->in_warp_i = w->warp;
  i->in_block_i = w->barrier ? in->barrier_block_i : w->block;
  i->in_block_warp_i = w->block_warp;
  i->in_data_i = o->out_sectors_o << (self->req_w + c->ADDR_W) |
                 o->out_number_o << (self->entry_w + c->ADDR_W) | entry << c->ADDR_W |
                 o->out_line_o;
  i->l1_answer_i = w->u_control.answer_o;
  i->byp_ready_i = w->u_control.byp_ready_o;
  COMB(mrpb, u_mrpb);
  w->sent = offer && w->u_mrpb.in_ready_o;
  w->store_ends = w->sent && w->write && o->out_last_o;
  w->u_coalescer_in.out_ready_i = w->sent;
  const bool load = w->sent && !w->write;
  w->u_prt_in.issue_valid_i = w->u_lane_table_in.write_valid_i = load;
  w->u_prt_in.issue_entry_i = w->u_lane_table_in.write_entry_i = w->entry;
  w->u_prt_in.issue_mask_i = w->u_lane_table_in.write_lanes_i = o->out_lanes_o;
  w->u_lane_table_in.write_number_i = o->out_number_o;
  w->u_lane_table_in.write_first_i = o->out_first_o;
  w->u_store_buffer_in.put_valid_i = w->sent && w->write;
  w->u_store_buffer_in.put_lanes_i = o->out_lanes_o;
}

/* Whether the instruction is taken, and by whom. */
static void into_coalescer(const l1_top_t *self, const l1_top_in_t *in, wires_t *w) {
  store_buffer_in_t *s = &w->u_store_buffer_in;
  memcpy(s->lanes_word_i, in->in_word_i, sizeof s->lanes_word_i);
  memcpy(s->lanes_data_i, in->in_data_i, sizeof s->lanes_data_i);
  memcpy(s->lanes_bytes_i, in->in_bytes_i, sizeof s->lanes_bytes_i);
  COMB(store_buffer, u_store_buffer);
  const bool closed = !self->r.store_open_q || w->store_ends;
  const bool room =
      in->in_write_i ? w->u_store_buffer.lanes_ready_o && closed : w->u_prt.alloc_ready_o;
  w->may_enter =
      !in->flush_i && (!in->barrier_valid_i || w->u_coalescer.idle_o) && (!in->in_mask_i || room);
  coalescer_in_t *i = &w->u_coalescer_in;
  i->in_valid_i = in->in_valid_i && w->may_enter;
  i->in_mask_i = in->in_mask_i;
  i->in_split_i = in->in_split_i;
  i->in_info_i = ((in->in_write_i << ID_BITS | in->in_warp_i) << 2 * ID_BITS |
                  in->in_block_i << ID_BITS | in->in_block_warp_i)
                     << self->prt_w |
                 w->u_prt.alloc_entry_o;
  memcpy(i->in_line_i, in->in_line_i, sizeof i->in_line_i);
  memcpy(i->in_word_i, in->in_word_i, sizeof i->in_word_i);
  COMB(coalescer, u_coalescer);
  const bool enters = i->in_valid_i && w->u_coalescer.in_ready_o && in->in_mask_i;
  w->store_enters = enters && in->in_write_i;
  w->u_prt_in.alloc_valid_i = enters && !in->in_write_i;
  s->lanes_valid_i = w->store_enters;
}

static void evaluate(const l1_top_t *self, const l1_top_in_t *in, wires_t *w) {
  memset(w, 0, sizeof *w);
#define PART(stem, inst) w->inst##_in.srst_ni = in->srst_ni;
  PARTS(PART)
#undef PART
  registers(self, w);
  answer_core(self, in, w);
  from_memory(self, in, w);
  ask_control(self, in, w);
  decide(self, w);
  spread(self, w);
  to_memory(self, in, w);
  into_mrpb(self, in, w);
  into_coalescer(self, in, w);
}

/* Errors of the parts, now that all their inputs are known; and those of the top. */
static bool error(const l1_top_t *self, wires_t *w) {
  if (!self->parity) return false;
  bool any = false;
#define PART(stem, inst)                                                                           \
  COMB(stem, inst);                                                                                \
  any |= w->inst.error_o;
  PARTS(PART)
#undef PART
  const parity_t now = parity_of(self);
  const uint64_t sent = w->u_control.send_entry_o;
  const bool warp = w->u_control.send_valid_o && sent < self->cfg.STORES &&
                    ((now.warp ^ self->parity->warp) >> sent & 1);
  return any || warp || now.state != self->parity->state;
}

static void out_core(const l1_top_t *self, const wires_t *w, l1_top_out_t *out) {
  const uint32_t lanes = self->cfg.LANES;
  const uint64_t *data = w->u_response.out_data_o;
  out->in_ready_o = w->u_coalescer.in_ready_o && w->may_enter;
  out->barrier_ready_o = w->barrier && w->u_mrpb.in_ready_o;
  out->out_valid_o = w->u_response.out_valid_o;
  for (unsigned k = 0; k < WORDS_OF_LANES; k++)
    if (64 * k < 32 * lanes)
      out->out_data_o[k] = words_get(data, 64 * k, 64 * k + 64 <= 32 * lanes ? 64 : 32);
  out->out_mask_o = words_get(data, 32 * lanes, lanes);
  out->out_warp_o = words_get(data, 33 * lanes, ID_BITS);
  out->out_tag_o = words_get(data, 33 * lanes + ID_BITS, self->cfg.TAG_W);
  out->out_last_o = words_get(data, 33 * lanes + ID_BITS + self->cfg.TAG_W, 1);
  out->stored_valid_o = w->u_flight_in.out_ready_i && w->u_flight.out_valid_o;
  if (out->stored_valid_o) out->stored_warp_o = w->u_flight.out_data_o[0] >> self->cfg.ADDR_W;
  out->flush_done_o = w->u_control.flush_done_o;
}

static void out_memory(const wires_t *w, l1_top_out_t *out) {
  const axi_port_out_t *a = &w->u_axi;
  out->ar_valid_o = a->ar_valid_o;
  out->ar_id_o = a->ar_id_o;
  out->ar_addr_o = a->ar_addr_o;
  out->ar_len_o = a->ar_len_o;
  out->r_ready_o = w->u_fill.r_ready_o;
  out->aw_valid_o = a->aw_valid_o;
  out->aw_addr_o = a->aw_addr_o;
  out->aw_len_o = a->aw_len_o;
  out->w_valid_o = a->w_valid_o;
  memcpy(out->w_data_o, a->w_data_o, sizeof out->w_data_o);
  memcpy(out->w_strb_o, a->w_strb_o, sizeof out->w_strb_o);
  out->w_last_o = a->w_last_o;
  out->b_ready_o = 1;
}

static void outputs(const l1_top_t *self, wires_t *w, l1_top_out_t *out) {
  const uint32_t *event = self->r.event_q;
  memset(out, 0, sizeof *out);
  out_core(self, w, out);
  out_memory(w, out);
  out->event_o = w->u_control.event_o;
  out->hits_o = event[0];
  out->misses_o = event[1];
  out->merges_o = event[2];
  out->bypasses_o = event[3];
  out->stores_o = event[4];
  out->assoc_o = event[5];
  out->refused_o = event[6];
  out->evicts_o = event[7];
  out->error_o = error(self, w);
}

static void edge(l1_top_t *self, wires_t *w, bool srst_ni) {
#define PART(stem, inst) stem##_edge(self->inst, &w->inst##_in);
  PARTS(PART)
#undef PART
  if (!srst_ni) {
    reset(self);
    return;
  }
  self->r.store_open_q = w->store_enters || (self->r.store_open_q && !w->store_ends);
  if (w->u_store_buffer_in.put_valid_i)
    self->r.store_warp_q[w->u_store_buffer.put_entry_o] = (uint8_t)w->warp;
  for (unsigned e = 0; e < EVENTS; e++)
    self->r.event_q[e] += (uint32_t)(w->u_control.event_o >> e & 1);
  if (self->parity) parity_edge(self);
}

void l1_top_comb(const l1_top_t *self, const l1_top_in_t *in, l1_top_out_t *out) {
  wires_t w;
  evaluate(self, in, &w);
  outputs(self, &w, out);
}

void l1_top_edge(l1_top_t *self, const l1_top_in_t *in) {
  wires_t w;
  evaluate(self, in, &w);
  edge(self, &w, in->srst_ni);
}

void l1_top_step(l1_top_t *self, const l1_top_in_t *in, l1_top_out_t *out) {
  wires_t w;
  evaluate(self, in, &w);
  outputs(self, &w, out);
  edge(self, &w, in->srst_ni);
}

const l1_top_regs_t *l1_top_regs(const l1_top_t *self) {
  return &self->r;
}

static void fast_step(void *self, const uint64_t *in, uint64_t *out) {
  l1_top_step(self, (const l1_top_in_t *)(const void *)in, (l1_top_out_t *)(void *)out);
}

static const module_fast_t fast[] = {
    {.name = "l1_top_step", .step = fast_step},
};

#define STEM l1_top
#define COMPOSITE
#define FAST fast
#define PORTS_FILE "ports/l1_top.ports.h"
#include "ports/define.h"
