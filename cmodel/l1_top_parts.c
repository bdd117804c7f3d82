/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the parts of l1_top with the sizes that follow from its own. */
#include "l1_top_priv.h"

/* Of a line. */
static uint32_t beats(const l1_top_cfg_t *c) {
  return (c->WORDS + c->BUS_WORDS - 1) / c->BUS_WORDS;
}

static void widths(l1_top_t *self) {
  const l1_top_cfg_t *c = &self->cfg;
  const unsigned store_w = bits_index_w(c->STORES);
  self->number_w = bits_index_w(c->LANES);
  self->prt_w = bits_index_w(c->ENTRIES);
  self->entry_w = self->prt_w > store_w ? self->prt_w : store_w;
  self->req_w = self->number_w + self->entry_w;
  self->slot_w = bits_index_w(((c->MSHRS - 1) | (c->BYPASSES - 1) | (c->STORES - 1)) + 1);
  self->line_w = bits_index_w(c->SETS * c->WAYS);
  self->place_w = bits_index_w(c->SETS * c->WAYS + c->BYPASSES);
  self->beat_w = bits_index_w(beats(c));
}

/* The core's side: instructions, their requests and their lanes. */
static int create_core(l1_top_t *self, mrpb_err_t *err) {
  const l1_top_cfg_t *c = &self->cfg;
  const coalescer_cfg_t coalescer = {.LANES = c->LANES,
                                     .WORDS = c->WORDS,
                                     .SECTORS = c->SECTORS,
                                     .ADDR_W = c->ADDR_W,
                                     .INFO_W = 1 + 3 * L1_TOP_ID_W + self->prt_w,
                                     .ORDER = c->ORDER,
                                     .PARITY = c->PARITY};
  const mrpb_cfg_t mrpb = {.QUEUES = c->QUEUES,
                           .DEPTH = c->DEPTH,
                           .DATA_W = c->SECTORS + self->req_w + c->ADDR_W,
                           .BLOCKS = c->BLOCKS,
                           .SIGNATURE = c->SIGNATURE,
                           .POLICY = c->POLICY,
                           .FLUSH = c->FLUSH,
                           .LATENCY = c->LATENCY,
                           .BYPASS = c->BYPASS,
                           .ANSWER = 2,
                           .PARITY = c->PARITY};
  const prt_cfg_t prt = {.ENTRIES = c->ENTRIES,
                         .LANES = c->LANES,
                         .OFFSET_W = bits_index_w(c->WORDS),
                         .TAG_W = L1_TOP_ID_W + c->TAG_W,
                         .ORDER = c->RELEASE,
                         .PARITY = c->PARITY};
  const lane_table_cfg_t lanes = {.ENTRIES = c->ENTRIES, .LANES = c->LANES, .PARITY = c->PARITY};
  const store_buffer_cfg_t stores = {.STORES = c->STORES,
                                     .LANES = c->LANES,
                                     .WORDS = c->WORDS,
                                     .BUS_WORDS = c->BUS_WORDS,
                                     .PASSES = c->PASSES,
                                     .PARITY = c->PARITY};
  return coalescer_create(&self->u_coalescer, &coalescer, err) ||
                 mrpb_create(&self->u_mrpb, &mrpb, err) || prt_create(&self->u_prt, &prt, err) ||
                 lane_table_create(&self->u_lane_table, &lanes, err) ||
                 store_buffer_create(&self->u_store_buffer, &stores, err)
             ? -1
             : 0;
}

static int create_l1(l1_top_t *self, mrpb_err_t *err) {
  const l1_top_cfg_t *c = &self->cfg;
  const tags_cfg_t tags = {.SETS = c->SETS,
                           .WAYS = c->WAYS,
                           .SECTORS = c->SECTORS,
                           .ADDR_W = c->ADDR_W,
                           .REPLACEMENT = c->REPLACEMENT,
                           .HASH = c->HASH,
                           .PARITY = c->PARITY};
  const mshr_cfg_t mshr = {.ENTRIES = c->MSHRS,
                           .MERGES = c->MERGES,
                           .ADDR_W = c->ADDR_W,
                           .DATA_W = self->req_w,
                           .STORES = 1,
                           .PARITY = c->PARITY};
  mshr_cfg_t bypass = mshr;
  bypass.ENTRIES = c->BYPASSES;
  bypass.MERGES = 1;
  const l1_control_cfg_t control = {.ADDR_W = c->ADDR_W,
                                    .SECTORS = c->SECTORS,
                                    .BEATS = beats(c),
                                    .LINES = c->SETS * c->WAYS,
                                    .MSHRS = c->MSHRS,
                                    .BYPASSES = c->BYPASSES,
                                    .STORES = c->STORES,
                                    .ENTRY_W = self->entry_w,
                                    .NUMBER_W = self->number_w,
                                    .FETCH = c->FETCH,
                                    .PARITY = c->PARITY};
  const reg_fifo_cfg_t read = {.DATA_W = self->req_w + self->place_w,
                               .DEPTH = c->READS,
                               .FIND_W = self->place_w,
                               .PARITY = c->PARITY};
  return tags_create(&self->u_tags, &tags, err) || mshr_create(&self->u_mshr, &mshr, err) ||
                 mshr_create(&self->u_bypass, &bypass, err) ||
                 l1_control_create(&self->u_control, &control, err) ||
                 reg_fifo_create(&self->u_read, &read, err)
             ? -1
             : 0;
}

/* The memory's side. */
static int create_memory(l1_top_t *self, mrpb_err_t *err) {
  const l1_top_cfg_t *c = &self->cfg;
  const reg_fifo_cfg_t miss = {.DATA_W = 2 + self->slot_w + c->ADDR_W + 2 * self->beat_w,
                               .DEPTH = c->MISSES,
                               .PARITY = c->PARITY};
  const reg_fifo_cfg_t flight = {.DATA_W = L1_TOP_ID_W + c->ADDR_W,
                                 .DEPTH = c->WRITES,
                                 .FIND_W = c->ADDR_W,
                                 .PARITY = c->PARITY};
  const axi_port_cfg_t axi = {.ADDR_W = c->ADDR_W,
                              .WORDS = c->WORDS,
                              .BUS_WORDS = c->BUS_WORDS,
                              .ID_W = 1 + self->slot_w,
                              .STORES = c->STORES,
                              .PARITY = c->PARITY};
  const line_fill_cfg_t fill = {.MSHRS = c->MSHRS,
                                .BYPASSES = c->BYPASSES,
                                .LINES = c->SETS * c->WAYS,
                                .BEATS = beats(c),
                                .BUS_WORDS = c->BUS_WORDS,
                                .ID_W = 1 + self->slot_w,
                                .PARITY = c->PARITY};
  const line_data_cfg_t data = {.PLACES = c->SETS * c->WAYS + c->BYPASSES,
                                .WORDS = c->WORDS,
                                .BUS_WORDS = c->BUS_WORDS,
                                .PARITY = c->PARITY};
  return reg_fifo_create(&self->u_miss, &miss, err) ||
                 reg_fifo_create(&self->u_flight, &flight, err) ||
                 axi_port_create(&self->u_axi, &axi, err) ||
                 line_fill_create(&self->u_fill, &fill, err) ||
                 line_data_create(&self->u_data, &data, err)
             ? -1
             : 0;
}

static int create_answers(l1_top_t *self, mrpb_err_t *err) {
  const l1_top_cfg_t *c = &self->cfg;
  const l1_reply_cfg_t reply = {.ENTRY_W = self->entry_w,
                                .NUMBER_W = self->number_w,
                                .LINES = c->SETS * c->WAYS,
                                .BYPASSES = c->BYPASSES,
                                .PARITY = c->PARITY};
  const line_align_cfg_t align = {.LANES = c->LANES,
                                  .WORDS = c->WORDS,
                                  .INFO_W = 1 + c->TAG_W + L1_TOP_ID_W,
                                  .PASSES = c->PASSES,
                                  .PARITY = c->PARITY};
  const reg_fifo_cfg_t response = {.DATA_W = 1 + c->TAG_W + L1_TOP_ID_W + 33 * c->LANES,
                                   .DEPTH = c->ANSWERS,
                                   .PARITY = c->PARITY};
  return l1_reply_create(&self->u_reply, &reply, err) ||
                 line_align_create(&self->u_align, &align, err) ||
                 reg_fifo_create(&self->u_response, &response, err)
             ? -1
             : 0;
}

int l1_top_parts_create(l1_top_t *self, mrpb_err_t *err) {
  widths(self);
  return create_core(self, err) || create_l1(self, err) || create_memory(self, err) ||
                 create_answers(self, err)
             ? -1
             : 0;
}

void l1_top_parts_destroy(l1_top_t *self) {
#define PART(stem, inst) stem##_destroy(self->inst);
  PARTS(PART)
#undef PART
}

void l1_top_parts_copy(l1_top_t *to, const l1_top_t *from) {
#define PART(stem, inst) stem##_class.copy(to->inst, from->inst);
  PARTS(PART)
#undef PART
}
