/* SPDX-License-Identifier: Apache-2.0 */
/* State of both runs, shared by the files beside*.c only. */
#ifndef BESIDE_STATE_H
#define BESIDE_STATE_H

#include "workload/silicon/beside.h"

struct beside {
  card_t *card;
  workload_t *w;
  simt_view_t view;
  card_module_t **module; /* of each text */
  unsigned n_modules;
  uint64_t *place; /* of the texts' variables, in the driver's memory; 0: none */
  uint64_t begin;  /* of the image */
  uint8_t *known;  /* what the GPU has from there on */
  uint64_t known_bytes;
  beside_range_t range; /* NULL: nothing is loose */
  const void *range_ctx;
  uint64_t loose;
  uint8_t constant[MEMORY_CONST]; /* what it has in the constant bank */
  bool begun;
  uint64_t launches;
  beside_kernel_t *kernel;
  size_t n_kernels, kernels_room;
};

/* beside_memory.c: where variables and textures are; what the host has changed goes to the GPU;
 * what the GPU's memory holds comes back and is compared (WORKLOAD_DIFFERS, WORKLOAD_FAILED). */
int beside_bind(beside_t *x, mrpb_err_t *err);
int beside_upload(beside_t *x, mrpb_err_t *err);
int beside_compare(beside_t *x, mrpb_err_t *err);

#endif
