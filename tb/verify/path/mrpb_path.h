/* SPDX-License-Identifier: Apache-2.0 */
/* A cache in C or C++ for `mrpb conform --path --so FILE` (docs/conform/path.md, "C and C++"). The
 * shared object exports mrpb_path(). Everything happens inside its calls; nothing is kept by the
 * caller after a call. A cycle is: `reply` for what memory answers, `request` for each lane,
 * `flush`, then `cycle`. */
#ifndef MRPB_PATH_H
#define MRPB_PATH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes, of docs/conform/path.md. */
typedef struct {
  unsigned word, lanes, line, address_bits, tag_bits, id_bits;
} mrpb_path_sizes_t;

typedef struct {
  unsigned lane, tag;
  bool write, bypass;
  uint64_t addr;   /* of the first byte of a word */
  uint8_t data[8]; /* of a store: the bytes for which mask has a bit */
  uint8_t mask;    /* bit i: byte i */
} mrpb_path_request_t;

/* What the cache calls, with `ctx`. */
typedef struct {
  void *ctx;
  /* A load's word, `word` bytes; for a store, if stores are answered, NULL. */
  void (*answer)(void *ctx, unsigned lane, unsigned tag, const uint8_t *data);
  /* Reads or writes a line; false: memory takes nothing more in this cycle. Requests take effect in
   * their order. In `mask`, bit i of byte i / 8 stands for byte i of the line. */
  bool (*read)(void *ctx, unsigned id, uint64_t line);
  bool (*write)(void *ctx, unsigned id, uint64_t line, const uint8_t *data, const uint8_t *mask);
} mrpb_path_host_t;

/* What the cache does. */
typedef struct {
  /* NULL: it does not have these sizes, or there is no memory. `host` lives as long as the cache. */
  void *(*create)(const mrpb_path_sizes_t *sizes, const mrpb_path_host_t *host);
  bool (*request)(void *self, const mrpb_path_request_t *r); /* false: refused */
  void (*reply)(void *self, unsigned id, const uint8_t *line);
  bool (*flush)(void *self); /* called in each cycle of a flush; true: done. NULL: has none */
  void (*cycle)(void *self);
  void (*destroy)(void *self);
} mrpb_path_cache_t;

const mrpb_path_cache_t *mrpb_path(void);

#ifdef __cplusplus
}
#endif

#endif
