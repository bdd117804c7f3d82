/* SPDX-License-Identifier: Apache-2.0 */
/* The L2 request coalescer of a cluster: requests for what is on its way to the cluster join the request
 * that fetches it. */
#include "gpu/ports/ports_state.h"

#include <stdlib.h>

enum { OBSERVED = 256 /* lines */ };

int ports_lrc_open(lrc_t *l, mrpb_err_t *err) {
  const cache_cfg_t lines = {.sets = 1, .ways = OBSERVED, .log2 = PORTS_LINE_LOG2};
  l->line = calloc(OBSERVED, sizeof *l->line);
  if (!l->line) return mrpb_fail(err, "ports: out of memory");
  return cache_open(&l->cache, &lines, err);
}

void ports_lrc_close(lrc_t *l) {
  cache_close(&l->cache);
  free(l->line);
}

bool ports_lrc_joins(lrc_t *l, uint64_t addr, unsigned sectors, uint32_t most, uint64_t now,
                     uint64_t **when) {
  const cache_answer_t a = cache_access(&l->cache, addr);
  lrc_line_t *line = &l->line[a.place];
  *when = &l->cache.when[a.place];
  if (a.hit && **when > now && line->requests < most && !(sectors & ~(unsigned)line->sectors)) {
    line->requests++;
    return true;
  }
  *line = (lrc_line_t){.requests = 1, .sectors = (uint8_t)sectors};
  return false;
}
