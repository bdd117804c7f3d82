/* SPDX-License-Identifier: Apache-2.0 */
/* State of the checking mode, shared by the files of tb/gpu/check only. */
#ifndef CHECK_STATE_H
#define CHECK_STATE_H

#include "gpu/check/check.h"
#include "workload/simt/atomic.h"

enum { LINE = COALESCER_LINE, MAX_ELEM = 16, MAX_WARPS = 64, MAX_MERGES = 32, STORES_CHUNK = 4096 };

typedef struct check_atomic check_atomic_t;
typedef struct check_block_of_data check_block_of_data_t;

/* Where bytes below the L2 are. Needed at the quiet points (quiet.c). */
typedef enum {
  CHECK_ELSEWHERE,
  CHECK_TO_DRAM, /* of a write, on the way to the DRAM */
  CHECK_SETTLED, /* of a write, and the DRAM counts as having them */
  CHECK_FETCHED, /* of a read, on the way from the DRAM to the L2 */
  CHECK_MERGED   /* of a write that missed, next to its MSHR entry in the L2 */
} check_way_t;

/* Bytes of one line; `has` marks those that are valid. `store` is the store that wrote each of
 * them, 0 for the initial contents. */
struct check_data {
  check_data_t *next; /* in the free list */
  uint64_t line;      /* global byte address */
  uint32_t id;        /* for a write: its store */
  bool modified;      /* for an L2 line */
  check_way_t way;
  check_data_t *carried;  /* what a request that the DRAM serves has brought along */
  check_atomic_t *atomic; /* for an atomic's packet: what it does; there are no bytes then */
  uint64_t has[2];
  uint8_t byte[LINE];
  uint32_t store[LINE];
};

/* One transaction of a store, or the host's writes before a launch. */
typedef struct {
  uint64_t cycle;
  uint32_t performed; /* position in the order of all stores, 0 before it has one */
  uint32_t warp;      /* index of check_t.warps, 0 for the host */
  uint32_t lanes;
  uint32_t pc;
} store_t;

typedef struct {
  uint32_t block, launch;
  uint16_t sm, warp;
} warp_id_t;

/* A line to which a store has been issued: the DRAM's contents, and the last bytes issued. */
typedef struct {
  uint64_t line;
  bool cached; /* modified in the L2; used only while memory is compared */
  uint8_t byte[LINE], last_byte[LINE];
  uint32_t store[LINE], last_store[LINE];
  uint16_t pure[LINE]; /* since memory was last quiet: 0 nothing, CHECK_MIXED, or the one atomic */
} image_line_t;
enum { CHECK_MIXED = UINT16_MAX };

/* What the threads of a warp stored: the last store to each byte of a word, keyed by {word address,
 * lane}. */
typedef struct {
  uint64_t key; /* 0 if free */
  uint32_t store[4];
} own_word_t;

typedef struct check_load check_load_t;
struct check_load {
  check_load_t *next; /* next of its warp, or in the free list */
  uint64_t cycle;
  uint32_t pc, warp;                 /* index of check_t.warps */
  uint32_t issued;                   /* number of stores issued before it */
  uint32_t pending[COALESCER_WORDS]; /* lanes without data, for each part of the element */
  uint16_t reg;
  uint8_t elem, parts, part; /* bytes of the element; number of parts; bytes of a part */
  uint64_t addr[WARP_LANES];
  uint8_t expect[WARP_LANES][MAX_ELEM];
  uint32_t own[WARP_LANES][MAX_ELEM];
};

typedef struct {
  uint32_t id; /* index of check_t.warps */
  own_word_t *own;
  uint32_t own_count, own_room;
  check_load_t *loads;
} check_warp_t;

typedef struct {
  uint64_t addr;
  uint16_t warp, reg;
  uint32_t bytes;
} waiting_t;

/* A bypassed read in flight. */
typedef struct bypass bypass_t;
struct bypass {
  bypass_t *next;
  const packet_t *p;
  bool prt; /* it has a PRT entry: p->entry */
  waiting_t read;
};

/* An MSHR entry of the L1D: its reads in order, and the data of the fill. */
typedef struct {
  check_data_t *data;
  uint8_t first, count;
  waiting_t read[MAX_MERGES];
} check_entry_t;

/* What an L1 with bytes of its own has got, by line, and the stores that it has not sent yet. */
typedef struct check_versions check_versions_t;
typedef struct {
  check_versions_t *lines; /* hashed */
  uint32_t used, room;
  check_data_t **stores; /* in the order of issue */
  size_t n_stores, room_stores;
} check_path_t;

struct check_sm {
  check_t *check;
  unsigned id;
  check_data_t **line;
  check_entry_t *entry;
  bypass_t *bypasses;
  check_path_t path;
  check_warp_t warp[MAX_WARPS];
};

struct check {
  check_cfg_t cfg;
  workload_t *workload;
  uint64_t now;
  uint32_t launch; /* counts from 1 */
  check_sm_t *sm;
  check_data_t **l2_line, **l2_entry; /* of all slices */

  store_t **stores; /* in chunks; number 0 is the initial contents */
  uint32_t n_stores, n_chunks, performed;
  uint32_t host_store; /* the host's writes before this launch */
  warp_id_t *warps;
  uint32_t n_warps, room_warps;

  image_line_t **image; /* hashed by line */
  uint32_t n_image, room_image;

  check_data_t *free_data;
  check_block_of_data_t *data; /* all of them */
  check_load_t *free_loads;
  bypass_t *free_bypasses;
  check_atomic_t *free_atomics;
  void **blocks; /* memory of both */
  uint32_t n_blocks, room_blocks;
  check_data_t spare_data; /* returned when out of memory */

  check_stats_t stats;
  mrpb_err_t err;
};

/* check.c */
void check_no_memory(check_t *c);
bool check_grow(check_t *c, void **array, uint32_t *room, size_t item);
uint32_t check_new_store(check_t *c, uint32_t warp, uint32_t lanes, uint32_t pc);
static inline store_t *check_store(const check_t *c, uint32_t id) {
  return &c->stores[id / STORES_CHUNK][id % STORES_CHUNK];
}
void check_perform(check_t *c, uint32_t id);
/* "store #7 of sm1 warp 2, launch 1 pc 0x58, cycle 123" */
typedef struct {
  char text[128];
} check_text_t;
check_text_t check_describe(const check_t *c, uint32_t id);

/* data.c */
void *check_block(check_t *c, size_t bytes); /* zeroed; freed with the check; NULL: no memory */
check_data_t *check_data_new(check_t *c, uint64_t line);
check_data_t *check_data_copy(check_t *c, const check_data_t *from);
void check_data_drop(check_t *c, check_data_t *d);
/* Visits every one that is below the L2. */
void check_data_each(check_t *c, void (*visit)(check_t *c, check_data_t *d));
/* Copies the valid bytes of `from` over `to`. */
void check_data_over(check_data_t *to, const check_data_t *from);
static inline bool check_data_has(const check_data_t *d, unsigned i) {
  return d->has[i / 64] >> i % 64 & 1;
}
void check_data_mark(check_data_t *d, unsigned first, unsigned bytes);
/* Line `d`, which is given away, becomes the answer to read `p`: the bytes that it asks for. */
void check_data_answer(check_t *c, packet_t *p, check_data_t *d);

image_line_t *check_image(const check_t *c, uint64_t line); /* NULL if nothing was stored there */
/* Creates the line if it does not exist; call it before the line's first store takes effect. NULL
 * if out of memory. */
image_line_t *check_image_make(check_t *c, uint64_t line);
/* Reads the DRAM's bytes of d->line. */
void check_image_read(const check_t *c, check_data_t *d);
/* Writes the valid bytes of `d` into the DRAM. With `newer`, only those that were performed
 * later. */
void check_image_write(check_t *c, const check_data_t *d, bool newer);
/* Reads the functional memory. False if the workload has none, and for local memory. */
bool check_functional(const check_t *c, uint64_t addr, uint8_t *to, unsigned bytes);

/* path.c */
void check_path_close(check_sm_t *s);

/* atomic.c: one transaction of an atomic issues. Returns the data for its packet. */
check_data_t *check_issue_atomic(check_sm_t *s, check_warp_t *w, const warp_inst_t *inst,
                                 const uint64_t addr[WARP_LANES], uint8_t value[WARP_LANES][16],
                                 const coalesced_t *t);
/* The L2 performs the packet's atomic on the bytes of its line. */
void check_perform_atomic(check_t *c, packet_t *p, check_data_t *line);
void check_atomic_drop(check_t *c, check_atomic_t *a);

/* threads.c */
/* The lanes that wait for any part. */
static inline uint32_t check_pending(const check_load_t *l) {
  return l->pending[0] | l->pending[1] | l->pending[2] | l->pending[3];
}
/* check_own_store: the lane's last store to the byte at `addr`, 0 if none. Then: the lane has a new
 * one. */
uint32_t check_own_store(const check_warp_t *w, uint64_t addr, unsigned lane);
void check_own_remember(check_t *c, check_warp_t *w, uint64_t addr, unsigned lane, uint32_t id);
typedef enum { FROM_HIT, FROM_FILL, FROM_BYPASS } check_source_t;
/* Lanes of that load wait for bytes there. */
bool check_waits(const check_sm_t *s, unsigned warp, unsigned reg, uint64_t addr, uint32_t bytes);
void check_arrived(check_sm_t *s, unsigned warp, unsigned reg, uint64_t addr, uint32_t bytes,
                   const check_data_t *d, check_source_t from);

#endif
