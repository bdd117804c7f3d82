/* SPDX-License-Identifier: Apache-2.0 */
/* Which misses are to bypass the L1D although it would take them (BYPASS_POLICY): by the hits that
 * the queues of the MRPB got lately, or by the number of queues that contend. The policies stand
 * beside the MRPB: they are told what enters, leaves and is looked up. docs/device/mrpb.md. */
#ifndef BYPASS_POLICY_H
#define BYPASS_POLICY_H

#include <stdbool.h>
#include <stdint.h>

/* In the order of the words of BYPASS_POLICY. */
enum { BYPASS_POLICY_REFUSED, BYPASS_POLICY_SIGNATURE, BYPASS_POLICY_CONTENTION };
enum {
  BYPASS_POLICY_QUEUES = 64,
  BYPASS_POLICY_SAMPLE = 16 /* of the misses that could bypass, one in so many does not */
};

typedef struct {
  uint32_t policy;
  uint32_t misses;  /* BYPASS_MISSES */
  uint32_t lines;   /* lines for data in a set of the L1D */
  unsigned contend; /* queues that hold requests */
  uint16_t held[BYPASS_POLICY_QUEUES];
  uint16_t in_row[BYPASS_POLICY_QUEUES]; /* look-ups since the last hit, at most `misses` */
  uint8_t sample[BYPASS_POLICY_QUEUES];  /* misses that bypassed since the last sample */
} bypass_policy_t;

/* A request has entered queue `queue`, or has left it for the L1D or past it. */
void bypass_policy_enter(bypass_policy_t *p, unsigned queue);
void bypass_policy_leave(bypass_policy_t *p, unsigned queue);
/* A read of the queue is looked up and found (or finds its line on the way), or not. */
void bypass_policy_hit(bypass_policy_t *p, unsigned queue);
/* True if the read, which misses, is to bypass. */
bool bypass_policy_miss(bypass_policy_t *p, unsigned queue);

#endif
