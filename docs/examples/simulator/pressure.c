/* SPDX-License-Identifier: Apache-2.0 */
/* Refusals of an MSHR table, and a receiver that is not always ready. */
#include <inttypes.h>
#include <libmrpb.h>
#include <stdio.h>

static const char *const why[] = {"accepted", "refused: no free entry", "refused: entry is full"};
static const uint64_t lines[] = {0x40, 0x40, 0x40, 0x51, 0x62};
enum { READS = sizeof lines / sizeof *lines, CYCLES = 12 };

int main(void) {
  const mshr_cfg_t cfg = {.ENTRIES = 2, .MERGES = 2, .ADDR_W = 25, .DATA_W = 16};
  mrpb_err_t err = {""};
  mshr_t *mshr;
  int failed = mshr_create(&mshr, &cfg, &err);
  unsigned next = 0; /* the read that is offered until it is accepted */
  for (unsigned i = 0; !failed && i < CYCLES; i++) {
    mshr_in_t in = {.srst_ni = 1, .req_valid_i = next < READS, .out_ready_i = i % 2 == 0};
    if (next < READS) in.req_addr_i = lines[next], in.req_data_i = next;
    in.fill_valid_i = i == 4 || i == 6; /* the line of entry 0, and once more by mistake */
    mshr_out_t out;
    failed = mshr_cycle(mshr, &in, &out, &err);
    if (failed) break;
    printf("cycle %2u:", i);
    if (in.req_valid_i) printf(" read %u %s;", next, why[out.req_refuse_o]);
    if (in.fill_valid_i) printf(" fill of entry %" PRIu64 ";", in.fill_entry_i);
    if (out.fill_err_o) printf(" ignored, it awaits no line;");
    if (out.out_valid_o)
      printf(" read %" PRIu64 " %s;", out.out_data_o, in.out_ready_i ? "leaves" : "waits");
    printf("\n");
    next += in.req_valid_i && out.req_ready_o;
  }
  const mshr_in_t wide = {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 0x2000000};
  mshr_out_t out;
  if (!failed && mshr_cycle(mshr, &wide, &out, &err) != 0) printf("illegal: %s\n", err.text);
  if (failed) fprintf(stderr, "%s\n", err.text);
  mshr_destroy(mshr);
  return failed ? 2 : 0;
}
