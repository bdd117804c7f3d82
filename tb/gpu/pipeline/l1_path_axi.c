/* SPDX-License-Identifier: Apache-2.0 */
/* The module l1_top as the SM's L1: its AXI4 side. A burst of AR becomes a packet of 32, 64 or 128
 * bytes, and its reply the beats of R; the beats of W become a packet, and its acknowledgement B.
 * Writes have one id: their acknowledgements come in any order, and go to B in that of the writes. */
#include "gpu/pipeline/sm_state.h"

#include "bits.h"
#include "config/verilog_params.h"

#include <string.h>

enum { WORD = 4, BEAT = SM_BEAT_WORDS * WORD, LEN_W = 8 };
_Static_assert(SM_L1_WRITES <= 64, "a bit for each write");

/* A packet has the smallest of 32, 64 and 128 aligned bytes that hold those from `addr` on. */
static void set_range(packet_t *p, uint64_t addr, uint32_t bytes) {
  uint32_t size = 32;
  while ((addr & ~(uint64_t)(size - 1)) + size < addr + bytes) size *= 2;
  p->addr = addr & ~(uint64_t)(size - 1);
  p->bytes = size;
}

/* ---- replies ----------------------------------------------------------------- */

/* The tag of a read: the byte in its line of the first beat, and the number of further beats. */
static void deliver_beat(sm_t *sm, const packet_t *p) {
  l1_top_in_t *in = &sm->l1_path.in;
  const unsigned first = (unsigned)(p->tag >> LEN_W), at = first + sm->l1_path.beat * BEAT;
  in->r_valid_i = 1;
  in->r_id_i = p->entry;
  in->r_last_i = sm->l1_path.beat == bits(p->tag, LEN_W);
  for (unsigned w = 0; w < SM_BEAT_WORDS; w++)
    words_put(in->r_data_i, w * 32, 32, check_path_word(p, at + w * WORD));
}

bool sm_l1_path_reply(sm_t *sm, const packet_t *p) {
  sm_l1_path_t *path = &sm->l1_path;
  if (p->kind == PACKET_WRITE) {
    path->performed |= UINT64_C(1) << p->entry;
    return true;
  }
  if (sm->check && path->beat == 0) check_path_got(sm->check, p);
  deliver_beat(sm, p);
  path->beat++;
  sm_run_moved(&sm->run);
  if (!path->in.r_last_i) return false;
  path->beat = 0;
  path->stats.fills++;
  return true;
}

/* ---- requests ---------------------------------------------------------------- */

static void send_read(sm_t *sm, uint64_t now) {
  const l1_top_out_t *out = &sm->l1_path.out;
  packet_t asked = {.kind = PACKET_READ};
  set_range(&asked, out->ar_addr_o, (uint32_t)(out->ar_len_o + 1) * BEAT);
  if (!sm_port_has_room(&sm->port, &asked)) return;
  packet_t *p = packet_alloc(sm_port_pool(&sm->port));
  if (!p) return;
  *p = asked;
  p->entry = (uint32_t)out->ar_id_o;
  p->tag = out->ar_addr_o % COALESCER_LINE << LEN_W | out->ar_len_o;
  p->t_created = now;
  sm->l1_path.in.ar_ready_i = 1;
  sm_port_send(sm, p, 0);
}

/* The line's last beat has come: it waits as a packet. */
static void end_write(sm_t *sm, uint64_t now) {
  sm_l1_path_t *path = &sm->l1_path;
  sm_l1_write_t *w = &path->writing;
  packet_t *p = packet_alloc(sm_port_pool(&sm->port));
  w->busy = false;
  if (!p) return;
  unsigned first = COALESCER_LINE, last = 0;
  for (unsigned i = 0; i < COALESCER_LINE; i++) {
    if (!(w->has[i / 64] >> i % 64 & 1)) continue;
    first = first < i ? first : i;
    last = i;
  }
  if (first > last) first = last;
  p->kind = PACKET_WRITE;
  p->entry = path->sent;
  path->sent = (path->sent + 1) % SM_L1_WRITES;
  p->t_created = now;
  set_range(p, w->line + first, last - first + 1);
  if (sm->check) p->data = check_path_written(sm->check, w->line, w->byte, w->has);
  path->write = p;
}

static void take_beat(sm_t *sm, uint64_t now) {
  sm_l1_path_t *path = &sm->l1_path;
  sm_l1_write_t *w = &path->writing;
  const l1_top_out_t *out = &path->out;
  path->in.w_ready_i = 1;
  for (unsigned i = 0; i < BEAT; i++) {
    const unsigned at = (unsigned)(w->addr % COALESCER_LINE) + i;
    if (!words_get(out->w_strb_o, i, 1)) continue;
    w->byte[at] = (uint8_t)words_get(out->w_data_o, 8 * i, 8);
    w->has[at / 64] |= UINT64_C(1) << at % 64;
  }
  w->addr += BEAT;
  if (out->w_last_o) end_write(sm, now);
}

/* The oldest write, if it has been performed. */
static void answer_write(sm_l1_path_t *path) {
  if (!(path->performed >> path->done & 1)) return;
  path->performed &= ~(UINT64_C(1) << path->done);
  path->done = (path->done + 1) % SM_L1_WRITES;
  path->in.b_valid_i = 1;
}

void sm_l1_path_send(sm_t *sm, uint64_t now) {
  sm_l1_path_t *path = &sm->l1_path;
  sm_l1_write_t *w = &path->writing;
  const l1_top_out_t *out = &path->out;
  answer_write(path);
  if (path->write && sm_port_has_room(&sm->port, path->write)) {
    sm_port_send(sm, path->write, 0);
    path->write = NULL;
  } else if (out->ar_valid_o) {
    send_read(sm, now);
  }
  if (w->busy) {
    if (out->w_valid_o && !path->write) take_beat(sm, now);
  } else if (out->aw_valid_o) {
    path->in.aw_ready_i = 1;
    *w = (sm_l1_write_t){.busy = true,
                         .addr = out->aw_addr_o,
                         .line = out->aw_addr_o & ~(uint64_t)(COALESCER_LINE - 1)};
  }
}
