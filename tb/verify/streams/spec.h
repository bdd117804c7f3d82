/* SPDX-License-Identifier: Apache-2.0 */
/* The streams of a module: which bits of its ports they are, as its map says.
 * docs/verify/streams.md */
#ifndef STREAMS_SPEC_H
#define STREAMS_SPEC_H

#include "verilog/design/bind.h"

enum {
  STREAMS_MOST = 16,
  STREAMS_LEAVES = 64,
  STREAMS_GIVES = 16,
  STREAMS_WORDS = 17 /* of an item: its tag, and a payload of up to 1,024 bits */
};

/* A port in the words of the class that drives it. */
typedef struct {
  char name[MAP_NAME];
  bool input;
  unsigned bit, width; /* bit 64 * w + i is bit i of word w */
} streams_port_t;

/* The names of a side: those of our module, or those of a design. */
typedef struct {
  const bind_t *bind;
  bool theirs;
  streams_port_t port[BIND_PORTS];
  unsigned n_ports;
  const uint64_t *in, *out; /* the words of this cycle */
} streams_names_t;

/* Up to 64 bits of a port, or, with `expr`, the value of an expression. */
typedef struct {
  const expr_t *expr;
  bool input;
  unsigned bit, width;
} streams_leaf_t;

/* Leaves side by side, the first one lowest. */
typedef struct {
  streams_leaf_t leaf[STREAMS_LEAVES];
  unsigned n, width;
  bool low; /* of a driven valid or ready: it is 1 where the port is 0 */
} streams_value_t;

/* What a served item takes over: `from`, put at bit `at` of the item. */
typedef struct {
  const expr_t *from;
  unsigned at, width;
} streams_give_t;

typedef struct {
  char name[MAP_NAME];
  unsigned line;
  bool enters, has_ready, has_tag;
  streams_value_t valid, ready, payload, tag;
  int of; /* the stream that it answers, or -1 */
  char of_name[MAP_NAME];
  unsigned long latency;
  const expr_t *when; /* served: an item is put aside in these cycles */
  streams_give_t give[STREAMS_GIVES];
  unsigned n_gives;
} streams_spec_t;

/* Fills `spec` with the streams of the names' map. Returns 0, or -1 and a message in err. */
int streams_spec(streams_spec_t spec[STREAMS_MOST], unsigned *n, const streams_names_t *names,
                 mrpb_err_t *err);
/* Whether two sides have the same streams. `n` of `a`, `m` of `b`, which are put into the order of
 * `a`. A latency, and what a stream answers, may be in either map; that of `b` goes first. Returns
 * 0, or -1 and a message in err. */
int streams_spec_same(streams_spec_t *a, unsigned n, streams_spec_t *b, unsigned m,
                      const map_t *map, mrpb_err_t *err);

/* The scope of a side's names for expr_eval. `names` must outlive it. */
scope_t streams_scope(const streams_names_t *names);
/* The value's bits in this cycle, from word `to` on. */
void streams_get(const streams_value_t *v, const streams_names_t *names, uint64_t *to);
/* True if it is not 0. For a driven valid or ready, `low` counts. */
bool streams_is(const streams_value_t *v, const streams_names_t *names);
/* Drives the value's bits, which are inputs. */
void streams_put(const streams_value_t *v, const uint64_t *from, uint64_t *in);

/* Whether a stream of the side uses this port. */
bool streams_uses(const streams_spec_t *spec, unsigned n, const streams_port_t *port);

#endif
