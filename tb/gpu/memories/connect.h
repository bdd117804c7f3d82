/* SPDX-License-Identifier: Apache-2.0 */
/* Interfaces of external parts that can be connected to the GPU: a DRAM behind its L2, a memory
 * behind the L1s of its SMs, or cores in place of the SMs. */
#ifndef MEMORIES_CONNECT_H
#define MEMORIES_CONNECT_H

#include <stdbool.h>
#include <stdint.h>

/* A DRAM behind the L2: the six functions that DRAMsim3's MemorySystem made customary. None may be
 * NULL. One such DRAM serves all slices of the L2; its addresses are global byte addresses.
 *
 * In each of its clocks every slice, in order, returns finished data to its L2, at most one
 * request, and begins at most one request; then `tick` is called. A request of 32 to 128 bytes is
 * split into as many transactions as it needs. Each is answered through the function of
 * set_callbacks, from inside `tick` or `add`. Write-backs of the L2 are writes; nothing in the GPU
 * waits for them. The DRAM keys (docs/config.md) have no effect, and neither has the DRAM's fixed
 * delay. */
typedef struct {
  void *ctx; /* first argument of each function */
  /* Sets where finished reads and writes are reported, with the address given to `add`. Called
   * once, when the first cycle begins. */
  void (*set_callbacks)(void *ctx, void (*read_done)(void *arg, uint64_t address),
                        void (*write_done)(void *arg, uint64_t address), void *arg);
  double (*tck)(void *ctx);                 /* GetTCK: ns per clock; 0.1 to 100 */
  unsigned (*transaction_bytes)(void *ctx); /* GetBusBits * GetBurstLength / 8: 8, 16, ... 128 */
  bool (*will_accept)(void *ctx, uint64_t address, bool is_write); /* WillAcceptTransaction */
  /* AddTransaction; called only if will_accept is true. false: not now; it is offered again. */
  bool (*add)(void *ctx, uint64_t address, bool is_write);
  void (*tick)(void *ctx); /* ClockTick */
} mrpb_gpu_dram_t;

/* A request of an SM, as its L1 sends it, or of a core. */
typedef struct {
  uint64_t id; /* for the reply; an SM's request has a new id each time it is offered */
  uint64_t address;
  uint32_t bytes; /* 32, 64 or 128 */
  uint32_t sm;
  bool is_write;
} mrpb_gpu_request_t;

/* A memory behind the L1s, in place of interconnect, L2 and DRAM. */
typedef struct {
  void *ctx; /* first argument of each function */
  /* Offers the oldest request of an SM's injection buffer (ICNT_INJECT flits); at most one of each
   * SM in an SM cycle, SMs in order. false: not now; it is offered again in the next cycle. Each
   * accepted request, a write too, must be answered once by mrpb_gpu_reply. */
  bool (*accept)(void *ctx, const mrpb_gpu_request_t *request);
  /* Called once in each SM cycle, before requests are offered. May be NULL. */
  void (*tick)(void *ctx, uint64_t cycle);
} mrpb_gpu_memory_t;

/* Cores in place of the SMs, in front of interconnect, L2 and DRAM; the key SMS gives their number.
 * Each has an injection buffer of ICNT_INJECT flits, which mrpb_gpu_request fills. */
typedef struct {
  void *ctx; /* first argument of each function */
  /* A read has its data, or a write its acknowledgement; at most one for each core in an SM cycle.
   * `id` is that of the request. */
  void (*reply)(void *ctx, uint32_t core, uint64_t id);
  /* Called once in each SM cycle, after the replies of that cycle. May be NULL. */
  void (*tick)(void *ctx, uint64_t cycle);
} mrpb_gpu_cores_t;

#endif
