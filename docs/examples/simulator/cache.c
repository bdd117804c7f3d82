/* SPDX-License-Identifier: Apache-2.0 */
/* A read-only cache with an MSHR table: direct mapped, 64 lines of 64 bytes, and a memory that
 * answers after 40 cycles. The address stream comes from the standard input, one hexadecimal
 * address a line.  ./cache ENTRIES MERGES [WAVE.vcd] < STREAM */
#include <inttypes.h>
#include <libmrpb.h>
#include <stdio.h>
#include <stdlib.h>

#include "wave.h"

enum { SETS = 64, LINE_BYTES = 64, LATENCY = 40, IN_FLIGHT = 128 };

typedef struct {
  mshr_t *mshr;
  wave_t wave;
  uint64_t line[SETS];
  bool valid[SETS];
  struct {
    uint64_t line, entry;
    unsigned due;
  } flight[IN_FLIGHT]; /* the memory's requests, a ring */
  unsigned first, length;
  unsigned cycles, reads, hits, merges, fetched, left, stalled[3];
} cache_t;

/* The request carries the entry's number; the fill brings it back. */
static void fetch(cache_t *c, uint64_t line, uint64_t entry) {
  const unsigned i = (c->first + c->length++) % IN_FLIGHT;
  c->flight[i].line = line;
  c->flight[i].entry = entry;
  c->flight[i].due = c->cycles + LATENCY;
  c->fetched++;
}

/* The oldest request's line goes into the cache. */
static void arrive(cache_t *c) {
  const uint64_t line = c->flight[c->first].line;
  c->line[line % SETS] = line;
  c->valid[line % SETS] = true;
  c->first = (c->first + 1) % IN_FLIGHT;
  c->length--;
}

/* One clock cycle, in which a read of `line` is offered if `have`. 1 if it was taken, 0 if not. */
static int cycle(cache_t *c, bool have, uint64_t line, mrpb_err_t *err) {
  const bool hit = have && c->valid[line % SETS] && c->line[line % SETS] == line;
  const bool fill = c->length && c->flight[c->first].due <= c->cycles;
  mshr_in_t in = {.srst_ni = 1, .req_valid_i = have && !hit, .req_addr_i = line, .out_ready_i = 1};
  in.req_data_i = c->reads & 0xffff;
  in.fill_valid_i = fill;
  in.fill_entry_i = fill ? c->flight[c->first].entry : 0;
  mshr_out_t out;
  if (mshr_cycle(c->mshr, &in, &out, err) != 0) return -1;
  wave_cycle(&c->wave, &in, &out);
  if (fill) arrive(c);
  c->left += out.out_valid_o != 0;
  c->hits += hit;
  if (in.req_valid_i && out.req_ready_o) {
    if (out.req_merge_o)
      c->merges++;
    else
      fetch(c, line, out.req_entry_o);
  } else if (in.req_valid_i) {
    c->stalled[out.req_refuse_o]++;
  }
  c->cycles++;
  const bool taken = hit || (in.req_valid_i && out.req_ready_o);
  c->reads += taken;
  return taken;
}

/* A wave begins with a cycle in reset. */
static int begin(cache_t *c, const mshr_cfg_t *cfg, const char *path, mrpb_err_t *err) {
  const mshr_in_t reset = {.srst_ni = 0};
  mshr_out_t out;
  if (mshr_create(&c->mshr, cfg, err) != 0) return -1;
  if (path != NULL && wave_open(&c->wave, path, cfg, err) != 0) return -1;
  if (mshr_cycle(c->mshr, &reset, &out, err) != 0) return -1;
  wave_cycle(&c->wave, &reset, &out);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) return fputs("usage: cache ENTRIES MERGES [WAVE.vcd] < STREAM\n", stderr), 2;
  const mshr_cfg_t cfg = {.ENTRIES = (uint32_t)atoi(argv[1]),
                          .MERGES = (uint32_t)atoi(argv[2]),
                          .ADDR_W = 25,
                          .DATA_W = 16};
  static cache_t c;
  mrpb_err_t err = {""};
  uint64_t address = 0;
  int taken = begin(&c, &cfg, argc > 3 ? argv[3] : NULL, &err);
  bool have = taken == 0 && scanf("%" SCNx64, &address) == 1;
  while (taken >= 0 && (have || c.left < c.merges + c.fetched)) {
    taken = cycle(&c, have, address / LINE_BYTES, &err);
    if (taken == 1) have = scanf("%" SCNx64, &address) == 1;
  }
  mshr_destroy(c.mshr);
  if (vcd_close(c.wave.vcd, &err) != 0 || taken < 0) return fprintf(stderr, "%s\n", err.text), 2;
  printf("%u reads: %u hits, %u merges, %u lines fetched\n", c.reads, c.hits, c.merges, c.fetched);
  printf("%u cycles, stalled in %u by a full table, in %u by a full entry\n", c.cycles,
         c.stalled[1], c.stalled[2]);
  return 0;
}
