/* SPDX-License-Identifier: Apache-2.0 */
/* What parts of somebody else's look like to the GPU: a DRAM behind its L2, everything behind the L1s of
 * its SMs, or cores in the place of the SMs. */
#ifndef GPU_CONNECT_H
#define GPU_CONNECT_H

#include <stdbool.h>
#include <stdint.h>

/* A DRAM behind the L2: the six functions that DRAMsim3's MemorySystem made customary. None may be
 * NULL. One of them serves all slices of the L2; its addresses are global byte addresses.
 *
 * In each of its clocks every slice brings what has come back to its L2, at most one request, and
 * begins with at most one, in order; then `tick` is called. A request of 32 to 128 bytes is so many
 * transactions as it takes; each is answered by the function of set_callbacks, from inside `tick` or
 * `add`. Write-backs of the L2 are writes; nothing in the GPU waits for them. The keys of the DRAM
 * (docs/config.md) have no effect, its fixed delay among them. */
typedef struct {
  void *ctx; /* the first argument of each */
  /* Where finished transactions are reported, with the address of `add`, reads and writes; called
   * once, when the first cycle begins. */
  void (*set_callbacks)(void *ctx, void (*read_done)(void *arg, uint64_t address),
                        void (*write_done)(void *arg, uint64_t address), void *arg);
  double (*tck)(void *ctx);                 /* GetTCK: ns of a clock; 0.1 to 100 */
  unsigned (*transaction_bytes)(void *ctx); /* GetBusBits * GetBurstLength / 8: 8, 16, ... 128 */
  bool (*will_accept)(void *ctx, uint64_t address, bool is_write); /* WillAcceptTransaction */
  /* AddTransaction; called only if will_accept is true. false: not now, and it is offered again. */
  bool (*add)(void *ctx, uint64_t address, bool is_write);
  void (*tick)(void *ctx); /* ClockTick */
} mrpb_gpu_dram_t;

/* A request of an SM, as its L1 sends it, or of a core. */
typedef struct {
  uint64_t id; /* for the reply; an SM's is another one each time that it is offered */
  uint64_t address;
  uint32_t bytes; /* 32, 64 or 128 */
  uint32_t sm;
  bool is_write;
} mrpb_gpu_request_t;

/* A memory behind the L1s: it stands in the place of interconnect, L2 and DRAM. */
typedef struct {
  void *ctx; /* the first argument of each */
  /* The oldest request of an SM's injection buffer (ICNT_INJECT flits); at most one of each SM in an
   * SM cycle, SMs in order. false: not now; it is offered again in the next cycle. Each request that
   * is accepted is answered once by mrpb_gpu_reply, a write too. */
  bool (*accept)(void *ctx, const mrpb_gpu_request_t *request);
  /* Once in each SM cycle, before requests are offered. May be NULL. */
  void (*tick)(void *ctx, uint64_t cycle);
} mrpb_gpu_memory_t;

/* Cores in the place of the SMs, in front of interconnect, L2 and DRAM; SMS says how many. Each has an
 * injection buffer of ICNT_INJECT flits, which mrpb_gpu_request fills. */
typedef struct {
  void *ctx; /* the first argument of each */
  /* A read has its data, a write its acknowledgement; at most one for each core in an SM cycle. `id` is
   * what the request had. */
  void (*reply)(void *ctx, uint32_t core, uint64_t id);
  /* Once in each SM cycle, behind the replies of that cycle. May be NULL. */
  void (*tick)(void *ctx, uint64_t cycle);
} mrpb_gpu_cores_t;

#endif
