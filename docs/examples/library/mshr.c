/* SPDX-License-Identifier: Apache-2.0 */
/* The MSHR model in a simulator of one's own: two reads of one line, its fill, and both leave in
 * order. gcc -std=c11 -Icmodel docs/examples/library/mshr.c build/libmrpb.a -o mshr && ./mshr */
#include "mshr.h"

#include <inttypes.h>
#include <stdio.h>

/* One clock cycle: outputs of this cycle, then the edge. */
static mshr_out_t cycle(mshr_t *mshr, mshr_in_t in) {
  mshr_out_t out;
  in.rst_ni = 1;
  mshr_comb(mshr, &in, &out);
  mshr_edge(mshr, &in);
  return out;
}

int main(void) {
  const mshr_cfg_t cfg = {.ENTRIES = 32, .MERGES = 8, .ADDR_W = 25, .DATA_W = 16};
  mrpb_err_t err = {""};
  mshr_t *mshr;
  if (mshr_create(&mshr, &cfg, &err)) {
    fprintf(stderr, "%s\n", err.text);
    return 2;
  }
  mshr_out_t first =
      cycle(mshr, (mshr_in_t){.req_valid_i = 1, .req_addr_i = 0x1234, .req_data_i = 7});
  mshr_out_t again =
      cycle(mshr, (mshr_in_t){.req_valid_i = 1, .req_addr_i = 0x1234, .req_data_i = 8});
  printf("entry %" PRIu64 " allocated; the second read %s\n", first.req_entry_o,
         again.req_merge_o ? "merges" : "allocates");
  cycle(mshr, (mshr_in_t){.fill_valid_i = 1, .fill_entry_i = first.req_entry_o});
  for (mshr_out_t o; (o = cycle(mshr, (mshr_in_t){.out_ready_i = 1})).out_valid_o;)
    printf("read %" PRIu64 " leaves%s\n", o.out_data_o, o.out_last_o ? ", the last one" : "");
  mshr_destroy(mshr);
  return 0;
}
