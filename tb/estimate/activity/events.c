/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/activity/events.h"
#include "cosim/stim/counts.h"

#include "fifo_bank.h"
#include "l1_top.h"
#include "mrpb.h"
#include "mshr.h"
#include "prt.h"

#include <stdbool.h>
#include <string.h>

/* ---- mrpb ------------------------------------------------------------------ */

enum {
  MRPB_ACCEPT_READ,
  MRPB_ACCEPT_WRITE,
  MRPB_ACCEPT_BARRIER,
  MRPB_REFUSED,
  MRPB_STORE,
  MRPB_PASS,
  MRPB_DRAIN,
  MRPB_STORE_AND_DRAIN,
  MRPB_TO_L1,
  MRPB_BYPASS,
  MRPB_BYPASS_WAITS,
  MRPB_STALL_ASSOC,
  MRPB_STALL_OTHER,
  MRPB_NOT_ASKED,
  MRPB_FLUSH_FULL,
  MRPB_FLUSH_WRITE,
  MRPB_EVENTS
};

static const char *const mrpb_events[MRPB_EVENTS] = {
    "accept_read", "accept_write", "accept_barrier", "refused",
    "store",       "pass",         "drain",          "store_and_drain",
    "to_l1",       "bypass",       "bypass_waits",   "stall_assoc",
    "stall_other", "l1_not_asked", "flush_full",     "flush_write",
};

static const activity_access_t mrpb_arrays[] = {
    {"u_fifo_bank.u_mem.mem_q", MRPB_DRAIN, MRPB_STORE, ACTIVITY_NONE, MRPB_STORE_AND_DRAIN},
};

/* What is drained follows from what the queues hold before and after the edge. */
static void count_mrpb(const uint32_t *cfg, const uint64_t *in_words, const uint64_t *out_words,
                       uint64_t before, uint64_t after, uint64_t *e) {
  const mrpb_cfg_t *c = (const mrpb_cfg_t *)(const void *)cfg;
  const mrpb_in_t *in = (const mrpb_in_t *)(const void *)in_words;
  const mrpb_out_t *out = (const mrpb_out_t *)(const void *)out_words;
  if (!in->srst_ni) return;
  bool accept = in->in_valid_i && out->in_ready_o, barrier = in->in_kind_i >= MRPB_KIND_BARRIER;
  bool write = in->in_kind_i == MRPB_KIND_WRITE, pass = accept && write && c->FLUSH;
  bool store = accept && !barrier && !pass, drain = before + store != after;
  bool leave = out->out_valid_o &&
               (in->l1_answer_i == MRPB_L1_ACCEPTED || (out->byp_valid_o && in->byp_ready_i));
  bool waits = out->out_valid_o && !leave;
  e[MRPB_ACCEPT_READ] += accept && !barrier && !write;
  e[MRPB_ACCEPT_WRITE] += accept && write;
  e[MRPB_ACCEPT_BARRIER] += accept && barrier;
  e[MRPB_REFUSED] += in->in_valid_i && !out->in_ready_o;
  e[MRPB_STORE] += store;
  e[MRPB_PASS] += pass;
  e[MRPB_DRAIN] += drain;
  e[MRPB_STORE_AND_DRAIN] += store && drain;
  e[MRPB_TO_L1] += leave && in->l1_answer_i == MRPB_L1_ACCEPTED;
  e[MRPB_BYPASS] += leave && in->l1_answer_i != MRPB_L1_ACCEPTED;
  e[MRPB_BYPASS_WAITS] += out->byp_valid_o && !in->byp_ready_i;
  e[MRPB_STALL_ASSOC] += waits && in->l1_answer_i == MRPB_L1_ASSOC_STALL;
  e[MRPB_STALL_OTHER] += waits && in->l1_answer_i == MRPB_L1_OTHER_STALL;
  e[MRPB_NOT_ASKED] += waits && in->l1_answer_i == MRPB_L1_NOT_ASKED;
  e[MRPB_FLUSH_FULL] += out->flush_full_o;
  e[MRPB_FLUSH_WRITE] += out->flush_write_o;
}

/* ---- mshr ------------------------------------------------------------------ */

enum {
  MSHR_LOOK_UP,
  MSHR_ALLOCATE,
  MSHR_MERGE,
  MSHR_REFUSED,
  MSHR_FILL,
  MSHR_DRAIN,
  MSHR_RELEASE,
  MSHR_ACCEPT,
  MSHR_ACCEPT_AND_DRAIN,
  MSHR_FILL_AND_DRAIN,
  MSHR_LEN_WRITES,
  MSHR_HEAD_WRITES,
  MSHR_OUT_WAITS,
  MSHR_EVENTS
};

static const char *const mshr_events[MSHR_EVENTS] = {
    "look_up",    "allocate",    "merge",     "refused",          "fill",
    "drain",      "release",     "accept",    "accept_and_drain", "fill_and_drain",
    "len_writes", "head_writes", "out_waits",
};

static const activity_access_t mshr_arrays[] = {
    {"addr_q", ACTIVITY_NONE, MSHR_ALLOCATE, MSHR_LOOK_UP, ACTIVITY_NONE},
    {"data_q", MSHR_DRAIN, MSHR_ACCEPT, ACTIVITY_NONE, MSHR_ACCEPT_AND_DRAIN},
    {"order_q", MSHR_DRAIN, MSHR_FILL, ACTIVITY_NONE, MSHR_FILL_AND_DRAIN},
    {"len_q", ACTIVITY_NONE, MSHR_LEN_WRITES, ACTIVITY_NONE, ACTIVITY_NONE},
    {"head_q", ACTIVITY_NONE, MSHR_HEAD_WRITES, ACTIVITY_NONE, ACTIVITY_NONE},
};

static void count_mshr(const uint32_t *cfg, const uint64_t *in_words, const uint64_t *out_words,
                       uint64_t before, uint64_t after, uint64_t *e) {
  const mshr_in_t *in = (const mshr_in_t *)(const void *)in_words;
  const mshr_out_t *out = (const mshr_out_t *)(const void *)out_words;
  if (!in->srst_ni) return;
  (void)cfg;
  (void)before;
  (void)after;
  bool look_up = in->req_valid_i || in->req_addr_i != 0;
  bool accept = in->req_valid_i && out->req_ready_o, allocate = accept && !out->req_merge_o;
  bool fill = in->fill_valid_i && !out->fill_err_o, drain = out->out_valid_o && in->out_ready_i;
  bool same = accept && drain && out->req_entry_o == out->out_entry_o;
  e[MSHR_LOOK_UP] += look_up;
  e[MSHR_ALLOCATE] += allocate;
  e[MSHR_MERGE] += accept && out->req_merge_o;
  e[MSHR_REFUSED] += look_up && !accept;
  e[MSHR_FILL] += fill;
  e[MSHR_DRAIN] += drain;
  e[MSHR_RELEASE] += drain && out->out_last_o;
  e[MSHR_ACCEPT] += accept;
  e[MSHR_ACCEPT_AND_DRAIN] += accept && drain;
  e[MSHR_FILL_AND_DRAIN] += fill && drain;
  e[MSHR_LEN_WRITES] += (uint64_t)accept + drain - same;
  e[MSHR_HEAD_WRITES] += (uint64_t)allocate + drain - (same && allocate);
  e[MSHR_OUT_WAITS] += out->out_valid_o && !in->out_ready_i;
}

/* ---- prt ------------------------------------------------------------------- */

enum {
  PRT_ALLOCATE,
  PRT_ISSUE,
  PRT_REPLY,
  PRT_RELEASE,
  PRT_REFUSED,
  PRT_ALLOCATE_AND_REPLY,
  PRT_LEFT_WRITES,
  PRT_PEND_WRITES,
  PRT_PEND_READS,
  PRT_PEND_BOTH,
  PRT_EVENTS
};

static const char *const prt_events[PRT_EVENTS] = {
    "allocate",           "issue",       "reply",       "release",    "refused",
    "allocate_and_reply", "left_writes", "pend_writes", "pend_reads", "pend_read_and_write",
};

static const activity_access_t prt_arrays[] = {
    {"tag_q", PRT_REPLY, PRT_ALLOCATE, ACTIVITY_NONE, PRT_ALLOCATE_AND_REPLY},
    {"offset_q", PRT_REPLY, PRT_ALLOCATE, ACTIVITY_NONE, PRT_ALLOCATE_AND_REPLY},
    {"left_q", PRT_PEND_READS, PRT_LEFT_WRITES, ACTIVITY_NONE, ACTIVITY_NONE},
    {"pend_q", PRT_PEND_READS, PRT_PEND_WRITES, ACTIVITY_NONE, PRT_PEND_BOTH},
};

static void count_prt(const uint32_t *cfg, const uint64_t *in_words, const uint64_t *out_words,
                      uint64_t before, uint64_t after, uint64_t *e) {
  const prt_in_t *in = (const prt_in_t *)(const void *)in_words;
  const prt_out_t *out = (const prt_out_t *)(const void *)out_words;
  if (!in->srst_ni) return;
  (void)cfg;
  (void)before;
  (void)after;
  bool allocate = in->alloc_valid_i && out->alloc_ready_o, issue = out->issue_ok_o;
  bool reply = out->reply_ok_o;
  bool issue_new = allocate && issue && in->issue_entry_i == out->alloc_entry_o;
  bool issue_reply = issue && reply && in->issue_entry_i == in->reply_entry_i;
  bool new_reply = allocate && reply && out->alloc_entry_o == in->reply_entry_i;
  unsigned entries = (unsigned)allocate + issue + reply; /* different entries, checked below */
  if (issue_new && new_reply)
    entries -= 2;
  else
    entries -= (unsigned)issue_new + issue_reply + new_reply;
  unsigned reads = (unsigned)(issue && !issue_new) + reply - (issue_reply && !issue_new);
  e[PRT_ALLOCATE] += allocate;
  e[PRT_ISSUE] += issue;
  e[PRT_REPLY] += reply;
  e[PRT_RELEASE] += out->release_o;
  e[PRT_REFUSED] += in->alloc_mask_i != 0 && !out->alloc_ready_o;
  e[PRT_ALLOCATE_AND_REPLY] += allocate && reply;
  e[PRT_LEFT_WRITES] += (uint64_t)allocate + issue - issue_new;
  e[PRT_PEND_WRITES] += entries;
  e[PRT_PEND_READS] += reads;
  e[PRT_PEND_BOTH] += entries > 0 && reads > 0;
}

/* ---- l1_top ---------------------------------------------------------------- */

/* The bits of event_o, in their order. */
static const char *const l1_events[] = {"hit",   "miss",  "merge",   "bypass",
                                        "store", "assoc", "refused", "evict"};
enum { L1_EVENTS = sizeof l1_events / sizeof *l1_events };

static void count_l1(const uint32_t *cfg, const uint64_t *in, const uint64_t *out_words,
                     uint64_t before, uint64_t after, uint64_t *e) {
  const l1_top_out_t *out = (const l1_top_out_t *)(const void *)out_words;
  (void)cfg;
  (void)in;
  (void)before;
  (void)after;
  for (unsigned k = 0; k < L1_EVENTS; k++) e[k] += out->event_o >> k & 1;
}

/* ---------------------------------------------------------------------------- */

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const activity_class_t classes[] = {
    {"mrpb",
     mrpb_events,
     MRPB_EVENTS,
     mrpb_arrays,
     COUNT(mrpb_arrays),
     "held_o",
     {"u_fifo_bank.head_q", "u_fifo_bank.tail_q", "u_fifo_bank.full_q"},
     count_mrpb},
    {"mshr",
     mshr_events,
     MSHR_EVENTS,
     mshr_arrays,
     COUNT(mshr_arrays),
     "count_o",
     {NULL},
     count_mshr},
    {"prt", prt_events, PRT_EVENTS, prt_arrays, COUNT(prt_arrays), "count_o", {NULL}, count_prt},
    {"l1_top", l1_events, L1_EVENTS, NULL, 0, "out_valid_o", {NULL}, count_l1},
};
_Static_assert((int)MRPB_EVENTS <= (int)ACTIVITY_EVENTS &&
                   (int)MSHR_EVENTS <= (int)ACTIVITY_EVENTS &&
                   (int)PRT_EVENTS <= (int)ACTIVITY_EVENTS,
               "events");

const activity_class_t *activity_class(const char *stem) {
  for (unsigned i = 0; i < COUNT(classes); i++)
    if (strcmp(classes[i].stem, stem) == 0) return &classes[i];
  return NULL;
}

static uint64_t word(const activity_reg_t *r, unsigned i) {
  uint64_t v = 0;
  memcpy(&v, r->data + (size_t)i * r->elem_bytes, r->elem_bytes < 8 ? r->elem_bytes : 8);
  return v;
}

uint64_t activity_stored(const activity_reg_t *const rings[3], uint32_t depth) {
  const uint64_t full = word(rings[2], 0);
  uint64_t sum = 0;
  for (unsigned q = 0; q < rings[0]->words; q++)
    sum +=
        counts_ring((uint32_t)word(rings[0], q), (uint32_t)word(rings[1], q), full >> q & 1, depth);
  return sum;
}
