/* SPDX-License-Identifier: Apache-2.0 */
/* The events in a cycle of the MRPB, the MSHR table, the PRT and the whole L1, seen from their ports: accesses to
 * their arrays, kinds of requests, and reasons to wait. docs/estimate/activity.md */
#ifndef ACTIVITY_EVENTS_H
#define ACTIVITY_EVENTS_H

#include "module.h"

enum { ACTIVITY_EVENTS = 24, ACTIVITY_NONE = -1 };

/* How an array is accessed: indices of events, or ACTIVITY_NONE. */
typedef struct {
  const char *reg;
  int reads, writes, searches;
  int both; /* cycles with a read and a write */
} activity_access_t;

/* A register of the ports table, wherever it is stored; its elements are little-endian. */
typedef struct {
  const unsigned char *data;
  unsigned elem_bytes, words;
} activity_reg_t;

typedef struct {
  const char *stem;
  const char *const *events; /* names, n_events of them */
  unsigned n_events;
  const activity_access_t *arrays;
  unsigned n_arrays;
  const char *level; /* the output that says how full it is */
  const char
      *rings[3]; /* head, tail and full bits of the rings whose entries `count` gets, or NULLs */
  /* Adds how often each event happens in a cycle with these inputs and outputs. `before` and
   * `after` are how many entries those rings hold before and after the edge at the cycle's end. */
  void (*count)(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, uint64_t before,
                uint64_t after, uint64_t *events);
} activity_class_t;

/* Returns NULL for a module that is not one of them. */
const activity_class_t *activity_class(const char *stem);

/* The entries of rings of `depth` places; `rings` are head, tail and full bits. */
uint64_t activity_stored(const activity_reg_t *const rings[3], uint32_t depth);

#endif
