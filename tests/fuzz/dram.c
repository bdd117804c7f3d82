/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/dram/replay.h"
#include "fuzz.h"

/* A trace through a channel; addresses that lie beyond the row are refused. */
int fuzz_dram(const char *path, mrpb_err_t *err) {
  dram_cfg_t cfg;
  dram_map_t map;
  dram_source_t *from;
  dram_replay_t r;
  dram_defaults(&cfg);
  if (dram_map_parse(&map, "row,group,bank,column:12", &cfg, err) != 0 ||
      dram_source_open(&from, path, DRAM_AUTO, err) != 0)
    return -1;
  dram_replay_end_t end = dram_replay(&r, &cfg, &map, 64, from, NULL, err);
  dram_source_close(from);
  return end == DRAM_REPLAY_DONE ? 0 : -1;
}
