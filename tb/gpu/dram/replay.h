/* SPDX-License-Identifier: Apache-2.0 */
/* Replays the requests of a trace through one DRAM channel alone: no L2, no interconnect, no fixed
 * delay. A request enters the channel when its cycle has come, the requests before it have entered,
 * and the channel has room. It is finished when its last column has left the data pipe. */
#ifndef DRAM_REPLAY_H
#define DRAM_REPLAY_H

#include "gpu/dram/dram.h"
#include "gpu/dram/source.h"

enum { DRAM_REPLAY_BANKS = 64, DRAM_MAP_FIELDS = 8 };

/* Where row, bank, group and column lie in a trace's addresses. */
typedef struct {
  unsigned n;
  struct {
    char what; /* 'r', 'b', 'g', 'c' */
    unsigned low, width;
  } field[DRAM_MAP_FIELDS];
  unsigned bank_width; /* bits of the bank within its group */
} dram_map_t;

/* Parses "row,bank,group,column:11", from the highest bits to the lowest: row, bank and group once
 * each, columns in any number of parts. Bank and group are as wide as `cfg` needs. The row takes
 * the remaining bits, at most 32, or the given number ("row:12": bits above it are ignored).
 * Returns 0, or -1 and a message in err. */
int dram_map_parse(dram_map_t *map, const char *text, const dram_cfg_t *cfg, mrpb_err_t *err);
/* False if the address has bits above all fields. */
bool dram_map_find(const dram_map_t *map, uint64_t addr, uint32_t *row, uint32_t *bank);

typedef struct {
  uint64_t requests, activates, precharges, columns;
} dram_bank_count_t;

/* Cycles are command cycles. A request hits an open row, misses in a closed bank, or conflicts with
 * another open row. */
typedef struct {
  uint64_t requests, reads, writes, cycles;
  uint64_t hits, misses, conflicts;
  uint64_t data_cycles, busy;
  uint64_t latency_min, latency_max, latency_sum; /* from entering the channel */
  uint64_t waited_max, waited_sum;                /* before that, from the request's cycle on */
  dram_bank_count_t bank[DRAM_REPLAY_BANKS];
} dram_replay_t;

typedef enum { DRAM_REPLAY_DONE, DRAM_REPLAY_STOPPED, DRAM_REPLAY_FAILED } dram_replay_end_t;

/* Replays `from` to its end. `stop` (may be NULL) is polled now and then. */
dram_replay_end_t dram_replay(dram_replay_t *out, const dram_cfg_t *cfg, const dram_map_t *map,
                              uint32_t bytes, dram_source_t *from, bool (*stop)(void),
                              mrpb_err_t *err);

#endif
