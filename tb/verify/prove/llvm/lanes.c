/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "verify/prove/llvm/lanes.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* Reads eight bytes of the model as create has left it, if they are constant. */
static bool word_of(const mem_t *m, uint32_t id, uint32_t at, uint64_t *word) {
  *word = 0;
  for (unsigned k = 0; k < 64; k++) {
    const lit_t bit = mem_byte(m, id, at + k / 8)[k % 8];
    if (!aig_is_const(bit)) return false;
    *word |= (uint64_t)(bit == AIG_TRUE) << k;
  }
  return true;
}

/* Follows the pointers of object `id`. A number that only looks like one of the executor's
 * addresses is the same number in the program; a true address differs. */
static int follow(lanes_t *l, const model_t *m, unsigned lane, uint32_t id, mrpb_err_t *err) {
  unsigned char *base = l->at[id - m->first][lane];
  const uint32_t size = mem_size(m->made, id);
  uint64_t word, native;
  if (malloc_usable_size(base) < size)
    return mrpb_fail(err, "object %u of the C model has %u bytes for clang, less for the compiler",
                     id - m->first, size);
  for (uint32_t at = 0; at + 8 <= size; at += 8) {
    const uint32_t to = word_of(m->made, id, at, &word) ? mem_object(word) : UINT32_MAX;
    memcpy(&native, base + at, 8);
    if (to < m->first || to >= m->end || (uint32_t)word != 0 || native == word) continue;
    unsigned char **place = &l->at[to - m->first][lane];
    if (*place || mem_size(m->made, to) == 0) continue;
    memcpy(place, base + at, sizeof *place);
    if (follow(l, m, lane, to, err) != 0) return -1;
  }
  return 0;
}

static int find_objects(lanes_t *l, const model_t *m, mrpb_err_t *err) {
  l->n = m->end - m->first;
  l->at = calloc(l->n + 1, sizeof *l->at);
  if (!l->at) return mrpb_fail(err, "out of memory");
  const uint32_t self = mem_object(m->self.base);
  for (unsigned i = 0; i < LANES; i++) {
    l->at[self - m->first][i] = l->self[i];
    if (follow(l, m, i, self, err) != 0) return -1;
    for (uint32_t id = 0; id < l->n; id++)
      if (!l->at[id][i] && mem_size(m->made, m->first + id) > 0)
        return mrpb_fail(err, "object %u of the C model is behind none of its pointers", id);
  }
  return 0;
}

bool lanes_changed(const lanes_t *l, const model_t *m, unsigned lane,
                   bool (*but)(const void *ctx, uint32_t object, uint32_t offset), const void *ctx,
                   uint32_t *object, uint32_t *offset) {
  uint64_t word, native;
  for (*object = 0; *object < l->n; ++*object) {
    const uint32_t id = m->first + *object, size = mem_size(m->made, id);
    const unsigned char *base = l->at[*object][lane];
    for (uint32_t at = 0; at + 8 <= size; at += 8) {
      if (!word_of(m->made, id, at, &word)) continue;
      memcpy(&native, base + at, 8);
      if (native == word || mem_object(word) != UINT32_MAX) continue;
      for (*offset = at; *offset < at + 8; ++*offset)
        if (base[*offset] != (word >> 8 * (*offset - at) & 255) &&
            !(but && but(ctx, *object, *offset)))
          return true;
    }
  }
  return false;
}

int lanes_open(lanes_t *l, const object_t *o, const model_t *m, const uint32_t *cfg,
               mrpb_err_t *err) {
  *l = (lanes_t){.object = o};
  for (unsigned i = 0; i < LANES; i++)
    if (o->cls->create(&l->self[i], cfg, err) != 0 || !l->self[i])
      return mrpb_fail(err, "the program's %s_create fails", o->cls->stem);
  return m ? find_objects(l, m, err) : 0;
}

void lanes_close(lanes_t *l) {
  for (unsigned i = 0; i < LANES; i++)
    if (l->self[i]) l->object->cls->destroy(l->self[i]);
  free(l->at);
  *l = (lanes_t){0};
}

enum { EIGHT = 8 };
static const uint64_t ones = UINT64_C(0x0101010101010101);

void lanes_gather(const lanes_row_t row, uint32_t offset, uint64_t bit[8]) {
  for (unsigned k = 0; k < 8; k++) bit[k] = 0;
  for (unsigned i = 0; i < LANES; i += EIGHT) {
    uint64_t v = 0;
    for (unsigned j = 0; j < EIGHT; j++) v |= (uint64_t)row[i + j][offset] << 8 * j;
    if (v == 0) continue;
    for (unsigned k = 0; k < 8; k++) /* the lowest bits of eight bytes, side by side */
      bit[k] |= ((v >> k & ones) * UINT64_C(0x0102040810204080) >> 56) << i;
  }
}

void lanes_scatter(const lanes_row_t row, uint32_t offset, const uint64_t bit[8], uint64_t which) {
  for (; which; which &= which - 1) {
    const unsigned lane = (unsigned)__builtin_ctzll(which);
    unsigned value = 0;
    for (unsigned k = 0; k < 8; k++) value |= (unsigned)(bit[k] >> lane & 1) << k;
    row[lane][offset] = (unsigned char)value;
  }
}
