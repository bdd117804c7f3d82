/* SPDX-License-Identifier: Apache-2.0 */
/* What a single key cannot express: combinations that cannot be built. Those of in-order cores and
 * ports are in config_device.c. */
#include "config/config.h"

#include <inttypes.h>

enum { MAX_LINES = 1 << 20, MAX_FERMI_WAYS = 64, JITTER_HANG = 20000 };

static int check_power(const char *where, const char *key, uint32_t v, mrpb_err_t *err) {
  if ((v & (v - 1)) == 0) return 0;
  return mrpb_fail(err, "%s: %s = %u; legal: a power of two", where, key, v);
}

static int check_flits(const config_t *c, const char *where, mrpb_err_t *err) {
  uint32_t packet =
      (8 + 128 + c->icnt_flit - 1) / c->icnt_flit; /* flits of a line with its header */
  if (check_power(where, "ICNT_FLIT", c->icnt_flit, err) != 0 ||
      check_power(where, "L2_SETS", c->l2_sets, err) != 0 ||
      check_power(where, "DRAM_BANKS", c->dram_banks, err) != 0 ||
      check_power(where, "DRAM_GROUPS", c->dram_groups, err) != 0)
    return -1;
  if (c->icnt_inject < packet || c->icnt_boundary < packet)
    return mrpb_fail(
        err, "%s: ICNT_INJECT = %u, ICNT_BOUNDARY = %u; legal: at least a packet of %u flits",
        where, c->icnt_inject, c->icnt_boundary, packet);
  if (c->icnt_eject < c->icnt_vc_buffer)
    return mrpb_fail(err, "%s: ICNT_EJECT = %u; legal: at least ICNT_VC_BUFFER = %u", where,
                     c->icnt_eject, c->icnt_vc_buffer);
  if (c->dram_groups > c->dram_banks)
    return mrpb_fail(err, "%s: DRAM_GROUPS = %u; legal: at most DRAM_BANKS = %u", where,
                     c->dram_groups, c->dram_banks);
  if (c->dram_wl > c->dram_cl)
    return mrpb_fail(err, "%s: DRAM_WL = %u; legal: at most DRAM_CL = %u", where, c->dram_wl,
                     c->dram_cl);
  if (c->dram_rcd < c->dram_wl + 1)
    return mrpb_fail(err, "%s: DRAM_RCD = %u; legal: at least DRAM_WL + 1 = %u", where, c->dram_rcd,
                     c->dram_wl + 1);
  return 0;
}

static int check_pipeline(const config_t *c, const char *where, mrpb_err_t *err) {
  uint64_t lines = (uint64_t)c->l1d_sets * c->l1d_ways;
  if (lines > MAX_LINES)
    return mrpb_fail(err, "%s: L1D_SETS * L1D_WAYS = %" PRIu64 " lines; legal: at most %d", where,
                     lines, MAX_LINES);
  if (c->l1d_hash && c->l1d_sets != 32 && c->l1d_sets != 64)
    return mrpb_fail(err, "%s: L1D_HASH = 1, L1D_SETS = %u; legal: 32 or 64 sets", where,
                     c->l1d_sets);
  if (c->l1d_replacement == TAGS_FERMI && c->l1d_ways > MAX_FERMI_WAYS)
    return mrpb_fail(err, "%s: L1D_REPLACEMENT = fermi, L1D_WAYS = %u; legal: at most %d", where,
                     c->l1d_ways, MAX_FERMI_WAYS);
  return 0;
}

int config_check(const config_t *c, const char *where, mrpb_err_t *err) {
  const unsigned parts = config_parts(c);
  if (keyfile_check(&config_table, config_values(c), where, err) != 0) return -1;
  if (c->warps_per_sm < c->schedulers)
    return mrpb_fail(err, "%s: SCHEDULERS = %u; legal: at most WARPS_PER_SM = %u", where,
                     c->schedulers, c->warps_per_sm);
  if (c->mrpb && c->bypass_policy && (c->mrpb_bypass == MRPB_BYPASS_OFF || !c->mrpb_reorder))
    return mrpb_fail(err, "%s: BYPASS_POLICY, %s; legal: BYPASS_POLICY = refused", where,
                     c->mrpb_reorder ? "MRPB_BYPASS = off" : "MRPB_REORDER = 0");
  if (parts & CONFIG_HAS_PIPELINE && c->jitter && c->hang_cycles < JITTER_HANG)
    return mrpb_fail(err, "%s: JITTER = %u, HANG_CYCLES = %u; legal: at least %d with stalls",
                     where, c->jitter, c->hang_cycles, JITTER_HANG);
  if (parts & CONFIG_HAS_PIPELINE && check_pipeline(c, where, err) != 0) return -1;
  if (parts & CONFIG_HAS_FLITS && check_flits(c, where, err) != 0) return -1;
  return config_check_device(c, where, err);
}
