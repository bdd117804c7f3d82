/* SPDX-License-Identifier: Apache-2.0 */
/* What a run has counted, value by value: see values.h. */
#include "gpu/values.h"

#include <stdio.h>
#include <string.h>

/* Where the values go, and the name of the part that they are in, a dot behind it. */
typedef struct {
  void (*each)(void *ctx, const gpu_value_t *value);
  void *ctx;
  char name[GPU_VALUE_NAME];
  size_t inside;
} out_t;

typedef struct {
  char text[12];
} number_t;

static number_t element(size_t i) {
  number_t n;
  snprintf(n.text, sizeof n.text, "%u", (unsigned)i);
  return n;
}

/* Into a part; what `leave` needs to come out of it again. */
static size_t enter(out_t *o, const char *part) {
  const size_t before = o->inside;
  o->inside += (size_t)snprintf(o->name + before, sizeof o->name - before, "%s.", part);
  return before;
}

static void leave(out_t *o, size_t before) {
  o->inside = before;
}

static void give(out_t *o, const char *name, gpu_value_t v) {
  snprintf(o->name + o->inside, sizeof o->name - o->inside, "%s", name);
  v.name = o->name;
  o->each(o->ctx, &v);
}

static void put(out_t *o, const char *name, uint64_t n) {
  give(o, name, (gpu_value_t){.kind = GPU_COUNT, .count = n});
}

static void real(out_t *o, const char *name, double x) {
  give(o, name, (gpu_value_t){.kind = GPU_REAL, .real = x});
}

static void list(out_t *o, const char *name, size_t n) {
  give(o, name, (gpu_value_t){.kind = GPU_LIST, .count = n});
}

static double ratio(uint64_t a, uint64_t b) {
  return b ? (double)a / (double)b : 0;
}

double gpu_mean(const sm_occupancy_t *o) {
  uint64_t sum = 0, n = 0;
  for (unsigned i = 0; i < sizeof o->cycles / sizeof *o->cycles; i++) {
    sum += i * o->cycles[i];
    n += o->cycles[i];
  }
  return ratio(sum, n);
}

static void occupancy(out_t *o, const char *name, const sm_occupancy_t *n) {
  const size_t levels = sizeof n->cycles / sizeof *n->cycles, top = n->max;
  const size_t part = enter(o, name);
  real(o, "mean", gpu_mean(n));
  put(o, "max", n->max);
  list(o, "cycles_at", top < levels ? top + 1 : levels);
  const size_t inside = enter(o, "cycles_at");
  for (size_t i = 0; i <= top && i < levels; i++) put(o, element(i).text, n->cycles[i]);
  leave(o, inside);
  leave(o, part);
}

static void kernels(out_t *o, const gpu_t *gpu) {
  list(o, "kernels", gpu_kernels(gpu));
  const size_t inside = enter(o, "kernels");
  for (unsigned i = 0; i < gpu_kernels(gpu); i++) {
    const gpu_kernel_stats_t *k = gpu_kernel(gpu, i);
    const size_t one = enter(o, element(i).text);
    give(o, "name", (gpu_value_t){.kind = GPU_TEXT, .text = k->kernel});
    put(o, "cycles", k->cycles);
    put(o, "warp_instructions", k->warp_insts);
    put(o, "thread_instructions", k->thread_insts);
    leave(o, one);
  }
  leave(o, inside);
}

static void sm_part(out_t *o, const sm_stats_t *s) {
  const size_t part = enter(o, "sm");
  put(o, "sm_cycles", s->cycles);
  put(o, "loads", s->loads);
  put(o, "load_transactions", s->load_lines);
  put(o, "stores", s->stores);
  put(o, "store_transactions", s->store_lines);
  put(o, "local_loads", s->local_loads);
  put(o, "local_stores", s->local_stores);
  put(o, "atomics", s->atomics);
  put(o, "atomic_transactions", s->atomic_lines);
  put(o, "shared_accesses", s->shared_insts);
  put(o, "shared_bank_cycles", s->shared_cycles);
  put(o, "fetch_hits", s->fetch_hits);
  put(o, "fetch_misses", s->fetch_misses);
  put(o, "fetch_refused", s->fetch_refused);
  put(o, "constant_hits", s->const_hits);
  put(o, "constant_misses", s->const_misses);
  put(o, "texture_hits", s->tex_hits);
  put(o, "texture_misses", s->tex_misses);
  put(o, "scheduler_idle", s->issue_idle);
  put(o, "scheduler_scoreboard", s->issue_scoreboard);
  put(o, "scheduler_pipeline", s->issue_pipeline);
  put(o, "memory_stage_stalled", s->mem_stall);
  real(o, "read_latency", ratio(s->read_latency_sum, s->read_replies));
  leave(o, part);
}

/* A class of contention: misses for each thousand instructions. */
static void contention_class(out_t *o, const char *name, uint64_t n, const sm_stats_t *s) {
  const size_t part = enter(o, name);
  put(o, "evictions", n);
  real(o, "per_kilo_warp", 1000 * ratio(n, s->warp_insts));
  real(o, "per_kilo_thread", 1000 * ratio(n, s->thread_insts));
  leave(o, part);
}

static void contention(out_t *o, const l1d_stats_t *l, const sm_stats_t *s) {
  contention_class(o, "contention.intra_warp", l->evict_intra_warp, s);
  contention_class(o, "contention.cross_warp", l->evict_cross_warp, s);
  contention_class(o, "contention.cross_block", l->evict_cross_block, s);
  contention_class(o, "contention.cold", l->evict_none, s);
}

static void l1d_part(out_t *o, const l1d_stats_t *l, const sm_stats_t *s) {
  const size_t part = enter(o, "l1d");
  put(o, "hits", l->hits);
  put(o, "misses", l->misses);
  put(o, "pending_hits", l->pending_hits);
  put(o, "merges", l->merges);
  put(o, "writes", l->writes);
  put(o, "write_evicts", l->write_evicts);
  put(o, "writes_kept", l->writes_kept);
  put(o, "write_backs", l->write_backs);
  put(o, "bypasses", s->bypasses);
  put(o, "misses_with_bypasses", l->misses + s->bypasses);
  contention(o, l, s);
  put(o, "fills", l->fills);
  put(o, "stale_fills", l->stale_fills);
  const size_t refused = enter(o, "refused");
  for (l1d_reason_t i = L1D_ASSOC; i < L1D_REASONS; i++) put(o, l1d_reason_name(i), l->refused[i]);
  leave(o, refused);
  occupancy(o, "mshr", &s->mshr);
  occupancy(o, "miss_queue", &s->miss_queue);
  leave(o, part);
}

static void mrpb_part(out_t *o, const sm_stats_t *s) {
  const size_t part = enter(o, "mrpb");
  put(o, "in", s->mrpb_in);
  put(o, "out", s->mrpb_out);
  put(o, "refused", s->mrpb_full);
  put(o, "flush_full", s->mrpb_flush_full);
  put(o, "flush_write", s->mrpb_flush_write);
  put(o, "bypass_waits_interconnect", s->bypass_wait_icnt);
  put(o, "bypass_waits_table", s->bypass_wait_table);
  put(o, "bypass_waits_store", s->bypass_wait_store);
  occupancy(o, "held", &s->mrpb);
  occupancy(o, "prt", &s->prt);
  leave(o, part);
}

static void icnt_part(out_t *o, const gpu_t *gpu, icnt_direction_t d) {
  const icnt_stats_t *s = gpu_icnt_stats(gpu, d);
  const size_t part =
      enter(o, d == ICNT_REQUEST ? "interconnect.requests" : "interconnect.replies");
  put(o, "packets", s->packets);
  put(o, "flits", s->flits);
  put(o, "bytes", s->bytes);
  put(o, "reads", s->read_packets);
  put(o, "writes", s->write_packets);
  real(o, "latency_mean", ratio(s->latency_sum, s->delivered));
  put(o, "latency_max", s->latency_max);
  leave(o, part);
}

static void l2_part(out_t *o, const gpu_t *gpu) {
  const size_t part = enter(o, "l2");
  l2_stats_t s = gpu_l2_stats(gpu);
  put(o, "reads", s.reads);
  put(o, "read_hits", s.read_hits);
  put(o, "read_misses", s.read_misses);
  put(o, "read_merges", s.read_merges);
  put(o, "writes", s.writes);
  put(o, "write_hits", s.write_hits);
  put(o, "write_misses", s.write_misses);
  put(o, "write_backs", s.write_backs);
  put(o, "refused.assoc", s.fail[L2_FAIL_ASSOC]);
  put(o, "refused.missq", s.fail[L2_FAIL_MISSQ]);
  put(o, "refused.mshr", s.fail[L2_FAIL_MSHR]);
  put(o, "refused.merge", s.fail[L2_FAIL_MERGE]);
  put(o, "waits_interconnect", s.stall_icnt);
  put(o, "waits_dram", s.stall_dram);
  put(o, "mshr_max", s.mshr_max);
  leave(o, part);
}

static void dram_part(out_t *o, const gpu_t *gpu) {
  const size_t part = enter(o, "dram");
  dram_stats_t s = gpu_dram_stats(gpu);
  put(o, "requests", s.requests);
  put(o, "read_requests", s.read_requests);
  put(o, "write_requests", s.write_requests);
  put(o, "reads", s.reads);
  put(o, "writes", s.writes);
  put(o, "activates", s.activates);
  put(o, "precharges", s.precharges);
  put(o, "row_hits", s.row_hits);
  put(o, "channel_cycles", s.cycles);
  put(o, "data_cycles", s.data_cycles);
  put(o, "queue_max", s.queue_max);
  leave(o, part);
}

static void check_part(out_t *o, const check_stats_t *s) {
  const size_t part = enter(o, "check");
  put(o, "loads", s->loads);
  put(o, "from_hits", s->hits);
  put(o, "from_fills", s->fills);
  put(o, "from_bypasses", s->bypasses);
  put(o, "stale", s->stale);
  put(o, "stores", s->stores);
  put(o, "store_transactions", s->transactions);
  put(o, "atomics", s->atomics);
  put(o, "raced_bytes", s->raced);
  put(o, "host_bytes", s->host_bytes);
  leave(o, part);
}

void gpu_values(const gpu_t *gpu, void (*each)(void *ctx, const gpu_value_t *value), void *ctx) {
  const sm_stats_t s = gpu_sm_stats(gpu);
  const l1d_stats_t l = gpu_l1d_stats(gpu);
  out_t to = {.each = each, .ctx = ctx}, *o = &to;
  put(o, "cycles", gpu_cycles(gpu));
  put(o, "warp_instructions", s.warp_insts);
  put(o, "thread_instructions", s.thread_insts);
  real(o, "ipc", ratio(s.thread_insts, gpu_cycles(gpu)));
  kernels(o, gpu);
  sm_part(o, &s);
  l1d_part(o, &l, &s);
  if (gpu_config(gpu)->mrpb) mrpb_part(o, &s);
  icnt_part(o, gpu, ICNT_REQUEST);
  icnt_part(o, gpu, ICNT_REPLY);
  l2_part(o, gpu);
  dram_part(o, gpu);
  if (gpu_check_stats(gpu)) check_part(o, gpu_check_stats(gpu));
}
