/* SPDX-License-Identifier: Apache-2.0 */
/* Memory requests in flight from an SM to DRAM and back: one pooled struct per request, queues that
 * link packets through themselves, and the map from a global address to a memory partition. A
 * packet is in at most one queue at a time; its owner frees it. Nothing is allocated per packet:
 * the pool grows by blocks up to the largest number in flight. Only addresses are carried; the
 * bytes are carried in the checking mode only (docs/check.md). */
#ifndef PACKET_H
#define PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  PACKET_READ,      /* SM -> L2, answered with data */
  PACKET_WRITE,     /* SM -> L2, answered with an acknowledgement */
  PACKET_L2_ALLOC,  /* L2 -> DRAM: the read of the line that a write miss allocates; ends in the L2
                     */
  PACKET_WRITE_BACK /* L2 -> DRAM: an evicted modified line; ends in the DRAM */
} packet_kind_t;

typedef struct packet packet_t;
struct check_data;
struct packet {
  /* First the 64 bytes that the SM and the interconnect use. */
  _Alignas(64) packet_t *next; /* link of the queue that holds the packet */

  uint64_t addr;      /* global byte address as the SM sent it */
  uint64_t local;     /* byte address inside the partition */
  uint32_t partition; /* 0 .. partitions - 1 */
  uint32_t bytes;     /* data carried by the write or requested by the read: 32, 64 or 128 */
  packet_kind_t kind;
  bool reply : 1;   /* on the way back: data of a read, acknowledgement of a write */
  bool texture : 1; /* a texture cache's read: skips the L2's fixed delay */
  bool atomic : 1;  /* a read that carries data both ways, performed by the L2 */
  uint16_t sm, warp;

  /* Used by the SM only; the memory system passes them through unchanged. */
  uint16_t flags; /* e.g. bypass, instruction fetch */
  uint32_t entry; /* e.g. MSHR or PRT entry */
  uint64_t tag;   /* e.g. lane mask and register */

  uint64_t t_created; /* the SM cycle of the access, for latency statistics */

  uint64_t ready; /* SM cycle at which a fixed delay ends (before the L2, before the DRAM) */

  /* Interconnect. */
  uint64_t t_inject; /* interconnect cycle in which the packet was handed over; written twice */
  uint32_t flits;

  /* L2 slice: the line that waits for this packet. */
  uint32_t l2_line;
  uint32_t l2_bytes; /* what `bytes` was before the read was widened to a line */
  bool fills;        /* a DRAM read whose return fills l2_line */

  /* DRAM channel. */
  uint16_t to_issue, to_move; /* column commands still to issue; still to leave the data pipe */
  uint16_t bank;
  uint32_t row;

  struct check_data *data; /* checking mode: the bytes that the packet carries; otherwise NULL */
};
_Static_assert(offsetof(struct packet, ready) == 64 && sizeof(struct packet) == 128, "two lines");

/* True if the packet sends a write: WRITE and WRITE_BACK. */
static inline bool packet_is_write(const packet_t *p) {
  return p->kind == PACKET_WRITE || p->kind == PACKET_WRITE_BACK;
}

/* ---- queues ---------------------------------------------------------------------------------- */

typedef struct {
  packet_t *head, *tail;
  uint32_t count, cap; /* cap 0: unbounded */
} packet_queue_t;

static inline void packet_queue_init(packet_queue_t *q, uint32_t cap) {
  *q = (packet_queue_t){.cap = cap};
}

static inline bool packet_queue_full(const packet_queue_t *q) {
  return q->cap && q->count >= q->cap;
}

/* The caller must have checked packet_queue_full. */
static inline void packet_queue_push(packet_queue_t *q, packet_t *p) {
  p->next = NULL;
  if (q->count++)
    q->tail->next = p;
  else
    q->head = p;
  q->tail = p;
}

/* Returns NULL if the queue is empty. */
static inline packet_t *packet_queue_pop(packet_queue_t *q) {
  packet_t *p = q->head;
  if (!q->count) return NULL;
  q->head = p->next;
  if (--q->count == 0) q->head = q->tail = NULL;
  return p;
}

/* ---- pool ------------------------------------------------------------------------------------ */

typedef struct packet_pool packet_pool_t;

/* Creates a pool with room for `n` packets, n >= 1, that grows on demand; NULL if out of memory. */
packet_pool_t *packet_pool_create(uint32_t n);
void packet_pool_destroy(packet_pool_t *pool);

/* Returns a packet with every field zero, or NULL if out of memory (packet_pool_failed then stays
 * true). */
packet_t *packet_alloc(packet_pool_t *pool);
void packet_free(packet_pool_t *pool, packet_t *p);

/* Makes sure that the next n calls of packet_alloc succeed; false if out of memory
 * (packet_pool_failed then stays true). */
bool packet_pool_reserve(packet_pool_t *pool, uint32_t n);

/* True if packet_alloc ever failed: later results cannot be trusted. */
bool packet_pool_failed(const packet_pool_t *pool);

/* Number of packets handed out and not yet freed; 0 if the whole memory system is empty. */
uint32_t packet_pool_in_flight(const packet_pool_t *pool);

/* ---- address map ----------------------------------------------------------------------------- */

typedef struct {
  uint32_t partitions;      /* 1 .. 32; 6 on the C2050. Need not be a power of two */
  uint32_t interleave_log2; /* 5 .. 16; 8: consecutive 256 B go to consecutive partitions */
} packet_map_t;

/* Partition of a global byte address: (addr >> interleave_log2) mod partitions. */
static inline uint32_t packet_map_partition(const packet_map_t *m, uint64_t addr) {
  return (uint32_t)((addr >> m->interleave_log2) % m->partitions);
}

/* Byte address inside the partition: the global address with the partition number removed. */
static inline uint64_t packet_map_local(const packet_map_t *m, uint64_t addr) {
  uint64_t low = addr & ((UINT64_C(1) << m->interleave_log2) - 1);
  return ((addr >> m->interleave_log2) / m->partitions) << m->interleave_log2 | low;
}

/* The inverse: global address of byte `local` of `partition`. */
static inline uint64_t packet_map_global(const packet_map_t *m, uint32_t partition,
                                         uint64_t local) {
  uint64_t low = local & ((UINT64_C(1) << m->interleave_log2) - 1);
  return ((local >> m->interleave_log2) * m->partitions + partition) << m->interleave_log2 | low;
}

/* Sets addr, partition and local. */
static inline void packet_set_address(packet_t *p, const packet_map_t *m, uint64_t addr) {
  p->addr = addr;
  p->partition = packet_map_partition(m, addr);
  p->local = packet_map_local(m, addr);
}

#endif
