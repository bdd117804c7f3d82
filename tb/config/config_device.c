/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults, files, and combinations that cannot be built, of in-order cores and ports. */
#include "config/config.h"

#include <inttypes.h>

int config_load_device(config_t *cfg, const char *path, mrpb_err_t *err) {
  return config_load_with(cfg, CONFIG_HAS_IN_ORDER | CONFIG_HAS_PORTS, path, err);
}

static int at_most(const char *where, const char *key, uint32_t v, const char *other,
                   uint32_t limit, mrpb_err_t *err) {
  if (v <= limit) return 0;
  return mrpb_fail(err, "%s: %s = %" PRIu32 "; legal: at most %s = %" PRIu32, where, key, v, other,
                   limit);
}

static int check_cache(const char *where, const char *name, uint32_t ways, uint32_t replacement,
                       mrpb_err_t *err) {
  enum { MAX_FERMI_WAYS = 64 };
  if (replacement != TAGS_FERMI || ways <= MAX_FERMI_WAYS) return 0;
  return mrpb_fail(err, "%s: %s_REPLACEMENT = fermi, %s_WAYS = %" PRIu32 "; legal: at most %d ways",
                   where, name, name, ways, MAX_FERMI_WAYS);
}

/* A load that has not looked up all its lines must not wait for lines that later loads of its warp
 * hold. */
static int check_l1d(const config_t *c, const char *where, mrpb_err_t *err) {
  if (c->l1d_hash == 1 && c->l1d_sets & (c->l1d_sets - 1))
    return mrpb_fail(err, "%s: L1D_HASH = 1, L1D_SETS = %" PRIu32 "; legal: a power of two of sets",
                     where, c->l1d_sets);
  if (c->l1d_hash == 2 && c->l1d_sets != TAGS_HOPPER_SETS)
    return mrpb_fail(err, "%s: L1D_HASH = 2, L1D_SETS = %" PRIu32 "; legal: %d sets", where,
                     c->l1d_sets, TAGS_HOPPER_SETS);
  if (c->l1d_kept && c->l1d_kept >= c->l1d_ways)
    return mrpb_fail(err, "%s: L1D_KEPT = %" PRIu32 "; legal: less than L1D_WAYS = %" PRIu32, where,
                     c->l1d_kept, c->l1d_ways);
  if (c->l1d_order == MRPB_ORDER_ANY) return 0;
  if (c->table != DEVICE_TABLE_PRT)
    return mrpb_fail(err, "%s: L1D_ORDER = in-order, TABLE = mshr; legal: TABLE = prt", where);
  if (c->lsu_service != 1)
    return mrpb_fail(err, "%s: L1D_ORDER = in-order, LSU_SERVICE = %" PRIu32 "; legal: 1", where,
                     c->lsu_service);
  return 0;
}

static int check_atomics(const config_t *c, const char *where, mrpb_err_t *err) {
  if (c->l2_atomic && !c->l2_ports)
    return mrpb_fail(err,
                     "%s: L2_ATOMIC = %" PRIu32
                     ", L2_PORTS = 0; legal: L2_PORTS from 1 on, or L2_ATOMIC = 0",
                     where, c->l2_atomic);
  return 0;
}

static int check_mrpb(const config_t *c, const char *where, mrpb_err_t *err) {
  const bool prt = c->table == DEVICE_TABLE_PRT;
  if (!c->mrpb) return 0;
  if (c->mrpb_reorder && c->mrpb_answer && c->line_cycles != 1)
    return mrpb_fail(err, "%s: MRPB_ANSWER = %" PRIu32 ", LINE_CYCLES = %" PRIu32 "; legal: 1",
                     where, c->mrpb_answer, c->line_cycles);
  if (c->mrpb_bypass != MRPB_BYPASS_OFF &&
      c->bypass_tracking == (prt ? CONFIG_TRACKING_MSHR : CONFIG_TRACKING_PRT))
    return mrpb_fail(err, "%s: TABLE = %s, BYPASS_TRACKING = %s; legal: %s, none", where,
                     prt ? "prt" : "mshr", prt ? "mshr" : "prt", prt ? "prt" : "mshr");
  return 0;
}

static int check_core(const config_t *c, const char *where, mrpb_err_t *err) {
  if (check_cache(where, "L1D", c->l1d_ways, c->l1d_replacement, err) != 0 ||
      check_cache(where, "TEX", c->tex_ways, c->tex_replacement, err) != 0 ||
      check_l1d(c, where, err) != 0 || check_mrpb(c, where, err) != 0 ||
      check_atomics(c, where, err) != 0)
    return -1;
  if (c->table == DEVICE_TABLE_PRT && c->l1d_sets && c->l1d_allocate == CONFIG_ALLOCATE_FILL)
    return mrpb_fail(err, "%s: TABLE = prt, L1D_ALLOCATE = fill; legal: miss, or L1D_SETS = 0",
                     where);
  if (c->table == DEVICE_TABLE_MSHR && c->l1d_sets && c->sectors)
    return mrpb_fail(err, "%s: TABLE = mshr, SECTORS = 1; legal: 0, or L1D_SETS = 0", where);
  if (at_most(where, "LSU_SERVICE", c->lsu_service, "LSU_QUEUE", c->lsu_queue, err) != 0 ||
      at_most(where, "FETCH_BLOCK", c->fetch_block, "INST1_LINE", c->inst1_line, err) != 0)
    return -1;
  return at_most(where, "LSU_LATENCY", c->lsu_latency, "L1D_LATENCY", c->l1d_latency, err);
}

/* The nearest lines arrive half of each of these differences earlier than the mean. */
static int check_distances(const config_t *c, const char *where, mrpb_err_t *err) {
  const uint32_t dram = c->dram_load_latency, host = c->host_latency;
  if (at_most(where, "L2_LATENCY", c->l2_latency, "DRAM_LOAD_LATENCY", dram, err) != 0 ||
      at_most(where, "L2_SPREAD", c->l2_spread, "L2_LATENCY", c->l2_latency, err) != 0 ||
      at_most(where, "DRAM_SPREAD", c->dram_spread, "DRAM_LOAD_LATENCY", dram, err) != 0 ||
      at_most(where, "DRAM_FAR", c->dram_far, "DRAM_LOAD_LATENCY", dram, err) != 0 ||
      at_most(where, "HOST_SPREAD", c->host_spread, "HOST_LATENCY", host, err) != 0 ||
      at_most(where, "HOST_FAR", c->host_far, "HOST_LATENCY", host, err) != 0)
    return -1;
  return at_most(where, "CLUSTER_SPREAD", c->cluster_spread, "L2_LATENCY", c->l2_latency, err);
}

static int check_ports(const config_t *c, const char *where, mrpb_err_t *err) {
  if (check_cache(where, "L2", c->l2_ways, c->l2_replacement, err) != 0 ||
      check_cache(where, "TLB1", c->tlb1_ways, c->tlb1_replacement, err) != 0 ||
      check_cache(where, "TLB2", c->tlb2_ways + c->tlb2_extra, c->tlb2_replacement, err) != 0)
    return -1;
  if (at_most(where, "CONST2_LATENCY", c->const2_latency, "CONST3_LATENCY", c->const3_latency,
              err) != 0 ||
      at_most(where, "CONST3_LATENCY", c->const3_latency, "CONST_LATENCY", c->const_latency, err) !=
          0)
    return -1;
  return check_distances(c, where, err);
}

/* Of the cores and their memory together. The latencies of the nearest cluster are half of
 * CLUSTER_SPREAD below the mean. */
static int check_both(const config_t *c, const char *where, mrpb_err_t *err) {
  if (!c->sectors && (c->l2_line || c->dram_line))
    return mrpb_fail(err, "%s: SECTORS = 0, %s; legal: 0", where,
                     c->l2_line ? "L2_LINE > 0" : "DRAM_LINE > 0");
  if (at_most(where, "LSU_LATENCY", c->lsu_latency, "L2_LATENCY", c->l2_latency, err) != 0 ||
      at_most(where, "CONST1_LATENCY", c->const1_latency, "CONST2_LATENCY", c->const2_latency,
              err) != 0 ||
      at_most(where, "CLUSTER_SPREAD", c->cluster_spread, "CONST3_LATENCY - CONST1_LATENCY",
              c->const3_latency - c->const1_latency, err) != 0)
    return -1;
  return at_most(where, "CLUSTER_SPREAD", c->cluster_spread, "TEX_L2_LATENCY", c->tex_l2_latency,
                 err);
}

int config_check_device(const config_t *c, const char *where, mrpb_err_t *err) {
  const bool in_order = c->core == CONFIG_CORE_IN_ORDER, ports = c->memory == CONFIG_MEMORY_PORTS;
  if ((in_order || ports) && at_most(where, "CLUSTER", c->cluster, "SMS", c->sms, err) != 0)
    return -1;
  if (in_order && check_core(c, where, err) != 0) return -1;
  if (ports && c->l2_fetch == 3)
    return mrpb_fail(err, "%s: L2_FETCH = 3; legal: 0, 1, 2, 4", where);
  if (ports && check_ports(c, where, err) != 0) return -1;
  return in_order && ports ? check_both(c, where, err) : 0;
}
