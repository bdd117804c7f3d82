/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/replay/replay.h"
#include "fuzz.h"

int fuzz_replay(const char *path, mrpb_err_t *err) {
  config_t cfg;
  replay_stats_t stats;
  config_defaults(&cfg);
  return replay_run(path, &cfg, NULL, NULL, &stats, err) == REPLAY_EQUAL ? 0 : -1;
}
