/* SPDX-License-Identifier: Apache-2.0 */
/* MRPB, MSHR table, PRT and a memory of fixed latency, wired together on the event kernel: what
 * composition.v is in Verilog, signal for signal. Writes composition.vcd; README.md beside it says
 * how to build it, to run both and to make it one's own.
 *
 *   composition [CYCLES [event]]      event: the event-driven scheduler; both do the same */
#include "mrpb.h"
#include "mshr.h"
#include "prt.h"
#include "sim/sim.h"
#include "sim/sim_module.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LATENCY = 20, RESET = 3, LANES = 16, LOW = 0x00ff, HIGH = 0xff00 };

typedef struct {
  sim_t *sim;
  sim_module_t top;
  sim_clock_t clk;
  sim_unit_t *mrpb, *mshr, *prt;
  /* registers, as in the Verilog */
  sim_sig_t lfsr_q, busy_q, half_q, warp_q, line_q, entry_q, mem_valid_q, mem_entry_q, done_q,
      sum_q;
  sim_sig_t srst_ni, zero, one, read, lanes; /* the reset; constants */
  /* ports of the units that the processes below drive (i) or read (o) */
  sim_sig_t in_warp_i, in_block_i, in_block_warp_i, in_data_i, l1_answer_i, in_ready_o, out_valid_o,
      out_data_o;
  sim_sig_t req_addr_i, req_data_i, fill_valid_i, fill_entry_i, req_ready_o, req_merge_o,
      req_entry_o, drained_o;
  sim_sig_t alloc_valid_i, alloc_tag_i, alloc_offset_i[2], issue_valid_i, issue_mask_i,
      reply_entry_i, reply_mask_i, alloc_ready_o, alloc_entry_o, reply_tag_o, last_o;
} top_t;

#define R(sig) sim_read(sim, t->sig)
#define W(sig, v) sim_write(sim, t->sig, (v))

/* ---- combinational processes ---------------------------------------------------------------- */

/* The generator: an instruction asks for an entry of the PRT; then each half of its lanes makes a
 * request. */
static void generate(sim_t *sim, void *ctx) {
  const top_t *t = ctx;
  uint64_t offset = R(lfsr_q) >> 11 & 127, offsets[2] = {0, 0}; /* 7 bits a lane */
  for (unsigned bit = 0; bit < 7 * LANES; bit++)
    offsets[bit / 64] |= (offset >> bit % 7 & 1) << bit % 64;
  W(alloc_valid_i, !R(busy_q));
  W(alloc_tag_i, R(lfsr_q) & 7);
  W(alloc_offset_i[0], offsets[0]);
  W(alloc_offset_i[1], offsets[1]);
  W(in_warp_i, R(warp_q));
  W(in_block_i, R(warp_q) >> 1);
  W(in_block_warp_i, R(warp_q) & 1);
  W(in_data_i, R(entry_q) << 8 | R(half_q) << 7 | ((R(line_q) + R(half_q)) & 127));
  W(issue_mask_i, R(half_q) ? HIGH : LOW);
}

static void issue(sim_t *sim, void *ctx) {
  const top_t *t = ctx;
  W(issue_valid_i, R(busy_q) && R(in_ready_o));
}

/* What the MRPB presents is a request to the MSHR table, which is the L1's answer. */
static void request(sim_t *sim, void *ctx) {
  const top_t *t = ctx;
  uint64_t data = R(out_data_o);
  W(req_addr_i, data);
  W(req_data_i, (data >> 8 & 15) << 1 | (data >> 7 & 1));
}

static void answer(sim_t *sim, void *ctx) {
  const top_t *t = ctx;
  W(l1_answer_i, !R(out_valid_o) ? 3 : R(req_ready_o) ? 0 : 2);
}

static void fill(sim_t *sim, void *ctx) {
  const top_t *t = ctx;
  W(fill_valid_i, R(mem_valid_q));
  W(fill_entry_i, R(mem_entry_q));
}

/* A read that leaves the MSHR table is a reply to the PRT. */
static void reply(sim_t *sim, void *ctx) {
  const top_t *t = ctx;
  W(reply_entry_i, R(drained_o) >> 1);
  W(reply_mask_i, R(drained_o) & 1 ? HIGH : LOW);
}

/* ---- the clocked process -------------------------------------------------------------------- */

static void reset(sim_t *sim, const top_t *t) {
  const sim_sig_t zero[] = {t->busy_q,      t->half_q,      t->warp_q, t->line_q, t->entry_q,
                            t->mem_valid_q, t->mem_entry_q, t->done_q, t->sum_q};
  for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) sim_write(sim, zero[i], 0);
  W(lfsr_q, 0x2545f491);
}

static void edge(sim_t *sim, void *ctx) {
  const top_t *t = ctx;
  uint64_t lfsr = R(lfsr_q);
  if (!R(srst_ni)) {
    reset(sim, t);
    return;
  }
  W(lfsr_q, lfsr >> 1 ^ (lfsr & 1 ? 0xa3000000 : 0));
  if (!R(busy_q) && R(alloc_ready_o)) {
    W(busy_q, 1);
    W(half_q, 0);
    W(warp_q, lfsr & 7);
    W(line_q, lfsr >> 3 & 127);
    W(entry_q, R(alloc_entry_o));
  } else if (R(busy_q) && R(in_ready_o)) {
    W(busy_q, !R(half_q));
    W(half_q, 1);
  }
  uint64_t fetch = R(out_valid_o) && R(req_ready_o) && !R(req_merge_o);
  W(mem_valid_q, R(mem_valid_q) >> 1 | fetch << (LATENCY - 1));
  W(mem_entry_q, R(mem_entry_q) >> 3 | (fetch ? R(req_entry_o) : 0) << 3 * (LATENCY - 1));
  if (!R(last_o)) return;
  W(done_q, R(done_q) + 1);
  W(sum_q, R(sum_q) + R(reply_tag_o));
}

/* ---- wiring --------------------------------------------------------------------------------- */

static void registers(top_t *t) {
  const struct {
    sim_sig_t *sig;
    const char *name;
    unsigned width;
    uint64_t init;
  } list[] = {{&t->lfsr_q, "lfsr_q", 32, 0},
              {&t->busy_q, "busy_q", 1, 0},
              {&t->half_q, "half_q", 1, 0},
              {&t->warp_q, "warp_q", 3, 0},
              {&t->line_q, "line_q", 7, 0},
              {&t->entry_q, "entry_q", 4, 0},
              {&t->mem_valid_q, "mem_valid_q", LATENCY, 0},
              {&t->mem_entry_q, "mem_entry_q", 3 * LATENCY, 0},
              {&t->done_q, "done_q", 16, 0},
              {&t->sum_q, "sum_q", 16, 0},
              {&t->srst_ni, "srst_ni", 1, 0},
              {&t->zero, "zero", 1, 0},
              {&t->one, "one", 1, 1},
              {&t->read, "read", 2, 0},
              {&t->lanes, "lanes", LANES, LOW | HIGH}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    *list[i].sig = sim_signal(t->sim, t->top, list[i].name, list[i].width, list[i].init);
}

#define PORT(unit, port) sim_unit_port(t->unit, port)
#define BIND(...)                                                                                  \
  .bind = (const sim_bind_t[]){__VA_ARGS__},                                                       \
  .n_bind = sizeof((const sim_bind_t[]){__VA_ARGS__}) / sizeof(sim_bind_t)

/* As in Verilog: an instance, its parameters, its ports. A port that is bound to the output of
 * another unit is that signal. */
static int instances(top_t *t, mrpb_err_t *err) {
  const mrpb_cfg_t mrpb = {.QUEUES = 8,
                           .DEPTH = 4,
                           .DATA_W = 25,
                           .BLOCKS = 4,
                           .SIGNATURE = 1,
                           .POLICY = 3,
                           .FLUSH = 1,
                           .LATENCY = 5,
                           .BYPASS = 0};
  const mshr_cfg_t mshr = {.ENTRIES = 8, .MERGES = 4, .ADDR_W = 7, .DATA_W = 5};
  const prt_cfg_t prt = {.ENTRIES = 16, .LANES = LANES, .OFFSET_W = 7, .TAG_W = 6, .ORDER = 0};
  const sim_unit_setup_t first = {
      .name = "u_mrpb",
      .stem = "mrpb",
      .cfg = (const uint32_t *)&mrpb,
      .clk = t->clk,
      .early = "out_valid_o out_write_o out_warp_o out_block_o out_data_o held_o",
      BIND({"srst_ni", t->srst_ni}, {"in_valid_i", t->busy_q}, {"in_kind_i", t->read},
           {"byp_ready_i", t->zero})};
  if (sim_unit_create(&t->mrpb, t->sim, t->top, &first, err)) return -1;
  const sim_unit_setup_t second = {.name = "u_mshr",
                                   .stem = "mshr",
                                   .cfg = (const uint32_t *)&mshr,
                                   .clk = t->clk,
                                   BIND({"srst_ni", t->srst_ni},
                                        {"req_valid_i", PORT(mrpb, "out_valid_o")},
                                        {"out_ready_i", t->one})};
  if (sim_unit_create(&t->mshr, t->sim, t->top, &second, err)) return -1;
  const sim_unit_setup_t third = {.name = "u_prt",
                                  .stem = "prt",
                                  .cfg = (const uint32_t *)&prt,
                                  .clk = t->clk,
                                  BIND({"srst_ni", t->srst_ni}, {"alloc_mask_i", t->lanes},
                                       {"issue_entry_i", t->entry_q},
                                       {"reply_valid_i", PORT(mshr, "out_valid_o")})};
  return sim_unit_create(&t->prt, t->sim, t->top, &third, err);
}

static void ports(top_t *t) {
  t->in_warp_i = PORT(mrpb, "in_warp_i");
  t->in_block_i = PORT(mrpb, "in_block_i");
  t->in_block_warp_i = PORT(mrpb, "in_block_warp_i");
  t->in_data_i = PORT(mrpb, "in_data_i");
  t->l1_answer_i = PORT(mrpb, "l1_answer_i");
  t->in_ready_o = PORT(mrpb, "in_ready_o");
  t->out_valid_o = PORT(mrpb, "out_valid_o");
  t->out_data_o = PORT(mrpb, "out_data_o");
  t->req_addr_i = PORT(mshr, "req_addr_i");
  t->req_data_i = PORT(mshr, "req_data_i");
  t->fill_valid_i = PORT(mshr, "fill_valid_i");
  t->fill_entry_i = PORT(mshr, "fill_entry_i");
  t->req_ready_o = PORT(mshr, "req_ready_o");
  t->req_merge_o = PORT(mshr, "req_merge_o");
  t->req_entry_o = PORT(mshr, "req_entry_o");
  t->drained_o = PORT(mshr, "out_data_o");
  t->alloc_valid_i = PORT(prt, "alloc_valid_i");
  t->alloc_tag_i = PORT(prt, "alloc_tag_i");
  t->alloc_offset_i[0] = PORT(prt, "alloc_offset_i_w0"); /* 112 bits */
  t->alloc_offset_i[1] = PORT(prt, "alloc_offset_i_w1");
  t->issue_valid_i = PORT(prt, "issue_valid_i");
  t->issue_mask_i = PORT(prt, "issue_mask_i");
  t->reply_entry_i = PORT(prt, "reply_entry_i");
  t->reply_mask_i = PORT(prt, "reply_mask_i");
  t->alloc_ready_o = PORT(prt, "alloc_ready_o");
  t->alloc_entry_o = PORT(prt, "alloc_entry_o");
  t->reply_tag_o = PORT(prt, "reply_tag_o");
  t->last_o = PORT(prt, "last_o");
}

typedef struct {
  const sim_sig_t *sig;
  size_t n;
} sigs_t;
#define SIGS(...)                                                                                  \
  (sigs_t) {                                                                                       \
    SIM_SIGS(__VA_ARGS__)                                                                          \
  }

static void comb(top_t *t, const char *name, sim_fn_t fn, sigs_t reads, sigs_t writes) {
  sim_proc_t p = sim_process(t->sim, t->top, name, fn, t);
  sim_sensitive(t->sim, p, reads.sig, reads.n);
  sim_reads(t->sim, p, reads.sig, reads.n);
  sim_writes(t->sim, p, writes.sig, writes.n);
}

static void processes(top_t *t) {
  comb(t, "generate", generate,
       SIGS(t->lfsr_q, t->busy_q, t->warp_q, t->entry_q, t->half_q, t->line_q),
       SIGS(t->alloc_valid_i, t->alloc_tag_i, t->alloc_offset_i[0], t->alloc_offset_i[1],
            t->in_warp_i, t->in_block_i, t->in_block_warp_i, t->in_data_i, t->issue_mask_i));
  comb(t, "issue", issue, SIGS(t->busy_q, t->in_ready_o), SIGS(t->issue_valid_i));
  comb(t, "request", request, SIGS(t->out_data_o), SIGS(t->req_addr_i, t->req_data_i));
  comb(t, "answer", answer, SIGS(t->out_valid_o, t->req_ready_o), SIGS(t->l1_answer_i));
  comb(t, "fill", fill, SIGS(t->mem_valid_q, t->mem_entry_q),
       SIGS(t->fill_valid_i, t->fill_entry_i));
  comb(t, "reply", reply, SIGS(t->drained_o), SIGS(t->reply_entry_i, t->reply_mask_i));
  sim_proc_t p = sim_process(t->sim, t->top, "edge", edge, t);
  sim_on_rise(t->sim, p, t->clk);
  sim_dont_initialize(t->sim, p);
  sim_reads(t->sim, p,
            SIM_SIGS(t->srst_ni, t->lfsr_q, t->busy_q, t->half_q, t->alloc_ready_o,
                     t->alloc_entry_o, t->in_ready_o, t->out_valid_o, t->req_ready_o,
                     t->req_merge_o, t->req_entry_o, t->mem_valid_q, t->mem_entry_q, t->last_o,
                     t->reply_tag_o, t->done_q, t->sum_q));
  sim_writes(t->sim, p,
             SIM_SIGS(t->lfsr_q, t->busy_q, t->half_q, t->warp_q, t->line_q, t->entry_q,
                      t->mem_valid_q, t->mem_entry_q, t->done_q, t->sum_q));
}

static int run(top_t *t, uint64_t cycles, sim_sched_t sched, mrpb_err_t *err) {
  if (instances(t, err)) return -1;
  ports(t);
  processes(t);
  if (sim_elaborate(t->sim, sched, err) || sim_trace_open(t->sim, "composition.vcd", err) ||
      sim_run_cycles(t->sim, t->clk, RESET, err) != SIM_REACHED)
    return -1;
  sim_write(t->sim, t->srst_ni, 1); /* behind the third edge */
  if (sim_run_cycles(t->sim, t->clk, cycles - RESET, err) != SIM_REACHED ||
      sim_run_until(t->sim, sim_now(t->sim) + SIM_NS, err) != SIM_REACHED ||
      sim_trace_close(t->sim, err)) {
    if (sim_unit_fault(t->mrpb))
      snprintf(err->text, sizeof err->text, "%s", sim_unit_fault(t->mrpb));
    return -1;
  }
  printf("%" PRIu64 " cycles, %" PRIu64 " instructions done, sum of tags %" PRIu64 "\n", cycles,
         sim_read(t->sim, t->done_q), sim_read(t->sim, t->sum_q));
  return 0;
}

int main(int argc, char **argv) {
  top_t t = {.sim = sim_create()};
  mrpb_err_t err = {""};
  uint64_t cycles = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000;
  bool event = argc > 2 && strcmp(argv[2], "event") == 0;
  if (cycles <= RESET || !t.sim) {
    fprintf(stderr, "composition: %s\n", t.sim ? "CYCLES must be more than 3" : "out of memory");
    sim_destroy(t.sim);
    return 2;
  }
  t.top = sim_module(t.sim, SIM_TOP, "u_composition");
  t.clk = sim_clock(t.sim, t.top, "clk_i", 2 * SIM_NS, SIM_NS);
  registers(&t);
  int status = run(&t, cycles, event ? SIM_EVENT_DRIVEN : SIM_STATIC, &err);
  if (status) fprintf(stderr, "composition: %s\n", err.text);
  sim_destroy(t.sim);
  sim_unit_destroy(t.mrpb);
  sim_unit_destroy(t.mshr);
  sim_unit_destroy(t.prt);
  return status ? 2 : 0;
}
