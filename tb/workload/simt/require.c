/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch must fulfil: a kernel of the module that can run, and legal sizes. */
#include "workload/simt/simt_state.h"

#include <inttypes.h>

/* Checks the block size that the kernel's text requires, as a GPU's driver does. */
static int block_as_required(simt_t *t, uint64_t threads) {
  const uint32_t *b = t->now.block, *want = t->now.kernel->block;
  const char *name = t->now.kernel->name;
  if (want[0] && (b[0] != want[0] || b[1] != want[1] || b[2] != want[2]))
    return mrpb_fail(&t->fault,
                     "%.200s: a block of %" PRIu32 ",%" PRIu32 ",%" PRIu32
                     " threads; its .reqntid needs blocks of %" PRIu32 ",%" PRIu32 ",%" PRIu32,
                     name, b[0], b[1], b[2], want[0], want[1], want[2]);
  const uint32_t most = t->now.kernel->most;
  if (most && threads > most)
    return mrpb_fail(&t->fault,
                     "%.200s: a block of %" PRIu64 " threads; its .maxntid allows %" PRIu32, name,
                     threads, most);
  return 0;
}

int simt_launch_as_required(simt_t *t, const simt_kernel_t **k) {
  const simt_launch_t *l = &t->now;
  uint64_t blocks = 1, threads = 1;
  const char *name = l->kernel ? l->kernel->name : "?";
  *k = NULL;
  for (unsigned i = 0; i < t->n_kernels; i++)
    if (t->kernels[i].kernel == l->kernel) *k = &t->kernels[i];
  if (!*k) return mrpb_fail(&t->fault, "%s: not a kernel of the module", name);
  if (l->kernel->refused || (*k)->refused.text[0])
    return mrpb_fail(&t->fault, "kernel '%.80s' cannot run: %s", name,
                     l->kernel->refused ? l->kernel->refused : (*k)->refused.text);
  for (unsigned i = 0; i < 3; i++) {
    if (l->grid[i] == 0 || l->grid[i] > INT32_MAX || l->block[i] == 0 ||
        l->block[i] > SIMT_MAX_THREADS)
      return mrpb_fail(&t->fault,
                       "%s: grid (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), block (%" PRIu32 ",%" PRIu32
                       ",%" PRIu32 "); legal: 1 to 2147483647, 1 to %d",
                       name, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                       l->block[2], SIMT_MAX_THREADS);
    blocks *= l->grid[i];
    threads *= l->block[i];
    if (blocks > UINT32_MAX || threads > SIMT_MAX_THREADS)
      return mrpb_fail(&t->fault, "%s: legal: 2^32 - 1 blocks of %d threads", name,
                       SIMT_MAX_THREADS);
  }
  if (block_as_required(t, threads) != 0) return -1;
  if (l->shared > SIMT_MAX_SHARED || l->kernel->shared_bytes > SIMT_MAX_SHARED - l->shared)
    return mrpb_fail(&t->fault,
                     "%s: %" PRIu32 " + %" PRIu32 " bytes of shared memory; legal: 0 to %d", name,
                     l->kernel->shared_bytes, l->shared, SIMT_MAX_SHARED);
  t->launch = (launch_t){.kernel = name,
                         .blocks = (uint32_t)blocks,
                         .threads = (uint32_t)threads,
                         .regs = l->regs,
                         .shared = l->kernel->shared_bytes + l->shared,
                         .param_bytes = l->kernel->param_bytes,
                         .apart = (*k)->apart};
  return 0;
}
