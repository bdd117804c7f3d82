/* SPDX-License-Identifier: Apache-2.0 */
/* The card's own kernels: one flushes its L2, one keeps it busy until its clocks are up, one does
 * nothing. See card.h. */
#include "workload/silicon/card_state.h"

#include <string.h>

enum { THREADS = 256 };

/* nothing: ends at once. flush: reads the whole buffer, lane by lane. spin: runs until the given
 * number of nanoseconds has passed, then stores what both clocks say. */
static const char text[] =
    ".version 6.0\n.target sm_30\n.address_size 64\n"
    ".visible .entry nothing()\n{\n  ret;\n}\n"
    ".visible .entry flush(.param .u64 p_from, .param .u64 p_to, .param .u64 p_out)\n{\n"
    "  .reg .pred %p;\n  .reg .b32 %r<8>;\n  .reg .b64 %rd<8>;\n"
    "  ld.param.u64 %rd1, [p_from];\n  ld.param.u64 %rd2, [p_to];\n  ld.param.u64 %rd3, [p_out];\n"
    "  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %ntid.x;\n  mov.u32 %r3, %tid.x;\n"
    "  mov.u32 %r4, %nctaid.x;\n  mad.lo.u32 %r1, %r1, %r2, %r3;\n  mul.lo.u32 %r4, %r4, %r2;\n"
    "  mul.wide.u32 %rd4, %r1, 4;\n  add.u64 %rd1, %rd1, %rd4;\n  mul.wide.u32 %rd4, %r4, 4;\n"
    "  mov.u32 %r5, 0;\nAGAIN:\n  setp.ge.u64 %p, %rd1, %rd2;\n  @%p bra END;\n"
    "  ld.global.u32 %r6, [%rd1];\n  add.u32 %r5, %r5, %r6;\n  add.u64 %rd1, %rd1, %rd4;\n"
    "  bra AGAIN;\nEND:\n  setp.eq.u32 %p, %r5, 0;\n  @%p ret;\n  st.global.u32 [%rd3], %r5;\n"
    "  ret;\n}\n"
    ".visible .entry spin(.param .u64 p_ns, .param .u64 p_out)\n{\n  .reg .pred %p;\n"
    "  .reg .b64 %rd<8>;\n  ld.param.u64 %rd1, [p_ns];\n  ld.param.u64 %rd2, [p_out];\n"
    "  mov.u64 %rd3, %globaltimer;\n  mov.u64 %rd4, %clock64;\nAGAIN:\n"
    "  mov.u64 %rd5, %globaltimer;\n  sub.u64 %rd5, %rd5, %rd3;\n  setp.lt.u64 %p, %rd5, %rd1;\n"
    "  @%p bra AGAIN;\n  mov.u64 %rd6, %clock64;\n  sub.u64 %rd6, %rd6, %rd4;\n"
    "  st.global.u64 [%rd2], %rd5;\n  st.global.u64 [%rd2+8], %rd6;\n  ret;\n}\n";

static int load(card_t *c, mrpb_err_t *err) {
  return c->own ? 0 : card_load(&c->own, c, text, sizeof text - 1, "mrpb's own kernels", err);
}

int card_nothing(card_t *c, const card_launch_t *like, double limit, double *seconds,
                 mrpb_err_t *err) {
  card_launch_t l = *like;
  l.kernel = "nothing";
  l.param_bytes = 0;
  if (load(c, err) != 0) return -1;
  /* The first launch of a grid may take twice as long, so the second one counts. */
  if (card_launch(c->own, &l, limit, NULL, err) != 0) return -1;
  return card_launch(c->own, &l, limit, seconds, err);
}

int card_own_launch(card_t *c, const char *kernel, const uint64_t *arg, unsigned n, uint32_t blocks,
                    double *seconds, mrpb_err_t *err) {
  enum { LIMIT_S = 10 };
  if (load(c, err) != 0) return -1;
  const card_launch_t l = {.kernel = kernel,
                           .grid = {blocks, 1, 1},
                           .block = {THREADS, 1, 1},
                           .params = arg,
                           .param_bytes = n * sizeof *arg};
  return card_launch(c->own, &l, LIMIT_S, seconds, err);
}

/* The second of two runs counts; the first brings the clocks up. */
int card_clock(card_t *c, double *mhz, mrpb_err_t *err) {
  enum { UP_NS = 150000000, NS = 5000000 };
  uint64_t at = 0, seen[2] = {0};
  if (card_check(c, c->driver.alloc(&at, sizeof seen), "memory", err) != 0) return -1;
  const uint64_t up[] = {UP_NS, at}, count[] = {NS, at};
  int rc = card_own_launch(c, "spin", up, 2, 1, NULL, err);
  if (rc == 0) rc = card_own_launch(c, "spin", count, 2, 1, NULL, err);
  if (rc == 0) rc = card_read(c, seen, at, sizeof seen, err);
  if (!c->broken.text[0]) (void)c->driver.free(at);
  if (rc == 0 && seen[0] == 0)
    rc = mrpb_fail(err, "GPU %u: its timer does not advance", c->info.number);
  if (rc == 0) *mhz = 1e3 * (double)seen[1] / (double)seen[0];
  return rc;
}
