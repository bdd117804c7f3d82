/* SPDX-License-Identifier: Apache-2.0 */
/* An MSHR table, cycle by cycle: three reads of two lines, a fill, and the reads that leave. */
#include <inttypes.h>
#include <libmrpb.h>
#include <stdio.h>

static const mshr_in_t cycles[] = {
    {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 0x40, .req_data_i = 7},
    {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 0x40, .req_data_i = 8},
    {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 0x51, .req_data_i = 9},
    {.srst_ni = 1, .fill_valid_i = 1, .fill_entry_i = 0},
    {.srst_ni = 1, .out_ready_i = 1},
    {.srst_ni = 1, .out_ready_i = 1},
    {.srst_ni = 1, .out_ready_i = 1},
};

int main(void) {
  const mshr_cfg_t cfg = {.ENTRIES = 4, .MERGES = 2, .ADDR_W = 25, .DATA_W = 16};
  mrpb_err_t err = {""};
  mshr_t *mshr;
  int failed = mshr_create(&mshr, &cfg, &err);
  for (unsigned i = 0; !failed && i < sizeof cycles / sizeof *cycles; i++) {
    const mshr_in_t *in = &cycles[i];
    mshr_out_t out;
    failed = mshr_cycle(mshr, in, &out, &err);
    if (failed) break;
    printf("cycle %u, %" PRIu64 " in use:", i, out.count_o);
    if (in->req_valid_i)
      printf(" read %" PRIu64 " %s entry %" PRIu64, in->req_data_i,
             out.req_merge_o ? "merges into" : "allocates", out.req_entry_o);
    if (in->fill_valid_i) printf(" line of entry %" PRIu64 " arrives", in->fill_entry_i);
    if (out.out_valid_o) printf(" read %" PRIu64 " leaves", out.out_data_o);
    printf("%s\n", out.out_last_o ? ", the last of its entry" : "");
  }
  if (failed) fprintf(stderr, "%s\n", err.text);
  mshr_destroy(mshr);
  return failed ? 2 : 0;
}
