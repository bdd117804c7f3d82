/* SPDX-License-Identifier: Apache-2.0 */
/* The statistics of a run as JSON and as text. docs/running.md explains them one by one. */
#include "cli/cli.h"
#include "config/config.h"
#include "base/json_out.h"

#include <inttypes.h>

static void put(json_t **o, const char *name, uint64_t v) {
  json_out_set(o, name, json_integer((json_int_t)v));
}

static double ratio(uint64_t a, uint64_t b) {
  return b ? (double)a / (double)b : 0;
}

/* Mean over the cycles in which an SM had a block. */
static double mean(const sm_occupancy_t *o) {
  uint64_t sum = 0, n = 0;
  for (unsigned i = 0; i < sizeof o->cycles / sizeof *o->cycles; i++) {
    sum += i * o->cycles[i];
    n += o->cycles[i];
  }
  return ratio(sum, n);
}

static json_t *occupancy(const sm_occupancy_t *o) {
  json_t *j = json_object(), *h = json_array();
  json_out_set(&j, "mean", json_real(mean(o)));
  put(&j, "max", o->max);
  for (unsigned i = 0; i <= o->max && i < sizeof o->cycles / sizeof *o->cycles; i++)
    json_out_append(&h, json_integer((json_int_t)o->cycles[i]));
  json_out_set(&j, "cycles_at", h);
  return j;
}

static json_t *kernels(const gpu_t *gpu) {
  json_t *a = json_array();
  for (unsigned i = 0; i < gpu_kernels(gpu); i++) {
    const gpu_kernel_stats_t *k = gpu_kernel(gpu, i);
    json_t *o = json_object();
    json_out_set(&o, "name", json_string(k->kernel));
    put(&o, "cycles", k->cycles);
    put(&o, "warp_instructions", k->warp_insts);
    put(&o, "thread_instructions", k->thread_insts);
    json_out_append(&a, o);
  }
  return a;
}

static json_t *sm_part(const sm_stats_t *s) {
  json_t *o = json_object();
  put(&o, "sm_cycles", s->cycles);
  put(&o, "loads", s->loads);
  put(&o, "load_transactions", s->load_lines);
  put(&o, "stores", s->stores);
  put(&o, "store_transactions", s->store_lines);
  put(&o, "atomics", s->atomics);
  put(&o, "atomic_transactions", s->atomic_lines);
  put(&o, "shared_accesses", s->shared_insts);
  put(&o, "shared_bank_cycles", s->shared_cycles);
  put(&o, "fetch_hits", s->fetch_hits);
  put(&o, "fetch_misses", s->fetch_misses);
  put(&o, "fetch_refused", s->fetch_refused);
  put(&o, "constant_hits", s->const_hits);
  put(&o, "constant_misses", s->const_misses);
  put(&o, "texture_hits", s->tex_hits);
  put(&o, "texture_misses", s->tex_misses);
  put(&o, "scheduler_idle", s->issue_idle);
  put(&o, "scheduler_scoreboard", s->issue_scoreboard);
  put(&o, "scheduler_pipeline", s->issue_pipeline);
  put(&o, "memory_stage_stalled", s->mem_stall);
  json_out_set(&o, "read_latency", json_real(ratio(s->read_latency_sum, s->read_replies)));
  return o;
}

/* A class of contention: misses for each thousand instructions. */
static json_t *contention_class(uint64_t n, const sm_stats_t *s) {
  json_t *o = json_object();
  put(&o, "evictions", n);
  json_out_set(&o, "per_kilo_warp", json_real(1000 * ratio(n, s->warp_insts)));
  json_out_set(&o, "per_kilo_thread", json_real(1000 * ratio(n, s->thread_insts)));
  return o;
}

static json_t *contention(const l1d_stats_t *l, const sm_stats_t *s) {
  json_t *o = json_object();
  json_out_set(&o, "intra_warp", contention_class(l->evict_intra_warp, s));
  json_out_set(&o, "cross_warp", contention_class(l->evict_cross_warp, s));
  json_out_set(&o, "cross_block", contention_class(l->evict_cross_block, s));
  json_out_set(&o, "cold", contention_class(l->evict_none, s));
  return o;
}

static json_t *l1d_part(const l1d_stats_t *l, const sm_stats_t *s) {
  json_t *o = json_object(), *r = json_object();
  put(&o, "hits", l->hits);
  put(&o, "misses", l->misses);
  put(&o, "pending_hits", l->pending_hits);
  put(&o, "merges", l->merges);
  put(&o, "writes", l->writes);
  put(&o, "write_evicts", l->write_evicts);
  put(&o, "bypasses", s->bypasses);
  put(&o, "misses_with_bypasses", l->misses + s->bypasses);
  json_out_set(&o, "contention", contention(l, s));
  put(&o, "fills", l->fills);
  put(&o, "stale_fills", l->stale_fills);
  for (l1d_reason_t i = L1D_ASSOC; i < L1D_REASONS; i++) put(&r, l1d_reason_name(i), l->refused[i]);
  json_out_set(&o, "refused", r);
  json_out_set(&o, "mshr", occupancy(&s->mshr));
  json_out_set(&o, "miss_queue", occupancy(&s->miss_queue));
  return o;
}

static json_t *mrpb_part(const sm_stats_t *s) {
  json_t *o = json_object();
  put(&o, "in", s->mrpb_in);
  put(&o, "out", s->mrpb_out);
  put(&o, "refused", s->mrpb_full);
  put(&o, "flush_full", s->mrpb_flush_full);
  put(&o, "flush_write", s->mrpb_flush_write);
  put(&o, "bypass_waits_interconnect", s->bypass_wait_icnt);
  put(&o, "bypass_waits_table", s->bypass_wait_table);
  put(&o, "bypass_waits_store", s->bypass_wait_store);
  json_out_set(&o, "held", occupancy(&s->mrpb));
  json_out_set(&o, "prt", occupancy(&s->prt));
  return o;
}

static json_t *icnt_part(const gpu_t *gpu, icnt_direction_t d) {
  const icnt_stats_t *s = gpu_icnt_stats(gpu, d);
  json_t *o = json_object();
  put(&o, "packets", s->packets);
  put(&o, "flits", s->flits);
  put(&o, "bytes", s->bytes);
  put(&o, "reads", s->read_packets);
  put(&o, "writes", s->write_packets);
  json_out_set(&o, "latency_mean", json_real(ratio(s->latency_sum, s->delivered)));
  put(&o, "latency_max", s->latency_max);
  return o;
}

static json_t *l2_part(const gpu_t *gpu) {
  l2_stats_t s = gpu_l2_stats(gpu);
  json_t *o = json_object(), *r = json_object();
  put(&o, "reads", s.reads);
  put(&o, "read_hits", s.read_hits);
  put(&o, "read_misses", s.read_misses);
  put(&o, "read_merges", s.read_merges);
  put(&o, "writes", s.writes);
  put(&o, "write_hits", s.write_hits);
  put(&o, "write_misses", s.write_misses);
  put(&o, "write_backs", s.write_backs);
  put(&r, "assoc", s.fail[L2_FAIL_ASSOC]);
  put(&r, "missq", s.fail[L2_FAIL_MISSQ]);
  put(&r, "mshr", s.fail[L2_FAIL_MSHR]);
  put(&r, "merge", s.fail[L2_FAIL_MERGE]);
  json_out_set(&o, "refused", r);
  put(&o, "waits_interconnect", s.stall_icnt);
  put(&o, "waits_dram", s.stall_dram);
  put(&o, "mshr_max", s.mshr_max);
  return o;
}

static json_t *dram_part(const gpu_t *gpu) {
  dram_stats_t s = gpu_dram_stats(gpu);
  json_t *o = json_object();
  put(&o, "requests", s.requests);
  put(&o, "read_requests", s.read_requests);
  put(&o, "write_requests", s.write_requests);
  put(&o, "reads", s.reads);
  put(&o, "writes", s.writes);
  put(&o, "activates", s.activates);
  put(&o, "precharges", s.precharges);
  put(&o, "row_hits", s.row_hits);
  put(&o, "channel_cycles", s.cycles);
  put(&o, "data_cycles", s.data_cycles);
  put(&o, "queue_max", s.queue_max);
  return o;
}

static json_t *check_part(const check_stats_t *s) {
  json_t *o = json_object();
  put(&o, "loads", s->loads);
  put(&o, "from_hits", s->hits);
  put(&o, "from_fills", s->fills);
  put(&o, "from_bypasses", s->bypasses);
  put(&o, "stale", s->stale);
  put(&o, "atomics", s->atomics);
  put(&o, "stores", s->stores);
  put(&o, "store_transactions", s->transactions);
  put(&o, "raced_bytes", s->raced);
  put(&o, "host_bytes", s->host_bytes);
  return o;
}

static json_t *configuration(const config_t *cfg) {
  json_t *o = json_object();
  for (unsigned i = 0; i < config_count(); i++) {
    const config_key_t *k = config_key(i);
    char text[64];
    config_print_value(cfg, i, text, sizeof text);
    json_out_set(&o, k->name, k->words ? json_string(text) : json_integer(config_value(cfg, i)));
  }
  return o;
}

json_t *cli_report(const gpu_t *gpu, const config_t *cfg, const char *kernel,
                   const program_options_t *options) {
  sm_stats_t s = gpu_sm_stats(gpu);
  l1d_stats_t l = gpu_l1d_stats(gpu);
  json_t *o = json_object(), *net = json_object();
  char hash[24];
  snprintf(hash, sizeof hash, "%016" PRIx64, config_hash(cfg));
  json_out_set(&o, "kernel", json_string(kernel));
  put(&o, "cut", options->cut);
  put(&o, "size", options->size);
  put(&o, "steps", options->steps);
  json_out_set(&o, "model", json_string(program_model_name(options->model)));
  json_out_set(&o, "acc_reload", json_boolean(options->acc_reload));
  json_out_set(&o, "config_hash", json_string(hash));
  put(&o, "cycles", gpu_cycles(gpu));
  put(&o, "warp_instructions", s.warp_insts);
  put(&o, "thread_instructions", s.thread_insts);
  json_out_set(&o, "ipc", json_real(ratio(s.thread_insts, gpu_cycles(gpu))));
  json_out_set(&o, "kernels", kernels(gpu));
  json_out_set(&o, "sm", sm_part(&s));
  json_out_set(&o, "l1d", l1d_part(&l, &s));
  if (cfg->mrpb) json_out_set(&o, "mrpb", mrpb_part(&s));
  json_out_set(&net, "requests", icnt_part(gpu, ICNT_REQUEST));
  json_out_set(&net, "replies", icnt_part(gpu, ICNT_REPLY));
  json_out_set(&o, "interconnect", net);
  json_out_set(&o, "l2", l2_part(gpu));
  json_out_set(&o, "dram", dram_part(gpu));
  if (gpu_check_stats(gpu)) json_out_set(&o, "check", check_part(gpu_check_stats(gpu)));
  json_out_set(&o, "configuration", configuration(cfg));
  return o;
}

static void print_memory(FILE *out, const gpu_t *gpu) {
  const icnt_stats_t *q = gpu_icnt_stats(gpu, ICNT_REQUEST), *p = gpu_icnt_stats(gpu, ICNT_REPLY);
  l2_stats_t l2 = gpu_l2_stats(gpu);
  dram_stats_t d = gpu_dram_stats(gpu);
  fprintf(out,
          "  interconnect    %" PRIu64 " packets, %" PRIu64 " flits to L2; %" PRIu64
          " packets, %" PRIu64 " flits, %" PRIu64 " bytes back\n",
          q->packets, q->flits, p->packets, p->flits, p->bytes);
  fprintf(out,
          "  L2              reads: %" PRIu64 " hits, %" PRIu64 " misses; writes: %" PRIu64
          " hits, %" PRIu64 " misses\n",
          l2.read_hits, l2.read_misses, l2.write_hits, l2.write_misses);
  fprintf(out,
          "  DRAM            %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64 " activates, %" PRIu64
          " row hits\n",
          d.reads, d.writes, d.activates, d.row_hits);
}

static void print_check(FILE *out, const check_stats_t *s) {
  char atomics[48] = "";
  if (s->atomics) snprintf(atomics, sizeof atomics, ", %" PRIu64 " atomics", s->atomics);
  fprintf(out,
          "  check           %" PRIu64 " loads, %" PRIu64
          " stores%s of threads: no violation; %" PRIu64 " loads stale, %" PRIu64 " bytes raced\n",
          s->loads, s->stores, atomics, s->stale, s->raced);
}

void cli_print_report(FILE *out, const gpu_t *gpu, const config_t *cfg, const char *config_name,
                      const char *kernel, const program_options_t *options) {
  sm_stats_t s = gpu_sm_stats(gpu);
  l1d_stats_t l = gpu_l1d_stats(gpu);
  fprintf(out, "%s", kernel);
  if (options->size) fprintf(out, ", size %" PRIu32, options->size);
  if (options->cut) fprintf(out, ", cut to %" PRIu32, options->cut);
  if (options->steps) fprintf(out, ", %" PRIu32 " steps", options->steps);
  if (options->acc_reload) fprintf(out, ", accumulator reloaded");
  fprintf(out, ", %s (%016" PRIx64 ")\n", config_name, config_hash(cfg));
  fprintf(out, "  cycles          %" PRIu64 "\n", gpu_cycles(gpu));
  for (unsigned i = 0; gpu_kernels(gpu) > 1 && i < gpu_kernels(gpu); i++)
    fprintf(out, "    %-13s %" PRIu64 "\n", gpu_kernel(gpu, i)->kernel, gpu_kernel(gpu, i)->cycles);
  fprintf(out, "  instructions    %" PRIu64 " (threads), IPC %.3f\n", s.thread_insts,
          ratio(s.thread_insts, gpu_cycles(gpu)));
  fprintf(out,
          "  L1D reads       %" PRIu64 " hits, %" PRIu64 " misses, %" PRIu64
          " pending hits, %" PRIu64 " bypasses\n",
          l.hits, l.misses, l.pending_hits, s.bypasses);
  fprintf(out,
          "  L1D evictions   intra-warp %" PRIu64 ", cross-warp %" PRIu64 ", cross-block %" PRIu64
          ", cold %" PRIu64 "\n",
          l.evict_intra_warp, l.evict_cross_warp, l.evict_cross_block, l.evict_none);
  fprintf(out, "  L1D writes      %" PRIu64 "\n", l.writes);
  fprintf(out,
          "  L1D refusals    assoc %" PRIu64 ", missq %" PRIu64 ", mshr %" PRIu64 ", merge %" PRIu64
          "\n",
          l.refused[L1D_ASSOC], l.refused[L1D_MISSQ], l.refused[L1D_MSHR], l.refused[L1D_MERGE]);
  fprintf(out,
          "  MSHRs in use    mean %.2f, max %" PRIu32 "; miss queue mean %.2f, max %" PRIu32 "\n",
          mean(&s.mshr), s.mshr.max, mean(&s.miss_queue), s.miss_queue.max);
  if (cfg->mrpb)
    fprintf(out,
            "  MRPB            held mean %.2f, max %" PRIu32 "; PRT mean %.2f, max %" PRIu32 "\n",
            mean(&s.mrpb), s.mrpb.max, mean(&s.prt), s.prt.max);
  print_memory(out, gpu);
  if (gpu_check_stats(gpu)) print_check(out, gpu_check_stats(gpu));
}
