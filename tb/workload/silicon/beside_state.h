/* SPDX-License-Identifier: Apache-2.0 */
/* State of both runs; private to the files beside*.c. */
#ifndef BESIDE_STATE_H
#define BESIDE_STATE_H

#include "workload/silicon/beside.h"

/* A word of a variable whose initial value is an address, which the GPU has chosen itself. */
typedef struct {
  unsigned in; /* the variable */
  uint64_t at; /* offset in it */
  uint64_t ours, theirs;
  uint8_t bytes;
} beside_word_t;

struct beside {
  card_t *card;
  workload_t *w;
  simt_view_t view;
  card_module_t **module; /* one per text */
  unsigned n_modules;
  uint64_t *place; /* addresses of the texts' variables in the driver's memory; 0: none */
  beside_word_t *word;
  size_t n_words, words_room;
  uint64_t begin; /* first address of the image */
  uint8_t *known; /* what the GPU holds from `begin` on */
  uint64_t known_bytes;
  beside_range_t range; /* NULL: nothing is loose */
  const void *range_ctx;
  uint64_t loose;
  uint8_t constant[MEMORY_CONST]; /* what the GPU holds in the constant bank */
  bool begun;
  uint64_t launches;
  beside_kernel_t *kernel;
  size_t n_kernels, kernels_room;
};

/* beside_memory.c: beside_bind finds where variables and textures are; beside_upload copies to the
 * GPU what the host has changed; beside_compare reads the GPU's memory back and compares it. The
 * last returns 0, WORKLOAD_DIFFERS or WORKLOAD_FAILED. */
int beside_bind(beside_t *x, mrpb_err_t *err);
int beside_upload(beside_t *x, mrpb_err_t *err);
int beside_compare(beside_t *x, mrpb_err_t *err);

#endif
