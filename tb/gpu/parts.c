/* SPDX-License-Identifier: Apache-2.0 */
/* Key table -> part configurations: see parts.h. */
#include "gpu/parts.h"

packet_map_t parts_map(const config_t *c) {
  return (packet_map_t){c->l2_slices, c->l2_interleave};
}

icnt_cfg_t parts_icnt(const config_t *c) {
  icnt_cfg_t i;
  icnt_defaults(&i);
  i.sms = c->sms;
  i.partitions = c->l2_slices;
  i.flit_bytes = c->icnt_flit;
  i.inject_flits = c->icnt_inject;
  i.vc_flits = c->icnt_vc_buffer;
  i.eject_flits = c->icnt_eject;
  i.boundary_flits = c->icnt_boundary;
  i.write_room_bug = c->icnt_write_room_bug;
  return i;
}

l2_cfg_t parts_l2(const config_t *c) {
  l2_cfg_t l;
  l2_defaults(&l);
  l.sets = c->l2_sets;
  l.ways = c->l2_ways;
  l.mshr_entries = c->l2_mshr_entries;
  l.mshr_merges = c->l2_mshr_merges;
  l.miss_queue = c->l2_miss_queue;
  l.icnt_l2_queue = c->l2_in_queue;
  l.l2_dram_queue = c->l2_dram_queue;
  l.dram_l2_queue = c->dram_l2_queue;
  l.l2_icnt_queue = c->l2_out_queue;
  l.rop_latency = c->l2_rop_latency;
  l.wb_local_addr = c->l2_wb_address_bug;
  return l;
}

dram_cfg_t parts_dram(const config_t *c) {
  dram_cfg_t d;
  dram_defaults(&d);
  d.banks = c->dram_banks;
  d.bank_groups = c->dram_groups;
  d.group_shift_bug = c->dram_group_bug;
  d.chips = c->dram_chips;
  d.tCCD = c->dram_ccd;
  d.tRRD = c->dram_rrd;
  d.tRCD = c->dram_rcd;
  d.tRAS = c->dram_ras;
  d.tRP = c->dram_rp;
  d.tRC = c->dram_rc;
  d.tCL = c->dram_cl;
  d.tWL = c->dram_wl;
  d.tCDLR = c->dram_cdlr;
  d.tWR = c->dram_wr;
  d.tCCDL = c->dram_ccdl;
  d.tRTPL = c->dram_rtpl;
  d.sched_queue = c->dram_queue;
  d.return_queue = c->dram_return_queue;
  d.latency = c->dram_latency;
  return d;
}
