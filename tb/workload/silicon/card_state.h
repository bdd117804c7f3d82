/* SPDX-License-Identifier: Apache-2.0 */
/* State of a GPU; private to the files in tb/workload/silicon. */
#ifndef SILICON_CARD_STATE_H
#define SILICON_CARD_STATE_H

#include "workload/silicon/card.h"
#include "workload/silicon/driver.h"

/* mapped <= reserved: bytes of the image, from MEMORY_BASE on. */
struct card {
  driver_t driver;
  card_info_t info;
  int device, claim; /* claim: a socket name that only one program can bind; -1: none */
  void *context;
  bool (*stop)(void);
  uint64_t reserved, mapped, piece; /* bytes; piece: bytes mapped at a time */
  uint64_t front_reserved, front;   /* the same just before MEMORY_BASE: nothing, or one piece */
  uint64_t handle[(MEMORY_CAPACITY >> 21)];
  unsigned n_handles;
  void *event[2];
  card_module_t *own;            /* kernels that flush and spin; NULL until needed */
  uint64_t flushed, flush_bytes; /* buffer that is read to flush; 0: not allocated yet */
  mrpb_err_t broken;             /* the first error of the GPU itself */
};

enum { CARD_LOG = 4096 };

struct card_module {
  card_t *card;
  void *module;
  char *text; /* as loaded */
  size_t n;
  void *cubin, *link; /* the compiled code, owned by the link */
  size_t cubin_bytes;
  char log[CARD_LOG]; /* output of the compiler; used by the link while it exists */
};

/* Returns 0, or -1 and "GPU n: what: what the driver says". An error after which the GPU cannot
 * work is remembered. */
int card_check(card_t *c, int result, const char *what, mrpb_err_t *err);
/* 0 if the card still works; otherwise -1 and the remembered error. */
int card_alive(const card_t *c, mrpb_err_t *err);

/* Launches one of the card's own kernels. */
int card_own_launch(card_t *c, const char *kernel, const uint64_t *arg, unsigned n, uint32_t blocks,
                    double *seconds, mrpb_err_t *err);

#endif
