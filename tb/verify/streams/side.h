/* SPDX-License-Identifier: Apache-2.0 */
/* One of the two modules that streams run through: a C model or Verilog, with what drives its
 * streams. docs/verify/streams.md */
#ifndef STREAMS_SIDE_H
#define STREAMS_SIDE_H

#include "verify/streams/items.h"
#include "verify/streams/script.h"

#include "base/hang.h"
#include "verilog/load/lib.h"

enum { SIDE_WINDOW = 64 }; /* items that one side may be ahead of the other */

/* An item that is put aside for a served stream. */
typedef struct {
  uint64_t due;
  uint64_t w[STREAMS_WORDS];
} side_served_t;

/* A stream of a side. */
typedef struct {
  uint64_t next; /* the number of the item that is offered, or is offered next */
  bool offered;
  uint64_t w[STREAMS_WORDS]; /* what is offered */
  uint64_t taken;            /* items since the start */
  side_served_t *served;
  size_t n_served, room_served;
  uint64_t n_put; /* items put aside since the start */
  /* Of a stream that is answered with `of`: when its items were taken. */
  items_list_t asked;
} side_stream_t;

typedef struct side side_t;

struct side {
  const char *called;
  const module_class_t *cls;
  const uint32_t *cfg;
  const shim_table_t *table; /* NULL: the C model */
  void *self;
  unsigned number; /* 0: the reference */
  int reset;       /* the port that is the reset, or -1 */
  streams_names_t *names;
  const streams_spec_t *spec;
  unsigned n;
  uint64_t *in, *out, *held; /* held: inputs that keep a value */
  side_stream_t stream[STREAMS_MOST];
  items_range_t latency[STREAMS_MOST];
  bool out_of_memory;
  /* Hears of each item that passes, with its tag and payload; NULL: nobody does. */
  void (*passes)(void *ctx, const side_t *s, unsigned stream, const uint64_t *w);
  void *ctx;
};

/* What holds for both sides in a cycle. */
typedef struct {
  uint64_t seed, cycle;
  script_cycle_t now;
  const script_t *script; /* the items; NULL: random ones */
} side_cycle_t;

/* Creates the model. `names` must have its ports; names->in and out are set. Returns 0, or -1 and a
 * message in err. side_close frees what it made, also after a failure. */
int side_open(side_t *s, mrpb_err_t *err);
void side_close(side_t *s);
/* Takes a new instance of the model, as after side_open; what is held stays. */
int side_restart(side_t *s, mrpb_err_t *err);
/* The stream's items are forgotten; all sides go on with item `next` of each stream. */
void side_reset(side_t *s, const uint64_t next[STREAMS_MOST]);

/* A cycle in three steps: the inputs, with `other` (NULL: none) not too far behind; the outputs;
 * the edge. side_look tells `match` (NULL: nobody) what has passed, and returns whether anything
 * has. */
void side_drive(side_t *s, const side_t *other, const side_cycle_t *c);
bool side_look(side_t *s, items_t *match, const side_cycle_t *c);
void side_edge(side_t *s);

/* Whether answers of this stream go by its tags: then a tag is offered once at a time. */
bool side_by_tag(const side_t *s, unsigned stream);

#endif
