/* SPDX-License-Identifier: Apache-2.0 */
/* The MSHR model in your own simulator: two reads of one line, its fill, and both reads leave in
 * order. An input that is wider than its port is refused.
 * cc mshr.c $(pkg-config --cflags --libs mrpb) -o mshr && ./mshr */
#include <libmrpb.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* One clock cycle out of reset. */
static mshr_out_t cycle(mshr_t *mshr, mshr_in_t in) {
  mshr_out_t out;
  mrpb_err_t err = {""};
  in.srst_ni = 1;
  if (mshr_cycle(mshr, &in, &out, &err) != 0) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  return out;
}

int main(void) {
  const mshr_cfg_t cfg = {.ENTRIES = 32, .MERGES = 8, .ADDR_W = 25, .DATA_W = 16};
  mrpb_err_t err = {""};
  mshr_t *mshr;
  if (mshr_create(&mshr, &cfg, &err) != 0) {
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

  const mshr_in_t wide = {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 0x2000000};
  if (mshr_legal(mshr, &wide, &err) != 0) printf("refused: %s\n", err.text);
  mshr_destroy(mshr);
  return 0;
}
