/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of the safety net. */
#ifndef PROVE_NET_RUN_H
#define PROVE_NET_RUN_H

#include "verify/prove/llvm/draw.h"
#include "verify/prove/llvm/lanes.h"
#include "verify/prove/llvm/plan.h"
#include "verify/prove/llvm/prove.h"

/* What a run reports. */
typedef struct {
  uint64_t states; /* compared so far */
  unsigned lane;   /* the current case */
  char doing[96];  /* the called function */
  char what[224];  /* the difference */
  mrpb_err_t err;  /* why it could not be run */
  uint64_t in[];   /* the graph's variables, one bit per case */
} net_said_t;

/* A byte of the model that is not constant, before an edge and after it (NULL: no registers). */
typedef struct {
  uint32_t object, offset;
  const lit_t *before, *after;
} net_byte_t;

enum { NET_WORDS = MODULE_MAX_WORDS };

typedef struct {
  const sides_t *s;
  const module_class_t *cls;
  char file[FILES_PATH], twin_file[FILES_PATH];
  bool has_twin, loaded; /* the class itself is the program: from a kit */
  net_said_t *said;
  int code;
  object_t object, twin_object;
  lanes_t lane, copy, twin;
  plan_t *plan;
  net_byte_t *byte;
  size_t n_bytes, room;
  draw_t draw[LANES];
  prng_t prng;
  uint64_t in[LANES][NET_WORDS], out[LANES][NET_WORDS], other[LANES][NET_WORDS];
} net_t;

/* Runs in the process of the program. Returns 0, or -1 and a message in err. */
int net_open(net_t *n, mrpb_err_t *err);
void net_close(net_t *n);

/* Each of these is true if everything is equal; otherwise `said` has the case. net_states: runs
 * from a reset, and in addition any state that satisfies the invariant. */
bool net_states(net_t *n);
/* The program with a simulation's own constants, if they differ from the proof's, beside the one
 * above. */
bool net_twin(net_t *n);
/* A proof from a reset: its number of cycles, again and again. */
bool net_cycles(net_t *n);

#endif
